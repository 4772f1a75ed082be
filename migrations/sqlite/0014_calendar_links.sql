-- Addresses of calendars: the feed that a calendar is a copy of, and those at which it is published.

CREATE TABLE calendar_links (
    user_id    BLOB    NOT NULL,
    calendar   INTEGER NOT NULL,
    -- FEED, or the form in which it is published: FULL, BUSY.
    kind       TEXT    NOT NULL,
    -- Of the secret in a published address, or of a feed's address.
    hash       BLOB    NOT NULL,
    -- A feed's address, encrypted; empty for a published one.
    sealed     BLOB    NOT NULL,
    -- What is known of a feed, as JSON.
    state      TEXT    NOT NULL,
    created_at INTEGER NOT NULL,
    -- When a feed is read next; NULL for never.
    due_at     INTEGER,
    PRIMARY KEY (user_id, calendar, kind)
) STRICT, WITHOUT ROWID;

CREATE INDEX calendar_links_due ON calendar_links (due_at, user_id, calendar) WHERE due_at IS NOT NULL;
