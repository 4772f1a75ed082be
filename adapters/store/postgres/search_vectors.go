package postgres

import (
	"context"
	"strings"

	"github.com/jackc/pgx/v5/pgtype"

	"almanac/adapters/store"
	"almanac/graph/model"
)

// staleUsers is how many users are looked up at once.
const staleUsers = 64

// lastID is not before any id: the place behind all memories of a user.
var lastID = model.UUID{0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff}

// pendingRows says what a walk reads of rows of the alias t.
type pendingRows struct {
	// list names what is read, and joins what must be joined, by the user t.user_id.
	list, joins string
	// there returns the condition that a row is there; nil when all are.
	there func(q *query) string
	// read reads one row and returns its id.
	read func(r *row, user model.UserID) model.UUID
}

func (p *pendingRows) condition(q *query) string {
	if p.there == nil {
		return ""
	}
	return " AND " + p.there(q)
}

// sqlStaleUsers returns users, from one on, that have vectors of other models than the one named.
func sqlStaleUsers(in population) string {
	return `SELECT DISTINCT user_id FROM ` + in.models +
		` WHERE name <> $1 AND rows > 0 AND user_id >= $2 ORDER BY user_id LIMIT $3`
}

// pending walks over the rows of a population, of all users, that have no vector of the model: up to limit after a
// place. It returns the place where it ended; see store.VectorStore.
func (s *Store) pending(ctx context.Context, in population, name string, place store.PendingPlace, limit int,
	rows pendingRows) (store.PendingPlace, error) {
	found := 0
	if limit <= 0 {
		return place, nil
	}
	last := place
	look := func(q *query) error {
		b := newBatch()
		q.into(b, func(r *row) {
			last.User = model.UserID(r.uuid())
			last.ID = rows.read(r, last.User)
			found++
		})
		return s.run(ctx, b)
	}
	if !place.Stale {
		if err := look(withoutVector(in, place, limit, rows)); err != nil {
			return place, err
		}
		if found == limit {
			return last, nil
		}
		place = store.PendingPlace{Stale: true}
	}
	for found < limit {
		var users []model.UserID
		b := newBatch()
		b.query(sqlStaleUsers(in), func(r *row) { users = append(users, model.UserID(r.uuid())) }, name, userArg(place.User),
			int64(staleUsers))
		if err := s.run(ctx, b); err != nil {
			return place, err
		}
		for _, user := range users {
			if user != place.User {
				place = store.PendingPlace{Stale: true, User: user}
			}
			before := found
			// Over the rows of one user in the order of their ids, so that each call begins where the last one ended.
			q := newQuery(userArg(user))
			q.add("SELECT t.user_id, ", rows.list, " FROM ", in.rows, " AS t JOIN ", in.vectors,
				" AS v ON v.user_id = $1 AND v.n = t.n", rows.joins,
				" WHERE t.user_id = $1 AND t.id > ", q.param(uuidArg(place.ID)), rows.condition(q),
				" AND v.model = ANY(ARRAY(SELECT number FROM ", in.models, " WHERE user_id = $1 AND name <> ", q.param(name),
				")) ORDER BY t.id LIMIT ", q.param(int64(limit-found)))
			if err := look(q); err != nil {
				return place, err
			}
			if found > before {
				place.ID = last.ID
			}
			if found == limit {
				return place, nil
			}
			place.ID = lastID
		}
		if len(users) < staleUsers {
			break
		}
	}
	return place, nil
}

// withoutVector asks for rows of any users that have no vector, through the index of those alone.
func withoutVector(in population, place store.PendingPlace, limit int, rows pendingRows) *query {
	q := newQuery(userArg(place.User))
	q.add("SELECT t.user_id, ", rows.list, " FROM ", in.vectors, " AS v JOIN ", in.rows,
		" AS t ON t.user_id = v.user_id AND t.n = v.n", rows.joins,
		" WHERE v.model IS NULL AND (v.user_id, v.", in.id, ") > ($1, ", q.param(uuidArg(place.ID)), ")", rows.condition(q),
		" ORDER BY v.user_id, v.", in.id, " LIMIT ", q.param(int64(limit)))
	return q
}

