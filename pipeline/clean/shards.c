/* clean/shards.c -- shards written again from what was chosen: see clean_private.h.
 *
 * Rank 0 tells all ranks which records are meant; a pass over the shards packs what stays, a frame a batch, and when
 * all units of the shards that go to a file are there their frames become it.  The units' key holds the list of what is
 * chosen, so that they never meet another rule. */
#include "clean/clean_private.h"

#include "base/outputs.h"
#include "base/search.h"
#include "corpus/cleaned.h"
#include "corpus/writer.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- what is chosen ---- */

int choices_add(struct clean_choices *choices, const struct clean_choice *choice, struct slice why, struct slice match)
{
    uint64_t why_at = choices->why.len, match_at = choices->match.len;

    if (bytes_append(&choices->choice, choice, sizeof *choice) < 0 ||
        bytes_append(&choices->why_at, &why_at, sizeof why_at) < 0 ||
        bytes_append(&choices->match_at, &match_at, sizeof match_at) < 0 ||
        bytes_append_slice(&choices->why, why) < 0)
        return -ENOMEM;
    return bytes_append_slice(&choices->match, match);
}

static struct slice text_of(const struct bytes *text, const struct bytes *places, size_t i)
{
    const uint64_t *at = (const void *)places->at;
    const size_t    count = places->len / sizeof *at;

    return (struct slice){ text->at + at[i], (i + 1 < count ? at[i + 1] : text->len) - at[i] };
}

struct slice choices_why(const struct clean_choices *choices, size_t i)
{
    return text_of(&choices->why, &choices->why_at, i);
}

struct slice choices_match(const struct clean_choices *choices, size_t i)
{
    return text_of(&choices->match, &choices->match_at, i);
}

void choices_free(struct clean_choices *choices)
{
    bytes_free(&choices->choice);
    bytes_free(&choices->span);
    bytes_free(&choices->why);
    bytes_free(&choices->why_at);
    bytes_free(&choices->match);
    bytes_free(&choices->match_at);
}

static int by_place(const void *a, const void *b)
{
    const struct clean_choice *x = a, *y = b;

    if (x->shard != y->shard) return x->shard < y->shard ? -1 : 1;
    return (x->record > y->record) - (x->record < y->record);
}

/* Choices in the shards before this one. */
static size_t choices_before(const struct clean_shards *shards, uint64_t shard)
{
    return search_u64(shards->choice, sizeof *shards->choice, offsetof(struct clean_choice, shard), 0, shards->count,
                      shard);
}

/* ---- the scanner ---- */

struct cleaner {
    struct scanner             scanner;                     /* first: what the pass sees */
    const struct clean_shards *shards;
    struct packer             *packer;
    struct clone_lines         lines;
    struct bytes               spans, scratch;
    struct bytes               text;                        /* what stays of the part */
};

static void cleaner_begin(struct scanner *scanner) { ((struct cleaner *)scanner)->text.len = 0; }

static int row_add(const struct document *document, struct clean_row row, struct slice spans, struct part *part,
                   struct err *err)
{
    row.record = document->record->number;
    row.group = document->group;
    if (part_add_field(part, document->record, FIELD_ID, &row.source_id) < 0 ||
        part_add_field(part, document->record, FIELD_PATH, &row.path) < 0 ||
        part_add_string(part, spans, &row.spans) < 0 ||
        bytes_append(&part->section[PART_ROWS], &row, sizeof row) < 0) return err_memory(err, sizeof row,
                "a part's rows");
    return 0;
}

static int write_whole(struct cleaner *c, const struct record *record, struct err *err)
{
    return cleaned_record(&c->text, record, 0) < 0 ? err_memory(err, record->text.len, "a cleaned shard") : 0;
}

static bool is_blank(struct slice text)
{
    for (size_t i = 0; i < text.len; i++)
        if (!memchr(" \t\n\v\f\r", text.at[i], 6)) return false;
    return true;
}

/* What has no text left is no record. */
static int write_cut(struct cleaner *c, const struct document *document, struct slice spans, struct part *part,
                     struct err *err)
{
    struct clean_row row = { 0 };
    const size_t     before = c->text.len;

    if (cut_record(&c->text, document->record, (const void *)spans.at, spans.len / sizeof(struct clean_span),
                   &c->scratch, &row.bytes) < 0)
        return err_memory(err, document->record->text.len, "a cleaned shard");
    if (is_blank(bytes_slice(&c->scratch))) {
        c->text.len = before;
        row.bytes = document->record->text.len;
        row.emptied = 1;
    }
    return row_add(document, row, spans, part, err);
}

static int has_changed(const struct record *record, struct err *err)
{
    return err_set(err, -EIO, "has changed while the run was going on (the text of record %llu is another one): the "
                              "same command again reads it anew",
                   (unsigned long long)record->number);
}

/* Spans of significant lines become spans of all lines. */
static int write_blocks(struct cleaner *c, const struct document *document, struct slice spans, struct part *part,
                        struct err *err)
{
    const struct record     *record = document->record;
    const struct clean_span *block = (const void *)spans.at;

