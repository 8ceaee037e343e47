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
-- With ngrams, probe or clean and neither of these passes: every document of a benchmark; features, distinct_features, admitted and matches are 0.
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
    features_xxh128      TEXT,                      -- of the multiset of features; NULL without near_duplicates.index, and where admitted is 0
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

-- Pass clones: blocks of lines that the benchmarks share with the corpora; with line_clones.self, that the benchmarks repeat.
CREATE TABLE clones (
    id           INTEGER PRIMARY KEY,               -- from 1, by fingerprint
    fingerprint  TEXT NOT NULL,                     -- xxh3-128 of the lines' hashes, 32 hex digits: equal where the normalised lines are
    length       INTEGER NOT NULL,                  -- significant lines
    small_count  INTEGER NOT NULL,                  -- places in benchmarks
    corpus_count INTEGER NOT NULL,                  -- places in corpora
    text         TEXT NOT NULL                      -- as it stands in its first place in a benchmark, 64 KiB at most; '' when not stored (graph.store)
);

-- The first places of each block on either side, at most line_clones.places.
CREATE TABLE clone_places (
    clone   INTEGER NOT NULL,
    dataset TEXT NOT NULL,
    shard   TEXT NOT NULL,
    record  INTEGER NOT NULL,
    line    INTEGER NOT NULL,                       -- where it begins in the record's text, from 1
    CONSTRAINT fk_clone FOREIGN KEY (clone) REFERENCES clones (id) ON DELETE CASCADE
);

-- The documents of benchmarks that hold a run of line_clones.lines lines that a corpus has (with self: that another place has).
CREATE TABLE clone_documents (
    dataset      TEXT NOT NULL,
    shard        TEXT NOT NULL,
    record       INTEGER NOT NULL,
    source_id    TEXT,                              -- the record's own id, or shard:record
    path         TEXT,
    lines        INTEGER NOT NULL,                  -- significant ones
    shared_lines INTEGER NOT NULL                   -- those of them in such a run
);

-- Where they are, joined where blocks overlap.
CREATE TABLE clone_spans (
    dataset    TEXT NOT NULL,
    shard      TEXT NOT NULL,
    record     INTEGER NOT NULL,
    first_line INTEGER NOT NULL,                    -- lines of the record's text, from 1, all counted
    last_line  INTEGER NOT NULL
);

-- Pass ngrams: each field of a benchmark item against each corpus, for each n.  Two n-grams are equal when their 64-bit hashes are.  An n-gram that
-- stands in the field several times counts as often, except where it says distinct.
CREATE TABLE ngrams (
    snippet         INTEGER NOT NULL,
    field           TEXT NOT NULL,                  -- text, or a name under ngrams.fields
    n               INTEGER NOT NULL,
    corpus          TEXT NOT NULL,
    short           INTEGER NOT NULL,               -- 1: fewer than n words: compared as a whole, as one n-gram of its own length
    words           INTEGER NOT NULL,               -- of the field (tokens, with unit: tokens)
    ngrams          INTEGER NOT NULL,
    distinct_ngrams INTEGER NOT NULL,
    found_distinct  INTEGER NOT NULL,               -- distinct n-grams that some document of the corpus has
    found           INTEGER NOT NULL,
    rare            INTEGER NOT NULL,               -- of found, those in at most max_df documents; without max_df all of them
    covered         INTEGER NOT NULL,               -- words of the field in a found n-gram
    covered_rare    INTEGER NOT NULL,               -- in one of the rare ones
    covered_once    INTEGER NOT NULL,               -- most words of the field in n-grams that one and the same document has
    longest_run     INTEGER NOT NULL,               -- most n-grams in a row in one document that are all the field's: n - 1 words more
    run_shard       TEXT,                           -- the first document in order with such a run; NULL: none
    run_record      INTEGER NOT NULL,
    run_at          INTEGER NOT NULL,               -- word of that document where the run starts, from 0
    documents       INTEGER NOT NULL,               -- of the corpus that have any of its n-grams
    occurrences     INTEGER NOT NULL,               -- of its n-grams in the corpus, of each at most ngrams.cap
    max_frequency   INTEGER NOT NULL,               -- most documents that one of its n-grams is in
    lcs             INTEGER,                        -- n = 13: longest common subsequence of words with the document of the longest run; NULL: none, or
    lcs_of          INTEGER,                        -- texts too long for it.  lcs_of: words of the shorter of the two
    CONSTRAINT fk_snippet FOREIGN KEY (snippet) REFERENCES snippets (id) ON DELETE CASCADE
);

