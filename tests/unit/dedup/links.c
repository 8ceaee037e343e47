/* tests/unit/dedup/links.c -- the links of all own blocks, and the one of a pair. */
#include "tests/unit/dedup/world.h"

#define DOCUMENT(text, path) "{\"text\": \"" text "\", \"path\": \"" path "\"}\n"

/* Ids are ordinals: 0 and 1, 1 and 2 are similar. */
static const char *const files[3] = { DOCUMENT("p q r", "1") DOCUMENT("q r s", "12"), DOCUMENT("r s t", "123"),
                                      DOCUMENT("alone", "1234") };

static void test_find(void **unused)
{
    struct world             w;
    struct own_links         links;
    const struct dedup_link *link;

    (void)unused;
    world_open(&w, ", keep: [path]", files);
    world_links(&w);
    WORLD_DO(own_links_open(&w.state, &links, err));
    own_links_forget(&links);                               /* they are read again when looked at */
    link = own_links_find(&w.state, &links, (struct link_ids){ 1, 0 });
    assert_true(link && link->first == 0 && link->second == 1 && link->shared == 2 && link->union_size == 4);
    link = own_links_find(&w.state, &links, (struct link_ids){ 2, 1 });
    assert_true(link && link->first == 1 && link->second == 2);
    assert_null(own_links_find(&w.state, &links, (struct link_ids){ 2, 0 }));
    assert_null(own_links_find(&w.state, &links, (struct link_ids){ 3, 0 }));
    own_links_close(&links);
    own_links_close(&links);
    world_close(&w);
}

static void test_missing(void **unused)
{
    struct world     w;
    struct own_links links;
    struct err       err = { 0 };

    (void)unused;
    world_open(&w, "", files);
    world_classes(&w);                                      /* no links were made */
    assert_int_equal(own_links_open(&w.state, &links, &err), -EIO);
    assert_non_null(strstr(err.text, "links have disappeared or are damaged"));
    own_links_close(&links);
    world_close(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_find), cmocka_unit_test(test_missing) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
