/* corpus/json_record.c -- see json_record.h. */
#include "corpus/json_record.h"

#include "corpus/line.h"
#include "kernels/kernels.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>

enum { DEPTH_MAX = 16 };                                    /* of objects that a field's name leads into */
enum { NEST_HERE = 256 };                                   /* levels of values that are passed over, kept at hand */
enum text_state { TEXT_ABSENT, TEXT_STRING, TEXT_OTHER };

static const char *const default_text_names[] = { "text", "content", "code" };

/* An object that is being walked: the names that led into it, and how many bytes of them its path has used up. */
struct level { uint32_t names; size_t used; };

struct walk {
    const struct field_map *map;
    struct record          *record;
    struct bytes           *text, *scratch;
    struct json_fault      *fault;
    struct slice            line;
    const char             *at, *end;
    struct level            level[DEPTH_MAX + 1];
    size_t                  depth;
    uint32_t                wanted;                         /* fields */
    enum text_state         text_state;
    unsigned                text_rank;
    struct slice            text_name;
    int                     memory;                         /* -ENOMEM once memory is out */
};

static void add_name(struct field_map *map, const char *name, enum field field, unsigned rank)
{
    struct slice whole = slice_of(name);
    uint16_t     bit = (uint16_t)(1u << map->count);

    for (size_t i = 0; i < map->count; i++) {
        if (!slice_equal(map->at[i].name, whole)) continue;
        map->at[i].fields |= 1u << field;
        return;
    }
    map->at[map->count++] = (struct field_name){ whole, field, rank, 1u << field };
    map->by_length[whole.len % 64] |= bit;
    /* A key that has dots itself may be any part of the name up to a dot. */
    for (size_t i = 0; i < whole.len; i++)
        if (name[i] == '.') map->by_length[i % 64] |= bit;
}

_Static_assert(FIELD_NAMES_MAX <= 16, "by_length has 16 bits");

void field_map_set(struct field_map *map, const struct dataset *dataset)
{
    *map = (struct field_map){ 0 };
    for (enum field f = 0; f < FIELD_COUNT; f++) {
        if (dataset->fields[f]) add_name(map, dataset->fields[f], f, 0);
        else if (f != FIELD_TEXT) add_name(map, field_names[f], f, 0);
        else for (unsigned i = 0; i < 3; i++) add_name(map, default_text_names[i], f, i);
    }
}

void field_map_set_text(struct field_map *map, const char *name)
{
    *map = (struct field_map){ 0 };
    add_name(map, name, FIELD_TEXT, 0);
}

/* Returns false, so that a caller can end with it. */
__attribute__((format(printf, 4, 5)))
static bool fault(struct walk *walk, const char *at, enum reject_reason reason, const char *format, ...)
{
    va_list args;

    walk->fault->reason = reason;
    walk->fault->at = (size_t)(at - walk->line.at);
    va_start(args, format);
    vsnprintf(walk->fault->what, sizeof walk->fault->what, format, args);
    va_end(args);
    return false;
}

static bool fault_json(struct walk *walk, const char *what)
{
    return fault(walk, walk->at, REJECT_INVALID_JSON, "%s", what);
}

static bool room(struct walk *walk, struct bytes *bytes, size_t n)
{
    if (bytes_reserve(bytes, n + BYTES_PAD) == 0) return true;
    walk->memory = -ENOMEM;
    return false;
}

static inline void skip_blanks(struct walk *walk)
{
    if (walk->at < walk->end && *walk->at == ' ') walk->at++;           /* as Python's json writes them */
    if (walk->at < walk->end && (unsigned char)*walk->at > ' ') return;
    while (walk->at < walk->end && line_is_space(*walk->at)) walk->at++;
}

/* ---- keys ---- */

/* The key at walk->at, its opening quote already passed.  Most keys are a few plain bytes, for which a plain loop is
 * the fastest; one with an escape is decoded into scratch, so that it matches however it is written. */
static bool read_key(struct walk *walk, struct slice *key)
{
    const char *at = walk->at;
    size_t      n = (size_t)(walk->end - at), used, len;

    while (walk->at < walk->end && *walk->at != '"' && *walk->at != '\\' && (unsigned char)*walk->at >= 0x20)
        walk->at++;
    if (walk->at < walk->end && *walk->at == '"') {
        *key = (struct slice){ at, (size_t)(walk->at++ - at) };
        return true;
    }
    if (walk->at == walk->end) return fault_json(walk, "a key is not closed");
    if (*walk->at != '\\') return fault_json(walk, "a control character in a key");
    n = kernels->json_string_end(at, n);
    if (at + n == walk->end) return fault_json(walk, "a key is not closed");
    if (!room(walk, walk->scratch, n + 1)) return false;
    if (kernels->json_unescape(walk->scratch->at, &len, at, n + 1, &used) != JSON_CLOSED) {
        walk->at = at + used;
        return fault_json(walk, "a bad escape in a key");
    }
    *key = (struct slice){ walk->scratch->at, len };
    walk->at = at + used;
    return true;
}

