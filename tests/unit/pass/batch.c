/* tests/unit/pass/batch.c -- batches as scanners see them: groups, rejects, features, and what goes wrong. */
#include "passing.h"

#include "kernels/kernels.h"

struct working { struct passing g; struct open_shard shard; struct worker *worker; };

/* A worker on one shard with this content. */
static void work_open(struct working *w, const char *text, enum pass_needs needs, enum pass_needs other)
{
    const struct content files[] = { { "a.jsonl", text }, { "b.jsonl", "" } };

    passing_open(&w->g, files, 2);
    passing_add(&w->g, "one", needs, false);
    passing_add(&w->g, "two", other, false);
    w->shard = (struct open_shard){ .shard = &w->g.shards.at[0], .dataset = &w->g.dataset[0] };
    pthread_mutex_init(&w->shard.lock, NULL);
}

/* All batches; the first rc below 0. */
static int work_do(struct working *w)
{
    int rc = 0;

    passing_must(&w->g, source_open(&w->shard.source, w->shard.dataset, w->shard.shard, &w->g.err));
    passing_must(&w->g, worker_open(&w->worker, &w->g.run, &w->g.err));
    while (rc == 0 && !shard_has_ended(&w->shard)) rc = worker_do(w->worker, &w->shard, &w->g.err);
    worker_close(w->worker);
    source_close(w->shard.source);
    return rc;
}

static void work_close(struct working *w)
{
    for (struct open_unit *unit = w->shard.units, *next; unit; unit = next) {
        next = unit->next;
        pass_unit_free(unit);
    }
    pthread_mutex_destroy(&w->shard.lock);
    passing_close(&w->g);
}

/* The group of a part, which has to be there. */
static const struct part_group *group_of(const struct pass_unit *unit, const char *split, const char *language)
{
    struct slice             groups = pass_unit_section(unit, 0, PART_GROUPS);
    const struct part_group *group = (const struct part_group *)(const void *)groups.at;
    const char              *heap = pass_unit_section(unit, 0, PART_HEAP).at;

    for (size_t i = 0; i < groups.len / sizeof *group; i++)
        if (slice_equal((struct slice){ heap + group[i].split_at, group[i].split_len }, slice_of(split)) &&
            slice_equal((struct slice){ heap + group[i].language_at, group[i].language_len }, slice_of(language)))
            return &group[i];
    fail_msg("no group of split `%s` and language `%s`", split, language);
    return NULL;
}

static size_t groups_in(const struct pass_unit *unit)
{
    return pass_unit_section(unit, 0, PART_GROUPS).len / sizeof(struct part_group);
}

static void group_is(const struct part_group *group, uint64_t documents, uint64_t admitted, uint64_t bytes)
{
    if (group->documents != documents || group->admitted != admitted || group->bytes != bytes)
        fail_msg("%d documents, %d admitted, %d bytes", (int)group->documents, (int)group->admitted,
                 (int)group->bytes);
}

/* Groups by split and language; two identifiers admit a document. */
static void documents_by_split_and_language(void **unused)
{
    static const char text[] =
        "{\"text\": \"a b\", \"split\": \"test\", \"path\": \"x.py\"}\n"
        "{\"text\": \"a\", \"split\": \"test\", \"path\": \"x.py\"}\n"
        "{\"text\": \"a b\", \"split\": \"train\", \"path\": \"x.py\"}\n"
        "{\"text\": \"a b\", \"path\": \"x.py\"}\n"
        "{\"text\": \"abc d\", \"split\": \"test\", \"path\": \"x.java\"}\n"
        "{\"text\": \"\", \"path\": \"x.py\", \"split\": null}\n"
        "{\"text\": \"a b\", \"split\": \"t\\u0000\\ud800\", \"path\": \"x.py\"}\n";
    struct working   w;
    struct pass_unit unit;

    (void)unused;
    work_open(&w, text, PASS_FEATURES, PASS_RECORDS);
    passing_must(&w.g, work_do(&w));
    unit = passing_unit(&w.g, 0, 0, 0);
    assert_true(unit.header->documents == 7 && unit.header->parts == 1 && unit.header->text_bytes == 3 * 4 + 5 + 1);
    assert_int_equal(groups_in(&unit), 5);
    group_is(group_of(&unit, "test", "python"), 2, 1, 4);
    group_is(group_of(&unit, "train", "python"), 1, 1, 3);
    group_is(group_of(&unit, "test", "java"), 1, 1, 5);
    group_is(group_of(&unit, "", "python"), 2, 1, 3);
    group_is(group_of(&unit, "t\xEF\xBF\xBD\xEF\xBF\xBD", "python"), 1, 1, 3);  /* text that every reader takes */
    assert_true(slice_equal(pass_unit_section(&unit, 0, PART_COUNTS), SLICE("end")));
    unit_close(&unit.file);
    unit = passing_unit(&w.g, 1, 0, 0);                     /* who needs records has no groups */
    assert_true(unit.header->documents == 7 && groups_in(&unit) == 0);
    unit_close(&unit.file);
    work_close(&w);
}

