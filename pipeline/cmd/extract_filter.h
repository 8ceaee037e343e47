/* cmd/extract_filter.h -- which functions `leakgraph extract` leaves out, and how many for which reason.
 *
 * The filters are those by which CodeSearchNet was made (Husain et al. 2019, section 2): documentation of three words
 * or more in its first paragraph, three lines, no `test` in the name, no constructors and standard methods, one of each
 * kind.  Its names of standard methods are those of its published parsers (BLACKLISTED_FUNCTION_NAMES). */
#ifndef LEAKGRAPH_CMD_EXTRACT_FILTER_H
#define LEAKGRAPH_CMD_EXTRACT_FILTER_H

#include "base/table.h"
#include "code/measure.h"

enum extract_filter {
    FILTER_NESTED, FILTER_LINES, FILTER_BODY, FILTER_TESTS, FILTER_STANDARD, FILTER_DOCS, FILTER_DUPLICATES,
    FILTER_COUNT
};

struct extract_filters {
    bool          nested, tests, standard, duplicates;      /* left out */
    uint64_t least_lines, least_body, least_words;          /* 0: any number */
    uint64_t      left_out[FILTER_COUNT];
    struct table  seen;                                     /* multisets of tokens of those taken */
};

/* An option without a value: 1; 0: it is another. */
int extract_filter_option(struct extract_filters *filters, const char *option);

/* Is anything left out? */
static inline bool extract_filter_set(const struct extract_filters *f)
{
    return f->nested || f->tests || f->standard || f->duplicates || f->least_lines || f->least_body || f->least_words;
}

/* What is asked of a function. */
struct extracted {
    const struct function *function;
    const struct measure  *measure;
    const struct language *language;
    const struct lexer    *lexer;
    struct slice           text, summary;                   /* of the file; of its documentation */
};

/* Whether the function is taken; what is not is counted under the first reason.  1, 0 or -ENOMEM. */
int extract_filter_takes(struct extract_filters *filters, const struct extracted *extracted);

/* Appends `; left out: 3 nested, 1 test`, or nothing where none were.  0 or -ENOMEM. */
int  extract_filter_say(const struct extract_filters *filters, struct bytes *out);
void extract_filter_free(struct extract_filters *filters);

#endif
