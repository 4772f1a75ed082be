package sqlite

import (
	"slices"

	"zombiezen.com/go/sqlite"

	"almanac/adapters/store/sqlite/nearest"
	"almanac/graph/model"
	"almanac/projections/vector"
)

// stream compares a query with vectors as they are read from the file. It serves those that are too many for memory: it
// takes some microseconds for each, and no room beyond what is found.
type stream struct {
	of    *population
	user  model.UserID
	known vectorModel
	plain []float32
}

// nearest returns the limit nearest vectors of those that the filter finds, whose similarity is at least least, as
// nearest.Query does; it misses none.
func (v *stream) nearest(q *session, f filter, limit int, least float64) ([]nearest.Found, error) {
	var b statement
	b.add("SELECT v.n, v."+v.of.id+", v.written, v.vector FROM "+v.of.vectors+" v INDEXED BY "+v.of.vectors+
		"_written CROSS JOIN "+v.of.rows+" m INDEXED BY "+v.of.byNumber+
		" ON m.user_id = v.user_id AND m.n = v.n WHERE v.user_id = ? AND v.model = ?", userArg(v.user),
		intArg(v.known.number))
	f.conditions(&b)
	var found []nearest.Found
	err := q.read(&b, func(stmt *sqlite.Stmt) error {
		entry := nearest.Entry{N: stmt.ColumnInt64(0), ID: columnID(stmt, 1), Written: stmt.ColumnInt64(2)}
		one := nearest.Found{Entry: entry, Similarity: vector.Cosine(v.plain, vector.Unpack(columnBytes(stmt, 3)))}
		if one.Similarity < least {
			return nil
		}
		if found = append(found, one); len(found) >= 2*limit+64 {
			slices.SortFunc(found, nearest.Better)
			found = found[:limit]
		}
		return nil
	})
	slices.SortFunc(found, nearest.Better)
	return found[:min(limit, len(found))], err
}

// similarity compares the query with the vector of one row.
func (v *stream) similarity(q *session, n int64) (found nearest.Found, known bool, err error) {
	err = q.readSQL(`SELECT `+v.of.id+`, written, vector FROM `+v.of.vectors+` WHERE user_id = ? AND n = ? AND model = ?`,
		func(stmt *sqlite.Stmt) error {
			found.Entry = nearest.Entry{N: n, ID: columnID(stmt, 0), Written: stmt.ColumnInt64(1)}
			found.Similarity, known = vector.Cosine(v.plain, vector.Unpack(columnBytes(stmt, 2))), true
			return nil
		}, userArg(v.user), intArg(n), intArg(v.known.number))
	return found, known, err
}
