package postgres

import (
	"bytes"
	"cmp"
	"context"
	"slices"
	"sync"

	"github.com/jackc/pgx/v5/pgxpool"

	"almanac/adapters/store"
	"almanac/graph/model"
	"almanac/projections/vector"
)

// A search looks through one population: memories, entities or facts. See SearchMemories for its promises, and
// nearestOf for when an index is used and what that may miss.
//
// A search by a vector alone is one round trip. With words it goes in three steps. The legs, at the same time on
// connections of their own, name candidates and bound what each can be worth: the database's distances are to a query
// in half precision, and some words are too common to be looked for everywhere. What words find is measured against
// the query in the database: beside the leg by meaning when that asks an index, which may miss any of it, and else
// after it, without those that cannot be among the best. Then candidates are taken, the most promising first, and their
// worth is computed here from the vectors and terms that are kept, until none that is left can be worth more than those
// at hand. In the end the hits' columns are read. So few vectors leave the database, however many rows have a word of
// the query.

const (
	// fewRows is how many rows of a filter are so few that each is looked at: then nothing is left to an index or to
	// chance.
	fewRows = 2_000
	// spare is how many of the nearest are taken beyond those asked for when words count too: the further the list goes,
	// the less any row that is not in it can be worth, and the fewer of those that words found must be looked at.
	spare = 100
	// maxRefined bounds how many candidates' vectors and terms leave the database in one search, beside those asked for.
	maxRefined = 2_000
	// maxPlaced bounds how many of those that words found are measured against the query in the database.
	maxPlaced = 4_000
	// placedAlone is how many of those are taken as they are, without having been measured in the database first.
	placedAlone = 16
)

// seeker is one search under way.
type seeker struct {
	store  *Store
	user   model.UserID
	in     population
	sieve  sieve
	search store.Looking
	// shelf takes the hits' columns, and those of some more.
	shelf shelf
	// depth is how many hits are wanted, with those before them and one after.
	depth int
	// filtered tells that there is a filter; few are the rows that pass it when complete, and no others need to be looked
	// at.
	filtered, complete bool
	few                []int32
	// numbers are the models of the query's vectors in the database, in their order; 0 for those that no vector is of.
	numbers []int16
}

// candidate is a row that may be a hit: first with bounds of what it can be worth, then with what it is worth.
type candidate struct {
	n  int32
	id model.UUID
	// named tells that the id is known.
	named bool
	// similarity and keyword are at least what they are, until exact; so is score.
	similarity, keyword float64
	score               float64
	// least is what the score is at least; -1 where it may be no hit.
	least               float64
	exact               bool
	byVector, byKeyword bool
	// measured tells that it has a vector of one of the query's models.
	measured bool
}

// compare orders candidates, the best first. Whose id is not known yet comes first among equals, since it may be the
// newest.
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

// weigh computes the score. The products are rounded before they are added, so that every processor returns the same.
func (k *seeker) weigh(c *candidate) {
	c.score = k.score(c.similarity, c.keyword)
}

func (k *seeker) score(similarity, keyword float64) float64 {
	return float64(k.search.SimilarityWeight*max(similarity, 0)) + float64(k.search.KeywordWeight*keyword)
}

// seek returns the hits that were asked for, best first, and whether there are more. Their columns are on the shelf.
func (k *seeker) seek(ctx context.Context) (page []*candidate, hasNext bool, err error) {
	k.depth = k.search.Offset + k.search.Limit + 1
	if err := k.readFew(ctx); err != nil {
		return nil, false, err
	}
	if k.complete && len(k.few) == 0 {
		return nil, false, nil
	}
	k.numbers = make([]int16, len(k.search.Vectors))
	best, sure, err := k.atOnce(ctx)
	if err == nil && !sure {
		best, err = k.legs(ctx, k.depth+k.depth/4+16)
	}
	if err != nil {
		return nil, false, err
	}
	page, hasNext = k.page(best)
	return page, hasNext, nil
}

// onceMost is up to how many hits their columns are read with those of all that may be among them.
const onceMost = 50

