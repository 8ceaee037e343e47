/* cmd/man_files.c -- the pages on files: pipeline.yaml, as `leakgraph help config` explains it, and graph.db, as
 * `leakgraph help graph` does. */
#include "cmd/man.h"

#include "cmd/roff.h"
#include "config/capabilities.h"
#include "config/config.h"
#include "config/explain.h"
#include "graph/reference.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static int common_put(struct bytes *out)
{
    int rc = man_common(MAN_STATUS, out);

    if (rc == 0) rc = man_common(MAN_ENVIRONMENT, out);
    return rc < 0 ? rc : man_common(MAN_FILES, out);
}

static struct slice line_take(struct slice *rest)
{
    const char  *end = rest->len ? memchr(rest->at, '\n', rest->len) : NULL;
    struct slice line = { rest->at, end ? (size_t)(end - rest->at) : rest->len };

    rest->at += line.len + (end != NULL);
    rest->len -= line.len + (end != NULL);
    return line;
}

/* ---- pipeline.yaml ---- */

static const char yaml_example[] =
    "output: results/mine\n"
    "datasets:\n"
    "  - {name: humaneval, role: benchmark, language: python, files: [HumanEval.jsonl.gz],\n"
    "     fields: {text: canonical_solution, id: task_id}}\n"
    "  - {name: mine, role: corpus, files: ['corpus/*.jsonl.zst']}\n"
    "near_duplicates: {}\n"
    "fail_on: {leakage: 5}";

/* A key: its default where it has one, which is a column before what it means. */
static int key_put(const struct usage_part *row, struct bytes *out)
{
    struct slice text = bytes_slice(&row->text);
    size_t       next = 0, end = usage_column(text, &next);
    const bool   has_default = next < text.len;
    int          rc = bytes_printf(out, ".TP\n\\fB");

    if (rc == 0) rc = roff_word(out, bytes_slice(&row->term));
    if (rc == 0) rc = bytes_printf(out, has_default ? "\\fR (" : "\\fR");
    if (rc == 0 && has_default) rc = roff_word(out, (struct slice){ text.at, end });
    if (rc == 0) rc = bytes_printf(out, has_default ? ")\n" : "\n");
    if (!has_default) next = 0;
    return rc < 0 ? rc : roff_text(out, (struct slice){ text.at + next, text.len - next });
}

/* One key of the file with those below it, which stand further right. */
static int keys_put(const struct usage *usage, struct bytes *out)
{
    size_t deep = usage->count ? usage->part[0].indent : 0;
    int    rc = 0;

    for (size_t i = 0; i < usage->count && rc == 0; i++) {
        const struct usage_part *part = &usage->part[i];

        for (; part->kind == USAGE_ROW && deep < part->indent && rc == 0; deep += 2) rc = bytes_printf(out, ".RS\n");
        for (; part->kind == USAGE_ROW && deep > part->indent && rc == 0; deep -= 2) rc = bytes_printf(out, ".RE\n");
        if (rc == 0) rc = part->kind == USAGE_ROW ? key_put(part, out) : man_part(part, out);
    }
    for (; usage->count && deep > usage->part[0].indent && rc == 0; deep -= 2) rc = bytes_printf(out, ".RE\n");
    return rc;
}

/* The lines of a key of the file: the first says what it is, those below it are keys again. */
static int section_put(struct slice text, const char *key, struct bytes *out)
{
    struct usage usage = { 0 };
    struct slice first, title;
    size_t       len;
    int          rc;

    first = line_take(&text);
    len = strcspn(first.at, ": ");
    if (first.at[len] != ':') {                             /* a key with a value */
        struct bytes row = { 0 };

        rc = bytes_printf(&row, "  %.*s\n%.*s", (int)first.len, first.at, (int)text.len, text.at);
        if (rc == 0) rc = usage_read(&usage, bytes_slice(&row));
        bytes_free(&row);
    } else {
        title = (struct slice){ first.at + len + 1, first.len - len - 1 };
        rc = roff_section(out, "SS", slice_of(key));
        /* the rest of a long title is indented as a text's is */
        if (rc == 0) rc = roff_text(out, title);
        while (rc == 0 && text.len > 8 && memcmp(text.at, "        ", 8) == 0) rc = roff_text(out, line_take(&text));
        if (rc == 0) rc = usage_read(&usage, text);
    }
    if (rc == 0) rc = keys_put(&usage, out);
    usage_free(&usage);
    return rc;
}

