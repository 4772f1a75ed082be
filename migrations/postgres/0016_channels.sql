-- Where changes and reminders are delivered: webhooks, and browsers by Web Push.

CREATE TABLE channels (
    user_id    uuid        NOT NULL,
    id         uuid        NOT NULL,
    -- WEBHOOK or PUSH.
    kind       text        NOT NULL COLLATE "C",
    -- Of the address.
    hash       bytea       NOT NULL,
    -- The address and the secrets, encrypted.
    sealed     bytea       NOT NULL,
    -- What is delivered, and how deliveries went, as JSON.
    state      text        NOT NULL,
    -- The number of the last change that was delivered, or that is not to be.
    place      bigint      NOT NULL,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    -- When to deliver next, if there is something; until when a process delivers; NULL for never.
    due_at     timestamptz,
    PRIMARY KEY (user_id, id)
);

CREATE INDEX channels_due ON channels (due_at, user_id, id, place) WHERE due_at IS NOT NULL;
