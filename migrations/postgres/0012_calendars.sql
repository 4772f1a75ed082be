-- Calendars of one's own, and copies of remote ones, with their events.

-- The number of the user's newest calendar, which survives the calendar, so that none is given twice; and how often events were written.
ALTER TABLE users
    ADD COLUMN calendar_number integer NOT NULL DEFAULT 0,
    ADD COLUMN event_number    bigint  NOT NULL DEFAULT 0;

CREATE TABLE calendars (
    user_id          uuid        NOT NULL,
    created_at       timestamptz NOT NULL,
    updated_at       timestamptz NOT NULL,
    as_of            timestamptz,
    generation       bigint      NOT NULL,
    number           integer     NOT NULL,
    -- The number of the linked account; 0 for an own calendar. Accounts that are unlinked leave their calendars behind for as long as it
    -- takes to erase the events, so this is no foreign key.
    connection       integer     NOT NULL,
    shape            integer     NOT NULL,
    is_primary       boolean     NOT NULL,
    selected         boolean     NOT NULL,
    followed         boolean     NOT NULL,
    source           text        NOT NULL COLLATE "C",
    state            text        NOT NULL COLLATE "C",
    remote_id        text        NOT NULL COLLATE "C",
    name             text        NOT NULL,
    description      text        NOT NULL,
    zone             text        NOT NULL,
    background_color text        NOT NULL,
    foreground_color text        NOT NULL,
    role             text        NOT NULL,
    reminders        text        NOT NULL,
    page_token       text        NOT NULL,
    version          text        NOT NULL,
    PRIMARY KEY (user_id, number)
);

CREATE UNIQUE INDEX calendars_remote ON calendars (user_id, connection, remote_id) WHERE connection > 0 AND state <> 'DELETED';
CREATE INDEX calendars_deleted ON calendars (updated_at, user_id, number) WHERE state = 'DELETED';

CREATE TABLE events (
    user_id         uuid        NOT NULL,
    original_at     timestamptz,
    -- NULL for a dropped occurrence that says no times. Days are midnights in UTC, floating times as if in UTC.
    starts_at       timestamptz,
    ends_at         timestamptz,
    -- Infinity for a series without end, and for what is none.
    lasts_until     timestamptz NOT NULL,
    updated_at      timestamptz NOT NULL,
    applied         bigint      NOT NULL,
    generation      bigint      NOT NULL,
    calendar        integer     NOT NULL,
    original_is_day boolean     NOT NULL,
    all_day         boolean     NOT NULL,
    floating        boolean     NOT NULL,
    -- Longer than 48 hours.
    long            boolean     NOT NULL,
    transparent     boolean     NOT NULL,
    declined        boolean     NOT NULL,
    kind            text        NOT NULL COLLATE "C",
    id              text        NOT NULL COLLATE "C",
    -- Empty for none.
    series          text        NOT NULL COLLATE "C",
    uid             text        NOT NULL COLLATE "C",
    zone            text        NOT NULL,
    summary         text        NOT NULL,
    status          text        NOT NULL,
    type            text        NOT NULL,
    version         text        NOT NULL,
    -- Lines, with line feeds between.
    recurrence      text        NOT NULL,
    overrides       text        NOT NULL,
    PRIMARY KEY (user_id, calendar, id)
);

-- What begins in a window, what began long before, series that still go on, exceptions by the occurrence that they stand for, and those of
-- a series. A window reads each of the first four from its own beginning on, so what has passed costs nothing.
CREATE INDEX events_start      ON events (user_id, calendar, starts_at, id) WHERE kind IN ('SINGLE', 'CHANGED') AND NOT long;
CREATE INDEX events_long       ON events (user_id, calendar, ends_at, starts_at, id) WHERE kind IN ('SINGLE', 'CHANGED') AND long;
CREATE INDEX events_living     ON events (user_id, calendar, lasts_until, starts_at, id) INCLUDE (long) WHERE kind = 'SERIES';
CREATE INDEX events_original   ON events (user_id, calendar, original_at, series, id) WHERE kind IN ('CHANGED', 'DROPPED');
CREATE INDEX events_exceptions ON events (user_id, calendar, series, original_at) WHERE kind IN ('CHANGED', 'DROPPED');
CREATE INDEX events_uid        ON events (user_id, uid, calendar, id);

-- What lists of events do not read: description, people and reminders as JSON, and the folded text that searches look at.
CREATE TABLE event_bodies (
    user_id  uuid    NOT NULL,
    calendar integer NOT NULL,
    id       text    NOT NULL COLLATE "C",
    body     text    NOT NULL,
    folded   text    NOT NULL,
    PRIMARY KEY (user_id, calendar, id)
);
