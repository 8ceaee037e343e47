/* audit/feature_csv.c -- see feature.h: the CSV of feature rows. */
#include "audit/feature.h"

#include "base/file.h"
#include "base/utf8.h"
#include "corpus/csv.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define FEATURES_MAX (UINT64_C(1) << 30)                    /* bytes of a file that is read */
enum { FIELDS_MAX = 64, NUMBER_MAX = 63, TOTAL_MAX = 1000000000 };

/* Where in a row each value stands; -1: nowhere. */
struct columns { int file, hits[AUDIT_CATEGORIES], total[AUDIT_CATEGORIES], label, repository; size_t count; };

struct reader {
    const char    *name;
    size_t         line;                                    /* of the row at hand, from 1 */
    struct columns columns;
    struct slice   field[FIELDS_MAX];
    struct bytes   text;                                    /* of the row's fields in quotes */
};

/* ---- rows to fields ---- */

static int row_fields(struct reader *r, struct slice row, size_t *count, struct err *err)
{
    size_t       at = 0, used = 0;
    struct slice value;
    bool         quoted;

    *count = 0;
    if (bytes_reserve(&r->text, row.len + 1) < 0) return err_memory(err, row.len, "a row of CSV");
    while (csv_next_field(row, ',', &at, &value, &quoted)) {
        if (*count == FIELDS_MAX)
            return err_set(err, -EBADMSG, "%s:%zu: more than %d columns", r->name, r->line, FIELDS_MAX);
        if (quoted) {
            char *to = r->text.at + used;

            used += value.len;
            value = (struct slice){ to, csv_unquote(to, value) };
        }
        r->field[(*count)++] = value;
    }
    return 0;
}

static int take_column(struct reader *r, int *place, size_t column, struct err *err)
{
    if (*place >= 0)
        return err_set(err, -EBADMSG, "%s:%zu: column %zu is called as column %d is", r->name, r->line, column + 1,
                       *place + 1);
    *place = (int)column;
    return 0;
}

static const struct slice file_name = SLICE("file_name");

static int *place_of(struct columns *c, struct slice name)
{
    char wanted[48];

    if (slice_equal(name, file_name)) return &c->file;
    if (slice_equal(name, SLICE("trained_on"))) return &c->label;
    if (slice_equal(name, SLICE("repository"))) return &c->repository;
    for (int i = 0; i < AUDIT_CATEGORIES; i++) {
        snprintf(wanted, sizeof wanted, "%s_hits", audit_category_names[i]);
        if (slice_equal(name, slice_of(wanted))) return &c->hits[i];
        snprintf(wanted, sizeof wanted, "%s_nums_total", audit_category_names[i]);
        if (slice_equal(name, slice_of(wanted))) return &c->total[i];
    }
    return NULL;
}

static int read_names(struct reader *r, size_t count, struct err *err)
{
    struct columns *c = &r->columns;
    size_t          totals = 0;
    bool            named = false;
    int             rc = 0;

    *c = (struct columns){ .file = -1, .label = -1, .repository = -1, .count = count };
    for (int i = 0; i < AUDIT_CATEGORIES; i++) c->hits[i] = c->total[i] = -1;
    for (size_t f = 0; f < count; f++) named |= slice_equal(r->field[f], file_name);
    if (!named) c->file = 0;
    for (size_t f = !named; f < count && rc == 0; f++) {
        int *place = place_of(c, r->field[f]);

        if (place) rc = take_column(r, place, f, err);
    }
    for (int i = 0; i < AUDIT_CATEGORIES && rc == 0; i++) {
        if (c->hits[i] < 0)
            rc = err_set(err, -EBADMSG, "%s:1: there is no column `%s_hits`", r->name, audit_category_names[i]);
        totals += c->total[i] >= 0;
    }
    if (rc == 0 && totals > 0 && totals < AUDIT_CATEGORIES)
        rc = err_set(err, -EBADMSG, "%s:1: %zu of %d columns `..._nums_total`; all or none", r->name, totals,
                     AUDIT_CATEGORIES);
    return rc;
}

/* ---- values ---- */

static int bad_value(const struct reader *r, int column, const char *what, struct err *err)
{
    const struct slice value = r->field[column];

    return err_set(err, -EBADMSG, "%s:%zu: column %d: `%.*s` is no %s", r->name, r->line, column + 1,
                   value.len > 40 ? 40 : (int)value.len, value.len ? value.at : "", what);
}

