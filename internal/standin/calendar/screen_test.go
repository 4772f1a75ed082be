package calendar

import (
	"strings"
	"testing"
)

// TestSplitOnScreen splits a series as Google's own screen does: the instances keep their ids and have another series.
func TestSplitOnScreen(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.weekly(object{"id": "standup", "recurrence": []string{"RRULE:FREQ=WEEKLY;COUNT=8"}})
	w.do("events.patch", asked{id: "standup_20260316T070000Z", body: object{"summary": "Special"}})
	mirrors := []*mirror{newMirror(w, ada, ""), newMirror(w, ada, "singleEvents=true")}
	made, err := w.s.SplitOnScreen(ada, "primary", "standup_20260316T070000Z", object{"summary": "Later"})
	if err != nil {
		t.Fatal(err)
	}
	same(t, "id", textOf(made, "id"), "standup_R20260316T070000")
	same(t, "rest", textsOf(made, "recurrence"), []string{"RRULE:FREQ=WEEKLY;COUNT=6"})
	same(t, "base", textsOf(w.do("events.get", asked{id: "standup"}), "recurrence"),
		[]string{"RRULE:FREQ=WEEKLY;UNTIL=20260316T065959Z"})
	same(t, "instances of the base", len(w.instances("standup", "")), 2)
	rest := w.instances("standup_R20260316T070000", "")
	same(t, "instances of the rest", len(rest), 6)
	same(t, "an instance's id", textOf(rest[0], "id"), "standup_20260316T070000Z")
	same(t, "its title", textOf(rest[0], "summary"), "Later")
	one := w.do("events.get", asked{id: "standup_20260323T070000Z"})
	same(t, "its series", textOf(one, "recurringEventId"), "standup_R20260316T070000")
	w.do("events.patch", asked{id: "standup_20260323T070000Z", body: object{"summary": "Other"}})
	same(t, "an exception's series", textOf(w.do("events.get", asked{id: "standup_20260323T070000Z"}), "recurringEventId"),
		"standup_R20260316T070000")
	for _, m := range mirrors {
		m.catchUp()
	}
	again, err := w.s.SplitOnScreen(ada, "primary", "standup_20260330T060000Z", nil)
	if err != nil {
		t.Fatal(err)
	}
	same(t, "the id of a split of a split", textOf(again, "id"), "standup_R20260330T060000")
	same(t, "instances between", len(w.instances("standup_R20260316T070000", "")), 2)
	for _, m := range mirrors {
		m.catchUp()
	}
	fresh := newWorld(t)
	w.restoreInto(fresh)
	same(t, "after a restart", textOf(fresh.do("events.get", asked{id: "standup_20260406T060000Z"}), "recurringEventId"),
		"standup_R20260330T060000")
	for _, id := range []string{"standup_20260302T070000Z", "standup", "nobody_20260302T070000Z"} {
		if _, err := w.s.SplitOnScreen(ada, "primary", id, nil); err == nil {
			t.Errorf("%s was split", id)
		}
	}
}

func (w *world) restoreInto(fresh *world) {
	w.t.Helper()
	if err := fresh.s.Restore(strings.NewReader(w.snapshot())); err != nil {
		w.t.Fatal(err)
	}
}
