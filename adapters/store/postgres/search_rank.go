package postgres

import (
	"slices"

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
		all = append(all, &candidate{n: one.n, id: one.id, named: true, similarity: min(one.similarity+near.slack, 1)})
	}
	for _, n := range found.rows {
		if _, ok := listed[n]; !ok {
			all = append(all, &candidate{n: n, similarity: max(near.rest, 0)})
		}
	}
	if len(found.forms) > 0 {
		numbers := make([]int32, len(all))
		for i, c := range all {
			numbers[i] = c.n
		}
		for i, most := range found.bounds(found.query, numbers) {
			all[i].keyword = most
		}
	}
	for _, c := range all {
		k.weigh(c)
	}
	slices.SortFunc(all, (*candidate).compare)
	return all
}

// place lets the database measure those that words found and the vector leg did not list, and tell their ids, so that
// few are left that could be among the best. The order of all is renewed.
func (k *seeker) place(run func(b *batch, last bool) error, all []*candidate, near *nearest) error {
	byNumber := make(map[int32]*candidate)
	var numbers []int32
	for _, c := range all {
		if !c.named && len(numbers) < maxPlaced {
			numbers, byNumber[c.n] = append(numbers, c.n), c
		}
	}
	if len(numbers) == 0 {
		return nil
	}
	q := newQuery(userArg(k.user))
	q.add("SELECT v.n, v.", k.in.id)
	q.add(", CASE v.model")
	for i, number := range k.numbers {
		if text, ok := halvesText(k.search.Vectors[i].Vector); ok && number > 0 {
			q.add(" WHEN ", q.param(number), " THEN v.embedding <=> ", q.param(text))
		}
	}
	if len(q.args) == 1 {
		q.add(" WHEN 0 THEN 0.0::double precision")
	}
	q.add(" END FROM ", k.in.vectors, " AS v WHERE v.user_id = $1 AND v.n = ANY(", q.param(numbers), ")")
	b := newBatch()
	q.into(b, func(r *row) {
		c := byNumber[r.int32()]
		c.id, c.named, c.similarity = r.uuid(), true, 0
		if r.isNull() {
			r.skip(1)
		} else {
			c.similarity = min(1-r.float64()+near.slack, 1)
		}
		k.weigh(c)
	})
	if err := run(b, false); err != nil {
		return err
	}
	slices.SortFunc(all, (*candidate).compare)
	return nil
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
