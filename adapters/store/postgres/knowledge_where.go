package postgres

import (
	"slices"
	"strings"
	"time"

	"almanac/adapters/store"
	"almanac/adapters/store/rows"
	"almanac/graph/model"
)

// filter is a filter as SQL about the alias t, in parts that are ANDed.
type filter []string

func (f *filter) add(parts ...string) { *f = append(*f, strings.Join(parts, "")) }

// sql joins the parts; empty when nothing is asked.
func (f filter) sql() string { return strings.Join(f, " AND ") }

// and returns the parts after an AND, to be put behind other conditions.
func (f filter) and() string {
	if len(f) == 0 {
		return ""
	}
	return " AND " + f.sql()
}

// bounds asks a column to be at or after a moment, and before another; none asks nothing.
func (f *filter) bounds(q *query, column string, from, to time.Time) {
	if !from.IsZero() {
		f.add(column, " >= ", q.param(boundArg(from)))
	}
	if !to.IsZero() {
		f.add(column, " < ", q.param(boundArg(to)))
	}
}

func checkEntities(where *store.EntityWhere) error {
	if err := rows.Text(where.Types...); err != nil {
		return err
	}
	return rows.Text(where.Name)
}

// entityFilter returns the filter; with the types unless they are where the look begins.
func entityFilter(q *query, where *store.EntityWhere, types bool) (f filter) {
	if types && len(where.Types) > 0 {
		f.add("t.type_key = ANY(", q.param(where.Types), ")")
	}
	if where.Name != "" {
		// The list is made once, whatever the rows are that are looked at.
		f.add("t.id = ANY(ARRAY(SELECT entity_id FROM entity_names WHERE user_id = $1 AND name_key = ", q.param(where.Name),
			"))")
	}
	f.bounds(q, "t.created_at", where.CreatedFrom, where.CreatedTo)
	return f
}

func checkFacts(where *store.FactWhere) error { return rows.Text(where.Relations...) }

// start says at which rows of the facts a look begins, and so what of a filter need not be asked again.
type start int

const (
	fromAll start = iota
	fromRelations
	fromEntity
	fromBetween
)

// startOf returns where it is best to begin. The facts of an episode are found by its condition.
func startOf(where *store.FactWhere) start {
	switch {
	case where.Between != nil:
		return fromBetween
	case where.Episode != model.UUID{}:
		return fromAll
	case where.Entity != model.UUID{}:
		return fromEntity
	case len(where.Relations) > 0:
		return fromRelations
	}
	return fromAll
}

// holds returns the condition that a fact, whose times stand behind an alias, holds at a moment. No bound is infinite,
// so this is half-open whatever the bounds.
func holds(q *query, at time.Time, alias string) string {
	moment := q.param(instantArg(at))
	return "(" + alias + ".valid_at <= " + moment + " AND " + alias + ".invalid_at > " + moment + ")"
}

// factTime asks what the filter asks about the moment.
func factTime(q *query, where *store.FactWhere, alias string) (f filter) {
	switch where.Time {
	case store.FactsHolding:
		f.add(holds(q, where.At, alias))
	case store.FactsNotHolding:
		f.add("NOT ", holds(q, where.At, alias))
	case store.FactsAny:
	}
	return f
}

// factFilter returns the filter but for what it asks about the moment, and for what the start has seen to.
func factFilter(q *query, where *store.FactWhere, begun start) (f filter) {
	if begun != fromEntity && where.Entity != (model.UUID{}) {
		entity := q.param(uuidArg(where.Entity))
		f.add("(t.source_id = ", entity, " OR t.target_id = ", entity, ")")
	}
	if begun != fromBetween && where.Between != nil {
		one, other := q.param(uuidArg(where.Between[0])), q.param(uuidArg(where.Between[1]))
		f.add("(t.source_id = ", one, " AND t.target_id = ", other, " OR t.source_id = ", other, " AND t.target_id = ", one,
			")")
	}
	if begun != fromRelations && len(where.Relations) > 0 {
		f.add("t.relation = ANY(", q.param(where.Relations), ")")
	}
	if where.Episode != (model.UUID{}) {
		f.add("t.id = ANY(ARRAY(SELECT fact_id FROM fact_episodes WHERE user_id = $1 AND episode_id = ",
			q.param(uuidArg(where.Episode)), "))")
	}
	f.bounds(q, "t.valid_at", where.ValidFrom, where.ValidTo)
	f.bounds(q, "t.created_at", where.CreatedFrom, where.CreatedTo)
	return f
}

func episodeFilter(q *query, where *store.EpisodeWhere) (f filter) {
	if len(where.Sources) > 0 {
		f.add("t.source = ANY(", q.param(textsOf(where.Sources)), ")")
	}
	if len(where.States) > 0 {
		f.add("t.state = ANY(", q.param(textsOf(where.States)), ")")
	}
	f.bounds(q, "t.reference_time", where.From, where.To)
	return f
}

func textsOf[T ~string](values []T) []string {
	texts := make([]string, len(values))
	for i, value := range values {
		texts[i] = string(value)
	}
	return texts
}

// once returns texts, each once.
func once(texts []string) []string { return slices.Compact(slices.Sorted(slices.Values(texts))) }
