package sqlite

import (
	"bytes"
	"cmp"
	"context"
	"slices"

	"zombiezen.com/go/sqlite"

	"almanac/adapters/store"
	"almanac/adapters/store/rows"
	"almanac/graph/model"
)

// ListFacts: see store.FactReader.
func (r reader) ListFacts(ctx context.Context, user model.UserID, query store.FactQuery) (store.FactPage, error) {
	filter, err := filterFacts(user, query.Where)
	if err != nil {
		return store.FactPage{}, err
	}
	several := inOneMoment(query.Total || query.Suppressed || query.Want.Fact.Has(store.FactEpisodes))
	return answer(ctx, r, "facts", several, func(q *session) (page store.FactPage, err error) {
		if query.Page != nil {
			if err := readFactPage(q, filter, &query, &page); err != nil {
				return page, err
			}
		}
		if !query.Total && !query.Suppressed {
			return page, nil
		}
		total, suppressed, err := countFacts(q, filter)
		if query.Total {
			page.Total = total
		}
		if query.Suppressed {
			page.Suppressed = suppressed
		}
		return page, err
	})
}

// countFacts counts what the filter finds, and what it leaves out because of its time alone, in one go over both.
func countFacts(q *session, f *factFilter) (total, suppressed int, err error) {
	whenever, at := *f, instantArg(f.where.At)
	whenever.where.Time = store.FactsAny
	all, holding := 0, 0
	count := func(from func(b *statement)) error {
		var b statement
		if f.where.Time == store.FactsAny {
			b.add("SELECT count(*), 0")
		} else {
			b.add("SELECT count(*), count(*) FILTER (WHERE m.valid_at <= ? AND m.invalid_at > ?)", at, at)
		}
		from(&b)
		return q.read(&b, func(stmt *sqlite.Stmt) error {
			all, holding = all+stmt.ColumnInt(0), holding+stmt.ColumnInt(1)
			return nil
		})
	}
	if f.where.Episode != (model.UUID{}) {
		err = count(whenever.set)
	} else {
		ways, _ := whenever.ways()
		for i := range ways {
			if err = count(func(b *statement) { whenever.from(b, &ways[i]) }); err != nil {
				break
			}
		}
	}
	switch f.where.Time {
	case store.FactsHolding:
		return holding, all - holding, err
	case store.FactsNotHolding:
		return all - holding, holding, err
	}
	return all, 0, err
}

// factOrder writes the order of a listing of the table or subquery that stands as alias.
func factOrder(alias, direction string) string {
	return " ORDER BY " + alias + ".created_at" + direction + ", " + alias + ".id" + direction
}

// readFactPage reads a page. Each way is read in its order and ends as soon as the page is full, so several have no
// more to be merged than that; an episode's facts are sorted.
func readFactPage(q *session, f *factFilter, query *store.FactQuery, page *store.FactPage) error {
	window, limit := query.Page, max(query.Page.Limit, 0)
	direction := " DESC"
	if window.Backward {
		direction = ""
	}
	within := func(b *statement) {
		beyondTime(b, "m.created_at", "<", window.After)
		beyondTime(b, "m.created_at", ">", window.Before)
		b.add(factOrder("m", direction)+" LIMIT ?", intArg(limit+1))
	}
	columns := selectFact(query.Want)
	var b statement
	b.add("SELECT ")
	columns.write(&b)
	b.add(", m.created_at")
	ways, _ := f.ways()
	switch {
	case f.where.Episode != (model.UUID{}):
		f.fromEpisode(&b, columns.join)
		within(&b)
	case len(ways) == 1 && len(columns.ends) == 0:
		f.from(&b, &ways[0])
		within(&b)
	default:
		b.add(" FROM (")
		for i := range ways {
			if i > 0 {
				b.add(" UNION ALL ")
			}
			b.add("SELECT * FROM (SELECT m.created_at, m.id, m.n")
			f.from(&b, &ways[i])
			within(&b)
			b.add(")")
		}
		if len(ways) > 1 {
			b.add(" ORDER BY 1"+direction+", 2"+direction+" LIMIT ?", intArg(limit+1))
		}
		b.add(") found CROSS JOIN facts m INDEXED BY facts_n ON m.user_id = ? AND m.n = found.n", userArg(f.user))
		columns.join(&b)
		b.add(factOrder("found", direction))
	}
	read := rows.NewReading[model.Fact, store.TimePlace](limit)
	if err := q.read(&b, func(stmt *sqlite.Stmt) error {
		fact, place := read.Next()
		err := columns.readRow(stmt, fact)
		*place = store.TimePlace{At: columnTime(stmt, columns.width()), ID: fact.ID.UUID}
		return err
	}); err != nil {
		return err
	}
	page.HasNext, page.HasPrevious = read.Cut(window)
	page.Facts, page.Places = read.Records, read.Places
	return readSupport(q, f.user, page.Facts, query.Want.Fact)
}

// beyondTime appends the condition that a row lies beyond a place, if there is one.
func beyondTime(b *statement, key, compare string, place *store.TimePlace) {
	if place != nil {
		b.add(" AND ("+key+", m.id) "+compare+" (?, ?)", instantArg(place.At), idArg(place.ID))
	}
}

