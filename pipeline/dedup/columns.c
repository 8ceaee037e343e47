/* dedup/columns.c -- see columns.h: the scanner that fills rows and columns, and the way back to them. */
#include "dedup/columns.h"

#include "dedup/candidates.h"
#include "dedup/features.h"
#include "view/class.h"
#include "view/signature.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- what is brief ---- */

/* Features of up to so many take no more than a row with bands and sketch twice, and are not worth reading a shard
 * again. */
enum { BRIEF_ABOVE = 256 };
_Static_assert((int)BRIEF_ABOVE >= (int)SKETCH_MOST, "a brief document fills its sketch");

struct brief brief_of(const struct dedup_options *o)
{
    const struct border      border = border_of(o);
    const struct sketch_plan sketch = sketch_plan(o->threshold);
    struct brief             brief = { UINT32_MAX, o->bands, { 0, 0 } };

    if (o->containment.den || sketch.size == 0) return brief;
    brief.sketch = sketch;
    if (border.bands_from == UINT32_MAX) return brief;      /* all are compared by prefixes */
    brief.above = border.prefix_most > BRIEF_ABOVE ? border.prefix_most : BRIEF_ABOVE;
    return brief;
}

/* ---- numbers of records ---- */

/* A field as a number that keeps its order, 0 when there is none: doubles of either sign, and dates as ISO 8601 writes
 * them. */
static uint64_t order_of_double(double value)
{
    uint64_t bits;

    if (value != value) return 0;                           /* not a number */
    memcpy(&bits, &value, sizeof bits);
    bits = bits >> 63 ? ~bits : bits | 1ull << 63;
    return bits + !bits;
}

static uint64_t order_of_text(const char *text)
{
    int    year, month, day, hour = 0, minute = 0, read = 0;
    double second = 0, value;
    char  *end;

    /* most are numbers, of which scanning would first make a year */
    if (strchr(text, '-') && sscanf(text, "%4d-%2d-%2d%n", &year, &month, &day, &read) == 3 && read >= 8) {
        if (text[read] == 'T' || text[read] == ' ') sscanf(text + read + 1, "%2d:%2d:%lf", &hour, &minute, &second);
        /* an order, not a calendar */
        return order_of_double((((year * 13.0 + month) * 32 + day) * 24 + hour) * 3600 + minute * 60 + second);
    }
    value = strtod(text, &end);
    return end == text ? 0 : order_of_double(value);
}

static int order_of_field(const struct record *record, enum field field, struct bytes *scratch, uint64_t *out)
{
    char   text[64];
    size_t len;

    *out = 0;
    scratch->len = 0;
    if (!record->raw[field].at || !record_field(record, field, scratch)) return 0;
    if (!scratch->at) return -ENOMEM;
    len = scratch->len < sizeof text - 1 ? scratch->len : sizeof text - 1;
    memcpy(text, scratch->at, len);
    text[len] = '\0';
    *out = order_of_text(text);
    return 0;
}

/* ---- the scanner ---- */

/* texts kept of each part: those with the smallest hashes, so nobody's choice */
enum { SAMPLES = 4, SAMPLE_MOST = 64 << 10 };

struct sampled { uint64_t hash; size_t row; struct bytes text; };

/* A part that has so many features of long documents, and four times those of others, is brief about them at once: what
 * is likely to be dropped at its end need not be copied until then. */
enum { DROP_FROM = 16384, DROP_TIMES = 4 };

struct columnist {
    struct scanner          scanner;                        /* first: what the pass sees */
    const struct dedup_job *job;
    struct sampled          sampled[SAMPLES];               /* of the part at hand; row SIZE_MAX: free */
    struct bytes            scratch;
    struct multiset         features;
    struct brief            brief;
    uint64_t                many, few;                      /* features of the part's long documents, of the others */
    bool                    drops;                          /* the part is brief about its long documents */
    struct bytes            values, counts;                 /* of a part, as they were before that */
    struct signature_scheme scheme;
    uint32_t                lane[SIGNATURE_LANES_MAX];
    uint64_t                band[SIGNATURE_LANES_MAX];
};

static int columnist_strings(struct columnist *c, const struct document *document, struct part *part,
                             struct dedup_row *row)
{
    const struct record *record = document->record;
    bool keep_text = c->job->run->store_text && c->job->run->datasets[document->shard->dataset].role == ROLE_BENCHMARK;

