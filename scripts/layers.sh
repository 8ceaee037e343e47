#!/bin/bash
# Checks every #include "..." of pipeline/ and kernels/ against pipeline/LAYERS; one line an offence, exit 1 when there is one.
set -eu
cd "$(dirname "$0")/.."

find pipeline kernels -name '*.[ch]' | LC_ALL=C sort | xargs awk '
    BEGIN {
        while ((getline line < "pipeline/LAYERS") > 0)
            if (line !~ /^#/ && line != "") rank[line] = ++layers
        if (!layers) { print "layers: pipeline/LAYERS is empty or missing"; bad = 1; exit }
    }
    FNR == 1 {
        files++
        split(FILENAME, part, "/")
        folder = part[1] == "kernels" ? "kernels" : part[2]
        if (folder != "kernels" && !(folder in rank)) { print FILENAME ": folder " folder " is not in pipeline/LAYERS"; bad = 1 }
    }
    /^[ \t]*#[ \t]*include[ \t]*"/ {
        split($0, quoted, "\"")
        slash = index(quoted[2], "/")
        if (!slash) { print FILENAME ":" FNR ": write the folder: \"" folder "/" quoted[2] "\""; bad = 1; next }
        wanted = substr(quoted[2], 1, slash - 1)
        if (wanted == folder || (wanted == "kernels" && folder != "kernels")) next
        if (folder == "kernels" || !(wanted in rank) || rank[wanted] > rank[folder]) {
            print FILENAME ":" FNR ": " folder " may not include " quoted[2]
            bad = 1
        }
    }
    END { if (!bad) print "layers: " files " files keep the order of pipeline/LAYERS"; exit bad }'
