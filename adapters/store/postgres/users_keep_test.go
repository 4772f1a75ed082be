package postgres_test

import (
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"almanac/adapters/store/postgres"
	"almanac/adapters/store/storetest"
	"almanac/graph/model"
	"almanac/internal/teststore"
)

// TestNothingIsLeftOfAUser puts a row into every table of the catalogue.
func TestNothingIsLeftOfAUser(t *testing.T) {
	t.Parallel()
	url := teststore.NewPostgres(t)
	s := open(t, postgres.Options{URL: url, Now: func() time.Time { return storetest.Old().At }})
	conn, err := pgx.Connect(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close(t.Context()) })
	// Rows are put into tables in any order, whatever they refer to.
	if _, err := conn.Exec(t.Context(), `SET session_replication_role = replica`); err != nil {
		t.Fatal(err)
	}
	storetest.ErasedUser(t, s, func(t *testing.T, user model.UserID) (tables []string) {
		t.Helper()
		rows, err := conn.Query(t.Context(), `SELECT c.table_name::text,
	string_agg(quote_ident(c.column_name), ', ' ORDER BY c.ordinal_position),
	string_agg(CASE WHEN c.column_name = 'user_id' THEN '$1' WHEN c.udt_name = 'uuid' THEN 'gen_random_uuid()'
		WHEN c.udt_name = 'timestamptz' THEN 'now()' WHEN c.udt_name = 'bool' THEN 'false'
		WHEN c.udt_name = 'bytea' THEN quote_literal('x') || '::bytea' WHEN c.udt_name LIKE 'int_' THEN '7'
		WHEN c.data_type = 'ARRAY' THEN quote_literal('{}') WHEN c.udt_name = 'date' THEN 'now()'
		WHEN c.udt_name = 'interval' THEN quote_literal('1s') WHEN c.udt_name LIKE 'float_' THEN '1'
		WHEN c.udt_name IN ('halfvec', 'vector') THEN quote_literal('[1]')
		WHEN c.udt_name IN ('json', 'jsonb') THEN quote_literal('{}')
		ELSE quote_literal('x') END, ', ' ORDER BY c.ordinal_position)
FROM information_schema.columns AS c WHERE c.table_schema = current_schema() AND c.is_generated = 'NEVER'
AND EXISTS (SELECT 1 FROM information_schema.columns AS u WHERE u.table_schema = c.table_schema
	AND u.table_name = c.table_name AND u.column_name = 'user_id') GROUP BY 1`)
		if err != nil {
			t.Fatal(err)
		}
		type insertion struct{ Table, Names, Values string }
		all, err := pgx.CollectRows(rows, pgx.RowToStructByPos[insertion])
		if err != nil {
			t.Fatal(err)
		}
		for _, one := range all {
			sql := `INSERT INTO ` + pgx.Identifier{one.Table}.Sanitize() + ` (` + one.Names + `) VALUES (` + one.Values + `)`
			if _, err := conn.Exec(t.Context(), sql, user[:]); err != nil {
				t.Fatalf("%s: %v", sql, err)
			}
			tables = append(tables, one.Table)
		}
		return tables
	})
}