    row->text = (struct heap_string){ 0, NO_STRING };
    if (keep_text && part_add_string(part, document->record->text, &row->text) < 0) return -ENOMEM;
    if (part_add_field(part, record, FIELD_ID, &row->source_id) < 0 ||
        part_add_field(part, record, FIELD_PATH, &row->path) < 0 ||
        part_add_field(part, record, FIELD_REPO, &row->repo) < 0 ||
            part_add_field(part, record, FIELD_LICENSE, &row->license) < 0) return -ENOMEM;
    if (order_of_field(record, FIELD_STARS, &c->scratch, &row->stars) < 0) return -ENOMEM;
    return order_of_field(record, FIELD_DATE, &c->scratch, &row->date);
}

static void columnist_begin(struct scanner *scanner)
{
    struct columnist *c = (struct columnist *)scanner;

    for (size_t i = 0; i < SAMPLES; i++) c->sampled[i].row = SIZE_MAX;
    c->many = c->few = 0;
    c->drops = false;
}

static int columnist_sample(struct columnist *c, struct slice text, uint64_t hash, size_t row)
{
    struct sampled *place = &c->sampled[0];

    for (size_t i = 0; i < SAMPLES; i++) {
        if (c->sampled[i].row != SIZE_MAX && c->sampled[i].hash == hash) return 0;      /* a copy says nothing new */
        if (c->sampled[i].row == SIZE_MAX || (place->row != SIZE_MAX && c->sampled[i].hash > place->hash))
            place = &c->sampled[i];
    }
    if (place->row != SIZE_MAX && place->hash <= hash) return 0;
    place->text.len = 0;
    place->hash = hash;
    place->row = row;
    return bytes_append_slice(&place->text, text);
}

/* Appends the features of an admitted document, or what stands for them; count: of its distinct features, where one
 * occurs more than once. */
static int columnist_add(struct columnist *c, struct part *part, struct dedup_row *row, const uint64_t *hash,
                         const uint32_t *count)
{
    struct bytes *values = &part->section[PART_VALUES], *counts = &part->section[PART_COUNTS];

    row->brief = c->drops && row->distinct > c->brief.above;
    row->feature_at = values->len / sizeof *hash;
    row->count_at = UINT64_MAX;
    if (row->brief) {
        signature_make(&c->scheme, hash, row->distinct, c->lane);
        signature_bands(&c->scheme, c->lane, c->band);
        return bytes_append(values, c->band, c->brief.bands * sizeof *c->band) < 0 ? -ENOMEM
            : bytes_append(values, hash, c->brief.sketch.size * sizeof *hash);
    }
    if (bytes_append(values, hash, row->distinct * sizeof *hash) < 0) return -ENOMEM;
    if (row->distinct == row->total) return 0;
    row->count_at = counts->len / sizeof *count;
    return bytes_append(counts, count, row->distinct * sizeof *count);
}

static void bytes_swap(struct bytes *a, struct bytes *b)
{
    const struct bytes was = *a;

    *a = *b;
    *b = was;
}

/* From here on the part is brief about its long documents: what it has of those before is made so. */
static int columnist_drop(struct columnist *c, struct part *part)
{
    struct bytes     *values = &part->section[PART_VALUES], *counts = &part->section[PART_COUNTS];
    struct dedup_row *row = (struct dedup_row *)(void *)part->section[PART_ROWS].at;
    const size_t      rows = part->section[PART_ROWS].len / sizeof *row;
    int               rc = 0;

    bytes_swap(values, &c->values);
    bytes_swap(counts, &c->counts);
    values->len = counts->len = 0;
    c->drops = true;
    for (size_t i = 0; i < rows && rc == 0; i++) {
        const uint64_t at = row[i].feature_at, count_at = row[i].count_at;

        if (!row[i].admitted) row[i].feature_at = values->len / sizeof(uint64_t);
        else
            rc = columnist_add(c, part, &row[i], (const uint64_t *)(const void *)c->values.at + at,
                               count_at == UINT64_MAX ? NULL : (const uint32_t *)(const void *)c->counts.at + count_at);
    }
    return rc;
}

static int columnist_features(struct columnist *c, struct part *part, struct dedup_row *row)
{
    const bool is_long = row->distinct > c->brief.above;

    if (!row->admitted) {
        row->feature_at = part->section[PART_VALUES].len / sizeof(uint64_t);
        return 0;
    }
    *(is_long ? &c->many : &c->few) += row->distinct;
    if (is_long && !c->drops && c->many > DROP_FROM + DROP_TIMES * c->few && columnist_drop(c, part) < 0)
        return -ENOMEM;
    return columnist_add(c, part, row, c->features.hash, c->features.count);
}

