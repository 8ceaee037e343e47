/* config/config.c -- pipeline.yaml as a whole: what is no capability's, and the table's walk over the rest. */
#include "config/capabilities.h"
#include "config/private.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* What the rows fill; choices are indices. */
struct top_settings   { char *output; int compat; uint64_t memory; bool across_languages; };
struct graph_settings { int store; };

/* across_languages is accepted here for every pass and in a pass for that one; the resolved file says it in the pass:
 * row 0 is not printed. */
static const struct option top_rows[] = {
    { "across_languages", OPTION_BOOL, offsetof(struct top_settings, across_languages), "false", 0, 0, NULL,
      "the default of near_duplicates.across_languages and dedup.across_languages" },
    { "output", OPTION_TEXT, offsetof(struct top_settings, output), "results/run", 0, 0, NULL,
      "run folder, from the current folder" },
    { "compat", OPTION_CHOICE, offsetof(struct top_settings, compat), "none", 0, 0, "none|published",
      "published: the published tools' quirks wherever they differ" },
    { "memory", OPTION_SIZE, offsetof(struct top_settings, memory), "0", 0, 0, NULL,
      "what near_duplicates, ngrams and line_clones may take for benchmarks and self_join corpora on rank 0, and "
      "clones and dedup on every rank, as 8GiB; "
      "0: three quarters of the machine's, or of the smallest limit in force (cgroup, ulimit), "
      "less where that is small, which "
      "clones and dedup divide by the number of all ranks (set it when there are several hosts)" },
    { NULL, OPTION_BOOL, 0, NULL, 0, 0, NULL, NULL },
};

static const struct option graph_rows[] = {
    { "store", OPTION_CHOICE, offsetof(struct graph_settings, store), "text", 0, 0, "none|text|tokens",
      "what graph.db keeps of documents" },
    { NULL, OPTION_BOOL, 0, NULL, 0, 0, NULL, NULL },
};

/* Keys of the file that are no rows: they end with NULL, and the list is owned by the caller. */
static const char **others_list(const struct config *config)
{
    static const char *const own[] = { "datasets", "graph", "fail_on" };
    const char             **out = calloc(config->task_count + sizeof own / sizeof *own + 1, sizeof *out);
    size_t                   count = 0;

    for (size_t i = 0; out && i < sizeof own / sizeof *own; i++) out[count++] = own[i];
    for (size_t t = 0; out && t < config->task_count; t++)
        if (config->task[t].of->key) out[count++] = config->task[t].of->key;
    return out;
}

/* ---- gates: a row for each, over the limits of all tasks one after the other, and what all of them need ---- */

enum { COVERAGE, LOST, NEEDS };

static const struct option gate_needs[NEEDS] = {
    [COVERAGE] = { "coverage", OPTION_PERCENT, 0, "50", 0, 0, NULL,
                   "a gate that does not fail is inconclusive, exit status 3 too, when less than so many percent of "
                   "the records that it is of were compared, or none; 0: one is enough" },
    [LOST] = { "lost", OPTION_PERCENT, 0, "0", 0, 0, NULL,
               "and when more than so many percent of the bytes that it looked through lie in shards that were not "
               "read to their end" },
};

static size_t gates_count(const struct capability *of)
{
    size_t count = 0;

    while (of->gates && of->gates[count].key) count++;
    return count;
}

struct gate_rows { struct option *row; double *limit; size_t count; };

static void gate_rows_free(struct gate_rows *gates)
{
    free(gates->row);
    free(gates->limit);
}

