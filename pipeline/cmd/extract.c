/* cmd/extract.c -- `leakgraph extract`: the functions of source files, archives and shards as JSON lines. */
#include "cmd/command.h"
#include "cmd/extract_filter.h"
#include "cmd/number.h"
#include "cmd/texts.h"

#include "base/log.h"
#include "code/measure.h"
#include "corpus/writer.h"
#include "licence/licence.h"
#include "report/visible.h"
#include "view/view.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char extract_help[] =
    "usage: leakgraph extract [--unit function|file] [...] FILE...\n"
    "\n"
    "Writes the functions of source files to standard output, one JSON object a line: a dataset that\n"
    "`run`, `overlap` and `dedup` read.  FILE is a source file, a folder, an archive, or JSON, CSV or\n"
    "Parquet whose records are files; quote globs to leave them to leakgraph.\n"
    "\n"
    "  id             FILE#NAME@LINE\n"
    "  text           the function, from its first modifier (Python: def) to the end of its body\n"
    "  name, class    its name; that of the innermost class around it, if there is one\n"
    "  signature      its head\n"
    "  docstring, summary   what its documentation says, if there is some: Python's docstring, the\n"
    "                 comment right before it elsewhere; the first paragraph of that\n"
    "  path, repo, license, split   of the file, as its record has them; where that names no licence,\n"
    "                 what the head of the file says\n"
    "  license_class  permissive, weak copyleft, strong copyleft, restricted, unknown\n"
    "  language       of the file\n"
    "  line, line_end, byte, byte_end   where it stands in the file, lines from 1\n"
    "  body_byte, docstring_byte, docstring_byte_end   where its body and its documentation do\n"
    "  complexity     cyclomatic, as lizard counts it\n"
    "  body_lines, comments, comment_lines   lines of the body that are not blank; its comments\n"
    "\n"
    "Files of other languages than those of `leakgraph extract --languages` are passed over, counted.\n"
    "\n"
    "Options:\n"
    "  --unit function|file   function (default); file: whole files as records\n"
    "  --functions fast|exact\n"
    "                       fast (default): told by their tokens, so that what cannot be parsed is read\n"
    "                       all the same; exact: by tree-sitter's parsers, ten times slower, and fast\n"
    "                       for languages without one (exact has those of `extract --functions exact\n"
    "                       --languages`), files of more than 1 MB, and where a parser gives up\n"
    "  --language NAME      of all files; otherwise from each one's record, name or #! line\n"
    "  --field NAME=FIELD   the field of the records that is their text, path, ..., as text=content\n"
    "  --repo NAME          the repository of files whose records name none\n"
    "  --languages          no functions, but the names of the languages that have some\n"
    "  --quiet              no last line on standard error\n"
    "\n"
    "Filters; the last line says how many each has left out:\n"
    "  --docs               only functions whose summary has three words or more\n"
    "  --min-lines N        only functions of so many lines\n"
    "  --min-body N         only functions whose body has so many lines that are not blank\n"
    "  --no-nested          not those inside other functions\n"
    "  --no-tests           not those whose name has `test` in it\n"
    "  --no-standard        no constructors and standard methods, as __str__ and toString\n"
    "  --dedupe             of those with the same tokens, in whatever order, the first alone; for near\n"
    "                       duplicates give what is written to `leakgraph dedup`\n"
    "  --filter codesearchnet   as CodeSearchNet was made: --docs --min-lines 3 --no-tests\n"
    "                       --no-standard --dedupe\n"
    "\n"
    "Examples:\n"
    "  leakgraph extract --min-lines 3 --no-tests /usr/lib/python3 | zstd > functions.jsonl.zst\n"
    "  leakgraph extract --filter codesearchnet --repo apache/lucene lucene.tar.xz > lucene.jsonl\n"
    "  leakgraph dedup lucene=lucene.jsonl --output lucene.clean     # near duplicates too\n"
    "  leakgraph extract src | jq -r 'select(.complexity > 20) | .id'\n";

struct extracting {
    struct texts         texts;
    struct view_scratch *languages;
    struct lexer         lexer;
    struct functions     functions;
    struct measures      measures;
    struct extract_filters filters;
    const char          *repo;                              /* of records without one, or NULL */
    struct bytes         out, value, said;
    struct licence       licence;                           /* of the file at hand */
    enum licence_source  licence_from;
    bool                 licence_known;                     /* it has been asked for */
    bool                 files, quiet;
    uint64_t             unknown, written;
    struct functions_told told;
    struct bytes         given_up;                          /* names of the first files that the parser gave up */
};

enum { OUT_BYTES = 1 << 20, NAMES = 5, NAME_BYTES = 200 };

/* ---- one function ---- */

/* `, "key": ` and the value as a string. */
static int put_text(struct bytes *out, const char *key, struct slice text)
{
    return bytes_printf(out, ", \"%s\": ", key) < 0 ? -ENOMEM : json_append_string(out, text);
}

