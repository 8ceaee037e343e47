/* function/filter.c -- see filter.h.
 *
 * 1. Opening   2. A document   3. Classes in a document   4. Classes around a place
 *
 * A document is divided into at most 64 blocks of as many features, and of each feature that the index knows the blocks
 * that have it are bits of a word.  So where windows may begin that have enough of a class is a few operations a
 * feature of the class, for all of the document at once; only there is counted, place by place. */
#include "function/filter.h"

#include "base/bits.h"

#include <stdlib.h>

/* Features of a block, at least; steps for each feature of a document, after which it is told in functions whatever is
 * in it: a text may be made so that a large class is looked for around each of its places; features that a class may
 * lack for its blocks to be looked at. */
enum { BLOCKS = 64, BLOCK_LEAST = 16, STEPS_MOST = 256, LACKING_MOST = 32 };

/* A rank in the class under way: which one, how often it has the feature, how often the window does. */
struct mark { uint32_t class_place, wanted, found; };

/* A class: different features that a similar function shares and those that one shares that contains it, occurrences
 * that the former shares, and features that it has at most.  In the document: blocks in which windows begin that may
 * have so many; which one was asked last for those, and for what is contained. */
struct need { uint64_t blocks; uint32_t document, contain_document, different, inside, occurrences, width; };

/* Beside each posting: the rarest other features of its class, and how many of its features may be lacking. */
enum { OTHERS = 3 };
struct others { uint32_t rank[OTHERS], spare; };

struct function_filter {
    const struct near_index   *index;
    struct ratio               set, multiset, inside;       /* that a pair must reach at least */
    /* bitmaps by rank: features of prefixes, either kind; those worth looking around, zero between documents */
    uint64_t                  *prefix, *contain, *open;
    uint64_t                  *blocks, *around;             /* [features] of those that are present; that are open */
    struct mark               *mark;                        /* [features] by rank */
    struct need               *need;                        /* [classes] */
    struct others             *others;                      /* [postings] */
    uint32_t                   document, class_place;
    const struct known        *known;                       /* of the document */
    unsigned                   block_shift;                 /* features of a block: 1 << block_shift */
    bool                       has_blocks;
    uint64_t                   steps;
};

/* ---- 1. Opening ---- */

/* The smaller one; what is off is none. */
static struct ratio lower(struct ratio a, struct ratio b)
{
    return !b.den || (uint64_t)a.num * b.den <= (uint64_t)b.num * a.den ? a : b;
}

static uint32_t at_least_one(uint64_t need) { return need ? (uint32_t)need : 1; }

static void needs_fill(struct function_filter *f)
{
    const struct near_index *index = f->index;

    for (uint32_t c = 0; c < index->classes; c++) {
        const uint64_t size = index->class_start[c + 1] - index->class_start[c], total = index->class_total[c];
        const uint64_t width = f->multiset.num ? ratio_share(total, f->multiset.den, f->multiset.num) : UINT32_MAX;

        f->need[c] = (struct need){
            .different = at_least_one(ratio_ceil(f->set, size)),
            .inside = f->inside.den ? at_least_one(ratio_ceil(f->inside, size)) : 0,
            .occurrences = (uint32_t)ratio_ceil(f->multiset, total),
            .width = width < UINT32_MAX ? (uint32_t)width : UINT32_MAX };
    }
}

static void others_fill(struct function_filter *f)
{
    const struct near_index *index = f->index;

    for (uint32_t r = 0; r < index->features; r++) {
        if (index->posting_start[r + 1] > index->posting_start[r]) bits_set(f->prefix, r);
        if (index->contain_start[r + 1] > index->contain_start[r]) bits_set(f->contain, r);
        for (uint64_t p = index->posting_start[r]; p < index->posting_start[r + 1]; p++) {
            const uint32_t  c = index->posting[p].class_id;
            const uint32_t *rank = index->class_rank + index->class_start[c];
            struct others  *others = &f->others[p];

            others->spare = index->posting[p].size - f->need[c].different;
            for (uint32_t i = 0, n = 0; n < OTHERS; i++)    /* a class without so many has its own feature there */
                if (i >= index->posting[p].size || rank[i] != r)
                    others->rank[n++] = i < index->posting[p].size ? rank[i] : r;
        }
    }
}

