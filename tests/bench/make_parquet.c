/* Writes the texts and paths of a shard as one Parquet file, so many times one after the other: the very large file of
 * `make bench`, in the row groups that `export` writes.
 *
 *   make_parquet TIMES SHARD FILE */
#include "corpus/parquet_writer.h"
#include "corpus/source.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static int put_bytes(void *context, struct slice bytes, struct err *err)
{
    return fwrite(bytes.at, 1, bytes.len, context) == bytes.len ? 0 : err_set(err, -EIO, "%s", strerror(errno));
}

static int put_record(struct parquet_writer *writer, const struct record *record, struct bytes *path, struct err *err)
{
    int rc = parquet_pages_text(parquet_writer_column(writer, 0), record->text, err);

    path->len = 0;
    record_field(record, FIELD_PATH, path);
    if (rc == 0) rc = parquet_pages_text(parquet_writer_column(writer, 1), bytes_slice(path), err);
    return rc < 0 ? rc : parquet_writer_row(writer, err);
}

static int put_shard(struct parquet_writer *writer, char *path, struct err *err)
{
    struct dataset dataset = { .name = (char[]){ "bench" } };
    struct shard   shard = { .path = path, .name = path };
    struct source *source = NULL;
    struct batch   batch = { 0 };
    struct record  record;
    struct bytes   at = { 0 };
    struct stat    info;
    int            rc;

    if (stat(path, &info) == 0) shard.bytes = (uint64_t)info.st_size;
    rc = source_open(&source, &dataset, &shard, err);
    while (rc >= 0 && (rc = source_next(source, &batch, err)) > 0)
        while (rc > 0 && (rc = batch_next(&batch, &record, err)) > 0)
            if (put_record(writer, &record, &at, err) < 0) rc = err->code;
    bytes_free(&at);
    batch_free(&batch);
    source_close(source);
    return rc;
}

int main(int argc, char **argv)
{
    static const struct parquet_field fields[] = { { "text", PARQUET_BYTE_ARRAY, false },
                                                   { "path", PARQUET_BYTE_ARRAY, false } };
    FILE                  *file = argc == 4 ? fopen(argv[3], "wb") : NULL;
    struct parquet_sink    sink = { put_bytes, file };
    struct parquet_writer *writer = NULL;
    struct err             err = { 0 };
    int                    rc;

    if (!file) {
        fprintf(stderr, "usage: make_parquet TIMES SHARD FILE\n");
        return 2;
    }
    rc = parquet_writer_open(&writer, fields, 2, &sink, 3, &err);
    for (int i = atoi(argv[1]); i > 0 && rc == 0; i--) rc = put_shard(writer, argv[2], &err);
    if (rc == 0) rc = parquet_writer_finish(writer, &err);
    parquet_writer_close(writer);
    if (fclose(file) == 0 && rc == 0) return 0;
    fprintf(stderr, "make_parquet: %s\n", rc < 0 ? err.text : "cannot write");
    return 1;
}
