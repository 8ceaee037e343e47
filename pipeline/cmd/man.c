/* cmd/man.c -- see man.h: the pages of the commands. */
#include "cmd/man.h"

#include "base/suggest.h"
#include "cmd/roff.h"
#include "cmd/version.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>

static const char *const titles[MAN_SECTIONS] = {
    [MAN_CALLS] = "SYNOPSIS", [MAN_ABOUT] = "DESCRIPTION", [MAN_OPTIONS] = "OPTIONS", [MAN_NOTES] = "NOTES",
    [MAN_STATUS] = "EXIT STATUS", [MAN_ENVIRONMENT] = "ENVIRONMENT", [MAN_FILES] = "FILES", [MAN_EXAMPLES] = "EXAMPLES",
};

/* ---- one part ---- */

static int call_put(const struct usage_part *part, struct bytes *out)
{
    struct slice text = bytes_slice(&part->term);
    size_t       len = 0;
    int          rc = roff_paragraph(out);

    if (rc == 0) rc = bytes_printf(out, "\\fB");
    /* leakgraph audit verdict */
    while (len < text.len && (islower((unsigned char)text.at[len]) || text.at[len] == '-' ||
                              (text.at[len] == ' ' && len + 1 < text.len && islower((unsigned char)text.at[len + 1]))))
        len++;
    if (rc == 0) rc = roff_word(out, (struct slice){ text.at, len });
    if (rc == 0) rc = bytes_printf(out, "\\fR");
    if (rc == 0) rc = roff_term(out, (struct slice){ text.at + len, text.len - len });
    if (rc == 0) rc = bytes_append(out, "\n", 1);
    if (rc < 0 || !part->text.len) return rc;
    rc = bytes_printf(out, ".RS 4\n");
    if (rc == 0) rc = roff_text(out, bytes_slice(&part->text));
    return rc < 0 ? rc : bytes_printf(out, ".RE\n");
}

static int row_put(const struct usage_part *part, struct bytes *out)
{
    int rc = bytes_printf(out, ".TP\n");

    if (rc == 0 && usage_is_option(part)) rc = roff_term(out, bytes_slice(&part->term));
    else if (rc == 0) {
        rc = bytes_printf(out, "\\fB");
        if (rc == 0) rc = roff_word(out, bytes_slice(&part->term));
        if (rc == 0) rc = bytes_printf(out, "\\fR");
    }
    if (rc == 0) rc = bytes_append(out, "\n", 1);
    return rc < 0 ? rc : roff_text(out, bytes_slice(&part->text));
}

int man_part(const struct usage_part *part, struct bytes *out)
{
    int rc;

    switch (part->kind) {
    case USAGE_CALL:  return call_put(part, out);
    case USAGE_ROW:   return row_put(part, out);
    case USAGE_LINES: return roff_lines(out, bytes_slice(&part->text));
    case USAGE_HEAD:  return 0;
    case USAGE_TEXT:  break;
    }
    rc = roff_paragraph(out);
    return rc < 0 ? rc : roff_text(out, bytes_slice(&part->text));
}

/* ---- sections ---- */

static enum man_section section_named(const char *title)
{
    enum man_section at = MAN_SECTIONS - 1;

    while (at > MAN_ABOUT && strcasecmp(titles[at], title) != 0) at--;
    return at;
}

/* Where each part of a help belongs.  Options are all from the first of them to the last; what follows is a note. */
static void sections_assign(const struct usage *usage, enum man_section *section)
{
    enum man_section now = MAN_ABOUT;
    size_t       last = 0;

    for (size_t i = 0; i < usage->count; i++)
        if (usage_is_option(&usage->part[i])) last = i;
    for (size_t i = 0; i < usage->count; i++) {
        const struct usage_part *part = &usage->part[i];

        if (part->kind == USAGE_HEAD) now = section_named(part->term.at);
        else if (usage_is_option(part)) now = MAN_OPTIONS;
        else if (now == MAN_OPTIONS && i > last) now = MAN_NOTES;
        section[i] = part->kind == USAGE_CALL ? MAN_CALLS : now;
    }
}

