/* model/tokenizer.c -- see tokenizer.h.
 *
 * A text is cut at the added tokens that it has; each part between is composed, where the file asks for it, and cut at
 * those that are found then; what is left becomes words, and each word tokens.  In a word the pair that is first in the
 * order is joined, of equals the one that stands first, until none is left: pairs wait in a heap, so that a word of n
 * bytes takes n log n steps. */
#include "model/tokenizer_private.h"

#include "code/category.h"
#include "code/lexing.h"

#include <errno.h>
#include <stdlib.h>

enum { TEXT_MOST = 1 << 28, STEPS_LEAST = 1 << 16, STEPS_A_CHARACTER = 1 << 10 };
#define NONE UINT32_MAX

struct character { const char *at; uint32_t len, source; }; /* its bytes, and the byte of the text that it begins at */
struct word      { uint32_t from, to; };                    /* characters */
struct symbol    { uint32_t id, source, before, behind; };  /* a token of a word; id NONE: joined with one before it */

/* A part of the text; origin: the byte of the text of each byte, NULL: they follow `from`. */
struct part { struct slice text; uint32_t from; const uint32_t *origin; };

static uint32_t source_of(const struct part *part, size_t byte)
{
    return part->origin ? part->origin[byte] : part->from + (uint32_t)byte;
}

static struct part part_of(const struct part *part, size_t from, size_t to)
{
    return (struct part){ { part->text.at + from, to - from }, part->from + (part->origin ? 0 : (uint32_t)from),
                          part->origin ? part->origin + from : NULL };
}

/* Where it begins is no earlier than the one before it: composition makes several characters of one. */
static int token_add(struct tokenizer_cut *cut, uint32_t id, uint32_t at, struct err *err)
{
    if (cut->count && at < cut->at[cut->count - 1]) at = cut->at[cut->count - 1];
    if (ARRAY_GROW(cut->id, cut->id_room, cut->count) < 0 || ARRAY_GROW(cut->at, cut->at_room, cut->count + 1) < 0)
        return err_memory(err, cut->count * sizeof *cut->id, "tokens");
    cut->id[cut->count] = id;
    cut->at[cut->count++] = at;
    return 0;
}

/* ---- words to tokens ---- */

/* Puts a pair into the heap, or takes the first one out. */
static int wait_put(struct tokenizer_cut *cut, uint64_t pair)
{
    size_t at = cut->waits;

    if (ARRAY_GROW(cut->waiting, cut->waiting_room, cut->waits) < 0) return -ENOMEM;
    for (cut->waits++; at && cut->waiting[(at - 1) / 2] > pair; at = (at - 1) / 2)
        cut->waiting[at] = cut->waiting[(at - 1) / 2];
    cut->waiting[at] = pair;
    return 0;
}

static uint64_t wait_take(struct tokenizer_cut *cut)
{
    uint64_t      *heap = cut->waiting;
    const uint64_t first = heap[0], last = heap[--cut->waits];
    size_t         at = 0, child;

    while ((child = 2 * at + 1) < cut->waits) {
        child += child + 1 < cut->waits && heap[child + 1] < heap[child];
        if (heap[child] >= last) break;
        heap[at] = heap[child];
        at = child;
    }
    heap[at] = last;
    return first;
}

/* The place in the order of a symbol and the one behind it; NONE: they are no pair. */
static uint32_t place_of(const struct tokenizer *t, const struct symbol *symbol, uint32_t at)
{
    const struct symbol *left = &symbol[at];

    if (at == NONE || left->id == NONE || left->behind == NONE) return NONE;
    return table_find(&t->merges, (uint64_t)left->id << 32 | symbol[left->behind].id, 0);
}

static int pair_wait(const struct tokenizer *t, struct tokenizer_cut *cut, uint32_t at)
{
    const uint32_t place = place_of(t, cut->symbol, at);

    return place == NONE ? 0 : wait_put(cut, (uint64_t)place << 32 | at);
}

