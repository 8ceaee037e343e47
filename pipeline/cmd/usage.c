/* cmd/usage.c -- see usage.h. */
#include "cmd/usage.h"

#include <ctype.h>
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <strings.h>
#include <sys/mman.h>
#include <unistd.h>

enum { TEXT_INDENT = 9, CALL_INDENT = 7 };                  /* "usage: " */

/* A reader of lines: now is the one that is looked at, without its indent; end: past the last. */
struct reading { struct usage *usage; struct slice rest, now; size_t indent; bool end; };

static void line_next(struct reading *r)
{
    const char *end = r->rest.len ? memchr(r->rest.at, '\n', r->rest.len) : NULL;
    size_t      len = end ? (size_t)(end - r->rest.at) : r->rest.len;

    r->end = !r->rest.len;
    r->now = (struct slice){ r->rest.at, len };
    for (r->indent = 0; r->now.len && *r->now.at == ' '; r->indent++) {
        r->now.at++;
        r->now.len--;
    }
    r->rest.at += len + (end != NULL);
    r->rest.len -= len + (end != NULL);
}

static bool line_blank(const struct reading *r) { return r->end || !r->now.len; }

static struct usage_part *part_add(struct reading *r, enum usage_kind kind)
{
    struct usage *usage = r->usage;

    if (ARRAY_GROW(usage->part, usage->room, usage->count) < 0) return NULL;
    usage->part[usage->count] = (struct usage_part){ .kind = kind, .indent = r->indent };
    return &usage->part[usage->count++];
}

/* Appends, behind `between` where there is text already. */
static int text_add(struct bytes *out, const char *between, struct slice text)
{
    int rc = out->len ? bytes_printf(out, "%s", between) : 0;

    if (rc == 0) rc = bytes_append_slice(out, text);
    if (rc == 0) rc = bytes_append(out, "", 1);
    if (rc == 0) out->len--;                                /* the NUL */
    return rc;
}

/* The first two blanks that do not follow one of these characters. */
static size_t gap_find(struct slice text, const char *behind, size_t *next)
{
    for (size_t i = 1; i + 2 < text.len; i++)
        if (text.at[i] == ' ' && text.at[i + 1] == ' ' && !strchr(behind, text.at[i - 1])) {
            for (*next = i; *next < text.len && text.at[*next] == ' '; ++*next) continue;
            return i;
        }
    *next = text.len;
    return text.len;
}

/* What follows the end of a sentence is no column. */
size_t usage_column(struct slice text, size_t *next) { return gap_find(text, ".;:", next); }

/* `--set`, `-v`; not `-1`. */
static bool begins_option(struct slice text)
{
    return text.len > 1 && text.at[0] == '-' && (text.at[1] == '-' || isalpha((unsigned char)text.at[1]));
}

bool usage_is_option(const struct usage_part *part)
{
    return part->kind == USAGE_ROW && begins_option(bytes_slice(&part->term));
}

static int calls_read(struct reading *r)
{
    struct usage_part *part = NULL;
    int                rc = 0;

    for (; !line_blank(r) && (r->indent || !part) && rc == 0; line_next(r)) {
        struct slice line = r->now;
        size_t       next, end;

        if (!r->indent) {
            line.at += CALL_INDENT;
            line.len -= CALL_INDENT;
        }
        end = gap_find(line, "", &next);                    /* a call may end in dots */
        if (r->indent <= CALL_INDENT && !(part = part_add(r, USAGE_CALL))) return -ENOMEM;
        rc = text_add(&part->term, " ", (struct slice){ line.at, end });
        if (rc == 0) rc = text_add(&part->text, " ", (struct slice){ line.at + next, line.len - next });
    }
    return rc;
}

/* `Examples:`, `example: how much is missed?`: the heading's name, or NULL; *rest is what follows the colon. */
static const char *heading_of(struct slice line, struct slice *rest)
{
    static const struct { const char *word, *name; } heads[] = {
        { "options:", "Options" }, { "examples:", "Examples" }, { "example:", "Examples" }, { "files:", "Files" },
        { "exit status:", "Exit status" }, { "environment:", "Environment" },
    };

    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++) {
        size_t len = strlen(heads[i].word);

        if (line.len < len || strncasecmp(line.at, heads[i].word, len) != 0) continue;
        while (len < line.len && line.at[len] == ' ') len++;
        *rest = (struct slice){ line.at + len, line.len - len };
        return heads[i].name;
    }
    return NULL;
}

static int heading_read(struct reading *r, const char *name, struct slice rest)
{
    struct usage_part *part = part_add(r, USAGE_HEAD);
    int                rc = part ? text_add(&part->term, "", slice_of(name)) : -ENOMEM;

    if (rc == 0 && rest.len) {
        part = part_add(r, USAGE_TEXT);
        rc = part ? text_add(&part->text, "", rest) : -ENOMEM;
    }
    line_next(r);
    return rc;
}

static int paragraph_read(struct reading *r)
{
    struct usage_part *part = part_add(r, USAGE_TEXT);
    const size_t       indent = r->indent;
    struct slice       rest;
    int                rc = part ? 0 : -ENOMEM;

    do {
        if (rc == 0) rc = text_add(&part->text, " ", r->now);
        line_next(r);
    } while (rc == 0 && !line_blank(r) && r->indent == indent && !(indent == 0 && heading_of(r->now, &rest)));
    return rc;
}

