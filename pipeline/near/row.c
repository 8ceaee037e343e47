/* near/row.c -- rows of documents and their hashes, shared by the two scanners; and the scanner of the collect stage.
 */
#include "near/stages.h"

#include "view/class.h"

#include <errno.h>
#include <stdlib.h>

int near_row_fill(const struct near_job *job, const struct document *document, struct view_scratch *tokens,
                  struct bytes *scratch,
                  struct part *part, struct near_row *row, struct err *err)
{
    const struct record *record = document->record;

    row->raw = content_hash_raw(record->text);
    row->squeezed = content_hash_squeezed(record->text, scratch);
    if (!scratch->at) return err_memory(err, record->text.len, "a text without its white space");

    row->text = row->tokens = (struct heap_string){ 0, NO_STRING };
    if (part_add_field(part, record, FIELD_ID, &row->source_id) < 0 ||
        part_add_field(part, record, FIELD_PATH, &row->path) < 0 ||
        part_add_field(part, record, FIELD_REPO, &row->repo) < 0 ||
        part_add_licence(part, document, &row->license, &row->license_from) < 0 ||
        part_add_holders(part, document, &row->holders) < 0 ||
        (job->run->store_text && part_add_string(part, record->text, &row->text) < 0))
        return err_memory(err, record->text.len, "a part's strings");
    if (job->run->store_tokens) {
        size_t start = part->section[PART_HEAP].len;

        if (view_tokens_json(tokens, document->language, record, &part->section[PART_HEAP], err) < 0) return err->code;
        row->tokens = (struct heap_string){ (uint32_t)start, (uint32_t)(part->section[PART_HEAP].len - start) };
    }
    return 0;
}

struct collector {
    struct scanner         scanner;                         /* first: what the pass sees */
    const struct near_job *job;
    struct view_scratch   *tokens;
    struct bytes           scratch;
    struct multiset        features;
};

static int collect_document(struct scanner *scanner, const struct document *document, struct part *part,
                            struct err *err)
{
    struct collector   *c = (struct collector *)scanner;
    struct bytes       *values = &part->section[PART_VALUES], *counts = &part->section[PART_COUNTS];
    struct feature_list features = document->features;
    struct content_hash key, copy;
    struct near_row     row = { .record = document->record->number, .total = (uint32_t)features.count,
                                .group = document->group };
    size_t              n;

    if (near_row_fill(c->job, document, c->tokens, &c->scratch, part, &row, err) < 0) return err->code;
    if (multiset_make(&c->features, features, err) < 0) return err->code;
    n = c->features.distinct;
    key = class_hash(c->features.hash, c->features.count, n);
    copy = copy_hash(row.squeezed, document->language);
    row.class_low = key.low;
    row.class_high = key.high;
    row.copy_low = copy.low;
    row.copy_high = copy.high;
    row.sketch = content_sketch(document->record->text);
    row.distinct = (uint32_t)n;
    row.value_at = values->len / sizeof *c->features.hash;
    row.value_count = (uint32_t)n;
    if (n && (bytes_append(values, c->features.hash, n * sizeof *c->features.hash) < 0 ||
              bytes_append(counts, c->features.count, n * sizeof *c->features.count) < 0))
        return err_memory(err, n * 12, "a part's features");
    return bytes_append(&part->section[PART_ROWS], &row, sizeof row) < 0 ? err_memory(err, sizeof row, "a part's rows")
        : 0;
}

static void collect_close(struct scanner *scanner)
{
    struct collector *c = (struct collector *)scanner;

    view_scratch_close(c->tokens);
    bytes_free(&c->scratch);
    multiset_free(&c->features);
    free(c);
}

int collect_open(void *shared, struct scanner **out, struct err *err)
{
    const struct near_job *job = shared;
    struct collector      *c = calloc(1, sizeof *c);

    *out = NULL;
    if (!c) return err_memory(err, sizeof *c, "a scanner");
    c->scanner = (struct scanner){ .document = collect_document, .close = collect_close };
    c->job = job;
    if (job->run->store_tokens && view_scratch_open(&c->tokens, &job->options->view, err) < 0) {
        free(c);
        return err->code;
    }
    *out = &c->scanner;
    return 0;
}
