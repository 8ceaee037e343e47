/* export/whole: exports of the whole run by their names, which no format of rows has. */
#include "export/whole.h"

#include "export/format.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static void test_names(void **state)
{
    (void)state;
    assert_ptr_equal(export_whole_find("interduplication"), &export_interduplication);
    assert_ptr_equal(export_whole_find("datasette"), &export_datasette);
    assert_null(export_whole_find("tsv"));
    for (size_t i = 0; export_wholes[i]; i++) assert_null(export_format_find(export_wholes[i]->name));
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_names) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
