/* dedup/links.c -- the links of blocks, as committed: see state.h. */
#include "dedup/state.h"

#include <errno.h>
#include <stdlib.h>

struct unit_key links_key(const struct dedup_state *s, uint32_t block)
{
    const struct generation *g = s->generation + s->generations - 1;

    while (block < g->first_block) g--;
    return unit_key_add(unit_key_add(g->key, "links", 5), &block, sizeof block);
}

int links_load(const struct dedup_state *s, uint32_t block, struct links *out, struct err *err)
{
    uint64_t from = block_first(s, block), to = block_first(s, block + 1);
    int      rc;

    *out = (struct links){ 0 };
    rc = stage_load(s->job->run->stage, "links", links_key(s, block), &out->file, err);
    if (rc <= 0) return rc;
    if (out->file.count != 3 ||
        out->file.section[0].len / sizeof *out->link != out->file.section[1].len / sizeof *out->id ||
            out->file.section[2].len != 8) {
        unit_close(&out->file);
        return err_set(err, -EBADMSG, "%s: a unit of links does not have the expected layout; remove the work folder "
                                      "with --clean", stage_dir(s->job->run->stage));
    }
    out->link = (const struct dedup_link *)out->file.section[0].at;
    out->id = (const struct link_ids *)out->file.section[1].at;
    out->count = out->file.section[0].len / sizeof *out->link;
    memcpy(&out->candidates, out->file.section[2].at, sizeof out->candidates);
    for (size_t i = 0; i < out->count; i++) {               /* whoever damages a file can also mend its checksum */
        const struct link_ids *id = &out->id[i];

        if (id->worse >= from && id->worse < to && id->better < id->worse && (!i || id[-1].worse <= id->worse))
            continue;
        unit_close(&out->file);
        return err_set(err, -EBADMSG, "%s: a unit of links does not fit together; remove the work folder with --clean",
                       stage_dir(s->job->run->stage));
    }
    return 1;
}

/* ---- of all own blocks ---- */

int own_links_open(const struct dedup_state *s, struct own_links *out, struct err *err)
{
    int rc = 1;

    *out = (struct own_links){ .first_block = shuffle_first(s->blocks, s->ranks, s->rank) };
    out->blocks = shuffle_first(s->blocks, s->ranks, s->rank + 1) - out->first_block;
    out->block = calloc((size_t)out->blocks + 1, sizeof *out->block);
    if (!out->block) return err_memory(err, out->blocks * sizeof *out->block, "links");
    for (uint32_t b = 0; b < out->blocks && rc > 0; b++) {
        rc = links_load(s, out->first_block + b, &out->block[b], err);
        if (rc > 0) unit_forget(&out->block[b].file);
    }
    if (rc == 0)
        rc = err_set(err, -EIO, "%s: links have disappeared or are damaged; the same command again makes them anew",
                     stage_dir(s->job->run->stage));
    return rc < 0 ? rc : 0;
}

void own_links_close(struct own_links *links)
{
    for (uint32_t b = 0; links->block && b < links->blocks; b++) unit_close(&links->block[b].file);
    free(links->block);
    *links = (struct own_links){ 0 };
}

void own_links_forget(const struct own_links *links)
{
    for (uint32_t b = 0; b < links->blocks; b++) unit_forget(&links->block[b].file);
}

static int ids_order(const void *a, const void *b)
{
    const struct link_ids *x = a, *y = b;

    if (x->worse != y->worse) return x->worse < y->worse ? -1 : 1;
    return (x->better > y->better) - (x->better < y->better);
}

const struct dedup_link *own_links_find(const struct dedup_state *s, const struct own_links *links,
                                        struct link_ids ids)
{
    const struct links    *of = &links->block[block_of(s, ids.worse) - links->first_block];
    const struct link_ids *found = of->count ? bsearch(&ids, of->id, of->count, sizeof *of->id, ids_order) : NULL;

    return found ? of->link + (found - of->id) : NULL;
}
