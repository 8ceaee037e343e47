/* code/lexer.c -- the walk from event to event over the bitmaps of a text.
 *
 * kernels->classify marks word characters and the row's special characters, a window at a time so that the bitmaps
 * stay in the first-level cache.  Within a block of 64 bytes the starts and ends of all words are two bit operations;
 * words up to the next stop are emitted without looking at a single byte.  A stop is a special character outside a word
 * (quote, comment) or at the start of one (digit, or a letter that quotes).  White space and operators lie in the gaps
 * between pieces; they are read only when the caller wants operators. */
#include "code/lexing.h"

#include "kernels/kernels.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>

enum { WINDOW = 16384, WINDOW_BLOCKS = WINDOW / 64 };       /* bytes classified at once */
enum { NEAR = 1024 };                                       /* bytes; most logical lines are shorter */
enum { ROOM = 3 * 64 };                                     /* more tokens than a block adds without asking */

/* In the layout of struct byteset. */
static const struct byteset brackets_open  = { { [8] = 0x04, [11] = 0xA0 }, 0 };   /* ( [ { */
static const struct byteset brackets_close = { { [9] = 0x04, [13] = 0xA0 }, 0 };   /* ) ] } */

struct walk {
    struct scan         scan;
    struct python_lines lines;
    const struct lexer_sets *sets;
    size_t              first, limit;                       /* the window: text[first..limit) */
    /* lexing pauses here for a here-document's body; else scan.len */
    size_t              until;
    /* Python: some strings are docstrings; brackets are counted to tell which */
    bool                docstrings, count;
    bool                symbols;                            /* operators beyond ASCII are marked (lexer_symbols.c) */
    ptrdiff_t           depth;                              /* brackets opened less brackets closed before `counted` */
    size_t              counted;
    /* where reading can start, at recent strings outside brackets, older first */
    struct python_lines near[2];
    size_t              docstring_end;                      /* of the last one, which is no token; 0: none yet */
    size_t              opened_at;                          /* where the outermost string with code began */
    bool                apart;                              /* tokens no longer say what reading says */
    struct opened       opened[OPENED_MAX];
    uint64_t            word[WINDOW_BLOCKS], special[WINDOW_BLOCKS], open[WINDOW_BLOCKS], close[WINDOW_BLOCKS];
};

int lexer_reserve(struct lexer *lexer, size_t more, struct err *err)
{
    size_t        room = lexer->room ? lexer->room * 2 : 1024;
    struct token *token;

    if (lexer->room - lexer->count >= more) return 0;
    while (room - lexer->count < more)
        room *= 2;
    token = realloc(lexer->token, room * sizeof *token);
    if (!token) return err_memory(err, room * sizeof *token, "tokens");
    lexer->token = token;
    lexer->room = room;
    return 0;
}

int lexer_scratch(struct lexer *lexer, size_t words, struct err *err)
{
    uint64_t *bits;

    if (words <= lexer->bits_room) return 0;
    bits = malloc(words * sizeof *bits);
    if (!bits) return err_memory(err, words * sizeof *bits, "lexer scratch");
    free(lexer->bits);
    lexer->bits = bits;
    lexer->bits_room = words;
    return 0;
}

void lexer_free(struct lexer *lexer)
{
    free(lexer->token);
    free(lexer->comment);
    free(lexer->bits);
    bytes_free(&lexer->symbols);
    *lexer = (struct lexer){ 0 };
}

static void emit(struct lexer *lexer, size_t start, size_t end, enum token_kind kind)
{
    lexer->token[lexer->count++] = token_make(start, end, kind);
}

/* LEX_COMMENTS. */
static __attribute__((noinline)) int keep_comment(struct lexer *lexer, size_t start, size_t end, enum token_kind kind,
                                                  struct err *err)
{
    if (ARRAY_GROW(lexer->comment, lexer->comment_room, lexer->comment_count) < 0)
        return err_memory(err, lexer->comment_room * sizeof *lexer->comment, "a text's comments");
    lexer->comment[lexer->comment_count++] = token_make(start, end, kind);
    return 0;
}

static uint64_t bits_below(size_t n) { return n < 64 ? ((uint64_t)1 << n) - 1 : ~(uint64_t)0; }

/* Without a machine's own instruction for it, the compiler's popcount is a call. */
static ptrdiff_t count_bits(uint64_t v)
{
    v -= v >> 1 & 0x5555555555555555u;
    v = (v & 0x3333333333333333u) + (v >> 2 & 0x3333333333333333u);
    v = (v + (v >> 4)) & 0x0F0F0F0F0F0F0F0Fu;
    return (ptrdiff_t)(v * 0x0101010101010101u >> 56);
}