static int read_number(const struct reader *r, int column, double most, const char *what, double *out, struct err *err)
{
    const struct slice value = r->field[column];
    char               text[NUMBER_MAX + 1], *end;

    if (value.len == 0 || value.len > NUMBER_MAX) return bad_value(r, column, what, err);
    memcpy(text, value.at, value.len);
    text[value.len] = 0;
    *out = strtod(text, &end);
    /* strtod skips blanks before a number, and reads hexadecimal ones, infinity and NaN */
    if (end != text + value.len || strspn(text, "0123456789.eE+-") != value.len || !(*out >= 0 && *out <= most))
        return bad_value(r, column, what, err);
    return 0;
}

static int read_label(const struct reader *r, int *out, struct err *err)
{
    const int    column = r->columns.label;
    struct slice value;
    double       number;

    *out = -1;
    if (column < 0) return 0;
    value = r->field[column];
    if (value.len == 0 || slice_equal(value, SLICE("-1"))) return 0;
    if (read_number(r, column, 1, "label: 1, 0, or nothing", &number, err) < 0) return err->code;
    if (number != 0 && number != 1) return bad_value(r, column, "label: 1, 0, or nothing", err);
    *out = number > 0;
    return 0;
}

static int read_row(struct reader *r, size_t count, struct audit_features *to, struct err *err)
{
    const struct columns *c = &r->columns;
    double                hits[AUDIT_CATEGORIES], total[AUDIT_CATEGORIES];
    struct slice          repository = { NULL, 0 };
    int                   label = -1, rc = 0;

    if (count != c->count)
        return err_set(err, -EBADMSG, "%s:%zu: %zu columns, where the first line has %zu", r->name, r->line, count,
                       c->count);
    if (r->field[c->file].len == 0 || memchr(r->field[c->file].at, 0, r->field[c->file].len))
        return bad_value(r, c->file, "file name", err);
    for (int i = 0; i < AUDIT_CATEGORIES && rc == 0; i++) {
        rc = read_number(r, c->hits[i], 1, "share of hits: a number from 0 to 1", &hits[i], err);
        if (rc < 0 || c->total[i] < 0) continue;
        rc = read_number(r, c->total[i], TOTAL_MAX, "count of elements", &total[i], err);
        if (rc == 0 && total[i] != floor(total[i])) rc = bad_value(r, c->total[i], "count of elements", err);
        if (rc == 0 && total[i] == 0 && hits[i] > 0)
            rc = bad_value(r, c->hits[i], "share of hits among no elements", err);
    }
    if (rc == 0) rc = read_label(r, &label, err);
    if (rc == 0 && c->repository >= 0 && r->field[c->repository].len) {
        repository = r->field[c->repository];
        if (memchr(repository.at, 0, repository.len)) rc = bad_value(r, c->repository, "repository's name", err);
    }
    if (rc < 0) return rc;
    return audit_features_add(to, r->field[c->file], repository, hits, c->total[0] < 0 ? NULL : total, label, err);
}

/* ---- the file ---- */

/* The next row of *text, which loses it; lines are counted.  1, 0 when there is none, or -EBADMSG. */
static int next_row(struct reader *r, struct slice *text, struct slice *row, size_t *next_line, struct err *err)
{
    enum csv_place place = CSV_FIELD;
    size_t         used = 0;
    enum csv_end   end;

    if (text->len == 0) return 0;
    r->line = *next_line;
    end = csv_scan(&place, *text, ',', &used);
    for (size_t i = 0; i < used; i++) *next_line += text->at[i] == '\n';
    if (end == CSV_BROKEN)
        return err_set(err, -EBADMSG, "%s:%zu: a quote that is closed before the end of its column", r->name,
                       *next_line);
    if (end == CSV_MORE && place == CSV_QUOTED)
        return err_set(err, -EBADMSG, "%s:%zu: a quote that is never closed", r->name, r->line);
    *row = csv_row_without_end((struct slice){ text->at, used });
    text->at += used;
    text->len -= used;
    return 1;
}