static int symbols_join(const struct tokenizer *t, struct tokenizer_cut *cut, size_t count)
{
    struct symbol *symbol = cut->symbol;

    cut->waits = 0;
    for (size_t i = 0; i + 1 < count; i++)
        if (pair_wait(t, cut, (uint32_t)i) < 0) return -ENOMEM;
    while (cut->waits) {
        const uint64_t pair = wait_take(cut);
        const uint32_t place = (uint32_t)(pair >> 32), at = (uint32_t)pair;
        struct symbol *left = &symbol[at], *right;

        if (place_of(t, symbol, at) != place) continue;     /* one of the two is another by now */
        right = &symbol[left->behind];
        left->id = t->merged[place];
        left->behind = right->behind;
        right->id = NONE;
        if (left->behind != NONE) symbol[left->behind].before = at;
        if (pair_wait(t, cut, left->before) < 0 || pair_wait(t, cut, at) < 0) return -ENOMEM;
    }
    return 0;
}

/* The word as the vocabulary spells it is a token: *id. */
static int whole_find(const struct tokenizer *t, struct tokenizer_cut *cut, struct word word, uint32_t *id)
{
    cut->spelt.len = 0;
    for (uint32_t i = word.from; i < word.to; i++)
        for (uint32_t b = 0; b < cut->character[i].len; b++) {
            char spelt[4];
            const char *end = unicode_encode(t->spelling[(unsigned char)cut->character[i].at[b]], spelt);

            if (bytes_append(&cut->spelt, spelt, (size_t)(end - spelt)) < 0) return -ENOMEM;
        }
    *id = tokenizer_find(t, bytes_slice(&cut->spelt));
    return 0;
}

static int word_cut(const struct tokenizer *t, struct tokenizer_cut *cut, struct word word, struct err *err)
{
    uint32_t id = NONE;
    size_t   count = 0;
    int      rc = 0;

    if (t->whole && whole_find(t, cut, word, &id) < 0) return err_memory(err, cut->spelt.len, "a word");
    if (id != NONE) return token_add(cut, id, cut->character[word.from].source, err);
    for (uint32_t i = word.from; i < word.to; i++) {
        const struct character *c = &cut->character[i];

        for (uint32_t b = 0; b < c->len; b++, count++) {
            if (ARRAY_GROW(cut->symbol, cut->symbol_room, count) < 0) return err_memory(err, count, "a word");
            cut->symbol[count] = (struct symbol){ t->byte[(unsigned char)c->at[b]], c->source + b,
                                                  count ? (uint32_t)count - 1 : NONE, (uint32_t)count + 1 };
        }
    }
    if (!count) return 0;
    cut->symbol[count - 1].behind = NONE;
    if (symbols_join(t, cut, count) < 0) return err_memory(err, count, "a word");
    for (uint32_t at = 0; at != NONE && rc == 0; at = cut->symbol[at].behind)
        rc = token_add(cut, cut->symbol[at].id, cut->symbol[at].source, err);
    return rc;
}

/* ---- parts to words ---- */

static int character_add(struct tokenizer_cut *cut, uint32_t c, struct character character)
{
    if (ARRAY_GROW(cut->mark, cut->mark_room, cut->characters) < 0 ||
        ARRAY_GROW(cut->character, cut->character_room, cut->characters) < 0) return -ENOMEM;
    cut->mark[cut->characters] = pattern_mark(c);
    cut->character[cut->characters++] = character;
    return 0;
}

static int word_add(struct tokenizer_cut *cut, int list, size_t from, size_t to)
{
    if (ARRAY_GROW(cut->word[list], cut->word_room[list], cut->words[list]) < 0) return -ENOMEM;
    cut->word[list][cut->words[list]++] = (struct word){ (uint32_t)from, (uint32_t)to };
    return 0;
}

/* What a step makes of a word: its words go to a list, `first` being the first of them.  A match of nothing is no word,
 * but parts what is before and behind it. */
struct stepping { struct tokenizer_cut *cut; const struct step *step; int list; size_t first; bool before; };

