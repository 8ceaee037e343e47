/* cmd/offer.c -- see offer.h. */
#include "cmd/offer.h"

#include <errno.h>
#include <string.h>

static bool value_has(struct slice value, const char *word)
{
    return memmem(value.at, value.len, word, strlen(word)) != NULL;
}

/* Words of the command line itself: small letters, numbers, and what is in the names of views. */
static bool value_literal(struct slice value)
{
    for (size_t i = 0; i < value.len; i++)
        if (!value.at[i] || !strchr("abcdefghijklmnopqrstuvwxyz0123456789-+|", value.at[i])) return false;
    return value.len > 0;
}

int offer_words(struct offer *offer, struct slice words)
{
    int rc = offer->words.len ? bytes_append(&offer->words, " ", 1) : 0;

    for (size_t i = 0; i < words.len && rc == 0; i++)
        rc = bytes_append(&offer->words, words.at[i] == '|' ? " " : &words.at[i], 1);
    if (rc == 0 && (rc = bytes_append(&offer->words, "", 1)) == 0) offer->words.len--;
    return rc;
}

/* `THING is one of`, and the rows below. */
static int listed_add(struct offer *offer, const struct usage *usage, struct slice name)
{
    static const char behind[] = " is one of";
    bool              listed = false;
    int               rc = 0;

    for (size_t i = 0; i < usage->count && rc == 0; i++) {
        const struct usage_part *part = &usage->part[i];

        if (part->kind != USAGE_ROW)
            listed = part->kind == USAGE_TEXT && name.len && strncmp(part->text.at, name.at, name.len) == 0 &&
                strncmp(part->text.at + name.len, behind, sizeof behind - 1) == 0;
        else if (listed && value_literal(bytes_slice(&part->term))) rc = offer_words(offer, bytes_slice(&part->term));
    }
    return rc;
}

int offer_add(struct offer *offer, const struct usage *usage, struct slice value)
{
    static const char *const files[] = { "FILE", "GLOB", "PATH", "CORPUS", "OLD", "NEW", "PORTRAIT", ".yaml", ".csv" };

    if (value_literal(value)) return offer_words(offer, value);
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) offer->file |= value_has(value, files[i]);
    offer->folder |= slice_equal(value, SLICE("DIR")) || slice_equal(value, SLICE("RUN"));
    offer->command |= slice_equal(value, SLICE("COMMAND"));
    offer->key |= slice_equal(value, SLICE("KEY"));
    offer->setting |= slice_equal(value, SLICE("KEY=VALUE"));
    return listed_add(offer, usage, value);
}

bool offer_some(const struct offer *offer)
{
    return offer->file || offer->folder || offer->command || offer->key || offer->setting || offer->words.len;
}

void offer_free(struct offer *offer) { bytes_free(&offer->words); }

/* The next word of a call; brackets around it and dots behind it are not of it.  open: a bracket begins with it and
 * does not end; more: it may be given again. */
struct word { struct slice text; bool open, more; };

static bool word_next(struct slice *rest, struct word *out)
{
    size_t len = 0;

    while (rest->len && *rest->at == ' ') *rest = (struct slice){ rest->at + 1, rest->len - 1 };
    while (len < rest->len && rest->at[len] != ' ') len++;
    *out = (struct word){ .text = { rest->at, len } };
    *rest = (struct slice){ rest->at + len, rest->len - len };
    out->more = out->text.len > 3 && memcmp(out->text.at + out->text.len - 3, "...", 3) == 0;
    if (out->more) out->text.len -= 3;
    if (out->text.len > 1 && *out->text.at == '[') {
        const char *end = memchr(out->text.at, ']', out->text.len);

        /* [NAME=]FILE keeps its brackets */
        out->open = !end;
        if (!end || end == out->text.at + out->text.len - 1) {
            out->text.at++;
            out->text.len -= end ? 2 : 1;
        }
    }
    return len > 0;
}

/* Does a value follow this option in a call? */
static bool option_takes(const struct word *option, struct slice rest)
{
    struct word next;

    return word_next(&rest, &next) && next.text.len && *next.text.at != '-' && *next.text.at != '[' &&
        (option->open || rest.at[-1] != ']');
}

int offer_arguments(const struct usage *usage, size_t words, struct offer *first, struct offer *rest)
{
    int rc = 0;

    *first = *rest = (struct offer){ 0 };
    for (size_t i = 0; i < usage->count && rc == 0; i++) {
        struct slice text = bytes_slice(&usage->part[i].term);
        struct word  word;
        size_t       at = 0, count = 0;

        if (usage->part[i].kind != USAGE_CALL) continue;
        while (rc == 0 && word_next(&text, &word)) {
            if (at++ < words) continue;
            if (*word.text.at == '>') break;                /* the shell's */
            if (*word.text.at == '-') {
                if (option_takes(&word, text)) word_next(&text, &word);
                continue;
            }
            rc = offer_add(count++ ? rest : first, usage, word.text);
            if (rc == 0 && word.more) rc = offer_add(rest, usage, word.text);
        }
    }
    return rc;
}
