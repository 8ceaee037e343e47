/* clean/rule.c -- see rule.h.  Recursive descent into an array of nodes; children stand before their parent, the root
 * last. */
#include "clean/rule.h"

#include "base/suggest.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* no column reaches it, and whole numbers beyond are not told apart */
#define RULE_NUMBER_MAX 1e18

enum node_type { RULE_OR, RULE_AND, RULE_NOT, RULE_COMPARE };
enum comparison { COMPARE_TRUE, COMPARE_AT_LEAST, COMPARE_ABOVE, COMPARE_AT_MOST, COMPARE_BELOW, COMPARE_EQUAL };

struct rule_node {
    enum node_type  type;
    uint32_t        left, right;                            /* children; RULE_NOT: left alone */
    uint32_t        column;
    enum comparison comparison;
    double          number;
    uint32_t        at, len;                                /* in the text */
};

struct rule {
    char            *text;
    struct rule_node node[RULE_TEXT_MAX];                   /* each takes a byte of the text or more */
    uint32_t         count;
};

/* ---- reading ---- */

enum token { TOKEN_END, TOKEN_WORD, TOKEN_NUMBER, TOKEN_COMPARISON, TOKEN_OPEN, TOKEN_CLOSE, TOKEN_OTHER };

struct reader {
    struct rule       *rule;
    const char *const *columns;
    enum token         token;                               /* the next one, */
    uint32_t           at, len, end;                        /* where it is, and the end of the one before */
    uint32_t           depth;
    struct err        *err;
};

static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
static bool is_digit(char c) { return c >= '0' && c <= '9'; }
static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

static void reader_next(struct reader *r)
{
    const char *text = r->rule->text, *at = text + r->at + r->len, *start;

    r->end = (uint32_t)(at - text);
    while (is_blank(*at)) at++;
    start = at;
    if (!*at) r->token = TOKEN_END;
    else if (is_letter(*at)) {
        r->token = TOKEN_WORD;
        while (is_letter(*at) || is_digit(*at)) at++;
    } else if (is_digit(*at) || (*at == '.' && is_digit(at[1]))) {
        r->token = TOKEN_NUMBER;
        while (is_digit(*at)) at++;
        if (*at == '.' && is_digit(at[1])) at++;
        while (is_digit(*at)) at++;
        if (is_letter(*at) || *at == '.') r->token = TOKEN_OTHER;
    } else if (*at == '>' || *at == '<' || *at == '=') {
        r->token = TOKEN_COMPARISON;
        at += at[0] != '=' && at[1] == '=' ? 2 : 1;
    } else {
        r->token = *at == '(' ? TOKEN_OPEN : *at == ')' ? TOKEN_CLOSE : TOKEN_OTHER;
        at++;
    }
    r->at = (uint32_t)(start - text);
    r->len = (uint32_t)(at - start);
}

static struct slice reader_token(const struct reader *r) { return (struct slice){ r->rule->text + r->at, r->len }; }

static bool reader_is(const struct reader *r, const char *word)
{
    return r->token == TOKEN_WORD && slice_equal(reader_token(r), slice_of(word));
}

static int reader_refuse(const struct reader *r, const char *wanted)
{
    struct slice token = reader_token(r);

    if (r->token == TOKEN_END) return err_set(r->err, -EINVAL, "at byte %u: %s is missing", r->at + 1, wanted);
    return err_set(r->err, -EINVAL, "at byte %u: `%.*s` stands where %s should", r->at + 1,
                   (int)(token.len < 60 ? token.len : 60), token.at, wanted);
}

/* Takes over a node that began at byte `at`; its number in *out. */
static void node_add(struct reader *r, struct rule_node node, uint32_t at, uint32_t *out)
{
    node.at = at;
    node.len = r->end - at;
    *out = r->rule->count;
    r->rule->node[r->rule->count++] = node;
}

static int read_column(struct reader *r, uint32_t *out)
{
    char word[64], near[SUGGEST_ROOM];

    if (r->token != TOKEN_WORD || reader_is(r, "and") || reader_is(r, "or"))
        return reader_refuse(r, "a column, `not` or `(`");
    for (*out = 0; r->columns[*out]; ++*out)
        if (slice_equal(slice_of(r->columns[*out]), reader_token(r))) return 0;
    memcpy(word, reader_token(r).at, r->len < 63 ? r->len : 63);
    word[r->len < 63 ? r->len : 63] = '\0';
    return err_set(r->err, -EINVAL, "at byte %u: there is no column `%s`%s", r->at + 1, word,
                   suggest(word, r->columns, near));
}

static int read_comparison(struct reader *r, uint32_t *out)
{
    static const char *const words[] = { [COMPARE_AT_LEAST] = ">=", [COMPARE_ABOVE] = ">", [COMPARE_AT_MOST] = "<=",
                                               [COMPARE_BELOW] = "<", [COMPARE_EQUAL] = "=" };
    struct rule_node         node = { .type = RULE_COMPARE };
    uint32_t                 at = r->at;
    int                      rc = read_column(r, &node.column);

    if (rc < 0) return rc;
    reader_next(r);
    if (r->token == TOKEN_COMPARISON) {
        for (node.comparison = COMPARE_AT_LEAST; !slice_equal(slice_of(words[node.comparison]),
                                                              reader_token(r)); node.comparison++)
            continue;
        reader_next(r);
        if (r->token != TOKEN_NUMBER) return reader_refuse(r, "a decimal number");
        node.number = strtod(r->rule->text + r->at, NULL);
        if (node.number > RULE_NUMBER_MAX)
            return err_set(r->err, -EINVAL, "at byte %u: the number is too large", r->at + 1);
        reader_next(r);
    }
    node_add(r, node, at, out);
    return 0;
}

