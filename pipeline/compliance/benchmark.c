/* compliance/benchmark.c -- see benchmark.h. */
#include "compliance/benchmark.h"

#include "compliance/lico.h"
#include "compliance/score.h"
#include "corpus/writer.h"
#include "licence/licence.h"
#include "similarity/comments.h"

#define XXH_INLINE_ALL
#include <errno.h>
#include <stdlib.h>
#include <strings.h>
#include <xxhash.h>

const struct benchmark_limits benchmark_limits_default = { 10, 3, 1 };
const char *const             benchmark_drop_names[DROPS] = {
    "files not parsed", "files without a licence", "files of several licences", "methods", "without documentation",
    "too short", "too simple", "without a comment", "copied from elsewhere",
    "behind a header of more than 64 KiB", "like others", "there before",
};

/* ---- what a prompt begins with ---- */

/* Does the line, or the run of them, speak of licences or whose it is? */
static bool tells_licence(struct slice text)
{
    static const char *const words[] = { "licen", "copyright", "spdx", "(c)" };

    for (size_t w = 0; w < sizeof words / sizeof *words; w++)
        for (size_t i = 0; i + strlen(words[w]) <= text.len; i++)
            if (strncasecmp(text.at + i, words[w], strlen(words[w])) == 0) return true;
    return false;
}

static struct slice line_at(struct slice text)
{
    const char *end = text.len ? memchr(text.at, '\n', text.len) : NULL;

    return (struct slice){ text.at, end ? (size_t)(end - text.at) + 1 : text.len };
}

static struct slice behind(struct slice text, size_t bytes)
{
    return (struct slice){ text.at + bytes, text.len - bytes };
}

/* A file's header without comments at its beginning, and without a docstring there that tells a licence. */
static struct slice header_unlicensed(struct slice header)
{
    struct slice rest = header, line;

    for (line = line_at(rest); line.len; line = line_at(rest)) {
        const struct slice said = comments_strip(line);

        if (said.len && *said.at != '#') break;
        rest = behind(rest, line.len);
    }
    if (rest.len > 6 && (memcmp(rest.at, "\"\"\"", 3) == 0 || memcmp(rest.at, "'''", 3) == 0)) {
        const char *end = memmem(rest.at + 3, rest.len - 3, rest.at, 3);
        const size_t len = end ? (size_t)(end - rest.at) + 3 : 0;

        if (len && tells_licence((struct slice){ rest.at, len })) rest = behind(rest, len);
    }
    while (rest.len && *rest.at == '\n') rest = behind(rest, 1);
    return rest;
}

/* ---- files and functions ---- */

static bool is_copied(struct slice text)
{
    static const char *const words[] = { "copied from", "taken from" };

    for (size_t i = 0; i + 10 <= text.len; i++)
        for (size_t w = 0; w < 2; w++) {
            const size_t len = strlen(words[w]);

            if (i + len <= text.len && strncasecmp(text.at + i, words[w], len) == 0) return true;
        }
    return false;
}

/* The reason why a function is none for a benchmark, or DROPS. */
static enum benchmark_drop drop_of(const struct benchmark *b, const struct segment *segment)
{
    const struct function *function = &b->found.at[segment->function];
    const struct measure  *m = &b->measures.at[segment->function];

    if (function->class_end > function->class_at || segment->depth > 1 || function->outer != FUNCTION_NONE)
        return DROP_METHOD;
    if (!segment->documented) return DROP_UNDOCUMENTED;
    if (score_lines(segment->body) <= b->limits.lines) return DROP_SHORT;
    if (m->complexity <= b->limits.complexity) return DROP_SIMPLE;
    if (comments_count(segment->body) < b->limits.comments) return DROP_UNCOMMENTED;
    if (b->copied || is_copied(segment->docstring) || is_copied(segment->body)) return DROP_COPIED;
    if (b->header.len > BENCHMARK_HEADER) return DROP_HEADER;
    return DROPS;
}

static XXH128_hash_t hash_of(struct slice first, struct slice second)
{
    XXH128_hash_t hash = XXH3_128bits(first.at, first.len);

    return XXH3_128bits_withSeed(second.at, second.len, hash.low64 ^ hash.high64);
}

/* Counts a repository for the function that is there under the number. */
static int reuse_count(struct benchmark *b, uint32_t number, struct slice repo)
{
    const XXH128_hash_t hash = XXH3_128bits_withSeed(repo.at, repo.len, number);
    bool                added;

    if (table_put(&b->reuse, hash.low64, hash.high64, 1, &added) == TABLE_NONE) return -ENOMEM;
    b->at[number].reused += added;
    return 0;
}

