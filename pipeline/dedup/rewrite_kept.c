/* dedup/rewrite_kept.c -- what a list says of the document that stays for a removed one.
 *
 * It may lie in any unit.  The removed documents of a unit are taken in the order of those that stay, so that a unit of
 * these is mapped once for each unit of the list, and no more than two are at a time. */
#include "dedup/rewrite.h"

#include "base/sort.h"
#include "corpus/cleaned.h"

#include <stdlib.h>

/* A unit may be asked for by several threads, as that of a list and as that of what stays. */
int rewrite_columns(const struct rewrite *rewrite, size_t u, struct column_unit *out, struct err *err)
{
    bool verified;
    int  rc;

#pragma omp atomic read
    verified = rewrite->verified[u];
    rc = columns_load(rewrite->job, rewrite->catalogue, u, verified, out, err);
    if (rc < 0 || verified) return rc;
#pragma omp atomic write
    rewrite->verified[u] = true;
    return 0;
}

/* A document's row and its strings. */
struct placed { const struct dedup_row *row; const char *heap; };

static struct placed place(const struct column_unit *unit, uint64_t i)
{
    struct placed out;

    out.row = columns_row(unit, i, &out.heap);
    return out;
}

static bool is_copy(const struct placed *gone, const struct placed *stays)
{
    return gone->row->raw.low == stays->row->raw.low && gone->row->raw.high == stays->row->raw.high;
}

/* The words of edges.kind, and `indirect` where the two are no pair. */
static const char *kind_of(const struct dedup_fate *fate, const struct placed *gone, const struct placed *stays)
{
    if (is_copy(gone, stays)) return gone->row->admitted ? "exact" : "copy";
    return fate->kin == DEDUP_INDIRECT ? "indirect" : fate->kin == DEDUP_CONTAINED ? "contained" : "near";
}

/* The Jaccard index of the distinct features. */
static double similarity_of(const struct dedup_fate *fate, const struct placed *gone, const struct placed *stays)
{
    return is_copy(gone, stays) || !fate->union_size ? 1 : (double)fate->shared / fate->union_size;
}

static int append_kept(const struct rewrite *rewrite, uint32_t shard, const struct dedup_fate *fate,
                       const struct placed *gone, const struct placed *stays, struct bytes *out)
{
    struct heap_string path = stays->row->path;
    int                rc = cleaned_value(out, slice_of(rewrite->job->run->shards->at[shard].name));

    if (rc == 0) rc = bytes_printf(out, "\t%llu\t", (unsigned long long)stays->row->record);
    if (rc == 0 && path.len != NO_STRING) rc = cleaned_value(out, (struct slice){ stays->heap + path.at, path.len });
    return rc < 0 ? rc : bytes_printf(out, "\t%s\t%.6f", kind_of(fate, gone, stays),
                                      similarity_of(fate, gone, stays));
}

/* The removed documents by the one that stays; *count of them. */
static int sort_removed(const struct fate_unit *fates, struct sort_item **out, size_t *count, struct err *err)
{
    struct sort_item *item = malloc((fates->count + 1) * sizeof *item),
        *spare = malloc((fates->count + 1) * sizeof *spare);

    *count = 0;
    *out = item;
    for (size_t i = 0; i < fates->count && item; i++)
        if (fates->fate[i].removed) item[(*count)++] = (struct sort_item){ fates->fate[i].canonical, i };
    if (item && spare) sort_items(item, spare, *count);
    free(spare);
    return item && spare ? 0 : err_memory(err, fates->count * 2 * sizeof *item, "a list");
}

int rewrite_kept(const struct rewrite *rewrite, size_t u, const struct column_unit *columns,
                 const struct fate_unit *fates, struct bytes *text, struct slice *kept, struct err *err)
{
    const struct catalogue *catalogue = rewrite->catalogue;
    struct column_unit      other = { 0 };
    struct sort_item       *item = NULL;
    size_t                  count = 0, open = u;            /* open: the unit in `other`; u: none */
    int                     rc = sort_removed(fates, &item, &count, err);

    for (size_t i = 0; i < count && rc == 0; i++) {
        size_t                        home = catalogue_find(catalogue, item[i].key), from = text->len;
        const struct catalogue_unit  *unit = &catalogue->unit[home];
        const struct dedup_fate      *fate = &fates->fate[item[i].value];
        struct placed                 gone = place(columns, item[i].value), stays;

        if (home != u && home != open) {
            columns_close(&other);
            open = u;
            rc = rewrite_columns(rewrite, home, &other, err);
            if (rc < 0) break;
            open = home;
        }
        stays = place(home == u ? columns : &other, item[i].key - unit->first);
        if (append_kept(rewrite, unit->shard, fate, &gone, &stays, text) < 0) rc = err_memory(err, text->len, "a list");
        /* the text may move while it grows: places now, pointers at the end */
        kept[item[i].value] = (struct slice){ (const char *)(uintptr_t)from, text->len - from };
    }
    for (size_t i = 0; i < count && rc == 0; i++)
        kept[item[i].value].at = text->at + (uintptr_t)kept[item[i].value].at;
    columns_close(&other);
    free(item);
    return rc;
}
