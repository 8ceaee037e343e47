/* clone/clone.c -- the stages of line clones in order.
 *
 *   collect   the small side -> documents and lines                      units by shard
 *   index     rank 0, from the collected units                           one file a piece
 *   scan  corpora past the index  units by shard; of the last piece in the pass of all questions */
#include "clone/stages.h"

#include "base/log.h"

#include <errno.h>
#include <stdlib.h>

static struct unit_key lines_key(const struct clone_job *job)
{
    uint64_t number[] = { (uint64_t)job->options->normal, job->run->store_text };

    return unit_key_add(unit_key_add((struct unit_key){ 0, 0 }, job->run->version, strlen(job->run->version)), number,
                        sizeof number);
}

struct pass clone_pass(const struct clone_job *job)
{
    return (struct pass){ .run = job->run };
}

struct pass_scanner clone_collector(const struct clone_job *job)
{
    return (struct pass_scanner){ .kind = "clone-lines", .key = lines_key(job), .needs = PASS_GROUPS,
                                  .takes = pass_takes_benchmarks, .open = clone_collect_open,
                                  .shared = (void *)(uintptr_t)job };
}

struct pass_scanner clone_matcher(const struct clone_job *job, const struct clone_piece *piece)
{
    struct unit_key index = clone_index_key(job, piece);

    return (struct pass_scanner){ .kind = "clones", .key = unit_key_add(lines_key(job), &index, sizeof index),
                                  .needs = PASS_GROUPS, .takes = pass_takes_corpora, .open = clone_match_open,
                                  .shared = (void *)(uintptr_t)job };
}

struct pass_scanner clone_scanner(const struct clone_job *job) { return clone_matcher(job, &job->piece); }

/* All lines of the small side. */
static struct unit_key small_key(const struct clone_job *job)
{
    struct unit_key key = lines_key(job);

    for (size_t s = 0; s < job->run->shards->count; s++) {
        struct unit_key unit;

        if (!pass_takes_benchmarks(job, &job->run->datasets[job->run->shards->at[s].dataset])) continue;
        unit = pass_unit_key(job->run->datasets, lines_key(job), &job->run->shards->at[s], 0);
        key = unit_key_add(key, &unit, sizeof unit);
    }
    return key;
}

/* An index depends on the lines of its piece and on the length of a window. */
struct unit_key clone_index_key(const struct clone_job *job, const struct clone_piece *piece)
{
    return unit_key_add(unit_key_add(small_key(job), &job->options->lines, sizeof job->options->lines), piece,
                        sizeof *piece);
}

/* ---- the small side ---- */

static int units_read(const struct clone_job *job, struct clone_small *out, size_t *documents, struct err *err)
{
    const struct pass_scanner collector = clone_collector(job);
    struct pass_walk          walk = pass_walk_all(job->run, &collector);
    int                       rc;

    while ((rc = pass_walk_next(&walk, err)) > 0) {
        for (uint64_t p = 0; p < walk.unit.header->parts; p++)
            *documents += pass_unit_section(&walk.unit, p, PART_ROWS).len / sizeof(struct clone_document);
        unit_forget(&walk.unit.file);
        if ((rc = pass_units_keep(&out->units, &walk, err)) < 0) break;
    }
    pass_walk_close(&walk);
    return rc;
}

static void unit_add(struct clone_small *small, const struct pass_unit *unit)
{
    for (uint64_t p = 0; p < unit->header->parts; p++) {
        struct slice                 rows = pass_unit_section(unit, p, PART_ROWS);
        const struct clone_document *row = (const void *)rows.at;
        const struct clone_line     *line = (const void *)pass_unit_section(unit, p, PART_VALUES).at;

        for (size_t i = 0; i < rows.len / sizeof *row; i++) {
            small->document[small->count++] = (struct clone_side_document){ &row[i],
                                                                            pass_unit_section(unit, p, PART_HEAP).at,
                                                                            line + row[i].line_at, small->lines,
                                                                            unit->shard };
            small->lines += row[i].line_count;
        }
    }
}

int clone_small_read(const struct clone_job *job, struct clone_small *out, struct err *err)
{
    size_t documents = 0;
    int    rc;

    *out = (struct clone_small){ 0 };
    rc = units_read(job, out, &documents, err);
    if (rc == 0 && !(out->document = malloc((documents + 1) * sizeof *out->document)))
        rc = err_memory(err, documents * sizeof *out->document, "documents of the small side");
    for (size_t u = 0; rc == 0 && u < out->units.count; u++) unit_add(out, &out->units.at[u]);
    if (rc < 0) clone_small_free(out);
    return rc;
}

void clone_small_free(struct clone_small *small)
{
    pass_units_free(&small->units);
    free(small->document);
    *small = (struct clone_small){ 0 };
}

/* ---- pieces and their indexes ---- */

