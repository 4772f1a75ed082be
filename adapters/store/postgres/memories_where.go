package postgres

import (
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgtype"

	"almanac/adapters/store"
	"almanac/adapters/store/rows"
	"almanac/graph/model"
	"almanac/projections/words"
)

// checkMemories refuses a filter with a text that nothing stored could have. BAD_USER_INPUT.
func checkMemories(where *store.MemoryWhere) error {
	for _, texts := range [...][]string{where.TagsAll, where.TagsAny, where.TagsNone, where.Pairs} {
		if err := rows.Text(texts...); err != nil {
			return err
		}
	}
	for _, parts := range [...][]store.MemoryWhere{where.And, where.Or} {
		for i := range parts {
			if err := checkMemories(&parts[i]); err != nil {
				return err
			}
		}
	}
	if where.Not != nil {
		return checkMemories(where.Not)
	}
	return nil
}

// memoryConditions returns the filter as SQL about the alias t, AND between its parts; empty when it asks nothing. $1
// must be the user.
func memoryConditions(q *query, where *store.MemoryWhere, ask terms) string {
	var all []string
	add := func(parts ...string) { all = append(all, strings.Join(parts, "")) }
	if len(where.Types) > 0 {
		names := make([]string, len(where.Types))
		for i, kind := range where.Types {
			names[i] = string(kind)
		}
		add("t.type = ANY(", q.param(names), ")")
	}
	for _, tag := range where.TagsAll {
		add(ask.has(q, words.TagEntry(tag)))
	}
	if len(where.TagsAny) > 0 {
		add(ask.has(q, tagEntries(where.TagsAny)...))
	}
	if len(where.TagsNone) > 0 {
		add("NOT ", ask.has(q, tagEntries(where.TagsNone)...))
	}
	for _, pair := range where.Pairs {
		add(ask.has(q, words.PairEntry(pair)))
	}
	if where.HasMetadata != nil {
		if *where.HasMetadata {
			add("t.metadata IS NOT NULL")
		} else {
			add("t.metadata IS NULL")
		}
	}
	for _, bound := range [...]struct {
		column, operator string
		at               time.Time
	}{
		{"t.created_at", " >= ", where.CreatedFrom}, {"t.created_at", " < ", where.CreatedTo},
		{"t.updated_at", " >= ", where.UpdatedFrom}, {"t.updated_at", " < ", where.UpdatedTo},
	} {
		if !bound.at.IsZero() {
			add(bound.column, bound.operator, q.param(boundArg(bound.at)))
		}
	}
	for i := range where.And {
		if part := memoryConditions(q, &where.And[i], ask); part != "" {
			add(part)
		}
	}
	if len(where.Or) > 0 {
		add(anyOf(q, where.Or, ask))
	}
	if where.Not != nil {
		if part := memoryConditions(q, where.Not, ask); part != "" {
			add("NOT (", part, ")")
		} else {
			add("false")
		}
	}
	return strings.Join(all, " AND ")
}

// boundArg returns a bound as a parameter. Times are kept to the microsecond, so what is at or after a moment within
// one is after it.
func boundArg(t time.Time) pgtype.Timestamptz {
	if kept := rows.Time(t); kept.Before(t) {
		return timeArg(kept.Add(time.Microsecond))
	}
	return timeArg(t)
}

// anyOf returns the condition that at least one of the filters holds.
func anyOf(q *query, filters []store.MemoryWhere, ask terms) string {
	parts := make([]string, len(filters))
	for i := range filters {
		if parts[i] = memoryConditions(q, &filters[i], ask); parts[i] == "" {
			parts[i] = "true"
		}
	}
	return "((" + strings.Join(parts, ") OR (") + "))"
}

func tagEntries(tags []string) []string {
	entries := make([]string, len(tags))
	for i, tag := range tags {
		entries[i] = words.TagEntry(tag)
	}
	return entries
}

// terms is how conditions ask for an entry.
type terms bool

const (
	// each: of one memory after another, until there are enough of them.
	each terms = false
	// gathered: the server may begin with all that have the entry, since all are wanted.
	gathered terms = true
)

// has asks whether the memory has one of the entries. Only in the words EXISTS the server may turn the question around,
// and then it does so whatever the number of those that have the entry, of which it has no idea.
func (t terms) has(q *query, entries ...string) string {
	var term string
	if len(entries) == 1 {
		term = " = " + q.param(entries[0])
	} else {
		term = " = ANY(" + q.param(entries) + ")"
	}
	if t == gathered {
		return "EXISTS (SELECT FROM memory_terms AS k WHERE k.user_id = $1 AND k.term" + term + " AND k.n = t.n)"
	}
	return "((SELECT true FROM memory_terms AS k WHERE k.user_id = $1 AND k.term" + term +
		" AND k.n = t.n LIMIT 1) IS TRUE)"
}

// required returns entries of which the filter's memories must have one each: what it may be quicker to begin with.
func required(where *store.MemoryWhere, groups [][]string) [][]string {
	for _, tag := range where.TagsAll {
		groups = append(groups, []string{words.TagEntry(tag)})
	}
	for _, pair := range where.Pairs {
		groups = append(groups, []string{words.PairEntry(pair)})
	}
	if len(where.TagsAny) > 0 {
		groups = append(groups, tagEntries(where.TagsAny))
	}
	for i := range where.And {
		groups = required(&where.And[i], groups)
	}
	return groups
}

// maxRequired bounds how many of them a statement begins with.
const maxRequired = 4

// holders returns the numbers of memories that have what is required, at most so many.
func holders(q *query, groups [][]string, most int) string {
	var b strings.Builder
	b.WriteString("SELECT k.n FROM memory_terms AS k WHERE k.user_id = $1 AND k.term = ANY(" + q.param(groups[0]) + ")")
	for _, group := range groups[1:min(len(groups), maxRequired)] {
		b.WriteString(" AND EXISTS (SELECT FROM memory_terms AS o WHERE o.user_id = $1 AND o.term = ANY(" + q.param(group) +
			") AND o.n = k.n)")
	}
	b.WriteString(" LIMIT " + q.param(int64(most)))
	return b.String()
}

// memoryWhere returns the filter's conditions on the alias t, and that it has not expired.
func memoryWhere(q *query, where *store.MemoryWhere, now time.Time, ask terms) string {
	sql := " WHERE t.user_id = $1 AND t.expires_at > " + q.param(instantArg(now))
	if conditions := memoryConditions(q, where, ask); conditions != "" {
		sql += " AND " + conditions
	}
	return sql
}

// allMemories returns a statement about all memories that pass a filter, in no order; what names what it returns of the
// alias t.
func allMemories(q *query, what string, where *store.MemoryWhere, now time.Time) string {
	return "SELECT " + what + " FROM memories AS t" + memoryWhere(q, where, now, gathered)
}

// memoryOrder is an order of memories as SQL.
func memoryOrder(order model.MemoryOrder) ordering {
	o := ordering{column: "created_at", descending: order.Direction == model.Descending}
	if order.Field == model.MemoryOrderUpdatedAt {
		o.column = "updated_at"
	}
	return o
}
