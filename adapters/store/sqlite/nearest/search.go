package nearest

import (
	"bytes"
	"cmp"
	"math"
	"slices"

	"almanac/projections/vector"
)

// How much of a large index a search looks at more closely.
const (
	// estimatedShare is which share of the vectors is estimated, at least; estimatedOver how many for each that is then
	// compared, at least.
	estimatedShare = 0.06
	estimatedOver  = 4
	// comparedLeast is how many are compared at least; comparedShare which share of all, at least; comparedOver how many
	// for each that is wanted, at least.
	comparedLeast = 400
	comparedShare = 0.015
	comparedOver  = 16
)

// Query is what is looked for, made ready for one index. It may be used by one goroutine at a time.
type Query struct {
	index  *Index
	plain  []float32
	sketch *vector.Sketch
	// kept is room for one vector.
	kept []float32
}

// Query prepares a vector of unit length; nil when its length is not that of the index.
func (x *Index) Query(v []float32) *Query {
	if len(v) != x.dimensions {
		return nil
	}
	return &Query{index: x, plain: v, kept: make([]float32, x.dimensions)}
}

// candidate is a row with what is known of its similarity.
type candidate struct {
	place int32
	score float32
}

// work is the room that one search by codes needs.
type work struct {
	distances  []uint16
	histogram  []int32
	candidates []candidate
	scores     []float32
}

// Nearest returns the limit nearest vectors whose similarity is at least least, the nearest first, ties with the newer
// id first. Of more than ExactRows vectors it may miss some.
func (q *Query) Nearest(limit int, least float64) []Found {
	x := q.index
	x.mu.RLock()
	defer x.mu.RUnlock()
	if limit = min(limit, x.rows); limit <= 0 {
		return nil
	}
	w, _ := x.scratch.Get().(*work)
	if w == nil {
		w = new(work)
	}
	defer x.scratch.Put(w)
	if x.rows <= ExactRows {
		w.candidates = slices.Grow(w.candidates[:0], x.rows)
		for place := range int32(x.rows) {
			w.candidates = append(w.candidates, candidate{place: place})
		}
	} else {
		q.choose(w, limit)
	}
	return q.best(w, limit, least)
}

// Among returns the limit nearest of the vectors of some memories, as Nearest does, and misses none.
func (q *Query) Among(ns []int64, limit int, least float64) []Found {
	x := q.index
	x.mu.RLock()
	defer x.mu.RUnlock()
	w := &work{candidates: make([]candidate, 0, min(len(ns), x.rows))}
	for _, n := range ns {
		if place, known := x.place[n]; known {
			w.candidates = append(w.candidates, candidate{place: place})
		}
	}
	if limit = min(limit, len(w.candidates)); limit <= 0 {
		return nil
	}
	return q.best(w, limit, least)
}

// Similarity compares the query with the vector of one memory.
func (q *Query) Similarity(n int64) (found Found, known bool) {
	x := q.index
	x.mu.RLock()
	defer x.mu.RUnlock()
	place, known := x.place[n]
	if !known {
		return Found{}, false
	}
	return q.found(place), true
}

// AtMost returns, for each of some memories, a number that the similarity of its vector is not above, and little below;
// and 0 when it has none. It takes a small part of the time of Similarity, and may run beside another method of the
// query.
func (q *Query) AtMost(ns []int64) []float64 {
	x := q.index
	x.mu.RLock()
	defer x.mu.RUnlock()
	slack := 2 * vector.Slack(x.dimensions)
	most := make([]float64, len(ns))
	known := make([]candidate, 0, len(ns))
	of := make([]int, 0, len(ns))
	for i, n := range ns {
		if place, is := x.place[n]; is {
			known, of = append(known, candidate{place: place}), append(of, i)
		}
	}
	q.score(known)
	for i := range known {
		most[of[i]] = float64(known[i].score + slack)
	}
	return most
}

// score compares the query with candidates by the fast similarity. mu is held.
func (q *Query) score(candidates []candidate) {
	const atOnce = 64
	var (
		x      = q.index
		kept   [atOnce][]uint16
		scores [atOnce]float32
	)
	for some := range slices.Chunk(candidates, atOnce) {
		for i := range some {
			b, row := x.at(some[i].place)
			kept[i] = b.halves[row*x.dimensions : (row+1)*x.dimensions]
		}
		x.halves.Dots(q.plain, kept[:len(some)], scores[:])
		for i := range some {
			b, row := x.at(some[i].place)
			some[i].score = scores[i] * b.scales[row]
		}
	}
}

