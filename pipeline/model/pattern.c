/* model/pattern.c -- see pattern.h.
 *
 * A pattern is a tree of nodes; matching goes back where a choice turns out wrong, as its definition says.  Only sets
 * of characters repeat, so that the depth of calls is bounded by the pattern, whatever the text. */
#include "model/pattern.h"

#include "base/bytes.h"
#include "code/category.h"
#include "code/lexing.h"

#include <errno.h>
#include <stdlib.h>

enum { DEPTH_MOST = 16, REPEATS_MOST = 1000 };
#define NONE UINT32_MAX

/* What a set has: characters from low to high, those of categories, white space; or all others. */
enum item_kind { ITEM_RANGE, ITEM_CATEGORIES, ITEM_SPACE };
struct item { enum item_kind kind; uint32_t low, high, categories; bool others; };
struct set  { size_t item, count; bool others; uint64_t ascii[2]; };            /* items; of ASCII a bit each */

enum node_kind { NODE_SET, NODE_GROUP, NODE_AHEAD, NODE_BRANCH };
struct node {
    enum node_kind kind;
    bool           possessive, negated;                     /* negated: what is ahead must not match */
    uint32_t       least, most;                             /* times; of a group 0 or 1, and 1 */
    uint32_t       in;                                      /* its set, a group's first branch, a branch's node */
    uint32_t       next;                                    /* what follows; of a branch the next one.  NONE */
};

struct pattern {
    struct item *item;
    struct set  *set;
    struct node *node;
    size_t       items, item_room, sets, set_room, nodes, node_room;
    uint32_t     branches;                                  /* the first one */
};

/* ---- sets ---- */

bool pattern_is_space(uint32_t c) { return unicode_is_space(c) && !(c >= 0x1C && c <= 0x1F); }

static bool set_find(const struct pattern *p, const struct set *set, uint32_t mark)
{
    const uint32_t c = mark >> CATEGORY_BITS, category = mark & ((1u << CATEGORY_BITS) - 1);

    for (size_t i = set->item; i < set->item + set->count; i++) {
        const struct item *item = &p->item[i];
        const bool         has = item->kind == ITEM_RANGE ? c >= item->low && c <= item->high
            : item->kind == ITEM_CATEGORIES ? item->categories >> category & 1 : pattern_is_space(c);

        if (has != item->others) return !set->others;
    }
    return set->others;
}

static inline bool set_has(const struct pattern *p, const struct set *set, uint32_t mark)
{
    const uint32_t c = mark >> CATEGORY_BITS;

    return c < 128 ? set->ascii[c / 64] >> c % 64 & 1 : set_find(p, set, mark);
}

uint32_t pattern_mark(uint32_t c) { return c << CATEGORY_BITS | category_of(c); }

/* ---- reading ---- */

struct reader { struct pattern *pattern; struct slice text; size_t at, depth; bool fold; struct err *err; };

static int refuse(struct reader *r, const char *what)
{
    return err_set(r->err, -EBADMSG, "byte %zu of the pattern is not read (%s): `%.*s`", r->at, what, (int)r->text.len,
                   r->text.at);
}

static bool more(const struct reader *r) { return r->at < r->text.len; }

static char peek(const struct reader *r, size_t ahead)
{
    return r->at + ahead < r->text.len ? r->text.at[r->at + ahead] : 0;
}

static bool take(struct reader *r, const char *word)
{
    const size_t len = strlen(word);

    if (r->text.len - r->at < len || memcmp(r->text.at + r->at, word, len) != 0) return false;
    r->at += len;
    return true;
}

static uint32_t character_take(struct reader *r)
{
    size_t         used;
    const uint32_t c = unicode_decode(r->text.at + r->at, r->text.len - r->at, &used);

    r->at += used;
    return c;
}

static int item_add(struct reader *r, struct item item)
{
    struct pattern *p = r->pattern;

    if (ARRAY_GROW(p->item, p->item_room, p->items) < 0) return err_memory(r->err, p->items, "a pattern");
    p->item[p->items++] = item;
    return 0;
}