int audit_features_parse(struct audit_features *to, const char *name, struct slice text, struct err *err)
{
    struct reader r = { .name = name };
    struct slice  row;
    size_t        count, next_line = 1;
    bool          named = false;
    int           rc;

    text = utf8_without_mark(text);
    while ((rc = next_row(&r, &text, &row, &next_line, err)) > 0) {
        if (named && row.len == 0) continue;                /* an empty line */
        rc = row_fields(&r, row, &count, err);
        if (rc == 0) rc = named ? read_row(&r, count, to, err) : read_names(&r, count, err);
        if (rc < 0) break;
        named = true;
    }
    if (rc == 0 && !named) rc = err_set(err, -EBADMSG, "%s: is empty; a CSV of feature rows begins with names", name);
    bytes_free(&r.text);
    return rc;
}

int audit_features_read(struct audit_features *to, const char *path, struct err *err)
{
    struct bytes text = { 0 };
    int          file = file_open(path, O_RDONLY), rc = 0;
    ssize_t      got = 1;

    if (file < 0) return err_set(err, -errno, "%s: %s", path, strerror(errno));
    while (rc == 0 && got > 0) {
        if (text.len > FEATURES_MAX) rc = err_set(err, -EFBIG, "%s: too long for feature rows", path);
        else if (bytes_reserve(&text, text.len * 2 + 65536) < 0) rc = err_memory(err, text.len * 2, "feature rows");
        else if ((got = file_read(file, text.at + text.len, text.room - text.len)) < 0)
            rc = err_set(err, -errno, "%s: %s", path, strerror(errno));
        else text.len += (size_t)got;
    }
    close(file);
    if (rc == 0) rc = audit_features_parse(to, path, bytes_slice(&text), err);
    bytes_free(&text);
    return rc;
}

static int print_text(struct slice text, struct bytes *out)
{
    int rc;

    if (text.len && !memchr(text.at, ',', text.len) && !memchr(text.at, '"', text.len) &&
        !memchr(text.at, '\n', text.len) && !memchr(text.at, '\r', text.len))
        return bytes_append_slice(out, text);
    rc = bytes_append(out, "\"", 1);
    for (size_t i = 0; i < text.len && rc == 0; i++)
        rc = text.at[i] == '"' ? bytes_append(out, "\"\"", 2) : bytes_append(out, text.at + i, 1);
    return rc ? rc : bytes_append(out, "\"", 1);
}

/* A number in as few digits as read back as the same. */
static int print_number(double number, struct bytes *out)
{
    char text[40];
    int  digits = 15;

    do snprintf(text, sizeof text, "%.*g", digits, number);
    while (strtod(text, NULL) != number && ++digits <= 17);
    return bytes_append(out, text, strlen(text));
}

static int print_row(const struct audit_feature *row, bool totals, bool repository, struct bytes *out)
{
    int rc = print_text(slice_of(row->file), out);

    for (int i = 0; i < AUDIT_CATEGORIES && rc == 0; i++) {
        rc = bytes_append(out, ",", 1);
        if (rc == 0) rc = print_number(row->hits[i], out);
        if (rc == 0 && totals) rc = bytes_printf(out, ",%.0f", row->total[i]);
    }
    if (rc == 0) rc = row->label < 0 ? bytes_append(out, ",", 1) : bytes_printf(out, ",%d", row->label);
    if (rc == 0 && repository) rc = bytes_append(out, ",", 1);
    if (rc == 0 && repository && row->repository) rc = print_text(slice_of(row->repository), out);
    return rc ? rc : bytes_append(out, "\n", 1);
}

int audit_features_print(const struct audit_features *f, bool totals, struct bytes *out)
{
    bool repository = false;
    int  rc = bytes_printf(out, "file_name");

    for (size_t i = 0; i < f->count; i++) repository |= f->row[i].repository != NULL;
    for (int i = 0; i < AUDIT_CATEGORIES && rc == 0; i++) {
        rc = bytes_printf(out, ",%s_hits", audit_category_names[i]);
        if (rc == 0 && totals) rc = bytes_printf(out, ",%s_nums_total", audit_category_names[i]);
    }
    if (rc == 0) rc = bytes_printf(out, ",trained_on%s\n", repository ? ",repository" : "");
    for (size_t i = 0; i < f->count && rc == 0; i++) rc = print_row(&f->row[i], totals, repository, out);
    return rc;
}

int audit_features_write(const struct audit_features *f, bool totals, const char *path, struct err *err)
{
    struct bytes text = { 0 };
    int          rc = audit_features_print(f, totals, &text) < 0 ? err_memory(err, text.len, "feature rows") : 0;

    if (rc == 0) rc = file_write(path, bytes_slice(&text), err);
    bytes_free(&text);
    return rc;
}
