/* model/tokenizer_read.c -- tokenizer.json, checked and made ready: see tokenizer.h.
 *
 * `truncation`, `padding` and `post_processor` say nothing about a text's own tokens, and `decoder` is for the way
 * back. */
#include "model/tokenizer_private.h"

#include "base/file.h"
#include "base/utf8.h"
#include "code/lexing.h"
#include "model/json_nul.h"

#define XXH_INLINE_ALL
#include <cjson/cJSON.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <unistd.h>
#include <xxhash.h>

enum {
    FILE_MOST = 1 << 28, ADDED_MOST = 1 << 14, DEPTH_MOST = 8,
    COMPOSED_MOST = 3                                       /* times the bytes of a text it has composed (UAX 15) */
};

static const char gpt2_pattern[] =
    "'s|'t|'re|'ve|'m|'ll|'d| ?\\p{L}+| ?\\p{N}+| ?[^\\s\\p{L}\\p{N}]+|\\s+(?!\\S)|\\s+";

/* ---- JSON ---- */

static const cJSON *member(const cJSON *object, const char *name)
{
    return cJSON_GetObjectItemCaseSensitive(object, name);
}

static const char *text_of(const cJSON *object, const char *name)
{
    return cJSON_GetStringValue(member(object, name));
}

static bool is_type(const cJSON *object, const char *type)
{
    const char *said = text_of(object, "type");

    return said && strcmp(said, type) == 0;
}

static bool is_absent(const cJSON *value) { return !value || cJSON_IsNull(value); }

static int refuse(struct err *err, const char *what) { return err_set(err, -EBADMSG, "%s", what); }

static int refuse_type(struct err *err, const char *place, const cJSON *object)
{
    const char *said = text_of(object, "type");

    return err_set(err, -EBADMSG, "%s of type %.60s is not read", place, said ? said : "(none)");
}

/* An id, or false. */
static bool id_take(const cJSON *value, uint32_t *out)
{
    if (!cJSON_IsNumber(value) || !(value->valuedouble >= 0 && value->valuedouble < TABLE_NONE) ||
        value->valuedouble != floor(value->valuedouble)) return false;
    *out = (uint32_t)value->valuedouble;
    return true;
}

/* ---- the vocabulary ---- */

static XXH128_hash_t hash_of(struct slice text) { return XXH3_128bits(text.at, text.len); }

uint32_t tokenizer_find(const struct tokenizer *tokenizer, struct slice spelt)
{
    const XXH128_hash_t hash = hash_of(spelt);

    return table_find(&tokenizer->words, hash.low64, hash.high64);
}

static int words_read(struct tokenizer *t, const cJSON *vocabulary, struct err *err)
{
    const cJSON *item;

    if (!cJSON_IsObject(vocabulary)) return refuse(err, "`model.vocab` is no object of tokens");
    cJSON_ArrayForEach(item, vocabulary) {
        const XXH128_hash_t hash = hash_of(slice_of(item->string));
        uint32_t            id;
        bool                is_new;

        if (!id_take(item, &id)) return err_set(err, -EBADMSG, "token `%.60s` has no number", item->string);
        if (table_put(&t->words, hash.low64, hash.high64, id, &is_new) == TABLE_NONE)
            return err_memory(err, t->words.count, "a vocabulary");
        if (!is_new) return err_set(err, -EBADMSG, "token `%.60s` stands there twice", item->string);
    }
    return 0;
}

/* Bytes are spelt as characters that can be printed: those that are some as themselves, the others from U+0100 on. */
static int bytes_read(struct tokenizer *t, struct err *err)
{
    uint32_t other = 0x100;

    for (uint32_t b = 0; b < 256; b++) {
        const bool printed = (b >= '!' && b <= '~') || (b >= 0xA1 && b != 0xAD);
        char       spelt[4], *end;

        t->spelling[b] = printed ? b : other++;
        end = unicode_encode(t->spelling[b], spelt);
        t->byte[b] = tokenizer_find(t, (struct slice){ spelt, (size_t)(end - spelt) });
        if (t->byte[b] == TABLE_NONE)
            return err_set(err, -EBADMSG, "no token is byte 0x%02X: its BPE is not of bytes", (unsigned)b);
    }
    return 0;
}

