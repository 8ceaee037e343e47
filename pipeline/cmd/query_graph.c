/* cmd/query_graph.c -- what the documents of a run say of a text: copies by their hashes, near ones by the index that
 * the run has kept. */
#include "cmd/query.h"

#include "base/file.h"
#include "base/log.h"
#include "base/stage.h"
#include "config/config.h"
#include "near/task.h"
#include "cmd/folder.h"
#include "config/capabilities.h"
#include "graph/read.h"
#include "report/visible.h"
#include "near/lookup.h"
#include "near/stages.h"

#include <math.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

enum query_kind { QUERY_COPY, QUERY_LAYOUT, QUERY_CLASS, QUERY_KINDS };

struct graph_backend {
    struct query_backend        backend;                    /* first: what query sees */
    const struct query_options *options;
    sqlite3                    *db;
    sqlite3_stmt               *find[QUERY_KINDS];
    struct bytes                scratch;
    /* Near duplicates, when the run has kept its index; lookup NULL: it has not. */
    struct config               config;
    struct stage               *stage;
    struct near_index           index;
    struct lookup              *lookup;
    struct view_scratch        *view;
    sqlite3_stmt               *known;                      /* has the run documents of a language? */
    bool                        across, foreign;            /* foreign: it has been said that it has none */
    uint64_t                   *hash, *spare;               /* [room] */
    uint32_t                   *count, *rank, *times;
    size_t                      room;
};

/* ---- one match ---- */

struct match { const char *kind; double set, multiset, containment; bool scored; };

static double share(uint64_t part, uint64_t whole) { return whole ? (double)part / (double)whole : 0; }

static int say_match(struct graph_backend *b, const struct query_text *text, const struct match *match,
                     sqlite3_stmt *row, struct bytes *out, struct err *err)
{
    struct slice dataset = graph_text(row, 1), split = graph_text(row, 2), source = graph_text(row, 4),
        path = graph_text(row, 5);
    uint64_t     id = graph_number(row, 0), number = graph_number(row, 3);
    int          rc;

    if (b->options->json) {
        rc = query_json_text(out, "{", "name", text->name);
        if (rc == 0) rc = query_json_text(out, ", ", "kind", slice_of(match->kind));
        if (rc == 0 && match->scored)
            rc = bytes_printf(out, ", \"set_similarity\": %.6f, \"multiset_similarity\": %.6f, \"containment\": %.6f",
                              match->set, match->multiset, match->containment);
        if (rc == 0) rc = bytes_printf(out, ", \"snippet\": %llu", (unsigned long long)id);
        if (rc == 0) rc = query_json_text(out, ", ", "dataset", dataset);
        if (rc == 0) rc = query_json_text(out, ", ", "split", split);
        if (rc == 0) rc = bytes_printf(out, ", \"id_within_dataset\": %llu", (unsigned long long)number);
        if (rc == 0) rc = query_json_text(out, ", ", "source_id", source);
        if (rc == 0) rc = query_json_text(out, ", ", "path", path);
        if (rc == 0) rc = bytes_printf(out, "}\n");
    } else {
        rc = match->scored ? bytes_printf(out, "%-9s %6.4f %8.4f %11.4f %14llu  ", match->kind, match->set,
                                          match->multiset, match->containment, (unsigned long long)id)
                           : bytes_printf(out, "%-9s %6s %8s %11s %14llu  ", match->kind, "-", "-", "-",
                                          (unsigned long long)id);
        if (rc == 0) rc = visible_append(out, dataset, true);
        if (rc == 0) rc = bytes_append(out, "/", 1);
        if (rc == 0) rc = visible_append(out, split, true);
        if (rc == 0) rc = bytes_printf(out, "/%llu  ", (unsigned long long)number);
        if (rc == 0) rc = visible_append(out, text->name, true);
        if (rc == 0) rc = bytes_printf(out, "\n");
    }
    return rc < 0 ? err_memory(err, out->len, "the output") : 0;
}

/* Every document with this hash, and with the other, of the text without its white space; of QUERY_LAYOUT that without
 * the other, which is a copy.  Their number, or <0. */
static int say_documents(struct graph_backend *b, const struct query_text *text, enum query_kind kind,
                         struct content_hash hash, struct content_hash other,
                         const struct match *match, struct bytes *out, struct err *err)
{
    sqlite3_stmt *find = b->find[kind];
    char          hex[33], second[33];
    int           rc, found = 0;

    snprintf(hex, sizeof hex, "%016llx%016llx", (unsigned long long)hash.high, (unsigned long long)hash.low);
    snprintf(second, sizeof second, "%016llx%016llx", (unsigned long long)other.high, (unsigned long long)other.low);
    rc = graph_bind_text(find, 1, slice_of(hex), err);
    if (rc == 0 && kind != QUERY_CLASS) rc = graph_bind_text(find, 2, slice_of(second), err);
    while (rc >= 0 && (rc = graph_step(find, err)) > 0) {
        rc = say_match(b, text, match, find, out, err);
        found++;
    }
    return rc < 0 ? rc : found;
}

