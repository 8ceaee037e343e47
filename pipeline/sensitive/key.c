/* sensitive/key.c -- see key.h: the patterns.
 *
 * Most keys are, or begin with, a word of 20 or more letters, digits, `_` and `-`; most texts have few of those, and
 * most of their bytes are never looked at. The other keys have a mark that is searched for.  Strings in quotes are read
 * over the bytes of base64.  Words do not overlap and neither do strings, so the time is linear. */
#include "sensitive/key.h"

#include "sensitive/data.h"

#include <errno.h>
#include <stdlib.h>

/* longer words are no tokens */
enum { WORD_LEAST = 20, WORD_MOST = 256, AWS_SECRET = 40, JWT_PART = 10 };
/* bytes before a secret key that may speak of it */
enum { AWS_CONTEXT = 60 };

/* above which a string in quotes is a key, in bits a byte: as published */
static const double BASE64_ENTROPY = 4.5, HEX_ENTROPY = 3.0;

/* ---- bytes ---- */

/* As bits, because every byte of a text is asked: - and digits; capitals, _ and small letters. */
static const uint64_t key_bytes[4] = { 1ull << '-' | 0x3FFull << '0',
                                       0x3FFFFFFull << ('A' - 64) | 1ull << ('_' - 64) | 0x3FFFFFFull << ('a' - 64) };

static bool is_key_byte(char c) { return key_bytes[(unsigned char)c >> 6] >> ((unsigned char)c & 63) & 1; }
static bool is_alnum(char c) { return sensitive_is_alnum(c); }
static bool is_alnum_low(char c) { return sensitive_is_alnum(c) || c == '_'; }
static bool is_upper_digit(char c) { return sensitive_is_upper(c) || sensitive_is_digit(c); }
static bool is_lower_hex(char c) { return sensitive_is_digit(c) || (c >= 'a' && c <= 'f'); }
static bool is_hex(char c) { return is_lower_hex(c) || (c >= 'A' && c <= 'F'); }
static bool is_base64(char c) { return sensitive_is_alnum(c) || c == '+' || c == '/'; }
static bool is_quoted(char c) { return is_base64(c) || c == '=' || c == '_' || c == '-'; }

/* The bytes from `at` that belong, at most `most`. */
static size_t run_of(struct slice text, size_t at, size_t most, bool (*belongs)(char))
{
    size_t end = at;

    while (end < text.len && end - at < most && belongs(text.at[end])) end++;
    return end - at;
}

static bool begins(struct slice text, size_t at, const char *with)
{
    size_t len = strlen(with);

    return at <= text.len && text.len - at >= len && memcmp(text.at + at, with, len) == 0;
}

static struct slice part_of(struct slice text, size_t at, size_t len) { return (struct slice){ text.at + at, len }; }

/* ---- a word with a known beginning ---- */

/* name; what the word begins with; how many bytes of which kind follow.  Published lengths where services publish them,
 * else those of their plugins. */
static const struct key_pattern { const char *name, *prefix; bool (*belongs)(char); size_t least,
                                  most; } key_patterns[] = {
    { "aws", "AKIA", is_upper_digit, 16, 16 },     { "aws", "ASIA", is_upper_digit, 16, 16 },
    { "aws", "ABIA", is_upper_digit, 16, 16 },     { "aws", "ACCA", is_upper_digit, 16, 16 },
    { "aws", "A3T", is_upper_digit, 17, 17 },
    { "github", "ghp_", is_alnum, 36, 36 },        { "github", "gho_", is_alnum, 36, 36 },
    { "github", "ghu_", is_alnum, 36, 36 },        { "github", "ghs_", is_alnum, 36, 36 },
    { "github", "ghr_", is_alnum, 36, 36 },        { "github", "github_pat_", is_alnum_low, 82, 82 },
    { "gitlab", "glpat-", is_key_byte, 20, 64 },   { "gitlab", "gldt-", is_key_byte, 20, 64 },
    { "gitlab", "glrt-", is_key_byte, 20, 64 },    { "gitlab", "glft-", is_key_byte, 20, 64 },
    { "gitlab", "glsoat-", is_key_byte, 20, 64 },  { "gitlab", "glptt-", is_key_byte, 20, 64 },
    { "stripe", "sk_live_", is_alnum, 24, 247 },   { "stripe", "rk_live_", is_alnum, 24, 247 },
    { "twilio", "AC", is_lower_hex, 32, 32 },      { "twilio", "SK", is_lower_hex, 32, 32 },
    { "google", "AIza", is_key_byte, 35, 35 },
    { "npm", "npm_", is_alnum, 36, 36 },
    { "pypi", "pypi-AgEIcHlwaS5vcmc", is_key_byte, 70, 1000 },
    { "pypi", "pypi-AgENdGVzdC5weXBpLm9yZw", is_key_byte, 70, 1000 },
    { "square", "sq0csp-", is_key_byte, 43, 43 },  { "square", "sq0atp-", is_key_byte, 22, 22 },
};