static int read_or(struct reader *r, uint32_t *out);

static int read_not(struct reader *r, uint32_t *out)
{
    uint32_t at = r->at, below;
    int      rc;

    if (!reader_is(r, "not") && r->token != TOKEN_OPEN) return read_comparison(r, out);
    if (r->depth == RULE_DEPTH_MAX)
        return err_set(r->err, -EINVAL, "at byte %u: nested deeper than %d", r->at + 1, RULE_DEPTH_MAX);
    r->depth++;
    if (r->token == TOKEN_OPEN) {
        reader_next(r);
        rc = read_or(r, out);
        if (rc == 0 && r->token != TOKEN_CLOSE) rc = reader_refuse(r, "`)`, `and` or `or`");
        if (rc == 0) reader_next(r);
    } else {
        reader_next(r);
        rc = read_not(r, &below);
        if (rc == 0) node_add(r, (struct rule_node){ .type = RULE_NOT, .left = below }, at, out);
    }
    r->depth--;
    return rc;
}

/* Operands with a word between them, taken together from the left. */
static int read_chain(struct reader *r, enum node_type type, uint32_t *out)
{
    uint32_t at = r->at, right;
    int      rc = type == RULE_OR ? read_chain(r, RULE_AND, out) : read_not(r, out);

    while (rc == 0 && reader_is(r, type == RULE_OR ? "or" : "and")) {
        reader_next(r);
        rc = type == RULE_OR ? read_chain(r, RULE_AND, &right) : read_not(r, &right);
        if (rc == 0) node_add(r, (struct rule_node){ .type = type, .left = *out, .right = right }, at, out);
    }
    return rc;
}

static int read_or(struct reader *r, uint32_t *out) { return read_chain(r, RULE_OR, out); }

int rule_parse(struct rule **out, const char *text, const char *const *columns, struct err *err)
{
    struct rule  *rule;
    struct reader reader = { .columns = columns, .err = err };
    uint32_t      root;
    int           rc;

    *out = NULL;
    if (strlen(text) >= RULE_TEXT_MAX) return err_set(err, -EINVAL, "longer than %d bytes", RULE_TEXT_MAX - 1);
    rule = calloc(1, sizeof *rule);
    if (!rule || !(rule->text = strdup(text))) {
        free(rule);
        return err_memory(err, sizeof *rule, "a rule");
    }
    reader.rule = rule;
    reader_next(&reader);
    rc = read_or(&reader, &root);
    if (rc == 0 && reader.token != TOKEN_END) rc = reader_refuse(&reader, "`and`, `or` or the end");
    if (rc == 0) *out = rule;
    else rule_free(rule);
    return rc;
}

void rule_free(struct rule *rule)
{
    if (rule) free(rule->text);
    free(rule);
}

/* ---- asking ---- */

uint64_t rule_columns(const struct rule *rule)
{
    uint64_t columns = 0;

    for (uint32_t i = 0; i < rule->count; i++)
        if (rule->node[i].type == RULE_COMPARE) columns |= 1ull << rule->node[i].column;
    return columns;
}

static bool compare_true(double value) { return value < 0 || value > 0; }

static bool compare(const struct rule_node *node, double value)
{
    switch (node->comparison) {
    case COMPARE_TRUE:     break;
    case COMPARE_AT_LEAST: return value >= node->number;
    case COMPARE_ABOVE:    return value > node->number;
    case COMPARE_AT_MOST:  return value <= node->number;
    case COMPARE_BELOW:    return value < node->number;
    case COMPARE_EQUAL:    return !(value < node->number) && !(value > node->number);
    }
    return compare_true(value);
}

/* Children stand before their parents, so one sweep decides all nodes. */
static void decide(const struct rule *rule, const double *value, bool *holds)
{
    for (uint32_t i = 0; i < rule->count; i++) {
        const struct rule_node *node = &rule->node[i];

        switch (node->type) {
        case RULE_OR:      holds[i] = holds[node->left] || holds[node->right]; break;
        case RULE_AND:     holds[i] = holds[node->left] && holds[node->right]; break;
        case RULE_NOT:     holds[i] = !holds[node->left]; break;
        case RULE_COMPARE: holds[i] = compare(node, value[node->column]); break;
        }
    }
}

bool rule_holds(const struct rule *rule, const double *value)
{
    bool holds[RULE_TEXT_MAX];

    decide(rule, value, holds);
    return holds[rule->count - 1];
}

int rule_reasons(const struct rule *rule, const double *value, struct bytes *out, uint64_t *columns)
{
    bool holds[RULE_TEXT_MAX], told[RULE_TEXT_MAX] = { false }, first = true;
    int  rc = 0;

    decide(rule, value, holds);
    told[rule->count - 1] = holds[rule->count - 1];
    for (uint32_t i = rule->count; i-- > 0;) {              /* parents first: what holds in one that tells is told */
        const struct rule_node *node = &rule->node[i];

        if (!told[i] || (node->type != RULE_OR && node->type != RULE_AND)) continue;
        told[i] = false;
        told[node->left] = holds[node->left];
        told[node->right] = holds[node->right];
    }
    if (columns) *columns = 0;
    for (uint32_t i = 0; i < rule->count && rc == 0; i++) {
        if (!told[i]) continue;
        if (columns && rule->node[i].type == RULE_COMPARE && compare_true(value[rule->node[i].column]))
            *columns |= 1ull << rule->node[i].column;
        rc = first ? 0 : bytes_append(out, "; ", 2);
        if (rc == 0) rc = bytes_append(out, rule->text + rule->node[i].at, rule->node[i].len);
        first = false;
    }
    return rc;
}
