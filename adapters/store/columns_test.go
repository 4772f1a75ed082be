package store

import (
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"

	"almanac/graph/model"
)

// unkept are fields of records that stand in no column of the own store, each for its reason.
var unkept = map[string]string{
	"Entity.SourceID":       "a remote's own id",
	"Fact.SourceID":         "a remote's own id",
	"Episode.SourceID":      "a remote's own id",
	"Entity.Embedding":      "written by the population's own statements and never read for a caller",
	"Fact.Embedding":        "written by the population's own statements and never read for a caller",
	"Fact.Source":           "its id is the column source_id, the rest is another record",
	"Fact.Target":           "its id is the column target_id, the rest is another record",
	"Connection.User":       "the column user_id of every table",
	"SyncState.User":        "the column user_id of every table",
	"APIToken.UserID":       "the column user_id of every table",
	"APIToken.UserDisabled": "stands in the user's row",
	"Action.Address":        "stands in the audit log",
	"Action.AuditUntil":     "stands in the audit log",
	"AuditEntry.UserID":     "the column user_id of every table",
	"WebsetHook.User":       "the column user_id of every table",
}

// renamed are columns whose name is not the field's, and what the field is called.
var renamed = map[string]string{
	"task_completions": "Completions", "list_items": "Items", "memory_models": "Embedding", "memory_vectors": "Embedding",
	"memory_versions": "History", "memory_id": "Memory", "fact_episodes": "Episodes",
	"id": "Connection", "connection_id": "Connection", "refresh_token": "Refresh", "access_token": "Access",
	"access_expires_at": "AccessExpires", "seen_at": "Seen", "channel_ends_at": "ChannelEnds",
}

// unasked are GraphQL fields of records that need no column but the id, each for its reason.
var unasked = map[string]string{
	"Task.id": "", "Task.itemContext": "asks by its own fields", "List.id": "",
	"Memory.id": "", "Memory.itemContext": "asks by its own fields", "MemoryItemContext.isNew": "the write says so",
	"Entity.id": "", "Entity.itemContext": "asks by its own fields", "EntityItemContext.isNew": "the write says so",
	"Entity.sourceId": "a remote's own id", "Entity.facts": "found by the id", "Entity.neighbours": "found by the id",
	"Fact.id": "", "Fact.itemContext": "asks by its own fields", "FactItemContext.isNew": "the write says so",
	"Fact.sourceId": "a remote's own id", "Fact.source": "a record of its own", "Fact.target": "a record of its own",
	"Episode.id": "", "Episode.sourceId": "a remote's own id", "Episode.extracted": "found by the id",
}

// tableCheck collects what is wrong with a table; see check.
type tableCheck struct {
	t      *testing.T
	schema *ast.Schema
	// checked are the names of the tables that were looked at.
	checked []string
}

func TestTablesKeepAllOfTheirRecords(t *testing.T) {
	paths, err := filepath.Glob("../../schema/*.graphqls")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no schema: %v", err)
	}
	var sources []*ast.Source
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		sources = append(sources, &ast.Source{Name: path, Input: string(text)})
	}
	schema, err := gqlparser.LoadSchema(sources...)
	if err != nil {
		t.Fatal(err)
	}
	c := &tableCheck{t: t, schema: schema}
	check(c, &TaskTable, TaskRow, TaskColumnsFor, "Task", "TaskItemContext")
	check(c, &ListTable, ListRow, ListColumnsFor, "List")
	check(c, &MemoryTable, MemoryRow, MemoryColumnsFor, "Memory", "MemoryItemContext")
	check(c, &EntityTable, EntityRow, EntityColumnsFor, "Entity", "EntityItemContext")
	check(c, &FactTable, FactRow, FactColumnsFor, "Fact", "FactItemContext")
	check(c, &EpisodeTable, EpisodeRow, EpisodeColumnsFor, "Episode")
	check(c, &SubtaskTable, 0, nil)
	check(c, &CompletionTable, 0, nil)
	check(c, &ListItemTable, 0, nil)
	check(c, &MemoryVersionTable, 0, nil)
	check(c, &ConnectionTable, 0, nil)
	check(c, &CredentialsTable, 0, nil)
	check(c, &SyncTable, 0, nil)
	check(c, &TokenTable, 0, nil)
	check(c, &AuditTable, 0, nil)
	check(c, &OutgoingTable, OutgoingMessage, nil)
	check(c, &WebsetHookTable, 0, nil)
	check(c, &ActionTable, ActionInverse, nil)
	for _, table := range declaredTables(t) {
		if !slices.Contains(c.checked, table) {
			t.Errorf("the table %s is not checked here", table)
		}
	}
}

