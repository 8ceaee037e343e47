/* compliance/rules.h -- licences that an answer names, by rules in the format that LiCoEval (Xu et al., ICSE 2025)
 * publishes: a JSON object in which each licence's identifier, lower-cased, has lists of strings.
 *
 *   name     one of them: with a space in it anywhere in the text, else as a word between white space
 *   version  one of them, behind `v`, `-` or white space and before no digit; `.` stands for any character, and
 *            `+`, `*`, `?` for how often the one before them is there; at most 63 marks, a + for two
 *   must     one of them anywhere           no   none of them anywhere
 *
 * A list that is not there asks for nothing.  The text is in lower case, the strings are not: one with a capital letter
 * never matches.  Ours are data/licence_rules.json. */
#ifndef LEAKGRAPH_COMPLIANCE_RULES_H
#define LEAKGRAPH_COMPLIANCE_RULES_H

#include "base/bytes.h"
#include "base/err.h"

struct rules;

/* 0; -EINVAL (the file's content), -EIO, -ENOMEM with err set, naming the file. */
int  rules_open(struct rules **out, const char *path, struct err *err);
/* The same from text; `name` is for messages. */
int  rules_parse(struct rules **out, const char *name, struct slice text, struct err *err);
void rules_close(struct rules *rules);                      /* accepts NULL */
size_t rules_count(const struct rules *rules);

/* The first rule that the text matches, in the file's order; NULL: none.  several (or NULL): whether others match too.
 * *scratch is overwritten.  The name lives as long as the rules; -ENOMEM is told by scratch->at staying NULL. */
const char *rules_find(const struct rules *rules, struct slice text, bool *several, struct bytes *scratch);

/* Do two identifiers name the same licence?  Case makes no difference; GPL-2.0 and the four like it, which say nothing
 * of later versions, are those with -only. */
bool rules_same_licence(struct slice a, struct slice b);
/* The same of what a field may say (licence/licence.h), however it is written: GPL-2.0+ is GPL-2.0-or-later. */
bool rules_same_expression(struct slice a, struct slice b);

#endif
