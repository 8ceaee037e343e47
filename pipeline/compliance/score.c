/* compliance/score.c -- see score.h. */
#include "compliance/score.h"

#include "code/lexing.h"
#include "similarity/bleu.h"
#include "similarity/comments.h"
#include "similarity/edit.h"

#include <errno.h>
#include <stdlib.h>

const struct score_limits score_limits_default = { 0.6, 0, 10, 3, false, false };

bool score_is_striking(const struct score *score, const struct score_limits *limits)
{
    return score->most > limits->similarity && (limits->uncommented || score->shared > limits->comments) &&
        (limits->published || (score->lines > limits->lines && score->complexity > limits->complexity));
}

static int words_compare(struct scorer *scorer, struct slice reference, struct slice answer, struct score *out,
                         struct err *err)
{
    const struct slice text[2] = { reference, answer };
    struct bleu_text   numbered[2];
    int                rc = 0;

    if (!scorer->drawn) datasketch_lanes_draw(&scorer->lanes, 1);
    scorer->drawn = true;
    table_clear(&scorer->numbers[0].table);
    for (int i = 0; i < 2 && rc == 0; i++) {
        rc = words_of_python(&scorer->words[i], text[i], err);
        if (rc == 0)
            rc = datasketch_words(&scorer->sketch[i], &scorer->lanes, &scorer->words[i], &scorer->text, err);
    }
    if (rc == 0) rc = word_numbers_take(&scorer->numbers[0], &scorer->words[0], err);
    if (rc < 0) return rc;
    /* both are numbered by one table, each into a place of its own */
    scorer->ids[0].len = 0;
    if (bytes_append(&scorer->ids[0], scorer->numbers[0].at, scorer->words[0].count * sizeof(uint32_t)) < 0)
        return err_memory(err, scorer->words[0].count * sizeof(uint32_t), "words");
    rc = word_numbers_take(&scorer->numbers[0], &scorer->words[1], err);
    numbered[0] = (struct bleu_text){ (const uint32_t *)(const void *)scorer->ids[0].at, scorer->words[0].count };
    numbered[1] = (struct bleu_text){ scorer->numbers[0].at, scorer->words[1].count };
    if (rc == 0) rc = bleu4(numbered[1], numbered, 1, &out->bleu, err);
    out->jaccard = datasketch_jaccard(&scorer->sketch[0], &scorer->sketch[1]);
    out->words = (uint32_t)scorer->words[0].count;
    return rc;
}

/* A text with the bytes behind it that a lexer reads. */
static int text_padded(struct scorer *scorer, struct slice text, struct err *err)
{
    scorer->text.len = 0;
    return bytes_append_slice(&scorer->text, text) < 0 ? err_memory(err, text.len, "a text") : 0;
}

/* The lexer's tokens, comments among them where they stand, as numbers. */
static int lexed(struct scorer *scorer, struct slice text, struct bytes *ids, struct err *err)
{
    struct words *tokens = &scorer->tokens[0];
    size_t        comment = 0;
    int           rc = text_padded(scorer, text, err);

    if (rc == 0)
        rc = lexer_run(&scorer->lexer, language_by_name(SLICE("python")), bytes_slice(&scorer->text),
                       LEX_ALL | LEX_COMMENTS, err);
    tokens->count = 0;
    for (size_t i = 0; rc == 0 && (i < scorer->lexer.count || comment < scorer->lexer.comment_count);) {
        const struct token *token = i < scorer->lexer.count ? &scorer->lexer.token[i] : NULL,
                           *other = comment < scorer->lexer.comment_count ? &scorer->lexer.comment[comment] : NULL;

        if (token && (!other || token->at < other->at)) i++;
        else token = other, comment++;
        if (ARRAY_GROW(tokens->at, tokens->room, tokens->count) < 0) return err_memory(err, text.len, "tokens");
        tokens->at[tokens->count++] = (struct slice){ scorer->text.at + token->at, token->len };
    }
    if (rc == 0) rc = word_numbers_take(&scorer->numbers[1], tokens, err);
    if (rc == 0 && bytes_append(ids, scorer->numbers[1].at, tokens->count * sizeof(uint32_t)) < 0)
        rc = err_memory(err, tokens->count * sizeof(uint32_t), "tokens");
    return rc;
}

static int ids_compare(struct scorer *scorer, struct slice reference, struct slice answer, struct score *out,
                       struct err *err)
{
    const struct slice text[2] = { comments_strip(reference), comments_strip(answer) };
    size_t             count[2] = { 0 }, distance = 0, longer;
    int                rc = 0;