/* Groups are a part's own: a shard of three batches, with a split in every second record. */
static void every_part_has_its_groups(void **unused)
{
    enum { RECORDS = 300 };
    struct bytes     text = { 0 };
    struct working   w;
    struct pass_unit unit;
    uint64_t         documents = 0, own = 0;

    (void)unused;
    for (int i = 0; i < RECORDS; i++)
        assert_int_equal(bytes_printf(&text, "{\"text\": \"%*d\"%s}\n", 8000, i, i % 2 ? ", \"split\": \"s\"" : ""), 0);
    work_open(&w, text.at, PASS_GROUPS, PASS_RECORDS);
    passing_must(&w.g, work_do(&w));
    unit = passing_unit(&w.g, 0, 0, 0);
    assert_true(unit.header->parts > 1);
    for (uint64_t p = 0; p < unit.header->parts; p++) {
        struct slice             groups = pass_unit_section(&unit, p, PART_GROUPS);
        const struct part_group *group = (const struct part_group *)(const void *)groups.at;

        assert_int_equal(groups.len, 2 * sizeof *group);
        for (size_t i = 0; i < 2; i++) {
            documents += group[i].documents;
            own += group[i].split_len ? group[i].documents : 0;
        }
    }
    assert_true(documents == RECORDS && own == RECORDS / 2);
    unit_close(&unit.file);
    work_close(&w);
    bytes_free(&text);
}

/* A listed split and a configured language stand above what records say. */
static void settings_stand_above_records(void **unused)
{
    struct working   w;
    struct pass_unit unit;

    (void)unused;
    work_open(&w, "{\"text\": \"a b\", \"split\": \"test\", \"path\": \"x.py\"}\n", PASS_GROUPS, PASS_GROUPS);
    free(w.g.split[0].name);
    w.g.split[0].name = strdup("listed");
    w.g.dataset[0].language = "java";
    passing_must(&w.g, work_do(&w));
    unit = passing_unit(&w.g, 0, 0, 0);
    assert_int_equal(groups_in(&unit), 1);
    group_is(group_of(&unit, "listed", "java"), 1, 0, 3);   /* without features none is admitted */
    unit_close(&unit.file);
    w.g.dataset[0].url = w.g.split[0].name;
    work_close(&w);
}

static uint64_t reject_record(const struct pass_unit *unit, size_t i)
{
    const struct reject *reject = (const struct reject *)(const void *)pass_unit_section(unit, 0, PART_REJECTS).at;

    return reject[i].record;
}

/* Records that are none are rejects for all; tokens that are none, for those who need features. */
static void rejects_of_the_view(void **unused)
{
    static const char text[] = "{\"text\": \"a\"}\nnone\n{\"text\": \"b\", \"tokens\": [1]}\n{\"text\": \"c\"}\n"
                               "{\"text\": \"d\", \"tokens\": {}}\nnone\n{\"text\": \"e\", \"tokens\": [2]}\n";
    struct working   w;
    struct pass_unit unit;

    (void)unused;
    work_open(&w, text, PASS_RECORDS, PASS_FEATURES);
    passing_must(&w.g, work_do(&w));
    unit = passing_unit(&w.g, 0, 0, 0);
    assert_true(unit.header->documents == 5 && unit.header->rejected == 2);
    assert_true(reject_record(&unit, 0) == 1 && reject_record(&unit, 1) == 5);
    unit_close(&unit.file);
    unit = passing_unit(&w.g, 1, 0, 0);
    assert_int_equal(unit.header->documents + unit.header->rejected, 7);
    assert_true(unit.header->rejected >= 4);
    assert_int_equal(pass_unit_section(&unit, 0, PART_REJECTS).len, unit.header->rejected * sizeof(struct reject));
    assert_int_equal(pass_unit_section(&unit, 0, PART_ROWS).len, unit.header->documents * sizeof(uint64_t));
    assert_true(reject_record(&unit, 0) == 1 && reject_record(&unit, 1) == 2);
    unit_close(&unit.file);
    assert_true(w.g.run.progress.records == 5 && w.g.run.progress.rejected >= 4);    /* the most thorough's */
    assert_int_equal(w.g.run.progress.bytes, sizeof text - 1);
    assert_int_equal(w.g.pass.totals.bytes, sizeof text - 1);
    work_close(&w);
}

