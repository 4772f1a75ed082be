package sqlite

import (
	"strings"
	"time"

	"zombiezen.com/go/sqlite"

	"almanac/adapters/store"
	"almanac/adapters/store/rows"
	"almanac/graph/model"
	"almanac/projections/words"
)

// memoryFilter is a MemoryWhere of a user at a moment. Its conditions are about the table memories as m.
type memoryFilter struct {
	user  model.UserID
	where store.MemoryWhere
	// now is the moment in microseconds: what expires then or before is not there.
	now int64
	// rare is an entry that all memories asked for have and few others, by which they are found; empty when there is none.
	rare string
	// has is an entry that all memories asked for have, however many others: the rare one when there is one.
	has string
}

// filterMemories checks the texts of a filter. What has expired is outside of it.
func filterMemories(user model.UserID, where store.MemoryWhere, now time.Time) (memoryFilter, error) {
	return memoryFilter{user: user, where: where, now: rows.Micros(now)}, checkWhere(&where)
}

func checkWhere(where *store.MemoryWhere) error {
	for _, texts := range [...][]string{where.TagsAll, where.TagsAny, where.TagsNone, where.Pairs} {
		if err := rows.Text(texts...); err != nil {
			return err
		}
	}
	for _, parts := range [...][]store.MemoryWhere{where.And, where.Or} {
		for i := range parts {
			if err := checkWhere(&parts[i]); err != nil {
				return err
			}
		}
	}
	if where.Not != nil {
		return checkWhere(where.Not)
	}
	return nil
}

// asksNothing is whether every memory that has not expired is asked for.
func (f *memoryFilter) asksNothing() bool { return nothing(&f.where) }

func nothing(w *store.MemoryWhere) bool {
	if len(w.Types)+len(w.TagsAll)+len(w.TagsAny)+len(w.TagsNone)+len(w.Pairs)+len(w.Or) > 0 || w.HasMetadata != nil ||
		w.Not != nil ||
		!w.CreatedFrom.IsZero() || !w.CreatedTo.IsZero() || !w.UpdatedFrom.IsZero() || !w.UpdatedTo.IsZero() {
		return false
	}
	for i := range w.And {
		if !nothing(&w.And[i]) {
			return false
		}
	}
	return true
}

// fewRows is how many rows of an entry are so few that it pays to read them all and sort them.
const fewRows = 2_000

// plan looks for an entry that all memories asked for have and that is rare. It reads at most fewRows places of the
// index for each of the first few entries.
func (f *memoryFilter) plan(q *session) error {
	entries := required(&f.where, nil)
	if len(entries) > 0 {
		f.has = entries[0]
	}
	least := fewRows
	for _, entry := range entries[:min(len(entries), 8)] {
		count := 0
		if err := q.readSQL(`SELECT count(*) FROM (SELECT 1 FROM memory_terms WHERE user_id = ? AND term = ? LIMIT ?)`,
			func(stmt *sqlite.Stmt) error {
				count = stmt.ColumnInt(0)
				return nil
			}, userArg(f.user), bytesArg([]byte(entry)), intArg(least)); err != nil {
			return err
		}
		if count < least {
			f.rare, f.has, least = entry, entry, count
		}
	}
	return nil
}

// required are entries that every memory which the filter finds must have.
func required(where *store.MemoryWhere, entries []string) []string {
	for _, tag := range where.TagsAll {
		entries = append(entries, words.TagEntry(tag))
	}
	if len(where.TagsAny) == 1 {
		entries = append(entries, words.TagEntry(where.TagsAny[0]))
	}
	for _, pair := range where.Pairs {
		entries = append(entries, words.PairEntry(pair))
	}
	for i := range where.And {
		entries = required(&where.And[i], entries)
	}
	return entries
}

// from appends FROM and WHERE. index names the index of the order that is wanted; with a rare entry the few memories
// that have it are read instead, in no order.
func (f *memoryFilter) from(b *statement, index string) {
	if f.rare != "" {
		b.add(
			" FROM memory_terms r CROSS JOIN memories m INDEXED BY memories_n ON m.user_id = r.user_id AND m.n = r.n WHERE "+
				"r.user_id = ? AND r.term = ?",
			userArg(f.user), bytesArg([]byte(f.rare)))
	} else {
		b.add(" FROM memories m INDEXED BY "+index+" WHERE m.user_id = ?", userArg(f.user))
	}
	f.write(b, f.rare)
}

