#!/bin/bash
# Downloads a dataset to where its configuration beside this script expects it; converts what leakgraph cannot read.
#   scripts/datasets/fetch.sh NAME [FOLDER]     (default data/NAME)
# NAME: codesearchnet codetrans humaneval mbpp python-150 tl-codesum funcom bigclonebench the-stack
# Each dataset has its own licence and terms: read them at the address in its configuration.
set -eu
scripts=$(cd "$(dirname "$0")" && pwd)
name=${1-}
folder=${2:-$scripts/../../data/$name}
python=${PYTHON:-python3}

get() {     # get ADDRESS FILE: whole or not at all
    [ -s "$2" ] && return
    echo "fetch: $1"
    if command -v curl >/dev/null; then curl -fL --retry 3 -o "$2.part" "$1"; else wget -O "$2.part" "$1"; fi
    mv "$2.part" "$2"
}
unpack() { "$python" -m zipfile -e "$1" "$2"; }
convert() { "$python" "$scripts/convert.py" "$@"; }

case $name in
    codesearchnet|codetrans|humaneval|mbpp|python-150|tl-codesum|funcom|bigclonebench|the-stack) ;;
    *) sed -n '2,5s/^# \{0,1\}//p' "$0" >&2; exit 2 ;;
esac
mkdir -p "$folder"
cd "$folder"

codexglue=https://raw.githubusercontent.com/microsoft/CodeXGLUE/main/Code-Code
case $name in
    codesearchnet)
        # The dataset's own bucket has refused access since 2023; these are the same archives, put there by the makers
        # of CodeXGLUE (microsoft/CodeXGLUE#156).  Also: https://huggingface.co/datasets/code_search_net.
        for language in java python; do
            get https://zenodo.org/record/7857872/files/$language.zip $language.zip
            unpack $language.zip .
        done ;;
    codetrans)
        for split in train valid test; do for language in java cs; do
            get $codexglue/code-to-code-trans/data/$split.java-cs.txt.$language $split.java-cs.txt.$language
        done; done ;;
    humaneval)
        get https://github.com/openai/human-eval/raw/master/data/HumanEval.jsonl.gz HumanEval.jsonl.gz
        convert humaneval HumanEval.jsonl.gz functions.jsonl ;;
    mbpp)
        get https://raw.githubusercontent.com/google-research/google-research/master/mbpp/mbpp.jsonl mbpp.jsonl ;;
    python-150)
        parallel=https://raw.githubusercontent.com/EdinburghNLP/code-docstring-corpus/master/parallel-corpus
        for split in train valid test; do
            lines=data_ps.declbodies.$split
            get $parallel/$lines $lines
            convert python-150 $lines $split.jsonl
        done ;;
    tl-codesum)
        get https://github.com/xing-hu/TL-CodeSum/archive/master.zip master.zip
        unpack master.zip .
        for split in train valid test; do
            lines=TL-CodeSum-master/data/$split/$split.token.code
            [ -f "$lines" ] || { echo "fetch: master.zip has no $lines" >&2; exit 1; }
            convert tl-codesum "$lines" $split.jsonl
        done ;;
    funcom)
        get https://s3.us-east-2.amazonaws.com/leclair.tech/data/funcom/funcom_filtered.tar.gz funcom_filtered.tar.gz
        tar -xzf funcom_filtered.tar.gz
        convert funcom funcom_processed/functions.json functions.jsonl ;;
    bigclonebench)
        for file in data.jsonl train.txt valid.txt test.txt; do
            get $codexglue/Clone-detection-BigCloneBench/dataset/$file $file
        done ;;
    the-stack)
        # Nothing is fetched, so the status is not 0: what follows a `&&` would find no data.
        cat >&2 <<'TEXT'
fetch: nothing was fetched. The Stack is behind a login: accept the terms at
https://huggingface.co/datasets/bigcode/the-stack-dedup , then, with the command-line tool of huggingface_hub:
  hf auth login
  hf download --repo-type dataset bigcode/the-stack-dedup --include 'data/python/*.parquet' --local-dir .
Its Parquet files are read as they are.
TEXT
        echo "in the folder $PWD" >&2
        exit 1 ;;
esac
