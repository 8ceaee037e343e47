/* licence/mention.c -- see mention.h. */
#include "licence/mention.h"

#include <stdlib.h>

enum { VERSION_WORDS = 20, BEFORE_WORDS = 14, LATER_WORDS = 22, OR_WORDS = 7 };    /* that are looked through */

/* What may stand between a name and its version, and between a version and the name that follows. */
static const char between[] =
    " version versions v ver the of as published by free software foundation gnu license licenses either in its under "
    "terms inc at fsf is this that l r c lesser general public library agreement gplv org and ";
static const char before_name[] = " of the gnu version v or any later newer at your option greater plus + license ";

/* What ends the words that may say `or later`. */
static const char sentence[] = " not only but see you distributed without useful hope redistribute alternatively no ";
static const char later[] = " later newer greater higher above upwards onwards beyond subsequent plus + ";

static bool is_number(struct slice word) { return word.len && word.at[0] >= '0' && word.at[0] <= '9'; }

static bool is_word(const struct words *words, size_t i, const char *word)
{
    const struct slice s = words_at(words, i);

    return s.len == strlen(word) && memcmp(s.at, word, s.len) == 0;
}

/* ---- versions ---- */

/* The family's version that stands at word i; *end: the word behind it.  2_1 is 2.1, too.  NULL: none. */
static const struct licence_version *version_at(const struct words *words, const struct licence_family *family,
                                                size_t i, size_t *end)
{
    const struct licence_version *best = NULL;
    const struct slice            word = words_at(words, i), next = words_at(words, i + 1);

    for (size_t v = family->first; is_number(word) && v < (size_t)family->first + family->count; v++) {
        const struct licence_version *row = &licence_versions[v];
        const size_t                  len = strlen(row->number);

        if (len == word.len && memcmp(row->number, word.at, len) == 0 && !best) {
            best = row;
            *end = i + 1;
        }
        if (is_number(next) && len == word.len + 1 + next.len && memcmp(row->number, word.at, word.len) == 0 &&
            memcmp(row->number + word.len + 1, next.at, next.len) == 0) {
            *end = i + 2;
            return row;
        }
    }
    return best;
}

/* Does a year stand there, as in `Version 2, June 1991`? */
static bool is_year(struct slice word) { return word.len == 4 && (word.at[0] == '1' || word.at[0] == '2'); }

/* Behind the name.  LPPL's 1.3 and what else is no version of the family ends the search. */
static const struct licence_version *version_behind(const struct words *words, const struct licence_family *family,
                                                    size_t from, size_t *end)
{
    for (size_t i = from; i < words->count && i < from + VERSION_WORDS; i++) {
        const struct slice word = words_at(words, i);

        if (is_number(word)) return version_at(words, family, i, end);
        if (!words_among(words, i, between) &&
            (word.len != strlen(family->name) || strncasecmp(word.at, family->name, word.len) != 0)) return NULL;
    }
    return NULL;
}

/* `version 2 of the GNU ...`: only where `of` stands right before the name. */
static const struct licence_version *version_before(const struct words *words, const struct licence_family *family,
                                                    size_t name, bool *or_later)
{
    size_t i = name, end;

    while (i > 0 && words_among(words, i - 1, " the gnu a ")) i--;
    if (i == 0 || !is_word(words, i - 1, "of")) return NULL;
    for (*or_later = false; i > 0 && name - i < BEFORE_WORDS; i--) {
        if (is_number(words_at(words, i - 1)))
            return i > 1 && words_among(words, i - 2, " version v versions ")
                ? version_at(words, family, i - 1, &end) : NULL;
        if (!words_among(words, i - 1, before_name)) return NULL;
        *or_later |= words_among(words, i - 1, later);
    }
    return NULL;
}

/* Do words (from, to) say nothing but that a version follows?  `and distribution 1. Definitions` has none. */
static bool leads_to_version(const struct words *words, size_t from, size_t to)
{
    for (size_t i = from + 1; i < to; i++)
        if (!words_among(words, i, between) && !words_among(words, i, before_name)) return false;
    return to - from <= OR_WORDS;
}

static const struct licence_phrase *name_at(const struct words *words, size_t i, size_t *count, uint32_t *said);

