/* base/sha256.h -- SHA-256, for those who ask for it by name, as browsers do of a page's scripts.  Ours are xxh3.
 *
 * Source: FIPS 180-4. */
#ifndef LEAKGRAPH_BASE_SHA256_H
#define LEAKGRAPH_BASE_SHA256_H

#include "base/slice.h"

#include <stdint.h>

enum { SHA256_BYTES = 32, SHA256_BASE64 = 45 };             /* with the NUL */

void sha256(struct slice text, uint8_t out[SHA256_BYTES]);
void sha256_base64(struct slice text, char out[SHA256_BASE64]);             /* as Content-Security-Policy writes it */

#endif
