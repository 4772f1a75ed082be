package sqlite

import (
	"context"
	"encoding/hex"
	"strings"
	"unicode/utf8"

	"zombiezen.com/go/sqlite"

	"almanac/graph/model"
)

const (
	// indexedFrom is how many tasks a user has before a search needs the index.
	indexedFrom = 5000
	// mostFound is how many tasks the index names at most: more are found by going along the list. Where less than one in
	// commonOf of the newestLooked newest has what is searched for, the index names one in namedOf of all at most: naming
	// one costs what going along namedOf does.
	mostFound    = 2000
	commonOf     = 8
	newestLooked = 400
	namedOf      = 32
	// mostPending is how many tasks may be looked at that the index does not have yet.
	mostPending = 5000
	// mostGrams bounds the pieces of a search that the index is asked for.
	mostGrams = 32
	// indexedAtOnce is how many tasks one transaction of the sweep adds to the index, so that writers wait for a moment
	// only.
	indexedAtOnce = 200
	// gram is how many characters a piece has.
	gram = 3
)

// appendGram appends a piece of a user's text as a word of the index. Characters that share their lower 16 bits are not
// told apart: what is found is looked at anyway.
func appendGram(b []byte, user model.UserID, piece []rune) []byte {
	b = append(b, 'u')
	b = hex.AppendEncode(b, user[:4])
	for _, r := range piece {
		b = hex.AppendEncode(b, []byte{byte(r >> 8), byte(r)})
	}
	return b
}

// gramsOf returns the words of a text: each place's three characters, and at its end those that are left, by which
// searches for less are answered too.
func gramsOf(user model.UserID, text string) string {
	runes := []rune(text)
	b := make([]byte, 0, len(runes)*(2+8+4*gram))
	for i := range runes {
		b = append(appendGram(b, user, runes[i:min(i+gram, len(runes))]), ' ')
	}
	return string(b)
}

// gramsFor returns what the index is asked for to find a folded text.
func gramsFor(user model.UserID, search string) string {
	runes := []rune(search)
	if len(runes) < gram {
		return string(appendGram(nil, user, runes)) + "*"
	}
	places := len(runes) - gram + 1
	asked := min(places, mostGrams)
	seen := make(map[string]bool, asked)
	words := make([]string, 0, asked)
	for n := range asked {
		i := n * places / asked
		if word := string(appendGram(nil, user, runes[i:i+gram])); !seen[word] {
			seen[word] = true
			words = append(words, word)
		}
	}
	return strings.Join(words, " AND ")
}

// searched is the text that is searched of a task: what stands in neither of two texts does not stand across them,
// since no folded text has a new line.
func searched(textKey, categoryKey string) string { return textKey + "\n" + categoryKey }

// sqlFound returns the ids that the index names for a search, and those it does not know yet.
const sqlFound = `SELECT id FROM task_grams WHERE task_grams MATCH ?
UNION ALL SELECT id FROM task_pending WHERE user_id = ?`

// narrowSearch looks whether the index names few tasks, so that only those have to be looked at.
func (f *taskFilter) narrowSearch(q *session) error {
	if f.search == "" {
		return nil
	}
	ready := false
	if err := q.readSQL(`SELECT 1 FROM task_indexed WHERE user_id = ? AND beyond IS NULL`,
		func(*sqlite.Stmt) error { ready = true; return nil }, userArg(f.user)); err != nil || !ready {
		return err
	}
	pending, _, err := q.number(`SELECT count(*) FROM (SELECT 1 FROM task_pending WHERE user_id = ? LIMIT ?)`,
		userArg(f.user), intArg(mostPending+1))
	if err != nil || pending > mostPending {
		return err
	}
	// To name what begins with one or two characters the index gathers all of it.
	short := utf8.RuneCountInString(f.search) < gram
	if short {
		if common, err := f.isCommon(q); err != nil || common {
			return err
		}
	}
	grams := gramsFor(f.user, f.search)
	few, err := namesFew(q, grams, mostFound)
	if err == nil && !few {
		common := false
		if !short {
			common, err = f.isCommon(q)
		}
		if err != nil || common {
			return err
		}
		// What lies far down the list is not looked for along it.
		all, _, counting := q.number(`SELECT coalesce(sum(n), 0) FROM task_counts WHERE user_id = ?`, userArg(f.user))
		if counting != nil {
			return counting
		}
		few, err = namesFew(q, grams, max(mostFound, all/namedOf))
	}
	if few {
		f.grams = grams
	}
	return err
}

