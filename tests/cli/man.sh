# rest: every page of every command, by each formatter that is here
# The manual pages: every command has one with every section, all are clean for the formatters that are here, and the
# options of a page are those that the command takes.
. "$(dirname "$0")/common.sh"
export SOURCE_DATE_EPOCH=86400

mkdir "$work/man" "$work/empty"
"$leakgraph" help --man >"$work/names"
while read -r page; do
    "$leakgraph" help --man "$page" >"$work/man/$page" || fail "no page $page"
    for section in NAME SYNOPSIS DESCRIPTION 'EXIT STATUS' ENVIRONMENT FILES EXAMPLES 'SEE ALSO'; do
        grep -qx ".SH $section" "$work/man/$page" || fail "$page has no section $section"
    done
    [ "$page" = leakgraph-graph.5 ] || grep -qx '.SH OPTIONS' "$work/man/$page" || fail "$page has no section OPTIONS"
done <"$work/names"
"$leakgraph" help | sed -n '/^usage/,/^`/s/^  \([a-z-]*\)  .*/\1/p' | while read -r command; do
    grep -qx "leakgraph-$command.1" "$work/names" || fail "$command has no page"
done
says "$work/names" '^leakgraph\.1$' '^leakgraph-audit-verdict\.1$' '^leakgraph\.yaml\.5$' '^leakgraph-graph\.5$'
says "$work/man/leakgraph-run.1" '^\.TH "LEAKGRAPH\\-RUN" 1 "1970-01-02" "leakgraph [0-9.]+" "leakgraph"$'
says "$work/man/leakgraph-audit.1" '^\.BR leakgraph\\-audit\\-licence \(1\),$'

# The same help, the same page.
"$leakgraph" help --man leakgraph-run.1 | cmp - "$work/man/leakgraph-run.1" || fail "a page is not the same twice"
printf 'usage: other-one [--set X]\n\nMakes .things, all.\n\n  --set X   how\n' >"$work/help"
"$leakgraph" help --man - <"$work/help" >"$work/man/other-one.1" || fail "no page of another program"
says "$work/man/other-one.1" '^other\\-one \\- Makes \.things$' '^\\fBother\\-one\\fR \[\\fB\\-\\-set\\fR \\fIX\\fR\]$'
"$leakgraph" help --man - </dev/null >"$work/out" 2>"$work/err" && fail "a page of nothing"
( unset SOURCE_DATE_EPOCH; "$leakgraph" help --man leakgraph.1 ) | grep -q '^\.TH "LEAKGRAPH" 1 "" ' ||
    fail "a page without SOURCE_DATE_EPOCH has a date"

# What a page names, the command knows; what the sources compare words of the command line with, some page names.
"$PYTHON" - "$leakgraph" "$work" <<'PYTHON'
import concurrent.futures, glob, re, subprocess, sys
leakgraph, work = sys.argv[1:]
wrong, named, calls = [], {"--help", "--version"}, []
for path in glob.glob(work + "/man/leakgraph-*.1"):
    text = open(path).read().replace("\\-", "-")
    words = re.search(r"^\\fBleakgraph ([a-z -]+)\\fR", text, re.M).group(1).split()
    options = {}
    for term in re.findall(r"^\.TP\n(\\fB--.*)$", text, re.M):
        for option, value in re.findall(r"(--[a-z-]+) ?([^,]*)", re.sub(r"\\f[BIR]", "", term)):
            options[option] = value
            if " " in value: wrong.append("%s: %s: two blanks between an option and its text" % (path, term))
    if "--help" not in options: wrong.append(path + ": no --help")
    named |= set(options)
    for option, value in sorted(options.items()):
        choices = value.split("|") if re.fullmatch(r"[a-z0-9|+-]+", value) else ["0"]
        calls += [words + [option, choice] for choice in choices]
        if "|" in value: calls.append(words + [option, "nonsense", set(choices)])

# A call that is wrong in other ways, too; what is said may be about those, but not of the option or of its choice, and
# where choices are listed, they are those of the page.
def refused(call):
    said = subprocess.run([leakgraph, *call[:len(call) - isinstance(call[-1], set)]], stdin=subprocess.DEVNULL,
                          stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, cwd=work + "/empty").stderr.decode()
    if isinstance(call[-1], set):
        listed = re.search(r"is not one of: ([a-z0-9+, -]+)", said)
        return "%s: %s" % (call, said) if listed and set(listed.group(1).split(", ")) != call[-1] else None
    option, value = call[-2:]
    bad = re.search(r"(does not know|unknown option|knows no) `?%s\b" % option, said)
    if value != "0": bad = bad or re.search(r"%s\b.*`%s`" % (option, re.escape(value)), said)
    return "%s: %s" % (call, said) if bad else None

with concurrent.futures.ThreadPoolExecutor(2) as pool: wrong += filter(None, pool.map(refused, calls))
for path in glob.glob("pipeline/cmd/*.c"):
    text = re.sub(r"/\*.*?\*/", "", open(path).read(), flags=re.S)
    for option in re.findall(r'"(--[a-z][a-z-]*)"', text):
        if option not in named: wrong.append("%s: no page names %s" % (path, option))
assert len(calls) > 100, calls
print("%d calls" % len(calls))
if wrong: sys.exit("FAILED:\n" + "\n".join(wrong))
PYTHON

# A page that is refused by one of them is refused by packagers too.
if command -v mandoc >/dev/null; then
    for page in "$work"/man/*; do mandoc -T lint -W warning "$page" || fail "mandoc: $(basename "$page")"; done
fi
command -v man >/dev/null || { echo "no man here: sections and options were checked, not the form"; exit 77; }
for page in "$work"/man/*; do
    LC_ALL=C.UTF-8 MANWIDTH=80 man --warnings -E UTF-8 -l "$page" 2>"$work/err" >"$work/out"
    [ -s "$work/out" ] && [ ! -s "$work/err" ] || fail "man: $(basename "$page"): $(cat "$work/err")"
done
# What a reader sees is what was written.
LC_ALL=C.UTF-8 MANWIDTH=80 man -E UTF-8 -l "$work/man/leakgraph-show.1" >"$work/out"
says "$work/out" 'shown as \\x1b\.' "sqlite3 results/demo/graph.db 'SELECT a, b FROM edges" '^ +codetrans/test/250$'