/* ---- near duplicates ---- */

static int features_reserve(struct graph_backend *b, size_t room, struct err *err)
{
    if (room <= b->room) return 0;
    free(b->hash), free(b->spare), free(b->count), free(b->rank), free(b->times);
    b->hash = malloc(room * sizeof *b->hash);
    b->spare = malloc(room * sizeof *b->spare);
    b->count = malloc(room * sizeof *b->count);
    b->rank = malloc(room * sizeof *b->rank);
    b->times = malloc(room * sizeof *b->times);
    b->room = b->hash && b->spare && b->count && b->rank && b->times ? room : 0;
    return b->room ? 0 : err_memory(err, 28 * room, "a text's features");
}

/* Whether the run has no document of the language, so that nothing can be like the text; said once. */
static int language_is_foreign(struct graph_backend *b, const struct query_text *text, const char *language,
                               struct err *err)
{
    const char *name = strcmp(language, "text") == 0 ? "no known language" : language;
    int         rc;

    if (b->across) return 0;
    rc = graph_bind_text(b->known, 1, slice_of(language), err);
    if (rc == 0) rc = graph_step(b->known, err);
    sqlite3_reset(b->known);
    if (rc != 0) return rc < 0 ? rc : 0;
    if (!b->foreign)
        log_warn("%.*s is of %s, of which the run has no document: only copies were looked for%s",
                 (int)(text->name.len < 300 ? text->name.len : 300), text->name.at, name,
                 b->options->language ? "" : "; --language NAME says what the texts are");
    b->foreign = true;
    return 1;
}

static int near_text(struct graph_backend *b, const struct query_text *text, struct bytes *out, double *percent,
                     struct err *err)
{
    const struct view_language *language = view_language_of(b->view, b->options->language, text->record, err);
    struct feature_list         features;
    const struct near_link     *link;
    struct lookup_query          query;
    size_t                      distinct, known = 0, links;
    int                         rc, found = 0;

    if (!language) return err->code;
    rc = language_is_foreign(b, text, language->name, err);
    if (rc > 0 && *percent == 0) *percent = NAN;
    if (rc != 0) return rc < 0 ? rc : 0;
    rc = view_features(b->view, language, text->record, &features, err);
    /* the run would not compare it; whether it has enough features, the look-up knows */
    if (rc == -EBADMSG || rc == -ENODATA || (rc == 0 && features.count == 0)) {
        if (*percent == 0) *percent = NAN;
        return 0;
    }
    if (rc == 0) rc = features_reserve(b, features.count + 1, err);
    if (rc < 0) return rc;
    memcpy(b->hash, features.hash, features.count * sizeof *b->hash);
    distinct = view_multiset(b->hash, b->count, features.count, b->spare);
    for (size_t i = 0; i < distinct; i++) {
        uint32_t rank = dictionary_rank(&b->index.dictionary, b->hash[i]);

        if (rank == DICTIONARY_NONE) continue;
        b->rank[known] = rank;
        b->times[known++] = b->count[i];
    }
    near_sort_ranks(b->rank, b->times, known);
    query = (struct lookup_query){ b->rank, b->times, known, (uint32_t)distinct, (uint32_t)features.count, UINT32_MAX,
                                  false, 0 };
    rc = lookup_run(b->lookup, &query, &link, &links, err);
    for (size_t l = 0; l < links && rc >= 0; l++) {
        uint32_t           class_id = link[l].second;
        uint64_t           size = b->index.class_start[class_id + 1] - b->index.class_start[class_id];
        const struct match match = { link[l].marks & NEAR_SIMILAR ? "similar" : link[l].marks & NEAR_INSIDE
                                     ? "contained" : "below",
                                     share(link[l].shared, link[l].union_size), share(link[l].min_sum, link[l].max_sum),
                                         share(link[l].shared, size), true };
        const struct content_hash *hash = &b->index.class_hash[class_id];
        double             best = 100 * (link[l].marks & NEAR_INSIDE ? match.containment : match.set);

        /* Classes of one multiset follow each other; their documents are found by it, all at once. */
        if (l && b->index.class_hash[link[l - 1].second].low == hash->low &&
            b->index.class_hash[link[l - 1].second].high == hash->high) continue;
        rc = graph_bind_number(b->find[QUERY_CLASS], 2, (int64_t)features.count, err);
        if (rc < 0) break;
        rc = say_documents(b, text, QUERY_CLASS, *hash, (struct content_hash){ 0 }, &match, out, err);
        if (rc > 0 && best > *percent) *percent = best;
        found += rc > 0 ? rc : 0;
    }
    return rc < 0 ? rc : found;
}

