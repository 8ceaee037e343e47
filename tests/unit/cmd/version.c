/* tests/unit/cmd/version.c -- what a bug report needs. */
#include "cmd/version.h"
#include "code/function.h"
#include "graph/store.h"
#include "kernels/kernels.h"
#include "tests/unit/cmd/command_line.h"

#include <cjson/cJSON.h>
#include <ctype.h>
#include <sqlite3.h>

static void test_version(void **unused)
{
    struct err err;
    char       line[200];
    unsigned   part[3];
    int        len = 0;

    (void)unused;
    assert_int_equal(sscanf(leakgraph_version(), "%u.%u.%u%n", &part[0], &part[1], &part[2], &len), 3);
    assert_int_equal(leakgraph_version()[len], '\0');
    assert_true(*leakgraph_commit() && !isspace((unsigned char)*leakgraph_commit()));
    snprintf(line, sizeof line, "leakgraph %s (%s)\ncompiler  ", leakgraph_version(), leakgraph_commit());
    gives(cmd_version, "", 0, line);
    snprintf(line, sizeof line, "\nkernels   %s\n", kernels->name);
    gives(cmd_version, "", 0, line);
    snprintf(line, sizeof line, "SQLite %s, ", sqlite3_libversion());
    gives(cmd_version, "", 0, line);
    gives(cmd_version, "", 0, functions_exact_check("", &err) == 0 ? "\nfunctions fast, exact (tree-sitter)\n"
                                                                   : "\nfunctions fast; exact is left out: ");
}

/* The members that scripts read, of the kinds that they are; no other is dropped unseen. */
static void test_json(void **unused)
{
    static const char *const members[] = { "version", "commit", "dirty", "compiler", "kernels", "libraries", "optional",
                                           "graph_db" };
    static const char *const optional[] = { "llama", "tree_sitter", "libsvm", "isal" };
    struct said  said;
    struct err   err;
    cJSON       *root, *part;

    (void)unused;
    assert_int_equal(command_call(cmd_version, "--json", &said, &err), 0);
    assert_non_null(root = cJSON_Parse(said.text.at));
    assert_int_equal(cJSON_GetArraySize(root), sizeof members / sizeof *members);
    for (size_t i = 0; i < sizeof members / sizeof *members; i++)
        assert_string_equal(cJSON_GetArrayItem(root, (int)i)->string, members[i]);
    assert_string_equal(cJSON_GetObjectItem(root, "version")->valuestring, leakgraph_version());
    part = cJSON_GetObjectItem(root, "commit");
    assert_true(cJSON_IsNull(part) || strncmp(part->valuestring, leakgraph_commit(), strlen(part->valuestring)) == 0);
    assert_int_equal(cJSON_IsTrue(cJSON_GetObjectItem(root, "dirty")), strstr(leakgraph_commit(), "-dirty") != NULL);
    part = cJSON_GetObjectItem(root, "kernels");
    assert_string_equal(cJSON_GetObjectItem(part, "in_use")->valuestring, kernels->name);
    part = cJSON_GetObjectItem(part, "able");
    assert_string_equal(cJSON_GetArrayItem(part, cJSON_GetArraySize(part) - 1)->valuestring, "scalar");
    part = cJSON_GetObjectItem(root, "libraries");
    assert_string_equal(cJSON_GetObjectItem(part, "SQLite")->valuestring, sqlite3_libversion());
    for (cJSON *one = part->child; one; one = one->next) assert_true(strpbrk(one->valuestring, "0123456789") != NULL);
    part = cJSON_GetObjectItem(root, "optional");
    for (size_t i = 0; i < sizeof optional / sizeof *optional; i++)
        assert_true(cJSON_IsBool(cJSON_GetObjectItem(part, optional[i])));
    assert_int_equal(cJSON_GetObjectItem(root, "graph_db")->valueint, STORE_VERSION);
    cJSON_Delete(root);
    said_free(&said);
}

static void test_usage(void **unused)
{
    (void)unused;
    helps(cmd_version, "usage: leakgraph version [--json]\n", "");
    refuses(cmd_version, "now", "version takes --json or no argument, but `now` was given");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_version), cmocka_unit_test(test_json), cmocka_unit_test(test_usage),
    };

    return cmocka_run_group_tests_name("cmd/version", tests, NULL, NULL);
}
