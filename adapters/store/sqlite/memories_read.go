package sqlite

import (
	"context"
	"crypto/sha256"
	"slices"
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

// memoryRow is a row of a page with its place.
type memoryRow struct {
	memory model.Memory
	place  store.MemoryPlace
}

// Memories: see store.MemoryReader.
func (s *Store) Memories(ctx context.Context, user model.UserID, query store.MemoryQuery) (store.MemoryPage, error) {
	var page store.MemoryPage
	filter, err := filterMemories(user, query.Where, query.Now)
	if err != nil {
		return page, err
	}
	entries := len(required(&query.Where, nil)) > 0
	moment := inOneMoment(query.Total || entries || severalStatements(query.Columns))
	err = s.reading(ctx, moment, func(q *session) error {
		if err := filter.plan(q); err != nil {
			return err
		}
		if query.Page != nil {
			if err := readMemoryPage(q, &filter, &query, &page); err != nil {
				return err
			}
		}
		if query.Total {
			return countMemories(q, &filter, &page.Total)
		}
		return nil
	})
	if err != nil {
		return store.MemoryPage{}, wrap("memories", err)
	}
	return page, nil
}

// readMemoryPage reads a page and what lies around it. Through the index of the order it ends as soon as the page is
// full; the few rows of a rare entry are sorted.
func readMemoryPage(q *session, f *memoryFilter, query *store.MemoryQuery, page *store.MemoryPage) error {
	window, limit := query.Page, max(query.Page.Limit, 0)
	falling := query.Order.Direction == model.Descending
	key, index := memoryKey(query.Order.Field)
	selection, err := selectMemory(q, f.user, query.Columns)
	if err != nil {
		return err
	}
	var b statement
	b.add("SELECT ")
	selection.write(&b)
	b.add(", m." + key)
	f.from(&b, index)
	beyondMemory(&b, key, falling, window.After)
	beyondMemory(&b, key, !falling, window.Before)
	direction := ""
	if falling != window.Backward {
		direction = " DESC"
	}
	b.add(" ORDER BY m."+key+direction+", m.id"+direction+" LIMIT ?", intArg(limit+1))
	read := make([]memoryRow, 0, min(limit+1, 128))
	if err := q.read(&b, func(stmt *sqlite.Stmt) error {
		read = append(read, memoryRow{})
		row := &read[len(read)-1]
		row.place.At = columnTime(stmt, selection.width())
		err := selection.read(stmt, &row.memory)
		row.place.ID = row.memory.ID
		return err
	}); err != nil {
		return err
	}
	edges := rows.Edges{Backward: window.Backward, After: window.After != nil, Before: window.Before != nil}
	read, page.HasNext, page.HasPrevious = rows.Page(read, limit, edges)
	page.Memories, page.Places = make([]model.Memory, len(read)), make([]store.MemoryPlace, len(read))
	for i := range read {
		page.Memories[i], page.Places[i] = read[i].memory, read[i].place
	}
	return readHistories(q, f.user, page.Memories, query.Columns)
}

// beyondMemory appends the condition that a memory lies beyond a place, if there is one.
func beyondMemory(b *statement, key string, falling bool, place *store.MemoryPlace) {
	if place == nil {
		return
	}
	compare := ">"
	if falling {
		compare = "<"
	}
	b.add(" AND (m."+key+", m.id) "+compare+" (?, ?)", instantArg(place.At), idArg(place.ID))
}

// countMemories counts what the filter finds.
func countMemories(q *session, f *memoryFilter, total *int) error {
	var b statement
	b.add("SELECT count(*)")
	f.from(&b, f.setIndex())
	return q.read(&b, func(stmt *sqlite.Stmt) error { *total = stmt.ColumnInt(0); return nil })
}

// MemoriesByID: see store.MemoryReader.
func (s *Store) MemoriesByID(ctx context.Context, user model.UserID, ids []model.UUID, now time.Time,
	want store.MemoryColumns) ([]model.Memory, error) {
	ids = rows.Distinct(ids)
	if len(ids) == 0 {
		return nil, ctx.Err()
	}
	var memories []model.Memory
	moment := inOneMoment(severalStatements(want) || len(ids) > maxIDs)
	err := s.reading(ctx, moment, func(q *session) error {
		selection, err := selectMemory(q, user, want)
		if err != nil {
			return err
		}
		memories = make([]model.Memory, 0, len(ids))
		for some := range slices.Chunk(ids, maxIDs) {
			var b statement
			b.add("SELECT ")
			selection.write(&b)
			b.add(" FROM memories m WHERE m.user_id = ? AND ", userArg(user))
			b.in("m.id", some)
			b.add(" AND (m.expires_at IS NULL OR m.expires_at > ?)", instantArg(now))
			if err := readMemories(q, &b, &selection, &memories); err != nil {
				return err
			}
		}
		return readHistories(q, user, memories, want)
	})
	if err != nil {
		return nil, wrap("memories by id", err)
	}
	return memories, nil
}

// readMemories appends the memories that a statement gives.
func readMemories(q *session, b *statement, selection *memorySelection, memories *[]model.Memory) error {
	return q.read(b, func(stmt *sqlite.Stmt) error {
		*memories = append(*memories, model.Memory{})
		return selection.read(stmt, &(*memories)[len(*memories)-1])
	})
}

// MemoryCounts: see store.MemoryReader. Vectors are counted as they are written; of these are taken off the few whose
// memory has expired and was not deleted yet.
func (s *Store) MemoryCounts(ctx context.Context, user model.UserID,
	now time.Time) (counts model.MemoryCounts, err error) {
	counts.ByType = make(map[model.MemoryType]int, 3)
	err = s.reading(ctx, oneTransaction, func(q *session) error {
		if err := q.readSQL(
			`SELECT type, count(*) FROM memories INDEXED BY memories_key WHERE user_id = ? AND (expires_at IS NULL OR expires_at > ?) GROUP BY type`, func(stmt *sqlite.Stmt) error {
				counts.ByType[model.MemoryType(stmt.ColumnText(0))] = stmt.ColumnInt(1)
				return nil
			}, userArg(user), instantArg(now)); err != nil {
			return err
		}
		models, err := readModels(q, &memoryPopulation, user)
		if err != nil {
			return err
		}
		if err := q.readSQL(
			`SELECT v.model, count(*) FROM memories m INDEXED BY memories_expiry CROSS JOIN memory_vectors v ON v.user_id = m.user_id AND v.n = m.n
WHERE m.user_id = ? AND m.expires_at IS NOT NULL AND m.expires_at <= ? AND v.model IS NOT NULL GROUP BY v.model`, func(stmt *sqlite.Stmt) error {
				known := models[stmt.ColumnInt64(0)]
				known.rows -= stmt.ColumnInt(1)
				models[stmt.ColumnInt64(0)] = known
				return nil
			}, userArg(user), instantArg(now)); err != nil {
			return err
		}
		counts.Models = countsOf(models)
		return nil
	})
	if err != nil {
		return model.MemoryCounts{}, wrap("count memories", err)
	}
	return counts, nil
}

// contentKey is how the content of a memory is found again: the beginning of a hash of how it is compared.
func contentKey(key string) []byte {
	sum := sha256.Sum256([]byte(key))
	return sum[:16]
}

// TwinMemories: see store.MemoryReader.
func (s *Store) TwinMemories(ctx context.Context, user model.UserID, twin store.MemoryTwin, now time.Time, limit int,
	want store.MemoryColumns) ([]model.Memory, error) {
	if err := rows.Text(append([]string{twin.Key}, twin.Pairs...)...); err != nil {
		return nil, err
	}
	var memories []model.Memory
	moment := inOneMoment(severalStatements(want))
	err := s.reading(ctx, moment, func(q *session) error {
		selection, err := selectMemory(q, user, want)
		if err != nil {
			return err
		}
		// The candidates are gathered from the two indexes and sorted by what those hold; only those that are wanted are
		// read.
		var b statement
		b.add("SELECT ")
		selection.write(&b)
		b.add(" FROM (SELECT n, id, max(same) AS same FROM (")
		b.add(
			"SELECT n, id, 1 AS same FROM memories INDEXED BY memories_key WHERE user_id = ? AND type = ? AND content_key = ? "+
				"AND (expires_at IS NULL OR expires_at > ?)",
			userArg(user), textArg(string(twin.Type)), bytesArg(contentKey(twin.Key)), instantArg(now))
		for _, pair := range twin.Pairs {
			b.add(
				" UNION ALL SELECT c.n, c.id, 0 FROM memory_terms t CROSS JOIN memories c INDEXED BY memories_n ON c.user_id = "+
					"t.user_id AND c.n = t.n"+
					" WHERE t.user_id = ? AND t.term = ? AND c.type = ? AND (c.expires_at IS NULL OR c.expires_at > ?)",
				userArg(user), bytesArg([]byte(words.IdentityEntry(pair))), textArg(string(twin.Type)), instantArg(now))
		}
		b.add(
			") GROUP BY n ORDER BY 3 DESC, 2 DESC LIMIT ?) f CROSS JOIN memories m INDEXED BY memories_n ON m.user_id = ? AND "+
				"m.n = f.n ORDER BY f.same DESC, f.id DESC",
			intArg(max(limit, 0)), userArg(user))
		if err := readMemories(q, &b, &selection, &memories); err != nil {
			return err
		}
		return readHistories(q, user, memories, want)
	})
	if err != nil {
		return nil, wrap("twins of a memory", err)
	}
	return memories, nil
}

// readHistories fills the histories of memories.
func readHistories(q *session, user model.UserID, memories []model.Memory, want store.MemoryColumns) error {
	if len(memories) == 0 || !want.Has(store.MemoryHistory) {
		return nil
	}
	at := make(map[model.UUID]*model.Memory, len(memories))
	ids := make([]model.UUID, len(memories))
	for i := range memories {
		at[memories[i].ID], ids[i] = &memories[i], memories[i].ID
	}
	for some := range slices.Chunk(ids, maxIDs) {
		var b statement
		b.add(
			"SELECT memory_id, version, type, expires_at, overridden, written_at, replaced_at, reason, tags, summary, "+
				"metadata, content FROM memory_versions WHERE user_id = ? AND ", userArg(user))
		b.in("memory_id", some)
		b.add(" ORDER BY memory_id, version DESC")
		if err := q.read(&b, func(stmt *sqlite.Stmt) error {
			version, err := readVersion(stmt)
			memory := at[version.Memory]
			memory.History = append(memory.History, version)
			return err
		}); err != nil {
			return err
		}
	}
	return nil
}

func readVersion(stmt *sqlite.Stmt) (version model.MemoryVersion, err error) {
	version = model.MemoryVersion{
		Memory: columnID(stmt, 0), Version: stmt.ColumnInt(1), Type: model.MemoryType(stmt.ColumnText(2)),
		ExpiresAt: columnTime(stmt, 3), Overridden: stmt.ColumnInt(4) != 0,
		WrittenAt: columnTime(stmt, 5), ReplacedAt: columnTime(stmt, 6), Reason: model.MemoryReason(stmt.ColumnText(7)),
		Summary: stmt.ColumnText(9), Metadata: stmt.ColumnText(10), Content: stmt.ColumnText(11),
	}
	version.Tags, err = textsOf(stmt.ColumnText(8))
	return version, err
}
