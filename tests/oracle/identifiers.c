/* tests/oracle/identifiers.c -- the names that the lexer finds in files, keywords left out: what compare.mjs compares.
 *
 *     identifiers LANGUAGE < LIST      the files' paths, one a line
 *
 * Prints for each file "= PATH" and then each of its names, a line each.  `identifiers -k LANGUAGE` prints the
 * keywords. Exit status: 0, 2 wrong usage, 1 a file that cannot be read. */
#include "base/bytes.h"
#include "code/lexer.h"
#include "kernels/kernels.h"

#include <stdio.h>
#include <stdlib.h>

enum { PADDING = 64 };

static bool is_keyword(const struct language *language, struct slice name)
{
    for (size_t i = 0; language_keyword(language, i); i++)
        if (slice_equal(name, slice_of(language_keyword(language, i)))) return true;
    return false;
}

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
    const struct language *language = argc > 1 ? language_by_name(slice_of(argv[argc - 1])) : NULL;
    struct bytes           text = { 0 };
    struct lexer           lexer = { 0 };
    struct err             err;
    char                  *path = NULL;
    size_t                 room = 0;
    ssize_t                len;

    if (!language || argc > 3) {
        fprintf(stderr, "usage: identifiers [-k] LANGUAGE < LIST\n");
        return 2;
    }
    for (size_t i = 0; argc == 3 && language_keyword(language, i); i++) puts(language_keyword(language, i));
    kernels = kernels_select(kernels_cpu(), getenv("LEAKGRAPH_KERNELS"));
    if (!kernels) kernels = &kernels_scalar;
    while (argc == 2 && (len = getline(&path, &room, stdin)) > 0) {
        if (path[len - 1] == '\n') path[len - 1] = '\0';
        if (read_file(path, &text) < 0 || lexer_run(&lexer, language, bytes_slice(&text), LEX_NAMES, &err) < 0) {
            fprintf(stderr, "identifiers: %s cannot be read\n", path);
            return 1;
        }
        printf("= %s\n", path);
        for (size_t i = 0; i < lexer.count; i++) {
            struct slice name = { text.at + lexer.token[i].at, lexer.token[i].len };

            if (lexer.token[i].kind == TOKEN_QUOTED ||
                (lexer.token[i].kind == TOKEN_NAME && !is_keyword(language, name)))
                printf("%.*s\n", (int)name.len, name.at);
        }
    }
    free(path);
    lexer_free(&lexer);
    bytes_free(&text);
    return 0;
}
