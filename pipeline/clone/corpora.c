/* clone/corpora.c -- see corpora.h. */
#include "clone/corpora.h"

#include <errno.h>
#include <stdlib.h>

/* Where the rows go. */
struct taking { clone_row_take *take; void *context; size_t own; };

int clone_rows_fail(int rc, struct err *err)
{
    if (rc == -EOVERFLOW)
        return err_set(err, rc,
                       "line_clones: more than 2^32 different blocks or places in one piece; set a smaller `memory`");
    return err_memory(err, sizeof(struct clone_row), "blocks found");
}

/* The rows that each piece has of a part, taken line by line: the longest block that begins at a line is the longest of
 * theirs. */
struct rows { const struct clone_row *at, *end; };

static bool row_before(const struct clone_row *a, const struct clone_row *b)
{
    return a->record != b->record ? a->record < b->record : a->index < b->index;
}

static int part_take(const struct taking *taking, struct rows *rows, size_t count, uint32_t shard)
{
    struct clone_row last = { .record = UINT64_MAX };       /* the line before, if a block begins there */

    for (;;) {
        const struct clone_row *first = NULL;
        uint32_t                longest = 0;
        bool                    leading;

        for (size_t p = 0; p < count; p++)
            if (rows[p].at < rows[p].end && (!first || row_before(rows[p].at, first))) first = rows[p].at;
        if (!first) return 0;
        for (size_t p = 0; p < count; p++)
            if (rows[p].at < rows[p].end && !row_before(first, rows[p].at) && rows[p].at->length > longest)
                longest = rows[p].at->length;
        leading = last.record != first->record || last.index + 1 != first->index || last.length <= longest;
        last = *first;
        last.length = longest;
        for (size_t p = 0; p < count; p++) {
            const struct clone_row *row = rows[p].at;

            if (row == rows[p].end || row_before(&last, row)) continue;
            rows[p].at++;
            if (p == taking->own) {
                int rc = taking->take(taking->context, row, shard, leading && row->length == longest);

                if (rc < 0) return rc;
            }
        }
    }
}

/* The unit as each piece has it; their parts are the same batches. */
static int unit_take(const struct taking *taking, const struct pass_walk *walk, size_t count, struct err *err)
{
    struct rows *rows = malloc(count * sizeof *rows);
    int          rc = rows ? 0 : -ENOMEM;

    for (uint64_t p = 0; rc == 0 && p < walk[0].unit.header->parts; p++) {
        for (size_t i = 0; i < count; i++) {
            struct slice section = pass_unit_section(&walk[i].unit, p, PART_ROWS);

            rows[i].at = (const void *)section.at;
            rows[i].end = rows[i].at + section.len / sizeof *rows[i].at;
        }
        rc = part_take(taking, rows, count, walk[0].unit.shard);
    }
    free(rows);
    return rc < 0 ? clone_rows_fail(rc, err) : 0;
}

/* The next unit of every piece.  1; 0 after the last; <0 with err set. */
static int units_next(const struct clone_job *job, struct pass_walk *walk, size_t count, struct err *err)
{
    int rc = 0;

    for (size_t i = 0; i < count; i++) {
        rc = pass_walk_next(&walk[i], err);
        if (rc < 0) return rc;
        if (rc != (walk[0].unit.header != NULL) ||
            (rc > 0 && (walk[i].unit.header->parts != walk[0].unit.header->parts ||
                        walk[i].unit.header->next != walk[0].unit.header->next)))
            return err_set(err, -EBADMSG, "%s: the units of a shard differ; run again with --clean",
                           stage_dir(job->run->stage));
    }
    return rc;
}

int clone_corpora_read(const struct clone_job *job, const struct clone_piece *piece, size_t count, size_t own,
                       clone_row_take *take, void *context, struct err *err)
{
    const struct taking  taking = { take, context, own };
    struct pass_scanner *matcher = calloc(count, sizeof *matcher);
    struct pass_walk    *walk = calloc(count, sizeof *walk);
    int                  rc = matcher && walk ? 0 : err_memory(err, count * sizeof *walk, "units");

    for (size_t i = 0; i < count && rc == 0; i++) {
        matcher[i] = clone_matcher(job, &piece[i]);
        walk[i] = pass_walk_all(job->run, &matcher[i]);
    }
    while (rc == 0 && (rc = units_next(job, walk, count, err)) > 0) rc = unit_take(&taking, walk, count, err);
    for (size_t i = 0; i < count && walk; i++) pass_walk_close(&walk[i]);
    free(walk);
    free(matcher);
    return rc;
}