/* Counts the brackets from `counted` to `to`, both outside comments and strings, within the window. */
static void count_brackets(struct walk *walk, size_t to)
{
    size_t i = walk->counted;

    while (i < to) {
        size_t   block = (i - walk->first) / 64, base = walk->first + block * 64;
        uint64_t live = ~bits_below(i - base), open, close;

        if (to - base < 64) live &= bits_below(to - base);
        open = walk->open[block] & live;
        close = walk->close[block] & live;
        if (open | close) walk->depth += count_bits(open) - count_bits(close);
        i = base + 64;
    }
}

/* The bitmaps of the block that holds `at`, classifying the next window when it lies past this one. */
static size_t load_block(struct walk *walk, size_t at)
{
    if (at >= walk->limit) {
        size_t n;

        if (walk->count) {
            count_brackets(walk, walk->limit);
            walk->counted = at;                             /* what lies between is one comment or string */
        }
        walk->first = at & ~(size_t)63;
        n = walk->scan.len - walk->first < WINDOW ? walk->scan.len - walk->first : WINDOW;
        kernels->classify(walk->word, walk->special, &walk->sets->word, &walk->sets->special,
                          walk->scan.text + walk->first, n);
        if (walk->count)
            kernels->classify(walk->open, walk->close, &brackets_open, &brackets_close, walk->scan.text + walk->first,
                              n);
        walk->limit = walk->first + (n + 63) / 64 * 64;
    }
    return (at - walk->first) / 64;
}

/* End of a word that reaches past its block, i being the next block's start. */
static size_t word_end(struct walk *walk, size_t i)
{
    while (i < walk->scan.len) {
        uint64_t w = walk->word[load_block(walk, i)];

        if (~w) return i + (size_t)__builtin_ctzll(~w);
        i += 64;
    }
    return walk->scan.len;
}

/* The operators and strays of a gap. */
static __attribute__((noinline)) int emit_gap(struct walk *walk, struct lexer *lexer, size_t from, size_t to,
                                              struct err *err)
{
    const char    *text = walk->scan.text;
    const uint8_t *gap = walk->sets->gap;

    while (from < to) {
        const char    c = text[from];
        const uint8_t class = gap[(unsigned char)c];
        size_t        len;
        bool          stray;

        if (class == GAP_BLANK) {
            from = spaces_end(text, from + 1, to);
            continue;
        }
        if (class == GAP_SINGLE ||
            (class == GAP_LONGER && (from + 1 == to || gap[(unsigned char)text[from + 1]] == GAP_BLANK))) {
            if (lexer->room - lexer->count < 64 && lexer_reserve(lexer, 64, err) < 0) return -ENOMEM;
            emit(lexer, from, from + 1, TOKEN_OPERATOR);
            from++;
            continue;
        }
        if (c == '\\' && from + 1 < walk->scan.len && (text[from + 1] == '\n' || text[from + 1] == '\r')) {
            from++;                                         /* a continued line */
            continue;
        }
        if (lexer->room - lexer->count < 64 && lexer_reserve(lexer, 64, err) < 0) return -ENOMEM;
        len = (unsigned char)c > ' ' && c != 0x7F ? operator_length(walk->scan.row, text + from, to - from) : 1;
        if (c == SYMBOL_FIRST && walk->symbols) {
            while (len < to - from && len < 4 && text[from + len] == SYMBOL_MORE)
                len++;
        }
        stray = len == 1 &&
            ((unsigned char)c <= ' ' || c == 0x7F || byteset_has(&walk->sets->stray, (unsigned char)c));
        emit(lexer, from, from + len, stray ? TOKEN_STRAY : TOKEN_OPERATOR);
        from += len;
    }
    return 0;
}

/* Whether the point before the digit at `at` belongs to its number.  Python and Java take dots by threes first;
 * elsewhere a point after a name or a bracket is member access, and two points are a range. */
static bool takes_point(const struct scan *scan, size_t at)
{
    size_t dots = 0;

    while (at - dots > scan->floor && scan->text[at - dots - 1] == '.')
        dots++;
    if (scan->row->number == NUMBER_PYTHON || scan->row->number == NUMBER_JAVA) return dots % 3 != 0;
    return dots == 1 && (at - 1 == scan->begin || (!is_word(scan->text[at - 2]) && !char_in(scan->text[at - 2], ")]")));
}