int function_filter_open(struct function_filter **out, const struct near_index *index,
                         const struct near_options *options, struct err *err)
{
    struct function_filter *f = calloc(1, sizeof *f);
    const size_t            features = index->features + 1ull, words = features / 64 + 1;

    *out = NULL;
    if (!f) return err_memory(err, sizeof *f, "a scanner");
    f->index = index;
    f->set = lower(options->set_threshold, options->report_floor);
    f->multiset = lower(options->multiset_threshold, options->report_floor);
    f->inside = options->containment_threshold;
    f->prefix = calloc(3 * words, sizeof *f->prefix);
    f->blocks = malloc(2 * features * sizeof *f->blocks);
    f->mark = calloc(features, sizeof *f->mark);
    f->need = malloc((index->classes + 1ull) * sizeof *f->need);
    f->others = malloc(((index->features ? index->posting_start[index->features] : 0) + 1) * sizeof *f->others);
    if (!f->prefix || !f->blocks || !f->mark || !f->need || !f->others) {
        function_filter_close(f);
        return err_memory(err, features * 3 * sizeof *f->blocks, "a scanner");
    }
    f->contain = f->prefix + words;
    f->open = f->contain + words;
    f->around = f->blocks + features;
    needs_fill(f);
    others_fill(f);
    *out = f;
    return 0;
}

void function_filter_close(struct function_filter *f)
{
    if (!f) return;
    free(f->prefix);
    free(f->blocks);
    free(f->mark);
    free(f->need);
    free(f->others);
    free(f);
}

/* ---- 2. A document ---- */

static void document_begin(struct function_filter *f, const struct known *known)
{
    f->known = known;
    f->steps = 0;
    f->has_blocks = false;
    f->block_shift = 0;
    while (1u << f->block_shift < BLOCK_LEAST || (size_t)BLOCKS << f->block_shift < known->count) f->block_shift++;
    if (++f->document) return;
    for (uint32_t c = 0; c < f->index->classes; c++) f->need[c].document = f->need[c].contain_document = 0;
    f->document = 1;
}

static void document_end(struct function_filter *f)
{
    for (size_t i = 0; i < f->known->distinct; i++) f->open[f->known->different[i] >> 6] = 0;
}

/* Finds the blocks that have each of the document's features: when the first class asks, as most documents lack too
 * many of every class. */
static void blocks_find(struct function_filter *f)
{
    const struct known *known = f->known;

    if (f->has_blocks) return;
    f->has_blocks = true;
    for (size_t i = 0; i < known->distinct; i++) f->blocks[known->different[i]] = 0;
    for (size_t i = 0; i < known->placed; i++)
        f->blocks[known->rank[known->place[i]]] |= 1ull << (known->place[i] >> f->block_shift);
}

/* ---- 3. Classes in a document ---- */

static uint32_t class_size(const struct near_index *index, uint32_t c)
{
    return (uint32_t)(index->class_start[c + 1] - index->class_start[c]);
}

/* Does the document lack no more than `spare` of these? */
static bool has_enough(struct function_filter *f, const uint32_t *rank, uint32_t size, uint32_t spare)
{
    uint32_t lacking = 0, i;

    if (f->known->distinct + (size_t)spare < size) return false;
    for (i = 0; i < size && lacking <= spare; i++) lacking += !known_has(f->known, rank[i]);
    f->steps += i;
    return lacking <= spare;
}

/* May a function contain a class whose prefix has the feature?  The document must have enough of it, which is asked of
 * a class once. */
