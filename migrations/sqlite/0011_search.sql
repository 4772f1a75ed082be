-- An index for searches of tasks: the pieces of three characters of the folded texts and categories of users with many tasks. A sweep fills
-- it, some tasks at a time, so this step takes no time, and writes cost a row in task_pending at most. Until a task is in the index it is
-- looked at itself.

CREATE VIRTUAL TABLE task_grams USING fts5(id UNINDEXED, grams, content='', contentless_delete=1, contentless_unindexed=1, detail=none, tokenize='ascii');

-- The row in task_grams; NULL for none.
ALTER TABLE tasks ADD COLUMN n INTEGER;

-- The users whose tasks the index has, or will have.
CREATE TABLE task_indexed (
    user_id BLOB NOT NULL PRIMARY KEY,
    -- As far as their tasks were gone through, by id; NULL when all were.
    beyond  BLOB
) STRICT, WITHOUT ROWID;

-- Tasks of those users that were written since, and are not in the index yet.
CREATE TABLE task_pending (
    user_id BLOB NOT NULL,
    id      BLOB NOT NULL,
    PRIMARY KEY (user_id, id)
) STRICT, WITHOUT ROWID;

-- Rows of task_grams that no task points to any more.
CREATE TABLE task_stale (
    user_id BLOB    NOT NULL,
    n       INTEGER NOT NULL,
    PRIMARY KEY (user_id, n)
) STRICT, WITHOUT ROWID;
