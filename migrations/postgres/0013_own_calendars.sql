-- Where new events go, and when the events of own calendars remind.

-- The id of a calendar; empty for none.
ALTER TABLE users ADD COLUMN default_calendar text NOT NULL COLLATE "C" DEFAULT '';

-- A row for each own calendar in which something was written: until when its reminders have been given, and when to look for more.
CREATE TABLE event_reminders (
    user_id     uuid        NOT NULL,
    given_until timestamptz NOT NULL,
    next_at     timestamptz NOT NULL,
    calendar    integer     NOT NULL,
    PRIMARY KEY (user_id, calendar)
);

CREATE INDEX event_reminders_due ON event_reminders (next_at, user_id, calendar);
