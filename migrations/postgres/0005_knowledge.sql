-- The knowledge graph: entities, facts between them, the episodes that they were read from, the indexes by words, and the vectors.
--
-- The indexes by words, the models and the vectors of entities and of facts are made exactly as those of memories, so that one search serves all three. No row references another:
-- all that hangs together is written and erased by one statement under the user's lock, as with memories.

ALTER TABLE users
    -- The numbers that the user's newest entity and newest fact got; none is given twice.
    ADD COLUMN entity_number integer NOT NULL DEFAULT 0,
    ADD COLUMN fact_number   integer NOT NULL DEFAULT 0,
    -- When the graph was changed last, if ever.
    ADD COLUMN knowledge_at  timestamptz;

CREATE TABLE entities (
    user_id    uuid        NOT NULL,
    id         uuid        NOT NULL,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    -- Counts the user's entities, so that what points to one is small.
    n          integer     NOT NULL,
    version    integer     NOT NULL,
    -- The folded ones; they are bounded, so that an index holds them whole.
    name_key   text        NOT NULL COLLATE "C",
    type_key   text        NOT NULL COLLATE "C",
    name       text        NOT NULL,
    -- Empty for none.
    type       text        NOT NULL,
    aliases    text[]      NOT NULL,
    summary    text        NOT NULL,
    -- One object in canonical form; json keeps its text as it is.
    attributes json,
    -- The terms under which entity_terms has it.
    entries    text[]      NOT NULL,
    PRIMARY KEY (user_id, id)
);

-- The order of a listing, of all and of one type; and what a search asks about.
CREATE INDEX        entities_name ON entities (user_id, name_key, id);
CREATE INDEX        entities_type ON entities (user_id, type_key, name_key, id);
CREATE UNIQUE INDEX entities_n    ON entities (user_id, n) INCLUDE (id, created_at);

-- One row for the folded name of an entity and for each of its folded aliases.
CREATE TABLE entity_names (
    user_id   uuid NOT NULL,
    entity_id uuid NOT NULL,
    name_key  text NOT NULL COLLATE "C",
    PRIMARY KEY (user_id, name_key, entity_id)
);

CREATE INDEX entity_names_entity ON entity_names (user_id, entity_id);

-- What became part of another entity, and of which: always one that is there, so no chain has to be followed.
CREATE TABLE entity_redirects (
    user_id   uuid NOT NULL,
    id        uuid NOT NULL,
    entity_id uuid NOT NULL,
    PRIMARY KEY (user_id, id)
);

CREATE INDEX entity_redirects_entity ON entity_redirects (user_id, entity_id, id);

CREATE TABLE facts (
    user_id     uuid        NOT NULL,
    id          uuid        NOT NULL,
    source_id   uuid        NOT NULL,
    target_id   uuid        NOT NULL,
    created_at  timestamptz NOT NULL,
    -- When it holds in the world: -infinity and infinity for no bound, so that a moment is compared with both and none is a case of its own.
    valid_at    timestamptz NOT NULL,
    invalid_at  timestamptz NOT NULL,
    expired_at  timestamptz,
    replaced_by uuid,
    confidence  double precision,
    -- Counts the user's facts.
    n           integer     NOT NULL,
    version     integer     NOT NULL,
    relation    text        NOT NULL COLLATE "C",
    sentence    text        NOT NULL,
    attributes  json,
    -- The terms under which fact_terms has it.
    entries     text[]      NOT NULL,
    PRIMARY KEY (user_id, id)
);

-- The order of a listing: of all facts, of those at either end of an entity, and of one relation. What most filters ask about rides along, so that what is left out is not fetched, and
-- what holds is counted in the index alone.
CREATE INDEX facts_created  ON facts (user_id, created_at, id) INCLUDE (valid_at, invalid_at);
CREATE INDEX facts_source   ON facts (user_id, source_id, created_at, id) INCLUDE (target_id, valid_at, invalid_at);
CREATE INDEX facts_target   ON facts (user_id, target_id, created_at, id) INCLUDE (source_id, valid_at, invalid_at);
CREATE INDEX facts_relation ON facts (user_id, relation, created_at, id) INCLUDE (valid_at, invalid_at);
-- What a source has of one relation.
CREATE INDEX facts_pair     ON facts (user_id, source_id, relation, id);
-- What a search asks about.
CREATE UNIQUE INDEX facts_n ON facts (user_id, n) INCLUDE (valid_at, invalid_at);

