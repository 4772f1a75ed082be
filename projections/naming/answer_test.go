package naming_test

import (
	"slices"
	"testing"

	"almanac/projections/naming"
)

func TestAnswersOfPeople(t *testing.T) {
	t.Parallel()
	options := []naming.Option{
		{Key: "event_1", Label: "Dentist (tomorrow at 10:00)"}, {Key: "event_2", Label: "Dentist (Friday at 16:00)"},
		{Key: "event_3", Label: "פגישה עם דנה"}, {Key: "event_4", Label: "7"},
	}
	for answer, want := range map[string]string{
		"event_2": "event_2", "2": "event_2", "#3": "event_3", "4.": "event_4", "7": "event_4",
		"dentist (tomorrow at 10:00)": "event_1", "the Friday one": "event_2", "הפגישה עם דנה": "event_3",
		"dentist": "dentist", "5": "5", "0": "0", "": "", "plumber": "plumber",
	} {
		if got := naming.Chosen([]string{answer}, options); !slices.Equal(got, []string{want}) {
			t.Errorf("%q chooses %q, want %q", answer, got, want)
		}
	}
	for answer, want := range map[string]bool{"none": true, "None of these.": true, "אף אחד": true, "2": false,
		"": false} {
		if got := naming.Declines(answer, options); got != want {
			t.Errorf("Declines(%q) = %t", answer, got)
		}
	}
	one := []naming.Option{{Key: "1", Label: "Tidy the shed. No hour was said / לא נאמרה שעה"}}
	for _, answer := range []string{"no", "No.", "לא"} {
		if !naming.Declines(answer, one) || !slices.Equal(naming.Chosen([]string{answer}, one), []string{answer}) {
			t.Errorf("%q chooses an option whose label has the word", answer)
		}
	}
	if naming.Declines("none", []naming.Option{{Key: "x", Label: "None"}}) {
		t.Error("a label is an option before it is a no")
	}
}