static int gate_rows_make(const struct config *config, struct gate_rows *out)
{
    *out = (struct gate_rows){ 0 };
    for (size_t t = 0; t < config->task_count; t++) out->count += gates_count(config->task[t].of);
    out->row = calloc(out->count + NEEDS + 1, sizeof *out->row);
    out->limit = calloc(out->count + NEEDS, sizeof *out->limit);
    if (!out->row || !out->limit) return -ENOMEM;
    for (size_t t = 0, at = 0; t < config->task_count; t++)
        for (size_t g = 0; g < gates_count(config->task[t].of); g++, at++) {
            const struct gate *gate = &config->task[t].of->gates[g];

            out->row[at] = (struct option){ gate->key, OPTION_PERCENT, at * sizeof *out->limit, "off", gate->least, 0,
                                            NULL, gate->help };
            out->limit[at] = config->task[t].limit[g];
        }
    for (size_t i = 0; i < NEEDS; i++) {
        out->row[out->count + i] = gate_needs[i];
        out->row[out->count + i].offset = (out->count + i) * sizeof *out->limit;
    }
    out->limit[out->count + COVERAGE] = config->coverage;
    out->limit[out->count + LOST] = config->lost;
    return 0;
}

static int gates_read(struct config *config, const struct node *root, const char *name, struct err *err)
{
    const struct node *map = node_find(root, "fail_on");
    struct gate_rows   gates;
    int                rc = gate_rows_make(config, &gates);

    if (rc < 0) rc = err_memory(err, gates.count * sizeof *gates.row, "gates");
    else rc = config_section(gates.row, gates.limit, root, "fail_on", name, err);
    for (size_t t = 0, at = 0; t < config->task_count && rc == 0; t++) {
        const struct task *task = &config->task[t];

        for (size_t g = 0; g < gates_count(task->of) && rc == 0; g++, at++) {
            const struct gate *gate = &task->of->gates[g];
            const char        *lacks;

            task->limit[g] = gates.limit[at];
            if (task->limit[g] < 0) continue;
            if (task->of->key && !node_find(root, task->of->key))
                rc = node_refuse(node_find(map, gate->key), name, "fail_on", err, "%s needs %s, which is not there",
                                 gate->key, task->of->key);
            else if (task->of->gate_lacks && (lacks = task->of->gate_lacks(config, gate)) != NULL)
                rc = node_refuse(node_find(map, gate->key), name, "fail_on", err, "%s needs %s", gate->key, lacks);
        }
    }
    if (rc == 0) {                                          /* off: nothing is needed */
        config->coverage = gates.limit[gates.count + COVERAGE] < 0 ? 0 : gates.limit[gates.count + COVERAGE];
        config->lost = gates.limit[gates.count + LOST] < 0 ? 100 : gates.limit[gates.count + LOST];
    }
    gate_rows_free(&gates);
    return rc;
}

/* ---- reading ---- */

static int config_read_top(struct config *config, const struct node *root, const char *name, struct err *err)
{
    struct top_settings   top = { 0 };
    struct graph_settings graph;
    const char          **others = others_list(config);
    int                   rc = others ? option_defaults(top_rows, &top, err)
                                      : err_memory(err, config->task_count * sizeof *others, "keys");

    if (rc == 0) rc = option_apply(top_rows, &top, root, others, name, "", err);
    free(others);
    config->output = top.output;                            /* moved */
    config->published = top.compat == 1;
    config->memory = top.memory;
    config->across_languages = top.across_languages;
    if (rc == 0 && !*top.output) rc = node_refuse(node_find(root, "output"), name, "", err, "output: an empty path");
    if (rc == 0) rc = config_section(graph_rows, &graph, root, "graph", name, err);
    if (rc < 0) return rc;
    config->store = graph.store == 0 ? STORE_NONE : graph.store == 1 ? STORE_TEXT : STORE_TOKENS;
    return 0;
}

/* A capability's state, for each of the table; those whose key is there are on. */
static int tasks_make(struct config *config, const struct node *root, struct err *err)
{
    size_t count = 0;

    while (capabilities[count]) count++;
    config->task = calloc(count + 1, sizeof *config->task);
    if (!config->task) return err_memory(err, count * sizeof *config->task, "capabilities");
    for (; config->task_count < count; config->task_count++) {
        const struct capability *of = capabilities[config->task_count];
        struct task             *task = &config->task[config->task_count];

        *task = (struct task){ .of = of, .config = config, .on = !of->key || node_find(root, of->key),
                               .state = calloc(1, of->state_size + 1),
                               .limit = calloc(gates_count(of) + 1, sizeof *task->limit) };
        if (!task->state || !task->limit) {
            config->task_count++;
            return err_memory(err, of->state_size, of->name);
        }
    }
    return 0;
}