/* ---- what is joined ---- */

/* "a b", or ["a", "b"]. */
static bool pair_take(const cJSON *item, struct slice *left, struct slice *right)
{
    const char *text = cJSON_GetStringValue(item), *space = text ? strchr(text, ' ') : NULL;

    if (text) {
        *left = (struct slice){ text, space ? (size_t)(space - text) : 0 };
        *right = slice_of(space ? space + 1 : NULL);
        return space && !strchr(right->at, ' ');
    }
    *left = slice_of(cJSON_GetStringValue(cJSON_GetArrayItem(item, 0)));
    *right = slice_of(cJSON_GetStringValue(cJSON_GetArrayItem(item, 1)));
    return cJSON_IsArray(item) && cJSON_GetArraySize(item) == 2 && left->at && right->at;
}

/* A pair that stands there twice has the later place. */
static int merge_read(struct tokenizer *t, const cJSON *item, uint32_t place, struct bytes *joined, struct err *err)
{
    struct slice left, right;
    uint32_t     a, b, both, known;
    bool         is_new;

    if (!pair_take(item, &left, &right)) return err_set(err, -EBADMSG, "merge %u is no pair of tokens", place + 1);
    joined->len = 0;
    if (bytes_append_slice(joined, left) < 0 || bytes_append_slice(joined, right) < 0)
        return err_memory(err, left.len + right.len, "a token");
    a = tokenizer_find(t, left);
    b = tokenizer_find(t, right);
    both = tokenizer_find(t, bytes_slice(joined));
    if (a == TABLE_NONE || b == TABLE_NONE || both == TABLE_NONE) {
        const struct slice wrong = a == TABLE_NONE ? left : b == TABLE_NONE ? right : bytes_slice(joined);

        return err_set(err, -EBADMSG, "merge %u is of what is no token: `%.*s`", place + 1,
                       (int)(wrong.len < 60 ? wrong.len : 60), wrong.at);
    }
    known = table_put(&t->merges, (uint64_t)a << 32 | b, 0, place, &is_new);
    if (known == TABLE_NONE) return err_memory(err, t->merges.count, "merges");
    t->merged[place] = both;
    return 0;
}

/* From the last to the first, as the table keeps what was there. */
static int merges_read(struct tokenizer *t, const cJSON *merges, struct err *err)
{
    const cJSON *item = merges ? merges->child : NULL;
    const size_t count = cJSON_IsArray(merges) ? (size_t)cJSON_GetArraySize(merges) : 0;
    struct bytes joined = { 0 };
    int          rc = 0;

    if (!cJSON_IsArray(merges)) return refuse(err, "`model.merges` is no list");
    t->merged = calloc(count + 1, sizeof *t->merged);
    if (!t->merged) return err_memory(err, count * sizeof *t->merged, "merges");
    item = count ? item->prev : NULL;                       /* of the first, cJSON's `prev` is the last */
    for (size_t place = count; place-- > 0 && rc == 0; item = item->prev) {
        const char *text = cJSON_GetStringValue(item);

        if (text && strncmp(text, "#version", 8) == 0) continue;
        rc = merge_read(t, item, (uint32_t)place, &joined, err);
    }
    bytes_free(&joined);
    return rc;
}

/* ---- the model ---- */

