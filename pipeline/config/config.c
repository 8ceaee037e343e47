/* config/config.c -- pipeline.yaml: everything but datasets and dedup; see config.h. */
#include "config/private.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What the rows fill; choices are indices. */
struct top_settings   { char *output; int compat; uint64_t memory; bool across_languages; };
struct graph_settings { int store; };
struct fail_settings  { double leakage, rejects, duplicates; };
struct near_settings  { char *view; struct near_options near; bool across_languages; int pairs; };

/* across_languages is accepted here for every pass and in a pass for that one; the resolved file says it in the pass:
 * row 0 is not printed. */
static const struct option top_rows[] = {
    { "across_languages", OPTION_BOOL, offsetof(struct top_settings, across_languages), "false", 0, 0, NULL,
      "the default of near_duplicates.across_languages and dedup.across_languages" },
    { "output", OPTION_TEXT, offsetof(struct top_settings, output), "results/run", 0, 0, NULL,
      "run folder, from the current folder" },
    { "compat", OPTION_CHOICE, offsetof(struct top_settings, compat), "none", 0, 0, "none|published",
      "published: the published tools' quirks wherever they differ" },
    { "memory", OPTION_SIZE, offsetof(struct top_settings, memory), "0", 0, 0, NULL,
      "what near_duplicates may take for benchmarks and self_join corpora on rank 0, line_clones for its index, and "
      "dedup on every rank, as 8GiB; "
      "0: three quarters of the machine's, which dedup divides by the number of all ranks (set it when there are "
      "several hosts)" },
    { NULL, OPTION_BOOL, 0, NULL, 0, 0, NULL, NULL },
};

static const struct option near_rows[] = {
    { "view", OPTION_TEXT, offsetof(struct near_settings, view), "identifiers", 0, 0, NULL,
      "what is compared (identifiers, identifiers+literals, tokens, lines, shingles:N, chars:N)" },
    { "set_threshold", OPTION_RATIO, offsetof(struct near_settings, near.set_threshold), "0.8", 0, 0, NULL,
      "least Jaccard similarity of the sets" },
    { "multiset_threshold", OPTION_RATIO, offsetof(struct near_settings, near.multiset_threshold), "0.7", 0, 0, NULL,
      "and of the multisets" },
    { "min_tokens", OPTION_U32, offsetof(struct near_settings, near.min_tokens), "20", 1, 0, NULL,
      "least occurrences of the view's features in a document" },
    { "containment_threshold", OPTION_RATIO, offsetof(struct near_settings, near.containment_threshold), "off", 0, 0,
      NULL,
      "share of a benchmark item's features that a corpus document has" },
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
    { NULL, OPTION_BOOL, 0, NULL, 0, 0, NULL, NULL },
};

static const struct option graph_rows[] = {
    { "store", OPTION_CHOICE, offsetof(struct graph_settings, store), "text", 0, 0, "none|text|tokens",
      "what graph.db keeps of documents" },
    { NULL, OPTION_BOOL, 0, NULL, 0, 0, NULL, NULL },
};

static const struct option fail_rows[] = {
    { "leakage", OPTION_PERCENT, offsetof(struct fail_settings, leakage), "off", 0, 0, NULL,
      "exit status 3 when more than so many percent of a whole benchmark are in one corpus: documents with an exact "
      "or near pair there "
      "and, when containment_threshold is on, those with only a contained one; copies below min_tokens and transitive "
      "ones are not counted" },
    { "rejects", OPTION_PERCENT, offsetof(struct fail_settings, rejects), "off", 0, 0, NULL,
      "exit status 3 above so many percent of all records" },
    { "duplicates", OPTION_PERCENT, offsetof(struct fail_settings, duplicates), "off", 0, 0, NULL,
      "exit status 3 when dedup removes more than so many percent of its documents" },
    { NULL, OPTION_BOOL, 0, NULL, 0, 0, NULL, NULL },
};

static const char *const top_others[] = { "datasets", "near_duplicates", "dedup", "ngrams", "line_clones", "portrait",
                                          "repositories", "sensitive", "probe", "generate", "clean", "graph", "fail_on",
                                              NULL };

/* ---- reading ---- */

