/* scan/clone_scan.c -- the scanners of line clones: of the small side, whose lines are kept, and of corpora, whose blocks are counted. */
#include "scan/clone_stages.h"

#include "base/table.h"

#include <errno.h>
#include <stdlib.h>

/* ---- the small side ---- */

struct collector { struct scanner scanner; const struct clone_job *job; struct clone_lines lines; };

static int collect_document(struct scanner *scanner, const struct document *document, struct part *part, struct err *err)
{
    struct collector     *c = (struct collector *)scanner;
    const struct record  *record = document->record;
    struct bytes         *values = &part->section[PART_VALUES];
    struct clone_document row = { .record = record->number, .line_at = values->len / sizeof(struct clone_line), .text = { 0, NO_STRING } };

    if (clone_lines_read(&c->lines, record->text, (enum clone_normal)c->job->options->normal) < 0) return err_memory(err, record->text.len, "the lines of a document");
    row.line_count = c->lines.count;
    if (part_add_field(part, record, FIELD_ID, &row.source_id) < 0 || part_add_field(part, record, FIELD_PATH, &row.path) < 0 ||
        (c->job->store_text && part_add_string(part, record->text, &row.text) < 0) ||
        bytes_append(values, c->lines.at, c->lines.count * sizeof *c->lines.at) < 0 || bytes_append(&part->section[PART_ROWS], &row, sizeof row) < 0)
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
    struct clone_lines        lines;
    struct clone_match       *match;                        /* [room] of each line */
    size_t                    room;
    struct table              nodes;                        /* by state and length: place in PART_ROWS */
};

static void match_begin(struct scanner *scanner) { table_clear(&((struct matcher *)scanner)->nodes); }

static int node_count(struct matcher *m, struct clone_match match, bool leading, const struct record *record, uint32_t line, struct part *part)
{
    struct bytes      *rows = &part->section[PART_ROWS];
    struct clone_node *node, fresh = { match.state, match.length, 0, 0 };
    uint64_t           key = (uint64_t)match.state << 32 | match.length;
    bool               added;
    uint32_t           at = table_put(&m->nodes, key * 0x9E3779B97F4A7C15ull ^ key >> 29, key, (uint32_t)(rows->len / sizeof *node), &added);

    if (at == TABLE_NONE || (added && bytes_append(rows, &fresh, sizeof fresh) < 0)) return -ENOMEM;
    node = (struct clone_node *)(void *)rows->at + at;
    node->leading += leading;
    if (node->count++ >= m->job->options->places) return 0;
    return bytes_append(&part->section[PART_VALUES], &(struct clone_place){ record->number, at, line }, sizeof(struct clone_place));
}

static int match_document(struct scanner *scanner, const struct document *document, struct part *part, struct err *err)
{
    struct matcher    *m = (struct matcher *)scanner;
    struct clone_match match = { 0, 0 };
    const uint32_t     least = m->job->options->lines;

    if (clone_lines_read(&m->lines, document->record->text, (enum clone_normal)m->job->options->normal) < 0)
        return err_memory(err, document->record->text.len, "the lines of a document");
    if (m->lines.count < least || !clone_index_meets(m->index, m->lines.at, m->lines.count)) return 0;
    if (m->lines.count > m->room) {
        free(m->match);
        m->room = m->lines.room;
        m->match = malloc(m->room * sizeof *m->match);
        if (!m->match) {
            m->room = 0;
            return err_memory(err, m->lines.count * sizeof *m->match, "the blocks of a document");
        }
    }
    for (size_t i = m->lines.count; i-- > 0;) m->match[i] = match = clone_index_step(m->index, match, &m->lines.at[i]);
    for (size_t i = 0; i < m->lines.count; i++) {
        bool leading = i == 0 || m->match[i - 1].length <= m->match[i].length;

        if (m->match[i].length < least) continue;
        if (node_count(m, m->match[i], leading, document->record, m->lines.at[i].number, part) < 0) return err_memory(err, sizeof(struct clone_node), "a part's blocks");
    }
    return 0;
}

static void match_close(struct scanner *scanner)
{
    struct matcher *m = (struct matcher *)scanner;

    clone_lines_free(&m->lines);
    table_free(&m->nodes);
    free(m->match);
    free(m);
}

int clone_match_open(void *shared, struct scanner **out, struct err *err)
{
    struct matcher *m = calloc(1, sizeof *m);

    *out = NULL;
    if (!m) return err_memory(err, sizeof *m, "a scanner");
    m->scanner = (struct scanner){ .begin = match_begin, .document = match_document, .close = match_close };
    m->job = shared;
    m->index = m->job->index;
    *out = &m->scanner;
    return 0;
}
