/* config/datasets.c -- pipeline.yaml: datasets; see config.h. */
#include "config/private.h"

#include "base/file.h"
#include "code/language.h"
#include "code/misspelt.h"
#include "config/field_option.h"
#include "corpus/glob.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* longest, in bytes; a language name is stored with every document */
enum { DATASET_NAME = 200, DATASET_LANGUAGE = 31 };

struct dataset_settings {
    char    *name, *language, *url;
    int      role, format, unit, self_join, utf8;
    uint64_t max_record_bytes;
    uint32_t max_ratio, min_tokens;
};

static const struct option dataset_rows[] = {
    { "name", OPTION_TEXT, offsetof(struct dataset_settings, name), NULL, 0, 0, NULL,
      "its id in graph.db: letters, digits, `.`, `_`, `-`" },
    { "role", OPTION_CHOICE, offsetof(struct dataset_settings, role), "corpus", 0, 0, "benchmark|corpus",
      "small and indexed, or big and streamed; must be there when near_duplicates is" },
    { "language", OPTION_TEXT, offsetof(struct dataset_settings, language), "auto", 0, 0, NULL,
      "of all its records; auto: the record's own, else by file extension, else by #! line, else by the texts "
      "where another dataset's language is known" },
    { "format", OPTION_CHOICE, offsetof(struct dataset_settings, format), "auto", 0, 0, "auto|lines",
      "lines: every line is one document" },
    { "unit", OPTION_CHOICE, offsetof(struct dataset_settings, unit), "auto", 0, 0, "auto|file|function",
      "what of a corpus near_duplicates compares: files, the functions in them, or, auto, files and, when items of a "
      "benchmark are functions, those too" },
    { "self_join", OPTION_CHOICE, offsetof(struct dataset_settings, self_join), "off", 0, 0, "off|exact",
      "a corpus is also joined with itself, and with any other corpus that says so" },
    { "min_tokens", OPTION_U32, offsetof(struct dataset_settings, min_tokens), "auto", 1, 0, "auto",
      "of a benchmark: near_duplicates.min_tokens for its items; auto: what that says" },
    { "utf8", OPTION_CHOICE, offsetof(struct dataset_settings, utf8), "keep", 0, 0, "keep|repair|reject",
      "what to do with text that is not UTF-8" },
    { "max_record_bytes", OPTION_SIZE, offsetof(struct dataset_settings, max_record_bytes), "64MiB", 1024,
      DATASET_RECORD_MOST, NULL, "larger records are rejected" },
    { "max_ratio", OPTION_U32, offsetof(struct dataset_settings, max_ratio), "1000", 1, 0, NULL,
      "a shard that unpacks to more than so many times its size is cut off there; of Parquet a row group" },
    { "url", OPTION_TEXT, offsetof(struct dataset_settings, url), "", 0, 0, NULL,
      "where it came from, for datasets.url" },
    { NULL, OPTION_BOOL, 0, NULL, 0, 0, NULL, NULL },
};

static const char *const dataset_others[] = { "splits", "files", "exclude", "fields", NULL };

/* Where a dataset is being read from, for messages. */
struct dataset_place { const char *name; char path[DATASET_NAME + 32]; bool lines; struct err *err; };

/* ---- files ---- */

/* "pipeline.yaml:7: datasets.py.files", for messages; NULL: no memory. */
static char *glob_where(const struct node *glob, const struct node *list, const struct dataset_place *place)
{
    const bool split = strcmp(list->key, "files") != 0;
    char      *where;
    int        len = glob->line || list->line
        ? asprintf(&where, "%s:%u: %s.%s%s", place->name, glob->line ? glob->line : list->line, place->path,
                   split ? "splits." : "", list->key)
        : asprintf(&where, "--set %s.%s%s", place->path, split ? "splits." : "", list->key);

    return len < 0 ? NULL : where;
}

static int dataset_add_glob(struct dataset_split *split, const struct node *glob, const struct node *list,
                            const struct dataset_place *place)
{
    if (glob->kind != NODE_SCALAR || !*glob->text) {
        const struct node *at = glob->line ? glob : list;   /* an item of --set has no key of its own */

        return node_refuse(at, place->name, place->path, place->err,
                           "each file must be one path or glob that is not empty");
    }
    split->globs[split->glob_count] = strdup(glob->text);
    if (split->where) split->where[split->glob_count] = glob_where(glob, list, place);
    if (!split->globs[split->glob_count] || (split->where && !split->where[split->glob_count]))
        return err_memory(place->err, strlen(glob->text) + 1, "a path");
    split->glob_count++;
    return 0;
}

