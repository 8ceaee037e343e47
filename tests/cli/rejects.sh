# seconds: 240
# Hostile input: of every damaged file the good records are used, the rest counted and listed with reasons; exit status
# 1 when there is no good one.
. "$(dirname "$0")/common.sh"
need zstd gzip tar zip

two_sets "$work/sets" --bench 60 --corpus 1500 --shards 1
cd "$work/sets"
expect 0 "$leakgraph" run run.yaml
mkdir bad
zstd -q corpus-00.jsonl -o whole.zst
size=$(stat -c %s whole.zst)

# attempt NAME RECORDS REASON [SETTING...]: the corpus is bad/NAME*; at least RECORDS records are used, and something is
# rejected for REASON ('' when nothing may be).  Memory is held to 1 GB: no input may make the program need more.
attempt() {
    local name=$1 records=$2 reason=$3 used listed counted status=0 settings=()
    shift 3
    while [ $# -gt 0 ]; do settings+=(--set "$1"); shift; done
    rm -rf out
    case $BUILD in *asan*|*tsan*) ;; *) ulimit -v 4000000 ;; esac
    timeout 60 "$leakgraph" run run.yaml --output out --set "datasets.corpus.files=[\"bad/$name*\"]" "${settings[@]}" \
        >"$work/out" 2>"$work/err" || status=$?
    used=$(sql out "SELECT coalesce(sum(documents), 0) FROM splits WHERE dataset = 'corpus'")
    counted=$(sql out "SELECT coalesce(sum(rejected), 0) FROM splits WHERE dataset = 'corpus'")
    listed=$(sql out "SELECT count(*) FROM rejects WHERE dataset = 'corpus'")
    [ "$used" -ge "$records" ] || fail "$name: $used of $records good records used"
    [ $status = $((used == 0 && counted > 0)) ] || fail "$name: exit status $status: $(cat "$work/err")"
    [ $status = 0 ] || says "$work/err" 'corpus: none of its [0-9]+ records could be used'
    if [ -n "$reason" ]; then
        [ "$(sql out "SELECT count(*) FROM rejects WHERE reason = '$reason'")" -gt 0 ] ||
            fail "$name: no reject says $reason, but: $(sql out 'SELECT reason, detail FROM rejects LIMIT 3')"
        [ "$counted" -gt 0 ] || fail "$name: rejects are not counted"
    else
        [ "$listed" = 0 ] || fail "$name: $listed rejects"
    fi
    expect 0 "$leakgraph" fsck out
    # Whatever the input says, a terminal and a page see text: no control character but newline and tab.
    for file in out/report.md out/run.log "$work/out"; do
        ! LC_ALL=C grep -qP '[\x00-\x08\x0b-\x1f\x7f]' "$file" || fail "$name: a control character in $file"
    done
}