/* The file's header into the pool, once for all of its functions. */
static int header_keep(struct benchmark *b)
{
    struct bytes *s = &b->scratch;

    s->len = 0;
    if (b->kept.at) return 0;
    if (bytes_reserve(s, 1) < 0 || bytes_append_slice(s, b->header) < 0 ||
        (b->header.len && bytes_append(s, "\n", 1) < 0)) return -ENOMEM;
    return pool_copy(&b->pool, bytes_slice(s), &b->kept);
}

static int function_copy(struct benchmark *b, const struct segment *segment, struct slice license, struct slice path,
                         struct slice repo)
{
    const struct measure     *m = &b->measures.at[segment->function];
    const struct function    *f = &b->found.at[segment->function];
    struct benchmark_function one = {
        .lines = score_lines(segment->body), .complexity = m->complexity,
        .comments = comments_count(segment->body), .order = b->count,
    };
    struct bytes             *s = &b->scratch;

    if (header_keep(b) < 0) return -ENOMEM;
    one.header = b->kept;
    s->len = 0;
    if (bytes_append_slice(s, segment->signature) < 0 || bytes_append_slice(s, segment->docstring) < 0 ||
        pool_copy(&b->pool, bytes_slice(s), &one.prompt) < 0) return -ENOMEM;
    s->len = 0;
    if (bytes_printf(s, "%.*s#%.*s@%u", (int)path.len, path.at, (int)(f->name_end - f->name_at),
                     b->text.at + f->name_at, m->line) < 0 ||
        pool_copy(&b->pool, bytes_slice(s), &one.id) < 0) return -ENOMEM;
    if (ARRAY_GROW(b->at, b->room, b->count) < 0 ||
        pool_copy(&b->pool, comments_strip(segment->signature), &one.signature) < 0 ||
        pool_copy(&b->pool, segment->docstring, &one.docstring) < 0 ||
        pool_copy(&b->pool, segment->body, &one.body) < 0 || pool_copy(&b->pool, license, &one.license) < 0 ||
        pool_copy(&b->pool, path, &one.path) < 0 || pool_copy(&b->pool, repo, &one.repo) < 0) return -ENOMEM;
    b->at[b->count++] = one;
    return 0;
}

/* The segment as it stands in its file, in b->scratch.  0 or -ENOMEM. */
static int source_make(struct benchmark *b, const struct segment *segment)
{
    b->scratch.len = 0;
    return bytes_append_slice(&b->scratch, segment->signature) < 0 ||
        bytes_append_slice(&b->scratch, segment->docstring) < 0 ||
        bytes_append_slice(&b->scratch, segment->body) < 0 ? -ENOMEM : 0;
}

/* Is it like one of `unlike`?  1, 0, or -ENOMEM with err set. */
static int is_alike(struct benchmark *b, const struct segment *segment, struct err *err)
{
    if (!b->unlike) return 0;
    if (source_make(b, segment) < 0) return err_memory(err, segment->body.len, "a function");
    return likeness_ask(b->unlike, bytes_slice(&b->scratch), err);
}

static int function_add(struct benchmark *b, const struct segment *segment, struct slice license, struct slice path,
                        struct slice repo, struct err *err)
{
    enum benchmark_drop       drop = drop_of(b, segment);
    const int                 alike = drop == DROPS ? is_alike(b, segment, err) : 0;
    const XXH128_hash_t       hash = hash_of(segment->signature, segment->docstring);
    uint32_t                  number;
    bool                      added = false;

    if (alike < 0) return alike;
    if (alike) drop = DROP_ALIKE;
    b->functions++;
    if (drop != DROPS) {
        b->dropped[drop]++;
        return 0;
    }
    number = table_put(&b->known, hash.low64, hash.high64, (uint32_t)b->count, &added);
    if (number == TABLE_NONE || (added && function_copy(b, segment, license, path, repo) < 0) ||
        reuse_count(b, number, repo.len ? repo : path) < 0) return err_memory(err, b->text.len, "a benchmark");
    b->dropped[DROP_REPEATED] += !added;
    return 0;
}

/* Functions of the text in b->found.  0, or -ENOMEM with err set. */
static int functions_read(struct benchmark *b, struct slice text, struct err *err)
{
    const struct language *python = language_by_name(SLICE("python"));
    enum segment_how       how = b->published ? SEGMENT_PUBLISHED : SEGMENT_EXACT;
    int                    rc = lexer_run(&b->lexer, python, text, LEX_ALL | LEX_COMMENTS, err);

    b->found.how = functions_exact_known(python) ? FUNCTIONS_EXACT : FUNCTIONS_FAST;
    if (rc == 0) rc = functions_find(&b->found, python, &b->lexer, text, err);
    if (rc == 0 && b->published && b->found.told.wrong) {
        how = SEGMENT_BY_TEXT;
        rc = segments_find_text(&b->found, &b->lexer, text, err);
    }
    if (rc == 0) rc = measures_take(&b->measures, python, &b->lexer, &b->found, text, err);
    if (rc == 0)
        rc = segments_take(&b->segments, &b->lexer, &b->found, &b->measures, text, how, err);
    return rc;
}

