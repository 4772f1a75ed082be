package postgres

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"slices"
	"sync"

	"github.com/jackc/pgx/v5/pgxpool"

	"almanac/adapters/store"
	"almanac/adapters/store/rows"
	"almanac/graph/model"
	"almanac/projections/vector"
	"almanac/projections/words"
)

// SearchMemories ranks memories; see the contract, and nearestOf on when an index is used and what it may miss.
//
// A search by a vector alone is one round trip. With words it goes in three steps. The legs, at the same time on connections of their own, name candidates and
// bound what each can be worth: the database's distances are to a query in half precision, and some words are too common to be looked for everywhere. Then
// candidates are taken, the most promising first, and their worth is computed here from the vectors and terms that are kept, until none that is left can be
// worth more than those at hand. In the end the hits' columns are read. So few vectors leave the database, however many memories have a word of the query.
func (d reader) SearchMemories(ctx context.Context, user model.UserID, search store.MemorySearch) (store.MemoryHits, error) {
	if err := checkSearch(&search); err != nil {
		return store.MemoryHits{}, err
	}
	search.Offset, search.Limit = max(search.Offset, 0), max(search.Limit, 0)
	k := &seeker{store: d.store, user: user, search: search, depth: search.Offset + search.Limit + 1}
	hits, err := k.seek(ctx)
	if err != nil {
		return store.MemoryHits{}, fmt.Errorf("postgres: search memories: %w", err)
	}
	return hits, nil
}

func checkSearch(search *store.MemorySearch) error {
	if err := checkMemories(&search.Where); err != nil {
		return err
	}
	for _, term := range search.Words.Terms {
		for _, form := range term.Forms {
			if err := rows.Text(form.Term); err != nil {
				return err
			}
		}
	}
	for _, query := range search.Vectors {
		if err := rows.Text(query.Model); err != nil {
			return err
		}
	}
	return nil
}

const (
	// fewMemories is how many memories of a filter are so few that each is looked at: then nothing is left to an index or to chance.
	fewMemories = 2_000
	// spare is how many of the nearest are taken beyond those asked for when words count too: the further the list goes, the less any memory that is
	// not in it can be worth, and the fewer of those that words found must be looked at.
	spare = 100
	// maxRefined bounds how many candidates' vectors and terms leave the database in one search, beside those asked for.
	maxRefined = 2_000
	// maxPlaced bounds how many of those that words found are measured against the query in the database.
	maxPlaced = 4_000
	// placedAlone is how many candidates are taken as they are, without having been measured in the database first.
	placedAlone = 64
)

// seeker is one search under way.
type seeker struct {
	store  *Store
	user   model.UserID
	search store.MemorySearch
	// depth is how many hits are wanted, with those before them and one after.
	depth int
	// filtered tells that there is a filter; few are the memories that pass it when complete, and no others need to be looked at.
	filtered, complete bool
	few                []int32
	// numbers are the models of the query's vectors in the database, in their order; 0 for those that no vector is of.
	numbers []int16
}

// candidate is a memory that may be a hit: first with bounds of what it can be worth, then with what it is worth.
type candidate struct {
	n  int32
	id model.UUID
	// named tells that the id is known.
	named bool
	// similarity and keyword are at least what they are, until exact.
	similarity, keyword float64
	score               float64
	exact               bool
	byVector, byKeyword bool
}

// compare orders candidates, the best first. Whose id is not known yet comes first among equals, since it may be the newest.
func (c *candidate) compare(o *candidate) int {
	return cmp.Or(
		cmp.Compare(o.score, c.score), cmp.Compare(o.similarity, c.similarity),
		cmp.Compare(truth(c.named), truth(o.named)), bytes.Compare(o.id[:], c.id[:]), cmp.Compare(o.n, c.n),
	)
}

func truth(b bool) int {
	if b {
		return 1
	}
	return 0
}

