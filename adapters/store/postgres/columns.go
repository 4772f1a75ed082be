package postgres

import (
	"crypto/sha256"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgtype"

	"almanac/adapters/store"
	"almanac/adapters/store/rows"
	"almanac/graph/model"
	"almanac/projections/fold"
	"almanac/projections/graphtext"
	"almanac/projections/memo"
)

// shape is which columns of a table a statement returns, in order.
type shape[R any, W ~uint32] []*store.Column[R, W]

// names are the columns' names.
func (s shape[R, W]) names() []string { return store.Names(s) }

// list names the columns of an alias.
func (s shape[R, W]) list(alias string) string { return listed(alias, s.names()) }

// wholeOf is the shape of all columns of a table.
func wholeOf[R any](table *store.Table[R, store.Whole]) shape[R, store.Whole] { return table.Read(0) }

// read takes the columns of a row apart.
func (s shape[R, W]) read(r *row, record *R) {
	for _, column := range s {
		r.into(column.Kind, column.Refers, column.Field(record))
	}
}

// listed joins column names, each behind an alias.
func listed(alias string, names []string) string {
	return alias + "." + strings.Join(names, ", "+alias+".")
}

// into reads the next column into its field.
func (r *row) into(kind store.Kind, refers model.Kind, field any) {
	switch field := field.(type) {
	case *model.UUID:
		*field = r.uuid()
	case *model.ID:
		if value := r.fixed(16); value != nil {
			*field = model.ID{Kind: refers, UUID: uuidOf(value)}
		}
	case *string:
		*field = r.text()
	case *[]byte:
		*field = r.bytes()
	case *[32]byte:
		copy(field[:], r.fixed(len(field)))
	case *[]model.Scope:
		*field = rows.ScopesOf(r.text())
	case *[]model.Reminder:
		reminders, err := rows.RemindersOf(r.text())
		if *field = reminders; err != nil && r.err == nil {
			r.err = err
		}
	case *[]string:
		switch kind {
		case store.Words:
			*field = rows.WordsOf(r.text())
		case store.Lines:
			*field = rows.LinesOf(r.text())
		default:
			*field = r.texts()
		}
	case *bool:
		*field = r.bool()
	case *int:
		*field = int(r.int32())
	case *int64:
		*field = r.int64()
	case **float64:
		if r.isNull() {
			r.skip(1)
		} else {
			*field = new(r.float64())
		}
	case *time.Duration:
		*field = microseconds(r.int64())
	case *time.Time:
		*field = r.time()
	case **model.Recurrence:
		*field = r.recurrence()
	default:
		r.err = fmt.Errorf("no column keeps a %T", field)
	}
}

// together reads records that stand as one array for each of the columns.
func together[R any, W ~uint32](r *row, columns shape[R, W], more func(*R)) []R {
	if r.inner == nil {
		r.inner = &row{}
	}
	inner, arrays := r.inner, r.arrays[:0]
	for range columns {
		arrays = append(arrays, r.array())
	}
	r.arrays = arrays
	if arrays[0].left == 0 {
		return nil
	}
	records := make([]R, arrays[0].left)
	for i := range records {
		values := inner.values[:0]
		for at := range arrays {
			values = append(values, arrays[at].element())
		}
		inner.begin(values)
		columns.read(inner, &records[i])
		more(&records[i])
		if err := inner.end(); err != nil && r.err == nil {
			r.err = err
		}
	}
	return records
}

// joinedArrays joins to each row the records of another table that belong to it, as one array for each column; from is
// what selects them, behind their columns and a FROM.
func joinedArrays(alias string, columns []string, from string) string {
	arrays := make([]string, len(columns))
	for i, name := range columns {
		arrays[i] = "array_agg(g." + name + ") AS " + name
	}
	return " LEFT JOIN LATERAL (SELECT " + strings.Join(arrays, ", ") + " FROM (SELECT " + strings.Join(columns, ", ") +
		" FROM " + from + ") AS g) AS " + alias + " ON true"
}

// parameter is one column of records that are given as arrays, one for each column.
type parameter struct {
	name string
	// element is the type of the array's elements. Lists of texts come as the text of an array, since lists of lists must
	// be of one length.
	element string
	list    bool
}

