package postgres

import (
	"crypto/md5"
	"fmt"
	"strings"
	"testing"
	"time"

	"almanac/adapters/store"
)

// dueUsers have dueEach rows each of everything that is looked for over all users.
const dueUsers, dueEach = 200, 100

// fill adds rows to a table whose columns have harmless values by their types, but for those named: expressions over i,
// which counts the rows. Ids are the same in every table, so that references hold.
func fill(t *testing.T, s *Store, table string, count int, special map[string]string) {
	t.Helper()
	var names, values []string
	b := newBatch()
	b.query(`SELECT attname::text, format_type(atttypid, NULL) FROM pg_attribute
WHERE attrelid = to_regclass($1) AND attnum > 0 AND NOT attisdropped`, func(r *row) {
		name, kind := r.text(), r.text()
		value, ok := special[name]
		if !ok {
			value, ok = map[string]string{
				"uuid": "md5(i::text)::uuid", "timestamp with time zone": "'2030-01-01'::timestamptz + i * interval '1 minute'",
				"text": "''", "integer": "i", "bigint": "i", "smallint": "1", "boolean": "false", "bytea": "''", "text[]": "'{}'",
			}[kind]
		}
		if name == "user_id" {
			value, ok = fmt.Sprintf("md5((i %% %d)::text)::uuid", dueUsers), true
		}
		if ok {
			names, values = append(names, name), append(values, value)
		}
	}, table)
	if err := s.run(t.Context(), b); err != nil {
		t.Fatal(err)
	}
	if err := s.Execute(t.Context(), fmt.Sprintf("INSERT INTO %s (%s) SELECT %s FROM generate_series(1, %d) AS i", table,
		strings.Join(names, ", "), strings.Join(values, ", "), count)); err != nil {
		t.Fatal(err)
	}
}

// TestBackgroundWorkReadsFewPages: a look over all users for what is due reads a few pages when nothing is, however
// much is to come.
func TestBackgroundWorkReadsFewPages(t *testing.T) {
	s := migratedStore(t)
	const all = dueUsers * dueEach
	for _, one := range []struct {
		table   string
		count   int
		special map[string]string
	}{
		{"users", dueUsers, map[string]string{"change_seq": "100", "pruned_seq": "0"}},
		{"tasks", all, map[string]string{"recurrence_type": "NULL", "completed_at": "NULL"}},
		{"connections", all, map[string]string{"account": "i::text"}},
		{"sync_states", all, nil},
		{"episodes", all, map[string]string{"state": "'QUEUED'"}},
		{"webset_feeds", dueUsers, nil},
		{"webset_events", all, map[string]string{"event": "i::text"}},
		{"outbox", all, map[string]string{"state": "'SCHEDULED'"}},
		{"actions", all, nil},
		{"idempotency", all, map[string]string{"key": "i::text"}},
		{"confirmations", all, nil},
		{"memories", all, nil},
		{"memory_models", dueUsers, map[string]string{"name": "'m'"}},
		{"memory_vectors", all, map[string]string{"memory_id": "md5(i::text)::uuid", "model": "1", "embedding": "NULL"}},
		{"changes", dueUsers * dueEach,
			map[string]string{"seq": fmt.Sprintf("(i - 1) / %d + 1", dueUsers), "remote": "NULL"}},
	} {
		fill(t, s, one.table, one.count, one.special)
	}
	now, until, limit := instantArg(time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)), instantArg(time.Unix(4e9, 0)), int64(100)
	asked := func(sql string, args ...any) *batch {
		b := newBatch()
		b.exec(sql, nil, args...)
		return b
	}
	episodes := episodeShape(store.EpisodeRow)
	user := uuidArg(md5.Sum([]byte("1"))) // as the server makes it
	pending := newBatch()
	withoutVector(memoryPopulation(), store.PendingPlace{}, int(limit), pendingRows{list: "t.id"}).into(pending, nil)
	type question struct {
		name string
		ask  *batch
		// most is how many pages it may read. What goes through users reads more, and only so many for each of a few users.
		most int
	}
	questions := []question{
		{"reminders", asked(dueReminders.sql("q.user_id, q.id", ""), now, limit), 10},
		{"calendars", asked(dueSyncs.sql("q.user_id", ""), now, limit), 10},
		{"calendars of a user", asked(sqlClaimSyncs, now, until, limit, user), 10},
		{"episodes", asked(dueEpisodes.sql("q.user_id", ""), now, limit), 10},
		{"episodes of a user", asked(sqlClaimEpisodes(episodes.names()), now, until, limit, user), 10},
		{"feeds of websets", asked(dueWebsetFeeds.sql("q.user_id", ""), now, limit), 10},
		{"the feed of a user", asked(sqlTakeWebsetFeeds, now, until, limit, user), 10},
		{"channels", asked(dueChannels.sql("q.user_id", ""), now, limit), 10},
		{"channels of a user", asked(sqlClaimChannels, now, until, limit, user), 10},
		{"feeds of calendars", asked(dueFeeds.sql("q.user_id", ""), now, limit), 10},
		{"feeds of calendars of a user", asked(sqlClaimFeeds, now, until, limit, user), 10},
		{"outbox", asked(heldOutgoing.sql("q.user_id", ""), now, limit), 10},
		{"expired memories", asked(expiredMemories.sql("q.user_id", ""), now, limit), 10},
		{"memories without a vector", pending, 10},
		// Of each user a row that says how many vectors there are.
		{"vectors of other models", asked(sqlStaleUsers(memoryPopulation()), "m", uuidArg([16]byte{}), limit), dueUsers},
		{"models that need an index", asked(sqlOwners, int32(1e9)), 10},
		{"some users with changes", asked(sqlPrunable, uuidArg([16]byte{}), int64(20)), 20 + 10},
		{"old changes of a user", asked(sqlPrune, user, now), 18},
	}
	for _, one := range forgotten {
		keys := []string{"00000000-0000-0000-0000-000000000001", "00000000-0000-0000-0000-000000000002"}
		questions = append(questions,
			question{one.sql, asked(one.due.sql("q.user_id, q."+one.key+"::text", ""), now, limit), 10},
			question{one.sql + " of a user", asked(one.sql, user, keys, now), 10})
	}
	for _, known := range []string{"nothing", "the tables"} { // by the server's statistics
		for _, question := range questions {
			explainGeneric(t, s, question.ask) // once more for what is not in memory yet
			plan := explainGeneric(t, s, question.ask)
			if pages := plan.Hit + plan.Read; pages > question.most {
				t.Errorf("%s, when %s is known: %d pages, at most %d are expected", question.name, known, pages, question.most)
				plan.walk(func(n node) { t.Logf("%s of %s by %s: %d pages", n.Type, n.Relation, n.Index, n.Hit+n.Read) })
			}
		}
		if err := s.Execute(t.Context(), "VACUUM ANALYZE"); err != nil {
			t.Fatal(err)
		}
	}
}