/* A shard without records has a unit too, and every last unit has the checksum of the file. */
static void empty_shards_have_a_unit(void **unused)
{
    static const char *const texts[] = { "", "\n\n", "{\"text\": \"a\"}\n" };
    uint64_t                 hash[3];

    (void)unused;
    for (size_t i = 0; i < 3; i++) {
        struct working   w;
        struct pass_unit unit;

        work_open(&w, texts[i], PASS_RECORDS, PASS_FEATURES);
        passing_must(&w.g, work_do(&w));
        unit = passing_unit(&w.g, 1, 0, 0);
        assert_true(unit.header->documents == (i == 2) && unit.header->next == 0);
        hash[i] = unit.header->xxh3;
        unit_close(&unit.file);
        assert_int_equal(w.g.pass.totals.units, 2);
        work_close(&w);
    }
    assert_true(hash[0] != hash[1] && hash[1] != hash[2] && hash[0] == 0x2D06800538D394C2u);    /* XXH3-64 of nothing */
}

/* Units that one scanner has are not shown to it again. */
static void units_that_are_there_are_passed_over(void **unused)
{
    static uint64_t never = 0;                              /* it fails at the first record */
    struct working  w;

    (void)unused;
    work_open(&w, "{\"text\": \"a\"}\n{\"text\": \"b\"}\n", PASS_RECORDS, PASS_RECORDS);
    w.g.pass.scanner_count = 1;
    passing_must(&w.g, work_do(&w));
    w.g.pass.scanner_count = 2;
    w.g.pass.scanner[0].shared = &never;
    w.shard = (struct open_shard){ .shard = &w.g.shards.at[0], .dataset = &w.g.dataset[0], .lock = w.shard.lock };
    passing_must(&w.g, work_do(&w));
    assert_true(w.g.pass.totals.units == 2 && w.g.pass.totals.units_reused == 1);
    work_close(&w);
}

static void failures_name_the_shard(void **unused)
{
    static uint64_t at = 1;
    struct working  w;

    (void)unused;
    work_open(&w, "{\"text\": \"a\"}\n{\"text\": \"b\"}\n", PASS_RECORDS, PASS_RECORDS);
    w.g.pass.scanner[1].shared = &at;
    assert_int_equal(work_do(&w), -EIO);
    assert_true(strstr(w.g.err.text, "a.jsonl") && strstr(w.g.err.text, "record 1"));
    assert_int_equal(w.g.pass.totals.units, 0);
    work_close(&w);
    worker_close(NULL);
}

/* What a scanner of functions saw: of each document, how many functions it has and how many were told. */
struct teller { struct scanner scanner; int answer; };
struct told { uint64_t features, functions, fast; };

static int teller_asks(struct scanner *scanner, const struct document *document, struct err *err)
{
    const int answer = ((struct teller *)scanner)->answer;

    return answer < 0 ? err_set(err, answer, "no answer") : (int)(document->features.count > 2);
}

static int teller_document(struct scanner *scanner, const struct document *document, struct part *part,
                           struct err *err)
{
    const struct told told = { document->features.count, document->functions.count, document->functions.told.fast };

    (void)scanner, (void)err;
    return bytes_append(&part->section[PART_ROWS], &told, sizeof told);
}

/* shared: a number, what asks answers if it fails; NULL: nobody is asked. */
static int teller_open(void *shared, struct scanner **out, struct err *err)
{
    struct teller *teller = calloc(1, sizeof *teller);

    (void)err;
    assert_non_null(teller);
    teller->scanner = (struct scanner){ .asks = shared ? teller_asks : NULL, .document = teller_document,
                                        .close = keeper_close };
    teller->answer = shared ? *(int *)shared : 0;
    *out = &teller->scanner;
    return 0;
}