static int columnist_document(struct scanner *scanner, const struct document *document, struct part *part,
                              struct err *err)
{
    struct columnist    *c = (struct columnist *)scanner;
    const struct record *record = document->record;
    struct feature_list  features = document->features;
    struct content_hash  key;
    size_t               n;
    struct dedup_row     row = { .record = record->number, .raw = content_hash_raw(record->text),
                                 .bytes = record->text.len,
                                 .total = (uint32_t)features.count, .group = document->group,
                                     .admitted = document->admitted,
                                 .count_at = UINT64_MAX, .sample = { 0, NO_STRING } };

    if (columnist_strings(c, document, part, &row) < 0) return err_memory(err, record->text.len, "a part's strings");
    if (multiset_make(&c->features, features, err) < 0) return err->code;
    n = c->features.distinct;
    key = document->admitted ? class_hash(c->features.hash, c->features.count, n)
        : copy_hash(row.raw, document->language);
    row.class_low = key.low;
    row.class_high = key.high;
    row.distinct = (uint32_t)n;
    if (document->admitted && record->text.len <= SAMPLE_MOST &&
        columnist_sample(c, record->text, row.raw.low,
                         part->section[PART_ROWS].len / sizeof row) < 0) return err_memory(err, record->text.len,
                                 "a sample");
    if (columnist_features(c, part, &row) < 0) return err_memory(err, n * 8, "a part's features");
    return bytes_append(&part->section[PART_ROWS], &row, sizeof row) < 0 ? err_memory(err, sizeof row, "a part's rows")
        : 0;
}

static int columnist_end(struct scanner *scanner, struct part *part, struct err *err)
{
    struct columnist *c = (struct columnist *)scanner;

    if (!c->drops && !brief_keeps(c->many, c->few) && columnist_drop(c, part) < 0)
        return err_memory(err, c->values.len, "a part's features");
    for (size_t i = 0; i < SAMPLES; i++) {
        struct heap_string sample;

        if (c->sampled[i].row == SIZE_MAX) continue;
        if (part_add_string(part, bytes_slice(&c->sampled[i].text), &sample) < 0)
            return err_memory(err, c->sampled[i].text.len, "a part's strings");
        ((struct dedup_row *)(void *)part->section[PART_ROWS].at)[c->sampled[i].row].sample = sample;
    }
    return 0;
}

static void columnist_close(struct scanner *scanner)
{
    struct columnist *c = (struct columnist *)scanner;

    for (size_t i = 0; i < SAMPLES; i++) bytes_free(&c->sampled[i].text);
    bytes_free(&c->scratch);
    bytes_free(&c->values);
    bytes_free(&c->counts);
    multiset_free(&c->features);
    free(c);
}

static int columnist_open(void *shared, struct scanner **out, struct err *err)
{
    struct columnist *c = calloc(1, sizeof *c);

    *out = NULL;
    if (!c) return err_memory(err, sizeof *c, "a scanner");
    c->scanner = (struct scanner){ .begin = columnist_begin, .document = columnist_document, .end = columnist_end,
                                   .close = columnist_close };
    c->job = shared;
    c->brief = brief_of(c->job->options);
    if (c->brief.above < UINT32_MAX)
        signature_scheme_make(&c->scheme, c->brief.bands, c->job->options->rows, RECORDS_SEED);
    *out = &c->scanner;
    return 0;
}

/* ---- the pass ---- */

static bool takes_part(const void *shared, const struct dataset *dataset)
{
    const struct dedup_job *job = shared;

    for (size_t m = 0; m < job->member_count; m++)
        if (&job->run->datasets[job->member[m]] == dataset) return true;
    return false;
}

struct pass columns_frame(const struct dedup_job *job)
{
    const struct view_options *view = &job->options->view;
    const struct brief         brief = brief_of(job->options);
    const bool                 any = brief.above < UINT32_MAX;          /* else bands change nothing */
    uint64_t        number[] = { (uint64_t)view->kind, view->n, view->across_languages, view->published, view->backoff,
                                 job->options->min_tokens, job->run->store_text,
                                 COLUMNS_UNIT_BYTES, brief.above, any ? brief.bands : 0,
                                 any ? job->options->rows : 0, any ? brief.sketch.size : 0 };
    struct unit_key key =
        unit_key_add(unit_key_add((struct unit_key){ 0, 0 }, job->run->version, strlen(job->run->version)),
                                       number, sizeof number);

