-- Calendars of one's own, and copies of remote ones, with their events.

-- The number of the user's newest calendar, which survives the calendar, so that none is given twice; and how often events were written.
ALTER TABLE users ADD COLUMN calendar_number INTEGER NOT NULL DEFAULT 0;
ALTER TABLE users ADD COLUMN event_number    INTEGER NOT NULL DEFAULT 0;

CREATE TABLE calendars (
    user_id          BLOB    NOT NULL,
    number           INTEGER NOT NULL,
    source           TEXT    NOT NULL,
    -- The number of the linked account; 0 for an own calendar. Accounts that are unlinked leave their calendars behind for as long as it
    -- takes to erase the events, so this is no foreign key.
    connection       INTEGER NOT NULL,
    remote_id        TEXT    NOT NULL,
    created_at       INTEGER NOT NULL,
    name             TEXT    NOT NULL,
    description      TEXT    NOT NULL,
    zone             TEXT    NOT NULL,
    background_color TEXT    NOT NULL,
    foreground_color TEXT    NOT NULL,
    is_primary       INTEGER NOT NULL,
    selected         INTEGER NOT NULL,
    followed         INTEGER NOT NULL,
    role             TEXT    NOT NULL,
    reminders        TEXT    NOT NULL,
    state            TEXT    NOT NULL,
    generation       INTEGER NOT NULL,
    page_token       TEXT    NOT NULL,
    shape            INTEGER NOT NULL,
    as_of            INTEGER,
    version          TEXT    NOT NULL,
    updated_at       INTEGER NOT NULL,
    PRIMARY KEY (user_id, number)
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX calendars_remote ON calendars (user_id, connection, remote_id) WHERE connection > 0 AND state <> 'DELETED';
CREATE INDEX calendars_deleted ON calendars (updated_at, user_id, number) WHERE state = 'DELETED';

CREATE TABLE events (
    user_id         BLOB    NOT NULL,
    calendar        INTEGER NOT NULL,
    id              TEXT    NOT NULL,
    kind            TEXT    NOT NULL,
    -- Empty for none.
    series          TEXT    NOT NULL,
    original_at     INTEGER,
    original_is_day INTEGER NOT NULL,
    -- NULL for a dropped occurrence that says no times. Days are midnights in UTC, floating times as if in UTC.
    starts_at       INTEGER,
    ends_at         INTEGER,
    all_day         INTEGER NOT NULL,
    floating        INTEGER NOT NULL,
    zone            TEXT    NOT NULL,
    -- Longer than 48 hours.
    long            INTEGER NOT NULL,
    -- 9223372036854775807 for a series without end, and for what is none.
    lasts_until     INTEGER NOT NULL,
    -- Lines, with line feeds between, as overrides are.
    recurrence      TEXT    NOT NULL,
    summary         TEXT    NOT NULL,
    status          TEXT    NOT NULL,
    type            TEXT    NOT NULL,
    transparent     INTEGER NOT NULL,
    declined        INTEGER NOT NULL,
    uid             TEXT    NOT NULL,
    version         TEXT    NOT NULL,
    applied         INTEGER NOT NULL,
    generation      INTEGER NOT NULL,
    overrides       TEXT    NOT NULL,
    updated_at      INTEGER NOT NULL,
    PRIMARY KEY (user_id, calendar, id)
) STRICT, WITHOUT ROWID;

-- What begins in a window, what began long before, series that still go on, exceptions by the occurrence that they stand for, and those of
-- a series. A window reads each of the first four from its own beginning on, so what has passed costs nothing.
CREATE INDEX events_start      ON events (user_id, calendar, starts_at, id) WHERE kind IN ('SINGLE', 'CHANGED') AND long = 0;
CREATE INDEX events_long       ON events (user_id, calendar, ends_at, starts_at, id) WHERE kind IN ('SINGLE', 'CHANGED') AND long = 1;
CREATE INDEX events_living     ON events (user_id, calendar, lasts_until, starts_at, id, long) WHERE kind = 'SERIES';
CREATE INDEX events_original   ON events (user_id, calendar, original_at, series, id) WHERE kind IN ('CHANGED', 'DROPPED');
CREATE INDEX events_exceptions ON events (user_id, calendar, series, original_at) WHERE kind IN ('CHANGED', 'DROPPED');
CREATE INDEX events_uid        ON events (user_id, uid, calendar, id);

-- What lists of events do not read: description, people and reminders as JSON, and the folded text that searches look at.
CREATE TABLE event_bodies (
    user_id  BLOB    NOT NULL,
    calendar INTEGER NOT NULL,
    id       TEXT    NOT NULL,
    body     TEXT    NOT NULL,
    folded   TEXT    NOT NULL,
    PRIMARY KEY (user_id, calendar, id)
) STRICT, WITHOUT ROWID;