/* The same of a field, if the record has it. */
static int put_field(struct extracting *x, const struct record *record, enum field field)
{
    x->value.len = 0;
    if (!record_field(record, field, &x->value))
        return field == FIELD_REPO && x->repo ? put_text(&x->out, field_names[field], slice_of(x->repo)) : 0;
    return x->value.at ? put_text(&x->out, field_names[field], bytes_slice(&x->value)) : -ENOMEM;
}

/* The file's path, else its id, else the shard and the record's number. */
static int file_name(struct extracting *x, const struct shard *shard, const struct record *record)
{
    x->value.len = 0;
    if (record_field(record, FIELD_PATH, &x->value) || record_field(record, FIELD_ID, &x->value))
        return x->value.at ? 0 : -ENOMEM;
    return bytes_printf(&x->value, "%s:%llu", shard->name, (unsigned long long)record->number);
}

/* Where it is, and its numbers. */
static int put_measures(struct bytes *out, const struct function *f, const struct measure *m)
{
    const struct span doc = m->docstring;

    if (bytes_printf(out, ", \"line\": %u, \"line_end\": %u, \"byte\": %u, \"byte_end\": %u, \"body_byte\": %u",
                     m->line, m->line_end, f->at, f->end, f->body) < 0) return -ENOMEM;
    if (doc.end > doc.at &&
        bytes_printf(out, ", \"docstring_byte\": %u, \"docstring_byte_end\": %u", doc.at, doc.end) < 0) return -ENOMEM;
    return bytes_printf(out, ", \"complexity\": %u, \"body_lines\": %u, \"comments\": %u, \"comment_lines\": %u}\n",
                        m->complexity, m->body_lines, m->comments, m->comment_lines);
}

/* The file's licence, asked for once, and its class. */
static int put_licence(struct extracting *x, const struct record *record)
{
    x->value.len = 0;
    if (record_field(record, FIELD_LICENSE, &x->value) && !x->value.at) return -ENOMEM;
    if (!x->licence_known) x->licence_from = licence_of_record(&x->licence, bytes_slice(&x->value), record->text);
    x->licence_known = true;
    if (x->licence_from == LICENCE_IN_TEXT ? put_text(&x->out, field_names[FIELD_LICENSE],
                                                      slice_of(x->licence.expression)) < 0
        : put_field(x, record, FIELD_LICENSE) < 0) return -ENOMEM;
    return x->licence.class == LICENCE_NONE ? 0
        : put_text(&x->out, "license_class", slice_of(licence_class_names[x->licence.class]));
}

/* Of the file's record. */
static int put_origin(struct extracting *x, const struct record *record, const char *language)
{
    if (put_field(x, record, FIELD_PATH) < 0 || put_field(x, record, FIELD_REPO) < 0 ||
        put_licence(x, record) < 0 || put_field(x, record, FIELD_SPLIT) < 0) return -ENOMEM;
    return put_text(&x->out, "language", slice_of(language));
}

/* `doc` and `summary` are empty where it has no documentation. */
static int put_function(struct extracting *x, const struct shard *shard, const struct record *record, size_t i,
                        struct slice doc, struct slice summary, const char *language)
{
    const struct function *f = &x->functions.at[i];
    const struct measure  *m = &x->measures.at[i];
    const struct slice     text = record->text, name = { text.at + f->name_at, f->name_end - f->name_at };

    if (file_name(x, shard, record) < 0 || bytes_printf(&x->value, "#%.*s@%u", (int)name.len, name.at, m->line) < 0 ||
        bytes_printf(&x->out, "{\"id\": ") < 0 || json_append_string(&x->out, bytes_slice(&x->value)) < 0 ||
        put_text(&x->out, "text", (struct slice){ text.at + f->at, f->end - f->at }) < 0 ||
        put_text(&x->out, "name", name) < 0) return -ENOMEM;
    if (f->class_end > f->class_at &&
        put_text(&x->out, "class", (struct slice){ text.at + f->class_at, f->class_end - f->class_at }) < 0)
        return -ENOMEM;
    if (put_text(&x->out, "signature", (struct slice){ text.at + f->at, m->signature_end - f->at }) < 0 ||
        (doc.len && (put_text(&x->out, "docstring", doc) < 0 || put_text(&x->out, "summary", summary) < 0)))
        return -ENOMEM;
    return put_origin(x, record, language) < 0 ? -ENOMEM : put_measures(&x->out, f, m);
}

/* ---- one file ---- */

static int put_file(struct extracting *x, const struct shard *shard, const struct record *record, const char *language)
{
    if (file_name(x, shard, record) < 0 || bytes_printf(&x->out, "{\"id\": ") < 0 ||
        json_append_string(&x->out, bytes_slice(&x->value)) < 0 || put_text(&x->out, "text", record->text) < 0 ||
        put_origin(x, record, language) < 0) return -ENOMEM;
    x->written++;
    return bytes_printf(&x->out, "}\n");
}

