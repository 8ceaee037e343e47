/* clean/subsets.c -- two subsets of a dataset that differ in its duplicates alone.
 *
 * base: of each language the first N documents without duplicates, in the order of a shuffle; leaky: base and all
 * duplicates; non-leaky: base and as many more documents without duplicates, of each language, as it has duplicates
 * (Lopez et al. 2024, leaky and non-leaky pre-training).
 *
 * The shuffle is an order by hash: xxh3-64 with the seed over the document's id_within_dataset (8 bytes, low ones
 * first) and the xxh3-128 of its text (low word, high word).  So it depends on the documents alone, not on shards,
 * ranks or a library's random numbers. */
#include "clean/clean_private.h"

#include "base/log.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

/* ---- what there is ---- */

/* A document of a unit (PART_ROWS). */
struct draw_row { uint64_t record; struct content_hash hash; uint32_t group, spare; };
_Static_assert(sizeof(struct draw_row) == 32, "unit format");

static int drawer_document(struct scanner *scanner, const struct document *document, struct part *part, struct err *err)
{
    const struct draw_row row = { .record = document->record->number, .hash = content_hash_raw(document->record->text),
                                  .group = document->group };

    (void)scanner;
    return bytes_append(&part->section[PART_ROWS], &row, sizeof row) < 0 ? err_memory(err, sizeof row, "a part's rows")
        : 0;
}

static void drawer_close(struct scanner *scanner) { free(scanner); }

static int drawer_open(void *shared, struct scanner **out, struct err *err)
{
    (void)shared;
    *out = calloc(1, sizeof **out);
    if (!*out) return err_memory(err, sizeof **out, "a scanner");
    **out = (struct scanner){ .document = drawer_document, .close = drawer_close };
    return 0;
}

static bool drawer_takes(const void *shared, const struct dataset *dataset)
{
    const struct clean_shards *shards = shared;

    return shards->output->member[dataset - shards->job->run->datasets];
}

static struct pass draw_pass(struct clean_shards *shards)
{
    const struct clean_job *job = shards->job;

    return (struct pass){ .run = job->run, .scanner_count = 1,
                          .scanner = { { .kind = "drawn", .key =
                                         unit_key_add((struct unit_key){ 0, 0 }, job->run->version,
                                                      strlen(job->run->version)),
                                         .needs = PASS_GROUPS, .takes = drawer_takes, .open = drawer_open,
                                             .shared = shards } } };
}

/* ---- which are drawn ---- */

struct drawn { uint64_t key, shard, record; struct content_hash hash; };

/* Of a language: documents without duplicates, the first ones in the shuffle's order, and how many there are. */
struct language { struct slice name; struct drawn *at; size_t count, room; uint64_t alone, duplicates; };

struct drawing {
    struct clean_shards       *leaky, *nonleaky;
    struct clean_choices       duplicates;
    const struct clean_choice *duplicate;
    size_t                     duplicate_count, next;       /* next: the first that is not before the document */
    struct language           *language;
    size_t                     count, room;
    struct pool                pool;
};

static int by_key(const void *a, const void *b)
{
    const struct drawn *x = a, *y = b;

    if (x->key != y->key) return x->key < y->key ? -1 : 1;
    if (x->shard != y->shard) return x->shard < y->shard ? -1 : 1;
    return (x->record > y->record) - (x->record < y->record);
}

static struct language *language_find(struct drawing *d, struct slice name)
{
    struct slice copy;

    for (size_t l = 0; l < d->count; l++)
        if (slice_equal(d->language[l].name, name)) return &d->language[l];
    if (ARRAY_GROW(d->language, d->room, d->count) < 0 ||
        pool_copy(&d->pool, name, &copy) < 0)
        return NULL;
    d->language[d->count] = (struct language){ .name = copy };
    return &d->language[d->count++];
}