int benchmark_add(struct benchmark *benchmark, struct slice text, struct slice license, struct slice path,
                  struct slice repo, struct err *err)
{
    struct licence licence;
    int            rc;

    benchmark->files++;
    benchmark->text = text;
    if (license.len) licence_of_field(&licence, license);
    if (!license.len || !licence.expression[0]) licence_of_text(&licence, text);
    if (licence.choice || licence.count != 1 || licence.class == LICENCE_UNKNOWN) {
        benchmark->dropped[licence.count ? DROP_SEVERAL : DROP_UNLICENSED]++;
        return 0;
    }
    if ((rc = functions_read(benchmark, text, err)) < 0) return rc;
    if (benchmark->found.told.wrong && !benchmark->published) {
        benchmark->dropped[DROP_UNPARSED]++;
        return 0;
    }
    benchmark->by_text += benchmark->found.told.wrong;
    benchmark->header = header_unlicensed(benchmark->segments.header);
    benchmark->copied = is_copied(benchmark->segments.header);
    benchmark->kept = (struct slice){ NULL, 0 };
    for (size_t i = 0; i < benchmark->segments.count; i++)
        if (function_add(benchmark, &benchmark->segments.at[i], slice_of(licence.id[0]), path, repo, err) < 0)
            return err->code;
    return 0;
}

int benchmark_avoid(struct benchmark *benchmark, struct slice text, struct err *err)
{
    int rc;

    benchmark->text = text;
    rc = functions_read(benchmark, text, err);
    for (size_t i = 0; i < benchmark->segments.count && rc == 0; i++)
        rc = source_make(benchmark, &benchmark->segments.at[i]) < 0 ? err_memory(err, text.len, "a function")
            : likeness_add(benchmark->unlike, bytes_slice(&benchmark->scratch), err);
    return rc;
}

static int most_reused(const void *a, const void *b)
{
    const struct benchmark_function *x = a, *y = b;

    if (x->reused != y->reused) return x->reused > y->reused ? -1 : 1;
    return (x->order > y->order) - (x->order < y->order);
}

void benchmark_sort(struct benchmark *benchmark)
{
    if (benchmark->count) qsort(benchmark->at, benchmark->count, sizeof *benchmark->at, most_reused);
}

static int line_append(const struct benchmark_function *function, struct slice prompt, struct bytes *out)
{
    const struct { const char *key; struct slice value; } fields[] = {
        { "{\"id\": ", function->id }, { ", \"signature\": ", function->signature },
        { ", \"docstring\": ", function->docstring }, { ", \"prompt\": ", prompt },
        { ", \"reference\": ", function->body }, { ", \"license\": ", function->license },
        { ", \"license_type\": ", slice_of(licence_type_names[licence_type_of(function->license, false)]) },
        { ", \"path\": ", function->path }, { ", \"repo\": ", function->repo },
    };

    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
        if (bytes_append_slice(out, slice_of(fields[i].key)) < 0 || json_append_string(out, fields[i].value) < 0)
            return -ENOMEM;
    return bytes_printf(out, ", \"lines\": %u, \"complexity\": %u, \"comments\": %u, \"reused\": %u}\n",
                        function->lines, function->complexity, function->comments, function->reused);
}

int benchmark_line(const struct benchmark_function *function, struct bytes *out)
{
    struct bytes prompt = { 0 };
    int          rc = bytes_append_slice(&prompt, function->header);

    if (rc == 0) rc = bytes_append_slice(&prompt, function->prompt);
    if (rc == 0) rc = line_append(function, bytes_slice(&prompt), out);
    bytes_free(&prompt);
    return rc;
}

void benchmark_free(struct benchmark *benchmark)
{
    free(benchmark->at);
    table_free(&benchmark->known);
    table_free(&benchmark->reuse);
    pool_free(&benchmark->pool);
    lexer_free(&benchmark->lexer);
    functions_free(&benchmark->found);
    measures_free(&benchmark->measures);
    segments_free(&benchmark->segments);
    bytes_free(&benchmark->scratch);
    *benchmark = (struct benchmark){ 0 };
}
