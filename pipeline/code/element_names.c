/* code/element_names.c -- the role of a name by the tokens around it.
 *
 * In the order of the rules: member, class where a class must stand, what the language's marks say, named argument,
 * type, call; a variable otherwise. */
#include "code/elements.h"

static bool capital(const struct finding *f, uint32_t t)
{
    const char *word = token_text(f, t);
    bool        small = f->token[t].len == 1;

    for (uint32_t i = 1; i < f->token[t].len; i++) small |= word[i] >= 'a' && word[i] <= 'z';
    return small && word[0] >= 'A' && word[0] <= 'Z';
}

/* Right behind the token before it. */
static bool joined(const struct finding *f, uint32_t t) { return t && token_end(f, t - 1) == f->token[t].at; }

/* Called: a parenthesis in the same line. */
static bool is_call(const struct finding *f, uint32_t t)
{
    return token_is_mark(f, t + 1, "(") && !memchr(f->text.at + token_end(f, t), '\n',
                                                   f->token[t + 1].at - token_end(f, t));
}

static bool is_member(const struct finding *f, uint32_t t)
{
    if (!t) return false;
    if (token_in(f, t - 1, WORDS(".", "?.", "?->", "&.")) ||
        (token_is(f, t - 1, "::") && f->language->functions != FUNCTIONS_JULIA)) return true;
    switch (f->language->functions) {
    case FUNCTIONS_C: case FUNCTIONS_CPP: case FUNCTIONS_PHP: case FUNCTIONS_PERL: return token_is(f, t - 1, "->");
    case FUNCTIONS_LUA: return token_is_mark(f, t - 1, ":") && joined(f, t);
    case FUNCTIONS_R: return token_is_mark(f, t - 1, "$@");
    case FUNCTIONS_RUBY: return token_is_mark(f, t - 1, "@") && joined(f, t);
    default: return false;
    }
}

/* Words that a class's name stands behind: *declares tells which of both. */
static bool is_class(const struct finding *f, uint32_t t, bool *declares)
{
    if (!t || f->language->functions == FUNCTIONS_INDENTED) return false;
    if (token_in(f, t - 1, WORDS("class", "interface", "enum", "trait", "protocol", "record", "module"))) {
        *declares = true;
        return element_is_keyword(f, t - 1) || !joined(f, t);
    }
    if (token_in(f, t - 1, WORDS("struct", "union", "object", "type", "actor", "typedef", "concept"))) {
        *declares = token_is(f, t - 1, "type") || (!token_is_name(f, t + 1) && !token_is_mark(f, t + 1, "*&,)"));
        return element_is_keyword(f, t - 1) || token_is_mark(f, t + 1, "{=<(") || token_is(f, t + 1, "struct");
    }
    if (token_in(f, t - 1, WORDS("new", "extends", "implements", "instanceof", "throws", "impl", "with", "package"))) {
        *declares = false;
        return !token_is(f, t - 1, "package") && element_is_keyword(f, t - 1);
    }
    return false;
}

/* In these a name that begins with a capital and goes on in small letters is a type's, by custom. */
static bool has_custom(const struct language *language)
{
    switch (language->functions) {
    case FUNCTIONS_JAVA: case FUNCTIONS_KOTLIN: case FUNCTIONS_SCALA: case FUNCTIONS_SWIFT: case FUNCTIONS_RUST:
    case FUNCTIONS_RUBY: case FUNCTIONS_SCRIPT: return true;
    default: return false;
    }
}

/* A type stands before the name that it declares: `Type name`, `int name`. */
static bool is_typed_before(const struct language *language)
{
    switch (language->functions) {
    case FUNCTIONS_JAVA: case FUNCTIONS_C: case FUNCTIONS_CPP: case FUNCTIONS_CSHARP: return true;
    default: return false;
    }
}

