# SPDX-License-Identifier: MIT
import os


def mixed(values, limit):
    """Sum of the values below a limit, the large ones twice."""
    total = 0
    for value in values:
        # what is negative does not count
        if value < 0:
            continue
        if value > limit and limit > 0:
            total += 2 * value
        else:
            total += value
    if not total:
        raise ValueError("nothing to sum in " + os.getcwd())
    return total


class Sum:
    def method(self):
        return mixed([1, 2, 3], 2)
