/* regress/design.c -- see design.h. */
#include "regress/design.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TEXTS_MOST = 200, SHOWN = 60 };                      /* of a variable; bytes of a text in a message */
static const double WHOLE_MOST = 0x1p53;                    /* doubles tell whole numbers apart below it */

/* A variable over the rows that count. */
struct column {
    const struct frame_column *from;
    double                    *number;                      /* NULL: texts */
    uint32_t                  *level;
    struct slice              *text;                        /* [levels] */
    size_t                     levels;
};

struct making {
    struct design        *d;
    const struct formula *formula;
    const struct frame   *frame;
    size_t               *row, rows;                        /* of the frame, that count */
    struct column         column[FORMULA_VARIABLES];
    struct err           *err;
};

static int out_of_memory(const struct making *m)
{
    return err_memory(m->err, (m->rows + 1) * sizeof(double), "the columns of a regression");
}

static int shown(struct slice text) { return text.len > SHOWN ? SHOWN : (int)text.len; }

/* ---- rows that count ---- */

static bool is_there(const struct making *m, struct formula_variable v, size_t row)
{
    const struct frame_column *c = v.name.at ? frame_column_of(m->frame, v.name) : NULL;

    return !c || !frame_is_missing(frame_cell(c, row));
}

/* Names the column that is missing most often, of those that the formula names. */
static int no_rows(const struct making *m)
{
    const struct frame_column *worst = m->frame->column;
    size_t                     most = 0;

    for (size_t i = 0; i < m->frame->columns; i++) {
        size_t count = 0;

        for (size_t row = 0; row < m->frame->rows; row++)
            count += frame_is_missing(frame_cell(&m->frame->column[i], row));
        if (count <= most) continue;
        most = count;
        worst = &m->frame->column[i];
    }
    return err_set(m->err, -EDOM, "no row has all that the formula names: of %zu, %zu lack something (`%.*s` %zu)%s",
                   m->frame->rows, m->d->missing, shown(worst->name), worst->name.at, most,
                   m->d->untried ? ", the others have no trials" : "");
}

static int choose_rows(struct making *m)
{
    const struct formula *f = m->formula;

    m->row = malloc((m->frame->rows + 1) * sizeof *m->row);
    if (!m->row) return out_of_memory(m);
    for (size_t row = 0; row < m->frame->rows; row++) {
        bool there = is_there(m, f->response, row) && is_there(m, f->trials, row), tried = true;

        for (size_t i = 0; i < f->variables && there; i++) there = is_there(m, f->variable[i], row);
        if (there && f->trials.name.at) {
            double trials;

            tried = !frame_number(frame_cell(frame_column_of(m->frame, f->trials.name), row), &trials) || trials != 0;
        }
        m->d->missing += !there;
        m->d->untried += !tried;
        if (there && tried) m->row[m->rows++] = row;
    }
    return m->rows ? 0 : no_rows(m);
}

/* ---- numbers ---- */

static int no_number(const struct making *m, const struct frame_column *c, const char *why)
{
    const struct slice cell = frame_cell(c, c->text_row);

    return err_set(m->err, -EINVAL, "column `%.*s` has texts, as `%.*s` in row %zu: %s", shown(c->name), c->name.at,
                   shown(cell), cell.at, c->text_row + 1, why);
}

static int scale(const struct making *m, const struct frame_column *c, double *out)
{
    double mean = 0, squares = 0, largest = 0;
    int    power;

    for (size_t i = 0; i < m->rows; i++) largest = fmax(largest, fabs(out[i]));
    (void)frexp(largest, &power);                           /* squares of numbers of any size are numbers then */
    for (size_t i = 0; i < m->rows; i++) out[i] = ldexp(out[i], -power);
    for (size_t i = 0; i < m->rows; i++) mean += out[i] / (double)m->rows;
    for (size_t i = 0; i < m->rows; i++) squares += (out[i] - mean) * (out[i] - mean);
    squares = sqrt(squares / (double)(m->rows > 1 ? m->rows - 1 : 1));
    if (!(squares > 1e-12 * fabs(mean)))
        return err_set(m->err, -EDOM, "scale(%.*s): the column is the same in all rows", shown(c->name), c->name.at);
    for (size_t i = 0; i < m->rows; i++) out[i] = (out[i] - mean) / squares;
    return 0;
}