/* What a key means in the object being walked: a field (NULL: none), and the names that go on inside its value. */
static const struct field_name *find_name(const struct walk *walk, struct slice key, uint32_t *inside)
{
    const struct field_map  *map = walk->map;
    const struct level      *level = &walk->level[walk->depth];
    const struct field_name *found = NULL;

    uint32_t                 candidates = level->names;

    *inside = 0;
    if (walk->depth == 0) candidates &= map->by_length[key.len % 64];           /* most keys are done with here */
    for (; candidates; candidates &= candidates - 1) {
        unsigned                 i = (unsigned)__builtin_ctz(candidates);
        const struct field_name *name = &map->at[i];
        size_t                   rest = name->name.len - level->used;

        if (rest < key.len || memcmp(name->name.at + level->used, key.at, key.len)) continue;
        if (rest == key.len) found = name;
        else if (name->name.at[level->used + key.len] == '.') *inside |= 1u << i;
    }
    return found;
}

/* ---- values ---- */

static bool is_digit(const char *at, const char *end) { return at < end && *at >= '0' && *at <= '9'; }

static bool skip_number(struct walk *walk)
{
    const char *at = walk->at, *end = walk->end;

    if (*at == '-') at++;
    if (!is_digit(at, end)) return fault_json(walk, "not a JSON value");
    if (*at == '0') at++;
    else while (is_digit(at, end)) at++;
    if (at < end && *at == '.') {
        if (!is_digit(++at, end)) return fault_json(walk, "a broken number");
        while (is_digit(at, end)) at++;
    }
    if (at < end && (*at == 'e' || *at == 'E')) {
        at++;
        if (at < end && (*at == '+' || *at == '-')) at++;
        if (!is_digit(at, end)) return fault_json(walk, "a broken number");
        while (is_digit(at, end)) at++;
    }
    walk->at = at;
    return true;
}

/* Eight bytes, the first in the low bits. */
static uint64_t eight_at(const char *at)
{
    uint64_t bytes;

    memcpy(&bytes, at, sizeof bytes);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    bytes = __builtin_bswap64(bytes);
#endif
    return bytes;
}

static const uint64_t ones = 0x0101010101010101u, tops = 0x8080808080808080u;

/* The top bit of each byte that is below n <= 0x80, the lowest such exactly. */
static uint64_t below(uint64_t bytes, unsigned n) { return (bytes - ones * n) & ~bytes & tops; }

/* A whole number of up to seven digits before a comma or a closing bracket: most numbers of lists. */
static bool skip_short_number(struct walk *walk)
{
    uint64_t digits, odd;
    size_t   count;
    char     next;

    if (walk->end - walk->at < 8 || *walk->at == '0') return false;
    digits = eight_at(walk->at) ^ ones * '0';               /* 0 to 9 where a digit is */
    odd = ((digits + ones * 0x76) | digits) & tops;
    count = odd ? (size_t)__builtin_ctzll(odd) / 8 : 8;
    next = count && count < 8 ? walk->at[count] : '\0';
    if (next != ',' && next != ']' && next != '}') return false;
    walk->at += count;
    return true;
}

static bool skip_literal(struct walk *walk, struct slice literal)
{
    if ((size_t)(walk->end - walk->at) < literal.len || memcmp(walk->at, literal.at, literal.len))
        return fault_json(walk, "not a JSON value");
    walk->at += literal.len;
    return true;
}

static bool fault_string(struct walk *walk, enum json_end end, size_t used)
{
    if (end == JSON_UNTERMINATED) return fault_json(walk, "a string is not closed");
    walk->at += used + 1;
    return fault_json(walk, end == JSON_CONTROL ? "a control character in a string" : "a bad escape in a string");
}

/* Of eight bytes of a string the first that is no plain character, or 8. */
static unsigned plain_in_string(uint64_t bytes)
{
    const uint64_t odd = below(bytes, 0x20) | below(bytes ^ ones * '"', 1) | below(bytes ^ ones * '\\', 1);

    return odd ? (unsigned)__builtin_ctzll(odd) / 8 : 8;
}