static bool names_begin(const struct words *words, size_t i)
{
    size_t count;

    return name_at(words, i, &count, NULL) != NULL;
}

/* Is another family named at word i?  Versions behind are those of that one. */
static bool others_begin(const struct words *words, const struct licence_family *family, size_t i)
{
    size_t                       count;
    const struct licence_phrase *name = name_at(words, i, &count, NULL);

    return name && &licence_families[name->number] != family;
}

/* `or any later version`, `2+`; *other: a second version that may be chosen, as in `version 2 or version 3`. */
static bool is_later(const struct words *words, const struct licence_family *family, size_t from,
                     const struct licence_version **other)
{
    size_t last_or = SIZE_MAX, end;

    *other = NULL;
    for (size_t i = from; i < words->count && i < from + LATER_WORDS; i++) {
        if (others_begin(words, family, i)) return false;
        if (words_among(words, i, " or any and ")) last_or = i;
        if (is_word(words, i, "+") ? i == from : words_among(words, i, later))
            return i == from || (last_or != SIZE_MAX && i - last_or <= OR_WORDS);
        if (words_among(words, i, sentence)) return false;
        if (!is_number(words_at(words, i)) || is_year(words_at(words, i))) continue;
        if (*other || last_or == SIZE_MAX || !leads_to_version(words, last_or, i)) return false;
        *other = version_at(words, family, i, &end);
        if (!*other) return false;
        i = end - 1;
    }
    return false;
}

/* The mention's rows by the versions that are said beside its name. */
static void take_version(struct mention *m, const struct words *words)
{
    const struct licence_family  *family = &licence_families[m->family];
    size_t                        end = m->end;
    bool                          or_later = false;
    const struct licence_version *other = NULL, *version = version_behind(words, family, m->end, &end);

    m->row[0] = family->any;
    m->row[1] = LICENCE_NOTHING;
    m->open = family->count > 0;
    if (version) {
        /* `GPL 2.0/LGPL 2.1 or later`: the later is the other's. */
        or_later = !names_begin(words, end) && is_later(words, family, end, &other);
        m->end = (uint32_t)end;
    } else version = version_before(words, family, m->at, &or_later);
    if (!version) return;
    m->open = false;
    m->row[0] = or_later && !other ? version->later : version->only;
    if (other && other != version) m->row[1] = or_later ? other->later : other->only;
}

/* ---- where names stand ---- */

/* The first phrase whose first word is that of the text's word i. */
static size_t phrase_first(const struct words *words, size_t i)
{
    const struct slice word = words_at(words, i);
    const bool         letter = word.at[0] >= 'a' && word.at[0] <= 'z';
    size_t             low = letter ? licence_phrase_first[word.at[0] - 'a'] : 0;
    size_t             high = letter ? licence_phrase_first[word.at[0] - 'a' + 1] : licence_phrase_first[0];

    while (low < high) {
        const size_t      middle = low + (high - low) / 2;
        const char *const at = licence_phrases[middle].words;
        const size_t      len = licence_phrases[middle].first;
        const size_t      n = len < word.len ? len : word.len;
        int               c = memcmp(at, word.at, n);

        if (c == 0) c = (len > word.len) - (len < word.len);
        if (c < 0) low = middle + 1;
        else high = middle;
    }
    return low;
}

static bool same_first(const struct licence_phrase *phrase, struct slice word)
{
    return phrase->first == word.len && memcmp(phrase->words, word.at, word.len) == 0;
}

/* Can a phrase begin with the word?  Most words of a text end here. */
static bool may_begin(struct slice word)
{
    const int second = word.len > 1 ? word.at[1] - 'a' : LICENCE_LETTERS;

    return word.at[0] < 'a' || (licence_phrase_second[word.at[0] - 'a'] >> second & 1);
}

