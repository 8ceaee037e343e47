/* sensitive/find.c -- see sensitive.h: e-mail and IP addresses.
 *
 * An address stands between ends of the text, white space and , ; : ! ? ( ) ' " . < > and Unicode's spaces and marks;
 * behind it, also what stands for one of them in Perl's pod (`E<gt>`) and HTML (`&gt;`).  Each is found from a byte
 * that it must have, `@` or a digit before a dot or a colon, and read to both sides over the bytes that it may have.
 * Such runs do not overlap, so no byte is read more than a few times. */
#include "sensitive/key.h"

#include "base/utf8.h"

#include <arpa/inet.h>
#include <errno.h>
#include <stdlib.h>

const char *const sensitive_names[SENSITIVE_KINDS] = { "email", "ip", "key" };

/* RFC 5321, 4.5.3.1: of an address's two parts; of an IPv6 address as text; of an escape's name */
enum { LOCAL_MOST = 64, DOMAIN_MOST = 255, IP_MOST = 45, CONTEXT = 100, ESCAPE_MOST = 10,
       SINGLE_DIGITS = 7 };

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

/* Spaces and punctuation of other scripts than ours, and of print, in UTF-8: no-break space and the marks of Latin-1;
 * general punctuation (U+2000 to U+206F); that of CJK; full-width forms. */
static bool is_mark(const unsigned char *c, size_t bytes)
{
    const uint32_t code = bytes == 2 ? (c[0] & 31u) << 6 | (c[1] & 63u)
        : (c[0] & 15u) << 12 | (c[1] & 63u) << 6 | (c[2] & 63u);

    if (bytes == 2) return code == 0xA0 || code == 0xA1 || code == 0xAB || code == 0xBB || code == 0xBF;
    return (code >= 0x2000 && code <= 0x206F) || (code >= 0x3000 && code <= 0x3003) ||
        (code >= 0x3008 && code <= 0x301F) || (code >= 0xFF01 && code <= 0xFF0F) ||
        (code >= 0xFF1A && code <= 0xFF20) || (code >= 0xFF3B && code <= 0xFF3D) ||
        (code >= 0xFF5B && code <= 0xFF65);
}

/* Is there such a mark at a byte, its first one? */
static bool mark_at(struct slice text, size_t at)
{
    const unsigned char *c = (const unsigned char *)text.at + at;
    const size_t         left = text.len - at;

    if (left >= 2 && (c[0] & 0xE0) == 0xC0) return is_mark(c, 2);
    return left >= 3 && (c[0] & 0xF0) == 0xE0 && is_mark(c, 3);
}

/* Does one end before it? */
static bool mark_before(struct slice text, size_t at)
{
    if (at == 0 || ((unsigned char)text.at[at - 1] & 0xC0) != 0x80) return false;
    return (at >= 2 && ((unsigned char)text.at[at - 2] & 0xE0) == 0xC0 && mark_at(text, at - 2)) ||
        (at >= 3 && ((unsigned char)text.at[at - 3] & 0xF0) == 0xE0 && mark_at(text, at - 3));
}

/* What else may stand beside an address in a name: all but what is a part of it, or of a longer number or word. */
static bool is_name_border(char c) { return !sensitive_is_alnum(c) && c != '.'; }

static bool border_before(struct slice text, size_t at, bool named)
{
    return at == 0 || is_border(text.at[at - 1]) || mark_before(text, at) || (named && is_name_border(text.at[at - 1]));
}

/* An escape of pod, `E<gt>`, or of HTML, `&gt;` or `&#62;`. */
static bool escape_at(struct slice text, size_t at)
{
    const bool   pod = text.len - at > 2 && memcmp(text.at + at, "E<", 2) == 0;
    const size_t from = at + (pod ? 2 : 1);
    size_t       end = from;

    if (!pod && text.at[at] != '&') return false;
    if (!pod && end < text.len && text.at[end] == '#') end++;
    while (end < text.len && end - from < ESCAPE_MOST && sensitive_is_alnum(text.at[end])) end++;
    return end > from && end < text.len && text.at[end] == (pod ? '>' : ';');
}