// parametersOf returns the parameters of columns, and those behind them.
func parametersOf[R any, W ~uint32](columns []*store.Column[R, W], more ...parameter) []parameter {
	parameters := make([]parameter, 0, len(columns)+len(more))
	var record R
	for _, column := range columns {
		field := column.Field(&record)
		_, list := field.(*[]string)
		list = list && column.Kind != store.Words && column.Kind != store.Lines
		parameters = append(parameters, parameter{column.Name, typeOf(column.Kind, field), list})
	}
	return append(parameters, more...)
}

// typeOf returns the type of a column in the database; of a list of texts, that of its parameter's elements.
func typeOf(kind store.Kind, field any) string {
	switch field.(type) {
	case *model.UUID, *model.ID:
		return "uuid"
	case *string:
		switch kind {
		case store.Hash, store.FoldedHash:
			return "bytea"
		case store.JSON:
			return "json"
		}
	case **model.Recurrence:
		if kind != store.RuleType {
			return "json"
		}
	case *[]byte, *[32]byte:
		return "bytea"
	case *bool:
		return "boolean"
	case *int:
		return "integer"
	case *int64, *time.Duration:
		return "bigint"
	case **float64:
		return "double precision"
	case *time.Time:
		return "timestamptz"
	}
	return "text"
}

// given returns a query of the rows that parameters from a number on hold, with their places.
func given(first int, parameters []parameter) string {
	arrays, names, columns := make([]string, len(parameters)), make([]string, len(parameters)),
		make([]string, len(parameters))
	for i, p := range parameters {
		arrays[i] = "$" + strconv.Itoa(first+i) + "::" + p.element + "[]"
		names[i] = p.name
		if columns[i] = "i." + p.name; p.list {
			columns[i] += "::text[] AS " + p.name
		}
	}
	return "SELECT " + strings.Join(columns, ", ") + ", i.place FROM unnest(" + strings.Join(arrays, ", ") +
		") WITH ORDINALITY AS i (" + strings.Join(names, ", ") + ", place)"
}

// numbered returns the places of n parameters from a number on.
func numbered(first, n int) string {
	places := make([]string, n)
	for i := range places {
		places[i] = "$" + strconv.Itoa(first+i)
	}
	return strings.Join(places, ", ")
}

// excluded returns what sets columns, in a conflict, to what was to be inserted.
func excluded(names ...string) string {
	set := make([]string, len(names))
	for i, name := range names {
		set[i] = name + " = excluded." + name
	}
	return strings.Join(set, ", ")
}

// filled puts texts in place of the names in braces that stand before them in pairs.
func filled(sql string, pairs ...string) string { return strings.NewReplacer(pairs...).Replace(sql) }

// arrays returns what columns keep of records, behind a first argument: an array for each column.
func arrays[R any, W ~uint32](first any, columns []*store.Column[R, W], records []R) ([]any, error) {
	args := append(make([]any, 0, len(columns)+8), first)
	var field *R
	if len(records) > 0 {
		field = &records[0]
	} else {
		field, records = new(R), make([]R, 0) // an array of none is one too
	}
	for _, column := range columns {
		array, err := columnOf(column, column.Field(field), records)
		if err != nil {
			return nil, err
		}
		args = append(args, array)
	}
	return args, nil
}

// values is arrays for one record, whose values are no arrays.
func values[R any, W ~uint32](first any, columns []*store.Column[R, W], record R) ([]any, error) {
	return appendValues(append(make([]any, 0, len(columns)+8), first), columns, record)
}

// appendValues appends what columns keep of a record.
func appendValues[R any, W ~uint32](args []any, columns []*store.Column[R, W], record R) ([]any, error) {
	for _, column := range columns {
		value, err := columnOf(column, column.Field(&record), nil)
		if err != nil {
			return nil, err
		}
		args = append(args, value)
	}
	return args, nil
}