static bool first_on_line(const struct scan *scan, size_t at)
{
    while (at > scan->begin && is_blank(scan->text[at - 1]))
        at--;
    return at == scan->begin || scan->text[at - 1] == '\n' || scan->text[at - 1] == '\r';
}

/* Whether the string at `at`, first on its line, is a docstring.  Inside brackets none is, and most of those that ask
 * are there: brackets are counted by bitmap.  Where operators are told, the tokens mostly say where the logical line
 * before began, as reading would.  Otherwise reading starts near the string when a logical line begins in between, and
 * at the last question only when none does. */
static bool is_docstring(struct walk *walk, const struct lexer *lexer, size_t at, unsigned want)
{
    if (walk->depth > 0) return false;
    if ((want & LEX_ALL) == LEX_ALL && !walk->apart) {
        const int told = python_docstring_told(walk->scan.text, walk->docstring_end, lexer->token, lexer->count,
                                               walk->scan.floor, at, walk->depth);

        if (told >= 0) return told;
    }
    for (size_t k = 2; k-- > 0;) {
        struct python_lines near = walk->near[k];
        bool                yes;

        if (near.at <= walk->lines.at) continue;
        yes = python_docstring(&near, walk->scan.text, at, walk->scan.len);
        if (near.column == SIZE_MAX) continue;
        walk->lines = near;
        return yes;
    }
    return python_docstring(&walk->lines, walk->scan.text, at, walk->scan.len);
}

/* Passes over a piece; its end may be a place to start reading from. */
static void note_piece(struct walk *walk, const struct piece *piece)
{
    walk->counted = piece->end;
    if (piece->kind == PIECE_COMMENT || walk->depth > 0 || piece->end - walk->near[1].at <= NEAR) return;
    walk->near[0] = walk->near[1];
    walk->near[1] = (struct python_lines){ .at = piece->end, .column = SIZE_MAX, .depth = walk->depth,
                                             .code = true };
}

/* End of the name at i in the text of a string; the shell's have ASCII alone. */
static size_t name_end(const struct scan *scan, size_t i)
{
    bool ascii = scan->opened[scan->level - 1].with->flags & INTERPOLATION_SHELL;

    while (i < scan->len && is_word(scan->text[i]) && !(ascii && (unsigned char)scan->text[i] >= 0x80))
        i++;
    return i;
}

/* The text between tags and code of an element, white space around it left out; then what stops it. */
static void take_children(struct walk *walk, struct lexer *lexer, enum text_stop stop, size_t start, unsigned want,
                          size_t *next)
{
    struct scan  *scan = &walk->scan;
    const char   *text = scan->text;
    size_t        end = stop == TEXT_CODE ? *next - 1 : *next;          /* braces are operators */
    struct opened child;

    scan->floor = end;
    scan->word_end = 0;
    while (end > start && (unsigned char)text[end - 1] <= ' ')
        end--;
    while (start < end && (unsigned char)text[start] <= ' ')
        start++;
    if (end > start && (want & LEX_LITERALS)) emit(lexer, start, end, TOKEN_STRING);
    if (stop != TEXT_TAG) return;
    child = scan->opened[scan->level - 1];
    if (*next + 1 < scan->len && text[*next + 1] == '/') {
        scan->opened[scan->level - 1].tag = TAG_CLOSING;
        scan->opened[scan->level - 1].close = '\0';
        ++*next;
    } else {
        child.tag = TAG_OPENING;
        child.close = '\0';
        (void)text_open(scan, &child);                      /* too deep: its tag is taken for its parent's */
    }
    ++*next;
}

/* Emits the text and the names of the string on top of the stack: its first piece, of this kind, begins at `start` and
 * is read from *next on, which moves to where code goes on, in the string or after it. */
static __attribute__((noinline)) int take_text(struct walk *walk, struct lexer *lexer, size_t start,
                                               enum token_kind kind, unsigned want, size_t *next, struct err *err)
{
    struct scan   *scan = &walk->scan;
    size_t         i = *next;
    bool           after_name = false, jsx = scan->opened[scan->level - 1].tag;
    enum text_stop stop;

    for (;;) {
        stop = text_read(scan, i, after_name, next);
        if (lexer_reserve(lexer, 64, err) < 0) return -ENOMEM;
        if (stop == TEXT_CLOSED && (scan->opened[--scan->level].format || scan->opened[scan->level].inner)) {
            i = *next;                                      /* one piece with the text after the code */
            after_name = false;
            continue;
        }
        if (jsx) {
            take_children(walk, lexer, stop, start, want, next);
            return 0;
        }
        if (*next > start && (kind == TOKEN_PREFIXED || (want & LEX_LITERALS))) emit(lexer, start, *next, kind);
        if (stop != TEXT_NAME) break;
        i = name_end(scan, *next);
        emit(lexer, *next, i, TOKEN_NAME);
        start = i;
        kind = TOKEN_STRING;
        after_name = true;
    }
    scan->floor = *next;
    scan->word_end = 0;
    return 0;
}

