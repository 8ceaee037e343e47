/* dedup/rewrite: cleaned shards and lists hold what stays and what goes, byte for byte, whatever killed or ran beside
 * the run. */
#include "base/log.h"
#include "base/outputs.h"
#include "corpus/codec.h"
#include "dedup/rewrite.h"
#include "tests/unit/dedup/fate_of.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#define HEAD \
    "shard\trecord\tnumber\tsource_id\tpath\tkept_dataset\tkept_number\tcluster_size\tkept_shard\tkept_record\t" \
    "kept_path\tkind\tsimilarity\n"

enum { DATASETS = 2, GLOBS = 4 };

/* Datasets `a` and, where a test gives it files, `b`. */
struct world {
    char                 root[64], output[96];
    struct comm         *comm;
    struct stage        *stage;
    struct dataset       dataset[DATASETS];
    struct dataset_split split[DATASETS];
    char                *glob[DATASETS][GLOBS];
    struct shard_list    shards;
    struct dedup_options options;
    struct run run;
    struct dedup_job     job;
    struct catalogue     catalogue;
};

static const uint32_t members[DATASETS] = { 0, 1 };

static int set_up(void **state)
{
    struct world *w = calloc(1, sizeof *w);
    struct err    err = { 0 };

    if (!w) return -1;
    strcpy(w->root, "/tmp/test_rewrite.XXXXXX");
    if (!mkdtemp(w->root) || comm_open(&w->comm, &err) < 0) return -1;
    snprintf(w->output, sizeof w->output, "%s/out", w->root);
    for (size_t d = 0; d < DATASETS; d++) {
        w->dataset[d] = (struct dataset){ .name = d ? "b" : "a", .url = "", .role = ROLE_CORPUS, .splits = &w->split[d],
                                          .split_count = 1 };
        w->split[d] = (struct dataset_split){ .name = "", .globs = w->glob[d] };
    }
    view_parse(&w->options.view, "shingles:5", &err);
    w->options.min_tokens = 1;
    w->options.method = DEDUP_EXACT;
    w->options.threshold = (struct ratio){ 7, 10 };
    w->options.zstd_level = 1;
    *state = w;
    return 0;
}

static void close_world(struct world *w)
{
    catalogue_free(&w->catalogue);
    stage_close(w->stage);
    shard_list_free(&w->shards);
    w->stage = NULL;
}

static int tear_down(void **state)
{
    struct world *w = *state;
    char          command[96];

    close_world(w);
    for (size_t d = 0; d < DATASETS; d++)
        for (size_t g = 0; g < GLOBS; g++) free(w->glob[d][g]);
    comm_close(w->comm);
    snprintf(command, sizeof command, "rm -rf %s", w->root);
    free(w);
    return system(command);
}

/* A file of the world, folders made. */
static void put(const struct world *w, const char *name, struct slice content)
{
    char       path[FILE_NAME_MAX], folder[FILE_NAME_MAX];
    struct err err = { 0 };

    snprintf(path, sizeof path, "%s/%s", w->root, name);
    if (file_folder(path, folder, &err) < 0 || file_make_folder(folder, &err) < 0 ||
        file_write(path, content, &err) < 0)
        fail_msg("%s", err.text);
}

static void in_shards(const struct world *w, const char *command)
{
    char whole[512];

    snprintf(whole, sizeof whole, "cd %s/in && %s", w->root, command);
    assert_int_equal(system(whole), 0);
}

static void add_glob(struct world *w, size_t d, const char *pattern)
{
    char path[256];

    snprintf(path, sizeof path, "%s/%s", w->root, pattern);
    w->glob[d][w->split[d].glob_count++] = strdup(path);
}

