/* dedup/settings.c -- pipeline.yaml: dedup; see docs/pipeline.yaml.md. */
#include "dedup/task.h"

#include "base/suggest.h"
#include "corpus/cleaned.h"
#include "view/curve.h"
#include "view/signature.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* What the rows fill; choices are indices, in the order of the enumerations of dedup.h. */
struct dedup_settings {
    char                *view;
    struct dedup_options dedup;
    struct ratio         recall;
    uint32_t             zstd_level;
    int                  method, cluster, write, pairs, compat;
    bool                 across_languages, backoff;
};

static const struct option dedup_rows[] = {
    { "view", OPTION_TEXT, offsetof(struct dedup_settings, view), "shingles:5", 0, 0, NULL,
      "what is compared (shingles:N, identifiers, identifiers+literals, tokens, lines, chars:N)" },
    { "threshold", OPTION_RATIO, offsetof(struct dedup_settings, dedup.threshold), "0.7", 0, 0, NULL,
      "least Jaccard similarity of the sets of features; decided exactly, for every pair" },
    { "multiset_threshold", OPTION_RATIO, offsetof(struct dedup_settings, dedup.multiset_threshold), "off", 0, 0, NULL,
      "and of the multisets" },
    { "containment", OPTION_RATIO, offsetof(struct dedup_settings, dedup.containment), "off", 0, 0, NULL,
      "or this share of the less preferred document's features is in the other; asked of pairs that meet, which are "
      "proposed for `threshold`: not all such pairs are found" },
    { "min_tokens", OPTION_U32, offsetof(struct dedup_settings, dedup.min_tokens), "1", 1, 0, NULL,
      "least occurrences of the view's features in a document; smaller ones are only compared byte by byte" },
    { "shingle_backoff", OPTION_BOOL, offsetof(struct dedup_settings, backoff), "false", 0, 0, NULL,
      "with shingles:N, a document of fewer than N words has shingles of half its words instead of none" },
    { "across_languages", OPTION_BOOL, offsetof(struct dedup_settings, across_languages), "false", 0, 0, NULL,
      "compare documents of different languages too" },
    { "method", OPTION_CHOICE, offsetof(struct dedup_settings, method), "auto", 0, 0, "auto|lsh|exact",
      "lsh: pairs meet in bands of MinHash signatures; exact: by their rarest features, none is missed outside of "
      "larger buckets than bucket_cap; auto: exact for short documents, lsh for long ones" },
    { "recall", OPTION_RATIO, offsetof(struct dedup_settings, recall), "0.99", 0, 0, NULL,
      "share of the pairs at the threshold that lsh finds, 0.5 to 0.9999; chooses bands and rows" },
    { "hashes", OPTION_U32, offsetof(struct dedup_settings, dedup.hashes), "0", 0, SIGNATURE_LANES_MAX, NULL,
      "most hashes of a signature; 0: as many as the recall needs, up to 512" },
    { "bands", OPTION_U32, offsetof(struct dedup_settings, dedup.bands), "0", 0, SIGNATURE_LANES_MAX, NULL,
      "bands of a signature, given together with rows; 0: chosen" },
    { "rows", OPTION_U32, offsetof(struct dedup_settings, dedup.rows), "0", 0, SIGNATURE_LANES_MAX, NULL,
      "hashes of a band" },
    { "cluster", OPTION_CHOICE, offsetof(struct dedup_settings, cluster), "star", 0, 0, "star|component",
      "star: what is removed is verified against the document that stays; component: chains of similar documents are "
      "one cluster" },
    { "write", OPTION_CHOICE, offsetof(struct dedup_settings, write), "shards", 0, 0, "shards|lists|none",
      "shards: clean/DATASET/SHARD.jsonl.zst, the records that stay; lists: lists/DATASET.tsv.zst, what would be "
      "removed; none: only graph.db" },
    { "pairs", OPTION_CHOICE, offsetof(struct dedup_settings, pairs), "all", 0, 0, "all|star",
      "what graph.db keeps: every verified pair, or only those with the document that stays" },
    { "bucket_cap", OPTION_U32, offsetof(struct dedup_settings, dedup.bucket_cap), "1000", 2, 0, NULL,
      "in larger buckets documents are compared with the bucket's best one only; they are counted" },
    { "zstd_level", OPTION_U32, offsetof(struct dedup_settings, zstd_level), "3", 1, 19, NULL,
      "of the cleaned shards" },
    { "shard_size", OPTION_SIZE, offsetof(struct dedup_settings, dedup.shard_size), CLEANED_SIZE, 0, 0, NULL,
      "small shards that follow each other are written as one, SHARD+N for SHARD and N more, while they have no more "
      "bytes on disk together; 0: each by itself" },
    { "measure", OPTION_U32, offsetof(struct dedup_settings, dedup.measure), "1000", 0, 0, NULL,
      "documents whose neighbours are looked for exactly to measure the recall; 0: it is not measured" },
    { "compat", OPTION_CHOICE, offsetof(struct dedup_settings, compat), "none", 0, 0,
      "none|datatrove|text-dedup|bigcode",
      "bands, rows and threshold of that tool, and cluster: component as in all of them, unless they are given: "
      "14x8 at 0.72 (it has no threshold; the usual "
      "estimate (1/14)^(1/8)); "
      "24x10 at 0.7; 25x10 at 0.7; all of words in fives.  What differs: every pair here is verified, so nothing "
      "below the threshold is removed; "
      "words are runs of letters, digits, `_` and bytes beyond ASCII, in their own case; text is not normalised; what "
      "stays follows `keep`" },
    { NULL, OPTION_BOOL, 0, NULL, 0, 0, NULL, NULL },
};

