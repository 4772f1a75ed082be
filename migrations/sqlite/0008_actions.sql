-- What mutations have done, and what undoing them needs.

CREATE TABLE actions (
    user_id    BLOB    NOT NULL,
    id         BLOB    NOT NULL,
    at         INTEGER NOT NULL,
    -- The mutation's name.
    kind       TEXT    NOT NULL,
    source     TEXT    NOT NULL,
    -- Empty for none.
    token      TEXT    NOT NULL,
    client     TEXT    NOT NULL,
    -- Empty once what it tells of was erased.
    summary    TEXT    NOT NULL,
    -- Public ids, separated by spaces.
    touched    TEXT    NOT NULL,
    -- NULL when it cannot be undone.
    undo_until INTEGER,
    undone_by  BLOB,
    undoes     BLOB,
    forget_at  INTEGER NOT NULL,
    -- NULL when it cannot be undone, or not any more.
    inverse    BLOB,
    PRIMARY KEY (user_id, id)
) STRICT;

CREATE INDEX actions_forget ON actions (user_id, forget_at, id);
-- The index is as long as there are actions that can be undone.
CREATE INDEX actions_undo   ON actions (user_id, undo_until, id) WHERE inverse IS NOT NULL;

-- The records whose texts an action may hold, so that they are erased together.
CREATE TABLE action_records (
    user_id   BLOB NOT NULL,
    record_id BLOB NOT NULL,
    action_id BLOB NOT NULL,
    -- The prefix of the record's public id.
    kind      TEXT NOT NULL,
    PRIMARY KEY (user_id, record_id, action_id),
    FOREIGN KEY (user_id, action_id) REFERENCES actions (user_id, id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

CREATE INDEX action_records_action ON action_records (user_id, action_id);
CREATE INDEX action_records_kind   ON action_records (user_id, kind, action_id);
