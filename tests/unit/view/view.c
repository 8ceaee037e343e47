/* tests/unit/view/view.c -- features of documents against what the definitions say, computed the long way. */
#include "view/view.h"

#include "kernels/kernels.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static uint64_t state;

static unsigned draw(unsigned below)
{
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    return (unsigned)((state >> 33) % below);
}

/* A padded copy, as batches hand texts out. */
struct padded { char at[4096 + BYTES_PAD]; size_t len; };

static struct record record_of(struct padded *room, const char *text, size_t len)
{
    struct record record = { 0 };

    memset(room, 0, sizeof *room);
    memcpy(room->at, text, len);
    record.text = (struct slice){ room->at, len };
    record.json = true;
    return record;
}

static struct view_scratch *open_view(const char *name, bool across)
{
    struct view_options  view = { 0 };
    struct view_scratch *scratch;
    struct err           err = { 0 };

    assert_int_equal(view_parse(&view, name, &err), 0);
    view.across_languages = across;
    assert_int_equal(view_scratch_open(&scratch, &view, &err), 0);
    return scratch;
}

static struct feature_list features_of(struct view_scratch *scratch, const char *language, const struct record *record)
{
    const struct view_language *found;
    struct feature_list         out;
    struct err                  err = { 0 };

    found = view_language_of(scratch, language, record, &err);
    assert_non_null(found);
    if (view_features(scratch, found, record, &out, &err) < 0) fail_msg("%s", err.text);
    return out;
}

static uint64_t hash_of(const char *word, uint64_t seed)
{
    char padded[256] = { 0 };

    memcpy(padded, word, strlen(word));
    return view_hash((struct slice){ padded, strlen(word) }, seed);
}

static void hash_sees_the_bytes_only(void **unused)
{
    char     buffer[128];
    uint64_t seen[64 * 3];
    size_t   count = 0;

    (void)unused;
    for (size_t len = 0; len < 64; len++) {
        uint64_t first = 0;

        for (int noise = 0; noise < 3; noise++) {           /* what follows a word must not matter */
            memset(buffer, noise * 85, sizeof buffer);
            for (size_t i = 0; i < len; i++) buffer[i] = (char)('a' + i % 26);
            if (noise == 0) first = view_hash((struct slice){ buffer, len }, 7);
            else assert_true(first == view_hash((struct slice){ buffer, len }, 7));
        }
        seen[count++] = first;
        seen[count++] = view_hash((struct slice){ buffer, len }, 8);
        memset(buffer, 0, sizeof buffer);
        seen[count++] = view_hash((struct slice){ buffer, len + 64 }, 7);
    }
    for (size_t i = 0; i < count; i++) {
        assert_true(seen[i] != 0);
        for (size_t j = 0; j < i; j++) assert_true(seen[i] != seen[j]);
    }
}

static void identifiers_drop_keywords_literals_and_comments(void **unused)
{
    static const char java[] = "int total = 10; // total\nreturn total + true + \"x\" + 'c' /* y */ + nullable;";
    struct view_scratch *scratch = open_view("identifiers", true);
    struct padded        room;
    struct record        record = record_of(&room, java, sizeof java - 1);
    struct feature_list  list = features_of(scratch, "java", &record);

    (void)unused;
    assert_int_equal(list.count, 4);                        /* total total true nullable */
    assert_true(list.hash[0] == hash_of("total", 0) && list.hash[1] == list.hash[0]);
    assert_true(list.hash[2] == hash_of("true", 0));
    assert_true(list.hash[3] == hash_of("nullable", 0));
    view_scratch_close(scratch);

    scratch = open_view("identifiers+literals", true);
    list = features_of(scratch, "java", &record);
    assert_int_equal(list.count, 7);
    view_scratch_close(scratch);
    scratch = open_view("tokens", true);
    list = features_of(scratch, "java", &record);
    assert_int_equal(list.count, 16);
    view_scratch_close(scratch);
}

/* A name is a name in any script; a string with a prefix is a string.  Published, the first character decides. */
static void identifiers_are_names(void **unused)
{
    static const char   script[] = "$scope._a = \xc3\xbc" "ber + b;", python[] = "a = b'x' + \xc3\xa9t\xc3\xa9\n";
    struct view_scratch *scratch = open_view("identifiers", true);
    struct padded        room;
    struct record        record = record_of(&room, script, sizeof script - 1);
    struct feature_list  list = features_of(scratch, "javascript", &record);

    (void)unused;
    assert_int_equal(list.count, 4);
    assert_true(list.hash[0] == hash_of("$scope", 0) && list.hash[1] == hash_of("_a", 0) &&
                list.hash[2] == hash_of("\xc3\xbc" "ber", 0) && list.hash[3] == hash_of("b", 0));
    record = record_of(&room, python, sizeof python - 1);
    list = features_of(scratch, "python", &record);
    assert_int_equal(list.count, 2);
    assert_true(list.hash[0] == hash_of("a", 0) && list.hash[1] == hash_of("\xc3\xa9t\xc3\xa9", 0));
    view_scratch_close(scratch);

    scratch = open_view("identifiers+literals", true);
    list = features_of(scratch, "python", &record);
    assert_int_equal(list.count, 3);
    assert_true(list.hash[1] == hash_of("b'x'", 0));
    view_scratch_close(scratch);
}

