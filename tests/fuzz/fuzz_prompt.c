/* A document that may be Python or anything: what prompt_head and prompt_lines cut off is its beginning, as long as it
 * may be, and cut again it stays what it is. */
#include "generate/generate.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(int right, const char *what)
{
    if (right) return;
    fprintf(stderr, "fuzz_prompt: %s\n", what);
    abort();
}

static size_t count(struct slice text, char c)
{
    size_t n = 0;

    for (size_t i = 0; i < text.len; i++) n += text.at[i] == c;
    return n;
}

/* A text of its own size, so that a byte read past it is seen. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char        *copy = malloc(size ? size : 1);
    struct slice text = { copy, size }, head, lines;

    require(copy != NULL, "no memory");
    if (size) memcpy(copy, data, size);
    head = prompt_head(text);
    lines = prompt_lines(text, 3);
    require(head.len == 0 || head.at == text.at, "a head that is no beginning");
    require(head.len <= size && (head.len == 0 || head.at[head.len - 1] != '\n'), "a head with its last line feed");
    require(count(head, ' ') < 220, "a head of too many pieces");
    require(head.len == 0 || head.len == size || text.at[head.len] == '\n', "a head that ends within a line");
    require(lines.at == text.at && lines.len <= size && count(lines, '\n') <= 2, "lines that are no beginning");
    require(lines.len == size || lines.at[lines.len] == '\n', "lines that end within one");
    require(prompt_lines(lines, 3).len == lines.len, "lines that are cut again");
    free(copy);
    return 0;
}
