/* score/row.h -- one JSON object of a file of scores as a sample, or several. */
#ifndef LEAKGRAPH_SCORE_ROW_H
#define LEAKGRAPH_SCORE_ROW_H

#include "score/sample.h"

#include <cjson/cJSON.h>
#include <stdbool.h>

/* What is said of a whole file: a name for its model and seed where rows have none. */
struct score_source { struct slice model, seed; };

/* Where a row stands, for messages and for rows without an id: its line or element from 1, its number from 0. */
struct score_place { const char *path; uint64_t line; int64_t number; };

/* A row of lm-evaluation-harness (`doc_id` with `resps` or `filtered_resps`), or of any other program: an id, numbers,
 * an answer.  A list of answers is a sample each.  0; -EBADMSG naming file and line; -EINVAL, -ENOMEM with err set. */
int score_row_take(struct score_samples *samples, const cJSON *row, const struct score_source *source,
                   struct score_place place, struct err *err);

/* The name that a number of a row is: whole ones without a point.  False: from 2^53 on several are one. */
enum { SCORE_NUMBER_ROOM = 40 };
bool score_number_name(double number, char out[SCORE_NUMBER_ROOM]);

/* Is the word the outcome of a test, as EvalPlus and others write it?  1: passed, 0: not, <0: another word. */
int score_outcome(const cJSON *value);

#endif
