/* base/ratio.c -- see ratio.h. */
#include "base/ratio.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* 10^9 is the largest power of ten whose products stay small */
enum { RATIO_DECIMALS = 9, PERCENT_DECIMALS = 6 };

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
    return err_set(err, -EINVAL, "`%.40s` is not a fraction from 0 to 1 with at most %d decimals, nor a percentage "
                                 "such as 80%%", text, RATIO_DECIMALS);
}

/* Length of the number before "%" or " %"; 0 when there is neither. */
static size_t percent_number(const char *text)
{
    size_t len = strlen(text);

    if (!len || text[len - 1] != '%') return 0;
    len--;
    return len && text[len - 1] == ' ' ? len - 1 : len;
}

int ratio_parse(struct ratio *out, const char *text, struct err *err)
{
    const size_t   percent = percent_number(text), most = percent ? RATIO_DECIMALS - 2 : RATIO_DECIMALS;
    const uint64_t one = percent ? 100 : 1;
    uint64_t       num = 0, den = one;
    size_t         whole = 0, decimals = 0;
    const char    *at = text;
    uint32_t       divisor;

    *out = (struct ratio){ 0, 0 };
    if (strcmp(text, "off") == 0) return 0;
    for (; *at >= '0' && *at <= '9'; at++, whole++) {
        num = num * 10 + (uint64_t)(*at - '0');
        if (num > one) return ratio_refuse(text, err);      /* also bounds the loop: leading zeros never grow num */
    }
    if (*at == '.') {
        for (at++; *at >= '0' && *at <= '9'; at++) {
            if (++decimals > most) return ratio_refuse(text, err);
            num = num * 10 + (uint64_t)(*at - '0');
            den *= 10;
        }
        if (decimals == 0) return ratio_refuse(text, err);  /* "1." reads like a number cut short */
    }
    if ((percent ? at != text + percent : *at != '\0') || whole + decimals == 0 || num > den)
        return ratio_refuse(text, err);
    divisor = ratio_divisor((uint32_t)num, (uint32_t)den);
    *out = (struct ratio){ (uint32_t)num / divisor, (uint32_t)den / divisor };
    return 0;
}

bool percent_parse(double *out, const char *text)
{
    const size_t digits = strspn(text, "0123456789"), point = text[digits] == '.',
        decimals = strspn(text + digits + point, "0123456789"), len = digits + point + decimals;

    if (digits + decimals == 0 || digits > 9 || decimals > PERCENT_DECIMALS) return false;
    if (text[len] && percent_number(text) != len) return false;
    *out = strtod(text, NULL);
    return *out <= 100;
}
