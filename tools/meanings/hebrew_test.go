package main

import (
	"slices"
	"testing"
)

func TestSpellings(t *testing.T) {
	t.Parallel()
	for word, want := range map[string]string{
		"יֵשׁוּת": "ישות", "דֻּבָּה": "דובה", "חֹק": "חוק", "שִׁלֵּם": "שילם", "סִפּוּר": "סיפור",
		"מִשְׁפָּחָה": "משפחה", "מִטָּה": "מיטה", "הִגִּיעַ": "הגיע", "רֹאשׁ": "ראש", "בִּנְיָן": "בניין",
		"חַיִּים": "חיים", "עִתּוֹן": "עיתון", "צִפּוֹר": "ציפור", "כֹּחַ": "כוח", "הִתְעַטֵּשׁ": "התעטש",
	} {
		if got := spellings(word); got[0] != want {
			t.Errorf("%q is spelled %q, not %q", word, got, want)
		}
	}
}

func TestInflect(t *testing.T) {
	t.Parallel()
	for past, want := range map[string][]string{
		"שילם":  {"לשלמ", "שילמתי", "משלמ", "ישלמו", "שולמ"},
		"ניקה":  {"לנקות", "ניקיתי", "מנקה", "ינקו", "ניקוי"},
		"התקשר": {"להתקשר", "התקשרנו", "מתקשר", "נתקשר", "התקשרות"},
		"הזמין": {"להזמינ", "הזמנתי", "מזמינ", "הזמנה", "הוזמנו"},
		"העלה":  {"להעלות", "העליתי", "מעלה", "יעלו"},
		"נרדם":  {"להירדמ", "נרדמתי", "יירדמ"},
		"כתב":   {"לכתוב", "כתבתי", "כותב", "יכתבו", "כתיבה"},
		"קנה":   {"לקנות", "קניתי", "קונה", "יקנו", "קנייה"},
		"תרגם":  {"לתרגמ", "מתרגמ", "תורגמ"},
	} {
		got := verbOf(past).inflect()
		for _, form := range want {
			if !slices.Contains(got, form) {
				t.Errorf("%q has no form %q: %q", past, form, got)
			}
		}
	}
	for noun, want := range map[string]string{"דירה": "דירתנו", "מפתח": "מפתחות"} {
		if got := nounForms(noun); !slices.Contains(got, want) {
			t.Errorf("%q has no form %q: %q", noun, want, got)
		}
	}
}
