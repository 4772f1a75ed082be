package postgres

import (
	"cmp"
	"context"
	"encoding/hex"
	"slices"
	"strconv"
	"strings"

	"almanac/graph/model"
	"almanac/projections/vector"
)

// nearest is what the vector leg has found.
type nearest struct {
	list []near
	// slack is how far a similarity of the list may be below the true one, or above it.
	slack float64
	// rest is the most that the similarity of a row can be that is not in the list, -2 when there is none.
	rest float64
	// missing tells that an index was asked, which may have missed some.
	missing bool
}

// near is a row with its similarity by the database's reckoning.
type near struct {
	n          int32
	id         model.UUID
	similarity float64
	// kept is its vector, where the look had a shelf.
	kept []float32
}

// nothingLeft is less than any similarity.
const nothingLeft = -2

// slackOf bounds how far a similarity by the database's reckoning is from the true one: it rounds the query to half
// precision (11 bits) and adds up in single precision (24 bits).
func slackOf(dimensions int) float64 { return 1.0/(1<<11) + float64(dimensions)/(1<<24) }

// readNearest finds the rows that are nearest to the query's vectors, so many for each. While a model is being changed
// there are vectors of two, each with a query of its own.
func (k *seeker) readNearest(ctx context.Context, wide int, out *nearest) error {
	*out = nearest{rest: nothingLeft}
	for i, query := range k.search.Vectors {
		if !measurable(query.Vector) {
			continue
		}
		list, missing, err := k.nearestOf(ctx, i, wide, nil)
		if err != nil {
			return err
		}
		out.missing = out.missing || missing
		slack := slackOf(len(query.Vector))
		out.list, out.slack = append(out.list, list...), max(out.slack, slack)
		if len(list) >= wide {
			out.rest = max(out.rest, list[len(list)-1].similarity+slack)
		}
	}
	return nil
}

// nearestOf finds the rows that are nearest to one of the query's vectors, the nearest first; with their vectors, and
// their columns on the shelf, when there is one. There are three ways:
//
//   - Through all of the user's vectors of the model, by the primary key, sorted by distance. Nothing is missed,
//     nothing has to be built, writes stay cheap. It is the way for all who have fewer vectors than indexFrom.
//   - For those who have more, by an index (HNSW) that holds their vectors of the model and nobody else's; see
//     tendIndexes. An index over all users would be of no use: it finds what is near among everybody's, and next to
//     nothing of it is the user's; and the server would take it for small users too. This one may miss what is near,
//     and how much depends on the texts: on clusters all of the ten nearest are found; on 100,000 texts of
//     bench/recall's templates, many of which are nearly the same, 0.91 with indexLinks, indexCare and indexEffort as
//     they are, where pgvector's own defaults find 0.58. A filter is asked of each vector that the index names, so that
//     the index goes on looking until enough pass; where it gives up before that (indexTries), the first way is gone
//     after all.
//   - With a filter that at most fewRows pass, through the vectors of these. Here an index would go on and on, and miss
//     one in ten.
//
// With 256 dimensions the first way takes some 15 ms for 10,000 vectors, and 55 to 160 for 100,000; the second some 10
// for these. Building the index takes a minute or two for 100,000 vectors, and each vector written afterwards some
// milliseconds: see bench/README.md. So up to indexFrom it pays to miss nothing. Codes of one bit for each number, as
// SQLite's driver has them in memory, were tried in a table of their own: with 400 of them looked at again they find
// 0.85 in 45 ms, which is neither.
//
// missing tells that the second way was gone.
func (k *seeker) nearestOf(ctx context.Context, at, wide int, shelf shelf) (list []near, missing bool, err error) {
	query := k.search.Vectors[at]
	key := indexedModel{user: k.user, name: query.Model, dimensions: len(query.Vector)}
	number := int16(0)
	if k.in.indexed {
		number = k.store.indexed.number(key)
	}
	if number == 0 || k.complete {
		all := looked{shelf: shelf}
		b := newBatch()
		k.queueExact(b, at, wide, k.in.indexed && !k.complete && !k.store.citus, &all)
		if err := k.store.apart(ctx, b); err != nil || all.indexed == 0 {
			slices.SortStableFunc(all.list, nearer)
			return all.list, false, err
		}
		number = all.indexed
		k.store.indexed.keep(key, number)
	}
	quick, all := looked{shelf: shelf}, looked{shelf: shelf}
	b := newBatch()
	k.queueByIndex(b, at, number, wide, &quick)
	if err := k.store.apart(ctx, b); err != nil {
		return nil, false, err
	}
	if quick.indexed == 0 {
		k.store.indexed.keep(key, 0)
	}
	if len(quick.list) >= wide {
		// What an index returns is in order but for a little, and what is joined to it in none.
		slices.SortStableFunc(quick.list, nearer)
		return quick.list[:wide], true, nil
	}
	// Too little of what is near passes the filter, or so little is there at all.
	b = newBatch()
	k.queueExact(b, at, wide, false, &all)
	err = k.store.apart(ctx, b)
	slices.SortStableFunc(all.list, nearer)
	return all.list, false, err
}

