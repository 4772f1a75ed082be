-- Webhooks of websets that were made through this server, how far their accounts' events have been read, and which of the events have been told.

CREATE TABLE webset_hooks (
    user_id    uuid        NOT NULL,
    -- Ours; the address that is told has it.
    id         uuid        NOT NULL,
    created_at timestamptz NOT NULL,
    -- The address is this server's own.
    receives   boolean     NOT NULL,
    -- The remote's; empty as long as its creation was not answered.
    remote     text        NOT NULL,
    -- A ciphertext; the server's token key, which the database does not have, opens it. NULL as long as the creation was not answered.
    secret     bytea,
    PRIMARY KEY (user_id, id)
);

-- One for each user with a webhook that receives. The table is as small as an index of what is due would be, and changes with every look.
CREATE TABLE webset_feeds (
    user_id  uuid        NOT NULL,
    seen_at  timestamptz NOT NULL,
    next_at  timestamptz NOT NULL,
    failures integer     NOT NULL,
    PRIMARY KEY (user_id)
) WITH (fillfactor = 50);

CREATE TABLE webset_events (
    user_id   uuid        NOT NULL,
    -- From when on the remote gives the event no more.
    forget_at timestamptz NOT NULL,
    -- The remote's id.
    event     text        NOT NULL COLLATE "C",
    PRIMARY KEY (user_id, event)
);

CREATE INDEX webset_events_forget ON webset_events (user_id, forget_at);
