/* near/classes.c -- see classes.h. */
#include "near/classes.h"

#include "near/links.h"

#include <errno.h>
#include <stdlib.h>

size_t members_from(const struct members *m, size_t at, size_t end, enum member_role role)
{
    enum { FEW = 8 };

    while (end - at > FEW) {
        const size_t middle = at + (end - at) / 2;

        if (member_role_at(m, middle) < role) at = middle + 1;
        else end = middle;
    }
    while (at < end && member_role_at(m, at) < role) at++;
    return at;
}

static void members_free(struct members *members)
{
    free(members->member);
    free(members->roles);
    ranked_free(&members->begin);
    *members = (struct members){ 0 };
}

/* Where classes of these documents begin; fill, [count] zeros, has the place of each class's first member then. */
static int members_start(struct members *out, const uint32_t *class_of, size_t documents, uint32_t *fill)
{
    size_t total = 0;
    int    rc;

    for (size_t d = 0; d < documents; d++)
        if (class_of[d] != NO_CLASS) fill[class_of[d]]++, total++;
    if ((rc = ranked_open(&out->begin, total + out->count + 1)) < 0) return rc;
    total = 0;
    for (size_t c = 0; c < out->count; c++) {
        const uint32_t members = fill[c];

        ranked_add(&out->begin, total + c);
        fill[c] = (uint32_t)total;
        total += members;
    }
    ranked_add(&out->begin, total + out->count);
    out->member = malloc((total + 1) * sizeof *out->member);
    out->roles = calloc(total / MEMBERS_OF_A_WORD + 1, sizeof *out->roles);
    return out->member && out->roles ? ranked_end(&out->begin) : -ENOMEM;
}

static int members_fill(struct members *out, const struct near_job *job, const struct near_result *result, size_t count,
                        bool copies, struct err *err)
{
    const uint32_t *class_of = copies ? result->copy_of : result->class_of;
    uint32_t       *fill = calloc(count + 1, sizeof *fill);
    int             rc;

    out->count = count;
    rc = fill ? members_start(out, class_of, result->document_count, fill) : -ENOMEM;
    for (int role = 0; role < MEMBER_ROLES && rc == 0; role++)
        for (uint32_t d = 0; d < result->document_count; d++) {
            size_t at;

            if (class_of[d] == NO_CLASS ||
                (int)(copies ? role_of_copy(job, result, d) : role_of_document(job, result, d)) != role) continue;
            at = fill[class_of[d]]++;
            out->member[at] = d;
            out->roles[at / MEMBERS_OF_A_WORD] |= (uint64_t)role << 2 * (at % MEMBERS_OF_A_WORD);
        }
    free(fill);
    if (rc == -EOVERFLOW) return err_set(err, rc, "%zu classes of documents are more than one run can hold", count);
    return rc < 0 ? err_memory(err, result->document_count * sizeof *out->member, "classes") : 0;
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
    members_free(&classes->admitted);
    members_free(&classes->copies);
    free(classes->component);
    free(classes->met);
    *classes = (struct classes){ 0 };
}
