/* model/tokenizer.h -- how a model cuts text into tokens, by the tokenizer.json that lies beside it.
 *
 * Read is byte-level BPE, as GPT-2, StarCoder, Llama 3, Qwen and DeepSeek have it: pairs of tokens are joined in the
 * order of `merges`, inside the words that the steps of `pre_tokenizer` cut.  The tokens are those that Hugging Face's
 * tokenizers give without special tokens added (add_special_tokens=False); where the text itself has an added token,
 * special or not, that is one.  Whatever the file asks for beyond that is refused. */
#ifndef LEAKGRAPH_MODEL_TOKENIZER_H
#define LEAKGRAPH_MODEL_TOKENIZER_H

#include "base/bytes.h"
#include "base/err.h"
#include "base/slice.h"
#include "base/stage.h"
#include "code/compose.h"

#include <stdbool.h>
#include <stdint.h>

struct tokenizer;                                           /* read, it never changes: threads share one */

/* 0; -ENOENT, -EIO, -EBADMSG (no tokenizer.json, or one that is not read), -ENOMEM with err set, which names the file.
 * The second takes what stands in it. */
int  tokenizer_open(struct tokenizer **out, const char *path, struct err *err);
int  tokenizer_parse(struct tokenizer **out, const char *name, struct slice text, struct err *err);
void tokenizer_close(struct tokenizer *tokenizer);          /* accepts NULL */
uint32_t        tokenizer_vocabulary(const struct tokenizer *tokenizer);        /* tokens, added ones not counted */
struct unit_key tokenizer_key(const struct tokenizer *tokenizer);               /* of the file's content */

/* A text's tokens, and what cutting takes.  A zeroed struct is ready; tokenizer_cut_free releases its memory. */
struct tokenizer_cut {
    uint32_t         *id;                                   /* [count] */
    uint32_t         *at;                                   /* [count + 1] byte of the text where each begins */
    size_t            count, id_room, at_room;
    /* scratch: a part of the text, composed */
    struct composer   composer;
    /* characters as patterns see them, and as bytes; words, two lists by turns */
    uint32_t         *mark;
    struct character *character;
    struct word      *word[2];
    struct symbol    *symbol;
    uint64_t         *waiting;                              /* pairs that can be joined, the first on top */
    struct bytes      spelt;
    size_t            mark_room, character_room, characters, word_room[2], words[2], symbol_room, waiting_room, waits;
    uint64_t          steps;                                /* that patterns may still take */
};

/* Cuts a text of any bytes.  0; -ENODATA (too long, or too hard for the file's patterns), -ENOMEM with err set. */
int  tokenizer_cut(const struct tokenizer *tokenizer, struct tokenizer_cut *cut, struct slice text, struct err *err);
void tokenizer_cut_free(struct tokenizer_cut *cut);

#endif
