/* score/text.c -- metrics of one answer; see metric.h. */
#include "score/metric.h"

#include "code/language.h"
#include "similarity/bleu.h"
#include "similarity/comments.h"
#include "similarity/edit.h"
#include "similarity/words.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

const char *const score_text_names[SCORE_TEXTS] = { "exact", "bleu", "edit", "ngram", "weighted_ngram" };

double score_pass_at(uint64_t tries, uint64_t passed, uint64_t k)
{
    double none = 1;

    if (tries < k || k == 0) return NAN;
    if (tries - passed < k) return 1;
    for (uint64_t i = tries - passed + 1; i <= tries; i++) none *= 1 - (double)k / (double)i;
    return 1 - none;
}

struct score_scratch {
    struct words        words[2];                           /* of the answer, of the reference */
    struct word_numbers numbers;
    struct bytes        number[2];                          /* uint32_t each */
    struct bytes        keyword;
};

int score_scratch_open(struct score_scratch **out, struct err *err)
{
    *out = calloc(1, sizeof **out);
    return *out ? 0 : err_memory(err, sizeof **out, "metrics");
}

void score_scratch_close(struct score_scratch *scratch)
{
    if (!scratch) return;
    for (int i = 0; i < 2; i++) {
        words_free(&scratch->words[i]);
        bytes_free(&scratch->number[i]);
    }
    word_numbers_free(&scratch->numbers);
    bytes_free(&scratch->keyword);
    free(scratch);
}

/* Both texts as numbers of their words, equal ones in both alike. */
static int words_cut(struct score_scratch *s, struct slice prediction, struct slice reference, enum score_words how,
                     struct bleu_text out[2], struct err *err)
{
    const struct slice text[2] = { prediction, reference };
    int                rc = 0;

    table_clear(&s->numbers.table);
    for (int i = 0; i < 2 && rc == 0; i++) {
        s->words[i].count = 0;
        if (how == SCORE_WORDS_PROSE) rc = words_of_prose(&s->words[i], text[i], err);
        else if (words_split(&s->words[i], text[i]) < 0) rc = err_memory(err, text[i].len, "words");
        if (rc == 0) rc = word_numbers_take(&s->numbers, &s->words[i], err);
        s->number[i].len = 0;
        if (rc == 0 && bytes_append(&s->number[i], s->numbers.at, s->words[i].count * sizeof *s->numbers.at) < 0)
            rc = err_memory(err, text[i].len, "words");
        out[i] = (struct bleu_text){ (const void *)s->number[i].at, s->words[i].count };
    }
    return rc;
}

/* Of one word each, BLEU is whether it is the same. */
static int bleu_take(struct score_scratch *s, struct slice prediction, struct slice reference, enum score_words how,
                     double *out, struct err *err)
{
    struct bleu_text text[2];
    int              rc = words_cut(s, prediction, reference, how, text, err);

    if (rc < 0) return rc;
    if (text[0].count != 1 || text[1].count != 1) rc = bleu4(text[0], &text[1], 1, out, err);
    else *out = text[0].word[0] == text[1].word[0];
    *out *= 100;
    return rc;
}

static bool is_keyword(const struct language *language, struct slice word)
{
    const char *keyword;

    for (size_t k = 0; language && (keyword = language_keyword(language, k)); k++)
        if (slice_equal(word, slice_of(keyword))) return true;
    return false;
}

/* CodeBLEU's words are those between white space. */
static int code_take(struct score_scratch *s, struct slice prediction, struct slice reference, struct slice language,
                     struct bleu_code *out, struct err *err)
{
    const struct language *row = language_by_name(language);
    struct bleu_text       text[2];
    int                    rc = words_cut(s, prediction, reference, SCORE_WORDS_SPACE, text, err);

    s->keyword.len = 0;
    for (size_t i = 0; rc == 0 && i < s->words[1].count; i++)
        if (bytes_append(&s->keyword, &(char){ is_keyword(row, s->words[1].at[i]) }, 1) < 0)
            rc = err_memory(err, s->words[1].count, "words");
    if (rc == 0) rc = bleu_code(text[0], text[1], (const uint8_t *)s->keyword.at, out, err);
    return rc;
}

int score_text(struct score_scratch *scratch, struct slice prediction, struct slice reference, struct slice language,
               enum score_words how, unsigned wanted, double out[SCORE_TEXTS], struct err *err)
{
    struct bleu_code code = { 0 };
    int              rc = 0;

    for (int m = 0; m < SCORE_TEXTS; m++) out[m] = NAN;
    if (wanted >> SCORE_EXACT & 1)
        out[SCORE_EXACT] = slice_equal(comments_strip(prediction), comments_strip(reference)) ? 100 : 0;
    if (wanted >> SCORE_BLEU & 1) rc = bleu_take(scratch, prediction, reference, how, &out[SCORE_BLEU], err);
    if (rc == 0 && wanted >> SCORE_EDIT & 1 &&
        (prediction.len == 0 || reference.len <= SCORE_EDIT_MOST / prediction.len)) {
        rc = edit_similarity(prediction, reference, &out[SCORE_EDIT], err);
        out[SCORE_EDIT] *= 100;
    }
    if (rc < 0 || !(wanted >> SCORE_NGRAM & 1 || wanted >> SCORE_WEIGHTED & 1)) return rc;
    rc = code_take(scratch, prediction, reference, language, &code, err);
    if (wanted >> SCORE_NGRAM & 1) out[SCORE_NGRAM] = 100 * code.plain;
    if (wanted >> SCORE_WEIGHTED & 1) out[SCORE_WEIGHTED] = 100 * code.weighted;
    return rc;
}
