/* cmd/usage.h -- what a command prints for --help, taken apart: manual pages and completion are made of it.
 *
 * The form of such a text, which tests/unit/cmd/usage.c shows and tests/cli/man.sh asks of every command:
 *   usage: leakgraph run [FILE]       calls, a line each, begun by `leakgraph`; two blanks, then what it does
 *   Words from the first column       a paragraph
 *   Options:                          a heading: Options, Examples, Exit status, Environment, Files
 *     --set KEY=VALUE, --quiet   it   a row: options or any other term, two blanks, what it means; further lines are
 *                                     indented by nine at least, and those beyond the column of the text stay lines
 *     leakgraph run                   below Examples, or a line that ends in a colon: lines as they are
 * What an option takes tells what is offered for it: `a|b` the words, FILE, GLOB or PATH files, DIR and RUN folders,
 * KEY keys of pipeline.yaml, COMMAND commands, and any other name what rows behind `NAME is one of` list. */
#ifndef LEAKGRAPH_CMD_USAGE_H
#define LEAKGRAPH_CMD_USAGE_H

#include "base/bytes.h"
#include "cmd/command.h"

#include <stdbool.h>

enum usage_kind { USAGE_CALL, USAGE_HEAD, USAGE_TEXT, USAGE_ROW, USAGE_LINES };

/* term: of calls, headings and rows; text: of all others; both end with a NUL that is not counted.  A text's lines are
 * joined by blanks, but for those that stay lines. */
struct usage_part {
    enum usage_kind kind;
    size_t          indent;                                 /* of a row */
    struct bytes    term, text;
};

struct usage { struct usage_part *part; size_t count, room; };

/* 0 or -ENOMEM; *out is to be freed either way. */
int  usage_read(struct usage *out, struct slice text);
void usage_free(struct usage *usage);

/* The help of a command, or of a word that it takes as a command of its own (else NULL), as it prints it.  0, or <0
 * with err set. */
int  usage_print(const struct command *command, const struct command *word, struct bytes *out, struct err *err);

/* Where the first column of a row's text ends, and where the next one begins, two blanks or more behind it: the length
 * of the text where there is none. */
size_t usage_column(struct slice text, size_t *next);

bool usage_is_option(const struct usage_part *part);        /* a row whose term is options */

/* An option of a row's term: name `--set`, value `KEY=VALUE`, empty where it takes none.  *at: 0 before the first.
 * false past the last, and for terms that are no options. */
struct usage_option { struct slice name, value; };
bool usage_option_next(const struct usage_part *row, size_t *at, struct usage_option *out);

#endif