static int model_read(struct tokenizer *t, const cJSON *model, struct err *err)
{
    static const char *const affixes[] = { "continuing_subword_prefix", "end_of_word_suffix" };
    const char              *type = text_of(model, "type");
    const cJSON             *dropout = member(model, "dropout");
    int                      rc;

    if (!cJSON_IsObject(model)) return refuse(err, "has no `model`: it is no tokenizer.json");
    if (type ? strcmp(type, "BPE") != 0 : !member(model, "merges")) return refuse_type(err, "a `model`", model);
    if (!is_absent(dropout) && !(cJSON_IsNumber(dropout) && dropout->valuedouble <= 0))
        return refuse(err, "`model.dropout` has it cut texts by chance");
    for (size_t i = 0; i < sizeof affixes / sizeof *affixes; i++) {
        const cJSON *affix = member(model, affixes[i]);

        if (!is_absent(affix) && !(cJSON_IsString(affix) && !affix->valuestring[0]))
            return err_set(err, -EBADMSG, "`model.%s` is not read", affixes[i]);
    }
    t->whole = cJSON_IsTrue(member(model, "ignore_merges"));
    rc = words_read(t, member(model, "vocab"), err);
    if (rc == 0) rc = bytes_read(t, err);
    return rc < 0 ? rc : merges_read(t, member(model, "merges"), err);
}

/* ---- what goes before ---- */

static int normalizer_read(struct tokenizer *t, const cJSON *normalizer, int depth, struct err *err)
{
    const cJSON *item;
    int          rc = 0;

    if (is_absent(normalizer)) return 0;
    if (is_type(normalizer, "NFC")) t->composes = true;
    else if (is_type(normalizer, "Sequence") && depth < DEPTH_MOST) {
        cJSON_ArrayForEach(item, member(normalizer, "normalizers"))
            if ((rc = normalizer_read(t, item, depth + 1, err)) < 0) return rc;
    } else return refuse_type(err, "a `normalizer`", normalizer);
    return 0;
}

static int step_add(struct tokenizer *t, struct slice pattern, enum step_keep keep, bool invert, struct err *err)
{
    struct step step = { .keep = keep, .invert = invert };
    int         rc = 0;

    if (t->steps == TOKENIZER_STEPS) return refuse(err, "`pre_tokenizer` has too many steps");
    if (keep != STEP_SPACED) rc = pattern_open(&step.pattern, pattern, err);
    if (rc == 0) t->step[t->steps++] = step;
    return rc;
}

/* A text that stands for itself, as a pattern. */
static int quoted_add(struct tokenizer *t, const char *text, enum step_keep keep, bool invert, struct err *err)
{
    struct bytes pattern = { 0 };
    int          rc = 0;

    for (; *text && rc == 0; text++)
        if ((strchr("\\^$.|?*+()[]{}", *text) && bytes_append(&pattern, "\\", 1) < 0) ||
            bytes_append(&pattern, text, 1) < 0) rc = err_memory(err, pattern.len, "a pattern");
    if (rc == 0 && pattern.len) rc = step_add(t, bytes_slice(&pattern), keep, invert, err);
    bytes_free(&pattern);
    return rc;
}

static int split_read(struct tokenizer *t, const cJSON *split, struct err *err)
{
    const cJSON *pattern = member(split, "pattern");
    const char  *regex = text_of(pattern, "Regex"), *text = text_of(pattern, "String"),
                *behaviour = text_of(split, "behavior");
    const bool   invert = cJSON_IsTrue(member(split, "invert"));
    enum step_keep keep;

    if (!behaviour || (!regex && !text)) return refuse(err, "a Split without `pattern` or `behavior`");
    if (strcmp(behaviour, "Isolated") == 0) keep = STEP_ISOLATED;
    else if (strcmp(behaviour, "Removed") == 0) keep = STEP_REMOVED;
    else if (strcmp(behaviour, "Contiguous") == 0) keep = STEP_CONTIGUOUS;
    else return err_set(err, -EBADMSG, "a Split with behavior %.40s is not read", behaviour);
    return text ? quoted_add(t, text, keep, invert, err) : step_add(t, slice_of(regex), keep, invert, err);
}

