/* clean/clean.c -- see clean.h.
 *
 * Rank 0 reads graph.db, decides which records go and tells all ranks; a pass over the shards packs what stays, a frame a batch, and when all units of
 * a shard are there their frames become its file.  The units' key holds the list of what goes, so that they never meet another rule. */
#include "clean/clean.h"

#include "base/file.h"
#include "base/log.h"
#include "corpus/writer.h"
#include "dedup/rewrite.h"
#include "graph/read.h"
#include "graph/text.h"
#include "scan/pass.h"
#include "view/view.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

const char *const clean_columns[CLEAN_COLUMNS + 1] = {
    [CLEAN_NEAR] = "near", [CLEAN_EXACT] = "exact", [CLEAN_CONTAINED] = "contained", [CLEAN_COPIES] = "copies", [CLEAN_MATCHES] = "matches",
    [CLEAN_GPT3] = "gpt3_13gram", [CLEAN_PALM] = "palm_8gram", [CLEAN_LLAMA3] = "llama3_8gram", [CLEAN_TULU3] = "tulu3_8gram",
    [CLEAN_SUBSTRING] = "exact_substring", [CLEAN_WINDOWS] = "windows50", [CLEAN_QWEN] = "qwen_lcs", [CLEAN_IDF] = "idf_weighted", [CLEAN_CLONE] = "clone",
};

/* A record that goes; the hash of its text tells that it is the one that was compared. */
struct clean_drop_record { uint64_t shard, record; struct content_hash hash; };
_Static_assert(sizeof(struct clean_drop_record) == 32, "told to all ranks, and part of a key");

struct clean_run {
    const struct clean_job          *job;
    const struct clean_output       *output;
    struct pass                      pass;
    struct bytes                     told;                  /* the records that go, */
    const struct clean_drop_record  *drop;                  /* [count] by shard and record */
    size_t                           count;
    struct bytes                     list;                  /* rank 0: NAME.removed.tsv */
    char                           **name;                  /* [shards->count] */
};

/* ---- what goes ---- */

/* Ids of a dataset follow each other, so the role of a pair's sides is known without looking at the documents. */
static const char rows_sql[] =
    "WITH side AS (SELECT min(s.id) AS first, max(s.id) AS last, d.role FROM snippets AS s JOIN datasets AS d ON d.id = s.dataset GROUP BY d.id),"
    " met AS (SELECT e.a, e.b, e.kind FROM edges AS e JOIN side AS x ON e.a BETWEEN x.first AND x.last JOIN side AS y ON e.b BETWEEN y.first AND y.last"
    "          WHERE e.pass = 'near' AND x.role <> y.role),"
    " pairs AS (SELECT id, sum(kind IN ('exact', 'near')) AS near, sum(kind = 'exact') AS exact, sum(kind = 'contained') AS contained,"
    "                  sum(kind = 'copy') AS copies FROM (SELECT a AS id, kind FROM met UNION ALL SELECT b, kind FROM met) GROUP BY id),"
    " rules AS (SELECT snippet, max(gpt3_13gram) AS r1, max(palm_8gram) AS r2, max(llama3_8gram) AS r3, max(tulu3_8gram) AS r4, max(exact_substring) AS r5,"
    "                  max(windows50) AS r6, max(qwen_lcs) AS r7, max(idf_weighted) AS r8 FROM ngram_rules GROUP BY snippet)"
    "SELECT s.shard, s.record, s.id_within_dataset, s.source_id, s.xxh128,"
    "       p.near, p.exact, p.contained, p.copies, s.matches, r1, r2, r3, r4, r5, r6, r7, r8, c.shared_lines"
    "  FROM snippets AS s LEFT JOIN pairs AS p ON p.id = s.id LEFT JOIN rules AS r ON r.snippet = s.id"
    "  LEFT JOIN clone_documents AS c ON c.dataset = s.dataset AND c.shard = s.shard AND c.record = s.record"
    " WHERE s.dataset = ?1 ORDER BY s.id";
