"""What the heads of files say of their licences against Debian's labels, the machine-readable debian/copyright.

    licences.py [--detail] LEAKGRAPH FOLDER...

FOLDER holds packages as tests/oracle/debian_sources.sh --labels leaves them: FOLDER/PACKAGE/debian/copyright has the
labels (DEP-5: of the stanzas whose globs have a file the last one counts).  Of source files whose label has a name of
SPDX: how many have the same identifier and the same class, by label; what labels are taken for; what was left out.
--detail: each file that differs, on standard error.  Exit status 1 where less than 90 % have the same class.
"""
import collections
import fnmatch
import json
import os
import re
import subprocess
import sys

DATA = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "data", "licences.json")
CLASS_LEAST = 0.9
HEAD_BYTES = 4096                                           # where a header begins, at most
LEAST = 10                                                  # files of a row that is shown
ORDER = ["none", "permissive", "weak copyleft", "strong copyleft", "restricted", "unknown"]
NAMES = {"expat": "MIT", "mit": "MIT", "x11": "X11", "apache-2": "Apache-2.0", "apache2": "Apache-2.0",
         "asl-2.0": "Apache-2.0", "public-domain": "LicenseRef-public-domain", "artistic": "Artistic-1.0",
         "artistic-1": "Artistic-1.0", "artistic-2": "Artistic-2.0", "psf": "PSF-2.0", "psf-2": "PSF-2.0",
         "python": "PSF-2.0", "zlib/libpng": "Zlib", "bsl-1": "BSL-1.0", "boost-1.0": "BSL-1.0", "bsl": "BSL-1.0",
         "bsd-2-clauses": "BSD-2-Clause", "bsd-3-clauses": "BSD-3-Clause", "bsd-4-clauses": "BSD-4-Clause",
         "bsd-2": "BSD-2-Clause", "bsd-3": "BSD-3-Clause", "bsd-4": "BSD-4-Clause", "bsd2": "BSD-2-Clause",
         "bsd3": "BSD-3-Clause", "new-bsd": "BSD-3-Clause", "cc0": "CC0-1.0", "cddl": "CDDL-1.0", "cpl": "CPL-1.0",
         "mpl-2": "MPL-2.0", "epl-1": "EPL-1.0", "epl-2": "EPL-2.0", "fsfap": "FSFAP", "gnu-all-permissive": "FSFAP",
         "permissive": None, "w3c": "W3C", "ofl-1.1": "OFL-1.1", "sil-1.1": "OFL-1.1", "gpl": "GPL-1.0-or-later",
         "lgpl": "LGPL-2.0-or-later", "ruby": "Ruby", "perl": "Artistic-1.0 OR GPL-1.0-or-later"}
GNU = re.compile(r"(a?gpl|lgpl|gfdl|gfdl-niv)-?v?(\d(?:\.\d)?)(\+|-or-later|-only)?$")
HEAD = re.compile(rb"licen[cs]e|redistribut|permission (?:is|to)\b|public domain", re.I)
POINTS = re.compile(rb"(?:licen[cs]e|see|in|per|with)\b[^.]{0,120}\b(?:COPYING|LICEN[CS]E|COPYRIGHT|README|NOTICE)",
                    re.S)


class Labels:
    """What a debian/copyright says of each file."""

    def __init__(self, path):
        self.stanzas = []
        stanza = {}
        with open(path, encoding="utf-8", errors="replace") as file:
            lines = file.read().split("\n")
        self.readable = any(line.lower().startswith("format:") and "copyright" in line for line in lines[:8])
        key = None
        for line in lines + [""]:
            if not line.strip():
                if "files" in stanza and "license" in stanza:
                    globs = [self.pattern(glob) for glob in re.split(r"[\s,]+", stanza["files"].strip()) if glob]
                    self.stanzas.append((globs, stanza["license"].strip().split("\n")[0].strip()))
                stanza, key = {}, None
            elif line[0] in " \t":
                if key:
                    stanza[key] += "\n" + line
            elif ":" in line:
                key, value = line.split(":", 1)
                key = key.lower()
                stanza[key] = value

    @staticmethod
    def pattern(glob):
        return re.compile(fnmatch.translate(glob[2:] if glob.startswith("./") else glob))

    def of(self, path):
        found = None
        for globs, label in self.stanzas:
            if any(glob.match(path) for glob in globs):
                found = label
        return found


def one(name, known):
    """The identifier of a name as Debian writes it; None where it has none."""
    name = name.strip().strip("()").lower()
    name = re.sub(r"\s+with\s+.*", "", name)
    gnu = GNU.match(name)
    if gnu:
        family = gnu.group(1).upper().replace("-NIV", "")
        number = gnu.group(2) if "." in gnu.group(2) else gnu.group(2) + ".0"
        return "%s-%s-%s" % (family, number, "only" if gnu.group(3) in (None, "-only") else "or-later")
    return NAMES[name] if name in NAMES else known.get(name)