/* *level: the bytes are spelt, which is the last that is read. */
static int pre_tokenizer_read(struct tokenizer *t, const cJSON *pre, bool *level, int depth, struct err *err)
{
    const cJSON *item;
    int          rc = 0;

    if (*level) return refuse(err, "`pre_tokenizer` has a step behind ByteLevel, which is not read");
    if (is_type(pre, "Sequence") && depth < DEPTH_MOST) {
        cJSON_ArrayForEach(item, member(pre, "pretokenizers"))
            if ((rc = pre_tokenizer_read(t, item, level, depth + 1, err)) < 0) return rc;
        return 0;
    }
    if (is_type(pre, "Split")) return split_read(t, pre, err);
    if (is_type(pre, "Digits"))
        return step_add(t, SLICE("\\p{N}"), cJSON_IsTrue(member(pre, "individual_digits")) ? STEP_ISOLATED
                        : STEP_CONTIGUOUS, false, err);
    if (!is_type(pre, "ByteLevel")) return refuse_type(err, "a `pre_tokenizer`", pre);
    *level = true;
    if (cJSON_IsTrue(member(pre, "add_prefix_space"))) rc = step_add(t, SLICE(""), STEP_SPACED, false, err);
    if (rc == 0 && !cJSON_IsFalse(member(pre, "use_regex")))
        rc = step_add(t, slice_of(gpt2_pattern), STEP_ISOLATED, false, err);
    return rc;
}

/* ---- added tokens ---- */

static int by_byte_longest(const void *a, const void *b)
{
    const struct added *x = a, *y = b;

    if (*x->content.at != *y->content.at) return (unsigned char)*x->content.at < (unsigned char)*y->content.at ? -1 : 1;
    if (x->content.len != y->content.len) return x->content.len > y->content.len ? -1 : 1;
    return memcmp(x->content.at, y->content.at, x->content.len);
}

/* The text becomes our own, for which there is room, and is composed where it is found in composed texts. */
static int content_keep(struct tokenizer *t, bool composed, struct slice *content, struct err *err)
{
    struct composer composer = { .count = 0 };
    const int       rc = composed ? compose_text(&composer, *content) : 0;
    char           *own = t->contents.at + t->contents.len;

    if (rc == 1) *content = bytes_slice(&composer.text);
    memcpy(own, content->at, content->len);
    t->contents.len += content->len;
    content->at = own;
    composer_free(&composer);
    return rc < 0 ? err_memory(err, content->len, "an added token") : 0;
}

static int added_read(struct tokenizer *t, const cJSON *item, struct err *err)
{
    const int         behind = cJSON_IsTrue(member(item, "normalized"));
    struct added_set *set = &t->added[behind];
    struct added      added = { .content = slice_of(text_of(item, "content")),
                                .left = cJSON_IsTrue(member(item, "lstrip")),
                                .right = cJSON_IsTrue(member(item, "rstrip")) };

    if (!added.content.at || !id_take(member(item, "id"), &added.id))
        return refuse(err, "an added token without `content` or `id`");
    if (!added.content.len) return 0;
    if (cJSON_IsTrue(member(item, "single_word")))
        return err_set(err, -EBADMSG, "added token `%.60s` with single_word is not read", added.content.at);
    if (set->count == ADDED_MOST) return refuse(err, "too many added tokens");
    if (tokenizer_find(t, added.content) != TABLE_NONE) added.id = tokenizer_find(t, added.content);
    if (content_keep(t, behind && t->composes, &added.content, err) < 0) return err->code;
    if (ARRAY_GROW(set->at, set->room, set->count) < 0) return err_memory(err, set->count, "added tokens");
    set->at[set->count++] = added;
    return 0;
}

/* In the order that searching takes them in. */
static int added_ready(struct added_set *set, struct err *err)
{
    size_t b = 0;

    if (set->count) qsort(set->at, set->count, sizeof *set->at, by_byte_longest);
    for (size_t i = 0; i < set->count; i++) {
        const struct slice content = set->at[i].content;

        if (i && slice_equal(content, set->at[i - 1].content))
            return err_set(err, -EBADMSG, "added token `%.*s` stands there twice", (int)content.len, content.at);
        while (b <= (unsigned char)*content.at) set->first[b++] = i;
    }
    while (b <= 256) set->first[b++] = set->count;
    return 0;
}

