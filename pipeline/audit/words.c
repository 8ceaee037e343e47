/* audit/words.c -- see words.h. */
#include "audit/words.h"

#include "base/table.h"

#include <errno.h>
#include <stdlib.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

const double audit_limits[AUDIT_LIMITS] = { 0.5, 0.3, 0.1 };

/* The next word of *text, which loses it; empty: there is none. */
static struct slice next_word(struct slice *text)
{
    static const char white[] = " \t\n\r\v\f";
    struct slice      word;

    while (text->len && memchr(white, *text->at, sizeof white - 1)) text->at++, text->len--;
    word = (struct slice){ text->at, 0 };
    while (word.len < text->len && !memchr(white, text->at[word.len], sizeof white - 1)) word.len++;
    text->at += word.len;
    text->len -= word.len;
    return word;
}

static bool missed(const struct audit_answer *a) { return a->output.at && audit_is_name(a->category) && !a->hit; }

struct counts { struct table table; uint64_t *count, sum, most; size_t words, room; };

static int count_word(struct counts *c, struct slice word)
{
    const XXH128_hash_t key = XXH3_128bits(word.at, word.len);
    bool                added = false;
    const uint32_t      at = table_put(&c->table, key.low64, key.high64, (uint32_t)c->words, &added);

    if (at == TABLE_NONE || (added && ARRAY_GROW(c->count, c->room, c->words) < 0)) return -ENOMEM;
    if (added) c->count[c->words++] = 0;
    c->sum++;
    if (++c->count[at] > c->most) c->most = c->count[at];
    return 0;
}

/* The largest frequency of the words of a name; 0 for a name without any. */
static double frequency(const struct counts *c, struct slice name, bool published)
{
    uint64_t most = 0;

    for (struct slice word; (word = next_word(&name)).len;) {
        const XXH128_hash_t key = XXH3_128bits(word.at, word.len);
        const uint32_t      at = table_find(&c->table, key.low64, key.high64);

        if (at != TABLE_NONE && c->count[at] > most) most = c->count[at];
    }
    return most == 0 ? 0 : (double)most / (double)(published ? c->most : c->sum);
}

static bool is_said(struct slice name, struct slice output)
{
    for (struct slice word; (word = next_word(&output)).len;) if (slice_equal(word, name)) return true;
    return false;
}

int audit_missed_count(const struct audit_answer *answer, size_t count, bool published,
                       struct audit_missed out[AUDIT_VARIABLE + 1][AUDIT_LIMITS], struct err *err)
{
    struct counts c = { .sum = 0 };
    int           rc = 0;

    memset(out, 0, (AUDIT_VARIABLE + 1) * sizeof *out);
    for (size_t i = 0; i < count && rc == 0; i++) {
        struct slice name = answer[i].objective;

        if (!missed(&answer[i])) continue;
        for (struct slice word; rc == 0 && (word = next_word(&name)).len;) rc = count_word(&c, word);
    }
    for (size_t i = 0; i < count && rc == 0; i++) {
        double is;

        if (!missed(&answer[i])) continue;
        is = frequency(&c, answer[i].objective, published);
        for (int l = 0; l < AUDIT_LIMITS; l++) {
            struct audit_missed *m = &out[answer[i].category][l];

            if (is > audit_limits[l]) continue;
            m->looked_at++;
            m->said += is_said(answer[i].objective, answer[i].output);
        }
    }
    table_free(&c.table);
    free(c.count);
    return rc < 0 ? err_memory(err, c.words * sizeof *c.count, "words of missed names") : 0;
}