-- Pass ngrams: the published rules of contamination, a column each.  NULL: its n is not in ngrams.n, or it was not looked for.  With max_df, n-grams
-- beyond it do not count for gpt3, palm, llama3 and qwen.
CREATE TABLE ngram_rules (
    snippet         INTEGER NOT NULL,
    field           TEXT NOT NULL,
    corpus          TEXT NOT NULL,
    gpt3_13gram     INTEGER,                        -- any 13-gram found (Brown et al. 2020, GPT-3, appendix C)
    palm_8gram      INTEGER,                        -- at least 70 % of the 8-grams found (Chowdhery et al. 2022, PaLM)
    llama3_8gram    REAL,                           -- share of the words in a found 8-gram (Llama Team 2024, Llama 3, with a threshold for each benchmark)
    tulu3_8gram     INTEGER,                        -- more than 50 % of the words in 8-grams of one and the same document (Lambert et al. 2024, Tulu 3)
    exact_substring INTEGER,                        -- the text, without white space around it, is inside a document (Li et al. 2023, StarCoder); NULL: under 3 words
    windows50       INTEGER,                        -- at least 80 % of the windows of 50 characters found (Xu et al. 2025, infini-gram mini); NULL: shorter
    qwen_lcs        INTEGER,                        -- a 13-gram found, and lcs at least 0.6 of lcs_of (Qwen Team 2024, Qwen2.5)
    idf_weighted    REAL,                           -- share found of the n-grams of the smallest n, each weighing log((1 + documents of the corpus) / (1 + those
                                                    -- that have it)) (after decon, Olmo 3, 2025)
    windows         INTEGER,                        -- of 50 bytes in the text
    windows_found   INTEGER,                        -- in a stretch of equal bytes around an n-gram of the smallest n, of whatever documents
    CONSTRAINT fk_snippet FOREIGN KEY (snippet) REFERENCES snippets (id) ON DELETE CASCADE
);

-- Pass repositories: each repository of a benchmark in each corpus (a version of a corpus is a dataset of its own).
CREATE TABLE repositories (
    benchmark  TEXT NOT NULL,
    repo       TEXT NOT NULL,                       -- owner/name in lower case, as it is called now
    corpus     TEXT NOT NULL,
    by_name    INTEGER NOT NULL,                    -- 1: documents is not 0
    by_content INTEGER NOT NULL,                    -- 1: exact + near reach repositories.share of files
    documents  INTEGER NOT NULL,                    -- of the corpus that say they come from it
    files      INTEGER NOT NULL,                    -- of the benchmark; those of white space alone are not counted
    exact      INTEGER NOT NULL,                    -- files that are in the corpus byte by byte
    near       INTEGER NOT NULL,                    -- others with an exact or near pair there; without pass near, that differ in white space alone
    elsewhere  INTEGER NOT NULL                     -- of exact + near, those that are there under another repository's name, or under none
);

-- The other repositories of the corpus that have most of its files, at most repositories.top.
CREATE TABLE repository_copies (
    benchmark  TEXT NOT NULL,
    repo       TEXT NOT NULL,
    corpus     TEXT NOT NULL,
    other_repo TEXT NOT NULL,                       -- '': documents without a repository
    exact      INTEGER NOT NULL,
    near       INTEGER NOT NULL
);

-- Pass probe: the language models that were asked.
CREATE TABLE models (
    id         INTEGER PRIMARY KEY,                 -- from 1, in the order of probe.models
    name       TEXT NOT NULL UNIQUE,
    backend    TEXT NOT NULL,                       -- ngram | http | replay | llama
    context    INTEGER,                             -- tokens in a window; NULL: no limit
    vocabulary INTEGER,                             -- tokens; NULL: not known, as below
    parameters INTEGER,
    key        TEXT NOT NULL                        -- xxh3-128 of all that its answers depend on, 32 hex digits
);

