// Package migrations holds the database schema as numbered SQL files, one folder per dialect.
//
// It promises that the files of both dialects carry the same numbers and names, from 1 without gaps, so that "schema
// number 3" means the same thing on every database.
package migrations

import (
	"embed"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"strconv"
)

//go:embed sqlite/*.sql postgres/*.sql
var files embed.FS

// The dialects there are migrations for.
const (
	SQLite   = "sqlite"
	Postgres = "postgres"
)

// Migration is one step of the schema.
type Migration struct {
	// Number counts from 1 without gaps.
	Number int
	// Name is the words of the file's name: "first_house".
	Name string
	// SQL is a script of one or more statements, to be run in one transaction.
	SQL string
}

// For returns the migrations of a dialect in order. An error when the dialect is not known or a file is misnamed.
func For(dialect string) ([]Migration, error) { return read(files, dialect) }

// fileName is NNNN_words.sql.
var fileName = regexp.MustCompile(`^([0-9]{4})_([a-z0-9]+(?:_[a-z0-9]+)*)\.sql$`)

// read returns the migrations in one folder of a file system, whose entries come sorted by name.
func read(fsys fs.FS, folder string) ([]Migration, error) {
	entries, err := fs.ReadDir(fsys, folder)
	if err != nil {
		return nil, fmt.Errorf("migrations of dialect %q: %w", folder, err)
	}
	steps := make([]Migration, 0, len(entries))
	for _, entry := range entries {
		parts := fileName.FindStringSubmatch(entry.Name())
		if parts == nil {
			return nil, fmt.Errorf("migration %s/%s is not named NNNN_words.sql", folder, entry.Name())
		}
		number, err := strconv.Atoi(parts[1])
		if err != nil {
			return nil, fmt.Errorf("migration %s/%s: %w", folder, entry.Name(), err)
		}
		if want := len(steps) + 1; number != want {
			return nil, fmt.Errorf("migration %s/%s has number %d, want %d: numbers count from 1 without gaps", folder,
				entry.Name(), number, want)
		}
		script, err := fs.ReadFile(fsys, path.Join(folder, entry.Name()))
		if err != nil {
			return nil, fmt.Errorf("migration %s/%s: %w", folder, entry.Name(), err)
		}
		steps = append(steps, Migration{Number: number, Name: parts[2], SQL: string(script)})
	}
	return steps, nil
}
