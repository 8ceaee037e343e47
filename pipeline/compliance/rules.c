/* compliance/rules.c -- see rules.h. */
#include "compliance/rules.h"

#include "base/file.h"
#include "code/lexing.h"
#include "licence/licence.h"

#include <cjson/cJSON.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <strings.h>
#include <unistd.h>

enum { FILE_MOST = 16 << 20, VERSION_MARKS = 63 };

struct rules { cJSON *tree; size_t count; };

void rules_close(struct rules *rules)
{
    if (!rules) return;
    cJSON_Delete(rules->tree);
    free(rules);
}

size_t rules_count(const struct rules *rules) { return rules->count; }

/* ---- versions ---- */

/* A pattern as an automaton: bit i of a set of states is the place before mark i, bit `count` its end.  takes: the
 * marks that a byte goes on from; often: those that stay; may: those that may be left out. */
struct version { uint64_t takes[256], often, may; size_t count; };

static bool version_read(struct version *out, const char *pattern)
{
    *out = (struct version){ .count = 0 };
    while (*pattern) {
        const unsigned char c = (unsigned char)*pattern++, how = (unsigned char)*pattern;
        const bool          many = how == '+' || how == '*', none = how == '*' || how == '?';
        const size_t        marks = how == '+' ? 2 : 1;      /* x+ is x x* */

        if (out->count + marks > VERSION_MARKS) return false;
        for (size_t m = 0; m < marks; m++, out->count++) {
            const uint64_t bit = UINT64_C(1) << out->count;

            for (int other = 0; other < 256; other++)
                if (other == c || (c == '.' && other != '\n')) out->takes[other] |= bit;
            if (m || how == '*') out->often |= bit;
            if (m || none) out->may |= bit;
        }
        pattern += many || none;
    }
    return true;
}

/* ---- the file ---- */

/* 0, or -EINVAL with err set. */
static int rule_check(const cJSON *rule, const char *name, struct err *err)
{
    static const char *const known[] = { "name", "version", "must", "no" };
    const cJSON             *list, *text;
    struct version           version;

    if (!cJSON_IsObject(rule)) return err_set(err, -EINVAL, "%s: `%s` is no object", name, rule->string);
    cJSON_ArrayForEach(list, rule)
    {
        bool is_known = false;

        for (size_t k = 0; k < sizeof known / sizeof *known; k++) is_known |= strcmp(list->string, known[k]) == 0;
        if (!is_known)
            return err_set(err, -EINVAL, "%s: `%s` has `%s`; a rule has name, version, must, no", name, rule->string,
                           list->string);
        if (!cJSON_IsArray(list))
            return err_set(err, -EINVAL, "%s: `%s.%s` is no list", name, rule->string, list->string);
        cJSON_ArrayForEach(text, list) {
            if (!cJSON_IsString(text))
                return err_set(err, -EINVAL, "%s: `%s.%s` has what is no string", name, rule->string, list->string);
            if (strcmp(list->string, "version") == 0 && !version_read(&version, text->valuestring))
                return err_set(err, -EINVAL, "%s: `%s.version` has a pattern of more than %d marks", name,
                               rule->string, VERSION_MARKS);
        }
    }
    return 0;
}

int rules_parse(struct rules **out, const char *name, struct slice text, struct err *err)
{
    struct rules *rules = calloc(1, sizeof *rules);
    cJSON        *rule;
    int           rc = 0;

    *out = NULL;
    if (!rules) return err_memory(err, sizeof *rules, "rules");
    rules->tree = cJSON_ParseWithLength(text.at, text.len);
    if (!cJSON_IsObject(rules->tree)) rc = err_set(err, -EINVAL, "%s: is no JSON object of rules", name);
    if (rc == 0) cJSON_ArrayForEach(rule, rules->tree)
    {
        if ((rc = rule_check(rule, name, err)) < 0) break;
        for (char *at = rule->string; *at; at++) if (*at >= 'A' && *at <= 'Z') *at = (char)(*at | 0x20);
        rules->count++;
    }
    if (rc == 0 && !rules->count) rc = err_set(err, -EINVAL, "%s: has no rule", name);
    if (rc == 0) *out = rules;
    else rules_close(rules);
    return rc;
}

int rules_open(struct rules **out, const char *path, struct err *err)
{
    struct bytes text = { 0 };
    const int    file = file_open(path, O_RDONLY);
    ssize_t      got = 1;
    int          rc = file < 0 ? err_set(err, -errno, "%s: %s", path, strerror(errno)) : 0;

    *out = NULL;
    while (rc == 0 && got > 0) {
        if (bytes_reserve(&text, text.len + 65536) < 0) rc = err_memory(err, text.len, "rules");
        else if ((got = file_read(file, text.at + text.len, 65536)) < 0)
            rc = err_set(err, -EIO, "%s: cannot read: %s", path, strerror(errno));
        else if ((text.len += (size_t)got) > FILE_MOST) rc = err_set(err, -EINVAL, "%s: is too large for rules", path);
    }
    if (rc == 0) rc = rules_parse(out, path, bytes_slice(&text), err);
    if (file >= 0) close(file);
    bytes_free(&text);
    return rc;
}