// found compares the query with a row exactly. mu is held.
func (q *Query) found(place int32) Found {
	x := q.index
	b, row := x.at(place)
	x.halves.Floats(b.halves[row*x.dimensions:(row+1)*x.dimensions], q.kept)
	return Found{Entry: b.entries[row], Similarity: vector.Cosine(q.plain, q.kept)}
}

// best compares the query with the candidates and returns the best of them. mu is held.
func (q *Query) best(w *work, limit int, least float64) []Found {
	x := q.index
	q.score(w.candidates)
	w.scores = slices.Grow(w.scores[:0], len(w.candidates))
	for i := range w.candidates {
		w.scores = append(w.scores, w.candidates[i].score)
	}
	// Whatever may be among the best, or at the bound, for all that the fast similarity can tell.
	slack := vector.Slack(x.dimensions)
	bound := max(kthLargest(w.scores, limit)-2*slack, float32(max(least, -2))-2*slack)
	found := make([]Found, 0, min(2*limit, len(w.candidates)))
	for _, c := range w.candidates {
		if c.score >= bound {
			if f := q.found(c.place); f.Similarity >= least {
				found = append(found, f)
			}
		}
	}
	slices.SortFunc(found, Better)
	return found[:min(limit, len(found))]
}

// Better orders what is found: the nearest first, ties with the newer id first.
func Better(a, b Found) int {
	if c := cmp.Compare(b.Similarity, a.Similarity); c != 0 {
		return c
	}
	return bytes.Compare(b.ID[:], a.ID[:])
}

// choose picks the candidates of a large index by their codes. mu is held.
func (q *Query) choose(w *work, limit int) {
	x := q.index
	if q.sketch == nil {
		turned := make([]float32, x.rotation.Padded())
		x.rotation.Turn(q.plain, turned)
		q.sketch = vector.NewSketch(turned)
	}
	compared := min(x.rows, max(comparedLeast, comparedOver*limit, int(comparedShare*float64(x.rows))))
	estimated := min(x.rows, max(estimatedOver*compared, int(estimatedShare*float64(x.rows))))

	w.distances = slices.Grow(w.distances[:0], x.rows)[:x.rows]
	w.histogram = slices.Grow(w.histogram[:0], 64*x.width+1)[:64*x.width+1]
	clear(w.histogram)
	for i, b := range x.blocks {
		if len(b.entries) == 0 { // room for what is still to come
			break
		}
		q.sketch.Distances(b.codes, w.distances[i*blockRows:i*blockRows+len(b.entries)], w.histogram)
	}
	bound, below := uint16(0), 0
	for int(bound) < len(w.histogram) {
		below += int(w.histogram[bound])
		if below >= estimated {
			break
		}
		bound++
	}
	w.candidates, w.scores = slices.Grow(w.candidates[:0], below), slices.Grow(w.scores[:0], below)
	for place, distance := range w.distances {
		if distance <= bound {
			w.candidates = append(w.candidates, candidate{place: int32(place)})
		}
	}
	for i := range w.candidates {
		c := &w.candidates[i]
		b, row := x.at(c.place)
		c.score = q.sketch.Estimate(b.codes[row*x.width:(row+1)*x.width], b.factors[row])
		w.scores = append(w.scores, c.score)
	}
	least := kthLargest(w.scores, compared)
	w.candidates = slices.DeleteFunc(w.candidates, func(c candidate) bool { return c.score < least })
}

// kthLargest returns the k-th largest of the scores, whose order it changes; the least there is when there are fewer.
func kthLargest(scores []float32, k int) float32 {
	if len(scores) <= k {
		if len(scores) == 0 {
			return float32(math.Inf(-1))
		}
		return slices.Min(scores)
	}
	// Hoare's selection, with the middle of three as the pivot and what equals it set apart, so that many equal scores
	// cost nothing more.
	low, high := 0, len(scores)-1
	for low < high {
		pivot := middle(scores[low], scores[low+(high-low)/2], scores[high])
		above, at, below := low, low, high
		for at <= below {
			switch score := scores[at]; {
			case score > pivot:
				scores[above], scores[at] = score, scores[above]
				above++
				at++
			case score < pivot:
				scores[below], scores[at] = score, scores[below]
				below--
			default:
				at++
			}
		}
		switch {
		case k <= above:
			high = above - 1
		case k > below+1:
			low = below + 1
		default:
			return pivot
		}
	}
	return scores[low]
}

func middle(a, b, c float32) float32 { return max(min(a, b), min(max(a, b), c)) }
