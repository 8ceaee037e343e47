/* tests/unit/inclusion/clones.c -- what models wrote, by clone types, and what that says of repositories. */
#include "inclusion/clones.h"
#include "inclusion/written.h"
#include "tests/unit/audit/text.h"

#include <math.h>
#include <stdio.h>

enum { FILES = 6, MODELS = 2 };

/* A function a file, two files a repository; the last one's second file is the first one's again. */
static char                        source[FILES][1200];
static struct inclusion_half       half[FILES];
static struct inclusion_file       file[FILES];
static struct graph_inclusion_file row[FILES];
static struct unit                 unit[MODELS * FILES];
static struct slice                section[MODELS * FILES][2];
static struct inclusion_written    written[MODELS * FILES];
static struct inclusion_options    options;
static struct model_options        model[MODELS] = { { .name = (char[]){ "big" } }, { .name = (char[]){ "small" } } };
static struct inclusion_job        job;

static const char *const names[3] = { "trained", "clean", "asked" };
static const char *const paths[FILES] = { "src/a.py", "src/b.py", "src/c.py", "src/d.py", "src/e.py", "src/f.py" };

/* No two have a statement in common. */
static void source_make(size_t f)
{
    size_t at = (size_t)sprintf(source[f], "import os\n\ndef work%d(a):\n", (int)f);

    for (size_t i = 0; i < 12; i++)
        at += (size_t)sprintf(source[f] + at, "    a%.*s(%d)\n", (int)(4 * f + i % 4 + 1) * 2,
                              ".b.b.b.b.b.b.b.b.b.b.b.b.b.b.b.b.b.b.b.b.b.b.b.b", (int)i);
    sprintf(source[f] + at, "    return a\n");
}

static void setup_files(bool published)
{
    struct audit_reader     reader = { .lexer = { 0 } };
    struct inclusion_halves halves = { .count = 0 };
    struct bytes            room = { 0 };
    struct err              err = { 0 };

    options = (struct inclusion_options){ .published = published, .ask = INCLUSION_FUNCTIONS,
                                          .verdict = { .functions_back = { 1, 10 }, .draws = 99, .seed = 1 } };
    for (size_t f = 0; f < FILES; f++) {
        struct slice text;

        source_make(f == 5 && !published ? 0 : f);
        if (f == 5 && !published) memcpy(source[5], source[0], sizeof source[0]);
        assert_int_equal(inclusion_padded(slice_of(source[f]), &room, &text, &err), 0);
        assert_int_equal(half_find(&reader, language_by_name(SLICE("python")), text, published, 0, &halves, &err), 0);
        assert_int_equal(halves.count, 1);
        half[f] = halves.at[0];
        file[f] = (struct inclusion_file){ .text = slice_of(source[f]), .path = slice_of(paths[f]),
                                           .repo = slice_of(names[f / 2]),
                                           .language = language_by_name(SLICE("python")) };
        row[f] = (struct graph_inclusion_file){ .path = file[f].path, .repo = file[f].repo,
                                                .trained = f < 2 ? 1 : f < 4 ? 0 : -1 };
    }
    job = (struct inclusion_job){ .options = &options, .model = model, .models = MODELS, .file = file, .files = FILES,
                                  .written = unit };
    half_free(&halves);
    audit_reader_free(&reader);
    bytes_free(&room);
}

static void write(size_t m, size_t f, const char *output, bool refused)
{
    const size_t u = m * FILES + f;

    written[u] = (struct inclusion_written){ (uint32_t)half[f].at, (uint32_t)half[f].head, (uint32_t)half[f].middle,
                                             (uint32_t)half[f].end, half[f].line, refused,
                                             { 0, (uint32_t)strlen(output) } };
    section[u][0] = (struct slice){ (const char *)&written[u], sizeof written[u] };
    section[u][1] = slice_of(output);
    unit[u] = (struct unit){ .section = section[u], .count = 2 };
}

/* The first model knows the first repository and what it shares with the last, the second nothing. */
static void write_all(void)
{
    static char known[FILES][1200];

    for (size_t f = 0; f < FILES; f++) {
        const struct slice shown = half_shown(slice_of(source[f]), &half[f], options.published);

        strcpy(known[f], source[f] + half[f].at + shown.len);
        write(0, f, f < 2 || f == 5 ? known[f] : "\n    return 0\n\nx = 1\n", false);
        write(1, f, "\n    return a\n", f == 2);
    }
}

static const struct graph_inclusion_clone *of(const struct inclusion_clones *c, size_t m, const char *repo)
{
    for (size_t i = 0; i < c->rows; i++)
        if (slice_equal(c->row[i].repo, slice_of(repo)) && slice_equal(c->row[i].model, slice_of(model[m].name)))
            return &c->row[i];
    return NULL;
}

