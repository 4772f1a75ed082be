package plan

import (
	"strings"
	"testing"
)

// Sentences that tell what became of something are read as the command that they stand for, and those that only look
// like them are not.
func TestRephrase(t *testing.T) {
	at := said(t, "en")
	for _, c := range []struct{ text, want string }{
		{"the plumber isn't coming after all", `delete "plumber"`},
		{"my flight was moved to 22:00", `update "flight" -> start=22:00`},
		{"get the concert out of my calendar", `delete "concert"`},
		{"we're out of olive oil", `list-add "shopping" "olive oil"`},
		{"make sure to call mom tomorrow", `task "Call mom"`},
		{"anything from the bank", `mail from="bank"`},
		{"הטיסה נדחתה ל-22:00", `update "הטיסה" -> start=22:00`},
		{"שירה ביטלה את הראיון", `delete "הראיון"`},
		{"שילמתי את חשבון החשמל", `done "לשלם חשבון החשמל"`},
		{"we're out of office next week", "!"},
		{"no worries about tomorrow", "!"},
		{"i have no time tomorrow at 5", "!"},
		{"is the yoga cancelled?", `search "yoga"`},
		{"פגישות מחר ב-10", "schedule"},
		{"זמן פנוי מחר ב-10", "free schedule"},
		{"צריך לדעת מה יש לי מחר", "schedule"},
	} {
		if got, _ := understood(c.text, at); !strings.HasPrefix(got, c.want) {
			t.Errorf("%q: %s, want %s", c.text, got, c.want)
		}
	}
}

// A time that is told by something else, of which no hour is known, makes no event, and neither does a statement about
// one that is there.
func TestNoEventOfStatements(t *testing.T) {
	at := said(t, "en")
	for _, text := range []string{
		"drinks with the team after work on thursday", "breakfast at work today at 9", "new year's eve party at 21:00",
		"מעכשיו הפגישה עם גיל ב-15:00", "החל מ-8 בדצמבר שיעור הפסנתר ב-16:30",
		"תמר מעדיפה את הצהריים מחר בשתיים",
	} {
		if out, err := Understand(text, at); err == nil && !out.Tool.Reads() {
			t.Errorf("%q: %s", text, short(out))
		}
	}
}
