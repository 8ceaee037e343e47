#!/usr/bin/env python3
"""Tests of two groups, of pairs and of several p-values, correlations, lines and resampling against SciPy, statsmodels
and their definitions in NumPy; how often intervals hold the truth.  See scripts/stats_oracles.sh.
Usage: stats.py DRIVER"""
import itertools
import math
import os
import subprocess
import sys
import warnings

import numpy as np
from scipy import special, stats
from scipy.stats import _resampling
from statsmodels.stats.multitest import multipletests

DRIVER = os.path.abspath(sys.argv[1])
ROUNDS = int(os.environ.get("ROUNDS", "200"))
COVERAGE = int(os.environ.get("COVERAGE", "2000"))
random = np.random.default_rng(int(os.environ.get("SEED", "16")))
NEAR = 1e-9
nan = math.nan
failed = []
warnings.simplefilter("ignore")                             # SciPy's about constants and few numbers
np.seterr(all="ignore")


def check(what, good, said):
    print(f"{'ok  ' if good else 'FAIL'} {what}: {said}", flush=True)
    if not good:
        failed.append(what)


def line(name, x, y=(), *more):
    return " ".join([name, str(len(x)), *(repr(float(v)) for v in x), str(len(y)), *(repr(float(v)) for v in y),
                     *(repr(float(v)) for v in more)])


def ask(lines):
    said = subprocess.run([DRIVER], input="\n".join(lines), check=True, capture_output=True, text=True).stdout
    return [np.array([float(v) for v in one.split()]) for one in said.splitlines()]


def off(ours, theirs):
    """How far two numbers are apart, relative to their size; NaN is only like NaN."""
    if math.isnan(ours) or math.isnan(theirs):
        return 0 if math.isnan(ours) and math.isnan(theirs) else math.inf
    if ours == theirs:
        return 0
    return abs(ours - theirs) / max(abs(ours), abs(theirs))


def compare(what, lines, wanted, noise=0):
    """noise: below it what others say is 0 but for rounding; None: what they say is rounding's alone."""
    worst, at = 0, None
    for asked, ours, theirs in zip(lines, ask(lines), wanted, strict=True):
        assert len(ours) == len(theirs), (asked, ours, theirs)
        for a, b in zip(ours, theirs):
            if b is None or max(abs(a), abs(b)) < noise:
                continue
            if off(a, b) > worst:
                worst, at = off(a, b), f"{asked}: {list(ours)} is not {list(theirs)}"
    good = worst <= NEAR
    check(what, good, f"{len(lines)} inputs, at most {worst:.1e} off" + ("" if good else f"; {at}"))


def numbers(count):
    """Few levels, so that many are equal, or all apart, or one constant."""
    kind = random.integers(0, 5)
    if kind == 0:
        return random.integers(0, 4, count) / 2
    if kind == 1:
        return np.full(count, 0.1)
    if kind == 2:
        return np.round(random.normal(size=count), 1)
    return random.normal(size=count) * 10.0 ** random.integers(-3, 4)


def size():
    return int(random.choice([0, 1, 2, 3, random.integers(4, 12), random.integers(9, 80)]))


def groups():
    for _ in range(ROUNDS):
        yield numbers(size()), numbers(size()) + random.choice([0, 0, 0.5])


def pairs():
    for _ in range(ROUNDS):
        count = size()
        x, y = numbers(count), numbers(count)
        yield x, x + y if random.random() < 0.3 else y


def equal(*values):
    return len(np.unique(np.concatenate(values))) < sum(map(len, values))


def constant(x):
    return len(x) == 0 or np.all(x == x[0])


# ---- two groups ----

def mann_whitney(x, y, method):
    if len(x) == 0 or len(y) == 0:
        return nan, nan, nan, nan, 0
    exact = method != "normal" and min(len(x), len(y)) <= 8 and not equal(x, y)
    how = "exact" if exact else "asymptotic"
    two, one = (stats.mannwhitneyu(x, y, alternative=side, method=how) for side in ("two-sided", "greater"))
    delta = np.sign(np.subtract.outer(x, y)).mean()
    if constant(np.concatenate([x, y])):                    # SciPy divides by 0; there is nothing against equality
        return two.statistic, 1, 1, delta, 0
    return two.statistic, two.pvalue, one.pvalue, delta, exact


def choices(x, y):
    """Of all ways to choose the ranks, those with a U as large, and with one as far from its mean."""
    ranks = stats.rankdata(np.concatenate([x, y]))
    sums = np.array([sum(chosen) for chosen in itertools.combinations(ranks, len(x))])
    mean = len(x) * (len(ranks) + 1) / 2
    at = ranks[:len(x)].sum()
    return np.mean(abs(sums - mean) >= abs(at - mean)), np.mean(sums >= at)


