package model_test

import (
	"strings"
	"testing"
	"time"

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

// Each id has one text, to which its older forms lead, and each text that is read leads to one event.
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
		if again, err := model.ParseID(id.String()); err != nil || again != id {
			t.Fatalf("%q is written %q, which is read as %+v, %v", text, id, again, err)
		}
		if id.Kind == model.KindEvent {
			ref, err := model.EventRefOf(id)
			if err != nil || ref.ID() != id {
				t.Fatalf("%q leads to %+v, %v", text, ref, err)
			}
		}
	})
}

// People and models tell ids apart by their last characters, so no two occurrences end alike: not of one series, nor of
// two at the same time.
func TestOccurrencesEndDifferently(t *testing.T) {
	seen := map[string]string{}
	for _, series := range []string{"abcdefghijklmnopqrstuv0123", "bbcdefghijklmnopqrstuv0124"} {
		for day := range 400 {
			at := time.Date(2026, 1, 1, 8, 0, 0, 0, time.UTC).AddDate(0, 0, day)
			for _, suffix := range []string{at.Format("20060102T150405Z"), at.Format("20060102")} {
				id := model.EventRef{Connection: 1, Event: series + "_" + suffix}.ID().String()
				end := id[len(id)-8:]
				if other, taken := seen[end]; taken {
					t.Errorf("%s and %s end alike", id, other)
				}
				seen[end] = id
			}
		}
	}
}

// Ids in their older forms, as a program apart from this one has packed them, lead to the same records, whose ids are
// the new ones.
func TestOlderIDs(t *testing.T) {
	for old, event := range map[string]string{
		"event_0400506akyr0t6jjv3bkw4cmx5dny6epz7fqr08gr0": "abcdefghijklmnopqrstuv0123_20261123T080000Z",
		"event_04007p6408d55p6q7r8s9tavbwcxdyezfg0h1g0":    "abcdefghijklmnopqrstuv0123_20261123",
	} {
		id, err := model.ParseID(old)
		want := model.EventRef{Connection: 1, Event: event}.ID()
		if err != nil || id != want || id.String() == old {
			t.Errorf("%s is read as %v, %v; want %v", old, id, err, want)
		}
	}
	old := "websetitem_3dvq6qvg74v6csbd69gk2ska65mqasbpc8s6ye38c5v68xv9bxkk8sbp69spavk3ervpycb8c5mk2sv3dshkewv7"
	id, err := model.ParseID(old)
	want := model.WebsetRef{Kind: model.KindWebsetItem, Within: "ws_p96fem2a1fj1iuevb2o8havd",
		ID: "wi_g4ev2sencv7o1hai1gcnc7sg"}
	if ref, _ := model.WebsetRefOf(id); err != nil || ref != want || id != want.PublicID() || len(id.String()) > 64 {
		t.Errorf("%s is read as %v, %v", old, id, err)
	}
}

// Two ids of Exa fit into 64 characters, whichever of the usual forms they have; any other text is kept as it is.
func TestWebsetIDsAreShort(t *testing.T) {
	forms := []string{"p96fem2a1fj1iuevb2o8havd", "01k6m4wn1aykv03jq3p4hxs2m9", "cm6h1z9xq0000la0h3f5zk8yb",
		"0198f4c2-7a3e-7c11-9d2b-4f6a8e0c1b3d", "zzzzzzzzzzzzzzzzzzzzzzzz", "7zzzzzzzzzzzzzzzzzzzzzzzzz",
		"czzzzzzzzzzzzzzzzzzzzzzzz",
		"000000000000000000000000", "01K6M4WN1AYKV03JQ3P4HXS2M9", "8zzzzzzzzzzzzzzzzzzzzzzzzz", "x"}
	packable := map[int]bool{0: true, 1: true, 2: true, 3: true, 5: true, 6: true, 7: true}
	for _, prefix := range [][2]string{{"", ""}, {"ws_", "wi_"}, {"webset_", "witem_"}, {"odd_", "odder_"}} {
		for i, within := range forms {
			for j, own := range forms {
				ref := model.WebsetRef{Kind: model.KindWebsetItem, Within: prefix[0] + within, ID: prefix[1] + own}
				text := ref.PublicID().String()
				id, err := model.ParseID(text)
				if err != nil || id != ref.PublicID() {
					t.Fatalf("%+v: %s is read as %v, %v", ref, text, id, err)
				}
				if back, err := model.WebsetRefOf(id); err != nil || back != ref {
					t.Errorf("%s leads to %+v, %v; want %+v", text, back, err, ref)
				}
				if short := packable[i] && packable[j] && prefix[0] != "odd_"; short && len(text) > 64 {
					t.Errorf("%+v: %s has %d characters", ref, text, len(text))
				}
			}
		}
	}
}
