package postgres

import (
	"context"
	"slices"
	"strings"

	"almanac/adapters/store"
	"almanac/graph/model"
	"almanac/projections/vector"
	"almanac/projections/words"
)

// candidates joins the two legs and orders them by what they can be worth at most.
func (k *seeker) candidates(found *worded, near *nearest) []*candidate {
	all := make([]*candidate, 0, len(near.list)+len(found.rows))
	listed := make(map[int32]struct{}, len(near.list))
	for i := range near.list {
		one := &near.list[i]
		listed[one.n] = struct{}{}
		c := &candidate{n: one.n, id: one.id, named: true, similarity: min(one.similarity+near.slack, 1), least: -1}
		if least := one.similarity - near.slack; least >= k.search.MinSimilarity {
			c.least = k.score(least, 0)
		}
		all = append(all, c)
	}
	for _, n := range found.rows {
		if _, ok := listed[n]; ok {
			continue
		}
		c := &candidate{n: n, similarity: max(near.rest, 0), least: -1}
		if is, known := found.placed[n]; known {
			c.put(is, near.slack)
		}
		all = append(all, c)
	}
	if len(found.forms) > 0 {
		numbers := make([]int32, len(all))
		for i, c := range all {
			numbers[i] = c.n
		}
		least, most := found.bounds(numbers)
		for i, c := range all {
			if c.keyword = most[i]; least[i] > 0 {
				c.least = max(c.least, 0) + float64(k.search.KeywordWeight*least[i])
			}
		}
	}
	for _, c := range all {
		k.weigh(c)
	}
	slices.SortFunc(all, (*candidate).compare)
	return all
}

// byWords is the leg by words beside that by meaning.
func (k *seeker) byWords(ctx context.Context, found *worded) error {
	if err := k.readWords(ctx, found); err != nil || !k.mayMiss() || len(found.rows) <= placedAlone {
		return err
	}
	var err error
	found.placed, err = k.place(found.rows[:min(len(found.rows), maxPlaced)],
		func(b *batch) error { return k.store.apart(ctx, b) })
	return err
}

// mayMiss reports whether the leg by meaning will ask an index.
func (k *seeker) mayMiss() bool {
	return k.in.indexed && !k.complete && slices.ContainsFunc(k.search.Vectors, func(query store.QueryVector) bool {
		return k.store.indexed.number(indexedModel{user: k.user, name: query.Model, dimensions: len(query.Vector)}) != 0
	})
}

// placed is what the database says of a row that words found.
type placed struct {
	id model.UUID
	// similarity is by the database's reckoning; nothingLeft where it has no vector of a model of the query.
	similarity float64
}

// place lets the database measure rows against the query, and tell their ids. It knows the models by their names, since
// the other leg may only be finding out their numbers.
func (k *seeker) place(numbers []int32, run func(b *batch) error) (map[int32]placed, error) {
	q := newQuery(userArg(k.user))
	var cases strings.Builder
	for _, query := range k.search.Vectors {
		if text, ok := halvesText(query.Vector); ok && measurable(query.Vector) {
			cases.WriteString(" WHEN (SELECT number FROM " + k.in.models + " WHERE user_id = $1 AND name = " +
				q.param(query.Model) + " AND dimensions = " + q.param(int32(len(query.Vector))) +
				") THEN v.embedding <=> " + q.param(text))
		}
	}
	distance := "NULL::double precision"
	if cases.Len() > 0 {
		distance = "CASE v.model" + cases.String() + " END"
	}
	q.add("SELECT v.n, v.", k.in.id, ", ", distance, " FROM ", k.in.vectors, " AS v WHERE v.user_id = $1 AND v.n = ANY(",
		q.param(numbers), ")")
	of := make(map[int32]placed, len(numbers))
	b := newBatch()
	q.into(b, func(r *row) {
		n := r.int32()
		one := placed{id: r.uuid(), similarity: nothingLeft}
		if r.isNull() {
			r.skip(1)
		} else {
			one.similarity = 1 - r.float64()
		}
		of[n] = one
	})
	return of, run(b)
}

// put takes over what the database says of a candidate.
func (c *candidate) put(is placed, slack float64) {
	c.id, c.named, c.similarity = is.id, true, max(min(is.similarity+slack, 1), 0)
}

