package resolvers_test

import (
	"path/filepath"
	"strings"
	"testing"
)

// onlyAsked are the answers that are not the same where copies are kept, by script and the number of the section from
// 0, each with the reason.
var onlyAsked = map[string]map[int]string{
	"agenda_faults": {4: "what is kept is there while Google is away", 14: "the same"},
	"events_accounts": {15: "what is kept is there while Google is away",
		18: "the look has found that the account expired, before the query",
		24: "the log has copies of calendars too"},
	"events_default": {4: "copies count among the user's calendars, so the own one has another number", 6: "the same",
		8: "the same", 10: "the same", 12: "the same", 14: "the same", 21: "the same",
		30: "the look has found that the account expired, before the query"},
	"events_faults":      {27: "the look has found that the account expired, before the query"},
	"events_faults_bulk": {21: "the look has found that the account expired, before the query"},
	"events_series":      {18: "what became of exceptions with their series is told at once, and not by the next poll"},
}

// TestScriptsOnCopies runs the scripts of events and agendas once more with copies kept, which are looked at before
// each document, as time would have it. The answers are the same but for onlyAsked.
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
