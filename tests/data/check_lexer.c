/* tests/data/check_lexer.c -- the lexer against the token lists of real snippets.
 *
 *     zstd -dc FILE.jsonl.zst ... | check_lexer LANGUAGE default|published
 *
 * Each line is a record with `text` and `tokens` (null: the published pipeline drops the snippet).  Compared are the
 * multiset of identifier features (docs/definitions.md, "Features": starts with an ASCII letter or underscore, no
 * keyword), the whole token list, and which snippets are dropped.  By default the identifiers are names alone, and
 * those in f-strings, which the records have as one token each, are asked of the lexer.  Exit status: 0 within the
 * bars, 1 below one of them, 2 wrong usage or input.  Bars: identifiers equal on 99.9 % of the
 * snippets that have tokens; published: dropped alike and equal lists on 99 %.
 */
#include "code/lexer.h"
#include "kernels/kernels.h"

#include <cjson/cJSON.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

struct counts { unsigned long long documents, null, identifiers_equal, lists_equal, drops_equal; };

static int slice_order(const void *a, const void *b)
{
    return slice_compare(*(const struct slice *)a, *(const struct slice *)b);
}

static bool is_identifier(const struct language *language, struct slice t)
{
    char c = t.len ? t.at[0] : '0';

    if (!(c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'))) return false;
    for (size_t i = 0; language_keyword(language, i); i++)
        if (slice_equal(t, slice_of(language_keyword(language, i)))) return false;
    return true;
}

/* Lines of white space are gone from the published strings: leave them out of both sides. */
static struct slice without_blank_lines(struct slice t, char *room)
{
    size_t to = 0, start = 0;

    for (size_t i = 0; i <= t.len; i++) {
        bool blank = true;

        if (i < t.len && t.at[i] != '\n') continue;
        for (size_t k = start; k < i; k++)
            blank &= (unsigned char)t.at[k] <= ' ';
        if (!blank || t.len == 1) {
            memcpy(room + to, t.at + start, i - start);
            to += i - start;
            room[to++] = '\n';
        }
        start = i + 1;
    }
    return (struct slice){ room, to };
}

static size_t keep_identifiers(const struct language *language, struct slice *list, size_t n)
{
    size_t kept = 0;

    for (size_t i = 0; i < n; i++)
        if (is_identifier(language, list[i])) list[kept++] = list[i];
    qsort(list, kept, sizeof *list, slice_order);
    return kept;
}

/* The identifiers of the record's tokens by default: each string with a prefix gives way to the names in it.  `room`
 * holds their texts and 64 bytes after each.  Their number, or -1 without memory. */
static ptrdiff_t names_of_strings(const struct language *language, struct lexer *lexer, struct slice **list, size_t n,
                                  char *room)
{
    struct slice *names = calloc(1, sizeof *names), *grown;
    struct err    err;
    size_t        count = 0;

    for (size_t i = 0; names && i < n; i++) {
        struct slice token = (*list)[i];

        memcpy(room, token.at, token.len);
        memset(room + token.len, 0, 64);
        token.at = room;
        room += token.len + 64;
        lexer->count = 0;
        if (is_identifier(language, token) && lexer_run(lexer, language, token, LEX_NAMES, &err) < 0) lexer->count = 0;
        grown = realloc(names, (count + lexer->count + 1) * sizeof *names);
        if (!grown) break;
        names = grown;
        for (size_t k = 0; k < lexer->count; k++)
            if (lexer->token[k].kind == TOKEN_NAME)
                names[count++] = (struct slice){ token.at + lexer->token[k].at, lexer->token[k].len };
        if (i + 1 == n) {
            free(*list);
            *list = names;
            return (ptrdiff_t)count;
        }
    }
    free(names);
    return n ? -1 : 0;
}

static bool lists_equal(const struct slice *a, size_t na, const struct slice *b, size_t nb, char *room)
{
    if (na != nb) return false;
    for (size_t i = 0; i < na; i++) {
        struct slice x = without_blank_lines(a[i], room), y = without_blank_lines(b[i], room + a[i].len + 2);

        if (!slice_equal(x, y)) return false;
    }
    return true;
}

static void tell_difference(const struct slice *a, size_t na, const struct slice *b, size_t nb)
{
    for (size_t i = 0; i < na && i < nb; i++)
        if (!slice_equal(a[i], b[i])) {
            fprintf(stderr, "identifier %zu: %.*s | %.*s\n", i, (int)a[i].len, a[i].at, (int)b[i].len, b[i].at);
            return;
        }
}

/* One record; 0, or -1 when it is no record or memory is out. */
static int check(const struct language *language, unsigned want, const cJSON *record, struct lexer *lexer,
                 struct counts *counts, bool verbose)
{
    const cJSON  *text = cJSON_GetObjectItemCaseSensitive(record, "text"),
        *tokens = cJSON_GetObjectItemCaseSensitive(record, "tokens"), *item;
    struct err    err;
    struct slice *ours = NULL, *theirs = NULL, source;
    size_t        n = 0, count, size;
    char         *copy = NULL, *room = NULL;
    bool          null = !cJSON_IsArray(tokens), equal = false, same = false, dropped;
    int           rc = -1;

    if (!cJSON_IsString(text)) return -1;
    size = strlen(text->valuestring);
    copy = calloc(size + 64, 1);
    room = malloc(80 * size + 4096);                        /* 64 bytes a token, and its text */
    theirs = calloc((size_t)cJSON_GetArraySize(tokens) + 1, sizeof *theirs);
    if (!copy || !room || !theirs) goto done;
    source = (struct slice){ memcpy(copy, text->valuestring, size), size };
    if (lexer_run(lexer, language, source, want, &err) < 0) goto done;
    ours = calloc(lexer->count + 1, sizeof *ours);
    if (!ours) goto done;
    dropped = lexer->dropped;
    count = lexer->count;
    for (size_t i = 0; i < count; i++)
        ours[i] = (struct slice){ copy + lexer->token[i].at, lexer->token[i].len };
    cJSON_ArrayForEach(item, tokens)
        if (cJSON_IsString(item)) theirs[n++] = slice_of(item->valuestring);
    counts->documents++;
    counts->null += null;
    counts->drops_equal += dropped == null;
    if (!null && !dropped) {
        size_t    a;
        ptrdiff_t b = (ptrdiff_t)n;

        same = lists_equal(ours, count, theirs, n, room);
        if (!(want & LEX_PUBLISHED)) {
            for (size_t i = a = 0; i < count; i++)          /* the tokens are still this text's */
                if (lexer->token[i].kind == TOKEN_NAME) ours[a++] = ours[i];
            count = a;
            b = names_of_strings(language, lexer, &theirs, n, room);
            if (b < 0) goto done;
        }
        a = keep_identifiers(language, ours, count);
        b = (ptrdiff_t)keep_identifiers(language, theirs, (size_t)b);
        equal = lists_equal(ours, a, theirs, (size_t)b, room + 72 * size);
        counts->lists_equal += same;
        counts->identifiers_equal += equal;
        if (verbose && !equal) tell_difference(ours, a, theirs, (size_t)b);
    }
    if (verbose && ((!null && !same) || ((want & LEX_PUBLISHED) && dropped != null)))
        fprintf(stderr, "%s: dropped %d expected %d, identifiers %s, list %s\n",
                cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(record, "id")), dropped, null, equal
                    ? "equal" : "differ",
                same ? "equal" : "differ");
    rc = 0;
done:
    free(copy);
    free(room);
    free(theirs);
    free(ours);
    return rc;
}

int main(int argc, char **argv)
{
    const struct language *language = argc > 2 ? language_by_name(slice_of(argv[1])) : NULL;
    bool                   published = argc > 2 && strcmp(argv[2], "published") == 0;
    struct counts          counts = { 0 };
    struct lexer           lexer = { 0 };
    char                  *line = NULL;
    size_t                 room = 0;
    ssize_t                len;
    unsigned long long     with_tokens;
    bool                   good;

    if (!language || argc > 4 || (!published && strcmp(argv[2], "default") != 0)) {
        fprintf(stderr, "usage: check_lexer LANGUAGE default|published [verbose] < RECORDS.jsonl\n");
        return 2;
    }
    kernels = kernels_select(kernels_cpu(), getenv("LEAKGRAPH_KERNELS"));
    if (!kernels) kernels = &kernels_scalar;
    while ((len = getline(&line, &room, stdin)) > 0) {
        cJSON *record = cJSON_ParseWithLength(line, (size_t)len);
        int    rc = record ? check(language, published ? LEX_ALL | LEX_PUBLISHED : LEX_ALL, record, &lexer, &counts,
                                   argc == 4) : -1;

        cJSON_Delete(record);
        if (rc < 0) {
            fprintf(stderr, "check_lexer: record %llu cannot be used\n", counts.documents);
            return 2;
        }
    }
    free(line);
    lexer_free(&lexer);
    with_tokens = counts.documents - counts.null;
    printf("%s %s: documents=%llu null=%llu identifiers_equal=%llu (%.3f %%) lists_equal=%llu (%.3f %%) "
           "drops_equal=%llu (%.3f %%)\n",
           argv[1], argv[2], counts.documents, counts.null, counts.identifiers_equal,
           with_tokens ? 100.0 * (double)counts.identifiers_equal / (double)with_tokens : 0.0, counts.lists_equal,
           with_tokens ? 100.0 * (double)counts.lists_equal / (double)with_tokens : 0.0, counts.drops_equal,
           counts.documents ? 100.0 * (double)counts.drops_equal / (double)counts.documents : 0.0);
    good = with_tokens > 0 && 1000 * counts.identifiers_equal >= 999 * with_tokens;
    if (published)
        good = with_tokens > 0 && 100 * counts.drops_equal >= 99 * counts.documents &&
            100 * counts.lists_equal >= 99 * with_tokens;
    return good ? 0 : 1;
}
