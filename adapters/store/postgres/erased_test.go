package postgres_test

import (
	"bytes"
	"context"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"almanac/adapters/store"
	"almanac/adapters/store/postgres"
	"almanac/adapters/store/storetest"
	"almanac/graph/model"
	"almanac/internal/teststore"
	"almanac/projections/vector"
)

// TestNothingIsLeftOfAMemory looks through every row of every table. What the server keeps of rows that are gone until
// it is vacuumed is not the driver's to take away.
func TestNothingIsLeftOfAMemory(t *testing.T) {
	t.Parallel()
	url := teststore.NewPostgres(t)
	s := open(t, postgres.Options{URL: url, Now: func() time.Time { return storetest.Old().At }})
	conn, err := pgx.Connect(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close(t.Context()) })
	texts := func(sql string, args ...any) []string {
		t.Helper()
		rows, err := conn.Query(t.Context(), sql, args...)
		if err != nil {
			t.Fatalf("%s: %v", sql, err)
		}
		out, err := pgx.CollectRows(rows, pgx.RowTo[string])
		if err != nil {
			t.Fatalf("%s: %v", sql, err)
		}
		return out
	}
	storetest.Erased(t, s, func(t *testing.T, needle []byte) (places []string) {
		t.Helper()
		for _, table := range texts(
			`SELECT relname::text FROM pg_class WHERE relkind IN ('r', 'p') AND relnamespace = current_schema()::regnamespace`) {
			name := pgx.Identifier{table}.Sanitize()
			for _, row := range texts(`SELECT t::text FROM ` + name + ` AS t`) {
				if storetest.Holds(row, needle) {
					places = append(places, table)
				}
			}
			for _, column := range texts(
				`SELECT attname::text FROM pg_attribute WHERE attrelid = $1::regclass AND attnum > 0
AND atttypid = 'halfvec'::regtype`, name) {
				for _, shown := range texts(`SELECT ` + pgx.Identifier{column}.Sanitize() + `::text FROM ` + name + ` WHERE ` +
					pgx.Identifier{column}.Sanitize() + ` IS NOT NULL`) {
					var v []float32
					if err := json.NewDecoder(strings.NewReader(shown)).Decode(&v); err != nil {
						t.Fatal(err)
					}
					if bytes.Contains(vector.Pack(v), needle) {
						places = append(places, table+"."+column)
					}
				}
			}
		}
		return places
	})
}

// TestForgottenActionsLeaveNoRecords: no key holds the records to their actions, so the sweep must take both.
func TestForgottenActionsLeaveNoRecords(t *testing.T) {
	t.Parallel()
	url := teststore.NewPostgres(t)
	s := open(t, postgres.Options{URL: url})
	user, now := model.UserIDOf("forgets"), time.Date(2026, 11, 24, 9, 0, 0, 0, time.UTC)
	save := func(id byte, forget time.Time) {
		t.Helper()
		if err := s.Write(t.Context(), user, func(ctx context.Context, tx store.Tx) error {
			return tx.SaveAction(ctx, model.Action{ID: model.UUID{id}, At: now, Kind: "deleteTask", ForgetAt: forget},
				[]model.ID{{Kind: model.KindTask, UUID: model.UUID{7}}, {Kind: model.KindTask, UUID: model.UUID{8}}})
		}); err != nil {
			t.Fatal(err)
		}
	}
	save(1, now)
	save(2, now.Add(time.Second))
	if err := s.Sweep(t.Context(), now, time.Hour); err != nil {
		t.Fatal(err)
	}
	conn, err := pgx.Connect(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close(t.Context()) })
	var forgotten, kept int
	if err := conn.QueryRow(t.Context(), `SELECT count(*) FILTER (WHERE action_id = $1), count(*) FILTER (WHERE action_id = $2)
FROM action_records`, [16]byte{1}, [16]byte{2}).Scan(&forgotten, &kept); err != nil {
		t.Fatal(err)
	}
	if forgotten != 0 || kept != 2 {
		t.Errorf("%d records of the forgotten action and %d of the kept one, want 0 and 2", forgotten, kept)
	}
}
