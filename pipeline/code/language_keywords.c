/* code/language_keywords.c -- reserved words, one list a language.
 *
 * Java and Python are the sets of the published tools (docs/definitions.md, "Features"): Java's 50 reserved words and
 * `var`, without true, false and null; Python 3's 35 hard keywords without True and False.  The others are the reserved
 * words of each language's own reference. */
#include "code/rows.h"

const char *const keywords_none[] = { NULL };

const char *const keywords_java[] = {
    "abstract", "assert", "boolean", "break", "byte", "case", "catch", "char", "class", "const", "continue", "default",
        "do",
    "double", "else", "enum", "extends", "final", "finally", "float", "for", "goto", "if", "implements", "import",
        "instanceof",
    "int", "interface", "long", "native", "new", "package", "private", "protected", "public", "return", "short",
        "static",
    "strictfp", "super", "switch", "synchronized", "this", "throw", "throws", "transient", "try", "var", "void",
        "volatile",
    "while", NULL,
};

const char *const keywords_python[] = {
    "None", "and", "as", "assert", "async", "await", "break", "class", "continue", "def", "del", "elif", "else",
        "except",
    "finally", "for", "from", "global", "if", "import", "in", "is", "lambda", "nonlocal", "not", "or", "pass", "raise",
        "return",
    "try", "while", "with", "yield", NULL,
};

const char *const keywords_c[] = {
    "_Alignas", "_Alignof", "_Atomic", "_Bool", "_Complex", "_Generic", "_Imaginary", "_Noreturn", "_Static_assert",
    "_Thread_local", "auto", "break", "case", "char", "const", "continue", "default", "do", "double", "else", "enum",
        "extern",
    "float", "for", "goto", "if", "inline", "int", "long", "register", "restrict", "return", "short", "signed",
        "sizeof", "static",
    "struct", "switch", "typedef", "union", "unsigned", "void", "volatile", "while", NULL,
};

const char *const keywords_cpp[] = {
    "alignas", "alignof", "and", "and_eq", "asm", "auto", "bitand", "bitor", "bool", "break", "case", "catch", "char",
        "char16_t",
    "char32_t", "char8_t", "class", "co_await", "co_return", "co_yield", "compl", "concept", "const", "const_cast",
        "consteval",
    "constexpr", "constinit", "continue", "decltype", "default", "delete", "do", "double", "dynamic_cast", "else",
        "enum",
    "explicit", "export", "extern", "false", "float", "for", "friend", "goto", "if", "inline", "int", "long", "mutable",
    "namespace", "new", "noexcept", "not", "not_eq", "nullptr", "operator", "or", "or_eq", "private", "protected",
        "public",
    "register", "reinterpret_cast", "requires", "return", "short", "signed", "sizeof", "static", "static_assert",
        "static_cast",
    "struct", "switch", "template", "this", "thread_local", "throw", "true", "try", "typedef", "typeid", "typename",
        "union",
    "unsigned", "using", "virtual", "void", "volatile", "wchar_t", "while", "xor", "xor_eq", NULL,
};

const char *const keywords_csharp[] = {
    "abstract", "as", "base", "bool", "break", "byte", "case", "catch", "char", "checked", "class", "const", "continue",
        "decimal",
    "default", "delegate", "do", "double", "else", "endif", "enum", "event", "explicit", "extern", "false", "finally",
        "fixed", "float",
    "for", "foreach", "goto", "if", "implicit", "in", "int", "interface", "internal", "is", "lock", "long", "namespace",
        "new",
    "null", "object", "operator", "out", "override", "params", "private", "protected", "public", "readonly", "ref",
        "return",
    "sbyte", "sealed", "short", "sizeof", "stackalloc", "static", "string", "struct", "switch", "this", "throw", "true",
        "try",
    "typeof", "uint", "ulong", "unchecked", "unsafe", "ushort", "using", "virtual", "void", "volatile", "while", NULL,
};

const char *const keywords_javascript[] = {
    "await", "break", "case", "catch", "class", "const", "continue", "debugger", "default", "delete", "do", "else",
        "enum",
    "export", "extends", "false", "finally", "for", "function", "if", "implements", "import", "in", "instanceof",
        "interface",
    "let", "new", "null", "package", "private", "protected", "public", "return", "static", "super", "switch", "this",
        "throw",
    "true", "try", "typeof", "var", "void", "while", "with", "yield", NULL,
};