static int row_read(struct reading *r)
{
    struct usage_part *part = part_add(r, USAGE_ROW);
    size_t             next = 0, end, column;
    int                rc = -ENOMEM;

    if (!part) return rc;
    end = usage_column(r->now, &next);
    column = next < r->now.len ? r->indent + next : 0;
    rc = text_add(&part->term, "", (struct slice){ r->now.at, end });
    if (rc == 0) rc = text_add(&part->text, "", (struct slice){ r->now.at + next, r->now.len - next });
    for (line_next(r); rc == 0 && !line_blank(r) && r->indent >= TEXT_INDENT; line_next(r)) {
        if (!column) column = r->indent;
        rc = text_add(&part->text, r->indent > column ? "\n" : " ", r->now);
    }
    return rc;
}

static int lines_read(struct reading *r)
{
    struct usage_part *part = part_add(r, USAGE_LINES);
    const size_t       indent = r->indent;
    int                rc = part ? 0 : -ENOMEM;

    for (; rc == 0 && !line_blank(r) && r->indent >= indent; line_next(r)) {
        const size_t more = r->indent - indent;

        rc = text_add(&part->text, "\n", (struct slice){ r->now.at - more, r->now.len + more });
    }
    return rc;
}

static bool after_colon(const struct usage *usage)
{
    const struct usage_part *last = usage->count ? &usage->part[usage->count - 1] : NULL;

    return last && last->kind == USAGE_TEXT && last->text.len && last->text.at[last->text.len - 1] == ':';
}

/* A blank line ends nothing but the part, and a line from the first column an example. */
static int part_read(struct reading *r, bool *example)
{
    struct slice rest;
    size_t       next;
    const char  *name = r->indent ? NULL : heading_of(r->now, &rest);

    if (name) {
        *example = strcmp(name, "Examples") == 0;
        return heading_read(r, name, rest);
    }
    if (!r->indent) *example = false;
    if (!r->indent && r->now.len > CALL_INDENT && memcmp(r->now.at, "usage: ", CALL_INDENT) == 0) return calls_read(r);
    if (!r->indent) return paragraph_read(r);
    if (*example) return lines_read(r);
    if (begins_option(r->now) || usage_column(r->now, &next) < r->now.len) return row_read(r);
    return after_colon(r->usage) ? lines_read(r) : paragraph_read(r);
}

int usage_read(struct usage *out, struct slice text)
{
    struct reading r = { .usage = out, .rest = text };
    bool           example = false;
    int            rc = 0;

    *out = (struct usage){ 0 };
    for (line_next(&r); !r.end && rc == 0; ) {
        if (line_blank(&r)) line_next(&r);
        else rc = part_read(&r, &example);
    }
    return rc;
}

void usage_free(struct usage *usage)
{
    for (size_t i = 0; i < usage->count; i++) {
        bytes_free(&usage->part[i].term);
        bytes_free(&usage->part[i].text);
    }
    free(usage->part);
    *usage = (struct usage){ 0 };
}

bool usage_option_next(const struct usage_part *row, size_t *at, struct usage_option *out)
{
    const char *term = row->term.at + *at, *end, *next;

    if (*at >= row->term.len || !usage_is_option(row)) return false;
    next = strstr(term, ", -");
    if (!next) next = row->term.at + row->term.len;
    for (end = term; end < next && *end != ' '; end++) continue;
    out->name = (struct slice){ term, (size_t)(end - term) };
    while (end < next && *end == ' ') end++;
    out->value = (struct slice){ end, (size_t)(next - end) };
    *at = (size_t)(next - row->term.at) + (*next ? 2 : 0);
    return true;
}

/* ---- what a command prints ---- */

/* Standard output goes to `file` until it is set back; the descriptor to set back, or -1. */
static int output_turn(int file)
{
    int was = fflush(stdout) == 0 ? dup(STDOUT_FILENO) : -1;

    if (was >= 0 && dup2(file, STDOUT_FILENO) < 0) {
        close(was);
        was = -1;
    }
    return was;
}

static int file_take(int file, struct bytes *out)
{
    ssize_t got = 1;

    if (lseek(file, 0, SEEK_SET) < 0) return -errno;
    while (got > 0) {
        if (bytes_reserve(out, out->len + 4096) < 0) return -ENOMEM;
        got = read(file, out->at + out->len, 4096);
        if (got > 0) out->len += (size_t)got;
    }
    return got < 0 ? -errno : 0;
}

int usage_print(const struct command *command, const struct command *word, struct bytes *out, struct err *err)
{
    char *argv[] = { (char *)(uintptr_t)(word ? word : command)->name, (char[]){ "--help" }, NULL };
    int   file = memfd_create("help", MFD_CLOEXEC), was = file < 0 ? -1 : output_turn(file), rc = -errno;

    if (was >= 0) {
        rc = (word ? word : command)->run(2, argv, err);
        if (fflush(stdout) != 0 && rc == 0) rc = -errno;
        if (dup2(was, STDOUT_FILENO) < 0 && rc == 0) rc = -errno;
        close(was);
        if (rc == 0) rc = file_take(file, out);
    }
    if (file >= 0) close(file);
    return rc < 0 ? err_set(err, rc, "the help of %s cannot be read: %s", argv[0], strerror(-rc)) : 0;
}
