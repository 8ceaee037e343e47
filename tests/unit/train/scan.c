/* tests/unit/train/scan.c -- the parts of a training's pass give the texts back, and damaged ones are told. */
#include "training.h"

/* The documents of a part, one after the other, each with a NUL behind it. */
static void part_text(const struct train_part *part, struct bytes *out)
{
    for (size_t i = 0; i < part->values; i++) {
        uint32_t value = train_value(part, i);

        assert_true(value <= part->entries);
        assert_int_equal(value ? bytes_append_slice(out, train_piece(part, value - 1)) : bytes_append(out, "", 1), 0);
    }
}

static void texts_come_back(void **unused)
{
    static const char *const texts[] = { "int a = 1;", "", "a a  a", "\\n\\n  x\\ty" };
    static const char        wanted[] = "int a = 1;\0\0a a  a\0\n\n  x\ty";
    struct training          g;
    struct bytes             lines = { 0 }, text = { 0 };
    struct train_part        part;
    struct unit              unit;

    (void)unused;
    for (size_t i = 0; i < 4; i++) line_add(&lines, texts[i]);
    assert_int_equal(bytes_printf(&lines, "{\"other\": 1}\n"), 0);
    training_open(&g, lines.at, 2, 1, 2);
    training_scan(&g);
    assert_int_equal(g.t.unit_count, 1);
    assert_true(g.t.documents == 4 && g.t.rejected == 1 && g.t.text_bytes == sizeof wanted - 4);
    training_must(&g, train_unit_open(&g.t, 0, true, &unit, &g.err));
    assert_int_equal(train_unit_parts(&unit), 1);
    training_must(&g, train_part_open(&unit, 0, &part, &g.err));
    part_text(&part, &text);
    assert_int_equal(text.len, sizeof wanted);
    assert_memory_equal(text.at, wanted, sizeof wanted);
    assert_true(part.narrow);
    for (size_t i = 0, all = 0; i < part.entries; i++) {    /* each once, with how often it stands there */
        size_t stands = 0;

        for (size_t j = 0; j < i; j++) assert_false(slice_equal(train_piece(&part, i), train_piece(&part, j)));
        for (size_t v = 0; v < part.values; v++) stands += train_value(&part, v) == i + 1;
        assert_int_equal(part.entry[i].count, stands);
        all += stands;
        if (i + 1 == part.entries) assert_int_equal(all + 4, part.values);
    }
    unit_close(&unit);
    bytes_free(&text);
    bytes_free(&lines);
    training_close(&g);
}

/* 2^16 - 2 different pieces are numbered in 16 bits, one more is not.  A part after it begins anew. */
static void many_pieces_are_numbered_wide(void **unused)
{
    struct pass_scanner of = train_scanner(&(struct train_job){ .run = &(struct run){ .version = "test" } });
    struct scanner     *scanner;
    struct err          err = { 0 };
    char               *text = malloc(70000 * 8 + BYTES_PAD);

    (void)unused;
    assert_non_null(text);
    assert_int_equal(of.open(of.shared, &scanner, &err), 0);
    for (size_t pieces = 65534; pieces <= 65535; pieces++) {
        struct part       made = { 0 };
        struct train_part part;
        struct unit       unit = { .section = calloc(1 + PART_SECTIONS, sizeof *unit.section),
                                   .count = 1 + PART_SECTIONS };
        struct record     record = { 0 };
        struct document   document = { .record = &record };
        size_t            len = 0;
        struct bytes      back = { 0 };

        for (size_t i = 0; i < pieces; i++) len += (size_t)sprintf(text + len, " %05zx", i);
        memset(text + len, 0, BYTES_PAD);
        record.text = (struct slice){ text, len };
        scanner->begin(scanner);
        for (int twice = 0; twice < 2; twice++)
            assert_int_equal(scanner->document(scanner, &document, &made, &err), 0);
        assert_int_equal(scanner->end(scanner, &made, &err), 0);
        for (size_t s = 0; s < PART_SECTIONS; s++) unit.section[1 + s] = bytes_slice(&made.section[s]);
        assert_int_equal(train_part_open(&unit, 0, &part, &err), 0);
        assert_int_equal(part.narrow, pieces == 65534);
        assert_int_equal(part.entries, pieces);
        assert_int_equal(part.values, 2 * (pieces + 1));
        assert_int_equal(part.entry[pieces - 1].count, 2);
        part_text(&part, &back);
        assert_int_equal(back.len, 2 * (len + 1));
        assert_memory_equal(back.at, text, len);
        assert_memory_equal(back.at + len + 1, text, len);
        bytes_free(&back);
        for (size_t s = 0; s < PART_SECTIONS; s++) bytes_free(&made.section[s]);
        free(unit.section);
    }
    scanner->close(scanner);
    free(text);
}

/* Short pieces are known by their bytes and their length, long ones by their hash; a part does not know those of the
 * part before it. */
