"""Damages copies of a run folder and asks whether `leakgraph fsck` finds each damage and names it.

    damage.py LEAKGRAPH RUN ROUNDS SEED

A damage is a bit, bytes or an end of a file, a file that is deleted, added, renamed or swapped with another, or a row
of a table of graph.db that is inserted, deleted or changed.  One that leaves everything as it was (an UPDATE to the
same value, two equal files swapped) is drawn again.
"""
import os
import pathlib
import random
import shutil
import sqlite3
import subprocess
import sys

FOLDERS = ("clean", "cleaned", "lists", "generations")


def files_of(run):
    """What holds content: all but the log, the lock and what ranks say of how far they are, which nobody reads of a
    run that has ended but `status`."""
    return sorted(str(path.relative_to(run)) for path in pathlib.Path(run).rglob("*")
                  if path.is_file() and path.name not in ("run.log", "lock") and not path.name.startswith("status-"))


def outputs_of(run):
    return [name for name in files_of(run) if name.split("/")[0] in FOLDERS]


def flip(run, generator):
    name = generator.choice(files_of(run))
    data = bytearray((run / name).read_bytes())
    if not data:
        return None
    at = generator.randrange(len(data) * 8)
    data[at // 8] ^= 1 << at % 8
    (run / name).write_bytes(data)
    return "bit %d" % at, [name]


def overwrite(run, generator):
    name = generator.choice(files_of(run))
    before = (run / name).read_bytes()
    at, length = generator.randrange(len(before) + 1), generator.choice((1, 16, 4096))
    after = before[:at] + generator.choice((bytes(length), generator.randbytes(length))) + before[at + length:]
    (run / name).write_bytes(after)
    return None if after == before else ("bytes at %d" % at, [name])


def truncate(run, generator):
    name = generator.choice(files_of(run))
    size = (run / name).stat().st_size
    if not size:
        return None
    os.truncate(run / name, generator.choice((0, size - 1, generator.randrange(size))))
    return "truncated", [name]


def delete(run, generator):
    name = generator.choice([name for name in files_of(run) if not name.startswith("work/")])
    (run / name).unlink()
    return "deleted", [name]


def add(run, generator):
    like = generator.choice(outputs_of(run))
    name = str(pathlib.PurePath(like).parent / ("added%d" % generator.randrange(99) + pathlib.PurePath(like).suffix))
    if generator.random() < 0.2:
        name = generator.choice(FOLDERS) + "/" + "added.jsonl.zst"
    if generator.random() < 0.2:
        os.symlink(os.path.basename(like), run / name)
    else:
        (run / name).write_bytes(generator.choice((b"", (run / like).read_bytes())))
    return "added", [name]


def rename(run, generator):
    name = generator.choice([name for name in files_of(run) if name != "manifest.tsv"])
    after = name + generator.choice((".old", "x", ".zst"))
    if name.startswith("work/"):                            # another name that is a unit's
        after = name[:-6] + ("0" if name[-6] != "0" else "1") + ".unit"
    os.rename(run / name, run / after)
    return "renamed", [after if name.startswith("work/") else name]


def swap(run, generator):
    a, b = generator.sample(files_of(run) if generator.random() < 0.3 else outputs_of(run), 2)
    if (run / a).read_bytes() == (run / b).read_bytes():
        return None
    os.rename(run / a, run / "swap")
    os.rename(run / b, run / a)
    os.rename(run / "swap", run / b)
    return "swapped", [a, b]


def other(value, generator):
    """Another value of a column."""
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return generator.choice((value + 1, -value - 1, None, str(value) + "x", value + 0.5))
    if isinstance(value, bytes):
        return value + b"x"
    if value is None:
        return generator.choice((0, "x"))
    return generator.choice((value + "x", value[:-1], None, value.upper()))


def sql(run, generator):
    database = sqlite3.connect(run / "graph.db")
    try:
        tables = [row[0] for row in database.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")]
        table = generator.choice(sorted(tables))
        columns = [row[1] for row in database.execute("PRAGMA table_info(%s)" % table)]
        rows = database.execute("SELECT rowid, * FROM %s ORDER BY rowid" % table).fetchall()
        how = generator.choice(("insert", "delete", "update", "update"))
        if how == "insert":
            values = list(generator.choice(rows)[1:] if rows else [1] * len(columns))
            for i, value in enumerate(values):
                values[i] = other(value, generator) if generator.random() < 0.5 or not rows else value
            database.execute("INSERT INTO %s VALUES (%s)" % (table, ", ".join("?" * len(columns))), values)
        elif not rows:
            return None
        elif how == "delete":
            database.execute("DELETE FROM %s WHERE rowid = ?" % table, (generator.choice(rows)[0],))
        else:
            row, column = generator.choice(rows), generator.randrange(len(columns))
            database.execute("UPDATE %s SET \"%s\" = ? WHERE rowid = ?" % (table, columns[column]),
                             (other(row[column + 1], generator), row[0]))
            if database.execute("SELECT rowid, * FROM %s ORDER BY rowid" % table).fetchall() == rows:
                return None
        database.commit()
    except sqlite3.IntegrityError:                          # the schema itself forbids it
        return None
    finally:
        database.close()
    return "%s in %s" % (how, table), ["graph.db", "table " + table]


def schema(run, generator):
    database = sqlite3.connect(run / "graph.db")
    views = [row[0] for row in database.execute("SELECT name FROM sqlite_schema WHERE type = 'view' ORDER BY name")]
    view = generator.choice(views)
    database.executescript(generator.choice(("DROP VIEW \"%s\"" % view, "CREATE TABLE added (a)")))
    database.close()
    return "schema", ["graph.db", "table sqlite_schema"]


KINDS = [flip] * 4 + [truncate, delete, add, rename, swap] * 2 + [overwrite] + [sql] * 9 + [schema]


def found(program, run):
    done = subprocess.run([program, "fsck", str(run)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          errors="replace", check=False)
    return done.returncode, done.stdout


def main():
    program, original, rounds, seed = sys.argv[1], pathlib.Path(sys.argv[2]), int(sys.argv[3]), sys.argv[4]
    run, missed, unnamed, made = pathlib.Path("damaged"), 0, 0, {}
    for number in range(rounds):
        generator, damage = random.Random("%s %d" % (seed, number)), None
        while not damage:
            shutil.rmtree(run, ignore_errors=True)
            shutil.copytree(original, run)
            kind = generator.choice(KINDS)
            damage = kind(run, generator)
        made[kind.__name__] = made.get(kind.__name__, 0) + 1
        status, text = found(program, run)
        if status != 1:
            missed += 1
            print("MISSED, status %d: round %d: %s of %s" % (status, number, damage[0], damage[1]))
        elif not all(name in text for name in damage[1]):
            # a unit's message has its path; a database that cannot be read names no table
            unnamed += 1
            print("NOT NAMED: round %d: %s of %s\n%s" % (number, damage[0], damage[1], text))
    print("seed %s: %d damages (%s), %d missed, %d not named" % (
        seed, rounds, ", ".join("%s %d" % of for of in sorted(made.items())), missed, unnamed))
    sys.exit(missed + unnamed > 0)


main()
