-- How many tasks each user has of each kind, so that totals and boards need not count them one by one. Every statement that writes tasks
-- keeps them. A row stays when its last task is gone.
--
-- It takes some scans of the tasks, a few seconds for each 1,000,000, in which nobody writes them.

CREATE TABLE task_counts (
    user_id         uuid    NOT NULL,
    -- The week of due_at, counted from 1970-01-01T00:00Z; 2147483647 for none.
    week            integer NOT NULL,
    n               bigint  NOT NULL,
    done            boolean NOT NULL,
    -- Empty for none.
    recurrence_type text    NOT NULL COLLATE "C",
    category_key    text    NOT NULL COLLATE "C",
    PRIMARY KEY (user_id, done, week, recurrence_type, category_key)
) WITH (fillfactor = 50); -- n changes with every write: room for the new version on the same page

LOCK TABLE tasks IN SHARE MODE;

INSERT INTO task_counts (user_id, week, n, done, recurrence_type, category_key)
SELECT user_id, CASE WHEN due_at = 'infinity' THEN 2147483647 ELSE floor(extract(epoch FROM due_at) / 604800)::integer END, count(*),
    completed_at IS NOT NULL, coalesce(recurrence_type, ''), category_key
FROM tasks GROUP BY 1, 2, 4, 5, 6;

-- What filters leave few of.
CREATE INDEX tasks_category  ON tasks (user_id, category_key, id);
CREATE INDEX tasks_recurring ON tasks (user_id, recurrence_type, id) INCLUDE (due_at, completed_at) WHERE recurrence_type IS NOT NULL;
