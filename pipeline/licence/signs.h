/* licence/signs.h -- may a text name a licence?  Nearly every function and most files have no word that a name or a
 * text of a licence begins with, and are told so at the speed of reading. */
#ifndef LEAKGRAPH_LICENCE_SIGNS_H
#define LEAKGRAPH_LICENCE_SIGNS_H

#include "base/slice.h"

#include <stdbool.h>

/* false: no name, no rule for a text, no tag and no `public domain` of data/licences.json is found in the text; true
 * says nothing.  Any thread may call it. */
bool licence_may_name(struct slice text);

#endif
