# seconds: 90
# rest: functions of a library, planted and looked for
# evaluate: each change of the ladder is the change that it is called, by Python's own parser, and a small evaluation
# with the sources of Python's library finds what is planted, and not what is not.
. "$(dirname "$0")/common.sh"

"$PYTHON" - scripts/evaluate <<'PYTHON'
import ast, io, random, sys, tokenize
sys.path.insert(0, sys.argv[1])
sys.dont_write_bytecode = True
import mutate

TEXT = '''def total_of(rows, limit=10):
    """Adds up.

    # no comment
    """
    # the sum
    total = 0  # of all
    names = ["a # b", 'c']
    for row in rows:
        if row.size > limit:
            continue
        total += row.size
        names.append(row.name)
    shown = "%d of %s" % (total,
                          names)
    cache[names[0]] = shown
    last = rows[-1]
    return total, shown
'''
POOL = ['other = 1', 'call(2)']
made = {name: change(TEXT, 'python', random.Random(3), POOL) for name, change in mutate.LADDER.items()}


def tree(text):
    return ast.dump(ast.parse(text))


def tokens(text):
    wanted = tokenize.NAME, tokenize.OP, tokenize.NUMBER, tokenize.STRING
    return [t.string for t in tokenize.generate_tokens(io.StringIO(text).readline) if t.type in wanted]


def canonical(text):
    """Names by the order in which they come."""
    seen = {}
    return [seen.setdefault(t, len(seen)) if t.isidentifier() and t not in ('def', 'for', 'in', 'if', 'continue',
                                                                           'return') else t for t in tokens(text)]


assert made['verbatim'] == TEXT
assert made['re-indented'] != TEXT and [l.strip() for l in made['re-indented'].splitlines()] == \
    [l.strip() for l in TEXT.splitlines()] and made['re-indented'].startswith('\tdef')
without = ast.parse(TEXT)
without.body[0].body.pop(0)
assert ast.dump(without) == tree(made['comments, docstring stripped']) and '#' not in \
    made['comments, docstring stripped'].replace('a # b', '')
assert made['reformatted'] != TEXT and tokens(made['reformatted']) == tokens(TEXT)
assert tree(made['reformatted']) == tree(TEXT)
assert tokens(made['renamed consistently']) != tokens(TEXT)
assert canonical(made['renamed consistently']) == canonical(TEXT), made['renamed consistently']
assert canonical(made['renamed at random']) != canonical(TEXT)
assert len(tokens(made['renamed at random'])) == len(tokens(TEXT))
changed = [a for a, b in zip(tokens(TEXT), tokens(made['literals changed'])) if a != b]
assert set(changed) == {'10', '0', '"a # b"', "'c'", '"%d of %s"', '1'}, changed
assert 'Adds up' in made['literals changed']
lines = TEXT.splitlines()
for count, name in ((1, '1 statement edited'), (3, '3 statements edited'), (10, '10 statements edited')):
    ast.parse(made[name])
    kept = made[name].splitlines()
    edited = sum(line.strip() in POOL for line in kept)
    assert edited == min(count, 9), (name, edited)
assert sorted(made['statements reordered'].splitlines()) == sorted(lines) and made['statements reordered'] != TEXT
assert made['half of it'].splitlines() == lines[:9]
assert 'total = total + row.size' in made['translated style'] and 'totalOf' in made['translated style']

JAVA = '''int sum(int[] values, int least) {
    // all
    int total = 0;
    for (int i = 0; i < values.length; i++) {
        if (values[i] > least) {
            total += values[i];
            seen.add(values[i], "x");
        }
    }
    return total;
}
'''
made = {name: change(JAVA, 'java', random.Random(3), ['other();']) for name, change in mutate.LADDER.items()}
assert ''.join(made['reformatted'].split()) == ''.join(JAVA.split()) and '\n    {' in made['reformatted']
assert 'all' not in made['comments, docstring stripped']
assert made['10 statements edited'].count('other();') == 3, made['10 statements edited']
assert 'total = total + values[i];' in made['translated style']
PYTHON

# Functions of one half of the library's folders in files of the other half.
library=$("$PYTHON" -c 'import sysconfig; print(sysconfig.get_path("stdlib"))')
[ "$(find "$library" -name '*.py' | wc -l)" -gt 150 ] || {
    echo "evaluate: Python's library is not here; only the changes were tested"
    exit 77
}
mkdir "$work/donors" "$work/hosts"
cp "$library"/[a-k]*.py "$work/donors"
cp "$library"/[l-z]*.py "$work/hosts"
PYTHONDONTWRITEBYTECODE=1 "$PYTHON" scripts/evaluate/run.py --program "$leakgraph" --work "$work/made" \
    --language python --donors "$work/donors" --hosts "$work/hosts" --items 25 \
    --changes verbatim 'renamed at random' 'half of it' --json "$work/python.json" \
    2>"$work/err" || fail "$(cat "$work/err")"
"$PYTHON" - "$work/python.json" <<'PYTHON'
import json, sys
result = json.load(open(sys.argv[1]))
rates, items = result['rates'], result['items']
assert items >= 20, items
for rule in ('near (identifiers), any way', 'dedup of functions: threshold 0.7',
             'line clones: exact, 6 lines', 'n-grams: gpt3_13gram', 'n-grams: exact_substring',
             'portrait: 50 % covered'):
    assert rates[rule]['verbatim'] == 1, (rule, rates[rule])
    assert rates[rule]['false'] <= 0.1, (rule, rates[rule])
for rule in ('near (identifiers), any way', 'n-grams: exact_substring'):
    assert rates[rule]['renamed at random'] <= 0.15, (rule, rates[rule])
assert rates['line clones: exact, 6 lines']['half of it'] == 1, rates['line clones: exact, 6 lines']
PYTHON
"$PYTHON" scripts/evaluate/table.py "$work/python.json" >"$work/table"
says "$work/table" '^\| near \(identifiers\), any way \| [0-9.]+ \| 100 \|' '^## The changes'
