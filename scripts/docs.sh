#!/bin/bash
# Writes the references that the program prints itself into a folder: scripts/docs.sh LEAKGRAPH FOLDER
set -eu

"$1" help graph > "$2/graph.db.md"
{
    printf '# pipeline.yaml\n\nEvery key, its default and what it means, as `leakgraph help config` prints it.\n\n```\n'
    "$1" help config
    printf '```\n'
} > "$2/pipeline.yaml.md"