/* Reads one glob or a list of them into a fresh split. */
static int dataset_read_globs(struct dataset *dataset, const char *split_name, const struct node *globs,
                              const struct dataset_place *place)
{
    struct dataset_split *split = &dataset->splits[dataset->split_count];
    size_t                count = globs->kind == NODE_LIST ? globs->count : 1;
    int                   rc = 0;

    if (globs->kind == NODE_MAP || count == 0 || node_is_null(globs))
        return node_refuse(globs, place->name, place->path, place->err,
                           "`%.64s` must be a path, a glob or a list of them", globs->key);
    split->name = strdup(split_name);
    split->globs = calloc(count, sizeof *split->globs);
    dataset->split_count++;
    if (place->lines) split->where = calloc(count, sizeof *split->where);
    if (!split->name || !split->globs || (place->lines && !split->where))
        return err_memory(place->err, count * sizeof *split->globs, "paths");
    for (size_t i = 0; i < count && rc == 0; i++)
        rc = dataset_add_glob(split, globs->kind == NODE_LIST ? &globs->child[i] : globs, globs, place);
    return rc;
}

static int dataset_read_files(struct dataset *dataset, const struct node *map, const struct dataset_place *place)
{
    const struct node *splits = node_find(map, "splits"), *files = node_find(map, "files");
    size_t             count = splits ? splits->count : 1;
    int                rc = 0;

    if (!splits == !files)
        return node_refuse(map, place->name, "", place->err, "%s: %s", place->path, files
                           ? "either `splits` or `files`, not both" : "`files` or `splits` is missing");
    if (splits && (splits->kind != NODE_MAP || count == 0))
        return node_refuse(splits, place->name, place->path, place->err,
                           "`splits` must be a map from a split's name to its files");
    dataset->splits = calloc(count, sizeof *dataset->splits);
    if (!dataset->splits) return err_memory(place->err, count * sizeof *dataset->splits, "splits");
    if (files) return dataset_read_globs(dataset, "", files, place);
    for (size_t i = 0; i < count && rc == 0; i++)
        rc = dataset_read_globs(dataset, splits->child[i].key, &splits->child[i], place);
    return rc;
}

static int dataset_read_exclude(struct dataset *dataset, const struct node *list, const struct dataset_place *place)
{
    size_t count = words_count(list);

    if (list->kind == NODE_LIST && count == 0) return 0;
    dataset->exclude = calloc(count, sizeof *dataset->exclude);
    if (!dataset->exclude) return err_memory(place->err, count * sizeof *dataset->exclude, "globs");
    for (size_t i = 0; i < count; i++) {
        const char *word = words_at(list, i, &(struct place){ NULL, place->name, place->path, place->err });

        if (!word) return place->err->code;
        if (*word == '/')
            return node_refuse(list, place->name, place->path, place->err, "each item of `exclude` must be a glob that "
                               "starts below the dataset's folder, such as '**/tests/**'");
        dataset->exclude[i] = strdup(word);
        if (!dataset->exclude[i]) return err_memory(place->err, strlen(word) + 1, "a glob");
        dataset->exclude_count++;
    }
    return 0;
}

/* ---- fields ---- */

static int dataset_read_fields(struct dataset *dataset, const struct node *fields, const struct dataset_place *place)
{
    struct option rows[FIELD_COUNT + 1] = { 0 };
    char          path[sizeof place->path + 8];
    int           rc;

    for (size_t i = 0; i < FIELD_COUNT; i++)
        rows[i] = (struct option){ .key = field_names[i], .type = OPTION_TEXT, .offset = i * sizeof *dataset->fields,
                                   .fallback = "" };
    snprintf(path, sizeof path, "%s.fields", place->path);
    rc = option_apply(rows, dataset->fields, fields, NULL, place->name, path, place->err);
    for (size_t i = 0; i < FIELD_COUNT && rc == 0; i++)
        if (dataset->fields[i] && !field_option_is_name(dataset->fields[i]))
            rc = node_refuse(node_find(fields, field_names[i]), place->name, path, place->err,
                             "%s: `%.60s` is not a field name such as code or meta.code",
                             field_names[i], dataset->fields[i]);
    return rc;
}

/* ---- one dataset ---- */