enum { ROW_SHARD, ROW_RECORD, ROW_NUMBER, ROW_SOURCE_ID, ROW_HASH, ROW_COLUMNS };

static const char most_pairs_sql[] =
    "SELECT max(pairs) FROM (SELECT count(*) AS pairs FROM (SELECT a AS id FROM edges WHERE pass = 'near' UNION ALL SELECT b FROM edges WHERE pass = 'near')"
    "                        GROUP BY id)";

/* A pair that graph.db does not have would leave a record in its place without a word. */
static int check_pairs(const struct clean_run *run, sqlite3 *db, struct err *err)
{
    const uint64_t of_pairs = 1u << CLEAN_NEAR | 1u << CLEAN_EXACT | 1u << CLEAN_CONTAINED | 1u << CLEAN_COPIES;
    uint64_t       aside, most;
    int            rc;

    if (!(rule_columns(run->output->rule) & of_pairs)) return 0;
    rc = graph_count(db, "SELECT count(*) FROM run WHERE key = 'edges_file'", &aside, err);
    if (rc == 0 && aside) return err_set(err, -EINVAL, "the pairs are too many for graph.db and lie in files beside it; a rule can ask for `matches`");
    if (rc == 0) rc = graph_count(db, most_pairs_sql, &most, err);
    if (rc == 0 && most >= run->job->pairs_most)
        rc = err_set(err, -EINVAL, "a document has %llu pairs, and graph.db may not have all of its pairs; set near_duplicates.pairs to all and "
                     "near_duplicates.max_matches above that, or let the rule ask for `matches`", (unsigned long long)most);
    return rc;
}

/* The shard of a row, at or behind *at, since rows come in the order of shards. */
static int shard_find(const struct clean_job *job, size_t dataset, struct slice name, size_t *at, struct err *err)
{
    struct bytes scratch = { 0 };
    struct slice valid;
    bool         found = false;

    for (; *at < job->shards->count && !found; *at += !found) {
        if (job->shards->at[*at].dataset != dataset) continue;
        if (text_make_valid(slice_of(job->shards->at[*at].name), &scratch, &valid) < 0) {
            bytes_free(&scratch);
            return err_memory(err, name.len, "a shard's name");
        }
        found = slice_equal(valid, name);
    }
    bytes_free(&scratch);
    if (found) return 0;
    return err_set(err, -EBADMSG, "graph.db: shard %.*s of %s is not among the run's", (int)(name.len < 200 ? name.len : 200), name.at,
                   job->datasets[dataset].name);
}

static int hash_read(struct slice hex, struct content_hash *out)
{
    unsigned long long high, low;
    char               text[33];

    if (hex.len != 32) return -EBADMSG;
    memcpy(text, hex.at, 32);
    text[32] = '\0';
    if (sscanf(text, "%16llx%16llx", &high, &low) != 2) return -EBADMSG;
    *out = (struct content_hash){ .low = low, .high = high };
    return 0;
}

static int list_row(struct clean_run *run, const char *dataset, sqlite3_stmt *row, const double *value)
{
    int rc = bytes_printf(&run->list, "%s\t%llu\t", dataset, (unsigned long long)graph_number(row, ROW_NUMBER));

    if (rc == 0) rc = rewrite_value(&run->list, graph_text(row, ROW_SOURCE_ID));
    if (rc == 0) rc = bytes_append(&run->list, "\t", 1);
    if (rc == 0) rc = rule_reasons(run->output->rule, value, &run->list);
    return rc < 0 ? rc : bytes_append(&run->list, "\n", 1);
}