/* A run must have something to do: one of the capabilities that do something by themselves. */
static int config_check_whole(const struct config *config, const char *name, struct err *err)
{
    char   list[1024];
    size_t used = 0;

    for (size_t t = 0; t < config->task_count; t++) {
        const struct capability *of = config->task[t].of;

        if (!of->brief) continue;
        if (config->task[t].on) return 0;
        if (used < sizeof list)
            used += (size_t)snprintf(list + used, sizeof list - used, "%s%s %s", used ? ", " : "", of->key, of->brief);
    }
    return err_set(err, -EINVAL, "%s: nothing to do: a pass runs when its key is there, and none is; %s", name, list);
}

/* The tree to the structure; on failure what was made so far is in *out. */
static int config_fill(struct config *out, const struct node *root, const char *name, struct err *err)
{
    int rc = tasks_make(out, root, err);

    if (rc == 0) rc = config_read_top(out, root, name, err);
    if (rc == 0) rc = config_read_datasets(out, root, name, err);
    for (size_t t = 0; t < out->task_count && rc == 0; t++) {
        struct task *task = &out->task[t];

        if (!task->on && task->of->implied) task->on = task->of->implied(out);
        if (task->of->read) rc = task->of->read(out, root, name, err);
    }
    for (size_t t = 0; t < out->task_count && rc == 0; t++)
        if (out->task[t].on && out->task[t].of->check) rc = out->task[t].of->check(out, root, name, err);
    if (rc == 0) rc = gates_read(out, root, name, err);
    return rc < 0 ? rc : config_check_whole(out, name, err);
}

/* An assignment of --set; datasets.*.KEY=VALUE is for each dataset. */
static int config_set(struct node *root, const char *set, struct err *err)
{
    static const char  each[] = "datasets.*.";
    const struct node *list = node_find(root, "datasets");
    const size_t       len = sizeof each - 1;
    char              *one;
    int                rc = 0;

    if (strncmp(set, each, len) != 0 || !list || list->kind != NODE_LIST) return node_set(root, set, err);
    for (size_t d = 0; d < list->count && rc == 0; d++) {
        if (asprintf(&one, "datasets.%zu.%s", d, set + len) < 0) return err_memory(err, strlen(set), "a setting");
        rc = node_set(root, one, err);
        free(one);
    }
    return rc;
}

/* Takes the tree over. */
static int config_resolve(struct config *out, struct node *root, const char *name, const char *base,
                          const char *const *sets, size_t set_count,
                          struct err *err)
{
    int rc = 0;

    for (size_t i = 0; i < set_count && rc == 0; i++) rc = config_set(root, sets[i], err);
    if (rc == 0) {
        out->base = strdup(*base ? base : ".");
        rc = out->base ? config_fill(out, root, name, err) : err_memory(err, strlen(base) + 1, "a path");
    }
    node_free(root);
    if (rc < 0) config_free(out);
    return rc;
}

int config_parse(struct config *out, const char *name, const char *text, size_t len, const char *base,
                 const char *const *sets, size_t set_count,
                 struct err *err)
{
    struct node root;
    int         rc = node_parse(&root, name, text, len, err);

    *out = (struct config){ 0 };
    return rc < 0 ? rc : config_resolve(out, &root, name, base, sets, set_count, err);
}

int config_read(struct config *out, const char *path, const char *const *sets, size_t set_count, struct err *err)
{
    const char *slash = strrchr(path, '/');
    char       *base;
    struct node root;
    int         rc;

    *out = (struct config){ 0 };
    if (access(path, F_OK) != 0 && (errno == ENOENT || errno == ENOTDIR))
        return err_set(err, -EINVAL, "%s: there is no such file; `leakgraph help config` tells what it may say, and "
                                     "without one there is `leakgraph overlap --benchmark NAME=GLOB --corpus "
                                     "NAME=GLOB`", path);
    base = slash ? strndup(path, slash == path ? 1 : (size_t)(slash - path)) : strdup(".");
    if (!base) return err_memory(err, strlen(path) + 1, "a path");
    rc = node_read(&root, path, err);
    out->of_file = true;
    if (rc == 0) rc = config_resolve(out, &root, path, base, sets, set_count, err);
    free(base);
    return rc;
}

