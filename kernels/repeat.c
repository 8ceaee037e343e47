/* kernels/repeat.c -- how far before each value of an array an equal one is: the specification, and the ends of arrays.
 */
#include "kernels/parts.h"

void repeat_part(uint8_t *back, const uint64_t *value, size_t from, size_t to)
{
    for (size_t i = from; i < to; i++) {
        size_t reach = i < REPEAT_REACH ? i : REPEAT_REACH, distance = 1;

        while (distance <= reach && value[i - distance] != value[i])
            distance++;
        back[i] = distance <= reach ? (uint8_t)distance : 0;
    }
}

void repeat_scalar(uint8_t *back, const uint64_t *value, size_t n) { repeat_part(back, value, 0, n); }
