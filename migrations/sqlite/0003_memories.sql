-- Memories: the rows, their earlier versions, the index by words, tags and metadata, and the vectors.
--
-- Rows of text and vectors lie in tables of their own order (by rowid) with their key beside them: clustered by the key, they would stand in the
-- inner pages of the tree too, and make it deep. What is small is clustered by its key as everywhere.

-- The number that the user's newest memory got, and that of the newest vector. Neither is given twice.
ALTER TABLE users ADD COLUMN memory_number INTEGER NOT NULL DEFAULT 0;
ALTER TABLE users ADD COLUMN vector_number INTEGER NOT NULL DEFAULT 0;

-- What its answer told of was erased, and so was the answer; the key stays, so that nobody does the work again.
ALTER TABLE idempotency ADD COLUMN erased INTEGER NOT NULL DEFAULT 0;

-- What is small comes first: SQLite reads a long row only as far as the last column that is wanted.
CREATE TABLE memories (
    user_id      BLOB    NOT NULL,
    id           BLOB    NOT NULL,
    -- Counts the user's memories, so that what points to one is small.
    n            INTEGER NOT NULL,
    type         TEXT    NOT NULL,
    created_at   INTEGER NOT NULL,
    updated_at   INTEGER NOT NULL,
    expires_at   INTEGER,
    version      INTEGER NOT NULL,
    overridden   INTEGER NOT NULL,
    -- No generated column: SQLite would not answer it from an index alone.
    has_metadata INTEGER NOT NULL,
    -- The first 16 bytes of SHA-256 of the content as it is compared.
    content_key  BLOB    NOT NULL,
    -- A JSON list of texts.
    tags         TEXT    NOT NULL,
    summary      TEXT    NOT NULL,
    -- A JSON object, empty for none.
    metadata     TEXT    NOT NULL,
    -- The terms under which memory_terms has it, each after its length (a varint).
    entries      BLOB    NOT NULL,
    content      TEXT    NOT NULL,
    PRIMARY KEY (user_id, id)
) STRICT;

-- The orders of a listing, and that of a search, with what most filters ask about behind the key, so that they are answered in the index alone.
CREATE INDEX memories_n       ON memories (user_id, n, id, type, expires_at, created_at, updated_at, has_metadata);
CREATE INDEX memories_created ON memories (user_id, created_at, id, n, type, expires_at, updated_at, has_metadata);
CREATE INDEX memories_updated ON memories (user_id, updated_at, id, n, type, expires_at, created_at, has_metadata);
CREATE INDEX memories_key     ON memories (user_id, type, content_key, id, n, expires_at);
CREATE INDEX memories_expiry  ON memories (user_id, expires_at, id, n) WHERE expires_at IS NOT NULL;

CREATE TABLE memory_versions (
    user_id     BLOB    NOT NULL,
    memory_id   BLOB    NOT NULL,
    version     INTEGER NOT NULL,
    type        TEXT    NOT NULL,
    expires_at  INTEGER,
    overridden  INTEGER NOT NULL,
    written_at  INTEGER NOT NULL,
    replaced_at INTEGER NOT NULL,
    reason      TEXT    NOT NULL,
    tags        TEXT    NOT NULL,
    summary     TEXT    NOT NULL,
    metadata    TEXT    NOT NULL,
    content     TEXT    NOT NULL,
    PRIMARY KEY (user_id, memory_id, version),
    FOREIGN KEY (user_id, memory_id) REFERENCES memories (user_id, id) ON DELETE CASCADE
) STRICT;

-- One row for each entry of each memory. Terms are bytes: their order is the order of their beginnings, whatever the language.
CREATE TABLE memory_terms (
    user_id BLOB    NOT NULL,
    term    BLOB    NOT NULL,
    n       INTEGER NOT NULL,
    PRIMARY KEY (user_id, term, n)
) STRICT, WITHOUT ROWID;

CREATE TABLE memory_models (
    user_id    BLOB    NOT NULL,
    number     INTEGER NOT NULL,
    name       TEXT    NOT NULL,
    dimensions INTEGER NOT NULL,
    -- How many vectors of it there are, and the number that its newest got.
    rows       INTEGER NOT NULL,
    newest     INTEGER NOT NULL,
    PRIMARY KEY (user_id, number)
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX memory_models_name ON memory_models (user_id, name, dimensions);

-- One row for each memory, without a model and a vector as long as it has none. It goes with the memory, by the same method: a foreign key would need an index of its own.
CREATE TABLE memory_vectors (
    user_id   BLOB    NOT NULL,
    n         INTEGER NOT NULL,
    memory_id BLOB    NOT NULL,
    model     INTEGER,
    -- Counts the user's vectors as they are written: who knows all up to a number has only to read what is above it.
    written   INTEGER NOT NULL,
    -- Half precision, little endian.
    vector    BLOB,
    PRIMARY KEY (user_id, n)
) STRICT;

CREATE INDEX memory_vectors_model   ON memory_vectors (user_id, model, memory_id, n);
CREATE INDEX memory_vectors_written ON memory_vectors (user_id, model, written, n);
