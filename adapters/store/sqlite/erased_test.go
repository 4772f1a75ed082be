package sqlite_test

import (
	"bytes"
	"encoding/hex"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	zombie "zombiezen.com/go/sqlite"
	"zombiezen.com/go/sqlite/sqlitex"

	"almanac/adapters/store/sqlite"
	"almanac/adapters/store/storetest"
	"almanac/graph/model"
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

// TestNothingIsLeftOfAUser looks through every table of the catalogue, and through the bytes of the file for the user's
// id and for what the index of searches has of a task.
func TestNothingIsLeftOfAUser(t *testing.T) {
	path := filepath.Join(t.TempDir(), "almanac.db")
	s := open(t, sqlite.Options{Path: path, Now: func() time.Time { return storetest.Old().At }})
	const needle = "ugramsofthetask"
	storetest.ErasedUser(t, s, func(t *testing.T, user model.UserID) []string { return fillTables(t, path, user, needle) })
	gone := model.UserIDOf("to be erased")
	inTables(t, path, gone[:])
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	// The user's id is in the entry of the audit log, and in that table's index by time.
	if n := bytes.Count(content, gone[:]); n != 2 {
		t.Errorf("the user's id is %d times in the file", n)
	}
	// As the index has it: a word is its text without what it shares with the word before.
	if bytes.Contains(content, []byte(needle+hex.EncodeToString(gone[:4]))) {
		t.Error("the index of searches has words of the user's tasks")
	}
}

// fillTables puts a row of the user into every table with a column user_id, of values made up by their types.
func fillTables(t *testing.T, path string, user model.UserID, needle string) (tables []string) {
	t.Helper()
	conn, err := zombie.OpenConn(path, zombie.OpenReadWrite)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	run := func(sql string, args []any, row func(stmt *zombie.Stmt) error) {
		t.Helper()
		if err := sqlitex.ExecuteTransient(conn, sql, &sqlitex.ExecOptions{Args: args, ResultFunc: row}); err != nil {
			t.Fatalf("%s: %v", sql, err)
		}
	}
	columns := map[string][]string{}
	values := map[string][]any{}
	run(`SELECT m.name, c.name, c.type FROM sqlite_schema m, pragma_table_info(m.name) c WHERE m.type = 'table'
AND EXISTS (SELECT 1 FROM pragma_table_info(m.name) u WHERE u.name = 'user_id')`, nil, func(stmt *zombie.Stmt) error {
		table, name := stmt.ColumnText(0), stmt.ColumnText(1)
		columns[table] = append(columns[table], name)
		value := any(int64(7) + int64(user[0])) // no two users have the same row of the index of searches
		switch {
		case name == "user_id":
			value = user[:]
		case stmt.ColumnText(2) == "BLOB":
			value = bytes.Repeat([]byte{7}, 16)
		case stmt.ColumnText(2) == "TEXT":
			value = "text"
		}
		values[table] = append(values[table], value)
		return nil
	})
	for table, names := range columns {
		run(`INSERT INTO "`+table+`" ("`+strings.Join(names, `", "`)+`") VALUES (?`+strings.Repeat(", ?", len(names)-1)+`)`,
			values[table], nil)
		tables = append(tables, table)
	}
	run(`INSERT INTO task_grams (rowid, id, grams) VALUES (?, x'07', ?)`,
		[]any{int64(7) + int64(user[0]), needle + hex.EncodeToString(user[:4])}, nil)
	return tables
}
