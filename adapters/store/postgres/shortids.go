package postgres

import (
	"context"

	"almanac/graph/model"
)

// sqlIDsEnding has no index of its own: each table is read along the user's part of its key. Short ids are typed or
// copied one at a time, and an index on every table would be written with every record.
const sqlIDsEnding = `SELECT 'task', id FROM tasks WHERE user_id = $1 AND substr(uuid_send(id), 12) = $2
UNION ALL SELECT 'subtask', id FROM subtasks WHERE user_id = $1 AND substr(uuid_send(id), 12) = $2
UNION ALL SELECT 'list', id FROM lists WHERE user_id = $1 AND substr(uuid_send(id), 12) = $2
UNION ALL SELECT 'item', id FROM list_items WHERE user_id = $1 AND substr(uuid_send(id), 12) = $2
UNION ALL SELECT 'memory', id FROM memories WHERE user_id = $1 AND substr(uuid_send(id), 12) = $2
UNION ALL SELECT 'entity', id FROM entities WHERE user_id = $1 AND substr(uuid_send(id), 12) = $2
UNION ALL SELECT 'fact', id FROM facts WHERE user_id = $1 AND substr(uuid_send(id), 12) = $2
UNION ALL SELECT 'episode', id FROM episodes WHERE user_id = $1 AND substr(uuid_send(id), 12) = $2
UNION ALL SELECT 'action', id FROM actions WHERE user_id = $1 AND substr(uuid_send(id), 12) = $2
LIMIT $3`

// IDsEnding: see store.IDReader.
func (d reader) IDsEnding(ctx context.Context, user model.UserID, end [5]byte, most int) ([]model.ID, error) {
	q := newQuery(userArg(user))
	q.add(sqlIDsEnding)
	q.args = append(q.args, bytesArg(end[:]), int64(most))
	return records(ctx, d, "read ids by their end", q, 0, func(r *row, id *model.ID) {
		id.Kind = model.Kind(r.text())
		id.UUID = r.uuid()
	})
}
