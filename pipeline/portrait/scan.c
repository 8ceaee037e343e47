/* portrait/scan.c -- the pass of a portrait: keys of every shard in units, and the list of them. */
#include "portrait/private.h"

#include <errno.h>
#include <stdlib.h>

/* ---- the scanner ---- */

struct cutter {
    struct scanner               scanner;                   /* first: what the pass sees */
    const struct portrait_scheme *scheme;
    struct portrait_pieces       pieces;
    uint64_t                    *spare;                     /* [room], as count */
    uint32_t                    *count;
    size_t                       room;
};

static int cutter_document(struct scanner *scanner, const struct document *document, struct part *part, struct err *err)
{
    struct cutter *cutter = (struct cutter *)scanner;
    struct bytes  *keys = &part->section[PART_VALUES];
    uint64_t      *key;

    if (portrait_cut(cutter->scheme, document->record->text, false, &cutter->pieces, err) < 0) return err->code;
    if (bytes_reserve(keys, keys->len + cutter->pieces.count * sizeof *key) < 0)
        return err_memory(err, keys->len, "a part's keys");
    key = (uint64_t *)(void *)(keys->at + keys->len);
    for (size_t i = 0; i < cutter->pieces.count; i++) key[i] = cutter->pieces.at[i].key;
    keys->len += cutter->pieces.count * sizeof *key;
    return 0;
}

/* Sorted, so that whoever fills a range of blocks finds the keys of it; and what repeats within a part is kept once. */
static int cutter_end(struct scanner *scanner, struct part *part, struct err *err)
{
    struct cutter *cutter = (struct cutter *)scanner;
    struct bytes  *keys = &part->section[PART_VALUES];
    size_t         count = keys->len / sizeof(uint64_t);

    if (count > cutter->room) {
        free(cutter->spare);
        free(cutter->count);
        cutter->spare = malloc(2 * count * sizeof *cutter->spare);
        cutter->count = malloc(2 * count * sizeof *cutter->count);
        cutter->room = cutter->spare && cutter->count ? 2 * count : 0;
        if (!cutter->room) return err_memory(err, 24 * count, "a part's keys");
    }
    if (count)
        keys->len = sizeof(uint64_t) * view_multiset((uint64_t *)(void *)keys->at, cutter->count, count, cutter->spare);
    return 0;
}

static void cutter_close(struct scanner *scanner)
{
    struct cutter *cutter = (struct cutter *)scanner;

    portrait_pieces_free(&cutter->pieces);
    free(cutter->spare);
    free(cutter->count);
    free(cutter);
}

static int cutter_open(void *shared, struct scanner **out, struct err *err)
{
    const struct portrait_job *job = shared;
    struct cutter             *cutter = calloc(1, sizeof *cutter);

    if (!cutter) return err_memory(err, sizeof *cutter, "a scanner");
    cutter->scanner = (struct scanner){ .document = cutter_document, .end = cutter_end, .close = cutter_close };
    cutter->scheme = &job->options->scheme;
    *out = &cutter->scanner;
    return 0;
}

static bool takes_member(const void *shared, const struct dataset *dataset)
{
    const struct portrait_job *job = shared;

    return job->member[dataset - job->run->datasets];
}

struct pass_scanner portrait_scanner(const struct portrait_job *job)
{
    struct unit_key key = unit_key_add((struct unit_key){ 0, 0 }, job->run->version, strlen(job->run->version));

    return (struct pass_scanner){ .kind = "portrait",
                                  .key = unit_key_add(key, &job->options->scheme, sizeof job->options->scheme),
                                      .needs = PASS_GROUPS,
                                  .takes = takes_member, .open = cutter_open, .shared = (void *)(uintptr_t)job };
}

/* ---- the list ---- */

static int unit_add(struct portrait_content *content, uint32_t shard, uint64_t number, struct err *err)
{
    if ((content->unit_count & (content->unit_count - 1)) == 0) {
        size_t           room = content->unit_count ? 2 * content->unit_count : 1;
        struct key_unit *grown = realloc(content->unit, room * sizeof *grown);

        if (!grown) return err_memory(err, room * sizeof *grown, "the list of units");
        content->unit = grown;
    }
    content->unit[content->unit_count++] = (struct key_unit){ .shard = shard, .number = number };
    return 0;
}

static int name_add(struct portrait_content *content, const char *name, uint32_t *at, uint32_t *len)
{
    *at = (uint32_t)content->names.len;
    *len = (uint32_t)strlen(name);
    return content->names.len + *len > UINT32_MAX ? -ENOMEM : bytes_append(&content->names, name, *len);
}

/* The units of a shard, their heads alone being looked at. */
static int list_shard(const struct portrait_job *job, const struct pass_scanner *scanner, uint32_t s,
                      struct portrait_content *content, struct err *err)
{
    const struct shard    *shard = &job->run->shards->at[s];
    struct portrait_shard *row = &content->shard[content->shard_count++];
    struct pass_walk       walk = pass_walk_shard(job->run, scanner, s);
    uint64_t               number = 0;
    int                    rc;

