/* tests/unit/inclusion/prompt.c -- what a model is shown, what of its output counts, which elements are asked for. */
#include "inclusion/inclusion.h"
#include "tests/unit/audit/text.h"

static const struct slice text = SLICE("def area(w):\n    # times two\n    return w * 2\n");
static const struct audit_element name = { AUDIT_FUNCTION, false, 4, 8, 1, 1 },
    comment = { AUDIT_COMMENT, false, 17, 28, 2, 2 };

static struct model_info model;

static void shows(struct inclusion_options *options, const struct audit_element *element, uint32_t context,
                  const char *prompt, const char *wanted)
{
    struct bytes made = { 0 };
    struct slice value;
    struct err   err = { 0 };

    model.context = context;
    assert_int_equal(inclusion_prompt_make(options, text, element, &model, &made, &value, &err), 0);
    expect_slice(bytes_slice(&made), prompt);
    expect_slice(value, wanted);
    bytes_free(&made);
}

static void test_prompts(void **unused)
{
    struct inclusion_options options = { .sampling = { .tokens = 10 } };

    (void)unused;
    shows(&options, &name, 0, "def", "area");
    shows(&options, &comment, 0, "def area(w):\n", "# times two");
    shows(&options, &comment, 11, "w):\n", "# times two");              /* eight bytes for the token that is left */
    options.prompt = INCLUSION_SANTACODER;
    shows(&options, &name, 0, "<fim-prefix>def <fim-suffix>(w):\n    # times two\n    return w * 2\n<fim-middle>",
          "area");
    shows(&options, &name, 14, "<fim-prefix>def <fim-suffix>(w<fim-middle>", "area");
    options.prompt = INCLUSION_OWN;                         /* a file that names none, and one that does */
    shows(&options, &name, 0, "def", "area");
    assert_null(inclusion_marks(&options, &model));
    model.marks = (struct model_marks){ "<A>", "<B>", "<C>" };
    shows(&options, &name, 14, "<A>def <B>(w<C>", "area");
    model.marks = (struct model_marks){ NULL, NULL, NULL };
    options.prompt = INCLUSION_PLAIN;
    options.published = true;
    shows(&options, &comment, 0, "def area(w):    #", "# times two");
    shows(&options, &comment, 11, "def area(w):    #", "# times two");      /* is not cut */
}

/* A long value is cut to the end of a character; what is no UTF-8 does not shrink to nothing, which every answer is. */
static void test_cut(void **unused)
{
    struct inclusion_options options = { .sampling = { .tokens = 10 } };
    struct audit_element     whole = { AUDIT_STRING, false, 0, 400, 1, 1 };
    struct bytes             made = { 0 };
    struct slice             value;
    struct err               err = { 0 };
    char                     long_text[400];
    const struct slice       bytes = { long_text, sizeof long_text };

    (void)unused;
    model.context = 0;
    memset(long_text, 0x80, sizeof long_text);
    long_text[0] = '\'';
    assert_int_equal(inclusion_prompt_make(&options, bytes, &whole, &model, &made, &value, &err), 0);
    assert_int_equal(value.len, INCLUSION_WANTED);
    for (size_t i = 1; i < sizeof long_text; i++) long_text[i] = (i - 1) % 3 ? '\x80' : '\xE2';
    assert_int_equal(inclusion_prompt_make(&options, bytes, &whole, &model, &made, &value, &err), 0);
    assert_int_equal(value.len, 1 + (INCLUSION_WANTED - 1) / 3 * 3);
    bytes_free(&made);
}

static void counts(bool published, enum audit_category role, const char *wanted, const char *output, const char *want)
{
    const struct inclusion_options options = { .published = published };

    expect_slice(inclusion_answer_of(&options, role, slice_of(wanted), slice_of(output)), want);
}

static void test_answers(void **unused)
{
    (void)unused;
    counts(false, AUDIT_FUNCTION, "area", " area(w):\n", "area");
    counts(false, AUDIT_FUNCTION, "area", "area_of(w):\n", "area_of");   /* is another name */
    counts(false, AUDIT_CLASS, "A", "(", "");
    counts(false, AUDIT_COMMENT, "# two", "\n    # two and more", "# two");
    counts(false, AUDIT_STRING, "'\xC3\xA9'", "'\xC3\xA8' + x", "'\xC3\xA8'");
    counts(false, AUDIT_STRING, "'long'", "'l", "'l");
    counts(true, AUDIT_FUNCTION, "area", " area(w)", " area(w)");
}

static void test_choice(void **unused)
{
    struct audit_elements many = { 0 }, again = { 0 };
    struct err            err = { 0 };

    (void)unused;
    for (size_t i = 0; i + 2 < text.len; i++)
        assert_int_equal(audit_elements_add(&many, (struct audit_element){ i % 2 ? AUDIT_CLASS : AUDIT_STRING, false, i,
                                                                         i + 2, 1, 1 }, &err), 0);
    for (size_t i = 0; i < many.count; i++) assert_int_equal(audit_elements_add(&again, many.at[i], &err), 0);
    assert_int_equal(inclusion_choose(&many, text, 3, &err), 0);
    assert_int_equal(many.count, 6);
    for (size_t i = 1; i < 6; i++) assert_true(many.at[i - 1].at < many.at[i].at);
    assert_int_equal(inclusion_choose(&again, text, 0, &err), 0);
    assert_int_equal(again.count, text.len - 2);            /* all */
    assert_int_equal(inclusion_choose(&again, text, 4, &err), 0);
    for (size_t i = 0, found = 0; i < again.count; i++) {   /* more of them have those that fewer have */
        found += again.at[i].at == many.at[found].at;
        if (i + 1 == again.count || found == 6) {
            assert_int_equal(found, 6);
            break;
        }
    }
    audit_elements_free(&many);
    audit_elements_free(&again);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_prompts), cmocka_unit_test(test_cut), cmocka_unit_test(test_answers),
        cmocka_unit_test(test_choice),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
