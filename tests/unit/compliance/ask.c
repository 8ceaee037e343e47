/* tests/unit/compliance/ask.c -- bodies in what models go on with, and answers that are asked for once. */
#include "compliance/ask.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <cmocka.h>

static void is(struct slice part, const char *wanted)
{
    if (!slice_equal(part, slice_of(wanted))) fail_msg("`%.*s`, not `%s`", (int)part.len, part.at, wanted);
}

static void test_body(void **unused)
{
    const struct slice head = SLICE("def f(x):");

    (void)unused;
    is(ask_body(ASK_PLAIN, SLICE("\n    a = [\n]\n\n    return a\n\ndef g():\n    pass\n"), head),
       "    a = [\n]\n\n    return a");
    is(ask_body(ASK_PLAIN, SLICE("\nimport x\n    y\n"), head), "");
    is(ask_body(ASK_PLAIN, SLICE("\n    a = 1\n# License\n    b\n"), head), "    a = 1");
    is(ask_body(ASK_PLAIN, SLICE(""), head), "");
    is(ask_body(ASK_INSTRUCT, SLICE("```python\ndef f(x):\n    return x\n```"), head), "    return x");
}

/* A recorded model: a body of one function, none of the other; the licence of the wanted one. */
static void test_units(void **unused)
{
    char                 folder[] = "/tmp/leakgraph-ask.XXXXXX", file[64], line[128];
    const struct compliance_function function[2] = {
        { .prompt = SLICE("def f(x):\n"), .signature = SLICE("def f(x):"), .reference = SLICE("    return x\n") },
        { .prompt = SLICE("def g(x):\n"), .signature = SLICE("def g(x):"), .reference = SLICE("    return x\n") },
    };
    struct model_options model = { .name = (char[]){ "m" }, .backend = MODEL_REPLAY, .path = file,
                                   .url = (char[]){ "" }, .served = (char[]){ "" },
                                   .key_env = (char[]){ "" }, .cache = (char[]){ "" } };
    struct slice         texts[4];
    struct pool          pool = { 0 };
    const bool           wanted[2] = { true, false };
    struct err           err = { 0 };
    struct ask           ask = { .version = "1", .model = &model, .threads = 1, .tokens = 9, .function = function,
                                 .count = 2, .generated = texts, .reply = texts + 2, .wanted = wanted, .pool = &pool };
    FILE                *out;

    (void)unused;
    assert_non_null(mkdtemp(folder));
    snprintf(file, sizeof file, "%s/m.jsonl", folder);
    out = fopen(file, "w");
    assert_non_null(out);
    fputs("{\"prompt\": \"def f(x):\", \"sampling\": {\"tokens\": 9}, \"generated\": {\"text\": "
          "\"\\n    return 2\\nz\", \"ids\": [1], \"prompt_ids\": [2], \"stopped\": true}}\n"
          "{\"prompt\": \"def f(x):\\n    return 2\\n\\n# The license of the function above is:\", \"sampling\": "
          "{\"tokens\": 32}, \"generated\": {\"text\": \" MIT\", \"ids\": [1], \"prompt_ids\": [2], "
          "\"stopped\": true}}\n", out);
    assert_int_equal(fclose(out), 0);
    assert_int_equal(comm_open(&ask.comm, &err), 0);
    assert_int_equal(stage_open(&ask.stage, folder, true, &err), 0);
    for (uint64_t round = 0; round < 2; round++) {
        ask.asked = ask.found = 0;
        if (ask_answers(&ask, &err) < 0 || ask_replies(&ask, &err) < 0) fail_msg("%s", err.text);
        is(texts[0], "\n    return 2\nz");
        assert_null(texts[1].at);                           /* it could not say that */
        is(texts[2], " MIT");
        assert_null(texts[3].at);                           /* not asked */
        assert_int_equal(ask.asked, round ? 0 : 3);
    }
    stage_close(ask.stage);
    comm_close(ask.comm);
    pool_free(&pool);
    snprintf(line, sizeof line, "rm -rf %s", folder);
    assert_int_equal(system(line), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_body), cmocka_unit_test(test_units) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
