/* sensitive/key.h -- keys of well-known services, and strings in quotes that look random.
 *
 * A key stands alone: between bytes that are no letter, digit, `_` or `-`.  What a pattern finds counts when its secret
 * part is gibberish (not made of words), when it is not hash-like (as long as a hash, on a line that mentions sha, md5,
 * hash, byte, commit, gitHead, integrity or the like), when a string in quotes is no data (data.h), and when neither
 * `sha` nor `hash` is in the text more often than in 2 % of its lines.  Sources: the plugins of Yelp's detect-secrets
 * and BigCode's filters over them, see docs/definitions.md, "Sensitive strings". */
#ifndef LEAKGRAPH_SENSITIVE_KEY_H
#define LEAKGRAPH_SENSITIVE_KEY_H

#include "sensitive/sensitive.h"

/* The keys of a text, appended in any order.  named: as sensitive_find_named, of a name.  0 or -ENOMEM. */
int sensitive_find_keys(struct slice text, bool named, struct bytes *out);

/* Shannon entropy of the bytes, in bits a byte. */
double sensitive_entropy(struct slice text);

/* A text of letters and digits that is not made of words: see random.c. */
bool sensitive_is_gibberish(struct slice text);

/* Bytes as patterns know them; those beyond ASCII are letters of other scripts. */
static inline bool sensitive_is_digit(char c) { return c >= '0' && c <= '9'; }
static inline bool sensitive_is_upper(char c) { return c >= 'A' && c <= 'Z'; }
static inline bool sensitive_is_lower(char c) { return c >= 'a' && c <= 'z'; }
static inline bool sensitive_is_alnum(char c)
{
    return sensitive_is_digit(c) || sensitive_is_upper(c) || sensitive_is_lower(c);
}
static inline char sensitive_lower(char c) { return sensitive_is_upper(c) ? (char)(c | 0x20) : c; }

/* How often a word, given in lower case, is in the text, in any case. */
size_t sensitive_mentions(struct slice text, const char *word);

#endif
