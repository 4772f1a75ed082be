-- What is kept of mailboxes so that it need not be read again, and e-mails that wait to be sent.

-- How far the cache of a connection follows its mailbox.
CREATE TABLE mailboxes (
    user_id       BLOB NOT NULL,
    connection_id BLOB NOT NULL,
    -- The remote's history number up to which the labels in mail_cache are known.
    history       TEXT NOT NULL,
    checked_at    INTEGER,
    PRIMARY KEY (user_id, connection_id),
    FOREIGN KEY (user_id, connection_id) REFERENCES connections (user_id, id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

CREATE TABLE mail_cache (
    user_id       BLOB    NOT NULL,
    connection_id BLOB    NOT NULL,
    -- The remote's.
    id            TEXT    NOT NULL,
    depth         INTEGER NOT NULL,
    -- 1 when the labels are not known any more.
    stale         INTEGER NOT NULL,
    used_at       INTEGER NOT NULL,
    -- The remote's label ids, separated by spaces.
    labels        TEXT    NOT NULL,
    -- A ciphertext; the server's token key, which the database does not have, opens it.
    sealed        BLOB    NOT NULL,
    PRIMARY KEY (user_id, connection_id, id),
    FOREIGN KEY (user_id, connection_id) REFERENCES connections (user_id, id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

-- What was not used for longest goes first; the rows are counted here, since the table is wide.
CREATE INDEX mail_cache_used ON mail_cache (user_id, connection_id, used_at, id);

-- An e-mail goes with its connection: it could never be sent any more.
CREATE TABLE outbox (
    user_id       BLOB    NOT NULL,
    id            BLOB    NOT NULL,
    connection_id BLOB    NOT NULL,
    account       TEXT    NOT NULL,
    state         TEXT    NOT NULL,
    hash          BLOB    NOT NULL,
    thread        TEXT    NOT NULL,
    created_at    INTEGER NOT NULL,
    expires_at    INTEGER NOT NULL,
    -- From when on nobody needs to know of it any more.
    forget_at     INTEGER NOT NULL,
    -- Who sends it, and until when nobody else may look into it.
    holder        BLOB,
    held_until    INTEGER,
    draft         TEXT    NOT NULL,
    sent          TEXT    NOT NULL,
    sent_thread   TEXT    NOT NULL,
    sent_at       INTEGER,
    problem       TEXT    NOT NULL,
    -- Ciphertexts.
    shown         BLOB    NOT NULL,
    message       BLOB    NOT NULL,
    PRIMARY KEY (user_id, connection_id, id),
    FOREIGN KEY (user_id, connection_id) REFERENCES connections (user_id, id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX outbox_id ON outbox (user_id, id);

-- How many wait to be sent is counted here, since the table is wide.
CREATE INDEX outbox_waiting ON outbox (user_id, state, expires_at);
CREATE INDEX outbox_forget  ON outbox (user_id, forget_at, id);
-- What is under way is looked for across users; the index is as long as there is such mail.
CREATE INDEX outbox_held    ON outbox (user_id, held_until, id) WHERE state IN ('SENDING', 'UNKNOWN');