static bool may_contain(struct function_filter *f, uint32_t rank)
{
    const struct near_index *index = f->index;

    for (uint64_t p = index->contain_start[rank]; p < index->contain_start[rank + 1]; p++) {
        const struct posting *posting = &index->contain[p];
        const uint32_t        c = posting->class_id;

        if (f->need[c].contain_document == f->document) continue;
        f->need[c].contain_document = f->document;
        if (has_enough(f, index->class_rank + index->class_start[c], posting->size, posting->size -
                       f->need[c].inside)) return true;
    }
    f->steps += index->contain_start[rank + 1] - index->contain_start[rank];
    return false;
}

/* Blocks that a window of so many features may reach into beside the one in which it begins. */
static unsigned blocks_reached(const struct function_filter *f, uint32_t width)
{
    const uint64_t reach = width ? ((width - 1ull) >> f->block_shift) + 1 : 0;

    return reach < BLOCKS ? (unsigned)reach : BLOCKS - 1;
}

/* Of each bit also the `reach` ones below it, or above it. */
static uint64_t smeared(uint64_t bits, unsigned reach, bool up)
{
    uint64_t out = bits;

    for (unsigned i = 0; i < reach; i++) out |= bits = up ? bits << 1 : bits >> 1;
    return out;
}

/* Blocks in which windows of the class's width begin that may have enough of its different features. */
static uint64_t class_blocks(struct function_filter *f, uint32_t c)
{
    const uint32_t *rank = f->index->class_rank + f->index->class_start[c];
    const uint32_t  size = class_size(f->index, c), spare = size - f->need[c].different;
    const unsigned  reach = blocks_reached(f, f->need[c].width);
    uint64_t        lack[LACKING_MOST] = { 0 };             /* [n] windows that lack more than n features */

    if (!has_enough(f, rank, size, spare)) return 0;
    if (spare >= LACKING_MOST) return UINT64_MAX;
    blocks_find(f);
    for (uint32_t i = 0; i < size && ~lack[spare]; i++) {
        const uint64_t lacks = known_has(f->known, rank[i]) ? ~smeared(f->blocks[rank[i]], reach, false) : UINT64_MAX;

        for (uint32_t n = spare; n > 0; n--) lack[n] |= lack[n - 1] & lacks;
        lack[0] |= lacks;
    }
    f->steps += size;
    return ~lack[spare];
}

/* Does the document lack too many of the class already?  Most do, and nothing but the postings is read. */
static bool lacks_others(const struct function_filter *f, const struct others *others)
{
    uint32_t lacking = 0;

    for (size_t i = 0; i < OTHERS; i++) lacking += !known_has(f->known, others->rank[i]);
    return lacking > others->spare;
}

/* Finds the blocks with places of the feature that are worth looking around. */
static uint64_t around_find(struct function_filter *f, uint32_t rank)
{
    const struct near_index *index = f->index;
    uint64_t                 blocks = 0;

    for (uint64_t p = index->posting_start[rank]; p < index->posting_start[rank + 1]; p++) {
        const uint32_t c = index->posting[p].class_id;
        struct need   *need = &f->need[c];

        if (lacks_others(f, &f->others[p])) continue;
        if (need->document != f->document) {
            need->blocks = class_blocks(f, c);
            need->document = f->document;
        }
        if (need->blocks) blocks |= smeared(need->blocks, blocks_reached(f, need->width), true);
    }
    f->steps += index->posting_start[rank + 1] - index->posting_start[rank];
    return blocks;
}

/* ---- 4. Classes around a place ---- */

static void class_begin(struct function_filter *f, uint32_t c)
{
    const uint64_t start = f->index->class_start[c];

    if (++f->class_place == 0) {
        for (uint32_t r = 0; r < f->index->features; r++) f->mark[r].class_place = 0;
        f->class_place = 1;
    }
    for (uint32_t i = 0; i < class_size(f->index, c); i++) {
        struct mark *mark = &f->mark[f->index->class_rank[start + i]];

        *mark = (struct mark){ f->class_place, f->index->class_times[start + i], 0 };
    }
    f->steps += class_size(f->index, c);
}

