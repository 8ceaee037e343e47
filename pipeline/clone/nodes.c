/* clone/nodes.c -- see nodes.h. */
#include "clone/nodes.h"

#include "base/bytes.h"
#include "base/search.h"
#include "base/sort.h"

#include <errno.h>
#include <stdlib.h>

int clone_nodes_add(struct clone_nodes *nodes, uint64_t key, bool leading, struct clone_spot spot, uint32_t most)
{
    struct clone_node *node;
    bool               added;

    if (nodes->count == UINT32_MAX || nodes->spots == UINT32_MAX) return -EOVERFLOW;
    spot.node = table_put(&nodes->table, key * 0x9E3779B97F4A7C15ull ^ key >> 29, key, (uint32_t)nodes->count, &added);
    if (spot.node == TABLE_NONE) return -ENOMEM;
    if (added) {
        if (ARRAY_GROW(nodes->node, nodes->room, nodes->count) < 0) return -ENOMEM;
        nodes->node[nodes->count++] = (struct clone_node){ .key = key };
    }
    node = &nodes->node[spot.node];
    node->count++;
    node->leading |= leading;
    if (node->spots == most) return 0;
    if (ARRAY_GROW(nodes->spot, nodes->spot_room, nodes->spots) < 0) return -ENOMEM;
    nodes->spot[nodes->spots++] = spot;
    node->spots++;
    return 0;
}

/* The nodes by key; place becomes where each went. */
static int nodes_order(struct clone_nodes *nodes, uint32_t *place)
{
    size_t             n = nodes->count;
    struct sort_item  *item = malloc((n + 1) * sizeof *item), *spare = malloc((n + 1) * sizeof *spare);
    struct clone_node *sorted = malloc((n + 1) * sizeof *sorted);
    int                rc = item && spare && sorted ? 0 : -ENOMEM;

    for (size_t i = 0; i < n && rc == 0; i++) item[i] = (struct sort_item){ nodes->node[i].key, i };
    if (rc == 0) sort_items(item, spare, n);
    for (size_t i = 0; i < n && rc == 0; i++) {
        sorted[i] = nodes->node[item[i].value];
        place[item[i].value] = (uint32_t)i;
    }
    free(item);
    free(spare);
    if (rc == 0) {
        free(nodes->node);
        nodes->node = sorted;
        nodes->room = n + 1;
    } else free(sorted);
    return rc;
}

int clone_nodes_sort(struct clone_nodes *nodes)
{
    size_t    n = nodes->count;
    uint32_t *place = malloc((n + 1) * sizeof *place);
    int       rc = place ? nodes_order(nodes, place) : -ENOMEM;

    table_free(&nodes->table);
    nodes->before = malloc((n + 1) * sizeof *nodes->before);
    nodes->spot_at = malloc((n + 1) * sizeof *nodes->spot_at);
    nodes->by_node = malloc((nodes->spots + 1) * sizeof *nodes->by_node);
    if (!nodes->before || !nodes->spot_at || !nodes->by_node) rc = -ENOMEM;
    if (rc < 0) goto done;
    nodes->before[0] = nodes->spot_at[0] = 0;
    for (size_t i = 0; i < n; i++) {
        nodes->before[i + 1] = nodes->before[i] + nodes->node[i].count;
        nodes->spot_at[i + 1] = nodes->spot_at[i] + nodes->node[i].spots;
    }
    /* backwards, each to the last place of its node that is free */
    for (size_t i = nodes->spots; i-- > 0;) {
        struct clone_spot *spot = &nodes->spot[i];

        spot->node = place[spot->node];
        nodes->by_node[nodes->spot_at[spot->node] + --nodes->node[spot->node].spots] = (uint32_t)i;
    }
    rc = least_open(&nodes->first, nodes->by_node, nodes->spots);
done:
    free(place);
    return rc;
}

void clone_nodes_free(struct clone_nodes *nodes)
{
    free(nodes->node);
    free(nodes->spot);
    table_free(&nodes->table);
    free(nodes->before);
    free(nodes->spot_at);
    free(nodes->by_node);
    least_close(&nodes->first);
    *nodes = (struct clone_nodes){ 0 };
}

/* The first node that is not before the key. */
static size_t node_from(const struct clone_nodes *nodes, uint64_t key)
{
    return search_u64(nodes->node, sizeof *nodes->node, offsetof(struct clone_node, key), 0, nodes->count, key);
}

uint64_t clone_nodes_count(const struct clone_nodes *nodes, uint64_t from, uint64_t to)
{
    return nodes->before[node_from(nodes, to)] - nodes->before[node_from(nodes, from)];
}

size_t clone_nodes_first(const struct clone_nodes *nodes, uint64_t from, uint64_t to, size_t most,
                         size_t place[LEAST_MAX])
{
    size_t count = least_take(&nodes->first, nodes->spot_at[node_from(nodes, from)],
                              nodes->spot_at[node_from(nodes, to)], most, place);

    for (size_t i = 0; i < count; i++) place[i] = nodes->by_node[place[i]];
    return count;
}
