package sqlite

import (
	"context"
	"errors"
	"math"
	"slices"

	"zombiezen.com/go/sqlite"

	"almanac/adapters/store"
	"almanac/adapters/store/rows"
	"almanac/adapters/store/sqlite/nearest"
	"almanac/graph/model"
	"almanac/projections/words"
)

// How a search works. Both legs run beside each other. The leg by words reads the index by words. The leg by meaning compares the query with the user's vectors in
// memory: with all of them up to nearest.ExactRows, and by their codes above, which may miss a memory that is near. Then one read transaction decides: it checks what was
// found against the rows, the filter and the clock, ranks it, and reads what is wanted of the hits. What the vectors in memory do not know yet, or know no more, is
// noticed there, and the search is done again with what is new.
//
// A filter is checked on the nearest vectors first. When few of them pass, the filter's own rows are found, by the index by words or by time where there is a condition for
// it, and compared one and all: so nothing is missed then, whatever their number.

// errStale says that the vectors in memory were not those of the file.
var errStale = errors.New("sqlite: the vector index is behind")

// mostTries is how often a search is begun again because vectors were written meanwhile. Then it goes with what it has.
const mostTries = 4

// SearchMemories: see store.MemoryReader.
func (s *Store) SearchMemories(ctx context.Context, user model.UserID, search store.MemorySearch) (store.MemoryHits, error) {
	ctx = context.WithValue(ctx, frameKey{s}, (*frame)(nil))
	filter, err := filterMemories(user, search.Where, search.Now)
	if err != nil {
		return store.MemoryHits{}, err
	}
	if err := checkSearch(&search); err != nil {
		return store.MemoryHits{}, err
	}
	if search.Limit <= 0 || search.Offset < 0 || len(search.Vectors)+len(search.Words.Terms) == 0 {
		return store.MemoryHits{}, ctx.Err()
	}
	for try := 1; ; try++ {
		r := &searching{s: s, search: &search, filter: filter, depth: search.Offset + search.Limit + 1, lenient: try == mostTries}
		hits, err := r.run(ctx)
		if errors.Is(err, errStale) {
			continue
		}
		if err != nil {
			return store.MemoryHits{}, wrap("search memories", err)
		}
		return hits, nil
	}
}

// checkSearch refuses texts that no memory can have, and vectors that are none.
func checkSearch(search *store.MemorySearch) error {
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
		for _, x := range query.Vector {
			if math.IsNaN(float64(x)) || math.IsInf(float64(x), 0) {
				return model.BadInput("", "a query's vector holds a number that is not finite")
			}
		}
	}
	return nil
}

// searching is one search on its way.
type searching struct {
	s      *Store
	search *store.MemorySearch
	filter memoryFilter
	// depth is how many hits are ranked: those up to the last one wanted, and one more.
	depth int
	// lenient: vectors that are behind are left out instead of beginning again.
	lenient bool
	legs    []*vectorLeg
	words   *keywords
	// models are the user's as the deciding transaction sees them.
	models map[int64]vectorModel
}

// vectorLeg is the search by meaning among the vectors of one model.
type vectorLeg struct {
	known vectorModel
	// shelf and query are nil when the vectors are too many for memory; then stream is there.
	shelf  *shelf
	query  *nearest.Query
	stream *stream
	// ranked are the nearest, without regard to the filter, as many as asked for were found.
	ranked []nearest.Found
	asked  int
}

// run runs both legs and ranks what they find.
func (r *searching) run(ctx context.Context) (hits store.MemoryHits, err error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	byWords := make(chan error, 1)
	go func() { byWords <- r.lookUp(ctx) }()
	err = r.lookAround(ctx)
	if err != nil {
		cancel()
	}
	if wordsErr := <-byWords; err == nil {
		err = wordsErr
	}
	if err != nil {
		return hits, err
	}
	err = r.s.reading(ctx, oneTransaction, func(q *session) error {
		hits, err = r.decide(q)
		return err
	})
	return hits, err
}

// lookUp is the leg by words.
func (r *searching) lookUp(ctx context.Context) error {
	if len(r.search.Words.Terms) == 0 {
		r.words = &keywords{}
		return nil
	}
	return r.s.reading(ctx, oneTransaction, func(q *session) (err error) {
		r.words, err = readKeywords(q, r.filter.user, r.search.Words)
		return err
	})
}

