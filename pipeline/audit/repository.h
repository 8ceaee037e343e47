/* audit/repository.h -- feature rows by repository: which are learned from and which tested, and what the files of a
 * repository say of it together.  Source: TraWiC (Majdinasab et al.), section 4. */
#ifndef LEAKGRAPH_AUDIT_REPOSITORY_H
#define LEAKGRAPH_AUDIT_REPOSITORY_H

#include "audit/feature.h"
#include "learn/score.h"

/* Whose a row is: what it says; where it says nothing, and always in the published form, the first component of the
 * file's path (the owner, in paths OWNER/REPOSITORY/FILE).  Borrowed. */
struct slice audit_repository_of(const struct audit_feature *row, bool published);

struct audit_repository {
    struct slice name;                                      /* the feature rows' */
    size_t       files, ones, zeros;                        /* ones, zeros: files with that label */
    int          label;                                     /* that of most files, of equals 1; -1: none has one */
};

struct audit_repositories {
    struct audit_repository *at;                            /* ascending by name */
    size_t                   count;
    uint32_t                *of;                            /* of each feature row */
};

/* 0, or -ENOMEM with err set; then *out is empty. */
int  audit_repositories_make(const struct audit_features *f, bool published, struct audit_repositories *out,
                             struct err *err);
void audit_repositories_free(struct audit_repositories *r);

/* Places of feature rows: those to learn from, those for the test, those without a label, one behind the other. */
struct audit_parts { size_t *row, train, test, unknown; };

/* Deals the rows with a label.
 *   exact      whole repositories, a share of them (rounded up) for the test, with the shares of classes of all; which,
 *              depends on their names and the seed
 *   published  files in random order: the first of them to learn from, the share, rounded up, for the test
 * 0, or <0 with err set (-EINVAL: too few). */
int  audit_parts_make(const struct audit_features *f, const struct audit_repositories *r, bool published,
                      double test_share, uint64_t seed, struct audit_parts *out, struct err *err);
/* All rows with a label for the test, for a classifier that has learned elsewhere.  0 or -ENOMEM. */
int  audit_parts_test(const struct audit_features *f, struct audit_parts *out, struct err *err);
void audit_parts_free(struct audit_parts *p);

/* What is said of a repository's files. */
struct audit_vote { size_t files, said, ones, zeros; int label; };

/* Votes of the rows row[0 .. count-1], for each repository (out has room for r->count); said by feature row.  Without
 * such rows files is 0.  The label is that of most of these files; published: of the last. */
void audit_votes(const struct audit_features *f, const struct audit_repositories *r, const size_t *row, size_t count,
                 const uint8_t *said, bool published, struct audit_vote *out);

/* A repository is said to be trained on where more than so many tenths of its files are. */
static inline bool audit_vote_says(const struct audit_vote *v, unsigned tenths)
{
    return v->said * 10 > v->files * tenths;
}

/* Scores of those that have files and a label. */
struct learn_scores audit_votes_score(const struct audit_vote *vote, size_t count, unsigned tenths);

#endif
