/* cmd/query.h -- what query asks of a text, whoever answers. */
#ifndef LEAKGRAPH_CMD_QUERY_H
#define LEAKGRAPH_CMD_QUERY_H

#include "base/bytes.h"
#include "base/err.h"
#include "corpus/record.h"

/* A text that is asked about, and what it is called in the output. */
struct query_text { const struct record *record; struct slice name; };

struct query_options { bool json; const char *language; };  /* language: of all texts; NULL: from the file's name */

/* Appends what is found of one text to out, as lines of text or of JSON; *percent: how much of it, for --fail-on, NAN
 * when there was nothing to compare.  0, or <0 with err set. */
struct query_backend;
struct query_backend {
    int  (*text)(struct query_backend *backend, const struct query_text *text, struct bytes *out, double *percent,
                 struct err *err);
    /* what it is, for --info */
    int  (*info)(struct query_backend *backend, struct bytes *out, struct err *err);
    void (*close)(struct query_backend *backend);
    const char *heading;                                    /* above the lines of text */
};

/* 0, or <0 with err set.  options are borrowed until close. */
int query_portrait_open(struct query_backend **out, const char *path, const struct query_options *options,
                        struct err *err);
/* graph.db or its folder */
int query_graph_open(struct query_backend **out, const char *path, const struct query_options *options,
                     struct err *err);

/* Appends "KEY": "TEXT", with the comma or brace given before it. */
int query_json_text(struct bytes *out, const char *before, const char *key, struct slice text);

#endif
