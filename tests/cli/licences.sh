# licences: the table that is compiled in is that of data/licences.json.
. "$(dirname "$0")/common.sh"

"$PYTHON" scripts/licence_table.py >"$work/table.c" || fail "no table of data/licences.json"
cmp "$work/table.c" pipeline/licence/table.c || fail "pipeline/licence/table.c is not data/licences.json as C"