static bool is_type(const struct finding *f, uint32_t t)
{
    if (f->language->functions == FUNCTIONS_JULIA) return t && token_is(f, t - 1, "::");
    if (token_is(f, t + 1, "::")) return true;
    if (is_typed_before(f->language) && token_is_name(f, t + 1) && !element_is_keyword(f, t + 1)) return true;
    return has_custom(f->language) && capital(f, t) && !token_is_mark(f, t + 1, "(");
}

/* Is something declared or assigned to here? */
static bool is_declared(const struct finding *f, uint32_t t)
{
    if (token_in(f, t + 1, WORDS("=", ":=", "<-", "<<-"))) return true;
    if (!t) return false;
    if (token_in(f, t - 1, WORDS("let", "const", "var", "val", "my", "our", "local", "mut", "auto", "foreach", "for")))
        return element_is_keyword(f, t - 1);
    return is_typed_before(f->language) && token_is_name(f, t - 1) && token_is_mark(f, t + 1, ";,:[") &&
        !token_in(f, t - 1, WORDS("return", "throw", "goto", "case", "new", "else", "import", "package", "in", "break",
                                  "continue", "yield", "using", "typename", "sizeof", "await"));
}

/* `name =` and `name:` behind the bracket or a comma of arguments.  Their call is looked for some tokens back. */
static bool is_argument(const struct finding *f, uint32_t t)
{
    const enum function_style style = f->language->functions;
    uint32_t                  depth = 0, u = t;
    const bool colon = style == FUNCTIONS_RUBY || style == FUNCTIONS_SWIFT || style == FUNCTIONS_CSHARP ||
        style == FUNCTIONS_PHP;
    const bool equals = style == FUNCTIONS_INDENTED || style == FUNCTIONS_KOTLIN || style == FUNCTIONS_SCALA ||
        style == FUNCTIONS_R || style == FUNCTIONS_JULIA;

    if (!t || !token_is_mark(f, t - 1, "(,") || !((colon && token_is_mark(f, t + 1, ":")) ||
                                                  (equals && token_is_mark(f, t + 1, "=")))) return false;
    while (u > 0 && t - u < HEAD_MOST) {
        u--;
        if (token_is_mark(f, u, ")]}")) depth++;
        else if (token_is_mark(f, u, "([{") && depth-- == 0)
            return token_is_mark(f, u, "(") && u && (token_is_mark(f, u - 1, ")]") ||
                                                     (token_is_name(f, u - 1) && !element_is_keyword(f, u - 1)));
    }
    return false;
}

/* ---- languages with marks on names ---- */

static enum element_kind of_shell(const struct finding *f, uint32_t t, bool *declares)
{
    const char before = f->token[t].at ? f->text.at[f->token[t].at - 1] : '\n';

    if (before == '$' || before == '{') return ELEMENT_VARIABLE;
    if (token_is_mark(f, t + 1, "=") && joined(f, t + 1)) {
        *declares = true;
        return ELEMENT_VARIABLE;
    }
    if (t && token_in(f, t - 1, WORDS("for", "local", "export", "readonly", "read", "unset", "declare"))) {
        *declares = true;
        return ELEMENT_VARIABLE;
    }
    for (size_t at = f->token[t].at; at > 0; at--) {
        if (f->text.at[at - 1] == ' ' || f->text.at[at - 1] == '\t') continue;
        if (strchr("\n;|&({`", f->text.at[at - 1])) return ELEMENT_FUNCTION;
        break;
    }
    return f->token[t].at == 0 || (t && token_in(f, t - 1, WORDS("then", "do", "else", "if", "while", "until", "elif")))
        ? ELEMENT_FUNCTION : ELEMENT_KINDS;
}

static enum element_kind of_sigil(const struct finding *f, uint32_t t, bool *declares)
{
    const bool perl = f->language->functions == FUNCTIONS_PERL;

