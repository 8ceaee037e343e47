/* base/ratio.c -- see ratio.h. */
#include "base/ratio.h"

#include <errno.h>
#include <string.h>

/* 10^9 is the largest power of ten whose products stay small */
enum { RATIO_DECIMALS = 9 };

static uint32_t ratio_divisor(uint32_t a, uint32_t b)
{
    while (b) {
        uint32_t rest = a % b;

        a = b;
        b = rest;
    }
    return a;
}

static int ratio_refuse(const char *text, struct err *err)
{
    return err_set(err, -EINVAL, "`%.40s` is not a fraction from 0 to 1 with at most %d decimals", text,
                   RATIO_DECIMALS);
}

int ratio_parse(struct ratio *out, const char *text, struct err *err)
{
    uint64_t    num = 0, den = 1;
    size_t      whole = 0, decimals = 0;
    const char *at = text;
    uint32_t    divisor;

    *out = (struct ratio){ 0, 0 };
    if (strcmp(text, "off") == 0) return 0;
    for (; *at >= '0' && *at <= '9'; at++, whole++) {
        num = num * 10 + (uint64_t)(*at - '0');
        if (num > 1) return ratio_refuse(text, err);        /* also bounds the loop: leading zeros never grow num */
    }
    if (*at == '.') {
        for (at++; *at >= '0' && *at <= '9'; at++) {
            if (++decimals > RATIO_DECIMALS) return ratio_refuse(text, err);
            num = num * 10 + (uint64_t)(*at - '0');
            den *= 10;
        }
        if (decimals == 0) return ratio_refuse(text, err);  /* "1." reads like a number cut short */
    }
    if (*at || whole + decimals == 0 || num > den) return ratio_refuse(text, err);
    divisor = ratio_divisor((uint32_t)num, (uint32_t)den);
    *out = (struct ratio){ (uint32_t)num / divisor, (uint32_t)den / divisor };
    return 0;
}
