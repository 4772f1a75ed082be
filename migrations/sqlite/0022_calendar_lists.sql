-- The list of an account's calendars, as it was when it was last synced: JSON, in the state of the list's own feed.

ALTER TABLE sync_states ADD COLUMN list TEXT NOT NULL DEFAULT '';

-- How often something was begun to be written to the remote calendar of a copy.
ALTER TABLE calendars RENAME COLUMN doubts TO writes;