static int flush(struct extracting *x, struct err *err)
{
    if (x->out.len && fwrite(x->out.at, 1, x->out.len, stdout) != x->out.len)
        return err_set(err, -EIO, "standard output: cannot write: %s", strerror(errno));
    x->out.len = 0;
    return 0;
}

static int functions_put(struct extracting *x, const struct shard *shard, const struct record *record,
                         const struct view_language *language, struct err *err)
{
    for (size_t i = 0; i < x->functions.count; i++) {
        const struct function *f = &x->functions.at[i];
        const struct measure  *m = &x->measures.at[i];
        struct slice           said, summary;
        int                    rc;

        x->said.len = 0;
        if (docstring_text(&x->said, language->row, (struct slice){ record->text.at + m->docstring.at,
                                                                    m->docstring.end - m->docstring.at }) < 0)
            return err_memory(err, m->docstring.end - m->docstring.at, "a docstring");
        said = x->said.len ? bytes_slice(&x->said) : SLICE("");
        summary = docstring_summary(said);
        rc = extract_filter_takes(&x->filters, &(struct extracted){ f, m, language->row, &x->lexer, record->text,
                                                                   summary });
        if (rc == 0) continue;
        if (rc < 0 || put_function(x, shard, record, i, said, summary, language->name) < 0)
            return err_memory(err, f->end - f->at, "a function");
        x->written++;
        if (x->out.len >= OUT_BYTES && flush(x, err) < 0) return err->code;
    }
    return 0;
}

/* Counts how the file's functions were told; of the first that exact gives up, the name is kept. */
static int told_take(struct extracting *x, const struct shard *shard, const struct record *record)
{
    const bool first = x->told.given_up == 0;

    functions_told_add(&x->told, &x->functions.told);
    if (!x->functions.told.given_up || x->told.given_up > NAMES) return 0;
    if (file_name(x, shard, record) < 0 || bytes_append(&x->given_up, ", ", first ? 0 : 2) < 0) return -ENOMEM;
    return visible_append(&x->given_up, visible_cut(bytes_slice(&x->value), NAME_BYTES), true);
}

static int record_put(void *context, const struct shard *shard, const struct batch *batch,
                      const struct record *record, struct err *err)
{
    struct extracting          *x = context;
    const struct view_language *language = view_language_of(x->languages, x->texts.dataset.language, record, err);
    int                         rc;

    (void)batch;
    if (!language) return err->code;
    x->licence_known = false;
    if (x->files) {
        if (put_file(x, shard, record, language->name) < 0) return err_memory(err, record->text.len, "a record");
        return x->out.len >= OUT_BYTES ? flush(x, err) : 0;
    }
    if (!language->row || !functions_known(language->row)) {
        x->unknown++;
        return 0;
    }
    rc = lexer_run(&x->lexer, language->row, record->text, LEX_ALL | LEX_COMMENTS, err);
    if (rc == 0) rc = functions_find(&x->functions, language->row, &x->lexer, record->text, err);
    if (rc == 0) rc = measures_take(&x->measures, language->row, &x->lexer, &x->functions, record->text, err);
    if (rc == 0 && told_take(x, shard, record) < 0) rc = err_memory(err, x->value.len, "a file's name");
    return rc == 0 ? functions_put(x, shard, record, language, err) : rc;
}

/* ---- the command ---- */

static int languages_say(enum functions_how how)
{
    for (size_t i = 0; language_at(i); i++)
        if (how == FUNCTIONS_EXACT ? functions_exact_known(language_at(i)) : functions_known(language_at(i)))
            puts(language_name(language_at(i)));
    return 0;
}

static int how_take(struct extracting *x, const char *value, struct err *err)
{
    x->functions.how = strcmp(value, "exact") == 0 ? FUNCTIONS_EXACT : FUNCTIONS_FAST;
    return x->functions.how == FUNCTIONS_EXACT || strcmp(value, "fast") == 0 ? 0
        : err_set(err, -EINVAL, "extract: --functions takes fast or exact, not `%s`", value);
}

static int filter_take(struct extract_filters *filters, const char *value, struct err *err)
{
    if (strcmp(value, "codesearchnet") != 0)
        return err_set(err, -EINVAL, "extract: --filter takes codesearchnet, not `%s`", value);
    filters->least_words = filters->least_lines = 3;
    filters->tests = filters->standard = filters->duplicates = true;
    return 0;
}

