package postgres

import (
	"context"
	"fmt"
	"log/slog"
	"strings"
	"unicode/utf8"

	"github.com/jackc/pgx/v5"

	"almanac/adapters/store"
	"almanac/graph/model"
)

const (
	// searchedFrom is how many tasks a user has before there is an index for searches. It costs the writes of all users: a
	// bulk of 100 takes the server 1.4 times as long, changing them twice and a half.
	searchedFrom = 5000
	// nearTasks is how many tasks a page of a search looks at in the list's order before the index is asked.
	nearTasks = 2000
	// commonTasks is how many of a user's newest nearTasks have what is common.
	commonTasks = nearTasks / 50
	// trigram is how many characters a piece of a text has in the index; for less it is of no use.
	trigram = 3
	// searchLock is the advisory lock of the process that makes the index; the number is the ASCII letters "searches".
	searchLock = 0x7365617263686573

	// hebrew are letters for which the index has those of latin, since a database may not know that they are letters.
	hebrew, latin = `אבגדהוזחטיכלמנסעפצקרשת`, `abcdefghijklmnopqrstuv`
	// indexedText is what the index tasks_search has of a task. No folded text has a new line, so nothing is found across
	// it.
	indexedText = `translate(t.text_key || E'\n' || t.category_key, '` + hebrew + `', '` + latin + `')`

	// sqlSearchIndex says whether the index is missing though it could be made, and whether one is there that is not
	// sound; sqlManyTasks whether somebody has more than $1 tasks.
	sqlSearchIndex = `SELECT (SELECT count(*) FROM pg_extension WHERE extname IN ('pg_trgm', 'btree_gin')) = 2
	AND NOT coalesce((SELECT indisvalid FROM pg_index WHERE indexrelid = to_regclass('tasks_search')), false),
to_regclass('tasks_search') IS NOT NULL`
	sqlManyTasks       = `SELECT user_id FROM task_counts GROUP BY user_id HAVING sum(n) > $1 LIMIT 1`
	sqlDropSearchIndex = `DROP INDEX CONCURRENTLY tasks_search`
	sqlMakeSearchIndex = `CREATE INDEX CONCURRENTLY tasks_search ON tasks
USING gin (user_id, translate(text_key || E'\n' || category_key, '` + hebrew + `', '` + latin + `') gin_trgm_ops)
WITH (gin_pending_list_limit = 2048)`
)

// pattern makes a text a pattern of LIKE for what the index has.
var pattern = func() *strings.Replacer {
	pairs := []string{`\`, `\\`, `%`, `\%`, `_`, `\_`}
	for i, letter := range []rune(hebrew) {
		pairs = append(pairs, string(letter), latin[i:i+1])
	}
	return strings.NewReplacer(pairs...)
}()

// byIndex reports whether the index may serve a search.
func byIndex(search string) bool { return utf8.RuneCountInString(search) >= trigram }

// writeSearch adds the condition that a task has a text, in words for which the index serves or in those that cost
// least.
func writeSearch(q *query, search string, index bool) {
	if search == "" {
		return
	}
	if index {
		q.add(" AND ", indexedText, " LIKE ", q.param("%"+pattern.Replace(search)+"%"))
	}
	// strpos has no wildcards, and needs no escaping of them.
	key := q.param(search)
	q.add(" AND (strpos(t.text_key, ", key, ") > 0 OR strpos(t.category_key, ", key, ") > 0)")
}

// writeCommon adds the condition that many of a user's newest tasks have a text: then the index would name too many.
func writeCommon(q *query, search string) {
	q.add("(SELECT count(*) FROM (SELECT t.text_key, t.category_key FROM tasks AS t WHERE t.user_id = $1 ",
		"ORDER BY t.id DESC LIMIT ", q.param(int64(nearTasks)), ") AS t WHERE true")
	writeSearch(q, search, false)
	q.add(") > ", q.param(int64(commonTasks)))
}

// writeNear adds the tasks that a search's page looks at first, as the table t: the first ones of the list, or after
// and before the page's places.
func writeNear(q *query, where store.TaskWhere, order ordering, window *store.Window[store.TaskPlace]) {
	q.add("(SELECT t.* FROM tasks AS t WHERE t.user_id = $1")
	if where.Completed != nil && !*where.Completed {
		q.add(" AND t.completed_at IS NULL")
	}
	writeBetween(q, order, window)
	q.add(" ORDER BY ", order.by("t", window.Backward), " LIMIT ", q.param(int64(nearTasks)), ") AS t")
}

// tendSearchIndex makes the index for searches of tasks when a user has many and the extensions are there. Writers do
// not wait for it.
func (s *Store) tendSearchIndex(ctx context.Context) error {
	missing, broken := false, false
	look := func() error {
		b := newBatch()
		b.query(sqlSearchIndex, func(r *row) { missing, broken = r.bool(), r.bool() })
		if err := s.apart(ctx, b); err != nil || !missing {
			return err
		}
		missing = false
		b = newBatch()
		b.query(sqlManyTasks, func(r *row) { missing = r.uuid() != model.UUID{} }, int64(searchedFrom))
		return s.apart(ctx, b)
	}
	if err := look(); err != nil || !missing {
		return err
	}
	return s.inTurn(ctx, searchLock, func() error {
		if err := look(); err != nil || !missing {
			return err
		}
		conn, err := pgx.ConnectConfig(ctx, s.direct)
		if err != nil {
			return fmt.Errorf("connect: %w", explain(ctx, err))
		}
		defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }()
		statements := []string{sqlMakeSearchIndex}
		if broken {
			statements = []string{sqlDropSearchIndex, sqlMakeSearchIndex}
		}
		for _, sql := range statements {
			if s.trace != nil {
				s.trace(sql)
			}
			if err := conn.PgConn().Exec(ctx, sql).Close(); err != nil {
				return fmt.Errorf("make the index for searches of tasks: %w", err)
			}
		}
		s.log.LogAttrs(ctx, slog.LevelInfo, "made the index for searches of tasks")
		return nil
	})
}
