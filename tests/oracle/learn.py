#!/usr/bin/env python3
"""The classifiers of the program against scikit-learn, libsvm's tools and formulas in NumPy; see
scripts/learn_oracles.sh.  Usage: learn.py DRIVER"""
import json
import os
import shutil
import subprocess
import sys
import tempfile

import numpy as np
from sklearn.datasets import load_breast_cancer, load_iris, load_wine
from sklearn.ensemble import RandomForestClassifier
from sklearn.metrics import f1_score
from sklearn.model_selection import train_test_split

DRIVER = os.path.abspath(sys.argv[1])
SEEDS = int(os.environ.get("SEEDS", "20"))
NEAR = 0.01
NEAR_IMPORTANCE = 0.06                                      # two seeds of scikit-learn's own differ by 0.04
failed = []


def check(what, good, said):
    print(f"{'ok  ' if good else 'FAIL'} {what}: {said}", flush=True)
    if not good:
        failed.append(what)


def sets():
    cancer, iris, wine = load_breast_cancer(), load_iris(), load_wine()
    two = iris.target > 0
    return {
        "breast_cancer": (cancer.data, cancer.target),
        "iris, virginica or versicolor": (iris.data[two], (iris.target[two] == 2).astype(int)),
        "wine, class 1 or another": (wine.data, (wine.target == 1).astype(int)),
    }


def write_rows(path, x, y):
    with open(path, "w") as out:
        for row, label in zip(x, y):
            out.write(",".join(repr(float(v)) for v in row) + f",{int(label)}\n")


def learn(kind, train, test, **options):
    """What the driver prints: importance (if asked for) and values of the rows of test."""
    write_rows("train.csv", *train)
    write_rows("test.csv", *test)
    said = subprocess.run([DRIVER, kind, "train.csv", "test.csv"] + [f"{k}={v}" for k, v in options.items()],
                          check=True, capture_output=True, text=True).stdout.split()
    return np.array([float(v) for v in said])


def forests(name, x, y):
    for ours, theirs in (
            ({"trees": 50}, {"n_estimators": 50}),
            ({"trees": 50, "criterion": "entropy", "columns": "log2", "depth": 10},
             {"n_estimators": 50, "criterion": "entropy", "max_features": "log2", "max_depth": 10}),
            ({"trees": 30, "columns": "all", "depth": 3, "split": 10, "leaf": 4},
             {"n_estimators": 30, "max_features": None, "max_depth": 3, "min_samples_split": 10,
              "min_samples_leaf": 4})):
        f1, p, importance = [], [], []
        for seed in range(SEEDS):
            a, b, ya, yb = train_test_split(x, y, test_size=0.3, random_state=seed, stratify=y)
            said = learn("forest", (a, ya), (b, yb), seed=seed, importance=1, threads=2, **ours)
            model = RandomForestClassifier(random_state=seed, **theirs).fit(a, ya)
            mine, other = said[x.shape[1]:], model.predict_proba(b)[:, 1]
            f1.append((f1_score(yb, mine > 0.5), f1_score(yb, model.predict(b))))
            p.append(np.mean(mine) - np.mean(other))
            importance.append((said[:x.shape[1]], model.feature_importances_))
        f1, importance = np.mean(f1, axis=0), np.mean(importance, axis=0)
        off = np.max(np.abs(importance[0] - importance[1]))
        check(f"forest, {name}, {ours}",
              abs(f1[0] - f1[1]) <= NEAR and abs(np.mean(p)) <= NEAR and off <= NEAR_IMPORTANCE,
              f"mean F1 {f1[0]:.4f}, scikit-learn {f1[1]:.4f}; mean probability off by {np.mean(p):+.4f}, "
              f"importance by {off:.4f}")