static int stretch_add(struct stepping *s, size_t from, size_t to, bool is_match)
{
    struct tokenizer_cut *cut = s->cut;
    const bool            found = is_match != s->step->invert,
                          joins = s->step->keep == STEP_CONTIGUOUS && found == s->before;

    s->before = found;
    if (from == to || (s->step->keep == STEP_REMOVED && found)) return 0;
    if (joins && cut->words[s->list] > s->first) {
        cut->word[s->list][cut->words[s->list] - 1].to = (uint32_t)to;
        return 0;
    }
    return word_add(cut, s->list, from, to);
}

static int word_split(struct stepping *s, struct word word)
{
    struct tokenizer_cut *cut = s->cut;
    const size_t          count = word.to - word.from;
    size_t                done = 0, at = 0, matched = PATTERN_NONE;

    s->first = cut->words[s->list];
    s->before = false;
    while (at <= count && cut->steps) {
        const size_t end = pattern_match(s->step->pattern, cut->mark + word.from, count, at, &cut->steps);

        if (end == PATTERN_NONE || (end == at && at == matched)) {
            at++;
            continue;
        }
        if ((at > done && stretch_add(s, word.from + done, word.from + at, false) < 0) ||
            stretch_add(s, word.from + at, word.from + end, true) < 0) return -ENOMEM;
        done = matched = end;
        at = end > at ? end : at + 1;
    }
    return stretch_add(s, word.from + done, word.to, false);
}

/* Characters and words anew, with a space before each word that does not begin with one. */
static int words_space(struct tokenizer_cut *cut, int from)
{
    for (size_t i = 0; i < cut->words[from]; i++) {
        const struct word word = cut->word[from][i];
        const size_t      begin = cut->characters;

        if (cut->mark[word.from] >> CATEGORY_BITS != ' ' &&
            character_add(cut, ' ', (struct character){ " ", 1, cut->character[word.from].source }) < 0) return -ENOMEM;
        for (uint32_t c = word.from; c < word.to; c++)
            if (character_add(cut, cut->mark[c] >> CATEGORY_BITS, cut->character[c]) < 0) return -ENOMEM;
        if (word_add(cut, !from, begin, cut->characters) < 0) return -ENOMEM;
    }
    return 0;
}

static int words_step(struct tokenizer_cut *cut, const struct step *step, int from)
{
    struct stepping s = { .cut = cut, .step = step, .list = !from };
    int             rc = 0;

    cut->words[!from] = 0;
    if (step->keep == STEP_SPACED) return words_space(cut, from);
    for (size_t i = 0; i < cut->words[from] && rc == 0; i++) rc = word_split(&s, cut->word[from][i]);
    return rc;
}

/* A part without added tokens. */
static int part_cut(const struct tokenizer *t, struct tokenizer_cut *cut, struct part part, struct err *err)
{
    size_t used;
    int    rc = 0, list = 0;

    cut->characters = cut->words[0] = 0;
    for (size_t i = 0; i < part.text.len && rc == 0; i += used) {
        const uint32_t c = unicode_decode(part.text.at + i, part.text.len - i, &used);

        rc = character_add(cut, c, (struct character){ part.text.at + i, (uint32_t)used, source_of(&part, i) });
    }
    if (rc == 0 && cut->characters) rc = word_add(cut, 0, 0, cut->characters);
    cut->steps = STEPS_LEAST + STEPS_A_CHARACTER * (uint64_t)cut->characters;
    for (size_t i = 0; i < t->steps && rc == 0; i++, list = !list) rc = words_step(cut, &t->step[i], list);
    if (rc < 0) return err_memory(err, part.text.len, "words");
    if (!cut->steps) return err_set(err, -ENODATA, "the tokenizer's patterns take too long for a text");
    for (size_t i = 0; i < cut->words[list] && rc == 0; i++) rc = word_cut(t, cut, cut->word[list][i], err);
    return rc;
}

/* ---- texts to parts ---- */

