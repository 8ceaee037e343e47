# seconds: 60
# Clones of functions by type: what is changed of methods of real Java sources is found, each by its type.
. "$(dirname "$0")/../cli/common.sh"
need "$PYTHON"
data=$root/../shared/data/java
[ -e "$data/debian-java-0.jsonl.zst" ] || { echo "no ../shared/data/java here"; exit 77; }

cd "$work"
expect 0 "$leakgraph" extract "$data/debian-java-0.jsonl.zst" --unit function
head -n 6000 out >methods.jsonl
"$PYTHON" "$root/tests/cli/clone_mutants.py" make java made methods.jsonl
cat >run.yaml <<'YAML'
datasets:
  - {name: bench, role: benchmark, language: java, files: [made/bench.jsonl]}
  - {name: corpus, role: corpus, language: java, files: [made/corpus.jsonl]}
clones: {}
YAML
expect 0 "$leakgraph" run run.yaml --output run --quiet
"$PYTHON" "$root/tests/cli/clone_mutants.py" check run/graph.db made || fail "what was changed is not found"
expect 0 "$leakgraph" fsck run
