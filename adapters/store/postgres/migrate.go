package postgres

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"almanac/adapters/store"
	"almanac/migrations"
)

// migrationLock is the advisory lock that migrating processes take turns with; the number is the ASCII letters
// "almanac".
const migrationLock = 0x616c6d616e6163

const (
	sqlMigrationsThere = `SELECT to_regclass('schema_migrations') IS NOT NULL`
	sqlMigrationsTable = `CREATE TABLE schema_migrations (
	number     integer     NOT NULL PRIMARY KEY,
	name       text        NOT NULL,
	applied_at timestamptz NOT NULL
)`
	sqlMigrationsLock   = `SELECT pg_advisory_xact_lock($1)`
	sqlMigrationsKnown  = `SELECT number, name FROM schema_migrations ORDER BY number`
	sqlMigrationsRecord = `INSERT INTO schema_migrations (number, name, applied_at) VALUES ($1, $2, $3)`
)

// Fresh reports whether the database has none of our tables yet.
func (s *Store) Fresh(ctx context.Context) (bool, error) {
	var there bool
	if err := s.pool.QueryRow(ctx, sqlMigrationsThere).Scan(&there); err != nil {
		return false, fmt.Errorf("postgres: look for schema_migrations: %w", explain(ctx, err))
	}
	return !there, nil
}

// Migrate brings the schema to this program's, in one transaction, under a lock that ends with it: processes that start
// at once take turns and each step happens once, also behind a proxy that lends connections for a transaction; and when
// a step fails, the program that ran before finds everything as it left it. A database that a newer program has
// migrated is refused with store.ErrNewerSchema and not touched.
func (s *Store) Migrate(ctx context.Context) error {
	steps, err := steps()
	if err != nil {
		return err
	}
	return s.migrate(ctx, steps)
}

func (s *Store) migrate(ctx context.Context, steps []migrations.Migration) error {
	config := s.direct.Copy()
	// A script has many statements, and none is run twice.
	config.DefaultQueryExecMode = pgx.QueryExecModeExec
	conn, err := pgx.ConnectConfig(ctx, config)
	if err != nil {
		return fmt.Errorf("postgres: migrate: connect: %w", explain(ctx, err))
	}
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }()
	if err := s.migrateOn(ctx, conn, steps); err != nil {
		return fmt.Errorf("postgres: migrate: %w", explain(ctx, err))
	}
	return nil
}

// migrateOn does the steps that are missing.
func (s *Store) migrateOn(ctx context.Context, conn *pgx.Conn, steps []migrations.Migration) error {
	return pgx.BeginFunc(ctx, conn, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, sqlMigrationsLock, int64(migrationLock)); err != nil {
			return fmt.Errorf("lock: %w", err)
		}
		// A role that may not make tables finds nothing to do where another has migrated.
		var there bool
		if err := tx.QueryRow(ctx, sqlMigrationsThere).Scan(&there); err != nil {
			return fmt.Errorf("look for schema_migrations: %w", err)
		}
		if !there {
			if _, err := tx.Exec(ctx, sqlMigrationsTable); err != nil {
				return fmt.Errorf("make schema_migrations: %w", hint(err))
			}
		}
		var citus bool
		if err := tx.QueryRow(ctx, sqlIsCitus).Scan(&citus); err != nil {
			return fmt.Errorf("look for citus: %w", err)
		}
		if citus {
			if _, err := tx.Exec(ctx, sqlOneByOne); err != nil {
				return err
			}
		}
		known, err := knownSteps(ctx, tx)
		if err != nil {
			return err
		}
		if err := compareSteps(known, steps); err != nil {
			return err
		}
		for _, next := range steps[len(known):] {
			if _, err := tx.Conn().PgConn().Exec(ctx, next.SQL).ReadAll(); err != nil {
				return fmt.Errorf("step %d (%s): %w", next.Number, next.Name, hint(err))
			}
			if _, err := tx.Exec(ctx, sqlMigrationsRecord, next.Number, next.Name, s.now().UTC()); err != nil {
				return fmt.Errorf("record step %d: %w", next.Number, err)
			}
		}
		if citus {
			return hint(distribute(ctx, tx))
		}
		return nil
	})
}

// knownSteps returns the names of the steps that the database has, in order.
func knownSteps(ctx context.Context, tx pgx.Tx) ([]string, error) {
	rows, err := tx.Query(ctx, sqlMigrationsKnown)
	if err != nil {
		return nil, fmt.Errorf("read schema_migrations: %w", err)
	}
	var (
		names  []string
		number int
		name   string
	)
	_, err = pgx.ForEachRow(rows, []any{&number, &name}, func() error {
		if number != len(names)+1 {
			return fmt.Errorf("schema_migrations has number %d where %d is expected; somebody has changed it by hand", number,
				len(names)+1)
		}
		names = append(names, name)
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("read schema_migrations: %w", err)
	}
	return names, nil
}

// compareSteps refuses a database that went another way.
func compareSteps(known []string, steps []migrations.Migration) error {
	if len(known) > len(steps) {
		return newerSchema(len(known), len(steps))
	}
	for i, name := range known {
		if name != steps[i].Name {
			return fmt.Errorf("the database's step %d is %q, this program's is %q; they are not of one line of Almanac", i+1,
				name, steps[i].Name)
		}
	}
	return nil
}

func newerSchema(database, program int) error {
	return fmt.Errorf(
		"%w: the database has schema number %d, this program knows up to %d; run the newer Almanac again, or restore a "+
			"backup of before it",
		store.ErrNewerSchema, database, program)
}

// codeInsufficientPrivilege is what a role without rights on the schema gets; from PostgreSQL 15 on that is every role
// but the owner.
const codeInsufficientPrivilege = "42501"

func hint(err error) error {
	if refused, ok := errors.AsType[*pgconn.PgError](err); ok && refused.Code == codeInsufficientPrivilege {
		return fmt.Errorf(
			"the role may not make tables here; let the database's owner run: GRANT CREATE ON SCHEMA public TO the role: %w",
			err)
	}
	return err
}

func steps() ([]migrations.Migration, error) {
	steps, err := migrations.For(migrations.Postgres)
	if err != nil {
		return nil, fmt.Errorf("postgres: %w", err)
	}
	return steps, nil
}
