/* tests/unit/ngram/items.c -- the fields of a benchmark's items, collected as text and as words. */
#include "tests/unit/ngram/small_table.h"

static const char bench[] = "{\"text\": \" \\n one two,one \\r\\n\", \"test\": {\"of\": \"a_1 \xC3\xA4\"}}\n"
                            "{\"text\": \"\", \"test\": 5}\n"
                            "{\"text\": \"...\", \"test\": {\"of\": \"\"}}\n";

static struct pass_unit unit;

static void collect_of(const char *settings, const char *items, bool both)
{
    struct pass         pass = { .run = &small.run };
    struct pass_scanner scanner;
    struct err          err = { 0 };

    job_open(items, settings, both);
    scanner = ngram_collector(&job);
    assert_true(scanner.takes(scanner.shared, &small.config.datasets[0]));
    assert_false(scanner.takes(scanner.shared, &small.config.datasets[1]));
    if (pass_add(&pass, scanner, &err) < 0 || pass_stream(&pass, small.shards.count, &err) < 0)
        fail_msg("%s", err.text);
    assert_int_equal(pass_unit_load(&small.run, &scanner, 0, 0, &unit, &err), 1);
    assert_int_equal(unit.header->parts, 1);
}

static void collect(const char *settings) { collect_of(settings, bench, false); }

static void close_all(void)
{
    unit_close(&unit.file);
    small_close(&small);
}

static const struct ngram_item *items(size_t *count)
{
    struct slice rows = pass_unit_section(&unit, 0, PART_ROWS);

    *count = rows.len / sizeof(struct ngram_item);
    return (const void *)rows.at;
}

/* Of all of them. */
static const uint64_t *words(void) { return (const void *)pass_unit_section(&unit, 0, PART_VALUES).at; }
static const uint32_t *places(void) { return (const void *)pass_unit_section(&unit, 0, PART_COUNTS).at; }

static void check_text(const struct ngram_item *item, const char *text)
{
    assert_true(slice_equal((struct slice){ pass_unit_section(&unit, 0, PART_HEAP).at + item->text.at, item->text.len },
                            slice_of(text)));
}

static void test_fields(void **unused)
{
    const struct ngram_item *item;
    const uint64_t          *word;
    const uint32_t          *place;
    size_t                   count;

    (void)unused;
    collect("fields: {question: ~, test: test.of}");
    item = items(&count);
    word = words();
    place = places();
    assert_int_equal(count, 5);                             /* the second record has no such field */
    assert_true(item[0].record == 0 && item[0].field == 0 && item[0].words == 3);
    check_text(&item[0], "one two,one");                    /* no white space around it, from which places count */
    assert_true(place[0] == 0 && place[1] == 4 && place[2] == 8);
    assert_true(word[0] == word[2] && word[0] != word[1]);
    assert_true(item[1].record == 0 && item[1].field == 1 && item[1].words == 2 && item[1].value_at == 3);
    check_text(&item[1], "a_1 \xC3\xA4");
    assert_true(place[3] == 0 && place[4] == 4);
    assert_true(item[2].record == 1 && item[2].field == 0 && item[2].words == 0);
    assert_true(item[3].record == 2 && item[3].field == 0 && item[3].words == 0);
    check_text(&item[3], "...");
    assert_true(item[4].record == 2 && item[4].field == 1 && item[4].words == 0 && item[4].text.len == 0);
    assert_int_equal(pass_unit_section(&unit, 0, PART_VALUES).len, 5 * sizeof *word);
    close_all();
}

/* The lexer's tokens: what is no word is one, too. */
static void test_tokens(void **unused)
{
    const struct ngram_item *item;
    size_t                   count;

    (void)unused;
    collect("unit: tokens");
    item = items(&count);
    assert_int_equal(count, 3);
    assert_int_equal(item[0].words, 4);                     /* one two , one */
    close_all();
}

