/* cmd/dedup.c -- leakgraph dedup: corpora without their duplicates, without a YAML file; it writes one in memory and
 * runs it.
 *
 * --add extends the run folder of an earlier one, whose settings it takes; see dedup_add.h. */
#include "base/option.h"
#include "cmd/command.h"
#include "cmd/dedup_add.h"
#include "cmd/run.h"
#include "config/yaml_text.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void dedup_help(void)
{
    fputs("usage: leakgraph dedup CORPUS... --output DIR [...]\n"
          "       leakgraph dedup --add NEW... --store DIR [...]\n\n"
          "Finds exact copies and near duplicates inside and between the corpora, keeps one of each, and writes\n"
          "the rest anew: DIR/clean/NAME/SHARD.jsonl.zst, the same records in the same order; small shards\n"
          "together, as SHARD+N for SHARD and N more (--set dedup.shard_size=0: each by itself).  What is\n"
          "removed was compared exactly with the document that stays.  DIR/graph.db has every pair.\n\n"
          "  CORPUS            GLOB or NAME=GLOB; repeat NAME for more files, and quote the glob.  Without\n"
          "                    NAME, the folder's or the file's name is taken\n"
          "  --output DIR      the run folder (default results/run)\n"
          "  --view VIEW       what is compared: shingles:5 (default), identifiers, tokens, lines, ...\n"
          "  --threshold T     least Jaccard similarity (default 0.7)\n"
          "  --method auto|lsh|exact\n"
          "                    how pairs are found (default auto)\n"
          "  --cluster star|component\n"
          "                    what a cluster is (default star)\n"
          "  --keep A,B        what makes a copy stay: dataset (earlier on this line), longest, stars, newest,\n"
          "                    path (default longest,path)\n"
          "  --protect NAME    a corpus that loses no document; may be repeated\n"
          "  --lists           writes lists of what would be removed instead of cleaned shards\n"
          "  --dry-run         writes neither: graph.db and the report only; not beside --lists\n"
          "  --level N         zstd level of the cleaned shards, 1 to 19 (default 3)\n"
          "  --language NAME   of all corpora (default: from record, file name or #! line)\n"
          "  --compat datatrove|text-dedup|bigcode\n"
          "                    bands, rows and threshold of that tool\n"
          "  --field [DATASET.]NAME=FIELD\n"
          "                    as for `run`: --field text=code; of one corpus alone: --field june.text=code\n"
          "  --set KEY=VALUE, --threads N, --replace, --clean, --verify, --quiet\n"
          "                    as for `run`; `leakgraph help config` explains the keys of `dedup`\n\n"
          "Adding to what is done (DIR is the folder of an earlier `dedup`, and is rewritten):\n\n"
          "  --add NEW         GLOB or NAME=GLOB of new shards.  Globs of one NAME are one dataset; of several\n"
          "                    names, each is added after the one before.  They are compared with all that DIR\n"
          "                    has and with each other; a document that is there already stays, whatever\n"
          "                    `keep` prefers, with its id\n"
          "  --store DIR       the folder.  Its old shards must lie where they were; they are not compared\n"
          "                    again, and read only where their cleaned shards get another duplicate_count\n"
          "  --language NAME   of the new datasets\n"
          "  --set KEY=VALUE   of datasets.NAME, memory and fail_on only: a store has one view, one threshold\n"
          "                    and one policy.  Records are read like those of DIR's last dataset (its\n"
          "                    fields and format, and what it does with bad and long ones) unless --field\n"
          "                    text=code says otherwise\n"
          "With `cluster: component` a new document may join two old clusters; one document of both stays.\n\n"
          "examples:\n"
          "  leakgraph dedup 'python/*.jsonl.zst' --output results/python\n"
          "                    one corpus\n"
          "  leakgraph dedup test=test.jsonl train='train-*.jsonl.zst' --protect test --keep dataset,longest \\\n"
          "    --output results/split\n"
          "                    train loses what it repeats of test and of itself; test stays as it is\n"
          "  leakgraph dedup A='a/*.jsonl.zst' B='b/*.jsonl.zst' --keep dataset,longest --output results/b\n"
          "                    drops B where it duplicates A, and the duplicates inside both\n"
          "  leakgraph dedup --add june='june/*.jsonl.zst' --store results/python\n"
          "                    clean/june gets what results/python does not have yet\n", stdout);
}