static int config_put(struct bytes *out, struct err *err)
{
    struct bytes keys = { 0 }, text = { 0 };
    int          rc = explain_keys(false, &keys) < 0 ? err_memory(err, keys.len, "keys") : 0;

    for (struct slice rest = bytes_slice(&keys); rest.len && rc == 0; text.len = 0) {
        struct slice line = line_take(&rest);
        char         key[64];

        snprintf(key, sizeof key, "%.*s", (int)line.len, line.at);
        rc = explain_key(key, &text, err);
        if (rc == 0 && section_put(bytes_slice(&text), key, out) < 0) rc = err_memory(err, out->len, "a manual page");
    }
    bytes_free(&text);
    bytes_free(&keys);
    return rc;
}

/* The paragraph before the keys, which is about all of them. */
static int config_about(struct bytes *out)
{
    struct bytes text = { 0 };
    int          rc = config_help(&text);

    if (rc == 0) rc = bytes_append(&text, "", 1);
    if (rc == 0) *strstr(text.at, "\n\n") = '\0';
    if (rc == 0) rc = roff_paragraph(out);
    for (char *at = text.at; rc == 0 && at && *at; at++)
        if (*at == '\n') *at = ' ';
    if (rc == 0) rc = roff_text(out, slice_of(text.at));
    bytes_free(&text);
    return rc;
}

int man_yaml(struct bytes *out, struct err *err)
{
    int rc = man_head("leakgraph.yaml", 5, "what leakgraph run is to do, pipeline.yaml", out, err);

    if (rc < 0) return rc;
    rc = bytes_printf(out, ".SH SYNOPSIS\n\\fBleakgraph run\\fR [\\fBpipeline.yaml\\fR]\n.SH DESCRIPTION\n");
    if (rc == 0) rc = roff_text(out, SLICE("Settings of a run in YAML, `pipeline.yaml` in the current folder unless "
                                           "another file is given.  An unknown key is an error that names the nearest "
                                           "known one; `--set KEY=VALUE` says on the command line what the file does "
                                           "not.  `leakgraph help config KEY` prints one key."));
    if (rc == 0) rc = config_about(out);
    if (rc == 0) rc = bytes_printf(out, ".SH OPTIONS\n");
    if (rc < 0) return err_memory(err, out->len, "a manual page");
    if ((rc = config_put(out, err)) < 0) return rc;
    rc = common_put(out);
    if (rc == 0) rc = bytes_printf(out, ".SH EXAMPLES\nIs HumanEval in a corpus?  Exit status 3 when more than 5 "
                                        "percent of it are.\n");
    if (rc == 0) rc = roff_lines(out, SLICE(yaml_example));
    if (rc == 0) rc = bytes_printf(out, ".SH SEE ALSO\n.BR leakgraph (1),\n.BR leakgraph\\-run (1),\n"
                                        ".BR leakgraph\\-graph (5)\n");
    return rc < 0 ? err_memory(err, out->len, "a manual page") : 0;
}

/* ---- graph.db ---- */

/* Markdown's text as a help has it: what is escaped is itself, what is bold is `code`. */
static int plain_of(struct slice text, struct bytes *out)
{
    int rc = 0;

    out->len = 0;
    for (size_t i = 0; i < text.len && rc == 0; i++) {
        const char *at = &text.at[i];

        if (*at == '\\' && i + 1 < text.len && strchr("*|<", at[1])) rc = bytes_append(out, &text.at[++i], 1);
        else if (*at == '*' && i + 1 < text.len && at[1] == '*') {
            rc = bytes_append(out, "`", 1);
            i++;
        } else rc = bytes_append(out, at, 1);
    }
    return rc;
}