static uint64_t shuffle_key(uint64_t seed, uint64_t number, struct content_hash hash)
{
    const uint64_t word[] = { number, hash.low, hash.high };
    unsigned char  text[sizeof word];

    for (size_t i = 0; i < sizeof text; i++) text[i] = (unsigned char)(word[i / 8] >> i % 8 * 8);
    return XXH3_64bits_withSeed(text, sizeof text, seed);
}

/* Only so many can be drawn that what is behind them need not be kept. */
static int document_take(struct drawing *d, const struct part_group *group, const char *heap,
                         const struct draw_row *row, uint32_t shard)
{
    const struct clean_job *job = d->leaky->job;
    const uint64_t          most = d->leaky->output->base + d->duplicate_count;
    struct language        *language = language_find(d,
                                                     (struct slice){ heap + group->language_at, group->language_len });

    if (!language) return -ENOMEM;
    while (d->next < d->duplicate_count && (d->duplicate[d->next].shard < shard ||
                                            (d->duplicate[d->next].shard == shard &&
                                             d->duplicate[d->next].record < row->record)))
        d->next++;
    if (d->next < d->duplicate_count && d->duplicate[d->next].shard == shard &&
        d->duplicate[d->next].record == row->record) {
        language->duplicates++;
        return choices_add(&d->leaky->choices, &d->duplicate[d->next], SLICE("duplicate"),
                           choices_match(&d->duplicates, d->next));
    }
    language->alone++;
    if (language->count >= most && language->count - most > most + 4096) {
        qsort(language->at, language->count, sizeof *language->at, by_key);
        language->count = most;
    }
    if (ARRAY_GROW(language->at, language->room, language->count) < 0) return -ENOMEM;
    language->at[language->count++] =
        (struct drawn){ shuffle_key(d->leaky->output->seed, counts_number(job->counts, shard, row->record), row->hash),
                        shard, row->record,
                                                      row->hash };
    return 0;
}

static int unit_take(struct drawing *d, const struct pass_unit *unit)
{
    int rc = 0;

    for (uint64_t p = 0; p < unit->header->parts && rc == 0; p++) {
        struct slice             rows = pass_unit_section(unit, p, PART_ROWS);
        const struct draw_row   *row = (const void *)rows.at;
        const struct part_group *group = (const void *)pass_unit_section(unit, p, PART_GROUPS).at;

        for (size_t i = 0; i < rows.len / sizeof *row && rc == 0; i++)
            rc = document_take(d, &group[row[i].group], pass_unit_section(unit, p, PART_HEAP).at, &row[i],
                               unit->shard);
    }
    return rc;
}

static int units_read(struct drawing *d, const struct pass *pass, struct err *err)
{
    struct pass_walk walk = pass_walk_all(pass->run, &pass->scanner[0]);
    int              rc;

    while ((rc = pass_walk_next(&walk, err)) > 0)
        if (unit_take(d, &walk.unit) < 0) {
            rc = err_memory(err, sizeof(struct drawn), "documents to draw from");
            break;
        }
    pass_walk_close(&walk);
    return rc;
}

static int drawn_add(struct clean_choices *choices, const struct drawn *drawn, struct slice part)
{
    return choices_add(choices, &(struct clean_choice){ .shard = drawn->shard, .record = drawn->record,
                                                        .hash = drawn->hash }, part, MATCH_NONE);
}