int config_section(const struct option *rows, void *settings, const struct node *root, const char *key,
                   const char *name, struct err *err)
{
    const struct node *map = node_find(root, key);
    int                rc = option_defaults(rows, settings, err);

    return rc < 0 || !map ? rc : option_apply(rows, settings, map, NULL, name, key, err);
}

static int config_read_top(struct config *config, const struct node *root, const char *name, struct err *err)
{
    struct top_settings   top = { 0 };
    struct graph_settings graph;
    struct fail_settings  fail;
    int                   rc = option_defaults(top_rows, &top, err);

    if (rc == 0) rc = option_apply(top_rows, &top, root, top_others, name, "", err);
    config->output = top.output;                            /* moved */
    config->published = top.compat == 1;
    config->memory = top.memory;
    config->near.view.across_languages = config->dedup.options.view.across_languages = top.across_languages;
    if (rc == 0 && !*top.output) rc = node_refuse(node_find(root, "output"), name, "", err, "output: an empty path");
    if (rc == 0) rc = config_section(graph_rows, &graph, root, "graph", name, err);
    if (rc == 0) rc = config_section(fail_rows, &fail, root, "fail_on", name, err);
    if (rc < 0) return rc;
    config->store = graph.store == 0 ? STORE_NONE : graph.store == 1 ? STORE_TEXT : STORE_TOKENS;
    config->fail_leakage = fail.leakage;
    config->fail_rejects = fail.rejects;
    config->fail_duplicates = fail.duplicates;
    return 0;
}

static bool ratio_below(struct ratio a, struct ratio b) { return (uint64_t)a.num * b.den < (uint64_t)b.num * a.den; }

