/* code/rows.h -- what a language row holds.  Private to code/: everyone else asks language.h.
 *
 * A row names the forms that hide text from the lexer (comments, strings) and the few facts that decide where a
 * word, a number and an operator end.  Forms are tried in the order of the row, so a longer opening stands before
 * its own beginning (Lua's --[ before --). */
#ifndef LEAKGRAPH_CODE_ROWS_H
#define LEAKGRAPH_CODE_ROWS_H

#include "code/language.h"

enum form_kind {
    FORM_END,                                               /* past the last form of a row */
    FORM_LINE,                                              /* comment to the end of its line */
    FORM_BLOCK,                                             /* comment to `close`, or to the text's end */
    FORM_NESTED,                                            /* the same, but comments nest */
    FORM_STRING,                                            /* string to `close` */
    /* 'x' or '\...' and nothing else: lifetimes and primes are not strings */
    FORM_CHAR,
    FORM_NAME,                                              /* name in quotes: R `a b` */
    FORM_RAW_NAME,                                          /* Rust r#name, C# @name: what follows the mark */
    FORM_OPERATOR,                                          /* operator with a name, in one line: R %in% */
    FORM_REGEX,                                             /* /.../ where an operand is expected */
    FORM_QUASI,                                             /* Haskell [name| ... |] */
    FORM_LONG,                                              /* Lua [==[ ... ]==] */
    /* here-documents: lines up to the one that is the tag */
    FORM_HERE_PERL, FORM_HERE_PHP, FORM_HERE_RUBY, FORM_HERE_SHELL,
    FORM_DOLLAR,                                            /* SQL $tag$ ... $tag$ */
    FORM_PERL,                                              /* /.../ q{} s{}{} 'x' format: lexer_perl.c */
    FORM_RUBY,                                              /* /.../ %w[...] ?a `...`: lexer_ruby.c */
    FORM_SHELL,                                             /* $'...' $"..." ${...}: lexer_shell.c */
    FORM_SQL,                                               /* quotes, brackets, comments: lexer_sql.c */
    FORM_REST,                                              /* comment to the end; `close` follows: __EN, D__ */
    FORM_MARKUP,                                            /* PHP: text from ?> to the next <?php, <?= or <? */
    FORM_HALT,                                              /* PHP: __halt_compiler, and data after it */
    FORM_JSX,                                               /* <tag> ... </tag> where an operand is expected */
};

enum form_flag {
    FORM_ESCAPES    = 1,                                    /* a backslash takes the next character with it */
    /* may span lines; otherwise an unclosed one ends with its line */
    FORM_LINES      = 2,
    FORM_DOUBLED    = 4,                                    /* two closing quotes are one quote of the content */
    FORM_LINE_START = 8,                                    /* only at the start of a line */
    FORM_AFTER_GAP  = 16,                                   /* only after white space or one of ;&|() */
    FORM_NO_SIGIL   = 32,                                   /* not after $ (Perl's $# and $") */
    FORM_COMMENT    = 64,                                   /* FORM_LONG: the text is a comment */
    FORM_NO_ESCAPE  = 128,                                  /* not after a backslash */
    FORM_NO_BRACKET = 256,                                  /* not before [ (PHP's #[attributes]) */
    FORM_NO_SYMBOL  = 512,                                  /* not beside another operator character (Haskell's -->) */
    FORM_UNTIL_TAG  = 1024,                                 /* ends before ?> too */
    FORM_TRIPLE     = 2048,                                 /* three of the quote open a string over lines */
    FORM_TRIPLE_RAW = 4096,                                 /* the same, and that one has no escapes */
    FORM_SKIPS      = 8192,                                 /* \z takes the white space behind it, lines too (Lua) */
    FORM_SUFFIX     = 16384,                                /* a literal's suffix belongs to it: "x"_s, "x"sv (C++) */
    FORM_WHOLE_LINE = 32768,                                /* nothing else stands on its line (Ruby's __END__) */
};

/* Code that lies in the text of a string.  A form that has it is read piece by piece (lexing.h): the text between is
 * strings, the code is lexed as code, and a quote in it closes nothing outside. */
struct interpolation {
    /* What opens code, longer ones first, and the bracket that closes it; its last `kept` characters are code already
     * (PHP's "{$a}"). */
    struct { char open[4], close; uint8_t kept; } code[3];
    char          sigils[3];                                /* a name after one of these is code by itself: "$name" */
    unsigned      flags;
};

enum interpolation_flag {
    /* only in strings with a prefix for it: Python's f, C#'s $, any word in Scala */
    INTERPOLATION_MARKED  = 1,
    INTERPOLATION_DOUBLED = 2,                              /* what opens code or precedes a name, twice, is text */
    INTERPOLATION_FORMAT  = 4,                              /* a colon outside brackets ends the code: "{x:.2f}" */
    INTERPOLATION_ACCESS  = 8,                              /* "$name[index]" and "$name->member" are code (PHP) */
    INTERPOLATION_SHELL   = 32,                             /* ${name...} is text with a name first (lexer_shell.c) */
    INTERPOLATION_SIGILS  = 16,                             /* a sigil of the name's own stands before it: "#@name" */
    INTERPOLATION_COUNTED = 64,                             /* as many $ as before the quote: $$"$$name" (Kotlin) */
};

