"""The table of pipeline/licence/: what data/licences.json says of licences, as C.

    licence_table.py >pipeline/licence/table.c

Rules that cannot be meant are errors: words that no text can have as words.c reads it, names of nothing.
"""
import json
import os
import re
import sys

PHRASE = re.compile(r"(?:[a-z]+|[0-9]+(?:\.[0-9]+)*|\+)(?: (?:[a-z]+|[0-9]+(?:\.[0-9]+)*|\+))*")
CLASSES = {"permissive": "LICENCE_PERMISSIVE", "weak copyleft": "LICENCE_WEAK", "strong copyleft": "LICENCE_STRONG",
           "restricted": "LICENCE_RESTRICTED"}
NONE = "LICENCE_NOTHING"
MUST, NO = 4, 10                                            # as in table.h


def fail(text):
    sys.exit("licence_table: " + text)


def has_sign(phrases, signs):
    """Has one of the phrases a word that begins with a sign?  All texts that are meant have all of the phrases."""
    return any(re.search("(?:^|[^a-z])" + sign.replace(" ", "[^a-z]"), phrase + " ")
               for phrase in phrases for sign in signs)


def main():
    data = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "data", "licences.json")
    with open(data) as file:
        data = json.load(file)
    rows = sorted(((name, kind) for kind in data["classes"] for name in data["classes"][kind]),
                  key=lambda row: row[0].lower())
    place = {name: i for i, (name, _) in enumerate(rows)}
    if len(place) != len(rows):
        fail("an identifier stands twice")
    families = {name: i for i, name in enumerate(data["names"])}
    phrases, tests = [], {}

    def row(name):
        return place[name] if name in place else fail("%s has no class" % name)

    def phrase(words, kind, number):
        if not PHRASE.fullmatch(words) or "licence" in words:
            fail("`%s` is not as words are read" % words)
        phrases.append((words, kind, number))

    def test(words):
        if words not in tests:
            tests[words] = len(tests)
            phrase(words, "PHRASE_TEXT", tests[words])
        return tests[words]

    def numbers(rule, key, most):
        if len(rule.get(key, ())) > most:
            fail("%s: too many of `%s`" % (rule["is"], key))
        return ", ".join(str(test(words) + 1) for words in rule.get(key, ())) or "0"

    print("/* licence/table.c -- data/licences.json as C: made by scripts/licence_table.py. */")
    print('#include "licence/table.h"\n')
    print("const struct licence_row licence_rows[] = {")
    for name, kind in rows:
        print('    { "%s", %s },' % (name, CLASSES[kind]))
    print("};\nconst size_t licence_row_count = sizeof licence_rows / sizeof *licence_rows;\n")
    print("const struct licence_other licence_others[] = {")
    for name in sorted(data["other"], key=str.lower):
        print('    { "%s", %d },' % (name, row(data["other"][name])))
    print("};\nconst size_t licence_other_count = sizeof licence_others / sizeof *licence_others;\n")
    versions, lines = [], []
    for name, family in data["names"].items():
        first = len(versions)
        for number, licence in family.get("versions", {}).items():
            later = family.get("later", False)
            versions.append('{ "%s", %d, %d }' % (number, row(licence + "-only" if later else licence),
                                                  row(licence + "-or-later" if later else licence)))
        for kind in ("names", "bare"):
            for words in family.get(kind, ()):
                phrase(words, "PHRASE_NAME" if kind == "names" else "PHRASE_BARE", families[name])
        lines.append('    { "%s", %s, %s, %d, %d },'
                     % (name, row(family["any"]) if "any" in family else NONE, families[family.get("of", name)], first,
                        len(versions) - first))
    print("const struct licence_version licence_versions[] = {")
    for i in range(0, len(versions), 4):
        print("    " + ", ".join(versions[i:i + 4]) + ",")
    print("};\n\nconst struct licence_family licence_families[] = {")
    print("\n".join(lines))
    print("};\nconst size_t licence_family_count = sizeof licence_families / sizeof *licence_families;\n")
    print("const struct licence_text licence_texts[] = {")
    for rule in data["texts"]:
        names = [row(name) for name in rule["is"].split(" OR ")]
        family = families.get(rule.get("of", rule["is"]), NONE)
        print("    { { %d, %s }, %s, { %s }, { %s } }," % (names[0], names[1] if len(names) > 1 else NONE, family,
                                                          numbers(rule, "must", MUST), numbers(rule, "no", NO)))
    print("};\nconst size_t licence_text_count = sizeof licence_texts / sizeof *licence_texts;\n")
    print("const uint16_t licence_bodies[] = { %s };" % ", ".join(str(test(words)) for words in data["bodies"]))
    print("const size_t licence_body_count = sizeof licence_bodies / sizeof *licence_bodies;\n")
    print("const struct licence_exception licence_exceptions[] = {")
    for rule in data["exceptions"]:
        print('    { "%s", %s, %s },' % (rule["is"], CLASSES[rule["class"]] if "class" in rule else "LICENCE_NONE",
                                        numbers(rule, "must", 1)))
    print("};\nconst size_t licence_exception_count = sizeof licence_exceptions / sizeof *licence_exceptions;\n")
    # By first word, and so that what stands in a text can be met in one walk.
    print("const struct licence_phrase licence_phrases[] = {")
    phrases.sort(key=lambda p: (p[0].split(" "), p[1]))
    for words, kind, number in phrases:
        first = len(words.split(" ")[0])
        line = '    { "%s", %s, %d, %d },' % (words, kind, number, first)
        print(line if len(line) <= 120 else '    { "%s",\n      %s, %d, %d },' % (words, kind, number, first))
    print("};\nconst size_t licence_phrase_count = sizeof licence_phrases / sizeof *licence_phrases;\n")
    firsts = [sum(ord(words[0]) < letter for words, _, _ in phrases) for letter in range(ord("a"), ord("z") + 2)]
    print("const uint16_t licence_phrase_first[LICENCE_LETTERS + 1] = {")
    for i in range(0, len(firsts), 14):
        print("    " + ", ".join(map(str, firsts[i:i + 14])) + ",")
    print("};\n")
    seconds = [0] * 26
    for words, _, _ in phrases:
        if words[0].isalpha():
            second = words[1:2]
            seconds[ord(words[0]) - ord("a")] |= 1 << (ord(second) - ord("a") if second.isalpha() else 26)
    print("const uint32_t licence_phrase_second[LICENCE_LETTERS] = {")
    for i in range(0, len(seconds), 8):
        print("    " + ", ".join("0x%07x" % mask for mask in seconds[i:i + 8]) + ",")
    print("};\n")
    signs = sorted(data["signs"])
    for name, family in data["names"].items():
        for words in family.get("names", []) + family.get("bare", []):
            if not has_sign([words], signs):
                fail("`%s` has no sign" % words)
    for rule in data["texts"]:
        if not has_sign(rule["must"], signs):
            fail("the text of %s has no sign" % rule["is"])
    print("const char *const licence_signs[] = {")
    for i in range(0, len(signs), 7):
        print("    " + ", ".join('"%s"' % sign for sign in signs[i:i + 7]) + ",")
    print("};\nconst size_t licence_sign_count = sizeof licence_signs / sizeof *licence_signs;")
    if len(tests) > 128:
        fail("more than 128 texts are asked for")


main()
