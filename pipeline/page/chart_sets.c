/* page/chart_sets.c -- which sets a thing is in at once (UpSet; Lex et al. 2014): a column for each combination, a bar
 * for how many, dots for which. */
#include "page/chart_parts.h"

#include <string.h>

enum { LABEL = 190, STEP = 40, HIGH = 130, LINE = 22, SETS_MOST = 24, COLUMNS_MOST = 20 };

struct sets { struct slice name[SETS_MOST]; size_t count; };

/* Cuts the first name off a list joined by ", "; false at its end. */
static bool name_next(struct slice *list, struct slice *name)
{
    const char *end;

    if (!list->len) return false;
    end = memchr(list->at, ',', list->len);
    name->at = list->at;
    name->len = end ? (size_t)(end - list->at) : list->len;
    list->at += name->len;
    list->len -= name->len;
    while (list->len && (*list->at == ',' || *list->at == ' ')) {
        list->at++;
        list->len--;
    }
    return true;
}

static size_t set_find(struct sets *sets, struct slice name)
{
    size_t i = 0;

    while (i < sets->count && !slice_equal(sets->name[i], name)) i++;
    if (i == sets->count && i < SETS_MOST) sets->name[sets->count++] = name;
    return i;
}

static void put_column(struct markup *m, const struct chart *c, struct sets *sets, size_t i)
{
    const struct report_cell *cell = &c->row[i]->cell[c->y[0]];
    struct slice              list = c->row[i]->cell[c->label[0]].text, name;
    const size_t              x = LABEL + i * STEP + STEP / 2;
    size_t                    first = SETS_MOST, last = 0;
    double                    value;

    if (!markup_value(cell, &value)) return;
    markup_add(m, "<rect class=\"f1\" x=\"%zu\" y=\"%.1f\" width=\"22\" height=\"%.1f\"/><text x=\"%zu\" y=\"%.1f\" "
               "class=\"middle\">", x - 11, 20 + HIGH * (1 - chart_part(value, c->most)),
               HIGH * chart_part(value, c->most), x, 15 + HIGH * (1 - chart_part(value, c->most)));
    markup_cell(m, cell);
    markup_add(m, "</text>");
    for (size_t s = 0; s < sets->count; s++)
        markup_add(m, "<circle class=\"off\" r=\"5\" cx=\"%zu\" cy=\"%zu\"/>", x, HIGH + 36 + s * LINE);
    while (name_next(&list, &name)) {
        const size_t s = set_find(sets, name);

        if (s == SETS_MOST) continue;
        markup_add(m, "<circle class=\"f1\" r=\"6\" cx=\"%zu\" cy=\"%zu\"/>", x, HIGH + 36 + s * LINE);
        if (s < first) first = s;
        if (s > last) last = s;
    }
    if (first < last)
        markup_add(m, "<path class=\"l1\" d=\"M%zu %zuV%zu\"/>", x, HIGH + 36 + first * LINE, HIGH + 36 + last * LINE);
    markup_add(m, "\n");
}

void chart_sets_add(struct markup *m, const struct chart *c)
{
    const size_t count = c->count < COLUMNS_MOST ? c->count : COLUMNS_MOST;
    struct sets  sets = { .count = 0 };

    for (size_t i = 0; i < count; i++) {
        struct slice list = c->row[i]->cell[c->label[0]].text, name;

        while (name_next(&list, &name)) set_find(&sets, name);
    }
    chart_begin(m, c, LABEL + (int)count * STEP + 10, HIGH + 30 + (int)sets.count * LINE);
    for (size_t s = 0; s < sets.count; s++) {
        markup_add(m, "<text x=\"%d\" y=\"%zu\" class=\"end\">", LABEL - 8, HIGH + 40 + s * LINE);
        chart_text(m, sets.name[s], 26);
        markup_add(m, "</text>\n");
    }
    for (size_t i = 0; i < count; i++) put_column(m, c, &sets, i);
    chart_end(m, c->count - count);
}
