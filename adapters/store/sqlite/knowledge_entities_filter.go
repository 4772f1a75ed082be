package sqlite

import (
	"time"

	"zombiezen.com/go/sqlite"

	"almanac/adapters/store"
	"almanac/adapters/store/rows"
	"almanac/graph/model"
)

// entityFilter is an EntityWhere of a user. Its conditions are about the table entities as m.
type entityFilter struct {
	user   model.UserID
	where  store.EntityWhere
	scarce bool
}

// filterEntities checks the texts of a filter.
func filterEntities(user model.UserID, where store.EntityWhere) (*entityFilter, error) {
	if err := rows.Text(append([]string{where.Name}, where.Types...)...); err != nil {
		return nil, err
	}
	return &entityFilter{user: user, where: where}, nil
}

func (f *entityFilter) asksNothing() bool {
	w := &f.where
	return len(w.Types) == 0 && w.Name == "" && w.CreatedFrom.IsZero() && w.CreatedTo.IsZero()
}

// plan counts what has one of the types, up to fewRows. A name is of few.
func (f *entityFilter) plan(q *session) error {
	if f.scarce = f.where.Name != ""; f.scarce || len(f.where.Types) == 0 {
		return nil
	}
	var b statement
	b.add("SELECT count(*) FROM (SELECT 1 FROM entities INDEXED BY entities_type WHERE user_id = ? AND ", userArg(f.user))
	b.inTexts("type_key", f.where.Types)
	b.add(" LIMIT ?)", intArg(fewRows))
	return q.read(&b, func(stmt *sqlite.Stmt) error { f.scarce = stmt.ColumnInt(0) < fewRows; return nil })
}

func (f *entityFilter) few() bool { return f.scarce }

func (f *entityFilter) entry() string { return "" }

// inOrder appends FROM and WHERE so that rows come in the order of names, in which a name's few are to be sorted.
func (f *entityFilter) inOrder(b *statement) {
	switch {
	case f.where.Name != "":
		f.set(b)
	case len(f.where.Types) == 1:
		b.add(" FROM entities m INDEXED BY entities_type WHERE m.user_id = ?", userArg(f.user))
		f.conditions(b)
	default:
		b.add(" FROM entities m INDEXED BY entities_name WHERE m.user_id = ?", userArg(f.user))
		f.conditions(b)
	}
}

func (f *entityFilter) set(b *statement) {
	switch {
	case f.where.Name != "":
		b.add(
			" FROM entity_names r CROSS JOIN entities m ON m.user_id = r.user_id AND m.id = r.entity_id WHERE r.user_id = ? "+
				"AND r.name_key = ?", userArg(f.user), textArg(f.where.Name))
		f.others(b)
		return
	case len(f.where.Types) > 0:
		b.add(" FROM entities m INDEXED BY entities_type WHERE m.user_id = ?", userArg(f.user))
	default:
		b.add(" FROM entities m INDEXED BY entities_n WHERE m.user_id = ?", userArg(f.user))
	}
	f.conditions(b)
}

func (f *entityFilter) conditions(b *statement) {
	if f.where.Name != "" {
		b.add(
			" AND EXISTS (SELECT 1 FROM entity_names x WHERE x.user_id = m.user_id AND x.name_key = ? AND x.entity_id = m.id "+
				"LIMIT 1)", textArg(f.where.Name))
	}
	f.others(b)
}

// others is conditions without that of the name.
func (f *entityFilter) others(b *statement) {
	switch types := f.where.Types; len(types) {
	case 0:
	case 1:
		b.add(" AND m.type_key = ?", textArg(types[0]))
	default:
		b.add(" AND ")
		b.inTexts("m.type_key", types)
	}
	within(b, "m.created_at", f.where.CreatedFrom, f.where.CreatedTo)
}

// within appends the conditions that a column of times lies between two bounds, the upper one exclusive; zero is no
// bound.
func within(b *statement, column string, from, to time.Time) {
	if !from.IsZero() {
		b.add(" AND "+column+" >= ?", intArg(ceilMicros(from)))
	}
	if !to.IsZero() {
		b.add(" AND "+column+" < ?", intArg(ceilMicros(to)))
	}
}