    *row = (struct portrait_shard){ .bytes = shard->bytes };
    walk.heads = true;
    for (; (rc = pass_walk_next(&walk, err)) > 0; number = walk.number) {
        const struct unit_header *header = walk.unit.header;

        for (uint64_t p = 0; p < header->parts; p++)
            row->insertions += pass_unit_section(&walk.unit, p, PART_VALUES).len / sizeof(uint64_t);
        row->documents += header->documents;
        row->xxh3 = header->xxh3;
        content->text_bytes += header->text_bytes;
        if ((rc = unit_add(content, s, number, err)) < 0) break;
    }
    pass_walk_close(&walk);
    if (rc < 0) return rc;
    content->documents += row->documents;
    content->insertions += row->insertions;
    if (name_add(content, job->run->datasets[shard->dataset].name, &row->dataset_at, &row->dataset_len) < 0 ||
        name_add(content, shard->name, &row->name_at, &row->name_len) < 0) return err_memory(err, content->names.len,
                "the names of shards");
    return 0;
}

/* ---- each shard once ---- */

/* A shard of the base, or of this run when base is NULL. */
struct seen { uint64_t xxh3; const struct portrait *base; const struct portrait_shard *shard; };

static int seen_order(const void *a, const void *b)
{
    const struct seen *x = a, *y = b;

    if (x->xxh3 != y->xxh3) return x->xxh3 < y->xxh3 ? -1 : 1;
    return x->base != y->base ? (x->base ? -1 : 1) : (x->shard > y->shard) - (x->shard < y->shard);
}

enum { SEEN_NAME = 100 };                                   /* bytes of a name in a message */

static struct slice seen_name(const struct seen *seen, const struct portrait_content *content)
{
    const char *names = seen->base ? seen->base->names : content->names.at;

    return (struct slice){ names + seen->shard->name_at, seen->shard->name_len < SEEN_NAME ? seen->shard->name_len
                           : SEEN_NAME };
}

/* What is in a filter cannot be counted again, so its size and rate would be wrong.  Shards without documents add
 * nothing. */
static int check_twice(const struct portrait_content *content, const struct portrait *base, struct err *err)
{
    size_t       of_base = base->map ? (size_t)base->head.shards : 0, count = 0;
    struct seen *seen = malloc((of_base + content->shard_count + 1) * sizeof *seen);
    int          rc = 0;

    if (!seen) return err_memory(err, (of_base + content->shard_count) * sizeof *seen, "the shards of a portrait");
    for (size_t s = 0; s < of_base; s++)
        if (base->shard[s].documents) seen[count++] = (struct seen){ base->shard[s].xxh3, base, &base->shard[s] };
    for (size_t s = 0; s < content->shard_count; s++)
        if (content->shard[s].documents)
            seen[count++] = (struct seen){ content->shard[s].xxh3, NULL, &content->shard[s] };
    qsort(seen, count, sizeof *seen, seen_order);
    for (size_t s = 1; s < count && rc == 0; s++) {
        struct slice name = seen_name(&seen[s], content), before = seen_name(&seen[s - 1], content);

        if (seen[s].xxh3 != seen[s - 1].xxh3) continue;
        rc = err_set(err, -EINVAL, "portrait: shard %.*s has the content of %.*s, which is %s already (xxh3 %016llx); "
                                   "leave one of them out",
                     (int)name.len, name.at, (int)before.len, before.at, seen[s - 1].base
                         ? "in the portrait that is extended" : "among the shards",
                     (unsigned long long)seen[s].xxh3);
    }
    free(seen);
    return rc;
}

int portrait_list(const struct portrait_job *job, const struct portrait *base, struct portrait_content *out,
                  struct err *err)
{
    const struct pass_scanner scanner = portrait_scanner(job);
    int                       rc = 0;

    *out = (struct portrait_content){ 0 };
    out->shard = calloc(job->run->shards->count + 1, sizeof *out->shard);
    if (!out->shard) return err_memory(err, job->run->shards->count * sizeof *out->shard, "the shards of a portrait");
    for (size_t s = 0; s < job->run->shards->count && rc == 0; s++)
        if (job->member[job->run->shards->at[s].dataset]) rc = list_shard(job, &scanner, (uint32_t)s, out, err);
    if (rc == 0 && base->head.names_bytes + out->names.len > UINT32_MAX)
        rc = err_set(err, -EINVAL, "portrait: the names of its shards take more than 4 GB with those of the portrait "
                                   "that is extended");
    return rc < 0 ? rc : check_twice(out, base, err);
}

void portrait_content_free(struct portrait_content *content)
{
    free(content->unit);
    free(content->shard);
    bytes_free(&content->names);
    *content = (struct portrait_content){ 0 };
}