// declaredTables returns the names of the tables of columns that the package declares.
func declaredTables(t *testing.T) (names []string) {
	t.Helper()
	paths, err := filepath.Glob("columns_*.go")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no tables: %v", err)
	}
	for _, path := range paths {
		text, err := os.ReadFile(path) //nolint:gosec // the package's own source
		if err != nil {
			t.Fatal(err)
		}
		for _, found := range regexp.MustCompile(`Table\[.*\]\{Name: "(\w+)"`).FindAllStringSubmatch(string(text), -1) {
			names = append(names, found[1])
		}
	}
	return names
}

// check holds a table to the fields of its record, to the bits that ask for them, and to the GraphQL types that show
// them.
func check[R any, W ~uint32](c *tableCheck, table *Table[R, W], row W, asked func(string) W, types ...string) {
	c.checked = append(c.checked, table.Name)
	kept := map[string]bool{}
	var bits, stored W
	for i := range table.Columns {
		column := &table.Columns[i]
		field := fieldOf(c.t, column)
		if !column.Derived() {
			kept[field] = true
			if want := snake(field); column.Name != want && renamed[column.Name] != field {
				c.t.Errorf("column %s of %s fills the field %s, whose column would be %s", column.Name, table.Name, field, want)
			}
		}
		if column.Want != 0 && column.Derived() {
			c.t.Errorf("column %s of %s is derived; nobody can ask for it", column.Name, table.Name)
		}
		if column.Stored() {
			stored |= column.Want
		}
		bits |= column.Want
	}
	if stored != row {
		c.t.Errorf("%s: the columns of the table are %b, the whole row is %b", table.Name, stored, row)
	}
	if bits&(bits+1) != 0 {
		c.t.Errorf("%s: of the bits %b one is in no column", table.Name, bits)
	}
	record := reflect.TypeFor[R]()
	for field := range record.Fields() {
		if _, excepted := unkept[record.Name()+"."+field.Name]; !kept[field.Name] && !excepted {
			c.t.Errorf("%s.%s stands in no column of %s", record.Name(), field.Name, table.Name)
		}
	}
	known := []string{"compact"}
	for _, name := range types {
		for _, field := range c.schema.Types[name].Fields {
			known = append(known, field.Name)
			if _, excepted := unasked[name+"."+field.Name]; asked(field.Name) == 0 && !excepted {
				c.t.Errorf("%s.%s asks for no column of %s", name, field.Name, table.Name)
			}
		}
	}
	for i := range table.Columns {
		for field := range strings.FieldsSeq(table.Columns[i].Asked) {
			if !slices.Contains(known, field) {
				c.t.Errorf("column %s of %s is asked for by %s, which %v have not", table.Columns[i].Name, table.Name, field, types)
			}
		}
	}
}

// fieldOf returns the name of the field of the record that a column fills.
func fieldOf[R any, W ~uint32](t *testing.T, column *Column[R, W]) string {
	var record R
	at := reflect.ValueOf(column.Field(&record)).Pointer()
	value := reflect.ValueOf(&record).Elem()
	for i := range value.NumField() {
		field := value.Field(i)
		switch first := field.Addr().Pointer(); {
		case at == first:
			if _, nested := field.Interface().(model.Entity); nested { // the id stands first in it
				return value.Type().Field(i).Name + "ID"
			}
			return value.Type().Field(i).Name
		case at > first && at < first+field.Type().Size():
			return value.Type().Field(i).Name
		}
	}
	t.Errorf("column %s fills nothing of %T", column.Name, record)
	return ""
}

// snake writes the name of a Go field as that of a column.
func snake(field string) string {
	var b strings.Builder
	for i, r := range field {
		previous := i > 0 && unicode.IsLower(rune(field[i-1]))
		if unicode.IsUpper(r) && previous {
			b.WriteByte('_')
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}
