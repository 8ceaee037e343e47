/* corpus/cleaned_files.c -- which shards are written to which file: small ones together.
 *
 * A corpus of thousands of small files would become as many, half of them empty; tools that read them pay for each. */
#include "corpus/cleaned.h"

#include <errno.h>
#include <stdlib.h>

/* Whether shard s can go where the one before it went, with `bytes` in it already. */
static bool joins(const struct shard_list *shards, size_t s, uint64_t bytes, uint64_t size)
{
    const struct shard *before = &shards->at[s - 1], *shard = &shards->at[s];

    return before->dataset == shard->dataset && before->split == shard->split && bytes < size &&
        shard->bytes < size && shard->bytes <= size - bytes;
}

int cleaned_files_make(struct cleaned_files *out, const struct shard_list *shards, const struct dataset *datasets,
                       const bool *takes_part, uint64_t size, struct err *err)
{
    const size_t room = shards->count + 1;
    uint64_t     bytes = 0;

    *out = (struct cleaned_files){ .at = calloc(room, sizeof *out->at), .of = calloc(room, sizeof *out->of),
                                   .waits = calloc(room, sizeof *out->waits) };
    if (!out->at || !out->of || !out->waits)
        return err_memory(err, room * (sizeof *out->at + 8), "names of cleaned shards");
    for (size_t s = 0; s < shards->count; s++) {
        out->of[s] = CLEANED_NONE;
        if (!takes_part[shards->at[s].dataset]) continue;
        if (s && out->of[s - 1] != CLEANED_NONE && joins(shards, s, bytes, size)) bytes += shards->at[s].bytes;
        else {
            out->at[out->count++] = (struct cleaned_file){ .first = s };
            bytes = shards->at[s].bytes;
        }
        out->of[s] = (uint32_t)(out->count - 1);
        out->at[out->count - 1].count++;
        out->waits[out->count - 1]++;
    }
    return cleaned_names(shards, datasets, out->at, out->count, err);
}

void cleaned_files_free(struct cleaned_files *files)
{
    for (size_t f = 0; f < files->count; f++) free(files->at[f].name);
    free(files->at);
    free(files->of);
    free(files->waits);
    *files = (struct cleaned_files){ 0 };
}

bool cleaned_files_done(struct cleaned_files *files, size_t shard)
{
    return __atomic_sub_fetch(&files->waits[files->of[shard]], 1, __ATOMIC_ACQ_REL) == 0;
}
