/* tests/unit/cmd/audit_verdict.c -- what the command line takes and refuses; tests/cli/audit_verdict.sh has results. */
#include "cmd/audit.h"
#include "tests/unit/cmd/command_line.h"

static void test_refused(void **unused)
{
    (void)unused;
    helps(audit_verdict, "usage: leakgraph audit verdict", "--quiet");
    refuses(audit_verdict, "", "which rows?");
    refuses(audit_verdict, "--nonsense x", "unknown option --nonsense");
    refuses(audit_verdict, "a.csv --output", "--output needs a value");
    refuses(audit_verdict, "a.csv --classifier tree", "forest, boosting, svm or all, not `tree`");
    refuses(audit_verdict, "a.csv --grid maybe", "--grid takes on or off, not `maybe`");
    refuses(audit_verdict, "a.csv --test 1", "--test takes a share between 0 and 1, not `1`");
    refuses(audit_verdict, "a.csv --test nan", "not `nan`");
    refuses(audit_verdict, "a.csv --columns six", "--columns takes hits or all");
    refuses(audit_verdict, "a.csv --compat paper", "--compat takes published or none");
    refuses(audit_verdict, "a.csv --draws -1", "--draws takes a number from 0 to 10000000");
    refuses(audit_verdict, "a.csv --seed 9007199254740992", "--seed takes a number from 0 to 9007199254740991");
    refuses(audit_verdict, "a.csv --threads 0", "--threads takes a number from 1");
    refuses(audit_verdict, "a.csv --use b.json --grid off", "--grid is of learning, and --use asks a classifier");
    refuses(audit_verdict, "a.csv --classifier svm --use b.json", "--classifier is of learning");
    refuses(audit_verdict, "a.csv --test 0.3 --use b.json", "--test is of learning");
    refuses(audit_verdict, "a.csv --draws 0 --reference b.csv", "--reference is of the permutation tests");
    refuses(audit_verdict, "x/a.csv y/a.csv", "two files are called `a`: say NAME=FILE");
    refuses(audit_verdict, "/ a.csv", "the folder of one run");
    refuses(audit_verdict, "/ /tmp", "one run at a time, not `/tmp` beside it");
    refuses(audit_verdict, "a=", "`a=` is no [NAME=]FILE");
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_refused) };

    return cmocka_run_group_tests_name("cmd/audit_verdict", tests, NULL, NULL);
}
