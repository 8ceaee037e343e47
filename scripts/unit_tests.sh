#!/bin/bash
# Checks that every module of pipeline/ has a unit test of its own name, tests/unit/ROOM/MODULE.c, or a line in
# tests/unit/EXCEPTIONS that says why not; one line an offence, exit 1 when there is one.
set -eu
cd "$(dirname "$0")/.."

find pipeline tests/unit -mindepth 2 -maxdepth 2 -name '*.c' | LC_ALL=C sort | awk '
    BEGIN {
        list = "tests/unit/EXCEPTIONS"
        while ((got = (getline line < list)) > 0) {
            number++
            if (line ~ /^#/ || !split(line, word, " ")) continue
            if (!(2 in word)) { print list ":" number ": " word[1] " has no reason"; bad = 1 }
            if (word[1] in except) { print list ":" number ": " word[1] " stands here twice"; bad = 1 }
            except[word[1]] = number
        }
        if (got < 0) { print list ": is missing"; bad = 1; exit }
    }
    {
        name = $0
        sub(/\.c$/, "", name)
        if (sub(/^pipeline\//, "", name)) { module[++modules] = name; exists[name] = 1 }
        else { sub(/^tests\/unit\//, "", name); tested[name] = 1 }
    }
    END {
        for (i = 1; i <= modules; i++) {
            name = module[i]
            have += name in tested
            if (name in tested || name in except) continue
            print "pipeline/" name ".c: has no unit test tests/unit/" name ".c"
            bad = 1
        }
        for (name in except) {
            if (!(name in exists)) said = "is no module"
            else if (name in tested) said = "has a test"
            else continue
            print list ":" except[name] ": " name " " said ": take the line out"
            bad = 1
        }
        if (!modules) { print "unit_tests: no module in pipeline/"; bad = 1 }
        if (!bad) print "unit_tests: " have " of " modules " modules have a unit test of their own"
        exit bad
    }'
