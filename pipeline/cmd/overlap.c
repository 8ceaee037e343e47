/* cmd/overlap.c -- leakgraph overlap: the join without a YAML file; it writes one in memory and runs it. */
#include "cmd/command.h"
#include "cmd/run.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static void overlap_help(void)
{
    fputs("usage: leakgraph overlap --benchmark NAME=GLOB... [--corpus NAME=GLOB...] [--output DIR] [...]\n\n"
          "Finds which documents of each benchmark are in each corpus, and in the other benchmarks: exact and\nnear copies, every pair verified.\n\n"
          "  --benchmark NAME=GLOB   a small dataset; repeat NAME for more files.  Quote the glob:\n"
          "                          'humaneval=data/*.jsonl.gz'\n"
          "  --corpus NAME=GLOB      a big one, read once; .jsonl[.gz|.zst|.xz|.bz2], tar, zip, 7z, folders of\n"
          "                          source files\n"
          "  --output DIR            the run folder (default results/run)\n"
          "  --language NAME         of all datasets (default: from record, file name or #! line)\n"
          "  --view VIEW             identifiers (default), identifiers+literals, tokens, lines, shingles:N,\n"
          "                          chars:N\n"
          "  --min-tokens N          smaller documents are only looked up as byte-equal copies (default 20)\n"
          "  --self-join             also join the corpora with themselves and each other (they must fit\n"
          "                          memory)\n"
          "  --set KEY=VALUE, --threads N, --clean, --quiet   as for `run`\n\n"
          "example:\n"
          "  leakgraph overlap --benchmark humaneval=HumanEval.jsonl.gz --corpus mine='corpus/*.jsonl.zst' \\\n"
          "    --output results/mine --set datasets.humaneval.fields.text=canonical_solution\n", stdout);
}

/* A double-quoted YAML scalar. */
static int scalar_append(struct bytes *out, const char *text, size_t len)
{
    int rc = bytes_append(out, "\"", 1);

    for (size_t i = 0; i < len && rc == 0; i++) {
        unsigned char c = (unsigned char)text[i];

        if (c == '"' || c == '\\') rc = bytes_printf(out, "\\%c", c);
        else if (c < 0x20) rc = bytes_printf(out, "\\x%02x", c);
        else rc = bytes_append(out, text + i, 1);
    }
    return rc < 0 ? rc : bytes_append(out, "\"", 1);
}

struct named_glob { const char *value; bool benchmark; };

/* The dataset of globs with the same name as the i-th, once: at its first glob. */
static int dataset_append(struct bytes *out, const struct named_glob *glob, size_t count, size_t i, const char *language, bool self_join)
{
    size_t len = (size_t)(strchr(glob[i].value, '=') - glob[i].value);
    bool   first = true;

    for (size_t j = 0; j < i; j++)
        if (glob[j].benchmark == glob[i].benchmark && strncmp(glob[j].value, glob[i].value, len + 1) == 0) return 0;
    if (bytes_printf(out, "  - name: ") < 0 || scalar_append(out, glob[i].value, len) < 0 ||
        bytes_printf(out, "\n    role: %s\n", glob[i].benchmark ? "benchmark" : "corpus") < 0) return -ENOMEM;
    if (language && (bytes_printf(out, "    language: ") < 0 || scalar_append(out, language, strlen(language)) < 0 || bytes_append(out, "\n", 1) < 0)) return -ENOMEM;
    if (self_join && !glob[i].benchmark && bytes_printf(out, "    self_join: exact\n") < 0) return -ENOMEM;
    if (bytes_printf(out, "    files: [") < 0) return -ENOMEM;
    for (size_t j = i; j < count; j++) {
        if (glob[j].benchmark != glob[i].benchmark || strncmp(glob[j].value, glob[i].value, len + 1) != 0) continue;
        if ((!first && bytes_append(out, ", ", 2) < 0) || scalar_append(out, glob[j].value + len + 1, strlen(glob[j].value + len + 1)) < 0) return -ENOMEM;
        first = false;
    }
    return bytes_append(out, "]\n", 2);
}

int cmd_overlap(int argc, char **argv, struct err *err)
{
    struct run_options options = { 0 };
    struct named_glob  glob[256];
    struct bytes       yaml = { 0 };
    const char        *language = NULL, *view = "identifiers", *min_tokens = "20";
    char               output[4096];
    size_t             count = 0;
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
        if (!benchmark && !corpus && strcmp(option, "--language") != 0 && strcmp(option, "--view") != 0 && strcmp(option, "--min-tokens") != 0)
            return err_set(err, -EINVAL, "overlap does not know `%s`; see leakgraph overlap --help", option);
        if (!value) return err_set(err, -EINVAL, "%s needs a value", option);
        if (benchmark || corpus) {
            const char *equals = strchr(value, '=');

            if (!equals || equals == value || !equals[1]) return err_set(err, -EINVAL, "%s takes NAME=GLOB, not `%s`", option, value);
            if (count == sizeof glob / sizeof glob[0]) return err_set(err, -EINVAL, "more than 256 globs; write a pipeline.yaml");
            glob[count++] = (struct named_glob){ value, benchmark };
        } else if (strcmp(option, "--language") == 0) language = value;
        else if (strcmp(option, "--view") == 0) view = value;
        else min_tokens = value;
        at += 2;
    }
    if (strspn(min_tokens, "0123456789") != strlen(min_tokens) || !*min_tokens)
        return err_set(err, -EINVAL, "--min-tokens takes a number, not `%s`", min_tokens);
    if (!count) return err_set(err, -EINVAL, "overlap needs --benchmark NAME=GLOB, and --corpus NAME=GLOB unless only benchmarks are compared; see leakgraph overlap --help");

    rc = bytes_printf(&yaml, "datasets:\n");
    for (size_t i = 0; i < count && rc == 0; i++) rc = dataset_append(&yaml, glob, count, i, language, self_join);
    if (rc == 0) rc = bytes_printf(&yaml, "near_duplicates:\n  view: ");
    if (rc == 0) rc = scalar_append(&yaml, view, strlen(view));
    if (rc == 0) rc = bytes_printf(&yaml, "\n  min_tokens: %s\n", min_tokens);  /* digits only, so a number to YAML */
    options.text = yaml.at;
    rc = rc < 0 ? err_memory(err, yaml.len, "the settings") : run_carry_out(&options, err);
    bytes_free(&yaml);
    return rc;
}
