#!/bin/bash
# usage: nightly.sh PIPELINE.yaml ROOT [OPTION...] [-- RUN-OPTION...]
#        nightly.sh --accept ROOT
# Runs a pipeline into ROOT/YYYY-MM-DDTHHMM (UTC), a folder a night, compares it with the last good night, and says so.
#   --keep N             nights that are kept, the newest (14); the last good one and the last finished one always are
#   --new-leaks N        exit status 3 when more than N items leak that did not in the last good night
#   --launch WORDS       what starts the program, split at blanks: 'mpirun -n 8 --bind-to none', 'srun --mpi=pmix'
#   --name NAME          what the summary calls it (the settings file's name)
#   --mail ADDRESS       the summary is sent there, by sendmail or mail
#   --webhook-file FILE  the summary is posted as {"text": ...} to the URL in FILE; or in the environment, as
#                        LEAKGRAPH_WEBHOOK.  Neither is ever shown
#   --when trouble       only a night that is not good is sent and printed (always)
#   --min-free SIZE      before the night, old nights go until so much is free: 500M, 20G
#   --anew               without the finished pieces of earlier nights
#   --date STAMP         the folder's name, instead of the time
#   RUN-OPTION...        of `leakgraph run`: --threads 8, --set KEY=VALUE
#   --accept ROOT        the last finished night is good from now on: its leaks are known
# ROOT/latest is the last night that finished, ROOT/last-good the last one that was good; each night has what a run
# writes, and summary.txt and summary.json.  The finished pieces (work/*.unit) of earlier nights are linked into the new
# one, so that it costs what is new.  LEAKGRAPH= names the program.
# Exit status: 0 good, 1 the run failed, 2 wrong usage or settings, 3 a gate failed or there are new leaks, 4 another
# night is at work in ROOT.
set -euo pipefail
export LC_ALL=C.UTF-8

lines=20                                                    # of a summary
state_file=nightly.state                                    # in each night; what has none is not ours

say() { printf 'nightly: %s\n' "${*//[[:cntrl:]]/?}" >&2; }
refuse() { say "$*"; exit 2; }
usage() { sed -n '/^# usage:/,/^# night is at work/s/^# \{0,1\}//p' "${BASH_SOURCE[0]}"; }

# ---- what is asked ----

keep=14 new_leaks='' name='' mail='' hook_file='' when=always min_free='' anew='' stamp='' accept='' launch=() more=()
places=()
need_number() { [[ $2 =~ ^[0-9]{1,9}$ ]] || refuse "$1 takes a number, not \`$2'"; }
while [ $# -gt 0 ]; do
    case $1 in
        --help|-h) usage; exit 0 ;;
        --anew)    anew=1; shift; continue ;;
        --accept)  accept=1; shift; continue ;;
        --)        shift; more=("$@"); break ;;
        --keep|--new-leaks|--launch|--name|--mail|--webhook-file|--when|--min-free|--date)
                   [ $# -gt 1 ] || refuse "$1 needs a value" ;;
        -*)        refuse "there is no option $1; see --help" ;;
        *)         places+=("$1"); shift; continue ;;
    esac
    case $1 in
        --keep)         need_number "$@"; keep=$((10#$2)); [ "$keep" -gt 0 ] || refuse "--keep takes 1 or more" ;;
        --new-leaks)    need_number "$@"; new_leaks=$((10#$2)) ;;
        --launch)       read -ra launch <<<"$2" ;;
        --name)         name=$2 ;;
        --mail)         mail=$2 ;;
        --webhook-file) hook_file=$2 ;;
        --when)         when=$2; [[ $2 =~ ^(always|trouble)$ ]] || refuse "--when takes always or trouble" ;;
        --min-free)     [[ $2 =~ ^([0-9]{1,12})([KMGT]?)$ ]] || refuse "--min-free takes a size such as 20G, not \`$2'"
                        min_free=$2 ;;
        --date)         stamp=$2 ;;
    esac
    shift 2