// namesFew reports whether the index names so many tasks at most.
func namesFew(q *session, grams string, most int64) (bool, error) {
	found, _, err := q.number(`SELECT count(*) FROM (SELECT 1 FROM task_grams WHERE task_grams MATCH ? LIMIT ?)`,
		textArg(grams), intArg(most+1))
	return err == nil && found <= most, err
}

// isCommon reports whether many of the user's newest tasks have what is searched for.
func (f *taskFilter) isCommon(q *session) (bool, error) {
	var b statement
	b.add("SELECT count(*) FROM (SELECT text_key, category_key FROM tasks NOT INDEXED WHERE user_id = ?", userArg(f.user))
	b.add(" ORDER BY id DESC LIMIT ?) WHERE 1", intArg(newestLooked))
	contains(&b, f.search, "text_key", "category_key")
	found, err := q.count(&b)
	return found > newestLooked/commonOf, err
}

// noteTask notes that a task was written, for the index to know of it. n is its row there, 0 for none; indexed is
// whether the user's tasks are in the index.
func (f *frame) noteTask(q *session, id model.UUID, n int64, indexed bool) error {
	if n != 0 {
		if _, err := q.write(`INSERT INTO task_stale (user_id, n) VALUES (?, ?)`, userArg(f.user), intArg(n)); err != nil {
			return err
		}
		if _, err := q.write(`UPDATE tasks SET n = NULL WHERE user_id = ? AND id = ?`, userArg(f.user),
			idArg(id)); err != nil {
			return err
		}
	}
	if !indexed {
		return nil
	}
	_, err := q.write(`INSERT INTO task_pending (user_id, id) VALUES (?, ?) ON CONFLICT DO NOTHING`, userArg(f.user),
		idArg(id))
	return err
}

// isIndexed reports whether the user's tasks are in the index, or on the way into it.
func isIndexed(q *session, user model.UserID) (bool, error) {
	_, there, err := q.number(`SELECT 1 FROM task_indexed WHERE user_id = ?`, userArg(user))
	return there, err
}

// indexTasks adds to the index what it lacks, and takes from it what is no more, in many small transactions.
func (s *Store) indexTasks(ctx context.Context) error {
	if err := s.exclusively(ctx, func(q *session) error {
		_, err := q.write(`INSERT INTO task_indexed (user_id, beyond)
SELECT user_id, x'' FROM task_counts GROUP BY user_id HAVING sum(n) > ? ON CONFLICT DO NOTHING`, intArg(indexedFrom))
		return err
	}); err != nil {
		return err
	}
	for _, step := range [...]func(q *session) (more bool, err error){forgetStale, indexPending, indexBeyond} {
		for more := true; more; {
			if err := s.exclusively(ctx, func(q *session) (err error) {
				more, err = step(q)
				return err
			}); err != nil {
				return err
			}
		}
	}
	return nil
}

// forgetStale takes rows out of the index that no task points to.
func forgetStale(q *session) (more bool, err error) {
	type row struct {
		user model.UserID
		n    int64
	}
	var stale []row
	if err := q.readSQL(`SELECT user_id, n FROM task_stale LIMIT ?`, func(stmt *sqlite.Stmt) error {
		stale = append(stale, row{model.UserID(columnID(stmt, 0)), stmt.ColumnInt64(1)})
		return nil
	}, intArg(indexedAtOnce)); err != nil {
		return false, err
	}
	for _, r := range stale {
		if _, err := q.write(`DELETE FROM task_grams WHERE rowid = ?`, intArg(r.n)); err != nil {
			return false, err
		}
		if _, err := q.write(`DELETE FROM task_stale WHERE user_id = ? AND n = ?`, userArg(r.user), intArg(r.n)); err != nil {
			return false, err
		}
	}
	return len(stale) == indexedAtOnce, nil
}