// lookAround is the leg by meaning.
func (r *searching) lookAround(ctx context.Context) error {
	if len(r.search.Vectors) == 0 {
		return nil
	}
	var models map[int64]vectorModel
	err := r.s.reading(ctx, oneStatement, func(q *session) (err error) {
		models, err = readModels(q, r.filter.user)
		return err
	})
	if err != nil {
		return err
	}
	for i := range r.search.Vectors {
		query := &r.search.Vectors[i]
		for _, known := range models {
			if known.name != query.Model || known.dimensions != len(query.Vector) || known.rows <= 0 {
				continue
			}
			leg := &vectorLeg{known: known}
			r.legs = append(r.legs, leg)
			if !r.s.library.fits(&known) {
				leg.stream = &stream{user: r.filter.user, known: known, plain: query.Vector}
				continue
			}
			leg.shelf = r.s.library.shelf(r.filter.user, &known)
			if err := r.s.catchUp(ctx, leg.shelf, known); err != nil {
				return err
			}
			leg.query = leg.shelf.index.Query(query.Vector)
			// Some more than are needed, for a few may have expired; with a filter many more, for it may not let all pass.
			leg.asked = r.depth + 4
			if !r.filter.asksNothing() {
				leg.asked = 4*r.depth + 60
			}
			leg.ranked = leg.query.Nearest(leg.asked, r.search.MinSimilarity)
		}
	}
	return nil
}

// decide ranks what both legs have found and reads the hits, in one read transaction.
func (r *searching) decide(q *session) (store.MemoryHits, error) {
	err := r.filter.plan(q)
	if err == nil && len(r.legs) > 0 {
		r.models, err = readModels(q, r.filter.user)
	}
	if err != nil {
		return store.MemoryHits{}, err
	}
	if err := r.addCommon(q); err != nil {
		return store.MemoryHits{}, err
	}
	candidates := make([]*hit, 0, 2*r.depth+len(r.words.known))
	met := make(map[int64]struct{}, 2*r.depth)
	for _, leg := range r.legs {
		found, err := r.nearest(q, leg)
		if err != nil {
			return store.MemoryHits{}, err
		}
		for i := range found {
			candidates = append(candidates, &hit{n: found[i].N, id: found[i].ID, leg: leg, found: found[i], similarity: found[i].Similarity, compared: true, checked: true})
			met[found[i].N] = struct{}{}
		}
	}
	candidates = r.byWords(candidates, met)
	for _, h := range candidates {
		h.best, h.sure = r.words.most(h.n)
		r.rate(h)
	}
	best, err := r.rank(q, candidates)
	if err != nil {
		return store.MemoryHits{}, err
	}
	hits := store.MemoryHits{HasNext: len(best) >= r.depth}
	if first := r.search.Offset; first < len(best) {
		hits.Hits, err = r.read(q, best[first:min(len(best), r.depth-1)])
	}
	return hits, err
}

// addCommon makes the newest memories that the filter finds candidates, when a word is so common that those which have it were not all read, and the newest of
// those may be no hits or are not known.
func (r *searching) addCommon(q *session) error {
	if !r.words.isUnsure() || r.filter.asksNothing() && !r.words.hasUnsureBeginning() {
		return nil
	}
	ns, err := r.filter.newest(q, words.Common)
	r.words.addNewest(ns)
	return err
}

// byWords appends the memories that were found by their words and not met yet.
func (r *searching) byWords(candidates []*hit, met map[int64]struct{}) []*hit {
	ns := make([]int64, 0, len(r.words.known))
	for n := range r.words.known {
		if _, known := met[n]; !known {
			ns = append(ns, n)
		}
	}
	hits := make([]hit, len(ns))
	for i, n := range ns {
		hits[i].n = n
		candidates = append(candidates, &hits[i])
	}
	for _, leg := range r.legs {
		if leg.stream != nil {
			for i := range hits {
				hits[i].similarity = 1
			}
			continue
		}
		for i, most := range leg.query.AtMost(ns) {
			hits[i].similarity = max(hits[i].similarity, most)
		}
	}
	return candidates
}