static void test_exact(void **state)
{
    struct inclusion_clones c;
    struct err              err = { 0 };

    (void)state;
    setup_files(false);
    write_all();
    assert_int_equal(inclusion_clones_make(&c, &job, row, &err), 0);
    assert_int_equal(c.functions, MODELS * FILES);
    for (size_t i = 0; i < FILES; i++) {
        const struct graph_inclusion_function *f = &c.function[i];

        expect_slice(f->type, i < 2 || i == 5 ? "1" : "");
        assert_true(f->alike < 0.7 || i < 2 || i == 5);
        assert_true(f->elsewhere == (i == 0 || i == 5) && f->counts == (f->elsewhere == 0));
        assert_true(f->others == (i == 0 || i == 5) && f->line == 3);
        assert_true(slice_equal(f->wanted, (struct slice){ source[i] + half[i].middle, half[i].end - half[i].middle }));
    }
    assert_true(isnan(c.function[FILES + 2].alike) && !c.function[FILES + 2].counts);
    /* what is in two repositories says of neither that it is known */
    assert_true(of(&c, 0, "trained")->functions == 1 && of(&c, 0, "trained")->back == 1);
    assert_true(of(&c, 0, "trained")->said && of(&c, 0, "trained")->type[CLONE_TYPE_1] == 1);
    assert_true(of(&c, 0, "trained")->rate == 1 && of(&c, 0, "trained")->clean_rate == 0);
    assert_true(of(&c, 0, "asked")->functions == 1 && of(&c, 0, "asked")->back == 0 && !of(&c, 0, "asked")->said);
    assert_true(of(&c, 0, "clean")->clean && !of(&c, 0, "clean")->said && of(&c, 0, "clean")->functions == 2);
    assert_true(of(&c, 1, "clean")->functions == 1 && !of(&c, 1, "trained")->said);
    assert_true(of(&c, 0, "asked")->label == -1 && of(&c, 0, "trained")->label == 1);
    assert_int_equal(c.scores, MODELS * CLONE_TYPES);
    for (size_t i = 0; i < c.scores; i++) {
        assert_string_equal(c.score[i].classifier, clone_type_names[i % CLONE_TYPES]);
        assert_true(c.score[i].tp == (i < CLONE_TYPES) && c.score[i].tn == 1 && c.score[i].fp == 0);
        assert_true(c.score[i].accuracy == (i < CLONE_TYPES ? 1 : 0.5));
    }
    inclusion_clones_free(&c);
    options.verdict.functions_back = (struct ratio){ 1, 1 };        /* more than all there is cannot be */
    assert_int_equal(inclusion_clones_make(&c, &job, row, &err), 0);
    for (size_t i = 0; i < c.rows; i++) assert_false(c.row[i].said);
    inclusion_clones_free(&c);
}

/* By classes: the repository `c` is part of `clean`'s name, so that nothing of its own has to be given back. */
static void test_published(void **state)
{
    struct inclusion_clones c;
    struct err              err = { 0 };

    (void)state;
    setup_files(true);
    write_all();
    row[1].trained = 0;                                     /* one file with the label is enough */
    assert_int_equal(inclusion_clones_make(&c, &job, row, &err), 0);
    assert_int_equal(c.rows, MODELS * 3);
    assert_true(of(&c, 0, "trained")->said && of(&c, 0, "trained")->back == 2 && of(&c, 0, "trained")->label == 1);
    assert_true(of(&c, 0, "asked")->said && !of(&c, 0, "clean")->said && !of(&c, 1, "trained")->said);
    assert_int_equal(c.scores, MODELS);
    assert_string_equal(c.score[0].classifier, "3");
    assert_true(c.score[0].tp == 1 && c.score[0].tn == 1 && c.score[1].tp == 0 && c.score[1].fn == 1);
    inclusion_clones_free(&c);
    row[0].repo = row[1].repo = file[0].repo = file[1].repo = SLICE("clean/more");
    row[4].repo = row[5].repo = file[4].repo = file[5].repo = SLICE("more");
    assert_int_equal(inclusion_clones_make(&c, &job, row, &err), 0);
    assert_true(of(&c, 0, "clean/more")->said && of(&c, 0, "more")->said && !of(&c, 0, "clean")->said);
    inclusion_clones_free(&c);
}

static void test_none(void **state)
{
    struct inclusion_clones c;
    struct err              err = { 0 };

    (void)state;
    job.written = NULL;
    assert_int_equal(inclusion_clones_make(&c, &job, row, &err), 0);
    assert_true(c.rows == 0 && c.functions == 0 && c.scores == 0);
    inclusion_clones_free(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_exact), cmocka_unit_test(test_published),
                                        cmocka_unit_test(test_none) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
