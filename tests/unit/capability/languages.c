/* tests/unit/capability/languages.c -- datasets without a word of their language, beside others that have one. */
#include "capability/languages.h"
#include "tests/unit/folder.h"

#include <stdlib.h>
#include <string.h>

#define PYTHON "{\"text\": \"def f(a):\\n    for x in a:\\n        print(x)\\n    return len(a)\\n\"}\n"
#define JAVA "{\"text\": \"public int f(String a) {\\n    return a.length();\\n}\\n\", \"path\": \"A.java\"}\n"
#define TEXT "{\"text\": \"def f(a):\\n    for x in a:\\n        print(x)\\n    return len(a)\\n\", "
#define PROSE "{\"text\": \"Nothing of this is a program, and nobody would say that it was.\\n\"}\n"

enum { MOST = 4 };
struct beginning { const char *text, *given, *expected; uint32_t added; };

/* Datasets of a shard each, and what they are taken for; then, as it is given, nothing else. */
static void guessed_all(const struct beginning *of, size_t count)
{
    char                 folder[] = "/tmp/leakgraph-languages-XXXXXX", path[MOST][96], *globs[MOST];
    struct dataset_split split[MOST];
    struct dataset       dataset[MOST], again[MOST];
    struct shard_list    shards;
    struct err           err = { 0 };

    assert_non_null(mkdtemp(folder));
    for (size_t d = 0; d < count; d++) {
        snprintf(path[d], sizeof path[d], "%s/%zu.jsonl", folder, d);
        write_file(path[d], of[d].text, strlen(of[d].text));
        globs[d] = path[d];
        split[d] = (struct dataset_split){ .name = (char *)(uintptr_t)"", .globs = &globs[d], .glob_count = 1 };
        dataset[d] = (struct dataset){ .name = (char *)(uintptr_t)"d", .splits = &split[d], .split_count = 1,
                                       .language = of[d].given, .added = of[d].added };
    }
    if (shard_list_open(&shards, dataset, count, "/", &err) < 0) fail_msg("%s", err.text);
    if (languages_guess(dataset, count, &shards, &err) < 0) fail_msg("%s", err.text);
    for (size_t d = 0; d < count; d++) {
        again[d] = dataset[d];
        again[d].language_guessed = false;
    }
    if (languages_guess(again, count, &shards, &err) < 0) fail_msg("%s", err.text);
    for (size_t d = 0; d < count; d++) {
        if (strcmp(dataset[d].language ? dataset[d].language : "", of[d].expected) != 0)
            fail_msg("%s: %s, not %s", of[d].text, dataset[d].language, of[d].expected);
        assert_true(dataset[d].language_guessed == (dataset[d].language && dataset[d].language != of[d].given));
        if (again[d].language_guessed) fail_msg("%s: then %s", of[d].text, again[d].language);
        if (dataset[d].language_guessed) free((char *)(uintptr_t)dataset[d].language);
    }
    shard_list_free(&shards);
    remove_tree(folder);
}

static void guessed(const char *first, const char *second, const char *given, const char *one, const char *other)
{
    guessed_all((const struct beginning[]){ { first, NULL, one, 0 }, { second, given, other, 0 } }, 2);
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

/* What is guessed of one is likely for the others, as it is where it is given; so nothing is left to guess then. */
static void test_further(void **state)
{
    static const char words[] = "{\"text\": \"import the list\\nwords\"}\n";
    char              mixed[1024] = "";

    (void)state;
    for (int i = 0; i < 5; i++) strcat(mixed, words);
    for (int i = 0; i < 2; i++) strcat(mixed, PYTHON);
    guessed_all((const struct beginning[]){ { mixed, NULL, "", 0 }, { JAVA, NULL, "", 0 } }, 2);
    guessed_all((const struct beginning[]){ { mixed, NULL, "python", 0 }, { PYTHON PYTHON PYTHON, NULL, "python", 0 },
                                            { JAVA, NULL, "", 0 } }, 3);
    guessed_all((const struct beginning[]){ { mixed, NULL, "python", 0 }, { PYTHON PYTHON PYTHON, NULL, "python", 0 },
                                            { JAVA, NULL, "", 0 }, { mixed, NULL, "python", 1 } }, 4);
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

/* What is added says nothing of what was there, which is given when the next is added: in one run and one after the
 * other all are taken for the same. */
static void test_added(void **state)
{
    static const char c[] = "{\"text\": \"int f(int a) {\\n    int x = a + 1;\\n    return x;\\n}\\n\"}\n";

    (void)state;
    /* alone it was text, and so it stays, however many come */
    guessed_all((const struct beginning[]){ { PYTHON PYTHON, NULL, "", 0 }, { JAVA, NULL, "", 1 } }, 2);
    guessed_all((const struct beginning[]){ { PYTHON PYTHON, NULL, "", 0 }, { PROSE, "python", "python", 1 } }, 2);
    guessed_all((const struct beginning[]){ { PYTHON PYTHON, NULL, "", 0 }, { PYTHON, NULL, "", 1 },
                                            { JAVA, NULL, "", 2 }, { PYTHON, NULL, "python", 3 } }, 4);
    /* by those before it, in whatever order they stand */
    guessed_all((const struct beginning[]){ { PYTHON PYTHON, NULL, "python", 1 }, { JAVA, NULL, "", 0 } }, 2);
    guessed_all((const struct beginning[]){ { c, NULL, "java", 0 }, { JAVA, NULL, "", 0 }, { PROSE, "c", "c", 1 },
                                            { c, NULL, "c", 2 } }, 4);
    guessed_all((const struct beginning[]){ { c, "java", "java", 0 }, { JAVA, NULL, "", 0 }, { PROSE, "c", "c", 1 },
                                            { c, NULL, "c", 2 } }, 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_guess), cmocka_unit_test(test_further),
                                        cmocka_unit_test(test_text),
                                        cmocka_unit_test(test_unreadable), cmocka_unit_test(test_added) };

    return cmocka_run_group_tests_name("languages", tests, NULL, NULL);
}