static int dataset_check_name(const char *text, const struct node *map, const struct dataset_place *place)
{
    static const char allowed[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-";

    if (strcmp(text, ".") == 0 || strcmp(text, "..") == 0)
        return node_refuse(node_find(map, "name"), place->name, place->path, place->err,
                           "name: `%s` is a folder's name everywhere, and a dataset's files are written to one of its "
                           "name: choose another", text);
    if (*text && strlen(text) <= DATASET_NAME && text[strspn(text, allowed)] == '\0') return 0;
    return node_refuse(node_find(map, "name"), place->name, place->path, place->err,
                       "name: `%.60s` is not 1 to %d letters, digits, `.`, `_` or `-`", text,
                       DATASET_NAME);
}

/* Known names and aliases become the canonical name; any other is kept, ASCII letters lowered, and is a language of its
 * own. */
static int dataset_set_language(struct dataset *dataset, const char *text, const struct node *map,
                                const struct dataset_place *place)
{
    const struct language *row = language_by_name(slice_of(text));
    char                  *copy;

    if (strcmp(text, "auto") == 0) return 0;
    if (!*text || strlen(text) > DATASET_LANGUAGE)
        return node_refuse(node_find(map, "language"), place->name, place->path, place->err,
                           "language: `%.60s` is not a name of 1 to %d bytes", text,
                           DATASET_LANGUAGE);
    if (misspelt_language(text))
        return node_refuse(node_find(map, "language"), place->name, place->path, place->err,
                           "language: `%s` is no language that is known; did you mean `%s`?", text,
                           misspelt_language(text));
    copy = strdup(row ? language_name(row) : text);
    if (!copy) return err_memory(place->err, strlen(text) + 1, "a language");
    for (char *at = copy; *at; at++)
        if (*at >= 'A' && *at <= 'Z') *at = (char)(*at + ('a' - 'A'));
    dataset->language = copy;
    return 0;
}

static int dataset_fill(struct dataset *dataset, struct dataset_settings *from, const struct node *map,
                        struct dataset_place *place)
{
    const struct node *fields = node_find(map, "fields"), *exclude = node_find(map, "exclude");
    int                rc = dataset_check_name(from->name, map, place);

    if (rc < 0) return rc;
    snprintf(place->path, sizeof place->path, "datasets.%s", from->name);
    dataset->name = from->name;
    dataset->url = from->url;
    from->name = from->url = NULL;                          /* moved */
    dataset->role = from->role == 0 ? ROLE_BENCHMARK : ROLE_CORPUS;
    dataset->format = from->format == 0 ? FORMAT_AUTO : FORMAT_LINES;
    dataset->unit = (enum dataset_unit)from->unit;
    dataset->utf8 = from->utf8 == 0 ? UTF8_KEEP : from->utf8 == 1 ? UTF8_REPAIR : UTF8_REJECT;
    dataset->self_join = from->self_join == 1;
    dataset->max_record_bytes = from->max_record_bytes;
    dataset->max_ratio = from->max_ratio;
    dataset->min_tokens = from->min_tokens;
    if (dataset->min_tokens && dataset->role != ROLE_BENCHMARK)
        return node_refuse(node_find(map, "min_tokens"), place->name, place->path, place->err,
                           "min_tokens is for a benchmark: documents of a corpus need what the benchmark asks");
    if (dataset->self_join && dataset->role == ROLE_BENCHMARK)
        return node_refuse(node_find(map, "self_join"), place->name, place->path, place->err,
                           "self_join is for a corpus: benchmarks are always joined with themselves");
    if (dataset->unit == UNIT_FUNCTION && (dataset->self_join || dataset->role == ROLE_BENCHMARK))
        return node_refuse(node_find(map, "unit"), place->name, place->path, place->err,
                           "unit: function is for a corpus that is streamed; `leakgraph extract` makes a dataset of "
                           "functions");
    if ((rc = dataset_set_language(dataset, from->language, map, place)) < 0) return rc;
    if ((rc = dataset_read_files(dataset, map, place)) < 0) return rc;
    if (exclude && (rc = dataset_read_exclude(dataset, exclude, place)) < 0) return rc;
    return fields ? dataset_read_fields(dataset, fields, place) : 0;
}

static int dataset_read(struct dataset *dataset, const struct node *map, size_t index, const struct config *config,
                        const char *name, struct err *err)
{
    struct dataset_settings settings = { 0 };
    struct dataset_place            place = { .name = name, .lines = config->of_file, .err = err };
    const bool              role_needed = config_has_trait(config, CAPABILITY_ROLES);
    const struct node      *called = node_find(map, "name");
    int                     rc;

    if (called && called->kind == NODE_SCALAR && *called->text)
        snprintf(place.path, sizeof place.path, "datasets.%.*s", DATASET_NAME, called->text);
    else snprintf(place.path, sizeof place.path, "datasets.%zu", index);
    rc = option_defaults(dataset_rows, &settings, err);
    if (rc == 0) rc = option_apply(dataset_rows, &settings, map, dataset_others, name, place.path, err);
    if (rc == 0 && role_needed && !node_find(map, "role"))
        rc = node_refuse(map, name, "", err, "%s: `role` is missing", place.path);
    if (rc == 0) rc = dataset_fill(dataset, &settings, map, &place);
    option_free(dataset_rows, &settings);
    return rc;
}

/* ---- all of them ---- */

struct dataset_rank { const char *name; size_t index; };

static int dataset_order(const void *a, const void *b)
{
    const struct dataset_rank *x = a, *y = b;
    int                        c = strcmp(x->name, y->name);

    return c ? c : (x->index > y->index) - (x->index < y->index);
}

static int config_check_names(const struct config *config, const struct node *list, const char *name, struct err *err)
{
    struct dataset_rank *rank = calloc(config->dataset_count, sizeof *rank);
    int                  rc = 0;

    if (!rank) return err_memory(err, config->dataset_count * sizeof *rank, "dataset names");
    for (size_t i = 0; i < config->dataset_count; i++) rank[i] = (struct dataset_rank){ config->datasets[i].name, i };
    qsort(rank, config->dataset_count, sizeof *rank, dataset_order);
    for (size_t i = 1; i < config->dataset_count && rc == 0; i++)
        if (strcmp(rank[i - 1].name, rank[i].name) == 0)
            rc = node_refuse(node_find(&list->child[rank[i].index], "name"), name, "datasets", err,
                             "two datasets are called `%.60s`", rank[i].name);
    free(rank);
    return rc;
}

int config_read_datasets(struct config *config, const struct node *root, const char *name, struct err *err)
{
    const struct node *list = node_find(root, "datasets");
    int                rc = 0;

    if (!list) return err_set(err, -EINVAL, "%s: `datasets` is missing", name);
    if (list->kind != NODE_LIST || list->count == 0)
        return node_refuse(list, name, "", err, "datasets must be a list, each item beginning with `- name: ...`");
    if (list->count > UINT32_MAX) return node_refuse(list, name, "", err, "more than %u datasets", UINT32_MAX);
    config->datasets = calloc(list->count, sizeof *config->datasets);
    if (!config->datasets) return err_memory(err, list->count * sizeof *config->datasets, "datasets");
    config->dataset_count = list->count;                    /* zeroed ones are valid for dataset_free */
    for (size_t i = 0; i < list->count && rc == 0; i++)
        rc = dataset_read(&config->datasets[i], &list->child[i], i, config, name, err);
    return rc < 0 ? rc : config_check_names(config, list, name, err);
}

/* ---- printing ---- */

static int dataset_print_glob(const char *base, const char *glob, struct bytes *out)
{
    struct bytes whole = { 0 };
    int          rc = glob_from(&whole, base, glob);

    if (rc == 0) rc = option_print_text(whole.at, out);
    bytes_free(&whole);
    return rc;
}

static int dataset_print_globs(const char *base, const struct dataset_split *split, struct bytes *out)
{
    int rc = bytes_printf(out, "[");

    for (size_t i = 0; i < split->glob_count && rc == 0; i++) {
        rc = bytes_printf(out, "%s", i ? ", " : "");
        if (rc == 0) rc = dataset_print_glob(base, split->globs[i], out);
    }
    return rc < 0 ? rc : bytes_printf(out, "]\n");
}

static int dataset_print_files(const char *base, const struct dataset *dataset, struct bytes *out)
{
    int rc = 0;

    if (dataset->split_count == 1 && !*dataset->splits[0].name)
        return bytes_printf(out, "    files: ") < 0 ? -ENOMEM : dataset_print_globs(base, &dataset->splits[0], out);
    rc = bytes_printf(out, "    splits:\n");
    for (size_t i = 0; i < dataset->split_count && rc == 0; i++) {
        rc = bytes_printf(out, "      ");
        if (rc == 0) rc = option_print_text(dataset->splits[i].name, out);
        if (rc == 0) rc = bytes_printf(out, ": ");
        if (rc == 0) rc = dataset_print_globs(base, &dataset->splits[i], out);
    }
    return rc;
}

static int dataset_print_exclude(const struct dataset *dataset, struct bytes *out)
{
    int rc = bytes_printf(out, "    exclude: [");

    for (size_t e = 0; e < dataset->exclude_count && rc == 0; e++) {
        rc = bytes_printf(out, "%s", e ? ", " : "");
        if (rc == 0) rc = option_print_text(dataset->exclude[e], out);
    }
    return rc < 0 ? rc : bytes_printf(out, "]\n");
}

static int dataset_print_fields(const struct dataset *dataset, struct bytes *out)
{
    bool given = false;
    int  rc = bytes_printf(out, "    fields: {");

    for (size_t i = 0; i < FIELD_COUNT && rc == 0; i++) {
        /* the default names, which YAML cannot say: text, else content, else code */
        if (!dataset->fields[i]) continue;
        rc = bytes_printf(out, "%s%s: ", given ? ", " : "", field_names[i]);
        if (rc == 0) rc = option_print_text(dataset->fields[i], out);
        given = true;
    }
    return rc < 0 ? rc : bytes_printf(out, "}\n");
}

int config_print_datasets(const struct config *config, struct bytes *out)
{
    static char unknown[] = "auto", none[] = "";
    struct err  ignored;
    char       *base;                                       /* NULL: gone since; then as it was given */
    int         rc = file_real_path(config->base, &base, &ignored);

    if (rc == 0) rc = bytes_printf(out, "datasets:\n");

    for (size_t i = 0; i < config->dataset_count - config->made && rc == 0; i++) {
        const struct dataset   *dataset = &config->datasets[i];
        struct dataset_settings settings = {
            .name = dataset->name, .url = dataset->url ? dataset->url : none, .role = dataset->role == ROLE_CORPUS,
                .format = dataset->format == FORMAT_LINES, .unit = (int)dataset->unit,
            .self_join = dataset->self_join, .utf8 = dataset->utf8 == UTF8_KEEP ? 0 : dataset->utf8 == UTF8_REPAIR ? 1
                : 2,
            .max_record_bytes = dataset->max_record_bytes, .max_ratio = dataset->max_ratio,
            .min_tokens = dataset->min_tokens,
            .language = dataset->language ? (char *)(uintptr_t)dataset->language : unknown,
        };
        size_t start = out->len;

        rc = option_print(dataset_rows, &settings, "    ", out);
        if (rc == 0) out->at[start + 2] = '-';              /* "    name:" becomes "  - name:" */
        if (rc == 0) rc = dataset_print_files(base ? base : config->base, dataset, out);
        if (rc == 0) rc = dataset_print_exclude(dataset, out);
        if (rc == 0) rc = dataset_print_fields(dataset, out);
    }
    free(base);
    return rc;
}

int config_help_datasets(struct bytes *out)
{
    int rc = bytes_printf(out, "datasets:                 a list; each item:\n");

    if (rc == 0) rc = option_help(dataset_rows, "  ", out);
    if (rc == 0)
        rc = bytes_printf(out,
                          "  files    a path or glob, or a list of them; relative ones start at this file's folder\n"
                                        "  splits   instead of files: a map from each split's name to its files\n"
                                        "  exclude  globs of what is left out, by the path below the dataset's "
                                        "folder, in a folder or in an\n"
                                        "           archive: [\"**/tests\", \"**/*.min.js\"]; a folder with all "
                                        "that is in it\n"
                                        "  fields   record fields that are named otherwise, as {text: code, id: "
                                        "meta.id}; by default:\n"
                                        "          ");
    for (size_t i = 0; i < FIELD_COUNT && rc == 0; i++)
        rc = bytes_printf(out, " %s", i == FIELD_TEXT ? "text (else content, else code)" : field_names[i]);
    if (rc == 0)
        rc = bytes_printf(out, "\n\n          Languages that have rules of their own; any other name is compared with "
                               "its like:\n         ");
    for (size_t i = 0; language_at(i) && rc == 0; i++) rc = bytes_printf(out, " %s", language_name(language_at(i)));
    return rc < 0 ? rc : bytes_printf(out, "\n");
}