static void parts_begin_anew(void **unused)
{
    static const struct { const char *text; size_t len; uint16_t value[6]; size_t values; } parts[] = {
        { "a-a", 3, { 1, 2, 1, 0 }, 4 }, { "-a", 2, { 1, 2, 0 }, 3 }, { " \0  \0\0", 6, { 1, 2, 1, 3, 0 }, 5 },
        { "abcdefgh\0abcdefgh", 17, { 1, 2, 1, 0 }, 4 },
        { "abcdefghabcdefgh+abcdefghabcdefghi+abcdefghabcdefghi", 52, { 1, 2, 3, 2, 3, 0 }, 6 },
    };
    struct pass_scanner of = train_scanner(&(struct train_job){ .run = &(struct run){ .version = "test" } });
    struct scanner     *scanner;
    struct err          err = { 0 };

    (void)unused;
    assert_int_equal(of.open(of.shared, &scanner, &err), 0);
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        char            text[64 + BYTES_PAD];
        struct part     made = { 0 };
        struct record   record = { .text = { text, parts[i].len } };
        struct document document = { .record = &record };

        memset(text, 'x', sizeof text);                     /* what follows a text is none of it */
        memcpy(text, parts[i].text, parts[i].len);
        scanner->begin(scanner);
        assert_int_equal(scanner->document(scanner, &document, &made, &err), 0);
        assert_int_equal(scanner->end(scanner, &made, &err), 0);
        assert_int_equal(made.section[PART_VALUES].len, parts[i].values * sizeof(uint16_t));
        assert_memory_equal(made.section[PART_VALUES].at, parts[i].value, parts[i].values * sizeof(uint16_t));
        for (size_t s = 0; s < PART_SECTIONS; s++) bytes_free(&made.section[s]);
    }
    scanner->close(scanner);
}

static void units_that_are_no_good(void **unused)
{
    struct train_entry entry[2] = { { 0, 1 }, { 5, 1 } };
    struct slice       section[1 + PART_SECTIONS] = { { 0 } };
    struct unit        unit = { .section = section, .count = 1 + PART_SECTIONS };
    struct train_part  part;
    struct training    g;

    (void)unused;
    section[1 + PART_ROWS] = (struct slice){ (const char *)entry, sizeof entry };
    section[1 + PART_HEAP] = SLICE("12345");
    assert_int_equal(train_part_open(&unit, 0, &part, &g.err), 0);
    entry[1].at = 6;                                        /* beyond the heap */
    assert_int_equal(train_part_open(&unit, 0, &part, &g.err), -EBADMSG);
    assert_non_null(strstr(g.err.text, "--clean"));
    entry[0].at = 5;
    entry[1].at = 4;                                        /* before the one in front of it */
    assert_int_equal(train_part_open(&unit, 0, &part, &g.err), -EBADMSG);

    training_open(&g, "{\"text\": \"a\"}\n", 2, 1, 1);
    training_scan(&g);
    training_must(&g, stage_clear(g.run.stage, &g.err));
    assert_int_equal(train_unit_open(&g.t, 0, true, &unit, &g.err), -EIO);
    assert_true(strstr(g.err.text, "c.jsonl") && strstr(g.err.text, "disappeared"));
    training_must(&g, stage_commit(g.run.stage, "train", pass_unit_key(&g.dataset, g.t.pass.scanner[0].key,
                                                                       &g.shards.at[0], 0),
                                   &(struct slice){ "x", 1 }, 1, &g.err));
    assert_int_equal(train_unit_open(&g.t, 0, true, &unit, &g.err), -EBADMSG);
    assert_non_null(strstr(g.err.text, "expected layout"));
    training_close(&g);
}

static void rejects_are_listed(void **unused)
{
    static const char wanted[] = "dataset\tshard\trecord\tbyte\treason\tdetail\nc\tc.jsonl\t1\t15\tinvalid-json\t";
    struct training   g;
    char              got[512] = "", name[80];
    FILE             *file;

    (void)unused;
    training_open(&g, "{\"text\": \"a\"}\n{\n{\"text\": \"b\"}\n", 2, 1, 1);
    training_scan(&g);
    snprintf(name, sizeof name, "%s.rejects.tsv", g.path);
    training_must(&g, train_write_rejects(&g.t, g.path, &g.err));
    file = fopen(name, "r");
    assert_non_null(file);
    assert_true(fread(got, 1, sizeof got - 1, file) > sizeof wanted);
    fclose(file);
    if (!strstr(got, wanted)) fail_msg("%s", got);
    assert_ptr_equal(strchr(got + sizeof wanted, '\n'), got + strlen(got) - 1);         /* one record */
    g.t.rejected = 0;                                       /* none: the list of another training goes */
    training_must(&g, train_write_rejects(&g.t, g.path, &g.err));
    assert_int_not_equal(access(name, F_OK), 0);
    training_must(&g, train_write_rejects(&g.t, g.path, &g.err));
    training_close(&g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(texts_come_back), cmocka_unit_test(many_pieces_are_numbered_wide),
        cmocka_unit_test(parts_begin_anew),
        cmocka_unit_test(units_that_are_no_good), cmocka_unit_test(rejects_are_listed),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