    return (struct pass){ .run = job->run,
                          .view = *view,
                          .want_fields = 1u << FIELD_STARS | 1u << FIELD_DATE, .unit_bytes = COLUMNS_UNIT_BYTES,
                              .scanner_count = 1,
                          .scanner = { { .kind = "columns", .key = key, .needs = PASS_FEATURES,
                                         .min_tokens = job->options->min_tokens,
                                         .takes = takes_part, .open = columnist_open,
                                             .shared = (void *)(uintptr_t)job } } };
}

int columns_pass(const struct dedup_job *job, struct pass *out, struct err *err)
{
    *out = columns_frame(job);
    return pass_take_shards(out, job->run->shards->count, err);
}

struct unit_key columns_shard_key(const struct dedup_job *job, uint32_t shard)
{
    struct pass pass = columns_frame(job);

    return pass_unit_key(job->run->datasets, pass.scanner[0].key, &job->run->shards->at[shard], 0);
}

/* ---- the catalogue ---- */

static int catalogue_add_shard(const struct dedup_job *job, const struct pass_scanner *scanner, uint32_t shard,
                               uint64_t *first, struct bytes *units,
                               struct err *err)
{
    struct pass_walk walk = pass_walk_shard(job->run, scanner, shard);
    uint64_t         number = 0;
    int              rc;

    walk.heads = true;
    for (; (rc = pass_walk_next(&walk, err)) > 0; number = walk.number) {
        const struct unit_header   *header = walk.unit.header;
        const struct catalogue_unit made = { .first = *first, .shard = shard, .number = number,
                                             .documents = header->documents, .rejected = header->rejected,
                                             .text_bytes = header->text_bytes, .bytes = walk.unit.file.bytes,
                                             .xxh3 = header->xxh3 };

        *first += header->documents;
        if (header->documents > made.bytes / sizeof(struct dedup_row))      /* what follows counts on it */
            rc = err_set(err, -EBADMSG, "%s: a unit of columns does not fit together; remove the work folder with "
                                        "--clean", stage_dir(job->run->stage));
        else if (bytes_append(units, &made, sizeof made) < 0) rc = err_memory(err, sizeof made, "the catalogue");
        if (rc < 0) break;
    }
    pass_walk_close(&walk);
    return rc;
}

static int catalogue_list(const struct dedup_job *job, struct bytes *units, struct err *err)
{
    struct pass pass = columns_frame(job);
    uint64_t    first = 0;
    int         rc = 0;

    for (uint32_t s = 0; s < job->run->shards->count && rc == 0; s++)
        if (takes_part(job, &job->run->datasets[job->run->shards->at[s].dataset]))
            rc = catalogue_add_shard(job, &pass.scanner[0], s, &first, units, err);
    return rc;
}

/* Takes the buffer over. */
static int catalogue_fill(const struct dedup_job *job, struct bytes *units, struct catalogue *out, struct err *err)
{
    *out = (struct catalogue){ .unit = (struct catalogue_unit *)(void *)units->at,
                               .count = units->len / sizeof *out->unit,
                               .dataset_first = calloc(job->run->dataset_count + 1, sizeof *out->dataset_first) };
    if (!out->dataset_first) {
        catalogue_free(out);
        return err_memory(err, job->run->dataset_count * 8, "the catalogue");
    }
    for (size_t u = out->count; u-- > 0;)
        out->dataset_first[job->run->shards->at[out->unit[u].shard].dataset] = out->unit[u].first;
    if (out->count) out->documents = out->unit[out->count - 1].first + out->unit[out->count - 1].documents;
    return 0;
}

int catalogue_read(struct dedup_job *job, struct catalogue *out, struct err *err)
{
    struct bytes units = { 0 };
    int          rc = catalogue_list(job, &units, err);

    *out = (struct catalogue){ 0 };
    if (rc == 0) return catalogue_fill(job, &units, out, err);
    bytes_free(&units);
    return rc;
}

int catalogue_make(struct dedup_job *job, struct catalogue *out, struct err *err)
{
    struct bytes units = { 0 };
    int          rc = comm_rank(job->run->comm) == 0 ? catalogue_list(job, &units, err) : 0;

    *out = (struct catalogue){ 0 };
    if ((rc = comm_agree(job->run->comm, rc, err)) == 0) rc = comm_broadcast(job->run->comm, &units, err);
    if (rc == 0) return comm_agree(job->run->comm, catalogue_fill(job, &units, out, err), err);
    bytes_free(&units);
    return rc;
}

