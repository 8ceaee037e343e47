/* portrait/file.c -- a portrait opened, measured and asked. */
#include "portrait/private.h"

#include "base/file.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { BLOCK_BITS = 8 * PORTRAIT_BLOCK, PORTRAIT_ORDER = 0x01020304 };
static const char portrait_magic[8] = "LKGPORT";

/* ---- the head ---- */

static uint64_t pages_of(uint64_t bytes) { return (bytes + PORTRAIT_BLOCK - 1) / PORTRAIT_BLOCK; }

uint64_t portrait_head_bytes(const struct portrait_head *head)
{
    return PORTRAIT_BLOCK * pages_of(sizeof *head + head->shards * sizeof(struct portrait_shard) + head->names_bytes);
}

uint64_t portrait_head_hash(const void *at, uint64_t bytes)
{
    struct portrait_head head;
    XXH3_state_t         state;

    memcpy(&head, at, sizeof head);
    head.head_xxh3 = 0;
    XXH3_64bits_reset(&state);
    XXH3_64bits_update(&state, &head, sizeof head);
    XXH3_64bits_update(&state, (const char *)at + sizeof head, (size_t)bytes - sizeof head);
    return XXH3_64bits_digest(&state);
}

void portrait_head_begin(struct portrait_head *head)
{
    memcpy(head->magic, portrait_magic, sizeof portrait_magic);
    head->version = PORTRAIT_VERSION;
    head->order = PORTRAIT_ORDER;
}

/* Can these be the counts of a filter?  A rate that is no number is none either. */
static bool counts_hold(const struct portrait_head *head)
{
    return head->set_bits <= head->blocks * BLOCK_BITS && head->probes > 0 && head->probe_hits <= head->probes &&
        head->computed >= 0 && head->computed <= 1;
}

/* No number is used, and nothing of the file pointed to, before it is known to fit the file. */
static int head_check(struct portrait *p, const char *path, struct err *err)
{
    const struct portrait_head *head = &p->head;
    uint64_t                    blocks = p->bytes / PORTRAIT_BLOCK, insertions = 0, documents = 0;

    if (memcmp(head->magic, portrait_magic, sizeof portrait_magic) != 0)
        return err_set(err, -EBADMSG, "%s: byte 0: not a portrait", path);
    if (head->order != PORTRAIT_ORDER)
        return err_set(err, -EBADMSG, "%s: byte 12: written on a machine of the other byte order", path);
    if (head->version != PORTRAIT_VERSION)
        return err_set(err, -EBADMSG, "%s: byte 8: format version %u, this program reads %d", path, head->version,
                       PORTRAIT_VERSION);
    if (head->kind >= PORTRAIT_KINDS || !head->width || head->width > PORTRAIT_WIDTH_MAX || !head->stride ||
        head->stride > head->width || !head->hashes ||
        head->hashes > PORTRAIT_HASHES_MAX ||
            (head->width > 1 && (head->kind == PORTRAIT_LINES || head->kind == PORTRAIT_CONTENT)))
        return err_set(err, -EBADMSG, "%s: byte 16: no scheme of this program", path);
    if (!head->blocks || head->blocks >= blocks || head->shards > p->bytes / sizeof *p->shard ||
        head->names_bytes > p->bytes ||
        portrait_head_bytes(head) + head->blocks * PORTRAIT_BLOCK != p->bytes)
        return err_set(err, -EBADMSG, "%s: byte 32: the head says another size than the %zu bytes that the file has",
                       path, p->bytes);
    if (portrait_head_hash(p->map, portrait_head_bytes(head)) != head->head_xxh3)
        return err_set(err, -EBADMSG, "%s: byte 0: the checksum of the head does not fit: the file is damaged, make "
                                      "the portrait again", path);
    if (!counts_hold(head))
        return err_set(err, -EBADMSG, "%s: byte %zu: counts that no filter has", path,
                       offsetof(struct portrait_head, set_bits));
    p->shard = (const struct portrait_shard *)((const char *)p->map + sizeof *head);
    p->names = (const char *)(p->shard + head->shards);
    p->bits = (const unsigned char *)p->map + portrait_head_bytes(head);
    for (uint64_t s = 0; s < head->shards; s++) {
        const struct portrait_shard *shard = &p->shard[s];

        if (__builtin_add_overflow(insertions, shard->insertions, &insertions) ||
            __builtin_add_overflow(documents, shard->documents, &documents))
            return err_set(err, -EBADMSG, "%s: byte %zu: the counts of shard %llu", path,
                           sizeof *head + (size_t)s * sizeof *shard, (unsigned long long)s);
        if (shard->dataset_at > head->names_bytes || shard->dataset_len > head->names_bytes - shard->dataset_at ||
            shard->name_at > head->names_bytes ||
            shard->name_len > head->names_bytes - shard->name_at)
            return err_set(err, -EBADMSG, "%s: byte %zu: shard %llu has its name elsewhere", path,
                           sizeof *head + (size_t)s * sizeof *shard, (unsigned long long)s);
    }
    if (insertions != head->insertions || documents != head->documents)
        return err_set(err, -EBADMSG, "%s: byte %zu: not the sum of what the shards have", path,
                       offsetof(struct portrait_head, insertions));
    if (XXH3_64bits(p->bits, (size_t)(head->blocks * PORTRAIT_BLOCK)) != head->bits_xxh3)
        return err_set(err, -EBADMSG, "%s: byte %llu: the checksum of the filter does not fit: the file is damaged, "
                                      "make the portrait again", path,
                       (unsigned long long)portrait_head_bytes(head));
    return 0;
}