def cliff(x, y):
    if len(x) == 0 or len(y) == 0:
        return nan, nan, nan
    signs = np.sign(np.subtract.outer(x, y))
    d, m, n = signs.mean(), len(x), len(y)
    if m < 2 or n < 2:
        return d, nan, nan
    z = stats.norm.ppf(0.975)
    if abs(d) == 1:
        inner = (min(m, n) - z * z) / (min(m, n) + z * z)
        return (1, inner, 1) if d > 0 else (-1, -1, -inner)
    in_x = ((signs.mean(axis=1) - d)**2).sum() / (m - 1)
    in_y = ((signs.mean(axis=0) - d)**2).sum() / (n - 1)
    both = ((signs - d)**2).sum() / ((m - 1) * (n - 1))
    s = math.sqrt(((n - 1) * in_x + (m - 1) * in_y + both) / (m * n))
    ends = [(d - d**3 + way * z * s * math.sqrt((1 - d * d)**2 + z * z * s * s)) / (1 - d * d + z * z * s * s)
            for way in (-1, 1)]
    return d, max(-1, ends[0]), min(1, ends[1])


def means(x, y):
    """SciPy's t and p, Hedges' factor by SciPy's log gamma; not defined where a variance is not or both are 0."""
    if len(x) < 2 or len(y) < 2:
        return (nan,) * 9
    m = len(x) + len(y) - 2
    if constant(x) and constant(y):
        return nan, nan, nan, nan, m, nan, nan, nan, nan
    student, welch = (stats.ttest_ind(x, y, equal_var=same) for same in (True, False))
    a, b = np.var(x, ddof=1) / len(x), np.var(y, ddof=1) / len(y)
    apart = np.mean(x) - np.mean(y)
    pooled = apart / math.sqrt(((len(x) - 1) * np.var(x, ddof=1) + (len(y) - 1) * np.var(y, ddof=1)) / m)
    factor = math.exp(special.gammaln(m / 2) - special.gammaln((m - 1) / 2)) / math.sqrt(m / 2)
    freedom = (a + b)**2 / (a * a / (len(x) - 1) + b * b / (len(y) - 1))
    return (abs(apart) / math.sqrt((np.var(x, ddof=1) + np.var(y, ddof=1)) / 2), pooled, factor * pooled,
            student.statistic, m, student.pvalue, welch.statistic, freedom, welch.pvalue)


def two_groups():
    for method in ("", "_normal"):
        asked = list(groups())
        compare(f"mann_whitney{method}", [line("mann_whitney" + method, x, y) for x, y in asked],
                [mann_whitney(x, y, method[1:]) for x, y in asked])
    asked = [(numbers(random.integers(1, 7)), numbers(random.integers(1, 7))) for _ in range(ROUNDS)]
    wanted = []
    for x, y in asked:
        u = stats.mannwhitneyu(x, y).statistic
        wanted.append((u, *choices(x, y), 2 * u / len(x) / len(y) - 1, 1))
    compare("mann_whitney_exact, with ties, against all choices", [line("mann_whitney_exact", x, y) for x, y in asked],
            wanted)
    for name, of in (("cliff", cliff), ("means", means)):
        asked = list(groups())
        compare(name, [line(name, x, y) for x, y in asked], [of(x, y) for x, y in asked])


# ---- pairs ----

def wilcoxon(x, y, method):
    d = x - y
    used = d[d != 0]
    if len(d) == 0:
        return nan, nan, nan, nan, 0
    if len(used) == 0:                                      # SciPy refuses; there is nothing against equality
        return 0, 0, 1, 1, 0
    exact = method != "normal" and len(used) == len(d) <= 50 and not equal(abs(d))
    two, one = (stats.wilcoxon(d, alternative=side, mode="exact" if exact else "approx")
                for side in ("two-sided", "greater"))
    ranks = stats.rankdata(abs(used))
    return ranks[used > 0].sum(), ranks[used < 0].sum(), two.pvalue, one.pvalue, exact


def signs(x, y):
    used = (x - y)[x != y]
    ranks = stats.rankdata(abs(used))
    above, below = ranks[used > 0].sum(), ranks[used < 0].sum()
    sums = np.array([sum(chosen) for chosen in itertools.product(*((0, r) for r in ranks))])
    return (above, below, np.mean(abs(sums - ranks.sum() / 2) >= abs(above - ranks.sum() / 2)), np.mean(sums >= above),
            1)


def paired_t(x, y):
    d = x - y
    if len(d) < 2:
        return nan, nan, nan
    if constant(d):
        return nan, len(d) - 1, nan
    if np.std(d) < 1e-9 * abs(np.mean(d)):                  # a constant but for rounding
        return None, len(d) - 1, None
    said = stats.ttest_rel(x, y)
    return said.statistic, len(d) - 1, said.pvalue