/* out [rows]: the variable, its function applied. */
static int numbers_of(const struct making *m, struct formula_variable v, double *out)
{
    const struct frame_column *c = frame_column_of(m->frame, v.name);
    const double               least = v.function == FORMULA_LOG1P ? -1 : 0;

    if (!c->number) return no_number(m, c, "a number is wanted there");
    for (size_t i = 0; i < m->rows; i++) {
        const double value = out[i] = c->number[m->row[i]];

        if (v.function != FORMULA_LOG && v.function != FORMULA_LOG1P) continue;
        if (!(value > least))
            return err_set(m->err, -EDOM, "%s(%.*s): %g in row %zu has no logarithm%s",
                           formula_function_names[v.function], shown(c->name), c->name.at, value, m->row[i] + 1,
                           value > -1 ? "; log1p takes 0" : "");
        out[i] = v.function == FORMULA_LOG ? log(value) : log1p(value);
    }
    return v.function == FORMULA_SCALE ? scale(m, c, out) : 0;
}

static int take_numbers(const struct making *m, struct formula_variable v, double **out)
{
    *out = malloc((m->rows + 1) * sizeof **out);
    return *out ? numbers_of(m, v, *out) : out_of_memory(m);
}

/* ---- texts ---- */

struct placed { struct slice text; double number; size_t at; };     /* number: 0 of a column of texts */

static int compare_placed(const void *left, const void *right)
{
    const struct placed *a = left, *b = right;
    const int            order = slice_compare(a->text, b->text);

    if (a->number < b->number || a->number > b->number) return a->number < b->number ? -1 : 1;
    return order ? order : (a->at > b->at) - (a->at < b->at);
}

/* Of a column of numbers 1, 01 and 1.0 are one, as far as doubles tell whole numbers apart: long ids are not. */
static bool is_same_level(const struct placed *a, const struct placed *b, bool numbers)
{
    return slice_equal(a->text, b->text) || (numbers && a->number == b->number && fabs(a->number) < WHOLE_MOST);
}

/* Levels of the cells. */
static int take_levels(const struct making *m, struct column *c)
{
    struct placed *placed = malloc((m->rows + 1) * sizeof *placed);

    c->level = malloc((m->rows + 1) * sizeof *c->level);
    c->text = malloc((m->rows + 1) * sizeof *c->text);
    if (!placed || !c->level || !c->text) {
        free(placed);
        return out_of_memory(m);
    }
    for (size_t i = 0; i < m->rows; i++) {
        const double number = c->from->number ? c->from->number[m->row[i]] : 0;

        placed[i] = (struct placed){ frame_cell(c->from, m->row[i]), number, i };
    }
    qsort(placed, m->rows, sizeof *placed, compare_placed);
    for (size_t i = 0; i < m->rows; i++) {
        if (!i || !is_same_level(&placed[i], &placed[i - 1], c->from->number))
            c->text[c->levels++] = placed[i].text;
        c->level[placed[i].at] = (uint32_t)(c->levels - 1);
    }
    free(placed);
    return 0;
}

static bool is_fixed(const struct formula *f, size_t variable)
{
    uint32_t all = 0;

    for (size_t i = 0; i < f->terms; i++) all |= f->term[i];
    return all >> variable & 1;
}

/* The first variable of texts that is a term of its own stands for an intercept that is not there. */
static bool is_intercept(const struct making *m, size_t variable)
{
    const struct formula *f = m->formula;

    for (size_t i = 0; i < f->terms && !f->intercept; i++)
        for (size_t v = 0; v < f->variables; v++)
            if (f->term[i] == UINT32_C(1) << v && !m->column[v].number) return v == variable;
    return false;
}