/* Comments with white space between them are one (code_before). */
static __attribute__((noinline)) void note_comment(struct scan *scan, const struct piece *piece)
{
    bool   line;
    size_t before = code_before(scan, piece->start, &line);

    if (!scan->comment_end || before != scan->comment_before) {
        scan->comment_before = before;
        scan->comment_line = line;
    }
    scan->comment_end = piece->end;
}

/* The string or element that has just been put on the stack; 0 or -ENOMEM. */
static __attribute__((noinline)) int take_opened(struct walk *walk, struct lexer *lexer, const struct piece *piece,
                                                 unsigned want, size_t *next, struct err *err)
{
    enum token_kind kind = piece->kind == PIECE_PREFIXED ? TOKEN_PREFIXED : TOKEN_STRING;

    if (walk->scan.level == 1) walk->opened_at = piece->start;
    if (walk->scan.opened[walk->scan.level - 1].tag) {
        ++*next;
        return 0;
    }
    return take_text(walk, lexer, piece->start, kind, want, next, err);
}

/* A name or an operator in quotes.  `at`: what stands before a raw name's first character; there may be a quote after
 * its last. */
static __attribute__((noinline)) int take_quoted(struct walk *walk, struct lexer *lexer, const struct piece *piece,
                                                 size_t at, unsigned want, struct err *err)
{
    if (lexer_reserve(lexer, 64, err) < 0) return -ENOMEM;
    if (piece->kind == PIECE_RAW_NAME)
        emit(lexer, at + 1, piece->end - !is_word(walk->scan.text[piece->end - 1]), TOKEN_QUOTED);
    else if (piece->kind == PIECE_NAME) emit(lexer, piece->start + 1, piece->end - 1, TOKEN_QUOTED);
    else if (want & LEX_OPERATORS) emit(lexer, piece->start, piece->end, TOKEN_OPERATOR);
    return 0;
}

/* Handles the stop at `at`: emits what begins there and sets *next past it.  NONE: nothing begins there; OPENED: a
 * string with code, which may have ended already.  -EAGAIN when brackets must be counted from the text's begin on, or
 * -ENOMEM. */
enum { STOP_NONE, STOP_TAKEN, STOP_OPENED };
static int take_stop(struct walk *walk, struct lexer *lexer, size_t at, unsigned want, size_t *next, struct err *err)
{
    struct scan *scan = &walk->scan;
    struct piece piece;
    bool         keep;

    if (is_digit(scan->text[at]) || (scan->text[at] == '.' && at + 1 < scan->len && is_digit(scan->text[at + 1]))) {
        bool   point = scan->text[at] == '.';               /* R: a point is a letter, but not before a digit */
        size_t digit = at + point, start;
        bool   fraction = point || takes_point(scan, at);

        start = fraction ? digit - 1 : digit;
        *next = digit + 1;                                  /* most numbers are one digit */
        if (*next < scan->len && (is_word(scan->text[*next]) || scan->text[*next] == '.' ||
                                  scan->text[*next] == '\'' || scan->text[*next] == '#'))
            *next = number_end(scan->row, scan->text, digit, scan->len, fraction);
        if ((want & LEX_OPERATORS) && emit_gap(walk, lexer, scan->floor, start, err) < 0) return -ENOMEM;
        if (want & LEX_LITERALS) {
            if (lexer_reserve(lexer, 64, err) < 0) return -ENOMEM;
            emit(lexer, start, *next, TOKEN_NUMBER);
        }
        scan->floor = *next;
        return STOP_TAKEN;
    }
    piece = form_match(scan, at);
    if (piece.kind == PIECE_NONE) {
        *next = at + 1;                                     /* Haskell: ' is a letter, but not at the start of a name */
        return scan->text[at] == '\'' ? STOP_TAKEN : STOP_NONE;
    }
    keep = piece.kind == PIECE_PREFIXED || (piece.kind == PIECE_STRING && (want & LEX_LITERALS));
    if (walk->count && piece.opened) {
        if (scan->level == 1) count_brackets(walk, at);
    } else if (walk->count && scan->level == 0) {
        count_brackets(walk, at);
        if (keep && first_on_line(scan, piece.start) && is_docstring(walk, lexer, piece.start, want)) {
            keep = false;
            walk->docstring_end = piece.end;
        }
        note_piece(walk, &piece);
    } else if (keep && walk->docstrings && scan->level == 0 && !piece.opened && first_on_line(scan, piece.start)) {
        return -EAGAIN;
    }
    /* the prefix was the last name, and of U&"a" the & has not been read; C#'s @a has none */
    if (piece.start < at && (piece.kind == PIECE_PREFIXED || piece.kind == PIECE_RAW_NAME)) lexer->count--;
    else if ((want & LEX_OPERATORS) && emit_gap(walk, lexer, scan->floor, piece.start, err) < 0) return -ENOMEM;
    *next = scan->floor = piece.end;
    if (want & LEX_COMMENTS && !piece.opened && !keep && piece.kind < PIECE_NAME &&
        keep_comment(lexer, piece.start, piece.end, piece.kind == PIECE_COMMENT ? TOKEN_COMMENT : TOKEN_STRING,
                     err) < 0) return -ENOMEM;
    if (piece.opened) return take_opened(walk, lexer, &piece, want, next, err) < 0 ? -ENOMEM : STOP_OPENED;
    if (piece.kind >= PIECE_NAME) {
        if (take_quoted(walk, lexer, &piece, at, want, err) < 0) return -ENOMEM;
    } else if (keep) {
        if (lexer->room - lexer->count < 64 && lexer_reserve(lexer, 64, err) < 0) return -ENOMEM;
        emit(lexer, piece.start, piece.end, piece.kind == PIECE_PREFIXED ? TOKEN_PREFIXED : TOKEN_STRING);
    }
    scan->word_end = 0;
    if (piece.kind == PIECE_COMMENT && scan->row->flags & ROW_LOOKS_BACK) note_comment(scan, &piece);
    if (scan->here_count) walk->until = scan->here[0].at < scan->len ? scan->here[0].at : scan->len;
    return STOP_TAKEN;
}

