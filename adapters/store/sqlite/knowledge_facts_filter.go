package sqlite

import (
	"zombiezen.com/go/sqlite"

	"almanac/adapters/store"
	"almanac/adapters/store/rows"
	"almanac/graph/model"
)

// factFilter is a FactWhere of a user. Its conditions are about the table facts as m.
//
// Facts are found on ways: a way is a stretch of one index whose rows lie in the order of a listing. What a filter asks
// for lies on one way or on several, each fact on one of them.
type factFilter struct {
	user   model.UserID
	where  store.FactWhere
	scarce bool
}

// way is where facts are found: an index, and the conditions on its first columns, each with AND before it.
type way struct {
	index, conditions string
	args              []arg
}

// maxRelationWays is for how many relations each is looked up by itself.
const maxRelationWays = 8

// filterFacts checks the texts of a filter.
func filterFacts(user model.UserID, where store.FactWhere) (*factFilter, error) {
	if err := rows.Text(where.Relations...); err != nil {
		return nil, err
	}
	where.Relations = distinctTexts(where.Relations)
	return &factFilter{user: user, where: where}, nil
}

// distinctTexts returns each text once, in the order of their first appearance.
func distinctTexts(texts []string) (out []string) {
	seen := make(map[string]struct{}, len(texts))
	for _, text := range texts {
		if _, again := seen[text]; !again {
			seen[text] = struct{}{}
			out = append(out, text)
		}
	}
	return out
}

func (f *factFilter) asksNothing() bool {
	w := &f.where
	return w.Time == store.FactsAny && w.Entity == (model.UUID{}) && w.Between == nil && len(w.Relations) == 0 &&
		w.Episode == (model.UUID{}) &&
		w.ValidFrom.IsZero() && w.ValidTo.IsZero() && w.CreatedFrom.IsZero() && w.CreatedTo.IsZero()
}

// ways are where all facts lie that the filter asks for; narrow is false when that is everywhere. An episode's facts
// are found by themselves, see from.
func (f *factFilter) ways() (ways []way, narrow bool) {
	w := &f.where
	switch {
	case w.Between != nil:
		a, b := idArg(w.Between[0]), idArg(w.Between[1])
		ways = []way{{"facts_source", " AND m.source_id = ? AND m.target_id = ?", []arg{a, b}}}
		if w.Between[0] != w.Between[1] {
			ways = append(ways, way{"facts_source", " AND m.source_id = ? AND m.target_id = ?", []arg{b, a}})
		}
	case w.Entity != (model.UUID{}):
		ways = waysOf(w.Entity)
	case len(w.Relations) > 0 && len(w.Relations) <= maxRelationWays:
		for _, relation := range w.Relations {
			ways = append(ways, way{"facts_relation", " AND m.relation = ?", []arg{textArg(relation)}})
		}
	default:
		return []way{{index: "facts_created"}}, false
	}
	return ways, true
}

// waysOf are where the facts lie that have an entity at an end. One that has it at both is among those of the source.
func waysOf(entity model.UUID) []way {
	return []way{
		{"facts_source", " AND m.source_id = ?", []arg{idArg(entity)}},
		{"facts_target", " AND m.target_id = ? AND m.source_id <> ?", []arg{idArg(entity), idArg(entity)}},
	}
}

// plan counts what lies on the ways, up to fewRows.
func (f *factFilter) plan(q *session) error {
	ways, narrow := f.ways()
	if f.scarce = f.where.Episode != (model.UUID{}); f.scarce || !narrow {
		return nil
	}
	left := fewRows
	for _, w := range ways {
		var b statement
		b.add("SELECT count(*) FROM (SELECT 1 FROM facts m INDEXED BY "+w.index+" WHERE m.user_id = ?"+w.conditions,
			userArg(f.user))
		b.args = append(b.args, w.args...)
		b.add(" LIMIT ?)", intArg(left))
		if err := q.read(&b, func(stmt *sqlite.Stmt) error { left -= stmt.ColumnInt(0); return nil }); err != nil ||
			left <= 0 {
			return err
		}
	}
	f.scarce = true
	return nil
}

func (f *factFilter) few() bool { return f.scarce }

func (f *factFilter) entry() string { return "" }

// from appends FROM and WHERE of what lies on one way and passes.
func (f *factFilter) from(b *statement, w *way) {
	b.add(" FROM facts m INDEXED BY "+w.index+" WHERE m.user_id = ?"+w.conditions,
		append([]arg{userArg(f.user)}, w.args...)...)
	f.conditions(b)
}

// fromEpisode appends FROM, with what join adds, and WHERE of an episode's facts that pass.
func (f *factFilter) fromEpisode(b *statement, join func(b *statement)) {
	b.add(
		" FROM fact_episodes r INDEXED BY fact_episodes_episode CROSS JOIN facts m ON m.user_id = r.user_id AND m.id = " +
			"r.fact_id")
	join(b)
	b.add(" WHERE r.user_id = ? AND r.episode_id = ?", userArg(f.user), idArg(f.where.Episode))
	f.others(b)
}

func (f *factFilter) set(b *statement) {
	if f.where.Episode != (model.UUID{}) {
		f.fromEpisode(b, func(*statement) {})
		return
	}
	ways, _ := f.ways()
	if len(ways) == 1 {
		f.from(b, &ways[0])
		return
	}
	b.add(" FROM (")
	for i := range ways {
		if i > 0 {
			b.add(" UNION ALL ")
		}
		b.add("SELECT m.n")
		f.from(b, &ways[i])
	}
	b.add(") m WHERE 1")
}

func (f *factFilter) conditions(b *statement) {
	if f.where.Episode != (model.UUID{}) {
		b.add(
			" AND EXISTS (SELECT 1 FROM fact_episodes x WHERE x.user_id = m.user_id AND x.fact_id = m.id AND x.episode_id = ? "+
				"LIMIT 1)", idArg(f.where.Episode))
	}
	f.others(b)
}

// others is conditions without that of the episode.
func (f *factFilter) others(b *statement) {
	w := &f.where
	// Kept times are whole microseconds, and so is a moment that is compared with them.
	switch at := intArg(rows.Micros(w.At)); w.Time {
	case store.FactsHolding:
		b.add(" AND m.valid_at <= ? AND m.invalid_at > ?", at, at)
	case store.FactsNotHolding:
		b.add(" AND (m.valid_at > ? OR m.invalid_at <= ?)", at, at)
	}
	if w.Entity != (model.UUID{}) {
		b.add(" AND (m.source_id = ? OR m.target_id = ?)", idArg(w.Entity), idArg(w.Entity))
	}
	if w.Between != nil {
		one, other := idArg(w.Between[0]), idArg(w.Between[1])
		b.add(" AND (m.source_id = ? AND m.target_id = ? OR m.source_id = ? AND m.target_id = ?)", one, other, other, one)
	}
	if len(w.Relations) > 0 {
		b.add(" AND ")
		b.inTexts("m.relation", w.Relations)
	}
	within(b, "m.valid_at", w.ValidFrom, w.ValidTo)
	within(b, "m.created_at", w.CreatedFrom, w.CreatedTo)
}
