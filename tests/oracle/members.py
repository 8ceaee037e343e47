#!/usr/bin/env python3
"""Areas under curves, their comparison, rates and the test of orders against scikit-learn, SciPy and DeLong's
definition over all pairs in NumPy; how often intervals have the true area.  See scripts/members_oracles.sh.
Usage: members.py DRIVER"""
import os
import subprocess
import sys

import numpy as np
from scipy import stats
from sklearn.metrics import roc_auc_score, roc_curve

DRIVER = os.path.abspath(sys.argv[1])
ROUNDS = 200
SAMPLES = 2000
random = np.random.default_rng(int(os.environ.get("SEED", "20")))
failed = []


def check(what, good, said):
    print(f"{'ok  ' if good else 'FAIL'} {what}: {said}", flush=True)
    if not good:
        failed.append(what)


def ask(samples):
    said = subprocess.run([DRIVER], input="\n".join(samples), check=True, capture_output=True, text=True).stdout
    return np.array([[float(v) for v in line.split()] for line in said.splitlines()])


def roc_sample(truth, a, b):
    return f"roc {len(truth)}\n" + "\n".join(f"{int(t)} {float(x)!r} {float(y)!r}" for t, x, y in zip(truth, a, b))


def placements(truth, value):
    """Of either class what share of the other each beats, or is beaten by."""
    in_, out = value[truth == 1], value[truth == 0]
    wins = (in_[:, None] > out[None, :]) + (in_[:, None] == out[None, :]) / 2
    return wins.mean(axis=1), wins.mean(axis=0)


def delong(truth, a, b):
    (a1, a0), (b1, b0) = placements(truth, a), placements(truth, b)
    return sum(np.cov(x, y) / len(x) for x, y in ((a1, b1), (a0, b0)))


def rate(truth, value):
    """The most that is found with at most one alarm in 10: of scikit-learn's curve, all of whose thresholds stay."""
    alarms, hits, _ = roc_curve(truth, value, drop_intermediate=False)
    zeros, ones = np.sum(truth == 0), np.sum(truth == 1)
    best = max(i for i in range(len(alarms)) if round(alarms[i] * zeros) <= zeros // 10)
    return round(hits[best] * ones), round(alarms[best] * zeros)


def rocs():
    samples, wanted = [], []
    for _ in range(ROUNDS):
        ones, zeros = random.integers(2, 60, 2)
        truth = np.repeat([1, 0], [ones, zeros])
        levels = random.choice([3, 10, 10**6])
        a, b = (np.round(random.normal(size=ones + zeros) * levels + truth * levels / 2) for _ in range(2))
        samples.append(roc_sample(truth, a, b))
        s = delong(truth, a, b)
        auc, other = roc_auc_score(truth, a), roc_auc_score(truth, b)
        error = np.sqrt(max(s[0, 0] + s[1, 1] - 2 * s[0, 1], 0))
        wanted.append([auc, s[0, 0], auc - other, error, 2 * stats.norm.sf(abs(auc - other) / error), *rate(truth, a)])
    got, wanted = ask(samples)[:, [0, 1, 4, 5, 6, 7, 8]], np.array(wanted)
    for i, name in enumerate(("area", "variance", "difference", "its error", "p", "hits", "alarms")):
        off = np.abs(got[:, i] - wanted[:, i]).max()
        check(f"roc, {name}", off < 1e-9, f"{ROUNDS} samples, at most {off:.1e} off")


def orders():
    samples, wanted = [], []
    for _ in range(ROUNDS):
        shards, shuffles = random.integers(2, 30), random.integers(1, 60)
        logprob = np.round(random.normal(-500, 5, (shards, 1 + shuffles)), int(random.choice([0, 6])))
        logprob[:, 0] += random.choice([0, 3])
        samples.append(f"order {shards} {shuffles}\n" + "\n".join(repr(float(v)) for v in logprob.ravel()))
        gain = logprob[:, 0] - logprob[:, 1:].mean(axis=1)
        test = stats.ttest_1samp(gain, 0, alternative="greater")
        sums = (logprob[:, 1:] - logprob[:, :1]).sum(axis=0)
        wanted.append([gain.mean(), test.statistic, test.pvalue, (1 + np.sum(sums >= -1e-9)) / (1 + shuffles)])
    got, wanted = ask(samples), np.array(wanted)
    for i, name in enumerate(("gain", "t", "p", "p of orders")):
        off = np.nanmax(np.abs(got[:, i] - wanted[:, i]) / np.maximum(1, np.abs(wanted[:, i])))
        check(f"order, {name}", off < 1e-9, f"{ROUNDS} samples, at most {off:.1e} off")


def coverage():
    for apart, ones, zeros in ((1, 30, 30), (2, 30, 30), (1, 20, 200), (1, 10, 10), (3, 20, 20)):
        true = stats.norm.cdf(apart / np.sqrt(2))
        truth = np.repeat([1, 0], [ones, zeros])
        values = [random.normal(size=ones + zeros) + apart * truth for _ in range(SAMPLES)]
        got = ask([roc_sample(truth, v, v) for v in values])
        share = np.mean((got[:, 2] <= true) & (true <= got[:, 3]))
        check(f"interval, {ones} and {zeros} normal values {apart} apart (area {true:.3f})", 0.925 <= share <= 0.985,
              f"has the area in {100 * share:.1f} % of {SAMPLES} samples")


rocs()
orders()
coverage()
sys.exit(bool(failed))
