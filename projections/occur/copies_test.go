package occur_test

import (
	"slices"
	"testing"
	"time"

	"almanac/graph/model"
	"almanac/projections/occur"
)

func TestEachEventOnce(t *testing.T) {
	t.Parallel()
	noon := model.EventTime{At: time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC)}
	one := model.EventTime{At: noon.At.Add(time.Hour)}
	day := model.EventTime{Date: model.DateOf(noon.At)}
	type shown struct {
		name     string
		standing int
		event    model.Event
	}
	linked, own := occur.Standing(1, model.RoleWriter), occur.Standing(0, model.RoleOwner)
	feed, shared := occur.Standing(0, model.RoleReader), occur.Standing(2, model.RoleReader)
	if linked >= own || own >= feed || feed != shared {
		t.Errorf("linked %d, own %d, feed %d, shared %d", linked, own, feed, shared)
	}
	got := occur.Once([]shown{
		{"no UID", own, model.Event{Start: noon}},
		{"no UID either", own, model.Event{Start: noon}},
		{"feed", feed, model.Event{ICalUID: "a", Start: noon}},
		{"own", own, model.Event{ICalUID: "a", Start: noon}},
		{"own too", own, model.Event{ICalUID: "a", Start: noon}},
		{"later", own, model.Event{ICalUID: "a", Start: one}},
		{"linked", linked, model.Event{ICalUID: "a", Start: one}},
		{"of a series", own, model.Event{ICalUID: "b", OriginalStart: noon, Start: noon}},
		{"the one occurrence", linked, model.Event{ICalUID: "b", Start: noon}},
		{"another, moved to the same time", own, model.Event{ICalUID: "b", OriginalStart: one, Start: noon}},
		{"a day", own, model.Event{ICalUID: "c", Start: day}},
		{"that day elsewhere", own, model.Event{ICalUID: "c", Start: day, CalendarZone: "Pacific/Kiritimati"}},
	}, func(s shown) (*model.Event, int) { return &s.event, s.standing })
	var names []string
	for _, s := range got {
		names = append(names, s.name)
	}
	want := []string{"no UID", "no UID either", "own", "linked", "the one occurrence", "another, moved to the same time",
		"a day"}
	if !slices.Equal(names, want) {
		t.Errorf("%q", names)
	}
}
