#!/bin/bash
# Checks every #include "..." of pipeline/ and kernels/ against pipeline/LAYERS; one line an offence, exit 1 when there
# is one.
set -eu
cd "$(dirname "$0")/.."

find pipeline kernels -name '*.[ch]' | LC_ALL=C sort | xargs awk '
    BEGIN {
        while ((getline line < "pipeline/LAYERS") > 0)
            if (line !~ /^#/ && split(line, word, " ")) {
                if (word[2] == ">") { allowed[word[1], word[3]] = 1; continue }
                layers++
                if (word[1] == "*") rest = layers
                else for (i = 1; i in word; i++) rank[word[i]] = layers
            }
        if (!layers) { print "layers: pipeline/LAYERS is empty or missing"; bad = 1; exit }
    }
    # A folder that LAYERS does not name is a capability when it has a descriptor.
    function known(folder) {
        if (!(folder in rank) && rest && (getline line < ("pipeline/" folder "/capability.c")) > 0) rank[folder] = rest
        return folder in rank
    }
    FNR == 1 {
        files++
        split(FILENAME, part, "/")
        folder = part[1] == "kernels" ? "kernels" : part[2]
        if (folder != "kernels" && !known(folder)) {
            print FILENAME ": folder " folder " is not in pipeline/LAYERS"
            bad = 1
        }
    }
    /^[ \t]*#[ \t]*include[ \t]*"/ {
        split($0, quoted, "\"")
        slash = index(quoted[2], "/")
        if (!slash) { print FILENAME ":" FNR ": write the folder: \"" folder "/" quoted[2] "\""; bad = 1; next }
        wanted = substr(quoted[2], 1, slash - 1)
        if (wanted == folder || (wanted == "kernels" && folder != "kernels")) next
        if ((folder, wanted) in allowed) { used[folder, wanted] = 1; next }
        if (folder == "kernels" || !known(wanted) || rank[wanted] >= rank[folder]) {
            print FILENAME ":" FNR ": " folder " may not include " quoted[2]
            bad = 1
        }
    }
    END {
        for (pair in allowed) {
            if (pair in used) continue
            split(pair, word, SUBSEP)
            print "pipeline/LAYERS: nothing in " word[1] " includes " word[2] " any more: take the line out"
            bad = 1
        }
        if (!bad) print "layers: " files " files keep the order of pipeline/LAYERS"; exit bad
    }'
