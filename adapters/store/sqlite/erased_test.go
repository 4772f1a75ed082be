package sqlite_test

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"time"

	zombie "zombiezen.com/go/sqlite"
	"zombiezen.com/go/sqlite/sqlitex"

	"almanac/adapters/store/sqlite"
	"almanac/adapters/store/storetest"
)

// TestNothingIsLeftOfAMemory looks through every row of every table, and, when what is written has reached it, through
// every byte of the file: free pages and the gaps between rows have nothing either.
func TestNothingIsLeftOfAMemory(t *testing.T) {
	path := filepath.Join(t.TempDir(), "almanac.db")
	s := open(t, sqlite.Options{Path: path, Now: func() time.Time { return storetest.Old().At }})
	storetest.Erased(t, s, func(t *testing.T, needle []byte) []string {
		t.Helper()
		places := inTables(t, path, needle)
		for _, name := range []string{path, path + "-wal"} {
			content, err := os.ReadFile(name)
			if err != nil && !errors.Is(err, fs.ErrNotExist) {
				t.Fatal(err)
			}
			if bytes.Contains(content, needle) {
				places = append(places, "the bytes of "+filepath.Base(name))
			}
		}
		return places
	})
}

// inTables names the columns that hold the needle, and brings everything that was written into the file.
func inTables(t *testing.T, path string, needle []byte) (places []string) {
	t.Helper()
	conn, err := zombie.OpenConn(path, zombie.OpenReadWrite)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	each := func(sql string, row func(stmt *zombie.Stmt) error) {
		t.Helper()
		if err := sqlitex.ExecuteTransient(conn, sql, &sqlitex.ExecOptions{ResultFunc: row}); err != nil {
			t.Fatalf("%s: %v", sql, err)
		}
	}
	each("PRAGMA wal_checkpoint(TRUNCATE)", func(stmt *zombie.Stmt) error {
		if stmt.ColumnInt(0) != 0 {
			return errors.New("the checkpoint was kept from its work")
		}
		return nil
	})
	var tables []string
	each("SELECT name FROM sqlite_schema WHERE type = 'table'", func(stmt *zombie.Stmt) error {
		tables = append(tables, stmt.ColumnText(0))
		return nil
	})
	for _, table := range tables {
		each(`SELECT * FROM "`+table+`"`, func(stmt *zombie.Stmt) error {
			for i := range stmt.ColumnCount() {
				value := make([]byte, stmt.ColumnLen(i))
				stmt.ColumnBytes(i, value)
				if bytes.Contains(value, needle) {
					places = append(places, table+"."+stmt.ColumnName(i))
				}
			}
			return nil
		})
	}
	return places
}
