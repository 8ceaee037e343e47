/* tests/fuzz/fuzz_json_array.c -- a file of JSON that is no lines, of any bytes: the same is read whatever the
 * batches. */
#include "same_records.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    same_records("a.json", data, size);
    return 0;
}