static int text_put(struct slice text, struct bytes *plain, struct bytes *out)
{
    int rc = plain_of(text, plain);

    return rc < 0 ? rc : roff_text(out, bytes_slice(plain));
}

/* The cell up to the next bar, without the blanks around it; *rest begins behind the bar. */
static struct slice cell_take(struct slice *rest)
{
    struct slice cell = { rest->at, 0 };

    while (cell.len < rest->len && !(rest->at[cell.len] == '|' && (cell.len == 0 || rest->at[cell.len - 1] != '\\')))
        cell.len++;
    rest->at += cell.len < rest->len ? cell.len + 1 : cell.len;
    rest->len -= cell.len < rest->len ? cell.len + 1 : cell.len;
    for (; cell.len && *cell.at == ' '; cell.len--) cell.at++;
    while (cell.len && cell.at[cell.len - 1] == ' ') cell.len--;
    return cell;
}

static int column_put(struct slice row, struct bytes *plain, struct bytes *out)
{
    struct slice name, type, doc;
    int          rc;

    cell_take(&row);                                        /* before the first bar */
    name = cell_take(&row);
    type = cell_take(&row);
    doc = cell_take(&row);
    rc = bytes_printf(out, ".TP\n\\fB");
    if (rc == 0) rc = plain_of(name, plain);
    if (rc == 0) rc = roff_word(out, bytes_slice(plain));
    if (rc == 0) rc = bytes_printf(out, "\\fR ");
    if (rc == 0) rc = roff_word(out, type);
    if (rc == 0) rc = bytes_append(out, "\n", 1);
    return rc < 0 ? rc : doc.len ? text_put(doc, plain, out) : bytes_printf(out, "\\&\n");
}

/* A line of the reference that is not blank. */
static int line_put(struct slice line, bool begins, struct bytes *plain, struct bytes *out)
{
    int rc;

    if (line.len > 3 && memcmp(line.at, "## ", 3) == 0)
        return roff_section(out, "SS", (struct slice){ line.at + 3, line.len - 3 });
    if (*line.at == '#' || (line.len > 1 && memcmp(line.at, "|-", 2) == 0)) return 0;
    if (line.len > 9 && memcmp(line.at, "| column ", 9) == 0) return 0;
    if (*line.at == '|') return column_put(line, plain, out);
    rc = begins ? roff_paragraph(out) : 0;
    return rc < 0 ? rc : text_put(line, plain, out);
}

int man_graph(struct bytes *out, struct err *err)
{
    struct bytes reference = { 0 }, plain = { 0 };
    bool         begins = true;
    int          rc = man_head("leakgraph-graph", 5, "what a run found, graph.db", out, err);

    if (rc < 0) return rc;
    rc = graph_reference(capability_tables(), &reference);
    if (rc == 0) rc = bytes_printf(out, ".SH SYNOPSIS\n\\fBsqlite3\\fR \\fIDIR\\fR/graph.db\n.SH DESCRIPTION\n");
    for (struct slice rest = bytes_slice(&reference); rest.len && rc == 0; ) {
        struct slice line = line_take(&rest);

        if (line.len) rc = line_put(line, begins, &plain, out);
        begins = !line.len;
    }
    if (rc == 0) rc = common_put(out);
    if (rc == 0) rc = bytes_printf(out, ".SH EXAMPLES\n");
    if (rc == 0) rc = roff_lines(out, SLICE("sqlite3 results/demo/graph.db 'SELECT * FROM dataset_summary'"));
    if (rc == 0) rc = bytes_printf(out, ".SH SEE ALSO\n.BR leakgraph (1),\n.BR leakgraph\\-show (1),\n"
                                        ".BR leakgraph.yaml (5),\n.BR sqlite3 (1)\n");
    bytes_free(&reference);
    bytes_free(&plain);
    return rc < 0 ? err_memory(err, out->len, "a manual page") : 0;
}
