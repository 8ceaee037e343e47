/* view/words.c -- see words.h. */
#include "view/words.h"

#include "kernels/kernels.h"

#include <errno.h>
#include <stdlib.h>

/* ascii[l] bit h: character 16*h + l; '0'-'9' in h 3, letters in h 4-7, '_' is h 5 l 15 */
static const struct byteset word_bytes = {
    { 0xA8, 0xF8, 0xF8, 0xF8, 0xF8, 0xF8, 0xF8, 0xF8, 0xF8, 0xF8, 0xF0, 0x50, 0x50, 0x50, 0x50, 0x70 }, 0xFF
};

static int words_reserve(struct view_words *words, size_t room, struct err *err)
{
    if (room <= words->room) return 0;
    room += room / 2;
    free(words->start);
    free(words->end);
    words->start = malloc(room * sizeof *words->start);
    words->end = malloc(room * sizeof *words->end);
    words->room = words->start && words->end ? room : 0;
    return words->room ? 0 : err_memory(err, room * 8, "a document's words");
}

int view_words_find(struct view_words *words, struct slice text, struct err *err)
{
    words->count = 0;
    if (words_reserve(words, text.len / 2 + 1 + SPANS_PAD, err) < 0) return err->code;
    words->count = kernels->spans(words->start, words->end, &word_bytes, text.at, text.len);
    return 0;
}

void view_words_free(struct view_words *words)
{
    free(words->start);
    free(words->end);
    *words = (struct view_words){ 0 };
}
