"""The table of scripts/function_units.sh, as Markdown on standard output: function_units.py FOLDER, with the run
folders LANGUAGE-UNIT of each unit in it."""
import os
import sqlite3
import sys

HEAD = '''# Benchmarks in whole source packages, by what is compared

Items of each benchmark that are in Debian's source packages: as files alone (the item is like a whole file, contained
in one, or a passage of it), as functions inside the files, both (the default, `unit: auto`), and with the functions cut
out beforehand, as documents of their own: by `leakgraph extract`, and by `leakgraph extract --functions exact`, which
asks tree-sitter's parsers. `scripts/function_units.sh` makes this file. How fast both are: [speed.md](speed.md).

Files alone miss items that are too short to be looked for so, and have items that a longer function holds. Functions
miss what is no function of its own in the file, or differs by more than the thresholds. Functions cut out beforehand
are the same documents, compared as such: the columns *in functions, not cut* and *cut, not in functions* have to be 0.
*Tokens alone*, *parser alone*: items that only one of the two ways to cut finds.
'''
FOUND = {
    'file': "p.kind IN ('exact', 'near', 'contained', 'copy')",
    'cut': "p.kind IN ('exact', 'near', 'copy')",
    'exact': "p.kind IN ('exact', 'near', 'copy')",
}


def found(folder, unit):
    """Of each benchmark its items that were found."""
    db = sqlite3.connect('file:%s?mode=ro' % os.path.join(folder, 'graph.db'), uri=True)
    sizes = dict(db.execute("SELECT a.dataset, SUM(a.documents) FROM all_documents AS a "
                            "JOIN datasets AS d ON d.id = a.dataset WHERE d.role = 'benchmark' GROUP BY a.dataset"))
    items = set()
    if unit in ('file', 'auto', 'cut', 'exact'):
        items |= set(db.execute(
            "SELECT s.dataset, s.id FROM snippets AS s JOIN snippet_pairs AS p ON p.snippet = s.id JOIN snippets AS o "
            "ON o.id = p.other WHERE o.dataset = 'debian' AND s.dataset <> 'debian' AND " +
            FOUND.get(unit, FOUND['file'])))
    if unit in ('file', 'auto'):
        items |= set(db.execute('SELECT s.dataset, s.id FROM passage_items AS p JOIN snippets AS s ON s.id = p.item'))
    if unit in ('function', 'auto'):
        items |= set(db.execute('SELECT s.dataset, s.id FROM function_items AS f JOIN snippets AS s ON s.id = f.item'))
    return sizes, items


def main():
    folder = sys.argv[1]
    print(HEAD)
    for language in ('java', 'python'):
        if not os.path.exists(os.path.join(folder, language + '-file')):
            continue
        by = {}
        parsed = os.path.exists(os.path.join(folder, language + '-exact'))
        for unit in ('file', 'function', 'auto', 'cut') + (('exact',) if parsed else ()):
            sizes, by[unit] = found(os.path.join(folder, '%s-%s' % (language, unit)), unit)
        print('## %s\n' % language.capitalize())
        by.setdefault('exact', set())
        print('| benchmark | items | as files | as functions | both | cut beforehand | cut by a parser | in files '
              'alone | in functions alone | in functions, not cut | cut, not in functions | tokens alone | parser '
              'alone |')
        print('|---' * 13 + '|')
        for name in sorted(sizes):
            of = {unit: {item for item in items if item[0] == name} for unit, items in by.items()}
            print('| %s | %d | %s |' % (name, sizes[name], ' | '.join(str(len(items)) for items in (
                of['file'], of['function'], of['auto'], of['cut'], of['exact'], of['file'] - of['function'],
                of['function'] - of['file'], of['function'] - of['cut'], of['cut'] - of['function'],
                of['cut'] - of['exact'] if parsed else (), of['exact'] - of['cut']))))
        print()


if __name__ == '__main__':
    main()