static int note_texts(struct making *m, size_t variable)
{
    const struct column *c = &m->column[variable];

    if (c->number || !is_fixed(m->formula, variable)) return 0;
    if (c->levels > TEXTS_MOST) {
        const struct slice name = c->from->name, cell = frame_cell(c->from, c->from->text_row);

        return err_set(m->err, -EINVAL, "column `%.*s` has %zu different texts, as `%.*s` in row %zu: of more than %d "
                                        "no coefficients are made; (1 | %.*s) has them as groups", shown(name), name.at,
                       c->levels, shown(cell), cell.at, c->from->text_row + 1, TEXTS_MOST, shown(name), name.at);
    }
    m->d->texts[m->d->text_count++] =
        (struct design_texts){ c->from->name, c->text[0], c->levels, !is_intercept(m, variable) };
    return 0;
}

static int take_variable(struct making *m, size_t i)
{
    const struct formula_variable v = m->formula->variable[i];
    struct column                *c = &m->column[i];
    const bool                    fixed = is_fixed(m->formula, i);
    bool                          grouped = false;
    int                           rc = 0;

    for (size_t g = 0; g < m->formula->groups; g++) grouped |= m->formula->group[g] >> i & 1;
    c->from = frame_column_of(m->frame, v.name);
    if (grouped && v.function != FORMULA_PLAIN)
        return err_set(m->err, -EINVAL, "a group is a column as it is, not %s(%.*s)",
                       formula_function_names[v.function], shown(v.name), v.name.at);
    if (fixed && v.function == FORMULA_PLAIN && c->from->nearly)
        return no_number(m, c->from, "nearly all others are numbers; mend or empty it, or say factor() where numbers "
                                     "are names");
    if (fixed && v.function != FORMULA_FACTOR && (c->from->number || v.function != FORMULA_PLAIN))
        rc = take_numbers(m, v, &c->number);
    return rc == 0 && (grouped || !c->number) ? take_levels(m, c) : rc;
}

/* ---- columns ---- */

/* Whether the variable has a column a text in this term, or one less: the term without it is in the formula. */
static bool all_texts(const struct making *m, uint32_t term, size_t variable)
{
    const struct formula *f = m->formula;
    const uint32_t        without = term & ~(UINT32_C(1) << variable);

    if (!without) return is_intercept(m, variable);
    for (size_t i = 0; i < f->terms; i++)
        if (f->term[i] == without) return false;
    return true;
}

/* How many columns a variable has in a term, and from which level on. */
static size_t width_of(const struct making *m, uint32_t term, size_t variable, size_t *first)
{
    const struct column *c = &m->column[variable];

    *first = 0;
    if (c->number) return 1;
    *first = all_texts(m, term, variable) ? 0 : 1;
    return c->levels - *first;
}

static int name_variable(const struct making *m, size_t variable, size_t level, struct bytes *out)
{
    const struct formula_variable v = m->formula->variable[variable];
    const struct column          *c = &m->column[variable];
    const char                   *function = formula_function_names[v.function];
    int                           rc = out->len ? bytes_append(out, ":", 1) : 0;

    if (rc == 0) rc = bytes_printf(out, "%s%s", function, *function ? "(" : "");
    if (rc == 0) rc = bytes_append_slice(out, v.name);
    if (rc == 0 && *function) rc = bytes_append(out, ")", 1);
    if (rc < 0 || c->number) return rc;
    rc = bytes_append(out, "[", 1);
    if (rc == 0) rc = bytes_append_slice(out, c->text[level]);
    return rc == 0 ? bytes_append(out, "]", 1) : rc;
}

/* The `number`-th column of a term: the first variable's texts go fastest. */
static int make_column(struct making *m, uint32_t term, size_t number, size_t column)
{
    struct design *d = m->d;
    struct bytes   name = { 0 };
    int            rc = 0;

    for (size_t i = 0; i < m->rows; i++) d->x[i * d->data.columns + column] = 1;
    for (size_t v = 0; v < m->formula->variables && rc == 0; v++) {
        const struct column *c = &m->column[v];
        size_t               first, width, level;

        if (!(term >> v & 1)) continue;
        width = width_of(m, term, v, &first);
        level = first + number % width;
        number /= width;
        for (size_t i = 0; i < m->rows; i++)
            d->x[i * d->data.columns + column] *= c->number ? c->number[i] : c->level[i] == level;
        rc = name_variable(m, v, level, &name);
    }
    if (rc == 0 && !term) rc = bytes_printf(&name, "(Intercept)");
    if (rc == 0) rc = bytes_append(&name, "", 1);
    if (rc == 0) d->name[column] = name.at;
    else bytes_free(&name);
    return rc < 0 ? out_of_memory(m) : 0;
}

