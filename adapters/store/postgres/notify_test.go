package postgres

import (
	"testing"

	"almanac/graph/model"
)

func TestPayloads(t *testing.T) {
	dana := model.UserIDOf("dana")
	for _, settings := range []bool{false, true} {
		process, user, read := readPayload(payload("PROCESS", dana, settings))
		if process != "PROCESS" || user != dana.String() || read != settings {
			t.Errorf("settings %v came back as %q %q %v", settings, process, user, read)
		}
	}
	for text, want := range map[string]struct {
		process, user string
		settings      bool
	}{
		"PROCESS " + dana.String(): {"PROCESS", dana.String(), true}, // of a program from before the mark
		"PROCESS":                  {"PROCESS", "", true},
		"":                         {"", "", true},
		"-":                        {"", "", false},
		"A- B C":                   {"A", "B C", false},
	} {
		if process, user, settings := readPayload(text); process != want.process || user != want.user ||
			settings != want.settings {
			t.Errorf("%q: %q %q %v", text, process, user, settings)
		}
	}
}

// TestNoticesOfOneUserFold: what is folded into one notice speaks of the settings when any part of it did, also after
// it could not be sent.
func TestNoticesOfOneUserFold(t *testing.T) {
	dana, noa := model.UserIDOf("dana"), model.UserIDOf("noa")
	n := newNotices(nil)
	n.running = true // nothing is sent
	n.add(dana, false)
	n.add(noa, false)
	n.add(dana, true)
	n.add(dana, false)
	taken := n.take()
	if len(taken) != 2 || !taken[dana] || taken[noa] {
		t.Errorf("taken: %v", taken)
	}
	n.running = true
	n.add(dana, false)
	n.putBack(taken)
	n.add(noa, true)
	if taken = n.take(); len(taken) != 2 || !taken[dana] || !taken[noa] {
		t.Errorf("taken again: %v", taken)
	}
	if taken = n.take(); len(taken) != 0 || n.running {
		t.Errorf("left: %v, running %v", taken, n.running)
	}
}