int portrait_open(struct portrait *out, const char *path, struct err *err)
{
    struct stat is;
    int         fd, rc = 0;

    *out = (struct portrait){ 0 };
    fd = file_open(path, O_RDONLY);
    if (fd < 0) return err_set(err, errno == ENOENT ? -ENOENT : -EIO, "%s: %s", path, strerror(errno));
    if (fstat(fd, &is) < 0) rc = err_set(err, -EIO, "%s: %s", path, strerror(errno));
    else if (!S_ISREG(is.st_mode)) rc = err_set(err, -EIO, "%s: is not a regular file", path);
    else if (is.st_size < (off_t)sizeof out->head || is.st_size % PORTRAIT_BLOCK)
        rc = err_set(err, -EBADMSG, "%s: byte %lld: not a portrait, or cut off", path, (long long)is.st_size);
    if (rc == 0) {
        out->bytes = (size_t)is.st_size;
        out->map = mmap(NULL, out->bytes, PROT_READ, MAP_SHARED, fd, 0);
        if (out->map == MAP_FAILED) {
            out->map = NULL;
            rc = err_set(err, errno == ENOMEM ? -ENOMEM : -EIO, "%s: cannot map: %s", path, strerror(errno));
        }
    }
    close(fd);
    if (rc < 0) return rc;
    memcpy(&out->head, out->map, sizeof out->head);
    rc = head_check(out, path, err);
    if (rc < 0) portrait_close(out);
    return rc;
}

void portrait_close(struct portrait *portrait)
{
    if (portrait->map) munmap(portrait->map, portrait->bytes);
    *portrait = (struct portrait){ 0 };
}

bool portrait_is_file(const char *path)
{
    char    magic[sizeof portrait_magic];
    int     fd = file_open(path, O_RDONLY | O_NONBLOCK);
    ssize_t got = fd < 0 ? -1 : file_read(fd, magic, sizeof magic);

    if (fd >= 0) close(fd);
    return got == (ssize_t)sizeof magic && memcmp(magic, portrait_magic, sizeof magic) == 0;
}

/* ---- size and rate ---- */

/* With k = log2(1/fp) hashes, n keys want n k / -ln(1 - fp^(1/k)) bits.  Blocks are not filled alike: their load has a
 * relative variance of v = 1/(keys a block), which raises the mean rate by exp(v ln(fp)^2 / 2), so the rate that is
 * aimed at is lower by that. */
void portrait_shape(const struct portrait_options *options, uint64_t insertions, uint64_t *blocks, uint32_t *hashes)
{
    double n = insertions ? (double)insertions : 1, bits, k;

    if (options->size) {
        *blocks = options->size / PORTRAIT_BLOCK + !(options->size / PORTRAIT_BLOCK);
        k = round((double)*blocks * BLOCK_BITS / n * log(2));
        *hashes = k < 1 ? 1 : k > PORTRAIT_HASHES_MAX ? PORTRAIT_HASHES_MAX : (uint32_t)k;
        return;
    }
    {
        double fp = (double)options->fp.num / options->fp.den, slope = log(fp);

        k = round(-log2(fp));
        *hashes = k < 1 ? 1 : k > PORTRAIT_HASHES_MAX ? PORTRAIT_HASHES_MAX : (uint32_t)k;
        bits = -(double)*hashes / log1p(-pow(fp, 1.0 / *hashes));
        fp *= exp(-slope * slope * bits / BLOCK_BITS / 2);
        bits = -(double)*hashes / log1p(-pow(fp, 1.0 / *hashes));
        *blocks = (uint64_t)ceil(n * bits / BLOCK_BITS);
    }
}

enum { PROBES_LEAST = 1 << 16, PROBES_MOST = 1 << 22, PROBE_HITS = 10000, PROBES_AT_ONCE = 256 };

/* How many of `count` keys, from number `first` on, the filter has.  It is larger than any cache, so two bits of every
 * key are fetched before they are asked for, then two more of those that have both. */
