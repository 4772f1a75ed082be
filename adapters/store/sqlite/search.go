package sqlite

import (
	"context"
	"errors"
	"maps"
	"math"
	"slices"

	"zombiezen.com/go/sqlite"

	"almanac/adapters/store"
	"almanac/adapters/store/rows"
	"almanac/adapters/store/sqlite/nearest"
	"almanac/graph/model"
	"almanac/projections/words"
)

// How a search of a population works. Both legs run beside each other. The leg by words reads the index by words. The
// leg by meaning compares the query with the user's vectors in memory: with all of them up to nearest.ExactRows, and by
// their codes above, which may miss a memory that is near. Then one read transaction decides: it checks what was found
// against the rows, the filter and the clock, ranks it, and reads what is wanted of the hits. What the vectors in
// memory do not know yet, or know no more, is noticed there, and the search is done again with what is new.
//
// A filter is checked on the nearest vectors first, and on more of them as long as enough of them pass. When too few
// do, the filter's own rows are found, by the index by words or by time where there is a condition for it, and compared
// one and all: so nothing is missed then, whatever their number (see search_nearest.go).

// errStale says that the vectors in memory were not those of the file.
var errStale = errors.New("sqlite: the vector index is behind")

// mostTries is how often a search is begun again because vectors were written meanwhile. Then it goes with what it has.
const mostTries = 4

// question is what a search is asked.
type question struct {
	of     *population
	user   model.UserID
	filter filter
	store.Looking
}

// search ranks what a question finds and hands the hits that are wanted, the best first, to read, in the read
// transaction that has decided about them. It takes no part in a transaction of its context.
func (s *Store) search(ctx context.Context, asked question,
	read func(q *session, best []found) error) (hasNext bool, err error) {
	ctx = context.WithValue(ctx, frameKey{s}, (*frame)(nil))
	if err := checkLooking(&asked.Looking); err != nil {
		return false, err
	}
	if asked.Limit <= 0 || asked.Offset < 0 || len(asked.Vectors)+len(asked.Words.Terms) == 0 {
		return false, ctx.Err()
	}
	for try := 1; ; try++ {
		r := &searching{s: s, question: asked, depth: asked.Offset + asked.Limit + 1, lenient: try == mostTries}
		hasNext, err := r.run(ctx, read)
		if !errors.Is(err, errStale) {
			return hasNext, err
		}
	}
}

// checkLooking refuses texts that no row can have, and vectors that are none.
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
	s *Store
	question
	// depth is how many hits are ranked: those up to the last one wanted, and one more.
	depth int
	// lenient: vectors that are behind are left out instead of beginning again.
	lenient bool
	legs    []*vectorLeg
	words   *keywords
	// models are the user's as the deciding transaction sees them.
	models map[int64]vectorModel
	// having are the rows, in the order of their numbers, of the entry that all have that pass, where they are few; else
	// nil.
	having []int64
	// ns are the rows that were found by their words, and most what their similarity is at most.
	ns   []int64
	most []float64
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
func (r *searching) run(ctx context.Context, read func(q *session, best []found) error) (hasNext bool, err error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	opened := make(chan struct{})
	byWords := make(chan error, 1)
	go func() {
		err := r.lookUp(ctx)
		// What the words have found is compared with the query beside the leg by meaning, which takes longer.
		select {
		case <-opened:
			r.addWords(slices.Collect(maps.Keys(r.words.known)))
		case <-ctx.Done():
		}
		byWords <- err
	}()
	if err = r.open(ctx); err == nil {
		close(opened)
		r.lookAround()
	} else {
		cancel()
	}
	if wordsErr := <-byWords; err == nil {
		err = wordsErr
	}
	if err == nil {
		err = ctx.Err()
	}
	if err != nil {
		return false, err
	}
	err = r.s.reading(ctx, oneTransaction, func(q *session) error {
		best, err := r.decide(q)
		if err != nil {
			return err
		}
		hasNext = len(best) >= r.depth
		if first := r.Offset; first < len(best) {
			return read(q, r.found(best[first:min(len(best), r.depth-1)]))
		}
		return nil
	})
	return hasNext && err == nil, err
}

// lookUp is the leg by words.
func (r *searching) lookUp(ctx context.Context) error {
	r.words = &keywords{}
	if len(r.Words.Terms) == 0 {
		return nil
	}
	return r.s.reading(ctx, oneTransaction, func(q *session) error {
		known, err := readKeywords(q, r.of, r.user, r.Words)
		if err == nil {
			r.words = known
		}
		return err
	})
}

// open finds the models of the query's vectors and brings their indexes up to date.
func (r *searching) open(ctx context.Context) error {
	if len(r.Vectors) == 0 {
		return nil
	}
	var models map[int64]vectorModel
	err := r.s.reading(ctx, oneStatement, func(q *session) (err error) {
		models, err = readModels(q, r.of, r.user)
		return err
	})
	if err != nil {
		return err
	}
	for i := range r.Vectors {
		query := &r.Vectors[i]
		for _, known := range models {
			if known.name != query.Model || known.dimensions != len(query.Vector) || known.rows <= 0 {
				continue
			}
			leg := &vectorLeg{known: known}
			r.legs = append(r.legs, leg)
			if !r.s.library.fits(&known) {
				leg.stream = &stream{of: r.of, user: r.user, known: known, plain: query.Vector}
				continue
			}
			leg.shelf = r.s.library.shelf(r.of, r.user, &known)
			if err := r.s.catchUp(ctx, leg.shelf, known); err != nil {
				return err
			}
			leg.query = leg.shelf.index.Query(query.Vector)
		}
	}
	return nil
}