void config_free(struct config *config)
{
    for (size_t t = 0; t < config->task_count; t++) {
        const struct task *task = &config->task[t];

        if (task->state && task->of->release) task->of->release(&config->task[t]);
        free(task->state);
        free(task->limit);
    }
    free(config->task);
    for (size_t i = 0; i < config->dataset_count; i++) dataset_free(&config->datasets[i]);
    free(config->datasets);
    free(config->output);
    free(config->base);
    *config = (struct config){ 0 };
}

/* ---- printing ---- */

static int config_print_section(const char *key, const struct option *rows, const void *settings, struct bytes *out)
{
    return bytes_printf(out, "%s:\n", key) < 0 ? -ENOMEM : option_print(rows, settings, "  ", out);
}

int config_print(const struct config *config, struct bytes *out)
{
    struct top_settings   top = { .output = config_folder(config), .compat = config->published,
                                  .memory = config->memory };
    struct graph_settings graph = { config->store == STORE_NONE ? 0 : config->store == STORE_TEXT ? 1 : 2 };
    struct gate_rows      gates;
    int                   rc = gate_rows_make(config, &gates);

    if (!top.output) rc = -ENOMEM;

    if (rc == 0) rc = bytes_printf(out, "# Settings as resolved.\n");
    if (rc == 0) rc = option_print(top_rows + 1, &top, "", out);
    if (rc == 0) rc = config_print_section("graph", graph_rows, &graph, out);
    if (rc == 0) rc = config_print_section("fail_on", gates.row, gates.limit, out);
    if (rc == 0) rc = config_print_datasets(config, out);
    for (size_t t = 0; t < config->task_count && rc == 0; t++)
        if (config->task[t].on && config->task[t].of->print) rc = config->task[t].of->print(config, out);
    gate_rows_free(&gates);
    free(top.output);
    return rc;
}

/* A resolved configuration as one that differs only where the results do. */
static int config_print_results(struct slice text, struct bytes *out)
{
    static const char *const unset[] = { "output=results", "memory=0", "fail_on={}" };
    struct config            config;
    struct err               err = { 0 };
    int rc = config_parse(&config, "", text.at, text.len, "/", unset, sizeof unset / sizeof *unset, &err);

    if (rc < 0) return rc;
    for (size_t t = 0; t < config.task_count; t++)
        if (config.task[t].of->traits & CAPABILITY_ASIDE) config.task[t].on = false;
    rc = config_print(&config, out);
    config_free(&config);
    return rc;
}

/* The line that begins at *at, without its end and the blanks before it; *at moves past it. */
static struct slice line_next(struct slice text, size_t *at)
{
    const char  *end = memchr(text.at + *at, '\n', text.len - *at);
    struct slice line = { text.at + *at, (end ? (size_t)(end - text.at) : text.len) - *at };

    *at += line.len + (end != NULL);
    while (line.len && *line.at == ' ') line = (struct slice){ line.at + 1, line.len - 1 };
    return line;
}

/* The keys, and the names in lists, that the line at `end` of a printed configuration lies in, with dots between. */
static int line_place(struct slice text, size_t end, struct bytes *out)
{
    struct { size_t indent; struct slice key; } stack[8];
    size_t depth = 0;
    int    rc = 0;

    for (size_t at = 0; at <= end && at < text.len;) {
        const size_t start = at;
        struct slice line = line_next(text, &at);
        const size_t indent = (size_t)(line.at - (text.at + start));
        const bool   named = line.len > 8 && memcmp(line.at, "- name: ", 8) == 0;

        while (depth && stack[depth - 1].indent >= indent) depth--;
        if (start == end && !named) break;
        if (named) line = (struct slice){ line.at + 8, line.len - 8 };
        else {
            const char *colon = line.len ? memchr(line.at, ':', line.len) : NULL;

            line.len = colon ? (size_t)(colon - line.at) : 0;
        }
        if (depth < sizeof stack / sizeof *stack && line.len) {
            stack[depth].indent = indent;
            stack[depth++].key = line;
        }
    }
    for (size_t i = 0; i < depth && rc == 0; i++)
        rc = bytes_printf(out, "%s%.*s", i ? "." : "", (int)stack[i].key.len, stack[i].key.at);
    return rc;
}

