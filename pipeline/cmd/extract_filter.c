/* cmd/extract_filter.c -- see extract_filter.h. */
#include "cmd/extract_filter.h"

#include "code/language.h"

#include <strings.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

static const char *const filter_names[FILTER_COUNT] = {
    [FILTER_NESTED] = "nested", [FILTER_LINES] = "of too few lines", [FILTER_BODY] = "of too few lines of body",
    [FILTER_TESTS] = "tests", [FILTER_STANDARD] = "constructors and standard methods",
    [FILTER_DOCS] = "without documentation", [FILTER_DUPLICATES] = "duplicates",
};

int extract_filter_option(struct extract_filters *filters, const char *option)
{
    if (strcmp(option, "--no-nested") == 0) filters->nested = true;
    else if (strcmp(option, "--no-tests") == 0) filters->tests = true;
    else if (strcmp(option, "--no-standard") == 0) filters->standard = true;
    else if (strcmp(option, "--dedupe") == 0) filters->duplicates = true;
    else if (strcmp(option, "--docs") == 0) filters->least_words = 3;
    else return 0;
    return 1;
}

/* ---- by name ---- */

static bool names_test(struct slice name)
{
    for (size_t i = 0; i + 4 <= name.len; i++)
        if (strncasecmp(name.at + i, "test", 4) == 0) return true;
    return false;
}

#define NAMES(...) (const char *const[]){ __VA_ARGS__, NULL }

/* CodeSearchNet's lists; constructors that have a name of their own, and of languages that it has not, their like. */
static const struct { const char *language; const char *const *names; } standard_names[] = {
    { "java", NAMES("toString", "hashCode", "equals", "finalize", "notify", "notifyAll", "clone") },
    { "javascript", NAMES("toString", "toLocaleString", "valueOf", "constructor") },
    { "typescript", NAMES("toString", "toLocaleString", "valueOf", "constructor") },
    { "php", NAMES("__construct", "__destruct", "__call", "__callStatic", "__get", "__set", "__isset", "__unset",
                   "__sleep", "__wakeup", "__toString", "__invoke", "__set_state", "__clone", "__debugInfo",
                   "__serialize", "__unserialize") },
    { "ruby", NAMES("initialize", "to_text", "display", "dup", "clone", "equal?", "==", "<=>", "===", "<=", "<", ">",
                    ">=", "between?", "eql?", "hash") },
    { "csharp", NAMES("ToString", "GetHashCode", "Equals", "Finalize", "MemberwiseClone") },
    { "kotlin", NAMES("toString", "hashCode", "equals", "finalize", "constructor") },
    { "scala", NAMES("toString", "hashCode", "equals", "finalize", "clone") },
    { "swift", NAMES("init", "deinit", "hash") },
};

static bool is_standard(const struct language *language, struct slice name, struct slice class_name)
{
    const char *of = language_name(language);

    if (class_name.len && slice_equal(name, class_name)) return true;
    if (name.at[0] == '~') return true;
    if (strcmp(of, "python") == 0)
        return name.len > 4 && memcmp(name.at, "__", 2) == 0 && memcmp(name.at + name.len - 2, "__", 2) == 0;
    for (size_t i = 0; i < sizeof standard_names / sizeof *standard_names; i++) {
        if (strcmp(of, standard_names[i].language) != 0) continue;
        for (const char *const *standard = standard_names[i].names; *standard; standard++)
            if (slice_equal(name, slice_of(*standard))) return true;
    }
    return false;
}

/* ---- by content ---- */

/* The multiset of a function's tokens, by the sum of their hashes: 1 when it is new, 0, or -ENOMEM. */
static int is_new(struct extract_filters *filters, const struct extracted *extracted)
{
    const struct token *token = extracted->lexer->token;
    uint64_t            low = 0, high = 0;
    bool                added;

    for (uint32_t t = extracted->function->token; t < extracted->function->token_end; t++) {
        const XXH128_hash_t hash = XXH3_128bits(extracted->text.at + token[t].at, token[t].len);

        low += hash.low64;
        high += hash.high64;
    }
    if (table_put(&filters->seen, low, high, 0, &added) == TABLE_NONE) return -ENOMEM;
    return added;
}

/* ---- all of them ---- */

static enum extract_filter reason(const struct extract_filters *filters, const struct extracted *extracted)
{
    const struct function *f = extracted->function;
    const struct measure  *m = extracted->measure;
    const struct slice     name = { extracted->text.at + f->name_at, f->name_end - f->name_at };
    const struct slice     class_name = { extracted->text.at + f->class_at, f->class_end - f->class_at };

    if (filters->nested && f->outer != FUNCTION_NONE) return FILTER_NESTED;
    if (m->line_end - m->line + 1 < filters->least_lines) return FILTER_LINES;
    if (m->body_lines < filters->least_body) return FILTER_BODY;
    if (filters->tests && names_test(name)) return FILTER_TESTS;
    if (filters->standard && is_standard(extracted->language, name, class_name)) return FILTER_STANDARD;
    if (filters->least_words && docstring_words(extracted->summary) < filters->least_words) return FILTER_DOCS;
    return FILTER_COUNT;
}

int extract_filter_takes(struct extract_filters *filters, const struct extracted *extracted)
{
    enum extract_filter why = reason(filters, extracted);

    if (why == FILTER_COUNT && filters->duplicates) {
        const int rc = is_new(filters, extracted);

        if (rc < 0) return rc;
        if (!rc) why = FILTER_DUPLICATES;
    }
    if (why == FILTER_COUNT) return 1;
    filters->left_out[why]++;
    return 0;
}

int extract_filter_say(const struct extract_filters *filters, struct bytes *out)
{
    const char *before = "; left out: ";

    for (size_t i = 0; i < FILTER_COUNT; i++) {
        if (!filters->left_out[i]) continue;
        if (bytes_printf(out, "%s%llu %s", before, (unsigned long long)filters->left_out[i], filter_names[i]) < 0)
            return -ENOMEM;
        before = ", ";
    }
    return 0;
}

void extract_filter_free(struct extract_filters *filters) { table_free(&filters->seen); }