struct form { char open[6], close[5]; uint8_t kind; uint16_t flags; const struct interpolation *interpolation; };

/* A word that belongs to the string right after it.  ANY: every identifier does (Scala, Julia). */
enum prefix_kind {
    PREFIX_SAME,                                            /* the string ends as without the prefix */
    PREFIX_RAW,                                             /* no escapes */
    PREFIX_FORMAT,                                          /* Python f"...": with interpolation */
    PREFIX_RAW_PARENS,                                      /* C++ R"tag( ... )tag" */
    PREFIX_RAW_HASHES,                                      /* Rust r##" ... "## */
    PREFIX_RAW_BRACKETS,                                    /* R r"--( ... )--" with ( [ or { */
};
struct prefix { const char *word; enum prefix_kind kind; };

enum number_style {
    NUMBER_WORD,
    NUMBER_C, NUMBER_PYTHON, NUMBER_JAVA, NUMBER_JULIA,
    NUMBER_POINT,                                           /* may end with a point: R's and SQL's 1. and 1.e5 */
    NUMBER_SHELL,                                           /* $1_x is the first parameter and a name */
};

enum row_flag {
    ROW_PREFIX_ANY    = 1,                                  /* any identifier may prefix a string */
    ROW_PREFIX_FOLDED = 2,                                  /* prefixes are matched without case */
    ROW_DOCSTRINGS    = 4,                                  /* Python: strings that open a logical line are comments */
    ROW_VERBATIM      = 8,                                  /* C#: @"..." and $"..." */
    ROW_LOOKS_BACK    = 64,                                 /* comments are noted: forms ask for the code before them */
    ROW_STRING_FLAGS  = 32,                                 /* Julia: with a prefix no code, but letters behind */
    ROW_MARKUP        = 128,                                /* PHP: what stands before the first <?php is text */
    ROW_HASH_STRINGS  = 16,                                 /* Swift: #"..."# */
};

/* Which characters beyond ASCII are operators; those of all other rows are letters (lexer_symbols.c).  SPACES: none,
 * but white space there is white space.  SQL: none, but $$ is one after the line DELIMITER $$. */
enum symbol_style {
    SYMBOLS_NONE, SYMBOLS_HASKELL, SYMBOLS_JULIA, SYMBOLS_SCALA, SYMBOLS_SPACES, SYMBOLS_SQL, SYMBOLS_SWIFT,
};

/* How functions are told (function.h). */
enum function_style {
    FUNCTIONS_NONE,
    FUNCTIONS_INDENTED,
    FUNCTIONS_RUBY, FUNCTIONS_LUA, FUNCTIONS_JULIA,         /* blocks that end with `end` */
    /* blocks in braces, from here on: a language's heads each (function_heads.h) */
    FUNCTIONS_JAVA, FUNCTIONS_C, FUNCTIONS_CPP, FUNCTIONS_CSHARP, FUNCTIONS_GO, FUNCTIONS_RUST, FUNCTIONS_PHP,
    FUNCTIONS_KOTLIN, FUNCTIONS_SWIFT, FUNCTIONS_SCALA, FUNCTIONS_PERL, FUNCTIONS_SHELL, FUNCTIONS_R, FUNCTIONS_SCRIPT,
};

struct language {
    const char          *name;
    /* NULL-terminated, lower case; NULL: none */
    const char *const   *aliases, *const *extensions, *const *files, *const *interpreters;
    const char *const   *keywords;                          /* NULL-terminated */
    /* word characters besides letters, digits, _ and non-ASCII */
    const char          *word_extra;
    /* first characters of all forms; the digits are understood */
    const char          *special;
    /* those of two or more characters, longest first, NULL-terminated */
    const char *const   *operators;
    const char          *strays;                            /* ASCII punctuation that the language does not know */
    const struct prefix *prefixes;                          /* ends with a NULL word; NULL: none */
    struct form          forms[18];
    enum number_style    number;
    enum function_style  functions;
    enum symbol_style    symbols;
    unsigned             flags;
};

extern const struct language language_rows[];               /* language_row_count rows; the last is the generic one */
extern const size_t          language_row_count;

/* NULL-terminated reserved words (language_keywords.c). */
extern const char *const keywords_c[], *const keywords_cpp[], *const keywords_csharp[], *const keywords_go[],
    *const keywords_haskell[],
                  *const keywords_java[], *const keywords_javascript[], *const keywords_julia[],
                      *const keywords_kotlin[],
                  *const keywords_lua[], *const keywords_perl[], *const keywords_php[], *const keywords_python[],
                      *const keywords_r[],
                  *const keywords_ruby[], *const keywords_rust[], *const keywords_scala[], *const keywords_shell[],
                  *const keywords_sql[], *const keywords_swift[], *const keywords_typescript[], *const keywords_none[];

#endif
