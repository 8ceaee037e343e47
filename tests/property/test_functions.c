/* tests/property/test_functions.c -- functions inside files, with and without the filter of documents.
 *
 * Random functions as items, some of them too short to be compared; files of functions that are items, edited items,
 * and others, inside each other and beside other code.  What the scanner writes must be what it writes when it is shown
 * the functions of every document. */
#include "function/function.h"
#include "tests/unit/near/small_join.h"

#include <stdlib.h>
#include <time.h>

enum { ITEMS = 12, FILES = 40, WORDS_MOST = 14, NAMES = 30 };

static uint64_t            state;
static struct function_job functions;

static unsigned draw(unsigned below)
{
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    return (unsigned)((state >> 33) % below);
}

/* A function: its words, the first its name; a number at its end, 0 for none; and how it is written. */
struct made { unsigned count, word[WORDS_MOST], number; bool loose; };

static struct made draw_function(void)
{
    struct made made = { .count = 1 + draw(WORDS_MOST), .loose = draw(2), .number = draw(2) * draw(4) };

    for (unsigned i = 0; i < made.count; i++) made.word[i] = draw(draw(3) ? NAMES : 5);
    return made;
}

static struct made edited(struct made made)
{
    for (unsigned edits = draw(3); edits; edits--)
        if (draw(3)) made.word[draw(made.count)] = draw(NAMES);
        else if (made.count < WORDS_MOST) made.word[made.count++] = draw(NAMES);
    if (draw(4) == 0) made.loose = !made.loose;
    return made;
}

/* In Java; inner: stands in the body, behind its first half.  As text in a JSON string. */
static void function_print(struct bytes *out, const struct made *made, const struct made *inner)
{
    assert_int_equal(bytes_printf(out, "int w%u() {", made->word[0]), 0);
    for (unsigned i = 1; i < made->count; i++) {
        if (inner && i == made->count / 2) function_print(out, inner, NULL);
        assert_int_equal(bytes_printf(out, "%sw%u = w%u;", made->loose ? "\\n  " : " ", made->word[i],
                                      made->word[i - 1]), 0);
    }
    if (made->number)
        assert_int_equal(bytes_printf(out, " return 1%0*u;", (int)(20 * made->number), made->number), 0);
    assert_int_equal(bytes_printf(out, " }\\n"), 0);
}

static void document_begin(struct bytes *out)
{
    assert_int_equal(bytes_printf(out, "{\"language\": \"java\", \"text\": \""), 0);
}

static void document_end(struct bytes *out) { assert_int_equal(bytes_printf(out, "\"}\n"), 0); }

static void draw_texts(struct bytes *items, struct bytes *files)
{
    struct made item[ITEMS];

    for (size_t i = 0; i < ITEMS; i++) {
        item[i] = draw_function();
        document_begin(items);
        function_print(items, &item[i], NULL);
        items->len -= 2;                                    /* without the end of its last line */
        document_end(items);
    }
    for (size_t f = 0; f < FILES; f++) {
        document_begin(files);
        assert_int_equal(bytes_printf(files, "class w%u {\\n", draw(NAMES)), 0);
        for (unsigned functions_left = draw(5); functions_left; functions_left--) {
            const struct made made = draw(5) < 2 ? edited(item[draw(ITEMS)]) : draw_function(), inner = draw_function();

            function_print(files, &made, draw(6) ? NULL : &inner);
            if (draw(3) == 0) assert_int_equal(bytes_printf(files, "int w%u = w%u;\\n", draw(NAMES), draw(NAMES)), 0);
        }
        assert_int_equal(bytes_printf(files, "}\\n"), 0);
        document_end(files);
    }
    assert_int_equal(bytes_append(items, "", 1) | bytes_append(files, "", 1), 0);
}

/* The scanner, shown everything. */
static int all_open(void *shared, struct scanner **out, struct err *err)
{
    const int rc = function_scanner(shared).open(shared, out, err);

    if (rc == 0) (*out)->asks = NULL;
    return rc;
}

static void same_section(const struct pass_unit *a, const struct pass_unit *b, enum part_section section)
{
    const struct slice x = pass_unit_section(a, 0, section), y = pass_unit_section(b, 0, section);

    assert_int_equal(x.len, y.len);
    if (x.len) assert_memory_equal(x.at, y.at, x.len);
}

/* The pass with one of the two; its unit. */
static void scan(struct pass_scanner scanner, struct pass_unit *unit)
{
    struct pass pass = near_pass(job);
    struct err  err = { 0 };

    if (pass_add(&pass, scanner, &err) < 0 || pass_stream(&pass, small.shards.count, &err) < 0 ||
        pass_unit_need(job->run, &scanner, 1, 0, unit, &err) < 0) fail_msg("%s", err.text);
}

static size_t check(const char *settings, enum dataset_unit how)
{
    struct bytes        items = { 0 }, files = { 0 };
    struct pass_scanner all;
    struct pass_unit    filtered, whole;
    struct err          err = { 0 };
    size_t              rows;

    draw_texts(&items, &files);
    small_join(settings, items.at, NULL, files.at);
    small.config.datasets[1].unit = how;
    small_prepare();
    functions = (struct function_job){ .run = &small.run, .near = job };
    if (function_prepare(&functions, &err) < 0) fail_msg("%s", err.text);
    assert_true(function_any(&functions));
    scan(function_scanner(&functions), &filtered);
    all = function_scanner(&functions);
    all.kind = "functions_all";
    all.open = all_open;
    scan(all, &whole);
    for (enum part_section s = PART_GROUPS; s < PART_SECTIONS; s++) same_section(&filtered, &whole, s);
    rows = pass_unit_section(&whole, 0, PART_ROWS).len / sizeof(struct near_row);
    unit_close(&filtered.file);
    unit_close(&whole.file);
    function_release(&functions);
    small_end();
    bytes_free(&items);
    bytes_free(&files);
    return rows;
}

static void test_filter(void **unused)
{
    static const char *const settings[] = {
        "view: identifiers", "view: identifiers, report_floor: 0.6", "view: tokens",
        "view: identifiers+literals, report_floor: 0.5",
        "view: identifiers, containment_threshold: 0.8", "view: identifiers, containment_threshold: off",
        "view: identifiers, set_threshold: 0.5, multiset_threshold: 0.9" };
    const char *given = getenv("SEED");
    size_t      rows = 0;

    (void)unused;
    state = given ? strtoull(given, NULL, 0) : (uint64_t)time(NULL);
    printf("seed=%llu\n", (unsigned long long)state);
    for (unsigned round = 0; round < 49; round++)
        rows += check(settings[round % 7], draw(2) ? UNIT_AUTO : UNIT_FUNCTION);
    assert_true(rows > 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_filter) };

    SMALL_KERNELS();
    return cmocka_run_group_tests_name("functions", tests, NULL, NULL);
}
