/* report/document.h -- a report as a tree, and its renderings.
 *
 * The tree says what things are (a table of counts and percentages, an excerpt of code), a rendering says how they
 * look: Markdown for a person, JSON for a script, a page for a browser (page/page.h).  Node keys are the members of the
 * JSON objects and the anchors of the text; they, and the column keys, are part of the contract of report.json.
 *
 * Building never fails half-way: when memory runs out the document notes it, further calls do nothing, and rendering
 * returns -ENOMEM.  All text is copied into the document, made valid UTF-8 first; keys and labels are borrowed. */
#ifndef LEAKGRAPH_REPORT_DOCUMENT_H
#define LEAKGRAPH_REPORT_DOCUMENT_H

#include "base/bytes.h"
#include "base/err.h"
#include "base/slice.h"
#include "graph/pool.h"

#include <stdbool.h>
#include <stdint.h>

enum report_kind {
    REPORT_SECTION,                                         /* a heading and children; JSON: an object */
    REPORT_LIST,                                            /* children are sections without keys; JSON: an array */
    REPORT_PARAGRAPH,                                       /* prose; not in JSON */
    REPORT_FACTS,                                           /* one row: label and value each; JSON: an object */
    REPORT_TABLE,                                           /* JSON: an array of objects */
    REPORT_CODE,                                            /* text as it is, a program's or a file's; JSON: a string */
    REPORT_WIDGET,                                          /* what only the page has; see below */
};

enum report_cell_kind {
    REPORT_TEXT, REPORT_NAME,                               /* prose; a name shown in code type */
    REPORT_OUTCOME,                                         /* a word, which the page colours; see report_tone */
    REPORT_COUNT, REPORT_ID, REPORT_BYTES,                  /* number; of an id, a line, a place: nothing to add up */
    REPORT_PERCENT,                                         /* real, of 100; NaN: nothing to say (JSON null) */
    REPORT_SHARE,                                           /* real, with three digits */
    REPORT_NUMBER,                                          /* real of any size, four digits of it; NaN as above */
    REPORT_CHANGE,                                          /* the same with its sign; whole numbers as they are */
    REPORT_FLAG,                                            /* number 0 or 1 */
    /* a split or language that is not chosen; JSON: "" as in the database */
    REPORT_ALL,
    REPORT_NOTHING,
};

struct report_cell {
    enum report_cell_kind kind;
    uint64_t     number;                                    /* of a masked text: which one it was */
    double       real;
    struct slice text;
};

struct report_column { const char *key, *label; };

/* How the page draws a table, from its cells alone, so that a picture's numbers are the table's; columns by key. */
enum report_chart_kind {
    CHART_BARS,                                             /* a bar a row: labels, its length the first of y */
    /* bars without gaps, of rows in the order of x; where there are more of y, beside each other */
    CHART_HISTOGRAM,
    CHART_MATRIX,                                           /* rows by labels, columns by x, a matrix for each of y */
    CHART_GRID,                                             /* the table is the matrix: its first column names a row */
    CHART_SETS,                                             /* rows are sets of names, joined by ", ", and how many */
    CHART_CURVES,                                           /* a curve for each different labels, in the unit square */
    CHART_LINES,                                            /* a line for each of y over the rows, named by x */
};
enum { CHART_LABELS = 3, CHART_SERIES = 4 };
struct report_chart {
    enum report_chart_kind kind;
    const char *title;
    const char *label[CHART_LABELS], *x, *y[CHART_SERIES];  /* unused ones are NULL */
};

/* A part of the page that draws itself, as the explorer of items.  render appends HTML in which every text went through
 * escape_html or escape_json (page/escape.h); id: the node's, for ids of its own, `ID.NAME`.  style and script, may be
 * empty: put into the page once, however many nodes name the widget; nothing in them may need another file. */
struct report_widget {
    int        (*render)(const void *data, const char *id, struct bytes *out);          /* 0 or -ENOMEM */
    struct slice style, script;
};

/* [column_count] of its node */
struct report_row { struct report_row *next; bool hidden; struct report_cell cell[]; };

struct report_node {
    enum report_kind            kind;
    bool                        hidden;                     /* with its children: in JSON only */
    const char                 *key;                        /* NULL: a paragraph, or a section in a list */
    struct slice                title;                      /* of a section or a piece of code; may be empty */
    struct slice                text;                       /* of a paragraph or of code */
    struct slice                language;                   /* of code: for highlighting; may be empty */
    struct slice                sql;                        /* what graph.db gives its numbers by; may be empty */
    const struct report_chart  *chart;                      /* of a table, or NULL */
    const struct report_widget *widget;
    const void                 *data;                       /* of a widget */
    const struct report_column *columns;
    size_t                      column_count;
    struct report_row          *row, *last_row;
    struct report_node         *child, *last_child, *next;
};