/* A key in a text, and the part of it that is secret. */
struct key { const char *name; size_t at, len, secret_at, secret_len; };

static struct key key_whole(const char *name, size_t at, size_t prefix, size_t len)
{
    return (struct key){ name, at, len, at + prefix, len - prefix };
}

/* joined: in a name, where more may be joined to a key by - or _, which are bytes of some; it ends with the word, or
 * before such a sign. */
static bool find_pattern(struct slice text, size_t at, size_t len, bool joined, struct key *key)
{
    for (size_t p = 0; p < sizeof key_patterns / sizeof *key_patterns; p++) {
        const struct key_pattern *pattern = &key_patterns[p];
        size_t                    prefix, secret;

        if (*pattern->prefix != text.at[at]) continue;
        prefix = strlen(pattern->prefix);
        if (len < prefix + pattern->least || !begins(text, at, pattern->prefix)) continue;
        secret = run_of(text, at + prefix, pattern->most, pattern->belongs);
        if (secret < pattern->least) continue;
        if (prefix + secret != len && !(joined && !sensitive_is_alnum(text.at[at + prefix + secret]))) continue;
        *key = key_whole(pattern->name, at, prefix, prefix + secret);
        return true;
    }
    return false;
}

static bool find_prefixed(struct slice text, size_t at, size_t len, struct key *key)
{
    return find_pattern(text, at, len, false, key);
}

/* ---- other words ---- */

/* xox, one of a b o p r s, and at least one number before the rest: xoxb-123-456-AbC. */
static bool find_slack_token(struct slice text, size_t at, size_t len, struct key *key)
{
    size_t digits;

    if (len > WORD_MOST || !begins(text, at, "xox") || !strchr("abopsr", text.at[at + 3]) || text.at[at + 4] != '-')
        return false;
    digits = run_of(text, at + 5, len - 5, sensitive_is_digit);
    if (!digits || text.at[at + 5 + digits] != '-' || memchr(text.at + at, '_', len)) return false;
    *key = key_whole("slack", at, 5, len);
    return true;
}

/* https://hooks.slack.com/services/T…/B…/…: three names of letters, digits and `_`. */
static bool find_slack_hook(struct slice text, size_t at, size_t len, struct key *key)
{
    size_t end = at + len, secret = 0;

    if (!begins(text, end, "T")) return false;
    for (int part = 0; part < 3; part++) {
        size_t run = run_of(text, end, WORD_MOST, is_alnum_low);

        if (run < 8 || run == WORD_MOST || (part == 1 && text.at[end] != 'B') ||
            (part < 2 && !begins(text, end + run, "/")))
            return false;
        secret = end;
        end += run + (part < 2);
    }
    *key = (struct key){ "slack", at, end - at, secret, end - secret };
    return true;
}

/* SG, a dot, 22 bytes, a dot, 43 bytes. */
static bool find_sendgrid(struct slice text, size_t at, size_t len, struct key *key)
{
    if (run_of(text, at + len, 23, is_key_byte) != 22 || !begins(text, at + len + 22, ".") ||
        run_of(text, at + len + 23, 44, is_key_byte) != 43)
        return false;
    *key = key_whole("sendgrid", at, len, len + 66);
    return true;
}

