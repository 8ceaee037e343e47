/* tests/unit/near/result.c -- documents, classes and links of a small join, worked out by hand. */
#include "tests/unit/near/small_join.h"

/* bench 0 is in a class with code 3; own 0 is like both; short ones are equal in bench and code */
static const char bench[] = "{\"text\": \"a b c d e\"}\n{\"text\": \"p q\"}\n{\"text\": \"k l m\"}\n";
static const char own[] = "{\"text\": \"a b c d\"}\n{\"text\": \"r s t\"}\n";
static const char code[] = "{\"text\": \"n1 n2 n3\"}\n{\"text\": \"p q\"}\n{\"text\": \"r s t\"}\n"
                           "{\"text\": \"e d c b a\", \"id\": \"i3\"}\n{\"text\": \"b c d e\"}\n";

static void read_result(struct near_result *result)
{
    struct err err = { 0 };

    small_join("", bench, own, code);
    small_prepare();
    small_scan();
    if (near_result_read(job, result, &err) < 0) fail_msg("%s", err.text);
}

static void test_result(void **unused)
{
    /* residents all; of the streamed those that match a benchmark item */
    static const struct { uint32_t dataset; uint64_t number; bool admitted; } expected[] = {
        { 0, 0, true }, { 0, 1, false }, { 0, 2, true }, { 1, 0, true }, { 1, 1, true },
        { 2, 1, false }, { 2, 3, true }, { 2, 4, true },
    };
    struct near_result          result;
    const struct near_document *d;
    const uint32_t             *class_of;
    size_t                      found = 0;

    (void)unused;
    read_result(&result);
    d = result.document;
    class_of = result.class_of;
    assert_int_equal(result.document_count, 8);
    for (size_t i = 0; i < 8; i++) {
        assert_true(d[i].dataset == expected[i].dataset && d[i].number == expected[i].number);
        assert_true(d[i].shard == d[i].dataset && d[i].admitted == expected[i].admitted);
        assert_true((class_of[i] != NO_CLASS) == expected[i].admitted && (result.copy_of[i] == NO_CLASS) ==
                    expected[i].admitted);
        assert_true(near_brief_number(&result.brief[i]) == d[i].number && result.brief[i].cell == d[i].cell);
        assert_true(result.brief[i].total == d[i].row->total && result.brief[i].distinct == d[i].row->distinct);
        for (size_t j = 0; j < i; j++)
            assert_true((result.same[i] == result.same[j]) == (d[i].row->raw.low == d[j].row->raw.low));
        assert_int_equal(result.counts.cell[d[i].cell].dataset, d[i].dataset);
    }
    assert_true(class_of[0] == class_of[6] && result.copy_of[1] == result.copy_of[5]);
    assert_true(class_of[0] != class_of[3] && class_of[0] != class_of[2]);
    assert_int_equal(result.copy_class_count, 1);
    assert_true(slice_equal(near_string(&d[6], d[6].row->source_id), SLICE("i3")));
    assert_null(near_string(&d[6], d[6].row->path).at);
    /* a b c d e with a b c d, and with b c d e, which was only looked for among the items */
    assert_int_equal(result.link_count, 4);
    for (size_t l = 0; l < 4; l++) {
        const struct near_link *link = &result.link[l];

        if (link->first > link->second) continue;
        assert_true(link->marks == NEAR_SIMILAR && link->shared == 4);
        found += (link->first == class_of[0] && link->second == class_of[3]) ||
            (link->second == class_of[0] && link->first == class_of[3]);
        found += (link->first == class_of[0] && link->second == class_of[7]) ||
            (link->second == class_of[0] && link->first == class_of[7]);
    }
    assert_int_equal(found, 2);
    assert_int_equal(result.residents.count, 5);
    near_result_free(&result);
    assert_true(!result.document && !result.links && !result.kept);
    near_result_free(&result);
    small_end();
}

static void test_lost(void **unused)
{
    struct near_result result;
    struct err         err = { 0 };

    (void)unused;
    read_result(&result);
    near_result_free(&result);
    assert_int_equal(stage_remove(small.stage, "join", near_join_key(near_index_key(job, INDEX_RESIDENTS), 0), &err),
                     0);
    assert_int_equal(near_result_read(job, &result, &err), -EIO);
    assert_non_null(strstr(err.text, "a unit of the join has disappeared"));
    assert_int_equal(stage_remove(small.stage, "index", near_index_key(job, INDEX_BENCHMARKS), &err), 0);
    assert_int_equal(near_result_read(job, &result, &err), -EIO);
    assert_non_null(strstr(err.text, "the index has disappeared"));
    assert_int_equal(stage_clear(small.stage, &err), 0);
    assert_int_equal(near_result_read(job, &result, &err), -EIO);
    assert_non_null(strstr(err.text, "b.jsonl"));
    assert_null(result.document);
    small_end();
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_result), cmocka_unit_test(test_lost) };

    return SMALL_KERNELS() ? cmocka_run_group_tests(tests, NULL, NULL) : 1;
}