struct ahead;

struct report_document {
    struct report_node *root;                               /* the section whose title is the document's */
    struct pool         pool;
    struct bytes        scratch;
    bool                failed;                             /* memory ran out */
    unsigned            schema;                             /* version of docs/report.schema.json in JSON; 0: none */
    /* NULL, or what makes texts that are added fit to be shown, a program or names and prose: *text may become a view
     * of `masked`.  0 or -ENOMEM */
    int               (*mask)(struct slice *text, bool program, struct bytes *masked);
    struct ahead       *ahead;                              /* report/ahead.h: tables asked meanwhile; or NULL */
};

void report_open(struct report_document *document, const char *title);
void report_close(struct report_document *document);        /* accepts a zeroed document */

/* Names or prose as the document shows them, masked: a copy in its pool with a NUL behind it, empty when memory is out.
 * What is added is copied by this, but texts of report_code as programs; names of columns that are of the data, and
 * texts that others are put together from, are by who makes them. */
struct slice report_copy(struct report_document *document, struct slice text);
/* A column that has its name from the data: key and label are copied as report_copy does, and the key is none of those
 * of the `count` columns before it, whatever a mask leaves of the names. */
struct report_column report_column_named(struct report_document *document, const struct report_column *before,
                                         size_t count, struct slice name);

/* Each adds the last child of parent and returns it; NULL, to be passed on, when memory is out. */
struct report_node *report_section(struct report_document *document, struct report_node *parent, const char *key,
                                   struct slice title);
struct report_node *report_list(struct report_document *document, struct report_node *parent, const char *key);
void                report_paragraph(struct report_document *document, struct report_node *parent, const char *format,
                                     ...) __attribute__((format(printf, 3, 4)));
struct report_node *report_code(struct report_document *document, struct report_node *parent, const char *key,
                                struct slice title, struct slice language, struct slice text);
struct report_node *report_table(struct report_document *document, struct report_node *parent, const char *key,
                                 const struct report_column *columns, size_t column_count);
struct report_node *report_facts(struct report_document *document, struct report_node *parent, const char *key,
                                 const struct report_column *columns, size_t column_count);

/* The widget and its data are borrowed: data lives in the document's pool, or as long as the document. */
struct report_node *report_widget(struct report_document *document, struct report_node *parent, const char *key,
                                  struct slice title, const struct report_widget *widget, const void *data);

/* What the page shows of a node besides: the SELECT that gives its numbers, and how its table is drawn (borrowed).
 * Both accept NULL. */
void report_sql(struct report_document *document, struct report_node *node, struct slice sql);
void report_chart(struct report_node *table, const struct report_chart *chart);

/* Adds a row to a table, or the only one to facts: cell [column_count]. */
void report_row(struct report_document *document, struct report_node *table, const struct report_cell *cell);

/* Moves the children of a section, which may be another document's, behind those of parent: that document is closed
 * after this one.  Accepts NULL for parent. */
void report_adopt(struct report_node *parent, struct report_node *section);

/* What a person need not read stays in the JSON alone.  Both accept NULL; the second hides the row that was added last.
 */
void report_hide(struct report_node *node);
void report_hide_row(struct report_node *table);

/* Whether a row is for people: points of a curve and bins are in the page, where they are drawn, and else in JSON. */
bool report_row_shown(const struct report_node *table, const struct report_row *row);

/* Is the outcome good (passed, clean), bad (failed, leaked), or open: any other word? */
enum report_tone { TONE_OPEN, TONE_GOOD, TONE_BAD };
enum report_tone report_tone(struct slice word);

struct report_cell report_cell_text(struct slice text);
struct report_cell report_cell_name(struct slice text);     /* empty: nothing */
struct report_cell report_cell_outcome(struct slice word);  /* passed, leaked, ... */
struct report_cell report_cell_part(struct slice text);     /* a split or language; empty: all */
struct report_cell report_cell_count(uint64_t number);
struct report_cell report_cell_id(uint64_t number);
struct report_cell report_cell_bytes(uint64_t number);
struct report_cell report_cell_percent(uint64_t part, uint64_t whole);      /* whole 0: NaN */
struct report_cell report_cell_percentage(double percent);
struct report_cell report_cell_share(double share);
struct report_cell report_cell_number(double number);
struct report_cell report_cell_change(double number);
struct report_cell report_cell_flag(bool flag);

/* Append the rendered document.  0 or -ENOMEM.  Whatever a text holds (HTML, Markdown, control characters,
 * bidirectional overrides), it is shown, never obeyed. */
int report_markdown(const struct report_document *document, struct bytes *out);
int report_json(const struct report_document *document, struct bytes *out);

#endif
