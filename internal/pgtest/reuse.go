package pgtest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
)

// mostRows is how many rows of a table are deleted so that its database can be used again. To make a database anew
// takes about as long.
const mostRows = 2_000

// contents are what a database has that nobody has used.
type contents struct {
	// Schema is a hash of its tables, columns, indexes, functions, triggers and settings.
	Schema string
	// Rows are hashes of the tables that have rows, by name.
	Rows map[string]string
	// Sequences have the statements that set each of them.
	Sequences []string
}

// reused returns the URL of a copy of a template that no other test has meanwhile, as it was when it was made. Making a
// copy and dropping it takes some 200 ms of processor time, most of it for its 900 files; deleting a test's rows takes
// ten. So copies stay on the server, as many as there were tests at a time, and whoever takes one puts it in order
// first: what a test that was killed has left does not matter. One that cannot be put in order is made anew.
func reused(t testing.TB, server *url.URL, template string) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	conn, err := pgx.Connect(ctx, server.String())
	if err != nil {
		t.Fatalf("pgtest: connect: %v; %s", err, remedy)
	}
	name, err := claim(ctx, conn, template)
	if err == nil {
		err = prepare(ctx, conn, server, name, template)
	}
	if err != nil {
		_ = conn.Close(ctx)
		t.Fatalf("pgtest: take a database that was used: %v; %s", err, remedy)
	}
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), patience)
		defer cancel()
		defer func() { _ = conn.Close(ctx) }() // which gives the database back
		if err := disconnect(ctx, conn, name); err != nil {
			t.Errorf("pgtest: end the connections to %s: %v", name, err)
		}
	})
	return at(server, name)
}

// claim returns the first copy of a template that nobody has. It is the connection's until that is closed.
func claim(ctx context.Context, conn *pgx.Conn, template string) (string, error) {
	for i := 1; ; i++ {
		name, free := fmt.Sprintf("%s_%d", template, i), false
		err := conn.QueryRow(ctx, "SELECT pg_try_advisory_lock(hashtextextended($1, 0))", name).Scan(&free)
		if err != nil || free {
			return name, err
		}
	}
}

// disconnect ends all connections to a database.
func disconnect(ctx context.Context, conn *pgx.Conn, name string) error {
	_, err := conn.Exec(ctx, `SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity
		WHERE datname = $1 AND backend_type = 'client backend'`, name)
	return err
}

// prepare makes the database of that name what it was when it was new, or makes it.
func prepare(ctx context.Context, conn *pgx.Conn, server *url.URL, name, template string) error {
	var noted *string
	err := conn.QueryRow(ctx, "SELECT shobj_description(oid, 'pg_database') FROM pg_database WHERE datname = $1", name).
		Scan(&noted)
	if err != nil && !errors.Is(err, pgx.ErrNoRows) {
		return err
	}
	if noted != nil {
		if err := disconnect(ctx, conn, name); err != nil {
			return err
		}
		var fresh contents
		if err := json.Unmarshal([]byte(*noted), &fresh); err != nil {
			return fmt.Errorf("read what %s has: %w", name, err)
		}
		if restored, err := restore(ctx, at(server, name), fresh); restored || err != nil {
			return err
		}
	}
	for _, sql := range []string{
		"DROP DATABASE IF EXISTS " + name + " WITH (FORCE)",
		// Copying the files takes a quarter of the processor time of writing each page into the log as well.
		"CREATE DATABASE " + name + " TEMPLATE " + template + " STRATEGY FILE_COPY",
	} {
		if _, err := conn.Exec(ctx, sql); err != nil {
			return err
		}
	}
	fresh, err := look(ctx, at(server, name))
	if err != nil {
		return err
	}
	note, err := json.Marshal(fresh)
	if err != nil {
		return err
	}
	_, err = conn.Exec(ctx, "COMMENT ON DATABASE "+name+" IS '"+strings.ReplaceAll(string(note), "'", "''")+"'")
	return err
}

// restore takes away what a test has left and reports whether the database is as new. It is not where a test has
// changed more than rows, or very many.
func restore(ctx context.Context, address string, fresh contents) (bool, error) {
	conn, err := pgx.Connect(ctx, address)
	if err != nil {
		return false, err
	}
	defer func() { _ = conn.Close(ctx) }()
	tables, err := tablesOf(ctx, conn)
	if err != nil {
		return false, err
	}
	counts, err := countsOf(ctx, conn, tables)
	if err != nil {
		return false, err
	}
	// Neither the order of foreign keys nor triggers matter to rows that all go.
	statements := []string{"SET session_replication_role = replica"}
	for i, table := range tables {
		switch _, kept := fresh.Rows[table]; {
		case kept || counts[i] == 0:
		case counts[i] > mostRows:
			return false, nil
		default:
			statements = append(statements, "DELETE FROM "+table)
		}
	}
	statements = append(statements, fresh.Sequences...)
	if _, err := conn.Exec(ctx, strings.Join(statements, ";")); err != nil {
		return false, err
	}
	now, err := contentsOf(ctx, conn, tables)
	if err != nil {
		return false, err
	}
	return now.Schema == fresh.Schema && maps.Equal(now.Rows, fresh.Rows), nil
}

