-- Webhooks of websets that were made through this server, how far their accounts' events have been read, and which of the events have been told.

CREATE TABLE webset_hooks (
    user_id    BLOB    NOT NULL,
    -- Ours; the address that is told has it.
    id         BLOB    NOT NULL,
    created_at INTEGER NOT NULL,
    -- 1 when the address is this server's own.
    receives   INTEGER NOT NULL,
    -- The remote's; empty as long as its creation was not answered.
    remote     TEXT    NOT NULL,
    -- A ciphertext; the server's token key, which the database does not have, opens it. NULL as long as the creation was not answered.
    secret     BLOB,
    PRIMARY KEY (user_id, id)
) STRICT, WITHOUT ROWID;

-- One for each user with a webhook that receives. The table is as small as an index of what is due would be.
CREATE TABLE webset_feeds (
    user_id  BLOB    NOT NULL,
    seen_at  INTEGER NOT NULL,
    next_at  INTEGER NOT NULL,
    failures INTEGER NOT NULL,
    PRIMARY KEY (user_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE webset_events (
    user_id   BLOB    NOT NULL,
    -- The remote's id.
    event     TEXT    NOT NULL,
    -- From when on the remote gives the event no more.
    forget_at INTEGER NOT NULL,
    PRIMARY KEY (user_id, event)
) STRICT, WITHOUT ROWID;

CREATE INDEX webset_events_forget ON webset_events (user_id, forget_at);