func nearer(a, b near) int { return cmp.Compare(b.similarity, a.similarity) }

// measurable reports whether a vector can be compared with those that are kept.
func measurable(v []float32) bool {
	return len(v) <= model.MaxEmbeddingDimensions && vector.Unit(slices.Clone(v))
}

// looked is what one look for what is nearest has given.
type looked struct {
	// list is the nearest first.
	list []near
	// indexed is the number of the model when it has an index.
	indexed int16
	// shelf takes the columns and the vectors of the rows; nil when they are not wanted.
	shelf shelf
}

// wanted returns what a look reads of the alias x of its rows, and what must be joined for it. The rows are looked up
// one by one: the server, which does not know how few they are, would read all there are where one user has nearly all
// of them.
func (l *looked) wanted(in population) (list, joins string) {
	list = "x.n, x." + in.id + ", x.distance"
	if l.shelf == nil {
		return list, ""
	}
	return list + ", halfvec_send(x.embedding), " + l.shelf.list(), " LEFT JOIN LATERAL (SELECT * FROM " + in.rows +
		" WHERE user_id = $1 AND n = x.n LIMIT 1) AS t ON true" + l.shelf.joins()
}

// read reads what wanted names.
func (l *looked) read(r *row) {
	one := near{n: r.int32(), id: r.uuid(), similarity: 1 - r.float64()}
	if l.shelf != nil {
		one.kept = r.halves()
		l.shelf.take(r)
	}
	l.list = append(l.list, one)
}

// queueExact adds a look at all of the user's vectors of one model that pass the filter. When yield is set and they
// have an index, it does nothing and tells of the index.
func (k *seeker) queueExact(b *batch, at, wide int, yield bool, out *looked) {
	query := k.search.Vectors[at]
	text, _ := halvesText(query.Vector)
	q := newQuery(userArg(k.user))
	list, joins := out.wanted(k.in)
	q.add("SELECT y.number, y.indexed, ", list, " FROM (SELECT number, ")
	if yield {
		q.add("rows >= ", q.param(int32(k.store.indexed.from/2)), " AND ",
			soundIndex(q.param(strings.TrimSuffix(indexName(k.user, 0), "0"))+" || number"))
	} else {
		q.add("false")
	}
	q.add(" AS indexed FROM ", k.in.models, " WHERE user_id = $1 AND name = ", q.param(query.Model), " AND dimensions = ",
		q.param(int32(len(query.Vector))),
		" AND rows > 0) AS y LEFT JOIN LATERAL (SELECT v.n, v.", k.in.id, ", v.embedding, v.embedding <=> ", q.param(text),
		" AS distance FROM ", k.in.vectors, " AS v",
		" WHERE v.user_id = $1 AND v.model = y.number AND NOT y.indexed AND ", k.passes(q, "v.n"),
		" ORDER BY distance LIMIT ", q.param(int64(wide)), ") AS x ON true", joins)
	q.into(b, func(r *row) {
		k.numbers[at] = r.int16()
		if r.bool() {
			out.indexed = k.numbers[at]
		}
		if r.isNull() {
			r.skip(len(r.values) - r.next)
			return
		}
		out.read(r)
	})
}

