/* dedup/features.c -- see features.h. */
#include "dedup/features.h"

#include "base/search.h"
#include "dedup/fetch.h"
#include "dedup/wanted.h"
#include "view/class.h"

#include <errno.h>
#include <stdlib.h>

/* ---- what is wanted of a unit ---- */

struct wanted_row { uint64_t record, index, class_low, class_high; };        /* index: among the unit's documents */
_Static_assert(sizeof(struct wanted_row) == 32, "unit format");

struct unit_key features_key(const struct dedup_state *s)
{
    return unit_key_add(unit_key_add(s->key, "features 2", 10), &s->job->options->measure,
                        sizeof s->job->options->measure);
}

static struct unit_key wanted_key(struct unit_key features, uint32_t shard, uint64_t number)
{
    const uint64_t place[] = { shard, number };

    return unit_key_add(features, place, sizeof place);
}

/* Commits what is wanted of an own unit, and brief; *count of it.  Adds all that is wanted to what is compared. */
static int unit_want(struct dedup_state *s, const struct wanted *wanted, size_t u, struct unit_key key, uint64_t *count,
                     struct err *err)
{
    const struct catalogue_unit *unit = &s->catalogue.unit[u];
    struct column_unit           columns;
    struct bytes                 rows = { 0 };
    uint64_t                     documents = 0, bytes = 0;
    int                          rc = state_unit(s, u, &columns, err);

    *count = 0;
    if (rc < 0) return rc;
    for (uint64_t i = 0; i < unit->documents && rc == 0; i++) {
        const struct dedup_row *row = wanted_document(wanted, unit, &columns, i);
        struct wanted_row       out;

        if (!row) continue;
        out = (struct wanted_row){ row->record, i, row->class_low, row->class_high };
        documents++;
        bytes += features_bytes(row);
        if (row->brief && bytes_append(&rows, &out, sizeof out) < 0)
            rc = err_memory(err, rows.len, "documents to compare");
    }
    *count = rows.len / sizeof(struct wanted_row);
    __atomic_fetch_add(&s->compared, documents, __ATOMIC_RELAXED);
    __atomic_fetch_add(&s->compared_bytes, bytes, __ATOMIC_RELAXED);
    if (rc == 0 && *count)
        rc = stage_commit(s->job->run->stage, "wanted", wanted_key(key, unit->shard, unit->number),
                          &(struct slice){ rows.at, rows.len }, 1, err);
    bytes_free(&rows);
    columns_close(&columns);
    return rc;
}

/* Of all own units.  shard: [shards] how many documents are wanted of each, on all ranks. */
static int units_want(struct dedup_state *s, const struct wanted *wanted, struct unit_key key, uint64_t *shard,
                      struct err *err)
{
    uint64_t sums[2];
    int      rc = 0;

    s->compared = s->compared_bytes = 0;
#pragma omp parallel for num_threads(s->threads) schedule(dynamic, 1)
    for (size_t u = s->unit_first[s->rank]; u < s->unit_first[s->rank + 1]; u++) {
        struct err mine = { 0 };
        uint64_t   count;
        int        done = unit_want(s, wanted, u, key, &count, &mine);

        if (done == 0) __atomic_fetch_add(&shard[s->catalogue.unit[u].shard], count, __ATOMIC_RELAXED);
        else
#pragma omp critical(features_failure)
        {
            *err = mine;
            rc = done;
        }
    }
    if ((rc = comm_agree(s->job->run->comm, rc, err)) < 0) return rc;
    comm_sum(s->job->run->comm, shard, s->job->run->shards->count);
    sums[0] = s->compared, sums[1] = s->compared_bytes;
    comm_sum(s->job->run->comm, sums, 2);
    s->compared = sums[0], s->compared_bytes = sums[1];
    return 0;
}

/* ---- the scanner that makes them again ---- */

struct remaker {
    struct scanner          scanner;                        /* first: what the pass sees */
    const struct dedup_job *job;
    struct multiset         features;
    /* the list of what is wanted that is open */
    struct unit             list;
    const struct shard     *shard;
    uint64_t                number;
    size_t                  count, at;                      /* of the list: rows; the one that is next */
};

/* The list of a shard's unit: none where nothing is wanted of it. */
static int list_open(struct remaker *m, const struct shard *shard, uint64_t number, struct err *err)
{
    const uint32_t place = (uint32_t)(shard - m->job->run->shards->at);
    int            rc;

    if (m->shard == shard && m->number == number) return 0;
    unit_close(&m->list);
    m->shard = NULL;
    m->count = m->at = 0;
    rc = stage_load(m->job->run->stage, "wanted", wanted_key(m->job->features_key, place, number), &m->list, err);
    if (rc < 0) return rc;
    if (rc > 0 && m->list.count == 1) m->count = m->list.section[0].len / sizeof(struct wanted_row);
    m->shard = shard;
    m->number = number;
    return 0;
}

