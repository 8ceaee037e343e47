/* near/settings.c -- pipeline.yaml: near_duplicates; see docs/pipeline.yaml.md. */
#include "near/task.h"

#include <errno.h>
#include <string.h>

/* What the rows fill. */
struct near_settings  { char *view; struct near_options near; bool across_languages; int pairs, functions, renamed; };

static const struct option near_rows[] = {
    { "view", OPTION_TEXT, offsetof(struct near_settings, view), "identifiers", 0, 0, NULL,
      "what is compared (identifiers, identifiers+literals, tokens, lines, shingles:N, chars:N)" },
    { "set_threshold", OPTION_RATIO, offsetof(struct near_settings, near.set_threshold), "0.8", 0, 0, NULL,
      "least Jaccard similarity of the sets" },
    { "multiset_threshold", OPTION_RATIO, offsetof(struct near_settings, near.multiset_threshold), "0.7", 0, 0, NULL,
      "and of the multisets" },
    { "min_tokens", OPTION_U32, offsetof(struct near_settings, near.min_tokens), "auto", 1, 0, "auto",
      "least occurrences of the view's features in a document; auto: for each benchmark, the largest from 20 down to 5 "
      "that 90 % of its items have" },
    { "containment_threshold", OPTION_RATIO, offsetof(struct near_settings, near.containment_threshold), "auto", 0, 0,
      "auto",
      "share of a benchmark item's features that a corpus document has; auto: 0.93 of the features and of their "
      "occurrences, for items with 8 distinct ones, in the views of identifiers; off" },
    { "passages", OPTION_RATIO, offsetof(struct near_settings, near.passages), "auto", 0, 0, "auto",
      "share of a benchmark item's different runs of features that one corpus document has, so that the item stands in "
      "it; auto: 0.8; off" },
    { "passage_run", OPTION_U32, offsetof(struct near_settings, near.passage_run), "auto", 1, 1000, "auto",
      "features in a run; auto: 4 identifiers, 12 tokens, 2 lines, 1 of other views" },
    { "passage_least", OPTION_U32, offsetof(struct near_settings, near.passage_least), "auto", 1, 0, "auto",
      "least different runs of an item that is looked for so; auto: 6 of identifiers, 12 of others, 3 of lines" },
    { "report_floor", OPTION_RATIO, offsetof(struct near_settings, near.report_floor), "off", 0, 0, NULL,
      "keep pairs down to this as kind `below`" },
    { "max_matches", OPTION_U64, offsetof(struct near_settings, near.max_matches), "10000", 1, 0, NULL,
      "edges kept for a benchmark item, best first" },
    { "across_languages", OPTION_BOOL, offsetof(struct near_settings, across_languages), "false", 0, 0, NULL,
      "compare documents of different languages too" },
    { "index", OPTION_BOOL, offsetof(struct near_settings, near.keep_index), "false", 0, 0, NULL,
      "leakgraph query finds near duplicates of a text among the benchmarks, by the index in work/" },
    { "pairs", OPTION_CHOICE, offsetof(struct near_settings, pairs), "star", 0, 0, "star|all",
      "star: inside more than 1,000 identical documents, edges to the first only" },
    { "functions", OPTION_CHOICE, offsetof(struct near_settings, functions), "fast", 0, 0, "fast|exact",
      "how functions in files are told: by their tokens, or by tree-sitter's parsers (leakgraph version says whether "
      "they are built in)" },
    { "renamed", OPTION_CHOICE, offsetof(struct near_settings, renamed), "auto", 0, 0, "auto|off",
      "auto: items that are functions are also found in files where all their names and literals are others, in the "
      "view of identifiers; without `clones` that is `clones: {types: [1, 2c], of: items, min_names: 12, "
      "min_repeated: 2}`" },
    { NULL, OPTION_BOOL, 0, NULL, 0, 0, NULL, NULL },
};

static bool ratio_below(struct ratio a, struct ratio b) { return (uint64_t)a.num * b.den < (uint64_t)b.num * a.den; }

/* Every threshold above 0 (at 0 all pairs of documents would pass), the floor below the threshold that it extends. */
static int thresholds_check(const struct near_options *near, const struct node *map, const char *name, struct err *err)
{
    const struct { const char *key; struct ratio ratio; } threshold[] = {
        { "set_threshold", near->set_threshold },
        { "multiset_threshold", near->multiset_threshold },
        { "containment_threshold", near->containment_threshold },
        { "report_floor", near->report_floor },
        { "passages", near->passages },
    };

    for (size_t i = 0; i < sizeof threshold / sizeof *threshold; i++)
        if (threshold[i].ratio.den && threshold[i].ratio.num == 0)
            return node_refuse(node_find(map, threshold[i].key), name, "near_duplicates", err, "%s must be above 0",
                               threshold[i].key);
    if (near->report_floor.den && !ratio_below(near->report_floor, near->set_threshold))
        return node_refuse(node_find(map, "report_floor"), name, "near_duplicates", err,
                           "report_floor must be below set_threshold");
    return 0;
}

