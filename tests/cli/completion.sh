# rest: every word of every command, in each shell that is here
# Completion in bash, zsh and fish: every command, its options, and what is offered for values and arguments.
. "$(dirname "$0")/common.sh"

for shell in bash zsh fish; do
    "$leakgraph" help --completion $shell >"$work/$shell" || fail "no script for $shell"
done
commands=$("$leakgraph" help | sed -n '/^usage/,/^`/s/^  \([a-z-]*\)  .*/\1/p')
mkdir "$work/here" && cd "$work/here"
mkdir results data && touch pipeline.yaml data.jsonl 'with blank.jsonl'

# ---- bash: its own function, called as bash calls it ----

bash -n "$work/bash" || fail "bash cannot read its script"
. "$work/bash"
complete -p leakgraph | grep -q -- '-F _leakgraph' || fail "bash completes with $(complete -p leakgraph)"

offers() {  # offers LINE WORD...: for the last word of LINE these are offered, and not those with a ! behind them
    local line=$1 word reply
    shift
    read -ra COMP_WORDS <<<"$line"
    [[ $line != *' ' ]] || COMP_WORDS+=('')
    COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
    _leakgraph leakgraph "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD-1]}" || true
    reply=$(printf '%s\n' "${COMPREPLY[@]}")
    for word; do
        case $word in
            *\!) ! grep -qxF -e "${word%!}" <<<"$reply" || fail "bash: \`$line' offers ${word%!}" ;;
            *)   grep -qxF -e "$word" <<<"$reply" || fail "bash: \`$line' does not offer $word, but:" $reply ;;
        esac
    done
}

offers 'leakgraph ' $commands --help --version
offers 'leakgraph ru' run 'report!'
for command in $commands; do offers "leakgraph $command --" --help; done
offers 'leakgraph run --' --set --output --quiet '--json!'
offers 'leakgraph run ' pipeline.yaml 'with blank.jsonl' results
offers 'leakgraph run --output ' results 'pipeline.yaml!'
offers 'leakgraph run --threads ' '--set!' 'pipeline.yaml!'
offers 'leakgraph run --set near_duplicates.v' near_duplicates.view= 'dedup=!'
offers 'leakgraph dedup --method ' auto lsh exact 'data.jsonl!'
offers 'leakgraph overlap --corpus a = da' data data.jsonl          # as bash cuts a=da
offers 'leakgraph overlap --corpus a =' data.jsonl
offers 'leakgraph audit ' inclusion verdict licence
offers 'leakgraph audit verdict --classifier ' forest boosting svm all
offers 'leakgraph audit verdict --' --classifier '--pairs!'
offers 'leakgraph audit licence --' --pairs '--classifier!'
offers 'leakgraph show ' results 'data.jsonl!'
offers 'leakgraph help ' run audit config graph
offers 'leakgraph help config dedup.b' dedup.bands dedup.bucket_cap 'run!'
offers 'leakgraph help --completion ' bash zsh fish

# Every option of every page is offered, and nothing that no page has.
while read -r page; do
    "$leakgraph" help --man "$page" | sed 's/\\-/-/g' >"$work/page"
    name=$(sed -n 's/^\\fBleakgraph \([a-z -]*[a-z]\)\\fR.*/\1/p' "$work/page" | head -n 1)
    options=$(sed -n '/^\.TP/{n; /^\\fB--/p}' "$work/page" | grep -o -e '--[a-z-]*' | sort -u)
    offers "leakgraph $name --" $options
    [ "$(printf '%s\n' "${COMPREPLY[@]}" | sort -u)" = "$options" ] || fail "bash offers other options for $name"
done < <("$leakgraph" help --man | grep '^leakgraph-.*\.1$')

# ---- zsh: the words that it gives to its own functions ----

skipped=
if command -v zsh >/dev/null; then
    zsh -n "$work/zsh" || fail "zsh cannot read its script"
    cat >"$work/stubs" <<'ZSH'