void catalogue_free(struct catalogue *catalogue)
{
    free(catalogue->unit);
    free(catalogue->dataset_first);
    *catalogue = (struct catalogue){ 0 };
}

/* ---- units ---- */

static bool string_fits(struct heap_string s, struct slice heap)
{
    return s.len == NO_STRING || (s.at <= heap.len && s.len <= heap.len - s.at);
}

static bool row_fits(const struct brief *brief, const struct dedup_row *row, size_t groups, uint64_t values,
                     uint64_t counts, struct slice heap)
{
    const bool     may_be_brief = row->admitted && row->distinct > brief->above;
    const uint64_t n = !row->admitted ? 0 : row->brief ? brief->bands + (uint64_t)brief->sketch.size : row->distinct;

    if (row->admitted > 1 || row->brief > may_be_brief) return false;
    return row->group < groups && row->feature_at <= values && n <= values - row->feature_at &&
           (row->count_at == UINT64_MAX || (row->count_at <= counts && n <= counts - row->count_at)) &&
           string_fits(row->source_id, heap) && string_fits(row->path, heap) && string_fits(row->repo, heap) &&
               string_fits(row->license, heap) &&
           string_fits(row->text, heap) && string_fits(row->sample, heap);
}

/* A unit's numbers are believed only where they fit each other: whoever damages a file can also mend its checksum.
 * Once a process. */
static int columns_check(const struct dedup_job *job, struct column_unit *unit, bool verified, struct err *err)
{
    uint64_t parts = unit->file.header->parts, rows = 0;

    unit->part_first = malloc((parts + 1) * sizeof *unit->part_first);
    if (!unit->part_first) return err_memory(err, parts * sizeof *unit->part_first, "a unit's parts");
    for (uint64_t p = 0; p < parts; p++) {
        struct slice            section = pass_unit_section(&unit->file, p, PART_ROWS);
        const struct dedup_row *row = (const struct dedup_row *)section.at;
        uint64_t values = pass_unit_section(&unit->file, p, PART_VALUES).len / sizeof(uint64_t);
        uint64_t counts = pass_unit_section(&unit->file, p, PART_COUNTS).len / sizeof(uint32_t);
        struct slice             heap = pass_unit_section(&unit->file, p, PART_HEAP),
            of_groups = pass_unit_section(&unit->file, p, PART_GROUPS);
        const struct part_group *group = (const struct part_group *)of_groups.at;
        size_t                   groups = of_groups.len / sizeof *group;
        bool                     fits = true;

        unit->part_first[p] = (uint32_t)rows;
        for (size_t g = 0; !verified && fits && g < groups; g++)
            fits = string_fits((struct heap_string){ group[g].split_at, group[g].split_len }, heap) &&
                group[g].split_len != NO_STRING &&
                   string_fits((struct heap_string){ group[g].language_at, group[g].language_len }, heap) &&
                       group[g].language_len != NO_STRING;
        for (size_t i = 0; !verified && fits && i < section.len / sizeof *row; i++)
            fits = row_fits(&unit->brief, &row[i], groups, values, counts, heap);
        if (!fits)
            return err_set(err, -EBADMSG, "%s: a unit of columns does not fit together; remove the work folder with "
                                          "--clean", stage_dir(job->run->stage));
        rows += section.len / sizeof *row;
    }
    unit->part_first[parts] = (uint32_t)rows;
    unit->documents = rows;
    return 0;
}

int columns_load(const struct dedup_job *job, const struct catalogue *catalogue, size_t u, bool verified,
                 struct column_unit *out, struct err *err)
{
    const struct catalogue_unit *unit = &catalogue->unit[u];
    const struct shard          *shard = &job->run->shards->at[unit->shard];
    struct pass                  pass = columns_frame(job);
    int                          rc;

