package postgres

import (
	"context"
	"encoding/binary"
	"fmt"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/pgvector/pgvector-go"
	pgxvector "github.com/pgvector/pgvector-go/pgx"

	"almanac/adapters/store"
	"almanac/adapters/store/rows"
	"almanac/graph/model"
	"almanac/projections/words"
)

// memoryShape is what is read of a memory, in order: the columns wanted, the column ordered by unless it is among them,
// and what hangs on it.
type memoryShape struct {
	want store.MemoryColumns
	own  shape[model.Memory, store.MemoryColumns]
	// order has no column where the rows have no place.
	order ordering
}

func shapeOfMemory(want store.MemoryColumns, order ordering) *memoryShape {
	return &memoryShape{want, store.MemoryTable.Read(want), order}
}

// columns names the table's own columns.
func (s *memoryShape) columns() []string {
	names := s.own.names()
	if s.ownKey() {
		names = append(names, s.order.column)
	}
	return names
}

// ownKey reports whether the column ordered by is read on its own.
func (s *memoryShape) ownKey() bool {
	switch s.order.column {
	case "created_at":
		return !s.want.Has(store.MemoryCreatedAt)
	case "updated_at":
		return !s.want.Has(store.MemoryUpdatedAt)
	}
	return false
}

// embedded reports whether anything is wanted of the vector.
func (s *memoryShape) embedded() bool { return s.want&(store.MemoryModel|store.MemoryVector) != 0 }

// relations reports whether anything is wanted that stands in other tables.
func (s *memoryShape) relations() bool { return s.embedded() || s.want.Has(store.MemoryHistory) }

// What hangs on a memory comes beside its row. The alias t must be the rows of a page already cut, with id and n.
const (
	joinEmbedding = ` LEFT JOIN memory_vectors AS e ON e.user_id = $1 AND e.n = t.n`
	joinModel     = ` LEFT JOIN memory_models AS m ON m.user_id = $1 AND m.number = e.model`

	joinVersions = ` LEFT JOIN LATERAL (
	SELECT array_agg(record_send(ROW(%s)) ORDER BY o.version DESC) AS versions FROM memory_versions AS o
	WHERE o.user_id = $1 AND o.memory_id = t.id
) AS history ON true`
)

// versionColumns are read of versions beside the memory's id, which is known. The versions come as an array of rows,
// which halfway to JSON would lose nothing but time; each row is in the form that it is sent in, since Citus knows no
// arrays of rows without a name.
var versionColumns = shape[model.MemoryVersion, store.Whole](without(store.MemoryVersionTable.All(), "memory_id"))

// list names everything that is read, for rows of the alias t.
func (s *memoryShape) list() string {
	list := qualified(s.columns())
	if s.want.Has(store.MemoryModel) {
		list += ", m.name, m.dimensions"
	}
	if s.want.Has(store.MemoryVector) {
		list += ", halfvec_send(e.embedding)"
	}
	if s.want.Has(store.MemoryHistory) {
		list += ", history.versions"
	}
	return list
}

func (s *memoryShape) joins() string {
	var joins string
	if s.embedded() {
		joins += joinEmbedding
	}
	if s.want.Has(store.MemoryModel) {
		joins += joinModel
	}
	if s.want.Has(store.MemoryHistory) {
		joins += fmt.Sprintf(joinVersions, versionColumns.list("o"))
	}
	return joins
}

// read takes one row apart into an empty memory and, unless it is nil, its place.
func (s *memoryShape) read(r *row, memory *model.Memory, place *store.MemoryPlace) {
	want := s.want
	s.own.read(r, memory)
	s.readPlace(r, memory, place)
	if want.Has(store.MemoryModel) {
		memory.Embedding = model.Embedding{Model: r.text(), Dimensions: int(r.int32())}
	}
	if want.Has(store.MemoryVector) {
		memory.Embedding.Vector = r.halves()
	}
	if want.Has(store.MemoryHistory) {
		memory.History = r.versions(memory.ID)
	}
}

// readMemory is read without a place.
func (s *memoryShape) readMemory(r *row, memory *model.Memory) { s.read(r, memory, nil) }

func (s *memoryShape) readPlace(r *row, memory *model.Memory, place *store.MemoryPlace) {
	if s.order.column == "" {
		return
	}
	at := memory.CreatedAt
	switch own := s.ownKey(); {
	case own:
		at = r.time()
	case s.order.column == "updated_at":
		at = memory.UpdatedAt
	}
	if place != nil {
		*place = store.MemoryPlace{ID: memory.ID, At: at}
	}
}

// texts reads a list of texts; nil for none.
func (r *row) texts() []string {
	elements := r.array()
	if elements.left == 0 {
		return nil
	}
	list := make([]string, elements.left)
	for i := range list {
		list[i] = string(elements.element())
	}
	return list
}

