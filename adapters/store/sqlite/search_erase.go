package sqlite

import (
	"zombiezen.com/go/sqlite"

	"almanac/graph/model"
)

// eraseRows deletes rows of a population with their words and vectors, those of which only is true when it says
// anything, and returns those that were there, in the order given. What has a foreign key to them goes too, or must
// have gone before. What is deleted is overwritten in the file; copies of it go with the next Sweep (see scrub).
func (f *frame) eraseRows(q *session, of *population, ids []model.UUID,
	only ...condition) (deleted []model.UUID, err error) {
	if len(ids) == 0 {
		return nil, nil
	}
	vectors, err := writeVectors(q, of, f.user, 0)
	if err != nil {
		return nil, err
	}
	look := `SELECT n, entries FROM ` + of.rows + ` WHERE user_id = ? AND id = ?`
	var args []arg
	for _, c := range only {
		look, args = look+" AND "+c.sql, append(args, c.args...)
	}
	var postings []posting
	for _, id := range ids {
		n := int64(0)
		var entries []string
		if err := q.readSQL(look, func(stmt *sqlite.Stmt) (err error) {
			n = stmt.ColumnInt64(0)
			entries, err = entriesOf(columnBytes(stmt, 1))
			return err
		}, append([]arg{userArg(f.user), idArg(id)}, args...)...); err != nil {
			return nil, err
		}
		if n == 0 {
			continue
		}
		if err := vectors.erase(n); err != nil {
			return nil, err
		}
		if _, err := q.write(`DELETE FROM `+of.rows+` WHERE user_id = ? AND id = ?`, userArg(f.user), idArg(id)); err != nil {
			return nil, err
		}
		for _, entry := range entries {
			postings = append(postings, posting{entry, n})
		}
		deleted = append(deleted, id)
	}
	if len(deleted) == 0 {
		return nil, nil
	}
	if err := vectors.done(); err != nil {
		return nil, err
	}
	if err := deletePostings(q, of, f.user, postings); err != nil {
		return nil, err
	}
	return deleted, noteErasure(q)
}

// condition is one of a statement's, with its values.
type condition struct {
	sql  string
	args []arg
}