static void tell(struct working *w, int *first, int *second)
{
    work_open(w, "{\"text\": \"def f(a): return b\", \"path\": \"x.py\"}\n"
                 "{\"text\": \"def f(): return b\", \"path\": \"x.py\"}\n"
                 "{\"text\": \"a b c d\", \"path\": \"x.txt\"}\n", PASS_FEATURES, PASS_FEATURES);
    for (size_t s = 0; s < 2; s++) {
        w->g.pass.scanner[s].functions = s == 0 || second != first;
        w->g.pass.scanner[s].open = teller_open;
        w->g.pass.scanner[s].shared = s ? second : first;
    }
}

/* Functions are told of the documents of which a scanner asks for them. */
static void functions_that_are_asked_for(void **unused)
{
    static int       answer;
    struct working   w;
    struct pass_unit unit;

    (void)unused;
    for (int always = 0; always < 2; always++) {            /* the second scanner: wants none; wants all */
        static const struct told expected[2][3] = { { { 3, 1, 1 }, { 2, 0, 1 }, { 4, 0, 0 } },
                                                    { { 3, 1, 1 }, { 2, 1, 1 }, { 4, 0, 0 } } };

        tell(&w, &answer, always ? NULL : &answer);
        passing_must(&w.g, work_do(&w));
        unit = passing_unit(&w.g, 0, 0, 0);
        assert_memory_equal(pass_unit_section(&unit, 0, PART_ROWS).at, expected[always], sizeof expected[always]);
        unit_close(&unit.file);
        work_close(&w);
    }
    answer = -ENOMEM;
    tell(&w, &answer, &answer);
    assert_int_equal(work_do(&w), -ENOMEM);
    work_close(&w);
}

/* What a scanner saw of words: how many, and where the last one begins; NONE: it was told of none. */
enum { NONE = 99 };

static int reader_document(struct scanner *scanner, const struct document *document, struct part *part,
                           struct err *err)
{
    const struct view_words *words = document->words;
    const uint32_t           told[] = { words ? (uint32_t)words->count : NONE,
                                        words && words->count ? words->start[words->count - 1] : 0 };

    (void)scanner, (void)err;
    return bytes_append(&part->section[PART_ROWS], told, sizeof told);
}

static int reader_open(void *shared, struct scanner **out, struct err *err)
{
    (void)shared, (void)err;
    *out = calloc(1, sizeof **out);
    assert_non_null(*out);
    **out = (struct scanner){ .document = reader_document, .close = keeper_close };
    return 0;
}

/* Where the words are is told to who asks, and to nobody else. */
static void words_that_are_asked_for(void **unused)
{
    static const uint32_t expected[2][4] = { { NONE, 0, NONE, 0 }, { 3, 8, 0, 0 } };
    struct working        w;
    struct pass_unit      unit;

    (void)unused;
    for (size_t asks = 0; asks < 3; asks++) {               /* the first scanner; the second; both */
        work_open(&w, "{\"text\": \"one (2) three\"}\n{\"text\": \" \"}\n", PASS_RECORDS, PASS_GROUPS);
        for (size_t s = 0; s < 2; s++) {
            w.g.pass.scanner[s].words = asks == s || asks == 2;
            w.g.pass.scanner[s].open = reader_open;
        }
        passing_must(&w.g, work_do(&w));
        for (size_t s = 0; s < 2; s++) {
            unit = passing_unit(&w.g, s, 0, 0);
            assert_memory_equal(pass_unit_section(&unit, 0, PART_ROWS).at, expected[w.g.pass.scanner[s].words],
                                sizeof expected[0]);
            unit_close(&unit.file);
        }
        work_close(&w);
    }
}

/* Refuses texts that begin with an x. */
static int chooser_document(struct scanner *scanner, const struct document *document, struct part *part,
                            struct err *err)
{
    (void)scanner;
    if (document->record->text.len && *document->record->text.at == 'x')
        return err_set(err, 1, "`%.*s` begins with an x", (int)document->record->text.len, document->record->text.at);
    return bytes_append(&part->section[PART_ROWS], "r", 1);
}

static int chooser_open(void *shared, struct scanner **out, struct err *err)
{
    (void)shared, (void)err;
    *out = calloc(1, sizeof **out);
    assert_non_null(*out);
    **out = (struct scanner){ .document = chooser_document, .close = keeper_close };
    return 0;
}