/* Reads the shards into columns; fates are then set_fates', in memory as in the run folder. */
static void open_world(struct world *w, int threads)
{
    struct pass pass;
    struct err  err = { 0 };

    w->run = (struct run){ .comm = w->comm, .version = "test", .output = w->output, .datasets = w->dataset,
                           .shards = &w->shards, .dataset_count = w->split[1].glob_count ? 2 : 1, .threads = threads };
    w->job = (struct dedup_job){ .run = &w->run, .member = members, .member_count = w->run.dataset_count,
                                 .options = &w->options };
    if (shard_list_open(&w->shards, w->dataset, w->run.dataset_count, w->root, &err) < 0 ||
        stage_open(&w->stage, w->output, true, &err) < 0)
        fail_msg("%s", err.text);
    w->run.stage = w->stage;
    if (columns_pass(&w->job, &pass, &err) < 0 || pass_run(&pass, &err) < 0 ||
        catalogue_make(&w->job, &w->catalogue, &err) < 0)
        fail_msg("%s", err.text);
    free((void *)(uintptr_t)pass.item);
}

/* `of` says what becomes of a document; `number` tells runs with other settings apart. */
static void set_fates(struct world *w, struct dedup_fate (*of)(uint64_t ordinal), uint64_t number)
{
    struct err err = { 0 };

    w->job.fate_key = unit_key_add((struct unit_key){ 0, 0 }, &number, sizeof number);
    for (size_t u = 0; u < w->catalogue.count; u++) {
        const struct catalogue_unit *unit = &w->catalogue.unit[u];
        struct dedup_fate           *fate = calloc(unit->documents + 1, sizeof *fate);

        assert_non_null(fate);
        for (uint64_t i = 0; i < unit->documents; i++) fate[i] = of(unit->first + i);
        if (fate_commit(&w->job, u, fate, unit->documents, &err) < 0) fail_msg("%s", err.text);
        free(fate);
    }
}

static struct dedup_fate alone(uint64_t ordinal) { return (struct dedup_fate)FATE(ordinal, ordinal, 1, 0); }
static struct dedup_fate gone(uint64_t ordinal) { return (struct dedup_fate)FATE(0, 0, 9, ordinal > 0); }
static struct dedup_fate all_gone(uint64_t ordinal) { (void)ordinal; return (struct dedup_fate)FATE(0, 0, 2, 1); }
static struct dedup_fate odd_gone(uint64_t ordinal)
{
    return (struct dedup_fate){ ordinal, ordinal & ~1ull, 2, ordinal & 1, DEDUP_INDIRECT, 0, 5 };
}

static void rewrite(struct world *w)
{
    struct err err = { 0 };

    if (rewrite_run(&w->job, &w->catalogue, &err) < 0) fail_msg("%s", err.text);
}

static bool is_there(const struct world *w, const char *name)
{
    char path[256];

    snprintf(path, sizeof path, "%s/%s", w->output, name);
    return access(path, F_OK) == 0;
}

static ino_t inode(const struct world *w, const char *name)
{
    char        path[256];
    struct stat is;

    snprintf(path, sizeof path, "%s/%s", w->output, name);
    assert_int_equal(stat(path, &is), 0);
    return is.st_ino;
}

/* A written file, decoded; raw: as it lies there. */
static struct bytes content(const char *output, const char *name, bool raw)
{
    char         path[256];
    struct input input = { 0 };
    struct codec codec = { 0 };
    struct bytes out = { 0 };
    struct err   err = { 0 };
    ssize_t      got = 1;

    snprintf(path, sizeof path, "%s/%s", output, name);
    if (input_open(&input, path, &err) < 0) fail_msg("%s", err.text);
    if (!raw) {
        assert_int_equal(codec_open(&codec, &input, &err), 0);
        assert_string_equal(codec.suffix, ".zst");
    }
    while (got > 0) {
        assert_int_equal(bytes_reserve(&out, out.len + (1 << 20)), 0);
        got = raw ? input_read(&input, out.at + out.len, 1 << 20, &err)
            : codec_read(&codec, out.at + out.len, 1 << 20, &err);
        if (got < 0) fail_msg("%s", err.text);
        out.len += (size_t)got;
    }
    codec_close(&codec);
    input_close(&input);
    return out;
}

static void check(const struct world *w, const char *name, const char *expected)
{
    struct bytes found = content(w->output, name, false);

    assert_int_equal(bytes_append(&found, "", 1), 0);
    assert_string_equal(found.at, expected);
    bytes_free(&found);
}

/* ---- what records become ---- */