/* What all of the small side takes beside the index of one piece: its documents, and the longest block of each line
 * (result.c).  Units are mapped, and theirs are the system's pages. */
static uint64_t small_memory(const struct clone_small *small)
{
    return small->count * sizeof *small->document + small->lines * sizeof(uint32_t);
}

static int document_refuse(const struct clone_job *job, const struct clone_small *small, size_t d, struct err *err)
{
    const struct clone_side_document *document = &small->document[d];
    uint64_t                          bytes = small_memory(small) + clone_index_memory(document->row->line_count, 1);

    return err_set(err, -ENOMEM, "line_clones: record %llu of %s: its %llu lines and the %llu documents of the "
                                 "benchmarks need about %llu KB in memory, more than "
                   "`memory` (%llu KB): raise it, or compare fewer benchmarks at a time",
                       (unsigned long long)document->row->record,
                   job->run->shards->at[document->shard].path, (unsigned long long)document->row->line_count,
                       (unsigned long long)small->count,
                   (unsigned long long)((bytes + 999) / 1000), (unsigned long long)(job->memory / 1000));
}

static int small_cut(const struct clone_job *job, const struct clone_small *small, struct bytes *pieces,
                     struct err *err)
{
    uint64_t           memory = !job->memory ? UINT64_MAX : job->memory > small_memory(small)
        ? job->memory - small_memory(small) : 0;
    struct clone_piece piece = { 0 };

    for (size_t d = 0; d < small->count; d++) {
        uint64_t lines = small->document[d].row->line_count, more = piece.lines + lines, documents = d + 1 - piece.from;

        if (clone_index_memory(lines, 1) > memory) return document_refuse(job, small, d, err);
        if (d > piece.from && (clone_index_memory(more, documents) > memory || more + documents > CLONE_INDEX_MAX)) {
            if (bytes_append(pieces, &piece, sizeof piece) < 0)
                return err_memory(err, sizeof piece, "pieces of the small side");
            piece = (struct clone_piece){ d, d, small->document[d].first, 0 };
        }
        piece.to = d + 1;
        piece.lines += lines;
    }
    return bytes_append(pieces, &piece, sizeof piece) < 0 ? err_memory(err, sizeof piece, "pieces of the small side")
        : 0;
}

static struct unit_key pieces_key(const struct clone_job *job)
{
    return unit_key_add(small_key(job), &job->memory, sizeof job->memory);
}

/* 1; 0 when nobody has cut them yet. */
static int pieces_load(const struct clone_job *job, struct bytes *pieces, struct err *err)
{
    struct unit unit;
    int         rc = stage_load(job->run->stage, "clone-pieces", pieces_key(job), &unit, err);

    if (rc <= 0) return rc;
    if (unit.count != 1 || unit.section[0].len == 0 || unit.section[0].len % sizeof(struct clone_piece) != 0)
        rc = err_set(err, -EBADMSG, "%s: the pieces of line_clones do not have the expected layout; remove the work "
                                    "folder with --clean", stage_dir(job->run->stage));
    else if (bytes_append_slice(pieces, unit.section[0]) < 0)
        rc = err_memory(err, unit.section[0].len, "pieces of the small side");
    unit_close(&unit);
    return rc;
}

int clone_pieces_read(const struct clone_job *job, struct bytes *pieces, struct err *err)
{
    int rc = pieces_load(job, pieces, err);

    if (rc == 0)
        return err_set(err, -EIO, "%s: the pieces of line_clones have disappeared or are damaged; the same command "
                                  "again makes them anew", stage_dir(job->run->stage));
    return rc < 0 ? rc : 0;
}

/* Rank 0, unless they are there. */
static int pieces_make(const struct clone_job *job, struct bytes *pieces, struct err *err)
{
    struct clone_small small = { 0 };
    int                rc = pieces_load(job, pieces, err);

    if (rc != 0) return rc;
    rc = clone_small_read(job, &small, err);
    if (rc == 0) rc = small_cut(job, &small, pieces, err);
    if (rc == 0)
        rc = stage_commit(job->run->stage, "clone-pieces", pieces_key(job), (struct slice[]){ bytes_slice(pieces) }, 1,
                          err);
    clone_small_free(&small);
    return rc;
}

