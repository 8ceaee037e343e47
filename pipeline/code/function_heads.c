/* code/function_heads.c -- see function_heads.h. */
#include "code/function_heads.h"
#include "code/rows.h"

bool head_has(const struct head *h, uint32_t token, const char *const *words)
{
    for (; *words; words++)
        if (token_is(h->f, token, *words)) return true;
    return false;
}

uint32_t head_opening(const struct head *h, uint32_t token)
{
    const uint32_t at = h->pair[token];

    return at == FUNCTION_NONE || at < h->first ? h->brace : at;
}

uint32_t head_back(const struct head *h, uint32_t token)
{
    if (token <= h->first) return h->brace;
    return token_is_mark(h->f, token - 1, ")]}") ? head_opening(h, token - 1) : token - 1;
}

uint32_t head_part_found(const struct head *h)
{
    return h->part.found < h->first || h->part.found >= h->part.brace ? h->brace : h->part.found;
}

uint32_t head_angle(const struct head *h, uint32_t token)
{
    enum { FARTHEST = 400 };
    const uint32_t least = token > h->first + FARTHEST ? token - FARTHEST : h->first;
    int            angles = 0;

    for (uint32_t t = token + 1; t > least;) {
        if ((t = head_back(h, t)) == h->brace) break;
        if (token_is_mark(h->f, t, ">")) angles++;
        else if (token_is(h->f, t, ">>")) angles += 2;
        else if (token_is(h->f, t, ">>>")) angles += 3;
        else if (token_is_mark(h->f, t, "<") && --angles <= 0) return t;
        else if (token_is_mark(h->f, t, ";{")) break;
    }
    return h->brace;
}

/* The @ of the annotation whose dotted name ends at `token`; h->brace: it is none. */
static uint32_t annotation(const struct head *h, uint32_t token)
{
    while (token > h->first && (token_is_name(h->f, token) || token_is_mark(h->f, token, ".:"))) {
        if (token_is_mark(h->f, token - 1, "@")) return token - 1;
        if (token_is_name(h->f, token) && token_is_name(h->f, token - 1)) break;
        token--;
    }
    return h->brace;
}

uint32_t head_begin(const struct head *h, uint32_t token, const char *const *modifiers)
{
    const bool attributes = h->f->language->functions == FUNCTIONS_PHP;

    while (token > h->first) {
        uint32_t at = token - 1, open;

        if (token_is_mark(h->f, at, ")]")) {
            const bool square = token_is_mark(h->f, at, "]");

            if ((open = head_opening(h, at)) == h->brace || open == h->first) break;
            if (square && !head_has(h, open - 1, modifiers))            /* Scala's private[a] is a modifier */
                at = attributes && token_is_mark(h->f, open - 1, "#") ? open - 1 : h->brace;
            else if (head_has(h, open - 1, modifiers)) at = open - 1;
            else at = annotation(h, open - 1);
        } else if (h->f->token[at].kind == TOKEN_STRING) {
            at = at > h->first && token_is(h->f, at - 1, "extern") ? at - 1 : h->brace;
        } else if (!head_has(h, at, modifiers) || (at > h->first && token_is_mark(h->f, at - 1, ".@"))) {
            at = annotation(h, at);
        }
        if (at == h->brace) break;
        token = at;
    }
    return token;
}