    *out = (struct column_unit){ .brief = brief_of(job->options) };
    rc = (verified ? stage_map : stage_load)(job->run->stage, pass.scanner[0].kind,
                                             pass_unit_key(job->run->datasets, pass.scanner[0].key, shard,
                                                           unit->number),
                                             &out->file.file, err);
    if (rc < 0) return rc;
    if (rc == 0)
        return err_set(err, -EIO, "%s: columns of it were damaged or have disappeared; the same command again makes "
                                  "them anew", shard->path);
    out->file.header = (const struct unit_header *)out->file.file.section[0].at;
    if (out->file.file.section[0].len != sizeof *out->file.header || out->file.header->parts > out->file.file.count ||
        out->file.file.count != 1 + out->file.header->parts * PART_SECTIONS)
        rc = err_set(err, -EBADMSG, "%s: a unit of columns does not have the expected layout; remove the work folder "
                                    "with --clean", stage_dir(job->run->stage));
    else rc = columns_check(job, out, verified, err);
    if (rc == 0 && out->documents != unit->documents)
        rc = err_set(err, -EBADMSG, "%s: a unit of columns has changed while the run was going on", shard->path);
    if (rc == 0) rc = features_load(job, "features", job->features_key, unit, verified, &out->again, err);
    if (rc < 0) columns_close(out);
    return rc < 0 ? rc : 0;
}

void columns_close(struct column_unit *unit)
{
    unit_close(&unit->file.file);
    features_close(&unit->again);
    free(unit->part_first);
    *unit = (struct column_unit){ 0 };
}

static uint64_t part_of_row(const struct column_unit *unit, uint64_t i)
{
    uint64_t low = 0, high = unit->file.header->parts;

    while (high - low > 1) {                                /* part_first[low] <= i < part_first[high] */
        uint64_t middle = low + (high - low) / 2;

        if (unit->part_first[middle] <= i) low = middle;
        else high = middle;
    }
    return low;
}

const struct dedup_row *columns_row(const struct column_unit *unit, uint64_t i, const char **heap)
{
    uint64_t part = part_of_row(unit, i);

    if (heap) *heap = pass_unit_section(&unit->file, part, PART_HEAP).at;
    return (const struct dedup_row *)pass_unit_section(&unit->file, part, PART_ROWS).at + (i - unit->part_first[part]);
}

/* The values of row i: its features, or its bands and its sketch. */
static const uint64_t *values_of(const struct column_unit *unit, uint64_t part, const struct dedup_row *row)
{
    return (const uint64_t *)pass_unit_section(&unit->file, part, PART_VALUES).at + row->feature_at;
}

struct column_features columns_features(const struct column_unit *unit, uint64_t i)
{
    const uint64_t          part = part_of_row(unit, i);
    const struct dedup_row *row = (const struct dedup_row *)pass_unit_section(&unit->file, part, PART_ROWS).at +
        (i - unit->part_first[part]);
    const uint32_t         *count = (const uint32_t *)pass_unit_section(&unit->file, part, PART_COUNTS).at;

    if (row->brief) return features_find(&unit->again, i);
    return (struct column_features){ values_of(unit, part, row), row->count_at == UINT64_MAX ? NULL
                                     : count + row->count_at, row->distinct, row->total };
}

const uint64_t *columns_bands(const struct column_unit *unit, uint64_t i)
{
    return values_of(unit, part_of_row(unit, i), columns_row(unit, i, NULL));
}

struct sketch columns_sketch(const struct column_unit *unit, uint64_t i)
{
    const uint64_t          part = part_of_row(unit, i);
    const struct dedup_row *row = (const struct dedup_row *)pass_unit_section(&unit->file, part, PART_ROWS).at +
        (i - unit->part_first[part]);
    const uint64_t         *value = values_of(unit, part, row);
    const uint32_t          most = unit->brief.sketch.size;

    if (row->brief) return (struct sketch){ value + unit->brief.bands, most };
    return (struct sketch){ value, most && most < row->distinct ? most : row->distinct };
}

void columns_expect(const struct column_unit *unit, uint64_t i) { __builtin_prefetch(columns_row(unit, i, NULL)); }

void columns_expect_features(const struct column_unit *unit, uint64_t i)
{
    const char *at = (const char *)columns_features(unit, i).hash;

    __builtin_prefetch(at);                                 /* what follows the hardware foresees */
    __builtin_prefetch(at + 64);
}

const struct part_group *columns_groups(const struct column_unit *unit, uint64_t part, size_t *count, const char **heap)
{
    struct slice section = pass_unit_section(&unit->file, part, PART_GROUPS);

    *count = section.len / sizeof(struct part_group);
    *heap = pass_unit_section(&unit->file, part, PART_HEAP).at;
    return (const struct part_group *)section.at;
}

const struct part_group *columns_group(const struct column_unit *unit, uint64_t i)
{
    return (const struct part_group *)pass_unit_section(&unit->file, part_of_row(unit, i), PART_GROUPS).at +
        columns_row(unit, i, NULL)->group;
}
