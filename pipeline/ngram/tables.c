/* ngram/tables.c -- see tables.h. */
#include "ngram/tables.h"

#include <errno.h>
#include <stdlib.h>

/* ---- the tables ---- */

#define FIELD(member) offsetof(struct ROW, member)

#define ROW graph_ngram
static const struct graph_column ngrams_columns[] = {
    { "snippet", COLUMN_DOCUMENT, FIELD(document), COLUMN_LINE, "snippets", "" },
    { "field", COLUMN_TEXT, FIELD(field), COLUMN_LINE, NULL, "text, or a name under ngrams.fields" },
    { "n", COLUMN_U32, FIELD(n), COLUMN_LINE, NULL, "" },
    { "corpus", COLUMN_DATASET, FIELD(corpus), COLUMN_LINE, NULL, "" },
    { "folded", COLUMN_FLAG, FIELD(folded), COLUMN_LINE, NULL,
      "1: texts in lower case (letters of ASCII), as some rules want (ngrams.case); 0: as written" },
    { "short", COLUMN_FLAG, FIELD(is_short), COLUMN_LINE, NULL,
      "1: fewer than n words: compared as a whole, as one n-gram of its own length, of which the rules say nothing but "
      "with ngrams.short: whole" },
    { "words", COLUMN_U32, FIELD(words), COLUMN_LINE, NULL, "of the field (tokens, with unit: tokens)" },
    { "ngrams", COLUMN_U32, FIELD(ngrams), COLUMN_LINE, NULL, "" },
    { "distinct_ngrams", COLUMN_U32, FIELD(distinct), COLUMN_LINE, NULL, "" },
    { "found_distinct", COLUMN_U32, FIELD(found_distinct), COLUMN_LINE, NULL,
      "distinct n-grams that some document of the corpus has" },
    { "found", COLUMN_U32, FIELD(found), COLUMN_LINE, NULL, "" },
    { "rare", COLUMN_U32, FIELD(rare), COLUMN_LINE, NULL,
      "of found, those in at most max_df documents; without max_df all of them" },
    { "covered", COLUMN_U32, FIELD(covered), COLUMN_LINE, NULL, "words of the field in a found n-gram" },
    { "covered_rare", COLUMN_U32, FIELD(covered_rare), COLUMN_LINE, NULL, "in one of the rare ones" },
    { "covered_once", COLUMN_U32, FIELD(covered_once), COLUMN_LINE, NULL,
      "most words of the field in n-grams that one and the same document has" },
    { "longest_run", COLUMN_U32, FIELD(longest_run), COLUMN_LINE, NULL,
      "most n-grams in a row in one document that are all the field's: n - 1 words more" },
    { "run_shard", COLUMN_MAYBE_SHARD, FIELD(run_shard), 0, NULL,
      "the first document in order with such a run; NULL: none" },
    { "run_record", COLUMN_U64, FIELD(run_record), 0, NULL, "" },
    { "run_at", COLUMN_U32, FIELD(run_at), 0, NULL, "word of that document where the run starts, from 0" },
    { "run_path", COLUMN_OPTIONAL, FIELD(run_path), 0, NULL, "of that document" },
    { "run_line", COLUMN_MAYBE, FIELD(run_line), 0, NULL, "of its text, from 1, where the run starts; NULL: none" },
    { "documents", COLUMN_U64, FIELD(documents), COLUMN_LINE, NULL, "of the corpus that have any of its n-grams" },
    { "occurrences", COLUMN_U64, FIELD(occurrences), COLUMN_LINE, NULL,
      "of its n-grams in the corpus, of each at most ngrams.cap" },
    { "max_frequency", COLUMN_U64, FIELD(max_frequency), COLUMN_LINE, NULL,
      "most documents that one of its n-grams is in" },
    { "lcs", COLUMN_MAYBE, FIELD(lcs), COLUMN_LINE, NULL,
      "n = 13: longest common subsequence of words with the document of the longest run; NULL: none, texts too long "
      "for it, or of the folded ones that stand beside those as written" },
    { "lcs_of", COLUMN_MAYBE, FIELD(lcs_of), COLUMN_LINE, NULL, "words of the shorter of the two; NULL as lcs" },
};
#undef ROW