/* The longest that the text has at a byte; NULL: none. */
static const struct added *added_at(const struct added_set *set, struct slice text, size_t at)
{
    const unsigned char first = (unsigned char)text.at[at];

    for (size_t i = set->first[first]; i < set->first[first + 1]; i++) {
        const struct slice content = set->at[i].content;

        if (content.len <= text.len - at && memcmp(content.at, text.at + at, content.len) == 0) return &set->at[i];
    }
    return NULL;
}

/* The first byte of the white space that ends at `to`, no earlier than `from`; and the end of that which begins. */
static size_t space_before(struct slice text, size_t from, size_t to)
{
    while (to > from) {
        size_t at = to - 1, used;

        while (at > from && ((unsigned char)text.at[at] & 0xC0) == 0x80) at--;
        if (!pattern_is_space(unicode_decode(text.at + at, to - at, &used)) || at + used != to) break;
        to = at;
    }
    return to;
}

static size_t space_behind(struct slice text, size_t at)
{
    size_t used;

    while (at < text.len && pattern_is_space(unicode_decode(text.at + at, text.len - at, &used))) at += used;
    return at;
}

static int composed_cut(const struct tokenizer *t, struct tokenizer_cut *cut, struct part part, struct err *err);

/* Cuts at the added tokens of a set (0 before composition, 1 behind it), and what is between them. */
static int added_cut(const struct tokenizer *t, struct tokenizer_cut *cut, struct part part, int which,
                     struct err *err)
{
    size_t done = 0, at = 0;
    int    rc = 0;

    while (at < part.text.len && rc == 0) {
        const struct added *added = added_at(&t->added[which], part.text, at);
        size_t              from = at;

        if (!added) {
            at++;
            continue;
        }
        at += added->content.len;
        if (added->left) from = space_before(part.text, done, from);
        if (from > done)
            rc = which ? part_cut(t, cut, part_of(&part, done, from), err)
                : composed_cut(t, cut, part_of(&part, done, from), err);
        if (rc == 0) rc = token_add(cut, added->id, source_of(&part, from > done ? from : done), err);
        done = added->right ? space_behind(part.text, at) : at;
    }
    if (rc < 0 || done >= part.text.len) return rc;
    part = part_of(&part, done, part.text.len);
    return which ? part_cut(t, cut, part, err) : composed_cut(t, cut, part, err);
}

static int composed_cut(const struct tokenizer *t, struct tokenizer_cut *cut, struct part part, struct err *err)
{
    const int done = t->composes ? compose_text(&cut->composer, part.text) : 0;

    if (done < 0) return err_memory(err, part.text.len, "a text");
    if (!done) return added_cut(t, cut, part, 1, err);
    part = (struct part){ bytes_slice(&cut->composer.text), part.from, cut->composer.origin };
    for (size_t i = 0; i <= part.text.len; i++) cut->composer.origin[i] += part.from;
    return added_cut(t, cut, part, 1, err);
}

int tokenizer_cut(const struct tokenizer *tokenizer, struct tokenizer_cut *cut, struct slice text, struct err *err)
{
    int rc = 0;

    cut->count = 0;
    if (text.len > TEXT_MOST)
        return err_set(err, -ENODATA, "a text of %zu bytes is too long for a tokenizer", text.len);
    if (text.len) rc = added_cut(tokenizer, cut, (struct part){ text, 0, NULL }, 0, err);
    if (rc == 0) rc = token_add(cut, NONE, (uint32_t)text.len, err);            /* the end, which is no token */
    if (rc == 0) cut->count--;
    return rc;
}

void tokenizer_cut_free(struct tokenizer_cut *cut)
{
    free(cut->id);
    free(cut->at);
    composer_free(&cut->composer);
    free(cut->mark);
    free(cut->character);
    free(cut->word[0]);
    free(cut->word[1]);
    free(cut->symbol);
    free(cut->waiting);
    bytes_free(&cut->spelt);
    *cut = (struct tokenizer_cut){ 0 };
}
