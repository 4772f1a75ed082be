package postgres_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"almanac/adapters/store/postgres"
	"almanac/adapters/store/storetest"
	"almanac/internal/pgtest"
	"almanac/projections/vector"
)

// TestNothingIsLeftOfAMemory looks through every row of every table. What the server keeps of rows that are gone until
// it is vacuumed is not the driver's to take away.
func TestNothingIsLeftOfAMemory(t *testing.T) {
	t.Parallel()
	url := pgtest.URL(t)
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