static bool border_at(struct slice text, size_t at, bool named)
{
    return at >= text.len || is_border(text.at[at]) || escape_at(text, at) || mark_at(text, at) ||
           (named && is_name_border(text.at[at]));
}

/* The end of a run of bytes from `at`: without the E of an escape of pod behind it. */
static size_t run_trim(struct slice text, size_t at, size_t end)
{
    return end > at && text.at[end - 1] == 'E' && end < text.len && escape_at(text, end - 1) ? end - 1 : end;
}

static int match_add(struct bytes *out, enum sensitive_kind kind, size_t at, size_t end)
{
    struct sensitive_match match = { (uint32_t)kind, (uint32_t)at, (uint32_t)(end - at), "" };

    return bytes_append(out, &match, sizeof match);
}

/* ---- e-mail ---- */

/* Letters of a top-level domain, behind the dot of a domain that starts at `at`? */
static bool is_top_level(struct slice text, size_t at, size_t label, size_t end)
{
    return label > at + 1 && end - label >= 2 && text.at[label - 1] == '.' && text.at[label - 2] != '.';
}

/* Where the bytes of a host name from `at` on end. */
static size_t host_end(struct slice text, size_t at)
{
    size_t end = at;

    while (end < text.len && is_host(text.at[end]) && !mark_at(text, end)) end++;
    return run_trim(text, at, end);
}

/* Where an address ends whose domain starts at `at`: behind a dot and the two letters or more of a top-level domain,
 * before a border and, at most, dots that end a sentence.  0: nowhere. */
static size_t domain_end(struct slice text, size_t at)
{
    size_t end = host_end(text, at), label;

    if (end - at > DOMAIN_MOST || !border_at(text, end, false)) return 0;
    while (end > at && text.at[end - 1] == '.') end--;
    for (label = end; label > at && is_letter(text.at[label - 1]); label--) continue;
    return is_top_level(text, at, label, end) ? end : 0;
}

/* The last place where it may end in a name: what stands behind may go on with bytes of host names, as in
 * jane@corp.org.1 and -backup. */
static size_t domain_end_named(struct slice text, size_t at)
{
    size_t end = host_end(text, at), label;

    if (end - at > DOMAIN_MOST) end = at + DOMAIN_MOST;
    while (end > at && ((unsigned char)text.at[end - 1] & 0x80) && end < text.len &&
           ((unsigned char)text.at[end] & 0xC0) == 0x80) end--;             /* no part of a character */
    for (; end > at; end = label) {
        while (end > at && !is_letter(text.at[end - 1])) end--;
        for (label = end; label > at && is_letter(text.at[label - 1]); label--) continue;
        if (is_top_level(text, at, label, end)) return end;
    }
    return 0;
}

/* Of versions, as in jgroups@5.3.10.Final: two numbers or more between dots; in a name also v1.2. */
static bool has_numbers(struct slice domain, bool named)
{
    size_t numbers = 0, from = 0;
    bool   digits = true;

    if (named && domain.len && domain.at[0] == 'v') {
        for (from = 1; from < domain.len && sensitive_is_digit(domain.at[from]); from++) continue;
        if (from > 1 && from + 1 < domain.len && domain.at[from] == '.' && sensitive_is_digit(domain.at[from + 1]))
            return true;
        from = 0;
    }
    for (size_t i = 0; i < domain.len; i++) {
        if (domain.at[i] == '.') {
            numbers += digits && i > from;
            from = i + 1;
            digits = true;
        } else digits &= sensitive_is_digit(domain.at[i]);
    }
    return numbers >= 2;
}

/* What stands before @: a letter or digit is in it, and it ends with one or with _ - +; not #{@name of Ruby, and not
 * the user in a URL, as git's in ssh://git@host. */
static bool is_local_name(struct slice name)
{
    const char last = name.len ? name.at[name.len - 1] : 0;
    bool       alnum = false;

    if (!is_word(last) && last != '-' && last != '+') return false;
    if (name.len > 2 && name.at[0] == '/' && name.at[1] == '/') return false;
    for (size_t i = 0; i < name.len; i++) alnum |= is_letter(name.at[i]) || sensitive_is_digit(name.at[i]);
    return alnum;
}

