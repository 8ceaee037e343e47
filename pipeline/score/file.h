/* score/file.h -- files of scores, told by their shape.
 *
 *   rows       JSON lines, or a list of objects: score/row.h
 *   lists      a list of strings: item i's answer (or, of a file of references, what it should be)
 *              a list of lists of strings: item i's answers, as BigCode's evaluation harness keeps its generations
 *   details    {"eval": {TASK: [{"base_status": "pass", "plus_status": ...}, ...]}}, EvalPlus' eval_results.json
 *              {ITEM: [[TRY, {"passed": true}], ...]}, what BigCode's code_eval says of each try
 *
 * Files may be compressed.  What is none of these is refused: scores of a whole benchmark say nothing of its items. */
#ifndef LEAKGRAPH_SCORE_FILE_H
#define LEAKGRAPH_SCORE_FILE_H

#include "score/row.h"

/* Adds the samples of a file.  path is borrowed by samples.  0; -EBADMSG naming file and line, -EINVAL where the shape
 * is none of these, -ENOENT, -EIO, -ENOMEM with err set. */
int score_file_read(struct score_samples *samples, const char *path, const struct score_source *source,
                    struct err *err);

/* The same of a text, for messages called `path`. */
int score_text_take(struct score_samples *samples, const char *path, struct slice text,
                    const struct score_source *source, struct err *err);

#endif