static uint64_t probe(const struct portrait_head *head, const unsigned char *bits, uint64_t first, size_t count)
{
    struct { const unsigned char *block; uint64_t key, drawn; uint32_t bit[2]; } at[PROBES_AT_ONCE];

    /* splitmix64; the inner mixing keeps it apart from how bits are drawn */
    for (size_t i = 0; i < count; i++) {
        at[i].key = portrait_mix(portrait_mix((first + i + 1) * 0x9e3779b97f4a7c15u) ^ 0x6c65616b67726170u);
        at[i].block = bits + portrait_block(at[i].key, head->blocks) * PORTRAIT_BLOCK;
    }
    for (uint32_t hash = 0; hash < head->hashes && count > 0; hash += 2) {
        size_t left = 0;

        for (size_t i = 0; i < count; i++) {
            for (uint32_t h = 0; h < 2; h++) {
                at[i].bit[h] = hash + h < head->hashes ? portrait_bit(at[i].key, hash + h, &at[i].drawn) : at[i].bit[0];
                __builtin_prefetch(at[i].block + at[i].bit[h] / 8);
            }
        }
        for (size_t i = 0; i < count; i++) {
            unsigned both =
                at[i].block[at[i].bit[0] / 8] >> at[i].bit[0] % 8 &
                at[i].block[at[i].bit[1] / 8] >> at[i].bit[1] % 8 & 1;

            at[left] = at[i];
            left += both;
        }
        count = left;
    }
    return count;
}

void portrait_measure(struct portrait_head *head, const unsigned char *bits)
{
    double sum = 0;

    head->set_bits = head->probe_hits = 0;
    for (uint64_t b = 0; b < head->blocks; b++) {
        const unsigned char *block = bits + b * PORTRAIT_BLOCK;
        uint64_t             set = 0, word;
        double               fill, rate = 1;

        for (size_t i = 0; i < PORTRAIT_BLOCK; i += sizeof word) {
            memcpy(&word, block + i, sizeof word);
            set += (uint64_t)__builtin_popcountll(word);
        }
        fill = (double)set / BLOCK_BITS;
        for (uint32_t i = 0; i < head->hashes; i++) rate *= fill;
        sum += rate;
        head->set_bits += set;
    }
    head->computed = sum / (double)head->blocks;
    head->probes = head->computed * PROBES_MOST <= PROBE_HITS ? PROBES_MOST : (uint64_t)(PROBE_HITS / head->computed);
    if (head->probes < PROBES_LEAST) head->probes = PROBES_LEAST;
    for (uint64_t i = 0; i < head->probes; i += PROBES_AT_ONCE)
        head->probe_hits += probe(head, bits, i, head->probes - i < PROBES_AT_ONCE ? (size_t)(head->probes - i)
                                  : PROBES_AT_ONCE);
    head->bits_xxh3 = XXH3_64bits(bits, (size_t)(head->blocks * PORTRAIT_BLOCK));
}

/* ---- looking up ---- */

static uint64_t line_of(struct slice text, uint64_t at)
{
    uint64_t line = 1;

    for (uint64_t i = 0; i < at; i++) line += text.at[i] == '\n';
    return line;
}

int portrait_look_up(const struct portrait *portrait, struct slice text, struct portrait_pieces *pieces,
                     struct portrait_found *out, struct err *err)
{
    const struct portrait_head  *head = &portrait->head;
    const struct portrait_scheme scheme = { head->kind, head->width, head->stride };
    uint64_t                     from = 0, last = 0;        /* first and last piece of the span at hand */
    bool                         open = false;

    *out = (struct portrait_found){ 0 };
    if (portrait_cut(&scheme, text, true, pieces, err) < 0) return err->code;
    out->pieces = pieces->count;
    out->units = pieces->count ? pieces->count + scheme.width - 1 : 0;
    for (size_t i = 0; i < pieces->count; i++) {            /* piece i has units i to i + width - 1 */
        if (!portrait_has(portrait->bits, head->blocks, head->hashes, pieces->at[i].key)) continue;
        if (!open || i - last > scheme.width) {
            from = i;
            out->covered += scheme.width;
        } else out->covered += i - last;
        last = i;
        open = true;
        out->found++;
        if (i - from + scheme.width <= out->longest) continue;
        out->longest = i - from + scheme.width;
        out->at = pieces->at[from].at;
        out->end = pieces->at[i].end;
    }
    if (head->kind == PORTRAIT_CONTENT) {                   /* two pieces of one text */
        out->exact = portrait_has(portrait->bits, head->blocks, head->hashes, pieces->at[0].key);
        out->squeezed = portrait_has(portrait->bits, head->blocks, head->hashes, pieces->at[1].key);
        out->units = 1;
        out->covered = out->longest = out->found > 0;
    }
    if (out->longest) out->line = line_of(text, out->at);
    return 0;
}
