/* graph/settings.h -- rows of table run: what was asked, by which program, and what it took. */
#ifndef LEAKGRAPH_GRAPH_SETTINGS_H
#define LEAKGRAPH_GRAPH_SETTINGS_H

#include "base/ratio.h"
#include "graph/graph.h"
#include "graph/pool.h"

#include <time.h>

/* Zeroed at first; settings_free ends it.  A row that memory was not there for is missing: settings.failed. */
struct settings { struct graph_setting *row; size_t count, room; struct pool pool; bool failed; };

/* Each adds a row; keys and values are copied. */
void settings_add_text(struct settings *settings, const char *key, struct slice value);
void settings_add_format(struct settings *settings, const char *key, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void settings_add_number(struct settings *settings, const char *key, uint64_t value);
void settings_add_bool(struct settings *settings, const char *key, bool value);
void settings_add_ratio(struct settings *settings, const char *key, struct ratio value);    /* "off" when den is 0 */
void settings_add_seconds(struct settings *settings, const char *key, double value);
void settings_add_time(struct settings *settings, const char *key, time_t at);              /* UTC */
void settings_free(struct settings *settings);

#endif