static const struct graph_check ngrams_checks[] = {
    { "n-grams are found no more often than they stand in an item",
      "SELECT 'snippet ' || snippet || ' ' || field || ' n ' || n || ' in ' || corpus, max(found, found_distinct, "
      "rare, covered, covered_rare, covered_once), words FROM ngrams WHERE found > ngrams OR found_distinct > "
      "distinct_ngrams OR rare > found OR covered > words OR covered_rare > covered OR covered_once > covered OR "
      "(found > 0) <> (longest_run > 0) OR (found > 0) <> (documents > 0) OR distinct_ngrams > ngrams OR max_frequency "
      "> documents",
      "found or covered (or they contradict each other)", "words" },
    { NULL, NULL, NULL, NULL },
};

static const struct graph_view ngrams_views[] = {
    { "ngram_runs",
      "snippet, benchmark, source_id, field, corpus, words, run_words, found_percent, documents, shard, record, at, "
      "run_place",
      "SELECT g.snippet, s.dataset, s.source_id, g.field, g.corpus, g.words, g.longest_run - 1 + min(g.n, g.words) AS "
      "run_words, " VIEW_PERCENT("g.found", "g.ngrams") ", g.documents, g.run_shard, g.run_record, g.run_at, "
      "ifnull(g.run_path, g.run_shard || ':' || g.run_record) || ':' || g.run_line FROM ngrams AS g "
      "JOIN snippets AS s ON s.id = g.snippet WHERE g.n = (SELECT min(n) FROM ngrams) AND g.folded = (SELECT "
      "min(folded) FROM ngrams) AND g.run_shard IS NOT NULL "
      "ORDER BY run_words DESC, g.rowid",
      "The longest run of words of each item in one document of the corpus, by the n-grams of the smallest n; the "
      "longest first, with its place there, as path:line where there is a path." },
    { NULL, NULL, NULL, NULL },
};

const struct graph_table table_ngrams = {
    .name = "ngrams", .row_size = sizeof(struct graph_ngram), TABLE_COLUMNS(ngrams_columns),
    .digest = "N", .views = ngrams_views, .checks = ngrams_checks,
    .doc = "Pass ngrams: each field of a benchmark item against each corpus, for each n, as written and folded.  Two "
           "n-grams are equal when their 64-bit hashes are.  An n-gram that stands in the field several times counts "
           "as often, except where it says distinct.",
    .after = "CREATE INDEX ngrams_snippet ON ngrams (snippet);",
};

#define ROW graph_ngram_rule
static const struct graph_column ngram_rules_columns[] = {
    { "snippet", COLUMN_DOCUMENT, FIELD(document), COLUMN_LINE, "snippets", "" },
    { "field", COLUMN_TEXT, FIELD(field), COLUMN_LINE, NULL, "" },
    { "corpus", COLUMN_DATASET, FIELD(corpus), COLUMN_LINE, NULL, "" },
    { "gpt3_13gram", COLUMN_MAYBE, FIELD(gpt3_13gram), COLUMN_LINE, NULL,
      "any 13-gram found (Brown et al. 2020, GPT-3, appendix C); folded" },
    { "palm_8gram", COLUMN_MAYBE, FIELD(palm_8gram), COLUMN_LINE, NULL,
      "at least 70 % of the 8-grams found (Chowdhery et al. 2022, PaLM)" },
    { "llama3_8gram", COLUMN_MAYBE_SHARE, FIELD(llama3_8gram), 0, NULL,
      "share of the words in a found 8-gram (Llama Team 2024, Llama 3, with a threshold for each benchmark)" },
    { "tulu3_8gram", COLUMN_MAYBE, FIELD(tulu3_8gram), COLUMN_LINE, NULL,
      "more than 50 % of the words in 8-grams of one and the same document (Lambert et al. 2024, Tulu 3); folded" },
    { "exact_substring", COLUMN_MAYBE, FIELD(exact_substring), COLUMN_LINE, NULL,
      "the text, without white space around it, is inside a document (Li et al. 2023, StarCoder); NULL: under 3 "
      "words; folded" },
    { "windows50", COLUMN_MAYBE, FIELD(windows50), COLUMN_LINE, NULL,
      "at least 80 % of `windows` found (Xu et al. 2025, infini-gram mini), a lower bound as `windows_found` is; NULL: "
      "shorter" },
    { "qwen_lcs", COLUMN_MAYBE, FIELD(qwen_lcs), COLUMN_LINE, NULL,
      "of some document that has one of its 13-grams, the longest common subsequence of words is at least 0.6 of the "
      "shorter text (Qwen Team 2024, Qwen2.5); NULL also: of none, and some were too long for it" },
    { "idf_weighted", COLUMN_MAYBE_SHARE, FIELD(idf_weighted), 0, NULL,
      "share found of the n-grams of the smallest n, each weighing log((1 + documents of the corpus) / (1 + those "
      "that have it)) (after decon, Olmo 3, 2025); folded" },
    { "decon_5gram", COLUMN_MAYBE_SHARE, FIELD(decon_5gram), 0, NULL,
      "most that one document has of the field's different 5-grams, each weighing log(fields of that name / those that "
      "have it) (decon, Olmo 3, 2025); folded; NULL also: all weigh nothing" },
    { "windows", COLUMN_MAYBE, FIELD(windows), COLUMN_LINE, NULL, "of 50 bytes in the text" },
    { "windows_found", COLUMN_MAYBE, FIELD(windows_found), COLUMN_LINE, NULL,
      "in a stretch of equal bytes around an n-gram of the smallest n, of whatever documents; those that lie between "
      "such n-grams are not looked for" },
};
#undef ROW

