/* compliance/benchmark.h -- functions of a corpus that a model may be asked for: LiCoEval's benchmark (section IV).
 *
 * Of each Python file whose head names one licence: the functions outside of classes with documentation, more than 10
 * lines of body, a complexity above 3 and a comment.  Left out: files that a parser cannot read, licences to choose
 * from or several at once, texts that say that they were copied or taken from elsewhere, what stands behind a header of
 * more than BENCHMARK_HEADER bytes, heads and documentation that were there before.  Those that most repositories have
 * go first. */
#ifndef LEAKGRAPH_COMPLIANCE_BENCHMARK_H
#define LEAKGRAPH_COMPLIANCE_BENCHMARK_H

#include "base/table.h"
#include "compliance/likeness.h"
#include "compliance/segment.h"
#include "graph/pool.h"

enum { BENCHMARK_HEADER = 64 << 10 };                       /* of which each prompt of the file has all */

struct benchmark_limits { uint32_t lines, complexity, comments; };      /* above the first two, at least the last */
extern const struct benchmark_limits benchmark_limits_default;          /* 10, 3, 1 */

/* Its prompt is header, which functions of a file share, and what follows it. */
struct benchmark_function {
    struct slice id, header, prompt, signature, docstring, body, license, path, repo;
    uint32_t     lines, complexity, comments, reused;       /* repositories that have it */
    size_t       order;
};

/* Why functions were left out, the first reason counting; the first three count files. */
enum benchmark_drop { DROP_UNPARSED, DROP_UNLICENSED, DROP_SEVERAL, DROP_METHOD, DROP_UNDOCUMENTED, DROP_SHORT,
                      DROP_SIMPLE, DROP_UNCOMMENTED, DROP_COPIED, DROP_HEADER, DROP_ALIKE, DROP_REPEATED, DROPS };
extern const char *const benchmark_drop_names[DROPS];

/* Zeroed but for limits, published (how functions are cut, also of files that a parser cannot read: segment.h), and
 * unlike, which is borrowed. */
struct benchmark {
    struct benchmark_limits    limits;
    bool                       published;
    struct likeness           *unlike;                      /* functions like one in there are left out; NULL: none */
    struct benchmark_function *at;                          /* [count] */
    size_t                     count, room;
    uint64_t                   files, functions, dropped[DROPS];
    uint64_t                   by_text;                     /* files that a parser cannot read; published alone */
    struct table               known, reuse;                /* by head and documentation; those with a repository */
    struct pool                pool;
    struct lexer               lexer;
    struct functions           found;
    struct measures            measures;
    struct segments            segments;
    struct bytes               scratch;
    struct slice               text, header;                /* of the file under way; the latter as prompts have it */
    struct slice               kept;                        /* header in the pool; at NULL: not yet */
    bool                       copied;                      /* says the file's header */
};

/* A file in Python; license: what its record says of it, or empty; path and repo may be empty.  BYTES_PAD bytes past
 * the text's end must be readable.  0, or -ENOMEM with err set. */
int  benchmark_add(struct benchmark *benchmark, struct slice text, struct slice license, struct slice path,
                   struct slice repo, struct err *err);
/* Adds the functions of a file in Python to `unlike`.  As above. */
int  benchmark_avoid(struct benchmark *benchmark, struct slice text, struct err *err);
/* Puts the functions in order: the most reused first, of equals those that came first. */
void benchmark_sort(struct benchmark *benchmark);
/* A line of JSON.  0 or -ENOMEM. */
int  benchmark_line(const struct benchmark_function *function, struct bytes *out);
void benchmark_free(struct benchmark *benchmark);

#endif