/* Batches come in their order, though not all to one thread. */
static const struct wanted_row *list_find(struct remaker *m, uint64_t record)
{
    const struct wanted_row *row = m->count ? (const struct wanted_row *)(const void *)m->list.section[0].at : NULL;
    size_t                   end = m->count;

    if (m->at < m->count && row[m->at].record < record) {
        m->at++;
        if (m->at < m->count && row[m->at].record < record)
            while (m->at < end) {
                const size_t middle = m->at + (end - m->at) / 2;

                if (row[middle].record < record) m->at = middle + 1;
                else end = middle;
            }
    }
    return m->at < m->count && row[m->at].record == record ? &row[m->at] : NULL;
}

/* An error is said when the document is shown. */
static bool remaker_wants(struct scanner *scanner, const struct shard *shard, uint64_t unit, uint64_t record)
{
    struct remaker *m = (struct remaker *)scanner;
    struct err      unsaid = { 0 };

    return list_open(m, shard, unit, &unsaid) < 0 || list_find(m, record);
}

/* The pass says which shard. */
static int shard_changed(struct err *err)
{
    return err_set(err, -EIO, "has another content than before: --verify forgets what was made of it");
}

int features_append(struct bytes section[PART_SECTIONS], uint64_t index, struct column_features f)
{
    struct bytes       *values = &section[PART_VALUES], *counts = &section[PART_COUNTS];
    struct features_row row = { index, values->len / sizeof *f.hash, UINT64_MAX, f.distinct, f.total };

    if (f.count) row.count_at = counts->len / sizeof *f.count;
    if (bytes_append(values, f.hash, f.distinct * sizeof *f.hash) < 0 ||
        (f.count && bytes_append(counts, f.count, f.distinct * sizeof *f.count) < 0))
        return -ENOMEM;
    return bytes_append(&section[PART_ROWS], &row, sizeof row);
}

static int remaker_document(struct scanner *scanner, const struct document *document, struct part *part,
                            struct err *err)
{
    struct remaker             *m = (struct remaker *)scanner;
    const struct record        *record = document->record;
    const struct view_language *language;
    const struct wanted_row    *wanted;
    struct feature_list         features;
    struct column_features      made;
    struct content_hash         class;
    int                         rc = list_open(m, document->shard, document->unit, err);

    if (rc < 0 || !(wanted = list_find(m, record->number))) return rc;
    language = view_language_of(document->view, m->job->run->datasets[document->shard->dataset].language, record, err);
    if (!language) return err->code;
    rc = view_features(document->view, language, record, &features, err);
    if (rc == -EBADMSG || rc == -ENODATA) return shard_changed(err);
    if (rc < 0 || (rc = multiset_make(&m->features, features, err)) < 0) return rc;
    class = class_hash(m->features.hash, m->features.count, m->features.distinct);
    if (class.low != wanted->class_low || class.high != wanted->class_high) return shard_changed(err);
    made = (struct column_features){ m->features.hash, m->features.distinct < features.count ? m->features.count : NULL,
                                     (uint32_t)m->features.distinct, (uint32_t)features.count };
    return features_append(part->section, wanted->index, made) < 0 ? err_memory(err, features.count * 12, "features")
        : 0;
}

/* A shard may be read again from its beginning, by the same thread. */
static void remaker_begin(struct scanner *scanner)
{
    struct remaker *m = (struct remaker *)scanner;

    m->at = 0;
}

static void remaker_close(struct scanner *scanner)
{
    struct remaker *m = (struct remaker *)scanner;

    unit_close(&m->list);
    multiset_free(&m->features);
    free(m);
}

static int remaker_open(void *shared, struct scanner **out, struct err *err)
{
    struct remaker *m = calloc(1, sizeof *m);

    *out = NULL;
    if (!m) return err_memory(err, sizeof *m, "a scanner");
    m->scanner = (struct scanner){ .begin = remaker_begin, .wants = remaker_wants,
                                   .document = remaker_document, .close = remaker_close };
    m->job = shared;
    *out = &m->scanner;
    return 0;
}

/* ---- the pass ---- */

struct unit_key features_unit_key(const struct dedup_job *job, struct unit_key key, const struct catalogue_unit *unit)
{
    return pass_unit_key(job->run->datasets, key, &job->run->shards->at[unit->shard], unit->number);
}