/* As rank 0 cuts them, by its own `memory`, on every rank.  Collective. */
static int pieces_get(struct clone_job *job, struct bytes *pieces, struct err *err)
{
    struct bytes memory = { 0 };
    int          rc;

    job->memory = run_memory(job->run);
    rc = bytes_append(&memory, &job->memory, sizeof job->memory) < 0 ? err_memory(err, sizeof job->memory, "a number")
        : 0;

    if ((rc = comm_agree(job->run->comm, rc, err)) == 0) rc = comm_broadcast(job->run->comm, &memory, err);
    if (rc == 0) memcpy(&job->memory, memory.at, sizeof job->memory);
    bytes_free(&memory);
    if (rc == 0 && comm_rank(job->run->comm) == 0 && (rc = pieces_make(job, pieces, err)) >= 0) {
        size_t count = pieces->len / sizeof(struct clone_piece);

        rc = 0;
        if (count > 1)
            log_info("line clones: the index of the benchmarks' lines is larger than `memory`: %zu passes%s", count,
                     job->options->self ? "" : ", each reads the corpora");
        pieces->len = 0;
    }
    if ((rc = comm_agree(job->run->comm, rc, err)) < 0) return rc;
    return comm_agree(job->run->comm, clone_pieces_read(job, pieces, err), err);
}

static int index_make(const struct clone_job *job, struct unit_key key, struct err *err)
{
    const struct clone_piece *piece = &job->piece;
    struct clone_small        small;
    struct clone_text        *text = NULL;
    size_t                    count = piece->to - piece->from;
    int                       rc = clone_small_read(job, &small, err);

    if (rc == 0 && !(text = malloc((count + 1) * sizeof *text)))
        rc = err_memory(err, count * sizeof *text, "documents of the small side");
    for (size_t i = 0; rc == 0 && i < count; i++) {
        const struct clone_side_document *document = &small.document[piece->from + i];

        text[i] = (struct clone_text){ document->line, document->row->line_count };
    }
    if (rc == 0) rc = clone_index_build(job->run->stage, key, text, count, job->options->lines, err);
    free(text);
    clone_small_free(&small);
    return rc;
}

/* Rank 0 builds the index of the job's piece unless it is there; then every rank maps it.  Collective. */
static int index_get(struct clone_job *job, struct err *err)
{
    struct unit_key key = clone_index_key(job, &job->piece);
    int             rc = 0, found = 0;

    if (comm_rank(job->run->comm) == 0) {
        rc = found = clone_index_open(job->run->stage, key, job->index, err);
        if (rc == 0) rc = index_make(job, key, err);
        if (rc > 0) rc = 0;
    }
    if ((rc = comm_agree(job->run->comm, rc, err)) < 0) return rc;
    if (!found) found = clone_index_open(job->run->stage, key, job->index, err);
    if (found == 0)
        found = err_set(err, -EIO, "%s: the index that rank 0 has just written is not there; is the folder shared by "
                                   "all hosts?", stage_dir(job->run->stage));
    return comm_agree(job->run->comm, found < 0 ? found : 0, err);
}

/* ---- the stages ---- */

void clone_totals_add(struct clone_job *job, const struct pass *pass) { pass_totals_add(&job->totals, &pass->totals); }

/* The corpora past the index of a piece that is not the last: that one's turn is in the pass of all questions. */
static int piece_scan(struct clone_job *job, struct err *err)
{
    struct pass pass = clone_pass(job);
    double      started = log_seconds();
    int         rc;

    pass.scanner[pass.scanner_count++] = clone_scanner(job);
    rc = pass_stream(&pass, job->run->shards->count, err);
    job->seconds[CLONE_SCAN] += log_seconds() - started;
    return rc;
}

static int pieces_prepare(struct clone_job *job, const struct clone_piece *piece, size_t count, struct err *err)
{
    int rc = 0;

    for (size_t p = 0; p < count && rc == 0; p++) {
        double started = log_seconds();

        clone_index_close(job->index);
        job->piece = piece[p];
        rc = index_get(job, err);
        job->seconds[CLONE_INDEX] += log_seconds() - started;
        if (rc == 0 && p + 1 < count && !job->options->self) rc = piece_scan(job, err);
    }
    return rc;
}

int clone_prepare(struct clone_job *job, struct err *err)
{
    struct pass  collect = clone_pass(job);
    struct bytes pieces = { 0 };
    double       started = log_seconds();
    int          rc;

    job->index = calloc(1, sizeof *job->index);
    rc = job->index ? 0 : err_memory(err, sizeof *job->index, "the index");
    if ((rc = comm_agree(job->run->comm, rc, err)) < 0) return rc;
    collect.scanner[collect.scanner_count++] = clone_collector(job);
    rc = pass_stream(&collect, job->run->shards->count, err);
    clone_totals_add(job, &collect);
    job->seconds[CLONE_COLLECT] = log_seconds() - started;
    if (rc == 0) rc = pieces_get(job, &pieces, err);
    if (rc == 0)
        rc = pieces_prepare(job, (const struct clone_piece *)(const void *)pieces.at,
                            pieces.len / sizeof(struct clone_piece), err);
    bytes_free(&pieces);
    return rc;
}

void clone_release(struct clone_job *job)
{
    if (job->index) clone_index_close(job->index);
    free(job->index);
    job->index = NULL;
}
