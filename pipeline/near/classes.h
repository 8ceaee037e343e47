/* near/classes.h -- the join's result seen from its classes: members, components.
 *
 * Pairs are never spelled out here: documents of one class all have the same neighbours, so counts over classes are
 * exact however many pairs they stand for. */
#ifndef LEAKGRAPH_NEAR_CLASSES_H
#define LEAKGRAPH_NEAR_CLASSES_H

#include "base/ranked.h"
#include "near/result.h"

enum member_role { MEMBER_BENCHMARK, MEMBER_RESIDENT, MEMBER_STREAMED, MEMBER_ROLES };

/* Documents of the result that are in a class: class by class, in each by role and then ascending.  There may be as
 * many classes as documents: what is kept of where they begin is a bit of each and of each member (base/ranked.h), of
 * a member's role two. */
struct members {
    uint32_t      *member;                                  /* [total] */
    uint64_t      *roles;                                   /* [total / MEMBERS_OF_A_WORD + 1] */
    struct ranked  begin;                                   /* where class c begins, + c; and where the last one ends */
    size_t         count;                                   /* of classes */
};

enum { MEMBERS_OF_A_WORD = 32 };

struct classes {
    const struct near_job    *job;
    const struct near_result *result;
    struct members            admitted, copies;             /* by class_of, by copy_of */
    /* [admitted.count] by similar links: the smallest class of it */
    uint32_t                 *component;
    /* [admitted.count] streamed members have a pair: a benchmark item is in the class or beside it */
    bool                     *met;
};

int  classes_open(struct classes *out, const struct near_job *job, const struct near_result *result, struct err *err);
void classes_free(struct classes *classes);

/* Of the members from at to end, those of a class, the first that has this role or a later one. */
size_t members_from(const struct members *m, size_t at, size_t end, enum member_role role);

static inline enum member_role member_role_at(const struct members *m, size_t place)
{
    return (enum member_role)(m->roles[place / MEMBERS_OF_A_WORD] >> 2 * (place % MEMBERS_OF_A_WORD) & 3);
}

static inline size_t members_begin(const struct members *m, size_t c)
{
    return ranked_at(&m->begin, (uint32_t)c) - c;
}

/* Where class c begins, and ends: nearly always in the same word. */
static inline size_t members_bounds(const struct members *m, size_t c, size_t *end)
{
    const uint64_t at = ranked_at(&m->begin, (uint32_t)c), rest = m->begin.bits[at >> 6] >> (at & 63) >> 1;

    *end = rest ? at - c + (size_t)__builtin_ctzll(rest) : members_begin(m, c + 1);
    return at - c;
}

/* Members of class c, the roles from `from` up to, but without, `to`. */
static inline size_t members_between(const struct members *m, uint32_t c, int from, int to, const uint32_t **out)
{
    size_t end, at = members_bounds(m, c, &end);

    if (from > MEMBER_BENCHMARK) at = members_from(m, at, end, (enum member_role)from);
    if (to < MEMBER_ROLES) end = members_from(m, at, end, (enum member_role)to);
    *out = m->member + at;
    return end - at;
}

static inline size_t members_of(const struct members *m, uint32_t c, enum member_role role, const uint32_t **out)
{
    return members_between(m, c, (int)role, (int)role + 1, out);
}

/* The members of an admitted class that are nodes of its component: streamed ones only where they have a pair. */
static inline size_t members_joined(const struct classes *classes, uint32_t c, const uint32_t **out)
{
    return members_between(&classes->admitted, c, 0, classes->met[c] ? MEMBER_ROLES : MEMBER_STREAMED, out);
}

static inline uint64_t members_all(const struct members *m, uint32_t c)
{
    size_t end, at = members_bounds(m, c, &end);

    return end - at;
}

static inline enum member_role role_of_dataset(const struct dataset *dataset)
{
    return dataset->role == ROLE_BENCHMARK ? MEMBER_BENCHMARK : dataset->self_join ? MEMBER_RESIDENT : MEMBER_STREAMED;
}

/* What a document is in its class: one of a corpus that has too few features for pairs of corpora is as a streamed one
 * there. */
static inline enum member_role role_of_document(const struct near_job *job, const struct near_result *result,
                                                uint32_t d)
{
    enum member_role role = role_of_dataset(&job->run->datasets[near_dataset_of(result, d)]);

    return role == MEMBER_RESIDENT && result->brief[d].total < job->minimums.corpora ? MEMBER_STREAMED : role;
}

/* And among its copies: pairs that are compared are no copies, so an item that is admitted is there for those that are
 * not, and so is a document of a corpus that is long enough for pairs of corpora. */
static inline enum member_role role_of_copy(const struct near_job *job, const struct near_result *result, uint32_t d)
{
    const uint32_t   dataset = near_dataset_of(result, d), total = result->brief[d].total;
    const bool       admitted = near_is_admitted(job, dataset, total);
    enum member_role role = role_of_dataset(&job->run->datasets[dataset]);

    if (role == MEMBER_BENCHMARK) return admitted ? MEMBER_STREAMED : MEMBER_BENCHMARK;
    if (role == MEMBER_RESIDENT && admitted && total >= job->minimums.corpora) return MEMBER_STREAMED;
    return role;
}

/* Two documents are compared when one is of a benchmark, or both are resident. */
static inline bool roles_meet(enum member_role a, enum member_role b)
{
    return a == MEMBER_BENCHMARK || b == MEMBER_BENCHMARK || (a == MEMBER_RESIDENT && b == MEMBER_RESIDENT);
}

#endif