// soundIndex returns the condition that an index is there and can be used; name is an expression.
func soundIndex(name string) string {
	return "coalesce((SELECT i.indisvalid FROM pg_index AS i WHERE i.indexrelid = to_regclass(" + name + ")), false)"
}

const (
	// indexEffort is how many vectors the index looks at once at least (hnsw.ef_search), and indexTries how many in all
	// when a filter turns down what is near (hnsw.max_scan_tuples).
	indexEffort = 600
	maxEffort   = 1_000 // the most that pgvector takes
	indexTries  = 5_000
)

// queueByIndex adds a question to the index on the user's vectors of one model. It may give less than there is. The
// statement names the user and the model, since the server takes a partial index only where it sees its condition, and
// how many are wanted, since that decides whether it is worth it.
func (k *seeker) queueByIndex(b *batch, at int, number int16, wide int, out *looked) {
	query := k.search.Vectors[at]
	text, _ := halvesText(query.Vector)
	most := 32
	for most < wide {
		most *= 2
	}
	k.numbers[at] = number
	q := newQuery(userArg(k.user))
	distance := "v.embedding::halfvec(" + strconv.Itoa(len(query.Vector)) + ") <=> " + q.param(text)
	list, joins := out.wanted(k.in)
	q.add("SELECT ", list, " FROM (SELECT v.n, v.memory_id, v.embedding, ", distance,
		" AS distance FROM memory_vectors AS v WHERE v.user_id = '", hex.EncodeToString(k.user[:]), "' AND v.model = ",
		strconv.Itoa(int(number)))
	if k.filtered {
		q.add(" AND ", k.probe(q, "v.n"))
	} else {
		q.add(" AND ", k.passes(q, "v.n"))
	}
	q.add(" ORDER BY ", distance, " LIMIT ", strconv.Itoa(most), ") AS x", joins)
	b.exec(beginSnapshot, nil)
	b.query(
		"SELECT set_config('hnsw.iterative_scan', 'relaxed_order', true), set_config('hnsw.ef_search', $1, true), "+
			"set_config('hnsw.max_scan_tuples', $2, true), "+soundIndex("$3"),
		func(r *row) {
			if r.skip(3); r.bool() {
				out.indexed = number
			}
		}, strconv.Itoa(min(max(indexEffort, most), maxEffort)), strconv.Itoa(max(indexTries, 2*most)),
		indexName(k.user, number))
	q.into(b, out.read)
	b.exec(endSnapshot, nil)
}

// passes returns the condition that a row passes the filter and is there; number is the expression of its n, which is
// that of a vector v where the filter is not complete.
func (k *seeker) passes(q *query, number string) string {
	switch {
	case k.complete:
		return number + " = ANY(" + q.param(k.few) + ")"
	case k.filtered:
		if beside := k.sieve.beside(q); beside != "" {
			return beside
		}
		// In these words, because the server then lists those that pass once, and does not ask for each memory.
		return "(" + number + " IN (" + k.sieve.all(q, "t.n") + ")) IS TRUE"
	}
	if gone := k.sieve.gone(q); gone != "" {
		return number + " NOT IN (" + gone + ")"
	}
	return "true"
}

// probe returns the condition that one row passes the filter, to be asked of one after another.
func (k *seeker) probe(q *query, number string) string {
	sql := "(SELECT true FROM " + k.in.rows + " AS t WHERE t.user_id = $1 AND t.n = " + number
	if there := k.sieve.there(q); there != "" {
		sql += " AND " + there
	}
	return sql + " AND " + k.sieve.conditions(q) + ")"
}