/* Takes the body of the first pending here-document when `at` has reached it; a piece that ran past its start voids it.
 */
static int take_here(struct walk *walk, struct lexer *lexer, size_t *at, unsigned want, struct err *err)
{
    struct scan  *scan = &walk->scan;
    struct here   here = scan->here[0];
    struct opened body = { .with = here.with, .end = here.end, .flags = FORM_LINES | FORM_ESCAPES };

    memmove(scan->here, scan->here + 1, --scan->here_count * sizeof *scan->here);
    walk->until = scan->here_count && scan->here[0].at < scan->len ? scan->here[0].at : scan->len;
    scan->word_end = 0;
    if (*at != here.at) return 0;
    if ((want & LEX_OPERATORS) && emit_gap(walk, lexer, scan->floor, *at, err) < 0) return -ENOMEM;
    if (here.with && text_open(scan, &body)) return take_text(walk, lexer, *at, TOKEN_STRING, want, at, err);
    if (want & LEX_LITERALS && here.end > *at) {            /* that of Perl's <<"" may be empty */
        if (lexer_reserve(lexer, 64, err) < 0) return -ENOMEM;
        emit(lexer, *at, here.end, TOKEN_STRING);
    }
    *at = scan->floor = here.end;
    return 0;
}

/* One part of the tag of an element; *at moves past it. */
static int take_tag(struct walk *walk, struct lexer *lexer, unsigned want, size_t *at, struct err *err)
{
    struct scan   *scan = &walk->scan;
    struct opened *element = &scan->opened[scan->level - 1];
    size_t         start = *at;
    enum tag_part  part = tag_read(scan, start, at);

    if (part == TAG_OTHER || part == TAG_CODE) return 0;
    if ((want & LEX_OPERATORS) && emit_gap(walk, lexer, scan->floor, part >= TAG_ENDS ? *at : start, err) < 0)
        return -ENOMEM;
    if (lexer_reserve(lexer, 64, err) < 0) return -ENOMEM;
    scan->floor = *at;
    scan->word_end = 0;
    if (part == TAG_COMMENT && want & LEX_COMMENTS && keep_comment(lexer, start, *at, TOKEN_COMMENT, err) < 0)
        return -ENOMEM;
    if (part == TAG_NAME) emit(lexer, start, *at, TOKEN_NAME);
    if (part == TAG_STRING && (want & LEX_LITERALS)) emit(lexer, start, *at, TOKEN_STRING);
    if (part == TAG_ENDS) element->tag = TAG_CHILDREN;
    if (part == TAG_ENDS_ELEMENT && --scan->level > 0) element--;
    if (part == TAG_ENDS || (part == TAG_ENDS_ELEMENT && scan->level > 0 && element->tag == TAG_CHILDREN &&
                             !element->close))
        return take_text(walk, lexer, *at, TOKEN_STRING, want, at, err);
    return 0;
}

