/* code/language_table.c -- the rows: one language each, data only (see rows.h). */
#include "code/rows.h"

/* Most forms have no interpolation, and clang would have that said in each. */
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"

#define LIST(...) ((const char *const[]){ __VA_ARGS__, NULL })

/* Operators of two and more characters, longest first: the lexer takes the first that fits. */
static const char *const operators_c[] = {
    ">>=", "<<=", "...", "<=>", "->*", "->", "++", "--", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "+=", "-=",
        "*=", "/=",
    "%=", "&=", "|=", "^=", "::", "##", ".*", NULL,
};
/* no >> and >>>: closing brackets of generics (docs/definitions.md, "Tokens") */
static const char *const operators_java[] = {
    ">>>=", ">>=", "<<=", "...", "->", "::", "++", "--", "<<", "<=", ">=", "==", "!=", "&&", "||", "+=", "-=", "*=",
        "/=", "%=",
    "&=", "|=", "^=", NULL,
};
static const char *const operators_python[] = {
    "**=", "//=", ">>=", "<<=", "...", "!=", "%=", "&=", "**", "*=", "+=", "-=", "->", "//", "/=", ":=", "<<", "<=",
        "==", ">=",
    ">>", "@=", "^=", "|=", NULL,
};
/* JavaScript and its neighbours, C#, Go, PHP, Swift, Kotlin, Scala, Rust */
static const char *const operators_curly[] = {
    ">>>=", "===", "!==", "**=", "<<=", ">>=", ">>>", "...", "..=", "..<", "&&=", "||=", "?\?=", "<=>", "&^=", "?->",
        "->", "=>",
    "<-", "++", "--", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "?\?", "?.", "?:", "**", "..", "::", "+=", "-=",
        "*=", "/=",
    "%=", "&=", "|=", "^=", ".=", ":=", "&^", "!!", NULL,
};
static const char *const operators_script[] = {               /* Ruby, Perl, Shell, Lua, R, Julia, Haskell, SQL */
    "<<<", "===", "<=>", "**=", "||=", "&&=", "//=", "...", "%>%", "<<-", "->>", ">>=", "=<<", "==", "!=", "~=", "=~",
    "!~", "<=", ">=", "&&", "||", "**", "::", ":=", "->", "=>", "<-", "..", "//", "<<", ">>", "+=", "-=", "*=", "/=",
        "%=", ".=",
    "|=", "&=", "^=", "<>", ";;", "|>", "++", "--", "/=", "&.", NULL,
};
static const char *const operators_none[] = { NULL };

static const struct prefix prefixes_python[] = {
    { "r", PREFIX_SAME }, { "b", PREFIX_SAME }, { "u", PREFIX_SAME }, { "f", PREFIX_FORMAT }, { "t", PREFIX_FORMAT },
    { "br", PREFIX_SAME }, { "fr", PREFIX_FORMAT }, { "rb", PREFIX_SAME }, { "rf", PREFIX_FORMAT },
    { "rt", PREFIX_FORMAT }, { "tr", PREFIX_FORMAT }, { "ur", PREFIX_SAME }, { NULL, PREFIX_SAME },
};
static const struct prefix prefixes_c[] = {
    { "L", PREFIX_SAME }, { "u", PREFIX_SAME }, { "U", PREFIX_SAME }, { "u8", PREFIX_SAME }, { NULL, PREFIX_SAME },
};
static const struct prefix prefixes_cpp[] = {
    { "L", PREFIX_SAME }, { "u", PREFIX_SAME }, { "U", PREFIX_SAME }, { "u8", PREFIX_SAME }, { "R", PREFIX_RAW_PARENS },
    { "LR", PREFIX_RAW_PARENS }, { "uR", PREFIX_RAW_PARENS }, { "UR", PREFIX_RAW_PARENS }, { "u8R", PREFIX_RAW_PARENS },
    { NULL, PREFIX_SAME },
};
static const struct prefix prefixes_rust[] = {
    { "b", PREFIX_SAME }, { "c", PREFIX_SAME }, { "r", PREFIX_RAW_HASHES }, { "br", PREFIX_RAW_HASHES },
    { "cr", PREFIX_RAW_HASHES },
    { NULL, PREFIX_SAME },
};
static const struct prefix prefixes_r[] = {
    { "r", PREFIX_RAW_BRACKETS }, { "R", PREFIX_RAW_BRACKETS }, { NULL, PREFIX_SAME },
};
static const struct prefix prefixes_php[] = { { "b", PREFIX_SAME }, { "B", PREFIX_SAME }, { NULL, PREFIX_SAME } };
static const struct prefix prefixes_julia[] = { { "r", PREFIX_SAME }, { "raw", PREFIX_SAME }, { NULL, PREFIX_SAME } };
static const struct prefix prefixes_scala[] = { { "raw", PREFIX_RAW }, { NULL, PREFIX_SAME } };