-- The episodes that support a fact. An episode that is named need not be there.
CREATE TABLE fact_episodes (
    user_id    uuid NOT NULL,
    fact_id    uuid NOT NULL,
    episode_id uuid NOT NULL,
    PRIMARY KEY (user_id, fact_id, episode_id)
);

CREATE INDEX fact_episodes_episode ON fact_episodes (user_id, episode_id, fact_id);

CREATE TABLE episodes (
    user_id            uuid        NOT NULL,
    id                 uuid        NOT NULL,
    reference_time     timestamptz NOT NULL,
    created_at         timestamptz NOT NULL,
    -- When to try to read it next; the first instant of year 1 for at once.
    next_at            timestamptz NOT NULL,
    attempts           integer     NOT NULL,
    -- The first 16 bytes of SHA-256 of the content.
    content_key        bytea       NOT NULL,
    source             text        NOT NULL,
    state              text        NOT NULL,
    name               text        NOT NULL,
    source_description text        NOT NULL,
    problem            text        NOT NULL,
    content            text        NOT NULL,
    PRIMARY KEY (user_id, id)
);

CREATE INDEX episodes_reference ON episodes (user_id, reference_time, id) INCLUDE (source, state);
CREATE INDEX episodes_content   ON episodes (user_id, content_key, id);
-- What waits to be read is looked for across users; the index is as long as there are such episodes.
CREATE INDEX episodes_queued    ON episodes (user_id, next_at, id) WHERE state = 'QUEUED';

-- The entities that an episode speaks of.
CREATE TABLE episode_mentions (
    user_id    uuid NOT NULL,
    episode_id uuid NOT NULL,
    entity_id  uuid NOT NULL,
    PRIMARY KEY (user_id, episode_id, entity_id)
);

CREATE INDEX episode_mentions_entity ON episode_mentions (user_id, entity_id, episode_id);

-- One row for each entry of each entity and each fact, compared bytewise, as memory_terms.
CREATE TABLE entity_terms (
    user_id uuid    NOT NULL,
    n       integer NOT NULL,
    term    text    NOT NULL COLLATE "C",
    PRIMARY KEY (user_id, term, n)
);

CREATE TABLE fact_terms (
    user_id uuid    NOT NULL,
    n       integer NOT NULL,
    term    text    NOT NULL COLLATE "C",
    PRIMARY KEY (user_id, term, n)
);

-- The models that their vectors are of, as memory_models. What changes with every row has room for its new version on the same page.
CREATE TABLE entity_models (
    user_id    uuid     NOT NULL,
    rows       integer  NOT NULL,
    dimensions integer  NOT NULL,
    number     smallint NOT NULL,
    name       text     NOT NULL,
    PRIMARY KEY (user_id, number)
) WITH (fillfactor = 50);

CREATE UNIQUE INDEX entity_models_name ON entity_models (user_id, name, dimensions);

CREATE TABLE fact_models (
    user_id    uuid     NOT NULL,
    rows       integer  NOT NULL,
    dimensions integer  NOT NULL,
    number     smallint NOT NULL,
    name       text     NOT NULL,
    PRIMARY KEY (user_id, number)
) WITH (fillfactor = 50);

CREATE UNIQUE INDEX fact_models_name ON fact_models (user_id, name, dimensions);

-- One row for each entity and each fact, without a model and a vector as long as it has none, as memory_vectors.
CREATE TABLE entity_vectors (
    user_id   uuid     NOT NULL,
    entity_id uuid     NOT NULL,
    n         integer  NOT NULL,
    model     smallint,
    embedding halfvec,
    PRIMARY KEY (user_id, n)
);

CREATE TABLE fact_vectors (
    user_id    uuid        NOT NULL,
    fact_id    uuid        NOT NULL,
    -- The fact's own: nearly every search asks for what holds, and reads the vectors of all that does.
    valid_at   timestamptz NOT NULL,
    invalid_at timestamptz NOT NULL,
    n          integer     NOT NULL,
    model      smallint,
    embedding  halfvec,
    PRIMARY KEY (user_id, n)
);

ALTER TABLE entity_vectors ALTER COLUMN embedding SET STORAGE PLAIN;
ALTER TABLE fact_vectors   ALTER COLUMN embedding SET STORAGE PLAIN;

-- What has no vector yet is looked for across users. The indexes are as long as there is work to do.
CREATE INDEX entity_vectors_pending ON entity_vectors (user_id, entity_id) WHERE model IS NULL;
CREATE INDEX fact_vectors_pending   ON fact_vectors (user_id, fact_id)     WHERE model IS NULL;
