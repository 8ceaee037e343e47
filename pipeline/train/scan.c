/* train/scan.c -- the pass of a training: every part as numbers into a vocabulary of its own, and the list of the
 * units. */
#include "train/private.h"

#include "base/file.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

/* ---- the scanner ---- */

enum { SHORT_PIECE = 16, SHORT_BITS = 12 };

/* A short piece is a number itself, of two words.  Those that were met last are found without the table. */
struct short_piece { uint64_t low, high; uint32_t len, number; };

struct numberer { struct scanner scanner; struct table table; struct short_piece recent[1 << SHORT_BITS]; };

static void number_begin(struct scanner *scanner)
{
    struct numberer *n = (struct numberer *)scanner;

    table_clear(&n->table);
    memset(n->recent, 0, sizeof n->recent);
}

/* Place + 1 of a piece in the part's vocabulary; 0: memory is out. */
static uint32_t number_look_up(struct numberer *n, struct slice piece, struct part *part)
{
    struct bytes   *rows = &part->section[PART_ROWS], *heap = &part->section[PART_HEAP];
    struct unit_key hash = train_hash(piece);
    bool            added;
    uint32_t        at = table_put(&n->table, hash.low, hash.high, (uint32_t)(rows->len / sizeof(struct train_entry)),
                                   &added);

    if (at == TABLE_NONE) return 0;
    if (added && (heap->len + piece.len > UINT32_MAX ||
                  bytes_append(rows, &(struct train_entry){ (uint32_t)heap->len, 0 }, sizeof(struct train_entry)) < 0 ||
                  bytes_append_slice(heap, piece) < 0)) return 0;
    return at + 1;
}

/* The same, and counts it.  BYTES_PAD bytes behind the piece are readable. */
static uint32_t number_of(struct numberer *n, struct slice piece, struct part *part)
{
    uint32_t number;

    if (piece.len > SHORT_PIECE) number = number_look_up(n, piece, part);
    else {
        struct short_piece *recent;
        uint64_t            low, high;

        memcpy(&low, piece.at, sizeof low);
        memcpy(&high, piece.at + sizeof low, sizeof high);
        low &= piece.len < 8 ? ~0ull >> (64 - 8 * piece.len) : ~0ull;
        high &= piece.len > 8 ? ~0ull >> (128 - 8 * piece.len) : 0;
        recent = &n->recent[((low ^ high * 0xD6E8FEB86659FD93u) * 0x9E3779B97F4A7C15u) >> (64 - SHORT_BITS)];
        if (recent->low != low || recent->high != high || recent->len != piece.len) {
            number = number_look_up(n, piece, part);
            *recent = (struct short_piece){ low, high, number ? (uint32_t)piece.len : 0, number };
        } else number = recent->number;
    }
    if (number) ((struct train_entry *)(void *)part->section[PART_ROWS].at)[number - 1].count++;
    return number;
}

static int number_document(struct scanner *scanner, const struct document *document, struct part *part, struct err *err)
{
    struct numberer *n = (struct numberer *)scanner;
    struct bytes    *values = &part->section[PART_VALUES];
    struct slice     text = document->record->text;
    uint32_t         value[256];
    size_t           count = 0;

    for (size_t at = 0, len; at < text.len; at += len) {
        len = lm_piece(text.at + at, text.len - at);
        value[count] = number_of(n, (struct slice){ text.at + at, len }, part);
        if (!value[count]) return err_memory(err, part->section[PART_HEAP].len, "a part's vocabulary");
        if (++count < sizeof value / sizeof *value) continue;
        if (bytes_append(values, value, sizeof value) < 0) return err_memory(err, values->len, "a part's pieces");
        count = 0;
    }
    value[count++] = 0;
    return bytes_append(values, value, count * sizeof *value) < 0 ? err_memory(err, values->len, "a part's pieces") : 0;
}

static int number_end(struct scanner *scanner, struct part *part, struct err *err)
{
    struct bytes   *values = &part->section[PART_VALUES];
    size_t          count = values->len / sizeof(uint32_t);
    const uint32_t *wide = (const uint32_t *)(const void *)values->at;
    uint16_t       *narrow = (uint16_t *)(void *)values->at;

    (void)scanner;
    (void)err;
    if (!train_is_narrow(part->section[PART_ROWS].len / sizeof(struct train_entry))) return 0;
    for (size_t i = 0; i < count; i++) {
        uint32_t value;

        memcpy(&value, wide + i, sizeof value);             /* of another type than what is written over it */
        memcpy(narrow + i, &(uint16_t){ (uint16_t)value }, sizeof *narrow);
    }
    values->len = count * sizeof *narrow;
    return 0;
}

static void number_close(struct scanner *scanner)
{
    table_free(&((struct numberer *)scanner)->table);
    free(scanner);
}

static int number_open(void *shared, struct scanner **out, struct err *err)
{
    struct numberer *n = calloc(1, sizeof *n);

    (void)shared;
    *out = NULL;
    if (!n) return err_memory(err, sizeof *n, "a scanner");
    n->scanner = (struct scanner){ .begin = number_begin, .document = number_document, .end = number_end,
                                   .close = number_close };
    *out = &n->scanner;
    return 0;
}

struct pass_scanner train_scanner(const struct train_job *job)
{
    return (struct pass_scanner){ .kind = "train", .key = unit_key_add((struct unit_key){ 0, 0 }, job->run->version,
                                                                       strlen(job->run->version)),
                                                                           .needs = PASS_RECORDS,
                                  .open = number_open };
}

/* ---- its units ---- */