/* The class's features, different ones and occurrences, that a window has. */
struct held { uint64_t different, occurrences; };

static struct mark *wanted_at(struct function_filter *f, size_t at)
{
    const uint32_t rank = f->known->rank[at];
    struct mark   *mark = rank == DICTIONARY_NONE ? NULL : &f->mark[rank];

    return mark && mark->class_place == f->class_place ? mark : NULL;
}

static void window_take(struct function_filter *f, size_t at, struct held *held)
{
    struct mark *mark = wanted_at(f, at);

    if (!mark) return;
    held->different += mark->found == 0;
    held->occurrences += mark->found++ < mark->wanted;
}

static void window_leave(struct function_filter *f, size_t at, struct held *held)
{
    struct mark *mark = wanted_at(f, at);

    if (!mark) return;
    held->different -= --mark->found == 0;
    held->occurrences -= mark->found < mark->wanted;
}

/* Has one of the windows with the place in it what a function like the class needs? */
static bool class_is_around(struct function_filter *f, uint32_t c, size_t at)
{
    const struct need *need = &f->need[c];
    const size_t       count = f->known->count, width = need->width < count ? need->width : count;
    const size_t       from = at + 1 > width ? at + 1 - width : 0, to = count - at > width ? at + width : count;
    struct held        held = { 0, 0 };

    class_begin(f, c);
    for (size_t i = from; i < to; i++) {
        if (i >= from + width) window_leave(f, i - width, &held);
        window_take(f, i, &held);
        if (held.different >= need->different && held.occurrences >= need->occurrences) {
            f->steps += i + 1 - from;
            return true;
        }
    }
    f->steps += to - from;
    return false;
}

/* May a function around the place be like a class whose prefix has the feature there? */
static bool may_be_like(struct function_filter *f, size_t at)
{
    const struct near_index *index = f->index;
    const uint32_t           rank = f->known->rank[at];
    const uint64_t           block = 1ull << (at >> f->block_shift);

    for (uint64_t p = index->posting_start[rank]; p < index->posting_start[rank + 1]; p++) {
        const uint32_t     c = index->posting[p].class_id;
        const struct need *need = &f->need[c];

        if (need->document == f->document && need->blocks &&
            smeared(need->blocks, blocks_reached(f, need->width), true) & block &&
            class_is_around(f, c, at)) return true;
    }
    f->steps += index->posting_start[rank + 1] - index->posting_start[rank];
    return false;
}

/* Is one of the document's features worth looking around, or is more to be found out than is worth it?  Of the former
 * the bits in open are set. */
static bool any_open(struct function_filter *f, bool *may)
{
    bool any = false;

    for (size_t i = 0; i < f->known->distinct && !*may; i++) {
        const uint32_t rank = f->known->different[i];

        if (bits_has(f->contain, rank)) *may = may_contain(f, rank);
        if (!bits_has(f->prefix, rank) || *may) continue;
        f->around[rank] = around_find(f, rank);
        if (!f->around[rank]) continue;
        bits_set(f->open, rank);
        any = true;
    }
    return any;
}

bool function_filter_may(struct function_filter *f, struct known *known)
{
    bool may = false;

    if (!known) return false;
    known_rank(known);
    if (!known->distinct) return false;
    document_begin(f, known);
    if (any_open(f, &may))
        for (size_t i = 0; i < known->placed && !may; i++) {
            const size_t   at = known->place[i];
            const uint32_t rank = known->rank[at];

            if (bits_has(f->open, rank) && f->around[rank] >> (at >> f->block_shift) & 1) may = may_be_like(f, at);
            may |= f->steps / STEPS_MOST > known->count;
        }
    document_end(f);
    return may;
}
