-- Addresses of calendars: the feed that a calendar is a copy of, and those at which it is published.

CREATE TABLE calendar_links (
    user_id    uuid        NOT NULL,
    calendar   integer     NOT NULL,
    -- FEED, or the form in which it is published: FULL, BUSY.
    kind       text        NOT NULL COLLATE "C",
    -- Of the secret in a published address, or of a feed's address.
    hash       bytea       NOT NULL,
    -- A feed's address, encrypted; empty for a published one.
    sealed     bytea       NOT NULL,
    -- What is known of a feed, as JSON.
    state      text        NOT NULL,
    created_at timestamptz NOT NULL,
    -- When a feed is read next; NULL for never.
    due_at     timestamptz,
    PRIMARY KEY (user_id, calendar, kind)
);

CREATE INDEX calendar_links_due ON calendar_links (due_at, user_id, calendar) WHERE due_at IS NOT NULL;