/* The parts of one section; *count is how many there were. */
static int section_put(const struct usage *usage, const enum man_section *section, enum man_section which,
                       size_t *count, struct bytes *out)
{
    int rc = 0;

    *count = 0;
    for (size_t i = 0; i < usage->count && rc == 0; i++) {
        if (section[i] != which || usage->part[i].kind == USAGE_HEAD) continue;
        if (!(*count)++) rc = roff_section(out, "SH", slice_of(titles[which]));
        if (rc == 0) rc = man_part(&usage->part[i], out);
    }
    return rc;
}

static int usage_of_text(struct usage *usage, enum man_section **section, struct slice text)
{
    int rc = usage_read(usage, text);

    *section = rc == 0 ? calloc(usage->count + 1, sizeof **section) : NULL;
    if (*section) sections_assign(usage, *section);
    return *section ? 0 : -ENOMEM;
}

int man_common(enum man_section which, struct bytes *out)
{
    struct bytes  text = { 0 };
    struct usage  usage = { 0 };
    enum man_section *section = NULL;
    size_t        count;
    int           rc = command_list(&text);

    if (rc == 0) rc = usage_of_text(&usage, &section, bytes_slice(&text));
    if (rc == 0) rc = section_put(&usage, section, which, &count, out);
    free(section);
    usage_free(&usage);
    bytes_free(&text);
    return rc;
}

/* ---- pages ---- */

static int date_of(char out[16], struct err *err)
{
    const char *epoch = getenv("SOURCE_DATE_EPOCH");
    char       *end;
    time_t      seconds;
    struct tm   day;

    *out = '\0';
    if (!epoch || !*epoch) return 0;
    errno = 0;
    seconds = strtoll(epoch, &end, 10);
    if (*end || errno || !gmtime_r(&seconds, &day) || !strftime(out, 16, "%Y-%m-%d", &day))
        return err_set(err, -EINVAL, "SOURCE_DATE_EPOCH=%.60s is no number of seconds", epoch);
    return 0;
}

int man_head(const char *name, int section, const char *brief, struct bytes *out, struct err *err)
{
    char date[16];
    int  rc = date_of(date, err);

    if (rc < 0) return rc;
    rc = bytes_printf(out, ".TH \"");
    for (const char *at = name; *at && rc == 0; at++)
        rc = roff_word(out, (struct slice){ (char[]){ (char)toupper((unsigned char)*at) }, 1 });
    if (rc == 0) rc = bytes_printf(out, "\" %d \"%s\" \"leakgraph %s\" \"leakgraph\"\n.nh\n.ad l\n.SH NAME\n",
                                   section, date, leakgraph_version());
    if (rc == 0) rc = roff_word(out, slice_of(name));
    if (rc == 0) rc = bytes_printf(out, " \\- ");
    if (rc == 0) rc = roff_word(out, slice_of(brief));
    if (rc == 0) rc = bytes_append(out, "\n", 1);
    return rc < 0 ? err_memory(err, out->len, "a manual page") : 0;
}

/* Appends a reference "leakgraph-run(1)"; more: another one follows. */
static int also_put(struct bytes *out, const char *name, int section, bool more)
{
    int rc = bytes_printf(out, ".BR ");

    if (rc == 0) rc = roff_word(out, slice_of(name));
    return rc < 0 ? rc : bytes_printf(out, " (%d)%s\n", section, more ? "," : "");
}

/* The name of a command's page, or a word's. */
static const char *page_name(const struct command *command, const struct command *word, char out[96])
{
    snprintf(out, 96, "leakgraph-%s%s%s", command->name, word ? "-" : "", word ? word->name : "");
    return out;
}

static int also_section(const struct command *command, const struct command *word, struct bytes *out)
{
    char name[96];
    int  rc = bytes_printf(out, ".SH SEE ALSO\n");

    if (rc == 0) rc = also_put(out, "leakgraph", 1, true);
    if (rc == 0 && word) rc = also_put(out, page_name(command, NULL, name), 1, true);
    for (size_t w = 0; !word && command_word_at(command, w) && rc == 0; w++)
        rc = also_put(out, page_name(command, command_word_at(command, w), name), 1, true);
    if (rc == 0) rc = also_put(out, "leakgraph.yaml", 5, true);
    return rc < 0 ? rc : also_put(out, "leakgraph-graph", 5, false);
}