func sqlKeepVectors(in population) string {
	return `WITH i AS MATERIALIZED (
	SELECT t.n, m.number, i.embedding, v.model AS was
	FROM unnest($2::uuid[], $3::integer[], $4::text[], $5::integer[], $6::text[])
	AS i (id, version, model, dimensions, embedding)
	JOIN ` + in.rows + ` AS t ON t.user_id = $1 AND t.id = i.id AND t.version = i.version
	JOIN ` + in.vectors + ` AS v ON v.user_id = $1 AND v.n = t.n
	JOIN ` + in.models + ` AS m ON m.user_id = $1 AND m.name = i.model AND m.dimensions = i.dimensions
), saved AS (
	UPDATE ` + in.vectors + ` AS v SET model = i.number, embedding = i.embedding::halfvec FROM i WHERE v.user_id = $1
AND v.n = i.n
), counted AS (
	UPDATE ` + in.models + ` AS m SET rows = m.rows + c.change
	FROM (SELECT number, sum(change) AS change FROM (SELECT number, 1 AS change FROM i UNION ALL SELECT was, -1
	FROM i) AS x GROUP BY number) AS c
	WHERE m.user_id = $1 AND m.number = c.number
)
SELECT count(*) FROM i`
}

// sqlReindex replaces the entries of rows that still have the version given.
func sqlReindex(in population) string {
	return `WITH i AS MATERIALIZED (
	SELECT t.n, t.entries AS was, string_to_array(i.entries, E'\n') AS entries
	FROM unnest($2::uuid[], $3::integer[], $4::text[]) AS i (id, version, entries)
	JOIN ` + in.rows + ` AS t ON t.user_id = $1 AND t.id = i.id AND t.version = i.version
	WHERE i.entries <> '' AND t.entries <> string_to_array(i.entries, E'\n')
), saved AS (
	UPDATE ` + in.rows + ` AS t SET entries = i.entries FROM i WHERE t.user_id = $1 AND t.n = i.n
), gone AS (
	DELETE FROM ` + in.terms + ` AS k USING i, unnest(i.was) AS e (term)
	WHERE k.user_id = $1 AND k.term = e.term AND k.n = i.n AND e.term <> ALL (i.entries)
), come AS (
	INSERT INTO ` + in.terms + ` (user_id, term, n)
	SELECT o.user_id, e.term, i.n FROM ` + ofUser + `, i, unnest(i.entries) AS e (term) WHERE e.term <> ALL (i.was)
)
SELECT count(*) FROM i`
}

// vectorRows are vectors of rows as parameters, one array for each column. No id may come twice.
type vectorRows struct {
	models            models
	ids               []pgtype.UUID
	versions, lengths []int32
	names, embeddings []string
	// entries are those of each row, parted by line breaks, which are in none; empty where they stay.
	entries []string
	// reindexed says that there are any.
	reindexed bool
}

// add takes one; an embedding that holds none is left out.
func (c *vectorRows) add(id model.UUID, version int, e model.Embedding, entries []string) error {
	name, length, embedding, err := embeddingArgs(e)
	if err != nil || !name.Valid {
		return err
	}
	c.models.add(name, length)
	c.ids, c.versions = append(c.ids, uuidArg(id)), append(c.versions, int32(version))
	c.names, c.lengths, c.embeddings = append(c.names, name.String), append(c.lengths, length.Int32),
		append(c.embeddings, embedding.String)
	c.entries = append(c.entries, strings.Join(entries, "\n"))
	c.reindexed = c.reindexed || len(entries) > 0
	return nil
}

// keepVectors keeps vectors of rows that still have the version given, in one batch, and returns how many.
func (s *Store) keepVectors(ctx context.Context, user model.UserID,
	of map[population]*vectorRows) (kept int, err error) {
	b := newBatch()
	for in, c := range of {
		if len(c.ids) == 0 {
			continue
		}
		c.models.into(b, in, userArg(user))
		b.query(sqlKeepVectors(in), func(r *row) { kept += int(r.int64()) }, userArg(user), c.ids, c.versions, c.names,
			c.lengths, c.embeddings)
		if c.reindexed {
			b.exec(sqlReindex(in), nil, userArg(user), c.ids, c.versions, c.entries)
		}
	}
	if len(b.statements) == 0 {
		return 0, nil
	}
	err = s.within(ctx, user, nil, func(ctx context.Context, l *level) error { return l.write(ctx, b, nil) })
	return kept, err
}
