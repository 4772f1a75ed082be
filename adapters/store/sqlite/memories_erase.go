package sqlite

import (
	"bytes"
	"context"

	"zombiezen.com/go/sqlite"

	"almanac/graph/model"
)

// DeleteMemories: see store.MemoryWriter. What is deleted is overwritten in the file; copies of it go with the next Sweep (see scrub).
func (f *frame) DeleteMemories(ctx context.Context, ids []model.UUID) (deleted []model.UUID, err error) {
	if len(ids) == 0 {
		return nil, nil
	}
	err = f.atomically(ctx, func(q *session) error {
		deleted, err = f.eraseMemories(q, ids, arg{})
		return err
	})
	if err != nil {
		return nil, wrap("delete memories", err)
	}
	return deleted, nil
}

// eraseMemories deletes memories with everything that hangs on them; with a time only those that have expired by then. Versions go by the
// foreign key.
func (f *frame) eraseMemories(q *session, ids []model.UUID, expired arg) (deleted []model.UUID, err error) {
	vectors, err := writeVectors(q, f.user, 0)
	if err != nil {
		return nil, err
	}
	var postings []posting
	for _, id := range ids {
		n := int64(0)
		var entries []string
		if err := q.readSQL(`SELECT n, entries FROM memories WHERE user_id = ?1 AND id = ?2 AND (?3 IS NULL OR expires_at <= ?3)`, func(stmt *sqlite.Stmt) (err error) {
			n = stmt.ColumnInt64(0)
			entries, err = entriesOf(columnBytes(stmt, 1))
			return err
		}, userArg(f.user), idArg(id), expired); err != nil {
			return nil, err
		}
		if n == 0 {
			continue
		}
		if err := vectors.uncount(n); err != nil {
			return nil, err
		}
		if _, err := q.write(`DELETE FROM memory_vectors WHERE user_id = ? AND n = ?`, userArg(f.user), intArg(n)); err != nil {
			return nil, err
		}
		if _, err := q.write(`DELETE FROM memories WHERE user_id = ? AND id = ?`, userArg(f.user), idArg(id)); err != nil {
			return nil, err
		}
		for _, entry := range entries {
			postings = append(postings, posting{entry, n})
		}
		deleted = append(deleted, id)
	}
	if len(deleted) == 0 {
		return nil, nil
	}
	if err := vectors.done(); err != nil {
		return nil, err
	}
	if err := writePostings(q, f.user, sqlDeleteTerm, postings); err != nil {
		return nil, err
	}
	if err := f.eraseAnswers(q, deleted); err != nil {
		return nil, err
	}
	if err := noteErasure(q); err != nil {
		return nil, err
	}
	return deleted, f.log(q, model.ChangeMemory, model.OperationDeleted, deleted...)
}

// memoryPrefix is how the public id of a memory begins.
const memoryPrefix = string(model.KindMemory) + "_"

// eraseAnswers takes away the recorded answers of the user's idempotent calls, and what claims have noted, that name one of the memories. The keys
// stay: see rows.KeyRecord.
func (f *frame) eraseAnswers(q *session, memories []model.UUID) error {
	erased := make(map[string]struct{}, len(memories))
	for _, id := range memories {
		erased[model.ID{Kind: model.KindMemory, UUID: id}.String()] = struct{}{}
	}
	var keys []string
	if err := q.readSQL(`SELECT key, answer, notes FROM idempotency WHERE user_id = ?1 AND (instr(answer, ?2) > 0 OR instr(notes, ?2) > 0)`, func(stmt *sqlite.Stmt) error {
		if names(columnBytes(stmt, 1), erased) || names(columnBytes(stmt, 2), erased) {
			keys = append(keys, stmt.ColumnText(0))
		}
		return nil
	}, userArg(f.user), bytesArg([]byte(memoryPrefix))); err != nil {
		return err
	}
	for _, key := range keys {
		if _, err := q.write(`UPDATE idempotency SET answer = NULL, notes = NULL, erased = 1 WHERE user_id = ? AND key = ?`, userArg(f.user), textArg(key)); err != nil {
			return err
		}
	}
	return nil
}

// names tells whether a text holds one of the public ids.
func names(text []byte, ids map[string]struct{}) bool {
	const length = len(memoryPrefix) + 26 // 128 bits in base32, see model.ID
	for {
		at := bytes.Index(text, []byte(memoryPrefix))
		if at < 0 || at+length > len(text) {
			return false
		}
		if _, is := ids[string(text[at:at+length])]; is {
			return true
		}
		text = text[at+len(memoryPrefix):]
	}
}