/* Code ends at the bracket or the colon at `at`; what it lies in goes on, and *next is where code does again. */
static int leave_code(struct walk *walk, struct lexer *lexer, unsigned want, size_t at, size_t *next, struct err *err)
{
    struct opened *string = &walk->scan.opened[walk->scan.level - 1];
    size_t         start = at;

    *next = at + (string->parameter != PARAMETER_SLICE);    /* its brace is the parameter's own */
    if (string->tag) {
        string->close = '\0';
        if (string->tag != TAG_CHILDREN) return 0;
        if ((want & LEX_OPERATORS) && emit_gap(walk, lexer, walk->scan.floor, at + 1, err) < 0) return -ENOMEM;
        start = at + 1;
    }
    return take_text(walk, lexer, start, TOKEN_STRING, want, next, err);
}

/* Code in strings, byte by byte from *next on, until the last of them has ended; *next is where that is.  Most such
 * code is short, so its brackets are no business of the bitmaps. */
static __attribute__((noinline)) int walk_opened(struct walk *walk, struct lexer *lexer, unsigned want, size_t *next,
                                                 struct err *err)
{
    struct scan *scan = &walk->scan;
    size_t       at = *next;

    while (scan->level > 0 && at < scan->len) {
        size_t        end = at;
        int           rc = 0;
        unsigned char c = (unsigned char)scan->text[at];
        enum code_stop stop;

        if (at >= scan->opened[scan->level - 1].end) {      /* a here-document with code that does not close */
            scan->level--;
            continue;
        }
        if (at >= walk->until) {
            if (take_here(walk, lexer, &at, want, err) < 0) return -ENOMEM;
            continue;
        }
        if (scan->opened[scan->level - 1].tag && !scan->opened[scan->level - 1].close) {
            if (take_tag(walk, lexer, want, &at, err) < 0) return -ENOMEM;
            continue;
        }
        if (byteset_has(&walk->sets->special, c)) rc = take_stop(walk, lexer, at, want, &end, err);
        if (rc < 0) return rc;
        if (rc != STOP_NONE) {
            at = end;
            continue;
        }
        for (end = at; end < scan->len && byteset_has(&walk->sets->word, (unsigned char)scan->text[end]);)
            end++;
        stop = end > at ? CODE_GOES_ON : code_read(scan, at);
        if (end == at && stop == CODE_GOES_ON) {
            at++;
            continue;
        }
        if (want & LEX_OPERATORS) {
            if (emit_gap(walk, lexer, scan->floor, at, err) < 0) return -ENOMEM;
            scan->floor = end;                              /* no operator comes twice */
        }
        if (lexer_reserve(lexer, 64, err) < 0) return -ENOMEM;
        if (end > at) {
            emit(lexer, at, end, TOKEN_NAME);
            scan->word_at = at;
            scan->word_end = end;
        } else if (leave_code(walk, lexer, want, at, &end, err) < 0) {
            return -ENOMEM;
        }
        at = end;
    }
    scan->level = 0;
    if (walk->count) {
        note_piece(walk, &(struct piece){ *next, at, PIECE_STRING, false });
        walk->apart |= !python_in_step(scan->text, walk->opened_at, at, scan->len);
    }
    *next = at;
    return 0;
}

/* Is a $, which is a letter of some languages, among the next eight characters? */
static inline bool dollar_near(const char *text)
{
    const uint64_t low = 0x0101010101010101u;
    uint64_t       eight;

    memcpy(&eight, text, sizeof eight);
    eight ^= '$' * low;
    return (eight - low) & ~eight & low << 7;
}

/* End of the number at `at` in the block at `base`, whose word characters are w: where nothing but its word, of no more
 * than sixteen characters, can belong to it, and that ends in the block.  0: that has to be looked at. */
static inline size_t number_word_end(const struct walk *walk, size_t base, uint64_t w, size_t at)
{
    const char    *text = walk->scan.text;
    const uint64_t behind = ~w >> (at - base);
    size_t         end;
    char           c;

    if (!is_digit(text[at]) || !behind) return 0;
    end = at + (size_t)__builtin_ctzll(behind);
    c = text[end];
    if (c == '.' || c == '\'' || end - at > 16 || dollar_near(text + at)) return 0;
    if (end - at > 8 && dollar_near(text + at + 8)) return 0;
    if ((c == '+' || c == '-') && ((text[end - 1] | 32) == 'e' || (text[end - 1] | 32) == 'p')) return 0;
    return end;
}

