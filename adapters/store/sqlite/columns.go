package sqlite

import (
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"zombiezen.com/go/sqlite"

	"almanac/adapters/store"
	"almanac/adapters/store/rows"
	"almanac/graph/model"
	"almanac/projections/fold"
	"almanac/projections/graphtext"
	"almanac/projections/memo"
)

// What a time that is none is kept as where it is compared: every moment lies between the two.
const (
	unbegun = math.MinInt64
	unended = math.MaxInt64
)

// boundArg binds a time; none is the number for one that is not there.
func boundArg(t time.Time, none int64) arg {
	if t.IsZero() {
		return intArg(none)
	}
	return instantArg(t)
}

// timeOf reads a time that may be unbegun or unended, which both are none.
func timeOf(micros int64) time.Time {
	if micros == unbegun || micros == unended {
		return time.Time{}
	}
	return rows.TimeOf(micros)
}

// ceilMicros returns a bound in microseconds. A bound within a microsecond is rounded up: due dates are whole ones.
func ceilMicros(t time.Time) int64 {
	micros := rows.Micros(t)
	if rows.TimeOf(micros).Before(t) {
		micros++
	}
	return micros
}

// argOf binds what a column keeps of a field.
func argOf(kind store.Kind, field any) (arg, error) {
	switch field := field.(type) {
	case *model.UUID:
		if kind == store.Optional && *field == (model.UUID{}) {
			return arg{}, nil
		}
		return idArg(*field), nil
	case *model.ID:
		if kind == store.Optional && *field == (model.ID{}) {
			return arg{}, nil
		}
		return idArg(field.UUID), nil
	case *string:
		return textOf(kind, *field)
	case *[]byte:
		if kind == store.Optional {
			return bytesOrNull(*field), nil
		}
		return bytesArg(*field), nil
	case *[32]byte:
		return bytesArg(field[:]), nil
	case *[]model.Scope:
		return textArg(rows.Scopes(*field)), nil
	case *[]model.Reminder:
		return textArg(rows.Reminders(*field)), nil
	case *[]string:
		switch kind {
		case store.Words:
			text, err := rows.Words(*field)
			return textArg(text), err
		case store.Lines:
			text, err := rows.Lines(*field)
			return textArg(text), err
		}
		text, err := textsText(*field)
		if err == nil {
			err = rows.Text(*field...)
		}
		return textArg(text), err
	case *bool:
		return boolArg(*field), nil
	case *int:
		return intArg(*field), nil
	case *int64:
		return intArg(*field), nil
	case **float64:
		if *field == nil {
			return arg{}, nil
		}
		return floatArg(**field), nil
	case *time.Duration:
		return intArg(field.Microseconds()), nil
	case *time.Time:
		switch kind {
		case store.Optional, store.Expiry:
			return timeArg(*field), nil
		case store.Unending:
			return boundArg(*field, unended), nil
		case store.Unbegun, store.Waiting:
			return boundArg(*field, unbegun), nil
		default:
			return instantArg(*field), nil
		}
	case **model.Recurrence:
		name, rule, err := rows.Recurrence(*field)
		if kind == store.RuleType {
			return textOrNull(name), err
		}
		return textOrNull(rule), err
	default:
		return arg{}, fmt.Errorf("sqlite: no column keeps a %T", field)
	}
}

// textOf binds what a column keeps of a text.
func textOf(kind store.Kind, text string) (arg, error) {
	switch kind {
	case store.Folded:
		return textArg(fold.Text(text)), nil
	case store.FoldedName:
		return textArg(graphtext.Name(text)), nil
	case store.Hash:
		return bytesArg(contentKey(text)), nil
	case store.FoldedHash:
		return bytesArg(contentKey(memo.Key(text))), nil
	default:
		return textArg(text), rows.Text(text)
	}
}

// readColumn reads a column into its field.
func readColumn(stmt *sqlite.Stmt, column int, kind store.Kind, refers model.Kind, field any) (err error) {
	switch field := field.(type) {
	case *model.UUID:
		*field = columnID(stmt, column)
	case *[]byte:
		*field = columnBytes(stmt, column)
	case *[32]byte:
		stmt.ColumnBytes(column, field[:])
	case *[]model.Scope:
		*field = rows.ScopesOf(stmt.ColumnText(column))
	case *[]model.Reminder:
		*field, err = rows.RemindersOf(stmt.ColumnText(column))
	case *model.ID:
		if !stmt.ColumnIsNull(column) {
			*field = model.ID{Kind: refers, UUID: columnID(stmt, column)}
		}
	case *string:
		*field = stmt.ColumnText(column)
	case *[]string:
		switch kind {
		case store.Words:
			*field = rows.WordsOf(stmt.ColumnText(column))
		case store.Lines:
			*field = rows.LinesOf(stmt.ColumnText(column))
		default:
			*field, err = textsOf(stmt.ColumnText(column))
		}
	case *bool:
		*field = stmt.ColumnBool(column)
	case *int:
		*field = stmt.ColumnInt(column)
	case *int64:
		*field = stmt.ColumnInt64(column)
	case **float64:
		if !stmt.ColumnIsNull(column) {
			*field = new(stmt.ColumnFloat(column))
		}
	case *time.Duration:
		*field = time.Duration(stmt.ColumnInt64(column)) * time.Microsecond
	case *time.Time:
		*field = columnTime(stmt, column)
	case **model.Recurrence:
		*field, err = rows.RecurrenceOf(stmt.ColumnText(column))
	default:
		err = fmt.Errorf("sqlite: no column keeps a %T", field)
	}
	return err
}

