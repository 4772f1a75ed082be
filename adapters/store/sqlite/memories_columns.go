package sqlite

import (
	"zombiezen.com/go/sqlite"

	"almanac/adapters/store"
	"almanac/graph/model"
	"almanac/projections/vector"
)

// memoryVector is the vector of a memory, and memoryModel the number of its model; the table of memories stands as m.
const (
	memoryVector = "(SELECT v.vector FROM memory_vectors v WHERE v.user_id = m.user_id AND v.n = m.n)"
	memoryModel  = "(SELECT v.model FROM memory_vectors v WHERE v.user_id = m.user_id AND v.n = m.n)"
)

// memorySelection is which columns a statement returns: those of the table, and behind them the vector and the number
// of the model when they are wanted.
type memorySelection struct {
	selection[model.Memory, store.MemoryColumns]
	vector bool
	// models are the user's by number; nil when the model is not wanted.
	models map[int64]vectorModel
}

// selectMemory prepares a selection; it reads the user's models when they are wanted, which are few.
func selectMemory(q *session, user model.UserID, want store.MemoryColumns) (s memorySelection, err error) {
	s = memorySelection{selection: store.MemoryTable.Read(want), vector: want.Has(store.MemoryVector)}
	if want.Has(store.MemoryModel) {
		s.models, err = readModels(q, &memoryPopulation, user)
	}
	return s, err
}

// write appends the columns' names.
func (s *memorySelection) write(b *statement) {
	s.selection.write(b, "m")
	if s.vector {
		b.add(", " + memoryVector)
	}
	if s.models != nil {
		b.add(", " + memoryModel)
	}
}

// width is how many columns there are, and so the number of the one that comes after them.
func (s *memorySelection) width() int {
	width := len(s.selection)
	if s.vector {
		width++
	}
	if s.models != nil {
		width++
	}
	return width
}

// readRow reads a row.
func (s *memorySelection) readRow(stmt *sqlite.Stmt, memory *model.Memory) error {
	if s.vector {
		if packed := columnBytes(stmt, len(s.selection)); packed != nil {
			memory.Embedding.Vector = vector.Unpack(packed)
		}
	}
	if number := s.width() - 1; s.models != nil && !stmt.ColumnIsNull(number) {
		known := s.models[stmt.ColumnInt64(number)]
		memory.Embedding.Model, memory.Embedding.Dimensions = known.name, known.dimensions
	}
	return s.read(stmt, 0, memory)
}

// severalStatements is whether a memory with these columns takes more than one statement.
func severalStatements(want store.MemoryColumns) bool {
	return want&(store.MemoryModel|store.MemoryHistory) != 0
}