/* ---- corpora ---- */

static const char name_bytes[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-";
enum { NAME_MOST = 100 };

/* The last part of the path before any wildcard: the folder of `python/<star>.zst`, or the file itself without what
 * follows its first dot. */
static void name_from_glob(const char *glob, char out[NAME_MOST + 1])
{
    size_t      len = strcspn(glob, "*?["), used = 0;
    bool        wild = glob[len] != '\0';
    const char *start;

    while (wild && len && glob[len - 1] != '/') len--;
    while (len && glob[len - 1] == '/') len--;
    for (start = glob + len; start > glob && start[-1] != '/'; start--) continue;
    for (; start < glob + len && used < NAME_MOST; start++) {
        if (*start == '.' && used && !wild) break;
        if (*start == '.' && !used) continue;               /* hidden files, `.` and `..` */
        out[used++] = strchr(name_bytes, *start) ? *start : '_';
    }
    out[used] = '\0';
    if (!used) memcpy(out, "corpus", sizeof "corpus");
}

/* The k-th candidate for a name: java, java-2, java-3. */
static void name_make_unique(struct named_glob *glob, size_t count, const char *name)
{
    size_t other = 0;

    snprintf(glob[count].name, sizeof glob[count].name, "%s", name);
    for (unsigned k = 2; other < count; k++) {
        for (other = 0; other < count && strcmp(glob[other].name, glob[count].name) != 0; other++) continue;
        if (other < count) snprintf(glob[count].name, sizeof glob[count].name, "%s-%u", name, k);
    }
}

/* NAME=GLOB where what stands before `=` can be a name; a path may have a `=` too. */
static bool is_named(const char *value)
{
    size_t len = strspn(value, name_bytes);

    return len && value[len] == '=';
}

static int corpora_name(char **argument, struct named_glob *glob, size_t count, struct err *err)
{
    /* Names that were given first, so that none is made that is given later. */
    struct named_glob *named = calloc(count, sizeof *named);
    size_t             made = 0;
    char               name[NAME_MOST + 1];

    if (!named) return err_memory(err, count * sizeof *named, "names");
    for (size_t i = 0; i < count; i++) {
        if (!is_named(argument[i])) continue;
        if (!named_glob_parse(&glob[i], argument[i])) {
            free(named);
            return err_set(err, -EINVAL, "dedup takes GLOB or NAME=GLOB, not `%s`", argument[i]);
        }
        named[made++] = glob[i];
    }
    for (size_t i = 0; i < count; i++) {
        if (is_named(argument[i])) continue;
        name_from_glob(argument[i], name);
        name_make_unique(named, made, name);
        named[made].glob = argument[i];
        glob[i] = named[made++];
    }
    free(named);
    return 0;
}

/* ---- settings ---- */

struct dedup_line {
    struct run_options options;
    char              *owned[NAMED_GLOBS_MAX];              /* assignments made here */
    size_t             owned_count;
    char              *corpus[NAMED_GLOBS_MAX];
    size_t             corpus_count;
    char              *add[NAMED_GLOBS_MAX];
    size_t             add_count;
    struct bytes       protect;
    const char        *language, *store;
    /* an option that a store does not let change, as it was given */
    const char        *scheme;
    char               output[4096];
    bool               help, lists, dry;                    /* --lists, --dry-run */
};

/* KEY=VALUE as --set would have it; said: what was written instead. */
static int line_set(struct dedup_line *line, const char *key, const char *open, const char *value, const char *close,
                    struct said_option said, struct err *err)
{
    struct run_options *o = &line->options;
    char               *text;

    if (o->set_count == sizeof o->set / sizeof o->set[0]) return err_set(err, -EINVAL, "more than 256 settings");
    if (asprintf(&text, "%s=%s%s%s", key, open, value, close) < 0) return err_memory(err, strlen(value), "a setting");
    line->owned[line->owned_count++] = text;                /* never more than options.set holds */
    o->said[o->set_count] = said;
    o->set[o->set_count++] = text;
    return 0;
}

static int line_protect(struct dedup_line *line, const char *name, struct err *err)
{
    int rc = line->protect.len ? bytes_append(&line->protect, ", ", 2) : 0;

    if (rc == 0) rc = option_print_text(name, &line->protect);
    return rc < 0 ? err_memory(err, strlen(name), "a name") : 0;
}

/* The options that stand for a key of the file. */
static const struct { const char *option, *key, *value; } line_keys[] = {
    { "--view", "dedup.view", NULL },       { "--threshold", "dedup.threshold", NULL },
    { "--method", "dedup.method", NULL },
    { "--cluster", "dedup.cluster", NULL }, { "--level", "dedup.zstd_level", NULL },
           { "--compat", "dedup.compat", NULL },
    { "--keep", "dedup.keep", NULL },       { "--protect", NULL, NULL },                { "--language", NULL, NULL },
    { "--add", NULL, NULL },                { "--store", NULL, NULL },
    { "--lists", "dedup.write", "lists" },  { "--dry-run", NULL, "none" },
};

/* Takes one option of dedup's own at argv[*at]. */
static int line_take(struct dedup_line *line, int argc, char **argv, int *at, struct err *err)
{
    const char *option = argv[*at], *value, *key;
    size_t      i = 0;
    bool        list;

    while (i < sizeof line_keys / sizeof *line_keys && strcmp(line_keys[i].option, option) != 0) i++;
    if (i == sizeof line_keys / sizeof *line_keys)
        return err_set(err, -EINVAL, "dedup does not know `%s`; see leakgraph dedup --help", option);
    key = line_keys[i].key;
    value = line_keys[i].value;
    if (!value && ++*at >= argc) return err_set(err, -EINVAL, "%s needs a value", option);
    if (!value) value = argv[*at];
    ++*at;
    list = strcmp(option, "--keep") == 0;
    if (strcmp(option, "--add") == 0) {
        if (line->add_count == NAMED_GLOBS_MAX)
            return err_set(err, -EINVAL, "more than %d globs: quote the glob, so that the shell leaves it whole",
                           NAMED_GLOBS_MAX);
        line->add[line->add_count++] = argv[*at - 1];
        return 0;
    }
    if (strcmp(option, "--store") == 0) line->store = value;
    else if (strcmp(option, "--language") == 0) line->language = value;
    else line->scheme = option;
    line->lists |= strcmp(option, "--lists") == 0;
    line->dry |= strcmp(option, "--dry-run") == 0;
    if (key)
        return line_set(line, key, list ? "[" : "", value, list ? "]" : "",
                        (struct said_option){ option, line_keys[i].value ? "" : value }, err);
    return strcmp(option, "--protect") == 0 ? line_protect(line, value, err) : 0;
}

/* What --add needs, and what it does not take. */
static int line_check_add(const struct dedup_line *line, struct err *err)
{
    if (!line->store)
        return err_set(err, -EINVAL,
                       "--add needs --store DIR: the run folder of the `leakgraph dedup` that is extended");
    if (!line->add_count) return err_set(err, -EINVAL, "--store needs --add NAME=GLOB: what is added to it");
    if (line->corpus_count)
        return err_set(err, -EINVAL, "`%s` is neither added nor an option: each new glob needs an --add of its own, "
                                     "in quotes so that the shell leaves it whole", line->corpus[0]);
    if (line->scheme)
        return err_set(err, -EINVAL, "%s cannot be given with --add: a store has one scheme, which is in "
                                     "%s/config.resolved.yaml; another one needs a run over all corpora, "
                       "with another --output", line->scheme, line->store);
    if (*line->output) return err_set(err, -EINVAL, "--output cannot be given with --add: the store is the run folder");
    if (line->options.clean || line->options.replace)
        return err_set(err, -EINVAL, "%s cannot be given with --add: it forgets what the store has",
                       line->options.clean ? "--clean" : "--replace");
    return 0;
}

/* Whatever --set says before it or behind, a dry run writes nothing. */
static int line_dry(struct dedup_line *line, struct err *err)
{
    static const char key[] = "dedup.write=";

    if (line->lists)
        return err_set(err, -EINVAL, "--dry-run writes neither lists nor shards: leave --lists or --dry-run out");
    for (size_t i = 0; i < line->options.set_count; i++) {
        const char *set = line->options.set[i];

        if (strncmp(set, key, sizeof key - 1) == 0 && strcmp(set + sizeof key - 1, "none") != 0)
            return err_set(err, -EINVAL, "--dry-run writes neither lists nor shards: leave --set %s or --dry-run out",
                           set);
    }
    return line_set(line, "dedup.write", "", "none", "", (struct said_option){ "--dry-run", "" }, err);
}

static int line_read(struct dedup_line *line, int argc, char **argv, struct err *err)
{
    for (int at = 1; at < argc; ) {
        int rc = run_take_option(&line->options, argc, argv, &at, line->output, err);

        if (rc < 0) return rc;
        if (rc > 0) continue;
        if (strcmp(argv[at], "--help") == 0 || strcmp(argv[at], "-h") == 0) {
            line->help = true;
            return 0;
        }
        if (argv[at][0] == '-') {
            if ((rc = line_take(line, argc, argv, &at, err)) < 0) return rc;
            continue;
        }
        if (line->corpus_count == NAMED_GLOBS_MAX)
            return err_set(err, -EINVAL, "more than %d corpora: quote the glob, so that the shell leaves it whole, or "
                                         "write a pipeline.yaml", NAMED_GLOBS_MAX);
        line->corpus[line->corpus_count++] = argv[at++];
    }
    if (line->add_count || line->store) return line_check_add(line, err);
    if (line->dry && line_dry(line, err) < 0) return err->code;
    if (!line->corpus_count)
        return err_set(err, -EINVAL, "dedup needs a corpus: GLOB or NAME=GLOB; see leakgraph dedup --help");
    if (!line->protect.len) return 0;
    if (bytes_append(&line->protect, "", 1) < 0) return err_memory(err, line->protect.len, "names");
    return line_set(line, "dedup.protect", "[", line->protect.at, "]", (struct said_option){ "--protect", "" }, err);
}

static int line_run(struct dedup_line *line, struct err *err)
{
    struct named_glob *glob = calloc(line->corpus_count, sizeof *glob);
    struct bytes       yaml = { 0 };
    int                rc = glob ? corpora_name(line->corpus, glob, line->corpus_count, err)
        : err_memory(err, line->corpus_count * sizeof *glob, "corpora");

    if (rc == 0) {
        rc = yaml_datasets(&yaml, glob, line->corpus_count, line->language, false);
        /* with the end of the text */
        if (rc == 0) rc = bytes_append(&yaml, "dedup: {}\n", sizeof "dedup: {}\n");
        if (rc < 0) rc = err_memory(err, yaml.len, "the settings");
    }
    line->options.text = yaml.at;
    if (rc == 0) rc = run_carry_out(&line->options, err);
    bytes_free(&yaml);
    free(glob);
    return rc;
}

/* datasets.NAME.KEY of a new dataset, memory, fail_on: what does not change the store. */
static bool set_is_free(const char *set, const struct named_glob *glob, size_t count)
{
    static const char *const keys[] = { "memory", "fail_on" };

    for (size_t k = 0; k < sizeof keys / sizeof *keys; k++)
        if (strncmp(set, keys[k], strlen(keys[k])) == 0 && strchr(".=", set[strlen(keys[k])])) return true;
    if (strncmp(set, "datasets.", 9) != 0) return false;
    for (size_t i = 0; i < count; i++)
        if (strncmp(set + 9, glob[i].name, strlen(glob[i].name)) == 0 && set[9 + strlen(glob[i].name)] == '.')
            return true;
    return false;
}

/* What is said of all datasets is said of the new ones: the store's own have been read already. */
static int sets_for_new(struct dedup_line *line, const struct named_glob *glob, size_t count, struct err *err)
{
    static const char   each[] = "datasets.*.";
    struct run_options *o = &line->options;
    const size_t        given = o->set_count;
    int                 rc = 0;

    for (size_t i = 0; i < given; i++) {
        const char *set = o->set[i], *key = set + sizeof each - 1, *equals = strchr(set, '=');
        char        path[FIELD_OPTION_MAX];

        if (strncmp(set, each, sizeof each - 1) != 0 || !equals) continue;
        for (size_t g = 0; g < count && rc == 0; g++) {
            if (snprintf(path, sizeof path, "datasets.%s.%.*s", glob[g].name, (int)(equals - key), key) >=
                (int)sizeof path)
                return err_set(err, -EINVAL, "--set %.200s: too long", set);
            rc = line_set(line, path, "", equals + 1, "", o->said[i], err);
        }
        if (rc < 0) return rc;
        memmove(&o->set[i], &o->set[i + 1], (o->set_count - i - 1) * sizeof *o->set);
        memmove(&o->said[i], &o->said[i + 1], (o->set_count - i - 1) * sizeof *o->said);
        o->set_count--;
        return sets_for_new(line, glob, count, err);        /* their places have changed */
    }
    return 0;
}

static int line_extend(struct dedup_line *line, struct err *err)
{
    struct run_options *o = &line->options;
    struct named_glob  *glob = calloc(line->add_count, sizeof *glob);
    struct bytes        yaml = { 0 };
    int                 rc = glob ? corpora_name(line->add, glob, line->add_count, err)
        : err_memory(err, line->add_count * sizeof *glob, "corpora");

    if (rc == 0) rc = sets_for_new(line, glob, line->add_count, err);
    for (size_t i = 0; i < o->set_count && rc == 0; i++)
        if (!set_is_free(o->set[i], glob, line->add_count)) {
            rc = err_set(err, -EINVAL, "--set %.200s: a store has one scheme; with --add, only datasets.NAME of the "
                                       "new ones, memory and fail_on can be set", o->set[i]);
            run_explain(o, err);
        }
    if (rc == 0) rc = dedup_add_settings(line->store, glob, line->add_count, line->language, &yaml, err);
    if (rc == 0 && bytes_append(&yaml, "", 1) < 0) rc = err_memory(err, yaml.len, "the settings");
    o->text = yaml.at;
    o->extends = true;
    if (rc == 0) rc = run_carry_out(o, err);
    bytes_free(&yaml);
    free(glob);
    return rc;
}

int cmd_dedup(int argc, char **argv, struct err *err)
{
    struct dedup_line *line = calloc(1, sizeof *line);
    int                rc;

    if (!line) return err_memory(err, sizeof *line, "the command line");
    line->options.name = "dedup";
    rc = line_read(line, argc, argv, err);
    if (line->help) dedup_help();
    else if (rc == 0) rc = line->store ? line_extend(line, err) : line_run(line, err);
    for (size_t i = 0; i < line->owned_count; i++) free(line->owned[i]);
    bytes_free(&line->protect);
    free(line);
    return rc;
}