/* --help, where the command's help does not name it. */
static int help_option(const struct usage *usage, size_t options, struct bytes *out)
{
    struct usage_part row = { .kind = USAGE_ROW, .term = { (char[]){ "--help" }, 6, 6 },
                              .text = { (char[]){ "this page in short" }, 18, 18 } };
    int               rc = 0;

    for (size_t i = 0; i < usage->count; i++)
        if (usage_is_option(&usage->part[i]) && strcmp(usage->part[i].term.at, "--help") == 0) return 0;
    if (!options) rc = roff_section(out, "SH", slice_of(titles[MAN_OPTIONS]));
    return rc < 0 ? rc : man_part(&row, out);
}

/* The sections of a help between NAME and SEE ALSO. */
static int sections_put(struct slice text, struct bytes *out)
{
    struct usage      usage = { 0 };
    enum man_section *section = NULL;
    size_t            count;
    int               rc = usage_of_text(&usage, &section, text);

    for (enum man_section s = MAN_CALLS; s < MAN_SECTIONS && rc == 0; s++) {
        rc = section_put(&usage, section, s, &count, out);
        if (s == MAN_OPTIONS && rc == 0) rc = help_option(&usage, count, out);
        if (s >= MAN_STATUS && s <= MAN_FILES && !count && rc == 0) rc = man_common(s, out);
    }
    free(section);
    usage_free(&usage);
    return rc;
}

static int command_page(const struct command *command, const struct command *word, struct bytes *out, struct err *err)
{
    struct bytes text = { 0 };
    char         name[96];
    int          rc = usage_print(command, word, &text, err);

    if (rc == 0) rc = man_head(page_name(command, word, name), 1, (word ? word : command)->brief, out, err);
    if (rc == 0 && (sections_put(bytes_slice(&text), out) < 0 || also_section(command, word, out) < 0))
        rc = err_memory(err, out->len, "a manual page");
    bytes_free(&text);
    return rc;
}

/* The length of the first phrase. */
static size_t phrase_end(const char *text)
{
    size_t len = 0;

    while (text[len] && strncmp(text + len, " (", 2) != 0 &&
           !(strchr(".,;:", text[len]) && (text[len + 1] == ' ' || !text[len + 1]))) len++;
    return len;
}

int man_page_of(struct slice help, struct bytes *out, struct err *err)
{
    struct usage             usage;
    const struct usage_part *call = NULL, *about = NULL;
    char                     name[96] = "", brief[120] = "";
    int                      rc = usage_read(&usage, help) < 0 ? err_memory(err, help.len, "a help") : 0;

    for (size_t i = usage.count; i-- > 0; ) {
        if (usage.part[i].kind == USAGE_CALL) call = &usage.part[i];
        if (usage.part[i].kind == USAGE_TEXT) about = &usage.part[i];
    }
    if (call) snprintf(name, sizeof name, "%.*s", (int)strcspn(call->term.at, " "), call->term.at);
    if (about) snprintf(brief, sizeof brief, "%.*s", (int)phrase_end(about->text.at), about->text.at);
    usage_free(&usage);
    if (rc == 0 && (!*name || !*brief))
        rc = err_set(err, -EINVAL, "a help begins with `usage: NAME`, and says what that does");
    if (rc == 0) rc = man_head(name, 1, brief, out, err);
    if (rc == 0 && (sections_put(help, out) < 0 || bytes_printf(out, ".SH SEE ALSO\n.BR leakgraph (1)\n") < 0))
        rc = err_memory(err, out->len, "a manual page");
    return rc;
}

/* The commands, each with a word on what it does and the name of its page. */
static int commands_put(struct bytes *out)
{
    char name[96];
    int  rc = bytes_printf(out, ".SH COMMANDS\n");

    for (size_t i = 0; command_at(i) && rc == 0; i++) {
        rc = bytes_printf(out, ".TP\n");
        if (rc == 0) rc = also_put(out, page_name(command_at(i), NULL, name), 1, false);
        if (rc == 0) rc = roff_text(out, slice_of(command_at(i)->brief));
    }
    return rc;
}

