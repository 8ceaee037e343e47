/* Writes the pieces of a shard's texts, a document a line, for the peers of `make bench` that train on text.
 *
 *   pieces SHARD > TEXT */
#include "corpus/source.h"
#include "lm/lm.h"
#include "tests/bench/words.h"

#include <stdlib.h>
#include <sys/stat.h>

static void put_document(struct slice text)
{
    fputs("<s>", stdout);
    for (size_t at = 0, len; at < text.len; at += len) {
        len = lm_piece(text.at + at, text.len - at);
        put_word(stdout, (struct slice){ text.at + at, len });
    }
    fputs(" </s>\n", stdout);
}

static int put_batch(struct batch *batch, struct err *err)
{
    struct record record;
    int           rc;

    while ((rc = batch_next(batch, &record, err)) > 0) put_document(record.text);
    return rc;
}

int main(int argc, char **argv)
{
    struct dataset dataset = { .name = (char[]){ "bench" }, .language = (char[]){ "text" } };
    struct shard   shard = { .path = argv[argc - 1], .name = argv[argc - 1] };
    struct batch   batch = { 0 };
    struct source *source = NULL;
    struct stat    info;
    struct err     err = { 0 };
    int            rc;

    if (argc != 2) {
        fprintf(stderr, "usage: pieces SHARD > TEXT\n");
        return 2;
    }
    if (stat(shard.path, &info) == 0) shard.bytes = (uint64_t)info.st_size;
    rc = source_open(&source, &dataset, &shard, &err);
    while (rc >= 0 && (rc = source_next(source, &batch, &err)) > 0) rc = put_batch(&batch, &err);
    batch_free(&batch);
    source_close(source);
    if (rc == 0 && fflush(stdout) == 0 && !ferror(stdout)) return 0;
    fprintf(stderr, "pieces: %s\n", rc < 0 ? err.text : "cannot write");
    return 1;
}
