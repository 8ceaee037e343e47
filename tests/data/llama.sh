# seconds: 120
# A real pair of models: tokens equal those of the program that trained them, mean losses are within 0.001 of its own.
. "$(dirname "$0")/../cli/common.sh"
need zstd
models=$root/../shared/models
[ -d "$models" ] || { echo "no ../shared/models here"; exit 77; }
for model in leaky clean; do
    status=0
    zstd -dc "$root/../shared/data/python/benchmarks.jsonl.zst" |
        "$BUILD/tests/check_llama" "$models/$model.gguf" "$models/items.jsonl" nll_$model || status=$?
    [ $status != 77 ] || { echo "built without llama.cpp"; exit 77; }
    [ $status = 0 ] || fail "$model"
done
