-- What mutations have done, and what undoing them needs.

CREATE TABLE actions (
    user_id    uuid        NOT NULL,
    id         uuid        NOT NULL,
    at         timestamptz NOT NULL,
    -- NULL when it cannot be undone.
    undo_until timestamptz,
    undone_by  uuid,
    undoes     uuid,
    forget_at  timestamptz NOT NULL,
    -- The mutation's name.
    kind       text        NOT NULL COLLATE "C",
    source     text        NOT NULL COLLATE "C",
    -- Empty for none.
    token      text        NOT NULL,
    client     text        NOT NULL,
    -- Empty once what it tells of was erased.
    summary    text        NOT NULL,
    -- Public ids, separated by spaces.
    touched    text        NOT NULL,
    -- NULL when it cannot be undone, or not any more.
    inverse    bytea,
    PRIMARY KEY (user_id, id)
);

CREATE INDEX actions_forget ON actions (user_id, forget_at, id);
-- The index is as long as there are actions that can be undone.
CREATE INDEX actions_undo   ON actions (user_id, undo_until, id) WHERE inverse IS NOT NULL;

-- The records whose texts an action may hold, so that they are erased together.
CREATE TABLE action_records (
    user_id   uuid NOT NULL,
    record_id uuid NOT NULL,
    action_id uuid NOT NULL,
    -- The prefix of the record's public id.
    kind      text NOT NULL COLLATE "C",
    PRIMARY KEY (user_id, record_id, action_id),
    FOREIGN KEY (user_id, action_id) REFERENCES actions (user_id, id) ON DELETE CASCADE
);

CREATE INDEX action_records_action ON action_records (user_id, action_id);
CREATE INDEX action_records_kind   ON action_records (user_id, kind, action_id);
