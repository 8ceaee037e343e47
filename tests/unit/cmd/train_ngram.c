/* tests/unit/cmd/train_ngram.c -- a model of one small file, its ARPA text and back; refusals. */
#include "base/log.h"
#include "cmd/command.h"
#include "tests/unit/cmd/command_line.h"

static void test_refused(void **unused)
{
    (void)unused;
    helps(cmd_train_ngram, "usage: leakgraph train-ngram", "--corpus a=b");
    refuses(cmd_train_ngram, "", "train-ngram needs --output FILE.lm");
    refuses(cmd_train_ngram, "--output x", "train-ngram needs --corpus NAME=GLOB or --from-arpa FILE, and not both");
    refuses(cmd_train_ngram, "--output x --corpus a=b --from-arpa c", "and not both");
    refuses(cmd_train_ngram, "--output x --from-arpa c --order 3", "--from-arpa takes the model as it is");
    refuses(cmd_train_ngram, "--output x --from-arpa c --arpa d", "--from-arpa takes the model as it is");
    refuses(cmd_train_ngram, "--output x --from-arpa c --threads 2", "--from-arpa takes the model as it is");
    refuses(cmd_train_ngram, "--output /tmp --from-arpa c", "--output names a file, and /tmp is a folder");
    refuses(cmd_train_ngram, "--output", "--output needs a value");
    refuses(cmd_train_ngram, "x", "train-ngram does not know `x`");
    refuses(cmd_train_ngram, "--nonsense 5", "train-ngram does not know `--nonsense`");
    refuses(cmd_train_ngram, "--corpus a", "--corpus takes NAME=GLOB, not `a`");
    refuses(cmd_train_ngram, "--field text", "as text=code: there is no `=` in `text`");
    refuses(cmd_train_ngram, "--threads 0", "--threads takes a number from 1 to 1024, not `0`");
    refuses(cmd_train_ngram, "--order 1 --output x --corpus a=b", "is not a number from 2 to 7");
    refuses(cmd_train_ngram, "--order 8 --output x --corpus a=b", "is not a number from 2 to 7");
    refuses(cmd_train_ngram, "--order [2] --output x --corpus a=b", "--order does not take `[2]`");
    refuses(cmd_train_ngram, "--smoothing good --output x --corpus a=b", "is not one of: kneser-ney, witten-bell");
    refuses(cmd_train_ngram, "--output x --corpus a=/no/such/file", "dataset a: ");
}

/* The text lies in a field of another name. */
static void test_trained(void **unused)
{
    static const char shard[] = "{\"code\": \"a b a b\"}\n{\"code\": \"a b c\"}\n";
    char              folder[] = "/tmp/leakgraph-train-XXXXXX", path[80], line[500];
    struct bytes      arpa = { 0 }, model = { 0 }, again = { 0 };

    (void)unused;
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/c.jsonl", folder);
    write_file(path, shard, sizeof shard - 1);
    snprintf(line, sizeof line, "--corpus c=%s --field text=code --order 2 --smoothing witten-bell --threads 1 "
             "--output %s/c.lm --arpa %s/c.arpa", path, folder, folder);
    gives(cmd_train_ngram, line, 0, "documents   2 used, 0 rejected, ");
    log_open(&(struct log_options){ 0 });
    snprintf(path, sizeof path, "%s/c.arpa", folder);
    read_file(path, &arpa);
    assert_non_null(strstr(arpa.at, "\\2-grams:\n"));
    assert_null(strstr(arpa.at, "\\3-grams:\n"));
    snprintf(path, sizeof path, "%s/c.lm.work", folder);
    assert_int_equal(access(path, F_OK), -1);               /* nobody asked to keep it */
    snprintf(path, sizeof path, "%s/c.lm", folder);
    read_file(path, &model);
    snprintf(line, sizeof line, "--from-arpa %s/c.arpa --output %s/d.lm --quiet", folder, folder);
    gives(cmd_train_ngram, line, 0, "");
    log_open(&(struct log_options){ 0 });
    snprintf(path, sizeof path, "%s/d.lm", folder);
    read_file(path, &again);
    assert_int_equal(model.len, again.len);
    bytes_free(&arpa);
    bytes_free(&model);
    bytes_free(&again);
    remove_tree(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_refused), cmocka_unit_test(test_trained) };

    return cmocka_run_group_tests_name("cmd/train_ngram", tests, NULL, NULL);
}