/* Most strings in lists are short and plain: these are done with here. */
static bool skip_string(struct walk *walk)
{
    const char   *at = walk->at + 1;
    size_t        used;
    enum json_end end;

    for (int step = 0; step < 3 && walk->end - at >= 8; step++) {
        const unsigned plain = plain_in_string(eight_at(at));

        at += plain;
        if (plain == 8) continue;
        if (*at != '"') break;
        walk->at = at + 1;
        return true;
    }
    end = kernels->json_string_check(walk->at + 1, (size_t)(walk->end - walk->at) - 1, &used);
    if (end != JSON_CLOSED) return fault_string(walk, end, used);
    walk->at += used + 1;
    return true;
}

/* A string decoded into out (of which the first *len bytes are then its value). */
static bool decode_string(struct walk *walk, struct bytes *out, size_t n, size_t *len)
{
    size_t        used;
    enum json_end end;

    if (!room(walk, out, n)) return false;
    end = kernels->json_unescape(out->at, len, walk->at + 1, n, &used);
    if (end != JSON_CLOSED) return fault_string(walk, end, used);
    walk->at += used + 1;
    return true;
}

/* A value that is no array and no object. */
static bool skip_scalar(struct walk *walk)
{
    switch (*walk->at) {
    case '"': return skip_string(walk);
    case 't': return skip_literal(walk, SLICE("true"));
    case 'f': return skip_literal(walk, SLICE("false"));
    case 'n': return skip_literal(walk, SLICE("null"));
    /* what Python's json writes where JSON has nothing */
    case 'N': return skip_literal(walk, SLICE("NaN"));
    case 'I': return skip_literal(walk, SLICE("Infinity"));
    case '-':
        if (walk->end - walk->at > 1 && walk->at[1] == 'I') return skip_literal(walk, SLICE("-Infinity"));
        return skip_number(walk);
    default: return skip_short_number(walk) || skip_number(walk);
    }
}

/* A key of an object that is passed over, its colon, and the blanks behind it.  True also where the record ends. */
static bool skip_key(struct walk *walk)
{
    if (walk->at == walk->end) return true;
    if (*walk->at != '"') return fault_json(walk, "expected a key");
    if (!skip_string(walk)) return false;
    skip_blanks(walk);
    if (walk->at == walk->end) return true;
    if (*walk->at != ':') return fault_json(walk, "expected ':' after a key");
    walk->at++;
    skip_blanks(walk);
    return true;
}

/* Which of the arrays and objects around a place are objects, a bit each: in here, and beyond that in walk->scratch. */
struct nest { uint64_t here[NEST_HERE / 64], *object; size_t depth, room; };

static bool nest_grow(struct walk *walk, struct nest *nest)
{
    const size_t bytes = nest->room / 8;

    if (!room(walk, walk->scratch, 2 * bytes)) return false;
    if (nest->object == nest->here) memcpy(walk->scratch->at, nest->here, bytes);
    walk->scratch->len = 2 * bytes;
    nest->object = (uint64_t *)(void *)walk->scratch->at;
    nest->room *= 2;
    return true;
}

static bool nest_is_object(const struct nest *nest)
{
    return nest->object[(nest->depth - 1) / 64] >> ((nest->depth - 1) % 64) & 1;
}

/* Enters what opens at walk->at, or passes over it when it is empty. */
static bool nest_enter(struct walk *walk, struct nest *nest)
{
    const bool     object = *walk->at == '{';
    const uint64_t bit = 1ull << (nest->depth % 64);

    walk->at++;
    skip_blanks(walk);
    if (walk->at < walk->end && *walk->at == (object ? '}' : ']')) {
        walk->at++;
        return true;
    }
    if (nest->depth == nest->room && !nest_grow(walk, nest)) return false;
    if (nest->depth % 64 == 0) nest->object[nest->depth / 64] = 0;
    if (object) nest->object[nest->depth / 64] |= bit;
    else nest->object[nest->depth / 64] &= ~bit;
    nest->depth++;
    return true;
}

/* Behind a value: leaves what closes there, and goes on behind a comma to the next value.  With depth 0 it is done. */
static bool nest_go_on(struct walk *walk, struct nest *nest)
{
    while (nest->depth) {
        const bool object = nest_is_object(nest);

        skip_blanks(walk);
        if (walk->at == walk->end) return true;
        if (*walk->at == (object ? '}' : ']')) {
            walk->at++;
            nest->depth--;
            continue;
        }
        if (*walk->at != ',') return fault_json(walk, object ? "expected ',' or '}'" : "expected ',' or ']'");
        walk->at++;
        skip_blanks(walk);
        return !object || skip_key(walk);
    }
    return true;
}

