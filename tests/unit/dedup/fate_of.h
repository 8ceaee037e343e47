/* tests/unit/dedup/fate_of.h -- fates as they are written down. */
#ifndef LEAKGRAPH_TESTS_UNIT_DEDUP_FATE_OF_H
#define LEAKGRAPH_TESTS_UNIT_DEDUP_FATE_OF_H

#include "dedup/fate.h"

/* A fate of which no link is known. */
#define FATE(class, best, documents, gone) \
    { .representative = (class), .canonical = (best), .size = (documents), .removed = (uint16_t)(gone) }

#endif
