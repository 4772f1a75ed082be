package main_test

import (
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"almanac/adapters/store"
	"almanac/graph/model"
	"almanac/projections"
	"almanac/projections/when"
)

// hidden are fields of patches that a joint does without, as "Type.field joint", each for its reason.
var hidden = map[string]string{
	"Task.completed export":              "completedAt says so",
	"Entity.attributes row":              "any JSON; the tool open shows it",
	"Event.allDay open":                  "its start is a date then",
	"Event.allDay row":                   "its start is a date then",
	"Event.timeZone row":                 "stands in its start and end",
	"Event.description row":              "long; the tool open shows it",
	"Event.response row":                 "stands among its attendees",
	"Event.response export":              "an own calendar is invited to nothing",
	"Event.allDay export":                "its times are dates",
	"Event.timeZone export":              "stands with its times",
	"Event.reminderMinutesBefore export": "stands among its reminders",
	"Event.reminders row":                "shown by Google's own calendar",
	"Event.reminders open":               "shown by Google's own calendar",
	"Event.reminderMinutesBefore row":    "a short form of reminders",
	"Event.reminderMinutesBefore open":   "a short form of reminders",
	"Event.transparent row":              "seldom set",
	"Event.transparent open":             "seldom set",
	"Event.visibility row":               "seldom set",
	"Event.visibility open":              "seldom set",
	"Event.colorId row":                  "of use to the eye alone",
	"Event.colorId open":                 "of use to the eye alone",
	"Calendar.summary row":               "compact text has the id of a calendar alone",
	"Calendar.description row":           "as above",
	"Calendar.timeZone row":              "as above",
	"Calendar.defaultReminders row":      "as above",
	"Calendar.selected row":              "as above",
}

// unfilled are fields of rows for compact text that views leave empty, each for its reason.
var unfilled = map[string]string{
	"entities.Aliases": "no text shows them; they are kept in the JSON form of what a client gives to format",
}

// What a client sets of a record it finds again: in compact text, where the tool open shows the record, and in the
// export.
func TestWhatIsSetIsShown(t *testing.T) {
	t.Parallel()
	schema := wholeSchema(t)
	open := textOf(t, "internal/mcp/documents/open.graphql")
	rows := textOf(t, "projections/compact/*.go")
	records := textOf(t, "internal/cli/*.go")
	memories := textOf(t, "projections/memo/line.go")
	exported := func(kind string) string {
		if kind == "Memory" {
			return memories
		}
		return structOf(records, "exported"+kind)
	}
	used := map[string]bool{}
	seen := 0
	for _, name := range slices.Sorted(maps.Keys(schema.Types)) {
		kind, isPatch := strings.CutSuffix(name, "Patch")
		if !isPatch || schema.Types[kind] == nil {
			continue
		}
		seen++
		for _, field := range schema.Types[name].Fields {
			name := regexp.MustCompile(`\b` + field.Name + `\b`)
			key := regexp.MustCompile(`"` + field.Name + `[",]`)
			for joint, there := range map[string]bool{
				"open":   name.MatchString(regexp.MustCompile(`(?m)^fragment ` + kind + ` .*$`).FindString(open)),
				"row":    key.MatchString(structOf(rows, kind)),
				"export": remote.MatchString(kind) || key.MatchString(exported(kind)),
			} {
				place := kind + "." + field.Name + " " + joint
				if _, without := hidden[place]; without {
					used[place] = !there
				} else if !there {
					t.Errorf("%s.%s can be set and is not in its %s", kind, field.Name, joint)
				}
			}
		}
	}
	if seen < 5 {
		t.Errorf("%d patches were looked at", seen)
	}
	for place := range hidden {
		if !used[place] {
			t.Errorf("hidden names %q, which is there or is no field", place)
		}
	}
}

// structOf returns the source of a struct.
func structOf(source, name string) string {
	return regexp.MustCompile(`(?s)\ntype ` + name + ` struct \{.*?\n\}`).FindString(source)
}

