/* near/classes.h -- the join's result seen from its classes: members, components.
 *
 * Pairs are never spelled out here: documents of one class all have the same neighbours, so counts over classes are
 * exact however many pairs they stand for. */
#ifndef LEAKGRAPH_NEAR_CLASSES_H
#define LEAKGRAPH_NEAR_CLASSES_H

#include "near/result.h"

enum member_role { MEMBER_BENCHMARK, MEMBER_RESIDENT, MEMBER_STREAMED, MEMBER_ROLES };

/* Members of class c with role r: member[start[c * MEMBER_ROLES + r]] up to the next start; documents of the result,
 * ascending. */
struct members { size_t count; uint32_t *start, *member; };

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

static inline size_t members_of(const struct members *m, uint32_t c, enum member_role role, const uint32_t **out)
{
    const uint32_t *start = m->start + (size_t)c * MEMBER_ROLES + role;

    *out = m->member + start[0];
    return start[1] - start[0];
}

/* The members of an admitted class that are nodes of its component: streamed ones only where they have a pair. */
static inline size_t members_joined(const struct classes *classes, uint32_t c, const uint32_t **out)
{
    const uint32_t *start = classes->admitted.start + (size_t)c * MEMBER_ROLES;

    *out = classes->admitted.member + start[0];
    return start[classes->met[c] ? MEMBER_ROLES : MEMBER_STREAMED] - start[0];
}

static inline uint64_t members_all(const struct members *m, uint32_t c)
{
    return m->start[(size_t)c * MEMBER_ROLES + MEMBER_ROLES] - m->start[(size_t)c * MEMBER_ROLES];
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