// compare finds out how similar a candidate is. While a model is being changed the index of the old one may still know a vector that is no more.
func (r *searching) compare(q *session, h *hit) error {
	h.compared = true
	for _, leg := range r.legs {
		found, known, err := leg.similarity(q, h.n)
		if err != nil {
			return err
		}
		if known && (h.leg == nil || found.Written > h.found.Written) {
			h.leg, h.found = leg, found
		}
	}
	return nil
}

func (l *vectorLeg) similarity(q *session, n int64) (nearest.Found, bool, error) {
	if l.stream != nil {
		return l.stream.similarity(q, n)
	}
	found, known := l.query.Similarity(n)
	return found, known, nil
}

// checkAtOnce is how many rows one statement checks.
const checkAtOnce = 256

// checkedRow is what is read of a row to check a candidate.
type checkedRow struct {
	id model.UUID
	// model and written are of its vector; model is 0 when it has none.
	model, written int64
	entries        []byte
}

// check reads the rows of candidates that were not checked, or whose words are not known; those that the filter finds are checked after it.
func (r *searching) check(q *session, some []*hit) error {
	var unchecked, unsure []int64
	for _, h := range some {
		switch {
		case !h.sure:
			unsure = append(unsure, h.n)
		case !h.checked:
			unchecked = append(unchecked, h.n)
		}
	}
	read := make(map[int64]checkedRow, len(unchecked)+len(unsure))
	if err := r.readRows(q, unchecked, false, read); err != nil {
		return err
	}
	if err := r.readRows(q, unsure, true, read); err != nil {
		return err
	}
	for _, h := range some {
		if h.checked && h.sure {
			continue
		}
		is, passes := read[h.n]
		if h.checked = passes; !passes {
			continue
		}
		h.id = is.id
		if !h.compared {
			if err := r.compare(q, h); err != nil {
				return err
			}
		}
		if fresh, err := r.fresh(h, is); err != nil {
			return err
		} else if !fresh {
			h.leg = nil // only a search that tried too often goes on with less than there is
		}
		if !h.sure {
			entries, err := entriesOf(is.entries)
			if err != nil {
				return err
			}
			h.best, h.sure = words.Match(r.words.query, entries), true
		}
		r.rate(h)
	}
	return nil
}

// fresh tells whether the vector of a candidate is that of its row. errStale when it is not, and the search shall begin again.
func (r *searching) fresh(h *hit, is checkedRow) (bool, error) {
	if h.leg != nil && is.model == h.leg.known.number && is.written == h.found.Written {
		return true, nil
	}
	stale := h.leg != nil && h.leg.shelf != nil
	if stale {
		r.drop(h.leg, h.found.Entry)
	}
	behind := slices.ContainsFunc(r.legs, func(leg *vectorLeg) bool { return leg.known.number == is.model })
	if (behind || stale) && !r.lenient {
		return false, errStale
	}
	return h.leg == nil, nil
}

// drop takes a vector that its row has no more out of the index; but not one that was written after this transaction began, which does not see it.
func (r *searching) drop(leg *vectorLeg, entry nearest.Entry) {
	if entry.Written <= r.models[leg.known.number].newest {
		leg.shelf.index.Drop([]nearest.Entry{entry})
	}
}

// readRows reads the rows of memories that the filter finds.
func (r *searching) readRows(q *session, ns []int64, entries bool, read map[int64]checkedRow) error {
	for some := range slices.Chunk(ns, checkAtOnce) {
		var b statement
		b.add("SELECT m.n, m.id")
		if len(r.legs) > 0 {
			b.add(", v.model, v.written")
		} else {
			b.add(", NULL, NULL")
		}
		if entries {
			b.add(", m.entries")
		}
		b.add(" FROM memories m INDEXED BY memories_n")
		if len(r.legs) > 0 {
			b.add(" CROSS JOIN memory_vectors v ON v.user_id = m.user_id AND v.n = m.n")
		}
		b.add(" WHERE m.user_id = ? AND ", userArg(r.filter.user))
		b.inNumbers("m.n", some)
		r.filter.conditions(&b)
		if err := q.read(&b, func(stmt *sqlite.Stmt) error {
			is := checkedRow{id: columnID(stmt, 1), model: stmt.ColumnInt64(2), written: stmt.ColumnInt64(3)}
			if entries {
				is.entries = columnBytes(stmt, 4)
			}
			read[stmt.ColumnInt64(0)] = is
			return nil
		}); err != nil {
			return err
		}
	}
	return nil
}

