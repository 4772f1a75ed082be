package sqlite

import (
	"bytes"
	"slices"

	"zombiezen.com/go/sqlite"

	"almanac/adapters/store"
	"almanac/graph/model"
)

// pendingOf says how rows of a population whose vector is missing or of another model are read into what a worker needs
// of them.
type pendingOf[P any] struct {
	of *population
	// columns are read of a row, which stands as m; the first is its id. joins are behind it in FROM, only are conditions
	// on it.
	columns, joins string
	only           []condition
	read           func(stmt *sqlite.Stmt, user model.UserID) (P, model.UUID, error)
}

// pendingRow is what was read of a row.
type pendingRow[P any] struct {
	user model.UserID
	id   model.UUID
	row  P
}

// next returns up to limit rows of any users that are pending after a place: those without any vector first, and then
// the stale ones, and the place of the last.
func (p *pendingOf[P]) next(q *session, name string, after store.PendingPlace, limit int) (
	pending []P, last store.PendingPlace, err error) {
	var all []pendingRow[P]
	last = after
	if !after.Stale {
		if all, err = p.withoutVector(q, after, limit); err != nil {
			return nil, last, err
		}
		after = store.PendingPlace{Stale: true}
	}
	if len(all) < limit {
		stale, err := p.withStaleVector(q, name, after, limit-len(all))
		if err != nil {
			return nil, last, err
		}
		if len(stale) > 0 {
			all, last.Stale = append(all, stale...), true
		}
	}
	if len(all) > 0 {
		newest := &all[len(all)-1]
		last.User, last.ID = newest.user, newest.id
	}
	for i := range all {
		pending = append(pending, all[i].row)
	}
	return pending, last, nil
}

// list runs a statement that returns the columns, and the user behind them.
func (p *pendingOf[P]) list(q *session, b *statement) (rows []pendingRow[P], err error) {
	err = q.read(b, func(stmt *sqlite.Stmt) error {
		user := model.UserID(columnID(stmt, stmt.ColumnCount()-1))
		row, id, err := p.read(stmt, user)
		rows = append(rows, pendingRow[P]{user, id, row})
		return err
	})
	return rows, err
}

// from begins a statement: what is read of the rows whose vectors, which stand as v, are found as told.
func (p *pendingOf[P]) from(b *statement, vectors string) {
	b.add("SELECT " + p.columns + ", m.user_id FROM " + vectors + " CROSS JOIN " + p.of.rows + " m INDEXED BY " +
		p.of.byNumber + " ON m.user_id = v.user_id AND m.n = v.n" + p.joins)
}

// rest appends the conditions on rows.
func (p *pendingOf[P]) rest(b *statement) {
	for _, c := range p.only {
		b.add(" AND "+c.sql, c.args...)
	}
}

// withoutVector returns rows of any users that have no vector, by user and id. They lie one after another in an index
// over all users.
func (p *pendingOf[P]) withoutVector(q *session, after store.PendingPlace, limit int) ([]pendingRow[P], error) {
	var b statement
	p.from(&b, "users u CROSS JOIN "+p.of.vectors+" v INDEXED BY "+p.of.vectors+
		"_model ON v.user_id = u.user_id AND v.model IS NULL AND v."+p.of.id+" > CASE u.user_id WHEN ? THEN ? ELSE x'' END")
	b.args = append(b.args, userArg(after.User), idArg(after.ID))
	b.add(" WHERE u.user_id >= ?", userArg(after.User))
	p.rest(&b)
	b.add(" ORDER BY u.user_id, v."+p.of.id+" LIMIT ?", intArg(limit))
	return p.list(q, &b)
}

