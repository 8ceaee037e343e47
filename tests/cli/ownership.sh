#!/bin/bash
# Only what the program has written itself is removed or written over: not files of others in its folders, nothing
# behind a link, and no place twice.  Unfinished files of killed runs go.
. "$(dirname "$0")/common.sh"
cd "$work"

mkdir raw
"$PYTHON" - <<'PYTHON'
import json
for shard in "ab":
    with open("raw/%s.jsonl" % shard, "w") as out:
        for i in range(8):
            out.write(json.dumps({"id": shard + str(i), "text": "\n".join(
                "def f%d_%d(x, y): return x * %d + y" % (i % 5, j, j) for j in range(10))}) + "\n")
PYTHON
dedup() { "$leakgraph" dedup py='raw/*.jsonl' "$@"; }

# A folder that is no run folder is refused, whatever is said, and nothing in it is touched.
for folder in clean lists; do
    mkdir -p p/$folder/mine
    echo mine >p/$folder/mine/a.jsonl.zst
    cp p/$folder/mine/a.jsonl.zst p/$folder/mine/a.tsv.zst
    for how in "" --clean --replace; do
        expect 2 dedup --output p $how
        says err "p/$folder holds files \($folder/mine/a\.[a-z]+\.zst\), and there is no manifest.tsv" \
            "choose another --output, or move p/$folder away"
    done
    [ "$(find p -type f | wc -l)" = 2 ] || fail "files of p are gone"
    rm -r p
done
for name in report.json report.md graph.db config.resolved.yaml run.log edges.tsv.zst manifest.tsv; do
    mkdir p
    echo mine >p/$name
    expect 2 dedup --output p
    says err "p holds a $name but no work/ of an earlier run"
    [ "$(cat p/$name)" = mine ] || fail "$name was changed"
    mkdir p/work                                            # somebody's own
    [ $name = manifest.tsv ] || expect 2 dedup --output p
    [ "$(cat p/$name)" = mine ] || fail "$name was changed beside a work/"
    rm -r p
done

# In a run folder others' files stay, where nothing is to be written; where something is, the run is refused.
expect 0 dedup --output run
cut -f3 run/manifest.tsv >named
says named '^clean/py/a\+1.jsonl.zst$' '^lists/py.tsv.zst$' '^graph.db$' '^report.md$' '^report.json$' \
    '^config.resolved.yaml$'
mkdir run/clean/mine
echo mine >run/clean/mine/b.jsonl.zst
echo mine >run/lists/other.tsv.zst
echo mine >run/clean/py/a.jsonl.zst
expect 0 dedup --output run --replace --threshold 0.9
says err "run/lists/other.tsv.zst: is of no earlier run and stays where it is"
[ -e run/clean/mine/b.jsonl.zst ] && [ -e run/lists/other.tsv.zst ] || fail "files of others are gone"
expect 1 dedup --output run --replace --set dedup.shard_size=0
says err "run/clean/py/a.jsonl.zst: is there, and manifest.tsv does not name it"
[ "$(cat run/clean/py/a.jsonl.zst)" = mine ] || fail "a file of others was written over"
rm run/clean/py/a.jsonl.zst
expect 0 dedup --output run --replace --set dedup.shard_size=0
[ ! -e "run/clean/py/a+1.jsonl.zst" ] && [ -e run/clean/py/a.jsonl.zst ] || fail "two results lie side by side"
[ ! -e run/work/tmp-graph.db ] || fail "a draft of graph.db stays"

# Links are not followed: neither a folder's, nor work/, nor the lock's.
mkdir -p victim/py
for name in a.jsonl.zst a+1.jsonl.zst b.jsonl.zst; do echo mine >victim/py/$name; done
echo mine >victim/py.tsv.zst
(cd victim && find . -type f -exec cksum {} + | sort) >before
for folder in clean lists; do
    rm -r run/$folder
    ln -s ../victim run/$folder
    expect 2 dedup --output run --replace --threshold 0.8
    says err "run/$folder: is a symbolic link"
    rm run/$folder
done
expect 0 dedup --output run --replace --threshold 0.8
rm -r run/clean/py
ln -s ../../victim/py run/clean/py
expect 1 dedup --output run --replace
says err "run/clean/py: is a symbolic link"
rm -r run/clean/py
mv run/work moved
ln -s ../moved run/work
expect 1 dedup --output run --clean
says err "run/work: is a symbolic link"
rm run/work
mv moved run/work
rm run/work/lock
ln -s ../../victim/py.tsv.zst run/work/lock
expect 1 dedup --output run --replace
says err "run/work/lock: is a symbolic link"
rm run/work/lock
(cd victim && find . -type f -exec cksum {} + | sort) >after
cmp before after || fail "what links name was changed"
ln -s run byname
expect 0 dedup --output byname --replace                    # the folder itself may be named so

# No name of a dataset leads out of its folder, and no two outputs share a file.
for name in . ..; do
    expect 2 "$leakgraph" dedup $name='raw/*.jsonl' --output other
    says err "is a folder's name everywhere"
done

# Unfinished files of killed runs go at the next start; those of others, and those in use, stay.
for folder in . clean clean/py lists; do
    echo x >run/$folder/.leakgraph-0123456789abcdef.tmp
    echo x >run/$folder/.leakgraph-mine.tmp
done
expect 0 dedup --output run
[ "$(find run -name '.leakgraph-0*' | wc -l)" = 0 ] || fail "unfinished files stay"
[ "$(find run -name '.leakgraph-mine.tmp' | wc -l)" = 4 ] || fail "files of others are gone"
echo x >.leakgraph-0123456789abcdef.tmp
touch -d '2 minutes ago' .leakgraph-0123456789abcdef.tmp
expect 0 "$leakgraph" train-ngram --corpus py='raw/*.jsonl' --output model.lm
[ ! -e .leakgraph-0123456789abcdef.tmp ] || fail "an unfinished file stays beside a model"
