package postgres

import (
	"context"
	"encoding/hex"
	"fmt"
	"log/slog"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"

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
	commonTasks = nearTasks / 8
	// gram is how many characters a piece of a text has in the index.
	gram = 3
	// mostGrams bounds the pieces of a search that the index is asked for.
	mostGrams = 32
	// searchLock is the advisory lock of the process that makes the index; the number is the ASCII letters "searches".
	searchLock = 0x7365617263686573

	// indexedGrams is what the index tasks_grams has of a task: the three characters that begin at each place of its
	// text and category, and at the end those that are left, so that what begins with one or two characters has these
	// too. Each is preceded by two digits of the user's id, so that what begins with a letter need not be gathered of
	// all users. Three texts are cut into pieces of three, beginning at the first, second and third character. No folded
	// text has a tab or a new line, so nothing is found across them.
	indexedGrams = `array_to_tsvector(string_to_array(` + bucketText + ` || ` + cutText + ` || E'\n' || ` + bucketText +
		` || ` + cutSecond + ` || E'\n' || ` + bucketText + ` || ` + cutThird + `, E'\n'))`
	bucketText   = `left(user_id::text, 2)`
	searchedText = `text_key || E'\t' || category_key`
	cutText      = `regexp_replace(` + searchedText + cutInto
	cutSecond    = `regexp_replace(substr(` + searchedText + `, 2)` + cutInto
	cutThird     = `regexp_replace(substr(` + searchedText + `, 3)` + cutInto
	cutInto      = `, '(...)', E'\\1\n' || ` + bucketText + `, 'g')`

	// sqlSearchIndex says whether the index is missing though it could be made, whether one is there that is not
	// sound, and whether the one is there that had its place before, of pieces of three characters alone. sqlManyTasks
	// says whether somebody has more than $1 tasks.
	sqlSearchIndex = `SELECT EXISTS (SELECT FROM pg_extension WHERE extname = 'btree_gin')
	AND NOT coalesce((SELECT indisvalid FROM pg_index WHERE indexrelid = to_regclass('tasks_grams')), false),
to_regclass('tasks_grams') IS NOT NULL, to_regclass('tasks_search') IS NOT NULL`
	sqlManyTasks       = `SELECT user_id FROM task_counts GROUP BY user_id HAVING sum(n) > $1 LIMIT 1`
	sqlDropSearchIndex = `DROP INDEX CONCURRENTLY tasks_grams`
	sqlMakeSearchIndex = `CREATE INDEX CONCURRENTLY tasks_grams ON tasks USING gin (user_id, ` + indexedGrams + `)
WITH (gin_pending_list_limit = 2048)`
	// Statistics of the pieces would be read for each plan of a search, which takes longer than the search, and made by
	// each ANALYZE; how the index is used is decided here.
	sqlPlainSearchIndex = `ALTER INDEX tasks_grams ALTER COLUMN 2 SET STATISTICS 0`
	sqlDropFormerIndex  = `DROP INDEX CONCURRENTLY IF EXISTS tasks_search`
)

// quoted escapes what has a meaning within quotes of a tsquery.
var quoted = strings.NewReplacer(`\`, `\\`, `'`, `''`)

// gramsFor returns the tsquery by which the index finds a user's folded text: the pieces that it is made of, or what
// begins with it where it has fewer characters than a piece.
func gramsFor(user pgtype.UUID, search string) string {
	bucket := hex.EncodeToString(user.Bytes[:1])
	runes := []rune(search)
	if len(runes) < gram {
		return "'" + bucket + quoted.Replace(search) + "':*"
	}
	places := len(runes) - gram + 1
	asked := min(places, mostGrams)
	words := make([]string, asked)
	for n := range words {
		i := n * places / asked
		words[n] = "'" + bucket + quoted.Replace(string(runes[i:i+gram])) + "'"
	}
	return strings.Join(words, " & ")
}

// writeSearch adds the condition that a task has a text, in words for which the index serves or in those that cost
// least.
func writeSearch(q *query, search string, index bool) {
	if search == "" {
		return
	}
	if user, ok := q.args[0].(pgtype.UUID); ok && index {
		q.add(" AND ", indexedGrams, " @@ ", q.param(gramsFor(user, search)), "::tsquery")
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
	missing, broken, former := false, false, false
	look := func() error {
		b := newBatch()
		b.query(sqlSearchIndex, func(r *row) { missing, broken, former = r.bool(), r.bool(), r.bool() })
		if err := s.apart(ctx, b); err != nil || !missing {
			return err
		}
		missing = false
		b = newBatch()
		b.query(sqlManyTasks, func(r *row) { missing = r.uuid() != model.UUID{} }, int64(searchedFrom))
		return s.apart(ctx, b)
	}
	if err := look(); err != nil || !missing && !former {
		return err
	}
	return s.inTurn(ctx, searchLock, func() error {
		if err := look(); err != nil || !missing && !former {
			return err
		}
		conn, err := pgx.ConnectConfig(ctx, s.direct)
		if err != nil {
			return fmt.Errorf("connect: %w", explain(ctx, err))
		}
		defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }()
		var statements []string
		if missing && broken {
			statements = append(statements, sqlDropSearchIndex)
		}
		if missing {
			statements = append(statements, sqlMakeSearchIndex, sqlPlainSearchIndex)
		}
		if former {
			statements = append(statements, sqlDropFormerIndex)
		}
		for _, sql := range statements {
			if s.trace != nil {
				s.trace(sql)
			}
			if err := conn.PgConn().Exec(ctx, sql).Close(); err != nil {
				return fmt.Errorf("make the index for searches of tasks: %w", err)
			}
		}
		if missing {
			s.log.LogAttrs(ctx, slog.LevelInfo, "made the index for searches of tasks")
		}
		return nil
	})
}