// columnOf returns what a column keeps of records, as an array, or without records what it keeps of a field; otherwise
// field is of the type of its field. BAD_USER_INPUT for a text that cannot be kept.
func columnOf[R any, W ~uint32](column *store.Column[R, W], field any, records []R) (any, error) {
	var err error
	refuse := func(texts ...string) {
		if err == nil {
			err = rows.Text(texts...)
		}
	}
	var of any
	switch kind := column.Kind; field := field.(type) {
	case *model.UUID:
		of = collect(column, field, records, func(id *model.UUID) pgtype.UUID {
			return pgtype.UUID{Bytes: *id, Valid: kind != store.Optional || *id != (model.UUID{})}
		})
	case *model.ID:
		of = collect(column, field, records, func(id *model.ID) pgtype.UUID {
			return pgtype.UUID{Bytes: id.UUID, Valid: kind != store.Optional || *id != (model.ID{})}
		})
	case *string:
		switch kind {
		case store.Hash:
			of = collect(column, field, records, func(text *string) []byte { return contentKey(*text) })
		case store.FoldedHash:
			of = collect(column, field, records, func(text *string) []byte { return contentKey(memo.Key(*text)) })
		case store.Folded:
			of = collect(column, field, records, func(text *string) plainText { return plainText(fold.Text(*text)) })
		case store.FoldedName:
			of = collect(column, field, records, func(text *string) plainText { return plainText(graphtext.Name(*text)) })
		case store.JSON:
			of = collect(column, field, records, func(text *string) pgtype.Text { refuse(*text); return textArg(*text) })
		default:
			of = collect(column, field, records, func(text *string) plainText { refuse(*text); return plainText(*text) })
		}
	case *[]byte:
		of = collect(column, field, records, func(b *[]byte) []byte {
			if kind == store.Optional {
				return bytesArg(*b)
			}
			return append([]byte{}, *b...)
		})
	case *[32]byte:
		of = collect(column, field, records, func(b *[32]byte) []byte { return b[:] })
	case *[]model.Scope:
		of = collect(column, field, records, func(scopes *[]model.Scope) string {
			text := rows.Scopes(*scopes)
			refuse(text)
			return text
		})
	case *[]model.Reminder:
		of = collect(column, field, records, func(reminders *[]model.Reminder) string {
			text := rows.Reminders(*reminders)
			refuse(text)
			return text
		})
	case *[]string:
		of = collect(column, field, records, func(list *[]string) string {
			if kind == store.Words || kind == store.Lines {
				join := rows.Words
				if kind == store.Lines {
					join = rows.Lines
				}
				text, failed := join(*list)
				if err == nil {
					err = failed
				}
				return text
			}
			refuse(*list...)
			return arrayText(*list)
		})
	case *bool:
		of = collect(column, field, records, func(b *bool) bool { return *b })
	case *int:
		of = collect(column, field, records, func(n *int) int32 { return int32(min(*n, math.MaxInt32)) })
	case *int64:
		of = collect(column, field, records, func(n *int64) int64 { return *n })
	case **float64:
		of = collect(column, field, records, func(f **float64) (value pgtype.Float8) {
			if *f != nil {
				value = pgtype.Float8{Float64: **f, Valid: true}
			}
			return value
		})
	case *time.Duration:
		of = collect(column, field, records, func(d *time.Duration) int64 { return d.Microseconds() })
	case *time.Time:
		of = collect(column, field, records, func(t *time.Time) pgtype.Timestamptz { return momentArg(kind, *t) })
	case **model.Recurrence:
		of = collect(column, field, records, func(rule **model.Recurrence) pgtype.Text {
			name, text, failed := rows.Recurrence(*rule)
			if refuse(name, text); err == nil {
				err = failed
			}
			if kind == store.RuleType {
				return textArg(name)
			}
			return textArg(text)
		})
	default:
		err = fmt.Errorf("postgres: no column keeps what %s holds", column.Name)
	}
	return of, err
}

func collect[F, T, R any, W ~uint32](column *store.Column[R, W], field F, records []R, value func(F) T) any {
	if records == nil {
		return value(field)
	}
	of := make([]T, len(records))
	for i := range records {
		if field, ok := column.Field(&records[i]).(F); ok { // as it is of the first record
			of[i] = value(field)
		}
	}
	switch any((*T)(nil)).(type) {
	case *pgtype.UUID, *pgtype.Timestamptz, *pgtype.Text, *plainText:
		return arrayOf[T](of)
	}
	return of
}

// momentArg is a time as a kind of column keeps it.
func momentArg(kind store.Kind, t time.Time) pgtype.Timestamptz {
	switch kind {
	case store.Optional:
		return timeArg(t)
	case store.Unending, store.Expiry:
		return dueArg(t)
	case store.Unbegun:
		if t.IsZero() {
			return pgtype.Timestamptz{InfinityModifier: pgtype.NegativeInfinity, Valid: true}
		}
		return timeArg(t)
	default:
		return instantArg(t)
	}
}

// contentKey is a content as it is compared, short enough for an index.
func contentKey(key string) []byte {
	sum := sha256.Sum256([]byte(key))
	return sum[:16]
}