/* The walk itself.  `gaps` is a constant at each call, so that the common case has no trace of operators. */
static inline __attribute__((always_inline)) int walk_text(struct walk *walk, struct lexer *lexer, unsigned want,
                                                           bool gaps,
                                                           struct err *err)
{
    struct scan *scan = &walk->scan;
    size_t       at = scan->begin;
    const bool   words = !gaps && !(want & LEX_LITERALS) && walk->sets->number_words;

    while (at < scan->len) {
        size_t        block, base, after;
        uint64_t      w, starts, ends, stops, live;
        struct token *out;

        if (at >= walk->until) {
            if (take_here(walk, lexer, &at, want, err) < 0) return -ENOMEM;
            if (scan->level > 0 && walk_opened(walk, lexer, want, &at, err) < 0) return -ENOMEM;
            continue;
        }
        if (lexer->room - lexer->count < ROOM && lexer_reserve(lexer, ROOM, err) < 0) return -ENOMEM;
        block = at < walk->limit ? (at - walk->first) / 64 : load_block(walk, at);
        base = walk->first + block * 64;
        w = walk->word[block];
        live = ~bits_below(at - base);
        if (walk->until - base < 64) live &= bits_below(walk->until - base);
        starts = ((w & ~(w << 1)) | (w & ((uint64_t)1 << (at - base)))) & live;
        ends = ~w & (w << 1) & live & ~((uint64_t)1 << (at - base));
        stops = walk->special[block] & (starts | ~w) & live;
        after = base + 64 < walk->until ? base + 64 : walk->until;
        for (;;) {
            uint64_t below = stops ? (stops & -stops) - 1 : ~(uint64_t)0, before = starts & below;
            size_t   stop = stops ? base + (size_t)__builtin_ctzll(stops) : 0, next;
            int      rc;

            starts &= ~below;
            out = lexer->token + lexer->count;
            for (; before; before &= before - 1) {
                size_t start = base + (size_t)__builtin_ctzll(before), end;

                if (ends) {
                    end = base + (size_t)__builtin_ctzll(ends);
                    ends &= ends - 1;
                } else {                                    /* the last word of the block, cut by its end */
                    end = word_end(walk, base + 64);
                    after = end;
                }
                if (gaps) {
                    const size_t  from = scan->floor;
                    const uint8_t class = walk->sets->gap[(unsigned char)scan->text[from]];

                    scan->floor = end;
                    if (start - from == 1 && class != GAP_OTHER) {      /* most are: no branch on what it is */
                        *out = token_make(from, start, TOKEN_OPERATOR);
                        out += class != GAP_BLANK;
                    } else if (from < start) {
                        lexer->count = (size_t)(out - lexer->token);
                        if (emit_gap(walk, lexer, from, start, err) < 0 || lexer_reserve(lexer, ROOM, err) < 0)
                            return -ENOMEM;
                        out = lexer->token + lexer->count;
                    }
                }
                *out++ = token_make(start, end, TOKEN_NAME);
            }
            lexer->count = (size_t)(out - lexer->token);
            if (!stops) break;
            /* most stops of source text are numbers, which are passed over within the block */
            if (words && (next = number_word_end(walk, base, w, stop)) > 0) {
                scan->floor = next;
                starts &= ~bits_below(next - base);
                stops &= ~bits_below(next - base);
                ends &= ~bits_below(next - base + 1);
                continue;
            }
            if (lexer->count) {
                scan->word_at = out[-1].at;
                scan->word_end = out[-1].kind == TOKEN_NAME ? (size_t)out[-1].at + out[-1].len : 0;
            }
            rc = take_stop(walk, lexer, stop, want, &next, err);
            if (rc == STOP_NONE) {
                stops &= stops - 1;
                continue;
            }
            if (rc != STOP_TAKEN) {
                if (rc < 0) return rc;
                if (walk_opened(walk, lexer, want, &next, err) < 0) return -ENOMEM;
            }
            after = next;
            break;
        }
        at = after;
    }
    if (gaps) return emit_gap(walk, lexer, scan->floor, scan->len, err);
    return 0;
}

