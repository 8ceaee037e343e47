/* inclusion/second.c -- see second.h. */
#include "inclusion/second.h"

#include "base/lcs.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

int second_open(struct second_reader *reader, struct err *err)
{
    int rc = view_scratch_open(&reader->scratch, &(struct view_options){ .kind = VIEW_TOKENS }, err);

    return rc < 0 ? rc : forms_open(&reader->forms, err);
}

void second_close(struct second_reader *reader)
{
    forms_close(reader->forms);
    view_scratch_close(reader->scratch);
    free(reader->place);
    *reader = (struct second_reader){ .room = 0 };
}

void second_free(struct second *second)
{
    free(second->item);
    *second = (struct second){ .room = 0 };
}

int second_read(struct second_reader *reader, const struct language *language, struct slice text,
                const struct functions **functions, struct err *err)
{
    const struct record         record = { .number = 0 };
    const struct view_language *view = view_language_of(reader->scratch, language_name(language), &record, err);

    return view ? forms_read(reader->forms, reader->scratch, view, text, functions, err) : err->code;
}

int second_take(struct second_reader *reader, size_t i, size_t middle, struct second *out, struct err *err)
{
    int rc = forms_of(reader->forms, i, FORM_STATEMENTS, &out->form, err);

    if (rc < 0) return rc;
    if (ARRAY_GROW(reader->place, reader->room, out->form.items) < 0 ||
        ARRAY_GROW(out->item, out->room, out->form.items) < 0)
        return err_memory(err, out->form.items * sizeof *reader->place, "a function's statements");
    if (out->form.items) memcpy(out->item, out->form.item, out->form.items * sizeof *out->item);
    out->form.item = out->item;
    out->form.name = NULL;                                  /* lives no longer than the text */
    forms_places(reader->forms, i, FORM_STATEMENTS, reader->place);
    out->first = 0;
    while (out->first < out->form.items && reader->place[out->first].at < middle) out->first++;
    return 0;
}

static bool same(struct content_hash a, struct content_hash b) { return a.low == b.low && a.high == b.high; }

int second_compare(const struct second *a, const struct second *b, enum clone_type *type, double *alike,
                   struct err *err)
{
    const size_t m = a->form.items - a->first, n = b->form.items - b->first, more = m > n ? m : n;
    const struct ratio least = { SECOND_DISSIMILARITY.den - SECOND_DISSIMILARITY.num, SECOND_DISSIMILARITY.den };
    uint32_t     common;

    *alike = 1;
    *type = same(a->form.exact, b->form.exact) ? CLONE_TYPE_1
        : same(a->form.consistent, b->form.consistent) ? CLONE_TYPE_2C
        : same(a->form.blind, b->form.blind) ? CLONE_TYPE_2 : CLONE_TYPES;
    if (*type != CLONE_TYPES) return 0;
    *alike = 0;
    if (!m || !n) return 0;
    if (lcs_length(a->item + a->first, m, b->item + b->first, n, &common) < 0)
        return err_memory(err, more * sizeof *a->item, "a function's statements");
    if (common == UINT32_MAX) return 0;
    *alike = (double)common / (double)more;
    if (ratio_reached(least, common, more)) *type = CLONE_TYPE_3;
    return 0;
}
