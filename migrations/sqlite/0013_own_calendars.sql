-- Where new events go, and when the events of own calendars remind.

-- The id of a calendar; empty for none.
ALTER TABLE users ADD COLUMN default_calendar TEXT NOT NULL DEFAULT '';

-- A row for each own calendar in which something was written: until when its reminders have been given, and when to look for more.
CREATE TABLE event_reminders (
    user_id     BLOB    NOT NULL,
    calendar    INTEGER NOT NULL,
    given_until INTEGER NOT NULL,
    next_at     INTEGER NOT NULL,
    PRIMARY KEY (user_id, calendar)
) STRICT, WITHOUT ROWID;

CREATE INDEX event_reminders_due ON event_reminders (next_at, user_id, calendar);
