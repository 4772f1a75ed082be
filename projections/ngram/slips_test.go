package ngram

import "testing"

func TestSlips(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{"membrship", "membership", true},
		{"landlrod", "landlord", true},
		{"morgage", "mortgage", true},
		{"puncure", "puncture", true},
		{"photografer", "photographer", true},
		{"משכנטא", "משכנתא", true},
		{"אינסולנ", "אינסולינ", true},
		{"milk", "silk", false},
		{"mail", "main", false},
		{"house", "mouse", false},
		{"dentist", "density", false},
		{"dentist", "dentist", false},
		{"", "", false},
		{"dana", "dina", false},
		{"ש", "של", false},
	} {
		if got := isSlip(c.a, c.b); got != c.want {
			t.Errorf("%q and %q: %v", c.a, c.b, got)
		}
		if got := isSlip(c.b, c.a); got != c.want {
			t.Errorf("%q and %q: %v", c.b, c.a, got)
		}
	}
	if nearer, farther := covered(Ask("gym membrship"), "my membership of the gym"),
		covered(Ask("gym membrship"), "my leadership of the gym"); nearer <= farther {
		t.Errorf("a slip covers %v, another word %v", nearer, farther)
	}
}

// TestForms holds that a Hebrew word is found in its other forms.
func TestForms(t *testing.T) {
	t.Parallel()
	for _, c := range [][2]string{
		{"לשלם", "שילמתי"}, {"שולם", "לשלם"}, {"הזמנתי", "להזמין"}, {"המפתחות שלי", "המפתח"}, {"דירתנו", "דירה"},
		{"נתקשר", "התקשרתי"}, {"ישנתי", "לישון"},
	} {
		if got := covered(Ask(c[0]), c[1]); got < 0.8 {
			t.Errorf("%q is covered by %q to %.2f", c[0], c[1], got)
		}
	}
}