/* ---- one text ---- */

static bool is_inside(struct slice text, const char *part)
{
    const size_t len = strlen(part);

    return len == 0 || (text.len >= len && memmem(text.at, text.len, part, len));
}

/* The end of the word that begins at `at`; `at` where white space stands there. */
static size_t word_end(struct slice text, size_t at)
{
    for (size_t used; at < text.len; at += used)
        if (unicode_is_space(unicode_decode(text.at + at, text.len - at, &used))) break;
    return at;
}

static bool is_word_of(struct slice text, const char *word)
{
    const struct slice wanted = slice_of(word);

    for (size_t at = 0, end, used; at < text.len; at = end) {
        end = word_end(text, at);
        if (end > at && slice_equal(wanted, (struct slice){ text.at + at, end - at })) return true;
        if (end == at) {
            unicode_decode(text.at + at, text.len - at, &used);
            end += used;
        }
    }
    return false;
}

/* With the places that are reached by leaving out what may be left out. */
static uint64_t version_further(const struct version *v, uint64_t states)
{
    for (uint64_t more; (more = states | (states & v->may) << 1) != states;) states = more;
    return states;
}

/* One walk over the text, whatever the pattern: all ways to read it go on together. */
static bool version_of(struct slice text, const char *pattern)
{
    struct version v;
    uint64_t       states = 0, start, end;

    if (!version_read(&v, pattern)) return false;           /* rule_check has refused it */
    start = version_further(&v, 1);
    end = UINT64_C(1) << v.count;
    for (size_t at = 0, used; at < text.len; at += used) {
        const uint32_t c = unicode_decode(text.at + at, text.len - at, &used);

        if ((states & end) && !is_digit(text.at[at])) return true;
        for (size_t i = 0; i < used && states; i++) {
            const uint64_t go = states & v.takes[(unsigned char)text.at[at + i]];

            states = version_further(&v, (go & ~v.often) << 1 | (go & v.often));
            if (i + 1 < used && (states & end)) return true;              /* no byte of a character is a digit */
        }
        if (c == 'v' || c == '-' || unicode_is_space(c)) states |= start;
    }
    return states & end;
}

/* Does a text in lower case match? */
static bool rule_matches(const cJSON *rule, struct slice text)
{
    const cJSON *list, *entry;

    cJSON_ArrayForEach(list, rule)
    {
        const char kind = *list->string;
        bool       one = false;

        cJSON_ArrayForEach(entry, list)
        {
            const char *wanted = entry->valuestring;

            one |= kind == 'v' ? version_of(text, wanted)
                : kind == 'n' && list->string[1] == 'a' && !strchr(wanted, ' ') ? is_word_of(text, wanted)
                : is_inside(text, wanted);
        }
        if (strcmp(list->string, "no") == 0 ? one : !one) return false;
    }
    return true;
}

const char *rules_find(const struct rules *rules, struct slice text, bool *several, struct bytes *scratch)
{
    const cJSON *rule;
    const char  *found = NULL;

    if (several) *several = false;
    scratch->len = 0;
    if (bytes_reserve(scratch, text.len + 1) < 0 || bytes_append_slice(scratch, text) < 0) return NULL;
    for (size_t i = 0; i < scratch->len; i++)
        if (scratch->at[i] >= 'A' && scratch->at[i] <= 'Z') scratch->at[i] = (char)(scratch->at[i] | 0x20);
    cJSON_ArrayForEach(rule, rules->tree)
    {
        if (!rule_matches(rule, bytes_slice(scratch))) continue;
        if (found) {
            *several = true;
            return found;
        }
        found = rule->string;
        if (!several) return found;
    }
    return found;
}

bool rules_same_licence(struct slice a, struct slice b)
{
    static const char *const bare[] = { "gpl-2.0", "gpl-3.0", "lgpl-2.1", "lgpl-3.0", "agpl-3.0" };
    const struct slice       shorter = a.len < b.len ? a : b, longer = a.len < b.len ? b : a;

    if (a.len == b.len) return strncasecmp(a.at, b.at, a.len) == 0;
    if (longer.len != shorter.len + 5 || strncasecmp(longer.at + shorter.len, "-only", 5) != 0 ||
        strncasecmp(longer.at, shorter.at, shorter.len) != 0) return false;
    for (size_t i = 0; i < sizeof bare / sizeof *bare; i++)
        if (strlen(bare[i]) == shorter.len && strncasecmp(bare[i], shorter.at, shorter.len) == 0) return true;
    return false;
}

bool rules_same_expression(struct slice a, struct slice b)
{
    struct licence first, second;

    if (rules_same_licence(a, b)) return true;
    licence_of_field(&first, a);
    licence_of_field(&second, b);
    return first.expression[0] && strcasecmp(first.expression, second.expression) == 0;
}