bool config_same_results(struct slice there, struct slice here, struct slice differ[3], struct bytes room[3])
{
    size_t at[2] = { 0, 0 }, start = 0;
    bool   same;

    differ[0] = differ[1] = differ[2] = (struct slice){ "", 0 };
    if (slice_equal(there, here)) return true;
    if (config_print_results(there, &room[0]) < 0 || config_print_results(here, &room[1]) < 0) return false;
    same = slice_equal(bytes_slice(&room[0]), bytes_slice(&room[1]));
    while (!same && slice_equal(differ[0], differ[1]) && at[0] < room[0].len && at[1] < room[1].len) {
        start = at[0];
        for (int i = 0; i < 2; i++) differ[i] = line_next(bytes_slice(&room[i]), &at[i]);
    }
    if (!same && line_place(bytes_slice(&room[0]), start, &room[2]) == 0) differ[2] = bytes_slice(&room[2]);
    return same;
}

static int config_help_section(const char *title, const struct option *rows, const char *indent, struct bytes *out)
{
    return bytes_printf(out, "%s", title) < 0 ? -ENOMEM : option_help(rows, indent, out);
}

enum { HELP_COLUMNS = 100, HELP_INDENT = 10 };

/* Breaks lines that are too long at their last blank; what is left is indented. */
static int config_help_fold(struct slice text, struct bytes *out)
{
    size_t indent = 0;
    int    rc = 0;

    while (text.len && rc == 0) {
        const char *end = memchr(text.at, '\n', text.len);
        size_t      len = end ? (size_t)(end - text.at) : text.len, cut = len;

        if (indent + len > HELP_COLUMNS) {
            for (cut = HELP_COLUMNS - indent; cut && text.at[cut] != ' '; cut--) continue;
            if (!cut) cut = len;                            /* one long word */
        }
        rc = bytes_printf(out, "%*s", (int)indent, "");
        if (rc == 0) rc = bytes_append(out, text.at, cut);
        if (rc == 0) rc = bytes_append(out, "\n", 1);
        indent = cut < len ? HELP_INDENT : 0;
        cut += cut < text.len;                              /* the blank, or the line's end */
        text.at += cut;
        text.len -= cut;
    }
    return rc;
}

int config_help(struct bytes *folded)
{
    struct config    none = { 0 };
    struct gate_rows gates = { 0 };
    struct bytes     text = { 0 }, *out = &text;
    struct err       err = { 0 };
    struct node      empty = { .kind = NODE_MAP };
    int              rc = tasks_make(&none, &empty, &err);

    if (rc == 0) rc = gate_rows_make(&none, &gates);
    if (rc == 0)
        rc = config_help_section("Each line: key, default, meaning.  A pass runs only when its key is there.\n"
                                 "A share of 1 may be written as a percentage: 0.8 is 80%.\n\n",
                                 top_rows, "", out);
    if (rc == 0) rc = bytes_printf(out, "\n");
    if (rc == 0) rc = config_help_datasets(out);
    for (size_t t = 0; t < none.task_count && rc == 0; t++)
        if (none.task[t].of->help) rc = none.task[t].of->help(out);
    if (rc == 0) rc = config_help_section("\ngraph:\n", graph_rows, "  ", out);
    if (rc == 0) rc = config_help_section("\nfail_on:                  gates\n", gates.row, "  ", out);
    if (rc == 0) rc = config_help_fold(bytes_slice(out), folded);
    bytes_free(out);
    gate_rows_free(&gates);
    config_free(&none);
    return rc;
}
