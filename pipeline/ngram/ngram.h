/* ngram/ngram.h -- n-gram overlap: how much of each benchmark item a corpus holds, for any list of n.
 *
 * The n-grams of all items are one table, which every rank maps; the corpora roll by.  Two n-grams are equal when their
 * 64-bit hashes are (a polynomial of the hashes of their words): that is the definition, and nothing is verified
 * afterwards, but what is said of bytes (exact substring, windows of characters) is found in bytes.
 *
 * An item's field with fewer words than n is compared as a whole, as one n-gram of its own length, and marked short:
 * the rules say nothing of it unless they are told to. */
#ifndef LEAKGRAPH_NGRAM_NGRAM_H
#define LEAKGRAPH_NGRAM_NGRAM_H

#include "base/comm.h"
#include "base/stage.h"
#include "pass/pass.h"
#include "pass/paths.h"
#include "pass/run.h"

enum { NGRAM_SIZES = 8, NGRAM_FIELDS = 16, NGRAM_N_MAX = 100, NGRAM_WINDOW = 50 };

enum ngram_unit { NGRAM_WORDS, NGRAM_TOKENS };

/* Which letters are equal: of each rule, as its source has it; no two; the small and the capital ones of ASCII. */
enum ngram_case { NGRAM_SOURCE, NGRAM_KEEP, NGRAM_FOLD };

/* owned by whoever read them; source NULL: the dataset's text */
struct ngram_field { char *name, *source; };

struct ngram_options {
    uint32_t           n[NGRAM_SIZES];                      /* [sizes] ascending */
    size_t             sizes;
    enum ngram_unit    unit;
    struct ngram_field field[NGRAM_FIELDS];                 /* [fields] */
    size_t             fields;
    /* n-grams in more documents of a corpus do not count for the rules; 0: all count */
    uint64_t           max_df;
    /* most occurrences that one n-gram adds to an item's count */
    uint64_t           cap;
    /* the rules say of a short field what its one n-gram says */
    bool               whole;
    enum ngram_case    letters;
};

struct ngram_index;

/* Everything that the overlap needs to know and that its units depend on (max_df, cap and whole: the result alone).
 *
 * Where rules ask for both cases, n-grams are looked for in lower case: those as written are some of them, in the same
 * places, and are told by a second hash.  They alone are asked for windows and common subsequences then. */
struct ngram_job {
    const struct run *run;
    const struct ngram_options *options;
    struct ngram_index         *index;                      /* from ngram_prepare to ngram_release */
    bool                        fold;                       /* n-grams are looked for in lower case */
    bool                        both;                       /* and told as written, too: with fold alone */
};
struct ngram_job ngram_job_of(const struct run *run, const struct ngram_options *options);

/* Collects the benchmarks' items, resuming what is committed, and maps their table for the scan.  Collective.  Whatever
 * it returns, ngram_release ends it. */
int  ngram_prepare(struct ngram_job *job, struct err *err);
void ngram_release(struct ngram_job *job);
/* Warns where the scan may need more than `memory`, and says whether it did: of a job that is prepared. */
bool ngram_warn_scan(const struct ngram_job *job);

/* The scanner of all corpora: needs ngram_prepare to run, not to find its units. */
struct pass_scanner ngram_scanner(const struct ngram_job *job);

/* Whether the longest common subsequence with some document is at least 0.6 of the shorter text: no; with none, but
 * some pair was too long to be compared; yes.  Of two answers the larger holds. */
enum ngram_near { NGRAM_FAR, NGRAM_UNKNOWN, NGRAM_NEAR };

/* One field of an item against one corpus, for one n.  Places count words (or tokens) from 0. */
struct ngram_row {
    uint32_t shard, field, corpus, n;                       /* shard of the item; corpus: a dataset */
    uint64_t record;
    /* numbers the fields of all items: rows of one entry and corpus stand together */
    uint32_t entry;
    bool     is_short;                                      /* the field has fewer than n words */
    uint32_t words, ngrams, distinct;                       /* of the field; ngrams counts repetitions */
    /* n-grams of the field that some document of the corpus has; found counts repetitions */
    uint32_t found_distinct, found;
    uint32_t rare;                                          /* of found, those in at most max_df documents */
    uint32_t covered, covered_rare;                         /* words of the field in a found (rare) n-gram */
    uint32_t covered_once;                                  /* most words in n-grams of one and the same document */
    /* most n-grams in a row in one document that are the field's */
    uint32_t longest_run;
    /* that document, the first in order, and where the run starts there */
    uint32_t run_shard, run_at;
    uint32_t run_line;                                      /* of its text, from 1 */
    uint64_t run_record;
    /* longest common subsequence with it, and the words of the shorter; 0, 0: not looked for */
    uint32_t lcs, lcs_of;
    enum ngram_near near;                                   /* n = 13: with any document that has one of its n-grams */
    uint64_t documents;                                     /* that have any of its n-grams */
    uint64_t occurrences;                                   /* of its n-grams in the corpus, at most cap for each */
    uint64_t max_frequency;                                 /* of its n-grams: most documents that one is in */
    /* found, each n-gram weighted by its inverse document frequency; -1: all weigh nothing */
    double   idf_share;
    /* n = 5: most that one document has of the field's different n-grams, each weighing ln(fields of that name /
     * those that have it), fields of fewer words aside; -1: all weigh nothing, or another n */
    double   decon_share;
    /* of 50 bytes, of the field's text without white space around it; 0: shorter, or unit tokens */
    uint32_t windows, windows_found;
    /* that text is in a document: 1, 0; -1: fewer than three words, or unit tokens */
    int      exact;
};

/* [count] by entry (items in the contract's order, fields as listed), corpus, n; folded: of texts in lower case, beside
 * those as written, NULL where the run has one case; paths: of the runs */
struct ngram_result { struct ngram_row *row, *folded; size_t count; struct paths paths; };

/* Rank 0, after the scan.  0, or <0 with err set. */
int  ngram_result_read(const struct ngram_job *job, struct ngram_result *out, struct err *err);
void ngram_result_free(struct ngram_result *result);

/* The published rules (docs/definitions.md, "n-gram rules"), from the rows of one entry and corpus.  Flags: 1, 0, -1
 * where its n was not asked for or it was not looked for, and where the field is shorter than n, unless options->whole.
 * With options->max_df rare n-grams alone count.  Shares: -1 likewise. */
struct ngram_rules {
    int    gpt3_13gram, palm_8gram, tulu3_8gram, exact_substring, windows50, qwen_lcs;
    double llama3_8gram, idf_weighted, decon_5gram;
};
/* keep, folded: [count] rows of the texts as they are and in lower case; one and the same where the run has one case */
struct ngram_rules ngram_rules_of(const struct ngram_row *keep, const struct ngram_row *folded, size_t count,
                                  const struct ngram_options *options);

#endif