static struct dedup_fate fates_of_records(uint64_t ordinal)
{
    static const struct dedup_fate fate[] = { FATE(0, 0, 1, 0), FATE(1, 1, 3, 0), FATE(1, 1, 3, 1), FATE(3, 3, 2, 0),
                                              FATE(4, 4, 1, 0) };

    return fate[ordinal];
}

/* Rejected records (2 and 4) are between the documents; odd spacing, escapes, bad UTF-8 and line ends stay as they are.
 */
static void test_records(void **state)
{
    struct world *w = *state;

    put(w, "in/s.jsonl", SLICE("\xEF\xBB\xBF{\"text\": \"caf\\u00e9 \xFF\", \"other\" : [1,  {\"x\": 2e0}]}\r\n"
                               "\n"
                               "{\"duplicate_count\":7,\"text\":\"one\"  } \t\n"
                               "{\"text\": \"broken\n"
                               "{\"text\":\"one\"}\n"
                               "{\"nothing\":\"here\"}\n"
                               "{\"text\":\"two}\",\"a\":\"}\"}\n"
                               "{\"text\":\"last\"}"));
    add_glob(w, 0, "in/*");
    open_world(w, 2);
    assert_int_equal(w->catalogue.documents, 5);
    set_fates(w, fates_of_records, 1);
    rewrite(w);
    check(w, "clean/a/s.jsonl.zst", "{\"text\": \"caf\\u00e9 \xFF\", \"other\" : [1,  {\"x\": 2e0}]}\n"
                                    "{\"duplicate_count\":3,\"text\":\"one\"  } \t\n"
                                    "{\"text\":\"two}\",\"a\":\"}\",\"duplicate_count\":2}\n"
                                    "{\"text\":\"last\"}\n");
    check(w, "lists/a.tsv.zst", HEAD
                                "s.jsonl\t3\t2\t\t\ta\t1\t3\ts.jsonl\t1\t\tcopy\t1.000000\n");
}

static void test_other_formats(void **state)
{
    struct world *w = *state;

    put(w, "tree/x/sub/a b.py", SLICE("def f():\n\treturn \"\\\\\"\n"));
    put(w, "tree/x/z\xFF.py", SLICE("bad \xC3( byte\x01\n"));
    put(w, "tree/x/m.bin", SLICE("a\0b"));
    put(w, "lines/l.txt", SLICE("first \"line\"\r\n\nthird"));
    add_glob(w, 0, "tree/x");
    add_glob(w, 1, "lines/*");
    w->dataset[1].format = FORMAT_LINES;
    open_world(w, 1);
    assert_int_equal(w->catalogue.documents, 5);
    set_fates(w, odd_gone, 1);
    rewrite(w);
    check(w, "clean/a/x.jsonl.zst",
          "{\"path\":\"sub/a b.py\",\"text\":\"def f():\\n\\treturn \\\"\\\\\\\\\\\"\\n\",\"duplicate_count\":2}\n");
    check(w, "clean/b/l.txt.jsonl.zst",
          "{\"text\":\"first \\\"line\\\"\",\"duplicate_count\":2}\n{\"text\":\"third\",\"duplicate_count\":2}\n");
    check(w, "lists/a.tsv.zst", HEAD
                                "x\t2\t1\t\tz\\xFF.py\ta\t0\t2\tx\t1\tsub/a b.py\tindirect\t0.000000\n");
    check(w, "lists/b.tsv.zst", HEAD
                                "l.txt\t1\t1\t\t\tb\t0\t2\tl.txt\t0\t\tindirect\t0.000000\n");

    /* The other file's bad bytes, in its path too. */
    close_world(w);
    open_world(w, 1);
    set_fates(w, alone, 2);
    rewrite(w);
    check(w, "clean/a/x.jsonl.zst", "{\"path\":\"sub/a b.py\",\"text\":\"def f():\\n\\treturn \\\"\\\\\\\\\\\"\\n\"}\n"
                                    "{\"path\":\"z\xEF\xBF\xBD.py\",\"text\":\"bad \xEF\xBF\xBD( byte\\u0001\\n\"}\n");
}

