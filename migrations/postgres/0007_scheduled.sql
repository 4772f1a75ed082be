-- E-mails that are to be sent at a time. Until then held_until is that time, or that of the next try.
ALTER TABLE outbox ADD COLUMN send_at timestamptz;

DROP INDEX outbox_held;
CREATE INDEX outbox_held ON outbox (user_id, held_until, id) WHERE state IN ('SENDING', 'UNKNOWN', 'SCHEDULED');