/* Is that what stands before the user or the host of a URL in a name, as https://? */
static bool url_before(struct slice text, size_t at)
{
    return at > 3 && memcmp(text.at + at - 3, "://", 3) == 0 && sensitive_is_alnum(text.at[at - 4]);
}

/* named: nothing goes on over a slash. */
static int find_emails(struct slice text, bool named, struct bytes *out)
{
    const char *sign;
    size_t      from = 0;                                   /* no address starts before it */

    while (from < text.len && (sign = memchr(text.at + from, '@', text.len - from))) {
        size_t at = (size_t)(sign - text.at), start = at, end = 0;

        while (start > from && is_local_part(text.at[start - 1]) && !mark_before(text, start) &&
               !(named && text.at[start - 1] == '/')) start--;
        if (named && at - start > LOCAL_MOST)               /* what is before joins it to something */
            for (start = at - LOCAL_MOST; ((unsigned char)text.at[start] & 0xC0) == 0x80; start++) continue;
        if (at - start <= LOCAL_MOST && (named ? !url_before(text, start) : border_before(text, start, false)) &&
            is_local_name((struct slice){ text.at + start, at - start }))
            end = named ? domain_end_named(text, at + 1) : domain_end(text, at + 1);
        if (has_numbers((struct slice){ text.at + at + 1, end ? end - at - 1 : 0 }, named)) end = 0;
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

/* `word`, in lower case, between bytes that are no letters. */
static bool has_word(struct slice text, const char *word)
{
    const size_t len = strlen(word);

    for (size_t i = 0; i + len <= text.len; i++) {
        size_t n = 0;

        while (n < len && sensitive_lower(text.at[i + n]) == word[n]) n++;
        if (n == len && (i == 0 || !is_letter(text.at[i - 1])) && (i + n == text.len || !is_letter(text.at[i + n])))
            return true;
    }
    return false;
}

static bool mentions_any(struct slice text, const char *const *word, size_t count)
{
    for (size_t w = 0; w < count; w++)
        if (sensitive_mentions(text, word[w])) return true;
    return false;
}

/* Small numbers: at most one has three digits, and if one has, the others are below 32.  So are nearly all versions and
 * numbers of sections, and 2.8 % of all addresses. */
static bool is_small(const unsigned char octet[4])
{
    int large = 0, middle = 0;

    for (int i = 0; i < 4; i++) {
        large += octet[i] >= 100;
        middle += octet[i] >= 32 && octet[i] < 100;
    }
    return large == 0 || (large == 1 && middle == 0);
}

/* Of the networks that everybody has at home or in documents: 10.0.0.192 is small, and no version. */
static bool is_inner(const unsigned char octet[4])
{
    return octet[0] == 10 || octet[0] == 127 ||
           (octet[0] == 192 && (octet[1] == 168 || (octet[1] == 0 && octet[2] == 2))) ||
           (octet[0] == 172 && octet[1] >= 16 && octet[1] < 32);
}

/* A version, a section, an object identifier: small numbers on a line without a word for networks, or numbers behind a
 * word for such, which says nothing in a name; there small ones behind - or _ are versions, too.  Four single digits
 * may have `dns` or `server` within CONTEXT bytes: as published. */
static bool is_version_like(struct slice text, size_t at, size_t end, const unsigned char octet[4], bool named)
{
    static const char *const networks[] = { "dns", "server", "host", "addr", "inet", "ipv4", "subnet", "gateway",
                                            "proxy" };
    static const char *const numbered[] = { "version", "section", "release", "upgrade", "update", "oid",
                                            "objectidentifier" };
    size_t       from = at > CONTEXT ? at - CONTEXT : 0, until = text.len - end > CONTEXT ? end + CONTEXT : text.len,
        line = at, line_end = end;
    struct slice before, whole;
    bool         network;

    while (line > from && text.at[line - 1] != '\n') line--;
    while (line_end < until && text.at[line_end] != '\n') line_end++;
    before = (struct slice){ text.at + line, at - line };
    whole = (struct slice){ text.at + line, line_end - line };
    network = mentions_any(whole, networks, sizeof networks / sizeof *networks) || has_word(whole, "ip") ||
              (end - at == SINGLE_DIGITS && mentions_any((struct slice){ text.at + from, until - from }, networks, 2));
    if (!named && mentions_any(before, numbered, sizeof numbered / sizeof *numbered))
        return is_small(octet) || !network;
    if (named && at && (text.at[at - 1] == '-' || text.at[at - 1] == '_') && is_small(octet)) return true;
    return is_small(octet) && (end - at == SINGLE_DIGITS || !is_inner(octet)) && !network;
}

/* Written backwards, in the name of a reverse look-up. */
static bool is_reversed(struct slice text, size_t end)
{
    return text.len - end >= 8 && memcmp(text.at + end, ".in-addr", 8) == 0;
}

/* Addresses that somebody may have: 2000::/3 is all that is given out for single hosts (RFC 4291, IANA's registry); and
 * those that sensitive_is_local and sensitive_is_example tell. */
static bool is_assigned(struct slice ip, const unsigned char b[16])
{
    return (b[0] & 0xE0) == 0x20 || memcmp(b, (const unsigned char[12]){ [10] = 0xFF, [11] = 0xFF }, 12) == 0 ||
           sensitive_is_local(ip);
}

/* A run of digits and dots, or of hexadecimal digits, colons and dots. */
static int take_run(struct slice text, size_t at, size_t end, int family, bool named, struct bytes *out)
{
    unsigned char address[16];
    bool          digit = false;

    end = run_trim(text, at, end);
    while (end > at && text.at[end - 1] == '.') end--;      /* the end of a sentence */
    while (at < end && text.at[at] == '.') at++;
    if (family == AF_INET6 && end - at > 2 && text.at[end - 1] == ':' && text.at[end - 2] != ':') end--;
    if (end - at < SENSITIVE_SHORTEST || end - at > IP_MOST || !border_before(text, at, named) ||
        !border_at(text, end, named)) return 0;
    if (!parses((struct slice){ text.at + at, end - at }, family, address)) return 0;
    for (size_t i = at; i < end; i++) digit |= sensitive_is_digit(text.at[i]);
    if (!digit || (family == AF_INET6 && !is_assigned((struct slice){ text.at + at, end - at }, address))) return 0;
    if (family == AF_INET &&
        (is_date_like(address) || is_version_like(text, at, end, address, named) || is_reversed(text, end)))
        return 0;
    return match_add(out, SENSITIVE_IP, at, end);
}

/* In a name what stands beside an address may be of the bytes of one, as in DATASET:ADDRESS:LINE and ADDRESS.c: the
 * longest that is an address from each colon or dot on, up to one. */
static int take_joined(struct slice text, size_t at, size_t end, struct bytes *out)
{
    int rc = 0;

    for (size_t from = at; from < end && rc == 0;) {
        const size_t before = out->len, most = end - from < IP_MOST ? end - from : IP_MOST;

        for (size_t len = most; len >= SENSITIVE_SHORTEST && rc == 0 && out->len == before; len--) {
            const char next = from + len < end ? text.at[from + len] : ':';

            if (next == ':' || next == '.') rc = take_run(text, from, from + len, AF_INET6, true, out);
        }
        if (out->len > before) {
            const struct sensitive_match *match = (const struct sensitive_match *)(const void *)(out->at + before);

            from = (size_t)match->at + match->len;
        }
        while (from < end && text.at[from] != ':' && text.at[from] != '.') from++;
        from++;
    }
    return rc;
}

/* In a name a number may follow on a dot, as one of a file that was rotated: ADDRESS.1; versions have five, too. */
static int take_numbered(struct slice text, size_t at, size_t end, struct bytes *out)
{
    const size_t  before = out->len;
    unsigned char octet[16];
    int           rc = take_run(text, at, end, AF_INET, true, out);

    if (rc < 0 || out->len > before) return rc;
    end = run_trim(text, at, end);
    while (end > at && text.at[end - 1] == '.') end--;
    while (end > at && sensitive_is_digit(text.at[end - 1])) end--;
    if (end == at || !parses((struct slice){ text.at + at, end - 1 - at }, AF_INET, octet) || is_small(octet))
        return 0;
    return take_run(text, at, end - 1, AF_INET, true, out);
}

static bool is_dotted(char c) { return sensitive_is_digit(c) || c == '.'; }

/* Addresses of one family: from each sign between what may be in them, the run of such bytes. */
static int find_ips(struct slice text, int family, bool named, struct bytes *out)
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
            if ((!named ? take_run(text, start, end, family, named, out)
                 : family == AF_INET ? take_numbered(text, start, end, out)
                     : take_joined(text, start, end, out)) < 0) return -ENOMEM;
        }
        from = end;
    }
    return 0;
}

