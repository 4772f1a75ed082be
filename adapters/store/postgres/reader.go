package postgres

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"almanac/adapters/store"
)

// reader answers the reading half of the contract: for a Store in the transaction that the context carries, if any, and
// for a Tx in its own.
type reader struct {
	store *Store
	level *level
}

// run reads a batch; its error says what was being done.
func (d reader) run(ctx context.Context, what string, b *batch) error {
	var err error
	if d.level != nil {
		err = d.level.run(ctx, b)
	} else {
		err = d.store.run(ctx, b)
	}
	if err != nil {
		return fmt.Errorf("postgres: %s: %w", what, err)
	}
	return nil
}

// query is SQL in the making. Values become parameters, so that the text depends on the shape of a question only and
// the server's plan for it can be kept.
type query struct {
	sql  strings.Builder
	args []any
	// known is the text where it is known already; then only the parameters are gathered.
	known string
	// shape is what the text is kept by in texts; nil: it is not kept.
	shape any
	texts *sqlTexts
}

// newQuery starts a query whose first parameter, $1, is the user.
func newQuery(user any) *query { return &query{args: append(make([]any, 0, 8), user)} }

// ofShape says that the text depends on the shape alone. It reports whether the text is known, so that what has no
// parameters need not be said again.
func (q *query) ofShape(texts *sqlTexts, shape any) (known bool) {
	if q.known, known = texts.find(shape); !known {
		q.shape, q.texts = shape, texts
	}
	return known
}

// text returns the finished SQL.
func (q *query) text() string {
	if q.known != "" {
		return q.known
	}
	text := q.sql.String()
	if q.texts != nil {
		q.texts.keep(q.shape, text)
	}
	return text
}

// add appends texts.
func (q *query) add(texts ...string) {
	if q.known != "" {
		return
	}
	for _, text := range texts {
		q.sql.WriteString(text)
	}
}

// param keeps a value and returns its place-holder, which is empty when the text is known.
func (q *query) param(value any) string {
	q.args = append(q.args, value)
	if q.known != "" {
		return ""
	}
	return "$" + strconv.Itoa(len(q.args))
}

// with keeps a value and returns its place-holder between texts.
func (q *query) with(before string, value any, after string) string {
	placeholder := q.param(value)
	if q.known != "" {
		return ""
	}
	return before + placeholder + after
}

// limit returns a LIMIT that reads one row more than the page has, to know whether there are more. It is a parameter
// also because the server, not knowing it, plans for a small part of the rows and so goes through the index of the
// order, which is right for long lists and short ones.
func (q *query) limit(page int) string { return q.with(" LIMIT ", int64(max(page, 0))+1, "") }

// into adds the finished query to a batch.
func (q *query) into(b *batch, read func(r *row)) { b.query(q.text(), read, q.args...) }

// qualified joins column names, each behind the alias t, by which all queries call the table they are about.
func qualified(columns []string) string { return listed("t", columns) }

// ordering is an order as SQL: the expressions to compare, the last of which is the id and unique, all in one
// direction.
type ordering struct {
	// column is what the table's rows are ordered by beside the id; "" for the id alone.
	column string
	// beginning: the index has only the beginning of the column, so that is compared first.
	beginning  bool
	descending bool
}

// keys returns the expressions for the rows of an alias.
func (o ordering) keys(alias string) []string {
	id := alias + ".id"
	if o.column == "" {
		return []string{id}
	}
	column := alias + "." + o.column
	if o.beginning {
		return []string{beginning(column), column, id}
	}
	return []string{column, id}
}

// by returns the ORDER BY list; reversed for a page that is read from its end.
func (o ordering) by(alias string, reversed bool) string {
	keys := o.keys(alias)
	direction := " ASC"
	if o.descending != reversed {
		direction = " DESC"
	}
	return strings.Join(keys, direction+", ") + direction
}

// beyond returns the condition that a row of t lies after a place in the order, or before it. One comparison of rows,
// which an index on the keys answers by going there at once.
func (o ordering) beyond(q *query, after bool, key, id any) string {
	operator := " < "
	if after != o.descending {
		operator = " > "
	}
	if q.known != "" {
		if o.column != "" {
			q.param(key)
		}
		return q.param(id)
	}
	keys := o.keys("t")
	var place []string
	if o.column != "" {
		param := q.param(key)
		if o.beginning {
			place = append(place, beginning(param))
		}
		place = append(place, param)
	}
	place = append(place, q.param(id))
	if len(keys) == 1 {
		return keys[0] + operator + place[0]
	}
	return "(" + strings.Join(keys, ", ") + ")" + operator + "(" + strings.Join(place, ", ") + ")"
}

// records runs a query and gathers what read reads of its rows, about as many as are expected.
func records[R any](ctx context.Context, d reader, what string, q *query, expected int,
	read func(*row, *R)) ([]R, error) {
	all := make([]R, 0, min(expected, 256))
	b := newBatch()
	q.into(b, appending(&all, read))
	if err := d.run(ctx, what, b); err != nil {
		return nil, err
	}
	return all, nil
}

// theOne returns the first of what was read; store.ErrNotFound when there is nothing.
func theOne[R any](read []R, err error) (one R, _ error) {
	if err == nil && len(read) == 0 {
		err = store.ErrNotFound
	}
	if err != nil {
		return one, err
	}
	return read[0], nil
}

// count adds a query that returns one number to a batch.
func (q *query) count(b *batch, n *int) { q.into(b, func(r *row) { *n = int(r.int64()) }) }

// appending returns what appends each row of a statement to records.
func appending[R any](records *[]R, read func(*row, *R)) func(*row) {
	return func(r *row) {
		var record R
		*records = append(*records, record)
		read(r, &(*records)[len(*records)-1])
	}
}
