"""The table of pipeline/code/guess.c: how many pieces of source of each language have a word or a sign.

    guess_table.py LANGUAGE=LIST... >pipeline/code/guess_table.c

LIST names files, one a line, whose language is LANGUAGE; of language text: prose, data, markup.  A piece is 4 to 40
lines from anywhere in a file; files of one folder count at most twice, so that a package does not speak for its
language.  Of each word or run of signs the table has a letter for each language, -4 log2 of the share of pieces that
have it counted from '0' on; it has those that tell most of the language (mutual information).
"""
import collections
import math
import os
import random
import re
import sys

WORDS = 420
PIECES = 700
TOKEN = re.compile(rb"[A-Za-z_][A-Za-z_0-9]*|[^\sA-Za-z_0-9\"'\x80-\xff]+")


def tokens(piece):
    """What guess.c counts: words, and runs of signs of at most 3."""
    found = set()
    for token in TOKEN.findall(piece):
        if len(token) <= (12 if token[:1].isalpha() or token[:1] == b"_" else 3):
            found.add(token)
    return found


def pieces(names):
    random.seed(1)
    names = sorted(set(names))
    random.shuffle(names)
    folders = collections.Counter()
    for name in names:
        folder = os.path.dirname(name)
        folders[folder] += 1
        if folders[folder] > 2:
            continue
        try:
            with open(name, "rb") as file:
                lines = file.read(1 << 20).split(b"\n")
        except OSError:
            continue
        for _ in range(4):
            size = random.randint(4, 40)
            first = random.randint(0, max(0, len(lines) - size))
            piece = b"\n".join(lines[first:first + size])
            if len(piece.split()) > 8:
                yield piece


def main():
    languages, seen, counts = [], collections.defaultdict(dict), []
    for word in sorted(sys.argv[1:]):
        language, path = word.split("=", 1)
        with open(path) as file:
            names = file.read().split("\n")
        own, number = collections.Counter(), 0
        for piece in pieces([name for name in names if name]):
            own.update(tokens(piece))
            number += 1
            if number == PIECES:
                break
        print("%s: %d pieces" % (language, number), file=sys.stderr)
        for token, count in own.items():
            seen[token][len(languages)] = (count + 0.2) / (number + 1)
        languages.append(language)
        counts.append(number)

    def told(token):
        shares = [seen[token].get(i, 0.2 / (counts[i] + 1)) for i in range(len(languages))]
        mean = sum(shares) / len(shares)
        return sum(p * math.log(p / mean) + (1 - p) * math.log((1 - p) / (1 - mean)) for p in shares)

    best = sorted((t for t in seen if max(seen[t].values()) > 0.02), key=told, reverse=True)[:WORDS]
    print("/* code/guess_table.c -- how often source of a language has a word: made by scripts/guess_table.py. */")
    print('#include "code/guess_table.h"\n')
    print("const char *const guess_languages[GUESS_LANGUAGES + 1] = {")
    line = "   "
    for language in languages:
        if len(line) + len(language) > 110:
            print(line)
            line = "   "
        line += ' "%s",' % language
    print(line + " NULL\n};\n")
    print("const struct guess_word guess_words[] = {")
    for token in sorted(best):
        shares = [seen[token].get(i, 0.2 / (counts[i] + 1)) for i in range(len(languages))]
        letters = "".join(chr(ord("0") + min(31, round(-4 * math.log2(p)))) for p in shares)
        text = token.decode().replace("\\", "\\\\").replace('"', '\\"').replace("??", "?\\?")
        print('    { "%s", "%s" },' % (text, letters))
    print("};\nconst size_t guess_word_count = sizeof guess_words / sizeof *guess_words;")


main()
