-- The first schema: users, tasks, lists, the change log, and what keeps writes and tokens honest.
--
-- Every primary key and every index begins with user_id; the two tables without an owner, schema_migrations (made by the
-- program before the first step) and secrets (the server's own), are the only exceptions.
-- Times are microseconds since 1970 in UTC, NULL for none, unless a column says otherwise. Ids are 16 bytes, and since they are
-- UUIDv7 their order is the order of creation. Tables are clustered by their primary key.

CREATE TABLE users (
    user_id    BLOB    NOT NULL PRIMARY KEY,
    subject    TEXT    NOT NULL,
    email      TEXT    NOT NULL,
    time_zone  TEXT    NOT NULL,
    locale     TEXT    NOT NULL,
    week_start TEXT    NOT NULL,
    -- NULL while only a write has made the row and nobody has said who the user is.
    created_at INTEGER,
    -- The number of the last change, and of the last one that was pruned.
    change_seq INTEGER NOT NULL DEFAULT 0,
    pruned_seq INTEGER NOT NULL DEFAULT 0
) STRICT, WITHOUT ROWID;

CREATE TABLE tasks (
    user_id          BLOB    NOT NULL,
    id               BLOB    NOT NULL,
    text             TEXT    NOT NULL,
    text_key         TEXT    NOT NULL,
    category         TEXT    NOT NULL,
    category_key     TEXT    NOT NULL,
    -- 9223372036854775807 for none, which sorts a task without a due date after all others.
    due_at           INTEGER NOT NULL,
    -- Microseconds before due_at, 0 for none.
    reminder         INTEGER NOT NULL,
    recurrence_type  TEXT,
    recurrence       TEXT,
    next_reminder_at INTEGER,
    reminded_at      INTEGER,
    nudge_count      INTEGER NOT NULL,
    completed_at     INTEGER,
    created_at       INTEGER NOT NULL,
    updated_at       INTEGER NOT NULL,
    PRIMARY KEY (user_id, id)
) STRICT, WITHOUT ROWID;

-- One index per order. What is nearly always asked for is open tasks, of which there may be few in a long history: the orders by
-- creation and by due date have an index of the open ones, the others tell in the index which tasks are done. What a total or the
-- board asks about rides along behind the id, so that they are counted in the index alone.
CREATE INDEX tasks_due      ON tasks (user_id, due_at, id, recurrence_type, completed_at);
CREATE INDEX tasks_updated  ON tasks (user_id, updated_at, id, completed_at);
CREATE INDEX tasks_text     ON tasks (user_id, text_key, id, completed_at);
CREATE INDEX tasks_open     ON tasks (user_id, id, due_at, recurrence_type)               WHERE completed_at IS NULL;
CREATE INDEX tasks_open_due ON tasks (user_id, due_at, id, recurrence_type, completed_at) WHERE completed_at IS NULL;

CREATE INDEX tasks_reminders ON tasks (user_id, next_reminder_at, id) WHERE next_reminder_at IS NOT NULL;

CREATE TABLE subtasks (
    user_id    BLOB    NOT NULL,
    task_id    BLOB    NOT NULL,
    id         BLOB    NOT NULL,
    text       TEXT    NOT NULL,
    completed  INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    PRIMARY KEY (user_id, task_id, id),
    FOREIGN KEY (user_id, task_id) REFERENCES tasks (user_id, id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX subtasks_id ON subtasks (user_id, id);

CREATE TABLE task_completions (
    user_id      BLOB    NOT NULL,
    task_id      BLOB    NOT NULL,
    completed_at INTEGER NOT NULL,
    -- Tells lines of the same instant apart, in the order in which they were added.
    n            INTEGER NOT NULL,
    occurrence   INTEGER,
    PRIMARY KEY (user_id, task_id, completed_at, n),
    FOREIGN KEY (user_id, task_id) REFERENCES tasks (user_id, id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

CREATE TABLE lists (
    user_id      BLOB    NOT NULL,
    id           BLOB    NOT NULL,
    name         TEXT    NOT NULL,
    name_key     TEXT    NOT NULL,
    is_checklist INTEGER NOT NULL,
    created_at   INTEGER NOT NULL,
    updated_at   INTEGER NOT NULL,
    PRIMARY KEY (user_id, id)
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX lists_name    ON lists (user_id, name_key);
CREATE INDEX        lists_updated ON lists (user_id, updated_at, id);

CREATE TABLE list_items (
    user_id  BLOB    NOT NULL,
    list_id  BLOB    NOT NULL,
    position INTEGER NOT NULL,
    id       BLOB    NOT NULL,
    text     TEXT    NOT NULL,
    checked  INTEGER NOT NULL,
    added_at INTEGER NOT NULL,
    PRIMARY KEY (user_id, list_id, position, id),
    FOREIGN KEY (user_id, list_id) REFERENCES lists (user_id, id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX list_items_id ON list_items (user_id, id);

CREATE TABLE changes (
    user_id   BLOB    NOT NULL,
    seq       INTEGER NOT NULL,
    type      TEXT    NOT NULL,
    id        BLOB    NOT NULL,
    operation TEXT    NOT NULL,
    at        INTEGER NOT NULL,
    PRIMARY KEY (user_id, seq)
) STRICT, WITHOUT ROWID;

CREATE TABLE idempotency (
    user_id     BLOB    NOT NULL,
    key         TEXT    NOT NULL,
    fingerprint BLOB    NOT NULL,
    expires_at  INTEGER NOT NULL,
    answer      BLOB    NOT NULL,
    PRIMARY KEY (user_id, key)
) STRICT, WITHOUT ROWID;

CREATE TABLE confirmations (
    user_id    BLOB    NOT NULL,
    id         BLOB    NOT NULL,
    expires_at INTEGER NOT NULL,
    PRIMARY KEY (user_id, id)
) STRICT, WITHOUT ROWID;

CREATE TABLE api_tokens (
    user_id     BLOB    NOT NULL,
    id          BLOB    NOT NULL,
    name        TEXT    NOT NULL,
    secret_hash BLOB    NOT NULL,
    -- The scopes' names, separated by spaces.
    scopes      TEXT    NOT NULL,
    created_at  INTEGER NOT NULL,
    expires_at  INTEGER,
    revoked_at  INTEGER,
    PRIMARY KEY (user_id, id)
) STRICT, WITHOUT ROWID;

CREATE TABLE secrets (
    name  TEXT NOT NULL PRIMARY KEY,
    value BLOB NOT NULL
) STRICT, WITHOUT ROWID;