/* Of all items, as fail_on has it; NULL: the rule can be asked of none. */
#define SHARE(rule) VIEW_PERCENT("sum(r." rule ")", "count(*)")
#define FLAGGED(rule) ", " SHARE(rule)
#define SAID(rule) ", CASE r." rule " WHEN 1 THEN 'yes' WHEN 0 THEN 'no' ELSE '' END"

/* Of the two views of all tables: a rule that flags items, and one that gives shares. */
#define NUMBERS(rule, flagged, mean) \
    "SELECT 'ngrams', '" rule "', s.dataset, r.field, r.corpus, count(r." rule "), " flagged ", " mean ", NULL, NULL " \
    "FROM ngram_rules AS r JOIN snippets AS s ON s.id = r.snippet GROUP BY s.dataset, r.field, r.corpus"
#define FLAGS(rule) NUMBERS(rule, "sum(r." rule "), " SHARE(rule), "NULL") " UNION ALL "
#define MEAN(rule) NUMBERS(rule, "NULL, NULL", "avg(r." rule ")")
#define ITEMS(rule) "SELECT snippet, '" rule "', corpus FROM ngram_rules WHERE " rule " = 1"

static const struct graph_view ngram_rules_views[] = {
    { "ngram_contamination",
      "benchmark, field, corpus, items, gpt3_13gram_percent, palm_8gram_percent, tulu3_8gram_percent, "
      "exact_substring_percent, windows50_percent, qwen_lcs_percent, llama3_8gram_mean, idf_weighted_mean, "
      "decon_5gram_mean",
      "SELECT s.dataset, r.field, r.corpus, count(*)" FLAGGED("gpt3_13gram") FLAGGED("palm_8gram")
      FLAGGED("tulu3_8gram") FLAGGED("exact_substring") FLAGGED("windows50") FLAGGED("qwen_lcs")
      ", avg(r.llama3_8gram), avg(r.idf_weighted), avg(r.decon_5gram) FROM ngram_rules AS r JOIN snippets AS s "
      "ON s.id = r.snippet GROUP BY s.dataset, r.field, r.corpus ORDER BY min(r.rowid)",
      "Items that each rule flags, in percent of all of them, NULL where it can be asked of none; means of the rules "
      "that give shares, of those that they can be asked of." },
    { "ngram_agreement",
      "benchmark, field, corpus, gpt3_13gram, palm_8gram, tulu3_8gram, exact_substring, windows50, qwen_lcs, items",
      "SELECT s.dataset, r.field, r.corpus" SAID("gpt3_13gram") SAID("palm_8gram") SAID("tulu3_8gram")
      SAID("exact_substring") SAID("windows50") SAID("qwen_lcs") ", count(*) FROM ngram_rules AS r JOIN snippets AS s "
      "ON s.id = r.snippet GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9 ORDER BY count(*) DESC, 1, 2, 3, 4, 5, 6, 7, 8, 9",
      "Items by what all rules say of them; '' where a rule cannot be asked." },
    { NULL, NULL, NULL, NULL },
};

const struct graph_table table_ngram_rules = {
    .name = "ngram_rules", .row_size = sizeof(struct graph_ngram_rule), TABLE_COLUMNS(ngram_rules_columns),
    .digest = "P", .views = ngram_rules_views,
    .doc = "Pass ngrams: the published rules of contamination, a column each.  NULL: its n is not in ngrams.n, the "
           "field is shorter (ngrams.short of that n), or it was not looked for.  With max_df, n-grams beyond it do "
           "not count for gpt3, palm, llama3 and qwen.  folded: in lower case with ngrams.case: source.",
    .after = "CREATE INDEX ngram_rules_snippet ON ngram_rules (snippet);",
    .part[UNION_NUMBERS] = FLAGS("gpt3_13gram") FLAGS("palm_8gram") FLAGS("tulu3_8gram") FLAGS("exact_substring")
                           FLAGS("windows50") FLAGS("qwen_lcs") MEAN("llama3_8gram") " UNION ALL "
                           MEAN("idf_weighted") " UNION ALL " MEAN("decon_5gram"),
    .part[UNION_ITEM_RULES] = ITEMS("gpt3_13gram") " UNION ALL " ITEMS("palm_8gram") " UNION ALL " ITEMS("tulu3_8gram")
                              " UNION ALL " ITEMS("exact_substring") " UNION ALL " ITEMS("windows50") " UNION ALL "
                              ITEMS("qwen_lcs"),
};