// lookAround is the leg by meaning. It asks for some more than are needed, for a few may have expired; with a filter
// for many more, for it may not let all pass.
func (r *searching) lookAround() {
	for _, leg := range r.legs {
		if leg.stream != nil {
			continue
		}
		leg.asked = r.depth + 4
		if !r.filter.asksNothing() {
			leg.asked = 4*r.depth + 60
		}
		leg.ranked = leg.query.Nearest(leg.asked, r.MinSimilarity)
	}
}

// decide ranks what both legs have found, in one read transaction, and returns the first, at most depth.
func (r *searching) decide(q *session) ([]*hit, error) {
	err := r.filter.plan(q)
	if err == nil && len(r.legs) > 0 {
		r.models, err = readModels(q, r.of, r.user)
	}
	if err != nil {
		return nil, err
	}
	if entry := r.filter.entry(); entry != "" && r.filter.few() {
		if r.having, err = r.of.having(q, r.user, entry); err != nil {
			return nil, err
		}
	}
	if err := r.addCommon(q); err != nil {
		return nil, err
	}
	candidates := make([]*hit, 0, 2*r.depth+len(r.words.known))
	met := make(map[int64]struct{}, 2*r.depth)
	for _, leg := range r.legs {
		found, err := r.nearest(q, leg)
		if err != nil {
			return nil, err
		}
		for i := range found {
			candidates = append(candidates, &hit{n: found[i].N, id: found[i].ID, leg: leg, found: found[i],
				similarity: found[i].Similarity, compared: true, checked: true})
			met[found[i].N] = struct{}{}
		}
	}
	candidates = r.byWords(candidates, met)
	for _, h := range candidates {
		h.best, h.sure = r.words.most(h.n)
		r.rate(h)
	}
	return r.rank(q, candidates)
}

// addCommon makes the newest rows that the filter finds candidates, when a word is so common that those which have it
// were not all read, and the newest of those may be no hits or are not known.
func (r *searching) addCommon(q *session) error {
	if !r.words.isUnsure() || r.filter.asksNothing() && !r.words.hasUnsureBeginning() {
		return nil
	}
	ns, err := r.having, error(nil)
	if ns == nil {
		ns, err = r.of.newest(q, r.user, r.filter, words.Common)
	}
	r.addWords(r.words.addNewest(ns))
	return err
}

// addWords adds rows to those found by their words, and bounds their similarity.
func (r *searching) addWords(ns []int64) {
	at := len(r.most)
	r.ns, r.most = append(r.ns, ns...), append(r.most, make([]float64, len(ns))...)
	most := r.most[at:]
	for _, leg := range r.legs {
		if leg.stream != nil {
			for i := range most {
				most[i] = 1
			}
			return
		}
		for i, bound := range leg.query.AtMost(ns) {
			most[i] = max(most[i], bound)
		}
	}
}

// byWords appends the rows that were found by their words and not met yet.
func (r *searching) byWords(candidates []*hit, met map[int64]struct{}) []*hit {
	hits := make([]hit, 0, len(r.ns))
	for i, n := range r.ns {
		if _, known := met[n]; known || !r.mayPass(n) {
			continue
		}
		hits = append(hits, hit{n: n, similarity: r.most[i]})
		candidates = append(candidates, &hits[len(hits)-1])
	}
	return candidates
}

// mayPass reports whether a row is not known to be outside of the filter.
func (r *searching) mayPass(n int64) bool {
	if r.having == nil {
		return true
	}
	_, there := slices.BinarySearch(r.having, n)
	return there
}

// compare finds out how similar a candidate is. While a model is being changed the index of the old one may still know
// a vector that is no more.
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

// check reads the rows of candidates that were not checked, or whose words are not known; those that the filter finds
// are checked after it.
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

// fresh reports whether the vector of a candidate is that of its row. errStale when it is not, and the search shall
// begin again.
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

// drop takes a vector that its row has no more out of the index; but not one that was written after this transaction
// began, which does not see it.
func (r *searching) drop(leg *vectorLeg, entry nearest.Entry) {
	if entry.Written <= r.models[leg.known.number].newest {
		leg.shelf.index.Drop([]nearest.Entry{entry})
	}
}

// readRows reads those of some rows that the filter finds.
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
		b.add(" FROM " + r.of.rows + " m INDEXED BY " + r.of.byNumber)
		if len(r.legs) > 0 {
			b.add(" CROSS JOIN " + r.of.vectors + " v ON v.user_id = m.user_id AND v.n = m.n")
		}
		b.add(" WHERE m.user_id = ? AND ", userArg(r.user))
		b.inNumbers(some)
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

// found is a hit of a search.
type found struct {
	n  int64
	id model.UUID
	store.Found
}

// found says how well hits were found.
func (r *searching) found(best []*hit) []found {
	out := make([]found, len(best))
	for i, h := range best {
		out[i] = found{h.n, h.id, store.Found{Similarity: h.similarity, Keyword: h.keyword, Score: h.score,
			ByVector: r.near(h), ByKeyword: h.hasWord(), Measured: h.leg != nil}}
	}
	return out
}

// placesOf returns the numbers of hits, and at which place each stands.
func placesOf(best []found) (at map[int64]int, ns []int64) {
	at, ns = make(map[int64]int, len(best)), make([]int64, len(best))
	for i := range best {
		at[best[i].n], ns[i] = i, best[i].n
	}
	return at, ns
}