// conditions appends what must hold of a memory of the user, each with AND before it.
func (f *memoryFilter) conditions(b *statement) { f.write(b, "") }

// write is conditions, but for an entry that the memories are known to have.
func (f *memoryFilter) write(b *statement, has string) {
	b.add(" AND (m.expires_at IS NULL OR m.expires_at > ?)", intArg(f.now))
	if !f.asksNothing() {
		b.add(" AND ")
		writeWhere(b, &f.where, has)
	}
}

// setIndex is the index through which all that the filter finds is read best, in any order.
func (f *memoryFilter) setIndex() string {
	switch w := &f.where; {
	case !w.CreatedFrom.IsZero(), !w.CreatedTo.IsZero():
		return "memories_created"
	case !w.UpdatedFrom.IsZero(), !w.UpdatedTo.IsZero():
		return "memories_updated"
	case len(w.Types) > 0:
		return "memories_key"
	}
	return "memories_created"
}

// set appends FROM and WHERE of all that the filter finds.
func (f *memoryFilter) set(b *statement) { f.from(b, f.setIndex()) }

// few: see filter.
func (f *memoryFilter) few() bool { return f.rare != "" }

// entry: see filter.
func (f *memoryFilter) entry() string { return f.has }

// hasEntry begins the condition that a memory has an entry; the condition on x.term and hasEntryEnd must follow. The
// limit keeps the planner from turning each condition into a join, which takes it a second for fifty of them.
const hasEntry = "EXISTS (SELECT 1 FROM memory_terms x WHERE x.user_id = m.user_id AND x.n = m.n AND x.term "

const hasEntryEnd = " LIMIT 1)"

// writeWhere appends a filter as one condition in brackets, without the entry that the memories are known to have. It
// is written out in full, however deep: the edge bounds parts and depth.
func writeWhere(b *statement, w *store.MemoryWhere, has string) {
	b.add("(1")
	if len(w.Types) > 0 {
		b.add(" AND m.type IN (?" + strings.Repeat(",?", len(w.Types)-1) + ")")
		for _, kind := range w.Types {
			b.args = append(b.args, textArg(string(kind)))
		}
	}
	for _, bound := range [...]struct {
		condition string
		at        time.Time
	}{
		{"m.created_at >= ?", w.CreatedFrom}, {"m.created_at < ?", w.CreatedTo}, {"m.updated_at >= ?", w.UpdatedFrom},
		{"m.updated_at < ?", w.UpdatedTo},
	} {
		if !bound.at.IsZero() {
			b.add(" AND "+bound.condition, intArg(ceilMicros(bound.at)))
		}
	}
	if w.HasMetadata != nil {
		b.add(" AND m.has_metadata = ?", boolArg(*w.HasMetadata))
	}
	entries := make([]string, 0, len(w.TagsAll)+len(w.Pairs))
	for _, tag := range w.TagsAll {
		entries = append(entries, words.TagEntry(tag))
	}
	for _, pair := range w.Pairs {
		entries = append(entries, words.PairEntry(pair))
	}
	for _, entry := range entries {
		if entry != has {
			b.add(" AND "+hasEntry+"= ?"+hasEntryEnd, bytesArg([]byte(entry)))
		}
	}
	writeAny(b, " AND ", w.TagsAny)
	writeAny(b, " AND NOT ", w.TagsNone)
	for i := range w.And {
		b.add(" AND ")
		writeWhere(b, &w.And[i], has)
	}
	for i := range w.Or {
		if i == 0 {
			b.add(" AND (")
		} else {
			b.add(" OR ")
		}
		writeWhere(b, &w.Or[i], "")
	}
	if len(w.Or) > 0 {
		b.add(")")
	}
	if w.Not != nil {
		b.add(" AND NOT ")
		writeWhere(b, w.Not, "")
	}
	b.add(")")
}

// writeAny appends the condition that a memory has one of the tags; nothing for no tags.
func writeAny(b *statement, before string, tags []string) {
	if len(tags) == 0 {
		return
	}
	b.add(before + hasEntry + "IN (?" + strings.Repeat(",?", len(tags)-1) + ")" + hasEntryEnd)
	for _, tag := range tags {
		b.args = append(b.args, bytesArg([]byte(words.TagEntry(tag))))
	}
}
