/* tests/unit/lm/arpa_write.c -- a model made by hand as ARPA text, line by line. */
#include "toy.h"

static struct err err;

/* A line: p, the tokens, and behind another tab the weight of the context that they are; NAN: none is told. */
struct line { double p; const char *tokens; double weight; };

static const char *check_line(const char *at, const struct line *line)
{
    const char *end = strchr(at, '\n'), *tab = strchr(at, '\t');
    char       *after;
    double      value = strtod(at, &after);

    assert_true(end && tab && after == tab);
    if (line->p > 0 ? !near(value, log10(line->p)) : value != -99) fail_msg("%s: %g", line->tokens, value);
    at = tab + 1;
    if (strncmp(at, line->tokens, strlen(line->tokens)) != 0) fail_msg("%s: %.*s", line->tokens, (int)(end - at), at);
    at += strlen(line->tokens);
    if (isnan(line->weight)) {
        if (at != end) fail_msg("%s: something after it", line->tokens);
        return end + 1;
    }
    assert_int_equal(*at, '\t');
    if (!near(strtod(at + 1, &after), log10(line->weight)) || after != end) fail_msg("%s: weight", line->tokens);
    return end + 1;
}

static const char *check_text(const char *at, const char *text)
{
    if (strncmp(at, text, strlen(text)) != 0) fail_msg("`%.40s` is not `%s`", at, text);
    return at + strlen(text);
}

static void every_n_gram_is_told(void **unused)
{
    static const struct line unigrams[] = {
        { .1, "<unk>", NAN }, { 0, "<s>", .5 }, { .3, "</s>", NAN }, { .4, "\\x20a", 1 }, { .2, "b", .4 / .7 },
    };
    static const struct line bigrams[] = {
        { .7, "<s> \\x20a", NAN }, { .5, "\\x20a </s>", NAN }, { .2, "\\x20a \\x20a", NAN }, { .2, "\\x20a b", NAN },
        { .6, "b </s>", NAN },
    };
    struct lm_build b = toy_model();
    size_t          len;
    char           *text;
    const char     *at;

    (void)unused;
    assert_int_equal(lm_arpa_write(&b.lm, toy_path, &err), 0);
    at = text = toy_read(&len);
    at = check_text(at, "# leakgraph smoothing=kneser-ney trained_tokens=6 trained_documents=2\n\\data\\\nngram 1=5\n"
                        "ngram 2=5\n\n\\1-grams:\n");
    for (size_t i = 0; i < 5; i++) at = check_line(at, &unigrams[i]);
    at = check_text(at, "\n\\2-grams:\n");
    for (size_t i = 0; i < 5; i++) at = check_line(at, &bigrams[i]);
    at = check_text(at, "\n\\end\\\n");
    assert_int_equal(at - text, len);
    free(text);

    b.lm.smoothing = SMOOTH_WITTEN_BELL;
    assert_int_equal(lm_arpa_write(&b.lm, toy_path, &err), 0);          /* over the one that is there */
    text = toy_read(&len);
    check_text(text, "# leakgraph smoothing=witten-bell ");
    free(text);
    lm_build_free(&b);
}

/* What is no printable ASCII, the space and the backslash. */
static void bytes_are_escaped(void **unused)
{
    static const char     piece[] = "<unk><s></s>\n\\!~\x7F\xFF\0";
    static const uint32_t piece_at[] = { 0, 5, 8, 12, 19 };
    struct lm_state       state[] = { { .first = 0 }, { .first = 4 } };
    struct lm_arc         arc[] = { { 0, -1, 0 }, { 1, -INFINITY, 0 }, { 2, -1, 0 }, { 3, -1, 0 } };
    struct lm             lm = { .order = 1, .tokens = 4, .states = 1, .level = { 0, 1, 1, 1, 1, 1, 1, 1 }, .arcs = 4,
                                 .state = state, .arc = arc, .piece_at = piece_at, .piece = piece };
    size_t                len;
    char                 *text;

    (void)unused;
    assert_int_equal(lm_arpa_write(&lm, toy_path, &err), 0);
    text = toy_read(&len);
    assert_non_null(strstr(text, "\t\\x0A\\x5C!~\\x7F\\xFF\\x00\n\n\\end\\\n"));
    free(text);
}

/* Nothing is left behind where it cannot be written. */
static void no_such_folder(void **unused)
{
    struct lm_build b = toy_model();
    char            path[96];

    (void)unused;
    snprintf(path, sizeof path, "%s/none/model.arpa", toy_folder);
    assert_true(lm_arpa_write(&b.lm, path, &err) < 0);
    if (!strstr(err.text, "none")) fail_msg("%s", err.text);
    snprintf(path, sizeof path, "%s/folder", toy_folder);   /* a folder stands there */
    assert_int_equal(mkdtemp(strcat(path, ".XXXXXX")) == NULL, 0);
    assert_true(lm_arpa_write(&b.lm, path, &err) < 0);
    assert_int_equal(rmdir(path), 0);
    unlink(toy_path);
    lm_build_free(&b);                                      /* the teardown's rmdir fails when something is left */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_n_gram_is_told), cmocka_unit_test(bytes_are_escaped), cmocka_unit_test(no_such_folder),
    };

    return cmocka_run_group_tests(tests, toy_setup, toy_teardown);
}