static int language_draw(struct drawing *d, struct language *language, struct err *err)
{
    const struct clean_output *output = d->leaky->output;
    const uint64_t             base = output->base, wanted = base + language->duplicates;
    int                        rc = 0;

    if (language->alone < wanted)
        return err_set(err, -EINVAL, "%.*s: %llu documents have no duplicates, and base (%llu) with as many more as "
                                     "there are duplicates (%llu) needs %llu: a base of at most "
                       "%llu can be drawn", (int)language->name.len, language->name.at,
                           (unsigned long long)language->alone, (unsigned long long)base,
                       (unsigned long long)language->duplicates, (unsigned long long)wanted,
                       (unsigned long long)(language->alone > language->duplicates
                                            ? language->alone - language->duplicates : 0));
    assert(language->count >= wanted);
    qsort(language->at, language->count, sizeof *language->at, by_key);
    for (uint64_t i = 0; i < wanted && rc == 0; i++) {
        if (i < base) rc = drawn_add(&d->leaky->choices, &language->at[i], SLICE("base"));
        if (rc == 0)
            rc = drawn_add(&d->nonleaky->choices, &language->at[i], i < base ? SLICE("base") : SLICE("replacement"));
    }
    if (rc < 0) return err_memory(err, wanted * sizeof(struct clean_choice), "what is drawn");
    log_info("subsets: name=%s language=%.*s base=%llu duplicates=%llu alone=%llu", output->name,
             (int)language->name.len, language->name.at, (unsigned long long)base,
             (unsigned long long)language->duplicates, (unsigned long long)language->alone);
    return 0;
}

/* A choice with its reason, while they are put in order. */
struct ordered { struct clean_choice choice; struct slice why, match; };

static int by_place(const void *a, const void *b)
{
    const struct clean_choice *x = &((const struct ordered *)a)->choice, *y = &((const struct ordered *)b)->choice;

    if (x->shard != y->shard) return x->shard < y->shard ? -1 : 1;
    return (x->record > y->record) - (x->record < y->record);
}

static int choices_sort(struct clean_choices *choices, struct err *err)
{
    const struct clean_choice *choice = (const void *)choices->choice.at;
    const size_t               count = choices->choice.len / sizeof *choice;
    struct ordered            *order = malloc((count + 1) * sizeof *order);
    struct clean_choices       sorted = { 0 };
    int                        rc = order ? 0 : -ENOMEM;

    for (size_t i = 0; i < count && rc == 0; i++)
        order[i] = (struct ordered){ choice[i], choices_why(choices, i), choices_match(choices, i) };
    if (rc == 0) qsort(order, count, sizeof *order, by_place);
    for (size_t i = 0; i < count && rc == 0; i++)
        rc = choices_add(&sorted, &order[i].choice, order[i].why, order[i].match);
    free(order);
    choices_free(choices);
    *choices = sorted;
    return rc < 0 ? err_memory(err, count * sizeof *order, "what is drawn") : 0;
}

static int draw(struct drawing *d, const struct pass *pass, struct err *err)
{
    struct clean_shards duplicates = { .job = d->leaky->job, .output = d->leaky->output };
    int                 rc = decide_duplicates(&duplicates, err);

    d->duplicates = duplicates.choices;
    d->duplicate = (const void *)d->duplicates.choice.at;
    d->duplicate_count = d->duplicates.choice.len / sizeof *d->duplicate;
    if (rc == 0) rc = units_read(d, pass, err);
    for (size_t l = 0; l < d->count && rc == 0; l++) rc = language_draw(d, &d->language[l], err);
    if (rc == 0) rc = choices_sort(&d->leaky->choices, err);
    if (rc == 0) rc = choices_sort(&d->nonleaky->choices, err);
    assert(rc < 0 || d->leaky->choices.choice.len == d->nonleaky->choices.choice.len);
    for (size_t l = 0; l < d->count; l++) free(d->language[l].at);
    free(d->language);
    choices_free(&d->duplicates);
    pool_free(&d->pool);
    return rc;
}

int subsets_draw(struct clean_shards *leaky, struct clean_shards *nonleaky, struct err *err)
{
    const struct clean_job *job = leaky->job;
    struct drawing          drawing = { .leaky = leaky, .nonleaky = nonleaky };
    struct pass             pass = draw_pass(leaky);
    int                     rc = pass_stream(&pass, job->run->shards->count, err);

    if (rc == 0 && comm_rank(job->run->comm) == 0) rc = draw(&drawing, &pass, err);
    return comm_agree(job->run->comm, rc, err);
}