static int added_all(struct tokenizer *t, const cJSON *list, struct err *err)
{
    const cJSON *item;
    size_t       bytes = 0;
    int          rc = 0;

    if (!is_absent(list) && !cJSON_IsArray(list)) return refuse(err, "`added_tokens` is no list");
    cJSON_ArrayForEach(item, list) bytes += slice_of(text_of(item, "content")).len;
    if (bytes_reserve(&t->contents, COMPOSED_MOST * bytes) < 0) return err_memory(err, bytes, "added tokens");
    cJSON_ArrayForEach(item, list)
        if ((rc = added_read(t, item, err)) < 0) return rc;
    rc = added_ready(&t->added[0], err);
    return rc < 0 ? rc : added_ready(&t->added[1], err);
}

/* ---- the file ---- */

static int tree_read(struct tokenizer *t, const cJSON *tree, struct err *err)
{
    const cJSON *pre = member(tree, "pre_tokenizer");
    bool         level = false;
    int          rc = model_read(t, member(tree, "model"), err);

    if (rc == 0) rc = normalizer_read(t, member(tree, "normalizer"), 0, err);
    if (rc == 0 && is_absent(pre)) rc = refuse(err, "has no `pre_tokenizer`: its BPE is not of bytes");
    if (rc == 0) rc = pre_tokenizer_read(t, pre, &level, 0, err);
    if (rc == 0 && !level) rc = refuse(err, "`pre_tokenizer` has no ByteLevel: its BPE is not of bytes");
    return rc < 0 ? rc : added_all(t, member(tree, "added_tokens"), err);
}

int tokenizer_parse(struct tokenizer **out, const char *name, struct slice text, struct err *err)
{
    struct tokenizer  *t = calloc(1, sizeof *t);
    const XXH64_hash_t hash = XXH3_64bits(text.at, text.len);
    cJSON             *tree = NULL;
    int                rc = 0;

    *out = NULL;
    if (!t) return err_memory(err, sizeof *t, "a tokenizer");
    t->key = unit_key_add((struct unit_key){ 0 }, &hash, sizeof hash);
    if (utf8_valid_length(text) != text.len || json_has_nul(text))
        rc = refuse(err, "is no JSON in UTF-8, or has a NUL");
    else if (!(tree = cJSON_ParseWithLength(text.at, text.len))) rc = refuse(err, "is no JSON");
    else rc = tree_read(t, tree, err);
    cJSON_Delete(tree);
    if (rc == 0) *out = t;
    else {
        tokenizer_close(t);
        err_add(err, "%s", name);
    }
    return rc;
}

int tokenizer_open(struct tokenizer **out, const char *path, struct err *err)
{
    struct bytes text = { 0 };
    const int    file = file_open(path, O_RDONLY);
    ssize_t      got = 1;
    int          rc = file < 0 ? err_set(err, -errno, "%s: %s", path, strerror(errno)) : 0;

    *out = NULL;
    while (rc == 0 && got > 0) {
        if (bytes_reserve(&text, text.len + (1 << 20)) < 0) rc = err_memory(err, text.len, "a tokenizer");
        else if ((got = file_read(file, text.at + text.len, 1 << 20)) < 0)
            rc = err_set(err, -EIO, "%s: cannot read: %s", path, strerror(errno));
        else if ((text.len += (size_t)got) > FILE_MOST) rc = err_set(err, -EBADMSG, "%s: is too large", path);
    }
    if (file >= 0) close(file);
    if (rc == 0) rc = tokenizer_parse(out, path, bytes_slice(&text), err);
    bytes_free(&text);
    return rc;
}

void tokenizer_close(struct tokenizer *tokenizer)
{
    if (!tokenizer) return;
    table_free(&tokenizer->merges);
    table_free(&tokenizer->words);
    for (size_t i = 0; i < tokenizer->steps; i++) pattern_close(tokenizer->step[i].pattern);
    for (int i = 0; i < 2; i++) free(tokenizer->added[i].at);
    free(tokenizer->merged);
    bytes_free(&tokenizer->contents);
    free(tokenizer);
}

uint32_t tokenizer_vocabulary(const struct tokenizer *tokenizer) { return (uint32_t)tokenizer->words.count; }

struct unit_key tokenizer_key(const struct tokenizer *tokenizer) { return tokenizer->key; }