static int decide_dataset(struct clean_run *run, sqlite3 *db, size_t dataset, struct err *err)
{
    const char   *name = run->job->datasets[dataset].name;
    sqlite3_stmt *row;
    size_t        shard = 0;
    int           rc = graph_prepare(db, &row, rows_sql, err);

    if (rc == 0) rc = graph_bind_text(row, 1, slice_of(name), err);
    while (rc == 0 && (rc = graph_step(row, err)) == 1) {
        struct clean_drop_record drop;
        double                   value[CLEAN_COLUMNS];

        rc = 0;
        for (int c = 0; c < CLEAN_COLUMNS; c++) value[c] = graph_real(row, ROW_COLUMNS + c);
        if (!rule_holds(run->output->rule, value)) continue;
        rc = shard_find(run->job, dataset, graph_text(row, ROW_SHARD), &shard, err);
        if (rc < 0) break;
        drop.shard = shard;
        drop.record = graph_number(row, ROW_RECORD);
        if (hash_read(graph_text(row, ROW_HASH), &drop.hash) < 0) rc = err_set(err, -EBADMSG, "graph.db: a snippet of %s has no xxh128", name);
        else if (bytes_append(&run->told, &drop, sizeof drop) < 0 || list_row(run, name, row, value) < 0) rc = err_memory(err, run->told.len, "what is removed");
    }
    graph_finish(row);
    return rc;
}

static int by_place(const void *a, const void *b)
{
    const struct clean_drop_record *x = a, *y = b;

    if (x->shard != y->shard) return x->shard < y->shard ? -1 : 1;
    return (x->record > y->record) - (x->record < y->record);
}

/* Of rank 0. */
static int decide(struct clean_run *run, struct err *err)
{
    char     path[FILE_NAME_MAX];
    sqlite3 *db = NULL;
    int      rc = file_join(run->job->output, "graph.db", path, err);

    if (rc == 0) rc = graph_open(&db, path, err);
    if (rc == 0) rc = check_pairs(run, db, err);
    if (rc == 0 && bytes_printf(&run->list, "dataset\tid_within_dataset\tsource_id\twhy\n") < 0) rc = err_memory(err, 64, "what is removed");
    for (size_t d = 0; d < run->job->dataset_count && rc == 0; d++)
        if (run->output->member[d]) rc = decide_dataset(run, db, d, err);
    graph_close(db);
    if (rc == 0 && run->told.len) qsort(run->told.at, run->told.len / sizeof *run->drop, sizeof *run->drop, by_place);
    return rc;
}

/* ---- the pass ---- */

/* Section PART_COUNTS of a part; PART_VALUES is its frame. */
struct clean_count { uint64_t written, dropped; };
_Static_assert(sizeof(struct clean_count) == 16, "unit format");

struct cleaner {
    struct scanner          scanner;                        /* first: what the pass sees */
    const struct clean_run *run;
    struct packer          *packer;
    struct clean_count      count;                          /* of the part, */
    struct bytes            text;                           /* and what stays of it */
};

static void cleaner_begin(struct scanner *scanner)
{
    struct cleaner *c = (struct cleaner *)scanner;

    c->count = (struct clean_count){ 0 };
    c->text.len = 0;
}

static int cleaner_document(struct scanner *scanner, const struct document *document, struct part *part, struct err *err)
{
    struct cleaner                 *c = (struct cleaner *)scanner;
    const struct clean_run         *run = c->run;
    const struct record            *record = document->record;
    const struct clean_drop_record  key = { .shard = (uint64_t)(document->shard - run->pass.shards), .record = record->number };
    const struct clean_drop_record *drop = run->count ? bsearch(&key, run->drop, run->count, sizeof key, by_place) : NULL;
    struct content_hash             hash;

    (void)part;
    if (!drop) {
        c->count.written++;
        return rewrite_record(&c->text, record, 0) < 0 ? err_memory(err, record->text.len, "a cleaned shard") : 0;
    }
    hash = content_hash_raw(record->text);
    if (hash.low != drop->hash.low || hash.high != drop->hash.high)
        return err_set(err, -EIO, "has changed while the run was going on (the text of record %llu is another one): the same command again reads it anew",
                       (unsigned long long)record->number);
    c->count.dropped++;
    return 0;
}

