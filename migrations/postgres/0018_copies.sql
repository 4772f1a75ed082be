-- Copies of remote calendars: what was deleted is remembered for an hour, and then found by its age.

CREATE INDEX events_tombstones ON events (user_id, calendar, updated_at) WHERE kind = 'TOMBSTONE';
