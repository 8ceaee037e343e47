# The documents speak of what is there: links lead to files and headings, commands have the options that are shown, make
# has the targets, paths of the sources exist, what comments cite is a heading, and files that they name are there.
. "$(dirname "$0")/common.sh"
need "$PYTHON"

"$PYTHON" - "$leakgraph" <<'PYTHON'
import glob, os, re, subprocess, sys
leakgraph = sys.argv[1]
wrong, seen = [], {}

def check(kind, holds, where, what):
    seen[kind] = seen.get(kind, 0) + 1
    if not holds: wrong.append("%s: %s" % (where, what))

def anchor(heading):    # as GitHub makes it
    heading = re.sub(r"[`*]|\[([^\]]*)\]\([^)]*\)", r"\1", heading).strip().lower()
    return re.sub(r"[^\w\- ]", "", heading).replace(" ", "-")

documents = {}
for folder in (".", "docs", "data", "results", "results/*", "tests", "scripts"):
    for path in glob.glob(folder + "/*.md"):
        documents[os.path.normpath(path)] = open(path).read()
# of runs
for path in [path for path in documents if re.match(r"results/(?!bench|leak)[^/]+/", path)]: del documents[path]
headings = {path: re.findall(r"^#+ (.+)$", re.sub(r"^```.*?^```", "", text, flags=re.S | re.M), re.M)
            for path, text in documents.items()}

# ---- links ----
for path, text in documents.items():
    for link in re.findall(r"\]\(([^)\s]+)\)", re.sub(r"^```.*?^```|`[^`\n]*`", "", text, flags=re.S | re.M)):
        if re.match(r"[a-z]+:", link): continue
        to, _, part = link.partition("#")
        target = os.path.normpath(os.path.join(os.path.dirname(path), to)) if to else path
        check("links", os.path.exists(target), path, "%s leads nowhere" % link)
        if part: check("anchors", part in map(anchor, headings.get(target, [])), path, "%s: no such heading" % link)

# ---- commands and make targets ----
def help_of(*words): return subprocess.run([leakgraph, *words], stdout=subprocess.PIPE, check=True).stdout.decode()
commands = dict.fromkeys(re.findall(r"^  ([a-z-]+)  +\S", help_of("help").split("\n`leakgraph COMMAND")[0], re.M))
for command in commands: commands[command] = help_of(command, "--help")
for word in re.findall(r"^  ([a-z-]+)  +\S", commands["audit"], re.M):   # words have flags of their own
    commands["audit " + word] = help_of("audit", word, "--help")
rules = open("Makefile").read()
targets = set(re.findall(r"^([\w-]+):", rules, re.M)) | set(
    " ".join(re.findall(r"^\.PHONY: (.*)$", rules, re.M)).split())
for path, text in documents.items():
    blocks = re.findall(r"^```(?:sh|bash)\n(.*?)^```", text, re.S | re.M)
    spans = re.findall(r"`([^`\n]+)`", re.sub(r"^```.*?^```", "", text, flags=re.S | re.M))
    for line in "\n".join(blocks).replace("\\\n", " ").split("\n") + spans:
        called = re.search(r"(?:^|[\s/])leakgraph ([a-z-]+)(?: (.*))?$", line.split(" # ")[0])
        if called and called.group(1) != "and":
            check("commands", called.group(1) in commands, path, "no command in `%s'" % line)
            name = called.group(1)
            word = (called.group(2) or "").split(" ")[0]
            if name + " " + word in commands: name += " " + word
            for flag in re.findall(r"(?:^| )(--[a-z-]+)", re.split(r"[|;<>]", called.group(2) or "")[0]):
                check("flags", re.search(re.escape(flag) + r"(?![a-z-])", commands.get(name) or "")
                      or flag == "--help", path,
                      "leakgraph %s has no %s" % (name, flag))
        for target in re.findall(r"(?:^|&& )make ([a-z][\w-]*)", line):
            check("targets", target in targets, path, "make has no %s" % target)

# ---- paths ----
# A word in capitals is a place for a name, a star one for many.
for path, text in documents.items():
    if path == "CHANGELOG.md": continue
    for name in re.findall(r"`((?:pipeline|kernels|tests|scripts|docs)/[\w./*{},-]*)`", text):
        if re.search(r"[A-Z]{3,}", name) and not name.endswith(("LAYERS", "EXCEPTIONS")): continue
        check("paths", glob.glob(name), path, "%s is not there" % name)

# ---- what comments cite ----
for path in glob.glob("pipeline/*/*.[ch]") + glob.glob(
    "kernels/*.[ch]") + glob.glob("tests/**/*.[ch]", recursive=True) + glob.glob("tests/golden/*/*.txt"):
    text = re.sub(r"\n \* ", " ", open(path, errors="replace").read())
    for cited, heading in re.findall(r"((?:docs/)?[\w-]+\.md), \"([^\"]+)\"", text):
        check("citations", heading in headings.get(cited, []), path, "%s has no \"%s\"" % (cited, heading))

# A comment names a file of its own folder as it is, of another one with the folder.
for path in glob.glob("pipeline/*/*.[ch]"):
    for comment in re.findall(r"/\*.*?\*/", open(path).read(), re.S):
        for name in re.findall(r"(?<![\w/<\"])((?:[a-z_0-9]+/)*[a-z_0-9]+\.[ch])\b", comment):
            if name == "mpi.h": continue                    # not ours
            places = "pipeline/", os.path.dirname(path) + "/", ""
            check("files", any(os.path.exists(place + name) for place in places), path,
                  "a comment names %s, which is not there" % name)

for kind in "links anchors commands flags targets paths citations files".split():
    check("kinds", seen.get(kind), "docs", "no %s were found" % kind)
print(" ".join("%s=%d" % one for one in sorted(seen.items())))
if wrong: sys.exit("FAILED:\n" + "\n".join(wrong))
PYTHON
