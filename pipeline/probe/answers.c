/* probe/answers.c -- see answers.h.  A part has the unit's kind, a key of its own, and says how many were asked for. */
#include "probe/answers.h"

#include "base/log.h"

#include <string.h>

static struct unit_key part_key(const struct answers *a) { return unit_key_add(a->key, SLICE("part").at, 4); }

/* What an earlier run got: *done answers, in section.  0 or <0 with err set. */
static int part_take(const struct answers *a, struct bytes section[2], uint64_t *done, struct err *err)
{
    struct unit unit;
    int         rc = stage_load(a->stage, a->kind, part_key(a), &unit, err);

    if (rc != 1) return rc;
    rc = 0;
    if (unit.count == 3 && unit.section[2].len == sizeof *done) memcpy(done, unit.section[2].at, sizeof *done);
    if (*done >= a->count) *done = 0;                       /* no part of this */
    if (*done)
        for (int s = 0; s < 2 && rc == 0; s++)
            if (bytes_append_slice(&section[s], unit.section[s]) < 0)
                rc = err_memory(err, unit.section[s].len, "answers");
    unit_close(&unit);
    return rc;
}

/* A part that cannot be kept is asked for again: the failure that ended the run is what is told. */
static void part_keep(const struct answers *a, const struct bytes section[2], uint64_t done)
{
    const struct slice slice[] = { bytes_slice(&section[0]), bytes_slice(&section[1]),
                                   { (const char *)&done, sizeof done } };
    struct err         failed = { 0 };

    if (stage_commit(a->stage, a->kind, part_key(a), slice, 3, &failed) < 0)
        log_rank_warn("%s; %llu answers are lost with it", failed.text, (unsigned long long)done);
}

static int answers_ask(const struct answers *a, struct bytes section[2], struct err *err)
{
    uint64_t done = 0, before;
    int      rc = part_take(a, section, &done, err);

    for (before = done; rc == 0 && done < a->count; done += rc == 0) {
        const size_t len[] = { section[0].len, section[1].len };

        rc = a->ask(a->of, done, section, err);
        if (rc < 0) section[0].len = len[0], section[1].len = len[1];
    }
    if (rc < 0) {
        if (done > before) part_keep(a, section, done);
        return rc;
    }
    rc = stage_commit(a->stage, a->kind, a->key, (struct slice[]){ bytes_slice(&section[0]), bytes_slice(&section[1]) },
                      2, err);
    return rc == 0 && before ? stage_remove(a->stage, a->kind, part_key(a), err) : rc;
}

int answers_make(const struct answers *answers, struct err *err)
{
    struct bytes section[2] = { { 0 }, { 0 } };
    struct unit  unit;
    int          rc = stage_load(answers->stage, answers->kind, answers->key, &unit, err);

    if (rc == 1) unit_close(&unit);
    if (rc != 0) return rc < 0 ? rc : 0;
    rc = answers_ask(answers, section, err);
    bytes_free(&section[0]);
    bytes_free(&section[1]);
    return rc < 0 ? rc : 1;
}
