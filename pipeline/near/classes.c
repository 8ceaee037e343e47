/* near/classes.c -- see classes.h. */
#include "near/classes.h"

#include <stdlib.h>

static int members_fill(struct members *out, const struct near_job *job, const struct near_result *result, size_t count,
                        bool copies, struct err *err)
{
    size_t    places = count * MEMBER_ROLES, total = 0;
    uint64_t *fill;

    out->count = count;
    out->start = calloc(places + 2, sizeof *out->start);
    if (!out->start) return err_memory(err, places * 8, "classes");
    /* counted one place ahead, so that filling leaves the starts */
    fill = out->start + 1;
    for (int pass = 0; pass < 2; pass++) {
        for (size_t d = 0; d < result->document_count; d++) {
            const struct near_document *document = &result->document[d];
            uint32_t c = copies ? document->copy_class : document->class_id;
            size_t   place;

            if (c == NO_CLASS) continue;
            place = (size_t)c * MEMBER_ROLES + (copies ? role_of_copy(job, document) : role_of_document(job, document));
            if (pass) out->member[fill[place]++] = (uint32_t)d;
            else fill[place + 1]++, total++;
        }
        if (pass) break;
        for (size_t p = 0; p < places; p++) fill[p + 1] += fill[p];
        out->member = malloc((total + 1) * sizeof *out->member);
        if (!out->member) return err_memory(err, total * sizeof *out->member, "classes");
    }
    return 0;
}

static int neighbours_fill(struct classes *classes, struct err *err)
{
    const struct near_result *result = classes->result;
    size_t    count = classes->admitted.count;
    uint64_t *fill;

    classes->neighbour_start = calloc(count + 2, sizeof *classes->neighbour_start);
    classes->neighbour = malloc((2 * result->link_count + 1) * sizeof *classes->neighbour);
    if (!classes->neighbour_start || !classes->neighbour) return err_memory(err, result->link_count * 24, "neighbours");
    fill = classes->neighbour_start + 1;
    for (size_t l = 0; l < result->link_count; l++) {
        fill[result->link[l].first + 1]++;
        fill[result->link[l].second + 1]++;
    }
    for (size_t c = 0; c < count; c++) fill[c + 1] += fill[c];
    for (size_t l = 0; l < result->link_count; l++) {
        uint32_t a = result->link[l].first, b = result->link[l].second;

        classes->neighbour[fill[a]++] = (struct neighbour){ b, (uint32_t)l, false };
        classes->neighbour[fill[b]++] = (struct neighbour){ a, (uint32_t)l, true };
    }
    return 0;
}

/* The smallest class of c's component, shortening the way there. */
static uint32_t root_of(uint32_t *parent, uint32_t c)
{
    while (parent[c] != c) {
        parent[c] = parent[parent[c]];
        c = parent[c];
    }
    return c;
}

static int components_fill(struct classes *classes, struct err *err)
{
    size_t    count = classes->admitted.count;
    uint32_t *parent = malloc((count + 1) * sizeof *parent);

    if (!parent) return err_memory(err, count * sizeof *parent, "components");
    classes->component = parent;
    classes->met = calloc(count + 1, sizeof *classes->met);
    if (!classes->met) return err_memory(err, count, "components");
    for (uint32_t c = 0; c < count; c++) parent[c] = c;
    for (size_t l = 0; l < classes->result->link_count; l++) {
        const struct near_link *link = &classes->result->link[l];
        uint32_t                a, b;

        if (!(link->marks & NEAR_SIMILAR)) continue;
        a = root_of(parent, link->first);
        b = root_of(parent, link->second);
        if (a < b) parent[b] = a;
        else parent[a] = b;
    }
    for (uint32_t c = 0; c < count; c++) {
        const uint32_t *benchmark;

        parent[c] = root_of(parent, c);
        classes->met[c] = members_of(&classes->admitted, c, MEMBER_BENCHMARK, &benchmark) > 0;
        for (uint64_t n = classes->neighbour_start[c]; n < classes->neighbour_start[c + 1]; n++)
            if (classes->result->link[classes->neighbour[n].link].marks & NEAR_SIMILAR)
                classes->met[c] |= members_of(&classes->admitted, classes->neighbour[n].class_id, MEMBER_BENCHMARK,
                                              &benchmark) > 0;
    }
    return 0;
}

int classes_open(struct classes *out, const struct near_job *job, const struct near_result *result, struct err *err)
{
    int rc;

    *out = (struct classes){ .job = job, .result = result };
    rc = members_fill(&out->admitted, job, result, result->class_count, false, err);
    if (rc == 0) rc = members_fill(&out->copies, job, result, result->copy_class_count, true, err);
    if (rc == 0) rc = neighbours_fill(out, err);
    if (rc == 0) rc = components_fill(out, err);
    if (rc < 0) classes_free(out);
    return rc;
}

void classes_free(struct classes *classes)
{
    free(classes->admitted.start);
    free(classes->admitted.member);
    free(classes->copies.start);
    free(classes->copies.member);
    free(classes->neighbour_start);
    free(classes->neighbour);
    free(classes->component);
    free(classes->met);
    *classes = (struct classes){ 0 };
}
