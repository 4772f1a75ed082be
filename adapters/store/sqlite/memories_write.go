package sqlite

import (
	"context"
	"slices"

	"zombiezen.com/go/sqlite"

	"almanac/adapters/store"
	"almanac/adapters/store/rows"
	"almanac/graph/model"
	"almanac/projections/memo"
	"almanac/projections/words"
)

const (
	sqlInsertMemory = `INSERT INTO memories (type, updated_at, expires_at, version, overridden, has_metadata, content_key, tags, summary, metadata, entries, content, created_at, n, user_id, id)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`
	sqlUpdateMemory = `UPDATE memories SET (type, updated_at, expires_at, version, overridden, has_metadata, content_key, tags, summary, metadata, entries, content) =
(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) WHERE user_id = ? AND id = ?`
)

// memoryArgs binds what both statements above set, and gives the entries.
func memoryArgs(memory *model.Memory) (args []arg, entries []string, err error) {
	if err := rows.Text(append([]string{memory.Content, memory.Summary, memory.Metadata}, memory.Tags...)...); err != nil {
		return nil, nil, err
	}
	tags, err := textsText(memory.Tags)
	if err != nil {
		return nil, nil, err
	}
	entries = words.Entries(*memory)
	args = make([]arg, 0, 16)
	return append(args, textArg(string(memory.Type)), instantArg(memory.UpdatedAt), timeArg(memory.ExpiresAt),
		intArg(memory.Version), boolArg(memory.Overridden), boolArg(memory.Metadata != ""),
		bytesArg(contentKey(memo.Key(memory.Content))), textArg(tags), textArg(memory.Summary), textArg(memory.Metadata),
		bytesArg(packEntries(entries)), textArg(memory.Content)), entries, nil
}

// InsertMemories: see store.MemoryWriter.
func (f *frame) InsertMemories(ctx context.Context, memories []model.Memory) error {
	if len(memories) == 0 {
		return nil
	}
	err := f.atomically(ctx, func(q *session) error {
		last, err := nextNumbers(q, f.user, memoryPopulation.number, len(memories))
		if err != nil {
			return err
		}
		vectors, err := writeVectors(q, &memoryPopulation, f.user, len(memories))
		if err != nil {
			return err
		}
		ids := make([]model.UUID, len(memories))
		var postings []posting
		for i := range memories {
			memory, n := &memories[i], last-int64(len(memories)-1-i)
			args, entries, err := memoryArgs(memory)
			if err != nil {
				return err
			}
			if _, err := q.write(sqlInsertMemory, append(args, instantArg(memory.CreatedAt), intArg(n), userArg(f.user),
				idArg(memory.ID))...); err != nil {
				return err
			}
			if err := vectors.insert(n, memory.ID, &memory.Embedding); err != nil {
				return err
			}
			for _, entry := range entries {
				postings = append(postings, posting{entry, n})
			}
			ids[i] = memory.ID
		}
		if err := vectors.done(); err != nil {
			return err
		}
		if err := insertPostings(q, &memoryPopulation, f.user, postings); err != nil {
			return err
		}
		return f.log(q, model.ChangeMemory, model.OperationCreated, ids...)
	})
	return wrap("insert memories", err)
}

