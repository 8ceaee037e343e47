/* passage/items.c -- the scanner of benchmarks: the different runs of each item, as they come. */
#include "passage/passage.h"

#include "base/table.h"

#include <stdlib.h>

struct collector {
    struct scanner            scanner;                      /* first: what the pass sees */
    const struct near_options *options;
    struct table              seen, features;
};

/* Different features of an item that is looked for: x, y, x, y has many runs and says little. */
static size_t least_features(uint32_t n) { return n > 1 ? n + 1 : 1; }

static int collect_document(struct scanner *scanner, const struct document *document, struct part *part,
                            struct err *err)
{
    struct collector          *c = (struct collector *)scanner;
    const struct feature_list  features = document->features;
    const uint32_t             n = c->options->passage_run;
    const uint64_t             power = passage_power(n);
    struct bytes              *values = &part->section[PART_VALUES];
    const size_t               start = values->len;
    struct passage_item        item = { .record = document->record->number, .language = document->language->seed,
                                        .value_at = start / sizeof(uint64_t), .features = (uint32_t)features.count };
    uint64_t                   sum = 0;

    table_clear(&c->seen);
    table_clear(&c->features);
    for (size_t i = 0; i < features.count; i++) {
        uint64_t key;
        bool     added;

        if (table_put(&c->features, features.hash[i], 0, 0, &added) == TABLE_NONE)
            return err_memory(err, c->features.count * 32, "an item's features");
        sum = sum * PASSAGE_BASE + features.hash[i] - (i >= n ? features.hash[i - n] * power : 0);
        if (i + 1 < n) continue;
        key = passage_key(sum);
        if (table_put(&c->seen, key, 0, 0, &added) == TABLE_NONE ||
            (added && bytes_append(values, &key, sizeof key) < 0)) return err_memory(err, values->len, "an item's "
                "runs");
        item.runs += added;
    }
    if (c->features.count < least_features(n)) item.runs = 0;
    if (item.runs < c->options->passage_least) values->len = start;
    return bytes_append(&part->section[PART_ROWS], &item, sizeof item) < 0 ? err_memory(err, sizeof item, "a part's "
        "items")
        : 0;
}

static void collect_close(struct scanner *scanner)
{
    struct collector *c = (struct collector *)scanner;

    table_free(&c->seen);
    table_free(&c->features);
    free(c);
}

static int items_open(void *shared, struct scanner **out, struct err *err)
{
    const struct passage_job *job = shared;
    struct collector         *c = calloc(1, sizeof *c);

    *out = NULL;
    if (!c) return err_memory(err, sizeof *c, "a scanner");
    c->scanner = (struct scanner){ .document = collect_document, .close = collect_close };
    c->options = job->near->options;
    *out = &c->scanner;
    return 0;
}

struct pass_scanner passage_collector(const struct passage_job *job)
{
    enum { UNIT_FORMAT = 1 };
    const uint32_t      number[] = { UNIT_FORMAT, job->near->options->passage_run, job->near->options->passage_least };
    struct pass_scanner scanner = near_collector(job->near);

    scanner.kind = "passage_items";
    scanner.key = unit_key_add(scanner.key, number, sizeof number);
    scanner.takes = pass_takes_benchmarks;
    scanner.open = items_open;
    scanner.shared = (void *)(uintptr_t)job;
    return scanner;
}