// What compact text shows of a record is filled, and is read where compact text is asked for.
func TestCompactTextIsFilledAndRead(t *testing.T) {
	t.Parallel()
	at := projections.NewMoment(when.Moment{Now: time.Date(2026, 11, 24, 8, 0, 0, 0, time.UTC), Zone: time.UTC})
	checkRow(t, &store.TaskTable, store.TaskColumnsFor, func(r model.Task) any { return projections.TaskAt(r, at).Row() })
	checkRow(t, &store.ListTable, store.ListColumnsFor, func(r model.List) any { return projections.ListAt(r, at).Row() })
	checkRow(t, &store.MemoryTable, store.MemoryColumnsFor,
		func(r model.Memory) any { return projections.MemoryAt(r, "", at).Row() })
	checkRow(t, &store.EntityTable, store.EntityColumnsFor,
		func(r model.Entity) any { return projections.EntitiesAt([]model.Entity{r}, at)[0].Row() })
	checkRow(t, &store.FactTable, store.FactColumnsFor,
		func(r model.Fact) any { return projections.FactsAt([]model.Fact{r}, at)[0].Row() })
	checkRow(t, &store.EpisodeTable, store.EpisodeColumnsFor,
		func(r model.Episode) any { return projections.EpisodeAt(r, at).Row() })
}

// checkRow fills a record and looks at its row for compact text, whole and without each of its columns.
func checkRow[R any, W ~uint32](t *testing.T, table *store.Table[R, W], asked func(string) W, row func(R) any) {
	t.Helper()
	var whole R
	fill(reflect.ValueOf(&whole).Elem())
	shown := row(whole)
	empty := map[string]bool{}
	emptyFields(reflect.ValueOf(shown), table.Name, empty)
	for i := range table.Columns {
		column := &table.Columns[i]
		less := whole
		reflect.ValueOf(column.Field(&less)).Elem().SetZero()
		without := row(less)
		if column.Want&^asked("compact") != 0 && !column.Derived() && !reflect.DeepEqual(without, shown) {
			t.Errorf("compact text of %s shows the column %s and does not ask for it", table.Name, column.Name)
		}
		still := map[string]bool{}
		emptyFields(reflect.ValueOf(without), table.Name, still)
		maps.DeleteFunc(empty, func(field string, _ bool) bool { return !still[field] })
	}
	for field := range empty {
		if unfilled[field] == "" {
			t.Errorf("compact text: nothing fills %s", field)
		}
	}
}

// fill gives every field below a value one that is not zero.
func fill(value reflect.Value) {
	switch value.Kind() {
	case reflect.String:
		value.SetString("x")
	case reflect.Bool:
		value.SetBool(true)
	case reflect.Int, reflect.Int32, reflect.Int64:
		value.SetInt(1)
	case reflect.Uint8, reflect.Uint32:
		value.SetUint(1)
	case reflect.Float32, reflect.Float64:
		value.SetFloat(1)
	case reflect.Pointer:
		value.Set(reflect.New(value.Type().Elem()))
		fill(value.Elem())
	case reflect.Slice:
		value.Set(reflect.MakeSlice(value.Type(), 1, 1))
		fill(value.Index(0))
	case reflect.Array:
		for i := range value.Len() {
			fill(value.Index(i))
		}
	case reflect.Struct:
		if value.Type() == reflect.TypeFor[time.Time]() {
			value.Set(reflect.ValueOf(time.Date(2026, 11, 23, 8, 0, 0, 0, time.UTC)))
			return
		}
		for i := range value.NumField() {
			if value.Field(i).CanSet() {
				fill(value.Field(i))
			}
		}
	}
}

// emptyFields notes the fields below a value that are zero.
func emptyFields(value reflect.Value, path string, empty map[string]bool) {
	switch {
	case value.IsZero():
		empty[path] = true
	case value.Kind() == reflect.Pointer:
		emptyFields(value.Elem(), path, empty)
	case value.Kind() == reflect.Slice && value.Len() > 0:
		emptyFields(value.Index(0), path, empty)
	case value.Kind() == reflect.Struct && value.Type() != reflect.TypeFor[time.Time]():
		for field, inner := range value.Fields() {
			emptyFields(inner, path+"."+field.Name, empty)
		}
	}
}
