package sqlite

import (
	"context"
	"crypto/sha256"
	"time"

	"zombiezen.com/go/sqlite"

	"almanac/adapters/store"
	"almanac/adapters/store/rows"
	"almanac/graph/model"
	"almanac/projections/words"
)

// memoryKey is the column by which memories are ordered before their id, and the index of that order.
func memoryKey(field model.MemoryOrderField) (column, index string) {
	if field == model.MemoryOrderUpdatedAt {
		return "updated_at", "memories_updated"
	}
	return "created_at", "memories_created"
}

// Memories: see store.MemoryReader.
func (r reader) Memories(ctx context.Context, user model.UserID, query store.MemoryQuery) (store.MemoryPage, error) {
	filter, err := filterMemories(user, query.Where, query.Now)
	if err != nil {
		return store.MemoryPage{}, err
	}
	entries := len(required(&query.Where, nil)) > 0
	moment := inOneMoment(query.Total || entries || severalStatements(query.Columns))
	return answer(ctx, r, "memories", moment, func(q *session) (page store.MemoryPage, err error) {
		if err := filter.plan(q); err != nil {
			return page, err
		}
		if query.Page != nil {
			err = readMemoryPage(q, &filter, &query, &page)
		}
		if err == nil && query.Total {
			var b statement
			b.add("SELECT count(*)")
			filter.from(&b, filter.setIndex())
			page.Total, err = q.count(&b)
		}
		return page, err
	})
}

// readMemoryPage reads a page and what lies around it. Through the index of the order it ends as soon as the page is
// full; the few rows of a rare entry are sorted.
func readMemoryPage(q *session, f *memoryFilter, query *store.MemoryQuery, page *store.MemoryPage) error {
	window, limit := query.Page, max(query.Page.Limit, 0)
	falling := query.Order.Direction == model.Descending
	key, index := memoryKey(query.Order.Field)
	columns, err := selectMemory(q, f.user, query.Columns)
	if err != nil {
		return err
	}
	var b statement
	b.add("SELECT ")
	columns.write(&b)
	b.add(", m." + key)
	f.from(&b, index)
	after, before := ">", "<"
	if falling {
		after, before = before, after
	}
	beyondMemory(&b, key, after, window.After)
	beyondMemory(&b, key, before, window.Before)
	direction := ""
	if falling != window.Backward {
		direction = " DESC"
	}
	b.add(" ORDER BY m."+key+direction+", m.id"+direction+" LIMIT ?", intArg(limit+1))
	read := rows.NewReading[model.Memory, store.MemoryPlace](limit)
	if err := q.read(&b, func(stmt *sqlite.Stmt) error {
		memory, place := read.Next()
		err := columns.readRow(stmt, memory)
		place.ID, place.At = memory.ID, columnTime(stmt, columns.width())
		return err
	}); err != nil {
		return err
	}
	page.HasNext, page.HasPrevious = read.Cut(window)
	page.Memories, page.Places = read.Records, read.Places
	return readHistories(q, f.user, page.Memories, query.Columns)
}

// beyondMemory appends the condition that a memory lies beyond a place, if there is one.
func beyondMemory(b *statement, key, compare string, place *store.MemoryPlace) {
	if place != nil {
		b.add(" AND (m."+key+", m.id) "+compare+" (?, ?)", instantArg(place.At), idArg(place.ID))
	}
}

// MemoriesByID: see store.MemoryReader.
func (r reader) MemoriesByID(ctx context.Context, user model.UserID, ids []model.UUID, now time.Time,
	want store.MemoryColumns) ([]model.Memory, error) {
	ids = rows.Distinct(ids)
	if len(ids) == 0 {
		return nil, ctx.Err()
	}
	moment := inOneMoment(severalStatements(want) || len(ids) > maxIDs)
	return answer(ctx, r, "memories by id", moment, func(q *session) ([]model.Memory, error) {
		columns, err := selectMemory(q, user, want)
		if err != nil {
			return nil, err
		}
		memories, err := readSome(q, ids, func(b *statement, some []model.UUID) {
			b.add("SELECT ")
			columns.write(b)
			b.add(" FROM memories m WHERE m.user_id = ? AND ", userArg(user))
			b.in("m.id", some)
			b.add(" AND (m.expires_at IS NULL OR m.expires_at > ?)", instantArg(now))
		}, columns.readRow)
		if err != nil {
			return nil, err
		}
		return memories, readHistories(q, user, memories, want)
	})
}

const (
	sqlMemoryTypes = `SELECT type, count(*) FROM memories INDEXED BY memories_key
WHERE user_id = ? AND (expires_at IS NULL OR expires_at > ?) GROUP BY type`

	sqlExpiredModels = `SELECT v.model, count(*) FROM memories m INDEXED BY memories_expiry
CROSS JOIN memory_vectors v ON v.user_id = m.user_id AND v.n = m.n
WHERE m.user_id = ? AND m.expires_at IS NOT NULL AND m.expires_at <= ? AND v.model IS NOT NULL GROUP BY v.model`
)

