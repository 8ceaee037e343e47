/* export/interduplication.c -- the published three tables, filled from graph.db.  See whole.h. */
#include "export/whole.h"

#include "graph/read.h"

#include <errno.h>

/* Beyond that no notebook reads it, and a disk may not hold it: a cluster has a row for every pair in it. */
#define ROWS_MOST 1000000000ull

static const char schema[] =
    "PRAGMA journal_mode = off; PRAGMA synchronous = off; BEGIN;"
    "CREATE TABLE datasets (id TEXT PRIMARY KEY, url TEXT NOT NULL);"
    "CREATE TABLE snippets (id INTEGER PRIMARY KEY AUTOINCREMENT, snippet TEXT NOT NULL, dataset TEXT NOT NULL, "
    "language TEXT NOT NULL, tokens TEXT NOT NULL, id_within_dataset INTEGER NOT NULL, split_within_dataset TEXT, "
    "CONSTRAINT fk_dataset FOREIGN KEY (dataset) REFERENCES datasets (id) ON DELETE CASCADE);"
    "CREATE TABLE duplicates (id INTEGER PRIMARY KEY AUTOINCREMENT, snippet1 INTEGER NOT NULL, snippet2 INTEGER NOT "
    "NULL, CONSTRAINT fk_snippet1 FOREIGN KEY (snippet1) REFERENCES snippets (id) ON DELETE CASCADE, CONSTRAINT "
    "fk_snippet2 FOREIGN KEY (snippet2) REFERENCES snippets (id) ON DELETE CASCADE);";

static const struct { const char *select, *insert; } copies[] = {
    { "SELECT id, url FROM datasets ORDER BY rowid", "INSERT INTO datasets VALUES (?, ?)" },
    { "SELECT id, snippet, dataset, language, tokens, id_within_dataset, split_within_dataset FROM snippets ORDER BY "
      "id",
      "INSERT INTO snippets VALUES (?, ?, ?, ?, ?, ?, ?)" },
    { "SELECT snippet1, snippet2 FROM duplicates ORDER BY 1, 2", "INSERT INTO duplicates (snippet1, snippet2) VALUES "
      "(?, ?)" },
};

static int fail(sqlite3 *to, const char *path, struct err *err)
{
    const int code = to ? sqlite3_errcode(to) & 0xFF : SQLITE_NOMEM;

    return err_set(err, code == SQLITE_NOMEM ? -ENOMEM : code == SQLITE_FULL ? -ENOSPC : -EIO, "%s: %s", path,
                   to ? sqlite3_errmsg(to) : "out of memory");
}

static int copy(sqlite3 *from, sqlite3 *to, const char *select, const char *insert, const char *path, struct err *err)
{
    sqlite3_stmt *query, *row = NULL;
    int           rc = graph_prepare(from, &query, select, err);

    if (rc == 0 && sqlite3_prepare_v2(to, insert, -1, &row, NULL) != SQLITE_OK) rc = fail(to, path, err);
    while (rc == 0 && (rc = graph_step(query, err)) == 1) {
        rc = 0;
        for (int c = 0; c < sqlite3_column_count(query) && rc == 0; c++)
            if (sqlite3_bind_value(row, c + 1, sqlite3_column_value(query, c)) != SQLITE_OK) rc = fail(to, path, err);
        if (rc == 0 && sqlite3_step(row) != SQLITE_DONE) rc = fail(to, path, err);
        sqlite3_reset(row);
    }
    sqlite3_finalize(row);
    graph_finish(query);
    return rc;
}

static int check_size(sqlite3 *db, struct err *err)
{
    uint64_t rows;
    int      rc = graph_count(db, "SELECT sum(n * (n - 1) / 2) FROM (SELECT count(*) AS n FROM clusters WHERE pass = "
                                  "'near' GROUP BY cluster)", &rows, err);

    if (rc == 0 && rows > ROWS_MOST)
        rc = err_set(err, -EFBIG, "interduplication: table duplicates has a row for every pair of a cluster, which "
                                  "would be %llu", (unsigned long long)rows);
    return rc;
}

static int fill(sqlite3 *db, sqlite3 *to, const char *path, struct err *err)
{
    int rc = sqlite3_exec(to, schema, NULL, NULL, NULL) == SQLITE_OK ? 0 : fail(to, path, err);

    for (size_t i = 0; i < sizeof copies / sizeof *copies && rc == 0; i++)
        rc = copy(db, to, copies[i].select, copies[i].insert, path, err);
    if (rc == 0 && sqlite3_exec(to, "COMMIT", NULL, NULL, NULL) != SQLITE_OK) rc = fail(to, path, err);
    return rc;
}

static int write_database(sqlite3 *db, const struct graph_table *const *tables, struct export_sink *sink,
                          struct err *err)
{
    sqlite3 *to = NULL;
    int      rc = check_size(db, err);

    (void)tables;
    if (rc < 0) return rc;
    /* without locks: nobody else knows the file yet */
    if (sqlite3_open_v2(sink->aside, &to, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, "unix-none") != SQLITE_OK)
        rc = fail(to, sink->path, err);
    if (rc == 0) rc = fill(db, to, sink->path, err);
    if (sqlite3_close(to) != SQLITE_OK && rc == 0) rc = err_set(err, -EIO, "%s: cannot be closed", sink->path);
    return rc;
}

const struct export_whole export_interduplication = {
    .name = "interduplication", .doc = "the published three tables of inter-dataset duplication, as SQLite",
    .file = true, .write = write_database,
};