/* 32 hexadecimal digits, -us and the number of a data centre. */
static bool find_mailchimp(struct slice text, size_t at, size_t len, struct key *key)
{
    if (len < 36 || len > 37 || !begins(text, at + 32, "-us") || run_of(text, at, 32, is_lower_hex) != 32 ||
        run_of(text, at + 35, len - 35, sensitive_is_digit) != len - 35) return false;
    *key = (struct key){ "mailchimp", at, len, at, 32 };
    return true;
}

/* AccountKey=, 64 bytes in base64. */
static bool find_azure(struct slice text, size_t at, size_t len, struct key *key)
{
    if (run_of(text, at + len, 87, is_base64) != 86 || !begins(text, at + len + 86, "==")) return false;
    *key = key_whole("azure", at + len, 0, 88);
    return true;
}

/* 24 to 26 bytes from M, N or O, a dot, 6, a dot, 27 to 38. */
static bool find_discord(struct slice text, size_t at, size_t len, struct key *key)
{
    size_t last;

    if (len < 24 || len > 26 || !strchr("MNO", text.at[at]) || !begins(text, at + len, ".") ||
        run_of(text, at + len + 1, 7, is_key_byte) != 6 ||
        !begins(text, at + len + 7, ".")) return false;
    last = run_of(text, at + len + 8, 39, is_key_byte);
    if (last < 27 || last > 38) return false;
    *key = (struct key){ "discord", at, len + 8 + last, at + len + 8, last };
    return true;
}

/* Three parts in base64url, the first of them JSON: RFC 7519 and RFC 7515, 7.1. */
static bool find_jwt(struct slice text, size_t at, size_t len, struct key *key)
{
    size_t middle, last;

    if (!begins(text, at, "eyJ") || !begins(text, at + len, ".")) return false;
    middle = run_of(text, at + len + 1, SENSITIVE_LONGEST, is_key_byte);
    if (middle < JWT_PART || !begins(text, at + len + 1 + middle, ".")) return false;
    last = run_of(text, at + len + 2 + middle, SENSITIVE_LONGEST, is_key_byte);
    if (last < JWT_PART || len + 2 + middle + last > SENSITIVE_LONGEST) return false;
    *key = (struct key){ "jwt", at, len + 2 + middle + last, at + len + 2 + middle, last };
    return true;
}

/* sk-, with T3BlbkFJ (OpenAI in base64) between at least 20 bytes on both sides. */
static bool find_openai(struct slice text, size_t at, size_t len, struct key *key)
{
    const char *mark;

    if (len < 3 + 20 + 8 + 20 || len > WORD_MOST || !begins(text, at, "sk-")) return false;
    mark = memmem(text.at + at + 23, len - 43, "T3BlbkFJ", 8);
    if (!mark) return false;
    *key = key_whole("openai", at, 3, len);
    return true;
}

/* Of a word at `at` of `len` bytes; those of the marks: of a mark. */
static bool (*const word_finders[])(struct slice, size_t, size_t, struct key *) =
    { find_prefixed, find_slack_token, find_mailchimp, find_discord, find_jwt, find_openai };

static const struct mark { const char *mark; bool (*find)(struct slice, size_t, size_t, struct key *); } marks[] = {
    { "https://hooks.slack.com/services/", find_slack_hook }, { "SG.", find_sendgrid }, { "AccountKey=", find_azure },
};

/* ---- strings in quotes ---- */

/* The secret of a pair of AWS keys: 40 bytes, and before them on their line `aws` and what such a thing is called. */
static bool is_aws_secret(struct slice text, size_t at, size_t len)
{
    static const char *const called[] = { "key", "secret", "pw", "pass", "token" };
    size_t                   from = at;

    if (len != AWS_SECRET || run_of(text, at, len, is_base64) != len) return false;
    while (from > 0 && at - from < AWS_CONTEXT && text.at[from - 1] != '\n') from--;
    if (!sensitive_mentions(part_of(text, from, at - from), "aws")) return false;
    for (size_t c = 0; c < sizeof called / sizeof *called; c++)
        if (sensitive_mentions(part_of(text, from, at - from), called[c])) return true;
    return false;
}

