/* near/classes.c -- see classes.h. */
#include "near/classes.h"

#include "near/links.h"

#include <stdlib.h>

static int members_fill(struct members *out, const struct near_job *job, const struct near_result *result, size_t count,
                        bool copies, struct err *err)
{
    const uint32_t *class_of = copies ? result->copy_of : result->class_of;
    size_t          places = count * MEMBER_ROLES, total = 0;
    uint32_t       *fill;

    out->count = count;
    out->start = calloc(places + 2, sizeof *out->start);
    if (!out->start) return err_memory(err, places * sizeof *out->start, "classes");
    /* counted one place ahead, so that filling leaves the starts */
    fill = out->start + 1;
    for (int pass = 0; pass < 2; pass++) {
        for (uint32_t d = 0; d < result->document_count; d++) {
            size_t place;

            if (class_of[d] == NO_CLASS) continue;
            place = (size_t)class_of[d] * MEMBER_ROLES +
                (copies ? role_of_copy(job, result, d) : role_of_document(job, result, d));
            if (pass) out->member[fill[place]++] = d;
            else fill[place + 1]++, total++;
        }
        if (pass) break;
        for (size_t p = 0; p < places; p++) fill[p + 1] += fill[p];
        out->member = malloc((total + 1) * sizeof *out->member);
        if (!out->member) return err_memory(err, total * sizeof *out->member, "classes");
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

static void components_join(uint32_t *parent, uint32_t a, uint32_t b)
{
    a = root_of(parent, a);
    b = root_of(parent, b);
    if (a < b) parent[b] = a;
    else parent[a] = b;
}

static int components_fill(struct classes *classes, struct err *err)
{
    size_t           count = classes->admitted.count;
    uint32_t        *parent = malloc((count + 1) * sizeof *parent);
    const uint32_t  *unused;
    struct links     links;
    struct near_link link;
    int              rc;

    if (!parent) return err_memory(err, count * sizeof *parent, "components");
    classes->component = parent;
    classes->met = calloc(count + 1, sizeof *classes->met);
    if (!classes->met) return err_memory(err, count, "components");
    for (uint32_t c = 0; c < count; c++) parent[c] = c;
    rc = links_open(&links, classes->result, err);
    for (uint32_t c = 0; c < count && rc == 0; c++) {
        classes->met[c] = members_of(&classes->admitted, c, MEMBER_BENCHMARK, &unused) > 0;
        while (rc == 0 && (rc = links_next(&links, c, &link, err)) > 0) {
            rc = 0;
            if (!(link.marks & NEAR_SIMILAR)) continue;
            classes->met[c] |= members_of(&classes->admitted, link.second, MEMBER_BENCHMARK, &unused) > 0;
            if (c < link.second) components_join(parent, c, link.second);
        }
    }
    links_close(&links);
    for (uint32_t c = 0; c < count && rc == 0; c++) parent[c] = root_of(parent, c);
    return rc;
}

int classes_open(struct classes *out, const struct near_job *job, const struct near_result *result, struct err *err)
{
    int rc;

    *out = (struct classes){ .job = job, .result = result };
    rc = members_fill(&out->admitted, job, result, result->class_count, false, err);
    if (rc == 0) rc = members_fill(&out->copies, job, result, result->copy_class_count, true, err);
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
    free(classes->component);
    free(classes->met);
    *classes = (struct classes){ 0 };
}
