-- Where changes and reminders are delivered: webhooks, and browsers by Web Push.

CREATE TABLE channels (
    user_id    BLOB    NOT NULL,
    id         BLOB    NOT NULL,
    -- WEBHOOK or PUSH.
    kind       TEXT    NOT NULL,
    -- Of the address.
    hash       BLOB    NOT NULL,
    -- The address and the secrets, encrypted.
    sealed     BLOB    NOT NULL,
    -- What is delivered, and how deliveries went, as JSON.
    state      TEXT    NOT NULL,
    -- The number of the last change that was delivered, or that is not to be.
    place      INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    -- When to deliver next, if there is something; until when a process delivers; NULL for never.
    due_at     INTEGER,
    PRIMARY KEY (user_id, id)
) STRICT, WITHOUT ROWID;

CREATE INDEX channels_due ON channels (due_at, user_id, id, place) WHERE due_at IS NOT NULL;
