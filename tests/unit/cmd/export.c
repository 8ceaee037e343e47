/* tests/unit/cmd/export.c -- a thing in a format, to standard output and to files; refusals that say what is there. */
#include "cmd/command.h"
#include "tests/unit/cmd/command_line.h"
#include "tests/unit/cmd/finished.h"

#include <unistd.h>

static void test_given(void **unused)
{
    struct made_graph g;
    struct bytes      text = { 0 };
    char              line[400], path[100];

    (void)unused;
    finished_open(&g);
    snprintf(line, sizeof line, "%s pairs --columns kind,a_source_id,b_source_id,similarity", g.folder);
    gives(cmd_export, line, 0, "kind\ta_source_id\tb_source_id\tsimilarity\nnear\tfirst\tsecond\t0.5\n");
    snprintf(line, sizeof line, "%s items --leaked --columns source_id --no-header --benchmark b", g.folder);
    gives(cmd_export, line, 0, "first\n");
    snprintf(line, sizeof line, "%s --format datasette", g.folder);
    gives(cmd_export, line, 0, "\"databases\"");
    snprintf(line, sizeof line, "%s pairs --kind nothing", g.folder);
    gives(cmd_export, line, 0, "no row is there of what was asked");
    /* the format is the file's, unless it is said */
    snprintf(line, sizeof line, "%s items --output %s/a.jsonl", g.folder, g.folder);
    gives(cmd_export, line, 0, "a.jsonl: 1 rows");
    snprintf(path, sizeof path, "%s/a.jsonl", g.folder);
    read_file(path, &text);
    assert_non_null(strstr(text.at, "{\"id\": 1, \"dataset\": \"b\""));
    snprintf(line, sizeof line, "%s items --format csv --output %s/a.jsonl", g.folder, g.folder);
    gives(cmd_export, line, 0, "1 rows");
    text.len = 0;
    read_file(path, &text);
    assert_non_null(strstr(text.at, "id,dataset,"));
    snprintf(line, sizeof line, "%s --format interduplication --output %s/i.db", g.folder, g.folder);
    gives(cmd_export, line, 0, "");
    snprintf(path, sizeof path, "%s/i.db", g.folder);
    assert_int_equal(access(path, F_OK), 0);
    bytes_free(&text);
    made_close(&g);
}

static void test_refused(void **unused)
{
    struct made_graph g;
    char              line[200];

    (void)unused;
    helps(cmd_export, "usage: leakgraph export DIR THING", "a");
    refuses(cmd_export, "", "export: a folder is needed");
    refuses(cmd_export, "a", "export: what of the run? pairs, items,");
    refuses(cmd_export, "a pair", "no thing `pair`; did you mean `pairs`?");
    refuses(cmd_export, "a pairs b", "one thing at a time");
    refuses(cmd_export, "a pairs --format parket", "no format `parket`; did you mean `parquet`?");
    refuses(cmd_export, "a pairs --format", "--format needs a value");
    refuses(cmd_export, "a pairs --json", "unknown option --json");
    refuses(cmd_export, "a pairs --format datasette", "is of the whole run");
    refuses(cmd_export, "a --format datasette --leaked", "is of the whole run");
    refuses(cmd_export, "a pairs --output b.d/x.xml", "no format ends in `.xml`, as b.d/x.xml does: they are tsv, csv, "
            "jsonl, parquet, graphml, gexf, sarif; --format says which it is");
    refuses(cmd_export, "a pairs --output x.jsonl.gz", "no format ends in `.gz`");
    refuses(cmd_export, "a --format interduplication", "is a file of its own: --output FILE");
    finished_open(&g);
    snprintf(line, sizeof line, "%s clusters --format sarif", g.folder);
    refuses(cmd_export, line, "export: sarif cannot say clusters; these can: tsv, csv, jsonl, parquet");
    snprintf(line, sizeof line, "%s pairs --output %s", g.folder, g.folder);
    refuses(cmd_export, line, "is no file");
    made_close(&g);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_given), cmocka_unit_test(test_refused) };

    return cmocka_run_group_tests_name("cmd/export", tests, NULL, NULL);
}
