/* tests/unit/code/docstring.c -- the documentation of functions: where it is, and what it says. */
#include "measures.h"

/* What that of each function says, in brackets; [] where there is none. */
static void expect(const char *language, const char *source, const char *want)
{
    struct measured m;
    struct bytes    out = { 0 };

    measure(&m, language, source);
    for (size_t i = 0; i < m.functions.count; i++) {
        const struct span doc = m.measures.at[i].docstring;

        assert_int_equal(bytes_append(&out, "[", 1), 0);
        if (doc.end > doc.at) assert_int_equal(docstring_text(&out, row_of(language), (struct slice){
            m.text.at + doc.at, doc.end - doc.at }), 0);
        assert_int_equal(bytes_append(&out, "]", 1), 0);
    }
    assert_int_equal(bytes_append(&out, "", 1), 0);
    if (strcmp(out.at, want) != 0) fail_msg("of\n%s\ngot  %s\nwant %s", source, out.at, want);
    bytes_free(&out);
    measured_free(&m);
}

static void python(void **unused)
{
    (void)unused;
    expect("python", "def f():\n    \"\"\"Says.\n\n    More,\n      in.\n    \"\"\"\n    return 1\n",
           "[Says.\n\nMore,\n  in.]");
    expect("python", "def f(): 'one'\ndef g(): 'a'; b\ndef h():\n    # no\n    r'''yes'''\n", "[one][a][yes]");
    expect("python", "# no\ndef f():\n    x = 1\n    '''no'''\n", "[]");
    expect("python", "def f():\n    b'no'\n    x\ndef g():\n    'a' + b\ndef h():\n    'a'.join(b)\ndef i(): 'a' + b\n",
           "[][][][]");
    expect("python", "def f():\n    def g():\n        'in'\n    'no'\n", "[][in]");
    expect("python", "class A:\n    'no'\n    def f(self):\n        '''\n        Two\n        lines\n        '''\n",
           "[Two\nlines]");
}

static void comments(void **unused)
{
    (void)unused;
    expect("java", "class A {\n    /**\n     * Says.\n     *\n     * @param a b\n     */\n    @B\n"
           "    int f(int a) { }\n\n"
           "    // no\n\n    int g() { }\n    int x; // no\n    int h() { }\n    /* yes */ int i() { }\n}",
           "[Says.\n\n@param a b][][][yes]");
    expect("rust", "/// Says.\n/// More.\n#[inline]\npub fn f() { }\n//! no\n\nfn g() { }\n", "[Says.\nMore.][]");
    expect("go", "package a\n\n// no\n\n// F says\n// more.\nfunc F() { }\n", "[F says\nmore.]");
    expect("ruby", "#!/usr/bin/ruby\ndef f; end\n# Says.\ndef g; end\n=begin\nmore\n=end\ndef h; end\n",
           "[][Says.][more]");
    expect("perl", "=head2 f\n\nSays.\n\n=cut\n\nsub f { }\n# yes\nsub g { }\n", "[][yes]");
    expect("cpp", "/// Says.\ntemplate <class T>\n[[nodiscard]] int f() { }\n", "[Says.]");
    expect("csharp", "class A {\n/// <summary>Says.</summary>\n[B]\nint f() { }\n}", "[<summary>Says.</summary>]");
    expect("c", "/* Says\n   more. */\nint f(void) { }\n", "[Says\nmore.]");
    expect("lua", "--- Says.\n-- More.\nlocal function f() end\n--[[ yes ]]\nfunction g() end", "[Says.\nMore.][yes]");
    expect("r", "#' Says.\n#' @param a b\nf <- function(a) { }\n", "[Says.\n@param a b]");
    expect("julia", "\"\"\"\nSays.\n\"\"\"\nfunction f() end\n# yes\nfunction g() end\n", "[Says.][yes]");
    expect("javascript", "/** Says. */\nexport const f = () => { }\n", "[Says.]");
}

static void summaries(void **unused)
{
    static const char *const said[][2] = { { "One\ntwo\n\nthree", "One\ntwo" }, { "One\n  @param a", "One" },
                                           { "", "" }, { "@return a", "" }, { "a@b", "a@b" } };

    (void)unused;
    for (size_t i = 0; i < sizeof said / sizeof *said; i++) {
        const struct slice summary = docstring_summary(slice_of(said[i][0]));

        assert_true(slice_equal(summary, slice_of(said[i][1])));
    }
    assert_int_equal(docstring_words(SLICE("")), 0);
    assert_int_equal(docstring_words(SLICE("a b_c, d-\xc3\xa9 1.")), 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(python), cmocka_unit_test(comments), cmocka_unit_test(summaries),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