/* The bytes of an address: 4, or 16; 0 where it is none.  One of IPv4 in IPv6 gives 4. */
static size_t ip_bytes(struct slice ip, unsigned char b[16])
{
    static const unsigned char mapped[12] = { [10] = 0xFF, [11] = 0xFF };

    if (!parses(ip, AF_INET6, b)) return parses(ip, AF_INET, b) ? 4 : 0;
    if (memcmp(b, mapped, sizeof mapped) != 0) return 16;
    memmove(b, b + 12, 4);
    return 4;
}

bool sensitive_is_local(struct slice ip)
{
    unsigned char b[16];
    size_t        len = ip_bytes(ip, b);

    if (len == 16)
        /* unique local, multicast, link-local and site-local */
        return (b[0] & 0xFE) == 0xFC || b[0] == 0xFF || (b[0] == 0xFE && b[1] >= 0x80) ||
               /* unspecified, loopback */
               (memcmp(b, (const unsigned char[15]){ 0 }, 15) == 0 && b[15] <= 1);
    if (!len) return false;
    return b[0] == 0 || b[0] == 10 || b[0] == 127 || b[0] >= 224 || (b[0] == 169 && b[1] == 254) ||
           (b[0] == 172 && b[1] >= 16 && b[1] < 32) || (b[0] == 192 && b[1] == 168) ||
           /* carriers' own, benchmarks: RFC 6890 */
           (b[0] == 100 && b[1] >= 64 && b[1] < 128) || (b[0] == 198 && (b[1] & 0xFE) == 18);
}

