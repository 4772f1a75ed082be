-- Linked accounts, how far their calendars have been followed, changes of nouns that live elsewhere, and claims on idempotency keys.

-- The number that the user's newest connection got. It survives the connection, so that no number is given twice.
ALTER TABLE users ADD COLUMN connection_number INTEGER NOT NULL DEFAULT 0;

CREATE TABLE connections (
    user_id           BLOB    NOT NULL,
    id                BLOB    NOT NULL,
    number            INTEGER NOT NULL,
    provider          TEXT    NOT NULL,
    account           TEXT    NOT NULL,
    status            TEXT    NOT NULL,
    -- What was granted, separated by spaces.
    scopes            TEXT    NOT NULL,
    stand_in          INTEGER NOT NULL,
    linked_at         INTEGER NOT NULL,
    updated_at        INTEGER NOT NULL,
    -- Ciphertexts; the server's token key, which the database does not have, opens them.
    refresh_token     BLOB,
    access_token      BLOB,
    access_expires_at INTEGER,
    PRIMARY KEY (user_id, id)
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX connections_account ON connections (user_id, provider, account);
CREATE UNIQUE INDEX connections_number  ON connections (user_id, number);

CREATE TABLE sync_states (
    user_id         BLOB    NOT NULL,
    connection_id   BLOB    NOT NULL,
    -- Empty for the account's primary calendar.
    calendar        TEXT    NOT NULL,
    token           TEXT    NOT NULL,
    seen_at         INTEGER,
    next_at         INTEGER,
    failures        INTEGER NOT NULL,
    channel         TEXT    NOT NULL,
    resource        TEXT    NOT NULL,
    channel_ends_at INTEGER,
    PRIMARY KEY (user_id, connection_id, calendar),
    FOREIGN KEY (user_id, connection_id) REFERENCES connections (user_id, id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

-- What is due is looked for at each connection.
CREATE INDEX sync_states_due ON sync_states (user_id, connection_id, next_at) WHERE next_at IS NOT NULL;

-- Both are NULL for changes of own nouns, which the index does not hold: writing those costs what it did. A reference is bytes.
ALTER TABLE changes ADD COLUMN remote BLOB;
ALTER TABLE changes ADD COLUMN version TEXT;

CREATE INDEX changes_remote ON changes (user_id, id, seq) WHERE remote IS NOT NULL;

-- A key is also claimed before there is an answer, and SQLite takes no NOT NULL away but by a new table.
CREATE TABLE idempotency_keys (
    user_id     BLOB    NOT NULL,
    key         TEXT    NOT NULL,
    fingerprint BLOB    NOT NULL,
    expires_at  INTEGER NOT NULL,
    -- NULL as long as there is none.
    answer      BLOB,
    -- Of a key that was claimed: what the ids of its effects are derived from, who took it last, and until when it is held; the last
    -- two are NULL after it was given back.
    seed        BLOB,
    holder      BLOB,
    held_until  INTEGER,
    -- What was decided before anything was done, for whoever takes it next; NULL for nothing, and once there is an answer.
    notes       BLOB,
    PRIMARY KEY (user_id, key)
) STRICT, WITHOUT ROWID;

INSERT INTO idempotency_keys (user_id, key, fingerprint, expires_at, answer) SELECT user_id, key, fingerprint, expires_at, answer FROM idempotency;

DROP TABLE idempotency;

ALTER TABLE idempotency_keys RENAME TO idempotency;
