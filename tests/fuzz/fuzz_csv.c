/* tests/fuzz/fuzz_csv.c -- a file of CSV, of any bytes: the same is read whatever the batches. */
#include "same_records.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    same_records("a.csv", data, size);
    return 0;
}
