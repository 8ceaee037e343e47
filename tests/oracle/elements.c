/* tests/oracle/elements.c -- the elements of files: what elements.py compares.
 *
 *     elements LANGUAGE < LIST         the files' paths, one a line
 *
 * Prints for each file "= PATH" and then each of its elements as AT END KIND DECLARES, a line each.  Exit status: 0, 2
 * wrong usage, 1 a file that cannot be read. */
#include "code/element.h"
#include "kernels/kernels.h"

#include <stdio.h>
#include <stdlib.h>

enum { PADDING = 64 };

static int read_file(const char *path, struct bytes *text)
{
    FILE  *file = fopen(path, "rb");
    size_t n = 0;

    text->len = 0;
    if (!file) return -1;
    do {
        if (bytes_reserve(text, text->len + 65536 + PADDING) < 0) break;
        n = fread(text->at + text->len, 1, 65536, file);
        text->len += n;
    } while (n > 0);
    memset(text->at + text->len, 0, PADDING);
    return fclose(file);
}

int main(int argc, char **argv)
{
    const struct language *language = argc == 2 ? language_by_name(slice_of(argv[1])) : NULL;
    struct bytes           text = { 0 };
    struct lexer           lexer = { 0 };
    struct functions       functions = { 0 };
    struct measures        measures = { 0 };
    struct elements        elements = { 0 };
    struct err             err;
    char                  *path = NULL;
    size_t                 room = 0;
    ssize_t                len;

    if (!language) {
        fprintf(stderr, "usage: elements LANGUAGE < LIST\n");
        return 2;
    }
    kernels = kernels_select(kernels_cpu(), getenv("LEAKGRAPH_KERNELS"));
    if (!kernels) kernels = &kernels_scalar;
    while ((len = getline(&path, &room, stdin)) > 0) {
        struct slice s;

        if (path[len - 1] == '\n') path[len - 1] = '\0';
        if (read_file(path, &text) < 0) return fprintf(stderr, "elements: %s cannot be read\n", path), 1;
        s = bytes_slice(&text);
        if (lexer_run(&lexer, language, s, LEX_ALL | LEX_COMMENTS, &err) < 0 ||
            functions_find(&functions, language, &lexer, s, &err) < 0 ||
            measures_take(&measures, language, &lexer, &functions, s, &err) < 0 ||
            elements_find(&elements, language, &lexer, &functions, &measures, s, &err) < 0)
            return fprintf(stderr, "elements: %s: %s\n", path, err.text), 1;
        printf("= %s\n", path);
        for (size_t i = 0; i < elements.count; i++) {
            const struct element *e = &elements.at[i];

            printf("%u %u %s %d\n", e->at, e->end, element_names[e->kind], e->declares);
        }
    }
    free(path);
    lexer_free(&lexer);
    functions_free(&functions);
    measures_free(&measures);
    elements_free(&elements);
    bytes_free(&text);
    return 0;
}