def student_95(freedom):
    """SciPy's own inverse is off by up to 5e-9; one step of Newton's by its tail and density mends that."""
    t = stats.t.ppf(0.975, freedom)
    return t + (stats.t.sf(t, freedom) - 0.025) / stats.t.pdf(t, freedom)


def fitted(x, y):
    if len(x) < 2 or constant(x):
        return (nan,) * 6
    said = stats.linregress(x, y)
    if len(x) == 2:
        return said.slope, said.intercept, nan, nan, nan, nan
    if constant(y):
        return 0, y[0], 0, 0, 0, 1
    if abs(said.rvalue) > 1 - 1e-6:                         # of the rest little but rounding is left
        return said.slope, said.intercept, None, None, None, None
    half = student_95(len(x) - 2) * said.stderr
    return said.slope, said.intercept, said.stderr, said.slope - half, said.slope + half, said.pvalue


def spearman_orders(x, y):
    """All orders of ranks, by how far Spearman's sum is from its mean."""
    n = len(x)
    a, b = stats.rankdata(x), stats.rankdata(y)
    mean = (n**3 - n) / 6
    sums = ((np.array(list(itertools.permutations(range(1, n + 1)))) - np.arange(1, n + 1))**2).sum(axis=1)
    return np.mean(abs(sums - mean) >= abs(((a - b)**2).sum() - mean))


def correlations(x, y):
    if len(x) < 2 or constant(x) or constant(y):
        return (nan,) * 6
    out = []
    for of in (stats.pearsonr, stats.spearmanr):
        r, p = of(x, y)
        if abs(r) > 1 - 1e-6:                               # as above
            p = None
        if of is stats.spearmanr and 3 <= len(x) <= 9 and not equal(x) and not equal(y):
            p = spearman_orders(x, y)
        out += [r, nan if len(x) == 2 else p]               # of two points r is 1 or -1 whatever they are
    return (*out, *stats.kendalltau(x, y))


def of_pairs():
    for method in ("", "_normal"):
        asked = list(pairs())
        compare(f"wilcoxon{method}", [line("wilcoxon" + method, x, y) for x, y in asked],
                [wilcoxon(x, y, method[1:]) for x, y in asked])
    asked = [(numbers(n), numbers(n)) for n in random.integers(1, 11, ROUNDS)]
    compare("wilcoxon_exact, with ties and zeros, against all signs", [line("wilcoxon_exact", x, y) for x, y in asked],
            [signs(x, y) for x, y in asked])
    for name, of in (("paired_t", paired_t), ("line", fitted), ("correlations", correlations)):
        asked = list(pairs())
        compare(name, [line(name, x, y) for x, y in asked], [of(x, y) for x, y in asked], 1e-15)


# ---- several at once; quantiles ----

def adjusted():
    asked = [np.round(random.random(n)**3, random.integers(1, 9)) for n in random.integers(1, 30, ROUNDS)]
    compare("adjust, Holm and Benjamini-Hochberg", [line("adjust", p) for p in asked],
            [np.concatenate([multipletests(p, method=m)[1] for m in ("holm", "fdr_bh")]) for p in asked])
    tail = np.concatenate([10.0**-random.uniform(0, 300, ROUNDS), random.random(ROUNDS)])
    compare("normal_quantile", [line("normal_quantile", tail)], [stats.norm.ppf(tail)])
    share, freedom = random.random(ROUNDS)**4, random.choice([1, 2, 3, 7.5, 30, 1000, 1e5], ROUNDS)
    (ours,) = ask([line("student_quantile", share, freedom)])
    worst = max(abs(2 * stats.t.sf(ours, freedom) / share - 1))    # not by its inverse: see above
    check("student_quantile, by SciPy's tail", worst < NEAR, f"{ROUNDS} inputs, at most {worst:.1e} off")


# ---- resampling ----

def deals():
    asked = []
    while len(asked) < ROUNDS:
        x, y = numbers(random.integers(1, 8)), numbers(random.integers(1, 8))
        asked.append((x, y))
    wanted = []
    for x, y in asked:
        both = np.concatenate([x, y])
        apart = np.mean(x) - np.mean(y)
        all_ = np.array([np.mean(c) for c in itertools.combinations(both, len(x))])
        all_ -= (both.sum() - len(x) * all_) / len(y)
        slack = 1e-9 * (abs(both).max() + 1e-300)
        wanted.append((apart, np.mean(abs(all_) >= abs(apart) - slack), np.mean(all_ >= apart - slack), len(all_), 1))
    compare("permutation, all deals", [line("permutation", x, y, 10000, 1) for x, y in asked], wanted)
    x, y = random.normal(size=30), random.normal(size=40) - 0.45
    (ours,) = ask([line("permutation", x, y, 99999, 1)])
    theirs = stats.permutation_test((x, y), lambda a, b, axis: abs(np.mean(a, axis) - np.mean(b, axis)),
                                    n_resamples=99999, alternative="greater", vectorized=True, random_state=1).pvalue
    error = math.sqrt(2 * theirs * (1 - theirs) / 1e5)
    check("permutation, random deals", abs(ours[1] - theirs) < 5 * error,
          f"p {ours[1]:.5f}, SciPy's {theirs:.5f}, Monte Carlo error {error:.5f}")


