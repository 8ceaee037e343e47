/* pass/open_unit.c -- units under way: which are there already, which wait for parts, which are committed. */
#include "pass/content.h"
#include "pass/private.h"

#include "base/log.h"

#include <errno.h>
#include <stdlib.h>

uint32_t pass_takers(const struct pass *pass, const struct shard *shard)
{
    uint32_t takers = 0;

    for (size_t s = 0; s < pass->scanner_count; s++) {
        const struct pass_scanner *scanner = &pass->scanner[s];

        if (!scanner->takes || scanner->takes(scanner->shared, &pass->run->datasets[shard->dataset])) takers |= 1u << s;
    }
    return takers;
}

void part_free(struct part *part)
{
    if (!part) return;
    aside_free(&part->values, &part->section[PART_VALUES]);
    for (size_t s = 0; s < PART_SECTIONS; s++) bytes_free(&part->section[s]);
    free(part);
}

void pass_unit_free(struct open_unit *unit)
{
    for (size_t s = 0; s < PASS_SCANNERS; s++) {
        for (size_t p = 0; p < unit->part_count && unit->output[s].part; p++) part_free(unit->output[s].part[p]);
        free(unit->output[s].part);
    }
    free(unit);
}

/* ---- what is there already ---- */

/* Is the scanner's unit committed already?  whole: its content is verified too. */
static int unit_reused(struct pass_run *run, const struct pass_scanner *scanner, const struct shard *shard,
                       uint64_t number, bool whole, struct unit_header *header, struct err *err)
{
    struct pass_unit  unit;
    const struct run *told = run->pass->run;
    const size_t      place = (size_t)(shard - told->shards->at);
    int               rc = place < told->anew_count && told->anew[place] ? 0
        : whole ? pass_unit_load(told, scanner, (uint32_t)place, number, &unit, err)
        : pass_unit_map(told, scanner, (uint32_t)place, number, &unit, err);

    if (rc <= 0) return rc;
    *header = *unit.header;
    unit_close(&unit.file);
    return 1;
}

static void totals_add(struct pass_run *run, const struct pass_totals *more)
{
    pthread_mutex_lock(&run->lock);
    pass_totals_add(&run->pass->totals, more);
    pthread_mutex_unlock(&run->lock);
}

/* Documents are counted once, by the first scanner. */
static void sums_add_header(struct pass_totals *sums, const struct unit_header *header)
{
    sums->documents += header->documents;
    sums->rejected += header->rejected;
    sums->text_bytes += header->text_bytes;
}

int pass_shard_is_there(struct pass_run *run, const struct shard *shard, struct err *err)
{
    const uint32_t takers = pass_takers(run->pass, shard);

    for (size_t s = 0; s < run->pass->scanner_count; s++) {
        struct unit_header header = { 0 };
        int                rc = 1;

        if (!(takers >> s & 1)) continue;
        do rc = unit_reused(run, &run->pass->scanner[s], shard, header.next, false, &header, err);
        while (rc > 0 && header.next);
        if (rc <= 0) return rc;
    }
    return 1;
}

int pass_shard_is_done(struct pass_run *run, const struct shard *shard, struct share share, struct err *err)
{
    struct pass_totals sums = { 0 };
    uint32_t           takers = pass_takers(run->pass, shard);

    for (size_t s = 0; s < run->pass->scanner_count; s++) {
        struct unit_header header = { 0 };
        uint64_t           number = 0;

        if (!(takers >> s & 1)) continue;
        do {
            int rc = unit_reused(run, &run->pass->scanner[s], shard, number, true, &header, err);

            if (rc <= 0) return rc;
            if (s == 0 && share_has(share, number)) sums_add_header(&sums, &header);
            sums.units_reused += share_has(share, number);
            number = header.next;
        } while (number > 0);
        /* units of two contents are never mixed, and what is known of the content is made again when it is lost */
        if (content_settle(run->pass->run, shard, header.xxh3, err) < 0) return err->code;
    }
    totals_add(run, &sums);
    pthread_mutex_lock(&run->lock);
    run->progress.records += sums.documents;
    run->progress.rejected += sums.rejected;
    pthread_mutex_unlock(&run->lock);
    return 1;
}

/* ---- units under way ---- */

static int unit_open(struct pass_run *run, struct open_shard *shard, uint64_t number, struct err *err)
{
    struct open_unit *unit = calloc(1, sizeof *unit);

    if (!unit) return err_memory(err, sizeof *unit, "a unit");
    unit->number = number;
    unit->taken = share_has(shard->share, number) ? pass_takers(run->pass, shard->shard) : 0;
    unit->next = shard->units;
    shard->units = unit;
    for (size_t s = 0; s < run->pass->scanner_count; s++) {
        int rc = unit->taken >> s & 1 ? unit_reused(run, &run->pass->scanner[s], shard->shard, number,
                                                    true, &unit->output[s].header, err) : 1;

        if (rc < 0) return rc;
        if (rc == 0) unit->todo |= 1u << s;
        else shard->reused |= unit->taken >> s & 1;
    }
    return 0;
}

