/* scan/part.h -- committing a unit; for the pass alone (pass.h has what others read). */
#ifndef LEAKGRAPH_SCAN_PART_H
#define LEAKGRAPH_SCAN_PART_H

#include "scan/pass.h"

/* part[header->parts], in order.  0, or <0 with err set. */
int pass_unit_commit(const struct pass *pass, const struct shard *shard, uint64_t unit, const struct unit_header *header,
                     struct part *const *part, struct err *err);

#endif
