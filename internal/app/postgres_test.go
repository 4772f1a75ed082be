package app_test

import (
	"context"
	"testing"

	"github.com/jackc/pgx/v5"
)

// connect opens a connection of the test's own to a database, to look into it or to get in a server's way.
func dialPostgres(t *testing.T, url string) *pgx.Conn {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	conn, err := pgx.Connect(ctx, url)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close(context.WithoutCancel(t.Context())) })
	return conn
}