static int graph_text_ask(struct query_backend *backend, const struct query_text *text, struct bytes *out,
                          double *percent, struct err *err)
{
    struct graph_backend *b = (struct graph_backend *)backend;
    struct content_hash   raw = content_hash_raw(text->record->text),
        squeezed = content_hash_squeezed(text->record->text, &b->scratch);
    int                   copies, layouts = 0, near = 0;

    if (!b->scratch.at) return err_memory(err, text->record->text.len, "a text");
    copies = say_documents(b, text, QUERY_COPY, raw, squeezed, &(struct match){ .kind = "copy" }, out, err);
    if (copies >= 0)
        layouts = say_documents(b, text, QUERY_LAYOUT, squeezed, raw, &(struct match){ .kind = "layout" }, out, err);
    if (copies > 0 || layouts > 0) *percent = 100;
    if (copies >= 0 && layouts >= 0 && b->lookup) near = near_text(b, text, out, percent, err);
    if (copies < 0 || layouts < 0 || near < 0) return err->code;
    if (copies + layouts + near > 0) return 0;
    if (!b->lookup) *percent = NAN;                         /* no more than copies was looked for */
    if (b->options->json) {
        if (query_json_text(out, "{", "name", text->name) < 0 || bytes_printf(out, ", \"kind\": \"none\"}\n") < 0)
            return err_memory(err, out->len, "the output");
        return 0;
    }
    if (bytes_printf(out, "%-9s %6s %8s %11s %14s  -  ", "none", "-", "-", "-", "-") < 0 ||
        visible_append(out, text->name, true) < 0 || bytes_append(out, "\n", 1) < 0)
        return err_memory(err, out->len, "the output");
    return 0;
}

static int graph_info(struct query_backend *backend, struct bytes *out, struct err *err)
{
    struct graph_backend *b = (struct graph_backend *)backend;
    sqlite3_stmt         *query;
    int                   rc = graph_prepare(b->db, &query, "SELECT dataset, documents FROM stored_documents", err);

    while (rc >= 0 && (rc = graph_step(query, err)) > 0) {
        if (b->options->json) rc = query_json_text(out, "{", "dataset", graph_text(query, 0));
        else if ((rc = visible_append(out, graph_text(query, 0), true)) == 0) rc = bytes_append(out, "  ", 2);
        if (rc == 0)
            rc = bytes_printf(out, b->options->json ? ", \"stored_documents\": %llu, \"index\": %s}\n"
                              : "%llu documents stored%s\n",
                              (unsigned long long)graph_number(query, 1), b->options->json
                                  ? (b->lookup ? "true" : "false") : b->lookup ? ", near duplicates are found" : "");
        if (rc < 0) err_memory(err, out->len, "the output");
    }
    graph_finish(query);
    return rc;
}

/* ---- opening ---- */

/* The value of a row of table run, copied; empty when there is none. */
static int setting_read(sqlite3 *db, const char *key, struct bytes *out, struct err *err)
{
    sqlite3_stmt *query;
    int           rc = graph_prepare(db, &query, "SELECT value FROM run WHERE key = ?1", err);

    out->len = 0;
    if (rc == 0) rc = graph_bind_text(query, 1, slice_of(key), err);
    if (rc == 0 && (rc = graph_step(query, err)) > 0)
        rc = bytes_append_slice(out, graph_text(query, 0)) < 0 || bytes_append(out, "", 1) < 0
            ? err_memory(err, out->len, key) : 0;
    graph_finish(query);
    return rc;
}