static void test_lists(void **state)
{
    struct world *w = *state;

    put(w, "a/t\tab.jsonl",
        SLICE("{\"text\":\"x\",\"id\":\"kept\"}\n"
              "{\"text\":\"x\",\"id\":\"a\\tb\\\\\\n\",\"path\":\"p\\u0000q\\u007f\xFFr\"}\n"));
    put(w, "b/u.jsonl", SLICE("{\"text\":\"x\",\"id\":17}\n"));
    add_glob(w, 0, "a/*");
    add_glob(w, 1, "b/*");
    open_world(w, 2);
    set_fates(w, gone, 1);
    w->options.write = DEDUP_WRITE_LISTS;
    rewrite(w);
    assert_false(is_there(w, "clean"));
    check(w, "lists/a.tsv.zst", HEAD
                                "t\\x09ab.jsonl\t1\t1\ta\\x09b\\x5C\\x0A\tp\\x00q\\x7F\\xFFr\ta\t0\t9\t"
                                "t\\x09ab.jsonl\t0\t\tcopy\t1.000000\n");
    check(w, "lists/b.tsv.zst", HEAD
                                "u.jsonl\t0\t0\t17\t\ta\t0\t9\tt\\x09ab.jsonl\t0\t\tcopy\t1.000000\n");
    w->options.write = DEDUP_WRITE_NONE;
    w->job.fate_key.low++;                                  /* no fates: nothing is read either */
    rewrite(w);
    assert_false(is_there(w, "lists/a.tsv.zst"));           /* it is not of what graph.db tells now */
}

static void test_nothing_stays(void **state)
{
    struct world *w = *state;

    put(w, "in/empty.jsonl", SLICE(""));
    put(w, "in/full.jsonl", SLICE("{\"text\":\"x\"}\n"));
    add_glob(w, 0, "in/*");
    open_world(w, 2);
    set_fates(w, all_gone, 1);
    rewrite(w);
    assert_true(is_there(w, "clean"));                      /* where they would be */
    assert_false(is_there(w, "clean/a"));
    check(w, "lists/a.tsv.zst", HEAD "full.jsonl\t0\t0\t\t\ta\t0\t2\tfull.jsonl\t0\t\tcopy\t1.000000\n");

    /* What has come there since is of nobody, and goes. */
    put(w, "out/clean/a/full.jsonl.zst", SLICE("of another run"));
    rewrite(w);
    assert_false(is_there(w, "clean/a/full.jsonl.zst"));
}

/* ---- small shards together ---- */

static struct dedup_fate second_file_gone(uint64_t ordinal)
{
    return (struct dedup_fate)FATE(ordinal, ordinal, 1, ordinal == 3 || ordinal == 4);
}

/* Three shards in one file, two in the next one, of which nothing stays, and one by itself. */
static void put_small(struct world *w)
{
    put(w, "in/p.jsonl", SLICE("{\"text\":\"a\"}\n{\"text\":\"b\"}\n"));
    put(w, "in/q.jsonl", SLICE(""));
    put(w, "in/r.jsonl", SLICE("{\"text\":\"c\"}"));
    put(w, "in/s.jsonl", SLICE("{\"text\":\"d\",\"m\":11}\n"));
    put(w, "in/t.jsonl", SLICE("{\"text\":\"e\",\"m\":11}\n"));
    put(w, "in/u.jsonl", SLICE("{\"text\":\"f\",\"more\":\"text than the others have together\"}\n"));
    add_glob(w, 0, "in/*");
    w->options.shard_size = 45;
}

static void check_small(const struct world *w)
{
    check(w, "clean/a/p+2.jsonl.zst", "{\"text\":\"a\"}\n{\"text\":\"b\"}\n{\"text\":\"c\"}\n");
    assert_false(is_there(w, "clean/a/s+1.jsonl.zst"));
    check(w, "clean/a/u.jsonl.zst", "{\"text\":\"f\",\"more\":\"text than the others have together\"}\n");
}