// weigh computes the score. The products are rounded before they are added, so that every processor gives the same.
func (k *seeker) weigh(c *candidate) {
	c.score = float64(k.search.SimilarityWeight*max(c.similarity, 0)) + float64(k.search.KeywordWeight*c.keyword)
}

func (k *seeker) seek(ctx context.Context) (store.MemoryHits, error) {
	if err := k.readFew(ctx); err != nil {
		return store.MemoryHits{}, err
	}
	if k.complete && len(k.few) == 0 {
		return store.MemoryHits{}, nil
	}
	k.numbers = make([]int16, len(k.search.Vectors))
	if hits, sure, err := k.atOnce(ctx); err != nil || sure {
		return hits, err
	}
	return k.legs(ctx, k.depth+k.depth/4+16)
}

// onceMost is up to how many hits their columns are read with those of all that may be among them.
const onceMost = 50

// atOnce answers a search by one vector alone in one round trip. sure tells whether it could: the hits must be told from what comes after them by more than the
// error of the database's distances.
func (k *seeker) atOnce(ctx context.Context) (hits store.MemoryHits, sure bool, err error) {
	if len(k.search.Words.Terms) > 0 || len(k.search.Vectors) != 1 || k.depth > onceMost || k.search.Columns.Has(store.MemoryHistory) {
		return store.MemoryHits{}, false, nil
	}
	query := k.search.Vectors[0]
	if !measurable(query.Vector) {
		return store.MemoryHits{}, true, nil
	}
	wide := k.depth + k.depth/4 + 16
	list, err := k.nearestOf(ctx, 0, wide, &memoryShape{want: k.search.Columns})
	if err != nil {
		return store.MemoryHits{}, false, err
	}
	var best []*candidate
	memories := make(map[model.UUID]*model.Memory, len(list))
	for i := range list {
		one := &list[i]
		c := &candidate{n: one.n, id: one.id, named: true, similarity: vector.Cosine(query.Vector, one.kept), byVector: true}
		if k.weigh(c); c.similarity >= k.search.MinSimilarity {
			best, memories[c.id] = append(best, c), &one.memory
		}
	}
	slices.SortFunc(best, (*candidate).compare)
	if len(list) >= wide {
		unseen := candidate{similarity: list[len(list)-1].similarity + slackOf(len(query.Vector)), named: true}
		k.weigh(&unseen)
		if unseen.similarity >= k.search.MinSimilarity && (len(best) < k.depth || best[k.depth-1].compare(&unseen) >= 0) {
			return store.MemoryHits{}, false, nil
		}
	}
	page, hasNext := k.page(best)
	hits = store.MemoryHits{Hits: make([]store.MemoryHit, len(page)), HasNext: hasNext}
	for i, c := range page {
		hits.Hits[i] = c.hit()
		hits.Hits[i].Memory = *memories[c.id]
	}
	return hits, true, nil
}

// page gives the candidates asked for, and whether there are more.
func (k *seeker) page(best []*candidate) (page []*candidate, hasNext bool) {
	from := min(k.search.Offset, len(best))
	to := min(from+k.search.Limit, len(best))
	return best[from:to], len(best) > to
}

func (c *candidate) hit() store.MemoryHit {
	return store.MemoryHit{Similarity: c.similarity, Keyword: c.keyword, Score: c.score, ByVector: c.byVector, ByKeyword: c.byKeyword}
}

// legs runs both legs and ranks what they find. wide is how many of the nearest are asked for at first.
func (k *seeker) legs(ctx context.Context, wide int) (store.MemoryHits, error) {
	var (
		found  = &worded{}
		near   nearest
		failed error
		wait   sync.WaitGroup
	)
	if len(k.search.Words.Terms) > 0 {
		wide += spare
		if len(k.search.Vectors) == 0 {
			failed = k.readWords(ctx, found)
		} else {
			wait.Go(func() { failed = k.readWords(ctx, found) })
		}
	}
	err := k.readNearest(ctx, wide, &near)
	wait.Wait()
	if err != nil {
		return store.MemoryHits{}, err
	}
	if failed != nil {
		return store.MemoryHits{}, failed
	}
	for {
		hits, sure, err := k.rank(ctx, found, &near)
		if err != nil || sure || wide >= maxRefined+k.depth {
			return hits, err
		}
		// What lies beyond the list is so near to what is in it that the difference is within the error of the database's distances.
		wide *= 4
		if err := k.readNearest(ctx, wide, &near); err != nil {
			return store.MemoryHits{}, err
		}
	}
}

