/* similarity/words.c -- words by white space and by number; see words.h. */
#include "similarity/words.h"

#include "code/lexing.h"

#define XXH_INLINE_ALL
#include <errno.h>
#include <stdlib.h>
#include <xxhash.h>

int words_split(struct words *words, struct slice run)
{
    size_t begin = 0, used;

    for (size_t i = 0; i <= run.len; i += used) {
        const bool over = i == run.len;
        const uint32_t c = over ? ' ' : unicode_decode(run.at + i, run.len - i, &used);

        if (over) used = 1;
        if (!unicode_is_space(c)) continue;
        if (i > begin) {
            if (ARRAY_GROW(words->at, words->room, words->count) < 0) return -ENOMEM;
            words->at[words->count++] = (struct slice){ run.at + begin, i - begin };
        }
        begin = i + used;
    }
    return 0;
}

int words_of_prose(struct words *words, struct slice text, struct err *err)
{
    size_t begin = 0, used;
    bool   within = false;                                  /* a run that began at `begin` */

    words->count = words->text.len = 0;
    if (bytes_append_slice(&words->text, text) < 0) return err_memory(err, text.len, "words");
    for (size_t i = 0; i < text.len; i++)
        if (text.at[i] >= 'A' && text.at[i] <= 'Z') words->text.at[i] = (char)(text.at[i] + 32);
    for (size_t i = 0; i <= text.len; i += used) {
        const uint32_t c = i < text.len ? unicode_decode(words->text.at + i, text.len - i, &used) : ' ';
        const bool     word = i < text.len && unicode_is_word(c), sign = !word && !unicode_is_space(c);

        if (i == text.len) used = 1;
        if (word && !within) begin = i;
        if (ARRAY_GROW(words->at, words->room, words->count + 1) < 0) return err_memory(err, text.len, "words");
        if (!word && within) words->at[words->count++] = (struct slice){ words->text.at + begin, i - begin };
        if (sign) words->at[words->count++] = (struct slice){ words->text.at + i, used };
        within = word;
    }
    return 0;
}

void words_free(struct words *words)
{
    free(words->at);
    bytes_free(&words->text);
    bytes_free(&words->stack);
    *words = (struct words){ 0 };
}

int word_numbers_take(struct word_numbers *numbers, const struct words *words, struct err *err)
{
    for (size_t i = 0; i < words->count; i++) {
        const XXH128_hash_t hash = XXH3_128bits(words->at[i].at, words->at[i].len);
        bool                added;

        if (ARRAY_GROW(numbers->at, numbers->room, i) < 0) return err_memory(err, i * sizeof *numbers->at, "words");
        numbers->at[i] = table_put(&numbers->table, hash.low64, hash.high64, (uint32_t)numbers->table.count + 1,
                                   &added);
        if (numbers->at[i] == TABLE_NONE) return err_memory(err, numbers->table.room * 24, "words");
    }
    return 0;
}

void word_numbers_free(struct word_numbers *numbers)
{
    table_free(&numbers->table);
    free(numbers->at);
    *numbers = (struct word_numbers){ 0 };
}
