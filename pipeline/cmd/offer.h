/* cmd/offer.h -- what a shell may offer for a value or an argument, told by how the help names it: see cmd/usage.h. */
#ifndef LEAKGRAPH_CMD_OFFER_H
#define LEAKGRAPH_CMD_OFFER_H

#include "cmd/usage.h"

/* setting: KEY=; words: separated by blanks, a NUL behind the last that is not counted. */
struct offer { bool file, folder, command, key, setting; struct bytes words; };

/* Adds what is offered for a value: "DIR", "exact|published", "[NAME=]FILE...".  Of another name what the help lists
 * behind `NAME is one of`, a row each.  0 or -ENOMEM. */
int  offer_add(struct offer *offer, const struct usage *usage, struct slice value);
int  offer_words(struct offer *offer, struct slice words);  /* words with | between them */
void offer_free(struct offer *offer);
bool offer_some(const struct offer *offer);                 /* is anything offered? */

/* What is offered for the first argument of a command's calls, and for those behind it.  words: of the calls that are
 * its name, 2 of `leakgraph run`.  0 or -ENOMEM; both are to be freed either way. */
int  offer_arguments(const struct usage *usage, size_t words, struct offer *first, struct offer *rest);

#endif
