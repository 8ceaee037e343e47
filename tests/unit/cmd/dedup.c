/* tests/unit/cmd/dedup.c -- the settings that a command line stands for: names made of globs, options; refusals. */
#include "base/log.h"
#include "cmd/command.h"
#include "tests/unit/cmd/command_line.h"

static void test_refused(void **unused)
{
    (void)unused;
    helps(cmd_dedup, "usage: leakgraph dedup", "a b=c");
    refuses(cmd_dedup, "", "dedup needs a corpus");
    refuses(cmd_dedup, "--nonsense x", "dedup does not know `--nonsense`");
    refuses(cmd_dedup, "x --threshold", "--threshold needs a value");
    refuses(cmd_dedup, "x=", "dedup takes GLOB or NAME=GLOB, not `x=`");
    refuses(cmd_dedup, "a --dry-run --lists", "--dry-run writes neither lists nor shards");
    refuses(cmd_dedup, "a --dry-run --set dedup.write=lists", "leave --set dedup.write=lists or --dry-run out");
    refuses(cmd_dedup, "a --set dedup.write=shards --dry-run", "leave --set dedup.write=shards or --dry-run out");
    refuses(cmd_dedup, "a --lists --dry-run", "--dry-run writes neither lists nor shards");
    refuses(cmd_dedup, "--add a", "--add needs --store DIR");
    refuses(cmd_dedup, "--store d", "--store needs --add NAME=GLOB");
    refuses(cmd_dedup, "--add a --store d b", "`b` is neither added nor an option");
    refuses(cmd_dedup, "--add a --store d --view tokens", "--view cannot be given with --add");
    refuses(cmd_dedup, "--add a --store d --lists", "--lists cannot be given with --add");
    refuses(cmd_dedup, "--add a --store d --output e", "--output cannot be given with --add");
    refuses(cmd_dedup, "--add a --store d --clean", "--clean cannot be given with --add");
    refuses(cmd_dedup, "--add n=a --store d --set dedup.bands=3", "--set dedup.bands=3: a store has one scheme");
    refuses(cmd_dedup, "--add n=a --store d --set datasets.other.utf8=keep", "a store has one scheme");
    refuses(cmd_dedup, "--add n=a --store d --set memories=1", "a store has one scheme");
    /* what may be set gets as far as the store, which is none */
    refuses(cmd_dedup, "--add n=a --store /no/such --set datasets.n.utf8=keep --set memory=1GB",
            "/no/such is no store");
}

/* A name is the folder of the wildcard, or the file up to its first dot; the dataset cannot be found, and says it. */
static void names(const char *line, const char *name)
{
    char expected[128];

    snprintf(expected, sizeof expected, "dataset %s: ", name);
    refuses(cmd_dedup, line, expected);
}

static void test_names(void **unused)
{
    (void)unused;
    names("/no/such/python/*.jsonl", "python");
    names("/no/such/python//*.jsonl", "python");
    names("/no/such/v1.5/part-*.jsonl", "v1.5");            /* a folder's dots stay */
    names("/no/such/train.jsonl.zst", "train");
    names("/no/such/.hidden.jsonl", "hidden");
    names("/no/such/a+b.jsonl", "a_b");
    names("/*.jsonl", "corpus");
    names("mine=/no/such/x", "mine");
    names("/no/such/a=b/*.x", "a_b");                       /* no name stands before this = */
}

static void settings(const char *folder, const char *options, const char *const *says)
{
    char         line[600], path[100];
    struct bytes yaml = { 0 };

    snprintf(line, sizeof line, "%s/java/*.jsonl %s/more/java/*.jsonl java-2=%s/other.jsonl --output %s/run "
             "--threads 1 --quiet --clean %s", folder, folder, folder, folder, options);
    gives(cmd_dedup, line, 0, "");
    snprintf(path, sizeof path, "%s/run/config.resolved.yaml", folder);
    read_file(path, &yaml);
    for (; *says; says++)
        if (!strstr(yaml.at, *says)) fail_msg("%s does not give %s: %s", options, *says, yaml.at);
    bytes_free(&yaml);
}

static void test_settings(void **unused)
{
    static const char text[] = "{\"text\": \"int f(int a) { return a; }\"}\n";
    static const char *const folders[] = { "java", "more", "more/java" };
    static const char *const files[] = { "java/1.jsonl", "more/java/1.jsonl", "other.jsonl" };
    char              folder[] = "/tmp/leakgraph-dedup-XXXXXX", path[100];

    (void)unused;
    assert_non_null(mkdtemp(folder));
    for (int i = 0; i < 3; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, folders[i]);
        assert_int_equal(mkdir(path, 0700), 0);
    }
    for (int i = 0; i < 3; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, files[i]);
        write_file(path, text, sizeof text - 1);
    }
    /* java-2 was given, so the second java is the third */
    settings(folder, "--dry-run", (const char *[]){ "- name: java\n", "- name: java-3\n", "- name: java-2\n",
                                                    "  write: none\n", "  threshold: 0.7\n", NULL });
    settings(folder, "--lists --protect java --protect java-3 --keep dataset,longest --view tokens --threshold 0.9 "
                     "--method exact --cluster component --level 7 --language c",
             (const char *[]){ "  write: lists\n", "  protect: [java, java-3]\n", "  keep: [dataset, longest",
                               "  view: tokens\n", "  threshold: 0.9\n", "  method: exact\n",
                               "  cluster: component\n", "  zstd_level: 7\n", "    language: c\n", NULL });
    log_open(&(struct log_options){ 0 });
    remove_tree(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_refused), cmocka_unit_test(test_names), cmocka_unit_test(test_settings),
    };

    return cmocka_run_group_tests_name("cmd/dedup", tests, NULL, NULL);
}