static void test_together(void **state)
{
    struct world *w = *state;
    ino_t         first;
    char          command[160];

    put_small(w);
    open_world(w, 2);
    set_fates(w, second_file_gone, 1);
    rewrite(w);
    check_small(w);
    assert_false(is_there(w, "clean/a/p.jsonl.zst"));
    snprintf(command, sizeof command, "! ls %s/work | grep -E '^(clean|list)-'", w->output);
    assert_int_equal(system(command), 0);

    /* The same again reads no shard, also of the file that is not there. */
    first = inode(w, "clean/a/p+2.jsonl.zst");
    in_shards(w, "mkdir aside && mv p.jsonl s.jsonl u.jsonl aside");
    rewrite(w);
    assert_int_equal(inode(w, "clean/a/p+2.jsonl.zst"), first);
    check_small(w);

    /* Each by itself: the old file goes, and what is called as it was is not written again. */
    in_shards(w, "mv aside/p.jsonl aside/s.jsonl .");
    first = inode(w, "clean/a/u.jsonl.zst");
    w->options.shard_size = 0;
    rewrite(w);
    assert_false(is_there(w, "clean/a/p+2.jsonl.zst"));
    check(w, "clean/a/p.jsonl.zst", "{\"text\":\"a\"}\n{\"text\":\"b\"}\n");
    check(w, "clean/a/r.jsonl.zst", "{\"text\":\"c\"}\n");
    assert_false(is_there(w, "clean/a/q.jsonl.zst"));
    assert_int_equal(inode(w, "clean/a/u.jsonl.zst"), first);
}

/* A run that ends before the file of several shards: the next one takes their units.  One of them is another one than
 * was compared: no file is written, and the error says which. */
/* A folder where the note goes that the file at a place was written: the run fails right behind it. */
static void fail_behind(const struct world *w, const char *place, char folder[192])
{
    struct unit_key key = unit_key_add((struct unit_key){ 0, 0 }, place, strlen(place));

    snprintf(folder, 192, "%s/work/output-%016llx%016llx.unit", w->output, (unsigned long long)key.high,
             (unsigned long long)key.low);
    assert_int_equal(mkdir(folder, 0777), 0);
}

static void test_together_resumed(void **state)
{
    struct world *w = *state;
    struct err    err = { 0 };
    char          path[192];

    put_small(w);
    open_world(w, 1);
    set_fates(w, second_file_gone, 1);
    fail_behind(w, "clean/a/p+2.jsonl.zst", path);
    assert_true(rewrite_run(&w->job, &w->catalogue, &err) < 0);
    assert_non_null(strstr(err.text, path));
    assert_int_equal(rmdir(path), 0);
    put(w, "in/p.jsonl", SLICE("changed"));
    rewrite(w);
    check_small(w);

    set_fates(w, alone, 2);
    put(w, "in/p.jsonl", SLICE("{\"text\":\"a\"}\n{\"text\":\"x\"}\n"));
    assert_true(rewrite_run(&w->job, &w->catalogue, &err) < 0);
    assert_non_null(strstr(err.text, "in/p.jsonl: has changed while the run was going on"));
    assert_false(is_there(w, "clean/a/p+2.jsonl.zst"));
}

static void test_clashing_files(void **state)
{
    struct world *w = *state;

    put(w, "in/p/s.jsonl", SLICE("{\"text\":\"x\"}\n"));
    put(w, "in/s.jsonl", SLICE("{\"text\":\"y\"}\n"));
    put(w, "in/s.ndjson", SLICE("{\"text\":\"z\"}\n"));
    add_glob(w, 0, "in/**/*.*json*");
    open_world(w, 2);
    set_fates(w, alone, 1);
    rewrite(w);
    check(w, "clean/a/p/s.jsonl.zst", "{\"text\":\"x\"}\n");
    check(w, "clean/a/s.jsonl.jsonl.zst", "{\"text\":\"y\"}\n");
    check(w, "clean/a/s.ndjson.jsonl.zst", "{\"text\":\"z\"}\n");
}

/* ---- many batches and units ---- */

static void check_big(const struct world *w, const struct bytes *in)
{
    struct bytes out = content(w->output, "clean/a/big.jsonl.zst", false);
    size_t       at = 0;
    uint64_t     documents = 0;

    for (size_t i = 0; i < in->len; documents++) {
        const char *end = (const char *)memchr(in->at + i, '\n', in->len - i) + 1;
        size_t      len = (size_t)(end - in->at) - i - 2;   /* without the brace and the line feed */

        if (!(documents & 1)) {
            assert_true(at + len + 22 <= out.len);
            assert_memory_equal(out.at + at, in->at + i, len);
            assert_memory_equal(out.at + at + len, ",\"duplicate_count\":2}\n", 22);
            at += len + 22;
        }
        i += len + 2;
    }
    assert_int_equal(documents, w->catalogue.documents);
    assert_int_equal(at, out.len);
    bytes_free(&out);
}