// withStaleVector returns rows of any users whose vector is of a model with another name, by user and id. They are
// looked for with the users that have such vectors.
func (p *pendingOf[P]) withStaleVector(q *session, name string, after store.PendingPlace, limit int) (
	pending []pendingRow[P], err error) {
	type stale struct {
		user  model.UserID
		model int64
	}
	var models []stale
	if err := q.readSQL(`SELECT user_id, number FROM `+p.of.models+
		` WHERE rows > 0 AND name <> ? AND user_id >= ? ORDER BY user_id, number`, func(stmt *sqlite.Stmt) error {
		models = append(models, stale{model.UserID(columnID(stmt, 0)), stmt.ColumnInt64(1)})
		return nil
	}, textArg(name), userArg(after.User)); err != nil {
		return nil, err
	}
	for at := 0; at < len(models) && len(pending) < limit; {
		user := models[at].user
		beyond := model.UUID{}
		if user == after.User {
			beyond = after.ID
		}
		// A user's models are merged by id.
		var ofUser []pendingRow[P]
		for ; at < len(models) && models[at].user == user; at++ {
			var b statement
			p.from(&b, p.of.vectors+" v INDEXED BY "+p.of.vectors+"_model")
			b.add(" WHERE v.user_id = ? AND v.model = ? AND v."+p.of.id+" > ?", userArg(user), intArg(models[at].model),
				idArg(beyond))
			p.rest(&b)
			b.add(" ORDER BY v."+p.of.id+" LIMIT ?", intArg(limit-len(pending)))
			some, err := p.list(q, &b)
			if err != nil {
				return nil, err
			}
			ofUser = append(ofUser, some...)
		}
		slices.SortFunc(ofUser, func(a, b pendingRow[P]) int { return bytes.Compare(a.id[:], b.id[:]) })
		pending = append(pending, ofUser[:min(len(ofUser), limit-len(pending))]...)
	}
	return pending, nil
}

// vectorOf is a vector to be kept with a row of a version.
type vectorOf struct {
	id        model.UUID
	version   int
	embedding model.Embedding
	entries   []string
}

// saveVectors keeps vectors with those of a user's rows that have the version still, and returns how many.
func saveVectors(q *session, of *population, user model.UserID, vectors []vectorOf) (kept int, err error) {
	if len(vectors) == 0 {
		return 0, nil
	}
	w, err := writeVectors(q, of, user, len(vectors))
	if err != nil {
		return 0, err
	}
	for i := range vectors {
		v := &vectors[i]
		if len(v.embedding.Vector) == 0 {
			return 0, model.BadInput("", "an embedding without a vector cannot be kept")
		}
		n, there, err := q.number(`SELECT n FROM `+of.rows+` WHERE user_id = ? AND id = ? AND version = ?`, userArg(user),
			idArg(v.id), intArg(v.version))
		if err != nil {
			return 0, err
		}
		if !there {
			continue
		}
		if err := w.replace(n, &v.embedding); err != nil {
			return 0, err
		}
		if err := reindex(q, of, user, n, v.entries); err != nil {
			return 0, err
		}
		kept++
	}
	return kept, w.done()
}

// reindex replaces the entries of a row, where there are any to replace them with.
func reindex(q *session, of *population, user model.UserID, n int64, entries []string) error {
	if len(entries) == 0 {
		return nil
	}
	var before []string
	if err := q.readSQL(`SELECT entries FROM `+of.rows+` WHERE user_id = ? AND n = ?`,
		func(stmt *sqlite.Stmt) (err error) {
			before, err = entriesOf(columnBytes(stmt, 0))
			return err
		}, userArg(user), intArg(n)); err != nil {
		return err
	}
	if slices.Equal(before, entries) {
		return nil
	}
	if _, err := q.write(`UPDATE `+of.rows+` SET entries = ? WHERE user_id = ? AND n = ?`, bytesArg(packEntries(entries)),
		userArg(user), intArg(n)); err != nil {
		return err
	}
	if err := deletePostings(q, of, user, postingsBeside(before, entries, n)); err != nil {
		return err
	}
	return insertPostings(q, of, user, postingsBeside(entries, before, n))
}
