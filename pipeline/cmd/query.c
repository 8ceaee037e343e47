/* cmd/query.c -- `leakgraph query`: is this text in a corpus that was seen before?
 *
 * The arguments, the texts of files, folders, shards and standard input; query_portrait.c and query_graph.c answer. */
#include "cmd/command.h"
#include "base/file.h"
#include "cmd/query.h"
#include "cmd/texts.h"

#include "base/log.h"
#include "base/ratio.h"
#include "corpus/writer.h"
#include "report/visible.h"
#include "portrait/portrait.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char query_help[] =
    "usage: leakgraph query PORTRAIT [FILE]...     what of these texts is in the corpus of a portrait\n"
    "       leakgraph query DIR [FILE]...          what in the graph.db of DIR is like these texts\n"
    "\n"
    "FILE is a source file, a folder, an archive, or JSON, CSV or Parquet (each record a text).\n"
    "Without FILE, standard input is one text.\n"
    "\n"
    "A portrait (NAME.portrait, made by `portrait:` in pipeline.yaml) gives one line a text:\n"
    "  verdict    whole: all of it; part: two pieces side by side at least; single: pieces here and\n"
    "             there, which may be chance; none; short: the text is shorter than a piece\n"
    "  covered    percent of its characters (n-grams: words; lines: lines) that are in pieces found\n"
    "  longest    characters (words, lines) of the longest span found, its bytes from-to, and its line\n"
    "  found      pieces found, of those looked up; chance: how many the false-positive rate would give\n"
    "\n"
    "A graph gives one line a match, among the documents that graph.db stores:\n"
    "  copy (the same bytes), layout (the same but for white space), and, with\n"
    "  `near_duplicates: {index: true}`, similar and contained documents of the benchmarks (and of\n"
    "  self_join corpora) at the thresholds of the run, with set, multiset similarity and containment;\n"
    "  below: under the thresholds, but above its report_floor.\n"
    "\n"
    "Options:\n"
    "  --json               JSON lines\n"
    "  --fail-on PERCENT    exit status 3 when of some text more than PERCENT is covered (a graph: its\n"
    "                       best similarity)\n"
    "  --language NAME      of the texts, for a graph; otherwise from the file's name\n"
    "  --field NAME=FIELD   the field of the records that is their text, as text=code\n"
    "  --info               what the portrait is made of, and its false-positive rate, without texts\n"
    "  --help               this text\n"
    "\n"
    "Example:\n"
    "  leakgraph query results/stack/corpus.portrait generated.py\n";

struct asking {
    struct query_options  options;
    struct query_backend *backend;
    struct texts          texts;
    struct bytes          out, name;
    double                fail_on, worst;                   /* percent; fail_on <0: no gate */
    uint64_t              asked, unasked;                   /* of these nothing could be compared */
};

int query_json_text(struct bytes *out, const char *before, const char *key, struct slice text)
{
    return bytes_printf(out, "%s\"%s\": ", before, key) < 0 ? -ENOMEM : json_append_string(out, text);
}

/* ---- texts ---- */

static int flush(struct asking *a, struct err *err)
{
    if (fwrite(a->out.at, 1, a->out.len, stdout) != a->out.len)
        return err_set(err, -EIO, "standard output: cannot write: %s", strerror(errno));
    a->out.len = 0;
    return 0;
}

static int ask(struct asking *a, const struct record *record, struct slice name, struct err *err)
{
    double percent = 0;
    int    rc;

    if (!a->options.json && a->asked == 0 && bytes_printf(&a->out, "%s", a->backend->heading) < 0)
        return err_memory(err, 256, "the output");
    a->asked++;
    rc = a->backend->text(a->backend, &(struct query_text){ record, name }, &a->out, &percent, err);
    if (isnan(percent)) a->unasked++;
    else if (percent > a->worst) a->worst = percent;
    return rc == 0 ? flush(a, err) : rc;
}

/* Records of JSON and CSV by their number, members and files of a tree by their path. */
static int name_record(struct asking *a, const struct shard *shard, const struct batch *batch,
                       const struct record *record)
{
    struct slice path = record->raw[FIELD_PATH], own = slice_of(shard->name);

    a->name.len = 0;
    if (bytes_append_slice(&a->name, slice_of(shard->path)) < 0) return -ENOMEM;
    if (batch->kind == BATCH_JSON_LINES || batch->kind == BATCH_ELEMENTS || batch->kind == BATCH_CSV)
        return bytes_printf(&a->name, ":%llu", (unsigned long long)record->number);
    /* the file itself */
    if (!shard->tree && path.len <= own.len && memcmp(path.at, own.at, path.len) == 0) return 0;
    return bytes_append(&a->name, shard->tree ? "/" : ":", 1) < 0 ? -ENOMEM : bytes_append_slice(&a->name, path);
}

static int ask_record(void *context, const struct shard *shard, const struct batch *batch, const struct record *record,
                      struct err *err)
{
    struct asking *a = context;

    return name_record(a, shard, batch, record) < 0 ? err_memory(err, a->name.len, "a name")
        : ask(a, record, bytes_slice(&a->name), err);
}

