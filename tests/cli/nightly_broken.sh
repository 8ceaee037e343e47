# seconds: 60
# rest: a night for each thing that breaks
# scripts/nightly.sh when nights go wrong: one is killed, two begin at once, the disk is full; and which are kept.
. "$(dirname "$0")/common.sh"
need flock iconv

nightly=$root/scripts/nightly.sh
export LEAKGRAPH=$leakgraph
two_sets "$work/sets" --bench 20 --corpus 60 --shards 2
cd "$work/sets"
night() { "$nightly" run.yaml nights --date "2026-01-$1T0317" "${@:2}"; }
state() { tr -d ' \n' <"nights/2026-01-$1T0317/nightly.state"; }

# ---- what is refused ----

expect 2 "$nightly" run.yaml
says "$work/err" 'a settings file and a folder are needed'
expect 2 "$nightly" nowhere.yaml nights
expect 2 night 01 --keep 0
expect 2 night 01 --nonsense
expect 2 night 01 --mail '-oQ/tmp root'
expect 2 night 1
expect 2 env LEAKGRAPH_WEBHOOK='file:///etc/passwd' "$nightly" run.yaml nights
[ ! -e nights ] || fail "a folder was made for what is refused"
expect 0 "$nightly" --help
says "$work/out" '^usage: nightly.sh PIPELINE.yaml ROOT' 'Exit status: 0 good'

# ---- killed, and two at once ----

expect 0 night 01
cat >hang <<SH
#!/bin/bash
"\$@"
touch '$work/sets/hangs'
sleep 300 &
echo \$! >'$work/sets/sleeper'
wait
SH
chmod +x hang
cp corpus-00.jsonl corpus-more.jsonl
setsid "$nightly" run.yaml nights --date 2026-01-02T0317 --launch "$PWD/hang" >log 2>&1 </dev/null &
job=$!
for _ in $(seq 300); do [ -e hangs ] && break; sleep 0.1; done
[ -e hangs ] || fail "the night does not begin: $(cat log)"
expect 4 night 03
says "$work/err" 'another night is at work there'
[ ! -e nights/2026-01-03T0317 ] || fail "it did something"
kill -9 $job
wait $job 2>/dev/null || true
expect 4 night 03                                           # what it has started goes on
for pid in $(pgrep -g $job || true) $(cat sleeper); do kill -9 "$pid" 2>/dev/null || true; done
for _ in $(seq 100); do flock -n nights/nightly.lock true && break; sleep 0.05; done
[ "$(state 02) $(readlink nights/last-good)" = "running 2026-01-01T0317" ] || fail "a killed night is good"
expect 0 night 03
says "$work/out" 'note     the night of 2026-01-02T0317 was killed; its finished pieces are used' \
    '^units    13, 13 of them found$'
[ "$(state 02) $(readlink nights/last-good)" = "died 2026-01-03T0317" ] || fail "a killed night is not set aside"

# A signal is passed on, and the night told of.
setsid "$nightly" run.yaml nights --date 2026-01-04T0317 --launch "$PWD/hang" >log 2>&1 </dev/null &
job=$!
rm -f hangs
for _ in $(seq 300); do [ -e hangs ] && break; sleep 0.1; done
kill -TERM $job
status=0
wait $job || status=$?
[ $status = 1 ] || fail "exit status $status of one that was stopped: $(cat log)"
says log 'failed, exit status 1' 'reason   stopped by a signal'
kill -9 "$(cat sleeper)" 2>/dev/null || true
[ "$(state 04) $(readlink nights/latest)" = "failed 2026-01-03T0317" ] || fail "a stopped night has finished"

# ---- which are kept ----

# Of others: a link to a folder of the same shape, a folder without our mark, one of another name.
mkdir victim nights/2025-01-01T0000 nights/mine
echo good >victim/nightly.state
echo x >victim/kept
cp victim/nightly.state nights/mine
ln -s ../victim nights/2025-01-02T0000
ln -s ../../victim nights/2026-01-01T0317/link
for day in 05 06 07; do expect 3 night $day --keep 2 -- --set fail_on.leakage=0; done
[ "$(cd nights && echo 20*)" = "2025-01-01T0000 2025-01-02T0000 2026-01-03T0317 2026-01-07T0317" ] ||
    fail "other nights are kept: $(ls nights)"
[ "$(readlink nights/last-good) $(readlink nights/latest)" = "2026-01-03T0317 2026-01-07T0317" ] || fail "links"
[ -e victim/kept ] && [ -e nights/mine/nightly.state ] || fail "something of others is gone"
expect 0 night 08 --keep 1
[ "$(cd nights && echo 2026*)" = "2026-01-08T0317" ] || fail "more is kept: $(ls nights)"
expect 0 night 08                                           # in the same minute
[ -e nights/2026-01-08T0317-2/graph.db ] || fail "no second folder"
expect 0 night 09 --min-free 900T                           # all that may go goes, and it is said
says "$work/err" 'less than 900T is free, and there is no night left to remove'
[ "$(cd nights && echo 2026*)" = "2026-01-08T0317-2 2026-01-09T0317" ] || fail "$(ls nights)"

# ---- a full disk ----

mkdir small
if ! mount -t tmpfs -o size=8m leakgraph-test small 2>/dev/null; then
    echo "no full disk: a tmpfs cannot be mounted here"
    exit 0
fi
trap 'cd /; umount "$work/sets/small"; rm -rf "$work"' EXIT
expect 0 "$nightly" run.yaml small/nights --date 2026-02-01T0317
full() { dd if=/dev/zero of=small/filler bs=4k 2>/dev/null || true; }
full
truncate -s -40K small/filler                               # the night begins, and its graph.db finds no room
expect 1 "$nightly" run.yaml small/nights --date 2026-02-02T0317
says "$work/out" 'failed, exit status 1' 'reason   error: .*(No space left|disk is full)'
[ "$(readlink small/nights/last-good)" = 2026-02-01T0317 ] || fail "the good night is lost"
full
expect 1 "$nightly" run.yaml small/nights --date 2026-02-03T0317
says "$work/out" '2026-02-03T0317: failed'
rm small/filler
expect 0 "$nightly" run.yaml small/nights --date 2026-02-04T0317
says "$work/out" '2026-02-04T0317: good'
[ "$(readlink small/nights/last-good)" = 2026-02-04T0317 ] || fail "not good"
