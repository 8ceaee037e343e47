/* similarity/sha1.h -- SHA-1 (FIPS 180-4), where a published tool hashes with it; not for anything secret. */
#ifndef LEAKGRAPH_SIMILARITY_SHA1_H
#define LEAKGRAPH_SIMILARITY_SHA1_H

#include "base/slice.h"

#include <stdint.h>

void sha1(struct slice text, uint8_t out[20]);

#endif
