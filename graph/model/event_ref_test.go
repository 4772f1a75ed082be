package model_test

import (
	"strings"
	"testing"

	"almanac/graph/model"
)

func refs() []model.EventRef {
	series := "60q30c1g60o30e1i60o4ac1g60rj8gpl88rj2c1h84s34h9g60"
	return []model.EventRef{
		{Connection: 1, Event: "abcdefghijklmnopqrstuv0123"},
		{Connection: 1, Event: "abcdefghijklmnopqrstuv0123_20261123T080000Z"},
		{Connection: 1, Event: "abcdefghijklmnopqrstuv0123_20261123"},
		{Connection: 300, Calendar: "team@group.calendar.google.com", Event: series + "_20261123T080000Z"},
		{Connection: 2, Calendar: "he.jewish#holiday@group.v.calendar.google.com",
			Event: "20261204_60o30dr5coo30c1g60o30dr56g"},
		{Connection: 1, Event: "_6tlnaqrle5p6cpb4dhmj4phpehp6asr5"},
		{Connection: 1, Event: "UPPER-case"},
		{Connection: 1, Event: "a"},
		{Connection: 1, Event: "00000"},
		{Connection: 1, Event: "vvvvv_19000101T000000Z"},
		{Connection: 1, Event: "vvvvv_20260230"},
		{Connection: 1, Event: "vvvvv_20261123T0800Z"},
		{Connection: 1, Event: strings.Repeat("v", 300)},
		{Connection: 1, Calendar: "אלמנך@example.com", Event: "פגישה"},
	}
}

func TestEventIDsFindTheirEvents(t *testing.T) {
	seen := map[model.UUID]bool{}
	for _, ref := range refs() {
		id := ref.ID()
		parsed, err := model.ParseID(id.String())
		if err != nil || parsed != id {
			t.Fatalf("%+v: %s is read as %+v, %v", ref, id, parsed, err)
		}
		again, err := model.EventRefOf(parsed)
		if err != nil || again != ref {
			t.Errorf("%s leads to %+v, %v; want %+v", id, again, err, ref)
		}
		if seen[id.UUID] {
			t.Errorf("%+v shares its row with another", ref)
		}
		seen[id.UUID] = true
	}
	// What language models pay for: an occurrence on a primary calendar.
	if id := refs()[1].ID().String(); len(id) > 60 {
		t.Errorf("%s has %d characters", id, len(id))
	}
}

func TestCalendarIDsFindTheirCalendars(t *testing.T) {
	for _, ref := range []model.CalendarRef{{Connection: 1},
		{Connection: 70_000, Calendar: "c_188@group.calendar.google.com"}} {
		parsed, err := model.ParseID(ref.ID().String())
		if err != nil {
			t.Fatal(err)
		}
		if again, err := model.CalendarRefOf(parsed); err != nil || again != ref {
			t.Errorf("%v leads to %+v, %v", parsed, again, err)
		}
	}
}

func TestRemoteIDsThatAreNone(t *testing.T) {
	good := refs()[1].ID().String()
	for _, text := range []string{
		"event_", "calendar_", "event_!", "event_0", good + "0", good[:len(good)-1], strings.ToUpper(good), "event_00",
		"calendar_" + strings.TrimPrefix(good, "event_"),
		"event_" + strings.TrimPrefix(model.CalendarRef{Connection: 1}.ID().String(), "calendar_"),
		model.EventRef{Connection: 0, Event: "abc"}.ID().String(), model.EventRef{Connection: 1}.ID().String(),
		"event_" + strings.Repeat("0", 5000),
		// Made up to lead elsewhere than to an event or a calendar.
		model.EventRef{Connection: 1, Calendar: "a@example.com", Event: ".."}.ID().String(),
		model.EventRef{Connection: 1, Event: "."}.ID().String(),
		model.EventRef{Connection: 1, Event: ".._20261123"}.ID().String(),
		model.EventRef{Connection: 1, Calendar: "..", Event: "abc"}.ID().String(),
		model.CalendarRef{Connection: 1, Calendar: "."}.ID().String(),
		model.EventRef{Connection: 1, Event: "a\r\nHost: b"}.ID().String(),
		model.EventRef{Connection: 1, Event: "a\x00"}.ID().String(),
		model.EventRef{Connection: 1, Calendar: "a\u202eb@example.com", Event: "abc"}.ID().String(),
		model.CalendarRef{Connection: 1, Calendar: "\xff@example.com"}.ID().String(),
		model.CalendarRef{Connection: 1 << 40}.ID().String(),
	} {
		if id, err := model.ParseID(text); err == nil {
			t.Errorf("%s is read as %+v", text, id)
		}
	}
}

// Each id has one text, and each text that is read leads to one event.
func FuzzParseRemoteID(f *testing.F) {
	for _, ref := range refs() {
		f.Add(ref.ID().String())
	}
	f.Add("calendar_0400")
	f.Fuzz(func(t *testing.T, text string) {
		id, err := model.ParseID(text)
		if err != nil {
			return
		}
		if id.String() != text {
			t.Fatalf("%q is written %q", text, id)
		}
		if id.Kind == model.KindEvent {
			ref, err := model.EventRefOf(id)
			if err != nil || ref.ID() != id {
				t.Fatalf("%q leads to %+v, %v", text, ref, err)
			}
		}
	})
}
