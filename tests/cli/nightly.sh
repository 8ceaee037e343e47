# seconds: 60
# rest: a dozen nights, one after the other
# scripts/nightly.sh: nights, one after the other, under a name that no shell would like: a new shard and a new leak, a
# gate that fails, what is compared, mailed and posted.
. "$(dirname "$0")/common.sh"
need flock curl iconv

nightly=$root/scripts/nightly.sh
export LEAKGRAPH=$leakgraph
two_sets "$work/sets" --bench 20 --corpus 60 --shards 2
cd "$work/sets"
nights=$(printf "the n\xc3\xadghts; \$(touch bad) [a] *\n'\"{b}")
night() { "$nightly" run.yaml "$nights" --date "2026-01-$1T0317" "${@:2}"; }
state() { tr -d ' \n' <"$nights/2026-01-$1T0317/nightly.state"; }
points() { readlink "$nights/$1"; }
# Items that leak for the first time, in a shard that no night has seen.
new_shard() { sed 's/"id": "b/"id": "new-b/' bench.jsonl >corpus-new.jsonl; }

# ---- two nights, and the second costs what is new ----

expect 0 night 01
says "$work/out" '^leakgraph run 2026-01-01T0317: good$' \
    '^records  80, 0 of them rejected$' '^units    9, 0 of them found$'
[ "$(state 01) $(points latest) $(points last-good)" = "good 2026-01-01T0317 2026-01-01T0317" ] || fail "not good"
new_shard
expect 3 night 02 -- --set fail_on.leakage=50
says "$work/out" '^leakgraph run 2026-01-02T0317: a gate failed$' '^units    13, 9 of them found$' \
    '^reason   gate fail_on.leakage failed: 100.00 % of bench is in corpus'
[ "$(state 02) $(points latest) $(points last-good)" = "gate 2026-01-02T0317 2026-01-01T0317" ] || fail "good or lost"
for night in 01 02; do expect 0 "$leakgraph" fsck "$nights/2026-01-${night}T0317"; done
"$PYTHON" - "$nights/2026-01-02T0317" <<'PYTHON' || fail "the summary"
import json, sys
folder = sys.argv[1]
text = open(folder + "/summary.txt").read()
body = json.load(open(folder + "/summary.json"))
assert list(body) == ["text"] and body["text"] + "\n" == text, body
lines = text.split("\n")
assert len(lines) <= 23 and lines[1] == "" and all(len(line) <= 300 for line in lines), lines
assert "folder   " in text and "the n\u00edghts; $(touch bad) [a] *?'\"{b}" in text, text
PYTHON
# Links, and the same result as of a night by itself.
linked=$(find "$nights/2026-01-02T0317/work" -name '*.unit' -links 2 | wc -l)
[ "$linked" -ge 9 ] || fail "only $linked pieces are links"
expect 0 night 03 --anew --name 'another
name' -- --threads 1
says "$work/out" '^leakgraph another\?name 2026-01-03T0317: good' '^units    13, 0 of them found$'
same "$nights/2026-01-02T0317" "$nights/2026-01-03T0317"

# ---- compared with the last good one ----

rm corpus-new.jsonl
expect 0 night 04 --new-leaks 0
says "$work/out" 'compared with 2026-01-03T0317:' 'no longer leaked: [1-9]'
new_shard
expect 3 night 05 --new-leaks 0
says "$work/out" '^leakgraph run 2026-01-05T0317: new leaks$' 'compared with 2026-01-04T0317:' \
    '^reason   more than 0 items leak that did not on 2026-01-04T0317' 'newly leaked: [1-9]'
[ "$(points last-good)" = 2026-01-04T0317 ] || fail "a night with new leaks is good"
expect 3 night 06 --new-leaks 0                         # again, until somebody says that they are known
expect 0 "$nightly" --accept "$nights"
[ "$(points last-good)" = 2026-01-06T0317 ] || fail "it was not accepted"
expect 0 night 07 --new-leaks 0
[ ! -e bad ] || fail "a name reached a shell"