/* In lower case, and behind that as written, whose text it is. */
static void test_both(void **unused)
{
    const struct ngram_item *item;
    const uint64_t          *word;
    const uint32_t          *place;
    size_t                   count;

    (void)unused;
    collect_of("n: [3]", "{\"text\": \"one two,one \"}\n{\"text\": \" Two tWO\"}\n", true);
    item = items(&count);
    word = words();
    place = places();
    assert_int_equal(count, 2);
    assert_true(item[0].words == 3 && item[0].value_at == 0 && item[0].place_at == 0);
    check_text(&item[0], "one two,one");
    for (int i = 0; i < 3; i++) assert_true(word[i] == word[3 + i] && place[i] == 4 * (uint32_t)i);
    assert_true(item[1].words == 2 && item[1].value_at == 6 && item[1].place_at == 3);
    check_text(&item[1], "Two tWO");
    assert_true(word[6] == word[1] && word[7] == word[1] && word[8] != word[9] && word[8] != word[1]);
    close_all();
}

/* Texts may be read past their end. */
static struct slice padded(const char *text)
{
    static char room[64 + BYTES_PAD];

    snprintf(room, 64, "%s", text);
    return slice_of(room);
}

/* What a sequence of the scanner is compared with is made the same way. */
static void test_sequence(void **unused)
{
    struct ngram_options  words = { .unit = NGRAM_WORDS }, tokens = { .unit = NGRAM_TOKENS };
    struct ngram_job      keep = { .options = &words }, fold = { .options = &words, .fold = true };
    struct slice          text;
    struct bytes          folded = { 0 };
    struct view_options   view = ngram_view(&words);
    struct view_scratch  *scratch;
    struct view_sequence  found;
    struct record         record = { 0 };
    struct err            err = { 0 };
    uint64_t              first;

    (void)unused;
    assert_true(view.kind == VIEW_SHINGLES && view.n == 1);
    assert_true(ngram_view(&tokens).kind == VIEW_TOKENS);
    if (view_scratch_open(&scratch, &view, &err) < 0) fail_msg("%s", err.text);
    assert_int_equal(ngram_sequence(scratch, &words, "java", &record, padded("One one"), &found, &err), 0);
    assert_int_equal(found.count, 2);
    assert_true(found.hash[0] != found.hash[1]);            /* in their own case */
    first = found.hash[1];
    assert_int_equal(ngram_sequence(scratch, &words, NULL, &record, padded("(one)"), &found, &err), 0);
    assert_true(found.count == 1 && found.hash[0] == first && found.at[0] == 1);
    assert_int_equal(ngram_sequence(scratch, &words, NULL, &record, padded(""), &found, &err), 0);
    assert_int_equal(found.count, 0);
    text = padded("(\xC3\x89 One oNE_");
    assert_int_equal(ngram_text(&keep, &text, &folded, &err), 0);
    assert_true(slice_equal(text, SLICE("(\xC3\x89 One oNE_")) && !folded.len);
    assert_int_equal(ngram_text(&fold, &text, &folded, &err), 0);
    assert_true(slice_equal(text, SLICE("(\xC3\x89 one one_")));
    assert_int_equal(ngram_sequence(scratch, &words, NULL, &record, text, &found, &err), 0);
    assert_true(found.count == 3 && found.hash[1] == first && found.at[1] == 4);
    assert_true(found.hash[2] != first && found.hash[0] != found.hash[1]);
    view_scratch_close(scratch);
    bytes_free(&folded);
}

/* Units depend on the unit and the fields, on nothing that the table alone depends on. */
static void test_key(void **unused)
{
    struct ngram_options options = { .n = { 8 }, .sizes = 1, .fields = 1, .cap = 1 };
    struct run           run = { .version = "one" };
    struct ngram_job     of = { .run = &run, .options = &options };
    struct unit_key      key = ngram_options_key(&of);
    char                 source[] = "test";

    (void)unused;
    options.n[0] = 9;
    options.cap = options.max_df = 5;
    assert_true(ngram_options_key(&of).low == key.low && ngram_options_key(&of).high == key.high);
    options.unit = NGRAM_TOKENS;
    assert_true(ngram_options_key(&of).low != key.low);
    options.unit = NGRAM_WORDS;
    options.whole = true;
    assert_true(ngram_options_key(&of).low == key.low);
    of.fold = true;
    assert_true(ngram_options_key(&of).low != key.low);
    of.fold = false;
    options.field[0].source = source;
    assert_true(ngram_options_key(&of).low != key.low);
    options.field[0].source = NULL;
    run.version = "two";
    assert_true(ngram_options_key(&of).low != key.low);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_fields), cmocka_unit_test(test_tokens),
                                        cmocka_unit_test(test_both),
                                        cmocka_unit_test(test_sequence), cmocka_unit_test(test_key) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