/* What auto stands for: it was measured with views of identifiers; with others it is off. */
static void containment_resolve(struct near_options *near)
{
    const bool chosen = !near->containment_threshold.den && near->containment_threshold.num;

    near->containment_auto = chosen &&
        (near->view.kind == VIEW_IDENTIFIERS || near->view.kind == VIEW_IDENTIFIERS_LITERALS);
    if (chosen) near->containment_threshold = near->containment_auto ? CONTAINMENT_AUTO : (struct ratio){ 0 };
}

/* Of passages, by view. */
static void passages_resolve(struct near_options *near)
{
    static const struct { uint32_t run, least; } usual[] = {
        [VIEW_IDENTIFIERS] = { 4, 6 }, [VIEW_IDENTIFIERS_LITERALS] = { 4, 6 }, [VIEW_TOKENS] = { 12, 12 },
        [VIEW_LINES] = { 2, 3 }, [VIEW_SHINGLES] = { 1, 12 }, [VIEW_CHARS] = { 1, 12 },
    };

    if (!near->passages.den && near->passages.num) near->passages = PASSAGES_AUTO;
    if (!near->passage_run) near->passage_run = usual[near->view.kind].run;
    if (!near->passage_least) near->passage_least = usual[near->view.kind].least;
}

int near_read(struct config *config, const struct node *root, const char *name, struct err *err)
{
    struct near_settings settings = { 0 };
    const struct node   *map = node_find(root, "near_duplicates"), *view = map ? node_find(map, "view") : NULL, *given;
    struct err           reason = { 0 };
    int                  rc = config_section(near_rows, &settings, root, "near_duplicates", name, err);

    given = map ? node_find(map, "across_languages") : NULL;
    /* as it stands at the top of the file */
    if (!given) settings.across_languages = config->across_languages;
    if (rc == 0 && (rc = view_parse(&settings.near.view, settings.view, &reason)) < 0) {
        *err = reason;
        if (view) rc = node_refuse(view, name, "near_duplicates", err, "%s", reason.text);
    }
    if (rc == 0 && config->published && !(map && node_find(map, "min_tokens")))
        settings.near.min_tokens = MINIMUM_USUAL;
    if (config->published && !(map && node_find(map, "containment_threshold")))
        settings.near.containment_threshold = (struct ratio){ 0 };
    if (config->published && !(map && node_find(map, "passages"))) settings.near.passages = (struct ratio){ 0 };
    containment_resolve(&settings.near);
    passages_resolve(&settings.near);
    if (rc == 0 && map) rc = thresholds_check(&settings.near, map, name, err);
    if (rc == 0 && settings.functions == FUNCTIONS_EXACT && functions_exact_check("functions: exact", &reason) < 0)
        rc = node_refuse(node_find(map, "functions"), name, "near_duplicates", err, "%s", reason.text);
    option_free(near_rows, &settings);
    if (rc < 0) return rc;
    near_task(config)->options = settings.near;
    near_task(config)->options.view.across_languages = settings.across_languages;
    near_task(config)->options.view.published = config->published;
    near_task(config)->options.view.functions = (enum functions_how)settings.functions;
    near_task(config)->options.pairs_all = settings.pairs == 1;
    near_task(config)->options.renamed = settings.renamed == 0 && !config->published &&
        settings.near.view.kind == VIEW_IDENTIFIERS;
    return 0;
}

int near_check(const struct config *config, const struct node *root, const char *name, struct err *err)
{
    for (size_t i = 0; i < config->dataset_count; i++)
        if (config->datasets[i].unit == UNIT_FUNCTION && !view_has_functions(&near_task(config)->options.view))
            return node_refuse(node_find(root, "datasets"), name, "", err,
                               "%s: unit: function needs a view of identifiers or tokens, and no compat: published",
                               config->datasets[i].name);
    for (size_t i = 0; i < config->dataset_count; i++)
        if (near_resident(&config->datasets[i])) return 0;
    return node_refuse(node_find(root, "datasets"), name, "", err, "nothing to compare: at least one dataset must have "
                                                                   "`role: benchmark` or `self_join: exact`");
}

int near_print(const struct config *config, struct bytes *out)
{
    const struct near_options *o = &near_task(config)->options;
    char                       view[32];
    struct near_settings       settings = { .view = view, .near = *o, .across_languages = o->view.across_languages,
                                            .pairs = o->pairs_all, .functions = (int)o->view.functions,
                                            .renamed = !o->renamed };

    view_print(&o->view, view);
    if (o->containment_auto) settings.near.containment_threshold = (struct ratio){ 1, 0 };
    return bytes_printf(out, "near_duplicates:\n") < 0 ? -ENOMEM : option_print(near_rows, &settings, "  ", out);
}

int near_help(struct bytes *out)
{
    int rc = bytes_printf(out, "\nnear_duplicates:          a pass: pairs of similar documents\n");

    return rc < 0 ? rc : option_help(near_rows, "  ", out);
}