/* The longest name at word i, and how many words it has; phrases of texts are noted in *said, unless NULL. */
static const struct licence_phrase *name_at(const struct words *words, size_t i, size_t *count, uint32_t *said)
{
    const struct licence_phrase *best = NULL;
    const struct slice           word = words_at(words, i);

    *count = 0;
    if (word.len == 0 || !may_begin(word)) return NULL;
    for (size_t p = phrase_first(words, i); p < licence_phrase_count && same_first(&licence_phrases[p], word); p++) {
        const struct licence_phrase *phrase = &licence_phrases[p];
        const size_t                 len = words_match(words, i, phrase->words);

        if (len == 0) continue;
        if (phrase->kind == PHRASE_TEXT) {
            if (said && said[phrase->number] == 0) said[phrase->number] = (uint32_t)i + 1;
        } else if (len > *count) {
            best = phrase;
            *count = len;
        }
    }
    return best;
}

/* Is the version one that nothing else looks like?  `asl #2` shifts bits. */
static bool has_plain_version(const struct words *words, const struct mention *m)
{
    const struct licence_family *family = &licence_families[m->family];
    const struct slice           name = words_at(words, m->at), number = words_at(words, m->end - 1);

    if (family->count == 0) return false;
    return licence_versions[family->first].only != licence_versions[family->first].later ||
        name.at[name.len - 1] == 'v' || memchr(number.at, '.', number.len);
}

/* `released under`, not `running under Apache`. */
static bool grants_under(const struct words *words, size_t i)
{
    return words_among(words, i, " under ") && i > 0 &&
        words_among(words, i - 1, " licensed license released distributed redistributed available published provided "
                    "redistribute distribute modify used ");
}

/* May a name as short as MIT be meant as one? */
static bool bare_counts(const struct mentions *out, const struct words *words, const struct mention *m)
{
    const struct mention *last = out->count ? &out->at[out->count - 1] : NULL;

    if (words_among(words, m->end, " license licenses licensed style terms ")) return true;
    for (size_t back = 1; back <= 3 && back <= m->at; back++)
        if (words_among(words, m->at - back, back == 1 ? " license licenses licensed dual dually " :
                        " licensed dual dually ") || grants_under(words, m->at - back)) return true;
    if (last && m->at - last->end <= 2 &&
        (m->at == last->end || words_among(words, m->at - 1, " or and the ") ||
         words_among(words, m->at - 2, " or and "))) return true;
    return !m->open && has_plain_version(words, m);
}

/* from: the end of the mention before. */
static void take_context(struct mention *m, const struct words *words, size_t from)
{
    const size_t at = m->at;

    for (size_t back = 1; back <= 4 && from + back <= at && !words_among(words, at - back, " but "); back++) {
        m->weak |= words_among(words, at - back, " see copy unlike compatible incompatible exception ");
        m->denied |= words_among(words, at - back, " not no never non isn neither nor than without ");
    }
    if (at > 1 && words_among(words, at - 1, " licenses copyleft ") && is_word(words, at - 2, "org")) m->weak = true;
    if (words_among(words, m->end, " compatible instead incompatible ")) m->weak = true;
}

/* Would it say what is not there yet? */
static bool says_more(const struct mentions *out, const struct mention *m)
{
    for (size_t i = 0; i < out->count; i++) {
        const struct mention *held = &out->at[i];

        if (held->denied || (held->weak && !m->weak)) continue;
        if ((m->weak && !held->weak) || (m->open && held->family == m->family) ||
            (held->row[0] == m->row[0] && held->row[1] == m->row[1])) return false;
    }
    return !m->denied;
}

void mentions_find(struct mentions *out, const struct words *words, bool prose)
{
    size_t until = 0;

    out->count = 0;
    out->more = 0;
    memset(out->said, 0, sizeof out->said);
    for (size_t i = 0; i < words->count; i++) {
        size_t                       count;
        const struct licence_phrase *name = name_at(words, i, &count, out->said);
        struct mention               m = { .at = (uint32_t)i, .end = (uint32_t)(i + count) };

        if (!name || i < until || out->more) continue;
        m.family = name->number;
        take_version(&m, words);
        if (m.row[0] == LICENCE_NOTHING ||
            (name->kind == PHRASE_BARE && !prose && !bare_counts(out, words, &m))) continue;
        take_context(&m, words, out->count ? out->at[out->count - 1].end : 0);
        until = i + count;
        if (out->count < MENTIONS) out->at[out->count++] = m;
        else if (says_more(out, &m)) out->more = (uint32_t)i + 1;
    }
}