def boosted(x, y, rounds, depth, rate, lam=1.0, weight=1.0):
    """A function of rows: margins of boosting from its formulas, by trying every split."""
    trees, margin = [], np.zeros(len(y))

    def grow(rows, g, h, left):
        total, whole = g[rows].sum(), h[rows].sum()
        best = (1e-6, None, None)
        for column in range(x.shape[1]) if left else ():
            values = np.unique(x[rows, column])
            for low, high in zip(values[:-1], values[1:]):
                side = x[rows, column] <= low
                gl, hl = g[rows][side].sum(), h[rows][side].sum()
                if hl < weight or whole - hl < weight:
                    continue
                gain = gl * gl / (hl + lam) + (total - gl) ** 2 / (whole - hl + lam) - total * total / (whole + lam)
                if gain > best[0] + 1e-12:
                    best = (gain, column, low / 2 + high / 2)
        if best[1] is None:
            return -total / (whole + lam) * rate if whole >= weight else 0.0
        side = x[rows, best[1]] <= best[2]
        return best[1], best[2], grow(rows[side], g, h, left - 1), grow(rows[~side], g, h, left - 1)

    def value(tree, row):
        while isinstance(tree, tuple):
            tree = tree[2] if row[tree[0]] <= tree[1] else tree[3]
        return tree

    for _ in range(rounds):
        p = 1 / (1 + np.exp(-margin))
        trees.append(grow(np.arange(len(y)), p - y, np.maximum(p * (1 - p), 1e-16), depth))
        margin = margin + np.array([value(trees[-1], row) for row in x])
    return lambda rows: np.array([sum(value(tree, row) for tree in trees) for row in rows])


def boosting(name, x, y):
    a, b, ya, yb = train_test_split(x, y, test_size=0.5, random_state=1, stratify=y)
    said = learn("boosting", (a, ya), (b, yb), rounds=10, depth=3, rate=0.3)
    wanted = 1 / (1 + np.exp(-boosted(a, ya, 10, 3, 0.3)(b)))
    off = np.max(np.abs(said - wanted))
    check(f"boosting, {name}", off < 1e-9, f"probabilities off by {off:.2g} at most")


def machines(name, x, y):
    """The model file of svm-train and the answers of svm-predict, on columns of one scale."""
    x = (x - x.min(axis=0)) / (x.max(axis=0) - x.min(axis=0))
    a, b, ya, yb = train_test_split(x, y, test_size=0.3, random_state=1, stratify=y)
    for path, rows, labels in (("train.svm", a, ya), ("test.svm", b, yb)):
        with open(path, "w") as out:
            for row, label in zip(rows, labels):
                out.write(("+1" if label else "-1") + "".join(f" {i + 1}:{float(v)!r}" for i, v in enumerate(row))
                          + "\n")
    for kernel, number in (("linear", 0), ("rbf", 2)):
        for cost, gamma in ((0.1, 1), (1, 0.1), (100, 0.01)):
            cost, gamma = float(np.float32(cost)), float(np.float32(gamma))     # as svm-train reads them
            said = learn("svm", (a, ya), (b, yb), kernel=kernel, cost=cost, gamma=gamma, model="svm.json")
            subprocess.run(["svm-train", "-q", "-t", str(number), "-c", str(cost), "-g", str(gamma), "train.svm",
                            "svm.model"], check=True)
            subprocess.run(["svm-predict", "test.svm", "svm.model", "svm.out"], check=True, capture_output=True)
            answers = np.array([float(v) > 0 for v in open("svm.out")])
            head, vectors = open("svm.model").read().split("SV\n", 1)
            head = dict(line.split(" ", 1) for line in head.splitlines() if " " in line)
            wanted = np.array([float(line.split()[0]) for line in vectors.splitlines()])
            mine = json.load(open("svm.json"))
            sign = 1 if head["label"].split()[0] == "1" else -1
            same = len(wanted) == mine["vectors"]
            off = max(np.max(np.abs(wanted * sign - mine["coefficient"])) / cost,
                      abs(float(head["rho"]) * sign - mine["rho"])) if same else np.inf
            check(f"svm, {name}, {kernel} C {cost:g} gamma {gamma:g}",
                  off < 1e-12 and np.array_equal(answers, said > 0),
                  f"{mine['vectors']} vectors, numbers off by {off:.2g}, {np.sum(answers != (said > 0))} other answers")


def main():
    tools = shutil.which("svm-train") and shutil.which("svm-predict")
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for name, (x, y) in sets().items():
            forests(name, x, y)
            boosting(name, x, y)
            if tools:
                machines(name, x, y)
        os.chdir("/")
    if not tools:
        print("svm: skipped, svm-train and svm-predict are not installed (Debian: libsvm-tools)")
    return 1 if failed else 0


sys.exit(main())