/* More text than a unit holds; any number of threads writes the same bytes. */
static void test_big(void **state)
{
    struct world *w = *state;
    struct bytes  in = { 0 }, frames[2];
    char          words[4096];

    for (uint64_t i = 0; in.len < COLUMNS_UNIT_BYTES + (3 << 20); i++) {
        memset(words, 'a' + (int)(i % 26), sizeof words);
        assert_int_equal(bytes_printf(&in, "{\"id\":%llu,\"text\":\"%.*s\"}\n", (unsigned long long)i,
                                      (int)(i * 7919 % sizeof words), words), 0);
    }
    put(w, "in/big.jsonl", bytes_slice(&in));
    add_glob(w, 0, "in/*");
    for (int i = 0; i < 2; i++) {
        snprintf(w->output, sizeof w->output, "%s/out%d", w->root, i);
        open_world(w, i ? 4 : 1);
        assert_int_equal(w->catalogue.count, 2);
        set_fates(w, odd_gone, 1);
        rewrite(w);
        if (i == 0) check_big(w, &in);
        frames[i] = content(w->output, "clean/a/big.jsonl.zst", true);
        close_world(w);
    }
    assert_int_equal(frames[0].len, frames[1].len);
    assert_memory_equal(frames[0].at, frames[1].at, frames[0].len);
    bytes_free(&frames[0]);
    bytes_free(&frames[1]);
    bytes_free(&in);
}

/* ---- runs after runs ---- */

static void put_in_run(const struct world *w, const char *place)
{
    char name[128];

    snprintf(name, sizeof name, "out/%s", place);
    put(w, name, SLICE("of another run"));
}

/* Of what is there already only that goes which the manifest names. */
static void test_again(void **state)
{
    static const char *const old[] = { "clean/a/old.jsonl.zst", "clean/gone/deep/old.jsonl.zst",
                                       "lists/gone.tsv.zst" };
    struct manifest_entry    named[3];
    struct world *w = *state;
    struct err    err = { 0 };
    ino_t         first, list;
    char          path[128];

    put(w, "in/s.jsonl", SLICE("{\"text\":\"x\"}\n{\"text\":\"y\"}\n"));
    put(w, "in/t.jsonl", SLICE("{\"text\":\"z\"}\n"));
    for (size_t i = 0; i < 3; i++) {
        put_in_run(w, old[i]);
        named[i] = (struct manifest_entry){ .place = (char *)(uintptr_t)old[i], .written = true };
    }
    assert_int_equal(manifest_write(&(struct manifest){ .at = named, .count = 3 }, w->output, &err), 0);
    put(w, "out/clean/a/notes.txt", SLICE("somebody's"));
    put(w, "out/clean/mine/old.jsonl.zst", SLICE("somebody's"));
    put(w, "out/lists/mine.tsv.zst", SLICE("somebody's"));
    put(w, "out/old.jsonl.zst", SLICE("somebody's"));
    put(w, "elsewhere/old.jsonl.zst", SLICE("somebody's"));
    snprintf(path, sizeof path, "%s/clean/link", w->output);
    assert_int_equal(symlink("../../elsewhere", path), 0);
    add_glob(w, 0, "in/*");
    open_world(w, 2);
    set_fates(w, odd_gone, 1);
    rewrite(w);
    check(w, "clean/a/s.jsonl.zst", "{\"text\":\"x\",\"duplicate_count\":2}\n");
    assert_false(is_there(w, "clean/a/old.jsonl.zst"));
    assert_false(is_there(w, "clean/gone/deep/old.jsonl.zst"));
    assert_false(is_there(w, "lists/gone.tsv.zst"));
    assert_true(is_there(w, "clean/a/notes.txt"));
    assert_true(is_there(w, "old.jsonl.zst"));
    assert_true(is_there(w, "clean/link/old.jsonl.zst"));
    assert_true(is_there(w, "clean/mine/old.jsonl.zst") && is_there(w, "lists/mine.tsv.zst"));

    /* The same again writes nothing; what is missing or was changed comes back. */
    first = inode(w, "clean/a/s.jsonl.zst");
    list = inode(w, "lists/a.tsv.zst");
    put(w, "out/clean/a/t.jsonl.zst", SLICE("changed"));
    rewrite(w);
    assert_int_equal(inode(w, "clean/a/s.jsonl.zst"), first);
    assert_int_equal(inode(w, "lists/a.tsv.zst"), list);
    check(w, "clean/a/t.jsonl.zst", "{\"text\":\"z\",\"duplicate_count\":2}\n");

    /* Other settings: other files under the same names. */
    set_fates(w, alone, 2);
    rewrite(w);
    check(w, "clean/a/s.jsonl.zst", "{\"text\":\"x\"}\n{\"text\":\"y\"}\n");
    check(w, "lists/a.tsv.zst", HEAD);

    /* Lists only: the shards of before would belong to nothing. */
    w->options.write = DEDUP_WRITE_LISTS;
    rewrite(w);
    assert_false(is_there(w, "clean/a/s.jsonl.zst"));
    assert_true(is_there(w, "clean/a/notes.txt"));
}