done
[[ -z $mail || $mail =~ ^[A-Za-z0-9_][A-Za-z0-9._%+@-]*$ ]] || refuse "--mail takes an address, not \`$mail'"
if [ -n "$accept" ]; then
    [ ${#places[@]} = 1 ] || refuse "--accept takes ROOT alone; see --help"
    root=${places[0]}
    [ -d "$root" ] || refuse "$root: there is no such folder"
else
    [ ${#places[@]} = 2 ] || refuse "a settings file and a folder are needed; see --help"
    pipeline=${places[0]} root=${places[1]}
    [ -f "$pipeline" ] || refuse "$pipeline: there is no such file"
fi
is_stamp() { [[ $1 =~ ^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{4}(-[2-9])?$ ]]; }
[ -n "$stamp" ] || stamp=$(date -u +%Y-%m-%dT%H%M)
is_stamp "$stamp" || refuse "--date takes a time such as 2026-11-24T0317, not \`$stamp'"

here=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")
leakgraph=${LEAKGRAPH:-$(command -v leakgraph || printf '%s' "$here/../build/leakgraph")}
command -v "$leakgraph" >/dev/null || refuse "$leakgraph: there is no such program (LEAKGRAPH= names it)"
hook=${LEAKGRAPH_WEBHOOK-}
unset LEAKGRAPH_WEBHOOK                                     # no program that is started here has it
if [ -n "$hook_file" ]; then
    hook=
    IFS= read -r hook <"$hook_file" || [ -n "$hook" ] || refuse "$hook_file: no URL is in it"
fi
[[ -z $hook || $hook =~ ^https?://[^[:space:][:cntrl:]]+$ ]] || refuse "the webhook is no URL of http or https"

mkdir -p -- "$root" 2>/dev/null || { say "$root: cannot be made"; exit 1; }
root=$(cd -- "$root" && pwd -P && printf .) root=${root%$'\n'.}     # a name may end with a line's end

# The lock goes to the run with the open file: as long as either lives, no other night begins.
[ ! -L "$root/nightly.lock" ] || refuse "$root/nightly.lock: is a symbolic link"
exec {lock}>>"$root/nightly.lock"
flock -n "$lock" || { say "$root: another night is at work there; this one does nothing"; exit 4; }

# ---- nights ----

# Only folders that this script has made, in the order of time: nights=(STAMP...).
list_nights() {
    local path
    nights=()
    for path in "$root"/[0-9]*; do
        [ ! -L "$path" ] && [ -d "$path" ] && [ ! -L "$path/$state_file" ] && [ -f "$path/$state_file" ] || continue
        ! is_stamp "${path##*/}" || nights+=("${path##*/}")
    done
}

state_of() { local state=; read -r state 2>/dev/null <"$root/$1/$state_file" || true; printf '%s' "$state"; }

# In its place, and of one length: a full disk has room for it.
set_state() { printf '%-31s\n' "$2" 1<>"$root/$1/$state_file"; }

point() {       # point NAME NIGHT: the new one is there or the old one
    local aside="$root/.$1.$$"
    rm -f -- "$aside"
    ln -s -- "$2" "$aside" && mv -T -- "$aside" "$root/$1" && return
    rm -f -- "$aside"
    say "$root/$1: cannot be made"
    return 1
}

linked() {      # linked NAME: the night that it names, if it is one of ours
    local to
    to=$(readlink -- "$root/$1" || true)
    is_stamp "$to" && [ -f "$root/$to/graph.db" ] && [ -f "$root/$to/$state_file" ] && printf '%s' "$to" || true
}

# Under another name first: what a kill leaves of it is no night.
remove_night() {
    mv -T -- "$root/$1" "$root/.gone-$1" && rm -rf --one-file-system -- "$root/.gone-$1" ||
        say "$root/$1: cannot be removed"
}

# prune MOST: the oldest go until there are so many; what is named last-good, latest and the one of today stay.
prune() {
    local left night
    list_nights
    left=${#nights[@]}
    for night in "${nights[@]}"; do
        [ "$left" -gt "$1" ] || break
        [[ $night != "$(linked last-good)" && $night != "$(linked latest)" && $night != "${today-}" ]] || continue
        remove_night "$night"
        left=$((left - 1))
    done
}

free_kb() { df --output=avail -k -- "$root" | tail -n 1 | tr -d ' '; }

make_room() {   # make_room SIZE
    local wanted=${1%[KMGT]} before
    case $1 in *K) ;; *M) wanted=$((wanted << 10)) ;; *G) wanted=$((wanted << 20)) ;; *T) wanted=$((wanted << 30)) ;;
               *) wanted=$((wanted >> 10)) ;; esac
    while [ "$(free_kb)" -lt "$wanted" ]; do
        list_nights
        before=${#nights[@]}
        prune $((before - 1))
        list_nights
        [ ${#nights[@]} -lt "$before" ] && continue
        say "$root: less than $1 is free, and there is no night left to remove"
        return
    done
}

# Finished pieces of NIGHT for today's: links, or copies where the file system has none.  They are never written to.
take_units() {
    local from="$root/$1/work" to="$root/$today/work" how
    [ ! -L "$from" ] && [ -d "$from" ] || return 0
    for how in -l --reflink=auto; do
        find "$from" -maxdepth 1 -type f -name '*.unit' -print0 |
            xargs -0 -r cp -f $how -t "$to" -- 2>/dev/null && return
    done
    say "$from: not all pieces could be taken over; they are made again"
}

if [ -n "$accept" ]; then
    night=$(linked latest)
    [ -n "$night" ] || { say "$root: no night has finished"; exit 1; }
    set_state "$night" good && point last-good "$night" || exit 1
    printf '%s is good\n' "$night"
    exit 0
fi

# ---- the summary, and who hears of it ----

# A string as JSON and YAML have it.
json_string() {
    local text=${1//\\/\\\\}
    text=${text//\"/\\\"} text=${text//$'\n'/\\n} text=${text//$'\t'/\\t}
    printf '"%s"' "${text//[[:cntrl:]]/?}"
}

# summarise VERDICT: summary, its subject, and body, from reasons, notes and told.
summarise() {
    local line i text
    subject="leakgraph ${name//[[:cntrl:]]/?} $today: $1"
    text=("$subject" "" "folder   $root/$today" "took     ${took:-0} s, exit status $status")
    line=$(grep -a ' done: records ' -- "$root/$today/run.log" 2>/dev/null | tail -n 1 || true)
    if [[ $line =~ in=([0-9]+)\ used=([0-9]+)\ rejected=([0-9]+).*units=([0-9]+)\ reused=([0-9]+) ]]; then
        text+=("records  ${BASH_REMATCH[1]}, ${BASH_REMATCH[3]} of them rejected")
        text+=("units    ${BASH_REMATCH[4]}, ${BASH_REMATCH[5]} of them found")
    fi
    for line in "${reasons[@]}"; do text+=("reason   $line"); done
    for line in "${notes[@]}"; do text+=("note     $line"); done
    for line in "${told[@]}"; do text+=("  $line"); done
    if [ ${#text[@]} -gt $((lines + 2)) ]; then
        text=("${text[@]:0:lines+1}" "  … and more: \`leakgraph diff\` and report.md have all")
    fi
    for i in "${!text[@]}"; do
        text[i]=${text[i]//[[:cntrl:]]/?}
        text[i]=${text[i]:0:300}
    done
    summary=$(printf '%s\n' "${text[@]}" | iconv -c -f UTF-8 -t UTF-8)
    body="{\"text\": $(json_string "$summary")}"
}

save() { printf '%s\n' "$2" 2>/dev/null >"$root/$today/$1" || say "$root/$today/$1: cannot be written"; }

send_mail() {
    local sendmail letter=${summary#*$'\n'$'\n'}
    sendmail=$(PATH=$PATH:/usr/sbin:/usr/lib command -v sendmail || true)
    if [ -n "$sendmail" ]; then
        printf 'To: %s\nSubject: %s\nMIME-Version: 1.0\nContent-Type: text/plain; charset=UTF-8\n\n%s\n' "$mail" \
            "$subject" "$letter" | timeout 60 "$sendmail" -i "$mail"
    elif command -v mail >/dev/null; then
        printf '%s\n' "$letter" | timeout 60 mail -s "$subject" "$mail"
    else
        say "no mail is sent: there is neither sendmail nor mail"
    fi
}

# The URL goes by a pipe, and what curl says of it is not shown.
post_hook() {
    local url=${hook//\\/\\\\}
    command -v curl >/dev/null || { say "nothing is posted: there is no curl"; return 0; }
    printf '%s' "$body" |
        curl --config <(printf 'url = "%s"\n' "${url//\"/\\\"}") --silent --fail --max-time 60 --output /dev/null \
            --header 'Content-Type: application/json' --data-binary @- 2>/dev/null
}

# Nobody's failure is the night's.
tell() {
    [ $status != 0 ] || [ $when = always ] || return 0
    printf '%s\n' "$summary" || true
    exec {lock}>&-                                          # whoever is slow to answer keeps no night from beginning
    [ -z "$mail" ] || send_mail || say "the mail was not sent"
    [ -z "$hook" ] || post_hook || say "the webhook was not reached"
}

# The night could not begin.
give_up() {
    status=1
    reasons=("$1")
    say "$1"
    summarise "failed, and did not begin"
    tell
    exit 1
}

# ---- the run ----

reasons=() notes=() told=() took='' today=$stamp
if [ -z "$name" ]; then name=${pipeline##*/} name=${name%.yaml}; fi
rm -f -- "$root"/.latest.[0-9]* "$root"/.last-good.[0-9]*   # of a killed one, as the next are
for path in "$root"/.gone-[0-9]*; do
    [ -L "$path" ] || [ ! -d "$path" ] || ! is_stamp "${path##*/.gone-}" || rm -rf --one-file-system -- "$path"
done
list_nights
for night in "${nights[@]}"; do
    [ "$(state_of "$night")" = running ] || continue        # nobody has the lock
    set_state "$night" died || true
    notes+=("the night of $night was killed; its finished pieces are used")
done
[ -z "$min_free" ] || make_room "$min_free"

for n in 2 3 4 5 6 7 8 9; do
    mkdir -- "$root/$today" 2>/dev/null && break
    [ -e "$root/$today" ] || give_up "$root/$today: cannot be made"
    today=$stamp-$n
done
[ ! -e "$root/$today/$state_file" ] || refuse "$root/$today: is there already"
set_state "$today" running || give_up "$root/$today/$state_file: cannot be written"
mkdir -- "$root/$today/work" || give_up "$root/$today/work: cannot be made"
good=$(linked last-good)
old=${good:-$(linked latest)}
if [ -z "$anew" ]; then                                     # of the last good night, and of those behind it
    for night in "${nights[@]}"; do [[ $night < $good ]] || take_units "$night"; done
fi

# Earlier nights for the report's trend.  They are globs there.
history=()
if [ ${#nights[@]} -gt 0 ] && "$leakgraph" help config | grep '^history:' >/dev/null; then
    runs=
    for night in "${nights[@]}"; do
        [[ $(state_of "$night") =~ ^(good|gate)$ ]] || continue
        path=$root/$night
        for special in '\' '*' '?' '[' '{'; do path=${path//"$special"/\\"$special"}; done
        runs+=${runs:+, }$(json_string "$path")
    done
    [ -z "$runs" ] || history=(--set "history.runs=[$runs]")
fi

heard=$(mktemp "${TMPDIR:-/tmp}/leakgraph-nightly.XXXXXXXX" || printf '/dev/null')
trap '[ "$heard" = /dev/null ] || rm -f -- "$heard"' EXIT
child='' stopped=''
trap 'stopped=1; [ -z "$child" ] || kill -TERM "$child" 2>/dev/null || true' TERM INT HUP
started=$SECONDS status=0
"${launch[@]}" "$leakgraph" run "$pipeline" --output "$root/$today" --quiet "${history[@]}" "${more[@]}" \
    >/dev/null 2>"$heard" </dev/null &
child=$!
while :; do
    status=0
    wait "$child" || status=$?
    kill -0 "$child" 2>/dev/null || break                   # a signal ends the wait, not the run
done
child=
took=$((SECONDS - started))
[ "$status" -le 3 ] || status=1                             # of a signal, or of a launcher

# ---- what became of it ----

finished='' verdict=''
[ "$status" != 3 ] || verdict='a gate failed'
if [ "$status" = 0 ] || [ "$status" = 3 ]; then finished=1; fi
[ -z "$stopped" ] || reasons+=("stopped by a signal")
while IFS= read -r line; do
    [[ $line =~ ^(error:|warning:\ gate) ]] && reasons+=("${line#warning: }")
done < <(head -c 65536 -- "$heard")
if [ "$status" = 1 ] && [ ${#reasons[@]} = 0 ]; then reasons+=("$(tail -n 1 -- "$heard")"); fi

if [ -n "$finished" ] && [ -n "$old" ]; then
    changed=0
    difference=$("$leakgraph" diff "$root/$old" "$root/$today" ${new_leaks:+--fail-on new-leaks="$new_leaks"} 2>&1 |
                 { head -c 65536; cat >/dev/null; }) || changed=$?
    told=("compared with $old:")
    while IFS= read -r line; do                             # which items, not each value that differs
        [[ $line != '## Values'* ]] || break
        [[ -z $line || $line =~ ^#|^\|\ (run|old|new|---)|something\ changed|:\ 0$ ]] || told+=("$line")
    done <<<"$difference"
    if [ $changed = 3 ]; then
        status=3 verdict+=${verdict:+, }'new leaks'
        reasons+=("more than $new_leaks items leak that did not on $old")
    elif [ $changed != 0 ]; then
        reasons+=("the comparison with $old failed: \`leakgraph diff\` says why, --accept goes on from tonight")
        [ -z "$new_leaks" ] || status=3 verdict+=${verdict:+, }'new leaks are not known'
    fi
fi

case $status in
    0) state=good verdict=good ;;
    3) state=gate ;;
    *) state=failed verdict="failed, exit status $status" ;;
esac
saved=1
set_state "$today" $state || { saved=''; say "$root/$today/$state_file: cannot be written"; }
[ -z "$finished" ] || [ -z "$saved" ] || point latest "$today" || saved=''
[ $state != good ] || [ -z "$saved" ] || point last-good "$today" || saved=''
if [ -z "$saved" ] && [ $status = 0 ]; then status=1 verdict='good, and cannot be marked so'; fi
prune "$keep"

summarise "$verdict"
save summary.txt "$summary"
save summary.json "$body"
tell
exit $status
