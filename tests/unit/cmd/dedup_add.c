/* tests/unit/cmd/dedup_add.c -- a store of one small corpus, and the settings of it with more. */
#include "cmd/dedup_add.h"
#include "base/log.h"
#include "cmd/command.h"
#include "tests/unit/cmd/command_line.h"

struct store { char folder[64], dir[80]; };

static void put(const struct store *s, const char *name, const char *word)
{
    char path[128], text[128];

    snprintf(path, sizeof path, "%s/%s", s->folder, name);
    snprintf(text, sizeof text, "{\"code\": \"int %s(int a) { return a; }\"}\n", word);
    write_file(path, text, strlen(text));
}

static void store_open(struct store *s)
{
    char line[400];

    *s = (struct store){ .folder = "/tmp/leakgraph-store-XXXXXX" };
    assert_non_null(mkdtemp(s->folder));
    snprintf(s->dir, sizeof s->dir, "%s/run", s->folder);
    put(s, "old.jsonl", "f");
    put(s, "new.jsonl", "g");
    put(s, "newer.jsonl", "h");
    snprintf(line, sizeof line, "old=%s/old*.jsonl --output %s --dry-run --threads 1 --quiet --language c --set "
             "datasets.old.fields.text=code", s->folder, s->dir);
    gives(cmd_dedup, line, 0, "");
    log_open(&(struct log_options){ 0 });
}

static struct named_glob glob_of(const struct store *s, const char *name, const char *file, char path[128])
{
    struct named_glob glob = { .glob = path };

    snprintf(glob.name, sizeof glob.name, "%s", name);
    snprintf(path, 128, "%s/%s", s->folder, file);
    return glob;
}

static void refused(const struct store *s, const char *dir, const char *name, const char *file, const char *says)
{
    char              path[128];
    struct named_glob glob = glob_of(s, name, file, path);
    struct bytes      yaml = { 0 };
    struct err        err = { 0 };

    assert_int_equal(dedup_add_settings(dir, &glob, 1, NULL, &yaml, &err), -EINVAL);
    if (!strstr(err.text, says)) fail_msg("%s", err.text);
    bytes_free(&yaml);
}

static void test_added(void **unused)
{
    char              path[2][128];
    struct store      s;
    struct named_glob glob[2];
    struct bytes      yaml = { 0 };
    struct err        err = { 0 };

    (void)unused;
    store_open(&s);
    glob[0] = glob_of(&s, "june", "new.jsonl", path[0]);
    glob[1] = glob_of(&s, "july", "newer.jsonl", path[1]);
    assert_int_equal(dedup_add_settings(s.dir, glob, 2, "java", &yaml, &err), 0);
    assert_int_equal(bytes_append(&yaml, "", 1), 0);
    assert_non_null(strstr(yaml.at, "  added: [june, july]\n"));
    assert_non_null(strstr(yaml.at, s.dir));                /* as the store is called here */
    assert_non_null(strstr(yaml.at, "- name: june\n    role: corpus\n    language: java\n"));
    /* read like the store's last, which is all that `old` says of fields */
    assert_non_null(strstr(strstr(yaml.at, "- name: june\n"), "    fields: {text: code}\n"));
    assert_non_null(strstr(strstr(yaml.at, "- name: july\n"), "    fields: {text: code}\n"));
    assert_true(strstr(yaml.at, "- name: old\n") < strstr(yaml.at, "- name: june\n"));
    assert_null(strstr(yaml.at, "- name: old\n    role: corpus\n    language: java\n"));
    bytes_free(&yaml);
    remove_tree(s.folder);
}

static void test_again(void **unused)
{
    char              path[2][128], line[300];
    struct store      s;
    struct named_glob glob[2];
    struct bytes      yaml = { 0 };
    struct err        err = { 0 };

    (void)unused;
    store_open(&s);
    snprintf(line, sizeof line, "--add june=%s/new.jsonl --store %s --threads 1", s.folder, s.dir);
    gives(cmd_dedup, line, 0, "extending the store");
    log_open(&(struct log_options){ 0 });
    glob[0] = glob_of(&s, "june", "new.jsonl", path[0]);
    glob[1] = glob_of(&s, "july", "newer.jsonl", path[1]);
    assert_int_equal(dedup_add_settings(s.dir, glob, 1, NULL, &yaml, &err), 0);     /* it is there: nothing is new */
    assert_int_equal(bytes_append(&yaml, "", 1), 0);
    assert_non_null(strstr(yaml.at, "  added: [june]\n"));
    yaml.len = 0;
    assert_int_equal(dedup_add_settings(s.dir, glob, 2, NULL, &yaml, &err), 0);
    assert_int_equal(bytes_append(&yaml, "", 1), 0);
    assert_non_null(strstr(yaml.at, "  added: [june, july]\n"));
    bytes_free(&yaml);
    refused(&s, s.dir, "june", "newer.jsonl", "the store has a dataset `june` already");
    remove_tree(s.folder);
}

static void test_refused(void **unused)
{
    struct store s;
    char         path[128];

    (void)unused;
    store_open(&s);
    refused(&s, s.folder, "june", "new.jsonl", "is no store: it has no config.resolved.yaml");
    refused(&s, s.dir, "old", "new.jsonl", "the store has a dataset `old` already");
    refused(&s, s.dir, "june", "old.jsonl",
            "--add takes files that the store does not have: datasets `old` and `june` have 1 file in common: ");
    put(&s, "old-2.jsonl", "f");                            /* found by the store's glob now */
    refused(&s, s.dir, "june", "new.jsonl", "dataset `old` has other shards than when it was stored");
    snprintf(path, sizeof path, "%s/old-2.jsonl", s.folder);
    unlink(path);
    put(&s, "old.jsonl", "longer");
    refused(&s, s.dir, "june", "new.jsonl", "dataset `old` has other shards than when it was stored");
    remove_tree(s.folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_added), cmocka_unit_test(test_again), cmocka_unit_test(test_refused),
    };

    return cmocka_run_group_tests_name("cmd/dedup_add", tests, NULL, NULL);
}
