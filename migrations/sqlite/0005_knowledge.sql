-- The knowledge graph: entities, facts between them, the episodes that they were read from, the indexes by words, and the vectors.
--
-- Rows of text and vectors lie in tables of their own order (by rowid) with their key beside them, what is small is clustered by its key, as 0003 does it. The indexes by words, the
-- models and the vectors of both are made exactly as those of memories, so that one search serves all three.

-- The numbers that the user's newest entity and newest fact got; neither is given twice. Vectors are numbered together with those of memories.
ALTER TABLE users ADD COLUMN entity_number INTEGER NOT NULL DEFAULT 0;
ALTER TABLE users ADD COLUMN fact_number   INTEGER NOT NULL DEFAULT 0;
-- When the graph was changed last, if ever.
ALTER TABLE users ADD COLUMN knowledge_at  INTEGER;

-- What is small comes first: SQLite reads a long row only as far as the last column that is wanted.
CREATE TABLE entities (
    user_id    BLOB    NOT NULL,
    id         BLOB    NOT NULL,
    -- Counts the user's entities, so that what points to one in an index is small.
    n          INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    version    INTEGER NOT NULL,
    -- The folded ones.
    type_key   TEXT    NOT NULL,
    name_key   TEXT    NOT NULL,
    -- Empty for none.
    type       TEXT    NOT NULL,
    name       TEXT    NOT NULL,
    -- A JSON list of texts.
    aliases    TEXT    NOT NULL,
    summary    TEXT    NOT NULL,
    -- A JSON object, empty for none.
    attributes TEXT    NOT NULL,
    -- The terms under which entity_terms has it, each after its length (a varint).
    entries    BLOB    NOT NULL,
    PRIMARY KEY (user_id, id)
) STRICT;

-- The order of a listing, of all and of one type, and that of a search, with what filters ask about behind the key, so that they are answered in the index alone.
CREATE INDEX entities_n    ON entities (user_id, n, id, type_key, created_at);
CREATE INDEX entities_name ON entities (user_id, name_key, id, n, type_key, created_at);
CREATE INDEX entities_type ON entities (user_id, type_key, name_key, id, n, created_at);

