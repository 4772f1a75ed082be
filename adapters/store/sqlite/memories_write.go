package sqlite

import (
	"context"
	"slices"
	"strings"

	"zombiezen.com/go/sqlite"

	"almanac/adapters/store"
	"almanac/graph/model"
	"almanac/projections/words"
)

var (
	sqlInsertMemory  = insertSQL(&store.MemoryTable, "has_metadata", "entries", "n")
	sqlUpdateMemory  = updateSQL(&store.MemoryTable, "has_metadata", "entries")
	sqlInsertVersion = insertSQL(&store.MemoryVersionTable)
)

// memoryArgs binds what both statements on memories set, and returns the entries.
func memoryArgs(user model.UserID, memory *model.Memory, more ...arg) (args []arg, entries []string, err error) {
	entries = words.Entries(*memory)
	args, err = argsOf(user, &store.MemoryTable, memory,
		append([]arg{boolArg(memory.Metadata != ""), bytesArg(packEntries(entries))}, more...)...)
	return args, entries, err
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
			args, entries, err := memoryArgs(f.user, memory, intArg(n))
			if err != nil {
				return err
			}
			if _, err := q.write(sqlInsertMemory, args...); err != nil {
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

// sqlMemoryBefore compares what is embedded of a memory with what shall be.
const sqlMemoryBefore = `SELECT n, (type, tags, summary, metadata, content) = (?, ?, ?, ?, ?), entries FROM memories
WHERE user_id = ? AND id = ?`

// UpdateMemory: see store.MemoryWriter.
func (f *frame) UpdateMemory(ctx context.Context, memory model.Memory, reason model.MemoryReason) error {
	err := f.atomically(ctx, func(q *session) error {
		args, entries, err := memoryArgs(f.user, &memory)
		if err != nil {
			return err
		}
		tags, err := textsText(memory.Tags)
		if err != nil {
			return err
		}
		n, same := int64(0), false
		var before []string
		if err := q.readSQL(sqlMemoryBefore, func(stmt *sqlite.Stmt) (err error) {
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
		if _, err := q.write(sqlUpdateMemory, args...); err != nil {
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

// sqlKeepVersion copies a row into the history: what the versions have of a memory, and when and why it was replaced.
var sqlKeepVersion = func() string {
	names := store.Names(store.MemoryVersionTable.All())
	copied := make([]string, len(names))
	for i, name := range names {
		if copied[i] = name; versionSources[name] != "" {
			copied[i] = versionSources[name]
		}
	}
	return "INSERT OR REPLACE INTO memory_versions (user_id, " + strings.Join(names, ", ") + ") SELECT user_id, " +
		strings.Join(copied, ", ") + " FROM memories WHERE user_id = ?1 AND id = ?2"
}()

// versionSources are the expressions for the columns of a version that have another name in memories.
var versionSources = map[string]string{"memory_id": "id", "written_at": "updated_at", "replaced_at": "?3",
	"reason": "?4"}

// sqlPruneVersions deletes the versions beyond those that are kept.
const sqlPruneVersions = `DELETE FROM memory_versions WHERE user_id = ?1 AND memory_id = ?2 AND version <= (
	SELECT version FROM memory_versions WHERE user_id = ?1 AND memory_id = ?2 ORDER BY version DESC LIMIT 1 OFFSET ?3)`

// keepVersion puts the row as it is into the history, in place of what there is under its number; the oldest beyond
// those that are kept go.
func (f *frame) keepVersion(q *session, id model.UUID, replaced arg, reason model.MemoryReason) error {
	if _, err := q.write(sqlKeepVersion, userArg(f.user), idArg(id), replaced, textArg(string(reason))); err != nil {
		return err
	}
	_, err := q.write(sqlPruneVersions, userArg(f.user), idArg(id), intArg(model.MaxMemoryVersions))
	return err
}

// RestoreHistory: see store.MemoryWriter. The oldest versions beyond those that are kept are left out.
func (f *frame) RestoreHistory(ctx context.Context, memory model.UUID, versions []model.MemoryVersion) error {
	err := f.atomically(ctx, func(q *session) error {
		_, there, err := q.number(`SELECT 1 FROM memories WHERE user_id = ? AND id = ?`, userArg(f.user), idArg(memory))
		if err == nil && !there {
			err = store.ErrNotFound
		}
		if err != nil {
			return err
		}
		if _, err := q.write(`DELETE FROM memory_versions WHERE user_id = ? AND memory_id = ?`, userArg(f.user),
			idArg(memory)); err != nil {
			return err
		}
		kept := slices.SortedFunc(slices.Values(versions),
			func(a, b model.MemoryVersion) int { return b.Version - a.Version })
		for _, version := range kept[:min(len(kept), model.MaxMemoryVersions)] {
			version.Memory = memory
			args, err := argsOf(f.user, &store.MemoryVersionTable, &version)
			if err != nil {
				return err
			}
			if _, err := q.write(sqlInsertVersion, args...); err != nil {
				return err
			}
		}
		return nil
	})
	return wrap("restore history", err)
}