static const char *const dedup_others[] = { "datasets", "protect", "added", "keep", NULL };
static const char *const keep_names[KEEP_CRITERIA + 1] = {
    [KEEP_DATASET] = "dataset", [KEEP_LONGEST] = "longest", [KEEP_STARS] = "stars", [KEEP_NEWEST] = "newest",
        [KEEP_PATH] = "path",
};

/* The tools' own defaults, by enumeration of `compat`.  datatrove does not verify, and FineWeb's 0.75 is a target: 14
 * bands of 8 rows catch half of the pairs at 0.719.  The two others take bands and rows for which the integrals of
 * false positives and negatives, weighed equally, are least.  All of them take connected components:
 * datatrove and text-dedup by union-find, bigcode by large-star and small-star or union-find. */
static const struct dedup_preset { const char *threshold; uint32_t hashes, bands, rows; } dedup_presets[] = {
    { NULL, 0, 0, 0 }, { "0.72", 112, 14, 8 }, { "0.7", 240, 24, 10 }, { "0.7", 256, 25, 10 },
};

/* ---- lists of words ---- */

static int keep_read(struct dedup_options *options, const struct place *place)
{
    const struct node *list = node_find(place->map, "keep");

    options->keep[0] = KEEP_LONGEST;
    options->keep[1] = KEEP_PATH;
    options->keep_count = 2;
    if (!list) return 0;
    options->keep_count = 0;
    if (words_count(list) == 0)
        return node_refuse(list, place->name, "dedup", place->err,
                           "keep names at least one of: dataset, longest, stars, newest, path");
    for (size_t i = 0; i < words_count(list); i++) {
        const char *word = words_at(list, i, place);
        char        near[SUGGEST_ROOM];
        size_t      k = 0;

        if (!word) return place->err->code;
        while (k < KEEP_CRITERIA && strcmp(keep_names[k], word) != 0) k++;
        if (k == KEEP_CRITERIA)
            return node_refuse(list, place->name, "dedup", place->err,
                               "keep: `%.60s` is not one of: dataset, longest, stars, newest, path%s", word,
                               suggest(word, keep_names, near));
        for (size_t j = 0; j < options->keep_count; j++)
            if ((size_t)options->keep[j] == k)
                return node_refuse(list, place->name, "dedup", place->err, "keep: `%s` is there twice", word);
        options->keep[options->keep_count++] = (enum dedup_keep)k;
    }
    return 0;
}

/* Adds the datasets of a list to member; each may be there once. */
static int members_read(struct config *config, const struct node *list, bool *taken, const struct place *place)
{
    struct dedup_task *dedup = dedup_task(config);
    uint32_t             d;
    int                  rc;

    if (words_count(list) == 0)
        return node_refuse(list, place->name, "dedup", place->err,
                           "datasets names at least one; without the key it is all of them");
    for (size_t i = 0; i < words_count(list); i++) {
        if ((rc = words_dataset(list, i, place, config, &d)) < 0) return rc;
        if (taken[d])
            return node_refuse(list, place->name, "dedup", place->err, "datasets: `%.60s` is there twice",
                               config->datasets[d].name);
        taken[d] = true;
        dedup->member[dedup->member_count++] = d;
    }
    return 0;
}

