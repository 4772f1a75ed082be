package postgres

import (
	"almanac/adapters/store"
	"almanac/adapters/store/rows"
	"almanac/graph/model"
)

// population is what a search looks through: the rows of a table, each with a number that counts its user's, the index
// of their words, and their vectors.
type population struct {
	// rows, terms, vectors and models are tables; id is the column of the vectors that has the rows' ids.
	rows, terms, vectors, models, id string
	// indexed tells that a user with many vectors gets an index of them; see tendIndexes.
	indexed bool
	// timed tells that vectors have valid_at and invalid_at of their rows beside them.
	timed bool
}

// The populations. Their terms, vectors and models are of one shape.
//
// Entities and facts get no index of vectors: it would make each write dearer by milliseconds, and miss what is near.
// All of a user's vectors are compared instead, which takes time in proportion to them: measured through SearchFacts
// for what holds, 256 numbers each, two processors shared by several loads, 15 ms for 5,000 facts, 60 ms for 20,000 and
// 150 ms for 50,000. So this is right up to some 50,000 facts of one user, with longer vectors up to fewer in
// proportion; who has more waits longer, and misses nothing.
func memoryPopulation() population {
	return population{rows: "memories", terms: "memory_terms", vectors: "memory_vectors", models: "memory_models",
		id: "memory_id", indexed: true}
}

func entityPopulation() population {
	return population{rows: "entities", terms: "entity_terms", vectors: "entity_vectors", models: "entity_models",
		id: "entity_id"}
}

func factPopulation() population {
	return population{rows: "facts", terms: "fact_terms", vectors: "fact_vectors", models: "fact_models", id: "fact_id",
		timed: true}
}

// sieve is a filter of a population. $1 is the user in all that it writes, and t the alias of the population's rows.
type sieve interface {
	// asks reports whether it leaves out any that are there.
	asks() bool
	// conditions give the filter, AND between its parts, to be asked of one row after another; empty when it asks nothing.
	conditions(q *query) string
	// all returns the statement about all rows that pass and are there, in no order; what names what it returns.
	all(q *query, what string) string
	// there returns the condition that a row is there, to be put before others; empty when all are.
	there(q *query) string
	// beside returns the filter as a condition on a vector of the alias v, where what stands beside the vectors tells all
	// that is asked; empty otherwise.
	beside(q *query) string
	// gone returns the statement of the numbers of rows that are kept and not there; empty when all are.
	gone(q *query) string
}

// shelf takes what is wanted of rows that may be hits.
type shelf interface {
	// list names what is read, for rows of the alias t, and joins what must be joined to them.
	list() string
	joins() string
	// light tells that it is little, so that it may be read of some rows more than are wanted.
	light() bool
	take(r *row)
}

// shelfOf keeps records by their ids.
type shelfOf[T any] struct {
	columns, joined string
	heavy           bool
	read            func(r *row) (model.UUID, T)
	kept            map[model.UUID]T
}

func (s *shelfOf[T]) list() string  { return s.columns }
func (s *shelfOf[T]) joins() string { return s.joined }
func (s *shelfOf[T]) light() bool   { return !s.heavy }

func (s *shelfOf[T]) take(r *row) {
	if s.kept == nil {
		s.kept = make(map[model.UUID]T)
	}
	id, record := s.read(r)
	s.kept[id] = record
}

// checkLooking refuses texts that nothing stored could have, and brings the numbers into form. BAD_USER_INPUT.
func checkLooking(looking *store.Looking) error {
	for _, term := range looking.Words.Terms {
		for _, form := range term.Forms {
			if err := rows.Text(form.Term); err != nil {
				return err
			}
		}
	}
	for _, query := range looking.Vectors {
		if err := rows.Text(query.Model); err != nil {
			return err
		}
	}
	looking.Offset, looking.Limit = max(looking.Offset, 0), max(looking.Limit, 0)
	return nil
}

// hitsOf puts what was found together with what is known of it. What has gone meanwhile is left out.
func hitsOf[T, H any](page []*candidate, kept map[model.UUID]T, hit func(record T, c *candidate) H) []H {
	hits := make([]H, 0, len(page))
	for _, c := range page {
		if record, there := kept[c.id]; there {
			hits = append(hits, hit(record, c))
		}
	}
	return hits
}
