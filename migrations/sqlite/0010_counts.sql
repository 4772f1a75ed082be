-- How many tasks each user has of each kind, so that totals and boards need not count them one by one. Whatever writes tasks keeps
-- them. A row stays when its last task is gone.
--
-- It takes some scans of the tasks, a few seconds for each 1,000,000, in which nobody writes.

CREATE TABLE task_counts (
    user_id         BLOB    NOT NULL,
    done            INTEGER NOT NULL,
    -- The week of due_at, counted from 1970-01-01T00:00Z; 9223372036854775807 for none.
    week            INTEGER NOT NULL,
    -- Empty for none.
    recurrence_type TEXT    NOT NULL,
    category_key    TEXT    NOT NULL,
    n               INTEGER NOT NULL,
    PRIMARY KEY (user_id, done, week, recurrence_type, category_key)
) STRICT, WITHOUT ROWID;

-- Integers are divided towards zero, and weeks before 1970 begin like the others: so times are counted from a week long before.
INSERT INTO task_counts (user_id, done, week, recurrence_type, category_key, n)
SELECT user_id, completed_at IS NOT NULL,
    CASE due_at WHEN 9223372036854775807 THEN due_at ELSE (due_at + 604800000000 * 1000000) / 604800000000 - 1000000 END,
    coalesce(recurrence_type, ''), category_key, count(*)
FROM tasks GROUP BY 1, 2, 3, 4, 5;

-- What filters leave few of. What else they ask about rides along, so that it is answered in the index alone.
CREATE INDEX tasks_category  ON tasks (user_id, category_key, id, due_at, recurrence_type, completed_at);
CREATE INDEX tasks_recurring ON tasks (user_id, recurrence_type, id, due_at, completed_at) WHERE recurrence_type IS NOT NULL;