_arguments() { print -rl -- arguments "$@"; }
_describe() { print -rl -- describe ${(P)4}; }
words=("${(@s: :)1}") CURRENT=$#words
source $2
ZSH
    zsh_says() {    # zsh_says LINE TEXT...: the specifications have the texts
        local line=$1
        shift
        zsh -f "$work/stubs" "$line" "$work/zsh" >"$work/out" 2>"$work/err" || fail "zsh: $line: $(cat "$work/err")"
        [ ! -s "$work/err" ] || fail "zsh: $line: $(cat "$work/err")"
        for text; do grep -qF -e "$text" "$work/out" || fail "zsh: no $text for \`$line': $(cat "$work/out")"; done
    }
    zsh_says 'leakgraph ' describe 'run:do everything' 'audit:'
    for command in $commands; do zsh_says "leakgraph $command -" arguments "*--help["; done
    zsh_says 'leakgraph run -' '*--output[the run folder]:value:{_files -/}' '*--quiet[' \
        ':value:{compadd -S = -a keys; }'
    zsh_says 'leakgraph dedup -' '{compadd -- auto lsh exact; }' '1:argument:{compset -P'
    zsh_says 'leakgraph audit ' '1:argument:{compadd -- inclusion verdict licence; }'
    zsh_says 'leakgraph audit verdict ' '*--classifier['
    # and once as a user has it: a terminal, keys, and what stands there then
    cat >"$work/terminal" <<'ZSH'
zmodload zsh/zpty
zpty shell zsh -f -i
said=
heard() {   # heard PATTERN: waits for it, for a while
    local piece
    repeat 400; do
        while zpty -r -t shell piece; do said+=$piece; done
        [[ $said == *$~1* ]] && return
        sleep 0.05
    done
    print -r -- "no $1 in: $said"
    exit 1
}
zpty -w shell "fpath=($1 \$fpath); autoload -U compinit; compinit -u -D; cd $2; print READ''Y"
heard READY
typed() {   # typed LINE PATTERN: with two tabs behind it
    said=
    zpty -w -n shell "$1"$'\t\t'
    heard $2
    zpty -w -n shell $'\C-u'
}
typed 'leakgraph dedup --method ' 'auto*exact*lsh'
typed 'leakgraph overlap --corpus a=data.' 'a=data.jsonl'
typed 'leakgraph run --output res' 'results*/'     # with colours between
typed 'leakgraph help config dedup.ban' 'dedup.bands'
ZSH
    mkdir "$work/functions"
    cp "$work/zsh" "$work/functions/_leakgraph"
    zsh -f "$work/terminal" "$work/functions" "$work/here" >"$work/out" 2>&1 || fail "zsh: $(cat "$work/out")"
else
    skipped="no zsh here"
fi

# ---- fish: what it would offer ----

if command -v fish >/dev/null; then
    fish --no-execute "$work/fish" || fail "fish cannot read its script"
    fish_says() {   # fish_says LINE WORD...
        local line=$1 word
        shift
        HOME=$work fish --no-config -c "source $work/fish; complete -C '$line'" >"$work/out" 2>"$work/err" ||
            fail "fish: $line: $(head -n 3 "$work/err")"
        [ ! -s "$work/err" ] || fail "fish: $line: $(head -n 3 "$work/err")"
        for word; do
            cut -f 1 "$work/out" | grep -qxF -e "$word" ||
                fail "fish: \`$line' does not offer $word: $(head -n 20 "$work/out")"
        done
    }
    fish_says 'leakgraph ' $commands
    fish_says 'leakgraph run --' --set --output --quiet --help
    fish_says 'leakgraph run --output ' results/
    ! grep -q pipeline.yaml "$work/out" || fail "fish offers files for a folder"
    fish_says 'leakgraph run ' pipeline.yaml
    fish_says 'leakgraph run --set near_duplicates.v' near_duplicates.view=
    fish_says 'leakgraph dedup --method ' auto lsh exact
    fish_says 'leakgraph audit ' inclusion verdict licence
    fish_says 'leakgraph audit verdict --classifier ' forest boosting svm all
    fish_says 'leakgraph help ' run config graph
    fish_says 'leakgraph help config dedup.b' dedup.bands
else
    skipped="${skipped:+$skipped, }no fish here"
fi
[ -z "$skipped" ] || { echo "$skipped: bash alone was tried, or one of them"; exit 77; }
