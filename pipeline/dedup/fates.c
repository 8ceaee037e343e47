/* dedup/fates.c -- what became of every document, told to the owners of the columns and committed there. */
#include "dedup/state.h"

#include <errno.h>
#include <stdlib.h>

enum { FATES_ROUND = 1 << 19 };

struct fate_told { uint64_t ordinal; struct dedup_fate fate; };

struct telling { struct dedup_state *state; struct dedup_fate *fate; };     /* fate: [own ordinals] */

static int take_fates(void *context, const void *message, size_t count, struct err *err)
{
    struct telling         *t = context;
    const struct fate_told *told = message;

    (void)err;
    for (size_t i = 0; i < count; i++)
        t->fate[told[i].ordinal - t->state->ordinal_first[t->state->rank]] = told[i].fate;
    return 0;
}

static uint64_t answer_size(void *context, uint64_t id)
{
    const struct dedup_state *s = context;

    return s->size[id - s->id_first[s->rank]];
}

/* Ids [from, to) of this rank, of which `alone` ones are passed over. */
static int fates_tell(struct telling *t, struct mail *mail, const uint64_t *id, size_t count, struct err *err)
{
    struct dedup_state *s = t->state;
    uint64_t            first = s->id_first[s->rank], *key = malloc((count + 1) * sizeof *key),
        *answer = malloc((3 * count + 1) * sizeof *answer);
    int                 rc = comm_agree(s->job->run->comm, key && answer ? 0 : err_memory(err, count * 32, "fates"),
                                        err);

    for (size_t i = 0; i < count && rc == 0; i++) key[i] = s->representative[id[i] - first];
    if (rc == 0) rc = ask(s->job->run->comm, s->id_first, key, answer, count, answer_place, s, err);
    for (size_t i = 0; i < count && rc == 0; i++) key[i] = s->canonical[id[i] - first];
    if (rc == 0) rc = ask(s->job->run->comm, s->id_first, key, answer + count, count, answer_place, s, err);
    if (rc == 0) rc = ask(s->job->run->comm, s->id_first, key, answer + 2 * count, count, answer_size, s, err);
    for (size_t i = 0; i < count && rc == 0; i++) {
        uint64_t         ordinal = s->place[id[i] - first];
        struct fate_told told = { ordinal, { answer[i], answer[count + i], (uint32_t)answer[2 * count + i],
                                             key[i] != id[i] && !is_protected(s, ordinal) } };

        if (mail_post(mail, share_owner(s->ordinal_first, s->ranks, ordinal), &told) < 0)
            rc = err_memory(err, sizeof told, "fates");
    }
    free(key);
    free(answer);
    return comm_agree(s->job->run->comm, rc, err);
}

static int fates_deliver(struct telling *t, struct err *err)
{
    struct dedup_state *s = t->state;
    struct mail         mail = { 0 };
    uint64_t            first = s->id_first[s->rank], at = 0, end = own_ids(s), *id = malloc(FATES_ROUND * sizeof *id);
    int                 rc = comm_agree(s->job->run->comm, id ? 0 : err_memory(err, FATES_ROUND * sizeof *id, "fates"),
                                        err);

    if (rc == 0) rc = mail_open(&mail, s->job->run->comm, sizeof(struct fate_told), err);
    while (rc == 0) {
        size_t count = 0;

        for (; at < end && count < FATES_ROUND; at++)
            if (s->representative[at] != first + at || s->canonical[at] != first + at || s->size[at] > 1)
                id[count++] = first + at;
        rc = fates_tell(t, &mail, id, count, err);
        if (rc == 0) rc = mail_deliver(&mail, at < end, take_fates, t, err);
        if (rc <= 0) break;
        rc = 0;
    }
    mail_close(&mail);
    free(id);
    return rc;
}

static int unit_settle(struct telling *t, size_t u, struct err *err)
{
    struct dedup_state          *s = t->state;
    const struct catalogue_unit *unit = &s->catalogue.unit[u];
    const struct dedup_fate     *fate = t->fate + (unit->first - s->ordinal_first[s->rank]);
    struct dedup_stats          *stats = &s->job->stats;
    struct column_unit           columns;
    int                          rc = fate_commit(s->job, u, fate, unit->documents, err);

    if (rc == 0) rc = state_unit(s, u, &columns, err);
    if (rc < 0) return rc;
    for (uint64_t i = 0; i < unit->documents; i++) {
        const struct dedup_row *row = columns_row(&columns, i, NULL);

        stats->admitted += row->admitted;
        stats->removed += fate[i].removed;
        stats->removed_bytes += fate[i].removed ? row->bytes : 0;
    }
    stats->documents += unit->documents;
    stats->text_bytes += unit->text_bytes;
    columns_close(&columns);
    return 0;
}

int fates_make(struct dedup_state *s, struct err *err)
{
    struct telling t = { s, malloc((own_ordinals(s) + 1) * sizeof *t.fate) };
    int            rc = t.fate ? 0 : err_memory(err, own_ordinals(s) * sizeof *t.fate, "fates");

    for (uint64_t i = 0; i < own_ordinals(s) && rc == 0; i++) {
        uint64_t ordinal = s->ordinal_first[s->rank] + i;

        t.fate[i] = (struct dedup_fate){ ordinal, ordinal, 1, 0 };
    }
    rc = comm_agree(s->job->run->comm, rc, err);
    if (rc == 0) rc = fates_deliver(&t, err);
    for (size_t u = s->unit_first[s->rank]; u < s->unit_first[s->rank + 1] && rc == 0; u++)
        rc = unit_settle(&t, u, err);
    free(t.fate);
    return comm_agree(s->job->run->comm, rc, err);
}
