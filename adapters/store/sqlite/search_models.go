package sqlite

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"zombiezen.com/go/sqlite"

	"almanac/adapters/store/rows"
	"almanac/graph/model"
	"almanac/projections/vector"
)

// vectorModel is a model of a user's vectors. The same name with another length of vectors is another model.
type vectorModel struct {
	number     int64
	name       string
	dimensions int
	// rows is how many vectors there are, newest the number that the newest of them got.
	rows   int
	newest int64
}

// readModels returns the user's models of a population by number. There are few.
func readModels(q *session, of *population, user model.UserID) (map[int64]vectorModel, error) {
	models := make(map[int64]vectorModel)
	err := q.readSQL(`SELECT number, name, dimensions, rows, newest FROM `+of.models+` WHERE user_id = ?`,
		func(stmt *sqlite.Stmt) error {
			known := vectorModel{number: stmt.ColumnInt64(0), name: stmt.ColumnText(1), dimensions: stmt.ColumnInt(2),
				rows: stmt.ColumnInt(3), newest: stmt.ColumnInt64(4)}
			models[known.number] = known
			return nil
		}, userArg(user))
	return models, err
}

// countsOf returns the models that have vectors, in any of some populations, those with the most first.
func countsOf(populations ...map[int64]vectorModel) (counts []model.ModelCount) {
	type key struct {
		name       string
		dimensions int
	}
	sums := make(map[key]int)
	for _, models := range populations {
		for _, known := range models {
			if known.rows > 0 {
				sums[key{known.name, known.dimensions}] += known.rows
			}
		}
	}
	for of, rows := range sums {
		counts = append(counts, model.ModelCount{Model: of.name, Dimensions: of.dimensions, Rows: rows})
	}
	slices.SortFunc(counts, func(a, b model.ModelCount) int {
		return cmp.Or(cmp.Compare(b.Rows, a.Rows), cmp.Compare(a.Model, b.Model), cmp.Compare(a.Dimensions, b.Dimensions))
	})
	return counts
}

// vectorWriter writes vectors of one user and one population within one method and keeps the counts.
type vectorWriter struct {
	q      *session
	of     *population
	user   model.UserID
	models map[int64]vectorModel
	// next is the number that the next vector gets.
	next int64
}

// writeVectors begins writing at most n vectors; done must follow.
func writeVectors(q *session, of *population, user model.UserID, n int) (*vectorWriter, error) {
	w := &vectorWriter{q: q, of: of, user: user}
	last, err := nextNumbers(q, user, "vector_number", n)
	w.next = last - int64(n) + 1
	if err == nil {
		w.models, err = readModels(q, of, user)
	}
	return w, err
}

// nextNumbers takes the next n of a user's numbers and returns the last.
func nextNumbers(q *session, user model.UserID, column string, n int) (last int64, err error) {
	if _, err := q.writeReturning(`UPDATE users SET `+column+` = `+column+` + ? WHERE user_id = ? RETURNING `+column,
		func(stmt *sqlite.Stmt) error {
			last = stmt.ColumnInt64(0)
			return nil
		}, intArg(n), userArg(user)); err != nil {
		return 0, err
	}
	if last == 0 && n > 0 {
		return 0, errOtherUser // the store's own transactions have no such rows
	}
	return last, nil
}

// pack checks an embedding and returns its vector as it is kept. BAD_USER_INPUT for one that no model returns.
func pack(e *model.Embedding) ([]byte, error) {
	if n := len(e.Vector); n > model.MaxEmbeddingDimensions || e.Model == "" {
		return nil, model.BadInput("", "an embedding needs a model's name and 1–%d numbers, not %d",
			model.MaxEmbeddingDimensions, n)
	}
	if err := rows.Text(e.Model); err != nil {
		return nil, err
	}
	packed := vector.Pack(e.Vector)
	for _, x := range vector.Unpack(packed) {
		if math.IsInf(float64(x), 0) || math.IsNaN(float64(x)) {
			return nil, model.BadInput("", "an embedding holds a number that is not finite")
		}
	}
	return packed, nil
}

