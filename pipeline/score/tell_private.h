/* score/tell_private.h -- what score/tell.c and score/tell_seeds.c share. */
#ifndef LEAKGRAPH_SCORE_TELL_PRIVATE_H
#define LEAKGRAPH_SCORE_TELL_PRIVATE_H

#include "score/tell.h"

struct slice score_shown(struct slice name);                /* as much of a name as a sentence takes */
void score_tell_seeds(const struct score_told *told, struct report_document *out);

#endif
