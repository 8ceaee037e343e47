/* tests/unit/capability/languages.c -- datasets without a word of their language, beside others that have one. */
#include "capability/languages.h"
#include "tests/unit/folder.h"

#include <stdlib.h>
#include <string.h>

#define PYTHON "{\"text\": \"def f(a):\\n    for x in a:\\n        print(x)\\n    return len(a)\\n\"}\n"
#define JAVA "{\"text\": \"public int f(String a) {\\n    return a.length();\\n}\\n\", \"path\": \"A.java\"}\n"
#define TEXT "{\"text\": \"def f(a):\\n    for x in a:\\n        print(x)\\n    return len(a)\\n\", "
#define PROSE "{\"text\": \"Nothing of this is a program, and nobody would say that it was.\\n\"}\n"

/* Two datasets of a shard each; what the first and the second are taken for. */
static void guessed(const char *first, const char *second, const char *given, const char *one, const char *other)
{
    const char *const    text[] = { first, second }, *expected[] = { one, other };
    char                 folder[] = "/tmp/leakgraph-languages-XXXXXX", path[2][96], *globs[2];
    struct dataset_split split[2];
    struct dataset       dataset[2];
    struct shard_list    shards;
    struct err           err = { 0 };

    assert_non_null(mkdtemp(folder));
    for (size_t d = 0; d < 2; d++) {
        snprintf(path[d], sizeof path[d], "%s/%zu.jsonl", folder, d);
        write_file(path[d], text[d], strlen(text[d]));
        globs[d] = path[d];
        split[d] = (struct dataset_split){ .name = (char *)(uintptr_t)"", .globs = &globs[d], .glob_count = 1 };
        dataset[d] = (struct dataset){ .name = (char *)(uintptr_t)"d", .splits = &split[d], .split_count = 1 };
    }
    dataset[1].language = given;
    if (shard_list_open(&shards, dataset, 2, "/", &err) < 0) fail_msg("%s", err.text);
    if (languages_guess(dataset, 2, &shards, &err) < 0) fail_msg("%s", err.text);
    for (size_t d = 0; d < 2; d++) {
        if (strcmp(dataset[d].language ? dataset[d].language : "", expected[d]) != 0)
            fail_msg("%s: %s, not %s", text[d], dataset[d].language, expected[d]);
        assert_true(dataset[d].language_guessed == (dataset[d].language && dataset[d].language != given));
        if (dataset[d].language_guessed) free((char *)(uintptr_t)dataset[d].language);
    }
    shard_list_free(&shards);
    remove_tree(folder);
}

static void test_guess(void **state)
{
    (void)state;
    guessed(PYTHON PYTHON PYTHON, JAVA, NULL, "python", "");            /* the records say it: nothing to guess */
    guessed(PYTHON PYTHON, PROSE, "python", "python", "python");        /* the other is given */
    guessed(PYTHON PYTHON, PROSE, NULL, "", "");            /* nothing is known of either: both are text */
    guessed(PROSE PROSE PROSE, JAVA, NULL, "", "");
    guessed(PYTHON JAVA PYTHON, PYTHON, "java", "", "java");            /* one record says its own */
}

/* Text is a language that a record can say, too. */
static void test_text(void **state)
{
    (void)state;
    guessed(TEXT "\"language\": \"text\"}\n", JAVA, "java", "", "java");
    guessed(TEXT "\"language\": \"Text\", \"path\": \"a\"}\n", JAVA, "java", "", "java");
    guessed(TEXT "\"path\": \"notes.txt\"}\n", JAVA, "java", "", "java");
    guessed(TEXT "\"path\": \"notes\"}\n", JAVA, "java", "python", "java");
    guessed(TEXT "\"language\": \"unknown\"}\n", JAVA, "java", "python", "java");
    guessed(TEXT "\"language\": null}\n", JAVA, "java", "python", "java");
}

/* What cannot be read tells nothing here, and is no error: the pass says it. */
static void test_unreadable(void **state)
{
    (void)state;
    guessed("no JSON at all\n{\"text\":\n", JAVA, NULL, "", "");
    guessed("", JAVA, NULL, "", "");
    guessed("{\"other\": 1}\n" PYTHON PYTHON, JAVA, NULL, "python", "");
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_guess), cmocka_unit_test(test_text),
                                        cmocka_unit_test(test_unreadable) };

    return cmocka_run_group_tests_name("languages", tests, NULL, NULL);
}