const char *const keywords_typescript[] = {
    "abstract", "any", "as", "asserts", "async", "await", "bigint", "boolean", "break", "case", "catch", "class",
        "const",
    "constructor", "continue", "debugger", "declare", "default", "delete", "do", "else", "enum", "export", "extends",
        "false",
    "finally", "for", "from", "function", "get", "if", "implements", "import", "in", "infer", "instanceof", "interface",
        "is",
    "keyof", "let", "module", "namespace", "never", "new", "null", "number", "object", "of", "package", "private",
        "protected",
    "public", "readonly", "require", "return", "set", "static", "string", "super", "switch", "symbol", "this", "throw",
        "true",
    "try", "type", "typeof", "undefined", "unique", "unknown", "var", "void", "while", "with", "yield", NULL,
};

const char *const keywords_go[] = {
    "break", "case", "chan", "const", "continue", "default", "defer", "else", "fallthrough", "for", "func", "go",
        "goto", "if",
    "import", "interface", "map", "package", "range", "return", "select", "struct", "switch", "type", "var", NULL,
};

const char *const keywords_rust[] = {
    "Self", "abstract", "as", "async", "await", "become", "box", "break", "const", "continue", "crate", "do", "dyn",
        "else",
    "enum", "extern", "false", "final", "fn", "for", "if", "impl", "in", "let", "loop", "macro", "match", "mod", "move",
        "mut",
    "override", "priv", "pub", "ref", "return", "self", "static", "struct", "super", "trait", "true", "try", "type",
        "typeof",
    "unsafe", "unsized", "use", "virtual", "where", "while", "yield", NULL,
};

const char *const keywords_php[] = {
    "__CLASS__", "__DIR__", "__FILE__", "__FUNCTION__", "__LINE__", "__METHOD__", "__NAMESPACE__", "__TRAIT__",
    "__halt_compiler", "abstract", "and", "array", "as", "break", "callable", "case", "catch", "class", "clone",
        "const",
    "continue", "declare", "default", "die", "do", "echo", "else", "elseif", "empty", "enddeclare", "endfor",
        "endforeach",
    "endif", "endswitch", "endwhile", "eval", "exit", "extends", "final", "finally", "fn", "for", "foreach", "function",
        "global",
    "goto", "if", "implements", "include", "include_once", "instanceof", "insteadof", "interface", "isset", "list",
        "match",
    "namespace", "new", "or", "php", "print", "private", "protected", "public", "readonly", "require", "require_once",
        "return",
    "static", "switch", "throw", "trait", "try", "unset", "use", "var", "while", "xor", "yield", NULL,
};

const char *const keywords_ruby[] = {
    "BEGIN", "END", "__ENCODING__", "__FILE__", "__LINE__", "alias", "and", "begin", "break", "case", "class", "def",
        "defined",
    "do", "else", "elsif", "end", "ensure", "false", "for", "if", "in", "module", "next", "nil", "not", "or", "redo",
        "rescue",
    "retry", "return", "self", "super", "then", "true", "undef", "unless", "until", "when", "while", "yield", NULL,
};

const char *const keywords_kotlin[] = {
    "as", "break", "class", "continue", "do", "else", "false", "for", "fun", "if", "in", "interface", "is", "null",
        "object",
    "package", "return", "super", "this", "throw", "true", "try", "typealias", "typeof", "val", "var", "when", "while",
        NULL,
};

const char *const keywords_scala[] = {
    "abstract", "case", "catch", "class", "def", "do", "else", "enum", "export", "extends", "false", "final", "finally",
        "for",
    "forSome", "given", "if", "implicit", "import", "lazy", "macro", "match", "new", "null", "object", "override",
        "package",
    "private", "protected", "return", "sealed", "super", "then", "this", "throw", "trait", "true", "try", "type", "val",
        "var",
    "while", "with", "yield", NULL,
};

const char *const keywords_swift[] = {
    "Any", "Self", "Type", "actor", "as", "associatedtype", "async", "await", "break", "case", "catch", "class",
        "continue",
    "default", "defer", "deinit", "do", "else", "enum", "extension", "fallthrough", "false", "fileprivate", "for",
        "func",
    "guard", "if", "import", "in", "init", "inout", "internal", "is", "let", "nil", "open", "operator",
        "precedencegroup",
    "private", "protocol", "public", "repeat", "rethrows", "return", "self", "static", "struct", "subscript", "super",
        "switch",
    "throw", "throws", "true", "try", "typealias", "var", "where", "while", NULL,
};

