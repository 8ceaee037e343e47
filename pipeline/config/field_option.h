/* config/field_option.h -- `--field [DATASET.]NAME=FIELD` of the command line: which field of the records is the text,
 * the id and so on, as datasets.NAME.fields of pipeline.yaml. */
#ifndef LEAKGRAPH_CONFIG_FIELD_OPTION_H
#define LEAKGRAPH_CONFIG_FIELD_OPTION_H

#include "base/err.h"
#include "base/slice.h"
#include "corpus/dataset.h"

enum { FIELD_OPTION_MAX = 1024 };                           /* bytes of a setting */

struct field_option {
    struct slice dataset;                                   /* empty: all of them */
    enum field   field;
    const char  *name;                                      /* in the records; all borrowed from the option's value */
};

/* Takes the value of a --field apart.  0, or -EINVAL with err set, which names what can be said. */
int field_option_parse(struct field_option *out, const char *value, struct err *err);

/* The same as what --set would be given: datasets.NAME.fields.text=code, or datasets.*.fields.text=code for all
 * datasets.  0, or -EINVAL with err set. */
int field_option_setting(char out[FIELD_OPTION_MAX], const char *value, struct err *err);

/* "a.b": names with single dots between. */
bool field_option_is_name(const char *name);

#endif