static int unit_broken(const struct train *t, size_t unit, struct err *err)
{
    return err_set(err, -EBADMSG, "%s: a unit of %s does not have the expected layout; remove the work folder with "
                                  "--clean", stage_dir(t->job->run->stage),
                   t->job->run->shards->at[t->unit[unit].shard].path);
}

int train_unit_open(const struct train *t, size_t unit, bool first, struct unit *out, struct err *err)
{
    const struct shard       *shard = &t->job->run->shards->at[t->unit[unit].shard];
    struct unit_key           key = pass_unit_key(t->job->run->datasets, t->pass.scanner[0].key, shard,
                                                  t->unit[unit].number);
    const struct unit_header *header;
    int                       rc = first ? stage_load(t->job->run->stage, t->pass.scanner[0].kind, key, out, err)
                                         : stage_map(t->job->run->stage, t->pass.scanner[0].kind, key, out, err);

    if (rc == 0)
        rc = err_set(err, -EIO, "%s: a unit of it has disappeared; the same command again makes it anew", shard->path);
    if (rc < 0) return rc;
    header = (const struct unit_header *)(const void *)out->section[0].at;
    if (out->count && out->section[0].len == sizeof *header && out->count == 1 + header->parts * PART_SECTIONS)
        return 0;
    unit_close(out);
    return unit_broken(t, unit, err);
}

size_t train_unit_parts(const struct unit *unit) { return (unit->count - 1) / PART_SECTIONS; }

int train_part_open(const struct unit *unit, size_t p, struct train_part *out, struct err *err)
{
    const size_t       parts = train_unit_parts(unit);
    const struct slice rows = unit->section[pass_section_at(parts, p, PART_ROWS)],
        values = unit->section[pass_section_at(parts, p, PART_VALUES)];

    *out = (struct train_part){ .entry = (const struct train_entry *)(const void *)rows.at,
                                .entries = rows.len / sizeof *out->entry,
                                .heap = unit->section[pass_section_at(parts, p, PART_HEAP)], .value = values.at };
    out->narrow = train_is_narrow(out->entries);
    out->values = values.len / (out->narrow ? sizeof(uint16_t) : sizeof(uint32_t));
    for (size_t i = 0; i < out->entries; i++)
        if (out->entry[i].at > (i + 1 < out->entries ? out->entry[i + 1].at : out->heap.len))
            return err_set(err, -EBADMSG, "a unit of the training does not have the expected layout; remove the work "
                                          "folder with --clean");
    return 0;
}

static int units_list(struct train *t, struct err *err)
{
    struct pass_walk walk = pass_walk_all(t->job->run, &t->pass.scanner[0]);
    uint64_t         number = 0;
    int              rc;

    walk.heads = true;
    for (; (rc = pass_walk_next(&walk, err)) > 0; number = walk.number) {
        if (ARRAY_GROW(t->unit, t->unit_room, t->unit_count) < 0) {
            rc = err_memory(err, t->unit_count * sizeof *t->unit, "the list of units");
            break;
        }
        t->unit[t->unit_count++] = (struct train_unit){ .shard = walk.unit.shard, .number = number };
        t->documents += walk.unit.header->documents;
        t->rejected += walk.unit.header->rejected;
        t->text_bytes += walk.unit.header->text_bytes;
    }
    pass_walk_close(&walk);
    return rc;
}

int train_list(struct train *t, struct err *err)
{
    return comm_agree(t->job->run->comm, units_list(t, err), err);
}

/* ---- what was not used ---- */

static int rejects_print(const struct train *t, size_t u, struct bytes *out, struct err *err)
{
    const struct shard *shard = &t->job->run->shards->at[t->unit[u].shard];
    struct unit         unit;
    int                 rc = train_unit_open(t, u, true, &unit, err);

    if (rc < 0) return rc;
    for (size_t p = 0; rc == 0 && p < train_unit_parts(&unit); p++) {
        struct slice         section = unit.section[pass_section_at(train_unit_parts(&unit), p, PART_REJECTS)];
        const struct reject *reject = (const struct reject *)(const void *)section.at;

        for (size_t i = 0; rc == 0 && i < section.len / sizeof *reject; i++)
            if (!reject_is_skip(&reject[i]) &&
                bytes_printf(out, "%s\t%s\t%llu\t%llu\t%s\t%.*s\n", t->job->run->datasets[shard->dataset].name,
                             shard->name,
                             (unsigned long long)reject[i].record,
                             (unsigned long long)reject[i].byte, reject_names[reject[i].reason % REJECT_REASON_COUNT],
                                 (int)sizeof reject[i].detail,
                             reject[i].detail) < 0) rc = err_memory(err, out->len, "the list of rejects");
    }
    unit_close(&unit);
    return rc;
}

int train_write_rejects(const struct train *t, const char *path, struct err *err)
{
    struct bytes out = { 0 }, name = { 0 };
    int          rc = bytes_printf(&name, "%s.rejects.tsv", path) < 0 ||
        bytes_printf(&out, "dataset\tshard\trecord\tbyte\treason\tdetail\n") < 0
                          ? err_memory(err, strlen(path), "the list of rejects") : 0;

    for (size_t u = 0; u < t->unit_count && rc == 0 && t->rejected; u++) rc = rejects_print(t, u, &out, err);
    if (rc == 0 && t->rejected) rc = file_write(name.at, bytes_slice(&out), err);
    else if (rc == 0 && unlink(name.at) < 0 && errno != ENOENT)
        rc = err_set(err, -EIO, "%s: %s", name.at, strerror(errno));
    bytes_free(&out);
    bytes_free(&name);
    return rc;
}