-- One row for the folded name of an entity and for each of its folded aliases.
CREATE TABLE entity_names (
    user_id   BLOB NOT NULL,
    name_key  TEXT NOT NULL,
    entity_id BLOB NOT NULL,
    PRIMARY KEY (user_id, name_key, entity_id),
    FOREIGN KEY (user_id, entity_id) REFERENCES entities (user_id, id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

CREATE INDEX entity_names_entity ON entity_names (user_id, entity_id, name_key);

-- What became part of another entity, and of which: always one that is there, so no chain has to be followed.
CREATE TABLE entity_redirects (
    user_id   BLOB NOT NULL,
    id        BLOB NOT NULL,
    entity_id BLOB NOT NULL,
    PRIMARY KEY (user_id, id),
    FOREIGN KEY (user_id, entity_id) REFERENCES entities (user_id, id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

CREATE INDEX entity_redirects_entity ON entity_redirects (user_id, entity_id, id);

CREATE TABLE facts (
    user_id     BLOB    NOT NULL,
    id          BLOB    NOT NULL,
    -- Counts the user's facts.
    n           INTEGER NOT NULL,
    source_id   BLOB    NOT NULL,
    target_id   BLOB    NOT NULL,
    created_at  INTEGER NOT NULL,
    -- When it holds in the world: the least number there is, and the greatest, for no bound. So a moment is compared with both, and none is a case of its own.
    valid_at    INTEGER NOT NULL,
    invalid_at  INTEGER NOT NULL,
    expired_at  INTEGER,
    version     INTEGER NOT NULL,
    replaced_by BLOB,
    confidence  REAL,
    relation    TEXT    NOT NULL,
    sentence    TEXT    NOT NULL,
    -- A JSON object, empty for none.
    attributes  TEXT    NOT NULL,
    -- The terms under which fact_terms has it, as those of an entity.
    entries     BLOB    NOT NULL,
    PRIMARY KEY (user_id, id),
    FOREIGN KEY (user_id, source_id) REFERENCES entities (user_id, id),
    FOREIGN KEY (user_id, target_id) REFERENCES entities (user_id, id)
) STRICT;

-- The order of a listing: of all facts, of those at an entity's ends, and of a relation; and that of a search. What filters ask about rides along.
CREATE INDEX facts_n        ON facts (user_id, n, id, valid_at, invalid_at, created_at, source_id, target_id, relation);
CREATE INDEX facts_created  ON facts (user_id, created_at, id, n, valid_at, invalid_at);
CREATE INDEX facts_source   ON facts (user_id, source_id, created_at, id, n, valid_at, invalid_at, target_id, relation);
CREATE INDEX facts_target   ON facts (user_id, target_id, created_at, id, n, valid_at, invalid_at, source_id, relation);
CREATE INDEX facts_relation ON facts (user_id, relation, created_at, id, n, valid_at, invalid_at);
-- Finds what a source has of one relation.
CREATE INDEX facts_pair     ON facts (user_id, source_id, relation, id);

-- The episodes that support a fact. An episode that is named need not be there.
CREATE TABLE fact_episodes (
    user_id    BLOB NOT NULL,
    fact_id    BLOB NOT NULL,
    episode_id BLOB NOT NULL,
    PRIMARY KEY (user_id, fact_id, episode_id),
    FOREIGN KEY (user_id, fact_id) REFERENCES facts (user_id, id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

CREATE INDEX fact_episodes_episode ON fact_episodes (user_id, episode_id, fact_id);

CREATE TABLE episodes (
    user_id            BLOB    NOT NULL,
    id                 BLOB    NOT NULL,
    reference_time     INTEGER NOT NULL,
    created_at         INTEGER NOT NULL,
    source             TEXT    NOT NULL,
    state              TEXT    NOT NULL,
    attempts           INTEGER NOT NULL,
    -- When to try to read it next, the least number there is for at once.
    next_at            INTEGER NOT NULL,
    -- The first 16 bytes of SHA-256 of the content.
    content_key        BLOB    NOT NULL,
    name               TEXT    NOT NULL,
    source_description TEXT    NOT NULL,
    problem            TEXT    NOT NULL,
    content            TEXT    NOT NULL,
    PRIMARY KEY (user_id, id)
) STRICT;

CREATE INDEX episodes_reference ON episodes (user_id, reference_time, id, source, state);
CREATE INDEX episodes_content   ON episodes (user_id, content_key, id);
-- What waits is looked for with each user; the index is as long as there are such episodes.
CREATE INDEX episodes_queued    ON episodes (user_id, next_at, id) WHERE state = 'QUEUED';

-- The entities that an episode speaks of.
CREATE TABLE episode_mentions (
    user_id    BLOB NOT NULL,
    episode_id BLOB NOT NULL,
    entity_id  BLOB NOT NULL,
    PRIMARY KEY (user_id, episode_id, entity_id),
    FOREIGN KEY (user_id, episode_id) REFERENCES episodes (user_id, id) ON DELETE CASCADE,
    FOREIGN KEY (user_id, entity_id)  REFERENCES entities (user_id, id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

CREATE INDEX episode_mentions_entity ON episode_mentions (user_id, entity_id, episode_id);

-- One row for each entry of each entity. Terms are bytes: their order is the order of their beginnings, whatever the language.
CREATE TABLE entity_terms (
    user_id BLOB    NOT NULL,
    term    BLOB    NOT NULL,
    n       INTEGER NOT NULL,
    PRIMARY KEY (user_id, term, n)
) STRICT, WITHOUT ROWID;

CREATE TABLE fact_terms (
    user_id BLOB    NOT NULL,
    term    BLOB    NOT NULL,
    n       INTEGER NOT NULL,
    PRIMARY KEY (user_id, term, n)
) STRICT, WITHOUT ROWID;

-- The models of their vectors, as memory_models has those of memories.
CREATE TABLE entity_models (
    user_id    BLOB    NOT NULL,
    number     INTEGER NOT NULL,
    name       TEXT    NOT NULL,
    dimensions INTEGER NOT NULL,
    rows       INTEGER NOT NULL,
    newest     INTEGER NOT NULL,
    PRIMARY KEY (user_id, number)
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX entity_models_name ON entity_models (user_id, name, dimensions);

CREATE TABLE fact_models (
    user_id    BLOB    NOT NULL,
    number     INTEGER NOT NULL,
    name       TEXT    NOT NULL,
    dimensions INTEGER NOT NULL,
    rows       INTEGER NOT NULL,
    newest     INTEGER NOT NULL,
    PRIMARY KEY (user_id, number)
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX fact_models_name ON fact_models (user_id, name, dimensions);

-- One row for each entity and each fact, without a model and a vector as long as it has none, as memory_vectors.
CREATE TABLE entity_vectors (
    user_id   BLOB    NOT NULL,
    n         INTEGER NOT NULL,
    entity_id BLOB    NOT NULL,
    model     INTEGER,
    written   INTEGER NOT NULL,
    -- Half precision, little endian.
    vector    BLOB,
    PRIMARY KEY (user_id, n)
) STRICT;

CREATE INDEX entity_vectors_model   ON entity_vectors (user_id, model, entity_id, n);
CREATE INDEX entity_vectors_written ON entity_vectors (user_id, model, written, n);

CREATE TABLE fact_vectors (
    user_id BLOB    NOT NULL,
    n       INTEGER NOT NULL,
    fact_id BLOB    NOT NULL,
    model   INTEGER,
    written INTEGER NOT NULL,
    vector  BLOB,
    PRIMARY KEY (user_id, n)
) STRICT;

CREATE INDEX fact_vectors_model   ON fact_vectors (user_id, model, fact_id, n);
CREATE INDEX fact_vectors_written ON fact_vectors (user_id, model, written, n);
