"""What each rule of leakgraph finds of functions that were planted into files of a corpus, change by change.

  run.py --program build/leakgraph --work FOLDER --language python --donors DIR... --hosts DIR...
         [--items 200] [--seed 1] [--changes CHANGE...] [--json FILE]

The benchmark: functions of the donors' sources.  Half of them are planted, one into each of as many files of the hosts;
the others are not.  For each change of mutate.py the corpus is made anew, compared with every rule that the program
has, and the share of planted items that each rule names is taken.  A corpus of the same files with nothing planted
gives the rate of false finds, over all items."""
import argparse
import collections
import json
import os
import random
import re
import shutil
import sqlite3
import subprocess
import sys

import mutate

EXTENSION = {'python': '.py', 'java': '.java'}
VIEWS = ['identifiers', 'identifiers+literals', 'tokens', 'lines', 'shingles:5', 'chars:20']
DEDUP = [0.5, 0.7, 0.9]
NGRAM_RULES = {
    'gpt3_13gram': 'gpt3_13gram', 'palm_8gram': 'palm_8gram', 'tulu3_8gram': 'tulu3_8gram',
    'exact_substring': 'exact_substring', 'windows50': 'windows50', 'qwen_lcs': 'qwen_lcs',
    'llama3_8gram >= 0.5': 'llama3_8gram >= 0.5', 'decon_5gram >= 0.5': 'decon_5gram >= 0.5',
}


def run(arguments, **options):
    done = subprocess.run(arguments, capture_output=True, text=True, **options)
    if done.returncode not in (0, 3):
        sys.exit('evaluate: %s\n%s' % (' '.join(arguments), done.stderr))
    return done.stdout


def extracted(args, folders):
    """Functions of real size, of files that are no tests."""
    lines = run([args.program, 'extract', '--quiet', '--language', args.language, '--no-tests', '--no-nested',
                 '--min-lines', '14'] + folders).splitlines()
    seen, out = set(), []
    for record in map(json.loads, lines):
        text = record['text'] + '\n'
        key = ' '.join(text.split())
        if text.count('\n') > 80 or '\x00' in text or '\ufffd' in text or key in seen or \
                len(mutate.statements_of(text, args.language)) < 6:
            continue
        seen.add(key)
        out.append(dedented(text, record))
    return out


def dedented(text, record):
    """A Python method as a function; the first line has no indentation already.  Java's stay as they are."""
    lines = text.splitlines(True)
    depths = [len(line) - len(line.lstrip(' ')) for line in lines[1:] if line.strip()]
    most = max(0, min(depths, default=0) - 4) if record['language'] == 'python' else 0
    return lines[0] + ''.join(line[most:] if line.strip() else '\n' for line in lines[1:])


def host_files(args):
    out = []
    for folder in args.hosts:
        for path, _, names in os.walk(folder):
            for name in names:
                inside = os.path.relpath(os.path.join(path, name), folder)
                if not name.endswith(EXTENSION[args.language]) or 'test' in inside.lower():
                    continue
                try:
                    text = open(os.path.join(path, name), encoding='utf-8').read()
                except (OSError, UnicodeDecodeError):
                    continue
                if 3000 < len(text) < 60000 and '\x00' not in text and place_in(text, args.language):
                    out.append((inside, text))
    return sorted(out)


