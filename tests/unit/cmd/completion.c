/* tests/unit/cmd/completion.c -- the scripts, for the two made commands of tests/unit/cmd/help.c;
 * tests/cli/completion.sh has the shells read them. */
#include "cmd/completion.h"
#include "tests/unit/folder.h"

#include <string.h>

static void says(const char *shell, const char *const *words)
{
    struct bytes out = { 0 };
    struct err   err = { 0 };

    assert_int_equal(completion_script(shell, &out, &err), 0);
    assert_int_equal(bytes_append(&out, "", 1), 0);
    for (; *words; words++)
        if (!strstr(out.at, *words)) fail_msg("%s: no `%s` in %s", shell, *words, out.at);
    bytes_free(&out);
}

static void test_scripts(void **unused)
{
    (void)unused;
    says("bash", (const char *const[]){
        "local commands='made-up help'\n", "    'made-up')\n        options=' --to --now --as --help'\n",
        "        first=' <file>' rest=' <file>'\n", "--to) takes=' <folder>' ;;\n", "--as) takes='plain rich' ;;\n",
        "--completion) takes='bash zsh fish' ;;\n", " near_duplicates near_duplicates.view ", NULL });
    says("zsh", (const char *const[]){
        "#compdef leakgraph\n", "'made-up:is made'\n", "'*--to[where to]:value:{_files -/}'", "'*--now[where to]'",
        "'*--as[how]:value:{compadd -- plain rich; }'", "'*--help[what it does]'",
        "'1:argument:{compset -P \"*[=\\:]\"; _files}'", NULL });
    says("fish", (const char *const[]){
        "-a made-up -d 'is made'\n",
        "'__leakgraph_in made-up' -l to -x -a ' (__fish_complete_directories)' -d 'where to'\n",
        "'__leakgraph_in made-up' -l now -d 'where to'\n", "-l as -x -a 'plain rich' -d 'how'\n",
        "'__leakgraph_first made-up' -F\n", "'__leakgraph_rest help' -a ' (__leakgraph_keys)'\n", NULL });
}

static void test_refused(void **unused)
{
    struct bytes out = { 0 };
    struct err   err = { 0 };

    (void)unused;
    assert_int_equal(completion_script("tcsh", &out, &err), -EINVAL);
    assert_string_equal(err.text, "no completion for the shell `tcsh`: bash, zsh and fish have one");
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_scripts), cmocka_unit_test(test_refused) };

    return cmocka_run_group_tests_name("cmd/completion", tests, NULL, NULL);
}