void pass_shard_start(struct open_shard *shard, uint64_t number)
{
    if (!shard->started) shard->first_unit = number;
    shard->started = true;
}

int pass_unit_for_batch(struct pass_run *run, struct open_shard *shard, uint64_t number, struct open_unit **out,
                        struct err *err)
{
    struct open_unit *unit = shard->units;

    pass_shard_start(shard, number);
    number -= shard->first_unit == number ? number : 0;
    if (!unit || unit->number != number) {
        if (unit) {
            unit->complete = true;
            for (size_t s = 0; s < PASS_SCANNERS; s++) unit->output[s].header.next = number;
        }
        if (unit_open(run, shard, number, err) < 0) return err->code;
    }
    *out = shard->units;
    return 0;
}

static int unit_reserve(struct open_unit *unit)
{
    size_t room = unit->part_room ? 2 * unit->part_room : 16;

    if (unit->part_count < unit->part_room) return 0;
    for (size_t s = 0; s < PASS_SCANNERS; s++) {
        struct part **grown = unit->todo >> s & 1 ? realloc(unit->output[s].part, room * sizeof *grown) : NULL;

        if (!(unit->todo >> s & 1)) continue;
        if (!grown) return -ENOMEM;
        unit->output[s].part = grown;
    }
    unit->part_room = room;
    return 0;
}

int pass_unit_deliver(struct open_unit *unit, struct part *const part[PASS_SCANNERS],
                      const struct unit_header sums[PASS_SCANNERS])
{
    if (unit_reserve(unit) < 0) return -ENOMEM;
    for (size_t s = 0; s < PASS_SCANNERS; s++) {
        struct unit_output *output = &unit->output[s];

        if (!(unit->todo >> s & 1)) continue;
        output->part[unit->part_count] = part[s];
        output->header.documents += sums[s].documents;
        output->header.rejected += sums[s].rejected;
        output->header.text_bytes += sums[s].text_bytes;
        skips_add(&output->header.skipped, &sums[s].skipped);
    }
    unit->part_count++;
    return 0;
}

static int part_order(const void *a, const void *b)
{
    const struct part *x = *(const struct part *const *)a, *y = *(const struct part *const *)b;

    return (x->sequence > y->sequence) - (x->sequence < y->sequence);
}

/* What was read of a file that has changed meanwhile is not committed: the key would promise another content. */
static int unit_check(struct pass_run *run, const struct open_shard *shard, const struct open_unit *unit,
                      struct err *err)
{
    const bool last = unit->output[0].header.next == 0 && (unit->taken || shard->reused);
    int        rc;

    if (!shard->source) return 0;                           /* nothing was read */
    rc = source_check(shard->source, last, err);
    return rc == 0 && last ? content_settle(run->pass->run, shard->shard, unit->output[0].header.xxh3, err) : rc;
}

static int unit_commit(struct pass_run *run, const struct shard *shard, struct open_unit *unit,
                       struct scanner *const scanner[PASS_SCANNERS], double seconds[PASS_SCANNERS], struct err *err)
{
    struct pass_totals sums = { .units = (uint64_t)__builtin_popcount(unit->todo),
                                .units_reused = (uint64_t)__builtin_popcount(unit->taken & ~unit->todo) };

    for (size_t s = 0; s < run->pass->scanner_count; s++) {
        struct unit_output *output = &unit->output[s];

        if (!(unit->todo >> s & 1)) continue;
        if (unit->part_count) qsort(output->part, unit->part_count, sizeof *output->part, part_order);
        output->header.parts = unit->part_count;
        if (unit->part_count > 1 && scanner[s]->merge) {
            const double started = log_seconds();

            if (scanner[s]->merge(scanner[s], output->part, unit->part_count, err) < 0) return err->code;
            seconds[s] += log_seconds() - started;
        }
        if (pass_unit_commit(run->pass, &run->pass->scanner[s], shard, unit->number, &output->header, output->part,
                             err) < 0)
            return err->code;
    }
    if (unit->taken & 1) sums_add_header(&sums, &unit->output[0].header);
    totals_add(run, &sums);
    return 0;
}

int pass_units_commit(struct pass_run *run, struct open_shard *shard, struct scanner *const scanner[PASS_SCANNERS],
                      double seconds[PASS_SCANNERS], struct err *err)
{
    for (;;) {
        struct open_unit **at, *unit = NULL;
        int                rc;

        pthread_mutex_lock(&shard->lock);
        for (at = &shard->units; *at; at = &(*at)->next) {
            if (!(*at)->complete || (*at)->part_count != (*at)->handed) continue;
            unit = *at;
            *at = unit->next;
            break;
        }
        pthread_mutex_unlock(&shard->lock);
        if (!unit) return 0;
        rc = unit_check(run, shard, unit, err);
        if (rc == 0) rc = unit_commit(run, shard->shard, unit, scanner, seconds, err);
        pass_unit_free(unit);
        if (rc < 0) return rc;
    }
}