static const struct interpolation dollar_brace = { .code = { { "${", '}', 0 } } };         /* JavaScript */
static const struct interpolation jsx_braces = { .code = { { "{", '}', 0 } } };
static const struct interpolation kotlin_names = { .code = { { "${", '}', 0 } }, .sigils = "$",
                                                   .flags = INTERPOLATION_COUNTED };
static const struct interpolation scala_names = { .code = { { "${", '}', 0 } }, .sigils = "$",
                                                  .flags = INTERPOLATION_MARKED | INTERPOLATION_DOUBLED };
static const struct interpolation swift_parens = { .code = { { "\\(", ')', 0 } } };
static const struct interpolation braces = {                /* Python f"{x!r:>{width}}", C# $"{x:N2}" */
    .code = { { "{", '}', 0 } }, .flags = INTERPOLATION_MARKED | INTERPOLATION_DOUBLED | INTERPOLATION_FORMAT
};
static const struct interpolation php_names = { .code = { { "{$", '}', 1 }, { "${", '}', 0 } }, .sigils = "$",
                                                .flags = INTERPOLATION_ACCESS };

static const struct interpolation hash_brace = { .code = { { "#{", '}', 0 } }, .sigils = "#",   /* Ruby */
                                                 .flags = INTERPOLATION_SIGILS };
static const struct interpolation julia_code = { .code = { { "$(", ')', 0 } }, .sigils = "$" };
static const struct interpolation shell_code = { .code = { { "$(", ')', 0 }, { "`", '`', 0 } }, .sigils = "$",
                                                 .flags = INTERPOLATION_SHELL };

