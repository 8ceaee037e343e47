/* tests/unit/cmd/query.c -- which texts are asked about, and what they are called; --fail-on; refusals. */
#include "cmd/query.h"
#include "cmd/command.h"
#include "tests/unit/cmd/command_line.h"
#include "tests/unit/cmd/finished.h"

static void test_refused(void **unused)
{
    (void)unused;
    helps(cmd_query, "usage: leakgraph query PORTRAIT", "dir file");
    refuses(cmd_query, "", "query: a portrait or the folder of a run is needed");
    refuses(cmd_query, "--json", "query: a portrait or the folder of a run is needed");
    refuses(cmd_query, "dir --nonsense", "query: unknown option --nonsense");
    refuses(cmd_query, "dir --fail-on 101", "--fail-on takes a percentage from 0 to 100, such as 80 or 80%, not `101`");
    refuses(cmd_query, "dir --fail-on -1", "not `-1`");
    refuses(cmd_query, "dir --fail-on 5x", "not `5x`");
    refuses(cmd_query, "dir --fail-on", "--fail-on takes a percentage");
}

static void test_texts(void **unused)
{
    static const char lines[] = "{\"text\": \"int c;\"}\n{\"text\": \"int b;\"}\n";
    struct made_graph g;
    char              path[3][100], line[400], says[200];

    (void)unused;
    finished_open(&g);
    snprintf(path[0], sizeof path[0], "%s/two.jsonl", g.folder);
    write_file(path[0], lines, sizeof lines - 1);
    snprintf(path[1], sizeof path[1], "%s/a.c", g.folder);
    write_file(path[1], "int a;", 6);
    snprintf(path[2], sizeof path[2], "%s/bad.jsonl", g.folder);
    write_file(path[2], "{\"text\": \"int c;\"}\n{]\n", 22);

    snprintf(line, sizeof line, "%s %s", g.folder, path[0]);
    snprintf(says, sizeof says, "-  -  %s:0\n", path[0]);   /* records by their number */
    gives(cmd_query, line, 0, says);
    snprintf(says, sizeof says, "1000000000008  c/x/7  %s:1\n", path[0]);
    gives(cmd_query, line, 0, says);
    gives(cmd_query, line, 0, "kind ");                     /* the heading */
    snprintf(line, sizeof line, "%s --json %s", g.folder, path[1]);
    snprintf(says, sizeof says, "{\"name\": \"%s\", \"kind\": \"copy\"", path[1]);  /* a file by its path alone */
    gives(cmd_query, line, 0, says);

    snprintf(line, sizeof line, "%s %s --fail-on 99.5", g.folder, path[0]);
    gives(cmd_query, line, 3, "copy ");
    snprintf(line, sizeof line, "%s %s --fail-on 100", g.folder, path[0]);
    gives(cmd_query, line, 3, "--fail-on is inconclusive: of 1 of 2 texts nothing could be compared");
    snprintf(line, sizeof line, "%s --info", g.folder);
    gives(cmd_query, line, 0, "b  1 documents stored\n");
    snprintf(line, sizeof line, "%s %s", g.folder, path[2]);
    gives(cmd_query, line, -EBADMSG, "bad.jsonl: record 1, byte ");
    made_close(&g);
}

static void test_json(void **unused)
{
    struct bytes out = { 0 };

    (void)unused;
    assert_int_equal(query_json_text(&out, "{", "key", SLICE("a\"\n")), 0);
    assert_int_equal(query_json_text(&out, ", ", "b", SLICE("")), 0);
    assert_int_equal(bytes_append(&out, "", 1), 0);
    assert_string_equal(out.at, "{\"key\": \"a\\\"\\n\", \"b\": \"\"");
    bytes_free(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_refused), cmocka_unit_test(test_texts), cmocka_unit_test(test_json),
    };

    return cmocka_run_group_tests_name("cmd/query", tests, NULL, NULL);
}
