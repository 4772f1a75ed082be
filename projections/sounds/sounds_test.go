package sounds

import (
	"testing"

	"almanac/projections/fold"
)

// TestNames holds names to a sound in common with themselves in the other script.
func TestNames(t *testing.T) {
	t.Parallel()
	for latin, hebrew := range map[string]string{
		"Miriam": "מרים", "Chana": "חנה", "Hannah": "חנה", "Michael": "מייקל", "Mikhail": "מיכאיל", "Charles": "צ'ארלס",
		"Jonathan": "יונתן", "Joseph": "יוסף", "Sofia": "סופיה", "Aleksander": "אלכסנדר", "David": "דוד", "Levi": "לוי",
		"Israel": "ישראל", "Yitzhak": "יצחק", "Zvi": "צבי", "Noa": "נועה", "Roi": "רועי", "Leah": "לאה", "Andrew": "אנדרו",
		"Hernandez": "הרננדס", "Schwartz": "שוורץ", "George": "ג'ורג'", "Uri": "אורי", "Walter": "וולטר",
	} {
		if !meet(latin, hebrew) {
			t.Errorf("%s %v, %s %v", latin, Of(fold.Text(latin)), hebrew, Of(fold.Text(hebrew)))
		}
	}
	for one, other := range map[string]string{"Miriam": "דניאל", "David": "דניאל", "Noa": "נתן", "Sarah": "תמר"} {
		if meet(one, other) {
			t.Errorf("%s sounds like %s", one, other)
		}
	}
	for _, none := range []string{"", "a", "א", "42", "привет", "日本"} {
		if got := Of(none); len(got) > 0 {
			t.Errorf("%q sounds like %v", none, got)
		}
	}
}

func meet(one, other string) bool {
	for _, a := range Of(fold.Text(one)) {
		for _, b := range Of(fold.Text(other)) {
			if a == b {
				return true
			}
		}
	}
	return false
}