/* A run that ends between the second pass and the file: the next one takes the committed units and does not read the
 * shard again. */
static void test_resume(void **state)
{
    struct world *w = *state;
    struct err    err = { 0 };
    char          path[192];

    put(w, "in/s.jsonl", SLICE("{\"text\":\"x\"}\n{\"text\":\"y\"}\n"));
    add_glob(w, 0, "in/*");
    open_world(w, 2);
    set_fates(w, odd_gone, 1);
    fail_behind(w, "clean/a/s.jsonl.zst", path);
    assert_true(rewrite_run(&w->job, &w->catalogue, &err) < 0);
    assert_non_null(strstr(err.text, path));
    assert_int_equal(rmdir(path), 0);
    put(w, "in/s.jsonl", SLICE("{\"text\":\"X\"}\n{\"text\":\"Y\"}\n"));
    rewrite(w);
    check(w, "clean/a/s.jsonl.zst", "{\"text\":\"x\",\"duplicate_count\":2}\n");
}

/* Nothing of the second pass stays in the run folder: cleaned records would lie there twice. */
static void test_units_go(void **state)
{
    struct world *w = *state;
    char          command[160];

    put(w, "in/s.jsonl", SLICE("{\"text\":\"x\"}\n{\"text\":\"y\"}\n"));
    add_glob(w, 0, "in/*");
    open_world(w, 2);
    set_fates(w, odd_gone, 1);
    rewrite(w);
    snprintf(command, sizeof command, "! ls %s/work | grep -E '^(clean|list)-'", w->output);
    assert_int_equal(system(command), 0);
}

/* A shard that is another one than was compared is never written, though its size and time are the same. */
static void test_changed(void **state)
{
    static const struct slice other[] = { { "{\"text\":\"x\"}\n{\"text\":\"w\"}\n", 26 },
                                          { "{\"text\":\"x\"}\n{\"tixt\":\"y\"}\n", 26 } };
    struct world *w = *state;

    add_glob(w, 0, "in/*");
    for (size_t i = 0; i < 2; i++) {
        struct err err = { 0 };

        put(w, "in/s.jsonl", (struct slice){ "{\"text\":\"x\"}\n{\"text\":\"y\"}\n", 26 });
        open_world(w, 2);
        set_fates(w, alone, i);
        put(w, "in/s.jsonl", other[i]);                     /* the list of shards has the old time */
        assert_true(rewrite_run(&w->job, &w->catalogue, &err) < 0);
        assert_non_null(strstr(err.text, "in/s.jsonl: has changed while the run was going on"));
        assert_false(is_there(w, "clean/a/s.jsonl.zst"));
        close_world(w);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_records, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_other_formats, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_lists, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_nothing_stays, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_clashing_files, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_together, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_together_resumed, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_big, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_again, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_resume, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_units_go, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_changed, set_up, tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
