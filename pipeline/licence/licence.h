/* licence/licence.h -- under which licence a file is, and whose it is, by what its head says.
 *
 * A tag `SPDX-License-Identifier` (SPDX 2.3, annex D) says it; without one, names of licences with their versions and
 * wordings that licences prescribe for the heads of files, by the rules of data/licences.json.  Words are compared, so
 * that comment marks, case, punctuation and how lines are broken make no difference.  At most LICENCE_HEAD bytes of a
 * text are looked at, and where these say nothing the last LICENCE_TAIL, where manuals in files have it: time is
 * bounded by that, whatever the text.
 * docs/definitions.md, "Licences". */
#ifndef LEAKGRAPH_LICENCE_LICENCE_H
#define LEAKGRAPH_LICENCE_LICENCE_H

#include "base/bytes.h"

#include <stdbool.h>

enum {
    LICENCE_HEAD = 8 << 10, LICENCE_TAIL = 4 << 10,        /* bytes of a text */
    LICENCE_BYTES = 320,                                    /* of an expression, and its NUL */
    LICENCE_MOST = 8,                                       /* licences of one text */
    LICENCE_HOLDERS = 8, LICENCE_HOLDER_BYTES = 120,        /* holders of one text, and bytes of a name */
};

/* What has to be done by who passes the code on, least first.  Restricted: not for every use; unknown: a licence that
 * is not in the table. */
enum licence_class {
    LICENCE_NONE, LICENCE_PERMISSIVE, LICENCE_WEAK, LICENCE_STRONG, LICENCE_RESTRICTED, LICENCE_UNKNOWN,
    LICENCE_CLASSES
};
extern const char *const licence_class_names[LICENCE_CLASSES];      /* "none", "permissive", "weak copyleft", ... */

/* An expression of SPDX.  Where there is a choice (OR) its class is that of the mildest, where several hold at once
 * (AND) that of the strictest. */
struct licence {
    char               expression[LICENCE_BYTES];           /* "" where there is none */
    enum licence_class class;
    bool               choice;                              /* one of several may be chosen */
    const char        *id[LICENCE_MOST];                    /* of those that the table has, as they stand */
    size_t             count;
};

/* The licence that a file's text names; false when it names none (then it is LICENCE_NONE).  Any bytes. */
bool licence_of_text(struct licence *out, struct slice text);

/* The licence that a field of a record names: an expression, a JSON list of names (which all hold), a name as people
 * write it.  LICENCE_UNKNOWN with an empty expression where it says something else. */
void licence_of_field(struct licence *out, struct slice field);

/* The first licence that prose names and does not deny ("not MIT"), as its identifier; NULL: none.  several (or NULL):
 * whether it names others, too.  Names without a version that have several are LicenseRef-NAME; `GPL` without one is
 * GPL-1.0-or-later, as that licence has it. */
const char *licence_named(struct slice prose, bool *several);

/* Who says which licence a document is under: a field of its record, else its text. */
enum licence_source { LICENCE_UNSAID, LICENCE_IN_FIELD, LICENCE_IN_TEXT, LICENCE_SOURCES };
extern const char *const licence_source_names[LICENCE_SOURCES];     /* "", "field", "text" */

/* The field's licence; where it names none (none there, empty, `none`), the text's. */
enum licence_source licence_of_record(struct licence *out, struct slice field, struct slice text);

/* The name of the class of what a field says; empty where it names no licence. */
struct slice licence_class_word(struct slice field);

/* The class of one identifier; LICENCE_UNKNOWN when the table has none such. */
enum licence_class licence_class_of(struct slice id);

/* The holders of copyrights that the head of a text names, `; ` between them, without years and marks; nothing when it
 * names none.  Appends to out.  0 or -ENOMEM. */
int licence_holders(struct bytes *out, struct slice text);

#endif
