/* tests/unit/code/lexer_golden.c -- replays tests/golden/lexer, every .txt file.
 *
 * A file holds groups of three lines, apart from empty lines and lines that start with "# ":
 *     LANGUAGE FLAGS          flags: names literals operators all published, joined by +
 *     input                   \n \t \r \\ \xHH
 *     expected tokens         each KIND:text with the same escapes and \s for a blank; "none"; "dropped"
 * KIND is n (name), q (in quotes), d (number), s (string), p (prefixed string), o (operator), x (stray). */
#include "base/bytes.h"
#include "code/lexer.h"
#include "kernels/kernels.h"

#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <cmocka.h>

#ifndef TEST_DIR
#define TEST_DIR "tests"
#endif

static void must(int rc) { assert_int_equal(rc, 0); }

static void unescape(struct bytes *out, const char *line)
{
    out->len = 0;
    must(bytes_reserve(out, strlen(line) + 1));
    for (; *line; line++) {
        char c = *line;

        if (c == '\\') {
            char hex[3] = { 0 };

            c = *++line;
            switch (c) {
            case 'n': c = '\n'; break;
            case 't': c = '\t'; break;
            case 'r': c = '\r'; break;
            case '\\': break;
            case 'x':
                assert_true(line[1] && line[2]);
                hex[0] = line[1];
                hex[1] = line[2];
                c = (char)strtoul(hex, NULL, 16);
                line += 2;
                break;
            default: fail_msg("unknown escape \\%c", c);
            }
        }
        must(bytes_append(out, &c, 1));
    }
}

static void escape(struct bytes *out, struct slice text)
{
    for (size_t i = 0; i < text.len; i++) {
        unsigned char c = (unsigned char)text.at[i];

        if (c == '\n') must(bytes_append_slice(out, SLICE("\\n")));
        else if (c == '\t') must(bytes_append_slice(out, SLICE("\\t")));
        else if (c == '\r') must(bytes_append_slice(out, SLICE("\\r")));
        else if (c == '\\') must(bytes_append_slice(out, SLICE("\\\\")));
        else if (c == ' ') must(bytes_append_slice(out, SLICE("\\s")));
        else if (c < ' ' || c >= 0x7F) must(bytes_printf(out, "\\x%02X", c));
        else must(bytes_append(out, &text.at[i], 1));
    }
}

static unsigned parse_flags(const char *text)
{
    static const struct { const char *name; unsigned bits; } flags[] = {
        { "names", LEX_NAMES }, { "literals", LEX_LITERALS }, { "operators", LEX_OPERATORS }, { "all", LEX_ALL },
        { "published", LEX_PUBLISHED },
    };
    unsigned want = 0;

    while (*text) {
        size_t len = strcspn(text, "+"), k = 0;

        while (k < 5 && !slice_equal((struct slice){ text, len }, slice_of(flags[k].name)))
            k++;
        if (k == 5) fail_msg("unknown flag %s", text);
        want |= flags[k].bits;
        text += len + (text[len] == '+');
    }
    return want;
}

static void print_tokens(struct bytes *out, const struct lexer *lexer, const char *text)
{
    static const char kinds[] = { [TOKEN_NAME] = 'n', [TOKEN_QUOTED] = 'q', [TOKEN_NUMBER] = 'd', [TOKEN_STRING] = 's',
                                  [TOKEN_PREFIXED] = 'p', [TOKEN_OPERATOR] = 'o', [TOKEN_STRAY] = 'x' };

    out->len = 0;
    if (lexer->dropped || lexer->count == 0) must(bytes_printf(out, "%s", lexer->dropped ? "dropped" : "none"));
    for (size_t i = 0; i < lexer->count; i++) {
        must(bytes_printf(out, "%s%c:", i ? " " : "", kinds[lexer->token[i].kind]));
        escape(out, (struct slice){ text + lexer->token[i].at, lexer->token[i].len });
    }
    must(bytes_append(out, "", 1));
}

/* Replays one file; the number of groups in it.  Prints what differs and counts it in *bad. */
static size_t replay(const char *path, size_t *bad)
{
    FILE        *file = fopen(path, "r");
    char        *line = NULL, *lines[3] = { NULL, NULL, NULL };
    size_t       room = 0, number = 0, have = 0, groups = 0;
    struct lexer lexer = { 0 };
    struct bytes input = { 0 }, got = { 0 };
    struct err   err;
    ssize_t      len;

    if (!file) fail_msg("cannot open %s", path);
    while ((len = getline(&line, &room, file)) > 0) {
        number++;
        if (line[len - 1] == '\n') line[len - 1] = '\0';
        if (have == 0 && (!*line || strncmp(line, "# ", 2) == 0)) continue;
        lines[have] = strdup(line);
        assert_non_null(lines[have]);
        if (++have == 3) {
            char                  *space = strchr(lines[0], ' ');
            const struct language *language;

            if (!space) fail_msg("%s:%zu: no flags", path, number - 2);
            *space = '\0';
            language = language_by_name(slice_of(lines[0]));
            if (!language) fail_msg("%s:%zu: unknown language", path, number - 2);
            unescape(&input, lines[1]);
            must(lexer_run(&lexer, language, bytes_slice(&input), parse_flags(space + 1), &err));
            print_tokens(&got, &lexer, input.at);
            if (strcmp(got.at, lines[2]) != 0) {
                print_error("%s:%zu:\nexpected %s\ngot      %s\n", path, number, lines[2], got.at);
                ++*bad;
            }
            groups++;
            while (have > 0)
                free(lines[--have]);
        }
    }
    if (have) fail_msg("%s: the last group has %zu lines", path, have);
    free(line);
    fclose(file);
    lexer_free(&lexer);
    bytes_free(&input);
    bytes_free(&got);
    return groups;
}

static void test_golden(void **unused)
{
    DIR           *folder = opendir(TEST_DIR "/golden/lexer");
    struct dirent *entry;
    size_t         groups = 0, bad = 0;

    (void)unused;
    if (!folder) fail_msg("cannot open %s", TEST_DIR "/golden/lexer");
    while ((entry = readdir(folder)) != NULL) {
        char path[1024];

        if (!strstr(entry->d_name, ".txt")) continue;
        snprintf(path, sizeof path, "%s/golden/lexer/%s", TEST_DIR, entry->d_name);
        groups += replay(path, &bad);
    }
    closedir(folder);
    printf("groups=%zu\n", groups);
    assert_true(groups > 0);
    assert_int_equal(bad, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_golden) };

    kernels = kernels_select(kernels_cpu(), getenv("LEAKGRAPH_KERNELS"));
    if (!kernels) kernels = &kernels_scalar;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
