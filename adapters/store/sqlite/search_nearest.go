package sqlite

import (
	"math"

	"zombiezen.com/go/sqlite"

	"almanac/adapters/store/sqlite/nearest"
)

// nearest returns the depth nearest of a leg that pass the filter.
func (r *searching) nearest(q *session, leg *vectorLeg) ([]nearest.Found, error) {
	if leg.stream != nil {
		return leg.stream.nearest(q, r.filter, r.depth, r.MinSimilarity)
	}
	if r.filter.few() { // all of the filter's rows are compared
		return r.among(q, leg)
	}
	for {
		passed, err := r.pass(q, leg, leg.ranked)
		if err != nil || len(passed) >= r.depth || len(leg.ranked) < leg.asked {
			return passed[:min(len(passed), r.depth)], err
		}
		if leg.asked = r.deeper(leg.asked, len(passed)); leg.asked == 0 {
			return r.among(q, leg)
		}
		leg.ranked = leg.query.Nearest(leg.asked, r.MinSimilarity)
	}
}

// How deep a search with a filter looks among the nearest, for each hit wanted, before all that the filter finds is
// compared: half as deep again as the share that has passed so far asks for. To compare all rows of an entry of the
// index by words costs as much as to look at some hundreds of the nearest; the rows of another filter must be looked
// for one and all.
const (
	deepByEntry = 32
	deepByRows  = 200
)

// deeper returns how many of the nearest to look at, after so few of those asked for have passed the filter; 0 when it
// pays more to compare all that the filter finds.
func (r *searching) deeper(asked, passed int) int {
	if r.filter.asksNothing() {
		return asked * 8 // many have expired
	}
	if passed == 0 {
		return 0
	}
	most := deepByRows * r.depth
	if r.filter.entry() != "" {
		most = deepByEntry * r.depth
	}
	next := max(2*asked, asked*r.depth*3/(2*passed))
	if next > most {
		return 0
	}
	return next
}

// among returns the depth nearest of all that the filter finds. Where an entry is known that all of it has, the rows of
// that entry are compared, nearly all of which pass in most cases, and only the nearest of them are checked.
func (r *searching) among(q *session, leg *vectorLeg) ([]nearest.Found, error) {
	if entry := r.filter.entry(); entry != "" {
		ns := r.having
		if ns == nil {
			var err error
			if ns, err = r.of.having(q, r.user, entry); err != nil {
				return nil, err
			}
		}
		if passed, all, err := r.nearestAmong(q, leg, ns, 2); err != nil || all {
			return passed, err
		}
	}
	var b statement
	b.add("SELECT m.n")
	r.filter.set(&b)
	var ns []int64
	if err := q.read(&b, func(stmt *sqlite.Stmt) error { ns = append(ns, stmt.ColumnInt64(0)); return nil }); err != nil {
		return nil, err
	}
	passed, _, err := r.nearestAmong(q, leg, ns, math.MaxInt)
	return passed, err
}

// nearestAmong returns the depth nearest of some rows that pass the filter. When that takes more rounds than given, it
// is left, and all is false.
func (r *searching) nearestAmong(q *session, leg *vectorLeg, ns []int64,
	rounds int) (passed []nearest.Found, all bool, err error) {
	for asked := r.depth + 4; rounds > 0; asked, rounds = asked*8, rounds-1 {
		found := leg.query.Among(ns, asked, r.MinSimilarity)
		passed, err := r.pass(q, leg, found)
		if err != nil || len(passed) >= r.depth || len(found) < asked {
			return passed[:min(len(passed), r.depth)], true, err
		}
	}
	return nil, false, nil
}

// pass returns those of a leg's vectors, as many as are needed, whose rows are there, pass the filter, and still have
// them.
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
