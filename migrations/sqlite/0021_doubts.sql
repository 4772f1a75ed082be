-- Copies of remote calendars: how often one was put in doubt, so that a look that began before the last time leaves it so.

ALTER TABLE calendars ADD COLUMN doubts INTEGER NOT NULL DEFAULT 0;
