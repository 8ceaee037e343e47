/* corpus/parquet_thrift.c -- see parquet_thrift.h. */
#include "corpus/parquet_thrift.h"

enum { DEPTH_MAX = 32 };                                    /* Parquet's own structs are 6 deep */

static void run_short(struct thrift *thrift)
{
    if (!thrift->broken) thrift->short_of_bytes = true;
    thrift->broken = true;
    thrift->at = thrift->end;
}

static void fail(struct thrift *thrift)
{
    thrift->broken = true;
    thrift->at = thrift->end;
}

static unsigned char next_byte(struct thrift *thrift)
{
    if (thrift->at < thrift->end) return *thrift->at++;
    run_short(thrift);
    return 0;
}

static void skip_bytes(struct thrift *thrift, uint64_t n)
{
    if (n > (uint64_t)(thrift->end - thrift->at)) run_short(thrift);
    else thrift->at += n;
}

uint64_t thrift_varint(struct thrift *thrift)
{
    uint64_t value = 0;

    for (unsigned shift = 0; shift < 64; shift += 7) {
        unsigned char byte = next_byte(thrift);

        value |= (uint64_t)(byte & 0x7F) << shift;
        if (!(byte & 0x80)) return thrift->broken ? 0 : value;
    }
    fail(thrift);
    return 0;
}

int64_t thrift_int(struct thrift *thrift) { return thrift_zigzag(thrift_varint(thrift)); }

struct slice thrift_binary(struct thrift *thrift)
{
    uint64_t     len = thrift_varint(thrift);
    struct slice value = { (const char *)thrift->at, (size_t)len };

    skip_bytes(thrift, len);
    return thrift->broken ? (struct slice){ "", 0 } : value;
}

bool thrift_next_field(struct thrift *thrift, struct thrift_field *field)
{
    unsigned char head = next_byte(thrift);

    if (thrift->broken || !(head & 0x0F)) return false;
    field->type = head & 0x0F;
    field->id = head >> 4 ? field->id + (head >> 4) : (int)(int16_t)thrift_int(thrift);
    /* ids are 16 bits: a long run of steps would pass any int */
    if (field->type > THRIFT_UUID || field->id > INT16_MAX) fail(thrift);
    return !thrift->broken;
}

uint32_t thrift_list(struct thrift *thrift, enum thrift_type *type)
{
    unsigned char head = next_byte(thrift);
    uint64_t      count = head >> 4;

    *type = head & 0x0F;
    if (count == 15) count = thrift_varint(thrift);
    if (count > (uint64_t)(thrift->end - thrift->at)) run_short(thrift);
    if (*type == THRIFT_STOP || *type > THRIFT_UUID) fail(thrift);
    return thrift->broken ? 0 : (uint32_t)count;
}

static void skip_value(struct thrift *thrift, enum thrift_type type, unsigned depth);

static void skip_struct(struct thrift *thrift, unsigned depth)
{
    struct thrift_field field = { 0 };

    while (thrift_next_field(thrift, &field))
        if (field.type > THRIFT_FALSE) skip_value(thrift, field.type, depth);
}

static void skip_list(struct thrift *thrift, unsigned depth)
{
    enum thrift_type type;
    uint32_t         count = thrift_list(thrift, &type);

    for (; count && !thrift->broken; count--) skip_value(thrift, type, depth);
}

static void skip_map(struct thrift *thrift, unsigned depth)
{
    uint64_t      count = thrift_varint(thrift);
    unsigned char types = count ? next_byte(thrift) : 0;

    for (; count && !thrift->broken; count--) {
        skip_value(thrift, types >> 4, depth);
        skip_value(thrift, types & 0x0F, depth);
    }
}

/* An element's value: a bool takes a byte here. */
static void skip_value(struct thrift *thrift, enum thrift_type type, unsigned depth)
{
    if (depth == DEPTH_MAX) {
        fail(thrift);
        return;
    }
    switch (type) {
    case THRIFT_TRUE:
    case THRIFT_FALSE:
    case THRIFT_BYTE:   skip_bytes(thrift, 1); break;
    case THRIFT_I16:
    case THRIFT_I32:
    case THRIFT_I64:    thrift_varint(thrift); break;
    case THRIFT_DOUBLE: skip_bytes(thrift, 8); break;
    case THRIFT_UUID:   skip_bytes(thrift, 16); break;
    case THRIFT_BINARY: skip_bytes(thrift, thrift_varint(thrift)); break;
    case THRIFT_LIST:
    case THRIFT_SET:    skip_list(thrift, depth + 1); break;
    case THRIFT_MAP:    skip_map(thrift, depth + 1); break;
    case THRIFT_STRUCT: skip_struct(thrift, depth + 1); break;
    default:            fail(thrift);
    }
}

void thrift_skip_element(struct thrift *thrift, enum thrift_type type) { skip_value(thrift, type, 0); }

void thrift_skip(struct thrift *thrift, enum thrift_type type)
{
    if (type > THRIFT_FALSE) skip_value(thrift, type, 0);
}

bool thrift_expect(struct thrift *thrift, const struct thrift_field *field, enum thrift_type type)
{
    if (field->type == type) return true;
    thrift_skip(thrift, field->type);
    return false;
}

bool thrift_take_int(struct thrift *thrift, const struct thrift_field *field, int64_t *out)
{
    if (field->type < THRIFT_I16 || field->type > THRIFT_I64) {
        thrift_skip(thrift, field->type);
        return false;
    }
    *out = thrift_int(thrift);
    return true;
}
