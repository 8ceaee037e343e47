/* view/known.c -- languages that a view has met, with their keywords; see view.h and scratch.h. */
#include "view/scratch.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- keywords ---- */

/* Puts the keywords where is_keyword looks; false when two meet. */
static bool keywords_place(struct known_language *known)
{
    memset(known->keyword, 0, (size_t)(known->keyword_mask + 1) * sizeof *known->keyword);
    for (size_t i = 0; known->language.row && language_keyword(known->language.row, i); i++) {
        char      padded[64] = { 0 };                       /* view_hash reads 16 bytes */
        size_t    len = strlen(language_keyword(known->language.row, i));
        uint64_t  hash, *place;

        memcpy(padded, language_keyword(known->language.row, i), len);
        hash = view_hash((struct slice){ padded, len }, known->language.seed);
        place = &known->keyword[hash >> known->keyword_shift & known->keyword_mask];
        if (*place && *place != hash) return false;
        *place = hash;
    }
    return true;
}

/* Every word of a text is asked for, so the answer must not branch: bits of the hash, and if need be a larger table,
 * are tried until no two keywords meet. */
static int keywords_fill(struct known_language *known)
{
    for (uint64_t room = language_keyword(known->language.row, 0) ? 256 : 1; ; room *= 2) {
        free(known->keyword);
        known->keyword = malloc((size_t)room * sizeof *known->keyword);
        if (!known->keyword) return -ENOMEM;
        known->keyword_mask = room - 1;
        for (known->keyword_shift = 0; known->keyword_shift <= 32; known->keyword_shift++)
            if (keywords_place(known)) return 0;
    }
}

/* ---- languages ---- */

const struct language *view_language_name(struct slice name, char out[VIEW_LANGUAGE_NAME])
{
    const struct language *row = language_by_name(name);

    memset(out, 0, VIEW_LANGUAGE_NAME);
    if (row) snprintf(out, VIEW_LANGUAGE_NAME, "%s", language_name(row));
    for (size_t len = 0; !row && len < name.len && len < VIEW_LANGUAGE_NAME - 1; len++) {
        unsigned char c = (unsigned char)name.at[len];

        out[len] = (char)(c >= 'A' && c <= 'Z' ? c + 32 : c <= ' ' || c >= 0x7f ? '_' : c);
    }
    return row;
}

/* The entry for a name; made at its first use.  Records may bring any number of names, so they are looked up by hash.
 */
static struct known_language *known_find(struct view_scratch *scratch, struct slice name)
{
    struct known_language *known, **grown;
    char                   canonical[VIEW_LANGUAGE_NAME];
    const struct language *row = view_language_name(name, canonical);
    struct content_hash    hash = content_hash_raw(slice_of(canonical));
    uint32_t               at = table_find(&scratch->names, hash.low, hash.high);
    bool                   added;

    if (at != TABLE_NONE) return scratch->known[at];
    grown = realloc(scratch->known, (scratch->known_count + 1) * sizeof *grown);
    if (!grown) return NULL;
    scratch->known = grown;
    known = calloc(1, sizeof *known);
    if (!known) return NULL;
    memcpy(known->language.name, canonical, sizeof canonical);
    known->language.row = row ? row : language_generic();
    known->language.seed = scratch->view.across_languages ? 0 : hash.low;
    if (keywords_fill(known) < 0 || table_put(&scratch->names, hash.low, hash.high, (uint32_t)scratch->known_count,
                                              &added) == TABLE_NONE) {
        free(known->keyword);
        free(known);
        return NULL;
    }
    scratch->known[scratch->known_count++] = known;
    return known;
}

static struct known_language *known_row(struct view_scratch *scratch, const struct language *row)
{
    struct known_language **known = &scratch->of_row[language_place(row) % VIEW_ROWS];

    if (!*known || (*known)->language.row != row) *known = known_find(scratch, slice_of(language_name(row)));
    return *known;
}

static struct known_language *language_of_record(struct view_scratch *scratch, const struct record *record)
{
    const struct language *row;
    struct slice           name;

    if (record->raw[FIELD_LANGUAGE].at) {
        struct known_language *known;

        if (scratch->last_named && slice_equal(bytes_slice(&scratch->named), record->raw[FIELD_LANGUAGE]))
            return scratch->last_named;
        scratch->field.len = 0;
        name = (struct slice){ 0 };
        if (record_field(record, FIELD_LANGUAGE, &scratch->field)) {
            if (!scratch->field.at) return NULL;
            name = trimmed(bytes_slice(&scratch->field));
        }
        if (name.len) {
            known = known_find(scratch, name);
            scratch->named.len = 0;
            scratch->last_named = bytes_append_slice(&scratch->named, record->raw[FIELD_LANGUAGE]) < 0 ? NULL : known;
            return known;
        }
    }
    scratch->field.len = 0;
    if (record_field(record, FIELD_PATH, &scratch->field)) {
        if (!scratch->field.at) return NULL;
        row = language_by_path(bytes_slice(&scratch->field));
        if (row) return known_row(scratch, row);
    }
    row = language_by_shebang(record->text);
    return known_row(scratch, row ? row : language_generic());
}

const struct view_language *view_language_of(struct view_scratch *scratch, const char *given,
                                             const struct record *record, struct err *err)
{
    struct known_language *known;

    if (given && given == scratch->last_given && strcmp(given, scratch->last->language.name) == 0)
        return &scratch->last->language;
    known = given ? known_find(scratch, slice_of(given)) : language_of_record(scratch, record);
    if (!known) {
        err_memory(err, sizeof *known, "a language's keywords");
        return NULL;
    }
    scratch->last_given = given;
    scratch->last = known;
    return &known->language;
}
