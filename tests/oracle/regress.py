#!/usr/bin/env python3
"""`leakgraph regress` beside what R and lme4 made of the same data (regress.R).

usage: regress.py LEAKGRAPH FOLDER

Estimates have to be the same to 1e-4 of themselves, or of the error where that is larger, errors to 2e-3, p-values to
1e-3, variances to 1e-3 of themselves, or of a thousandth of the residual one (of hits: of 1e-3) where that is larger,
log-likelihood, AIC and BIC to 1e-5.  Where lme4's log-likelihood is lower by more than that it has stopped too early,
which counts apart; few may.
"""

import collections
import json
import math
import pathlib
import subprocess
import sys

ESTIMATE, ERROR, P, VARIANCE, LIKELIHOOD = 1e-4, 2e-3, 1e-3, 1e-3, 1e-5


def name_of(text):
    """f[v] is fv in R; of groups and products the order is another."""
    return ":".join(sorted(text.replace("[", "").replace("]", "").split(":")))


def told_of(leakgraph, folder, formula, options, data):
    done = subprocess.run([leakgraph, "regress", formula, "--data", str(folder / data), "--json"] + options.split(),
                          capture_output=True, text=True)
    if done.returncode:
        return None, done.stderr.strip()
    return json.loads(done.stdout), ""


class Differences:
    def __init__(self):
        self.most = collections.defaultdict(lambda: (0.0, ""))
        self.wrong = []

    def take(self, kind, case, got, wanted, scale, limit):
        apart = abs(got - wanted) / scale
        if not apart <= self.most[kind][0]:
            self.most[kind] = (apart, case)
        if not apart <= limit:
            self.wrong.append("%s: %s is %.9g, in R %.9g (%.1e apart)" % (case, kind, got, wanted, apart))


def compare(case, told, rows, found):
    coefficients = {name_of(c["name"]): c for c in told["coefficients"]}
    groups = {name_of(g["name"]): g["variance"] for g in told["groups"]}
    groups["Residual"] = told["residual_variance"]
    for kind, name, *values in rows:
        values = [float(value) for value in values]
        what = case.split(".")[0]
        if kind == "coefficient":
            c, (estimate, error, p) = coefficients[name_of(name)], values
            found.take("estimate " + what, case, c["estimate"], estimate, max(abs(estimate), error), ESTIMATE)
            found.take("error " + what, case, c["error"], error, error, ERROR)
            found.take("p " + what, case, c["p"], p, 1, P)
        elif kind == "variance":
            least = 1e-3 * (told["residual_variance"] or 1)
            found.take("variance " + what, case, groups[name_of(name)], values[0], max(values[0], least), VARIANCE)
        elif kind == "fit":
            for key, value in zip(("log_likelihood", "aic", "bic"), values):
                found.take(key + " " + what, case, told[key], value, 1 + abs(value), LIKELIHOOD)


def main(leakgraph, folder):
    wanted = collections.defaultdict(list)
    for line in (folder / "wanted.tsv").read_text().splitlines():
        case, *row = line.split("\t")
        wanted[case].append(row)
    found, better, compared = Differences(), [], 0
    failed = [case for case, rows in wanted.items() if rows[0][0] == "failed"]
    for line in (folder / "cases.tsv").read_text().splitlines():
        case, formula, options, data = line.split("\t")
        told, said = told_of(leakgraph, folder, formula, options, data)
        if told is None:
            found.wrong.append("%s: %s" % (case, said))
            continue
        fit = float(next(row for row in wanted[case] if row[0] == "fit")[2])
        if told["log_likelihood"] > fit + LIKELIHOOD * (1 + abs(fit)):
            better.append("%s: log-likelihood %.7f, lme4's %.7f" % (case, told["log_likelihood"], fit))
            continue
        compared += 1
        compare(case, told, wanted[case], found)
    for kind in sorted(found.most):
        print("%-28s at most %.1e  (%s)" % (kind, *found.most[kind]))
    for line in better:
        print("better:", line)
    for line in found.wrong:
        print("WRONG:", line)
    print("regress: %d fits like R's, %d better, %d that R gave up, %d differences" %
          (compared, len(better), len(failed), len(found.wrong)))
    return 1 if found.wrong or len(better) + len(failed) > compared // 20 or not math.isfinite(compared) else 0


if __name__ == "__main__":
    if len(sys.argv) != 3:
        raise SystemExit(__doc__.split("\n\n")[1])
    raise SystemExit(main(sys.argv[1], pathlib.Path(sys.argv[2])))
