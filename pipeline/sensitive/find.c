/* sensitive/find.c -- see sensitive.h: e-mail and IP addresses.
 *
 * An address stands between ends of the text, white space and , ; : ! ? ( ) ' " . < >.  Each is found from a byte that
 * it must have, `@` or a digit before a dot or a colon, and read to both sides over the bytes that it may have.  Such
 * runs do not overlap, so no byte is read more than a few times. */
#include "sensitive/key.h"

#include "base/utf8.h"

#include <arpa/inet.h>
#include <errno.h>
#include <stdlib.h>

const char *const sensitive_names[SENSITIVE_KINDS] = { "email", "ip", "key" };

/* RFC 5321, 4.5.3.1: of an address's two parts; of an IPv6 address as text */
enum { LOCAL_MOST = 64, DOMAIN_MOST = 255, IP_MOST = 45, CONTEXT = 100 };

/* ---- bytes ---- */

static bool is_border(char c) { return (unsigned char)c <= ' ' || strchr(",;:!?()'\".<>", c) != NULL; }
static bool is_letter(char c) { return sensitive_is_lower(c) || sensitive_is_upper(c) || (unsigned char)c >= 0x80; }
static bool is_word(char c) { return is_letter(c) || sensitive_is_digit(c) || c == '_'; }
static bool is_host(char c) { return is_word(c) || c == '-' || c == '.'; }
static bool is_hex(char c) { return sensitive_is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }
static bool is_ip(char c) { return is_hex(c) || c == ':' || c == '.'; }

/* What may be in an address before its @: RFC 5322, atext and the dot.  NUL is not in the list, although strchr would
 * find it. */
static bool is_local_part(char c) { return is_word(c) || (c && strchr(".!#$%&'*+-/=?^`{|}~", c) && !strchr("!?'", c)); }

static bool border_before(struct slice text, size_t at) { return at == 0 || is_border(text.at[at - 1]); }
static bool border_at(struct slice text, size_t at) { return at >= text.len || is_border(text.at[at]); }

static int match_add(struct bytes *out, enum sensitive_kind kind, size_t at, size_t end)
{
    struct sensitive_match match = { (uint32_t)kind, (uint32_t)at, (uint32_t)(end - at), "" };

    return bytes_append(out, &match, sizeof match);
}

/* ---- e-mail ---- */

/* Where an address ends whose domain starts at `at`: behind a dot, a letter and at least one more letter, digit or `_`,
 * before a border; the last such place. 0: nowhere.  *run is where the bytes of host names end. */
static size_t domain_end(struct slice text, size_t at, size_t *run)
{
    size_t word;                                            /* end of the letters and digits around i */

    for (*run = at; *run < text.len && is_host(text.at[*run]); ++*run) continue;
    if (*run - at > DOMAIN_MOST) return 0;
    word = *run;
    for (size_t i = *run; i > at; i--) {
        char c = text.at[i - 1];

        if (c == '.' && i - 1 > at && text.at[i - 2] != '.' && word >= i + 2 && is_letter(text.at[i]) &&
            border_at(text, word))
            return word;
        if (!is_word(c)) word = i - 1;
    }
    return 0;
}

static int find_emails(struct slice text, struct bytes *out)
{
    const char *sign;
    size_t      from = 0;                                   /* no address starts before it */

    while (from < text.len && (sign = memchr(text.at + from, '@', text.len - from))) {
        size_t at = (size_t)(sign - text.at), start = at, run = at + 1, end = 0;

        while (start > from && is_local_part(text.at[start - 1])) start--;
        if (start < at && at - start <= LOCAL_MOST && border_before(text, start)) end = domain_end(text, at + 1, &run);
        if (end && end - start >= SENSITIVE_SHORTEST && match_add(out, SENSITIVE_EMAIL, start, end) < 0) return -ENOMEM;
        from = end ? end : at + 1;
    }
    return 0;
}

/* ---- IP ---- */

static bool parses(struct slice ip, int family, unsigned char out[16])
{
    char text[IP_MOST + 1];

    if (ip.len > IP_MOST) return false;
    memcpy(text, ip.at, ip.len);
    text[ip.len] = 0;
    return inet_pton(family, text, out) == 1;
}

/* Day, month and year or the other way round, of two digits each: 24.12.19.3. */
static bool is_date_like(const unsigned char octet[4])
{
    for (int i = 0; i < 3; i++)
        if (octet[i] < 10 || octet[i] > 99) return false;
    return octet[1] <= 12 && (octet[0] <= 31 || octet[2] <= 31);
}

/* Four single digits are a version, unless somebody speaks of name servers. */
static bool is_version_like(struct slice text, size_t at, size_t end)
{
    size_t       from = at > CONTEXT ? at - CONTEXT : 0, until = text.len - end > CONTEXT ? end + CONTEXT : text.len;
    struct slice context = { text.at + from, until - from };

    return end - at == 7 && !sensitive_mentions(context, "dns") && !sensitive_mentions(context, "server");
}

