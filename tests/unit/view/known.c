/* tests/unit/view/known.c -- which language a record is in, and that languages do not meet. */
#include "view/view.h"

#include "kernels/kernels.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>

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

static void languages_keep_features_apart(void **unused)
{
    struct padded        room;
    struct record        record = record_of(&room, "alpha", 5);
    struct view_scratch *apart = open_view("identifiers", false), *together = open_view("identifiers", true);
    uint64_t             java, python, cobol;

    (void)unused;
    java = features_of(apart, "java", &record).hash[0];
    python = features_of(apart, "python", &record).hash[0];
    cobol = features_of(apart, "COBOL", &record).hash[0];
    assert_true(java != python && java != cobol && python != cobol);
    assert_true(cobol == features_of(apart, "cobol", &record).hash[0]);
    assert_true(python == features_of(apart, "Py", &record).hash[0]);
    assert_true(features_of(together, "java", &record).hash[0] == features_of(together, "python", &record).hash[0]);

    /* the configuration wins over the record, the record over its path */
    record.raw[FIELD_LANGUAGE] = SLICE("\"Java\"");
    record.raw[FIELD_PATH] = SLICE("\"a/b.py\"");
    assert_true(features_of(apart, NULL, &record).hash[0] == java);
    assert_true(features_of(apart, "python", &record).hash[0] == python);
    record.raw[FIELD_LANGUAGE] = (struct slice){ 0 };
    assert_true(features_of(apart, NULL, &record).hash[0] == python);
    record = record_of(&room, "#!/usr/bin/env python3\nalpha", 28);
    assert_true(features_of(apart, NULL, &record).hash[0] == python);
    view_scratch_close(apart);
    view_scratch_close(together);
}

/* Any number of names, and names that do not fit. */
static void names_are_canonical(void **unused)
{
    char name[VIEW_LANGUAGE_NAME], longest[200];

    (void)unused;
    assert_non_null(view_language_name(SLICE("JAVA"), name));
    assert_string_equal(name, "java");
    assert_null(view_language_name(SLICE("Kornish\tScript \xC3\xA9"), name));
    assert_string_equal(name, "kornish_script___");
    memset(longest, 'x', sizeof longest);
    assert_null(view_language_name((struct slice){ longest, sizeof longest }, name));
    assert_int_equal(strlen(name), VIEW_LANGUAGE_NAME - 1);
    assert_null(view_language_name((struct slice){ 0 }, name));
    assert_string_equal(name, "");
}

/* An entry stays where it is, however many come after it. */
static void a_language_stays_in_its_place(void **unused)
{
    struct view_scratch        *scratch = open_view("identifiers", false);
    struct padded               room;
    struct record               record = record_of(&room, "alpha", 5);
    struct err                  err = { 0 };
    const struct view_language *first = view_language_of(scratch, "java", &record, &err);

    (void)unused;
    for (int i = 0; i < 2000; i++) {
        char name[32];

        snprintf(name, sizeof name, "\"lang%d\"", i);
        record.raw[FIELD_LANGUAGE] = slice_of(name);
        assert_non_null(view_language_of(scratch, NULL, &record, &err));
    }
    assert_ptr_equal(view_language_of(scratch, "java", &record, &err), first);
    assert_string_equal(first->name, "java");
    view_scratch_close(scratch);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(languages_keep_features_apart), cmocka_unit_test(names_are_canonical),
        cmocka_unit_test(a_language_stays_in_its_place),
    };

    kernels = kernels_select(kernels_cpu(), getenv("LEAKGRAPH_KERNELS"));
    assert_non_null(kernels);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
