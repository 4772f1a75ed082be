-- Memories: the rows, their earlier versions, the index by words, tags and metadata, and the vectors.
--
-- The extension vector (pgvector) is not one that every role may create. Where somebody else has created it there is nothing to do.
-- What is missing is said here, in words that do not depend on the server's language.
DO $$
BEGIN
    IF NOT EXISTS (SELECT FROM pg_extension WHERE extname = 'vector') THEN
        CREATE EXTENSION vector;
    END IF;
    IF (SELECT string_to_array(substring(extversion FROM '^[0-9]+(?:[.][0-9]+)*'), '.')::integer[] < '{0,8,0}' FROM pg_extension WHERE extname = 'vector') THEN
        RAISE EXCEPTION USING ERRCODE = 'object_not_in_prerequisite_state', MESSAGE = format(
            'the extension vector has version %s here, and 0.8.0 or newer is needed; install a newer pgvector on the database''s server, then let its administrator run in this database: ALTER EXTENSION vector UPDATE',
            (SELECT extversion FROM pg_extension WHERE extname = 'vector'));
    END IF;
EXCEPTION
    WHEN insufficient_privilege THEN
        RAISE EXCEPTION USING ERRCODE = 'object_not_in_prerequisite_state', MESSAGE =
            'the role may not create the extension vector; let the database''s administrator run in this database: CREATE EXTENSION vector';
    WHEN feature_not_supported OR undefined_file THEN
        RAISE EXCEPTION USING ERRCODE = 'object_not_in_prerequisite_state', MESSAGE =
            'the extension vector is not installed on the database''s server; install pgvector 0.8.0 or newer there (Debian: the package postgresql-NN-pgvector; containers: the image pgvector/pgvector), or allow it where the provider asks for that';
END
$$;

-- The number that the user's newest memory got. It survives the memory, so that no number is given twice.
ALTER TABLE users ADD COLUMN memory_number integer NOT NULL DEFAULT 0;

-- mentions are the memories that the answer or the notes tell of, NULL for none. When one of them is erased the answer is erased with it; the key
-- stays, so that nobody does the work again.
ALTER TABLE idempotency
    ADD COLUMN mentions uuid[],
    ADD COLUMN erased   boolean NOT NULL DEFAULT false;

CREATE TABLE memories (
    user_id     uuid        NOT NULL,
    id          uuid        NOT NULL,
    created_at  timestamptz NOT NULL,
    updated_at  timestamptz NOT NULL,
    -- infinity for never.
    expires_at  timestamptz NOT NULL,
    -- Counts the user's memories, so that what points to one is small.
    n           integer     NOT NULL,
    version     integer     NOT NULL,
    overridden  boolean     NOT NULL,
    type        text        NOT NULL,
    -- The first 16 bytes of SHA-256 of the content as it is compared.
    content_key bytea       NOT NULL,
    summary     text        NOT NULL,
    tags        text[]      NOT NULL,
    -- One object in canonical form; json keeps its text as it is.
    metadata    json,
    -- The terms under which memory_terms has it.
    entries     text[]      NOT NULL,
    content     text        NOT NULL,
    PRIMARY KEY (user_id, id)
);

-- The orders of a listing; counting by type, and what has expired, is answered in the index alone.
CREATE UNIQUE INDEX memories_n       ON memories (user_id, n);
CREATE        INDEX memories_created ON memories (user_id, created_at, id) INCLUDE (n, type, expires_at);
CREATE        INDEX memories_updated ON memories (user_id, updated_at, id) INCLUDE (n, type, expires_at);
CREATE        INDEX memories_key     ON memories (user_id, content_key);

-- What has expired is left out of every search by this index, and looked for across users, in the index alone.
CREATE INDEX memories_expiry ON memories (user_id, expires_at) INCLUDE (id, n) WHERE expires_at < 'infinity';

-- What hangs on a memory does not reference it: it is written and erased by the same statement as the memory, under the user's lock, and the
-- check would cost each of some dozens of terms something and find nothing.

CREATE TABLE memory_versions (
    user_id     uuid        NOT NULL,
    memory_id   uuid        NOT NULL,
    expires_at  timestamptz NOT NULL,
    written_at  timestamptz NOT NULL,
    replaced_at timestamptz NOT NULL,
    version     integer     NOT NULL,
    overridden  boolean     NOT NULL,
    type        text        NOT NULL,
    reason      text        NOT NULL,
    summary     text        NOT NULL,
    tags        text[]      NOT NULL,
    metadata    json,
    content     text        NOT NULL,
    PRIMARY KEY (user_id, memory_id, version)
);

-- One row for each entry of each memory, compared bytewise, so that a range of them is what begins alike in any language.
CREATE TABLE memory_terms (
    user_id uuid    NOT NULL,
    n       integer NOT NULL,
    term    text    NOT NULL COLLATE "C",
    PRIMARY KEY (user_id, term, n)
);

-- The models that a user's vectors are of. A row stays when its last vector has gone: no number is given twice, since an index on the vectors
-- of one number is for vectors of one length.
CREATE TABLE memory_models (
    user_id    uuid     NOT NULL,
    rows       integer  NOT NULL,
    dimensions integer  NOT NULL,
    number     smallint NOT NULL,
    name       text     NOT NULL,
    PRIMARY KEY (user_id, number)
) WITH (fillfactor = 50); -- rows changes with every memory: room for the new version on the same page

CREATE UNIQUE INDEX memory_models_name ON memory_models (user_id, name, dimensions);

-- One row for each memory, without a model and a vector as long as it has none. A search reads all vectors of a user, so they stand in the row itself:
-- with a vector of 4,000 halves it fills a page just so.
CREATE TABLE memory_vectors (
    user_id   uuid     NOT NULL,
    memory_id uuid     NOT NULL,
    n         integer  NOT NULL,
    model     smallint,
    embedding halfvec,
    PRIMARY KEY (user_id, n)
);

ALTER TABLE memory_vectors ALTER COLUMN embedding SET STORAGE PLAIN;

-- What has no vector yet is looked for across users. The index is as long as there is work to do.
CREATE INDEX memory_vectors_pending ON memory_vectors (user_id, memory_id) WHERE model IS NULL;
