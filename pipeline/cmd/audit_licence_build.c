/* cmd/audit_licence_build.c -- `leakgraph audit licence --build`: functions that a model may be asked for. */
#include "cmd/audit.h"
#include "cmd/texts.h"

#include "base/log.h"
#include "compliance/benchmark.h"
#include "view/view.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

struct building {
    struct texts         texts;
    struct benchmark     benchmark;
    struct view_scratch *languages;
    struct bytes         license, path, repo;
    uint64_t             others;                            /* files in other languages */
    uint64_t             avoided;                           /* files of --unlike */
    bool                 avoiding;                          /* those of --unlike are read */
};

/* A field of the record; empty where it has none. */
static int field_take(const struct record *record, enum field field, struct bytes *out)
{
    out->len = 0;
    if (bytes_reserve(out, 1) < 0) return -ENOMEM;
    return record_field(record, field, out) && !out->at ? -ENOMEM : 0;
}

static int file_take(void *context, const struct shard *shard, const struct batch *batch, const struct record *record,
                     struct err *err)
{
    struct building            *b = context;
    const struct view_language *language = view_language_of(b->languages, b->texts.dataset.language, record, err);

    (void)batch;
    if (!language) return err->code;
    if (!language->row || strcmp(language_name(language->row), "python") != 0) {
        b->others += !b->avoiding;
        return 0;
    }
    if (b->avoiding) {
        b->avoided++;
        return benchmark_avoid(&b->benchmark, record->text, err);
    }
    if (field_take(record, FIELD_LICENSE, &b->license) < 0 || field_take(record, FIELD_PATH, &b->path) < 0 ||
        field_take(record, FIELD_REPO, &b->repo) < 0 ||
        (!b->path.len && bytes_printf(&b->path, "%s:%llu", shard->name, (unsigned long long)record->number) < 0))
        return err_memory(err, record->text.len, "a file's fields");
    return benchmark_add(&b->benchmark, record->text, bytes_slice(&b->license), bytes_slice(&b->path),
                         bytes_slice(&b->repo), err);
}

static int lines_write(struct benchmark *benchmark, struct err *err)
{
    struct bytes out = { 0 };
    int          rc = 0;

    benchmark_sort(benchmark);
    for (size_t i = 0; i < benchmark->count && rc == 0; i++) {
        out.len = 0;
        if (benchmark_line(&benchmark->at[i], &out) < 0) rc = err_memory(err, out.len, "a function");
        else if (fwrite(out.at, 1, out.len, stdout) != out.len)
            rc = err_set(err, -EIO, "standard output: cannot write: %s", strerror(errno));
    }
    bytes_free(&out);
    return rc;
}

static int end_say(const struct building *b)
{
    const struct benchmark *benchmark = &b->benchmark;
    struct bytes            said = { 0 };
    int                     rc = bytes_reserve(&said, 1);

    for (size_t d = 0; d < DROPS && rc == 0; d++)
        if (benchmark->dropped[d])
            rc = bytes_printf(&said, "%s%llu %s", said.len ? ", " : "; left out: ",
                              (unsigned long long)benchmark->dropped[d], benchmark_drop_names[d]);
    if (rc == 0)
        log_info("%zu functions of %llu Python files with %llu functions%.*s; %llu files in other languages",
                 benchmark->count, (unsigned long long)benchmark->files, (unsigned long long)benchmark->functions,
                 (int)said.len, said.at, (unsigned long long)b->others);
    if (rc == 0 && benchmark->by_text)
        log_info("%llu files that a parser cannot read were cut by text", (unsigned long long)benchmark->by_text);
    if (rc == 0 && !functions_exact_known(language_by_name(SLICE("python"))))
        log_info("functions are told by their tokens: this program was built without a parser");
    bytes_free(&said);
    return rc;
}

/* Functions that the benchmark's shall not be like. */
static int unlike_read(struct building *b, const struct licence_build *build, struct err *err)
{
    struct texts texts = b->texts;
    int          rc = likeness_open(&b->benchmark.unlike, build->likeness, err);

    b->avoiding = true;
    if (rc == 0) rc = texts_read(&texts, build->unlike, build->unlike_count, err);
    b->avoiding = false;
    if (rc == 0 && !b->avoided)
        rc = err_set(err, -EINVAL, "audit licence: --unlike has no file in Python");
    return rc;
}

int audit_licence_build(const struct licence_build *build, struct err *err)
{
    struct view_options view = { .kind = VIEW_IDENTIFIERS };
    struct building     b = { .texts = { .command = "audit licence", .take = file_take, .context = &b } };
    int                 rc = view_scratch_open(&b.languages, &view, err);

    b.benchmark.limits = benchmark_limits_default;
    b.benchmark.limits.lines = build->limits->lines;
    b.benchmark.limits.complexity = build->limits->complexity;
    b.benchmark.published = build->limits->published;
    b.texts.dataset.fields[FIELD_TEXT] = (char *)(uintptr_t)build->text_field;
    if (rc == 0 && build->unlike_count) rc = unlike_read(&b, build, err);
    if (rc == 0) rc = texts_read(&b.texts, build->file, build->count, err);
    if (rc == 0) rc = lines_write(&b.benchmark, err);
    if (rc == 0 && !build->quiet && end_say(&b) < 0) rc = err_memory(err, 1024, "the last line");
    view_scratch_close(b.languages);
    likeness_close(b.benchmark.unlike);
    benchmark_free(&b.benchmark);
    bytes_free(&b.license);
    bytes_free(&b.path);
    bytes_free(&b.repo);
    return rc;
}