// look returns what a database has.
func look(ctx context.Context, address string) (contents, error) {
	conn, err := pgx.Connect(ctx, address)
	if err != nil {
		return contents{}, err
	}
	defer func() { _ = conn.Close(ctx) }()
	tables, err := tablesOf(ctx, conn)
	if err != nil {
		return contents{}, err
	}
	return contentsOf(ctx, conn, tables)
}

func contentsOf(ctx context.Context, conn *pgx.Conn, tables []string) (contents, error) {
	found := contents{Rows: map[string]string{}}
	if err := conn.QueryRow(ctx, sqlSchema).Scan(&found.Schema); err != nil {
		return found, err
	}
	counts, err := countsOf(ctx, conn, tables)
	if err != nil {
		return found, err
	}
	for i, table := range tables {
		if counts[i] == 0 {
			continue
		}
		var hash string
		if err := conn.QueryRow(ctx, "SELECT md5(string_agg(t::text, ' ' ORDER BY t::text)) FROM "+table+" AS t").
			Scan(&hash); err != nil {
			return found, err
		}
		found.Rows[table] = hash
	}
	found.Sequences, err = texts(ctx, conn, `SELECT format('SELECT setval(%L, %s, %s)',
		format('%I.%I', schemaname, sequencename), coalesce(last_value, start_value), (last_value IS NOT NULL)::text)
		FROM pg_sequences ORDER BY 1`)
	return found, err
}

// sqlSchema hashes what tests could change beside rows. New files of the same tables and indexes are no difference.
const sqlSchema = `WITH ours AS (
	SELECT c.* FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace
	WHERE n.nspname !~ '^pg_' AND n.nspname <> 'information_schema')
SELECT md5(string_agg(line, ' ' ORDER BY line)) FROM (
	SELECT concat_ws(',', oid, relname, relkind, relpersistence, relrowsecurity, reloptions::text) FROM ours
	UNION ALL SELECT concat_ws(',', attrelid, attnum, attname, atttypid, attnotnull, attisdropped, atthasdef)
		FROM pg_attribute WHERE attrelid IN (SELECT oid FROM ours)
	UNION ALL SELECT concat_ws(',', indexrelid, indisvalid, indisunique) FROM pg_index
		WHERE indrelid IN (SELECT oid FROM ours)
	UNION ALL SELECT concat_ws(',', oid, conname, convalidated) FROM pg_constraint
		WHERE conrelid IN (SELECT oid FROM ours)
	UNION ALL SELECT concat_ws(',', oid, tgname, tgenabled) FROM pg_trigger
		WHERE tgrelid IN (SELECT oid FROM ours)
	UNION ALL SELECT concat_ws(',', p.oid, p.proname, md5(p.prosrc)) FROM pg_proc AS p
		JOIN pg_namespace AS n ON n.oid = p.pronamespace WHERE n.nspname !~ '^pg_' AND n.nspname <> 'information_schema'
	UNION ALL SELECT concat_ws(',', oid, nspname) FROM pg_namespace WHERE nspname !~ '^pg_'
	UNION ALL SELECT concat_ws(',', oid, extname, extversion) FROM pg_extension
	UNION ALL SELECT concat_ws(',', setrole, setconfig::text) FROM pg_db_role_setting
		WHERE setdatabase = (SELECT oid FROM pg_database WHERE datname = current_database())
) AS lines (line)`

// tablesOf returns the names of all tables, quoted, in order.
func tablesOf(ctx context.Context, conn *pgx.Conn) ([]string, error) {
	return texts(ctx, conn, `SELECT format('%I.%I', n.nspname, c.relname)
		FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace
		WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition AND n.nspname !~ '^pg_' AND n.nspname <> 'information_schema'
		ORDER BY 1`)
}

// countsOf returns how many rows each of some tables has, at most one more than mostRows.
func countsOf(ctx context.Context, conn *pgx.Conn, tables []string) ([]int, error) {
	if len(tables) == 0 {
		return nil, nil
	}
	all := make([]string, len(tables))
	for i, table := range tables {
		all[i] = fmt.Sprintf("(SELECT count(*) FROM (SELECT FROM %s LIMIT %d) AS t)", table, mostRows+1)
	}
	var counts []int
	err := conn.QueryRow(ctx, "SELECT ARRAY["+strings.Join(all, ", ")+"]::int[]").Scan(&counts)
	return counts, err
}

func texts(ctx context.Context, conn *pgx.Conn, sql string) ([]string, error) {
	rows, err := conn.Query(ctx, sql)
	if err != nil {
		return nil, err
	}
	found, err := pgx.CollectRows(rows, pgx.RowTo[string])
	return slices.Clip(found), err
}
