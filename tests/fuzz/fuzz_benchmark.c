/* tests/fuzz/fuzz_benchmark.c -- a Python file of any bytes, of which functions for a benchmark are made; the low bit
 * of the first byte says how they are cut.
 *
 * Heads, documentation and bodies are whole lines of the file; the functions that are taken are written as lines.  The
 * text is a heap block of its own with exactly the 64 bytes of padding that the contract asks for. */
#include "compliance/benchmark.h"

#include "kernels/kernels.h"

#include <cjson/cJSON.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool fact, const char *what)
{
    if (fact) return;
    fprintf(stderr, "fuzz_benchmark: %s\n", what);
    abort();
}

/* Empty, or lines of the text from their beginning to their end. */
static void check_lines(struct slice lines, struct slice text)
{
    const char *end = text.at + text.len;

    if (!lines.len) return;
    require(lines.at >= text.at && lines.at + lines.len <= end, "lines outside the text");
    require(lines.at == text.at || lines.at[-1] == '\n', "lines that begin inside one");
    require(lines.at + lines.len == end || lines.at[lines.len - 1] == '\n', "lines that end inside one");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct benchmark benchmark = { .published = size && data[0] & 1 };          /* no limits: most are taken */
    struct slice     text = { calloc(size + BYTES_PAD, 1), size ? size - 1 : 0 };
    struct bytes     line = { 0 };
    struct err       err = { 0 };

    require(text.at, "out of memory");
    if (size) memcpy((char *)(uintptr_t)text.at, data + 1, size - 1);
    kernels = kernels_select(kernels_cpu(), NULL);
    require(benchmark_add(&benchmark, text, SLICE("MIT"), SLICE("a.py"), SLICE(""), &err) == 0, "benchmark_add fails");
    for (size_t i = 0; i < benchmark.segments.count; i++) {
        const struct segment *segment = &benchmark.segments.at[i];

        require(segment->signature.len > 0, "a function without a head");
        check_lines(segment->signature, text);
        check_lines(segment->docstring, text);
        check_lines(segment->body, text);
    }
    benchmark_sort(&benchmark);
    for (size_t i = 0; i < benchmark.count; i++) {
        cJSON *tree;

        line.len = 0;
        require(benchmark_line(&benchmark.at[i], &line) == 0, "benchmark_line fails");
        tree = cJSON_ParseWithLength(line.at, line.len);
        require(tree, "a line that is no JSON");
        cJSON_Delete(tree);
    }
    bytes_free(&line);
    benchmark_free(&benchmark);
    free((char *)(uintptr_t)text.at);
    return 0;
}