head -c $((size * 2 / 3)) whole.zst >bad/truncated.zst
gzip -c corpus-00.jsonl | head -c 20000 >bad/truncated-gzip.gz
xz -c corpus-00.jsonl | head -c 20000 >bad/truncated-xz.xz
"$PYTHON" - "$size" <<'PYTHON'
import json, random, sys
good = open("corpus-00.jsonl").read().splitlines(keepends=True)
size, generator = int(sys.argv[1]), random.Random(3)
data = bytearray(open("whole.zst", "rb").read())
for _ in range(40): data[generator.randrange(size // 2, size)] ^= 1 << generator.randrange(8)
open("bad/flipped.zst", "wb").write(data)

def write(name, *extra):
    with open("bad/" + name, "wb") as out:
        for number, line in enumerate(good):
            if number == 100:
                for piece in extra: out.write(piece)
            out.write(line.encode())
write("brace.jsonl", b'{"text": "a"\n', b'}\n', b'{"text": "a"}}\n', b'not json\n', b'[1]\n', b'"text"\n')
write("missing.jsonl", b'{"body": "a"}\n', b'{"text": null}\n', b'{"text": 5}\n', b'{"text": ["a"]}\n')
write("deep.jsonl", b'{"x": ' + b'[' * 10**6 + b']' * 10**6 + b', "text": "deep but good"}\n',
      b'{"x": ' + b'[' * 10**6 + b', "text": "open"}\n', b'{"text": ' + b'{"a":' * 10**6 + b'1' + b'}' * 10**6 + b'}\n')
write("long.jsonl", b'{"text": "' + b'x' * 300_000_000 + b'"}\n')
write("nul.jsonl", b'{"text": "a\0b"}\n', b'\0\0\0\n', b'{"text": "a\\u0000b = c"}\n')
write("utf8.jsonl", b'{"text": "caf\xe9 = \xff\xfe\xc0\x80 \xed\xa0\x80"}\n')
write("escapes.jsonl",
      *(json.dumps({"id": evil, "path": evil, "repo": evil, "license": evil, "split": evil,
                    "text": evil + "\n" + json.loads(good[5])["text"]}).encode() + b"\n"
      for evil in ("\x1b[2J\x1b]0;owned\x07", "<script>alert(1)</script>", "`| [x](javascript:x) |\n# head",
                   "../../../etc/passwd", "\u202egnp.exe", "a\tb\\c")))
PYTHON
attempt truncated.zst 100 truncated
attempt truncated-gzip 50 truncated
# What a decoder had in hand when it met the damage goes with it: for xz up to 64 KB, for zstd up to a read of the
# codec.
attempt truncated-xz 1 truncated
attempt flipped 50 corrupt
attempt brace 1500 invalid-json
attempt missing 1500 missing-field
[ "$(sql out "SELECT count(*) FROM rejects WHERE reason = 'missing-field'")" = 4 ] ||
    fail "missing: not every record without a text is listed"
[ "$(sql out "SELECT min(record) FROM rejects")" = 100 ] || fail "missing: the reject does not name its record"
attempt deep 1501 invalid-json
attempt long 1500 too-long
attempt nul 1501 invalid-json
attempt utf8 1501 ''
attempt utf8 1501 '' datasets.corpus.utf8=repair
attempt utf8 1500 invalid-utf8 datasets.corpus.utf8=reject
attempt escapes 1506 ''
for file in out/report.md; do ! grep -q '<script>' "$file" || fail "HTML of the input is in $file"; done
ids=$(sql out "SELECT group_concat(id, ' ') FROM (SELECT id FROM snippets
               WHERE path LIKE '%' || char(27) || '%' OR path LIKE '%<script>%')")
for id in $ids; do
    expect 0 "$leakgraph" show out "$id"
    ! LC_ALL=C grep -qP '[\x00-\x08\x0b-\x1f\x7f]' "$work/out" || fail "show $id writes a control character"
done

# Archives: cut, damaged, with members that must not become files, and bombs.
"$PYTHON" - <<'PYTHON'
import io, json, tarfile, zipfile
texts = [json.loads(line)["text"].encode() for line in open("corpus-00.jsonl")]
with tarfile.open("bad/members.tar", "w") as archive:
    def add(name, data=b"", kind=tarfile.REGTYPE, link=""):
        info = tarfile.TarInfo(name)
        info.size, info.type, info.linkname = len(data), kind, link
        archive.addfile(info, io.BytesIO(data))
    for number, text in enumerate(texts): add("src/%d.py" % number, text)
    add("../../escape.py", texts[0]); add("/absolute.py", texts[1])
    add("link.py", kind=tarfile.SYMTYPE, link="/etc/passwd")
    add("hard.py", kind=tarfile.LNKTYPE, link="src/0.py"); add("fifo", kind=tarfile.FIFOTYPE)
    add("folder", kind=tarfile.DIRTYPE)
    add("picture.png", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + bytes(500)); add("\x1b[31mred.py", texts[2]); add("empty.py")
data = open("bad/members.tar", "rb").read()
open("bad/cut.tar", "wb").write(data[:len(data) // 2 + 100])
with zipfile.ZipFile("bad/good.zip", "w", zipfile.ZIP_DEFLATED) as archive:
    for number, text in enumerate(texts): archive.writestr("src/%d.py" % number, text)
data = bytearray(open("bad/good.zip", "rb").read())
for place in range(len(data) // 2, len(data) // 2 + 3000, 7): data[place] ^= 0x55
open("bad/damaged.zip", "wb").write(data)
with zipfile.ZipFile("bad/stored.zip", "w") as archive:
    for number, text in enumerate(texts): archive.writestr("src/%d.py" % number, text)
data = bytearray(open("bad/stored.zip", "rb").read())
data[data.index(texts[700])] ^= 1
open("bad/stored.zip", "wb").write(data)
with tarfile.open("bad/flipped.tar.gz", "w:gz") as archive:
    for number in range(11): add("src/%d.py" % number, texts[number])
data = bytearray(open("bad/flipped.tar.gz", "rb").read())
for place in range(50, len(data) - 8, len(data) // 6):
    data[place] ^= 4
    open("bad/flip-%d.tar.gz" % place, "wb").write(data)
    data[place] ^= 4
data[-8] ^= 1
open("bad/checksum.tar.gz", "wb").write(data)
data = bytearray(open("bad/members.tar", "rb").read())
place = data.index(b"src/700.py\0")
data[place] ^= 1
open("bad/header.tar", "wb").write(data)
PYTHON
attempt members.tar 1503 ''
[ "$(sql out "SELECT group_concat(reason || files) FROM skipped WHERE dataset = 'corpus'")" = binary1,link2 ] ||
    fail "members.tar: $(sql out 'SELECT * FROM skipped')"
[ ! -e ../escape.py ] && [ ! -e /absolute.py ] || fail "an archive member was written to disk"
attempt cut.tar 100 truncated
attempt good.zip 1500 ''
# libarchive does not go on behind a broken header of a member, as it does behind broken data.
attempt damaged.zip 750 corrupt
attempt stored.zip 1499 corrupt
[ "$(sql out "SELECT count(*) FROM rejects WHERE detail LIKE '%src/700.py%'")" = 1 ] ||
    fail "the reject does not name its member: $(sql out 'SELECT detail FROM rejects')"
for file in bad/flip-*.tar.gz; do attempt "$(basename "$file")" 0 corrupt; done
attempt checksum.tar.gz 11 corrupt
attempt header.tar 1502 corrupt
head -c 300000000 /dev/zero | tr '\0' ' ' | zstd -q -3 >blanks.zst
head -n 50 corpus-00.jsonl | zstd -q -3 >bad/bomb.jsonl.zst
for frame in 0 1 2 3 4 5 6 7 8 9; do cat blanks.zst; done >>bad/bomb.jsonl.zst
attempt bomb 50 ratio
rm bad/bomb.jsonl.zst

# Nothing at all is no error either; and a file of a kind that is no text is said.
: >bad/empty.jsonl
attempt empty 0 ''
for ending in gz zst xz bz2; do
    rm -f bad/misnamed.*
    echo 'neither packed nor JSON' >bad/misnamed.jsonl.$ending
    attempt misnamed 0 corrupt
done
head -c 100000 /dev/urandom >bad/noise.bin
expect 1 "$leakgraph" run run.yaml --output noise --set 'datasets.corpus.files=[bad/noise.bin]'
[ "$(sql noise "SELECT sum(rejected) FROM splits WHERE dataset = 'corpus'")" -gt 0 ] ||
    fail "a file of noise was taken for a document"
