-- What is due is looked for over all users every few seconds. Its indexes began with the user, so all of each was read to find that
-- nothing was due; now they begin with the time, and a look reads what it returns.
--
-- Each index takes its table one scan and no write meanwhile: for 1,000,000 tasks of which 400,000 have a reminder about a second.

DROP INDEX tasks_reminders;
CREATE INDEX tasks_reminders ON tasks (next_reminder_at, user_id, id) WHERE next_reminder_at IS NOT NULL;

DROP INDEX sync_states_due;
CREATE INDEX sync_states_due ON sync_states (next_at, user_id, connection_id, calendar) WHERE next_at IS NOT NULL;

DROP INDEX episodes_queued;
CREATE INDEX episodes_queued ON episodes (next_at, user_id, id) WHERE state = 'QUEUED';

CREATE INDEX webset_feeds_due ON webset_feeds (next_at, user_id);

-- An e-mail that nobody holds is due at once.
DROP INDEX outbox_held;
CREATE INDEX outbox_held ON outbox (coalesce(held_until, '-infinity'), user_id, id) WHERE state IN ('SENDING', 'UNKNOWN', 'SCHEDULED');

-- What is forgotten at its time.
DROP INDEX outbox_forget;
DROP INDEX webset_events_forget;
DROP INDEX actions_forget;
DROP INDEX actions_undo;
CREATE INDEX outbox_forget         ON outbox        (forget_at);
CREATE INDEX webset_events_forget  ON webset_events (forget_at);
CREATE INDEX actions_forget        ON actions       (forget_at);
CREATE INDEX actions_undo          ON actions       (undo_until) WHERE inverse IS NOT NULL;
CREATE INDEX idempotency_expires   ON idempotency   (expires_at);
CREATE INDEX confirmations_expires ON confirmations (expires_at);
-- Beside memories_expiry, by which a search leaves out what has expired.
CREATE INDEX memories_expired      ON memories      (expires_at, user_id, id) WHERE expires_at < 'infinity';