static int cleaner_end(struct scanner *scanner, struct part *part, struct err *err)
{
    struct cleaner *c = (struct cleaner *)scanner;

    if (bytes_append(&part->section[PART_COUNTS], &c->count, sizeof c->count) < 0) return err_memory(err, sizeof c->count, "a part");
    return c->text.len ? packer_frame(c->packer, bytes_slice(&c->text), &part->section[PART_VALUES], err) : 0;
}

static void cleaner_close(struct scanner *scanner)
{
    struct cleaner *c = (struct cleaner *)scanner;

    packer_close(c->packer);
    bytes_free(&c->text);
    free(c);
}

static int cleaner_open(void *shared, struct scanner **out, struct err *err)
{
    const struct clean_run *run = shared;
    struct cleaner         *c = calloc(1, sizeof *c);
    int                     rc = c ? 0 : err_memory(err, sizeof *c, "a scanner");

    *out = NULL;
    if (rc == 0) rc = packer_open(&c->packer, (int)run->output->level, err);
    if (rc < 0) {
        free(c);
        return rc;
    }
    c->scanner = (struct scanner){ cleaner_begin, cleaner_document, cleaner_end, cleaner_close };
    c->run = run;
    *out = &c->scanner;
    return 0;
}

static bool cleaner_takes(const void *shared, const struct dataset *dataset)
{
    const struct clean_run *run = shared;

    return run->output->member[dataset - run->job->datasets];
}

/* Appends the frames of a unit.  *next: the shard's next one, 0 after the last. */
static int append_unit(const struct clean_run *run, const struct shard *shard, uint64_t number, struct writer *writer, struct clean_count *sum, uint64_t *next,
                       struct err *err)
{
    struct pass_unit unit;
    int              rc = pass_unit_load(&run->pass, &run->pass.scanner[0], shard, number, &unit, err);

    if (rc < 0) return rc;
    if (rc == 0) return err_set(err, -EIO, "a part of its cleaned records was damaged or has disappeared; the same command again makes it anew");
    rc = 0;
    for (uint64_t p = 0; p < unit.header->parts && rc == 0; p++) {
        struct slice count = pass_unit_section(&unit, p, PART_COUNTS);

        if (count.len == sizeof *sum) {
            sum->written += ((const struct clean_count *)count.at)->written;
            sum->dropped += ((const struct clean_count *)count.at)->dropped;
        }
        rc = writer_append(writer, pass_unit_section(&unit, p, PART_VALUES), err);
    }
    *next = unit.header->next;
    unit_close(&unit.file);
    return rc;
}

/* Records that go in the shards before this one. */
static size_t drops_before(const struct clean_run *run, uint64_t shard)
{
    size_t low = 0, high = run->count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (run->drop[middle].shard < shard) low = middle + 1;
        else high = middle;
    }
    return low;
}

/* All units of the shard are committed: they become its file. */
static int shard_write(void *shared, const struct shard *shard, struct err *err)
{
    const struct clean_run *run = shared;
    const size_t            s = (size_t)(shard - run->pass.shards);
    struct clean_count      sum = { 0 };
    struct writer          *writer;
    const uint64_t          wanted = drops_before(run, s + 1) - drops_before(run, s);
    uint64_t                number = 0;
    char                    place[FILE_NAME_MAX], path[FILE_NAME_MAX];
    int                     rc;

    if ((size_t)snprintf(place, sizeof place, "cleaned/%s/%s", run->output->name, run->name[s]) >= sizeof place)
        return err_set(err, -ENAMETOOLONG, "%.80s...: name too long", run->name[s]);
    rc = file_join(run->job->output, place, path, err);
    if (rc == 0) rc = writer_open(&writer, path, err);
    if (rc < 0) return rc;
    do rc = append_unit(run, shard, number, writer, &sum, &number, err);
    while (rc == 0 && number);
    if (rc == 0 && sum.dropped != wanted)
        rc = err_set(err, -EIO, "has changed while the run was going on (%llu of %llu records to remove were met again): the same command again reads it anew",
                     (unsigned long long)sum.dropped, (unsigned long long)wanted);
    if (rc == 0) return writer_commit(writer, err);
    writer_abandon(writer);
    return rc;
}