static bool judge_quoted(struct slice text, size_t at, size_t len, struct key *key)
{
    struct slice value = part_of(text, at, len);
    const char  *name = NULL;

    if (len < SENSITIVE_SHORTEST || len > SENSITIVE_LONGEST) return false;
    if (is_aws_secret(text, at, len)) name = "aws_secret";
    else if (sensitive_is_data(value) || sensitive_is_piece(text, at, at + len)) return false;
    else if (run_of(value, 0, len, is_hex) == len) name = sensitive_entropy(value) > HEX_ENTROPY ? "hex" : NULL;
    else if (sensitive_entropy(value) > BASE64_ENTROPY) name = "base64";
    if (name) *key = key_whole(name, at, 0, len);
    return name != NULL;
}

/* ---- filters ---- */

/* Of the text, once it is needed, and of the line that a key was found on last; off in a name. */
struct filter { bool off, known, hashes; size_t line_from, line_end; bool line_mentions; };

/* A file of hashes: `sha` or `hash` more often than in 2 % of its lines. */
static bool is_of_hashes(struct slice text)
{
    size_t lines = 0;

    for (size_t i = 0; i < text.len; i++) lines += text.at[i] == '\n';
    lines += text.len && text.at[text.len - 1] != '\n';
    return sensitive_mentions(text, "sha") * 50 > lines || sensitive_mentions(text, "hash") * 50 > lines;
}

static bool line_mentions_hash(struct filter *filter, struct slice text, size_t at)
{
    static const char *const words[] = { "sha", "md5", "hash", "byte", "githead", "commit", "revision", "integrity",
                                         "checksum", "digest", "fingerprint", "etag" };
    size_t                   from = at, end = at;

    if (at >= filter->line_from && at < filter->line_end) return filter->line_mentions;
    while (from > 0 && text.at[from - 1] != '\n') from--;
    while (end < text.len && text.at[end] != '\n') end++;
    filter->line_from = from;
    filter->line_end = end;
    filter->line_mentions = false;
    for (size_t w = 0; w < sizeof words / sizeof *words && !filter->line_mentions; w++)
        filter->line_mentions = sensitive_mentions(part_of(text, from, end - from), words[w]) > 0;
    return filter->line_mentions;
}

/* In hexadecimal digits: MD5, SHA-1, and SHA-2 of 224, 256, 384 and 512 bits. */
static bool is_hash_length(size_t len)
{
    return len == 32 || len == 40 || len == 56 || len == 64 || len == 96 || len == 128;
}

static int key_add(struct filter *filter, struct slice text, const struct key *key, struct bytes *out)
{
    struct sensitive_match match = { SENSITIVE_KEY, (uint32_t)key->at, (uint32_t)key->len, key->name };

    if (!sensitive_is_gibberish(part_of(text, key->secret_at, key->secret_len))) return 0;
    if (filter->off) return bytes_append(out, &match, sizeof match);
    if (is_hash_length(key->len) && line_mentions_hash(filter, text, key->at)) return 0;
    if (!filter->known) filter->hashes = is_of_hashes(text);
    filter->known = true;
    return filter->hashes ? 0 : bytes_append(out, &match, sizeof match);
}

/* ---- all ---- */

/* Those of a word of a name that begin behind a sign, or end before one. */
static int find_words_joined(struct filter *filter, struct slice text, size_t at, size_t end, struct bytes *out)
{
    for (size_t from = at; from < end;) {
        struct key key;

        if (find_pattern(text, from, end - from, true, &key)) {
            if (key_add(filter, text, &key, out) < 0) return -ENOMEM;
            from += key.len;
        }
        while (from < end && sensitive_is_alnum(text.at[from])) from++;
        from++;
    }
    return 0;
}