def place_in(text, language):
    """Where a function fits: between two of the file's own."""
    if language == 'python':
        places = [m.start() for m in re.finditer(r'^(?:def|class) ', text, re.M)]
        places = [at for at in places if not text[:at].rstrip('\n').rsplit('\n', 1)[-1].startswith('@')]
        return places[len(places) // 2] if places else 0
    return len(text.rstrip()) - 1 if text.rstrip().endswith('}') else 0


def planted(text, function, language):
    at = place_in(text, language)
    return '%s\n%s%s\n\n%s' % (text[:at], '    ' if language == 'java' else '', function.rstrip('\n') + '\n', text[at:])


def written(path, records):
    with open(path, 'w', encoding='utf-8') as out:
        for record in records:
            out.write(json.dumps(record) + '\n')
    return path


def pipeline(folder, near):
    return ('datasets:\n  - {name: bench, role: benchmark, files: items.jsonl}\n'
            '  - {name: corpus, role: corpus, files: %s/corpus.jsonl}\n%s' % (folder, near))


def graph_of(args, folder, name, settings):
    """Runs a pipeline; the open graph.db."""
    path = os.path.join(args.work, '%s-%s.yaml' % (folder, name))
    out = os.path.join(args.work, folder, name)
    with open(path, 'w') as file:
        file.write(pipeline(folder, settings))
    run([args.program, 'run', path, '--quiet', '--output', out])
    db = sqlite3.connect('file:%s?mode=ro' % os.path.join(out, 'graph.db'), uri=True)
    db.execute("CREATE TEMP VIEW item AS SELECT s.id AS id, s.source_id AS name FROM snippets AS s "
               "JOIN datasets AS d ON d.id = s.dataset WHERE d.role = 'benchmark'")
    return db


def names(db, sql):
    return {row[0] for row in db.execute(sql)}


def by_join(args, folder, found):
    """Similar, contained, passages, and functions, by view."""
    pair = ('SELECT i.name FROM item AS i JOIN snippet_pairs AS p ON p.snippet = i.id JOIN snippets AS s '
            "ON s.id = p.other WHERE p.pass = 'near' AND s.dataset = 'corpus' AND p.kind %s")
    for view in VIEWS:
        db = graph_of(args, folder, 'near-' + re.sub(r'\W', '-', view), 'near_duplicates: {view: "%s"}\n' % view)
        by = {'whole documents': names(db, pair % "IN ('exact', 'near')"),
              'contained': names(db, pair % "= 'contained'"),
              'as passages': names(db, 'SELECT i.name FROM item AS i JOIN passage_items AS p ON p.item = i.id'),
              'in functions': names(db, 'SELECT i.name FROM item AS i JOIN function_items AS f ON f.item = i.id'),
              'renamed': names(db, 'SELECT i.name FROM item AS i JOIN clone_items AS c ON c.item = i.id')}
        if view == VIEWS[0]:
            found.update(('near (%s), %s' % (view, way), ids) for way, ids in by.items())
        found['near (%s), any way' % view] = set().union(*by.values())


def by_ngrams(args, folder, found):
    db = graph_of(args, folder, 'ngrams', 'ngrams: {n: [5, 8, 13]}\n')
    for name, condition in NGRAM_RULES.items():
        found['n-grams: ' + name] = names(
            db, 'SELECT i.name FROM item AS i JOIN ngram_rules AS r ON r.snippet = i.id WHERE ' + condition)


def by_lines(args, folder, found):
    for rule in ('exact', 'simian'):
        db = graph_of(args, folder, 'lines-' + rule, 'line_clones: {normalisation: %s}\n' % rule)
        found['line clones: %s, 6 lines' % rule] = names(db, 'SELECT source_id FROM clone_documents')


def by_clone_types(args, folder, found):
    db = graph_of(args, folder, 'types', 'clones: {types: [1, 2, 2c, 3]}\n')
    strict = []
    for kind in ('1', '2c', '2', '3'):
        strict.append("'%s'" % kind)
        found['clones of type ' + ', '.join(strict).replace("'", '')] = names(
            db, 'SELECT i.name FROM item AS i JOIN clone_items AS c ON c.item = i.id WHERE c.type IN (%s)' %
            ', '.join(strict))


def by_portrait(args, folder, found):
    graph_of(args, folder, 'portrait', 'portrait: {}\n')
    verdicts = [json.loads(line) for line in run(
        [args.program, 'query', '--json', os.path.join(args.work, folder, 'portrait', 'corpus.portrait'),
         os.path.join(args.work, 'items.jsonl')]).splitlines()]
    for share in (20, 50, 90):
        found['portrait: %d %% covered' % share] = {
            verdict['name'].rsplit(':', 1)[1] for verdict in verdicts if (verdict['covered_percent'] or 0) >= share}


def by_dedup(args, folder, found):
    """The corpus's functions and the items as one corpus; an item that is in a cluster with a function of it."""
    functions = os.path.join(args.work, folder, 'functions.jsonl')
    with open(functions, 'w') as out:
        out.write(run([args.program, 'extract', '--quiet', '--language', args.language,
                       os.path.join(args.work, folder, 'corpus.jsonl')]))
    for threshold in DEDUP:
        out = os.path.join(args.work, folder, 'dedup-%g' % threshold)
        run([args.program, 'dedup', 'bench=' + os.path.join(args.work, 'items.jsonl'), 'corpus=' + functions, '--quiet',
             '--threshold', str(threshold), '--dry-run', '--output', out])
        db = sqlite3.connect('file:%s?mode=ro' % os.path.join(out, 'graph.db'), uri=True)
        found['dedup of functions: threshold %g' % threshold] = names(
            db, "SELECT a.source_id FROM snippets AS a JOIN snippet_pairs AS p ON p.snippet = a.id JOIN snippets AS b "
            "ON b.id = p.other WHERE p.pass = 'dedup' AND a.dataset = 'bench' AND b.dataset = 'corpus'")


def measured(args, folder):
    """Of each rule the ids of the items that it names."""
    found = collections.OrderedDict()
    for rules in (by_join, by_dedup, by_clone_types, by_lines, by_ngrams, by_portrait):
        rules(args, folder, found)
    return found


def corpus_of(args, folder, hosts, functions):
    os.makedirs(os.path.join(args.work, folder), exist_ok=True)
    written(os.path.join(args.work, folder, 'corpus.jsonl'),
            [{'path': path, 'language': args.language,
              'text': planted(text, functions[i], args.language) if i < len(functions) else text}
             for i, (path, text) in enumerate(hosts)])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--program', default='build/leakgraph')
    parser.add_argument('--work', required=True)
    parser.add_argument('--language', required=True, choices=sorted(EXTENSION))
    parser.add_argument('--donors', nargs='+', required=True)
    parser.add_argument('--hosts', nargs='+', required=True)
    parser.add_argument('--items', type=int, default=200, help='planted, and as many that are not')
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--changes', nargs='+', default=list(mutate.LADDER), choices=list(mutate.LADDER))
    parser.add_argument('--json')
    args = parser.parse_args()

    args.work = os.path.join(args.work, args.language)
    shutil.rmtree(args.work, ignore_errors=True)
    os.makedirs(args.work)
    chance = random.Random(args.seed)
    functions, hosts = extracted(args, args.donors), host_files(args)
    count = min(args.items, len(functions) // 3, len(hosts))
    if count < 20:
        sys.exit('evaluate: %d functions and %d files of %s are too few' % (len(functions), len(hosts), args.language))
    chance.shuffle(functions)
    chance.shuffle(hosts)
    items, hosts = functions[:2 * count], hosts[:2 * count]
    pool = [s for function in functions[2 * count:] for s in mutate.statements_of(function, args.language)]
    written(os.path.join(args.work, 'items.jsonl'),
            [{'id': str(i), 'text': text, 'language': args.language} for i, text in enumerate(items)])
    wanted = {str(i) for i in range(count)}

    corpus_of(args, 'nothing', hosts, [])
    false = measured(args, 'nothing')
    rate = collections.OrderedDict((rule, {'false': len(ids) / len(items)}) for rule, ids in false.items())
    for change in args.changes:
        make = mutate.LADDER[change]
        made = [make(text, args.language, random.Random(args.seed * 10 ** 6 + i), pool)
                for i, text in enumerate(items[:count])]
        folder = re.sub(r'\W+', '-', change)
        corpus_of(args, folder, hosts, made)
        for rule, ids in measured(args, folder).items():
            rate[rule][change] = len(ids & wanted) / count
        print('evaluate: %s: %s' % (args.language, change), file=sys.stderr)
    result = {'language': args.language, 'items': count, 'unrelated': len(items), 'files': len(hosts), 'rates': rate,
              'changes': {name: (mutate.LADDER[name].__doc__ or '').strip() for name in args.changes}}
    with open(args.json, 'w') if args.json else sys.stdout as out:
        json.dump(result, out, indent=1)
        out.write('\n')


if __name__ == '__main__':
    main()
