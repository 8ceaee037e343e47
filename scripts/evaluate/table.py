"""Tables of what scripts/evaluate/run.py measured, as Markdown on standard output: table.py FILE.json..."""
import json
import sys

HEAD = """# What each rule finds

Functions of real sources were planted into files of other real sources, changed step by step, and every rule of the
program was asked which it finds: percent of the planted functions that a rule names, and in the first column percent of
all functions, planted or not, that it names in the same files with nothing planted (false finds, but for what both
sources have in common: boilerplate that people copy counts as false here). `make evaluate` makes this file.
"""


def percent(rate):
    return '%.0f' % (100 * rate) if rate in (0, 1) or 0.01 <= rate <= 0.99 else '%.1f' % (100 * rate)


def main():
    results = [json.load(open(path)) for path in sys.argv[1:]]
    print(HEAD)
    for result in results:
        changes = list(result['changes'])
        print('## %s\n' % result['language'].capitalize())
        print('%d functions planted, one a file; %d functions asked for; %d files.\n' %
              (result['items'], result['unrelated'], result['files']))
        print('| rule | nothing planted | ' + ' | '.join(changes) + ' |')
        print('|---' * (len(changes) + 2) + '|')
        for rule, rates in result['rates'].items():
            print('| %s | %s | ' % (rule, percent(rates['false'])) +
                  ' | '.join(percent(rates[change]) for change in changes) + ' |')
        print()
    print('## The changes\n')
    for name, what in results[0]['changes'].items():
        print('- **%s**%s' % (name, ': ' + ' '.join(what.split()) if what else ''))


if __name__ == '__main__':
    main()