// selection is which columns of a table a statement returns, in order.
type selection[R any, W ~uint32] []*store.Column[R, W]

// write appends the columns' names, of the table that stands as alias, which may be none.
func (s selection[R, W]) write(b *statement, alias string) {
	if alias != "" {
		alias += "."
	}
	for i, column := range s {
		if i > 0 {
			b.sql.WriteString(", ")
		}
		b.sql.WriteString(alias)
		b.sql.WriteString(column.Name)
	}
}

// read reads the columns of a row, from the one with a number on.
func (s selection[R, W]) read(stmt *sqlite.Stmt, first int, record *R) error {
	for i, column := range s {
		if err := readColumn(stmt, first+i, column.Kind, column.Refers, column.Field(record)); err != nil {
			return err
		}
	}
	return nil
}

// names are the columns' names, as write writes them.
func (s selection[R, W]) names(alias string) string {
	var b statement
	s.write(&b, alias)
	return b.sql.String()
}

// readRow reads a row that begins with the columns.
func (s selection[R, W]) readRow(stmt *sqlite.Stmt, record *R) error { return s.read(stmt, 0, record) }

// wholeOf selects all columns of a table.
func wholeOf[R any](table *store.Table[R, store.Whole]) selection[R, store.Whole] {
	return table.Read(0)
}

// argsOf binds a user, all that a table keeps of a record, in order, and more.
func argsOf[R any, W ~uint32](user model.UserID, table *store.Table[R, W], record *R, more ...arg) ([]arg, error) {
	args := append(make([]arg, 0, 1+len(table.Columns)+len(more)), userArg(user))
	for i := range table.Columns {
		column := &table.Columns[i]
		if !column.Stored() {
			continue
		}
		value, err := argOf(column.Kind, column.Field(record))
		if err != nil {
			return nil, err
		}
		args = append(args, value)
	}
	return append(args, more...), nil
}

// insertSQL is the statement that inserts what argsOf binds; more are the columns of what is bound behind the record.
func insertSQL[R any, W ~uint32](table *store.Table[R, W], more ...string) string {
	names := append(append([]string{"user_id"}, store.Names(table.All())...), more...)
	return "INSERT INTO " + table.Name + " (" + strings.Join(names, ", ") + ") VALUES (?" +
		strings.Repeat(", ?", len(names)-1) + ")"
}

// updateSQL is the statement that replaces the record whose id stands first among what argsOf binds.
func updateSQL[R any, W ~uint32](table *store.Table[R, W], more ...string) string {
	at := map[string]int{}
	for i, name := range append(store.Names(table.All()), more...) {
		at[name] = i + 2 // behind the user, counted from 1
	}
	names := append(store.Names(table.Replaced()), more...)
	values := make([]string, len(names))
	for i, name := range names {
		values[i] = "?" + strconv.Itoa(at[name])
	}
	return "UPDATE " + table.Name + " SET (" + strings.Join(names, ", ") + ") = (" + strings.Join(values, ", ") +
		") WHERE user_id = ?1 AND id = ?2"
}

// upsertSQL is insertSQL that replaces the record where there is one with the key, which may be left to the database.
func upsertSQL[R any, W ~uint32](table *store.Table[R, W], key string) string {
	if key != "" {
		key = " (" + key + ")"
	}
	set := store.Names(table.Replaced())
	for i, name := range set {
		set[i] = name + " = excluded." + name
	}
	return insertSQL(table) + " ON CONFLICT" + key + " DO UPDATE SET " + strings.Join(set, ", ")
}

// textsText writes tags, or other names, as the column holds them.
func textsText(texts []string) (string, error) {
	if len(texts) == 0 {
		return "[]", nil
	}
	text, err := json.Marshal(texts)
	if err != nil {
		return "", fmt.Errorf("a list of texts: %w", err)
	}
	return string(text), nil
}

// textsOf reads what textsText wrote; nil for none.
func textsOf(text string) (texts []string, err error) {
	if text == "[]" {
		return nil, nil
	}
	if err := json.Unmarshal([]byte(text), &texts); err != nil {
		return nil, fmt.Errorf("a list of texts: %w", err)
	}
	return texts, nil
}

// order writes ORDER BY for a key, which may be none, and the id.
func order(key string, descending bool) string {
	direction := ""
	if descending {
		direction = " DESC"
	}
	if key == "" {
		return " ORDER BY id" + direction
	}
	return " ORDER BY " + key + direction + ", id" + direction
}

// orderFew is order for rows that were found by id: with the plus SQLite sorts the few that there are, instead of
// reading all of an index in this order and looking each up among them.
func orderFew(key string, descending bool) string {
	if key != "" {
		key = "+" + key
	}
	return order(key, descending)
}

// beyond appends the condition that a row lies beyond a place, in the direction in which the column goes up or down.
func beyond(b *statement, key string, descending bool, at arg, id model.UUID) {
	compare := ">"
	if descending {
		compare = "<"
	}
	if key == "" {
		b.add(" AND id "+compare+" ?", idArg(id))
		return
	}
	b.add(" AND ("+key+", id) "+compare+" (?, ?)", at, idArg(id))
}

// contains is the condition that one of the folded columns holds a text, as it stands: nothing in it is a wildcard.
func contains(b *statement, text string, columns ...string) {
	conditions := make([]string, len(columns))
	for i, column := range columns {
		conditions[i] = "instr(" + column + ", ?) > 0"
		b.args = append(b.args, textArg(text))
	}
	b.add(" AND (" + strings.Join(conditions, " OR ") + ")")
}