// rank finds the best of what the legs have found. sure tells whether nothing that the vector leg has not listed could be among them.
func (k *seeker) rank(ctx context.Context, found *worded, near *nearest) (hits store.MemoryHits, sure bool, err error) {
	all := k.candidates(found, near)
	var best []*candidate
	err = k.store.snapshot(ctx, func(run func(b *batch, last bool) error) error {
		if len(all) > placedAlone+k.depth && len(k.search.Words.Terms) > 0 {
			if err := k.place(run, all, near); err != nil {
				return err
			}
		}
		if best, err = k.refine(run, all, found); err != nil {
			return err
		}
		hits, err = k.read(run, best)
		return err
	})
	if err != nil {
		return store.MemoryHits{}, false, err
	}
	unseen := candidate{similarity: near.rest, named: true}
	k.weigh(&unseen)
	sure = near.rest < k.search.MinSimilarity || len(best) >= k.depth && best[k.depth-1].compare(&unseen) < 0
	return hits, sure, nil
}

// candidates joins the two legs and orders them by what they can be worth at most.
func (k *seeker) candidates(found *worded, near *nearest) []*candidate {
	all := make([]*candidate, 0, len(near.list)+len(found.memories))
	listed := make(map[int32]struct{}, len(near.list))
	for i := range near.list {
		one := &near.list[i]
		listed[one.n] = struct{}{}
		all = append(all, &candidate{n: one.n, id: one.id, named: true, similarity: min(one.similarity+near.slack, 1)})
	}
	for _, n := range found.memories {
		if _, ok := listed[n]; !ok {
			all = append(all, &candidate{n: n, similarity: max(near.rest, 0)})
		}
	}
	if len(found.forms) > 0 {
		numbers := make([]int32, len(all))
		for i, c := range all {
			numbers[i] = c.n
		}
		for i, most := range found.bounds(k.search.Words, numbers) {
			all[i].keyword = most
		}
	}
	for _, c := range all {
		k.weigh(c)
	}
	slices.SortFunc(all, (*candidate).compare)
	return all
}

// place lets the database measure those that words found and the vector leg did not list, and tell their ids, so that few are left that could be among the
// best. The order of all is renewed.
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
	q.add("SELECT v.n, v.memory_id")
	q.add(", CASE v.model")
	for i, number := range k.numbers {
		if text, ok := halvesText(k.search.Vectors[i].Vector); ok && number > 0 {
			q.add(" WHEN ", q.param(number), " THEN v.embedding <=> ", q.param(text))
		}
	}
	if len(q.args) == 1 {
		q.add(" WHEN 0 THEN 0.0::double precision")
	}
	q.add(" END FROM memory_vectors AS v WHERE v.user_id = $1 AND v.n = ANY(", q.param(numbers), ")")
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

// refine takes candidates in their order, reads their vectors and terms and computes what they are worth, until those that are left cannot be among the best. It
// gives the best, in order, and more of them than asked for where it knows more.
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