// halves reads what halfvec_send returns: how many there are, two bytes that are unused, and the halves, all with the
// highest byte first. nil for NULL.
func (r *row) halves() []float32 {
	value := r.raw()
	if value == nil {
		return nil
	}
	if len(value) < 4 || len(value) != 4+2*int(binary.BigEndian.Uint16(value)) {
		r.err = errWidth
		return nil
	}
	var vector pgvector.HalfVector
	plan := pgxvector.HalfVectorCodec{}.PlanScan(nil, 0, pgx.BinaryFormatCode, &vector)
	if err := plan.Scan(value, &vector); err != nil {
		r.err = err
		return nil
	}
	return vector.Slice()
}

// versions reads the rows of joinVersions. Each stands as the number of its fields and, of each field, its type, its
// length and its value.
func (r *row) versions(memory model.UUID) []model.MemoryVersion {
	elements := r.array()
	if elements.left == 0 {
		return nil
	}
	list := make([]model.MemoryVersion, elements.left)
	for i := range list {
		var inner row
		if inner.begin(fieldsOf(elements.element())); inner.values == nil && r.err == nil {
			r.err = errArray
		}
		list[i].Memory = memory
		versionColumns.read(&inner, &list[i])
		if err := inner.end(); err != nil && r.err == nil {
			r.err = err
		}
	}
	return list
}

// fieldsOf returns the values of a row's fields, nil when they are not as their header says.
func fieldsOf(value []byte) [][]byte {
	if len(value) < 4 {
		return nil
	}
	count := int(binary.BigEndian.Uint32(value))
	if value = value[4:]; count > len(value)/8 {
		return nil
	}
	fields := make([][]byte, count)
	for i := range fields {
		if len(value) < 8 {
			return nil
		}
		size := int32(binary.BigEndian.Uint32(value[4:]))
		if value = value[8:]; size < 0 {
			continue
		}
		if int(size) > len(value) {
			return nil
		}
		fields[i], value = value[:size:size], value[size:]
	}
	return fields
}

// Memories returns one page and whatever else the query wants; see the contract.
func (d reader) Memories(ctx context.Context, user model.UserID, query store.MemoryQuery) (store.MemoryPage, error) {
	if err := checkMemories(&query.Where); err != nil {
		return store.MemoryPage{}, err
	}
	var (
		page store.MemoryPage
		read *rows.Reading[model.Memory, store.MemoryPlace]
		b    = newBatch()
	)
	if query.Page != nil {
		read = queueMemories(b, user, query)
	}
	if query.Total {
		q := newQuery(userArg(user))
		q.add(allMemories(q, "count(*)", &query.Where, query.Now))
		q.count(b, &page.Total)
	}
	if len(b.statements) == 0 {
		return page, nil
	}
	if err := d.run(ctx, "read memories", b); err != nil {
		return store.MemoryPage{}, err
	}
	if query.Page != nil {
		page.HasNext, page.HasPrevious = read.Cut(query.Page)
		page.Memories, page.Places = read.Records, read.Places
	}
	return page, nil
}

// fewHolders is how many memories of a required tag are so few that they are gathered and sorted. Of a tag with more,
// every fiftieth memory of 100,000 has it, so a walk in the order that is asked for finds a page of them soon.
const fewHolders = 2_000

// queueMemories adds the statement that reads the page, and one row more to know whether there are more. The statement
// has up to two ways to go, of which the server goes one when it knows how many have what is required.
func queueMemories(b *batch, user model.UserID,
	question store.MemoryQuery) *rows.Reading[model.Memory, store.MemoryPlace] {
	window, order := question.Page, memoryOrder(question.Order)
	shape := shapeOfMemory(question.Columns, order)
	q := newQuery(userArg(user))
	by := order.by("t", window.Backward)
	conditions := memoryWhere(q, &question.Where, question.Now, each)
	if window.After != nil {
		conditions += " AND " + order.beyond(q, true, instantArg(window.After.At), uuidArg(window.After.ID))
	}
	if window.Before != nil {
		conditions += " AND " + order.beyond(q, false, instantArg(window.Before.At), uuidArg(window.Before.ID))
	}
	limit := q.limit(window.Limit)
	columns := qualified(shape.columns())
	groups := required(&question.Where, nil)
	// the joins are for the rows of the page, not for all that must be looked at to find it
	if shape.relations() || len(groups) > 0 {
		columns = qualified(withColumns(shape.columns(), "n", order.column))
	}
	way := func(more string) string {
		return "SELECT " + columns + " FROM memories AS t" + conditions + more + " ORDER BY " + by + limit
	}
	switch {
	case len(groups) > 0:
		q.add("WITH few AS MATERIALIZED (", holders(q, groups, fewHolders+1), ") SELECT ", shape.list(), " FROM ((",
			way(" AND (SELECT count(*) FROM few) <= "+q.param(int64(fewHolders))+" AND t.n IN (SELECT n FROM few)"),
			") UNION ALL (",
			way(" AND (SELECT count(*) FROM few) > "+q.param(int64(fewHolders))), ")) AS t", shape.joins(), " ORDER BY ", by)
	case shape.relations():
		q.add("SELECT ", shape.list(), " FROM (", way(""), ") AS t", shape.joins(), " ORDER BY ", by)
	default:
		q.add(way(""))
	}
	read := rows.NewReading[model.Memory, store.MemoryPlace](window.Limit)
	q.into(b, func(r *row) {
		memory, place := read.Next()
		shape.read(r, memory, place)
	})
	return read
}

