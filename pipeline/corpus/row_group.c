/* corpus/row_group.c -- see row_group.h. */
#include "corpus/row_group.h"

#include "base/ratio.h"

static const uint64_t FREE_BYTES = 64ull << 20;

static uint64_t most(uint64_t a, uint64_t b) { return a > b ? a : b; }

static uint64_t sum(uint64_t a, uint64_t b)
{
    uint64_t out;

    return __builtin_add_overflow(a, b, &out) ? UINT64_MAX : out;
}

static uint64_t product(uint64_t a, uint64_t b)
{
    uint64_t out;

    return __builtin_mul_overflow(a, b, &out) ? UINT64_MAX : out;
}

static uint32_t unit_at(uint64_t byte, uint64_t unit_bytes)
{
    const uint64_t unit = byte / unit_bytes;

    return unit < UINT32_MAX ? (uint32_t)unit : UINT32_MAX;
}

uint64_t row_group_claim(uint64_t rows, uint64_t unpacked)
{
    return sum(product(rows, ROW_GROUP_ROW_COST), unpacked);
}

struct row_group row_group_place(uint64_t before, uint64_t claim, uint64_t unit_bytes)
{
    struct row_group group = { .before = before, .behind = sum(before, claim),
                               .first_unit = unit_at(before, unit_bytes) };

    group.last_unit = claim < unit_bytes ? group.first_unit : unit_at(sum(before, claim - 1), unit_bytes);
    return group;
}

uint32_t row_group_unit(const struct row_group *group, uint64_t used, uint64_t unit_bytes)
{
    const uint32_t unit = unit_at(sum(group->before, used), unit_bytes);

    return unit < group->last_unit ? unit : group->last_unit;
}

bool row_group_piece_is_full(uint64_t used, uint64_t unit_bytes) { return used >= product(2, unit_bytes); }

uint64_t row_group_free(uint64_t file_bytes, uint32_t max_ratio, uint64_t rows, uint64_t file_rows, uint32_t groups)
{
    const uint64_t file = most(product(file_bytes, max_ratio), FREE_BYTES);

    return most(ratio_share(file, rows, file_rows), file / (groups ? groups : 1));
}

bool row_group_is_bomb(const struct row_group *group, uint64_t made, uint64_t from, uint32_t max_ratio)
{
    return made > group->free && made / max_ratio > from;
}