/* A run of digits and dots, or of hexadecimal digits, colons and dots. */
static int take_run(struct slice text, size_t at, size_t end, int family, struct bytes *out)
{
    unsigned char address[16];
    bool          digit = false;

    while (end > at && text.at[end - 1] == '.') end--;      /* the end of a sentence */
    while (at < end && text.at[at] == '.') at++;
    if (family == AF_INET6 && end - at > 2 && text.at[end - 1] == ':' && text.at[end - 2] != ':') end--;
    if (end - at < SENSITIVE_SHORTEST || end - at > IP_MOST || !border_before(text, at) || !border_at(text, end))
        return 0;
    if (!parses((struct slice){ text.at + at, end - at }, family, address)) return 0;
    for (size_t i = at; i < end; i++) digit |= sensitive_is_digit(text.at[i]);
    if (!digit || (family == AF_INET && (is_date_like(address) || is_version_like(text, at, end)))) return 0;
    return match_add(out, SENSITIVE_IP, at, end);
}

static bool is_dotted(char c) { return sensitive_is_digit(c) || c == '.'; }

/* Addresses of one family: from each sign between what may be in them, the run of such bytes. */
static int find_ips(struct slice text, int family, struct bytes *out)
{
    const char sign = family == AF_INET ? '.' : ':';
    bool     (*belongs)(char) = family == AF_INET ? is_dotted : is_ip;
    const char *found;
    size_t      from = 0;

    while (from < text.len && (found = memchr(text.at + from, sign, text.len - from))) {
        size_t start = (size_t)(found - text.at), end = start + 1;

        while (end < text.len && belongs(text.at[end])) end++;
        if (end - start >= 2) {                             /* no address ends with the first sign */
            while (start > from && belongs(text.at[start - 1])) start--;
            if (take_run(text, start, end, family, out) < 0) return -ENOMEM;
        }
        from = end;
    }
    return 0;
}

bool sensitive_is_local(struct slice ip)
{
    static const unsigned char mapped[12] = { [10] = 0xFF, [11] = 0xFF };
    unsigned char              b[16];

    if (parses(ip, AF_INET6, b)) {
        if (memcmp(b, mapped, sizeof mapped) != 0)
            /* unique local, multicast, link-local and site-local */
            return (b[0] & 0xFE) == 0xFC || b[0] == 0xFF || (b[0] == 0xFE && b[1] >= 0x80) ||
                   /* unspecified, loopback */
                   (memcmp(b, (const unsigned char[15]){ 0 }, 15) == 0 && b[15] <= 1);
        memmove(b, b + 12, 4);
    } else if (!parses(ip, AF_INET, b)) return false;
    return b[0] == 0 || b[0] == 10 || b[0] == 127 || b[0] >= 224 || (b[0] == 169 && b[1] == 254) ||
        (b[0] == 172 && b[1] >= 16 && b[1] < 32) ||
           (b[0] == 192 && b[1] == 168);
}

/* ---- all ---- */

static int match_order(const void *a, const void *b)
{
    const struct sensitive_match *x = a, *y = b;

    if (x->at != y->at) return x->at < y->at ? -1 : 1;
    if (x->len != y->len) return x->len > y->len ? -1 : 1;
    return (x->kind > y->kind) - (x->kind < y->kind);
}

int sensitive_find(struct slice text, struct bytes *out, struct err *err)
{
    const size_t            before = out->len;
    struct sensitive_match *match;
    size_t                  count, kept = 0;
    uint64_t                ip_end = 0;

    if (find_emails(text, out) < 0 || find_ips(text, AF_INET, out) < 0 || find_ips(text, AF_INET6, out) < 0 ||
        sensitive_find_keys(text, out) < 0)
        return err_memory(err, text.len, "sensitive strings");
    count = (out->len - before) / sizeof *match;
    if (!count) return 0;
    match = (struct sensitive_match *)(void *)(out->at + before);
    qsort(match, count, sizeof *match, match_order);
    for (size_t i = 0; i < count; i++) {
        /* an IPv4 address at the end of an IPv6 one */
        if (match[i].kind == SENSITIVE_IP && match[i].at < ip_end) continue;
        if (match[i].kind == SENSITIVE_IP) ip_end = (uint64_t)match[i].at + match[i].len;
        match[kept++] = match[i];
    }
    out->len = before + kept * sizeof *match;
    return 0;
}

/* ---- masks ---- */

/* The character of UTF-8 at the value's beginning or end, else U+FFFD. */
static int mask_add(struct slice value, bool last, struct bytes *out)
{
    for (size_t len = 1; len <= 4 && len <= value.len; len++) {
        struct slice character = { value.at + (last ? value.len - len : 0), len };

        if (utf8_valid_length(character) != len || ((unsigned char)*character.at & 0xC0) == 0x80) continue;
        return *character.at ? bytes_append_slice(out, character) : bytes_append_slice(out, SLICE("\xEF\xBF\xBD"));
    }
    return bytes_append_slice(out, SLICE("\xEF\xBF\xBD"));
}

int sensitive_mask(struct slice value, struct bytes *out)
{
    if (mask_add(value, false, out) < 0 || bytes_append_slice(out, SLICE("\xE2\x80\xA6")) < 0 ||
        mask_add(value, true, out) < 0)
        return -ENOMEM;
    return bytes_printf(out, " (%zu)", value.len);
}
