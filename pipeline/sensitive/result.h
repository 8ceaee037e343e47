/* sensitive/result.h -- the different sensitive strings of each dataset, put together by rank 0. */
#ifndef LEAKGRAPH_SENSITIVE_RESULT_H
#define LEAKGRAPH_SENSITIVE_RESULT_H

#include "sensitive/index.h"

struct sensitive_value {
    struct content_hash hash;
    uint32_t            dataset, kind, shard, at;           /* shard, record, at: its first place, a byte of the text */
    uint64_t            record, documents, occurrences;
    /* of all corpora, anywhere in their texts; -1: it was not looked for */
    int64_t             corpus_documents, corpus_occurrences;
    uint32_t            line;                               /* of that text, from 1 */
    uint32_t            pattern_len, masked_len, path_len;
    /* pattern, masked value and path in the result's text, one after the other */
    size_t              text_at;
};

struct sensitive_result {
    /* [count] by dataset, kind, pattern as bytes, then in the order of their first places */
    struct sensitive_value *value;
    size_t                  count, room;
    struct bytes            text;
};

static inline struct slice sensitive_pattern(const struct sensitive_result *result, const struct sensitive_value *value)
{
    return (struct slice){ result->text.at + value->text_at, value->pattern_len };
}

static inline struct slice sensitive_masked(const struct sensitive_result *result, const struct sensitive_value *value)
{
    return (struct slice){ result->text.at + value->text_at + value->pattern_len, value->masked_len };
}

/* Of the document of its first place; empty when it has none. */
static inline struct slice sensitive_path(const struct sensitive_result *result, const struct sensitive_value *value)
{
    return (struct slice){ result->text.at + value->text_at + value->pattern_len + value->masked_len,
                           value->path_len };
}

/* The job has its index.  0, or <0 with err set; *out is to be freed either way. */
int  sensitive_result_read(const struct sensitive_job *job, struct sensitive_result *out, struct err *err);
void sensitive_result_free(struct sensitive_result *result);

#endif