const struct language language_rows[] = {
    {
        .name = "c", .aliases = LIST("ansi c", "c99", "c11"), .extensions = LIST("c", "h"), .interpreters = LIST("tcc"),
        .keywords = keywords_c, .word_extra = "$", .special = "\"'/", .operators = operators_c, .strays = "`@",
        .prefixes = prefixes_c, .number = NUMBER_C,
        .functions = FUNCTIONS_C,
        .forms = { { "//", "", FORM_LINE, FORM_ESCAPES }, { "/*", "*/", FORM_BLOCK, 0 },
                   { "\"", "\"", FORM_STRING, FORM_ESCAPES },
                   { "'", "'", FORM_STRING, FORM_ESCAPES } },
    },
    {
        .name = "cpp", .aliases = LIST("c++", "cxx", "cc", "cplusplus", "c plus plus", "cuda"),
        .extensions = LIST("cc", "cpp", "cxx", "c++", "hh", "hpp", "hxx", "h++", "ipp", "tpp", "inl", "cu", "cuh",
                           "ino"),
        .keywords = keywords_cpp, .word_extra = "$", .special = "\"'/", .operators = operators_c, .strays = "`@",
        .prefixes = prefixes_cpp, .number = NUMBER_C,
        .functions = FUNCTIONS_CPP,
        .forms = { { "//", "", FORM_LINE, FORM_ESCAPES }, { "/*", "*/", FORM_BLOCK, 0 },
                   { "\"", "\"", FORM_STRING, FORM_ESCAPES | FORM_SUFFIX },
                   { "'", "'", FORM_STRING, FORM_ESCAPES | FORM_SUFFIX } },
    },
    {
        .name = "csharp", .aliases = LIST("c#", "cs", "c-sharp", "c sharp"), .extensions = LIST("cs", "csx"),
        .interpreters = LIST("dotnet-script", "csi"), .keywords = keywords_csharp, .word_extra = "",
            .special = "\"'/#@",
        .operators = operators_curly, .strays = "`", .flags = ROW_VERBATIM,
        /* #region, #endregion, #error, #warning: the rest of the line is text */
        .symbols = SYMBOLS_SPACES,
        .functions = FUNCTIONS_CSHARP,
        .forms = { { "#reg", "", FORM_LINE, 0 }, { "#endr", "", FORM_LINE, 0 }, { "#err", "", FORM_LINE, 0 },
                   { "#war", "", FORM_LINE, 0 }, { "//", "", FORM_LINE, 0 }, { "/*", "*/", FORM_BLOCK, 0 },
                   { "\"", "\"", FORM_STRING, FORM_ESCAPES | FORM_TRIPLE_RAW, &braces },
                   { "'", "'", FORM_STRING, FORM_ESCAPES }, { "@", "", FORM_RAW_NAME, 0 } },
    },
    {
        .name = "go", .aliases = LIST("golang"), .extensions = LIST("go"), .interpreters = LIST("gorun", "yaegi"),
        .keywords = keywords_go, .word_extra = "", .special = "\"'/`", .operators = operators_curly, .strays = "#?$@",
        .functions = FUNCTIONS_GO,
        .forms = { { "//", "", FORM_LINE, 0 }, { "/*", "*/", FORM_BLOCK, 0 }, { "\"", "\"", FORM_STRING, FORM_ESCAPES },
                   { "`", "`", FORM_STRING, FORM_LINES }, { "'", "'", FORM_STRING, FORM_ESCAPES } },
    },
    {
        .name = "haskell", .aliases = LIST("hs"), .extensions = LIST("hs", "hsc"),
        .interpreters = LIST("runghc", "runhaskell", "stack"),
        .keywords = keywords_haskell, .word_extra = "'", .special = "\"'-{[", .operators = operators_script,
            .strays = "",
        .symbols = SYMBOLS_HASKELL,
        .forms = { { "{-", "-}", FORM_NESTED, 0 }, { "--", "", FORM_LINE, FORM_NO_SYMBOL },
                   { "\"", "\"", FORM_STRING, FORM_ESCAPES },
                   { "'", "'", FORM_CHAR, 0 }, { "[", "", FORM_QUASI, 0 } },
    },
    {
        .name = "java", .aliases = LIST("jdk"), .extensions = LIST("java"), .files = LIST("module-info.java"),
        .interpreters = LIST("java", "jbang"),
        .keywords = keywords_java, .word_extra = "$", .special = "\"'/", .operators = operators_java, .strays = "#`\\",
        .number = NUMBER_JAVA, .functions = FUNCTIONS_JAVA,
        .forms = { { "//", "", FORM_LINE, 0 }, { "/*", "*/", FORM_BLOCK, 0 },
                   { "\"", "\"", FORM_STRING, FORM_ESCAPES | FORM_TRIPLE },
                   { "'", "'", FORM_STRING, FORM_ESCAPES } },
    },
    {
        .name = "javascript", .aliases = LIST("js", "ecmascript", "node", "nodejs", "jsx"),
        .extensions = LIST("js", "jsx", "mjs", "cjs", "es6"),
        .interpreters = LIST("node", "nodejs", "bun", "qjs"), .keywords = keywords_javascript, .word_extra = "$",
            .special = "\"'/`<",
        .operators = operators_curly, .strays = "",
        .flags = ROW_LOOKS_BACK,
        .symbols = SYMBOLS_SPACES,
        .functions = FUNCTIONS_SCRIPT,
        .forms = { { "//", "", FORM_LINE, 0 }, { "/*", "*/", FORM_BLOCK, 0 }, { "/", "/", FORM_REGEX, 0 },
                   { "\"", "\"", FORM_STRING, FORM_ESCAPES }, { "'", "'", FORM_STRING, FORM_ESCAPES },
                   { "`", "`", FORM_STRING, FORM_LINES | FORM_ESCAPES, &dollar_brace },
                   { "<", "", FORM_JSX, 0, &jsx_braces } },
    },
    {
        .name = "julia", .aliases = LIST("jl"), .extensions = LIST("jl"), .interpreters = LIST("julia"),
            .keywords = keywords_julia,
        .word_extra = "", .special = "\"'#`", .operators = operators_script, .strays = "", .prefixes = prefixes_julia,
        .flags = ROW_PREFIX_ANY | ROW_STRING_FLAGS, .number = NUMBER_JULIA,
        .functions = FUNCTIONS_JULIA,
        .symbols = SYMBOLS_JULIA,
        .forms = { { "#=", "=#", FORM_NESTED, 0 }, { "#", "", FORM_LINE, 0 },
                   { "\"", "\"", FORM_STRING, FORM_LINES | FORM_ESCAPES | FORM_TRIPLE, &julia_code },
                   { "`", "`", FORM_STRING, FORM_LINES | FORM_ESCAPES | FORM_TRIPLE, &julia_code },
                   { "'", "'", FORM_CHAR, 0 } },
    },
    {
        .name = "kotlin", .aliases = LIST("kt"), .extensions = LIST("kt", "kts"),
            .interpreters = LIST("kotlin", "kotlinc"),
        .keywords = keywords_kotlin, .word_extra = "", .special = "\"'/`", .operators = operators_curly, .strays = "",
        .functions = FUNCTIONS_KOTLIN,
        .forms = { { "//", "", FORM_LINE, 0 }, { "/*", "*/", FORM_NESTED, 0 },
                   { "\"", "\"", FORM_STRING, FORM_ESCAPES | FORM_TRIPLE_RAW, &kotlin_names },
                   { "'", "'", FORM_STRING, FORM_ESCAPES }, { "`", "`", FORM_NAME, 0 } },
    },
    {
        .name = "lua", .aliases = LIST("luajit"), .extensions = LIST("lua", "rockspec"),
        .interpreters = LIST("lua", "luajit", "texlua"),
        .keywords = keywords_lua, .word_extra = "", .special = "\"'-[", .operators = operators_script,
            .strays = "!$@?`\\|&",
        .functions = FUNCTIONS_LUA,
        .forms = { { "--[", "", FORM_LONG, FORM_COMMENT }, { "--", "", FORM_LINE, 0 }, { "[", "", FORM_LONG, 0 },
                   { "\"", "\"", FORM_STRING, FORM_ESCAPES | FORM_SKIPS },
                   { "'", "'", FORM_STRING, FORM_ESCAPES | FORM_SKIPS } },
    },
    {
        .name = "makefile", .aliases = LIST("make", "gnumake"), .extensions = LIST("mk", "mak"),
        .files = LIST("makefile", "gnumakefile", "makefile.am", "makefile.in"), .interpreters = LIST("make"),
        .keywords = keywords_none,
        .word_extra = "", .special = "#", .operators = operators_script, .strays = "",
        .forms = { { "#", "", FORM_LINE, FORM_AFTER_GAP } },
    },
    {
        .name = "perl", .aliases = LIST("pl", "perl5"), .extensions = LIST("pl", "pm", "perl", "t", "pod"),
        .files = LIST("makefile.pl", "build.pl"),
        .interpreters = LIST("perl"), .keywords = keywords_perl, .word_extra = "", .special = "\"'`#/<=_qmstvy",
        .operators = operators_script,
        .strays = "",
        .flags = ROW_LOOKS_BACK,
        .functions = FUNCTIONS_PERL,
        .forms = { { "=", "=cut", FORM_BLOCK, FORM_LINE_START }, { "#", "", FORM_LINE, FORM_NO_SIGIL },
                   { "<<", "", FORM_HERE_PERL, 0 },
                   { "\"", "\"", FORM_STRING, FORM_LINES | FORM_ESCAPES | FORM_NO_SIGIL },
                   { "'", "", FORM_PERL, FORM_NO_SIGIL },
                   { "`", "`", FORM_STRING, FORM_LINES | FORM_ESCAPES | FORM_NO_SIGIL },
                   { "/", "", FORM_PERL, FORM_NO_SIGIL }, { "=", "", FORM_PERL, 0 },
                   { "__EN", "D__", FORM_REST, FORM_LINE_START }, { "__DA", "TA__", FORM_REST, FORM_LINE_START },
                   { "q", "", FORM_PERL, 0 }, { "m", "", FORM_PERL, 0 }, { "s", "", FORM_PERL, 0 },
                   { "t", "", FORM_PERL, 0 }, { "y", "", FORM_PERL, 0 }, { "v", "", FORM_PERL, 0 },
                   { "<", "", FORM_PERL, 0 } },
    },
    {
        .name = "php", .aliases = LIST("php3", "php4", "php5", "php7", "php8"),
        .extensions = LIST("php", "phtml", "php3", "php4", "php5", "phps"),
        .interpreters = LIST("php"), .keywords = keywords_php, .word_extra = "", .special = "\"'`#/<?_",
            .operators = operators_curly,
        .strays = "", .prefixes = prefixes_php, .flags = ROW_MARKUP,
        .functions = FUNCTIONS_PHP,
        .forms = { { "//", "", FORM_LINE, FORM_UNTIL_TAG }, { "/*", "*/", FORM_BLOCK, 0 },
                   { "#", "", FORM_LINE, FORM_UNTIL_TAG | FORM_NO_BRACKET },
                   { "\"", "\"", FORM_STRING, FORM_LINES | FORM_ESCAPES, &php_names },
                   { "'", "'", FORM_STRING, FORM_LINES | FORM_ESCAPES },
                   { "`", "`", FORM_STRING, FORM_LINES | FORM_ESCAPES, &php_names },
                   { "<<<", "", FORM_HERE_PHP, 0, &php_names },
                   { "?>", "", FORM_MARKUP, 0 }, { "__", "", FORM_HALT, 0 } },
    },
    {
        .name = "python", .aliases = LIST("py", "python3", "python2", "cpython", "pypy", "jython"),
        .extensions = LIST("py", "pyi", "pyw", "gyp", "gypi", "bzl"),
        .files = LIST("sconstruct", "sconscript", "wscript", "snakefile"),
        .interpreters = LIST("python", "pypy", "ipython", "jython"), .keywords = keywords_python, .word_extra = "",
            .special = "\"'#",
        .operators = operators_python, .strays = "$?!`\\", .prefixes = prefixes_python,
        .number = NUMBER_PYTHON, .functions = FUNCTIONS_INDENTED,
        .flags = ROW_PREFIX_FOLDED | ROW_DOCSTRINGS,
        .forms = { { "\"", "\"", FORM_STRING, FORM_ESCAPES | FORM_TRIPLE, &braces },
                   { "'", "'", FORM_STRING, FORM_ESCAPES | FORM_TRIPLE, &braces },
                   { "#", "", FORM_LINE, 0 } },
    },
    {
        .name = "r", .aliases = LIST("rlang", "gnu r", "splus"), .extensions = LIST("r", "rprofile"),
            .files = LIST(".rprofile"),
        .interpreters = LIST("rscript", "r", "littler"), .keywords = keywords_r, .word_extra = ".",
            .special = "\"'#`.%",
        .operators = operators_script, .strays = "", .prefixes = prefixes_r, .number = NUMBER_POINT,
        .functions = FUNCTIONS_R,
        .forms = { { "#", "", FORM_LINE, 0 }, { "\"", "\"", FORM_STRING, FORM_LINES | FORM_ESCAPES },
                   { "'", "'", FORM_STRING, FORM_LINES | FORM_ESCAPES },
                   { "`", "`", FORM_NAME, FORM_ESCAPES }, { "%", "%", FORM_OPERATOR, 0 } },
    },
    {
        .name = "ruby", .aliases = LIST("rb", "jruby"),
            .extensions = LIST("rb", "rake", "gemspec", "ru", "rbw", "podspec"),
        .files = LIST("rakefile", "gemfile", "guardfile", "capfile", "vagrantfile", "podfile"),
        .interpreters = LIST("ruby", "jruby", "rake"),
        .keywords = keywords_ruby, .word_extra = "", .special = "\"'`#/=%<?_", .operators = operators_script,
            .strays = "",
        .flags = ROW_LOOKS_BACK,
        .functions = FUNCTIONS_RUBY,
        .forms = { { "=beg", "=end", FORM_BLOCK, FORM_LINE_START }, { "#", "", FORM_LINE, 0 },
                   { "<<", "", FORM_HERE_RUBY, 0, &hash_brace },
                   { "\"", "\"", FORM_STRING, FORM_LINES | FORM_ESCAPES | FORM_NO_SIGIL, &hash_brace },
                   { "'", "'", FORM_STRING, FORM_LINES | FORM_ESCAPES | FORM_NO_SIGIL },
                   { "`", "", FORM_RUBY, FORM_NO_SIGIL, &hash_brace },
                   { "/", "", FORM_RUBY, FORM_NO_SIGIL, &hash_brace },
                   { "%", "", FORM_RUBY, 0, &hash_brace }, { "?", "", FORM_RUBY, 0 },
                   { "__EN", "D__", FORM_REST, FORM_LINE_START | FORM_WHOLE_LINE } },
    },
    {
        .name = "rust", .aliases = LIST("rs", "rustlang"), .extensions = LIST("rs"),
            .interpreters = LIST("rust-script", "cargo"),
        .keywords = keywords_rust, .word_extra = "", .special = "\"'/#", .operators = operators_curly, .strays = "`\\",
        .prefixes = prefixes_rust,
        .functions = FUNCTIONS_RUST,
        .forms = { { "//", "", FORM_LINE, 0 }, { "/*", "*/", FORM_NESTED, 0 },
                   { "\"", "\"", FORM_STRING, FORM_LINES | FORM_ESCAPES },
                   { "'", "'", FORM_CHAR, 0 }, { "#", "", FORM_RAW_NAME, 0 } },
    },
    {
        .name = "scala", .aliases = LIST("dotty"), .extensions = LIST("scala", "sc", "sbt"),
        .interpreters = LIST("scala", "amm", "scala-cli"),
        .keywords = keywords_scala, .word_extra = "$", .special = "\"'/`<", .operators = operators_curly, .strays = "",
        .prefixes = prefixes_scala, .flags = ROW_PREFIX_ANY,
        .functions = FUNCTIONS_SCALA,
        .symbols = SYMBOLS_SCALA,
        .forms = { { "//", "", FORM_LINE, 0 }, { "/*", "*/", FORM_NESTED, 0 },
                   { "\"", "\"", FORM_STRING, FORM_ESCAPES | FORM_TRIPLE_RAW, &scala_names },
                   { "'", "'", FORM_CHAR, 0 }, { "`", "`", FORM_NAME, 0 },
                   { "<", "", FORM_JSX, 0, &jsx_braces } },
    },
    {
        .name = "shell", .aliases = LIST("sh", "bash", "zsh", "ksh", "shellscript", "shell script", "posix shell"),
        .extensions = LIST("sh", "bash", "zsh", "ksh", "bats", "ebuild", "command"),
        .files = LIST(".bashrc", ".bash_profile", ".profile", ".zshrc", "configure", "pkgbuild"),
        .interpreters = LIST("sh", "bash", "zsh", "dash", "ksh", "mksh", "ash"), .keywords = keywords_shell,
            .word_extra = "",
        .special = "\"'#<$", .operators = operators_script, .strays = "",
        .number = NUMBER_SHELL, .flags = ROW_LOOKS_BACK,
        .functions = FUNCTIONS_SHELL,
        .forms = { { "#", "", FORM_LINE, FORM_AFTER_GAP },
                   { "\"", "\"", FORM_STRING, FORM_LINES | FORM_ESCAPES | FORM_NO_ESCAPE, &shell_code },
                   { "'", "'", FORM_STRING, FORM_LINES | FORM_NO_ESCAPE },
                   { "<<", "", FORM_HERE_SHELL, 0, &shell_code },
                   { "$", "", FORM_SHELL, FORM_NO_ESCAPE, &shell_code } },
    },
    {
        .name = "sql", .aliases = LIST("mysql", "postgresql", "postgres", "plpgsql", "sqlite", "plsql", "tsql",
                                       "pl/sql", "t-sql"),
        .extensions = LIST("sql", "ddl", "dml", "psql", "plsql"), .keywords = keywords_sql, .word_extra = "$",
            .special = "\"'`-/$[#;\\",
        .operators = operators_script, .strays = "\\", .number = NUMBER_POINT, .symbols = SYMBOLS_SQL,
        .forms = { { "--", "", FORM_LINE, 0 }, { "/*", "", FORM_SQL, 0 }, { "'", "", FORM_SQL, 0 },
                   { "\"", "", FORM_SQL, 0 }, { "`", "", FORM_SQL, 0 }, { "[", "", FORM_SQL, 0 },
                   { "#", "", FORM_SQL, 0 }, { ";", "", FORM_SQL, 0 }, { "\\", "", FORM_SQL, 0 },
                   { "$", "", FORM_DOLLAR, 0 } },
    },
    {
        .name = "swift", .aliases = LIST("swiftlang"), .extensions = LIST("swift"), .interpreters = LIST("swift"),
        .keywords = keywords_swift,
        .word_extra = "", .special = "\"/`#", .operators = operators_curly, .strays = "'\\",
        .flags = ROW_LOOKS_BACK | ROW_HASH_STRINGS,
        .functions = FUNCTIONS_SWIFT,
        .symbols = SYMBOLS_SWIFT,
        .forms = { { "//", "", FORM_LINE, 0 }, { "/*", "*/", FORM_NESTED, 0 },
                   { "\"", "\"", FORM_STRING, FORM_ESCAPES | FORM_TRIPLE, &swift_parens }, { "`", "`", FORM_NAME, 0 },
                   { "#/", "/#", FORM_STRING, FORM_LINES }, { "/", "/", FORM_REGEX, 0 } },
    },
    {
        .name = "typescript", .aliases = LIST("ts", "tsx"), .extensions = LIST("ts", "tsx", "mts", "cts"),
        .interpreters = LIST("ts-node", "deno", "tsx"), .keywords = keywords_typescript, .word_extra = "$",
            .special = "\"'/`<",
        .operators = operators_curly, .strays = "",
        .flags = ROW_LOOKS_BACK,
        .symbols = SYMBOLS_SPACES,
        .functions = FUNCTIONS_SCRIPT,
        .forms = { { "//", "", FORM_LINE, 0 }, { "/*", "*/", FORM_BLOCK, 0 }, { "/", "/", FORM_REGEX, 0 },
                   { "\"", "\"", FORM_STRING, FORM_ESCAPES }, { "'", "'", FORM_STRING, FORM_ESCAPES },
                   { "`", "`", FORM_STRING, FORM_LINES | FORM_ESCAPES, &dollar_brace },
                   { "<", "", FORM_JSX, 0, &jsx_braces } },
    },
    /* words, numbers and punctuation: nothing is known to hide text */
    {
        .name = "text", .aliases = LIST("plain", "plain text", "txt", "generic", "unknown"),
            .extensions = LIST("txt", "text"),
        .keywords = keywords_none,
        .word_extra = "", .special = "", .operators = operators_none, .strays = "",
    },
};

const size_t language_row_count = sizeof language_rows / sizeof language_rows[0];
