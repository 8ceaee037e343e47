/* corpus/source_pieces: the records of JSON lines are those of an array and of CSV that hold the same, at any size of
 * batch, of unit, and at the places that were noted when they were written. */
#include "tests/unit/corpus/shards.h"

struct forms { struct bytes lines, array, csv, array_want, csv_want; };

static const char blanks[] = " \n\t\r";

static void add_blanks(struct bytes *out)
{
    for (uint32_t n = random_below(4); n; n--) bytes_append(out, &blanks[random_below(4)], 1);
}

static void add_value(struct bytes *out, const char *text, size_t len, bool quoted)
{
    if (!quoted) {
        bytes_append(out, text, len);
        return;
    }
    bytes_append(out, "\"", 1);
    for (size_t i = 0; i < len; i++) bytes_append(out, text[i] == '"' ? "\"\"" : &text[i], text[i] == '"' ? 2 : 1);
    bytes_append(out, "\"", 1);
}

static void add_record(struct forms *forms, int i, int count)
{
    static const char letters[] = "ab\n\"\\,}{][:";
    char              text[3000], json[7000];
    size_t            len = random_below(random_below(30) ? 60 : 3000), used = 0;
    bool              plain = true;

    for (size_t k = 0; k < len; k++) {
        text[k] = letters[random_below(11)];
        plain &= text[k] != '\n' && text[k] != ',' && (k || text[k] != '"');
        if (strchr("\n\"\\", text[k])) json[used++] = '\\';
        json[used++] = text[k] == '\n' ? 'n' : text[k];
    }
    bytes_printf(&forms->lines, "{\"id\":%d,\"text\":\"%.*s\"}\n", i, (int)used, json);
    add_blanks(&forms->array);
    bytes_printf(&forms->array_want, "%d %zu  %.*s\n", i, forms->array.len, (int)len, text);
    bytes_printf(&forms->array, "{");
    add_blanks(&forms->array);
    bytes_printf(&forms->array, "\"id\":%d,", i);
    add_blanks(&forms->array);
    bytes_printf(&forms->array, "\"text\":\"%.*s\"", (int)used, json);
    add_blanks(&forms->array);
    bytes_printf(&forms->array, "}");
    add_blanks(&forms->array);
    bytes_printf(&forms->array, i + 1 < count ? "," : "]");
    bytes_printf(&forms->csv_want, "%d %zu  %.*s\n", i, forms->csv.len, (int)len, text);
    bytes_printf(&forms->csv, "%d,", i);
    add_value(&forms->csv, text, len, !plain || random_below(2));
    bytes_printf(&forms->csv, random_below(2) ? "\n" : "\r\n");
}

/* The records of lines without the places where they start. */
static void without_places(struct bytes *out, const struct dataset *dataset, const char *name, const struct bytes *text,
                           const struct bytes *want, uint64_t unit)
{
    char         path[256];
    struct shard shard = { .path = path, .name = (char *)(uintptr_t)name, .bytes = text->len };
    struct err   err = { 0 };
    struct seen  seen;

    write_shard(name, text->at, text->len);
    snprintf(path, sizeof path, "%s", path_of(name));
    assert_int_equal(read_shard(&seen, dataset, &shard, unit, &err), 0);
    assert_int_equal(seen.reject_count, 0);
    if (want) assert_same(&seen.records, want, name);
    out->len = 0;
    bytes_printf(out, "%llu", (unsigned long long)seen.record_count);
    seen_free(&seen);
}

static void test_forms(void **state)
{
    const struct dataset dataset = { 0 };
    struct forms         forms = { 0 };
    struct bytes         one = { 0 }, other = { 0 };

    (void)state;
    for (int round = 0; round < 30; round++) {
        const int count = 1 + (int)random_below(200);

        forms.lines.len = forms.array.len = forms.csv.len = forms.array_want.len = forms.csv_want.len = 0;
        bytes_printf(&forms.array, "[");
        bytes_printf(&forms.csv, "id,text\n");
        for (int i = 0; i < count; i++) add_record(&forms, i, count);
        for (size_t size = 1; size < 20000; size = size * 5 + random_below(7)) {
            const uint64_t unit = 1 + random_below(5000);

            batch_bytes = size;
            without_places(&one, &dataset, "forms.jsonl", &forms.lines, NULL, 0);
            without_places(&other, &dataset, "forms.json", &forms.array, &forms.array_want, unit);
            assert_same(&other, &one, "an array");
            without_places(&other, &dataset, "forms.csv", &forms.csv, &forms.csv_want, unit);
            assert_same(&other, &one, "a table");
        }
        batch_bytes = 0;
    }
    bytes_free(&forms.lines);
    bytes_free(&forms.array);
    bytes_free(&forms.csv);
    bytes_free(&forms.array_want);
    bytes_free(&forms.csv_want);
    bytes_free(&one);
    bytes_free(&other);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_forms) };

    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