/* A name in quotes, or with C#'s mark, is no keyword; and it stands where it does, not where the keyword does. */
static void names_in_quotes_are_no_keywords(void **unused)
{
    static const struct { const char *language, *text, *name; uint32_t at; } cases[] = {
        { "kotlin", "for (a in `in`) { }", "in", 11 }, { "scala", "type `type` = b", "type", 6 },
        { "swift", "switch `default` { default: c }", "default", 8 }, { "rust", "fn r#fn() { }", "fn", 5 },
        { "csharp", "class @class { }", "class", 7 }, { "sql", "SELECT \"SELECT\"", "SELECT", 8 },
    };
    struct view_scratch *scratch = open_view("identifiers", true);

    (void)unused;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct padded       room;
        struct record       record = record_of(&room, cases[i].text, strlen(cases[i].text));
        struct feature_list list = features_of(scratch, cases[i].language, &record);
        const uint32_t     *at = view_last_places(scratch);
        size_t              k = 0;

        while (k < list.count && list.hash[k] != hash_of(cases[i].name, 0)) k++;
        if (k == list.count) fail_msg("%s has no name %s", cases[i].text, cases[i].name);
        assert_true(at && at[k] == cases[i].at);
    }
    view_scratch_close(scratch);
}

static void given_tokens_replace_the_lexer(void **unused)
{
    static const char   tokens[128] = "[\"int\", \"a\", \"\\u0062\", \"+\", \"10\", \"'s'\", \"f'x'\"]";
    struct view_scratch *scratch = open_view("identifiers", true);
    struct padded        room;
    struct record        record = record_of(&room, "completely different", 20);
    struct feature_list  list;

    (void)unused;
    record.raw[FIELD_TOKENS] = slice_of(tokens);
    list = features_of(scratch, "java", &record);
    assert_int_equal(list.count, 3);
    assert_true(list.hash[0] == hash_of("a", 0) && list.hash[1] == hash_of("b", 0) &&
                list.hash[2] == hash_of("f'x'", 0));
    view_scratch_close(scratch);
    scratch = open_view("shingles:2", true);                /* reads text whatever tokens say */
    assert_int_equal(features_of(scratch, "java", &record).count, 1);
    view_scratch_close(scratch);
}

/* Shingles by definition: every run of n words, equal where and only where the words are equal. */
static void shingles_are_runs_of_words(void **unused)
{
    static const char alphabet[] = "ab_0 .\n\t(\xC3\xA9";

    (void)unused;
    for (int round = 0; round < 300; round++) {
        char                 text[400];
        size_t               len = draw(sizeof text), start[400], end[400], words = 0, n = 1 + draw(5);
        char                 name[48];
        struct padded        room;
        struct record        record;
        struct view_scratch *scratch;
        struct feature_list  list;

        for (size_t i = 0; i < len; i++) text[i] = alphabet[draw(sizeof alphabet - 1)];
        for (size_t i = 0; i < len; i++) {
            bool word = text[i] == '_' || (text[i] >= '0' && text[i] <= '9') || (text[i] >= 'a' && text[i] <= 'z') ||
                (unsigned char)text[i] >= 0x80;
            bool before = i && (text[i - 1] == '_' || (text[i - 1] >= '0' && text[i - 1] <= '9') ||
                                (text[i - 1] >= 'a' && text[i - 1] <= 'z') ||
                                (unsigned char)text[i - 1] >= 0x80);

            if (word && !before) start[words++] = i;
            if (word) end[words - 1] = i + 1;
        }
        snprintf(name, sizeof name, "shingles:%zu", n);
        scratch = open_view(name, true);
        record = record_of(&room, text, len);
        list = features_of(scratch, "text", &record);
        assert_int_equal(list.count, words < n ? 0 : words - n + 1);
        for (size_t a = 0; a < list.count; a++) {
            for (size_t b = 0; b < a; b++) {
                bool equal = true;

                for (size_t w = 0; w < n && equal; w++)
                    equal = end[a + w] - start[a + w] == end[b + w] - start[b + w] &&
                            memcmp(text + start[a + w], text + start[b + w], end[a + w] - start[a + w]) == 0;
                assert_int_equal(equal, list.hash[a] == list.hash[b]);
            }
        }
        view_scratch_close(scratch);
    }
}

/* With backoff a document of fewer than N words has shingles of half its words, rounded up; all others are as without.
 */
