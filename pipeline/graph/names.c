/* graph/names.c -- see names.h.
 *
 * Groups are few, and sorted by their text.  A group's documents stand in the order of their numbers, so they are as
 * many runs as numbers have digits, and these are merged. */
#include "graph/names.h"

#include "graph/ids.h"
#include "graph/text.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { NUMBER_DIGITS = 20 };

/* What the numbers of a group are sorted by. */
struct digit_key { uint64_t key; uint32_t digits; };

int graph_names_escape(struct bytes *out, struct slice text)
{
    struct bytes scratch = { 0 };
    struct slice valid;
    int          rc = text_make_valid(text, &scratch, &valid);

    for (size_t i = 0; i < valid.len && rc == 0; i++) {
        unsigned char c = (unsigned char)valid.at[i];

        if (c < 0x20 || c == 0x7F || c == '\\' || c == '/') rc = bytes_printf(out, "\\x%02x", c);
        else rc = bytes_append(out, &c, 1);
    }
    bytes_free(&scratch);
    return rc;
}

/* The group of a dataset's split: documents come in runs of one, so the last few are looked at first. */
static int group_find(struct graph_names *names, struct slice dataset, struct slice split, uint32_t *group)
{
    size_t       start = names->text.len;
    struct slice name;

    if (graph_names_escape(&names->text, dataset) < 0 || bytes_append(&names->text, "/", 1) < 0 ||
        graph_names_escape(&names->text, split) < 0 || bytes_append(&names->text, "/", 1) < 0)
        return -ENOMEM;
    name = (struct slice){ names->text.at + start, names->text.len - start };
    for (size_t i = names->group_count; i-- > 0;) {
        if (!slice_equal(name, (struct slice){ names->text.at + names->group[i].at, names->group[i].len })) continue;
        names->text.len = start;
        *group = (uint32_t)i;
        return 0;
    }
    if (names->group_count == names->group_room) {
        size_t             room = names->group_room * 2 + 16;
        struct name_group *at = realloc(names->group, room * sizeof *at);

        if (!at) return -ENOMEM;
        names->group = at;
        names->group_room = room;
    }
    if (name.len > names->group_most) names->group_most = name.len;
    names->group[names->group_count] = (struct name_group){ .at = start, .len = name.len };
    *group = (uint32_t)names->group_count++;
    return 0;
}

/* Decimal numbers in the order of their digits as text: left-aligned to 20 digits, the shorter first among equals (1,
 * 10, 100).
 * 20 digits need more than 64 bits; 19 hold everything below 10^19, more than SQLite's integers do. */
static struct digit_key digit_key_of(uint64_t number)
{
    struct digit_key key = { number, 1 };

    for (uint64_t rest = number; rest >= 10; rest /= 10) key.digits++;
    for (uint32_t i = key.digits; i < 19; i++) key.key *= 10;
    return key;
}

static bool digit_key_before(const struct digit_key *a, const struct digit_key *b)
{
    return a->key != b->key ? a->key < b->key : a->digits < b->digits;
}

struct group_order { struct slice name; uint32_t group; };

static int groups_compare(const void *left, const void *right)
{
    const struct group_order *a = left, *b = right;

    return slice_compare(a->name, b->name);
}

static int groups_rank(struct graph_names *names)
{
    struct group_order *order = calloc(names->group_count + 1, sizeof *order);

    if (!order) return -ENOMEM;
    for (size_t i = 0; i < names->group_count; i++)
        order[i] = (struct group_order){ { names->text.at + names->group[i].at, names->group[i].len },
                                         (uint32_t)i };
    qsort(order, names->group_count, sizeof *order, groups_compare);
    names->in_order = malloc((names->group_count + 1) * sizeof *names->in_order);
    names->start = calloc(names->group_count + 1, sizeof *names->start);
    for (size_t i = 0; i < names->group_count && names->in_order; i++) {
        names->in_order[i] = order[i].group;
        names->group[order[i].group].rank = (uint32_t)i;
    }
    free(order);
    return names->in_order && names->start ? 0 : -ENOMEM;
}

char *graph_names_put_number(char *at, uint64_t value)
{
    char digits[20], *from = digits + sizeof digits;

    do *--from = (char)('0' + value % 10); while (value /= 10);
    memcpy(at, from, (size_t)(digits + sizeof digits - from));
    return at + (digits + sizeof digits - from);
}

