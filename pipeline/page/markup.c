/* page/markup.c -- see markup.h. */
#include "page/markup.h"

#include "page/escape.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>

void markup_add(struct markup *m, const char *format, ...)
{
    va_list args;
    int     need;

    if (m->rc < 0) return;
    va_start(args, format);
    need = vsnprintf(NULL, 0, format, args);
    va_end(args);
    if (need < 0 || bytes_reserve(m->out, m->out->len + (size_t)need + 1) < 0) {
        m->rc = -ENOMEM;
        return;
    }
    va_start(args, format);
    vsnprintf(m->out->at + m->out->len, (size_t)need + 1, format, args);
    va_end(args);
    m->out->len += (size_t)need;
}

void markup_slice(struct markup *m, struct slice tags)
{
    if (m->rc == 0) m->rc = bytes_append_slice(m->out, tags);
}

void markup_text(struct markup *m, struct slice text)
{
    if (m->rc == 0) m->rc = escape_html(m->out, text, true);
}

void markup_lines(struct markup *m, struct slice text)
{
    if (m->rc == 0) m->rc = escape_html(m->out, text, false);
}

void markup_count(struct markup *m, uint64_t number)
{
    char   digits[24];
    size_t len = (size_t)snprintf(digits, sizeof digits, "%llu", (unsigned long long)number);

    for (size_t i = 0; i < len; i++) markup_add(m, i && (len - i) % 3 == 0 ? ",%c" : "%c", digits[i]);
}

static const char *const tones[] = { [TONE_OPEN] = "open", [TONE_GOOD] = "good", [TONE_BAD] = "bad" };

void markup_cell(struct markup *m, const struct report_cell *cell)
{
    switch (cell->kind) {
    case REPORT_TEXT:
    case REPORT_NAME:    markup_text(m, cell->text); return;
    case REPORT_OUTCOME:
        markup_add(m, "<span class=\"outcome %s\">", tones[report_tone(cell->text)]);
        markup_text(m, cell->text);
        markup_add(m, "</span>");
        return;
    case REPORT_COUNT:   markup_count(m, cell->number); return;
    case REPORT_ID:      markup_add(m, "%llu", (unsigned long long)cell->number); return;
    case REPORT_BYTES:   markup_add(m, "%.2f MB", (double)cell->number / 1e6); return;
    case REPORT_PERCENT:
        if (isfinite(cell->real)) markup_add(m, "%.2f %%", cell->real);
        else break;
        return;
    case REPORT_SHARE:
    case REPORT_NUMBER:
        if (isfinite(cell->real)) markup_add(m, cell->kind == REPORT_SHARE ? "%.3f" : "%.4g", cell->real);
        else break;
        return;
    case REPORT_CHANGE:
        if (!isfinite(cell->real)) break;
        markup_add(m, cell->real == trunc(cell->real) && fabs(cell->real) < 1e15 ? "%+.0f" : "%+.4g", cell->real);
        return;
    case REPORT_FLAG:    markup_add(m, cell->number ? "yes" : "no"); return;
    case REPORT_ALL:     markup_add(m, "<span class=\"quiet\">all</span>"); return;
    case REPORT_NOTHING: break;
    }
    markup_add(m, "<span class=\"quiet\">–</span>");
}

bool markup_value(const struct report_cell *cell, double *value)
{
    *value = 0;
    switch (cell->kind) {
    case REPORT_COUNT:
    case REPORT_ID:
    case REPORT_BYTES:
    case REPORT_FLAG:
        *value = (double)cell->number;
        return true;
    case REPORT_PERCENT:
    case REPORT_SHARE:
    case REPORT_NUMBER:
    case REPORT_CHANGE:
        if (!isfinite(cell->real)) return false;
        *value = cell->real;
        return true;
    case REPORT_TEXT:
    case REPORT_NAME:
    case REPORT_OUTCOME:
    case REPORT_ALL:
    case REPORT_NOTHING: break;
    }
    return false;
}
