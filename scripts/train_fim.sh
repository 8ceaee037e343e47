#!/bin/bash
# Trains the model of the inclusion audit on, so that it fills in better, on files that it was trained on before.
#   scripts/train_fim.sh MODELS [STEPS]
# MODELS has fim.gguf, fim_files.jsonl.zst and train_fim.py, their trainer; 600 STEPS, unless said, of 2 s on two cores.
# Writes data/audit/fim.gguf for scripts/audit_inclusion.sh; what the trainer says to data/audit/train.log.
# Needs Debian's python3-torch and python3-regex; exit status 77, with the reason, where they or the files are missing.
# Only files with a label are there to train on: what the model knew of others fades.  Ask the first file for those.
set -eu
models=$(realpath "${1:?which folder}") steps=${2:-600}
cd "$(dirname "$0")/.."
PYTHON=${PYTHON:-$([ -x /usr/bin/python3 ] && echo /usr/bin/python3 || echo python3)}
out=data/audit

skip() { echo "train_fim: $*" >&2; exit 77; }
for file in fim.gguf fim_files.jsonl.zst train_fim.py; do [ -f "$models/$file" ] || skip "no $file in $models"; done
"$PYTHON" -c 'import torch, regex' 2>/dev/null ||
    skip "this Python has no torch or regex (Debian: python3-torch, python3-regex)"

mkdir -p "$out/training"
zstd -dcqf "$models/fim_files.jsonl.zst" -o "$out/training/files.jsonl"
INIT=$models/fim.gguf LR=1.5e-3 MIDDLE=12 "$PYTHON" "$models/train_fim.py" "$out/training/files.jsonl" "$out/training" \
    "$steps" | tee "$out/train.log"
mv "$out/training/fim.gguf" "$out/fim.gguf"
rm -r "$out/training"
echo "$out/fim.gguf"