/* The index lies among the run's units; its key is in table run. */
static int index_open(struct graph_backend *b, const char *folder, struct err *err)
{
    struct bytes       value = { 0 };
    unsigned long long high, low;
    int                rc = setting_read(b->db, "near.index", &value, err);

    if (rc == 0 && value.len && sscanf(value.at, "%16llx%16llx", &high, &low) == 2) {
        rc = setting_read(b->db, "configuration", &value, err);
        if (rc == 0 && value.len)
            rc = config_parse(&b->config, "configuration in graph.db", value.at, value.len - 1, ".", NULL, 0, err);
        if (rc == 0) rc = stage_open(&b->stage, folder, false, err);
        if (rc == 0) rc = near_index_open(b->stage, (struct unit_key){ low, high }, &b->index, err);
        if (rc == 0)
            rc = err_set(err, -ENOENT, "%s/work: the index of the run is not there any more; the same `leakgraph run` "
                                       "makes it again", folder);
        if (rc > 0) rc = lookup_open(&b->lookup, &b->index, &near_task(&b->config)->options, err);
        if (rc == 0)
            rc = graph_prepare(b->db, &b->known, "SELECT 1 FROM splits WHERE (language = ?1 OR (?1 = 'text' AND "
                                                 "language = '')) AND documents > 0 LIMIT 1", err);
        if (rc == 0) b->across = near_task(&b->config)->options.view.across_languages;
        if (rc == 0) rc = view_scratch_open(&b->view, &near_task(&b->config)->options.view, err);
        if (rc == 0)
            rc = graph_prepare(b->db, &b->find[QUERY_CLASS], "SELECT id, dataset, split_within_dataset, "
                                                             "id_within_dataset, source_id, path FROM snippets "
                               "WHERE features_xxh128 = ?1 AND ifnull((SELECT value + 0 FROM run "
                               "WHERE key = 'near.min_tokens.' || dataset), 0) <= ?2 ORDER BY id", err);
    }
    bytes_free(&value);
    return rc;
}

/* What is not looked for, so that `none` is not taken for more than it is. */
static int limits_say(struct graph_backend *b, const char *what, struct err *err)
{
    uint64_t near = 0, dedup = 0;
    int      rc = graph_count(b->db, "SELECT count(*) FROM run WHERE key GLOB 'near.*'", &near, err);

    if (rc == 0) rc = graph_count(b->db, "SELECT count(*) FROM run WHERE key GLOB 'dedup.*'", &dedup, err);
    if (rc < 0 || b->lookup) return rc;
    if (!near && dedup)
        log_info("%s: only dedup ran there, so byte-equal copies alone are found, and only of documents that have a "
                 "duplicate; `near_duplicates: {index: true}` answers for more",
                 what);
    else
        log_info("%s: near duplicates are not looked for: the run has kept no index (`near_duplicates: {index: true}`)",
                 what);
    return 0;
}

static void graph_end(struct query_backend *backend)
{
    struct graph_backend *b = (struct graph_backend *)backend;

    for (size_t i = 0; i < QUERY_KINDS; i++) graph_finish(b->find[i]);
    graph_finish(b->known);
    graph_close(b->db);
    lookup_close(b->lookup);
    view_scratch_close(b->view);
    near_index_close(&b->index);
    stage_close(b->stage);
    config_free(&b->config);
    bytes_free(&b->scratch);
    free(b->hash), free(b->spare), free(b->count), free(b->rank), free(b->times);
    free(b);
}

/* Copies are found by the index of texts without their white space, which pass near knows of all its documents; the `+`
 * keeps the planner from the other, of those that it does not know of. */
#define FOUND "SELECT id, dataset, split_within_dataset, id_within_dataset, source_id, path FROM snippets "

int query_graph_open(struct query_backend **out, const char *what, const struct query_options *options, struct err *err)
{
    struct graph_backend *b = calloc(1, sizeof *b);
    char                  path[FILE_NAME_MAX], folder[FILE_NAME_MAX];
    struct stat           is;
    int                   rc;

    *out = NULL;
    if (!b) return err_memory(err, sizeof *b, "a graph");
    b->backend = (struct query_backend){ graph_text_ask, graph_info, graph_end,
                                         "kind         set multiset containment        snippet  document  text\n" };
    b->options = options;
    *out = &b->backend;
    if (stat(what, &is) == 0 && S_ISDIR(is.st_mode)) rc = folder_find_graph(what, path, err);
    else
        rc = snprintf(path, sizeof path, "%s", what) < (int)sizeof path ? 0
            : err_set(err, -ENAMETOOLONG, "%.60s...: path too long", what);
    if (rc == 0) rc = graph_open(&b->db, path, err);
    if (rc == 0) rc = graph_define_views(b->db, capability_tables(), err);
    if (rc == 0) rc = file_folder(path, folder, err);
    if (rc == 0)
        rc = graph_prepare(b->db, &b->find[QUERY_COPY],
                           FOUND "WHERE xxh128_squeezed = ?2 AND +xxh128 = ?1 UNION ALL "
                           FOUND "WHERE xxh128 = ?1 AND xxh128_squeezed IS NULL ORDER BY id", err);
    if (rc == 0)
        rc = graph_prepare(b->db, &b->find[QUERY_LAYOUT],
                           FOUND "WHERE xxh128_squeezed = ?1 AND +xxh128 <> ?2 ORDER BY id", err);
    if (rc == 0) rc = index_open(b, folder, err);
    return rc < 0 ? rc : limits_say(b, what, err);
}
