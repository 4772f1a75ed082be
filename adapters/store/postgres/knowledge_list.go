package postgres

import (
	"context"
	"slices"
	"strings"

	"almanac/adapters/store"
	"almanac/adapters/store/rows"
	"almanac/graph/model"
)

// listing is one page of a table's rows. The page is found first, with nothing but ids and what they are ordered by, in
// the index of the order as far as the filter allows; its rows are then looked up one by one.
type listing struct {
	table string
	order ordering
	// filter is what is asked of each row.
	filter filter
	// starts lead to the rows, each to others, by an index in the listing's order; none for all rows of the user.
	starts []string
	// keys and key are starts of another kind: one for each of the texts that the parameter keys has, of which the column
	// key has one.
	keys, key string
	// window bounds the page, as window.
	window filter
	// backward reads from the end; limit reads one row more than the page has.
	backward bool
	limit    string
}

// page returns the statement of the page's rows: p has their id and what they are ordered by.
func (l *listing) page() string {
	columns := "t.id, t." + l.order.column
	way := func(start string) string {
		sql := "SELECT " + columns + " FROM " + l.table + " AS t WHERE t.user_id = $1"
		if start != "" {
			sql += " AND " + start
		}
		return sql + l.filter.and() + l.window.and() + " ORDER BY " + l.order.by("t", l.backward) + l.limit
	}
	ordered := func(sql string) string {
		return "SELECT t.id, t." + l.order.column + " FROM (" + sql + ") AS t ORDER BY " + l.order.by("t", l.backward) +
			l.limit
	}
	switch {
	case l.keys != "":
		return ordered("SELECT w.id, w." + l.order.column + " FROM unnest(" + l.keys +
			"::text[]) AS k (key) CROSS JOIN LATERAL (" + way("t."+l.key+" = k.key") + ") AS w")
	case len(l.starts) > 0:
		ways := make([]string, len(l.starts))
		for i, start := range l.starts {
			ways[i] = "(" + way(start) + ")"
		}
		return ordered(strings.Join(ways, " UNION ALL "))
	}
	return way("")
}

// sql returns the whole statement: what the rows are ordered by, and then what list names of the alias t, with columns
// of the table and what joins has.
func (l *listing) sql(list string, columns []string, joins string) string {
	return "SELECT p." + l.order.column + ", " + list + " FROM (" + l.page() + ") AS p CROSS JOIN LATERAL (SELECT " +
		strings.Join(columns, ", ") + " FROM " + l.table +
		" WHERE user_id = $1 AND id = p.id LIMIT 1) AS t" + joins + " ORDER BY " + l.order.by("p", l.backward)
}

// windowOf returns the bounds of a page; key returns what a place is ordered by and its id.
func windowOf[P any](q *query, order ordering, window *store.Window[P], key func(place *P) (key, id any)) (f filter) {
	for _, bound := range [...]struct {
		place *P
		after bool
	}{{window.After, true}, {window.Before, false}} {
		if bound.place != nil {
			at, id := key(bound.place)
			f.add(order.beyond(q, bound.after, at, id))
		}
	}
	return f
}

func timePlace(place *store.TimePlace) (key, id any) { return instantArg(place.At), uuidArg(place.ID) }

// ListEntities returns one page and whatever else the query wants; see the contract.
func (d reader) ListEntities(ctx context.Context, user model.UserID,
	query store.EntityQuery) (store.EntityPage, error) {
	if err := checkEntities(&query.Where); err != nil {
		return store.EntityPage{}, err
	}
	var (
		page store.EntityPage
		read *rows.Reading[model.Entity, store.EntityPlace]
		b    = newBatch()
	)
	if query.Page != nil {
		for _, place := range [...]*store.EntityPlace{query.Page.After, query.Page.Before} {
			if place == nil {
				continue
			}
			if err := rows.Text(place.Name); err != nil {
				return store.EntityPage{}, err
			}
		}
		read = queueEntities(b, user, query)
	}
	if query.Total {
		q := newQuery(userArg(user))
		q.add("SELECT count(*) FROM entities AS t WHERE t.user_id = $1", entityFilter(q, &query.Where, true).and())
		q.count(b, &page.Total)
	}
	if len(b.statements) == 0 {
		return page, nil
	}
	if err := d.run(ctx, "read entities", b); err != nil {
		return store.EntityPage{}, err
	}
	if query.Page != nil {
		page.HasNext, page.HasPrevious = read.Cut(query.Page)
		page.Entities, page.Places = read.Records, read.Places
	}
	return page, nil
}

// queueEntities adds the statement that reads the page.
func queueEntities(b *batch, user model.UserID,
	query store.EntityQuery) *rows.Reading[model.Entity, store.EntityPlace] {
	window, shape := query.Page, entityShape(query.Columns)
	q := newQuery(userArg(user))
	l := listing{table: "entities", order: ordering{column: "name_key"}, backward: window.Backward}
	if query.Where.Name == "" && len(query.Where.Types) > 0 {
		l.keys, l.key = q.param(once(query.Where.Types)), "type_key"
	}
	l.filter = entityFilter(q, &query.Where, l.keys == "")
	l.window = windowOf(q, l.order, window,
		func(place *store.EntityPlace) (key, id any) { return place.Name, uuidArg(place.ID) })
	l.limit = q.limit(window.Limit)
	q.add(l.sql(shape.list("t"), shape.names(), ""))
	read := rows.NewReading[model.Entity, store.EntityPlace](window.Limit)
	q.into(b, func(r *row) {
		entity, place := read.Next()
		place.Name = r.text()
		shape.read(r, entity)
		place.ID = entity.ID.UUID
	})
	return read
}

