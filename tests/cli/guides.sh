# seconds: 240
# rest: every command of the guides, in their order
# The guides are true: in the order in which they stand, every block of shell runs, every YAML block with a file's name
# is that file, and every query gives rows.  A block of shell succeeds, or says `# exit status: N` in its last line; a
# block of YAML begins with `# NAME.yaml`, one of SQL with `-- FOLDER`, the run folder that it asks.  What is not run
# (Slurm, cron) stands in blocks of bash, not of sh.
. "$(dirname "$0")/common.sh"
need zstd mpirun "$PYTHON"
export ASAN_OPTIONS="${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0"        # Open MPI keeps memory until exit

mkdir -p "$work/data"
"$PYTHON" scripts/make_sample.py --seed 1 "$work/data/sample" >"$work/log"
for guide in docs/guide-*.md; do
    folder=$work/$(basename "$guide" .md)
    mkdir "$folder"
    ln -s "$work/data" "$folder/data"
    ln -s "$BUILD" "$folder/build"
    ln -s "$root/scripts" "$folder/scripts"
    cp pipeline.yaml "$folder"
    "$PYTHON" - "$guide" "$folder" <<'PYTHON' || fail "$guide"
import re, sqlite3, subprocess, sys
guide, folder = sys.argv[1:]
text = open(guide).read()
ran = asked = 0
for kind, block in re.findall(r"^```(\w+)\n(.*?)^```", text, re.S | re.M):
    if kind == "yaml":
        name = re.match(r"# ([\w.-]+\.yaml)\n", block)
        assert name, "a YAML block without a file's name:\n" + block
        open(folder + "/" + name.group(1), "w").write(block)
    elif kind == "sh":
        said = re.search(r"^# exit status: (\d)\n\Z", block, re.M)
        done = subprocess.run(["bash", "-euo", "pipefail", "-c", block], cwd=folder, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        wanted = int(said.group(1)) if said else 0
        assert done.returncode == wanted, "exit status %d instead of %d:\n%s%s" % (done.returncode, wanted, block,
            done.stdout.decode()[-2000:])
        ran += 1
    elif kind == "sql":
        run = re.match(r"-- (\S+)\n", block)
        assert run, "a query without a run folder:\n" + block
        rows = sqlite3.connect("file:%s/%s/graph.db?mode=ro" % (folder, run.group(1)),
                               uri=True).execute(block).fetchall()
        assert rows, "a query gives no row:\n" + block
        asked += 1
assert ran and asked, "nothing to run, or nothing to ask"
print("%s: %d blocks of shell, %d queries" % (guide, ran, asked))
PYTHON
done
