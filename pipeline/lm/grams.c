/* lm/grams.c -- see grams.h. */
#include "lm/grams.h"

#include "base/bytes.h"

#include <stdlib.h>

static const uint32_t *row_of(const struct lm_counts *counts, uint64_t row)
{
    return counts->row + row * counts->order;
}

/* Order by tokens; of two that begin alike the shorter comes first. */
static int compare(const uint32_t *a, uint32_t a_depth, const uint32_t *b, uint32_t b_depth)
{
    for (uint32_t i = 0; i < a_depth && i < b_depth; i++)
        if (a[i] != b[i]) return a[i] < b[i] ? -1 : 1;
    return (a_depth > b_depth) - (a_depth < b_depth);
}

static int compare_grams(const void *a, const void *b)
{
    const struct lm_gram *left = a, *right = b;

    return compare(left->token, left->depth, right->token, right->depth);
}

static int add(struct lm_grams *g, const uint32_t *token, uint32_t depth, uint64_t count, struct err *err)
{
    struct lm_gram *gram;

    if (ARRAY_GROW(g->extra, g->extra_room, g->extras) < 0)
        return err_memory(err, 2 * (g->extra_room + 1) * sizeof *g->extra, "n-grams at the ends of documents");
    gram = &g->extra[g->extras++];
    *gram = (struct lm_gram){ .depth = depth, .count = count };
    memcpy(gram->token, token, depth * sizeof *token);
    return 0;
}

int lm_grams_open(struct lm_grams *out, const struct lm_counts *counts, struct err *err)
{
    uint32_t order = counts->order;
    int      rc = 0;

    *out = (struct lm_grams){ .counts = counts, .filled = counts->rows, .filled_end = counts->rows };
    for (uint64_t i = 0; i < counts->rows && rc == 0; i++) {
        const uint32_t *row = row_of(counts, i);
        uint32_t        fill = 0;

        while (fill + 1 < order && row[fill] == LM_BEGIN && row[fill + 1] == LM_BEGIN) fill++;
        if (fill) {                                         /* sorted: they stand together */
            if (out->filled == counts->rows) out->filled = i;
            out->filled_end = i + 1;
            rc = add(out, row + fill, order - fill, counts->count[i], err);
        }
        if (row[order - 1] != LM_END) continue;
        for (uint32_t from = fill + 1; from + 2 <= order && rc == 0; from++)
            rc = add(out, row + from, order - from, 0, err);
    }
    if (rc < 0) lm_grams_close(out);
    else if (out->extras) qsort(out->extra, out->extras, sizeof *out->extra, compare_grams);
    return rc;
}

void lm_grams_close(struct lm_grams *grams)
{
    free(grams->extra);
    *grams = (struct lm_grams){ 0 };
}

void lm_grams_rewind(struct lm_grams *grams)
{
    grams->row = grams->filled == 0 ? grams->filled_end : 0;
    grams->next = 0;
    grams->at.depth = 0;
}

bool lm_grams_next(struct lm_grams *g)
{
    const struct lm_counts *counts = g->counts;
    const uint32_t         *token;
    uint32_t                depth, same = 0;
    uint64_t                count = 0;

    if (g->row == counts->rows && g->next == g->extras) return false;
    if (g->next < g->extras &&
        (g->row == counts->rows || compare(g->extra[g->next].token, g->extra[g->next].depth, row_of(counts, g->row),
                                           counts->order) < 0)) {
        const struct lm_gram *gram = &g->extra[g->next++];

        token = gram->token;
        depth = gram->depth;
        count = gram->count;
    } else {
        token = row_of(counts, g->row);
        depth = counts->order;
        if (++g->row == g->filled) g->row = g->filled_end;
    }
    while (same < depth && same < g->at.depth && token[same] == g->at.token[same]) same++;
    memcpy(g->at.token + same, token + same, (depth - same) * sizeof *token);
    g->at.depth = depth;
    g->at.count = count;
    g->same = same;
    return true;
}