/* Before `at` there is always an end of a word, or of the text: a long word from there on has the byte that many bytes
 * ahead. */
static int find_words(struct filter *filter, struct slice text, struct bytes *out)
{
    size_t at = 0;

    while (text.len - at >= WORD_LEAST) {
        size_t     start = at + WORD_LEAST - 1, end = start + 1;
        struct key key;

        if (!is_key_byte(text.at[start])) {
            at = end;
            continue;
        }
        while (start > at && is_key_byte(text.at[start - 1])) start--;
        if (start > at) {
            at = start;
            continue;
        }
        while (end < text.len && is_key_byte(text.at[end])) end++;
        for (size_t f = 0; f < sizeof word_finders / sizeof *word_finders; f++) {
            if (!word_finders[f](text, at, end - at, &key)) continue;
            if (key_add(filter, text, &key, out) < 0) return -ENOMEM;
            break;
        }
        if (filter->off && find_words_joined(filter, text, at, end, out) < 0) return -ENOMEM;
        at = end + (end < text.len);
    }
    return 0;
}

static int find_marked(struct filter *filter, struct slice text, struct bytes *out)
{
    for (size_t m = 0; m < sizeof marks / sizeof *marks; m++) {
        size_t      len = strlen(marks[m].mark), from = 0;
        const char *mark;

        while (from < text.len && (mark = memmem(text.at + from, text.len - from, marks[m].mark, len))) {
            size_t     at = (size_t)(mark - text.at);
            struct key key;

            from = at + len;
            if (at > 0 && is_key_byte(text.at[at - 1])) continue;
            if (marks[m].find(text, at, len, &key) && key_add(filter, text, &key, out) < 0) return -ENOMEM;
        }
    }
    return 0;
}

/* *at: behind the next byte of a kind from `from` on, kept until it is passed; without one, behind the text. */
static void pass_to(struct slice text, size_t from, char byte, size_t *at)
{
    const char *next;

    if (*at > from) return;
    next = from < text.len ? memchr(text.at + from, byte, text.len - from) : NULL;
    *at = next ? (size_t)(next - text.at) + 1 : text.len + 1;
}

/* A string is what stands between two quotes of one kind, all of it bytes of base64; those with a key in them that is
 * told already are passed over. */
static int find_quoted(struct filter *filter, struct slice text, struct bytes *out, size_t first, size_t count)
{
    size_t from = 0, single = 0, both = 0, word = 0;        /* single, both: behind the next ' and the next " */

    for (;;) {
        struct key key;
        size_t     at, end;

        pass_to(text, from, '\'', &single);
        pass_to(text, from, '"', &both);
        at = end = single < both ? single : both;
        if (at > text.len) return 0;
        while (end < text.len && is_quoted(text.at[end])) end++;
        if (end < text.len && text.at[end] == text.at[at - 1] && judge_quoted(text, at, end - at, &key)) {
            /* out grows */
            const struct sensitive_match *match = count
                ? (const struct sensitive_match *)(const void *)(out->at + first) : NULL;

            while (word < count && (uint64_t)match[word].at + match[word].len <= at) word++;
            if (!(word < count && match[word].at < end) && key_add(filter, text, &key, out) < 0) return -ENOMEM;
        }
        /* the closing quote may open the next one: nobody knows which it is */
        from = end;
    }
}

static int match_order(const void *a, const void *b)
{
    const struct sensitive_match *x = a, *y = b;

    return (x->at > y->at) - (x->at < y->at);
}

int sensitive_find_keys(struct slice text, bool named, struct bytes *out)
{
    const size_t  first = out->len;
    struct filter filter = { .off = named };
    size_t        count;

    if (find_words(&filter, text, out) < 0 || find_marked(&filter, text, out) < 0) return -ENOMEM;
    if (named) return 0;
    count = (out->len - first) / sizeof(struct sensitive_match);
    if (count) qsort(out->at + first, count, sizeof(struct sensitive_match), match_order);
    return find_quoted(&filter, text, out, first, count);
}
