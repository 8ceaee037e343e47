/* cmd/wrong_field: what is said of records whose text is not where it was looked for. */
#include "cmd/wrong_field.h"
#include "tests/unit/corpus/shards.h"

static void assert_says(const struct dataset *dataset, const char *name, const char *text, bool several,
                        const char *want)
{
    char         path[256];
    struct shard shard = { .path = path, .name = (char *)(uintptr_t)name, .bytes = strlen(text) };
    struct err   err = { 0 };

    write_shard(name, text, strlen(text));
    snprintf(path, sizeof path, "%s", path_of(name));
    err_set(&err, -EBADMSG, "before");
    wrong_field_explain(dataset, &shard, several, &err);
    assert_string_equal(err.text, want);
    assert_int_equal(err.code, -EBADMSG);
}

static void fields_are_named(void **state)
{
    char                 name[] = "humaneval", text[] = "source";
    const struct dataset dataset = { .name = name }, named = { .name = name, .fields = { [FIELD_TEXT] = text } };
    char                 many[1000] = "{", *at = many + 1;

    (void)state;
    assert_says(&dataset, "a.jsonl", "{\"task_id\":\"1\",\"prompt\":\"int a;\",\"test\":\"no\",\"n\":12345678}\n",
                false,
                "before: no record has a text in its field 'text', 'content' or 'code'; its records have: n, prompt, "
                "task_id, test; write fields: {text: prompt} (or --field text=prompt)");
    /* by all of the first records, and below the top */
    assert_says(&named, "a.json", "[{\"a\":\"xx\",\"b\":{\"c\":\"\"}},\n {\"a\":\"\",\"b\":{\"c\":\"12345\"}}]", true,
                "before: no record has a text in its field 'source'; its records have: a, b; write fields: "
                "{text: b.c} (or --field humaneval.text=b.c)");
    assert_says(&dataset, "n.jsonl", "{\"n\":1}\n", false,
                "before: no record has a text in its field 'text', 'content' or 'code'; its records have: n");
    assert_says(&dataset, "e.jsonl", "{}\n", false, "before");
    assert_says(&dataset, "t.txt", "text", false, "before");
    assert_says(&dataset, "h.jsonl", "{\"a\\u001b[1m\":\"x\"}\n", false,
                "before: no record has a text in its field 'text', 'content' or 'code'; its records have: a?[1m; "
                "write fields: {text: a?[1m} (or --field text=a?[1m)");
    for (int i = 0; i < 13; i++) at += sprintf(at, "%s\"f%02d\":0", i ? "," : "", i);
    sprintf(at, "}\n");
    assert_says(&dataset, "m.jsonl", many, false,
                "before: no record has a text in its field 'text', 'content' or 'code'; its records have: f00, f01, "
                "f02, f03, f04, f05, f06, f07, f08, f09, f10, f11, ...");
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(fields_are_named) };

    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
