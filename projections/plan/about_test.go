package plan

import (
	"strings"
	"testing"

	"almanac/graph/model"
)

// TestAbout holds what is read of sentences of which one thing that is there is named, between brackets, and the title
// it has. Nothing is read where a word beside the name may be of it.
func TestAbout(t *testing.T) {
	for said, want := range map[string]struct {
		title string
		tool  Tool
	}{
		"shift the [budget review] half an hour later will you":          {"Budget review", ToolUpdate},
		"nudge [physio] to 13:30 tomorrow":                               {"Physio", ToolUpdate},
		"take the [car inspection] off, the garage is shut that day":     {"Car inspection", ToolDelete},
		"push the [plumber] by fifteen minutes please I'm running late":  {"Plumber", ToolUpdate},
		"תמחק לי בבקשה מהיומן את [הוטרינר], הכלב כבר בריא":               {"וטרינר", ToolDelete},
		"cancel the [team meeting] with Dan":                             {"Team meeting with Dana", ""},
		"cancel the [sync] with everybody":                               {"Product sync", ""},
		"תבטל את ה[פגישה] עם גיל":                                        {"פגישה", ""},
		"put a new [yoga] in for Friday at 8":                            {"Yoga", ""},
		"never mind the [dentist]":                                       {"Dentist", ""},
		"is the [dentist] happening or what":                             {"Dentist", ToolSearch},
		"remember that [yoga] is in the new studio":                      {"Yoga", ""},
		"\"say\" cancel [yoga]":                                          {"Yoga", ""},
		strings.Repeat("word ", 60) + "cancel [yoga]":                    {"Yoga", ""},
		"don't you dare cancel [yoga] on Thursday":                       {"Yoga", ""},
		"would it be rude to cancel [yoga] on Thursday or should I come": {"Yoga", ""},
	} {
		before, rest, _ := strings.Cut(said, "[")
		name, after, _ := strings.Cut(rest, "]")
		got := Tool("")
		at := moment(t, "2026-11-25 10:00", "Asia/Jerusalem", "en", model.Sunday)
		plans := About(before+name+after, len(before), len(before)+len(name), want.title, at)
		if len(plans) > 0 {
			got = plans[0].Tool
		}
		for _, one := range plans {
			if one.makes() {
				t.Errorf("%q makes something: %+v", said, one)
			}
		}
		if got != want.tool {
			t.Errorf("%q: %q, not %q", said, got, want.tool)
		}
	}
}
