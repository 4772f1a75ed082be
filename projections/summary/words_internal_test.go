package summary

import (
	"strings"
	"testing"
	"time"

	"almanac/graph/model"
	"almanac/projections/when"
)

// Both languages have words for the same, with the same parts.
func TestBothLanguagesSayTheSame(t *testing.T) {
	t.Parallel()
	if len(english.verbs) != len(hebrew.verbs) || len(english.verbs) < 40 {
		t.Errorf("%d and %d verbs", len(english.verbs), len(hebrew.verbs))
	}
	for verb, en := range english.verbs {
		he, known := hebrew.verbs[verb]
		if !known || strings.Count(en.one, "%") != strings.Count(he.one, "%") ||
			strings.Count(en.many, "%") != strings.Count(he.many, "%") {
			t.Errorf("%s: %v, %v", verb, en, he)
		}
	}
	for kind, en := range english.gone {
		if he := hebrew.gone[kind]; strings.Count(en.many, "%") != strings.Count(he.many, "%") || he.one == "" {
			t.Errorf("%s: %v, %v", kind, en, he)
		}
	}
}

func TestSummaries(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 22, 8, 0, 0, 0, time.UTC)
	task := func(text string, hours int) *model.Task {
		out := &model.Task{Text: text}
		if hours != 0 {
			out.DueAt = now.Add(time.Duration(hours) * time.Hour)
		}
		return out
	}
	of := func(pairs ...*model.Task) (changes []model.Difference) {
		for i := 0; i < len(pairs); i += 2 {
			var change model.Difference
			if pairs[i] != nil {
				change.Before = pairs[i]
			}
			if pairs[i+1] != nil {
				change.After = pairs[i+1]
			}
			changes = append(changes, change)
		}
		return changes
	}
	long := task(strings.Repeat("long ", 100), 0)
	for _, c := range []struct {
		changes []model.Difference
		erased  []model.ID
		en, he  string
	}{
		{of(nil, task("Milk", 0)), nil, "Added Milk", "נוספה המשימה Milk"},
		{of(task("Milk", 0), task("Milk", 30)), nil, "Set Milk for Mon 23 Nov 14:00",
			"נקבע מועד למשימה Milk: יום ב׳ 23 בנוב׳ 14:00"},
		{of(task("Milk", 30), task("Milk", 0)), nil, "Took the date Mon 23 Nov 14:00 off Milk",
			"הוסר המועד יום ב׳ 23 בנוב׳ 14:00 מהמשימה Milk"},
		{of(task("Milk", 0), nil, task("Tea", 0), nil, task("Salt", 0), nil, task("Eggs", 0), nil), nil,
			"Deleted 4 tasks: Milk, Tea, Salt and 1 more", "נמחקו 4 משימות: Milk, Tea, Salt ועוד 1"},
		{of(task("Milk", 0), nil, nil, task("Tea", 0)), nil, "Deleted Milk; Added Tea",
			"נמחקה המשימה Milk; נוספה המשימה Tea"},
		{of(long, nil), nil, "Deleted " + strings.Repeat("long ", 11) + "long…",
			"נמחקה המשימה " + strings.Repeat("long ", 11) + "long…"},
		{nil, []model.ID{{Kind: model.KindMemory}, {Kind: model.KindMemory}}, "Erased 2 memories",
			"נמחקו 2 זיכרונות לצמיתות"},
	} {
		for locale, want := range map[string]string{"en": c.en, "he": c.he} {
			if got := Of(c.changes, c.erased, when.Moment{Now: now, Zone: time.UTC, Locale: locale}); got != want {
				t.Errorf("%s: %q, want %q", locale, got, want)
			}
		}
	}
}
