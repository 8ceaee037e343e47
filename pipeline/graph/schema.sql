-- graph.db: what the datasets of one run share.
--
-- datasets, snippets and duplicates have the shape of the published inter-dataset duplication database, so that queries
-- and notebooks written for it run here unchanged.  All text is valid UTF-8: bad bytes and NUL are U+FFFD.
-- Integers are counts unless said otherwise.  This file is also what the program executes to create the database.

CREATE TABLE datasets (
    id        TEXT PRIMARY KEY,                     -- its name
    url       TEXT NOT NULL,                        -- '' when not given
    role      TEXT NOT NULL,                        -- benchmark | corpus
    self_join INTEGER NOT NULL                      -- 1: pass near looked for all pairs inside it
);

-- Pass near: every document of a benchmark, and every document of a corpus that has an edge.  Pass dedup: every document with a row in dedup.
-- features, distinct_features and admitted are those of pass near where it stored the document, else those of pass dedup.
CREATE TABLE snippets (
    id                   INTEGER PRIMARY KEY,       -- from 1, in the order of (dataset, id_within_dataset)
    snippet              TEXT NOT NULL,             -- '' when not stored (graph.store)
    dataset              TEXT NOT NULL,
    language             TEXT NOT NULL,
    tokens               TEXT NOT NULL,             -- JSON array of strings; '[]' when not stored
    id_within_dataset    INTEGER NOT NULL,          -- from 0, over all readable documents of the dataset
    split_within_dataset TEXT,                      -- NULL: the dataset has no splits
    source_id            TEXT,                      -- the record's own id, or shard:record
    path                 TEXT,
    repo                 TEXT,
    license              TEXT,
    shard                TEXT NOT NULL,
    record               INTEGER NOT NULL,          -- number in the shard, from 0
    matches              INTEGER NOT NULL,          -- documents it has an exact or near pair with; all are counted, also those without a row in edges
                                                    -- (of pass near; when only dedup ran, its exact and near pairs in edges)
    features             INTEGER NOT NULL,          -- of the view: occurrences
    distinct_features    INTEGER NOT NULL,
    admitted             INTEGER NOT NULL,          -- 1: at least min_tokens features, so it was compared
    xxh128               TEXT NOT NULL,             -- xxh3-128 of the raw text, 32 hex digits
    xxh128_squeezed      TEXT,                      -- of the text without its white space: equal where only layout differs; NULL: stored by pass dedup alone
    CONSTRAINT fk_dataset FOREIGN KEY (dataset) REFERENCES datasets (id) ON DELETE CASCADE
);

-- Verified pairs, a < b, one row a pair and pass.  Empty when run has edges_file: the pairs are then in that file, same columns.
CREATE TABLE edges (
    pass                TEXT NOT NULL,              -- near | dedup
    a                   INTEGER NOT NULL,
    b                   INTEGER NOT NULL,
    kind                TEXT NOT NULL,              -- exact | near | contained | below | copy
    shared              INTEGER NOT NULL,           -- distinct features that both have
    "union"             INTEGER NOT NULL,           -- distinct features that either has
    min_sum             INTEGER NOT NULL,           -- occurrences: sum of the smaller counts
    max_sum             INTEGER NOT NULL,           -- occurrences: sum of the larger counts
    set_similarity      REAL NOT NULL,              -- shared / union
    multiset_similarity REAL NOT NULL,              -- min_sum / max_sum
    containment_a       REAL NOT NULL,              -- share of a's distinct features that b has
    containment_b       REAL NOT NULL,
    CONSTRAINT fk_a FOREIGN KEY (a) REFERENCES snippets (id) ON DELETE CASCADE,
    CONSTRAINT fk_b FOREIGN KEY (b) REFERENCES snippets (id) ON DELETE CASCADE
);

-- Pass near: connected components over exact and near pairs.  Pass dedup: admitted documents with one canonical, when they are two or more.
CREATE TABLE clusters (
    pass    TEXT NOT NULL,                          -- near | dedup
    snippet INTEGER NOT NULL,
    cluster INTEGER NOT NULL,                       -- its smallest member
    CONSTRAINT fk_snippet FOREIGN KEY (snippet) REFERENCES snippets (id) ON DELETE CASCADE,
    CONSTRAINT fk_cluster FOREIGN KEY (cluster) REFERENCES snippets (id) ON DELETE CASCADE
);

