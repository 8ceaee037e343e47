/* tests/unit/portrait/report.c -- what the section says of the portrait that a run has made. */
#include "portrait/report.h"
#include "portrait/task.h"
#include "tests/unit/made_graph.h"

static const struct report_part *part(void) { return &portrait_capability.report; }

static void test_section(void **unused)
{
    struct made_graph  g;
    struct made_report report;

    (void)unused;
    made_open(&g, "INSERT INTO run VALUES ('portrait_name', 'no'), ('dedup.name', 'no')");
    made_report(&g, part(), &report);
    made_json(&report, "portrait", "");
    made_report_free(&report);

    made_run(&g, "INSERT INTO run VALUES ('portrait.name', '<script>|'), ('portrait.kind', 'windows'), "
                 "('portrait.width', '50'), ('portrait.stride', '25'), ('portrait.bytes', '8192'), "
                 "('portrait.shards', '3'), ('portrait.documents', '7'), "
                 "('portrait.insertions', '18446744073709551615'), "
                 "('portrait.hashes', '10'), ('portrait.set_bits', '16384'), ('portrait.rate', '0.00098\x1b' || ''), "
                 "('portrait.probes', '4000000'), ('portrait.probe_hits', '4100'), ('portrait.else', '1')");
    made_report(&g, part(), &report);
    made_says(&report, "- file: &lt;script&gt;\\|.portrait\n");
    made_says(&report, "- share of the bits that are set: 0.250\n");
    made_json(&report, "portrait.filter.kind", "\"windows\"");
    made_json(&report, "portrait.filter.width", "50");
    made_json(&report, "portrait.filter.stride", "25");
    made_json(&report, "portrait.filter.bytes", "8192");
    made_json(&report, "portrait.filter.shards", "3");
    made_json(&report, "portrait.filter.documents", "7");
    made_json(&report, "portrait.filter.hashes", "10");
    made_json(&report, "portrait.filter.fill", "0.25");
    made_json(&report, "portrait.filter.rate_measured", "\"0.001025\"");
    made_json(&report, "portrait.filter.probes", "4000000");
    made_report_free(&report);

    /* numbers that are missing are 0, and nothing is divided by them */
    made_run(&g, "DELETE FROM run WHERE key IN ('portrait.probes', 'portrait.bytes')");
    made_report(&g, part(), &report);
    made_json(&report, "portrait.filter.rate_measured", "\"0\"");
    made_json(&report, "portrait.filter.bytes", "0");
    made_report_free(&report);
    made_close(&g);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_section) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
