package plan

import (
	"strings"
	"testing"
)

// TestSeveral holds what a sentence is divided into: of its divisions one has these texts.
func TestSeveral(t *testing.T) {
	for text, want := range map[string][]string{
		"cancel the dentist tomorrow and move lunch with Dana to 3pm": {
			"cancel the dentist tomorrow", "move lunch with Dana to 3pm"},
		"cancel the gym and the book club on Thursday": {
			"cancel the gym on Thursday", "cancel the book club on Thursday"},
		"please cancel the gym, the book club and yoga": {
			"please cancel the gym", "please cancel the book club", "please cancel yoga"},
		"move the dentist and the haircut to Friday": {"move the dentist to Friday", "move the haircut to Friday"},
		"dentist tomorrow at 9 and lunch with Dana at 13:00": {
			"dentist tomorrow at 9", "lunch with Dana at 13:00 tomorrow"},
		"add milk to the shopping list and remind me to call mom at 5": {
			"add milk to the shopping list", "remind me to call mom at 5"},
		"mark the tasks pay rent and call mom as done": {
			"mark the tasks pay rent as done", "mark call mom as done"},
		"תבטל את רופא השיניים מחר ותעביר את הפגישה עם דנה ל-15:00": {
			"תבטל את רופא השיניים מחר", "תעביר את הפגישה עם דנה ל-15:00"},
		"תבטל את הכושר ואת מועדון הספר ביום חמישי": {
			"תבטל את הכושר ביום חמישי", "תבטל את מועדון הספר ביום חמישי"},
		"תקבע רופא שיניים מחר ב-9 וגם ארוחת צהריים עם דנה ב-13:00": {
			"תקבע רופא שיניים מחר ב-9", "תקבע ארוחת צהריים עם דנה ב-13:00 מחר"},
		"תוסיף חלב לרשימת הקניות ותזכיר לי להתקשר לאמא ב-17:00": {
			"תוסיף חלב לרשימת הקניות", "תזכיר לי להתקשר לאמא ב-17:00"},
	} {
		var got []string
		for _, parts := range Several(text, said(t, "en")) {
			var texts []string
			for _, part := range parts {
				texts = append(texts, part.Text)
				if part.Plan.Tool.Reads() {
					t.Errorf("%q: %q reads", text, part.Text)
				}
			}
			got = append(got, strings.Join(texts, " | "))
		}
		if !strings.Contains("\n"+strings.Join(got, "\n")+"\n", "\n"+strings.Join(want, " | ")+"\n") {
			t.Errorf("%q: %q is not among\n%s", text, strings.Join(want, " | "), strings.Join(got, "\n"))
		}
	}
}

// TestNotSeveral holds what is not divided: questions, what denies a part or makes it depend on something, quotations,
// and what has more things than are shown at a time.
func TestNotSeveral(t *testing.T) {
	for _, text := range []string{
		"when is the dentist and where is the gym?", "cancel the dentist and don't move lunch with Dana to 3pm",
		"cancel the dentist and, if it rains, move lunch to 3pm", "cancel \"the dentist and the gym\"",
		"cancel the gym", "what do I have tomorrow and on Friday", "undo that and cancel the gym",
		"תבטל את הכושר ואל תזיז את הפגישה עם דנה ל-15:00", "מתי הכושר ומה יש לי מחר?",
		"cancel a, b, c, d, e, f, g, h, i and j",
	} {
		if got := Several(text, said(t, "en")); len(got) > 0 {
			t.Errorf("%q is divided: %v", text, got[0])
		}
	}
}

// TestRequests holds which sentences that would make one thing ask for several, each a whole request.
func TestRequests(t *testing.T) {
	for text, want := range map[string]string{
		"remind me to call mom at 17:00 and add milk to the shopping list": "remind me to call mom at 17:00 | " +
			"add milk to the shopping list",
		"add dinner with Dana on Friday at 19:00 and cancel the gym": "add dinner with Dana on Friday at 19:00 | " +
			"cancel the gym",
		"תזכיר לי להתקשר לאמא ב-17:00 ותוסיף חלב לרשימת הקניות": "תזכיר לי להתקשר לאמא ב-17:00 | תוסיף חלב לרשימת הקניות",
		"remind me to wash and fold the towels at 5":            "",
		"remind me to call mom and dad at 17:00":                "",
		"lunch with Dana and Tom on Friday at 12":               "",
		"תזכיר לי לשטוף ולקפל את המגבות ב-17:00":                "",
		"add \"wash and add softener\" to my tasks":             "",
		"can you remind me to call mom and when is the gym?":    "",
	} {
		var texts []string
		for _, part := range Requests(text, said(t, "en")) {
			texts = append(texts, part.Text)
		}
		if got := strings.Join(texts, " | "); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
