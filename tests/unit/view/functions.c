/* tests/unit/view/functions.c -- the document's features are those of view_features; a function's those of its text. */
#include "view/view.h"

#include "kernels/kernels.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

/* With the room behind it that tokens of records have. */
static const char tokens[128] = "[\"a\", \"b\"]";

static const char source[] = "import os\n\nclass A(B):\n    '''doc'''\n    def f(self, x=1):\n        '''doc of f'''\n"
                             "        def g(y): return y + os.path(f'{x}')\n        return g(x) if self else \"s\"\n"
                             "\ndef h(*a): pass\n";

struct padded { char at[1024 + BYTES_PAD]; };

static struct record record_of(struct padded *room, struct slice text)
{
    memset(room, '"', sizeof *room);
    memcpy(room->at, text.at, text.len);
    return (struct record){ .text = { room->at, text.len } };
}

/* behind: the features are told first, and functions after them. */
static void check(const char *name, bool behind)
{
    static const char *const names[] = { "f", "g", "h" };
    struct view_options         view = { 0 };
    struct view_scratch        *scratch, *other;
    struct padded               room, part;
    struct record               record = record_of(&room, slice_of(source));
    const struct view_language *language;
    struct feature_list         all, plain;
    struct view_functions       functions;
    struct err                  err = { 0 };

    assert_int_equal(view_parse(&view, name, &err), 0);
    assert_true(view_has_functions(&view));
    assert_int_equal(view_scratch_open(&scratch, &view, &err), 0);
    assert_int_equal(view_scratch_open(&other, &view, &err), 0);
    language = view_language_of(scratch, "python", &record, &err);
    if (behind) {
        assert_int_equal(view_features(scratch, language, &record, &all, &err), 0);
        assert_int_equal(view_functions_behind(scratch, language, &record, &all, &functions, &err), 0);
    } else assert_int_equal(view_functions(scratch, language, &record, &all, &functions, &err), 0);
    language = view_language_of(other, "python", &record, &err);
    assert_int_equal(view_features(other, language, &record, &plain, &err), 0);
    assert_int_equal(all.count, plain.count);
    assert_memory_equal(all.hash, plain.hash, all.count * sizeof *all.hash);

    assert_int_equal(functions.count, 3);
    for (size_t i = 0; i < functions.count; i++) {
        const struct function *f = &functions.at[i];
        struct feature_list    of = view_function_features(all, &functions, i);
        struct record          cut = record_of(&part, (struct slice){ source + f->at, f->end - f->at });

        assert_memory_equal(source + f->name_at, names[i], 1);
        assert_int_equal(view_features(other, language, &cut, &plain, &err), 0);
        assert_int_equal(of.count, plain.count);
        assert_memory_equal(of.hash, plain.hash, of.count * sizeof *of.hash);
    }
    view_scratch_close(scratch);
    view_scratch_close(other);
}

static void test_features(void **unused)
{
    (void)unused;
    for (int behind = 0; behind < 2; behind++) {
        check("identifiers", behind);
        check("identifiers+literals", behind);
        check("tokens", behind);
    }
}

/* Other views, given tokens, other languages: the features alone. */
static void test_none(void **unused)
{
    struct view_options   view = { .kind = VIEW_SHINGLES, .n = 5 };
    struct view_scratch  *scratch;
    struct padded         room;
    struct record         record = record_of(&room, slice_of(source));
    struct feature_list   all;
    struct view_functions functions;
    struct err            err = { 0 };

    (void)unused;
    assert_false(view_has_functions(&view));
    assert_false(view_has_functions(&(struct view_options){ .kind = VIEW_TOKENS, .published = true }));
    assert_int_equal(view_scratch_open(&scratch, &view, &err), 0);
    assert_int_equal(view_functions(scratch, view_language_of(scratch, "python", &record, &err), &record, &all,
                                    &functions, &err), 0);
    assert_true(all.count > 5 && functions.count == 0);
    view_scratch_close(scratch);
    view = (struct view_options){ .kind = VIEW_TOKENS };
    assert_int_equal(view_scratch_open(&scratch, &view, &err), 0);
    assert_int_equal(view_functions(scratch, view_language_of(scratch, "nonesuch", &record, &err), &record, &all,
                                    &functions, &err), 0);
    assert_true(all.count > 5 && functions.count == 0);
    record.raw[FIELD_TOKENS] = slice_of(tokens);
    record.json = true;
    assert_int_equal(view_functions(scratch, view_language_of(scratch, "python", &record, &err), &record, &all,
                                    &functions, &err), 0);
    assert_true(all.count == 2 && functions.count == 0);
    view_scratch_close(scratch);
}

/* Where the features are: each is the hash of the word there. */
static void test_places(void **unused)
{
    struct view_options         view = { .kind = VIEW_IDENTIFIERS };
    struct view_scratch        *scratch, *other;
    struct padded               room;
    struct record               record = record_of(&room, slice_of(source));
    const struct view_language *language;
    struct feature_list         plain;
    struct view_sequence        places;
    struct err                  err = { 0 };

    (void)unused;
    assert_int_equal(view_scratch_open(&scratch, &view, &err), 0);
    assert_int_equal(view_scratch_open(&other, &view, &err), 0);
    language = view_language_of(scratch, "python", &record, &err);
    assert_int_equal(view_places(scratch, language, &record, &places, &err), 0);
    assert_int_equal(view_features(other, view_language_of(other, "python", &record, &err), &record, &plain, &err), 0);
    assert_int_equal(places.count, plain.count);
    assert_memory_equal(places.hash, plain.hash, plain.count * sizeof *plain.hash);
    assert_memory_equal(view_last_places(other), places.at, plain.count * sizeof *places.at);
    assert_int_equal(places.at[0], 7);                      /* os */
    assert_int_equal(places.at[1], 17);                     /* A */
    for (size_t i = 0; i < places.count; i++) {
        size_t len = 0;

        while (strchr("abcdefghijklmnopqrstuvwxyzAB", room.at[places.at[i] + len])) len++;
        assert_true(places.hash[i] == view_hash((struct slice){ room.at + places.at[i], len }, language->seed));
    }
    record.raw[FIELD_TOKENS] = slice_of(tokens);
    record.json = true;
    assert_int_equal(view_places(scratch, language, &record, &places, &err), 0);
    assert_int_equal(places.count, 0);
    assert_int_equal(view_features(other, language, &record, &plain, &err), 0);
    assert_null(view_last_places(other));                   /* of the text before */
    view_scratch_close(scratch);
    view_scratch_close(other);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_features), cmocka_unit_test(test_none),
                                        cmocka_unit_test(test_places) };

    kernels = kernels_select(kernels_cpu(), getenv("LEAKGRAPH_KERNELS"));
    return cmocka_run_group_tests_name("view/functions", tests, NULL, NULL);
}