static void short_documents_have_shorter_shingles(void **unused)
{
    static const char         words[] = "a b c d e f g h";
    const struct view_options plain = { .kind = VIEW_SHINGLES, .n = 5, .across_languages = true };
    struct view_options       backed = plain;
    struct view_scratch      *scratch, *backoff;
    struct err                err = { 0 };

    (void)unused;
    backed.backoff = true;
    assert_int_equal(view_scratch_open(&backoff, &backed, &err), 0);
    for (size_t count = 0; count <= 8; count++) {
        struct view_options  shorter = plain;
        struct padded        room;
        struct record        record = record_of(&room, words, count ? 2 * count - 1 : 0);
        struct feature_list  list, as;
        uint64_t             got[8];

        if (count < 5) shorter.n = count ? (uint32_t)(count + 1) / 2 : 1;
        list = features_of(backoff, "text", &record);
        assert_int_equal(list.count, count == 0 ? 0 : count - shorter.n + 1);
        memcpy(got, list.hash, list.count * sizeof *got);
        assert_int_equal(view_scratch_open(&scratch, &shorter, &err), 0);
        as = features_of(scratch, "text", &record);
        assert_int_equal(as.count, list.count);
        assert_memory_equal(as.hash, got, as.count * sizeof *got);
        view_scratch_close(scratch);
    }
    view_scratch_close(backoff);
}

static void lines_and_characters(void **unused)
{
    static const char    text[] = "  a = 1\n\n\t\r\nb\n  a = 1  \nc";
    struct padded        room;
    struct record        record = record_of(&room, text, sizeof text - 1);
    struct view_scratch *scratch = open_view("lines", true);
    struct feature_list  list = features_of(scratch, "text", &record);

    (void)unused;
    assert_int_equal(list.count, 4);
    assert_true(list.hash[0] == hash_of("a = 1", 0) && list.hash[2] == list.hash[0] && list.hash[3] == hash_of("c", 0));
    view_scratch_close(scratch);

    record = record_of(&room, "a\xC3\xA9z\xE2\x82\xAC", 7);   /* a é z € */
    scratch = open_view("chars:3", true);
    list = features_of(scratch, "text", &record);
    assert_int_equal(list.count, 2);
    assert_true(list.hash[0] == hash_of("a\xC3\xA9z", 0) && list.hash[1] == hash_of("\xC3\xA9z\xE2\x82\xAC", 0));
    view_scratch_close(scratch);
}

static void content_hashes(void **unused)
{
    struct bytes        scratch = { 0 };
    struct content_hash a = content_hash_squeezed(SLICE("int  a;\n\treturn"), &scratch),
        b = content_hash_squeezed(SLICE("int a; return "), &scratch);

    (void)unused;
    assert_true(a.low == b.low && a.high == b.high);
    b = content_hash_squeezed(SLICE("int a; returN"), &scratch);
    assert_true(a.low != b.low);
    a = content_hash_raw(SLICE("int a"));
    b = content_hash_raw(SLICE("int  a"));
    assert_true(a.low != b.low && a.high != b.high);
    bytes_free(&scratch);
}

static void tokens_as_json(void **unused)
{
    struct view_scratch        *scratch = open_view("tokens", true);
    struct padded               room;
    struct record               record = record_of(&room, "x = \"a\\\"\xFF\";\n", 12);
    struct err                  err = { 0 };
    const struct view_language *language = view_language_of(scratch, "java", &record, &err);
    struct bytes                out = { 0 };

    (void)unused;
    assert_int_equal(view_tokens_json(scratch, language, &record, &out, &err), 0);
    assert_true(slice_equal(bytes_slice(&out), SLICE("[\"x\", \"=\", \"\\\"a\\\\\\\"\xEF\xBF\xBD\\\"\", \";\"]")));
    bytes_free(&out);
    view_scratch_close(scratch);
}

static void names_of_views(void **unused)
{
    static const char *const bad[] = { "identifier", "shingles", "shingles:0", "shingles:x", "lines:3", "chars:100000",
                                       "", ":" };
    struct view_options view;
    struct err          err = { 0 };
    char                name[32];

    (void)unused;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) assert_true(view_parse(&view, bad[i], &err) < 0);
    assert_int_equal(view_parse(&view, "identifier", &err), -22);
    assert_non_null(strstr(err.text, "did you mean `identifiers`"));
    assert_int_equal(view_parse(&view, "shingles:13", &err), 0);
    view_print(&view, name);
    assert_string_equal(name, "shingles:13");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hash_sees_the_bytes_only), cmocka_unit_test(identifiers_drop_keywords_literals_and_comments),
        cmocka_unit_test(identifiers_are_names),
        cmocka_unit_test(names_in_quotes_are_no_keywords), cmocka_unit_test(given_tokens_replace_the_lexer),
        cmocka_unit_test(shingles_are_runs_of_words), cmocka_unit_test(short_documents_have_shorter_shingles),
        cmocka_unit_test(lines_and_characters), cmocka_unit_test(content_hashes), cmocka_unit_test(tokens_as_json),
        cmocka_unit_test(names_of_views),
    };
    const char *seed = getenv("SEED");

    state = seed ? strtoull(seed, NULL, 10) : (uint64_t)time(NULL);
    printf("seed=%llu\n", (unsigned long long)state);
    kernels = kernels_select(kernels_cpu(), getenv("LEAKGRAPH_KERNELS"));
    assert_non_null(kernels);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
