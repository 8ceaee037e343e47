/* clone/scan.c -- the scanners of line clones: of the small side, whose lines are kept, and of corpora, whose
 * blocks are counted. */
#include "clone/stages.h"

#include <errno.h>
#include <stdlib.h>

/* ---- the small side ---- */

struct collector { struct scanner scanner; const struct clone_job *job; struct clone_lines lines; };

static int collect_document(struct scanner *scanner, const struct document *document, struct part *part,
                            struct err *err)
{
    struct collector     *c = (struct collector *)scanner;
    const struct record  *record = document->record;
    struct bytes         *values = &part->section[PART_VALUES];
    struct clone_document row = { .record = record->number, .line_at = values->len / sizeof(struct clone_line),
                                  .text = { 0, NO_STRING } };
    enum clone_normal     normal = (enum clone_normal)c->job->options->normal;

    if (clone_lines_read(&c->lines, record->text, normal) < 0)
        return err_memory(err, record->text.len, "the lines of a document");
    clone_lines_hash(&c->lines, record->text.at, normal);
    row.line_count = c->lines.count;
    if (part_add_field(part, record, FIELD_ID, &row.source_id) < 0 ||
        part_add_field(part, record, FIELD_PATH, &row.path) < 0 ||
        (c->job->run->store_text && part_add_string(part, record->text, &row.text) < 0) ||
        bytes_append(values, c->lines.line, c->lines.count * sizeof *c->lines.line) < 0 ||
            bytes_append(&part->section[PART_ROWS], &row, sizeof row) < 0)
        return err_memory(err, record->text.len, "a part's documents");
    return 0;
}

static void collect_close(struct scanner *scanner)
{
    clone_lines_free(&((struct collector *)scanner)->lines);
    free(scanner);
}

int clone_collect_open(void *shared, struct scanner **out, struct err *err)
{
    struct collector *c = calloc(1, sizeof *c);

    *out = NULL;
    if (!c) return err_memory(err, sizeof *c, "a scanner");
    c->scanner = (struct scanner){ .document = collect_document, .close = collect_close };
    c->job = shared;
    *out = &c->scanner;
    return 0;
}

/* ---- corpora ---- */

struct matcher {
    struct scanner            scanner;
    const struct clone_job   *job;
    const struct clone_index *index;
    enum clone_normal         normal;
    uint32_t                  least;
    struct clone_lines        lines;
    struct clone_match       *match;                        /* [room] of each line of a run */
    size_t                    room;
};

/* May a line be one of the small side?  Hashes it. */
static bool line_known(struct matcher *m, const char *text, size_t i)
{
    m->lines.line[i] = clone_line_of(&m->lines.at[i], text, m->normal);
    return clone_index_knows(m->index, &m->lines.line[i]);
}

/* Of a line that has been hashed, or 0 beyond the document's ends. */
static uint64_t neighbour(const struct matcher *m, size_t i)
{
    return i < m->lines.count ? m->lines.line[i].low + !m->lines.line[i].low : 0;
}

/* The lines around [from, to) are hashed, and not of the small side: no block goes beyond. */
static int run_take(struct matcher *m, size_t from, size_t to, uint64_t record, struct bytes *rows)
{
    struct clone_match match = { 0, 0 };

    if (!clone_index_meets(m->index, m->lines.line + from, to - from)) return 0;
    for (size_t i = to; i-- > from;) m->match[i] = match = clone_index_step(m->index, match, &m->lines.line[i]);
    for (size_t i = from; i < to; i++) {
        const uint32_t   length = m->match[i].length;
        struct clone_row row = { record, i ? neighbour(m, i - 1) : 0, neighbour(m, i + length), (uint32_t)i,
                                 m->lines.at[i].number, m->match[i].state, length };

        if (row.length >= m->least && bytes_append(rows, &row, sizeof row) < 0) return -ENOMEM;
    }
    return 0;
}

/* Runs of at least `least` known lines.  Looking from the last line that a run must have backwards, an unknown one ends
 * all runs that begin before it: of text that is not there one line in `least` is hashed, and none twice. */
static int runs_find(struct matcher *m, const struct record *record, struct bytes *rows)
{
    /* no run begins before first; the lines [first, known) are known */
    size_t first = 0, known = 0;

    while (first + m->least <= m->lines.count) {
        size_t end = first + m->least, i = end;

        while (i > known && line_known(m, record->text.at, i - 1)) i--;
        if (i > known) {
            first = i;
            known = end;
            continue;
        }
        while (end < m->lines.count && line_known(m, record->text.at, end)) end++;
        if (run_take(m, first, end, record->number, rows) < 0) return -ENOMEM;
        first = known = end + 1;
    }
    return 0;
}

static int match_document(struct scanner *scanner, const struct document *document, struct part *part, struct err *err)
{
    struct matcher *m = (struct matcher *)scanner;
    size_t          rows;

    if (clone_lines_read(&m->lines, document->record->text, m->normal) < 0)
        return err_memory(err, document->record->text.len, "the lines of a document");
    if (m->lines.count > m->room) {
        free(m->match);
        m->room = m->lines.room;
        m->match = malloc(m->room * sizeof *m->match);
        if (!m->match) {
            m->room = 0;
            return err_memory(err, m->lines.count * sizeof *m->match, "the blocks of a document");
        }
    }
    rows = part->section[PART_ROWS].len;
    if (runs_find(m, document->record, &part->section[PART_ROWS]) < 0 ||
        (part->section[PART_ROWS].len > rows && part_add_path(part, document->record) < 0))
        return err_memory(err, sizeof(struct clone_row), "a part's blocks");
    return 0;
}

static void match_close(struct scanner *scanner)
{
    struct matcher *m = (struct matcher *)scanner;

    clone_lines_free(&m->lines);
    free(m->match);
    free(m);
}

int clone_match_open(void *shared, struct scanner **out, struct err *err)
{
    struct matcher *m = calloc(1, sizeof *m);

    *out = NULL;
    if (!m) return err_memory(err, sizeof *m, "a scanner");
    m->scanner = (struct scanner){ .document = match_document, .close = match_close };
    m->job = shared;
    m->index = m->job->index;
    m->normal = (enum clone_normal)m->job->options->normal;
    m->least = m->job->options->lines;
    *out = &m->scanner;
    return 0;
}
