package resolvers_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5"
	zombie "zombiezen.com/go/sqlite"
	"zombiezen.com/go/sqlite/sqlitex"
)

// sqliteDumps returns what each table of a database file holds, over one connection: opening one reads the whole
// schema, which takes longer than a dump.
type sqliteDumps struct {
	path string
	once sync.Once
	conn *zombie.Conn
}

func (d *sqliteDumps) dump(t *testing.T) map[string]string {
	t.Helper()
	d.once.Do(func() {
		var err error
		if d.conn, err = zombie.OpenConn(d.path, zombie.OpenReadWrite); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = d.conn.Close() })
	})
	conn := d.conn
	rowsOf := func(query string) []string {
		var rows []string
		err := sqlitex.Execute(conn, query, &sqlitex.ExecOptions{ResultFunc: func(row *zombie.Stmt) error {
			var columns []string
			for i := range row.ColumnCount() {
				columns = append(columns, fmt.Sprintf("%d:%q", row.ColumnType(i), row.ColumnText(i)))
			}
			rows = append(rows, strings.Join(columns, "|"))
			return nil
		}})
		if err != nil {
			t.Fatalf("%s: %v", query, err)
		}
		return rows
	}
	var tables []string
	err := sqlitex.Execute(conn, "SELECT name FROM sqlite_schema WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%'",
		&sqlitex.ExecOptions{ResultFunc: func(row *zombie.Stmt) error {
			tables = append(tables, row.ColumnText(0))
			return nil
		}})
	if err != nil {
		t.Fatal(err)
	}
	dump := make(map[string]string, len(tables))
	for _, table := range tables {
		rows := rowsOf(`SELECT * FROM "` + table + `"`)
		slices.Sort(rows)
		dump[table] = strings.Join(rows, "\n")
	}
	return dump
}

// postgresDumps returns what each table of a database holds, over one connection.
type postgresDumps struct {
	url  string
	once sync.Once
	conn *pgx.Conn
}

func (d *postgresDumps) dump(t *testing.T) map[string]string {
	t.Helper()
	d.once.Do(func() {
		var err error
		if d.conn, err = pgx.Connect(t.Context(), d.url); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = d.conn.Close(context.Background()) })
	})
	conn := d.conn
	rows, err := conn.Query(t.Context(), `SELECT c.oid::regclass::text FROM pg_class c
JOIN pg_namespace n ON n.oid = c.relnamespace WHERE c.relkind = 'r' AND n.nspname NOT IN ('pg_catalog', 'information_schema')`)
	if err != nil {
		t.Fatal(err)
	}
	tables, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		t.Fatal(err)
	}
	dump := make(map[string]string, len(tables))
	var batch pgx.Batch
	for _, table := range tables {
		batch.Queue(`SELECT md5(coalesce(string_agg(t::text, E'\\n' ORDER BY t::text), '')) FROM ` + table + ` t`).QueryRow(
			func(row pgx.Row) error {
				var text string
				err := row.Scan(&text)
				dump[table] = text
				return err
			})
	}
	if err := conn.SendBatch(t.Context(), &batch).Close(); err != nil {
		t.Fatal(err)
	}
	return dump
}