// ListFacts returns one page and whatever else the query wants; see the contract.
func (d reader) ListFacts(ctx context.Context, user model.UserID, query store.FactQuery) (store.FactPage, error) {
	if err := checkFacts(&query.Where); err != nil {
		return store.FactPage{}, err
	}
	var (
		page store.FactPage
		read *rows.Reading[model.Fact, store.TimePlace]
		b    = newBatch()
	)
	if query.Page != nil {
		read = queueFacts(b, user, query)
	}
	queueFactCounts(b, user, query, &page)
	if len(b.statements) == 0 {
		return page, nil
	}
	if err := d.run(ctx, "read facts", b); err != nil {
		return store.FactPage{}, err
	}
	if query.Page != nil {
		page.HasNext, page.HasPrevious = read.Cut(query.Page)
		page.Facts, page.Places = read.Records, read.Places
	}
	return page, nil
}

// queueFacts adds the statement that reads the page.
func queueFacts(b *batch, user model.UserID, query store.FactQuery) *rows.Reading[model.Fact, store.TimePlace] {
	window, where, shape := query.Page, &query.Where, factShape(query.Want)
	q := newQuery(userArg(user))
	l := listing{table: "facts", order: ordering{column: "created_at", descending: true}, backward: window.Backward}
	begun := startOf(where)
	switch begun {
	case fromRelations:
		l.keys, l.key = q.param(once(where.Relations)), "relation"
	case fromEntity:
		entity := q.param(uuidArg(where.Entity))
		l.starts = []string{"t.source_id = " + entity, "t.target_id = " + entity + " AND t.source_id <> " + entity}
	case fromBetween:
		one, other := q.param(uuidArg(where.Between[0])), q.param(uuidArg(where.Between[1]))
		if l.starts = []string{"t.source_id = " + one + " AND t.target_id = " + other}; where.Between[0] != where.Between[1] {
			l.starts = append(l.starts, "t.source_id = "+other+" AND t.target_id = "+one)
		}
	case fromAll:
	}
	l.filter = append(factFilter(q, where, begun), factTime(q, where, "t")...)
	l.window = windowOf(q, l.order, window, timePlace)
	l.limit = q.limit(window.Limit)
	q.add(l.sql(shape.list(), shape.names(), shape.joins("$1")))
	read := rows.NewReading[model.Fact, store.TimePlace](window.Limit)
	q.into(b, func(r *row) {
		fact, place := read.Next()
		place.At = r.time()
		shape.read(r, fact)
		place.ID = fact.ID.UUID
	})
	return read
}

// queueFactCounts adds the statement that counts what was asked for, if anything was.
func queueFactCounts(b *batch, user model.UserID, query store.FactQuery, page *store.FactPage) {
	suppressed := query.Suppressed && query.Where.Time != store.FactsAny
	if !query.Total && !suppressed {
		return
	}
	q := newQuery(userArg(user))
	conditions := factFilter(q, &query.Where, fromAll)
	passes := factTime(q, &query.Where, "t")
	if suppressed { // both are counted on one way
		q.add("SELECT count(*) FILTER (WHERE ", passes.sql(), "), count(*) FILTER (WHERE NOT (", passes.sql(),
			")) FROM facts AS t WHERE t.user_id = $1", conditions.and())
	} else {
		q.add("SELECT count(*), 0::bigint FROM facts AS t WHERE t.user_id = $1", slices.Concat(conditions, passes).and())
	}
	q.into(b, func(r *row) {
		if total := int(r.int64()); query.Total {
			page.Total = total
		}
		page.Suppressed = int(r.int64())
	})
}

// ListEpisodes returns one page and whatever else the query wants; see the contract.
func (d reader) ListEpisodes(ctx context.Context, user model.UserID,
	query store.EpisodeQuery) (store.EpisodePage, error) {
	if err := rows.Text(append(textsOf(query.Where.Sources), textsOf(query.Where.States)...)...); err != nil {
		return store.EpisodePage{}, err
	}
	var (
		page store.EpisodePage
		read *rows.Reading[model.Episode, store.TimePlace]
		b    = newBatch()
	)
	if query.Page != nil {
		read = queueEpisodes(b, user, query)
	}
	if query.Total {
		q := newQuery(userArg(user))
		q.add("SELECT count(*) FROM episodes AS t WHERE t.user_id = $1", episodeFilter(q, &query.Where).and())
		q.count(b, &page.Total)
	}
	if len(b.statements) == 0 {
		return page, nil
	}
	if err := d.run(ctx, "read episodes", b); err != nil {
		return store.EpisodePage{}, err
	}
	if query.Page != nil {
		page.HasNext, page.HasPrevious = read.Cut(query.Page)
		page.Episodes, page.Places = read.Records, read.Places
	}
	return page, nil
}

// queueEpisodes adds the statement that reads the page.
func queueEpisodes(b *batch, user model.UserID,
	query store.EpisodeQuery) *rows.Reading[model.Episode, store.TimePlace] {
	window, shape := query.Page, episodeShape(query.Columns)
	q := newQuery(userArg(user))
	l := listing{table: "episodes", order: ordering{column: "reference_time", descending: true}, backward: window.Backward}
	l.filter = episodeFilter(q, &query.Where)
	l.window = windowOf(q, l.order, window, timePlace)
	l.limit = q.limit(window.Limit)
	q.add(l.sql(shape.list("t"), shape.names(), ""))
	read := rows.NewReading[model.Episode, store.TimePlace](window.Limit)
	q.into(b, func(r *row) {
		episode, place := read.Next()
		place.At = r.time()
		shape.read(r, episode)
		place.ID = episode.ID.UUID
	})
	return read
}