/* Reads the shards of which something is wanted. */
static int shards_read(struct dedup_state *s, const uint64_t *shard, struct err *err)
{
    struct pass pass = columns_frame(s->job);               /* units are numbered as those of columns */
    size_t      kept = 0;
    uint32_t   *item;
    int         rc;

    pass.stage = "dedup: features";
    pass.want_fields = s->job->options->view.kind <= VIEW_TOKENS ? 1u << FIELD_TOKENS : 0;
    pass.scanner[0] = (struct pass_scanner){ .kind = "features", .key = s->job->features_key, .needs = PASS_RECORDS,
                                             .takes = pass.scanner[0].takes, .open = remaker_open, .shared = s->job };
    rc = comm_agree(s->job->run->comm, pass_take_shards(&pass, s->job->run->shards->count, err), err);
    item = (uint32_t *)(uintptr_t)pass.item;
    for (size_t i = 0; i < pass.item_count; i++)
        if (shard[item[i]]) item[kept++] = item[i];
    pass.item_count = kept;
    if (rc == 0 && kept) rc = pass_run(&pass, err);
    free(item);
    return rc;
}

/* ---- are they all there? ---- */

/* Have an own unit's wanted documents their features?  1: all; 0: some is missing, of an earlier run's unit that knew
 * of fewer, which is removed. */
static int unit_settled(struct dedup_state *s, const struct wanted *wanted, size_t u, struct err *err)
{
    const struct catalogue_unit *unit = &s->catalogue.unit[u];
    struct column_unit           columns;
    bool                         all = true;
    int                          rc = state_unit(s, u, &columns, err);

    if (rc < 0) return rc;
    for (uint64_t i = 0; i < unit->documents; i++) {
        const struct dedup_row *row = wanted_document(wanted, unit, &columns, i);
        struct column_features  f;

        if (!row) continue;
        f = columns_features(&columns, i);
        all &= f.distinct == row->distinct && f.total == row->total;
    }
#pragma omp critical(features_sums)
    {
        s->own_again_bytes += columns.again.file.file.bytes;
        if (columns.again.file.file.bytes > s->largest_again) s->largest_again = columns.again.file.file.bytes;
    }
    columns_close(&columns);
    if (!all)
        rc = stage_remove(s->job->run->stage, "features",
                          features_unit_key(s->job, s->job->features_key, unit), err);
    return rc < 0 ? rc : all;
}

static uint64_t largest_text(const struct dedup_state *s)
{
    uint64_t largest = 0;

    for (size_t u = s->unit_first[s->rank]; u < s->unit_first[s->rank + 1]; u++)
        if (s->catalogue.unit[u].text_bytes > largest) largest = s->catalogue.unit[u].text_bytes;
    return largest;
}

/* *missing: units that are to be made again, of all ranks. */
static int units_settle(struct dedup_state *s, const struct wanted *wanted, uint64_t *missing, struct err *err)
{
    const int threads = fetch_threads(s, largest_text(s));  /* features take about as much as their text */
    uint64_t  lacking = 0;
    int       rc = 0;

    s->own_again_bytes = s->largest_again = 0;
    memset(s->verified, 0, s->catalogue.count * sizeof *s->verified);       /* so that what is new is checked */
#pragma omp parallel for num_threads(threads) schedule(dynamic, 1) reduction(+ : lacking)
    for (size_t u = s->unit_first[s->rank]; u < s->unit_first[s->rank + 1]; u++) {
        struct err mine = { 0 };
        int        settled = unit_settled(s, wanted, u, &mine);

        lacking += settled == 0;
        if (settled >= 0) continue;
#pragma omp critical(features_failure)
        {
            *err = mine;
            rc = settled;
        }
    }
    if ((rc = comm_agree(s->job->run->comm, rc, err)) < 0) return rc;
    *missing = lacking;
    comm_sum(s->job->run->comm, missing, 1);
    return 0;
}

static bool any_wanted(const struct dedup_state *s, const uint64_t *shard)
{
    for (size_t i = 0; i < s->job->run->shards->count; i++)
        if (shard[i]) return true;
    return false;
}

int features_make(struct dedup_state *s, const struct wanted *wanted, struct err *err)
{
    const struct unit_key key = features_key(s);
    uint64_t             *shard, missing = 1;
    int                   rc;

    shard = calloc(s->job->run->shards->count + 1, sizeof *shard);
    rc = comm_agree(s->job->run->comm, shard ? 0 : err_memory(err, s->job->run->shards->count * 8, "shards"), err);
    if (rc == 0) rc = units_want(s, wanted, key, shard, err);
    if (rc == 0) missing = any_wanted(s, shard);
    for (int tries = 0; rc == 0 && missing && tries < 2; tries++) {
        s->job->features_key = key;
        rc = shards_read(s, shard, err);
        if (rc == 0) rc = units_settle(s, wanted, &missing, err);
    }
    if (rc == 0 && missing)
        rc = err_set(err, -EIO, "%s: shards were changed while the run was going on", stage_dir(s->job->run->stage));
    free(shard);
    return rc;
}