// placeRest lets the database measure those that words found and that have neither been measured nor listed by the leg
// by meaning, so that few are left that could be among the best. The order of all is renewed. Where that leg has missed
// nothing, those stay as they are that cannot be worth as much as the worst of the best.
func (k *seeker) placeRest(run func(b *batch, last bool) error, all []*candidate, near *nearest) error {
	var numbers []int32
	enough := -1.0
	if !near.missing {
		enough = k.enough(all)
	}
	for _, c := range all {
		if !c.named && c.score >= enough && len(numbers) < maxPlaced {
			numbers = append(numbers, c.n)
		}
	}
	if len(numbers) <= placedAlone {
		return nil
	}
	of, err := k.place(numbers, func(b *batch) error { return run(b, false) })
	if err != nil {
		return err
	}
	for _, c := range all {
		if is, known := of[c.n]; known && !c.named {
			c.put(is, near.slack)
			k.weigh(c)
		}
	}
	slices.SortFunc(all, (*candidate).compare)
	return nil
}

// enough returns what the worst of the best is worth at least; -1 when there may be fewer than are wanted.
func (k *seeker) enough(all []*candidate) float64 {
	if len(all) < k.depth {
		return -1
	}
	least := make([]float64, len(all))
	for i, c := range all {
		least[i] = c.least
	}
	slices.Sort(least)
	return least[len(least)-k.depth]
}

// refine takes candidates in their order, reads their vectors and terms and computes what they are worth, until those
// that are left cannot be among the best. It returns the best, in order, and more of them than asked for where it knows
// more.
func (k *seeker) refine(run func(b *batch, last bool) error, all []*candidate, found *worded) ([]*candidate, error) {
	var best []*candidate
	for next, step := 0, k.depth+k.depth/4+16; next < len(all); step *= 2 {
		slices.SortFunc(best, (*candidate).compare)
		if len(best) >= k.depth && best[k.depth-1].compare(all[next]) < 0 || next >= maxRefined+k.depth {
			break
		}
		some := all[next:min(next+step, len(all))]
		next += len(some)
		if err := k.measure(run, some, found); err != nil {
			return nil, err
		}
		for _, c := range some {
			if c.byVector || c.byKeyword {
				best = append(best, c)
			}
		}
	}
	slices.SortFunc(best, (*candidate).compare)
	return best, nil
}

// measure reads the vectors and terms of candidates and computes what they are worth. Who has gone meanwhile is no hit.
func (k *seeker) measure(run func(b *batch, last bool) error, some []*candidate, found *worded) error {
	byNumber := make(map[int32]*candidate, len(some))
	numbers := make([]int32, len(some))
	for i, c := range some {
		numbers[i], byNumber[c.n] = c.n, c
	}
	b := newBatch()
	read := func(r *row) {
		c := byNumber[r.int32()]
		if c == nil || c.exact {
			r.skip(4)
			return
		}
		c.id, c.named, c.exact = r.uuid(), true, true
		at := slices.Index(k.numbers, r.int16())
		if c.similarity = 0; at < 0 {
			r.skip(1)
		} else if kept := r.halves(); kept != nil {
			c.measured = true
			c.similarity = vector.Cosine(k.search.Vectors[at].Vector, kept)
			c.byVector = c.similarity >= k.search.MinSimilarity
		}
		entries := r.texts()
		if c.keyword = 0; len(k.search.Words.Terms) > 0 {
			weights := words.Match(found.query, entries)
			if c.byKeyword = slices.ContainsFunc(weights, func(w float64) bool { return w > 0 }); c.byKeyword {
				c.keyword = words.Score(found.query, found.counts, weights)
			}
		}
		k.weigh(c)
	}
	q := newQuery(userArg(k.user))
	q.add("SELECT v.n, v.", k.in.id, ", v.model, halfvec_send(v.embedding), ")
	if len(k.search.Words.Terms) > 0 {
		q.add("t.entries FROM ", k.in.rows, " AS t JOIN ", k.in.vectors,
			" AS v ON v.user_id = $1 AND v.n = t.n WHERE t.user_id = $1 AND t.n = ANY(", q.param(numbers), ")")
		if there := k.sieve.there(q); there != "" {
			q.add(" AND ", there)
		}
	} else {
		q.add("NULL::text[] FROM ", k.in.vectors, " AS v WHERE v.user_id = $1 AND v.n = ANY(", q.param(numbers), ")")
	}
	q.into(b, read)
	return run(b, false)
}

// read reads the columns of the hits asked for.
func (k *seeker) read(run func(b *batch, last bool) error, best []*candidate) error {
	page, _ := k.page(best)
	b := newBatch()
	if len(page) > 0 {
		ids := make([]model.UUID, len(page))
		for i, c := range page {
			ids[i] = c.id
		}
		q := newQuery(userArg(k.user))
		q.add("SELECT ", k.shelf.list(), " FROM ", k.in.rows, " AS t", k.shelf.joins(), " WHERE t.user_id = $1 AND ",
			oneOf(q, ids))
		q.into(b, k.shelf.take)
	}
	return run(b, true)
}