# ---- who hears of it ----

mkdir bin
cat >bin/sendmail <<SH
#!/bin/bash
printf '%s\n' "\$@" >'$work/mailed.arguments'
cat >'$work/mailed'
SH
real_curl=$(command -v curl)
cat >bin/curl <<SH
#!/bin/bash
env >'$work/curl.seen'
printf '%s\n' "\$@" >>'$work/curl.seen'
exec '$real_curl' "\$@"
SH
chmod +x bin/*
exec 4> >(exec "$PYTHON" - "$work/posted" 2>"$work/hook.log" >"$work/hook.port" <<'PYTHON'
import http.server, sys
class Hook(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        open(sys.argv[1], "w").write(self.path + "\n" + body.decode())
        self.send_response(200 if "secret" in self.path else 404)
        self.end_headers()
server = http.server.HTTPServer(("127.0.0.1", 0), Hook)
print(server.server_port, flush=True)
for _ in range(3): server.handle_request()
PYTHON
)
for _ in $(seq 100); do [ -s "$work/hook.port" ] && break; sleep 0.05; done
hook="http://127.0.0.1:$(cat "$work/hook.port")/hooks/T0/secret-token"
export no_proxy='*'
printf '%s\n' "$hook" >hook
expect 0 env PATH="$PWD/bin:$PATH" "$nightly" run.yaml "$nights" --date 2026-01-08T0317 --mail 'team@example.org' \
    --webhook-file hook
says "$work/mailed" '^To: team@example.org$' '^Subject: leakgraph run 2026-01-08T0317: good$' '^records  '
[ "$(tail -n 1 "$work/mailed.arguments")" = team@example.org ] || fail "it was mailed to another"
says "$work/posted" '^/hooks/T0/secret-token$' '"text": "leakgraph run 2026-01-08T0317: good\\n'
cat >bin/seen <<SH
#!/bin/bash
env >'$work/run.seen'
exec "\$@"
SH
chmod +x bin/seen
expect 0 env PATH="$PWD/bin:$PATH" LEAKGRAPH_WEBHOOK="$hook" "$nightly" run.yaml "$nights" --date 2026-01-09T0318 \
    --launch "$PWD/bin/seen"
says "$work/posted" '2026-01-09T0318: good'
[ -s "$work/run.seen" ] || fail "the run was not launched"
! grep -rlF secret-token "$nights" "$work/out" "$work/err" "$work/curl.seen" "$work/run.seen" "$work/mailed" ||
    fail "the webhook is shown"
expect 0 env PATH="$PWD/bin:$PATH" LEAKGRAPH_WEBHOOK="${hook%secret*}gone" "$nightly" run.yaml "$nights" \
    --date 2026-01-09T0319
says "$work/err" '^nightly: the webhook was not reached$'
! grep -F hooks "$work/err" || fail "the webhook is shown"
exec 4>&-
rm -f "$work/mailed"
expect 0 env PATH="$PWD/bin:$PATH" "$nightly" run.yaml "$nights" --date 2026-01-09T0320 --mail root --when trouble
[ ! -e "$work/mailed" ] && [ ! -s "$work/out" ] || fail "a good night is spoken of"
expect 2 env PATH="$PWD/bin:$PATH" "$nightly" run.yaml "$nights" --date 2026-01-09T0322 --mail root --when trouble \
    -- --set near_duplicates.vew=lines
says "$work/mailed" 'Subject: .*: failed, exit status 2' 'reason   error: .*unknown key `vew`'

# The examples give options that there are.
"$nightly" --help >help
for example in "$root"/docs/examples/nightly/*; do
    for option in $(sed "/^#/d; s/'[^']*'//g" "$example" | grep -oE -e ' --[a-z-]+' || true); do
        grep -qE -e "^ *$option " help || fail "${example##*/}: there is no $option"
    done
done
