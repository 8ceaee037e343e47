/* history/settings_changed.h -- which settings two runs differ in, key by key, from the configurations that their
 * graph.db keep. */
#ifndef LEAKGRAPH_HISTORY_SETTINGS_CHANGED_H
#define LEAKGRAPH_HISTORY_SETTINGS_CHANGED_H

#include "history/changes.h"

/* A setting by its path, `near_duplicates.set_threshold`, `datasets.bench.files`: items of a list go by their name, or
 * by their number, words of a list are one value.  Nodes are as YAML has them, so that a configuration of another
 * version is read too; what another version of the program says by itself is a setting like others.  `output` and
 * `history` are left out: they change no result.  Rows of part HISTORY_SETTINGS, by path.  0, or <0 with err set. */
int settings_changed(struct changes *changes, sqlite3 *old, sqlite3 *new, struct err *err);

#endif
