-- Linked accounts, how far their calendars have been followed, changes of nouns that live elsewhere, and claims on idempotency keys.

-- The number that the user's newest connection got. It survives the connection, so that no number is given twice.
ALTER TABLE users ADD COLUMN connection_number integer NOT NULL DEFAULT 0;

CREATE TABLE connections (
    user_id           uuid        NOT NULL,
    id                uuid        NOT NULL,
    linked_at         timestamptz NOT NULL,
    updated_at        timestamptz NOT NULL,
    access_expires_at timestamptz,
    number            integer     NOT NULL,
    stand_in          boolean     NOT NULL,
    provider          text        NOT NULL,
    account           text        NOT NULL,
    status            text        NOT NULL,
    -- What was granted, separated by spaces.
    scopes            text        NOT NULL,
    -- Ciphertexts; the server's token key, which the database does not have, opens them.
    refresh_token     bytea,
    access_token      bytea,
    PRIMARY KEY (user_id, id)
);

CREATE UNIQUE INDEX connections_account ON connections (user_id, provider, account);
CREATE UNIQUE INDEX connections_number  ON connections (user_id, number);

CREATE TABLE sync_states (
    user_id         uuid        NOT NULL,
    connection_id   uuid        NOT NULL,
    seen_at         timestamptz,
    next_at         timestamptz,
    channel_ends_at timestamptz,
    failures        integer     NOT NULL,
    -- Empty for the account's primary calendar.
    calendar        text        NOT NULL COLLATE "C",
    token           text        NOT NULL,
    channel         text        NOT NULL,
    resource        text        NOT NULL,
    PRIMARY KEY (user_id, connection_id, calendar),
    FOREIGN KEY (user_id, connection_id) REFERENCES connections (user_id, id) ON DELETE CASCADE
);

-- What is due is looked for across users, in the index alone.
CREATE INDEX sync_states_due ON sync_states (user_id, next_at) WHERE next_at IS NOT NULL;

-- Both are NULL for changes of own nouns, which the index does not hold: writing those costs what it did, since the marks of what is
-- NULL fit where a row had a byte to spare. A reference is bytes.
ALTER TABLE changes ADD COLUMN remote bytea, ADD COLUMN version text;

CREATE INDEX changes_remote ON changes (user_id, id, seq) WHERE remote IS NOT NULL;

-- A key is also claimed before there is an answer, which is NULL so long. Of a key that was claimed, seed is what the ids of its effects are
-- derived from, holder is who took it last, and held_until is until when; the last two are NULL after it was given back. notes are what was
-- decided before anything was done, for whoever takes it next; NULL for nothing, and once there is an answer.
ALTER TABLE idempotency
    ALTER COLUMN answer DROP NOT NULL,
    ADD COLUMN seed       uuid,
    ADD COLUMN holder     uuid,
    ADD COLUMN held_until timestamptz,
    ADD COLUMN notes      bytea;
