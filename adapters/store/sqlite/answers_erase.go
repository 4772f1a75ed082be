package sqlite

import (
	"bytes"

	"zombiezen.com/go/sqlite"

	"almanac/graph/model"
)

// eraseAnswers takes away the recorded answers of the user's idempotent calls, and what claims have noted, that name
// one of some own records of a kind. The keys stay: see rows.KeyRecord.
func (f *frame) eraseAnswers(q *session, kind model.Kind, ids []model.UUID) error {
	if len(ids) == 0 {
		return nil
	}
	erased := make(map[string]struct{}, len(ids))
	for _, id := range ids {
		erased[model.ID{Kind: kind, UUID: id}.String()] = struct{}{}
	}
	return f.eraseAnswersThat(q, kind, func(id string) bool { _, is := erased[id]; return is })
}

// eraseAllAnswers is eraseAnswers for all own records of a kind.
func (f *frame) eraseAllAnswers(q *session, kind model.Kind) error {
	return f.eraseAnswersThat(q, kind, func(id string) bool { _, err := model.ParseID(id); return err == nil })
}

func (f *frame) eraseAnswersThat(q *session, kind model.Kind, erased func(id string) bool) error {
	prefix := []byte(kind + "_")
	var keys []string
	if err := q.readSQL(
		`SELECT key, answer, notes FROM idempotency WHERE user_id = ?1 AND (instr(answer, ?2) > 0 OR instr(notes, ?2) > 0)`,
		func(stmt *sqlite.Stmt) error {
			if names(columnBytes(stmt, 1), prefix, erased) || names(columnBytes(stmt, 2), prefix, erased) {
				keys = append(keys, stmt.ColumnText(0))
			}
			return nil
		}, userArg(f.user), bytesArg(prefix)); err != nil {
		return err
	}
	for _, key := range keys {
		if _, err := q.write(`UPDATE idempotency SET answer = NULL, notes = NULL, erased = 1 WHERE user_id = ? AND key = ?`,
			userArg(f.user), textArg(key)); err != nil {
			return err
		}
	}
	return nil
}

// names reports whether a text holds a public id, behind a prefix, that was erased.
func names(text, prefix []byte, erased func(id string) bool) bool {
	length := len(prefix) + 26 // 128 bits in base32, see model.ID
	for {
		at := bytes.Index(text, prefix)
		if at < 0 || at+length > len(text) {
			return false
		}
		if erased(string(text[at : at+length])) {
			return true
		}
		text = text[at+len(prefix):]
	}
}
