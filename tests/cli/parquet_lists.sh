# Repeated columns of Parquet that nobody marked as lists, as parquet-testing's repeated_no_annotation has them: each
# column is read, or refused in words that say what can be read.  The files are written here, byte by byte.
. "$(dirname "$0")/common.sh"

cd "$work"
cat >write.py <<'PYTHON'
import struct

INT32, INT64, BYTES = 1, 2, 6
REQUIRED, OPTIONAL, REPEATED = 0, 1, 2


def varint(n):
    out = b""
    while n > 0x7F:
        out += bytes([n & 0x7F | 0x80])
        n >>= 7
    return out + bytes([n])


def text(s):
    return varint(len(s)) + s.encode()


def thrift(*fields):
    """(id, value) each: an int is an i32, (int,) an i64, a str a string, bytes a struct, a list one of its first's."""
    out, last = b"", 0
    for number, value in fields:
        kind, raw = {int: lambda: (5, varint(value << 1)), tuple: lambda: (6, varint(value[0] << 1)),
                     str: lambda: (8, text(value)), bytes: lambda: (12, value),
                     list: lambda: listed(value)}[type(value)]()
        out += bytes([(number - last) << 4 | kind]) + raw
        last = number
    return out + b"\0"


def listed(values):
    kind = {int: 5, str: 8, bytes: 12}[type(values[0])]
    raw = {int: lambda v: varint(v << 1), str: text, bytes: lambda v: v}[type(values[0])]
    return 9, bytes([len(values) << 4 | kind]) + b"".join(raw(v) for v in values)


def element(name, repetition, kind=None, children=None):
    fields = [(1, kind)] if kind is not None else []
    fields += [(3, repetition), (4, name)]
    fields += [(5, children)] if children else []
    fields += [(6, 0)] if kind == BYTES else []  # UTF8
    return thrift(*fields)


def levels(values, most):
    runs = b"".join(varint(2) + bytes([v]) for v in values)
    return struct.pack("<I", len(runs)) + runs if most else b""


def write(path, schema, columns, rows):
    """columns: path, type, greatest levels, repetition and definition levels, the values."""
    out, chunks = b"PAR1", []
    for name, kind, most, repetition, definition, values in columns:
        plain = {INT32: lambda v: struct.pack("<i", v), INT64: lambda v: struct.pack("<q", v),
                 BYTES: lambda v: struct.pack("<I", len(v)) + v.encode()}[kind]
        body = levels(repetition, most[0]) + levels(definition, most[1]) + b"".join(plain(v) for v in values)
        count = len(definition) or len(values)
        page = thrift((1, 0), (2, len(body)), (3, len(body)), (5, thrift((1, count), (2, 0), (3, 3), (4, 3)))) + body
        meta = thrift((1, kind), (2, [0]), (3, name), (4, 0), (5, (count,)), (6, (len(page),)), (7, (len(page),)),
                      (9, (len(out),)))
        chunks.append(thrift((2, (len(out),)), (3, meta)))
        out += page
    group = thrift((1, chunks), (2, (len(out),)), (3, (rows,)))
    footer = thrift((1, 1), (2, [thrift((4, "root"), (5, schema[0]))] + schema[1:]), (3, (rows,)), (4, [group]))
    open(path, "wb").write(out + footer + struct.pack("<I", len(footer)) + b"PAR1")


# ids 1 to 6; phoneNumbers: null, null, none, one without kind, one, three of which the second has no kind
lists = [0, 0, 0, 0, 0, 0, 1, 1]
write("phones.parquet",
      [2, element("id", REQUIRED, INT32), element("phoneNumbers", OPTIONAL, children=1),
       element("phone", REPEATED, children=2), element("number", REQUIRED, INT64), element("kind", OPTIONAL, BYTES)],
      [(["id"], INT32, (0, 0), [], [], range(1, 7)),
       (["phoneNumbers", "phone", "number"], INT64, (1, 2), lists, [0, 0, 1, 2, 2, 2, 2, 2],
        [5555555555, 1111111111, 2222222222, 3333333333, 4444444444]),
       (["phoneNumbers", "phone", "kind"], BYTES, (1, 3), lists, [0, 0, 1, 2, 3, 3, 2, 3], ["home", "home", "mobile"])],
      6)
write("tags.parquet", [2, element("tags", REPEATED, BYTES), element("n", REQUIRED, INT32)],
      [(["tags"], BYTES, (1, 1), [0, 1, 0, 0], [1, 1, 0, 1], ["ab", "cd", "ef"]), (["n"], INT32, (0, 0), [], [],
                                                                                  [1, 2, 3])], 3)
PYTHON
"$PYTHON" write.py
cat >run.yaml <<'YAML'
output: run
datasets:
  - {name: bench, role: benchmark, files: [phones.parquet], fields: {text: id}}
  - {name: corpus, role: corpus, files: [none.jsonl]}
near_duplicates: {min_tokens: 1}
graph: {store: tokens}
YAML
: >none.jsonl

# read FILE FIELDS: the documents' texts and tokens
read_as() {
    expect 0 "$leakgraph" run run.yaml --replace --set "datasets.bench.files=[$1]" --set "datasets.bench.fields=$2"
    sql run "SELECT group_concat(snippet || tokens, ' ') FROM (SELECT * FROM snippets ORDER BY id)"
}
# refused FILE COLUMN FIELD WORDS
refused() {
    expect 2 "$leakgraph" run run.yaml --replace --set "datasets.bench.files=[$1]" \
        --set "datasets.bench.fields={text: id, $3: $2}"
    says "$work/err" "$4"
}
was=$(read_as phones.parquet '{text: id, tokens: phoneNumbers.phone.kind}')
# a null list is none: the text's own tokens
[ "$was" = '1["1"] 2["2"] 3[] 4[null] 5["home"] 6["home",null,"mobile"]' ] || fail "kinds: $was"
was=$(read_as tags.parquet '{text: n, tokens: tags}')
[ "$was" = '1["ab","cd"] 2[] 3["ef"]' ] || fail "tags: $was"
refused phones.parquet phoneNumbers.phone.kind path \
    'fields.path: column phoneNumbers.phone.kind is a list of strings, of which no field is made but `tokens`'
refused phones.parquet phoneNumbers.phone.number tokens \
    'column phoneNumbers.phone.number is a list of something else than strings, of which no field is made'
refused phones.parquet phoneNumbers.phone.number path \
    'column phoneNumbers.phone.number is a list of something else than strings, of which no field is made'
refused phones.parquet phoneNumbers.phone tokens \
    'column phoneNumbers.phone is a list of groups: name one of its columns'
refused phones.parquet phoneNumbers path 'column phoneNumbers is a group: name one of its columns'
refused phones.parquet id tokens 'column id is not a list of strings'
