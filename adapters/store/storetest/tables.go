package storetest

import (
	"reflect"
	"slices"
	"testing"

	"almanac/adapters/store"
)

// columnNames returns the names, as they stand in SQL, of the columns that each bit asks for. What stands in other
// tables is not among them.
func columnNames[R any, W ~uint32](table *store.Table[R, W]) map[W][]string {
	names := map[W][]string{}
	for _, column := range table.Columns {
		if column.Want != 0 && column.Stored() {
			names[column.Want] = append(names[column.Want], column.Name)
		}
	}
	return names
}

// unaskedNames returns the names that nobody asks for by a bit of the table's own columns: they may stand in SQL only
// where a filter or an order needs them.
func unaskedNames[R any, W ~uint32](table *store.Table[R, W]) (names []string) {
	for i := range table.Columns {
		if column := &table.Columns[i]; column.Derived() || !column.Stored() {
			names = append(names, column.Name)
		}
	}
	return names
}

// trimmed returns the record with what is not wanted of it zeroed.
func trimmed[R any, W ~uint32](table *store.Table[R, W], record R, want W) R {
	for i := range table.Columns {
		if column := &table.Columns[i]; column.Want != 0 && want&column.Want == 0 {
			reflect.ValueOf(column.Field(&record)).Elem().SetZero()
		}
	}
	return record
}

// filled reports the columns that none of the records fills: what is never written cannot be missed.
func filled[R any, W ~uint32](t *testing.T, table *store.Table[R, W], records []R) {
	t.Helper()
	for _, column := range table.Columns {
		if !slices.ContainsFunc(records, func(record R) bool {
			return !reflect.ValueOf(column.Field(&record)).Elem().IsZero()
		}) {
			t.Errorf("column %s of %s: the suite writes nothing into it", column.Name, table.Name)
		}
	}
}

// sameColumns holds the columns that a database has to those that the table of a record names. The user is in every
// table; what a driver keeps beside the record, to find it by, is given.
func sameColumns[R any, W ~uint32](t *testing.T, table *store.Table[R, W], real map[string][]string, own ...string) {
	t.Helper()
	for _, name := range store.Names(table.All()) {
		if !slices.Contains(real[table.Name], name) {
			t.Errorf("table %s of the database has no column %s, only %v", table.Name, name, real[table.Name])
		}
	}
	known := slices.Concat(store.Names(table.All()), own, []string{"user_id"})
	for _, name := range real[table.Name] {
		if !slices.Contains(known, name) {
			t.Errorf("column %s of %s stands in no table of package store", name, table.Name)
		}
	}
}