/* A character, in both cases where case is ignored: of letters beyond ASCII two are s and k, too. */
static int character_add(struct reader *r, uint32_t c)
{
    const bool letter = (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
    const uint32_t upper = c & ~0x20u, lower = c | 0x20;
    int        rc;

    if (!r->fold) return item_add(r, (struct item){ ITEM_RANGE, c, c, 0, false });
    if (c >= 128) return refuse(r, "a character beyond ASCII whose case is ignored");
    if (!letter) return item_add(r, (struct item){ ITEM_RANGE, c, c, 0, false });
    rc = item_add(r, (struct item){ ITEM_RANGE, upper, upper, 0, false });
    if (rc == 0) rc = item_add(r, (struct item){ ITEM_RANGE, lower, lower, 0, false });
    if (rc == 0 && lower == 's') rc = item_add(r, (struct item){ ITEM_RANGE, 0x17F, 0x17F, 0, false });
    if (rc == 0 && lower == 'k') rc = item_add(r, (struct item){ ITEM_RANGE, 0x212A, 0x212A, 0, false });
    return rc;
}

/* {Name} behind \p or \P. */
static int category_take(struct reader *r, bool others)
{
    const char  *end = peek(r, 0) == '{' ? memchr(r->text.at + r->at, '}', r->text.len - r->at) : NULL;
    struct slice name = { r->text.at + r->at + 1, 0 };
    uint32_t     mask;

    if (!end) return refuse(r, "\\p without a name in braces");
    name.len = (size_t)(end - name.at);
    mask = category_mask(name);
    if (!mask) return refuse(r, "\\p{...} of what is no general category");
    r->at += name.len + 2;
    return item_add(r, (struct item){ ITEM_CATEGORIES, 0, 0, mask, others });
}

/* What stands behind a backslash: *c is a character, or NONE where it was a class, whose item is added. */
static int escape_take(struct reader *r, uint32_t *c)
{
    const char kind = peek(r, 0);

    *c = NONE;
    if (kind == 's' || kind == 'S') {
        r->at++;
        return item_add(r, (struct item){ ITEM_SPACE, 0, 0, 0, kind == 'S' });
    }
    if (kind == 'd' || kind == 'D') {
        r->at++;
        return item_add(r, (struct item){ ITEM_CATEGORIES, 0, 0, category_mask(SLICE("Nd")), kind == 'D' });
    }
    if (kind == 'p' || kind == 'P') {
        r->at++;
        return category_take(r, kind == 'P');
    }
    if (kind == 'r' || kind == 'n' || kind == 't') {
        r->at++;
        *c = kind == 'r' ? '\r' : kind == 'n' ? '\n' : '\t';
        return 0;
    }
    if (!(kind > ' ' && kind < 127) || is_word(kind)) return refuse(r, "an escape");
    *c = character_take(r);
    return 0;
}

/* A character in a class; *c is NONE for \s and its like. */
static int member_take(struct reader *r, uint32_t *c)
{
    if (take(r, "\\")) return escape_take(r, c);
    if (peek(r, 0) == '[' || (peek(r, 0) == '&' && peek(r, 1) == '&')) return refuse(r, "a class in a class");
    *c = character_take(r);
    return 0;
}

/* Behind [, up to and with ]. */
static int class_take(struct reader *r, struct set *set)
{
    uint32_t low, high;
    int      rc = 0;

    set->others = take(r, "^");
    if (peek(r, 0) == ']') return refuse(r, "a class that begins with ]");
    if (r->fold) return refuse(r, "a class where case is ignored");
    while (rc == 0 && more(r) && peek(r, 0) != ']') {
        rc = member_take(r, &low);
        if (rc < 0) break;
        high = low;
        if (peek(r, 0) == '-' && peek(r, 1) != ']') {
            r->at++;
            if (!more(r)) break;
            rc = member_take(r, &high);
            if (rc == 0 && (low == NONE || high == NONE || high < low)) rc = refuse(r, "a range");
        }
        if (rc == 0 && low != NONE) rc = item_add(r, (struct item){ ITEM_RANGE, low, high, 0, false });
    }
    if (rc == 0 && !take(r, "]")) rc = refuse(r, "a class without its end");
    return rc;
}

static int set_take(struct reader *r, uint32_t *number)
{
    struct pattern *p = r->pattern;
    struct set      set = { .item = p->items };
    uint32_t        c;
    int             rc;

    if (take(r, "[")) rc = class_take(r, &set);
    else {
        if (strchr(".^$*+?{}])", peek(r, 0))) return refuse(r, "a sign that is not escaped");
        if (take(r, "\\")) rc = escape_take(r, &c);
        else rc = 0, c = character_take(r);
        if (rc == 0 && c != NONE) rc = character_add(r, c);
    }
    if (rc < 0) return rc;
    set.count = p->items - set.item;
    for (uint32_t a = 0; a < 128; a++)
        set.ascii[a / 64] |= (uint64_t)set_find(p, &set, pattern_mark(a)) << a % 64;
    if (ARRAY_GROW(p->set, p->set_room, p->sets) < 0) return err_memory(r->err, p->sets, "a pattern");
    *number = (uint32_t)p->sets;
    p->set[p->sets++] = set;
    return 0;
}

static bool number_take(struct reader *r, uint32_t *out)
{
    const size_t from = r->at;

    for (*out = 0; peek(r, 0) >= '0' && peek(r, 0) <= '9' && *out <= REPEATS_MOST; r->at++)
        *out = *out * 10 + (uint32_t)(peek(r, 0) - '0');
    return r->at > from && *out <= REPEATS_MOST;
}

/* How often.  Behind braces a + is no possessive, but a repetition of repetitions. */
static int times_take(struct reader *r, struct node *node)
{
    const bool group = node->kind != NODE_SET;
    bool       braces = false;

    node->least = node->most = 1;
    if (take(r, "?")) node->least = 0;
    else if (take(r, "*")) node->least = 0, node->most = NONE;
    else if (take(r, "+")) node->most = NONE;
    else if (take(r, "{")) {
        braces = true;
        if (!number_take(r, &node->least)) return refuse(r, "a number of times");
        node->most = node->least;
        if (take(r, ",") && !number_take(r, &node->most)) node->most = NONE;
        if (!take(r, "}") || node->most < node->least) return refuse(r, "a number of times");
    } else return 0;
    if (group && (node->kind != NODE_GROUP || node->most != 1)) return refuse(r, "a repeated group");
    if (!braces && !group) node->possessive = take(r, "+");
    return strchr("?*+{", peek(r, 0)) && more(r) ? refuse(r, "a repetition of repetitions, or as few as possible") : 0;
}

static int node_add(struct reader *r, struct node node, uint32_t *number)
{
    struct pattern *p = r->pattern;

    if (ARRAY_GROW(p->node, p->node_room, p->nodes) < 0) return err_memory(r->err, p->nodes, "a pattern");
    *number = (uint32_t)p->nodes;
    p->node[p->nodes++] = node;
    return 0;
}

static int branches_take(struct reader *r, uint32_t *first);

/* Behind the bracket of a group, up to and with its end. */
static int group_take(struct reader *r, struct node *node)
{
    const bool fold = r->fold;
    int        rc;

    node->kind = NODE_GROUP;
    if (take(r, "?i:")) r->fold = true;
    else if (take(r, "?=") || take(r, "?!")) {
        node->kind = NODE_AHEAD;
        node->negated = r->text.at[r->at - 1] == '!';
    } else if (!take(r, "?:") && peek(r, 0) == '?') return refuse(r, "a kind of group");
    if (++r->depth > DEPTH_MOST) return refuse(r, "groups in groups");
    rc = branches_take(r, &node->in);
    if (rc == 0 && !take(r, ")")) rc = refuse(r, "a group without its end");
    r->depth--;
    r->fold = fold;
    return rc;
}

static int sequence_take(struct reader *r, uint32_t *first)
{
    uint32_t last = NONE, number = NONE;
    int      rc = 0;

    *first = NONE;
    while (rc == 0 && more(r) && peek(r, 0) != '|' && peek(r, 0) != ')') {
        struct node node = { .kind = NODE_SET, .next = NONE };

        rc = take(r, "(") ? group_take(r, &node) : set_take(r, &node.in);
        if (rc == 0) rc = times_take(r, &node);
        if (rc == 0) rc = node_add(r, node, &number);
        if (rc < 0) break;
        if (last == NONE) *first = number;
        else r->pattern->node[last].next = number;
        last = number;
    }
    return rc;
}

static int branches_take(struct reader *r, uint32_t *first)
{
    uint32_t last = NONE, number = NONE;
    int      rc;

    do {
        struct node node = { .kind = NODE_BRANCH, .next = NONE };

        rc = sequence_take(r, &node.in);
        if (rc == 0) rc = node_add(r, node, &number);
        if (rc < 0) return rc;
        if (last == NONE) *first = number;
        else r->pattern->node[last].next = number;
        last = number;
    } while (take(r, "|"));
    return 0;
}

int pattern_open(struct pattern **out, struct slice text, struct err *err)
{
    struct reader r = { .pattern = calloc(1, sizeof *r.pattern), .text = text, .err = err };
    int           rc;

    *out = NULL;
    if (!r.pattern) return err_memory(err, sizeof *r.pattern, "a pattern");
    if (text.len > PATTERN_MOST) rc = err_set(err, -EBADMSG, "a pattern of %zu bytes is too long", text.len);
    else rc = branches_take(&r, &r.pattern->branches);
    if (rc == 0 && more(&r)) rc = refuse(&r, "a bracket that nothing opened");
    if (rc == 0) *out = r.pattern;
    else pattern_close(r.pattern);
    return rc;
}

void pattern_close(struct pattern *pattern)
{
    if (!pattern) return;
    free(pattern->item);
    free(pattern->set);
    free(pattern->node);
    free(pattern);
}

/* ---- matching ---- */

struct matching { const struct pattern *pattern; const uint32_t *mark; size_t count; uint64_t *steps; };

/* What comes after the groups around. */
struct follow { uint32_t node; const struct follow *outer; };

static size_t go(const struct matching *m, uint32_t number, size_t at, const struct follow *follow);

/* The first of the branches by which all that follows matches. */
static size_t choose(const struct matching *m, uint32_t branch, size_t at, const struct follow *follow)
{
    size_t end = PATTERN_NONE;

    for (; branch != NONE && end == PATTERN_NONE; branch = m->pattern->node[branch].next)
        end = go(m, m->pattern->node[branch].in, at, follow);
    return end;
}

static bool step(const struct matching *m, uint64_t steps)
{
    *m->steps = *m->steps > steps ? *m->steps - steps : 0;
    return *m->steps > 0;
}

/* As many characters as there are, then fewer, until what follows matches. */
static size_t repeat(const struct matching *m, const struct node *node, size_t at, const struct follow *follow)
{
    const struct set *set = &m->pattern->set[node->in];
    const size_t      room = m->count - at, most = node->most < room ? node->most : room;
    size_t            times = 0, end = PATTERN_NONE;

    while (times < most && set_has(m->pattern, set, m->mark[at + times])) times++;
    if (!step(m, times) || times < node->least) return PATTERN_NONE;
    do end = go(m, node->next, at + times, follow);
    while (end == PATTERN_NONE && !node->possessive && times-- > node->least);
    return end;
}

static size_t go(const struct matching *m, uint32_t number, size_t at, const struct follow *follow)
{
    while (step(m, 1)) {
        const struct node *node = number == NONE ? NULL : &m->pattern->node[number];
        size_t             end;

        if (!node) {
            if (!follow) return at;
            number = follow->node;
            follow = follow->outer;
            continue;
        }
        if (node->kind == NODE_SET) return repeat(m, node, at, follow);
        if (node->kind == NODE_GROUP) {
            end = choose(m, node->in, at, &(struct follow){ node->next, follow });
            if (end != PATTERN_NONE || node->least) return end;
        } else if ((choose(m, node->in, at, NULL) != PATTERN_NONE) == node->negated) return PATTERN_NONE;
        number = node->next;
    }
    return PATTERN_NONE;
}

size_t pattern_match(const struct pattern *pattern, const uint32_t *mark, size_t count, size_t at, uint64_t *steps)
{
    const struct matching m = { pattern, mark, count, steps };

    return choose(&m, pattern->branches, at, NULL);
}
