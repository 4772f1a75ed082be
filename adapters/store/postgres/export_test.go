package postgres

import (
	"context"
	"strconv"
	"time"

	"almanac/migrations"

	"almanac/graph/model"
)

// Execute runs SQL on a connection of the store's pool.
func (s *Store) Execute(ctx context.Context, sql string) error {
	_, err := s.pool.Exec(ctx, sql)
	return err
}

// MigrateFirst does the first steps only, as an older Almanac would.
func (s *Store) MigrateFirst(ctx context.Context, number int) error {
	all, err := steps()
	if err != nil {
		return err
	}
	return s.migrate(ctx, all[:number])
}

// MigrateFurther does all steps and some more, as a newer Almanac would.
func (s *Store) MigrateFurther(ctx context.Context, more ...string) error {
	all, err := steps()
	if err != nil {
		return err
	}
	for i, sql := range more {
		all = append(all, migrations.Migration{Number: len(all) + 1, Name: "planted_" + strconv.Itoa(i), SQL: sql})
	}
	return s.migrate(ctx, all)
}

// Quiet waits until nothing holds the watchers.
func (s *Store) Quiet() {
	s.watchers.mu.Lock()
	defer s.watchers.mu.Unlock()
}

// Columns is one index as the catalogue has it.
type Columns struct {
	Table, Index string
	Primary      bool
	Names        []string
}

// Catalogue reads every table of the store's schema with its columns, and every index from pg_catalog, key columns
// only, expressions as their text.
func (s *Store) Catalogue(ctx context.Context) (indexes []Columns, tables map[string][]string, err error) {
	b := newBatch()
	tables = map[string][]string{}
	b.query(`SELECT c.relname::text, ARRAY(SELECT a.attname::text FROM pg_attribute AS a
	WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped ORDER BY a.attnum)
FROM pg_class AS c WHERE c.relkind IN ('r', 'p') AND c.relnamespace = current_schema()::regnamespace`,
		func(r *row) {
			name := r.text()
			tables[name] = r.texts()
		})
	b.query(`SELECT c.relname::text, i.relname::text, x.indisprimary,
	ARRAY(SELECT pg_get_indexdef(x.indexrelid, n, true) FROM generate_series(1, x.indnkeyatts) AS n ORDER BY n)
FROM pg_index AS x JOIN pg_class AS c ON c.oid = x.indrelid JOIN pg_class AS i ON i.oid = x.indexrelid
WHERE c.relnamespace = current_schema()::regnamespace ORDER BY 1, 2`, func(r *row) {
		one := Columns{Table: r.text(), Index: r.text(), Primary: r.bool()}
		for names := r.array(); names.left > 0; {
			one.Names = append(one.Names, string(names.element()))
		}
		indexes = append(indexes, one)
	})
	return indexes, tables, s.run(ctx, b)
}

// ForeignKeys returns the columns of every foreign key, by its name.
func (s *Store) ForeignKeys(ctx context.Context) (map[string][]string, error) {
	keys := map[string][]string{}
	b := newBatch()
	b.query(
		`SELECT k.conname::text, ARRAY(SELECT a.attname::text FROM unnest(k.conkey) WITH ORDINALITY AS n (number, place)
JOIN pg_attribute AS a ON a.attrelid = k.conrelid AND a.attnum = n.number ORDER BY n.place)
FROM pg_constraint AS k WHERE k.contype = 'f' AND k.connamespace = current_schema()::regnamespace`, func(r *row) {
			name := r.text()
			for columns := r.array(); columns.left > 0; {
				keys[name] = append(keys[name], string(columns.element()))
			}
		})
	return keys, s.run(ctx, b)
}

// VersionSuits is what Open asks of a server_version_num.
var VersionSuits = versionSuits

// Waiting tells how many writes of a user are in the queue, the one that runs among them.
func (s *Store) Waiting(user model.UserID) int {
	s.turns.mu.Lock()
	defer s.turns.mu.Unlock()
	if own := s.turns.users[user]; own != nil {
		return own.waiting
	}
	return 0
}

// CommitWithin sets the bound of commits and rollbacks.
func (s *Store) CommitWithin(within time.Duration) { s.settle = within }

// ManyBeyond has users with more tasks than that be taken for those with many.
func (s *Store) ManyBeyond(tasks int) { s.many.beyond = tasks }
