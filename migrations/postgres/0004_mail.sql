-- What is kept of mailboxes so that it need not be read again, and e-mails that wait to be sent.

-- How far the cache of a connection follows its mailbox.
CREATE TABLE mailboxes (
    user_id       uuid NOT NULL,
    connection_id uuid NOT NULL,
    checked_at    timestamptz,
    -- The remote's history number up to which the labels in mail_cache are known.
    history       text NOT NULL,
    PRIMARY KEY (user_id, connection_id),
    FOREIGN KEY (user_id, connection_id) REFERENCES connections (user_id, id) ON DELETE CASCADE
) WITH (fillfactor = 50); -- it changes with every look

CREATE TABLE mail_cache (
    user_id       uuid        NOT NULL,
    connection_id uuid        NOT NULL,
    used_at       timestamptz NOT NULL,
    depth         integer     NOT NULL,
    -- The labels are not known any more.
    stale         boolean     NOT NULL,
    -- The remote's.
    id            text        NOT NULL COLLATE "C",
    -- The remote's label ids, separated by spaces.
    labels        text        NOT NULL,
    -- A ciphertext; the server's token key, which the database does not have, opens it.
    sealed        bytea       NOT NULL,
    PRIMARY KEY (user_id, connection_id, id),
    FOREIGN KEY (user_id, connection_id) REFERENCES connections (user_id, id) ON DELETE CASCADE
);

-- Ciphertexts do not compress.
ALTER TABLE mail_cache ALTER COLUMN sealed SET STORAGE EXTERNAL;

-- What was not used for longest goes first.
CREATE INDEX mail_cache_used ON mail_cache (user_id, connection_id, used_at, id);

-- An e-mail goes with its connection: it could never be sent any more.
CREATE TABLE outbox (
    user_id       uuid        NOT NULL,
    id            uuid        NOT NULL,
    connection_id uuid        NOT NULL,
    created_at    timestamptz NOT NULL,
    expires_at    timestamptz NOT NULL,
    -- From when on nobody needs to know of it any more.
    forget_at     timestamptz NOT NULL,
    -- Who sends it, and until when nobody else may look into it.
    holder        uuid,
    held_until    timestamptz,
    sent_at       timestamptz,
    account       text        NOT NULL,
    state         text        NOT NULL,
    thread        text        NOT NULL,
    draft         text        NOT NULL,
    sent          text        NOT NULL,
    sent_thread   text        NOT NULL,
    problem       text        NOT NULL,
    hash          bytea       NOT NULL,
    -- Ciphertexts.
    shown         bytea       NOT NULL,
    message       bytea       NOT NULL,
    PRIMARY KEY (user_id, id),
    FOREIGN KEY (user_id, connection_id) REFERENCES connections (user_id, id) ON DELETE CASCADE
);

ALTER TABLE outbox ALTER COLUMN shown SET STORAGE EXTERNAL, ALTER COLUMN message SET STORAGE EXTERNAL;

CREATE INDEX outbox_connection ON outbox (user_id, connection_id, state);
CREATE INDEX outbox_forget     ON outbox (user_id, forget_at, id);
-- What is under way is looked for across users; the index is as long as there is such mail.
CREATE INDEX outbox_held       ON outbox (user_id, held_until, id) WHERE state IN ('SENDING', 'UNKNOWN');