/* Every threshold above 0 (at 0 all pairs of documents would pass), the floor below the threshold that it extends. */
static int config_check_near(const struct near_options *near, const struct node *map, const char *name, struct err *err)
{
    const struct { const char *key; struct ratio ratio; } threshold[] = {
        { "set_threshold", near->set_threshold },
        { "multiset_threshold", near->multiset_threshold },
        { "containment_threshold", near->containment_threshold },
        { "report_floor", near->report_floor },
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

static int config_read_near(struct config *config, const struct node *root, const char *name, struct err *err)
{
    struct near_settings settings = { 0 };
    const struct node   *map = node_find(root, "near_duplicates"), *view = map ? node_find(map, "view") : NULL, *given;
    struct err           reason = { 0 };
    int                  rc = config_section(near_rows, &settings, root, "near_duplicates", name, err);

    config->near_on = map != NULL;
    given = map ? node_find(map, "across_languages") : NULL;
    /* as it stands at the top of the file */
    if (!given) settings.across_languages = config->near.view.across_languages;
    if (rc == 0 && (rc = view_parse(&settings.near.view, settings.view, &reason)) < 0) {
        *err = reason;
        if (view) rc = node_refuse(view, name, "near_duplicates", err, "%s", reason.text);
    }
    if (rc == 0 && map) rc = config_check_near(&settings.near, map, name, err);
    option_free(near_rows, &settings);
    if (rc < 0) return rc;
    config->near = settings.near;
    config->near.view.across_languages = settings.across_languages;
    config->near.view.published = config->published;
    config->near.pairs_all = settings.pairs == 1;
    return 0;
}

/* What no single section can tell. */
static int config_check_whole(const struct config *config, const struct node *root, const char *name, struct err *err)
{
    const struct node *fail_on = node_find(root, "fail_on");
    bool               joined = false;

    if (!config->near_on && !config->dedup.on && !config->repositories.on && !config->clones.on &&
        !config->portrait.on && !config->ngrams.on && !config->probe.on && !config->sensitive.on)
        return err_set(err, -EINVAL, "%s: nothing to do: a pass runs when its key is there, and none is; "
                                     "near_duplicates turns the near-duplicate join on "
                       "(`near_duplicates: {}` with its defaults), dedup the removal of duplicates from corpora, "
                       "ngrams the n-gram rules, line_clones the search for shared blocks of lines, repositories that "
                       "for repositories of benchmarks in corpora, portrait the making of a membership filter, "
                       "sensitive the search for e-mail addresses, IP addresses and keys, probe the questions to "
                       "language models", name);
    if (config->fail_leakage >= 0 && !config->near_on)
        return node_refuse(node_find(fail_on, "leakage"), name, "fail_on", err,
                           "leakage is found by near_duplicates, which is not there");
    if (config->fail_duplicates >= 0 && !config->dedup.on)
        return node_refuse(node_find(fail_on, "duplicates"), name, "fail_on", err,
                           "duplicates are counted by dedup, which is not there");
    if (!config->near_on) return 0;
    for (size_t i = 0; i < config->dataset_count; i++)
        joined |= config->datasets[i].role == ROLE_BENCHMARK || config->datasets[i].self_join;
    if (!joined)
        return node_refuse(node_find(root, "datasets"), name, "", err,
                           "nothing to compare: at least one dataset must have `role: benchmark` or "
                           "`self_join: exact`");
    return 0;
}

/* The tree to the structure; on failure what was made so far is in *out. */
static int config_fill(struct config *out, const struct node *root, const char *name, struct err *err)
{
    int rc = config_read_top(out, root, name, err);

    if (rc == 0) rc = config_read_near(out, root, name, err);
    if (rc == 0) rc = config_read_datasets(out, root, name, err);
    if (rc == 0) rc = config_read_generate(out, root, name, err);
    if (rc == 0) rc = config_read_dedup(out, root, name, err);
    if (rc == 0) rc = config_read_ngrams(out, root, name, err);
    if (rc == 0) rc = config_read_clones(out, root, name, err);
    if (rc == 0) rc = config_read_portrait(out, root, name, err);
    if (rc == 0) rc = config_read_repositories(out, root, name, err);
    if (rc == 0) rc = config_read_sensitive(out, root, name, err);
    if (rc == 0) rc = config_read_probe(out, root, name, err);
    if (rc == 0) rc = config_read_clean(out, root, name, err);
    return rc < 0 ? rc : config_check_whole(out, root, name, err);
}

/* Takes the tree over. */
static int config_resolve(struct config *out, struct node *root, const char *name, const char *base,
                          const char *const *sets, size_t set_count,
                          struct err *err)
{
    int rc = 0;

    for (size_t i = 0; i < set_count && rc == 0; i++) rc = node_set(root, sets[i], err);
    if (rc == 0) {
        out->base = strdup(*base ? base : ".");
        rc = out->base ? config_fill(out, root, name, err) : err_memory(err, strlen(base) + 1, "a path");
    }
    node_free(root);
    if (rc < 0) config_free(out);
    return rc;
}

int config_parse(struct config *out, const char *name, const char *text, size_t len, const char *base,
                 const char *const *sets, size_t set_count,
                 struct err *err)
{
    struct node root;
    int         rc = node_parse(&root, name, text, len, err);

    *out = (struct config){ 0 };
    return rc < 0 ? rc : config_resolve(out, &root, name, base, sets, set_count, err);
}

int config_read(struct config *out, const char *path, const char *const *sets, size_t set_count, struct err *err)
{
    const char *slash = strrchr(path, '/');
    char       *base;
    struct node root;
    int         rc;

    *out = (struct config){ 0 };
    base = slash ? strndup(path, slash == path ? 1 : (size_t)(slash - path)) : strdup(".");
    if (!base) return err_memory(err, strlen(path) + 1, "a path");
    rc = node_read(&root, path, err);
    if (rc == 0) rc = config_resolve(out, &root, path, base, sets, set_count, err);
    free(base);
    return rc;
}

void config_free(struct config *config)
{
    for (size_t i = 0; i < config->dataset_count; i++) dataset_free(&config->datasets[i]);
    free(config->datasets);
    free(config->dedup.member);
    free(config->dedup.protect);
    free(config->dedup.generation);
    config_free_ngrams(config);
    config_free_portrait(config);
    config_free_repositories(config);
    config_free_sensitive(config);
    config_free_probe(config);
    config_free_generate(config);
    config_free_clean(config);
    free(config->output);
    free(config->base);
    *config = (struct config){ 0 };
}

/* ---- printing ---- */

static int config_print_section(const char *key, const struct option *rows, const void *settings, struct bytes *out)
{
    return bytes_printf(out, "%s:\n", key) < 0 ? -ENOMEM : option_print(rows, settings, "  ", out);
}

int config_print(const struct config *config, struct bytes *out)
{
    char                  view[32];
    struct top_settings   top = { .output = config->output, .compat = config->published, .memory = config->memory };
    struct graph_settings graph = { config->store == STORE_NONE ? 0 : config->store == STORE_TEXT ? 1 : 2 };
    struct fail_settings  fail = { config->fail_leakage, config->fail_rejects, config->fail_duplicates };
    struct near_settings  near = {
        .view = view, .near = config->near, .across_languages = config->near.view.across_languages,
            .pairs = config->near.pairs_all
    };
    int rc = bytes_printf(out, "# Settings as resolved.\n");

    if (rc == 0) rc = option_print(top_rows + 1, &top, "", out);
    view_print(&config->near.view, view);
    if (rc == 0) rc = config_print_section("graph", graph_rows, &graph, out);
    if (rc == 0) rc = config_print_section("fail_on", fail_rows, &fail, out);
    if (rc == 0) rc = config_print_datasets(config, out);
    if (rc == 0 && config->near_on) rc = config_print_section("near_duplicates", near_rows, &near, out);
    if (rc == 0 && config->dedup.on) rc = config_print_dedup(config, out);
    if (rc == 0 && config->ngrams.on) rc = config_print_ngrams(config, out);
    if (rc == 0 && config->clones.on) rc = config_print_clones(config, out);
    if (rc == 0 && config->portrait.on) rc = config_print_portrait(config, out);
    if (rc == 0 && config->repositories.on) rc = config_print_repositories(config, out);
    if (rc == 0 && config->sensitive.on) rc = config_print_sensitive(config, out);
    if (rc == 0 && config->probe.on) rc = config_print_probe(config, out);
    if (rc == 0 && config->generate.on) rc = config_print_generate(config, out);
    if (rc == 0 && config->clean.count) rc = config_print_clean(config, out);
    return rc;
}

static int config_help_section(const char *title, const struct option *rows, const char *indent, struct bytes *out)
{
    return bytes_printf(out, "%s", title) < 0 ? -ENOMEM : option_help(rows, indent, out);
}

enum { HELP_COLUMNS = 100, HELP_INDENT = 10 };

/* Breaks lines that are too long at their last blank; what is left is indented. */
static int config_help_fold(struct slice text, struct bytes *out)
{
    size_t indent = 0;
    int    rc = 0;

    while (text.len && rc == 0) {
        const char *end = memchr(text.at, '\n', text.len);
        size_t      len = end ? (size_t)(end - text.at) : text.len, cut = len;

        if (indent + len > HELP_COLUMNS) {
            for (cut = HELP_COLUMNS - indent; cut && text.at[cut] != ' '; cut--) continue;
            if (!cut) cut = len;                            /* one long word */
        }
        rc = bytes_printf(out, "%*s", (int)indent, "");
        if (rc == 0) rc = bytes_append(out, text.at, cut);
        if (rc == 0) rc = bytes_append(out, "\n", 1);
        indent = cut < len ? HELP_INDENT : 0;
        cut += cut < text.len;                              /* the blank, or the line's end */
        text.at += cut;
        text.len -= cut;
    }
    return rc;
}

int config_help(struct bytes *folded)
{
    struct bytes text = { 0 }, *out = &text;
    int          rc = config_help_section("Each line: key, default, meaning.  A pass runs only when its key is "
                                          "there.\n\n", top_rows, "", out);

    if (rc == 0) rc = bytes_printf(out, "\n");
    if (rc == 0) rc = config_help_datasets(out);
    if (rc == 0)
        rc = config_help_section("\nnear_duplicates:          a pass: pairs of similar documents\n", near_rows, "  ",
                                 out);
    if (rc == 0) rc = config_help_dedup(out);
    if (rc == 0) rc = config_help_ngrams(out);
    if (rc == 0) rc = config_help_clones(out);
    if (rc == 0) rc = config_help_portrait(out);
    if (rc == 0) rc = config_help_repositories(out);
    if (rc == 0) rc = config_help_sensitive(out);
    if (rc == 0) rc = config_help_probe(out);
    if (rc == 0) rc = config_help_generate(out);
    if (rc == 0) rc = config_help_clean(out);
    if (rc == 0) rc = config_help_section("\ngraph:\n", graph_rows, "  ", out);
    if (rc == 0) rc = config_help_section("\nfail_on:                  gates\n", fail_rows, "  ", out);
    if (rc == 0) rc = config_help_fold(bytes_slice(out), folded);
    bytes_free(out);
    return rc;
}
