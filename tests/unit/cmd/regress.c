/* tests/unit/cmd/regress.c -- the command line of `leakgraph regress`: what it refuses, and which family it takes. */
#include "cmd/command.h"
#include "tests/unit/cmd/command_line.h"

static void test_refused(void **unused)
{
    (void)unused;
    helps(cmd_regress, "usage: leakgraph regress FORMULA --data FILE", "y~x");
    refuses(cmd_regress, "", "regress: a formula is needed");
    refuses(cmd_regress, "y~x", "rows are of --data FILE or of --run DIR");
    refuses(cmd_regress, "y~x --data a --run b", "rows are of --data FILE or of --run DIR");
    refuses(cmd_regress, "y~x --data", "--data needs a value");
    refuses(cmd_regress, "y ~ x --data a", "one formula, in quotes; `~` stands beside it");
    refuses(cmd_regress, "y~x --data a --nonsense 1", "unknown option --nonsense");
    refuses(cmd_regress, "y~x --data a --query q", "--query asks a run");
    refuses(cmd_regress, "y~x --data a --ml --reml", "--reml or --ml, not both");
    refuses(cmd_regress, "y~x^2 --data a", "regress: formula, character 4: `^` where `+`");
    refuses(cmd_regress, "y~x --data a --family poisson", "--family takes gaussian or binomial, not `poisson`");
    refuses(cmd_regress, "y~x --data a --link probit", "--link takes identity, logit or log, not `probit`");
    refuses(cmd_regress, "y~x --data a --family gaussian --link log", "the link of the gaussian family is identity");
    refuses(cmd_regress, "y~x --data a --family binomial --link identity", "the link of the binomial family is logit");
}

/* Ten hits of twenty where x is 0, fifteen where it is 1. */
static void test_families(void **unused)
{
    static const char text[] = "x,hits,trials,y\n0,10,20,1.5\n1,15,20,2\n0,10,20,2.5\n1,15,20,5\n";
    char              path[] = "/tmp/leakgraph-regress-XXXXXX", line[200];
    const int         file = mkstemp(path);
    struct err        err;

    (void)unused;
    assert_true(file >= 0);
    close(file);
    write_file(path, text, sizeof text - 1);
    snprintf(line, sizeof line, "y~x --data %s", path);
    gives(cmd_regress, line, 0, "least squares; 4 rows");
    snprintf(line, sizeof line, "hits/trials~x --data %s", path);
    gives(cmd_regress, line, 0, "odds ratio");
    snprintf(line, sizeof line, "hits/trials~x --data %s --link log", path);
    gives(cmd_regress, line, 0, "log link: exp of a coefficient is a ratio of chances");
    snprintf(line, sizeof line, "x~y --data %s --family binomial --json", path);
    gives(cmd_regress, line, 0, "\"family\": \"binomial\", \"link\": \"logit\"");
    snprintf(line, sizeof line, "hits/trials~x --data %s --family gaussian", path);
    refuses(cmd_regress, line, "HITS/TRIALS is a response of --family binomial");
    snprintf(line, sizeof line, "y~x+(1|trials) --data %s", path);
    assert_int_equal(command_call(cmd_regress, line, NULL, &err), -EDOM);
    assert_non_null(strstr(err.text, "regress: `trials` is the same in all rows"));
    unlink(path);
    assert_int_equal(command_call(cmd_regress, line, NULL, &err), -ENOENT);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_refused), cmocka_unit_test(test_families) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