/* ---- the whole ---- */

/* Shards and list of an earlier run go before anything is written, so that at no time results of two rules lie side by side.  Of rank 0. */
static int output_sweep(const struct clean_run *run, char list[FILE_NAME_MAX], struct err *err)
{
    char        place[FILE_NAME_MAX], folder[FILE_NAME_MAX];
    struct stat is;
    int         rc;

    snprintf(place, sizeof place, "cleaned/%s", run->output->name);
    rc = file_join(run->job->output, place, folder, err);
    if (rc == 0 && stat(folder, &is) == 0) rc = rewrite_sweep(folder, err);
    snprintf(place, sizeof place, "cleaned/%s.removed.tsv", run->output->name);
    if (rc == 0) rc = file_join(run->job->output, place, list, err);
    if (rc == 0 && remove(list) < 0 && errno != ENOENT) rc = err_set(err, -errno, "%s: cannot remove this file of an earlier run: %s", list, strerror(errno));
    return rc;
}

static int output_open(struct clean_run *run, struct err *err)
{
    const struct clean_job *job = run->job;
    const struct dedup_job  names = { .datasets = job->datasets, .dataset_count = job->dataset_count, .shards = job->shards };

    run->name = calloc(job->shards->count + 1, sizeof *run->name);
    if (!run->name) return err_memory(err, job->shards->count * sizeof *run->name, "names of cleaned shards");
    return rewrite_names(&names, run->output->member, run->name, err);
}

static int output_write(struct clean_run *run, struct err *err)
{
    const struct clean_job *job = run->job;
    const bool              first = comm_rank(job->comm) == 0;
    const uint64_t          number[] = { run->output->level, packer_version() };
    struct unit_key         key = unit_key_add((struct unit_key){ 0, 0 }, number, sizeof number);
    char                    list[FILE_NAME_MAX];
    int                     rc = output_open(run, err);

    if (rc == 0 && first) rc = decide(run, err);
    if (rc == 0 && first) rc = output_sweep(run, list, err);
    if ((rc = comm_agree(job->comm, rc, err)) == 0) rc = comm_broadcast(job->comm, &run->told, err);
    if (rc < 0) return rc;
    run->drop = (const struct clean_drop_record *)run->told.at;
    run->count = run->told.len / sizeof *run->drop;
    run->pass = (struct pass){ .comm = job->comm, .stage = job->stage, .datasets = job->datasets, .shards = job->shards->at, .threads = job->threads,
                               .scanner_count = 1 };
    run->pass.scanner[0] = (struct pass_scanner){ .kind = "cleaned", .key = unit_key_add(key, run->told.at, run->told.len), .needs = PASS_RECORDS,
                                                  .takes = cleaner_takes, .open = cleaner_open, .shard_done = shard_write, .shared = run };
    rc = pass_stream(&run->pass, job->shards->count, err);
    if (rc == 0) rc = comm_agree(job->comm, first ? file_write(list, bytes_slice(&run->list), err) : 0, err);
    if (rc == 0) log_info("cleaned: name=%s removed=%zu", run->output->name, run->count);
    return rc;
}

int clean_run(struct clean_job *job, struct err *err)
{
    int rc = 0;

    for (size_t i = 0; i < job->output_count && rc == 0; i++) {
        struct clean_run run = { .job = job, .output = &job->outputs[i] };

        rc = output_write(&run, err);
        for (size_t s = 0; run.name && s < job->shards->count; s++) free(run.name[s]);
        free(run.name);
        bytes_free(&run.told);
        bytes_free(&run.list);
        if (rc < 0) err_add(err, "clean: %s", job->outputs[i].name);
    }
    return rc;
}
