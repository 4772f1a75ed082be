package sqlite

import (
	"zombiezen.com/go/sqlite"

	"almanac/graph/model"
)

// population names the tables of rows that are searched: memories, entities or facts. They are built alike, so that one
// search serves all: rows have a number n and an id, an index by words has a row for each entry of each, and vectors
// are kept by number, with the models that they are of. Only what a filter asks about is a matter of the rows' own (see
// filter).
type population struct {
	// rows is the table, which stands as m in every statement, and byNumber its index that begins with (user_id, n, id).
	rows, byNumber string
	// number is the column of users that counts them.
	number string
	// terms, models and vectors are the tables beside it; id is the column of vectors that holds a row's id. Vectors have
	// the indexes vectors_model and vectors_written.
	terms, models, vectors, id string
}

var (
	memoryPopulation = population{rows: "memories", byNumber: "memories_n", number: "memory_number", terms: "memory_terms",
		models: "memory_models", vectors: "memory_vectors", id: "memory_id"}
	entityPopulation = population{rows: "entities", byNumber: "entities_n", number: "entity_number", terms: "entity_terms",
		models: "entity_models", vectors: "entity_vectors", id: "entity_id"}
	factPopulation = population{rows: "facts", byNumber: "facts_n", number: "fact_number", terms: "fact_terms",
		models: "fact_models", vectors: "fact_vectors", id: "fact_id"}
)

// filter says which rows of a user a search is among. Its conditions are about the table of rows as m.
type filter interface {
	// plan finds out how the rows are found best. It comes before the methods below, but for asksNothing.
	plan(q *session) error
	// asksNothing is whether every row passes, but for those that have expired.
	asksNothing() bool
	// few reports whether so few rows pass that it pays to compare them one and all at once.
	few() bool
	// entry is an entry of the index by words that every row has that passes; empty when none is known. Where there is
	// one, rows are found by it.
	entry() string
	// set appends FROM and WHERE of all that pass, in any order.
	set(b *statement)
	// conditions appends what must hold of a row of the user, each with AND before it.
	conditions(b *statement)
}

// newest returns the numbers of the newest rows of a user that pass, at most limit. Those of an entry lie in the order
// of their numbers. Of the other filters most find enough among the newest rows of all, and only else it is asked of
// all.
func (p *population) newest(q *session, user model.UserID, f filter, limit int) (ns []int64, err error) {
	collect := func(stmt *sqlite.Stmt) error { ns = append(ns, stmt.ColumnInt64(0)); return nil }
	if entry := f.entry(); entry != "" {
		var b statement
		b.add("SELECT r.n FROM "+p.terms+" r CROSS JOIN "+p.rows+" m INDEXED BY "+p.byNumber+
			" ON m.user_id = r.user_id AND m.n = r.n WHERE r.user_id = ? AND r.term = ?",
			userArg(user), bytesArg([]byte(entry)))
		f.conditions(&b)
		b.add(" ORDER BY r.n DESC LIMIT ?", intArg(limit))
		err := q.read(&b, collect)
		return ns, err
	}
	if !f.few() {
		var b statement
		b.add("SELECT m.n FROM "+p.rows+" m INDEXED BY "+p.byNumber+" WHERE m.user_id = ? AND m.n > (SELECT "+p.number+
			" FROM users WHERE user_id = ?) - ?",
			userArg(user), userArg(user), intArg(4*limit))
		f.conditions(&b)
		b.add(" ORDER BY m.n DESC LIMIT ?", intArg(limit))
		if err := q.read(&b, collect); err != nil || len(ns) == limit {
			return ns, err
		}
		ns = nil
	}
	var b statement
	b.add("SELECT m.n")
	f.set(&b)
	b.add(" ORDER BY m.n DESC LIMIT ?", intArg(limit))
	err = q.read(&b, collect)
	return ns, err
}

// having returns the numbers of all rows of a user that have an entry, in their order, from the index by words alone;
// never nil.
func (p *population) having(q *session, user model.UserID, entry string) ([]int64, error) {
	ns := []int64{}
	err := q.readSQL(`SELECT n FROM `+p.terms+` WHERE user_id = ? AND term = ? ORDER BY n`, func(stmt *sqlite.Stmt) error {
		ns = append(ns, stmt.ColumnInt64(0))
		return nil
	}, userArg(user), bytesArg([]byte(entry)))
	return ns, err
}
