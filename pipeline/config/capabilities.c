/* config/capabilities.c -- the table of capabilities: a new one is a folder and a line here. */
#include "config/capabilities.h"

#include <assert.h>

/* In the order in which they are read, run, stored and reported.  Those that put documents into the graph come before
 * those that add to them; generate comes before all that look at the datasets of its outputs, inclusion and compliance
 * before probe, which refuses corpora that nothing before it reads; who reads another's results, its `after`, comes
 * after it. */
#define CAPABILITIES(CAPABILITY) \
    CAPABILITY(near) \
    CAPABILITY(generate) \
    CAPABILITY(dedup) \
    CAPABILITY(documents) \
    CAPABILITY(function) \
    CAPABILITY(passage) \
    CAPABILITY(ngram) \
    CAPABILITY(clone) \
    CAPABILITY(clonetype) \
    CAPABILITY(repository) \
    CAPABILITY(portrait) \
    CAPABILITY(sensitive) \
    CAPABILITY(inclusion) \
    CAPABILITY(compliance) \
    CAPABILITY(probe) \
    CAPABILITY(memorised) \
    CAPABILITY(history) \
    CAPABILITY(clean)

#define DECLARED(name) extern const struct capability name##_capability;
#define LISTED(name)   &name##_capability,

CAPABILITIES(DECLARED)

const struct capability *const capabilities[] = { CAPABILITIES(LISTED) NULL };

const struct report_part *const *capability_reports(void)
{
    static const struct report_part *part[sizeof capabilities / sizeof *capabilities];

    for (size_t i = 0; capabilities[i]; i++) part[i] = &capabilities[i]->report;
    return part;
}

const struct change_part *const *capability_changes(void)
{
    static const struct change_part *part[sizeof capabilities / sizeof *capabilities];
    size_t                           n = 0;

    for (size_t i = 0; capabilities[i]; i++)
        if (capabilities[i]->changes) part[n++] = capabilities[i]->changes;
    return part;
}

const struct graph_table *const *capability_tables(void)
{
    enum { TABLES_MOST = 64 };
    static const struct graph_table *table[TABLES_MOST + 1];
    size_t                           n = 0;

    if (table[0]) return table;
    for (size_t i = 0; capabilities[i]; i++)
        for (size_t t = 0; capabilities[i]->tables && capabilities[i]->tables[t]; t++) {
            assert(n < TABLES_MOST);
            table[n++] = capabilities[i]->tables[t];
        }
    return table;
}