int features_remove(struct dedup_state *s, struct err *err)
{
    int rc = 0;

    s->job->features_key = (struct unit_key){ 0, 0 };
    if (s->rank == 0) rc = stage_remove_kind(s->job->run->stage, "features", err);
    if (s->rank == 0 && rc == 0) rc = stage_remove_kind(s->job->run->stage, "wanted", err);
    if (s->rank == 0 && rc == 0) rc = stage_remove_kind(s->job->run->stage, "gathered", err);
    return comm_agree(s->job->run->comm, rc, err);
}

/* ---- read back ---- */

/* Do a part's rows fit it, and a unit of so many documents?  *next: what the first's index must be at least, and what
 * that of the next part's. */
static bool part_fits(const struct features_part *part, uint64_t documents, size_t hashes, size_t occurrences,
                      uint64_t *next)
{
    for (size_t i = 0; i < part->count; i++) {
        const struct features_row *row = &part->row[i];
        const uint64_t             n = row->distinct;

        if (row->index < *next || row->index >= documents || row->feature_at > hashes ||
            n > hashes - row->feature_at || (row->count_at != UINT64_MAX &&
                                             (row->count_at > occurrences || n > occurrences - row->count_at)))
            return false;
        *next = row->index + 1;
    }
    return true;
}

/* Once a process numbers are looked at whether they fit. */
static int parts_take(struct features *f, uint64_t documents, bool verified)
{
    uint64_t next = 0;

    for (uint64_t p = 0; p < f->file.header->parts; p++) {
        const struct slice   rows = pass_unit_section(&f->file, p, PART_ROWS),
            values = pass_unit_section(&f->file, p, PART_VALUES), counts = pass_unit_section(&f->file, p, PART_COUNTS);
        struct features_part part = { (const struct features_row *)(const void *)rows.at, rows.len / sizeof *part.row,
                                      (const uint64_t *)(const void *)values.at,
                                      (const uint32_t *)(const void *)counts.at };

        if (!verified && !part_fits(&part, documents, values.len / sizeof *part.hash,
                                    counts.len / sizeof *part.occurrence, &next))
            return -EBADMSG;
        if (part.count) f->part[f->parts++] = part;
    }
    return 0;
}

int features_load(const struct dedup_job *job, const char *kind, struct unit_key key,
                  const struct catalogue_unit *unit, bool verified, struct features *out, struct err *err)
{
    struct unit *file = &out->file.file;
    int          rc;

    *out = (struct features){ 0 };
    if (!key.low && !key.high) return 0;
    rc = (verified ? stage_map : stage_load)(job->run->stage, kind, features_unit_key(job, key, unit), file, err);
    if (rc <= 0) return rc;
    out->file.header = (const struct unit_header *)(const void *)file->section[0].at;
    rc = file->section[0].len == sizeof *out->file.header && out->file.header->parts <= file->count &&
        file->count == 1 + out->file.header->parts * PART_SECTIONS ? 0 : -EBADMSG;
    if (rc == 0 && !(out->part = malloc((out->file.header->parts + 1) * sizeof *out->part)))
        return err_memory(err, out->file.header->parts * sizeof *out->part, "features");
    if (rc == 0) rc = parts_take(out, unit->documents, verified);
    return rc < 0 ? err_set(err, rc, "%s: a unit of features does not fit together; remove the work folder with "
                                     "--clean", stage_dir(job->run->stage)) : 0;
}

void features_close(struct features *features)
{
    unit_close(&features->file.file);
    free(features->part);
    *features = (struct features){ 0 };
}

static struct column_features features_of(const struct features_part *part, const struct features_row *row)
{
    return (struct column_features){ part->hash + row->feature_at, row->count_at == UINT64_MAX ? NULL
                                     : part->occurrence + row->count_at, row->distinct, row->total };
}

struct column_features features_find(const struct features *f, uint64_t index)
{
    const struct features_part *part;
    const struct features_row  *row;
    size_t                      low = 0, high = f->parts;

    while (high - low > 1) {                                /* of part `low` the first index is not behind it */
        const size_t middle = low + (high - low) / 2;

        if (f->part[middle].row->index <= index) low = middle;
        else high = middle;
    }
    if (!f->parts) return (struct column_features){ 0 };
    part = &f->part[low];
    row = &part->row[search_u64(part->row, sizeof *row, offsetof(struct features_row, index), 0, part->count, index)];
    if (row == part->row + part->count || row->index != index) return (struct column_features){ 0 };
    return features_of(part, row);
}

size_t features_count(const struct features *f) { return f->part->count; }

struct column_features features_at(const struct features *f, size_t n, uint64_t *index)
{
    *index = f->part->row[n].index;
    return features_of(f->part, &f->part->row[n]);
}