// MemoryCounts: see store.MemoryReader. Vectors are counted as they are written; of these are taken off the few whose
// memory has expired and was not deleted yet.
func (r reader) MemoryCounts(ctx context.Context, user model.UserID, now time.Time) (model.MemoryCounts, error) {
	return answer(ctx, r, "count memories", oneTransaction, func(q *session) (counts model.MemoryCounts, err error) {
		counts.ByType = make(map[model.MemoryType]int, 3)
		if err := q.readSQL(sqlMemoryTypes, func(stmt *sqlite.Stmt) error {
			counts.ByType[model.MemoryType(stmt.ColumnText(0))] = stmt.ColumnInt(1)
			return nil
		}, userArg(user), instantArg(now)); err != nil {
			return counts, err
		}
		models, err := readModels(q, &memoryPopulation, user)
		if err != nil {
			return counts, err
		}
		err = q.readSQL(sqlExpiredModels, func(stmt *sqlite.Stmt) error {
			known := models[stmt.ColumnInt64(0)]
			known.rows -= stmt.ColumnInt(1)
			models[stmt.ColumnInt64(0)] = known
			return nil
		}, userArg(user), instantArg(now))
		counts.Models = countsOf(models)
		return counts, err
	})
}

// contentKey is how the content of a memory is found again: the beginning of a hash of how it is compared.
func contentKey(key string) []byte {
	sum := sha256.Sum256([]byte(key))
	return sum[:16]
}

// TwinMemories: see store.MemoryReader.
func (r reader) TwinMemories(ctx context.Context, user model.UserID, twin store.MemoryTwin, now time.Time, limit int,
	want store.MemoryColumns) ([]model.Memory, error) {
	if err := rows.Text(append([]string{twin.Key}, twin.Pairs...)...); err != nil {
		return nil, err
	}
	moment := inOneMoment(severalStatements(want))
	return answer(ctx, r, "twins of a memory", moment, func(q *session) (memories []model.Memory, err error) {
		columns, err := selectMemory(q, user, want)
		if err != nil {
			return nil, err
		}
		// The candidates are gathered from the two indexes and sorted by what those hold; only those that are wanted are
		// read.
		var b statement
		b.add("SELECT ")
		columns.write(&b)
		b.add(" FROM (SELECT n, id, max(same) AS same FROM (")
		b.add("SELECT n, id, 1 AS same FROM memories INDEXED BY memories_key"+
			" WHERE user_id = ? AND type = ? AND content_key = ? AND (expires_at IS NULL OR expires_at > ?)",
			userArg(user), textArg(string(twin.Type)), bytesArg(contentKey(twin.Key)), instantArg(now))
		for _, pair := range twin.Pairs {
			b.add(" UNION ALL SELECT c.n, c.id, 0 FROM memory_terms t"+
				" CROSS JOIN memories c INDEXED BY memories_n ON c.user_id = t.user_id AND c.n = t.n"+
				" WHERE t.user_id = ? AND t.term = ? AND c.type = ? AND (c.expires_at IS NULL OR c.expires_at > ?)",
				userArg(user), bytesArg([]byte(words.IdentityEntry(pair))), textArg(string(twin.Type)), instantArg(now))
		}
		b.add(") GROUP BY n ORDER BY 3 DESC, 2 DESC LIMIT ?) f"+
			" CROSS JOIN memories m INDEXED BY memories_n ON m.user_id = ? AND m.n = f.n ORDER BY f.same DESC, f.id DESC",
			intArg(max(limit, 0)), userArg(user))
		if err := q.read(&b, into(&memories, columns.readRow)); err != nil {
			return nil, err
		}
		return memories, readHistories(q, user, memories, want)
	})
}

// readHistories fills the histories of memories.
func readHistories(q *session, user model.UserID, memories []model.Memory, want store.MemoryColumns) error {
	if len(memories) == 0 || !want.Has(store.MemoryHistory) {
		return nil
	}
	columns := wholeOf(&store.MemoryVersionTable) // the first is the memory's id
	return fill(q, memories, func(m *model.Memory) model.UUID { return m.ID }, func(b *statement, some []model.UUID) {
		b.add("SELECT ")
		columns.write(b, "")
		b.add(" FROM memory_versions WHERE user_id = ? AND ", userArg(user))
		b.in("memory_id", some)
		b.add(" ORDER BY memory_id, version DESC")
	}, func(stmt *sqlite.Stmt, memory *model.Memory) error {
		memory.History = append(memory.History, model.MemoryVersion{})
		return columns.readRow(stmt, &memory.History[len(memory.History)-1])
	})
}