// number returns the number of an embedding's model, made when it is new.
func (w *vectorWriter) number(e *model.Embedding) (int64, error) {
	last := int64(0)
	for number, known := range w.models {
		if known.name == e.Model && known.dimensions == len(e.Vector) {
			return number, nil
		}
		last = max(last, number)
	}
	fresh := vectorModel{number: last + 1, name: e.Model, dimensions: len(e.Vector)}
	if _, err := w.q.write(`INSERT INTO `+w.of.models+
		` (user_id, number, name, dimensions, rows, newest) VALUES (?, ?, ?, ?, 0, 0)`,
		userArg(w.user), intArg(fresh.number), textArg(fresh.name), intArg(fresh.dimensions)); err != nil {
		return 0, fmt.Errorf("add model: %w", err)
	}
	w.models[fresh.number] = fresh
	return fresh.number, nil
}

// embedding returns the columns model, written and vector for an embedding, which may be none, and counts it.
func (w *vectorWriter) embedding(e *model.Embedding) (args [3]arg, err error) {
	args[1] = intArg(w.next)
	if len(e.Vector) == 0 {
		return args, nil
	}
	packed, err := pack(e)
	if err != nil {
		return args, err
	}
	number, err := w.number(e)
	if err != nil {
		return args, err
	}
	known := w.models[number]
	known.rows, known.newest = known.rows+1, w.next
	w.models[number] = known
	args[0], args[2] = intArg(number), bytesArg(packed)
	w.next++
	return args, nil
}

// insert adds the row of a vector, which may be none, of the row with a number and an id.
func (w *vectorWriter) insert(n int64, id model.UUID, e *model.Embedding) error {
	args, err := w.embedding(e)
	if err == nil {
		_, err = w.q.write(`INSERT INTO `+w.of.vectors+` (user_id, n, `+w.of.id+
			`, model, written, vector) VALUES (?, ?, ?, ?, ?, ?)`,
			userArg(w.user), intArg(n), idArg(id), args[0], args[1], args[2])
	}
	return err
}

// replace puts another vector, which may be none, in place of what a row has.
func (w *vectorWriter) replace(n int64, e *model.Embedding) error {
	if err := w.uncount(n); err != nil {
		return err
	}
	args, err := w.embedding(e)
	if err == nil {
		_, err = w.q.write(`UPDATE `+w.of.vectors+` SET model = ?, written = ?, vector = ? WHERE user_id = ? AND n = ?`,
			args[0], args[1], args[2], userArg(w.user), intArg(n))
	}
	return err
}

// erase takes a row's vector out of the file and of the counts.
func (w *vectorWriter) erase(n int64) error {
	if err := w.uncount(n); err != nil {
		return err
	}
	_, err := w.q.write(`DELETE FROM `+w.of.vectors+` WHERE user_id = ? AND n = ?`, userArg(w.user), intArg(n))
	return err
}

// uncount takes a row's vector, which is about to go, out of the counts.
func (w *vectorWriter) uncount(n int64) error {
	return w.q.readSQL(`SELECT model FROM `+w.of.vectors+` WHERE user_id = ? AND n = ? AND model IS NOT NULL`,
		func(stmt *sqlite.Stmt) error {
			known := w.models[stmt.ColumnInt64(0)]
			known.rows--
			w.models[known.number] = known
			return nil
		}, userArg(w.user), intArg(n))
}

// done writes the counts.
func (w *vectorWriter) done() error {
	for number, known := range w.models {
		if _, err := w.q.write(`UPDATE `+w.of.models+
			` SET rows = ?, newest = ? WHERE user_id = ? AND number = ? AND (rows, newest) IS NOT (?, ?)`,
			intArg(known.rows), intArg(known.newest), userArg(w.user), intArg(number), intArg(known.rows),
			intArg(known.newest)); err != nil {
			return err
		}
	}
	return nil
}