// readSupport fills the episodes of facts, when they are wanted.
func readSupport(q *session, user model.UserID, facts []model.Fact, want store.FactColumns) error {
	if len(facts) == 0 || !want.Has(store.FactEpisodes) {
		return nil
	}
	return fill(q, facts, func(fact *model.Fact) model.UUID { return fact.ID.UUID },
		func(b *statement, some []model.UUID) {
			b.add("SELECT fact_id, episode_id FROM fact_episodes WHERE user_id = ? AND ", userArg(user))
			b.in("fact_id", some)
			b.add(" ORDER BY fact_id, episode_id")
		}, func(stmt *sqlite.Stmt, fact *model.Fact) error {
			fact.Episodes = append(fact.Episodes, ownEpisode(columnID(stmt, 1)))
			return nil
		})
}

// FactsByID: see store.FactReader.
func (r reader) FactsByID(ctx context.Context, user model.UserID, ids []model.UUID,
	want store.FactWant) ([]model.Fact, error) {
	ids = rows.Distinct(ids)
	if len(ids) == 0 {
		return nil, ctx.Err()
	}
	moment := inOneMoment(len(ids) > maxIDs || want.Fact.Has(store.FactEpisodes))
	return answer(ctx, r, "facts by id", moment, func(q *session) ([]model.Fact, error) {
		columns := selectFact(want)
		facts, err := readSome(q, ids, func(b *statement, some []model.UUID) {
			b.add("SELECT ")
			columns.write(b)
			b.add(" FROM facts m")
			columns.join(b)
			b.add(" WHERE m.user_id = ? AND ", userArg(user))
			b.in("m.id", some)
		}, columns.readRow)
		if err != nil {
			return nil, err
		}
		return facts, readSupport(q, user, facts, want.Fact)
	})
}

// FactsOfPairs: see store.FactReader. Each pair is a lookup of its own in one index.
func (r reader) FactsOfPairs(ctx context.Context, user model.UserID, pairs []store.FactPair,
	want store.FactWant) ([]model.Fact, error) {
	distinct := make(map[store.FactPair]struct{}, len(pairs))
	for _, pair := range pairs {
		if err := rows.Text(pair.Relation); err != nil {
			return nil, err
		}
		distinct[pair] = struct{}{}
	}
	if len(distinct) == 0 {
		return nil, ctx.Err()
	}
	moment := inOneMoment(len(distinct) > 1 || want.Fact.Has(store.FactEpisodes))
	return answer(ctx, r, "facts of pairs", moment, func(q *session) (facts []model.Fact, err error) {
		columns := selectFact(want)
		for pair := range distinct {
			var b statement
			b.add("SELECT ")
			columns.write(&b)
			b.add(" FROM facts m INDEXED BY facts_pair")
			columns.join(&b)
			b.add(" WHERE m.user_id = ? AND m.source_id = ? AND m.relation = ?", userArg(user), idArg(pair.Source),
				textArg(pair.Relation))
			if err := q.read(&b, into(&facts, columns.readRow)); err != nil {
				return nil, err
			}
		}
		slices.SortFunc(facts, func(a, b model.Fact) int { return bytes.Compare(a.ID.UUID[:], b.ID.UUID[:]) })
		return facts, readSupport(q, user, facts, want.Fact)
	})
}

// factAt is a fact's place in the order of a listing, with its number.
type factAt struct {
	createdAt int64
	id        model.UUID
	n         int64
}

// byNewest orders places as a listing does.
func byNewest(a, b factAt) int {
	return cmp.Or(cmp.Compare(b.createdAt, a.createdAt), bytes.Compare(b.id[:], a.id[:]))
}

// FactsAround: see store.FactReader. The places of each entity's newest facts come from the indexes of their ends
// alone; only the facts that are given are read.
func (r reader) FactsAround(ctx context.Context, user model.UserID, entities []model.UUID, where store.FactWhere,
	perEntity, limit int, want store.FactWant) ([]model.Fact, error) {
	where.Entity, where.Between = model.UUID{}, nil
	filter, err := filterFacts(user, where)
	if err != nil {
		return nil, err
	}
	entities, perEntity = rows.Distinct(entities), min(perEntity, limit)
	if len(entities) == 0 || perEntity <= 0 {
		return nil, ctx.Err()
	}
	return answer(ctx, r, "facts around", oneTransaction, func(q *session) ([]model.Fact, error) {
		places, err := placesAround(q, filter, entities, perEntity)
		if err != nil {
			return nil, err
		}
		return factsAt(q, user, places[:min(len(places), limit)], want)
	})
}

// placesAround returns the places of the newest facts of each entity, together in order, each once.
func placesAround(q *session, f *factFilter, entities []model.UUID, perEntity int) (all []factAt, err error) {
	for _, entity := range entities {
		var of []factAt
		for _, w := range waysOf(entity) {
			var b statement
			b.add("SELECT m.created_at, m.id, m.n")
			f.from(&b, &w)
			b.add(factOrder("m", " DESC")+" LIMIT ?", intArg(perEntity))
			if err := q.read(&b, func(stmt *sqlite.Stmt) error {
				of = append(of, factAt{stmt.ColumnInt64(0), columnID(stmt, 1), stmt.ColumnInt64(2)})
				return nil
			}); err != nil {
				return nil, err
			}
		}
		slices.SortFunc(of, byNewest)
		all = append(all, of[:min(len(of), perEntity)]...)
	}
	slices.SortFunc(all, byNewest)
	return slices.Compact(all), nil
}

// factsAt returns the facts at some places, in their order.
func factsAt(q *session, user model.UserID, places []factAt, want store.FactWant) ([]model.Fact, error) {
	best := make([]found, len(places))
	for i := range places {
		best[i].n, best[i].id = places[i].n, places[i].id
	}
	return factsOf(q, user, best, want)
}