def parsed(label, known):
    """A label as sets of identifiers that hold together, each a choice; None where a name is nobody's."""
    groups = []
    for part in re.split(r",?\s+and(?:/or)?\s+|,\s+(?!or\b)", label, flags=re.I):
        ids = [one(name, known) for name in re.split(r",?\s+or\s+|\s*\|\s*", part, flags=re.I)]
        if None in ids:
            return None
        groups.append(frozenset(i for name in ids for i in name.split(" OR ")))
    return frozenset(groups)


def ours(expression):
    groups = []
    for part in expression.split(" AND "):
        groups.append(frozenset(re.sub(r" WITH \S+", "", name).strip("() ") for name in part.split(" OR ")))
    return frozenset(groups)


def same(a, b):
    """Equal, where Perl's Artistic licence and the first are one, as Debian's name for both is."""
    def plain(groups):
        return frozenset(frozenset("Artistic-1.0" if i.startswith("Artistic-1.0") else i for i in g) for g in groups)
    return plain(a) == plain(b)


def strictness(groups, classes):
    return max(min(ORDER.index(classes.get(i, "unknown")) for i in group) for group in groups)


def say(groups):
    one_of = [" OR ".join(sorted(group)) for group in groups]
    return " AND ".join(sorted("(%s)" % text if " OR " in text and len(groups) > 1 else text for text in one_of))


class Count:
    """What was found of all files."""

    def __init__(self):
        with open(DATA) as file:
            data = json.load(file)
        self.classes = {name: kind for kind in data["classes"] for name in data["classes"][kind]}
        self.known = {name.lower(): name for name in self.classes}
        self.known.update((name.lower(), other) for name, other in data["other"].items())
        self.rows = collections.defaultdict(collections.Counter)
        self.confusion, self.left = collections.Counter(), collections.Counter()
        self.packages = []

    def take(self, record, folder, labels, detail):
        path, found = os.path.join(folder, record["path"]), record.get("license", "")
        said = labels.of(record["path"])
        label = parsed(said, self.known) if said else None
        if label is None:
            self.left["with a label that SPDX has no name for" if said else "without a label"] += 1
            return
        head = record["text"][:8192].encode()
        if not found and not HEAD.search(head[:HEAD_BYTES]):
            self.left["no header in the file"] += 1
            return
        if not found and POINTS.search(head):
            self.left["the header points to another file"] += 1
            return
        mine = ours(found) if found else None
        row = self.rows[say(label)]
        right = mine is not None and same(mine, label)
        row["files"] += 1
        row["id"] += right
        row["class"] += mine is not None and strictness(mine, self.classes) == strictness(label, self.classes)
        if not right:
            self.confusion[say(label), say(mine) if mine else "nothing"] += 1
        if detail and not right:
            print("%s\t%s\t%s" % (path, said, found or "nothing"), file=sys.stderr)

    def package(self, leakgraph, folder, detail):
        labels = Labels(os.path.join(folder, "debian", "copyright"))
        if not labels.readable:
            return
        self.packages.append(os.path.basename(folder))
        with subprocess.Popen([leakgraph, "extract", "--quiet", "--unit", "file", folder], stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL) as run:
            for line in run.stdout:
                record = json.loads(line)
                if record["language"] not in ("text", "") and not record["path"].startswith("debian/"):
                    self.take(record, folder, labels, detail)

    def tell(self):
        print("%d packages: %s\n" % (len(self.packages), ", ".join(sorted(self.packages))))
        print("| label | files | identifier | % | class | % |\n| --- | ---: | ---: | ---: | ---: | ---: |")
        total = collections.Counter()
        for row in self.rows.values():
            total.update(row)
        shown = sorted(self.rows.items(), key=lambda r: (-r[1]["files"], r[0]))
        for name, row in [r for r in shown if r[1]["files"] >= LEAST] + [("all", total)]:
            print("| %s | %d | %d | %.1f | %d | %.1f |" % (name, row["files"], row["id"],
                                                          100 * row["id"] / row["files"], row["class"],
                                                          100 * row["class"] / row["files"]))
        print("\n| label | taken for | files |\n| --- | --- | ---: |")
        for (label, mine), count in sorted(self.confusion.items(), key=lambda c: (-c[1], c[0])):
            if count >= LEAST:
                print("| %s | %s | %d |" % (label, mine, count))
        print()
        for why, count in sorted(self.left.items()):
            print("%d files: %s" % (count, why))
        return total["class"] / total["files"]


def main():
    args = sys.argv[1:]
    detail = args[:1] == ["--detail"]
    leakgraph, *folders = args[detail:]
    count = Count()
    for folder in folders:
        for package in sorted(os.listdir(folder)):
            if os.path.exists(os.path.join(folder, package, "debian", "copyright")):
                count.package(leakgraph, os.path.join(folder, package), detail)
    if not count.rows:
        sys.exit("licences: no file with a label")
    if count.tell() < CLASS_LEAST:
        sys.exit("licences: too few files have the class of their label")


main()
