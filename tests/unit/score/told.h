/* tests/unit/score/told.h -- a study of rows as Markdown and JSON. */
#ifndef LEAKGRAPH_TESTS_UNIT_SCORE_TOLD_H
#define LEAKGRAPH_TESTS_UNIT_SCORE_TOLD_H

#include "score/tell.h"
#include "tests/unit/score/studied.h"

struct told { struct studied of; struct score_told told; struct bytes text; };

static inline void told_open(struct told *t, size_t items, size_t leaked, const char *rows,
                             void (*tell)(const struct score_told *, struct report_document *), bool json)
{
    struct report_document document;

    study_open(&t->of, items, leaked, rows, NULL);
    t->text = (struct bytes){ 0 };
    t->told = (struct score_told){ &t->of.samples, &t->of.items, &t->of.matched, &t->of.points, &t->of.study, "b", NULL,
                                   "near", 3, items - 1 };
    report_open(&document, "Scores");
    tell(&t->told, &document);
    assert_int_equal((json ? report_json : report_markdown)(&document, &t->text), 0);
    assert_int_equal(bytes_append(&t->text, "", 1), 0);
    report_close(&document);
}

static inline void told_says(const struct told *t, const char *what)
{
    if (!strstr(t->text.at, what)) fail_msg("does not say `%s`: %s", what, t->text.at);
}

static inline void told_close(struct told *t)
{
    bytes_free(&t->text);
    study_close(&t->of);
}

#endif