    c->spans.len = 0;
    if (clone_lines_read(&c->lines, record->text, (enum clone_normal)c->shards->job->clones->options->normal) < 0)
        return err_memory(err, record->text.len, "the lines of a document");
    for (size_t i = 0; i < spans.len / sizeof *block; i++) {
        struct clean_span span;

        if (block[i].last >= c->lines.count) return has_changed(record, err);
        span = (struct clean_span){ c->lines.at[block[i].first].number, c->lines.at[block[i].last].number };
        if (bytes_append(&c->spans, &span, sizeof span) < 0)
            return err_memory(err, sizeof span, "the blocks of a document");
    }
    return write_cut(c, document, bytes_slice(&c->spans), part, err);
}

static int cleaner_document(struct scanner *scanner, const struct document *document, struct part *part,
                            struct err *err)
{
    struct cleaner            *c = (struct cleaner *)scanner;
    const struct clean_shards *shards = c->shards;
    const struct record       *record = document->record;
    const struct clean_choice  key = { .shard = (uint64_t)(document->shard - shards->pass.run->shards->at),
                                       .record = record->number };
    const struct clean_choice *choice = shards->count
        ? bsearch(&key, shards->choice, shards->count, sizeof key, by_place) : NULL;
    const struct clean_span   *span = (const void *)shards->choices.span.at;
    struct slice               spans = { 0 };
    struct content_hash        hash;
    int                        rc;

    if (choice && shards->action != CLEAN_CUT_BLOCKS) {
        hash = content_hash_raw(record->text);
        if (hash.low != choice->hash.low || hash.high != choice->hash.high) return has_changed(record, err);
    }
    if (!choice) return shards->action == CLEAN_TAKE ? 0 : write_whole(c, record, err);
    if (choice->span_count)
        spans = (struct slice){ (const char *)(span + choice->span_at), choice->span_count * sizeof *span };
    if (shards->action == CLEAN_CUT) return write_cut(c, document, spans, part, err);
    if (shards->action == CLEAN_CUT_BLOCKS) return write_blocks(c, document, spans, part, err);
    rc = shards->action == CLEAN_TAKE ? write_whole(c, record, err) : 0;
    return rc < 0 ? rc : row_add(document, (struct clean_row){ .bytes = record->text.len }, (struct slice){ 0 }, part,
                                 err);
}

static int cleaner_end(struct scanner *scanner, struct part *part, struct err *err)
{
    struct cleaner *c = (struct cleaner *)scanner;

    return c->text.len ? packer_frame(c->packer, bytes_slice(&c->text), &part->section[PART_VALUES], err) : 0;
}

static void cleaner_close(struct scanner *scanner)
{
    struct cleaner *c = (struct cleaner *)scanner;

    packer_close(c->packer);
    clone_lines_free(&c->lines);
    bytes_free(&c->spans);
    bytes_free(&c->scratch);
    bytes_free(&c->text);
    free(c);
}

static int cleaner_open(void *shared, struct scanner **out, struct err *err)
{
    const struct clean_shards *shards = shared;
    struct cleaner            *c = calloc(1, sizeof *c);
    int                        rc = c ? 0 : err_memory(err, sizeof *c, "a scanner");

    *out = NULL;
    if (rc == 0) rc = packer_open(&c->packer, (int)shards->output->level, err);
    if (rc < 0) {
        free(c);
        return rc;
    }
    c->scanner = (struct scanner){ .begin = cleaner_begin, .document = cleaner_document, .end = cleaner_end,
                                   .close = cleaner_close };
    c->shards = shards;
    *out = &c->scanner;
    return 0;
}

static bool cleaner_takes(const void *shared, const struct dataset *dataset)
{
    const struct clean_shards *shards = shared;

    return shards->output->member[dataset - shards->job->run->datasets];
}

/* ---- units into files ---- */

/* Appends the frames of all units of a shard. */
static int append_units(const struct clean_shards *shards, uint32_t s, struct writer *writer, struct err *err)
{
    struct pass_walk walk = pass_walk_shard(shards->job->run, &shards->pass.scanner[0], s);
    const uint64_t   wanted = choices_before(shards, s + (uint64_t)1) - choices_before(shards, s);
    uint64_t         rows = 0;
    int              rc;

    while ((rc = pass_walk_next(&walk, err)) > 0) {
        for (uint64_t p = 0; p < walk.unit.header->parts && rc > 0; p++) {
            rows += pass_unit_section(&walk.unit, p, PART_ROWS).len / sizeof(struct clean_row);
            if (writer_append(writer, pass_unit_section(&walk.unit, p, PART_VALUES), err) < 0) rc = err->code;
        }
        if (rc < 0) break;
    }
    pass_walk_close(&walk);
    if (rc == 0 && rows != wanted)
        rc = err_set(err, -EIO, "has changed while the run was going on (%llu of %llu chosen records were met again): "
                                "the same command again reads it anew",
                     (unsigned long long)rows, (unsigned long long)wanted);
    return rc;
}