def acceleration(data, of):
    cubes = squares = 0
    for sample in data:
        n = len(sample)
        left = np.array([of(np.delete(sample, i)) for i in range(n)])
        u = (n - 1) * (left.mean() - left)
        cubes, squares = cubes + (u**3).sum() / n**3, squares + (u**2).sum() / n**2
    return cubes / 6 / squares**1.5


def bca():
    """SciPy's formula on the same resamples, which it makes one at a time."""
    asked, wanted = [], []
    for _ in range(ROUNDS):
        x = random.exponential(size=random.integers(3, 30))
        draws = x[random.integers(0, len(x), (500, len(x)))].mean(axis=1)
        low, high, a = _resampling._bca_interval((x,), np.mean, -1, 0.025, draws, None)[:3]
        asked.append(line("bca", draws, (), x.mean(), acceleration([x], np.mean)))
        wanted.append(np.percentile(draws, [100 * low, 100 * high]))
    compare("bca, SciPy's formula on the same resamples", asked, wanted)


def bootstraps():
    data = random.exponential(size=40), random.exponential(size=25) + 0.3
    spread = lambda a, axis=-1: np.std(a, axis)             # noqa: E731
    for name, of, two in (("bootstrap_one", np.mean, False), ("bootstrap_one_spread", spread, False),
                          ("bootstrap_two", np.mean, True), ("bootstrap_two_spread", spread, True)):
        used = data if two else data[:1]
        both = (lambda a, b, axis: of(a, axis) - of(b, axis)) if two else (lambda a, axis: of(a, axis))
        (ours,) = ask([line(name, *data, 50000, 1)])
        theirs = stats.bootstrap(used, both, n_resamples=50000, method="BCa", random_state=1, vectorized=True)
        low, high = theirs.confidence_interval
        # ends of 50,000 resamples: a standard error of some 0.02 of the statistic's
        apart = max(abs(ours[1] - low), abs(ours[2] - high)) / theirs.standard_error
        check(name, apart < 0.1 and abs(ours[3] / theirs.standard_error - 1) < 0.02,
              f"[{ours[1]:.4f}, {ours[2]:.4f}], SciPy's [{low:.4f}, {high:.4f}], {apart:.3f} standard errors off")


def share(what, lines, truth, low, high, least, most):
    inside = np.mean([one[low] <= truth <= one[high] for one in ask(lines)])
    error = math.sqrt(0.05 * 0.95 / len(lines))
    check(what, least - 2 * error <= inside <= most + 2 * error,
          f"hold the truth in {100 * inside:.1f} % of {len(lines)} samples")


def coverages():
    """Of the mean of a lognormal (sigma 0.5, skewness 1.75) BCa is known to hold a little less than it says."""
    draw = lambda n: random.lognormal(0, 0.5, n)            # noqa: E731
    mean = math.exp(0.125)
    for n in (20, 50, 200):
        share(f"bootstrap_one, mean of {n} skewed numbers", [line("bootstrap_one", draw(n), (), 1000, i)
                                                             for i in range(COVERAGE)], mean, 1, 2, 0.91, 0.96)
    share("bootstrap_two, means of 40 and 60 skewed numbers",
          [line("bootstrap_two", draw(40), draw(60), 1000, i) for i in range(COVERAGE)], 0, 1, 2, 0.93, 0.96)
    for shift in (0, 1):
        truth = 2 * stats.norm.cdf(shift / math.sqrt(2)) - 1
        share(f"cliff, 15 and 20 numbers {shift} apart",
              [line("cliff", random.normal(size=15) + shift, random.normal(size=20)) for _ in range(COVERAGE)],
              truth, 1, 2, 0.94, 0.96)
    x = np.arange(12.0)
    share("line, slopes", [line("line", x, 2 * x + random.normal(size=12)) for _ in range(COVERAGE)], 2, 3, 4, 0.94,
          0.96)


two_groups()
of_pairs()
adjusted()
deals()
bca()
bootstraps()
coverages()
if failed:
    sys.exit(f"stats: {len(failed)} of them differ")
print("stats: all agree")