-- Pass dedup: what became of every document that has a copy or a verified pair there; those without a row were alone, and stay.
CREATE TABLE dedup (
    snippet           INTEGER PRIMARY KEY,
    canonical         INTEGER NOT NULL,             -- the preferred document of its cluster; its own id when it is that
    cluster_size      INTEGER NOT NULL,             -- documents with this canonical; 1: pairs it has, but stands alone
    kept              INTEGER NOT NULL,             -- 0: removed, as a duplicate of its canonical
    features          INTEGER NOT NULL,             -- of the pass's view: occurrences
    distinct_features INTEGER NOT NULL,
    CONSTRAINT fk_snippet FOREIGN KEY (snippet) REFERENCES snippets (id) ON DELETE CASCADE,
    CONSTRAINT fk_canonical FOREIGN KEY (canonical) REFERENCES snippets (id) ON DELETE CASCADE
);

-- How much of source (or of one split, one language of it) is found in target.  '' in a split or language: all.
CREATE TABLE overlap (
    source       TEXT NOT NULL,
    split        TEXT NOT NULL,
    target       TEXT NOT NULL,
    target_split TEXT NOT NULL,
    language     TEXT NOT NULL,
    documents    INTEGER NOT NULL,                  -- readable documents of source: the denominator
    admitted     INTEGER NOT NULL,
    direct       INTEGER NOT NULL,                  -- those with an exact or near pair in target
    transitive   INTEGER NOT NULL,                  -- those whose cluster holds a document of target
    copies       INTEGER NOT NULL,                  -- below min_tokens, byte-equal to a document of target
    contained    INTEGER NOT NULL,                  -- those with a pair that passes only containment_threshold
    complete     INTEGER NOT NULL                   -- 0: transitive is a lower bound
);

CREATE TABLE splits (
    dataset       TEXT NOT NULL,
    split         TEXT NOT NULL,
    language      TEXT NOT NULL,
    documents     INTEGER NOT NULL,                 -- records in = documents + rejected
    admitted      INTEGER NOT NULL,
    rejected      INTEGER NOT NULL,
    bytes         INTEGER NOT NULL,                 -- of text
    removed       INTEGER,                          -- documents that pass dedup removed; NULL: the dataset was not in it
    removed_bytes INTEGER                           -- of their text
);

CREATE TABLE shards (
    dataset  TEXT NOT NULL,
    split    TEXT NOT NULL,
    shard    TEXT NOT NULL,
    bytes    INTEGER NOT NULL,                      -- of the file as it lies on disk
    mtime    INTEGER NOT NULL,                      -- nanoseconds since 1970
    xxh3     TEXT NOT NULL,                         -- of the file, 16 hex digits
    records  INTEGER NOT NULL,                      -- documents + rejected
    rejected INTEGER NOT NULL
);

CREATE TABLE rejects (
    dataset TEXT NOT NULL,
    shard   TEXT NOT NULL,
    record  INTEGER NOT NULL,
    byte    INTEGER NOT NULL,                       -- in the decoded shard
    reason  TEXT NOT NULL,
    detail  TEXT NOT NULL
);

CREATE TABLE run (
    key   TEXT PRIMARY KEY,                         -- version, configuration, digest, ...
    value TEXT NOT NULL
);

-- Every pair of one cluster: the shape, and the transitive meaning, of the published table of this name.
CREATE VIEW duplicates (id, snippet1, snippet2) AS
    SELECT x.snippet << 32 | y.snippet, x.snippet, y.snippet
      FROM clusters AS x JOIN clusters AS y ON y.pass = x.pass AND y.cluster = x.cluster AND y.snippet > x.snippet
     WHERE x.pass = 'near';

-- BUILT LAST: the program executes what follows when all rows are in.  Integers alone sort several times faster than behind a
-- name, and few rows share a number, so dataset and pass are left to be compared in the rows.
CREATE UNIQUE INDEX edges_a    ON edges (a, b, pass);
CREATE INDEX edges_b           ON edges (b);
CREATE INDEX clusters_snippet  ON clusters (snippet);
CREATE INDEX clusters_cluster  ON clusters (cluster);
CREATE INDEX dedup_canonical   ON dedup (canonical);
CREATE INDEX snippets_number   ON snippets (dataset, id_within_dataset);
CREATE INDEX snippets_source   ON snippets (source_id);
