-- The first schema: users, tasks, lists, the change log, and what keeps writes and tokens honest.
--
-- Every primary key, every index and every foreign key begins with user_id. So no lookup can forget whose rows it means, and the
-- tables can be distributed by user_id as they stand: there is no serial id, no uniqueness and no reference across users. Where
-- the database has the extension citus, migrating does so at its end; what statements need there is in docs/engines.md. The two
-- tables without an owner, schema_migrations (made by the program before the first step) and secrets (the server's own), are the
-- only exceptions; they stay on the coordinator.
--
-- Times are timestamptz, exact to the microsecond, NULL for none unless a column says otherwise. Ids are UUIDv7, whose order is
-- the order of creation. Columns named _key hold folded texts, compared bytewise whatever the database's collation is.
--
-- Tasks, lists and the change log do not reference users: nobody writes them without holding the user's row locked, so the check
-- would cost each insert something and find nothing.

CREATE TABLE users (
    user_id    uuid   NOT NULL PRIMARY KEY,
    subject    text   NOT NULL,
    email      text   NOT NULL,
    time_zone  text   NOT NULL,
    locale     text   NOT NULL,
    week_start text   NOT NULL,
    -- NULL while only a write has made the row and nobody has said who the user is.
    created_at timestamptz,
    -- The number of the last change, and of the last one that was pruned.
    change_seq bigint NOT NULL DEFAULT 0,
    pruned_seq bigint NOT NULL DEFAULT 0
) WITH (fillfactor = 50); -- change_seq changes with every write: room for the new version on the same page

CREATE TABLE tasks (
    user_id          uuid        NOT NULL,
    id               uuid        NOT NULL,
    -- infinity for none, which sorts a task without a due date after all others.
    due_at           timestamptz NOT NULL,
    next_reminder_at timestamptz,
    reminded_at      timestamptz,
    completed_at     timestamptz,
    created_at       timestamptz NOT NULL,
    updated_at       timestamptz NOT NULL,
    -- Microseconds before due_at, 0 for none.
    reminder         bigint      NOT NULL,
    nudge_count      integer     NOT NULL,
    text             text        NOT NULL,
    text_key         text        NOT NULL COLLATE "C",
    category         text        NOT NULL,
    category_key     text        NOT NULL COLLATE "C",
    recurrence_type  text,
    recurrence       json,
    PRIMARY KEY (user_id, id)
);

-- One index per order, twice: over all tasks, and over the open ones, which is what is nearly always asked for; a long
-- history of completed tasks then costs nothing. What the board groups by rides along, so that it is counted in the index alone.
CREATE INDEX tasks_due     ON tasks (user_id, due_at, id) INCLUDE (recurrence_type);
CREATE INDEX tasks_updated ON tasks (user_id, updated_at, id);

CREATE INDEX tasks_open         ON tasks (user_id, id) INCLUDE (due_at, recurrence_type) WHERE completed_at IS NULL;
CREATE INDEX tasks_open_due     ON tasks (user_id, due_at, id) INCLUDE (recurrence_type) WHERE completed_at IS NULL;
CREATE INDEX tasks_open_updated ON tasks (user_id, updated_at, id)                       WHERE completed_at IS NULL;

-- An index row holds about 2,700 bytes and a text may have 8,000, so the index has its beginning; the order by the whole text is
-- finished among the few that share one.
CREATE INDEX tasks_text      ON tasks (user_id, left(text_key, 64));
CREATE INDEX tasks_open_text ON tasks (user_id, left(text_key, 64)) WHERE completed_at IS NULL;

-- Due reminders are looked for across users. The index is as long as there are reminders to come, and is read alone.
CREATE INDEX tasks_reminders ON tasks (user_id, next_reminder_at, id) WHERE next_reminder_at IS NOT NULL;

CREATE TABLE subtasks (
    user_id    uuid        NOT NULL,
    task_id    uuid        NOT NULL,
    id         uuid        NOT NULL,
    created_at timestamptz NOT NULL,
    completed  boolean     NOT NULL,
    text       text        NOT NULL,
    PRIMARY KEY (user_id, id),
    FOREIGN KEY (user_id, task_id) REFERENCES tasks (user_id, id) ON DELETE CASCADE
);

CREATE INDEX subtasks_task ON subtasks (user_id, task_id, id);

CREATE TABLE task_completions (
    user_id      uuid        NOT NULL,
    task_id      uuid        NOT NULL,
    completed_at timestamptz NOT NULL,
    occurrence   timestamptz,
    -- Tells lines of the same instant apart, in the order in which they were added.
    n            integer     NOT NULL,
    PRIMARY KEY (user_id, task_id, completed_at, n),
    FOREIGN KEY (user_id, task_id) REFERENCES tasks (user_id, id) ON DELETE CASCADE
);

CREATE TABLE lists (
    user_id      uuid        NOT NULL,
    id           uuid        NOT NULL,
    created_at   timestamptz NOT NULL,
    updated_at   timestamptz NOT NULL,
    is_checklist boolean     NOT NULL,
    name         text        NOT NULL,
    name_key     text        NOT NULL COLLATE "C",
    PRIMARY KEY (user_id, id)
);

CREATE UNIQUE INDEX lists_name    ON lists (user_id, name_key);
CREATE INDEX        lists_updated ON lists (user_id, updated_at, id);

CREATE TABLE list_items (
    user_id  uuid        NOT NULL,
    list_id  uuid        NOT NULL,
    id       uuid        NOT NULL,
    position bigint      NOT NULL,
    added_at timestamptz NOT NULL,
    checked  boolean     NOT NULL,
    text     text        NOT NULL,
    PRIMARY KEY (user_id, id),
    FOREIGN KEY (user_id, list_id) REFERENCES lists (user_id, id) ON DELETE CASCADE
);

CREATE INDEX list_items_order ON list_items (user_id, list_id, position, id);

CREATE TABLE changes (
    user_id   uuid        NOT NULL,
    seq       bigint      NOT NULL,
    id        uuid        NOT NULL,
    at        timestamptz NOT NULL,
    type      text        NOT NULL,
    operation text        NOT NULL,
    PRIMARY KEY (user_id, seq)
);

CREATE TABLE idempotency (
    user_id     uuid        NOT NULL,
    key         text        NOT NULL COLLATE "C",
    expires_at  timestamptz NOT NULL,
    fingerprint bytea       NOT NULL,
    answer      bytea       NOT NULL,
    PRIMARY KEY (user_id, key)
);

CREATE TABLE confirmations (
    user_id    uuid        NOT NULL,
    id         uuid        NOT NULL,
    expires_at timestamptz NOT NULL,
    PRIMARY KEY (user_id, id)
);

CREATE TABLE api_tokens (
    user_id     uuid        NOT NULL,
    id          uuid        NOT NULL,
    created_at  timestamptz NOT NULL,
    expires_at  timestamptz,
    revoked_at  timestamptz,
    secret_hash bytea       NOT NULL,
    name        text        NOT NULL,
    -- The scopes' names, separated by spaces.
    scopes      text        NOT NULL,
    PRIMARY KEY (user_id, id)
);

CREATE TABLE secrets (
    name  text  NOT NULL PRIMARY KEY,
    value bytea NOT NULL
);