/* What one scanner refuses is a reject of its units, and a document of the other's. */
static void rejects_of_a_scanner(void **unused)
{
    struct working       w;
    struct pass_unit     unit;
    struct slice         rejects;
    const struct reject *reject;

    (void)unused;
    work_open(&w, "{\"text\": \"ab\", \"path\": \"p.py\"}\n{\"text\": \"xy\", \"path\": \"p.py\"}\n{\"text\": 1}\n"
              "{\"text\": \"cd\", \"path\": \"p.py\"}\n", PASS_GROUPS, PASS_GROUPS);
    w.g.pass.scanner[0].open = chooser_open;
    passing_must(&w.g, work_do(&w));
    unit = passing_unit(&w.g, 0, 0, 0);
    assert_true(unit.header->documents == 2 && unit.header->rejected == 2 && unit.header->text_bytes == 4);
    assert_true(slice_equal(pass_unit_section(&unit, 0, PART_ROWS), SLICE("rr")));
    group_is(group_of(&unit, "", "python"), 2, 0, 4);
    rejects = pass_unit_section(&unit, 0, PART_REJECTS);
    reject = (const struct reject *)(const void *)rejects.at;
    assert_int_equal(rejects.len, 2 * sizeof *reject);
    assert_true(reject->reason == REJECT_REFUSED && reject->record == 1 && reject->path_len == 4);
    assert_string_equal(reject->detail, "`xy` begins with an x");
    assert_true(reject[1].record == 2 && reject[1].reason == REJECT_MISSING_FIELD);
    unit_close(&unit.file);
    unit = passing_unit(&w.g, 1, 0, 0);
    assert_true(unit.header->documents == 3 && unit.header->rejected == 1);
    unit_close(&unit.file);
    work_close(&w);
}

static bool wants_odd(struct scanner *scanner, const struct shard *shard, uint64_t unit, uint64_t record)
{
    (void)scanner, (void)shard, (void)unit;
    return record % 2;
}

static bool wants_fifth(struct scanner *scanner, const struct shard *shard, uint64_t unit, uint64_t record)
{
    (void)scanner;
    return unit == 0 && strstr(shard->path, "a.jsonl") && record == 4;
}

static int open_odd(void *shared, struct scanner **out, struct err *err)
{
    keeper_open(shared, out, err);
    (*out)->wants = wants_odd;
    return 0;
}

static int open_fifth(void *shared, struct scanner **out, struct err *err)
{
    keeper_open(shared, out, err);
    (*out)->wants = wants_fifth;
    return 0;
}

/* A record is read where a scanner wants it, and then shown to all; where one wants all, all are. */
static void records_that_are_wanted(void **unused)
{
    static const char text[] = "{\"text\": \"a\"}\nnone\n{\"text\": \"b\"}\n{\"text\": \"c\"}\n"
                               "{\"text\": \"d\"}\nnone\n";

    (void)unused;
    for (int all = 0; all < 2; all++) {
        struct working   w;
        struct pass_unit unit;
        struct slice     rows;
        const uint64_t  *record;

        work_open(&w, text, PASS_RECORDS, PASS_RECORDS);
        w.g.pass.scanner[0].open = open_odd;
        if (!all) w.g.pass.scanner[1].open = open_fifth;
        passing_must(&w.g, work_do(&w));
        for (size_t s = 0; s < 2; s++) {
            unit = passing_unit(&w.g, s, 0, 0);
            rows = pass_unit_section(&unit, 0, PART_ROWS);
            record = (const uint64_t *)(const void *)rows.at;
            assert_int_equal(rows.len / sizeof *record, all ? 4 : 2);
            assert_true(record[0] == (all ? 0 : 3) && record[1] == (all ? 2 : 4));
            assert_int_equal(unit.header->rejected, 2);
            unit_close(&unit.file);
        }
        work_close(&w);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rejects_of_a_scanner),
        cmocka_unit_test(documents_by_split_and_language), cmocka_unit_test(functions_that_are_asked_for),
        cmocka_unit_test(words_that_are_asked_for),
        cmocka_unit_test(every_part_has_its_groups), cmocka_unit_test(records_that_are_wanted),
        cmocka_unit_test(settings_stand_above_records),
        cmocka_unit_test(rejects_of_the_view), cmocka_unit_test(empty_shards_have_a_unit),
        cmocka_unit_test(units_that_are_there_are_passed_over), cmocka_unit_test(failures_name_the_shard),
    };

    kernels = kernels_select(kernels_cpu(), getenv("LEAKGRAPH_KERNELS"));
    if (!kernels) return 1;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
