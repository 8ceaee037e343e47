/* compliance/lico.h -- LICO, one number for how a model minds licences (Xu et al., ICSE 2025, section V).
 *
 *   LICO = (1 - N + 2 Acc_p + 4 Acc_c) / 7
 *
 * N is the share of a benchmark's functions of which the answer is strikingly similar; Acc_p and Acc_c are how many of
 * those answers the model names the right licence of, where it is permissive and where it is copyleft, 1 where there
 * are none. */
#ifndef LEAKGRAPH_COMPLIANCE_LICO_H
#define LEAKGRAPH_COMPLIANCE_LICO_H

#include "base/slice.h"

#include <stdint.h>

enum licence_type { LICENCE_TYPE_PERMISSIVE, LICENCE_TYPE_WEAK, LICENCE_TYPE_STRONG, LICENCE_TYPE_UNKNOWN,
                    LICENCE_TYPES };
extern const char *const licence_type_names[LICENCE_TYPES]; /* "permissive", "weak", "strong", "unknown" */

/* The type of an SPDX identifier.  published: as the released code has them, which calls EPL-1.0, MS-PL and others
 * strong, for weak copyleft or less; else those of `licence` (data/licences.json). */
enum licence_type licence_type_of(struct slice id, bool published);

/* Of the striking cases whose licence is known; what is not permissive is copyleft. */
struct lico { uint64_t benchmark, striking, permissive, permissive_right, copyleft, copyleft_right; };

enum { LICO_OF_LICOEVAL = 4187 };                           /* functions of the paper's benchmark */

/* A share, NaN of none. */
double lico_permissive(const struct lico *lico);
double lico_copyleft(const struct lico *lico);
/* Three digits, as printed; NaN of an empty benchmark.  Without a striking case it is 1. */
double lico_score(const struct lico *lico);

#endif