static int ask_input(struct asking *a, struct err *err)
{
    const uint64_t most = dataset_max_record(&(struct dataset){ 0 });
    struct bytes   text = { 0 };
    struct record  record = { 0 };
    ssize_t        got = 1;
    int            rc = 0;

    while (rc == 0 && got > 0) {
        if (bytes_reserve(&text, text.len + (1 << 16)) < 0) rc = err_memory(err, text.len, "standard input");
        else if (text.len > most)
            rc = err_set(err, -EFBIG, "standard input: more than %llu bytes", (unsigned long long)most);
        else if ((got = file_read(STDIN_FILENO, text.at + text.len, 1 << 16)) >= 0) text.len += (size_t)got;
        else rc = err_set(err, -EIO, "standard input: cannot read: %s", strerror(errno));
    }
    record.text = bytes_slice(&text);
    if (rc == 0) rc = ask(a, &record, SLICE("-"), err);
    bytes_free(&text);
    return rc;
}

/* ---- the command line ---- */

static int fail_on_parse(const char *text, double *out, struct err *err)
{
    if (text && percent_parse(out, text)) return 0;
    return err_set(err, -EINVAL, "query: --fail-on takes a percentage from 0 to 100, such as 80 or 80%%, not `%s`",
                   text ? text : "");
}

/* Of what holds nothing but texts nothing is said. */
static int say_skipped(struct asking *a)
{
    a->name.len = 0;
    if (texts_say_skipped(&a->texts, &a->name) < 0) return -ENOMEM;
    if (a->name.len) log_info("%llu texts%.*s", (unsigned long long)a->asked, (int)a->name.len, a->name.at);
    return 0;
}

static int query_run(struct asking *a, const char *what, char **file, size_t count, bool info, struct err *err)
{
    int rc = portrait_is_file(what) ? query_portrait_open(&a->backend, what, &a->options, err)
        : query_graph_open(&a->backend, what, &a->options, err);

    if (rc < 0) return rc;
    if (info) {
        rc = a->backend->info(a->backend, &a->out, err);
        return rc < 0 ? rc : flush(a, err);
    }
    rc = count ? texts_read(&a->texts, file, count, err) : ask_input(a, err);
    if ((rc == 0 || rc == -EBADMSG) && say_skipped(a) < 0) rc = err_memory(err, a->name.len, "the last line");
    if (rc < 0) return rc;
    if (a->fail_on < 0) return 0;
    if (a->worst > a->fail_on) return 3;
    if (a->asked && !a->unasked) return 0;
    log_warn("--fail-on is inconclusive: of %llu of %llu texts nothing could be compared (too short, or %s holds "
             "nothing to compare with)", (unsigned long long)a->unasked, (unsigned long long)a->asked, what);
    return 3;
}

int cmd_query(int argc, char **argv, struct err *err)
{
    struct asking a = { .fail_on = -1, .texts = { .command = "query", .want_fields = 1u << FIELD_TOKENS,
                                                  .take = ask_record, .context = &a } };
    const char   *what = NULL;
    char        **file = calloc((size_t)argc, sizeof *file);
    size_t        count = 0;
    bool          info = false, input = false;
    int           rc = file ? 0 : err_memory(err, (size_t)argc * sizeof *file, "the arguments"), taken;

    for (int i = 1; i < argc && rc == 0; i++) {
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0) {
            free(file);
            return fputs(query_help, stdout) < 0;
        }
        if (strcmp(argv[i], "--json") == 0) a.options.json = true;
        else if (strcmp(argv[i], "--info") == 0) info = true;
        else if (strcmp(argv[i], "--fail-on") == 0) rc = fail_on_parse(argv[++i], &a.fail_on, err);
        else if (i + 1 < argc && (taken = texts_option(&a.texts, argv[i], argv[i + 1], err)) != 0) {
            rc = taken < 0 ? taken : 0;
            i++;
        } else if (argv[i][0] == '-' && argv[i][1])
            rc = err_set(err, -EINVAL, "query: unknown option %s (see leakgraph query --help)", argv[i]);
        else if (!what) what = argv[i];
        else {
            input |= strcmp(argv[i], "-") == 0;
            file[count++] = argv[i];
        }
    }
    a.options.language = a.texts.dataset.language;
    if (rc == 0 && !what)
        rc = err_set(err, -EINVAL, "query: a portrait or the folder of a run is needed (see leakgraph query --help)");
    if (rc == 0 && input && count > 1)
        rc = err_set(err, -EINVAL, "query: - is standard input, which stands alone: ask for FILEs by another command");
    if (rc == 0 && info && (count || a.fail_on >= 0))
        rc = err_set(err, -EINVAL, "query: --info tells of %s itself, and asks about no text: leave out %s", what,
                     count ? "the FILEs" : "--fail-on");
    if (rc == 0) rc = query_run(&a, what, file, input ? 0 : count, info, err);
    if (a.backend) a.backend->close(a.backend);
    bytes_free(&a.out);
    bytes_free(&a.name);
    free(file);
    return rc;
}
