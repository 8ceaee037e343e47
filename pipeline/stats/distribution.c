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

/* What Stirling's formula lacks of log gamma(x), for x of 10 or more. */
static double stirling_rest(double x)
{
    const double y = 1 / (x * x);

    return (1.0 / 12 - y * (1.0 / 360 - y * (1.0 / 1260 - y * (1.0 / 1680 - y * (1.0 / 1188 - y * 691 / 360360))))) / x;
}

/* log(gamma(a) gamma(b) / gamma(a + b)).  Of large numbers log gammas are so large that their difference has few digits
 * left; Stirling's formula lets what is large fall out. */
static double beta_log(double a, double b)
{
    const double less = fmin(a, b), more = fmax(a, b);

    if (more < 10) return lgamma(a) + lgamma(b) - lgamma(a + b);
    return lgamma(less) + less - less * log(more + less) - (more - 0.5) * log1p(less / more) +
           stirling_rest(more) - stirling_rest(more + less);
}

/* y is 1 - x, which says it better where x is near 1. */
static double beta_of(double a, double b, double x, double y)
{
    double front;

    if (x <= 0) return 0;
    if (y <= 0) return 1;
    front = exp(a * (x < 0.5 ? log(x) : log1p(-y)) + b * (y < 0.5 ? log(y) : log1p(-x)) - beta_log(a, b));
    return x < (a + 1) / (a + b + 2) ? front * beta_fraction(a, b, x) / a : 1 - front * beta_fraction(b, a, y) / b;
}

double beta_incomplete(double a, double b, double x) { return beta_of(a, b, x, 1 - x); }

double normal_above(double z) { return erfc(z * sqrt(0.5)) / 2; }

double student_beyond(double t, double freedom)
{
    return isnan(t) || !(freedom > 0) ? NAN
        : isinf(t) ? 0 : beta_of(freedom / 2, 0.5, freedom / (freedom + t * t), t * t / (freedom + t * t));
}

double normal_quantile(double share)
{
    const double tail = share < 0.5 ? share : 1 - share;
    double       z, t;

    if (!(share >= 0 && share <= 1)) return NAN;
    if (tail <= 0) return share > 0.5 ? INFINITY : -INFINITY;
    /* a first guess that is off by 0.003 (Hastings 1955), and Halley's steps, each of which triples the digits */
    t = sqrt(-2 * log(tail));
    z = t - (2.30753 + 0.27061 * t) / (1 + t * (0.99229 + 0.04481 * t));
    for (int i = 0; i < 3; i++) {
        const double off = (normal_above(z) - tail) / (exp(-z * z / 2) / sqrt(2 * acos(-1)));

        z += off / (1 - z * off / 2);
    }
    return share < 0.5 ? -z : z;
}

double student_quantile(double share, double freedom)
{
    double low = 0, high = 1;

    if (!(share > 0 && share <= 1) || !(freedom > 0)) return NAN;
    while (student_beyond(high, freedom) > share && high < 1e300) low = high, high *= 2;
    for (;;) {
        const double middle = low + (high - low) / 2;

        if (!(middle > low && middle < high)) return middle;
        if (student_beyond(middle, freedom) > share) low = middle;
        else high = middle;
    }
}