const struct graph_table *const ngram_tables[] = { &table_ngrams, &table_ngram_rules, NULL };

/* ---- their rows ---- */

static struct graph_ngram ngram_make(const struct ngram_job *job, const struct ngram_result *result,
                                     const struct ngram_row *row, bool folded, uint32_t document)
{
    return (struct graph_ngram){
        .document = document, .corpus = row->corpus, .n = row->n,
            .field = slice_of(job->options->field[row->field].name), .folded = folded, .is_short = row->is_short,
        .words = row->words, .ngrams = row->ngrams, .distinct = row->distinct, .found_distinct = row->found_distinct,
            .found = row->found, .rare = row->rare,
        .covered = row->covered, .covered_rare = row->covered_rare, .covered_once = row->covered_once,
            .longest_run = row->longest_run,
        .run_shard = row->longest_run ? row->run_shard : UINT32_MAX, .run_at = row->run_at,
            .run_record = row->run_record, .documents = row->documents,
        .run_path = row->longest_run ? paths_find(&result->paths, row->run_shard, row->run_record)
            : (struct slice){ 0 },
        .run_line = row->longest_run ? (int64_t)row->run_line : -1,
        .occurrences = row->occurrences, .max_frequency = row->max_frequency, .lcs = row->lcs_of ? (int64_t)row->lcs
            : -1,
        .lcs_of = row->lcs_of ? (int64_t)row->lcs_of : -1 };
}

static struct graph_ngram_rule rule_make(const struct ngram_job *job, const struct ngram_row *row,
                                         const struct ngram_row *folded, uint32_t document)
{
    struct ngram_rules rules = ngram_rules_of(row, folded, job->options->sizes, job->options);

    return (struct graph_ngram_rule){
        .document = document, .corpus = row->corpus, .field = slice_of(job->options->field[row->field].name),
            .gpt3_13gram = rules.gpt3_13gram,
        .palm_8gram = rules.palm_8gram, .tulu3_8gram = rules.tulu3_8gram, .exact_substring = rules.exact_substring,
            .windows50 = rules.windows50,
        .qwen_lcs = rules.qwen_lcs, .windows = row->windows ? (int64_t)row->windows : -1, .windows_found = row->windows
            ? (int64_t)row->windows_found : -1,
        .llama3_8gram = rules.llama3_8gram, .idf_weighted = rules.idf_weighted, .decon_5gram = rules.decon_5gram };
}

int graph_add_ngrams(struct graph_build *build, const struct ngram_job *job, const struct ngram_result *result,
                     struct err *err)
{
    const size_t             sizes = job->options->sizes, count = result->count, sides = result->folded ? 2 : 1;
    const struct ngram_row  *side[] = { result->row, result->folded };
    struct graph_ngram      *ngram = graph_build_own(build, malloc((sides * count + 1) * sizeof *ngram));
    struct graph_ngram_rule *rule = graph_build_own(build, malloc((count / sizes + 1) * sizeof *rule));
    struct graph_finder      finder = { .graph = &build->graph };
    size_t                   ngrams = 0, rules = 0;
    int                      rc;

    if (!ngram || !rule) return err_memory(err, sides * count * sizeof *ngram, "rows of ngrams");
    for (size_t r = 0; r < count; r += sizes) {
        const struct ngram_row *row = &result->row[r];
        uint32_t                document;

        if (!graph_find(&finder, row->shard, row->record, &document)) continue;
        for (size_t s = 0; s < sides; s++)
            for (size_t i = 0; i < sizes; i++)
                ngram[ngrams++] = ngram_make(job, result, &side[s][r + i], s || (job->fold && !job->both), document);
        rule[rules++] = rule_make(job, row, &side[sides - 1][r], document);
    }
    rc = graph_add_rows(build, &table_ngrams, ngram, ngrams, err);
    return rc < 0 ? rc : graph_add_rows(build, &table_ngram_rules, rule, rules, err);
}