static int protect_read(struct config *config, const struct node *list, const bool *taken, const struct place *place)
{
    uint32_t d;
    int      rc;

    for (size_t i = 0; i < words_count(list); i++) {
        if ((rc = words_dataset(list, i, place, config, &d)) < 0) return rc;
        if (!taken[d])
            return node_refuse(list, place->name, "dedup", place->err, "protect: `%.60s` is not among dedup.datasets",
                               config->datasets[d].name);
        dedup_task(config)->protect[d] = true;
    }
    return 0;
}

/* Ordinals follow `datasets`, preference follows dedup.datasets: in both, a generation stands behind all that were
 * there before it. */
static int added_check_order(const struct config *config, const struct node *list, const bool *taken,
                             const struct place *place)
{
    const struct dedup_task *dedup = dedup_task(config);
    const struct dataset      *before = NULL;
    uint32_t                   last = 0;

    if (dedup->added_count == dedup->member_count)
        return node_refuse(list, place->name, "dedup", place->err,
                           "added: all of dedup.datasets are; what was there first is not named");
    for (size_t i = 0; i < dedup->member_count; i++) {
        uint32_t d = dedup->member[i];

        if (config->datasets[d].added < last)
            return node_refuse(list, place->name, "dedup", place->err,
                               "added: in dedup.datasets, `%.60s` must stand before what was added after it",
                               config->datasets[d].name);
        last = config->datasets[d].added;
    }
    last = 0;
    for (size_t d = 0; d < config->dataset_count; d++) {
        if (!taken[d]) continue;
        if (config->datasets[d].added < last)
            return node_refuse(list, place->name, "dedup", place->err,
                               "added: in `datasets`, `%.60s` must be listed after `%.60s`, which was there before it",
                               before->name, config->datasets[d].name);
        last = config->datasets[d].added;
        before = &config->datasets[d];
    }
    return 0;
}

/* Each name is a generation of its own, in the order of the list. */
static int added_read(struct config *config, const struct node *list, const bool *taken, const struct place *place)
{
    struct dedup_task *dedup = dedup_task(config);
    uint32_t             d;
    int                  rc;

    for (size_t i = 0; i < words_count(list); i++) {
        if ((rc = words_dataset(list, i, place, config, &d)) < 0) return rc;
        if (!taken[d])
            return node_refuse(list, place->name, "dedup", place->err, "added: `%.60s` is not among dedup.datasets",
                               config->datasets[d].name);
        if (config->datasets[d].added)
            return node_refuse(list, place->name, "dedup", place->err, "added: `%.60s` is there twice",
                               config->datasets[d].name);
        config->datasets[d].added = (uint32_t)++dedup->added_count;
    }
    return dedup->added_count ? added_check_order(config, list, taken, place) : 0;
}

static int datasets_read(struct config *config, const struct place *place)
{
    const struct node   *datasets = node_find(place->map, "datasets"), *protect = node_find(place->map, "protect"),
        *added = node_find(place->map, "added");
    struct dedup_task *dedup = dedup_task(config);
    bool                *taken = calloc(config->dataset_count, sizeof *taken);
    int                  rc = 0;

    dedup->member = calloc(config->dataset_count, sizeof *dedup->member);
    dedup->protect = calloc(config->dataset_count, sizeof *dedup->protect);
    if (!taken || !dedup->member || !dedup->protect)
        rc = err_memory(place->err, config->dataset_count * sizeof *dedup->member, "datasets");
    else if (datasets) rc = members_read(config, datasets, taken, place);
    else
        for (size_t d = 0; d < config->dataset_count; d++) {
            taken[d] = true;
            dedup->member[dedup->member_count++] = (uint32_t)d;
        }
    if (rc == 0 && protect) rc = protect_read(config, protect, taken, place);
    if (rc == 0 && added) rc = added_read(config, added, taken, place);
    free(taken);
    return rc;
}

/* ---- numbers ---- */

static void preset_apply(struct dedup_settings *settings, const struct node *map)
{
    const struct dedup_preset *preset = &dedup_presets[settings->compat];
    struct err                 none;

    if (!preset->bands) return;
    if (!node_find(map, "cluster")) settings->cluster = DEDUP_COMPONENT;
    if (!node_find(map, "threshold")) ratio_parse(&settings->dedup.threshold, preset->threshold, &none);
    if (node_find(map, "hashes") || node_find(map, "bands") || node_find(map, "rows")) return;
    settings->dedup.hashes = preset->hashes;
    settings->dedup.bands = preset->bands;
    settings->dedup.rows = preset->rows;
}

