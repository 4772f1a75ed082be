package sqlite

import (
	"encoding/json"
	"fmt"

	"zombiezen.com/go/sqlite"

	"almanac/adapters/store"
	"almanac/graph/model"
	"almanac/projections/vector"
)

// memoryColumn is one column of a memory, whose table stands as m in every statement, and how it is read into one.
type memoryColumn struct {
	wanted store.MemoryColumns
	name   string
	read   func(stmt *sqlite.Stmt, column int, memory *model.Memory) error
}

// memoryColumns are all columns of a memory beside its id and what hangs on it.
var memoryColumns = [...]memoryColumn{
	{store.MemoryType, "m.type", func(s *sqlite.Stmt, c int, m *model.Memory) error {
		m.Type = model.MemoryType(s.ColumnText(c))
		return nil
	}},
	{store.MemoryContent, "m.content",
		func(s *sqlite.Stmt, c int, m *model.Memory) error { m.Content = s.ColumnText(c); return nil }},
	{store.MemorySummary, "m.summary",
		func(s *sqlite.Stmt, c int, m *model.Memory) error { m.Summary = s.ColumnText(c); return nil }},
	{store.MemoryTags, "m.tags", func(s *sqlite.Stmt, c int, m *model.Memory) (err error) {
		m.Tags, err = textsOf(s.ColumnText(c))
		return err
	}},
	{store.MemoryMetadata, "m.metadata",
		func(s *sqlite.Stmt, c int, m *model.Memory) error { m.Metadata = s.ColumnText(c); return nil }},
	{store.MemoryCreatedAt, "m.created_at",
		func(s *sqlite.Stmt, c int, m *model.Memory) error { m.CreatedAt = columnTime(s, c); return nil }},
	{store.MemoryUpdatedAt, "m.updated_at",
		func(s *sqlite.Stmt, c int, m *model.Memory) error { m.UpdatedAt = columnTime(s, c); return nil }},
	{store.MemoryExpiresAt, "m.expires_at",
		func(s *sqlite.Stmt, c int, m *model.Memory) error { m.ExpiresAt = columnTime(s, c); return nil }},
	{store.MemoryVersion, "m.version",
		func(s *sqlite.Stmt, c int, m *model.Memory) error { m.Version = s.ColumnInt(c); return nil }},
	{store.MemoryOverridden, "m.overridden", func(s *sqlite.Stmt, c int,
		m *model.Memory) error {
		m.Overridden = s.ColumnInt(c) != 0
		return nil
	}},
	{store.MemoryVector, "(SELECT v.vector FROM memory_vectors v WHERE v.user_id = m.user_id AND v.n = m.n)",
		func(s *sqlite.Stmt, c int, m *model.Memory) error {
			if packed := columnBytes(s, c); packed != nil {
				m.Embedding.Vector = vector.Unpack(packed)
			}
			return nil
		}},
}

// memoryModel is the number of the model of a memory's vector.
const memoryModel = "(SELECT v.model FROM memory_vectors v WHERE v.user_id = m.user_id AND v.n = m.n)"

// memorySelection is which columns a statement gives: the id first, and behind the others the number of the model when
// it is wanted.
type memorySelection struct {
	columns [len(memoryColumns)]*memoryColumn
	n       int
	// models are the user's by number; nil when the model is not wanted.
	models map[int64]vectorModel
}

// selectMemory prepares a selection; it reads the user's models when they are wanted, which are few.
func selectMemory(q *session, user model.UserID, want store.MemoryColumns) (s memorySelection, err error) {
	for i := range memoryColumns {
		if want.Has(memoryColumns[i].wanted) {
			s.columns[s.n] = &memoryColumns[i]
			s.n++
		}
	}
	if want.Has(store.MemoryModel) {
		s.models, err = readModels(q, &memoryPopulation, user)
	}
	return s, err
}

// write appends the columns' names.
func (s *memorySelection) write(b *statement) {
	b.add("m.id")
	for _, column := range s.columns[:s.n] {
		b.add(", ")
		b.add(column.name)
	}
	if s.models != nil {
		b.add(", " + memoryModel)
	}
}

// width is how many columns there are, and so the number of the one that comes after them.
func (s *memorySelection) width() int {
	if s.models != nil {
		return 2 + s.n
	}
	return 1 + s.n
}

// read reads a row.
func (s *memorySelection) read(stmt *sqlite.Stmt, memory *model.Memory) error {
	memory.ID = columnID(stmt, 0)
	for i, column := range s.columns[:s.n] {
		if err := column.read(stmt, i+1, memory); err != nil {
			return err
		}
	}
	if s.models != nil && !stmt.ColumnIsNull(1+s.n) {
		known := s.models[stmt.ColumnInt64(1+s.n)]
		memory.Embedding.Model, memory.Embedding.Dimensions = known.name, known.dimensions
	}
	return nil
}

// severalStatements is whether a memory with these columns takes more than one statement.
func severalStatements(want store.MemoryColumns) bool {
	return want&(store.MemoryModel|store.MemoryHistory) != 0
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
