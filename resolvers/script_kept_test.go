package resolvers_test

import (
	"path/filepath"
	"strings"
	"testing"

	"almanac/graph/model"
)

// onlyAsked are the answers that are not the same where copies are kept, by script and the number of the section from
// 0, each with the reason.
var onlyAsked = map[string]map[int]string{
	"agenda_faults": {4: "what is kept is there while Google is away", 14: "the same",
		16: "what is kept of an account that has expired is there"},
	"events_accounts": {15: "what is kept is there while Google is away",
		18: "the sync has found that the account expired, before the query",
		20: "what is kept of an account that has expired is there",
		24: "the log has copies of calendars too"},
	"events_default": {4: "copies count among the user's calendars, so the own one has another number", 6: "the same",
		8: "the same", 10: "the same", 12: "the same", 14: "the same", 21: "the same",
		30: "the sync has found that the account expired, before the query"},
	"events_faults":      {27: "the sync has found that the account expired, before the query"},
	"events_faults_bulk": {21: "the sync has found that the account expired, before the query"},
	"events_series": {18: "what became of exceptions with their series is told by the sync after the mutation, and where " +
		"nothing is kept by nobody yet; a mutation that moves it and one that renames it are two changes"},
}

// TestScriptsOnCopies runs the scripts of events and agendas once more with copies kept, which are synced before
// each document, as time would have it. The answers are the same but for onlyAsked, and in the end each change was told
// once.
func TestScriptsOnCopies(t *testing.T) {
	var files []string
	for _, pattern := range []string{"events_*", "agenda*", "compact_events"} {
		found, err := filepath.Glob("testdata/api/" + pattern + ".txtar")
		if err != nil || len(found) == 0 {
			t.Fatalf("no scripts: %v", err)
		}
		files = append(files, found...)
	}
	for _, open := range harnesses() {
		open.kept, open.first = true, false
		t.Run(open.name, func(t *testing.T) {
			for _, file := range files {
				t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
					t.Parallel()
					runScript(t, file, open)
				})
			}
		})
	}
}

// wantEachToldOnce: whatever writes and syncs there were, no line about a linked calendar's event says what an earlier
// one about it says, by Google's versions; the last one says what Google has, and another sync has nothing to tell. So
// no change was told twice, and none of what was told about is left untold.
func (h *harness) wantEachToldOnce(t *testing.T) {
	t.Helper()
	h.google.server.Clear()
	for _, user := range []string{"alice", "bob"} {
		lines := h.toldOfEvents(t, user)
		wantVersionsOnce(t, lines)
		if again := h.toldOfEvents(t, user); len(again) != len(lines) {
			t.Errorf("another sync has told %+v", again[len(lines):])
		}
		connections, err := h.store.Connections(t.Context(), model.UserIDOf(user))
		if err != nil {
			t.Fatal(err)
		}
		last := map[model.EventRef]model.Change{}
		for _, line := range lines {
			ref, err := model.EventRefOf(model.RemoteID(model.KindEvent, line.Remote))
			if err != nil {
				t.Fatal(err)
			}
			if line.Operation != model.OperationReminded {
				last[ref] = line
			}
		}
		for _, c := range connections {
			for ref, line := range last {
				if ref.Connection == c.Number && c.Status == model.ConnectionConnected {
					h.wantTrue(t, c, ref, line)
				}
			}
		}
	}
}

// toldOfEvents are the lines about events, once all linked calendars were synced.
func (h *harness) toldOfEvents(t *testing.T, user string) (lines []model.Change) {
	t.Helper()
	if err := h.google.sync(t.Context()); err != nil {
		t.Fatal(err)
	}
	all, err := h.store.Changes(t.Context(), model.UserIDOf(user), 0, nil, 10_000)
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range all {
		if line.Type == model.ChangeEvent {
			lines = append(lines, line)
		}
	}
	return lines
}

// wantVersionsOnce: each version of an event stands in one line, and between two deletions it was made again.
func wantVersionsOnce(t *testing.T, lines []model.Change) {
	t.Helper()
	versions, last := map[model.UUID]map[string]bool{}, map[model.UUID]model.Operation{}
	for _, line := range lines {
		if line.Operation == model.OperationReminded {
			continue
		}
		if versions[line.ID] == nil {
			versions[line.ID] = map[string]bool{}
		}
		deleted := line.Operation == model.OperationDeleted
		if deleted && last[line.ID] == model.OperationDeleted || !deleted && versions[line.ID][line.Version] {
			t.Errorf("%+v is told twice", line)
		}
		if last[line.ID] = line.Operation; !deleted {
			versions[line.ID][line.Version] = true
		}
	}
}

// wantTrue: the last line about an event says what Google has.
func (h *harness) wantTrue(t *testing.T, c model.Connection, ref model.EventRef, line model.Change) {
	t.Helper()
	place := map[string]string{"calendarId": orElse(ref.Calendar, "primary"), "eventId": ref.Event}
	now, err := h.google.serve("events.get", c.Account, place, nil, nil)
	gone := err != nil || now["status"] == "cancelled"
	if told := line.Operation == model.OperationDeleted; told != gone || !gone && now["etag"] != line.Version {
		t.Errorf("%s of %s is %v, %v at Google, and the log ends with %+v", ref.Event, c.Account, now["etag"],
			now["status"], line)
	}
}