const char *const keywords_shell[] = {
    "case", "coproc", "do", "done", "elif", "else", "esac", "fi", "for", "function", "if", "in", "select", "then",
        "time",
    "until", "while", NULL,
};

/* Reserved in SQL:2016 and in at least two of the common systems.  The lexer keeps case, so each word stands in both.
 */
const char *const keywords_sql[] = {
    "ALL", "ALTER", "AND", "ANY", "AS", "ASC", "BEGIN", "BETWEEN", "BY", "CASE", "CAST", "CHECK", "COLLATE", "COLUMN",
        "COMMIT",
    "CONSTRAINT", "CREATE", "CROSS", "CURRENT", "DEFAULT", "DELETE", "DESC", "DISTINCT", "DROP", "ELSE", "END",
        "EXCEPT",
    "EXISTS", "FALSE", "FETCH", "FOR", "FOREIGN", "FROM", "FULL", "GRANT", "GROUP", "HAVING", "IF", "IN", "INDEX",
        "INNER",
    "INSERT", "INTERSECT", "INTO", "IS", "JOIN", "KEY", "LEFT", "LIKE", "LIMIT", "NATURAL", "NOT", "NULL", "OFFSET",
        "ON", "OR",
    "ORDER", "OUTER", "OVER", "PARTITION", "PRIMARY", "REFERENCES", "REVOKE", "RIGHT", "ROLLBACK", "SELECT", "SET",
        "TABLE",
    "THEN", "TO", "TRIGGER", "TRUE", "UNION", "UNIQUE", "UPDATE", "USING", "VALUES", "VIEW", "WHEN", "WHERE", "WITH",
    "all", "alter", "and", "any", "as", "asc", "begin", "between", "by", "case", "cast", "check", "collate", "column",
        "commit",
    "constraint", "create", "cross", "current", "default", "delete", "desc", "distinct", "drop", "else", "end",
        "except",
    "exists", "false", "fetch", "for", "foreign", "from", "full", "grant", "group", "having", "if", "in", "index",
        "inner",
    "insert", "intersect", "into", "is", "join", "key", "left", "like", "limit", "natural", "not", "null", "offset",
        "on", "or",
    "order", "outer", "over", "partition", "primary", "references", "revoke", "right", "rollback", "select", "set",
        "table",
    "then", "to", "trigger", "true", "union", "unique", "update", "using", "values", "view", "when", "where", "with",
        NULL,
};

const char *const keywords_lua[] = {
    "and", "break", "do", "else", "elseif", "end", "false", "for", "function", "goto", "if", "in", "local", "nil",
        "not", "or",
    "repeat", "return", "then", "true", "until", "while", NULL,
};

const char *const keywords_perl[] = {
    "BEGIN", "END", "__DATA__", "__END__", "__FILE__", "__LINE__", "__PACKAGE__", "and", "cmp", "continue", "default",
        "do",
    "else", "elsif", "eq", "for", "foreach", "ge", "given", "goto", "gt", "if", "last", "le", "local", "lt", "my", "ne",
        "next",
    "no", "not", "or", "our", "package", "redo", "require", "return", "state", "sub", "unless", "until", "use", "when",
        "while",
    "xor", NULL,
};

const char *const keywords_r[] = {
    "FALSE", "Inf", "NA", "NA_character_", "NA_complex_", "NA_integer_", "NA_real_", "NULL", "NaN", "TRUE", "break",
        "else",
    "for", "function", "if", "in", "next", "repeat", "while", NULL,
};

const char *const keywords_julia[] = {
    "baremodule", "begin", "break", "catch", "const", "continue", "do", "else", "elseif", "end", "export", "false",
        "finally",
    "for", "function", "global", "if", "import", "in", "let", "local", "macro", "module", "quote", "return", "struct",
        "true",
    "try", "using", "where", "while", NULL,
};

const char *const keywords_haskell[] = {
    "case", "class", "data", "default", "deriving", "do", "else", "foreign", "if", "import", "in", "infix", "infixl",
        "infixr",
    "instance", "let", "module", "newtype", "of", "then", "type", "where", NULL,
};