-- The items that they were asked about.
CREATE TABLE probe_items (
    snippet INTEGER PRIMARY KEY,
    truth   INTEGER,                                -- probe.truth: 1: it was in the training data, 0: it was not, NULL: nobody knows
    CONSTRAINT fk_snippet FOREIGN KEY (snippet) REFERENCES snippets (id) ON DELETE CASCADE
);

-- What came of each; not in run.digest, as they are no integers.
CREATE TABLE probes (
    snippet INTEGER NOT NULL,
    model   INTEGER NOT NULL,
    metric  TEXT NOT NULL,                          -- nll, perplexity, ...; ratio:OTHER: ln perplexity of that model over this one's
    value   REAL NOT NULL,
    CONSTRAINT fk_snippet FOREIGN KEY (snippet) REFERENCES snippets (id) ON DELETE CASCADE,
    CONSTRAINT fk_model FOREIGN KEY (model) REFERENCES models (id) ON DELETE CASCADE
);

-- Values that are missing.
CREATE TABLE probe_gaps (
    model  INTEGER NOT NULL,
    metric TEXT NOT NULL,                           -- '': all of these items
    items  INTEGER NOT NULL,
    reason TEXT NOT NULL,                           -- of the first of them
    CONSTRAINT fk_model FOREIGN KEY (model) REFERENCES models (id) ON DELETE CASCADE
);

-- What models wrote (generate).  Its text is the record, and the snippet where snippets are stored.
CREATE TABLE generations (
    id      INTEGER PRIMARY KEY,                    -- from 1, by model as listed and output
    model   TEXT NOT NULL,                          -- its name in probe.models
    output  INTEGER NOT NULL,                       -- number, from 0
    prompt  INTEGER,                                -- number of its prompt, from 0; NULL: none
    tokens  INTEGER NOT NULL,                       -- new ones
    stopped INTEGER NOT NULL,                       -- 1: the model ended it
    dataset TEXT NOT NULL,                          -- generations-MODEL
    shard   TEXT NOT NULL,
    record  INTEGER NOT NULL
);

-- The blocks of pass clones that a model's outputs have.
CREATE TABLE memorised (
    clone        INTEGER NOT NULL,
    model        TEXT NOT NULL,
    occurrences  INTEGER NOT NULL,                  -- places in its outputs
    outputs      INTEGER NOT NULL,                  -- that have it
    first_output INTEGER NOT NULL,
    CONSTRAINT fk_clone FOREIGN KEY (clone) REFERENCES clones (id) ON DELETE CASCADE
);

-- The same in numbers, for the first quarter of a model's outputs, the first half, three quarters and all.  The blocks are those of the whole run.
CREATE TABLE memorisation (
    model            TEXT NOT NULL,
    outputs          INTEGER NOT NULL,              -- the first so many
    tokens           INTEGER NOT NULL,              -- generate.tokens
    blocks           INTEGER NOT NULL,              -- different ones in these outputs
    occurrences      INTEGER NOT NULL,              -- their places
    outputs_with_any INTEGER NOT NULL,
    spearman         REAL,                          -- correlation of the blocks' places in these outputs with those in the corpora; NULL: not defined
    pearson          REAL
);

-- Pass sensitive: each different e-mail address, IP address and key of a dataset; the value itself is nowhere.
CREATE TABLE sensitive (
    dataset     TEXT NOT NULL,
    kind        TEXT NOT NULL,                      -- email | ip | key
    pattern     TEXT NOT NULL,                      -- of a key, the service or the shape: aws, github, base64, ...; else ''
    masked      TEXT NOT NULL,                      -- first and last character, and the length in bytes
    xxh128      TEXT NOT NULL,                      -- of the value's bytes
    occurrences INTEGER NOT NULL,
    documents   INTEGER NOT NULL,
    corpus_occurrences INTEGER,                     -- of a benchmark's value, verbatim, in all corpora; NULL: it was not looked for
    corpus_documents   INTEGER,
    shard       TEXT NOT NULL,                      -- its first place, a byte of the record's text
    record      INTEGER NOT NULL,
    byte        INTEGER NOT NULL
);

