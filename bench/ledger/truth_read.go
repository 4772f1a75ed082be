//go:build bench

package main

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"
	"zombiezen.com/go/sqlite"
	"zombiezen.com/go/sqlite/sqlitex"

	"almanac/graph/model"
)

// postgresRows reads a PostgreSQL database on a connection of its own.
type postgresRows struct {
	ctx  context.Context //nolint:containedctx // of the audit, which is one call
	conn *pgx.Conn
}

func openPostgres(ctx context.Context, url string) (rowsReader, error) {
	conn, err := pgx.Connect(ctx, url)
	if err != nil {
		return nil, err
	}
	return postgresRows{ctx, conn}, nil
}

func (p postgresRows) close() error { return p.conn.Close(p.ctx) }

func (p postgresRows) read(sql string, user model.UserID, row func(columns)) error {
	rows, err := p.conn.Query(p.ctx, sql, [16]byte(user))
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		values, err := rows.Values()
		if err != nil {
			return err
		}
		row(postgresRow(values))
	}
	return rows.Err()
}

type postgresRow []any

func (r postgresRow) text(i int) string { return fmt.Sprint(r[i]) }

func (r postgresRow) number(i int) int64 {
	switch n := r[i].(type) {
	case int64:
		return n
	case int32:
		return int64(n)
	default:
		return -1
	}
}

func (r postgresRow) id(i int) model.UUID {
	id, _ := r[i].([16]byte)
	return id
}

// sqliteRows reads an SQLite file.
type sqliteRows struct{ conn *sqlite.Conn }

func openSQLite(path string) (rowsReader, error) {
	// Not read-only: what a killed server has left in the log beside the file has to be taken in.
	conn, err := sqlite.OpenConn(path, sqlite.OpenReadWrite)
	if err != nil {
		return nil, err
	}
	return sqliteRows{conn}, nil
}

func (s sqliteRows) close() error { return s.conn.Close() }

func (s sqliteRows) read(sql string, user model.UserID, row func(columns)) error {
	return sqlitex.Execute(s.conn, sql, &sqlitex.ExecOptions{
		Args:       []any{user[:]},
		ResultFunc: func(stmt *sqlite.Stmt) error { row(sqliteRow{stmt}); return nil },
	})
}

type sqliteRow struct{ stmt *sqlite.Stmt }

func (r sqliteRow) text(i int) string { return r.stmt.ColumnText(i) }

func (r sqliteRow) number(i int) int64 { return r.stmt.ColumnInt64(i) }

func (r sqliteRow) id(i int) (id model.UUID) {
	r.stmt.ColumnBytes(i, id[:])
	return id
}

// checkSQLite asks SQLite itself whether the file is whole.
func checkSQLite(path string) error {
	conn, err := sqlite.OpenConn(path, sqlite.OpenReadWrite)
	if err != nil {
		return err
	}
	defer conn.Close() //nolint:errcheck // only read
	answer, err := sqlitex.ResultText(conn.Prep(`PRAGMA integrity_check`))
	if err == nil && answer != "ok" {
		err = fmt.Errorf("integrity_check: %s", answer)
	}
	return err
}
