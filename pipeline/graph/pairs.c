/* graph/pairs.c -- see pairs.h. */
#include "graph/pairs.h"

static uint64_t pair_key(const void *record)
{
    const struct graph_edge *edge = record;

    return (uint64_t)edge->a << 32 | edge->b;
}

static void pair_join(void *into, const void *record) { (void)into, (void)record; }

struct runs_options pairs_options(struct stage *stage, uint64_t memory)
{
    return (struct runs_options){ .stage = stage, .name = "pairs", .size = sizeof(struct graph_edge), .key = pair_key,
                                  .join = pair_join, .memory = memory };
}

int pairs_give(struct graph_pass *pass, struct runs *runs, const uint32_t *place, struct err *err)
{
    struct graph_edge *edge = runs_records(runs, &pass->edge_count);
    struct graph_edge  unused;
    struct pairs       pairs;
    int                rc;

    pass->edges = edge;
    pass->runs = NULL;
    pass->place = NULL;
    if (edge || !runs_spilled(runs)) {
        for (size_t e = 0; e < pass->edge_count && place; e++) {
            edge[e].a = place[edge[e].a];
            edge[e].b = place[edge[e].b];
        }
        return 0;
    }
    pass->runs = runs;
    pass->place = place;
    rc = pairs_open(&pairs, pass, err);
    while (rc == 0 && (rc = pairs_next(&pairs, &unused, err)) > 0) {
        pass->edge_count++;
        rc = 0;
    }
    pairs_close(&pairs);
    return rc;
}

int pairs_open(struct pairs *out, const struct graph_pass *pass, struct err *err)
{
    *out = (struct pairs){ .pass = pass };
    return pass->runs ? runs_read(pass->runs, &out->reader, err) : 0;
}

int pairs_next(struct pairs *pairs, struct graph_edge *out, struct err *err)
{
    const struct graph_pass *pass = pairs->pass;
    const void              *record;
    int                      rc;

    if (!pairs->reader) {
        if (pairs->next == pass->edge_count) return 0;
        *out = pass->edges[pairs->next++];
        return 1;
    }
    if ((rc = runs_next(pairs->reader, &record, err)) <= 0) return rc;
    memcpy(out, record, sizeof *out);
    if (pass->place) {
        out->a = pass->place[out->a];
        out->b = pass->place[out->b];
    }
    return 1;
}

void pairs_close(struct pairs *pairs)
{
    runs_reader_close(pairs->reader);
    *pairs = (struct pairs){ 0 };
}
