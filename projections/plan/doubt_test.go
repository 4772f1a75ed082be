package plan

import (
	"fmt"
	"testing"
	"time"
)

// TestDoubts holds what is shown before it is done: where the statistical reader takes the sentence for another
// request, some words of the name for none of it or words that the plan has not for some of it, where no hour is said,
// where the name is not whole, and where a change is denied.
func TestDoubts(t *testing.T) {
	for text, want := range map[string]bool{
		"add a physiotherapy session tomorrow at 9":                    false,
		"lunch with Dana on Friday at 12":                              false,
		"24 hour hackathon starts thursday dec 17 at 18:00":            false, // its length is said, not its name
		"April and Mark's wedding, 14 jan 19:30, at Ronit Farm":        true,  // a month that is a name
		"sushi at ours friday 18:30 with the Marom family":             true,  // the place stands amid the name
		"Schedule the 'find the leak' visit for 9 december at 8:00":    true,  // a quotation is a part of the name
		"put the school fair in the calendar on Tuesday evening":       true,  // no hour
		"remind me to call the plumber tomorrow at 9":                  false,
		"move the dentist to Friday at 10":                             false,
		"the dentist hasn't been moved to Friday":                      true,
		"Noa's shoe size is 35 now":                                    true, // what was kept before may say otherwise
		"remember that the gate code is 4471":                          false,
		"any word from Amazon on my parcel?":                           true, // mail, which the grammar takes for an event
		"when is the dentist?":                                         false,
		"meeting at 10":                                                true, // of what, and on which day
		"meeting tomorrow at 10":                                       false,
		"תקבע פיזיותרפיה מחר ב-9":                                      false,
		"תקבע עם גליה קפה בשלישי ב-9:30 בקפה נחת":                      true, // it begins with "with"
		"תוסיפי הרצאה \"שבע טעויות\" ב-8 בדצמבר מ-20:00 עד 21:30 בזום": true,
		"ישיבת ועד בית ביום רביעי בערב":                                true,
		"תזכיר לי להתקשר לשרברב מחר ב-9":                               false,
		"תזיז את רופא השיניים ליום שישי ב-10":                          false,
		"בסוף לא ביטלו את ההופעה":                                      true,
		"מתי רופא השיניים?":                                            false,
	} {
		got, err := Understand(text, said(t, "en"))
		if err != nil || got.Doubted != want {
			t.Errorf("%q: %s, doubted %v, %v; want %v", text, got.Tool, got.Doubted, err, want)
		}
	}
}

// TestSoughtWordsAreDoubted: what is left over of a question is no name, so that finding nothing is no answer.
func TestSoughtWordsAreDoubted(t *testing.T) {
	for text, want := range map[string]bool{
		"when is the physiotherapist?":              false,
		"how many meetings this week, give or take": true,
		"מתי הפיזיותרפיה?":                          false,
	} {
		got, err := Understand(text, said(t, "en"))
		if err != nil || got.Search == nil || got.Search.Doubtful != want {
			t.Errorf("%q: %s, %+v, %v; want %v", text, got.Tool, got.Search, err, want)
		}
	}
}

// TestFromThenOn: a day from which on is asked about begins a week, the next such day where it has passed.
func TestFromThenOn(t *testing.T) {
	for text, want := range map[string]string{
		"what's my week looking like from sunday on?":   "2026-11-22 7",
		"what's my week looking like from thursday on?": "2026-11-26 7", // that of this week has passed
		"what do I have from tomorrow on":               "2026-11-22 7",
		"what's on from sunday":                         "2026-11-22 1",
		"מה יש לי מיום שני והלאה":                       "2026-11-23 7",
	} {
		got, err := Understand(text, said(t, "en"))
		if err != nil || got.Schedule == nil {
			t.Errorf("%q: %s, %v", text, got.Tool, err)
			continue
		}
		days := int(got.Schedule.To.Sub(got.Schedule.From).Hours()) / 24
		if said := fmt.Sprint(got.Schedule.From.Format(time.DateOnly), " ", days); said != want {
			t.Errorf("%q: %s, want %s", text, said, want)
		}
	}
}