// nearest gives the depth nearest of a leg that pass the filter.
func (r *searching) nearest(q *session, leg *vectorLeg) ([]nearest.Found, error) {
	if leg.stream != nil {
		return leg.stream.nearest(q, &r.filter, r.depth, r.search.MinSimilarity)
	}
	if r.filter.rare != "" { // the filter's rows are few: all of them are compared
		return r.among(q, leg)
	}
	for {
		passed, err := r.pass(q, leg, leg.ranked)
		if err != nil || len(passed) >= r.depth || len(leg.ranked) < leg.asked {
			return passed[:min(len(passed), r.depth)], err
		}
		if !r.filter.asksNothing() {
			return r.among(q, leg)
		}
		leg.asked *= 8 // many have expired
		leg.ranked = leg.query.Nearest(leg.asked, r.search.MinSimilarity)
	}
}

// among gives the depth nearest of all that the filter finds.
func (r *searching) among(q *session, leg *vectorLeg) ([]nearest.Found, error) {
	var b statement
	b.add("SELECT m.n")
	r.filter.from(&b, r.filter.setIndex())
	var ns []int64
	if err := q.read(&b, func(stmt *sqlite.Stmt) error { ns = append(ns, stmt.ColumnInt64(0)); return nil }); err != nil {
		return nil, err
	}
	for asked := r.depth + 4; ; asked *= 8 {
		found := leg.query.Among(ns, asked, r.search.MinSimilarity)
		passed, err := r.pass(q, leg, found)
		if err != nil || len(passed) >= r.depth || len(found) < asked {
			return passed[:min(len(passed), r.depth)], err
		}
	}
}

// pass gives those of a leg's vectors, as many as are needed, whose rows are there, pass the filter, and still have them.
func (r *searching) pass(q *session, leg *vectorLeg, found []nearest.Found) (passed []nearest.Found, err error) {
	size := r.depth
	for len(found) > 0 && len(passed) < r.depth {
		some := found[:min(len(found), size)]
		found, size = found[len(some):], checkAtOnce
		ns := make([]int64, len(some))
		for i := range some {
			ns[i] = some[i].N
		}
		read := make(map[int64]checkedRow, len(ns))
		if err := r.readRows(q, ns, false, read); err != nil {
			return nil, err
		}
		for i := range some {
			is, passes := read[some[i].N]
			if !passes {
				continue
			}
			if is.model == leg.known.number && is.written == some[i].Written {
				passed = append(passed, some[i])
				continue
			}
			r.drop(leg, some[i].Entry)
			if !r.lenient {
				return nil, errStale
			}
		}
	}
	return passed, nil
}

// read gives the hits with the columns wanted.
func (r *searching) read(q *session, best []*hit) ([]store.MemoryHit, error) {
	selection, err := selectMemory(q, r.filter.user, r.search.Columns)
	if err != nil {
		return nil, err
	}
	memories := make([]model.Memory, len(best))
	at := make(map[int64]int, len(best))
	ns := make([]int64, len(best))
	for i, h := range best {
		at[h.n], ns[i], memories[i].ID = i, h.n, h.id
	}
	if r.search.Columns&^store.MemoryHistory != 0 {
		for some := range slices.Chunk(ns, checkAtOnce) {
			var b statement
			b.add("SELECT ")
			selection.write(&b)
			b.add(", m.n FROM memories m INDEXED BY memories_n WHERE m.user_id = ? AND ", userArg(r.filter.user))
			b.inNumbers("m.n", some)
			if err := q.read(&b, func(stmt *sqlite.Stmt) error {
				return selection.read(stmt, &memories[at[stmt.ColumnInt64(selection.width())]])
			}); err != nil {
				return nil, err
			}
		}
	}
	if err := readHistories(q, r.filter.user, memories, r.search.Columns); err != nil {
		return nil, err
	}
	hits := make([]store.MemoryHit, len(best))
	for i, h := range best {
		hits[i] = store.MemoryHit{
			Memory: memories[i], Similarity: h.similarity, Keyword: h.keyword, Score: h.score, ByVector: r.near(h), ByKeyword: h.hasWord(),
		}
	}
	return hits, nil
}