    *declares |= token_is_mark(f, t + 1, "=") ||
        (t > 1 && token_in(f, t - 2, WORDS("my", "our", "local", "state")));
    if (joined(f, t) && token_is_mark(f, t - 1, perl ? "$@%" : "$")) return ELEMENT_VARIABLE;
    *declares = false;
    if (token_in(f, t + 1, WORDS("::", "->"))) return ELEMENT_CLASS;
    if (perl && t && token_in(f, t - 1, WORDS("package", "use", "require"))) {
        *declares = token_is(f, t - 1, "package");
        return ELEMENT_CLASS;
    }
    if (is_call(f, t)) return ELEMENT_FUNCTION;
    return perl ? ELEMENT_KINDS : ELEMENT_CLASS;            /* a type, or a constant */
}

/* Words that are keywords before a name in the same line alone. */
static bool is_soft_elsewhere(const struct finding *f, uint32_t t)
{
    switch (f->language->functions) {
    case FUNCTIONS_KOTLIN: case FUNCTIONS_SCALA: case FUNCTIONS_SWIFT: case FUNCTIONS_RUST: case FUNCTIONS_SCRIPT:
        break;
    default: return false;
    }
    return token_is_name(f, t + 1) && token_in(f, t, WORDS(
        "vararg", "async", "declare", "readonly", "abstract", "public", "private", "protected", "static", "override",
        "inline", "data", "sealed", "get", "set", "of", "keyof", "infer", "is", "as", "asserts", "from", "type",
        "namespace", "union", "open", "final", "suspend", "lazy", "weak", "indirect", "mutating"));
}

/* Python's `match` and `case` before what they match: in one line, and no operator between. */
static bool is_soft(const struct finding *f, uint32_t t)
{
    if (!token_in(f, t, WORDS("match", "case")) || t + 1 >= f->count || joined(f, t + 1) ||
        f->token[t + 1].kind >= TOKEN_OPERATOR ||
        memchr(f->text.at + token_end(f, t), '\n', f->token[t + 1].at - token_end(f, t))) return false;
    return !token_in(f, t + 1, WORDS("in", "is", "if", "else", "and", "or", "not", "for", "as"));
}

/* ---- all ---- */

enum element_kind element_of_name(const struct finding *f, uint32_t t, bool *declares)
{
    const enum function_style style = f->language->functions;
    const bool                member = is_member(f, t);
    bool                      declared = *declares, as_class = false;

    if (style == FUNCTIONS_SHELL) return element_is_keyword(f, t) ? ELEMENT_KINDS : of_shell(f, t, declares);
    if (element_is_keyword(f, t) &&
        !(member && (style == FUNCTIONS_SCRIPT || style == FUNCTIONS_RUBY || style == FUNCTIONS_PHP)))
        return ELEMENT_KINDS;
    if (style != FUNCTIONS_INDENTED) declared = is_declared(f, t);
    *declares = declared;
    if (member) {
        if (is_call(f, t)) *declares = false;
        return is_call(f, t) ? ELEMENT_FUNCTION : ELEMENT_ATTRIBUTE;
    }
    if (is_class(f, t, &as_class)) {
        *declares = as_class;
        return ELEMENT_CLASS;
    }
    if (style == FUNCTIONS_PERL || style == FUNCTIONS_PHP) return of_sigil(f, t, declares);
    if (style == FUNCTIONS_INDENTED ? is_soft(f, t) : is_soft_elsewhere(f, t)) return ELEMENT_KINDS;
    *declares = false;
    if (t && token_is_mark(f, t - 1, "@") && style != FUNCTIONS_INDENTED) return ELEMENT_CLASS;         /* annotation */
    if (is_argument(f, t)) return ELEMENT_PARAMETER;
    if (style != FUNCTIONS_INDENTED && is_type(f, t)) return ELEMENT_CLASS;
    if (is_call(f, t)) return ELEMENT_FUNCTION;
    *declares = declared;
    return ELEMENT_VARIABLE;
}
