/* cmd/show.c -- `leakgraph show`: documents and pairs in the terminal. */
#include "cmd/command.h"
#include "cmd/folder.h"
#include "cmd/shard_texts.h"
#include "config/capabilities.h"

#include "corpus/again.h"
#include "graph/read.h"
#include "report/show.h"
#include "report/visible.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static const char show_help[] =
    "usage: leakgraph show DIR ID        a document, its pairs and its text\n"
    "       leakgraph show DIR A B       two documents, their scores and how their texts differ\n"
    "\n"
    "DIR is the folder of a run (the one that holds graph.db).  A document is named by\n"
    "  17                         its snippets.id\n"
    "  codetrans/test/250         dataset/split/id_within_dataset (codetrans//250 without splits)\n"
    "  codetrans:train-00250      dataset:source_id, or dataset:id_within_dataset\n"
    "  lib.tar:1257               shard:record, also dataset:shard:record\n"
    "  src/json/decoder.py        its path\n"
    "and the last two also with :LINE behind them, as reports name places.  A text that graph.db does\n"
    "not store is read from its shard, if that is still the same; a path, a source_id or a number that\n"
    "no table of it has is looked for in the datasets, which are read for that.\n"
    "\n"
    "Control characters in the data are shown as \\x1b.  Colours appear on a terminal only, never when\n"
    "NO_COLOR is set.\n"
    "\n"
    "Options:\n"
    "  --help                     this text\n"
    "\n"
    "Example:\n"
    "  sqlite3 results/demo/graph.db 'SELECT a, b FROM edges ORDER BY set_similarity DESC LIMIT 5'\n"
    "  leakgraph show results/demo 17 4711\n";

static bool show_wants_colour(void)
{
    const char *no = getenv("NO_COLOR"), *terminal = getenv("TERM");

    return isatty(STDOUT_FILENO) && !(no && *no) && !(terminal && strcmp(terminal, "dumb") == 0);
}

enum { SEARCH_MOST = 4 };                                   /* documents of one name that are listed */

/* ---- documents that no table tells of ---- */

/* What is found, and the names of all. */
struct search { struct again_wanted wanted; struct located *out; size_t count; struct bytes names; };

static int search_found(struct search *s, const struct dataset *dataset, const struct shard *shard, uint64_t number,
                        const struct bytes *path)
{
    if (s->count++ == 0) {
        s->out->record = number;
        if (bytes_append_slice(&s->out->dataset, slice_of(dataset->name)) < 0 ||
            bytes_append_slice(&s->out->shard, slice_of(shard->name)) < 0 ||
            bytes_append_slice(&s->out->path, bytes_slice(path)) < 0) return -ENOMEM;
    }
    if (s->count > SEARCH_MOST) return 0;
    if (s->count > 1 && bytes_append(&s->names, ", ", 2) < 0) return -ENOMEM;
    if (visible_append(&s->names, visible_cut(slice_of(dataset->name), 200), true) < 0 ||
        bytes_append(&s->names, ":", 1) < 0 ||
        visible_append(&s->names, visible_cut(slice_of(shard->name), 200), true) < 0) return -ENOMEM;
    return bytes_printf(&s->names, ":%llu", (unsigned long long)number);
}

/* The records of a shard that are wanted.  What cannot be read has none, but a number cannot be told behind it. */
static int search_shard(struct search *s, const struct dataset *dataset, const struct shard *shard, struct err *err)
{
    struct bytes path = { 0 };
    uint64_t     from = 0;
    int          rc = 0;

    while (s->count <= SEARCH_MOST && (rc = again_find(dataset, shard, &s->wanted, from, &from, &path, err)) > 0)
        if (search_found(s, dataset, shard, from++, &path) < 0) {
            rc = err_memory(err, s->names.len, "names");
            break;
        }
    bytes_free(&path);
    return rc == -ENOMEM || (rc < 0 && s->wanted.numbered) ? rc : 0;
}

