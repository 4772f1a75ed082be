package storetest

import (
	"slices"
	"testing"

	"almanac/adapters/store"
)

// Table is what a database's catalogue says about one table.
type Table struct {
	Name       string
	Columns    []string
	PrimaryKey []string
	// Indexes are the columns of every index beside the primary key's, by the index's name. An expression stands as its
	// text.
	Indexes map[string][]string
}

// ownerless names the tables that belong to no user, and why.
var ownerless = map[string]string{
	"schema_migrations": "it tells what was done to the database, and is read before anybody is known",
	"secrets":           "they are the server's own and sign for all users",
}

// overAllUsers names the indexes of background work, which looks over all users for what its time has come for: they
// begin with the time, or with an expression of it.
var overAllUsers = []string{
	"actions_forget", "actions_undo", "audit_log_forget", "calendar_links_due", "calendars_deleted",
	"channels_due", "confirmations_expires",
	"episodes_queued", "event_reminders_due", "idempotency_expires", "memories_expired", "outbox_forget", "outbox_held",
	"sync_states_due", "tasks_reminders",
	"webset_events_forget", "webset_feeds_due",
}

// owned are the tables that a driver must have; a catalogue that lists fewer was not read right.
var owned = []string{
	"action_records", "actions", "api_tokens", "audit_log", "calendar_links", "calendars", "changes",
	"channels", "confirmations",
	"connections",
	"entities",
	"entity_models", "entity_names", "entity_redirects", "entity_terms", "entity_vectors", "episode_mentions",
	"episodes", "event_bodies", "event_reminders", "events", "fact_episodes", "fact_models", "fact_terms", "fact_vectors",
	"facts",
	"idempotency", "list_items", "lists", "memories", "memory_models", "memory_terms", "memory_vectors",
	"memory_versions", "subtasks", "sync_states", "task_completions", "task_counts", "tasks", "users", "webset_events",
	"webset_feeds", "webset_hooks",
}

// Catalogue proves that user_id leads the primary key of every table and every index, but for the tables and indexes
// named above. It holds the columns of records to the tables of package store. The driver passes what its database's
// own catalogue says.
func Catalogue(t *testing.T, tables []Table) {
	t.Helper()
	var seen, timed []string
	for _, table := range tables {
		if _, without := ownerless[table.Name]; without {
			continue
		}
		seen = append(seen, table.Name)
		if len(table.PrimaryKey) == 0 || table.PrimaryKey[0] != "user_id" {
			t.Errorf("table %s: the primary key is (%v), which user_id must lead", table.Name, table.PrimaryKey)
		}
		for name, columns := range table.Indexes {
			if slices.Contains(overAllUsers, name) {
				if len(columns) == 0 || columns[0] == "user_id" {
					t.Errorf("table %s: index %s is on (%v), which the user must not lead", table.Name, name, columns)
				}
				timed = append(timed, name)
			} else if len(columns) == 0 || columns[0] != "user_id" {
				t.Errorf("table %s: index %s is on (%v), which user_id must lead", table.Name, name, columns)
			}
		}
	}
	columns := map[string][]string{}
	for _, table := range tables {
		columns[table.Name] = table.Columns
	}
	sameColumns(t, &store.TaskTable, columns, "n")
	sameColumns(t, &store.SubtaskTable, columns)
	sameColumns(t, &store.CompletionTable, columns, "n")
	sameColumns(t, &store.ListTable, columns)
	sameColumns(t, &store.ListItemTable, columns)
	sameColumns(t, &store.MemoryTable, columns, "n", "entries", "has_metadata")
	sameColumns(t, &store.MemoryVersionTable, columns)
	sameColumns(t, &store.EntityTable, columns, "n", "entries")
	sameColumns(t, &store.FactTable, columns, "n", "entries")
	sameColumns(t, &store.EpisodeTable, columns)
	sameColumns(t, &store.ConnectionTable, columns, store.Names(store.CredentialsTable.All())...)
	sameColumns(t, &store.CredentialsTable, columns, store.Names(store.ConnectionTable.All())...)
	sameColumns(t, &store.SyncTable, columns)
	sameColumns(t, &store.CalendarTable, columns)
	sameColumns(t, &store.EventTable, columns)
	sameColumns(t, &store.CalendarLinkTable, columns)
	sameColumns(t, &store.ChannelTable, columns)
	sameColumns(t, &store.TokenTable, columns)
	sameColumns(t, &store.AuditTable, columns)
	sameColumns(t, &store.OutgoingTable, columns, "forget_at")
	sameColumns(t, &store.WebsetHookTable, columns)
	sameColumns(t, &store.ActionTable, columns)
	if slices.Sort(timed); !slices.Equal(timed, overAllUsers) {
		t.Errorf("indexes over all users: %v, want %v", timed, overAllUsers)
	}
	slices.Sort(seen)
	for _, name := range owned {
		if !slices.Contains(seen, name) {
			t.Errorf("the catalogue does not list table %s, only %v", name, seen)
		}
	}
}
