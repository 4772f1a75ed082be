package store

import (
	"strings"

	"almanac/graph/model"
)

// Table says once which columns a record has: both drivers read and write by it, the suite looks for its names in SQL,
// and a selection asks it which columns a field needs. R is the record, W the bits that say what of it is wanted. The
// order of Columns is the one in which they are read and written; user_id, which every table has, is not among them.
type Table[R any, W ~uint32] struct {
	Name    string
	Columns []Column[R, W]
}

// Column is one column of a table, the same in both databases, or a relation: what stands in other tables.
type Column[R any, W ~uint32] struct {
	Name string
	// Want is the bit that asks for it. A column without one is read whenever the record is, unless it is derived.
	Want W
	// Asked are the GraphQL fields that need it, of the record and of its itemContext, with spaces between, and `compact`
	// where the record's compact text shows it.
	Asked string
	Kind  Kind
	// Refers is the kind of the record that a model.ID in the column names.
	Refers model.Kind
	// Once marks a column that only an insertion writes.
	Once bool
	// Field returns a pointer to the field of the record that the column fills, or that it is derived from.
	Field func(*R) any
}

// Kind is how a column keeps what its field holds, where the type of the field does not say it all.
type Kind uint8

// The kinds. The zero value of a field stands for none where the kind says what that is.
const (
	// Plain: a value that is always there.
	Plain Kind = iota
	// Optional: none is NULL.
	Optional
	// Unending: none is later than every time, so that it is compared like any other.
	Unending
	// Unbegun: none is earlier than every time.
	Unbegun
	// Expiry: none is NULL in SQLite and later than every time in PostgreSQL.
	Expiry
	// Waiting: none is earlier than every time in SQLite and the first instant of year 1 in PostgreSQL.
	Waiting
	// JSON is a text that holds JSON: none is empty in SQLite and NULL in PostgreSQL.
	JSON
	// Words is a list of words as one text, with spaces between.
	Words
	// Lines is a list of lines as one text, with line feeds between.
	Lines
	// Relation stands in other tables; each driver reads and writes it by its own statements.
	Relation

	// The kinds from here on are derived from the field, to find the record by. They are written and never read back.

	// RuleType is the type of a recurrence, NULL for none.
	RuleType
	// Folded is the text as fold.Text folds it.
	Folded
	// FoldedName is the text as graphtext.Name folds it.
	FoldedName
	// Hash is the beginning of a hash of the text.
	Hash
	// FoldedHash is that of the text as memo.Key folds it.
	FoldedHash
)

// Derived reports whether the column is computed from its field and not read back.
func (c *Column[R, W]) Derived() bool { return c.Kind >= RuleType }

// Stored reports whether the column stands in the table itself.
func (c *Column[R, W]) Stored() bool { return c.Kind != Relation }

// All returns the stored columns, in order.
func (t *Table[R, W]) All() []*Column[R, W] {
	return t.those(func(c *Column[R, W]) bool { return c.Stored() })
}

// Replaced returns the columns that replacing a record writes: all but its id and those that are written once.
func (t *Table[R, W]) Replaced() []*Column[R, W] {
	return t.those(func(c *Column[R, W]) bool { return c.Stored() && !c.Once && c.Name != "id" })
}

// Read returns the stored columns that are read when some are wanted, in order.
func (t *Table[R, W]) Read(want W) []*Column[R, W] {
	return t.those(func(c *Column[R, W]) bool {
		return c.Stored() && !c.Derived() && (c.Want == 0 || want&c.Want != 0)
	})
}

func (t *Table[R, W]) those(fit func(*Column[R, W]) bool) []*Column[R, W] {
	columns := make([]*Column[R, W], 0, len(t.Columns))
	for i := range t.Columns {
		if column := &t.Columns[i]; fit(column) {
			columns = append(columns, column)
		}
	}
	return columns
}

// Names returns the names of columns.
func Names[R any, W ~uint32](columns []*Column[R, W]) []string {
	names := make([]string, len(columns))
	for i, column := range columns {
		names[i] = column.Name
	}
	return names
}

// asked maps the GraphQL fields of a record and of its itemContext, and its compact text, to what they need of it.
func (t *Table[R, W]) asked() map[string]W {
	fields := make(map[string]W)
	for i := range t.Columns {
		for field := range strings.FieldsSeq(t.Columns[i].Asked) {
			fields[field] |= t.Columns[i].Want
		}
	}
	return fields
}
