/* inclusion/classes.c -- see classes.h. */
#include "inclusion/classes.h"

#include "base/random.h"
#include "clonetype/index.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static bool has(struct slice name, struct slice part)
{
    return memmem(name.at, name.len, part.at, part.len) != NULL;
}

bool class_tells(const struct slice *name, size_t count, struct slice repository)
{
    bool of_it = false, original = false, generated = false;

    for (size_t i = 0; i < count; i++) {
        of_it |= has(name[i], repository);
        original |= has(name[i], SLICE("original"));
        generated |= has(name[i], SLICE("generated"));
    }
    return of_it && original && generated;
}

/* A sample under way. */
struct telling {
    const struct class_member *member;
    size_t                     members;
    size_t                    *dealt;                       /* [count] repositories in random order */
    bool                      *drawn;                       /* [count] */
    uint32_t                  *class;                       /* [members] another one of its class, or itself */
    uint32_t                  *lead;                        /* [members] of each fragment of the index */
    struct slice              *name;                        /* [members] of a class */
    struct item_lines         *lines;                       /* zeros, of the largest function */
};

static uint32_t class_of(uint32_t *class, uint32_t i)
{
    while (class[i] != i) i = class[i] = class[class[i]];
    return i;
}

static void class_join(uint32_t *class, uint32_t a, uint32_t b)
{
    a = class_of(class, a), b = class_of(class, b);
    if (a < b) class[b] = a;
    else class[a] = b;
}

static void sample_draw(struct telling *t, size_t repository, size_t count, uint64_t seed)
{
    struct random random = random_start(seed, repository);

    for (size_t r = 0; r < count; r++) {
        t->dealt[r] = r;
        t->drawn[r] = r == repository;
    }
    random_shuffle(&random, t->dealt, count);
    for (size_t r = 0; r < count / CLASS_SHARE; r++) t->drawn[t->dealt[r]] = true;
}

/* The first of each blind form goes to the index, the others to its class. */
static int leads_add(struct telling *t, struct clonetype_index *index)
{
    for (size_t m = 0; m < t->members; m++) {
        const struct form  *form = &t->member[m].of.form;
        struct fragment_row row = { .record = m, .blind = form->blind, .items = (uint32_t)form->items };
        uint32_t            known;

        t->class[m] = (uint32_t)m;
        if (!t->drawn[t->member[m].repository] || form->items < CLASS_LINES) continue;
        known = table_find(&index->blind, form->blind.low, form->blind.high);
        if (known != TABLE_NONE) class_join(t->class, (uint32_t)m, t->lead[known]);
        else {
            t->lead[index->count] = (uint32_t)m;
            if (clonetype_index_add(index, 0, &row, form->item, t->lines, "") < 0) return -ENOMEM;
        }
    }
    return 0;
}

static int classes_make(struct telling *t, struct err *err)
{
    const struct clonetype_options options = { .type = { [CLONE_TYPE_3] = true }, .unit = FORM_STATEMENTS,
                                               .dissimilarity = SECOND_DISSIMILARITY, .min_lines = CLASS_LINES };
    struct clonetype_index         index = { .options = &options };
    struct clonetype_asker         asker = { .count = 0 };
    int                            rc = 0;

    if (leads_add(t, &index) < 0) rc = err_memory(err, t->members * sizeof *t->lead, "functions");
    if (rc == 0) rc = clonetype_index_finish(&index, err);
    for (uint32_t f = 1; f < index.count && rc == 0; f++) {
        asker.before = f;
        rc = clonetype_ask(&index, &asker, &t->member[t->lead[f]].of.form, err);
        for (size_t i = 0; i < asker.count && rc == 0; i++)
            class_join(t->class, t->lead[f], t->lead[asker.match[i].fragment]);
    }
    clonetype_asker_free(&asker);
    clonetype_index_free(&index);
    return rc;
}

/* Looks at the classes of which a name contains the repository's. */
static bool is_told(struct telling *t, struct slice repository, bool *looked)
{
    bool told = false;

    memset(looked, 0, t->members);
    for (size_t m = 0; m < t->members && !told; m++) {
        const uint32_t class = class_of(t->class, (uint32_t)m);
        size_t         count = 0;

        if (!t->drawn[t->member[m].repository] || looked[class] || !has(t->member[m].name, repository)) continue;
        looked[class] = true;
        for (size_t i = 0; i < t->members; i++)
            if (class_of(t->class, (uint32_t)i) == class) t->name[count++] = t->member[i].name;
        told = class_tells(t->name, count, repository);
    }
    return told;
}

int classes_tell(const struct class_member *member, size_t members, const struct slice *repository, size_t count,
                 uint64_t seed, bool *told, struct err *err)
{
    size_t         most = 1;
    struct telling t = { .member = member, .members = members };
    bool          *looked = malloc(members + 1);
    int            rc = 0;

    for (size_t m = 0; m < members; m++) if (member[m].of.form.items > most) most = member[m].of.form.items;
    t.dealt = malloc((count + 1) * sizeof *t.dealt);
    t.drawn = malloc(count + 1);
    t.class = malloc((members + 1) * sizeof *t.class);
    t.lead = malloc((members + 1) * sizeof *t.lead);
    t.name = malloc((members + 1) * sizeof *t.name);
    t.lines = calloc(most, sizeof *t.lines);
    if (!looked || !t.dealt || !t.drawn || !t.class || !t.lead || !t.name || !t.lines)
        rc = err_memory(err, members * sizeof *t.name, "classes of clones");
    for (size_t r = 0; r < count && rc == 0; r++) {
        sample_draw(&t, r, count, seed);
        rc = classes_make(&t, err);
        if (rc == 0) told[r] = is_told(&t, repository[r], looked);
    }
    free(looked);
    free(t.dealt);
    free(t.drawn);
    free(t.class);
    free(t.lead);
    free(t.name);
    free(t.lines);
    return rc;
}
