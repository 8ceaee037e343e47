/* tests/fuzz/fuzz_json.c -- JSON lines from anywhere: parse, look at what was found, and hold the levels against each
 * other.
 *
 * The first byte picks the policy for bad UTF-8 and whether the fields on demand are wanted; the rest are the lines. */
#include "corpus/json_record.h"
#include "corpus/record.h"
#include "base/utf8.h"
#include "kernels/kernels.h"

#include <stdint.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Our own mistake: the fuzzer keeps the input. */
static void require(bool holds)
{
    if (!holds) abort();
}

/* Several at once are the same tokens as one by one, and end alike. */
static void require_tokens(const struct record *record)
{
    struct bytes scratch[2] = { { 0 }, { 0 } };
    struct slice many[RECORD_TOKENS], one = { 0 };
    size_t       at = 0, one_at = 0;
    int          count, rc = 0;

    while ((count = record_next_tokens(record, &at, &scratch[0], many)) > 0) {
        require(count <= RECORD_TOKENS);
        for (int i = 0; i < count; i++) {
            rc = record_next_token(record, &one_at, &scratch[1], &one);
            require(rc == 1 && slice_equal(many[i], one));
        }
        require(at == one_at);
    }
    rc = record_next_token(record, &one_at, &scratch[1], &one);
    require(rc == count);
    for (size_t i = 0; i < 2; i++) bytes_free(&scratch[i]);
}

/* Everything that the batch has to say, appended to *said. */
static void read_batch(const struct dataset *dataset, uint32_t want_fields, const uint8_t *data, size_t size,
                       struct bytes *said)
{
    struct batch  batch = { .dataset = dataset, .kind = BATCH_JSON_LINES, .want_fields = want_fields };
    struct bytes  out = { 0 };
    struct record record;
    struct err    err = { 0 };

    field_map_set(&batch.fields, dataset);
    require(bytes_append(&batch.raw, data, size) == 0);
    while (batch_next(&batch, &record, &err) > 0) {
        struct slice token;
        size_t       at = 0;

        if (dataset->utf8 != UTF8_KEEP) require(utf8_valid_length(record.text) == record.text.len);
        require(bytes_append_slice(said, record.text) == 0);
        for (enum field f = 0; f < FIELD_COUNT; f++) {
            struct slice raw = record.raw[f];

            require(!raw.at || (raw.at >= batch.raw.at && raw.at + raw.len <= batch.raw.at + batch.raw.len));
            record_field(&record, f, said);
        }
        while (record_next_token(&record, &at, &out, &token) > 0) require(bytes_append_slice(said, token) == 0);
        require_tokens(&record);
    }
    require(batch.next_at == batch.raw.len);
    for (size_t i = 0; i < batch.rejects.count; i++) {
        const struct reject *reject = &batch.rejects.at[i];

        require(reject->byte <= size && reject->record < batch.next_record);
        require(bytes_printf(said, "%llu %llu %s", (unsigned long long)reject->record, (unsigned long long)reject->byte,
                             reject->detail) == 0);
    }
    bytes_free(&out);
    batch_free(&batch);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static char          text[] = "doc.text", id[] = "doc.meta.id";
    const struct dataset named = { .fields = { [FIELD_TEXT] = text, [FIELD_ID] = id } };
    struct bytes         first = { 0 };

    if (!size) return 0;
    for (const struct kernels *const *level = kernels_all; *level; level++) {
        struct dataset dataset = data[0] & 4 ? named : (struct dataset){ 0 };
        struct bytes   said = { 0 };

        if ((*level)->need & ~kernels_cpu()) continue;
        kernels = *level;
        dataset.utf8 = (enum utf8_policy)((data[0] & 3) % 3);
        read_batch(&dataset, data[0] & 8 ? 1u << FIELD_TOKENS | 1u << FIELD_STARS | 1u << FIELD_DATE : 0, data + 1,
                   size - 1, &said);
        if (!first.at) {
            first = said;
            continue;
        }
        require(first.len == said.len && (said.len == 0 || !memcmp(first.at, said.at, said.len)));
        bytes_free(&said);
    }
    bytes_free(&first);
    return 0;
}