// unindexed is a task that is to be added to the index.
type unindexed struct {
	user model.UserID
	id   model.UUID
	text string
	// there is whether there is such a task, and the index does not have it.
	there bool
}

func (u *unindexed) add(q *session) error {
	if !u.there {
		return nil
	}
	if _, err := q.write(`INSERT INTO task_grams (id, grams) VALUES (?, ?)`, idArg(u.id),
		textArg(gramsOf(u.user, u.text))); err != nil {
		return err
	}
	_, err := q.write(`UPDATE tasks SET n = ? WHERE user_id = ? AND id = ?`, intArg(q.LastInsertRowID()), userArg(u.user),
		idArg(u.id))
	return err
}

// indexPending adds tasks that were written since.
func indexPending(q *session) (more bool, err error) {
	var tasks []unindexed
	err = q.readSQL(`SELECT p.user_id, p.id, t.text_key, t.category_key, t.id IS NOT NULL AND t.n IS NULL
FROM (SELECT user_id, id FROM task_pending LIMIT ?) p LEFT JOIN tasks t ON t.user_id = p.user_id AND t.id = p.id`,
		func(stmt *sqlite.Stmt) error {
			tasks = append(tasks, unindexed{user: model.UserID(columnID(stmt, 0)), id: columnID(stmt, 1),
				text: searched(stmt.ColumnText(2), stmt.ColumnText(3)), there: stmt.ColumnBool(4)})
			return nil
		}, intArg(indexedAtOnce))
	for i := range tasks {
		if err == nil {
			err = tasks[i].add(q)
		}
		if err == nil {
			_, err = q.write(`DELETE FROM task_pending WHERE user_id = ? AND id = ?`, userArg(tasks[i].user), idArg(tasks[i].id))
		}
	}
	return len(tasks) == indexedAtOnce, err
}

// indexBeyond goes on through the tasks of a user who has got many.
func indexBeyond(q *session) (more bool, err error) {
	var (
		user   model.UserID
		beyond []byte
	)
	if err := q.readSQL(`SELECT user_id, beyond FROM task_indexed WHERE beyond IS NOT NULL LIMIT 1`,
		func(stmt *sqlite.Stmt) error {
			user, beyond, more = model.UserID(columnID(stmt, 0)), columnBytes(stmt, 1), true
			return nil
		}); err != nil || !more {
		return false, err
	}
	var tasks []unindexed
	err = q.readSQL(`SELECT id, text_key, category_key, n IS NULL FROM tasks NOT INDEXED
WHERE user_id = ? AND id > ? ORDER BY id LIMIT ?`, func(stmt *sqlite.Stmt) error {
		tasks = append(tasks, unindexed{user: user, id: columnID(stmt, 0),
			text: searched(stmt.ColumnText(1), stmt.ColumnText(2)), there: stmt.ColumnBool(3)})
		return nil
	}, userArg(user), bytesArg(beyond), intArg(indexedAtOnce))
	for i := range tasks {
		if err == nil {
			err = tasks[i].add(q)
		}
	}
	if err != nil {
		return false, err
	}
	if len(tasks) < indexedAtOnce {
		_, err = q.write(`UPDATE task_indexed SET beyond = NULL WHERE user_id = ?`, userArg(user))
		return true, err
	}
	_, err = q.write(`UPDATE task_indexed SET beyond = ? WHERE user_id = ?`, idArg(tasks[len(tasks)-1].id), userArg(user))
	return true, err
}