/* After a byte order mark and a #! line. */
static size_t text_begin(struct slice text)
{
    size_t begin = text.len >= 3 && memcmp(text.at, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0, i = begin + 2;

    if (text.len - begin < 3 || text.at[begin] != '#' || text.at[begin + 1] != '!') return begin;
    while (i < text.len && is_blank(text.at[i]))
        i++;
    if (i >= text.len || text.at[i] != '/') return begin;
    while (i < text.len && text.at[i] != '\n' && text.at[i] != '\r')
        i++;
    return i;
}

/* PHP: end of the text before the first tag.  A text without tags or with one that leaves code first is
 * code. */
static size_t markup_begin(struct slice text, size_t begin)
{
    size_t end = markup_end(text.at, begin, text.len), tag = end, from = begin, close;

    if (end == text.len) return begin;
    while (text.at[tag] != '<')
        tag--;
    while ((close = find_close(text.at, from, tag, "?>")) < tag) {
        size_t open = close;                                /* of <?xml ... ?>, which is text */

        while (open > from && text.at[open] != '<' && text.at[open - 1] != '\n')
            open--;
        if (memcmp(text.at + open, "<?xml", 5) != 0) return begin;
        from = close + 2;
    }
    return tag > begin && char_in(text.at[tag - 1], "'\"") ? begin : end;      /* '<?php' is a string of code */
}

/* A walk at the begin of the text; `count`: brackets are counted if docstrings need it. */
static void walk_begin(struct walk *walk, const struct lexer_sets *sets, struct slice text, bool count)
{
    size_t begin = text_begin(text);

    memset(&walk->scan, 0, offsetof(struct scan, here));    /* many texts are short */
    walk->scan.row = sets->row;
    walk->scan.text = text.at;
    walk->scan.begin = walk->scan.floor = begin;
    walk->scan.len = text.len;
    walk->scan.budget = 4 * text.len + 65536;
    walk->scan.opened = walk->opened;
    walk->sets = sets;
    walk->first = walk->limit = 0;
    walk->docstrings = sets->row->flags & ROW_DOCSTRINGS;
    walk->until = text.len;
    walk->count = walk->docstrings && count;
    if (!walk->count) return;
    walk->counted = begin;
    walk->depth = 0;
    walk->docstring_end = 0;
    walk->apart = false;
    walk->lines = (struct python_lines){ .at = begin, .fresh = true, .newline = true };
    walk->near[0] = walk->near[1] = (struct python_lines){ .column = SIZE_MAX };
}

/* Only a string that is wanted asks for brackets.  Without literals that is one with a prefix, first on its line: most
 * texts have none, so brackets are not counted, and when one turns up the text is lexed once more with counting. */
static int lex_table(struct lexer *lexer, const struct language *row, struct slice text, unsigned want, struct err *err)
{
    struct walk walk;
    const char *shebang;
    bool        count = want & LEX_LITERALS;
    int         rc, symbols = row->symbols ? lexer_mark_symbols(lexer, row, &text, err) : 0;

    if (symbols < 0) return symbols;
    walk.symbols = symbols;
    if (lexer->sets.row != row) lexer_sets_make(&lexer->sets, row);
    do {
        size_t begin;

        lexer->count = lexer->comment_count = 0;
        walk_begin(&walk, &lexer->sets, text, count);
        begin = walk.scan.begin;
        shebang = begin > 3 ? memchr(text.at, '#', 4) : NULL;
        if (shebang && want & LEX_COMMENTS &&
            keep_comment(lexer, (size_t)(shebang - text.at), begin, TOKEN_COMMENT, err) < 0) return -ENOMEM;
        if (row->flags & ROW_MARKUP && (walk.scan.floor = markup_begin(text, begin)) > begin) {
            walk.scan.begin = walk.scan.floor;
            if (lexer_reserve(lexer, 64, err) < 0) return -ENOMEM;
            if (want & LEX_LITERALS) emit(lexer, begin, walk.scan.begin, TOKEN_STRING);
        }
        rc = want & LEX_OPERATORS ? walk_text(&walk, lexer, want, true, err)
            : walk_text(&walk, lexer, want, false, err);
        count = true;
    } while (rc == -EAGAIN);
    return rc;
}

int lexer_run(struct lexer *lexer, const struct language *language, struct slice text, unsigned want, struct err *err)
{
    int rc;

    assert(text.len <= LEXER_MAX_TEXT);
    lexer->count = lexer->comment_count = 0;
    lexer->dropped = false;
    if (want & LEX_PUBLISHED && language->number == NUMBER_PYTHON)
        rc = published_python(lexer, language, text, want, err);
    else if (want & LEX_PUBLISHED && language->number == NUMBER_JAVA)
        rc = published_java(lexer, language, text, want, err);
    else rc = lex_table(lexer, language, text, want, err);
    if (rc < 0 || lexer->dropped) lexer->count = 0;
    return rc;
}
