/* sensitive/sensitive.h -- e-mail addresses, IP addresses and keys in texts, and which of those of the benchmarks
 * (outputs of a model, say) the corpora have.
 *
 * A value is looked for in the corpora as it stands, anywhere in a text, not only where a pattern would find it there.
 * Values themselves are neither in units nor in results: a value is its xxh3-128, and is shown masked.
 *
 * Source: Yang et al. 2024, Unveiling Memorization in Code Models (docs/definitions.md, "Sensitive strings"); the
 * patterns are those of BigScience's PII filter and of the published list of key plugins, in our own words:
 * find.c and key.c say each. */
#ifndef LEAKGRAPH_SENSITIVE_SENSITIVE_H
#define LEAKGRAPH_SENSITIVE_SENSITIVE_H

#include "base/bytes.h"
#include "base/err.h"
#include "base/slice.h"
#include "pass/pass.h"
#include "pass/run.h"

enum sensitive_kind { SENSITIVE_EMAIL, SENSITIVE_IP, SENSITIVE_KEY, SENSITIVE_KINDS };
extern const char *const sensitive_names[SENSITIVE_KINDS];  /* "email", "ip", "key" */

/* In the text.  pattern: of a key, "aws", "github", ...; of others "". */
struct sensitive_match { uint32_t kind, at, len; const char *pattern; };

/* All of a text, in order, appended to *out (struct sensitive_match).  In time linear in the text's length, whatever it
 * is.  No value is shorter than SENSITIVE_SHORTEST bytes or longer than SENSITIVE_LONGEST.  0 or -ENOMEM. */
enum { SENSITIVE_SHORTEST = 6, SENSITIVE_LONGEST = 4096 };
int sensitive_find(struct slice text, struct bytes *out, struct err *err);
/* What may be one in a name, as of a file or a dataset, or in several put together: what stands beside a value (words
 * of hashes or versions, a folder, a place behind #) neither goes on it nor says that it is none, and no strings in
 * quotes are keys.  May give what sensitive_find does not, and the other way round.  Linear, too; 0 or -ENOMEM. */
int sensitive_find_named(struct slice name, struct bytes *out, struct err *err);

/* First and last character and the length in bytes, as "a…z (17)": what reports show instead.  Appended; a byte that
 * is no UTF-8 is U+FFFD.  0 or -ENOMEM. */
int sensitive_mask(struct slice value, struct bytes *out);

/* Of a private, local or otherwise unroutable network: 10/8, 127/8, fe80::/10 and so on. */
bool sensitive_is_local(struct slice ip);

/* Kept free for documents: with `example` in it, as in nobody@example.org and AWS's AKIAI44QH8DHBEXAMPLE; an IP address
 * of RFC 5737 (192.0.2/24, 198.51.100/24, 203.0.113/24) or RFC 3849 (2001:db8::/32). */
bool sensitive_is_example(struct slice value, enum sensitive_kind kind);

struct sensitive_options {
    bool kind[SENSITIVE_KINDS];                             /* those that are looked for */
    bool local;                                             /* also local addresses */
    bool example;                                           /* also those of sensitive_is_example */
};

struct sensitive_job {
    const struct run *run;
    const struct sensitive_options *options;
    const bool               *member;                       /* [dataset_count] those whose values are collected */
    struct pass_totals        totals;                       /* out, summed over ranks */
    struct sensitive_index   *index;                        /* from sensitive_prepare to sensitive_release */
};

/* Collects the values of the benchmarks among the members, resuming what is committed, and indexes them.  Collective.
 * Whatever it returns, sensitive_release ends it. */
int  sensitive_prepare(struct sensitive_job *job, struct err *err);
void sensitive_release(struct sensitive_job *job);

/* Scanners: of values in the members of a role; of the benchmarks' values in corpora, which needs sensitive_prepare,
 * also to find its units. */
struct pass_scanner sensitive_collector(const struct sensitive_job *job, enum dataset_role role);
struct pass_scanner sensitive_searcher(const struct sensitive_job *job);

/* Whether a member has the role. */
bool sensitive_has_member(const struct sensitive_job *job, enum dataset_role role);

#endif