// UpdateMemory: see store.MemoryWriter.
func (f *frame) UpdateMemory(ctx context.Context, memory model.Memory, reason model.MemoryReason) error {
	err := f.atomically(ctx, func(q *session) error {
		args, entries, err := memoryArgs(&memory)
		if err != nil {
			return err
		}
		tags, err := textsText(memory.Tags)
		if err != nil {
			return err
		}
		n, same := int64(0), false
		var before []string
		if err := q.readSQL(
			`SELECT n, (type, tags, summary, metadata, content) = (?, ?, ?, ?, ?), entries FROM memories WHERE user_id = ? AND id = ?`, func(stmt *sqlite.Stmt) (err error) {
				n, same = stmt.ColumnInt64(0), stmt.ColumnInt(1) != 0
				before, err = entriesOf(columnBytes(stmt, 2))
				return err
			}, textArg(string(memory.Type)), textArg(tags), textArg(memory.Summary), textArg(memory.Metadata),
			textArg(memory.Content), userArg(f.user), idArg(memory.ID)); err != nil {
			return err
		}
		if n == 0 {
			return store.ErrNotFound
		}
		if err := f.keepVersion(q, memory.ID, instantArg(memory.UpdatedAt), reason); err != nil {
			return err
		}
		if _, err := q.write(sqlUpdateMemory, append(args, userArg(f.user), idArg(memory.ID))...); err != nil {
			return err
		}
		if err := deletePostings(q, &memoryPopulation, f.user, postingsBeside(before, entries, n)); err != nil {
			return err
		}
		if err := insertPostings(q, &memoryPopulation, f.user, postingsBeside(entries, before, n)); err != nil {
			return err
		}
		if len(memory.Embedding.Vector) > 0 || !same {
			vectors, err := writeVectors(q, &memoryPopulation, f.user, 1)
			if err != nil {
				return err
			}
			if err := vectors.replace(n, &memory.Embedding); err != nil {
				return err
			}
			if err := vectors.done(); err != nil {
				return err
			}
		}
		return f.log(q, model.ChangeMemory, model.OperationUpdated, memory.ID)
	})
	return wrap("update memory", err)
}

// keepVersion puts the row as it is into the history, in place of what there is under its number; the oldest beyond
// those that are kept go.
func (f *frame) keepVersion(q *session, id model.UUID, replaced arg, reason model.MemoryReason) error {
	if _, err := q.write(
		`INSERT OR REPLACE INTO memory_versions (user_id, memory_id, version, type, expires_at, overridden, written_at, replaced_at, reason, tags, summary, metadata, content)
SELECT user_id, id, version, type, expires_at, overridden, updated_at, ?, ?, tags, summary, metadata, content FROM memories WHERE user_id = ? AND id = ?`,
		replaced, textArg(string(reason)), userArg(f.user), idArg(id)); err != nil {
		return err
	}
	_, err := q.write(`DELETE FROM memory_versions WHERE user_id = ?1 AND memory_id = ?2 AND version <=
(SELECT version FROM memory_versions WHERE user_id = ?1 AND memory_id = ?2 ORDER BY version DESC LIMIT 1 OFFSET ?3)`,
		userArg(f.user), idArg(id), intArg(model.MaxMemoryVersions))
	return err
}

// RestoreHistory: see store.MemoryWriter. The oldest versions beyond those that are kept are left out.
func (f *frame) RestoreHistory(ctx context.Context, memory model.UUID, versions []model.MemoryVersion) error {
	err := f.atomically(ctx, func(q *session) error {
		there := false
		if err := q.readSQL(`SELECT 1 FROM memories WHERE user_id = ? AND id = ?`,
			func(*sqlite.Stmt) error { there = true; return nil }, userArg(f.user), idArg(memory)); err != nil {
			return err
		}
		if !there {
			return store.ErrNotFound
		}
		if _, err := q.write(`DELETE FROM memory_versions WHERE user_id = ? AND memory_id = ?`, userArg(f.user),
			idArg(memory)); err != nil {
			return err
		}
		kept := slices.SortedFunc(slices.Values(versions),
			func(a, b model.MemoryVersion) int { return b.Version - a.Version })
		for _, version := range kept[:min(len(kept), model.MaxMemoryVersions)] {
			if err := rows.Text(append([]string{version.Content, version.Summary, version.Metadata},
				version.Tags...)...); err != nil {
				return err
			}
			tags, err := textsText(version.Tags)
			if err != nil {
				return err
			}
			if _, err := q.write(
				`INSERT INTO memory_versions (user_id, memory_id, version, type, expires_at, overridden, written_at, replaced_at, reason, tags, summary, metadata, content)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`, userArg(f.user), idArg(memory), intArg(version.Version), textArg(string(version.Type)), timeArg(version.ExpiresAt),
				boolArg(version.Overridden), instantArg(version.WrittenAt), instantArg(version.ReplacedAt),
				textArg(string(version.Reason)), textArg(tags),
				textArg(version.Summary), textArg(version.Metadata), textArg(version.Content)); err != nil {
				return err
			}
		}
		return nil
	})
	return wrap("restore history", err)
}