static uint64_t number_of(const struct graph_names *names, uint32_t document)
{
    const struct graph *graph = names->graph;

    return graph->documents ? graph->documents[document].number
        : (graph->document_id(graph->source, document) - 1) % GRAPH_ID_STEP;
}

/* Fills all of groups but start, and group_of: [documents] each one's. */
static int documents_group(struct graph_names *names, uint32_t *group_of)
{
    const struct graph *graph = names->graph;
    uint32_t            dataset = 0;
    struct slice        split = { 0 };                      /* both of the document before */

    for (uint32_t i = 0; i < graph->document_count; i++) {
        struct graph_document        scratch;
        const struct graph_document *document = graph_document_at(graph, i, &scratch);

        if (i && dataset == document->dataset && slice_equal(split, document->split))
            group_of[i] = group_of[i - 1];
        else if (group_find(names, graph->datasets[document->dataset].name, document->split, &group_of[i]) < 0)
            return -ENOMEM;
        dataset = document->dataset;
        split = document->split;
    }
    return groups_rank(names);
}

/* Documents of one group, by number: as many runs as numbers have digits, each in the order of names. */
static void group_merge(const struct graph_names *names, const uint32_t *document, size_t count, uint32_t *out)
{
    struct { size_t at, end; struct digit_key key; } run[NUMBER_DIGITS + 1];
    size_t runs = 0, n = 0;

    for (size_t i = 0; i < count; i++) {
        const struct digit_key key = digit_key_of(number_of(names, document[i]));

        if (runs == 0 || key.digits > run[runs - 1].key.digits) {
            run[runs].at = i;
            run[runs++].key = key;
        }
        run[runs - 1].end = i + 1;
    }
    while (runs) {
        size_t least = 0;

        for (size_t r = 1; r < runs; r++)
            if (digit_key_before(&run[r].key, &run[least].key)) least = r;
        out[n++] = document[run[least].at++];
        if (run[least].at == run[least].end) run[least] = run[--runs];
        else run[least].key = digit_key_of(number_of(names, document[run[least].at]));
    }
}

/* The documents by group, in the groups' order, each group's as they stand. */
static void groups_sort(const struct graph_names *names, const uint32_t *group_of, uint32_t *document)
{
    const size_t    n = names->graph->document_count;
    uint32_t *const start = names->start;

    for (size_t i = 0; i < n; i++) start[names->group[group_of[i]].rank + 1]++;
    for (size_t g = 1; g <= names->group_count; g++) start[g] += start[g - 1];
    for (size_t i = 0; i < n; i++) document[start[names->group[group_of[i]].rank]++] = (uint32_t)i;
    for (size_t g = names->group_count; g > 0; g--) start[g] = start[g - 1];
    start[0] = 0;
}

int graph_names_open(struct graph_names *names, const struct graph *graph)
{
    const size_t n = graph->document_count;

    *names = (struct graph_names){ .graph = graph };
    names->document = malloc((n + 1) * sizeof *names->document);
    names->rank = malloc((n + 1) * sizeof *names->rank);
    /* groups of documents lie where the documents will, and these where ranks will be */
    if (!names->document || !names->rank || documents_group(names, names->document) < 0) return -ENOMEM;
    groups_sort(names, names->document, names->rank);
    for (size_t g = 0, first; g < names->group_count; g++) {
        first = names->start[g];
        group_merge(names, names->rank + first, names->start[g + 1] - first, names->document + first);
    }
    for (size_t r = 0; r < n; r++) names->rank[names->document[r]] = (uint32_t)r;
    return 0;
}

void graph_names_free(struct graph_names *names)
{
    bytes_free(&names->text);
    free(names->group);
    free(names->in_order);
    free(names->start);
    free(names->document);
    free(names->rank);
    *names = (struct graph_names){ 0 };
}

/* The group of a rank. */
static const struct name_group *group_of_rank(const struct graph_names *names, uint32_t rank)
{
    size_t low = 0, high = names->group_count;

    while (high - low > 1) {                                /* start[low] <= rank < start[high] */
        const size_t middle = low + (high - low) / 2;

        if (names->start[middle] <= rank) low = middle;
        else high = middle;
    }
    return &names->group[names->in_order[low]];
}

char *graph_names_put(const struct graph_names *names, char *at, uint32_t rank)
{
    const struct name_group *group = group_of_rank(names, rank);

    memcpy(at, names->text.at + group->at, group->len);
    return graph_names_put_number(at + group->len, number_of(names, names->document[rank]));
}