/* An array or an object, whatever is in it: by the same rules as the record that it stands in. */
static bool skip_container(struct walk *walk)
{
    const char *start = walk->at;
    struct nest nest;

    nest.object = nest.here;
    nest.depth = 0;
    nest.room = NEST_HERE;
    do {
        const size_t before = nest.depth;
        const size_t list = *walk->at == '[' ? kernels->json_list_check(walk->at, (size_t)(walk->end - walk->at)) : 0;

        if (list) walk->at += list;
        else if (*walk->at == '[' || *walk->at == '{') {
            if (!nest_enter(walk, &nest)) return false;
            if (nest.depth > before) {
                if (nest_is_object(&nest) && !skip_key(walk)) return false;
                continue;
            }
        } else if (!skip_scalar(walk)) return false;
        if (!nest_go_on(walk, &nest)) return false;
    } while (nest.depth && walk->at < walk->end);
    if (!nest.depth) return true;
    walk->at = start;
    return fault_json(walk, *start == '[' ? "an array is not closed" : "an object is not closed");
}

static bool skip_value(struct walk *walk)
{
    return *walk->at == '[' || *walk->at == '{' ? skip_container(walk) : skip_scalar(walk);
}

/* The text is decoded as it is met: one pass over the bulk of the record. */
static bool read_text(struct walk *walk, const struct field_name *name)
{
    const char *start = walk->at;

    if (walk->text_state != TEXT_ABSENT && name->rank > walk->text_rank)
        return skip_value(walk);
    walk->text_rank = name->rank;
    walk->text_name = name->name;
    walk->text_state = TEXT_OTHER;
    walk->text->len = 0;
    if (*start != '"') {
        if (!skip_value(walk)) return false;
    } else {
        if (!decode_string(walk, walk->text, (size_t)(walk->end - start) - 1, &walk->text->len)) return false;
        walk->text_state = TEXT_STRING;
    }
    walk->record->raw[FIELD_TEXT] = (struct slice){ start, (size_t)(walk->at - start) };
    return true;
}

static bool read_field(struct walk *walk, const struct field_name *name)
{
    const char *start = walk->at;
    uint32_t    fields = name->fields & walk->wanted & ~(1u << FIELD_TEXT);

    if (!(name->field == FIELD_TEXT ? read_text(walk, name) : skip_value(walk))) return false;
    for (; fields; fields &= fields - 1)
        walk->record->raw[__builtin_ctz(fields)] = (struct slice){ start, (size_t)(walk->at - start) };
    return true;
}

/* A repeated key replaces the whole value of the first: what was found in that one is forgotten. */
static void forget_names(struct walk *walk, uint32_t names)
{
    for (size_t i = 0; i < walk->map->count; i++) {
        if (!(names >> i & 1)) continue;
        for (uint32_t fields = walk->map->at[i].fields; fields; fields &= fields - 1)
            walk->record->raw[__builtin_ctz(fields)] = (struct slice){ 0 };
        if (walk->map->at[i].field == FIELD_TEXT) walk->text_state = TEXT_ABSENT;
    }
}

/* A key and its value.  Of an object that is to be entered only the brace is taken, and *entered set. */
static bool read_member(struct walk *walk, bool *entered)
{
    const struct field_name *name;
    struct slice             key = { 0 };
    const char              *value;
    uint32_t                 inside;
    size_t                   used;

    if (walk->at == walk->end || *walk->at != '"') return fault_json(walk, "expected a key");
    walk->at++;
    if (!read_key(walk, &key)) return false;
    name = find_name(walk, key, &inside);
    used = walk->level[walk->depth].used + key.len + 1;
    skip_blanks(walk);
    if (walk->at == walk->end || *walk->at != ':') return fault_json(walk, "expected ':' after a key");
    walk->at++;
    skip_blanks(walk);
    if (walk->at == walk->end) return fault_json(walk, "a value is missing");
    value = walk->at;
    if (name && !read_field(walk, name)) return false;
    if (inside) {
        forget_names(walk, inside);
        if (*value == '{' && walk->depth < DEPTH_MAX) {
            walk->level[++walk->depth] = (struct level){ inside, used };
            walk->at = value + 1;
            *entered = true;
            return true;
        }
    }
    return name ? true : skip_value(walk);
}

