/* stats/distribution.c -- see distribution.h. */
#include "stats/distribution.h"

#include <math.h>

/* The regularised incomplete beta function by its continued fraction (Lentz's method), for x below (a + 1) / (a + b +
 * 2). */
static double beta_fraction(double a, double b, double x)
{
    enum { ROUNDS = 1000 };
    const double tiny = 1e-300;
    double       c = 1, d = 1 - (a + b) * x / (a + 1), sum;

    d = 1 / (fabs(d) < tiny ? tiny : d);
    sum = d;
    for (int m = 1; m <= ROUNDS; m++) {
        double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
            odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1)), step;

        d = 1 + even * d;
        d = 1 / (fabs(d) < tiny ? tiny : d);
        c = 1 + even / c;
        if (fabs(c) < tiny) c = tiny;
        sum *= c * d;
        d = 1 + odd * d;
        d = 1 / (fabs(d) < tiny ? tiny : d);
        c = 1 + odd / c;
        if (fabs(c) < tiny) c = tiny;
        step = c * d;
        sum *= step;
        if (fabs(step - 1) < 1e-15) break;
    }
    return sum;
}

double beta_incomplete(double a, double b, double x)
{
    double front;

    if (x <= 0) return 0;
    if (x >= 1) return 1;
    front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log1p(-x));
    return x < (a + 1) / (a + b + 2) ? front * beta_fraction(a, b, x) / a : 1 - front * beta_fraction(b, a, 1 - x) / b;
}

double normal_above(double z) { return erfc(z * sqrt(0.5)) / 2; }

double student_beyond(double t, double freedom)
{
    return isnan(t) || !(freedom > 0) ? NAN
        : isinf(t) ? 0 : beta_incomplete(freedom / 2, 0.5, freedom / (freedom + t * t));
}
