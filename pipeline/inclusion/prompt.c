/* inclusion/prompt.c -- what a model is shown, and what of its output counts; see inclusion.h. */
#include "inclusion/inclusion.h"

#include "audit/mask.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

/* Bytes of prompt for each token of the context: code has about three a token; what is more would be cut from the
 * beginning, where the first mark is. */
enum { PLAIN_BYTES = 8, PREFIX_BYTES = 3, SUFFIX_BYTES = 1, HALVES = 2, UNLIMITED = 4096 };

static const struct model_marks families[] = {
    [INCLUSION_SANTACODER] = { "<fim-prefix>", "<fim-suffix>", "<fim-middle>" },
    [INCLUSION_STARCODER] = { "<fim_prefix>", "<fim_suffix>", "<fim_middle>" },
    [INCLUSION_CODELLAMA] = { "<PRE> ", " <SUF>", " <MID>" },
    [INCLUSION_DEEPSEEK] = { "<\xEF\xBD\x9C" "fim\xE2\x96\x81" "begin\xEF\xBD\x9C>",
                             "<\xEF\xBD\x9C" "fim\xE2\x96\x81hole\xEF\xBD\x9C>",
                             "<\xEF\xBD\x9C" "fim\xE2\x96\x81" "end\xEF\xBD\x9C>" },
    [INCLUSION_QWEN] = { "<|fim_prefix|>", "<|fim_suffix|>", "<|fim_middle|>" },
};

static bool continues(char c) { return ((unsigned char)c & 0xc0) == 0x80; }

/* The last, or first, so many bytes of a text, to the end of a character.  What is no UTF-8 may go on without end: it
 * is cut where it is. */
enum { CHARACTER_MORE = 3 };                                /* bytes of a character behind its first */

static struct slice last_of(struct slice text, size_t most)
{
    size_t from = text.len > most ? text.len - most : 0, more = 0;

    while (from && more <= CHARACTER_MORE && from + more < text.len && continues(text.at[from + more])) more++;
    if (more <= CHARACTER_MORE) from += more;
    return (struct slice){ text.at + from, text.len - from };
}

static struct slice first_of(struct slice text, size_t most)
{
    size_t less = 0;

    if (text.len <= most) return text;
    while (less <= CHARACTER_MORE && less < most && continues(text.at[most - less])) less++;
    return (struct slice){ text.at, less <= CHARACTER_MORE ? most - less : most };
}

const struct model_marks *inclusion_marks(const struct inclusion_options *options, const struct model_info *model)
{
    if (options->prompt == INCLUSION_PLAIN) return NULL;
    if (options->prompt != INCLUSION_OWN) return &families[options->prompt];
    return model->marks.middle ? &model->marks : NULL;
}

int inclusion_prompt_make(const struct inclusion_options *options, struct slice text,
                          const struct audit_element *element, const struct model_info *model, struct bytes *prompt,
                          struct slice *wanted, struct err *err)
{
    const struct model_marks *mark = inclusion_marks(options, model);
    const uint32_t            context = model->context;
    /* published: all of it */
    const size_t              tokens = options->published ? SIZE_MAX / PLAIN_BYTES
        : context > options->sampling.tokens ? context - options->sampling.tokens : context ? 1 : UNLIMITED;
    struct bytes              prefix = { 0 };
    struct slice              before, behind;
    int                       rc;

    *wanted = (struct slice){ text.at + element->at, element->end - element->at };
    if (!options->published) *wanted = first_of(*wanted, INCLUSION_WANTED);
    rc = options->published ? audit_mask_published(text, element, &prefix, &behind, err)
        : audit_mask_exact(text, element, &prefix, &behind, err);
    prompt->len = 0;
    if (rc == 0 && !mark) {
        before = last_of(bytes_slice(&prefix), tokens * PLAIN_BYTES);
        /* a space belongs to the token behind it: after one by itself hardly any model goes on as it would */
        while (!options->published && before.len && before.at[before.len - 1] == ' ') before.len--;
        if (bytes_append_slice(prompt, before) < 0) rc = err_memory(err, before.len, "a prompt");
    } else if (rc == 0) {
        before = last_of(bytes_slice(&prefix), tokens * PREFIX_BYTES / HALVES);
        behind = first_of(behind, tokens * SUFFIX_BYTES / HALVES);
        if (bytes_append_slice(prompt, slice_of(mark->prefix)) < 0 || bytes_append_slice(prompt, before) < 0 ||
            bytes_append_slice(prompt, slice_of(mark->suffix)) < 0 || bytes_append_slice(prompt, behind) < 0 ||
            bytes_append_slice(prompt, slice_of(mark->middle)) < 0)
            rc = err_memory(err, before.len + behind.len, "a prompt");
    }
    bytes_free(&prefix);
    return rc;
}

static bool in_name(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '$' ||
        (unsigned char)c >= 0x80;
}

struct slice inclusion_answer_of(const struct inclusion_options *options, enum audit_category role,
                                 struct slice wanted, struct slice output)
{
    size_t end = 0;

    if (options->published) return output;
    while (output.len && memchr(" \t\n", output.at[0], 3)) output.at++, output.len--;
    if (audit_is_name(role)) {
        while (end < output.len && in_name(output.at[end])) end++;
        return (struct slice){ output.at, end };
    }
    for (size_t i = 0; i < wanted.len; i++) {
        if (continues(wanted.at[i])) continue;
        if (end == output.len) break;
        do end++;
        while (end < output.len && continues(output.at[end]));
    }
    return (struct slice){ output.at, end };
}

/* ---- which elements ---- */

struct ordered { uint64_t hash; size_t place; };

static int ordered_compare(const void *a, const void *b)
{
    const struct ordered *x = a, *y = b;

    if (x->hash != y->hash) return x->hash < y->hash ? -1 : 1;
    return (x->place > y->place) - (x->place < y->place);
}

int inclusion_choose(struct audit_elements *elements, struct slice text, uint32_t most, struct err *err)
{
    struct ordered *order;
    bool           *chosen;
    size_t          kept = 0;

    if (!most || elements->count == 0) return 0;
    order = malloc(elements->count * sizeof *order);
    chosen = calloc(elements->count, sizeof *chosen);
    for (int c = 0; order && chosen && c < AUDIT_CATEGORIES; c++) {
        size_t count = 0;

        for (size_t i = 0; i < elements->count; i++) {
            const struct audit_element *e = &elements->at[i];

            if ((int)e->category != c) continue;
            order[count++] = (struct ordered){ XXH3_64bits_withSeed(text.at + e->at, e->end - e->at, e->at), i };
        }
        qsort(order, count, sizeof *order, ordered_compare);
        for (size_t i = 0; i < count && i < most; i++) chosen[order[i].place] = true;
    }
    for (size_t i = 0; order && chosen && i < elements->count; i++)
        if (chosen[i]) elements->at[kept++] = elements->at[i];
    if (order && chosen) elements->count = kept;
    free(order);
    free(chosen);
    return order && chosen ? 0 : err_memory(err, elements->count * sizeof *order, "elements of a file");
}