// atOnce answers a search by one vector alone in one round trip. sure reports whether it could: the hits must be told
// from what comes after them by more than the error of the database's distances.
func (k *seeker) atOnce(ctx context.Context) (best []*candidate, sure bool, err error) {
	if len(k.search.Words.Terms) > 0 || len(k.search.Vectors) != 1 || k.depth > onceMost || !k.shelf.light() {
		return nil, false, nil
	}
	query := k.search.Vectors[0]
	if !measurable(query.Vector) {
		return nil, true, nil
	}
	wide := k.depth + k.depth/4 + 16
	list, _, err := k.nearestOf(ctx, 0, wide, k.shelf)
	if err != nil {
		return nil, false, err
	}
	for i := range list {
		one := &list[i]
		c := &candidate{n: one.n, id: one.id, named: true, similarity: vector.Cosine(query.Vector, one.kept), byVector: true,
			measured: true}
		if k.weigh(c); c.similarity >= k.search.MinSimilarity {
			best = append(best, c)
		}
	}
	slices.SortFunc(best, (*candidate).compare)
	if len(list) >= wide {
		unseen := candidate{similarity: list[len(list)-1].similarity + slackOf(len(query.Vector)), named: true}
		k.weigh(&unseen)
		if unseen.similarity >= k.search.MinSimilarity && (len(best) < k.depth || best[k.depth-1].compare(&unseen) >= 0) {
			return nil, false, nil
		}
	}
	return best, true, nil
}

// page returns the candidates asked for, and whether there are more.
func (k *seeker) page(best []*candidate) (page []*candidate, hasNext bool) {
	from := min(k.search.Offset, len(best))
	to := min(from+k.search.Limit, len(best))
	return best[from:to], len(best) > to
}

// legs runs both legs and ranks what they find. wide is how many of the nearest are asked for at first.
func (k *seeker) legs(ctx context.Context, wide int) ([]*candidate, error) {
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
			wait.Go(func() { failed = k.byWords(ctx, found) })
		}
	}
	err := k.readNearest(ctx, wide, &near)
	wait.Wait()
	if err != nil {
		return nil, err
	}
	if failed != nil {
		return nil, failed
	}
	for {
		best, sure, err := k.rank(ctx, found, &near)
		if err != nil || sure || wide >= maxRefined+k.depth {
			return best, err
		}
		// What lies beyond the list is so near to what is in it that the difference is within the error of the database's
		// distances.
		wide *= 4
		if err := k.readNearest(ctx, wide, &near); err != nil {
			return nil, err
		}
	}
}

// rank finds the best of what the legs have found, and reads the columns of those asked for. sure reports whether
// nothing that the vector leg has not listed could be among them.
func (k *seeker) rank(ctx context.Context, found *worded, near *nearest) (best []*candidate, sure bool, err error) {
	all := k.candidates(found, near)
	err = k.store.snapshot(ctx, func(run func(b *batch, last bool) error) error {
		if err := k.placeRest(run, all, near); err != nil {
			return err
		}
		if best, err = k.refine(run, all, found); err != nil {
			return err
		}
		return k.read(run, best)
	})
	if err != nil {
		return nil, false, err
	}
	unseen := candidate{similarity: near.rest, named: true}
	k.weigh(&unseen)
	sure = near.rest < k.search.MinSimilarity || len(best) >= k.depth && best[k.depth-1].compare(&unseen) < 0
	return best, sure, nil
}

// readFew finds out whether the filter has few rows, and which.
func (k *seeker) readFew(ctx context.Context) error {
	if k.filtered = k.sieve.asks(); !k.filtered {
		return nil
	}
	if len(k.search.Words.Terms) == 0 && !k.in.indexed && k.sieve.beside(newQuery(nil)) != "" {
		return nil // one look at all vectors answers, however many pass
	}
	q := newQuery(userArg(k.user))
	q.add(k.sieve.all(q, "t.n"), " LIMIT ", q.param(int64(fewRows+1)))
	b := newBatch()
	q.into(b, func(r *row) { k.few = append(k.few, r.int32()) })
	if err := k.store.apart(ctx, b); err != nil {
		return err
	}
	if k.complete = len(k.few) <= fewRows; !k.complete {
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

// snapshot lends f one connection and one moment of the database, outside of the transaction that the context carries.
// run sends a batch; the last one ends it. f may be called a second time.
func (s *Store) snapshot(ctx context.Context, f func(run func(b *batch, last bool) error) error) error {
	within, cancel := s.bounded(ctx)
	defer cancel()
	return explain(ctx, s.lend(within, func(conn *pgxpool.Conn) error {
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
			_, err := s.send(within, conn.Conn(), all)
			return err
		})
	}))
}