bool sensitive_is_example(struct slice value, enum sensitive_kind kind)
{
    static const unsigned char networks[3][3] = { { 192, 0, 2 }, { 198, 51, 100 }, { 203, 0, 113 } };
    unsigned char              b[16];
    size_t                     len;

    if (kind != SENSITIVE_IP) return sensitive_mentions(value, "example") > 0;
    len = ip_bytes(value, b);
    for (size_t n = 0; n < 3 && len == 4; n++)
        if (memcmp(b, networks[n], 3) == 0) return true;
    return len == 16 && memcmp(b, (const unsigned char[4]){ 0x20, 0x01, 0x0D, 0xB8 }, 4) == 0;
}

/* ---- all ---- */

static int match_order(const void *a, const void *b)
{
    const struct sensitive_match *x = a, *y = b;

    if (x->at != y->at) return x->at < y->at ? -1 : 1;
    if (x->len != y->len) return x->len > y->len ? -1 : 1;
    return (x->kind > y->kind) - (x->kind < y->kind);
}

static int find_all(struct slice text, bool named, struct bytes *out, struct err *err)
{
    const size_t            before = out->len;
    struct sensitive_match *match;
    size_t                  count, kept = 0;
    uint64_t                ip_end = 0;

    if (find_emails(text, named, out) < 0 || find_ips(text, AF_INET, named, out) < 0 ||
        find_ips(text, AF_INET6, named, out) < 0 || sensitive_find_keys(text, named, out) < 0)
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

int sensitive_find(struct slice text, struct bytes *out, struct err *err) { return find_all(text, false, out, err); }

int sensitive_find_named(struct slice name, struct bytes *out, struct err *err)
{
    return find_all(name, true, out, err);
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