    table_clear(&scorer->numbers[1].table);
    for (int i = 0; i < 2 && rc == 0; i++) {
        struct model_tokens tokens = { .count = 0 };

        scorer->ids[i].len = 0;
        if (!text[i].len) continue;
        if (!scorer->session) rc = lexed(scorer, text[i], &scorer->ids[i], err);
        else {
            rc = model_tokenize(scorer->session, text[i], &tokens, err);
            if (rc == 0 && bytes_append(&scorer->ids[i], tokens.id, tokens.count * sizeof *tokens.id) < 0)
                rc = err_memory(err, tokens.count * sizeof *tokens.id, "tokens");
        }
        count[i] = scorer->ids[i].len / sizeof(uint32_t);
        if (count[i] > SCORE_EDIT_TOKENS) count[i] = SCORE_EDIT_TOKENS;
    }
    longer = count[0] > count[1] ? count[0] : count[1];
    if (rc == 0)
        rc = edit_distance((const uint32_t *)(const void *)scorer->ids[0].at, count[0],
                           (const uint32_t *)(const void *)scorer->ids[1].at, count[1], &distance, err);
    out->edit = longer ? 1 - (double)distance / (double)longer : 0;
    return rc;
}

uint32_t score_lines(struct slice text)
{
    uint32_t lines = 1;

    while (text.len && (text.at[text.len - 1] == '\n' || text.at[text.len - 1] == '\r')) text.len--;
    while (text.len && (*text.at == '\n' || *text.at == '\r')) text = (struct slice){ text.at + 1, text.len - 1 };
    for (size_t i = 0; i < text.len; i++) lines += text.at[i] == '\n';
    return text.len ? lines : 0;
}

/* A body as a function, if it is none: below a head, each of its lines farther in. */
static int as_function(struct scorer *scorer, struct slice text, bool head, struct err *err)
{
    scorer->text.len = 0;
    if (!head) return text_padded(scorer, text, err);
    if (bytes_printf(&scorer->text, "def f():\n ") < 0) return err_memory(err, text.len, "a function");
    for (size_t i = 0; i < text.len; i++)
        if (bytes_append(&scorer->text, text.at + i, 1) < 0 ||
            (text.at[i] == '\n' && bytes_append(&scorer->text, " ", 1) < 0))
            return err_memory(err, text.len, "a function");
    return 0;
}

static int complexity_take(struct scorer *scorer, struct slice reference, struct score *out, struct err *err)
{
    const struct language *python = language_by_name(SLICE("python"));
    const struct slice     code = comments_strip(reference);
    const bool             whole = (code.len > 4 && memcmp(code.at, "def ", 4) == 0) ||
        (code.len > 6 && memcmp(code.at, "async ", 6) == 0) || (code.len && *code.at == '@');
    int                    rc = as_function(scorer, whole ? code : reference, !whole, err);

    if (rc == 0)
        rc = lexer_run(&scorer->lexer, python, bytes_slice(&scorer->text), LEX_ALL | LEX_COMMENTS, err);
    if (rc == 0) rc = functions_find(&scorer->functions, python, &scorer->lexer, bytes_slice(&scorer->text), err);
    if (rc == 0)
        rc = measures_take(&scorer->measures, python, &scorer->lexer, &scorer->functions, bytes_slice(&scorer->text),
                           err);
    out->complexity = rc == 0 && scorer->functions.count ? scorer->measures.at[0].complexity : 1;
    return rc;
}

int score_take(struct scorer *scorer, struct slice reference, struct slice answer, struct slice prompt,
               struct score *out, struct err *err)
{
    int rc;

    *out = (struct score){ .lines = score_lines(reference), .comments = comments_count(reference),
                           .prompt_lines = score_lines(prompt) };
    for (size_t i = 0, used; i < reference.len; i += used) {
        unicode_decode(reference.at + i, reference.len - i, &used);
        out->characters++;
    }
    rc = words_compare(scorer, reference, answer, out, err);
    if (rc == 0) rc = ids_compare(scorer, reference, answer, out, err);
    if (rc == 0) rc = comments_shared(reference, answer, prompt, &out->shared, err);
    if (rc == 0) rc = complexity_take(scorer, reference, out, err);
    out->most = out->bleu > out->jaccard ? out->bleu : out->jaccard;
    if (out->edit > out->most) out->most = out->edit;
    return rc;
}

void scorer_free(struct scorer *scorer)
{
    for (int i = 0; i < 2; i++) {
        words_free(&scorer->words[i]);
        words_free(&scorer->tokens[i]);
        word_numbers_free(&scorer->numbers[i]);
        bytes_free(&scorer->ids[i]);
    }
    lexer_free(&scorer->lexer);
    functions_free(&scorer->functions);
    measures_free(&scorer->measures);
    bytes_free(&scorer->text);
    *scorer = (struct scorer){ 0 };
}
