-- The order of tasks that is made by hand. A task's position is a text that is compared bytewise; a task that was never
-- moved has its id and a digit, which is the order of creation.
--
-- It writes each task once, and takes the table one more scan for each index: about ten seconds for 1,000,000 tasks.

ALTER TABLE tasks ADD COLUMN position text COLLATE "C" NOT NULL DEFAULT '';

UPDATE tasks SET position = replace(id::text, '-', '') || '8';

CREATE INDEX tasks_position      ON tasks (user_id, position, id);
CREATE INDEX tasks_open_position ON tasks (user_id, position, id) WHERE completed_at IS NULL;
