"""Selects every view of a run's graph.db and compares those that the report shows with report.json.

    views.py RUN HELP     HELP: what `leakgraph help graph` prints"""
import json
import math
import sqlite3
import sys

# The view, the table of report.json, and which of its rows are there.
SHOWN = {
    "dataset_summary": ("compared datasets", ""),
    "reject_reasons": ("rejects reasons", ""),
    "reject_examples": ("rejects examples", "WHERE place <= 3"),
    "skipped_files": ("compared skipped", ""),
    "lost_bytes": ("rejects losses", ""),
    "damaged_shards": ("rejects damage", ""),
    "benchmark_verdicts": ("verdict benchmarks", ""),
    "leakage": ("overlap between", ""),
    "leakage_within": ("splits within", ""),
    "leakage_by_language": ("languages by_language", ""),
    "near_minimums": ("overlap min_tokens", ""),
    "pair_kinds": ("pairs kinds", ""),
    "leak_classes": ("licences classes", ""),
    "leak_licences": ("licences each", ""),
    "dedup_splits": ("dedup splits", ""),
    "dedup_languages": ("dedup by_language languages", ""),
    "dedup_kinds": ("dedup why kinds", ""),
    "dedup_clusters": ("dedup clusters largest", "LIMIT 20"),
    "dedup_sizes": ("dedup clusters sizes", ""),
    "dedup_between": ("dedup flows between", ""),
    "dedup_between_splits": ("dedup split_flows between_splits", ""),
    "ngram_contamination": ("ngrams rules", ""),
    "ngram_agreement": ("ngrams agreement", "LIMIT 40"),
    "clone_datasets": ("line_clones documents", ""),
    "clone_lengths": ("line_clones lengths", ""),
    "clone_blocks": ("line_clones blocks", "LIMIT 20"),
    "clone_type_leakage": ("clone_types leakage", ""),
    "clone_pair_places": ("clone_types places", ""),
    "clone_within": ("clone_types within", ""),
    "clone_classes": ("clone_types classes", ""),
    "clone_link_places": ("clone_types similar", ""),
    "repository_membership": ("repositories versions", ""),
    "repository_matches": ("repositories each", "LIMIT 1000"),
    "sensitive_kinds": ("sensitive kinds", ""),
    "sensitive_alone": ("sensitive alone", ""),
    "sensitive_found": ("sensitive found", "LIMIT 1000"),
    "probe_models": ("probes models", ""),
    "function_leakage": ("functions leakage", ""),
    "function_places": ("functions places", ""),
    "passage_leakage": ("passages leakage", ""),
    "passage_places": ("passages places", ""),
    "passage_chance": ("passages chance", ""),
    "probe_members": ("probes shown", "LIMIT 20"),
    "probe_missing": ("probes gaps", ""),
    "generation_outputs": ("memorisation outputs", ""),
    "memorisation_shares": ("memorisation memorised", ""),
    "memorised_lengths": ("memorisation lengths", ""),
    "memorised_blocks": ("memorisation blocks", "WHERE place <= 10"),
    "inclusion_repositories": ("inclusion repositories", ""),
    "inclusion_errors": ("inclusion errors", ""),
    "inclusion_given_away": ("inclusion given_away", "WHERE place <= 5"),
    "compliance_models": ("compliance models", ""),
    "compliance_limits": ("compliance limits", ""),
    "compliance_distribution": ("compliance distribution", ""),
    "cleaned_outputs": ("cleaned outputs", ""),
    "cleaned_reasons": ("cleaned reasons", ""),
    "cleaned_places": ("cleaned places", ""),
}
# Those that a report, a command or a gate makes more of than a table.
OTHERS = {"duplicates", "probe_benchmarks", "probe_files", "snippet_pairs", "stored_documents", "shard_snippets",
          "ngram_runs", "benchmark_leakage", "leaked_items", "dedup_flows", "probe_scores", "idd", "representatives",
          "probe_order_shards", "found_elsewhere", "all_documents", "found_inside", "inclusion_features",
          "compliance_pairs", "compliance_cases", "compliance_populations", "history_trend", "pairs", "items",
          "cluster_members", "item_rules", "rule_numbers", "removed_documents", "probe_roc", "probe_curves",
          "probe_distribution"}
MAY_BE_EMPTY = {"probe_missing", "damaged_shards", "history_trend"}
EMPTY = (None, "", 0)                                       # of a text or a count that is NULL


def equal(shown, value):
    if isinstance(shown, float) or isinstance(value, float):
        return shown is not None and value is not None and math.isclose(shown, value, rel_tol=1e-9)
    if isinstance(shown, str) and "…" in shown:             # an address, which the report hides
        return str(value).startswith(shown.partition("…")[0])
    if isinstance(shown, str) and isinstance(value, int):   # a number in a cell of words
        value = str(value)
    return shown == value or (shown in EMPTY and value in EMPTY)


def compare(shown, rows, view):
    assert len(shown) == len(rows), "%s: %d rows, the report has %d" % (view, len(rows), len(shown))
    for said, row in zip(shown, rows):
        for key in said:
            assert key in row.keys(), "%s has no %s" % (view, key)
            assert equal(said[key], row[key]), "%s.%s: %r, the report has %r" % (view, key, row[key], said[key])


def compare_scores(database, report):
    """What is drawn of each benchmark, model and metric; all rows of both views are in the report."""
    points = bins = 0
    for benchmark in report["probes"]["scores"]:
        for model in benchmark["models"]:
            of = (benchmark["title"], model["title"])
            compare(model.get("curve", []), database.execute(
                "SELECT * FROM probe_curves WHERE benchmark = ? AND model = ?", of).fetchall(), "probe_curves")
            points += len(model.get("curve", []))
            for metric in model["metrics"]:
                compare(metric["bins"], database.execute(
                    "SELECT * FROM probe_distribution WHERE benchmark = ? AND model = ? AND metric = ?",
                    of + (metric["title"],)).fetchall(), "probe_distribution")
                bins += len(metric["bins"])
    for view, count in ("probe_curves", points), ("probe_distribution", bins):
        assert database.execute("SELECT count(*) FROM " + view).fetchone()[0] == count, view


def main():
    database = sqlite3.connect("file:%s/graph.db?mode=ro" % sys.argv[1], uri=True)
    database.row_factory = sqlite3.Row
    report = json.load(open(sys.argv[1] + "/report.json"))
    said = open(sys.argv[2]).read()
    views = {row[0] for row in database.execute("SELECT name FROM sqlite_schema WHERE type = 'view'")}
    assert views == SHOWN.keys() | OTHERS, views ^ (SHOWN.keys() | OTHERS)
    for view in sorted(views):
        assert "View **%s** (" % view in said, view + " is not in `leakgraph help graph`"
        where, rest = SHOWN.get(view, (None, ""))
        rows = database.execute("SELECT * FROM %s %s" % (view, rest)).fetchall()
        assert rows or view in MAY_BE_EMPTY, view + " is empty"
        if not where:
            continue
        table = report
        for key in where.split():
            table = table[key]
        compare(table, rows, view)
    compare_scores(database, report)
    print("%d views, %d of them tables of the report" % (len(views), len(SHOWN)))


main()