static size_t columns_of(const struct making *m, uint32_t term)
{
    size_t count = 1, first;

    for (size_t v = 0; v < m->formula->variables && count <= DESIGN_COLUMNS; v++)
        if (term >> v & 1) count *= width_of(m, term, v, &first);
    return count;
}

static int make_columns(struct making *m)
{
    const struct formula *f = m->formula;
    struct design        *d = m->d;
    size_t                column = 0;
    int                   rc = 0;

    d->data.columns = f->intercept;
    for (size_t t = 0; t < f->terms; t++) {
        d->data.columns += columns_of(m, f->term[t]);
        if (d->data.columns > DESIGN_COLUMNS)
            return err_set(m->err, -EINVAL, "the formula makes more than %d columns", DESIGN_COLUMNS);
    }
    d->x = malloc((m->rows * d->data.columns + 1) * sizeof *d->x);
    d->name = calloc(d->data.columns + 1, sizeof *d->name);
    if (!d->x || !d->name) return out_of_memory(m);
    if (f->intercept) rc = make_column(m, 0, 0, column++);
    for (size_t t = 0; t < f->terms && rc == 0; t++)
        for (size_t k = 0, of = columns_of(m, f->term[t]); k < of && rc == 0; k++)
            rc = make_column(m, f->term[t], k, column++);
    return rc;
}

/* ---- groups ---- */

struct pair { uint64_t key; size_t at; };

static int compare_pairs(const void *left, const void *right)
{
    const struct pair *a = left, *b = right;

    if (a->key != b->key) return a->key < b->key ? -1 : 1;
    return (a->at > b->at) - (a->at < b->at);
}

/* Levels of pairs of levels: those that are there. */
static int join_levels(const struct making *m, uint32_t *level, const struct column *other, size_t *levels)
{
    struct pair *pair = malloc((m->rows + 1) * sizeof *pair);

    if (!pair) return out_of_memory(m);
    for (size_t i = 0; i < m->rows; i++) pair[i] = (struct pair){ (uint64_t)level[i] << 32 | other->level[i], i };
    qsort(pair, m->rows, sizeof *pair, compare_pairs);
    *levels = 0;
    for (size_t i = 0; i < m->rows; i++) {
        if (i && pair[i].key != pair[i - 1].key) ++*levels;
        level[pair[i].at] = (uint32_t)*levels;
    }
    ++*levels;
    free(pair);
    return 0;
}

static int make_group(struct making *m, size_t g)
{
    struct design *d = m->d;
    struct bytes   name = { 0 };
    uint32_t      *level = d->level[g] = calloc(m->rows + 1, sizeof *level);
    size_t         levels = 1;
    int            rc = level ? 0 : out_of_memory(m);

    for (size_t v = 0; v < m->formula->variables && rc == 0; v++) {
        if (!(m->formula->group[g] >> v & 1)) continue;
        rc = join_levels(m, level, &m->column[v], &levels);
        if (rc == 0 && ((name.len && bytes_append(&name, ":", 1) < 0) ||
                        bytes_append_slice(&name, m->formula->variable[v].name) < 0)) rc = out_of_memory(m);
    }
    if (rc == 0 && bytes_append(&name, "", 1) < 0) rc = out_of_memory(m);
    if (rc == 0) d->group_name[g] = name.at;
    else bytes_free(&name);
    d->data.term[g] = (struct grouping){ levels, level };
    return rc;
}

static int make_groups(struct making *m)
{
    int rc = 0;

    m->d->data.terms = m->formula->groups;
    m->d->group_name = calloc(m->formula->groups + 1, sizeof *m->d->group_name);
    if (!m->d->group_name) return out_of_memory(m);
    for (size_t g = 0; g < m->formula->groups && rc == 0; g++) rc = make_group(m, g);
    return rc;
}

/* ---- the response ---- */

static bool is_whole(double value) { return value >= 0 && value <= 1e9 && value == floor(value); }

