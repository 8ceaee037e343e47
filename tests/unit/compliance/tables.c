/* tests/unit/compliance/tables.c -- functions, answers, groups and their numbers as rows of a graph. */
#include "compliance/tables.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { FUNCTIONS, ANSWERS, GROUPS, METRICS, DIFFERENCES };

static void test_rows(void **unused)
{
    struct compliance_function function[] = {
        { .id = SLICE("f"), .reference = SLICE("body"), .license = SLICE("MIT"), .dataset = 1, .shard = 2,
          .record = 3 },
        { .id = SLICE("g"), .reference = SLICE("other"), .license = SLICE("EPL-1.0") },
        { .id = SLICE("h"), .reference = SLICE("third") },
    };
    struct study_case at[] = {
        { .function = &function[0], .answer = SLICE("body"), .reply = SLICE("MIT"), .named = SLICE("MIT"),
          .score = { .bleu = 1, .jaccard = 0.5, .edit = 0.25, .most = 1, .shared = 2, .lines = 11, .complexity = 4 },
          .striking = true, .right = true },
        { .function = &function[1], .answer = SLICE(""), .reply = { NULL, 0 }, .refused = true,
          .score = { .lines = 12, .words = 5 } },
        { .function = &function[2], .answer = SLICE("x"), .reply = SLICE("no"), .striking = true },
    };
    struct study_group        group = { .name = SLICE("m"), .dataset = 1, .by_model = true, .at = at, .count = 3 };
    struct compliance_options options = { .benchmark = (char[]){ "b" } };
    struct run                run = { .store_text = true };
    struct compliance_job     job = { .run = &run, .options = &options };
    const struct graph_compliance_function *f;
    const struct graph_compliance_answer   *a;
    const struct graph_compliance_group    *g;
    struct err                err = { 0 };

    (void)unused;
    job.functions.at = function, job.functions.count = 3;
    job.study.group = &group, job.study.groups = 1;
    for (int texts = 1; texts >= 0; texts--) {
        struct graph_build build = { 0 };

        run.store_text = texts;
        assert_int_equal(graph_add_compliance(&build, &job, &err), 0);
        assert_int_equal(graph_rows_of(&build.graph, compliance_tables[FUNCTIONS]).count, 3);
        f = graph_rows_of(&build.graph, compliance_tables[FUNCTIONS]).rows;
        assert_true(slice_equal(f[0].name, SLICE("f")) && slice_equal(f[0].license_class, SLICE("permissive")) &&
                    f[0].lines == 11 && f[0].complexity == 4);
        assert_true(f[0].dataset == 1 && f[0].shard == 2 && f[0].record == 3);
        assert_true(slice_equal(f[1].license_class, SLICE("weak")) && f[1].words == 5 && f[2].license_class.len == 0);
        assert_int_equal(f[0].reference.len, texts ? 4 : 0);
        assert_int_equal(graph_rows_of(&build.graph, compliance_tables[ANSWERS]).count, 3);
        a = graph_rows_of(&build.graph, compliance_tables[ANSWERS]).rows;
        assert_true(a[0].function == 0 && a[0].bleu == 1 && a[0].jaccard == 0.5 && a[0].edit == 0.25);
        assert_true(a[0].shared == 2 && a[0].striking && a[0].right == 1);
        assert_true(a[1].function == 1 && a[1].refused && a[1].right == -1);    /* nobody asked */
        assert_true(a[2].striking && a[2].right == -1);                         /* nobody knows */
        assert_true(a[0].answer.len == (texts ? 4u : 0u) && a[0].reply.len == (texts ? 3u : 0u));
        g = graph_rows_of(&build.graph, compliance_tables[GROUPS]).rows;
        assert_true(g->answers == 3 && g->refused == 1 && g->benchmark == 3 && g->striking == 2 && g->permissive == 1 &&
                    g->permissive_right == 1 && g->copyleft == 0 && g->by_model && fabs(g->lico - 0.905) < 1e-9);
        assert_int_equal(graph_rows_of(&build.graph, compliance_tables[METRICS]).count, 11);
        assert_int_equal(graph_rows_of(&build.graph, compliance_tables[DIFFERENCES]).count, 11);
        graph_build_free(&build);
    }
    job.study.published = options.published = true;
    at[0].striking = at[2].striking = false;
    {
        struct graph_build build = { 0 };

        assert_int_equal(graph_add_compliance(&build, &job, &err), 0);
        f = graph_rows_of(&build.graph, compliance_tables[FUNCTIONS]).rows;
        g = graph_rows_of(&build.graph, compliance_tables[GROUPS]).rows;
        assert_true(slice_equal(f[1].license_class, SLICE("strong")) && isnan(g->lico));
        graph_build_free(&build);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_rows) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