// withColumns returns the names with more after them, each once.
func withColumns(names []string, more ...string) []string {
	for _, name := range more {
		if !strings.Contains(" "+strings.Join(names, " ")+" ", " "+name+" ") {
			names = append(names, name)
		}
	}
	return names
}

// MemoriesByID returns the memories that exist among ids and have not expired.
func (d reader) MemoriesByID(ctx context.Context, user model.UserID, ids []model.UUID, now time.Time,
	want store.MemoryColumns) ([]model.Memory, error) {
	ids = rows.Distinct(ids)
	if len(ids) == 0 {
		return nil, nil
	}
	shape := shapeOfMemory(want, ordering{})
	q := newQuery(userArg(user))
	q.add("SELECT ", shape.list(), " FROM memories AS t", shape.joins(), " WHERE t.user_id = $1 AND ",
		oneOf(q, ids), " AND t.expires_at > ", q.param(instantArg(now)))
	return records(ctx, d, "read memories by id", q, len(ids), shape.readMemory)
}

const (
	sqlMemoryTypes = `SELECT type, count(*) FROM memories WHERE user_id = $1 AND expires_at > $2 GROUP BY type`

	// sqlMemoryModels takes what has expired and is still there off the counts that are kept.
	sqlMemoryModels = `SELECT m.name, m.dimensions, m.rows - coalesce(x.rows, 0) FROM memory_models AS m LEFT JOIN (
	SELECT v.model, count(*)::integer AS rows FROM memories AS t JOIN memory_vectors AS v ON v.user_id = $1 AND v.n = t.n
	WHERE t.user_id = $1 AND t.expires_at < 'infinity' AND t.expires_at <= $2 GROUP BY v.model
) AS x ON x.model = m.number
WHERE m.user_id = $1 AND m.rows > coalesce(x.rows, 0) ORDER BY 3 DESC, m.name COLLATE "C", m.dimensions`
)

// MemoryCounts counts the user's memories and vectors.
func (d reader) MemoryCounts(ctx context.Context, user model.UserID, now time.Time) (model.MemoryCounts, error) {
	counts := model.MemoryCounts{ByType: make(map[model.MemoryType]int)}
	b := newBatch()
	b.query(sqlMemoryTypes, func(r *row) {
		kind := model.MemoryType(r.text())
		counts.ByType[kind] = int(r.int64())
	}, userArg(user), instantArg(now))
	b.query(sqlMemoryModels, func(r *row) {
		counts.Models = append(counts.Models,
			model.ModelCount{Model: r.text(), Dimensions: int(r.int32()), Rows: int(r.int32())})
	}, userArg(user), instantArg(now))
	if err := d.run(ctx, "count memories", b); err != nil {
		return model.MemoryCounts{}, err
	}
	return counts, nil
}

// TwinMemories returns memories that may be the same; see the contract.
func (d reader) TwinMemories(ctx context.Context, user model.UserID, twin store.MemoryTwin, now time.Time, limit int,
	want store.MemoryColumns) ([]model.Memory, error) {
	if err := rows.Text(twin.Key); err != nil {
		return nil, err
	}
	if err := rows.Text(twin.Pairs...); err != nil {
		return nil, err
	}
	entries := make([]string, len(twin.Pairs))
	for i, pair := range twin.Pairs {
		entries[i] = words.IdentityEntry(pair)
	}
	var key []byte
	if twin.Key != "" {
		key = contentKey(twin.Key)
	}
	shape := shapeOfMemory(want, ordering{})
	q := newQuery(userArg(user))
	sought := q.param(key)
	q.add("SELECT ", shape.list(), " FROM (SELECT ", qualified(withColumns(shape.columns(), "n")),
		", coalesce(t.content_key = ", sought, ", false) AS same FROM memories AS t",
		" WHERE t.user_id = $1 AND t.n IN (SELECT n FROM memories WHERE user_id = $1 AND content_key = ", sought,
		" UNION SELECT n FROM memory_terms WHERE user_id = $1 AND term = ANY(", q.param(entries), "))",
		" AND t.type = ", q.param(string(twin.Type)), " AND t.expires_at > ", q.param(instantArg(now)),
		" ORDER BY same DESC, t.id DESC LIMIT ", q.param(int64(max(limit, 0))), ") AS t", shape.joins(),
		" ORDER BY t.same DESC, t.id DESC")
	return records(ctx, d, "look for twins of a memory", q, max(limit, 0), shape.readMemory)
}