static double ratio_value(struct ratio ratio) { return (double)ratio.num / ratio.den; }

static int thresholds_check(const struct dedup_settings *settings, const struct place *place)
{
    const struct { const char *key; struct ratio ratio; } threshold[] = {
        { "threshold", settings->dedup.threshold },
        { "multiset_threshold", settings->dedup.multiset_threshold },
        { "containment", settings->dedup.containment },
    };
    const struct node *recall = node_find(place->map, "recall");

    for (size_t i = 0; i < sizeof threshold / sizeof *threshold; i++)
        if (threshold[i].ratio.den && threshold[i].ratio.num == 0)
            return node_refuse(node_find(place->map, threshold[i].key), place->name, "dedup", place->err,
                               "%s must be above 0", threshold[i].key);
    if (ratio_value(settings->recall) < 0.5 || ratio_value(settings->recall) > 0.9999)
        return node_refuse(recall, place->name, "dedup", place->err,
                           "recall must be from 0.5 to 0.9999; `method: exact` misses nothing");
    if (settings->backoff && settings->dedup.view.kind != VIEW_SHINGLES)
        return node_refuse(node_find(place->map, "shingle_backoff"), place->name, "dedup", place->err,
                           "shingle_backoff is for the view shingles:N");
    return 0;
}

/* Bands and rows as given, or chosen by the curve; the exact method has none, which one band of one row stands for. */
static int bands_resolve(struct dedup_settings *settings, const struct place *place)
{
    static const char *const blamed[] = { "recall", "hashes", "threshold" };
    struct dedup_options    *o = &settings->dedup;
    const struct node       *at = place->map, *given = node_find(place->map, o->bands ? "bands" : "rows");
    struct err               reason = { 0 };
    uint32_t                 most = o->hashes ? o->hashes : SIGNATURE_LANES_MAX;
    int                      rc;

    if (!o->bands != !o->rows)
        return node_refuse(given, place->name, "dedup", place->err, "bands and rows are given together or not at all");
    if (o->bands && (uint64_t)o->bands * o->rows > most)
        return node_refuse(given ? given : at, place->name, "dedup", place->err,
                           "%u bands of %u rows need %llu hashes, more than %s%u", o->bands, o->rows,
                           (unsigned long long)o->bands * o->rows, o->hashes ? "hashes: " : "", most);
    if (o->bands) return 0;
    if (o->method == DEDUP_EXACT) {
        o->bands = o->rows = 1;
        return 0;
    }
    rc = curve_choose(ratio_value(o->threshold), o->recall, o->hashes, &o->bands, &o->rows, &reason);
    if (rc == 0) return 0;
    for (size_t i = sizeof blamed / sizeof *blamed; i-- > 0; )
        if (node_find(place->map, blamed[i])) at = node_find(place->map, blamed[i]);
    return node_refuse(at, place->name, "dedup", place->err, "%s", reason.text);
}

/* ---- the section ---- */

static int settings_read(struct config *config, struct dedup_settings *settings, const struct place *place)
{
    const struct node         *view = node_find(place->map, "view");
    struct dedup_options      *o = &settings->dedup;
    struct err                 reason = { 0 };
    int                        rc = option_apply(dedup_rows, settings, place->map, dedup_others, place->name, "dedup",
                                                 place->err);

    if (rc < 0) return rc;
    preset_apply(settings, place->map);
    if (view_parse(&o->view, settings->view, &reason) < 0)
        return node_refuse(view, place->name, "dedup", place->err, "%s", reason.text);
    o->view.backoff = settings->backoff;
    o->view.across_languages = node_find(place->map, "across_languages") ? settings->across_languages
        : config->across_languages;
    o->view.published = config->published;
    o->method = (enum dedup_method)settings->method;
    o->cluster = (enum dedup_cluster)settings->cluster;
    o->write = (enum dedup_write)settings->write;
    o->pairs_all = settings->pairs == 0;
    o->zstd_level = (int)settings->zstd_level;
    if ((rc = thresholds_check(settings, place)) < 0) return rc;
    o->recall = ratio_value(settings->recall);
    dedup_task(config)->bands = o->bands;
    dedup_task(config)->rows = o->rows;
    if ((rc = bands_resolve(settings, place)) < 0) return rc;
    if ((rc = keep_read(o, place)) < 0) return rc;
    dedup_task(config)->options = *o;
    dedup_task(config)->recall = settings->recall;
    dedup_task(config)->compat = settings->compat;
    return datasets_read(config, place);
}

