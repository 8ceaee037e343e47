/* config/yaml_text.h -- a command line that stands for a settings file, written as one: what `overlap` and `dedup`
 * share. */
#ifndef LEAKGRAPH_CONFIG_YAML_TEXT_H
#define LEAKGRAPH_CONFIG_YAML_TEXT_H

#include "base/bytes.h"

#include <stdbool.h>

enum { NAMED_GLOBS_MAX = 256 };

/* glob: borrowed.  option: the one that gave it, for messages (said.h), or NULL. */
struct named_glob { char name[256]; const char *glob; bool benchmark; const char *option; };

/* Takes NAME=GLOB apart.  false when it is not of that form, or the name is too long. */
bool named_glob_parse(struct named_glob *out, const char *value);

/* Appends the list `datasets`: globs of one name and role are one dataset, at the place of the first.  language: of
 * all, may be NULL. self_join: of the corpora.  Lines end in comments that name their options.  0 or -ENOMEM. */
int yaml_datasets(struct bytes *out, const struct named_glob *glob, size_t count, const char *language, bool self_join);

#endif