static int search_dataset(struct search *s, const struct dataset *dataset, struct err *err)
{
    struct shard_list list = { 0 };
    int               rc = shard_list_open(&list, dataset, 1, ".", err);

    if (rc < 0) return rc == -ENOMEM ? rc : 0;              /* its files are gone */
    for (size_t i = 0; rc == 0 && i < list.count && s->count <= SEARCH_MOST; i++)
        rc = search_shard(s, dataset, &list.at[i], err);
    shard_list_free(&list);
    return rc;
}

/* Reads the datasets themselves: PATH, PATH:LINE, DATASET:ID, DATASET:NUMBER.  0; -ENOENT and err as it is where there
 * is none; -EEXIST. */
static int search(struct shard_texts *shards, struct slice name, struct located *out, struct err *err)
{
    struct search s = { .out = out };
    struct err    own = { 0 };
    struct slice  line = name;
    int           rc = shard_texts_open(shards, &own);

    while (line.len && line.at[line.len - 1] >= '0' && line.at[line.len - 1] <= '9') line.len--;
    line.len = line.len > 1 && line.len < name.len && line.at[line.len - 1] == ':' ? line.len - 1 : 0;
    for (size_t d = 0; d < shards->config.dataset_count && rc >= 0; d++) {
        const struct dataset *dataset = &shards->config.datasets[d];
        const size_t          len = strlen(dataset->name);
        const bool            own_name = name.len > len + 1 && name.at[len] == ':' &&
                                         memcmp(name.at, dataset->name, len) == 0;

        s.wanted = (struct again_wanted){ .path = { name, line } };
        if (own_name) s.wanted.id = (struct slice){ name.at + len + 1, name.len - len - 1 };
        if (own_name && line.len == len && name.len - len <= 19) {
            s.wanted.numbered = true;
            s.wanted.number = strtoull(name.at + len + 1, NULL, 10);
        }
        rc = search_dataset(&s, dataset, &own);
    }
    if (rc < 0) *err = own;
    else if (s.count > 1)
        rc = err_set(err, -EEXIST, "\"%.*s\" are several documents: %.*s%s", (int)visible_cut(name, 200).len, name.at,
                     (int)visible_cut(bytes_slice(&s.names), 600).len, s.names.at,
                     s.count > SEARCH_MOST ? ", ..." : "");
    bytes_free(&s.names);
    return rc < 0 ? rc : s.count ? 0 : -ENOENT;
}

static int find(struct shard_texts *shards, const char *name, struct located *out, struct err *err)
{
    int rc = locate_document(shards->db, slice_of(name), out, err);

    return rc == -ENOENT ? search(shards, slice_of(name), out, err) : rc;
}

/* ---- the command ---- */

int cmd_show(int argc, char **argv, struct err *err)
{
    struct bytes  out = { 0 };
    sqlite3      *db = NULL;
    struct located  a = { 0 }, b = { 0 };
    struct shard_texts shards = { 0 };
    char          path[FILE_NAME_MAX];
    int           rc;

    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0) return fputs(show_help, stdout) < 0;
        if (argv[i][0] == '-')
            return err_set(err, -EINVAL, "show: unknown option %s (see leakgraph show --help)", argv[i]);
    }
    if (argc != 3 && argc != 4)
        return err_set(err, -EINVAL, "show: a folder and one or two documents are needed (see leakgraph show --help)");
    rc = folder_find_graph(argv[1], path, err);
    if (rc == 0) rc = graph_open(&db, path, err);
    if (rc == 0) rc = graph_define_views(db, capability_tables(), err);
    shards.db = db;
    if (rc == 0) rc = find(&shards, argv[2], &a, err);
    if (rc == 0 && argc == 4) rc = find(&shards, argv[3], &b, err);
    if (rc == 0)
        rc = show_places(db, &a, argc == 4 ? &b : NULL, &(struct show_reader){ shard_texts_read, &shards },
                         show_wants_colour(), &out, err);
    located_free(&a);
    located_free(&b);
    shard_texts_close(&shards);
    graph_close(db);
    if (rc == 0 && (fwrite(out.at, 1, out.len, stdout) != out.len || fflush(stdout) != 0))
        rc = err_set(err, -EIO, "standard output: cannot write: %s", strerror(errno));
    bytes_free(&out);
    return rc;
}