int dedup_read(struct config *config, const struct node *root, const char *name, struct err *err)
{
    struct dedup_settings settings = { 0 };
    const struct place    place = { node_find(root, "dedup"), name, "dedup", err };
    int                   rc;

    if (!place.map) return 0;
    rc = option_defaults(dedup_rows, &settings, err);
    if (rc == 0) rc = settings_read(config, &settings, &place);
    option_free(dedup_rows, &settings);
    return rc;
}

/* ---- printing ---- */

static int print_datasets(const struct config *config, struct bytes *out)
{
    const struct dedup_task *dedup = dedup_task(config);
    const char               **words = calloc(dedup->member_count, sizeof *words);
    size_t                     count = 0;
    int                        rc = words ? 0 : -ENOMEM;

    for (size_t i = 0; i < dedup->member_count && rc == 0; i++) words[i] = config->datasets[dedup->member[i]].name;
    if (rc == 0) rc = config_print_words("datasets", words, dedup->member_count, out);
    for (size_t i = 0; i < dedup->member_count && rc == 0; i++)
        if (dedup->protect[dedup->member[i]]) words[count++] = config->datasets[dedup->member[i]].name;
    if (rc == 0) rc = config_print_words("protect", words, count, out);
    for (size_t d = 0; d < config->dataset_count && rc == 0; d++)
        if (config->datasets[d].added) words[config->datasets[d].added - 1] = config->datasets[d].name;
    if (rc == 0) rc = config_print_words("added", words, dedup->added_count, out);
    free(words);
    return rc;
}

struct slice dedup_word(const char *key, int choice)
{
    const struct option *row = dedup_rows;
    const char          *word;

    if (strcmp(key, "keep") == 0) return slice_of(keep_names[choice]);
    while (strcmp(row->key, key) != 0) row++;
    for (word = row->choices; choice > 0; choice--) word = strchr(word, '|') + 1;
    return (struct slice){ word, strcspn(word, "|") };
}

int dedup_print(const struct config *config, struct bytes *out)
{
    const struct dedup_task *dedup = dedup_task(config);
    const struct dedup_options *o = &dedup->options;
    const char                *keep[KEEP_CRITERIA];
    char                       view[32];
    struct dedup_settings      settings = {
        .view = view, .dedup = *o, .recall = dedup->recall, .zstd_level = (uint32_t)o->zstd_level,
            .method = (int)o->method, .cluster = (int)o->cluster,
        .write = (int)o->write, .pairs = !o->pairs_all, .compat = dedup->compat,
            .across_languages = o->view.across_languages, .backoff = o->view.backoff,
    };
    int rc = bytes_printf(out, "dedup:\n");

    view_print(&o->view, view);
    settings.dedup.bands = dedup->bands;                    /* as written: what was chosen is chosen again */
    settings.dedup.rows = dedup->rows;
    for (size_t k = 0; k < o->keep_count; k++) keep[k] = keep_names[o->keep[k]];
    if (rc == 0) rc = print_datasets(config, out);
    if (rc == 0) rc = config_print_words("keep", keep, o->keep_count, out);
    if (rc == 0) rc = option_print(dedup_rows, &settings, "  ", out);
    if (rc == 0 && !dedup->bands && o->method != DEDUP_EXACT)
        rc = bytes_printf(out, "  # chosen: bands: %u, rows: %u\n", o->bands, o->rows);
    return rc;
}

int dedup_help(struct bytes *out)
{
    int rc = bytes_printf(out,
                          "\ndedup:                    a pass: duplicates of datasets found, all but one copy removed\n"
                               "  datasets  names from `datasets`, joined together; all of them unless given\n"
                               "  protect   names of those that lose no document: others drop what they have of them; "
                               "none unless given\n"
                               "  added     names of those that were added to the run folder later, one after the "
                               "other: what was there stays preferred, and keeps "
                               "its ids; the last of `datasets`, there and here; none unless given (`leakgraph dedup "
                               "--add` writes it)\n"
                               "  keep      what makes a copy stay, first criterion first: dataset (earlier in "
                               "`datasets`), longest, stars (larger `stars`), "
                               "newest (later `date`), path (shorter); [longest, path] unless given; then the "
                               "smallest content hash\n");

    return rc < 0 ? rc : option_help(dedup_rows, "  ", out);
}

void dedup_settings_free(struct dedup_task *task)
{
    free(task->member);
    free(task->protect);
}
