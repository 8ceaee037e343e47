/* tests/parts.h -- a shard read as readers do who divide its units: what is in them must be what one reader finds who
 * reads them all. */
#ifndef LEAKGRAPH_TESTS_PARTS_H
#define LEAKGRAPH_TESTS_PARTS_H

#include "corpus/record.h"
#include "corpus/source.h"

#include <stdlib.h>

enum { PARTS_MAX = 4 };

/* hash[i]: of records and rejects of units i, i + parts, ..., in any order, as where batches end is the reader's
 * affair; passed: records of stretches that were passed over; last: the last batch's unit; asked: whether the hash is
 * wanted; xxh3: of the file, 0 where it was not; read: bytes of it at the end. */
struct parts_seen { uint64_t hash[PARTS_MAX], passed, xxh3, read; uint32_t last; bool asked; };

struct parts_reader { uint32_t part, parts; bool asked, hashed; };      /* part == parts: reads them all */

static bool parts_wanted(void *context, const struct stretch *stretch)
{
    struct parts_reader *reader = context;
    bool                 wanted = false;

    for (uint64_t i = 0; i <= stretch->last_unit - stretch->first_unit && i < PARTS_MAX; i++)
        wanted |= (stretch->first_unit + i) % reader->parts == reader->part;
    if (!stretch->records) reader->hashed = wanted, reader->asked = true;
    return wanted;
}

enum { PARTS_HASH = 1469598103 };

static void parts_add(uint64_t *hash, const void *at, size_t len)
{
    for (size_t i = 0; i < len; i++) *hash = (*hash ^ ((const unsigned char *)at)[i]) * 0x100000001B3ull;
}

/* Where the units begin, of a sound file of lines that can be entered; of another one NULL. */
static struct source_start *parts_starts(const struct dataset *dataset, const struct shard *shard, uint64_t unit_bytes,
                                         uint64_t *units, struct err *err)
{
    struct source_start *start = NULL;
    struct frame        *frame;
    size_t               frames;
    uint64_t             records;
    int                  rc = source_frames(&frame, &frames, dataset, shard, err);
    bool                 sound = true;

    for (size_t f = 0; f < frames && rc > 0; f++)           /* what headers tell is not measured */
        if (frame[f].bytes == FRAME_UNMEASURED) rc = source_measure(&frame[f], 1, shard, err);
    if (rc > 0 && source_starts(&start, units, frame, frames, shard->bytes, unit_bytes, err) < 0) abort();
    free(frame);
    for (uint64_t u = 0; start && u < *units; u++) {
        rc = source_count_unit(&records, dataset, shard, unit_bytes, u, &start[u], err);
        if (rc < 0) abort();
        sound &= rc > 0;
        start[u + 1].record = start[u].record + records;
    }
    if (sound) return start;
    free(start);
    return NULL;
}

/* 0, or <0 as source_open and source_next say. */
static int parts_read(struct parts_seen *out, const struct dataset *dataset, const struct shard *shard,
                      uint64_t unit_bytes, uint32_t part, uint32_t parts, struct err *err)
{
    struct parts_reader reader = { part, parts, false, true };
    struct batch        batch = { .want_fields = 1u << FIELD_TOKENS };
    struct record       record;
    struct source      *source;
    struct source_start *starts = NULL;
    uint64_t            next = 0, units;
    int                 rc = source_open(&source, dataset, shard, err);

    *out = (struct parts_seen){ .last = 0 };
    if (rc < 0) return rc;
    source_set_unit_bytes(source, unit_bytes);
    if (part < parts) {
        source_set_wants(source, parts_wanted, &reader);
        if ((starts = parts_starts(dataset, shard, unit_bytes, &units, err)) != NULL)
            source_set_starts(source, starts, units);
    }
    while ((rc = source_next(source, &batch, err)) > 0) {
        uint64_t  ignored = 0;
        uint64_t *hash = part == parts || batch.unit % parts == part ? &out->hash[batch.unit % parts] : &ignored;

        out->passed += batch.first_record - next;
        next = batch.first_record + batch.record_count;
        out->last = batch.unit;
        while ((rc = batch_next(&batch, &record, err)) > 0) {
            const uint64_t told[] = { record.number, record.byte, batch.unit, batch.piece };
            uint64_t       one = PARTS_HASH;

            parts_add(&one, told, sizeof told);
            parts_add(&one, record.text.at, record.text.len);
            *hash += one;
        }
        if (rc < 0) break;
        for (size_t i = 0; i < batch.rejects.count; i++) {
            const struct reject *reject = &batch.rejects.at[i];
            const uint64_t       told[] = { reject->record, reject->byte, reject->records, reject->bytes,
                                            reject->missing, (uint64_t)reject->reason, batch.unit, batch.piece };

            uint64_t             one = PARTS_HASH;

            parts_add(&one, told, sizeof told);
            *hash += one;
        }
    }
    out->xxh3 = rc == 0 && reader.hashed ? source_xxh3(source) : 0;
    out->asked = reader.asked;
    out->read = source_bytes_read(source);
    batch_free(&batch);
    source_close(source);
    free(starts);
    return rc;
}

/* Whether those who read a part of the units each find in them what he finds who reads them all, and the hash where it
 * is theirs: NULL, or what differs.  *rc: as he has it; where that is <0 nobody else reads.  *passed: the records that
 * they passed over are added. */
static const char *parts_differ(const struct dataset *dataset, const struct shard *shard, uint64_t unit_bytes,
                                uint32_t parts, uint64_t *passed, int *rc)
{
    struct parts_seen whole, seen;
    struct err        err = { 0 };

    if ((*rc = parts_read(&whole, dataset, shard, unit_bytes, parts, parts, &err)) < 0) return NULL;
    if (whole.passed || whole.read != shard->bytes) return "he who has all units does not read all";
    for (uint32_t part = 0; part < parts; part++) {
        const bool last = whole.last % parts == part;

        if (parts_read(&seen, dataset, shard, unit_bytes, part, parts, &err) < 0) return "a part cannot be read";
        if (seen.hash[part] != whole.hash[part]) return "records or rejects";
        if (seen.read != whole.read) return "bytes read";
        if (last && seen.last != whole.last) return "the last unit";
        if (seen.xxh3 != (!seen.asked || last ? whole.xxh3 : 0)) return "the file's hash";
        *passed += seen.passed;
    }
    return NULL;
}

#endif