static int check_hits(const struct making *m)
{
    const struct design *d = m->d;
    const struct slice   hits = m->formula->response.name, trials = m->formula->trials.name;

    for (size_t i = 0; i < m->rows; i++) {
        if (!trials.at && (!is_whole(d->y[i]) || d->y[i] > 1))
            return err_set(m->err, -EDOM, "response `%.*s` is %g in row %zu: of the binomial family it is 0 or 1, or "
                                          "HITS/TRIALS ~ ...", shown(hits), hits.at, d->y[i], m->row[i] + 1);
        if (trials.at && (!is_whole(d->y[i]) || !is_whole(d->trials[i]) || d->y[i] > d->trials[i]))
            return err_set(m->err, -EDOM, "row %zu has %g hits `%.*s` of %g trials `%.*s`: whole numbers are wanted, "
                                          "and no more hits than trials", m->row[i] + 1, d->y[i], shown(hits), hits.at,
                           d->trials[i], shown(trials), trials.at);
    }
    return 0;
}

static int make_response(struct making *m, bool hits)
{
    const struct formula *f = m->formula;
    struct design        *d = m->d;
    int                   rc;

    if (hits && (f->response.function != FORMULA_PLAIN || f->trials.function != FORMULA_PLAIN))
        return err_set(m->err, -EINVAL, "hits and trials are counts: no function is taken of them");
    if (f->response.function == FORMULA_FACTOR)
        return err_set(m->err, -EINVAL, "the response is a number, not a factor");
    if (!hits && f->trials.name.at)
        return err_set(m->err, -EINVAL, "HITS/TRIALS is a response of --family binomial");
    rc = take_numbers(m, f->response, &d->y);
    if (rc == 0 && f->trials.name.at) rc = take_numbers(m, f->trials, &d->trials);
    else if (rc == 0 && hits) {
        d->trials = malloc((m->rows + 1) * sizeof *d->trials);
        if (!d->trials) return out_of_memory(m);
        for (size_t i = 0; i < m->rows; i++) d->trials[i] = 1;
    }
    return rc == 0 && hits ? check_hits(m) : rc;
}

/* ---- all ---- */

static int check_columns(const struct making *m)
{
    for (size_t i = 0; i < m->frame->columns; i++)
        if (!m->frame->column[i].found)
            return err_set(m->err, -EINVAL, "there is no column `%.*s`", shown(m->frame->column[i].name),
                           m->frame->column[i].name.at);
    return 0;
}

int design_make(struct design *d, const struct formula *formula, const struct frame *frame, bool hits,
                struct err *err)
{
    struct making m = { .d = d, .formula = formula, .frame = frame, .err = err };
    int           rc;

    *d = (struct design){ .text_count = 0 };
    rc = check_columns(&m);
    if (rc == 0) rc = choose_rows(&m);
    if (rc == 0) rc = make_response(&m, hits);
    for (size_t i = 0; i < formula->variables && rc == 0; i++) rc = take_variable(&m, i);
    for (size_t i = 0; i < formula->variables && rc == 0; i++) rc = note_texts(&m, i);
    if (rc == 0) rc = make_columns(&m);
    if (rc == 0) rc = make_groups(&m);
    d->data.rows = m.rows;
    d->data.x = d->x;
    d->data.y = d->y;
    d->data.trials = d->trials;
    d->data.name = (const char *const *)d->name;
    d->data.term_name = (const char *const *)d->group_name;
    for (size_t i = 0; i < formula->variables; i++) {
        free(m.column[i].number);
        free(m.column[i].level);
        free(m.column[i].text);
    }
    free(m.row);
    return rc;
}

void design_free(struct design *d)
{
    free(d->x);
    free(d->y);
    free(d->trials);
    for (size_t g = 0; g < REGRESS_TERMS; g++) free(d->level[g]);
    for (size_t i = 0; d->name && i < d->data.columns; i++) free(d->name[i]);
    for (size_t g = 0; d->group_name && g < d->data.terms; g++) free(d->group_name[g]);
    free(d->name);
    free(d->group_name);
    *d = (struct design){ .text_count = 0 };
}
