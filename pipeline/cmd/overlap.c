/* cmd/overlap.c -- leakgraph overlap: the join without a YAML file; it writes one in memory and runs it. */
#include "base/option.h"
#include "cmd/command.h"
#include "cmd/run.h"
#include "config/yaml_text.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static void overlap_help(void)
{
    fputs("usage: leakgraph overlap --benchmark NAME=GLOB... [--corpus NAME=GLOB...] [--output DIR] [...]\n\n"
          "Finds which documents of each benchmark are in each corpus, and in the other benchmarks: exact and\nnear "
          "copies, every pair verified.\n\n"
          "  --benchmark NAME=GLOB   a small dataset; repeat NAME for more files.  Quote the glob:\n"
          "                          'humaneval=data/*.jsonl.gz'\n"
          "  --corpus NAME=GLOB      a big one, read once; .jsonl, .json, .csv, .tsv [.gz|.zst|.xz|.bz2],\n"
          "                          Parquet, tar, zip, 7z, folders of source files\n"
          "  --output DIR            the run folder (default results/run)\n"
          "  --language NAME         of all datasets (default: from record, file name or #! line)\n"
          "  --view VIEW             identifiers (default), identifiers+literals, tokens, lines, shingles:N,\n"
          "                          chars:N\n"
          "  --min-tokens N          smaller documents are only looked up as copies (default: by\n"
          "                          their lengths, 20 to 5)\n"
          "  --self-join             also join the corpora with themselves and each other (they must fit\n"
          "                          memory)\n"
          "  --field [DATASET.]NAME=FIELD\n"
          "                          as for `run`: --field text=code; of one dataset alone:\n"
          "                          --field humaneval.text=canonical_solution\n"
          "  --set KEY=VALUE, --threads N, --replace, --clean, --verify, --quiet   as for `run`\n\n"
          "example:\n"
          "  leakgraph overlap --benchmark humaneval=HumanEval.jsonl.gz --corpus mine='corpus/*.jsonl.zst' \\\n"
          "    --output results/mine --field humaneval.text=canonical_solution\n", stdout);
}

int cmd_overlap(int argc, char **argv, struct err *err)
{
    struct run_options options = { .name = "overlap" };
    struct named_glob  glob[NAMED_GLOBS_MAX];
    struct bytes       yaml = { 0 };
    const char        *language = NULL, *view = "identifiers", *min_tokens = "auto";
    char               output[4096];
    size_t             count = 0, benchmarks = 0;
    bool               self_join = false;
    int                rc;

    for (int at = 1; at < argc; ) {
        const char *option = argv[at], *value = at + 1 < argc ? argv[at + 1] : NULL;
        bool        benchmark = strcmp(option, "--benchmark") == 0, corpus = strcmp(option, "--corpus") == 0;

        rc = run_take_option(&options, argc, argv, &at, output, err);
        if (rc < 0) return rc;
        if (rc > 0) continue;
        if (strcmp(option, "--help") == 0 || strcmp(option, "-h") == 0) {
            overlap_help();
            return 0;
        }
        if (strcmp(option, "--self-join") == 0) {
            self_join = true;
            at++;
            continue;
        }
        if (!benchmark && !corpus && strcmp(option, "--language") != 0 && strcmp(option, "--view") != 0 &&
            strcmp(option, "--min-tokens") != 0)
            return err_set(err, -EINVAL, "overlap does not know `%s`; see leakgraph overlap --help", option);
        if (!value) return err_set(err, -EINVAL, "%s needs a value", option);
        if (benchmark || corpus) {
            if (count == NAMED_GLOBS_MAX)
                return err_set(err, -EINVAL, "more than %d globs; write a pipeline.yaml", NAMED_GLOBS_MAX);
            if (!named_glob_parse(&glob[count], value))
                return err_set(err, -EINVAL, "%s takes NAME=GLOB, not `%s`", option, value);
            glob[count].option = option;
            glob[count++].benchmark = benchmark;
            benchmarks += benchmark;
        } else if (strcmp(option, "--language") == 0) language = value;
        else if (strcmp(option, "--view") == 0) view = value;
        else min_tokens = value;
        at += 2;
    }
    if ((strspn(min_tokens, "0123456789") != strlen(min_tokens) || !*min_tokens) && strcmp(min_tokens, "auto") != 0)
        return err_set(err, -EINVAL, "--min-tokens takes a number or auto, not `%s`", min_tokens);
    if (!count)
        return err_set(err, -EINVAL, "overlap needs --benchmark NAME=GLOB, and --corpus NAME=GLOB unless only "
                                     "benchmarks are compared; see leakgraph overlap --help");
    if (!benchmarks && !self_join)
        return err_set(err, -EINVAL, "overlap has nothing to compare: give --benchmark NAME=GLOB, or --self-join");

    rc = yaml_datasets(&yaml, glob, count, language, self_join);
    if (rc == 0) rc = bytes_printf(&yaml, "near_duplicates:\n  view: ");
    if (rc == 0) rc = option_print_text(view, &yaml);
    if (rc == 0) rc = bytes_printf(&yaml, "  # --view\n  min_tokens: %s  # --min-tokens\n",
                                       min_tokens);         /* digits, or the word */
    options.text = yaml.at;
    rc = rc < 0 ? err_memory(err, yaml.len, "the settings") : run_carry_out(&options, err);
    bytes_free(&yaml);
    return rc;
}
