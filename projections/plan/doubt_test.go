package plan

import "testing"

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