static const char main_about[] =
    "leakgraph streams datasets of code, on one core or under `mpirun`, compares them exactly, and writes one SQLite "
    "graph of verified duplicates, a report, and an exit status that a nightly job can use.  Is this benchmark in that "
    "corpus?  Does the test split repeat the train split?  Which items, how often, from which repository, under which "
    "licence?";

static int main_page(struct bytes *out, struct err *err)
{
    struct bytes  text = { 0 };
    struct usage  usage = { 0 };
    enum man_section *section = NULL;
    size_t        count;
    int           rc = man_head("leakgraph", 1, "finds what datasets of code share", out, err);

    if (rc < 0) return rc;
    rc = command_list(&text);
    if (rc == 0) rc = usage_of_text(&usage, &section, bytes_slice(&text));
    if (rc == 0) rc = section_put(&usage, section, MAN_CALLS, &count, out);
    if (rc == 0) rc = roff_section(out, "SH", slice_of(titles[MAN_ABOUT]));
    if (rc == 0) rc = roff_text(out, slice_of(main_about));
    if (rc == 0) rc = commands_put(out);
    for (enum man_section s = MAN_OPTIONS; s < MAN_SECTIONS && rc == 0; s++)
        rc = section_put(&usage, section, s, &count, out);
    if (rc == 0) rc = bytes_printf(out, ".SH SEE ALSO\n");
    if (rc == 0) rc = also_put(out, "leakgraph.yaml", 5, true);
    if (rc == 0) rc = also_put(out, "leakgraph-graph", 5, true);
    if (rc == 0) rc = also_put(out, "mpirun", 1, true);
    if (rc == 0) rc = also_put(out, "sqlite3", 1, false);
    free(section);
    usage_free(&usage);
    bytes_free(&text);
    return rc < 0 ? err_memory(err, out->len, "a manual page") : 0;
}

int man_pages(struct bytes *out)
{
    char name[96];
    int  rc = bytes_printf(out, "leakgraph.1\n");

    for (size_t i = 0; command_at(i) && rc == 0; i++) {
        rc = bytes_printf(out, "%s.1\n", page_name(command_at(i), NULL, name));
        for (size_t w = 0; command_word_at(command_at(i), w) && rc == 0; w++)
            rc = bytes_printf(out, "%s.1\n", page_name(command_at(i), command_word_at(command_at(i), w), name));
    }
    return rc < 0 ? rc : bytes_printf(out, "leakgraph.yaml.5\nleakgraph-graph.5\n");
}

static int page_unknown(const char *name, struct err *err)
{
    struct bytes names = { 0 };
    char         near[SUGGEST_ROOM];
    int          rc = man_pages(&names);

    for (size_t i = 0; rc == 0 && i < names.len; i++)
        if (names.at[i] == '\n') names.at[i] = i + 1 < names.len ? '|' : '\0';
    if (rc == 0) err_set(err, -EINVAL, "`%.100s` is no manual page%s; `leakgraph help --man` lists them", name,
                         suggest_choice(name, names.at, near));
    else err_memory(err, names.len, "names of pages");
    bytes_free(&names);
    return err->code;
}

int man_page(const char *name, struct bytes *out, struct err *err)
{
    char page[100];

    if (strcmp(name, "leakgraph.1") == 0) return main_page(out, err);
    if (strcmp(name, "leakgraph.yaml.5") == 0) return man_yaml(out, err);
    if (strcmp(name, "leakgraph-graph.5") == 0) return man_graph(out, err);
    for (size_t i = 0; command_at(i); i++)
        for (size_t w = 0; w == 0 || command_word_at(command_at(i), w - 1); w++) {
            const struct command *word = w ? command_word_at(command_at(i), w - 1) : NULL;
            size_t                len = strlen(page_name(command_at(i), word, page));

            if (strncmp(name, page, len) == 0 && strcmp(name + len, ".1") == 0)
                return command_page(command_at(i), word, out, err);
        }
    return page_unknown(name, err);
}