static int file_place(const struct clean_shards *shards, const struct cleaned_file *file, char place[FILE_NAME_MAX],
                      struct err *err)
{
    if ((size_t)snprintf(place, FILE_NAME_MAX, "cleaned/%s/%s", shards->folder, file->name) >= FILE_NAME_MAX)
        return err_set(err, -ENAMETOOLONG, "%.80s...: name too long", file->name);
    return 0;
}

/* All units of its shards are committed: they become the file, or none when nothing stays.  last: the shard that an
 * error names already. */
static int file_write_units(const struct clean_shards *shards, const struct cleaned_file *file, size_t last,
                            struct err *err)
{
    struct writer  *writer;
    struct file_sum sum;
    char            place[FILE_NAME_MAX];
    int             rc = file_place(shards, file, place, err);

    if (rc == 0) rc = writer_open(&writer, shards->job->run->output, place, err);
    if (rc < 0) return rc;
    if (file->count > 1) rc = writer_join(writer, (int)shards->output->level, err);
    for (size_t s = file->first; s < file->first + file->count && rc == 0; s++) {
        rc = append_units(shards, (uint32_t)s, writer, err);
        if (rc < 0 && s != last)
            err_add(err, "%s, which is written with it", shards->job->run->shards->at[s].path);
    }
    if (rc < 0) {
        writer_abandon(writer);
        return rc;
    }
    rc = writer_commit(writer, &sum, err);
    return rc > 0 ? outputs_wrote(shards->job->run->stage, place, &sum, err) : rc;
}

static int shard_done(void *shared, const struct shard *shard, struct err *err)
{
    struct clean_shards *shards = shared;
    const size_t         s = (size_t)(shard - shards->pass.run->shards->at);

    return cleaned_files_done(&shards->files, s)
        ? file_write_units(shards, &shards->files.at[shards->files.of[s]], s, err) : 0;
}

/* ---- the whole ---- */

static struct unit_key shards_key(const struct clean_shards *shards)
{
    const uint64_t  number[] = { shards->output->level, packer_version(), (uint64_t)shards->action };
    struct unit_key key = unit_key_add((struct unit_key){ 0, 0 }, number, sizeof number);

    key = unit_key_add(key, shards->job->run->version, strlen(shards->job->run->version));
    key = unit_key_add(key, shards->choices.choice.at, shards->choices.choice.len);
    key = unit_key_add(key, shards->choices.span.at, shards->choices.span.len);
    return shards->action == CLEAN_CUT_BLOCKS ? unit_key_add(key, &shards->job->clones->options->normal, sizeof(int))
        : key;
}

/* Rank 0. */
static int files_claim(const struct clean_shards *shards, struct err *err)
{
    const size_t count = shards->files.count;
    char       **place = calloc(count + 1, sizeof *place), one[FILE_NAME_MAX], folder[280];
    int          rc = place ? 0 : err_memory(err, count * sizeof *place, "the list of files");

    for (size_t f = 0; f < count && rc == 0; f++) {
        rc = file_place(shards, &shards->files.at[f], one, err);
        if (rc == 0 && !(place[f] = strdup(one))) rc = err_memory(err, strlen(one), "the list of files");
    }
    snprintf(folder, sizeof folder, "cleaned/%s/", shards->folder);
    if (rc == 0)
        rc = outputs_renew(shards->job->run->stage, folder, (const char *const *)place, NULL, count, err);
    for (size_t f = 0; place && f < count; f++) free(place[f]);
    free(place);
    return rc;
}

int shards_write(struct clean_shards *shards, struct err *err)
{
    const struct clean_job *job = shards->job;
    int                     rc = cleaned_files_make(&shards->files, job->run->shards, job->run->datasets,
                                                    shards->output->member, shards->output->shard_size, err);

    if (rc == 0 && comm_rank(job->run->comm) == 0) rc = files_claim(shards, err);
    rc = comm_agree(job->run->comm, rc, err);
    if (rc == 0) rc = comm_broadcast(job->run->comm, &shards->choices.choice, err);
    if (rc == 0) rc = comm_broadcast(job->run->comm, &shards->choices.span, err);
    if (rc < 0) return rc;
    shards->choice = (const struct clean_choice *)(const void *)shards->choices.choice.at;
    shards->count = shards->choices.choice.len / sizeof *shards->choice;
    shards->pass = (struct pass){ .run = job->run, .bundle = shards->files.of, .scanner_count = 1,
                                  .want_fields = FIELDS_ON_DEMAND, .stage = "clean: writing shards" };
    shards->pass.scanner[0] = (struct pass_scanner){ .kind = "cleaned", .key = shards_key(shards), .needs = PASS_GROUPS,
                                                     .takes = cleaner_takes, .open = cleaner_open,
                                                     .shard_done = shard_done, .shared = shards };
    return pass_stream(&shards->pass, job->run->shards->count, err);
}

void shards_free(struct clean_shards *shards)
{
    choices_free(&shards->choices);
    cleaned_files_free(&shards->files);
}