static int option_take(struct extracting *x, const char *option, const char *value, struct err *err)
{
    int rc;

    if (!value) return err_set(err, -EINVAL, "extract: %s needs a value", option);
    if (strcmp(option, "--unit") == 0) {
        x->files = strcmp(value, "file") == 0;
        return x->files || strcmp(value, "function") == 0 ? 0
            : err_set(err, -EINVAL, "extract: --unit takes function or file, not `%s`", value);
    }
    if (strcmp(option, "--functions") == 0) return how_take(x, value, err);
    if (strcmp(option, "--min-lines") == 0)
        return number_take(&x->filters.least_lines, 0, UINT32_MAX, "extract", option, value, err);
    if (strcmp(option, "--min-body") == 0)
        return number_take(&x->filters.least_body, 0, UINT32_MAX, "extract", option, value, err);
    if (strcmp(option, "--repo") == 0) {
        x->repo = value;
        return 0;
    }
    if (strcmp(option, "--filter") == 0) return filter_take(&x->filters, value, err);
    if ((rc = texts_option(&x->texts, option, value, err)) != 0) return rc < 0 ? rc : 0;
    return err_set(err, -EINVAL, "extract: unknown option %s (see leakgraph extract --help)", option);
}

static int say_end(struct extracting *x)
{
    x->value.len = 0;
    if (extract_filter_say(&x->filters, &x->value) < 0 || texts_say_skipped(&x->texts, &x->value) < 0) return -ENOMEM;
    log_info("%llu %s of %llu files; %llu files in languages whose functions are not told%.*s",
             (unsigned long long)x->written, x->files ? "records" : "functions", (unsigned long long)x->texts.taken,
             (unsigned long long)x->unknown, (int)x->value.len, x->value.at ? x->value.at : "");
    if (x->functions.how == FUNCTIONS_EXACT) {
        x->value.len = 0;
        if (functions_told_say(&x->told, &x->value) < 0) return -ENOMEM;
        log_info("exact: %.*s", (int)x->value.len, x->value.at);
        if (x->told.given_up)
            log_info("exact: too large, or given up: %.*s%s", (int)x->given_up.len, x->given_up.at,
                     x->told.given_up > NAMES ? ", and others" : "");
    }
    return 0;
}

static int extract_run(struct extracting *x, char **file, size_t count, struct err *err)
{
    struct view_options view = { .kind = VIEW_IDENTIFIERS };
    struct err          ignored;
    int                 rc;

    if ((rc = view_scratch_open(&x->languages, &view, err)) < 0) return rc;
    rc = texts_read(&x->texts, file, count, err);
    if (flush(x, rc < 0 ? &ignored : err) < 0 && rc == 0) rc = err->code;
    if ((rc == 0 || rc == -EBADMSG) && !x->quiet && say_end(x) < 0) rc = err_memory(err, x->value.len, "the last line");
    return rc;
}

int cmd_extract(int argc, char **argv, struct err *err)
{
    struct extracting x = { .texts = { .command = "extract", .take = record_put, .context = &x } };
    char            **file = calloc((size_t)argc, sizeof *file);
    size_t            count = 0;
    bool              languages = false;
    int               rc = file ? 0 : err_memory(err, (size_t)argc * sizeof *file, "the arguments");

    for (int i = 1; i < argc && rc == 0; i++) {
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0) {
            free(file);
            return fputs(extract_help, stdout) < 0;
        }
        if (extract_filter_option(&x.filters, argv[i])) continue;
        if (strcmp(argv[i], "--quiet") == 0) x.quiet = true;
        else if (strcmp(argv[i], "--languages") == 0) languages = true;
        else if (argv[i][0] == '-') {
            rc = option_take(&x, argv[i], i + 1 < argc ? argv[i + 1] : NULL, err);
            i++;
        } else file[count++] = argv[i];
    }
    if (rc == 0 && x.functions.how == FUNCTIONS_EXACT)
        rc = x.files ? err_set(err, -EINVAL, "extract: --unit file tells no functions: --functions is of --unit "
                                             "function")
            : functions_exact_check("extract: --functions exact", err);
    if (rc == 0 && languages) {
        free(file);
        return languages_say(x.functions.how);
    }
    if (rc == 0 && !count)
        rc = err_set(err, -EINVAL, "extract: which files?  leakgraph extract FILE... (see leakgraph extract --help)");
    if (rc == 0 && x.files && extract_filter_set(&x.filters))
        rc = err_set(err, -EINVAL, "extract: --unit file writes every file: options that leave functions out (--docs, "
                                   "--dedupe, --min-lines, --filter and the like) are of --unit function");
    if (rc == 0) rc = extract_run(&x, file, count, err);
    view_scratch_close(x.languages);
    lexer_free(&x.lexer);
    functions_free(&x.functions);
    measures_free(&x.measures);
    extract_filter_free(&x.filters);
    bytes_free(&x.out);
    bytes_free(&x.value);
    bytes_free(&x.said);
    bytes_free(&x.given_up);
    free(file);
    return rc;
}