static bool walk_object(struct walk *walk)
{
    bool empty = true, entered;

    skip_blanks(walk);
    if (walk->at == walk->end || *walk->at != '{') return fault_json(walk, "not a JSON object");
    walk->at++;
    for (;;) {
        skip_blanks(walk);
        if (!(empty && walk->at < walk->end && *walk->at == '}')) {
            entered = false;
            if (!read_member(walk, &entered)) return false;
            empty = entered;
            if (entered) continue;
            skip_blanks(walk);
        }
        while (walk->at < walk->end && *walk->at == '}') {
            walk->at++;
            skip_blanks(walk);
            if (walk->depth == 0) return walk->at == walk->end || fault_json(walk, "something follows the object");
            walk->depth--;
        }
        if (walk->at == walk->end) return fault_json(walk, "the object is not closed");
        if (*walk->at != ',') return fault_json(walk, "expected ',' or '}'");
        walk->at++;
        empty = false;
    }
}

static const char *kind_of(char first)
{
    switch (first) {
    case 'n': return "null";
    case 't':
    case 'f': return "a boolean";
    case '[': return "an array";
    case '{': return "an object";
    default:  return "a number";
    }
}

/* Adds the keys at the record's top to what is said of it, as far as they fit: it has been walked without a fault. */
static void tell_keys(struct walk *walk)
{
    char        *what = walk->fault->what;
    size_t       len = strlen(what), most = sizeof walk->fault->what;
    struct slice key;
    const char  *between = "; it has ";

    walk->at = walk->line.at;
    skip_blanks(walk);
    do {
        walk->at++;                                         /* the brace, or a comma */
        skip_blanks(walk);
        if (walk->at == walk->end || *walk->at++ != '"' || !read_key(walk, &key)) return;
        if (len + strlen(between) + key.len >= most) {
            if (len + 5 < most) memcpy(what + len, ", ...", 6);
            return;
        }
        len += (size_t)snprintf(what + len, most - len, "%s%.*s", between, (int)key.len, key.at);
        between = ", ";
        skip_blanks(walk);
        walk->at++;                                         /* the colon */
        skip_blanks(walk);
        if (!skip_value(walk)) return;
        skip_blanks(walk);
    } while (walk->at < walk->end && *walk->at == ',');
}

int json_record_parse(struct record *record, const struct field_map *map, struct slice line, uint32_t want_fields,
                      struct bytes *text,
                      struct bytes *scratch, struct json_fault *fault_out)
{
    struct walk walk;

    /* Field by field: clearing the levels that a flat record never enters would take longer than reading a key. */
    walk.map = map;
    walk.record = record;
    walk.text = text;
    walk.scratch = scratch;
    walk.fault = fault_out;
    walk.line = line;
    walk.at = line.at;
    walk.end = line.at + line.len;
    walk.level[0] = (struct level){ 0 };
    walk.depth = 0;
    walk.text_state = TEXT_ABSENT;
    walk.text_rank = 0;
    walk.text_name = (struct slice){ 0 };
    walk.memory = 0;
    memset(record->raw, 0, sizeof record->raw);
    record->json = true;
    walk.wanted = want_fields | ~FIELDS_ON_DEMAND;
    for (size_t i = 0; i < map->count; i++)
        if (map->at[i].fields & walk.wanted) walk.level[0].names |= 1u << i;
    if (!walk_object(&walk)) return walk.memory;
    if (walk.text_state == TEXT_STRING) {
        record->text = bytes_slice(text);
        return 1;
    }
    if (walk.text_state == TEXT_OTHER)
        fault(&walk, record->raw[FIELD_TEXT].at, REJECT_MISSING_FIELD, "\"%.*s\" is %s, not a string",
              (int)(walk.text_name.len < 60 ? walk.text_name.len : 60), walk.text_name.at,
                  kind_of(record->raw[FIELD_TEXT].at[0]));
    else if (map->count > 1 && map->at[1].field == FIELD_TEXT)
        fault(&walk, line.at, REJECT_MISSING_FIELD, "no \"text\", \"content\" or \"code\"");
    else
        fault(&walk, line.at, REJECT_MISSING_FIELD, "no \"%.*s\"",
              (int)(map->at[0].name.len < 60 ? map->at[0].name.len : 60),
              map->at[0].name.at);
    if (walk.text_state == TEXT_ABSENT) tell_keys(&walk);
    return walk.memory;
}