const (
	sqlMeasureWords = `SELECT v.n, v.memory_id, v.model, halfvec_send(v.embedding), t.entries FROM memories AS t
JOIN memory_vectors AS v ON v.user_id = $1 AND v.n = t.n WHERE t.user_id = $1 AND t.n = ANY($2) AND t.expires_at > $3`

	sqlMeasure = `SELECT v.n, v.memory_id, v.model, halfvec_send(v.embedding), NULL::text[] FROM memory_vectors AS v WHERE v.user_id = $1 AND v.n = ANY($2)`
)

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
			c.similarity = vector.Cosine(k.search.Vectors[at].Vector, kept)
			c.byVector = c.similarity >= k.search.MinSimilarity
		}
		entries := r.texts()
		if c.keyword = 0; len(k.search.Words.Terms) > 0 {
			weights := words.Match(k.search.Words, entries)
			if c.byKeyword = slices.ContainsFunc(weights, func(w float64) bool { return w > 0 }); c.byKeyword {
				c.keyword = words.Score(k.search.Words, found.counts, weights)
			}
		}
		k.weigh(c)
	}
	if len(k.search.Words.Terms) > 0 {
		b.query(sqlMeasureWords, read, userArg(k.user), numbers, instantArg(k.search.Now))
	} else {
		b.query(sqlMeasure, read, userArg(k.user), numbers)
	}
	return run(b, false)
}

// read reads the columns of the hits asked for.
func (k *seeker) read(run func(b *batch, last bool) error, best []*candidate) (store.MemoryHits, error) {
	var out store.MemoryHits
	page, hasNext := k.page(best)
	out.HasNext = hasNext
	b := newBatch()
	if len(page) > 0 {
		at := make(map[model.UUID]int, len(page))
		ids := make([]model.UUID, len(page))
		out.Hits = make([]store.MemoryHit, len(page))
		for i, c := range page {
			ids[i], at[c.id] = c.id, i
			out.Hits[i] = c.hit()
		}
		shape := memoryShape{want: k.search.Columns}
		q := newQuery(userArg(k.user))
		q.add("SELECT ", shape.list(), " FROM memories AS t", shape.joins(), " WHERE t.user_id = $1 AND ", oneOf(q, "t.id", ids))
		q.into(b, func(r *row) {
			var memory model.Memory
			shape.read(r, &memory, nil)
			if i, ok := at[memory.ID]; ok {
				out.Hits[i].Memory = memory
			}
		})
	}
	if err := run(b, true); err != nil {
		return store.MemoryHits{}, err
	}
	out.Hits = slices.DeleteFunc(out.Hits, func(hit store.MemoryHit) bool { return hit.Memory.ID == model.UUID{} })
	return out, nil
}

// readFew finds out whether the filter has few memories, and which.
func (k *seeker) readFew(ctx context.Context) error {
	q := newQuery(userArg(k.user))
	if k.filtered = memoryConditions(q, &k.search.Where, each) != ""; !k.filtered {
		return nil
	}
	q = newQuery(userArg(k.user))
	q.add(allMemories(q, "t.n", &k.search.Where, k.search.Now), " LIMIT ", q.param(int64(fewMemories+1)))
	b := newBatch()
	q.into(b, func(r *row) { k.few = append(k.few, r.int32()) })
	if err := k.store.apart(ctx, b); err != nil {
		return err
	}
	if k.complete = len(k.few) <= fewMemories; !k.complete {
		k.few = nil
	}
	return nil
}

// apart runs a batch that only reads outside of the transaction that the context carries, if any.
func (s *Store) apart(ctx context.Context, b *batch) error {
	if s.trace != nil {
		s.trace(b.sql())
	}
	return s.background(ctx, b)
}

// snapshot lends f one connection and one moment of the database, outside of the transaction that the context carries. run sends a batch; the last one ends
// it. f may be called a second time.
func (s *Store) snapshot(ctx context.Context, f func(run func(b *batch, last bool) error) error) error {
	return explain(ctx, s.lend(ctx, func(conn *pgxpool.Conn) error {
		first := true
		return f(func(b *batch, last bool) error {
			if s.trace != nil && len(b.statements) > 0 {
				s.trace(b.sql())
			}
			all := newBatch()
			if first {
				all.exec(beginSnapshot, nil)
			}
			all.statements = append(all.statements, b.statements...)
			if last {
				all.exec(endSnapshot, nil)
			}
			first = false
			_, err := send(ctx, conn.Conn(), all)
			return err
		})
	}))
}