-- What `clean` made of each split that an output is made of.
CREATE TABLE cleaned (
    output        TEXT NOT NULL,                    -- clean.N.name
    kind          TEXT NOT NULL,                    -- removed | cut | leaky | nonleaky: of what cleaned/OUTPUT.KIND.tsv is the list; the latter two have folders of their own
    dataset       TEXT NOT NULL,
    split         TEXT NOT NULL,
    documents     INTEGER NOT NULL,                 -- before
    bytes         INTEGER NOT NULL,                 -- of their text
    removed       INTEGER NOT NULL,                 -- documents that are not written
    cut           INTEGER NOT NULL,                 -- documents that are written without some of their lines
    spans         INTEGER NOT NULL,                 -- runs of lines cut out of those
    removed_bytes INTEGER NOT NULL                  -- of text, of both
);

-- Each document that it removed or shortened; of subsets, files beside them list what was taken.
CREATE TABLE cleaned_documents (
    output            TEXT NOT NULL,
    dataset           TEXT NOT NULL,
    split             TEXT NOT NULL,
    id_within_dataset INTEGER NOT NULL,
    source_id         TEXT,                         -- the record's own id, or shard:record
    shard             TEXT NOT NULL,
    record            INTEGER NOT NULL,
    lines             TEXT,                         -- cut out of its text, as 3-9,20-31, from 1; NULL: the document is removed
    bytes             INTEGER NOT NULL,             -- of text that are gone
    why               TEXT NOT NULL                 -- the parts of the rule that were true
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
    byte    INTEGER NOT NULL,                       -- in the decoded shard; damage of Parquet: in the file
    records INTEGER NOT NULL,                       -- lost: 1, but the rows of a damaged row group of Parquet
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

-- Metrics by benchmark, model and metric: mean, standard deviation and number of the items' values; and by file.
CREATE VIEW probe_benchmarks (dataset, model, metric, n, mean, sd) AS
    SELECT dataset, model, metric, count(*), mean, CASE WHEN count(*) > 1 THEN sqrt(sum((value - mean) * (value - mean)) / (count(*) - 1)) END
      FROM (SELECT s.dataset AS dataset, m.name AS model, p.metric AS metric, p.value AS value,
                   avg(p.value) OVER (PARTITION BY s.dataset, p.model, p.metric) AS mean
              FROM probes AS p JOIN snippets AS s ON s.id = p.snippet JOIN models AS m ON m.id = p.model)
     GROUP BY dataset, model, metric;
CREATE VIEW probe_files (dataset, path, model, metric, n, mean) AS
    SELECT s.dataset, s.path, m.name, p.metric, count(*), avg(p.value)
      FROM probes AS p JOIN snippets AS s ON s.id = p.snippet JOIN models AS m ON m.id = p.model
     WHERE s.path IS NOT NULL GROUP BY s.dataset, s.path, m.name, p.metric;

-- BUILT LAST: the program executes what follows when all rows are in.  Integers alone sort several times faster than behind a
-- name, and few rows share a number, so dataset and pass are left to be compared in the rows.
CREATE UNIQUE INDEX edges_a    ON edges (a, b, pass);
CREATE INDEX edges_b           ON edges (b);
CREATE INDEX clusters_snippet  ON clusters (snippet);
CREATE INDEX clusters_cluster  ON clusters (cluster);
CREATE INDEX dedup_canonical   ON dedup (canonical);
CREATE INDEX clone_places_clone ON clone_places (clone);
CREATE INDEX ngrams_snippet    ON ngrams (snippet);
CREATE INDEX ngram_rules_snippet ON ngram_rules (snippet);
CREATE INDEX probes_snippet    ON probes (snippet);
CREATE INDEX snippets_number   ON snippets (dataset, id_within_dataset);
CREATE INDEX snippets_source   ON snippets (source_id);
CREATE INDEX snippets_xxh128   ON snippets (xxh128);
CREATE INDEX snippets_squeezed ON snippets (xxh128_squeezed) WHERE xxh128_squeezed IS NOT NULL;
CREATE INDEX snippets_features ON snippets (features_xxh128) WHERE features_xxh128 IS NOT NULL;
