package plan

import (
	"slices"
	"strings"
	"testing"
)

// Sentences that say in other words what the grammar reads, and what becomes of them.
func TestReworded(t *testing.T) {
	at := said(t, "en")
	for _, c := range []struct{ text, want string }{
		// A thing, and behind it what is to become of it.
		{"the haircut, delete it", `delete "haircut"`},
		{"the concert - bin that", `delete "concert"`},
		{"not going to the concert anymore, take it off", `delete "concert"`},
		{"spinning - push it to thursday", `update "spinning" -> date=11-26`},
		{"book club: move to 20:00 please", `update "book club" -> start=20:00`},
		{"הקונצרט - תבטל אותו", `delete "הקונצרט"`},
		{"את הגינה אני אעשה ביום שישי", `update "הגינה" -> date=11-27`},
		// A new time without a verb, or with one that tells.
		{"piano recital on the 5th instead", `update "piano recital" -> date=12-05`},
		{"tennis moved to sunday", `update "tennis" -> date=11-22`},
		{"the quarterly review has been bumped to friday at 9",
			`update "quarterly review" -> date=11-27 start=09:00`},
		{"the parent meeting should start at 18:30", `update "parent meeting" -> start=18:30`},
		{"chess to 17:15", `update "chess" -> start=17:15`},
		{"Noam asked to move the tennis to 6pm", `update "tennis" -> start=18:00`},
		{"הטניס בחמישי בשבע במקום ברביעי", `update "הטניס" -> date=11-26 start=07:00`},
		{"הקונצרט עובר ליום ראשון", `update "הקונצרט" -> date=11-22`},
		{"הדוח יכול לחכות ליום ראשון", `update "הדוח" -> date=11-22`},
		// By an amount.
		{"Ruth wants tennis 20 minutes later", `update "tennis with Ruth" -> shift=20m`},
		{"shift the recital to two days later", `update "recital" -> days=2`},
		{"postpone the garden party a week", `update "garden party" -> days=7`},
		{"give me another week for the report", `update "report" -> days=7`},
		{"תזיזי את הטניס שעה אחורה", `update "הטניס" -> shift=-60m`},
		{"הקונצרט חצי שעה קודם", `update "הקונצרט" -> shift=-30m`},
		// Why is left out, and anything more is not.
		{"cancel the tennis, i hurt my knee", `delete "tennis"`},
		{"cancel the tennis because it rains", `delete "tennis"`},
		{"תבטלי את הטניס, נפצעתי", `delete "הטניס"`},
		{"cancel the tennis, i want chess instead", "!"},
		{"cancel the tennis, add chess on friday at 9", "!"},
		// All of a series, but not all of anything.
		{"cancel all pottery classes", `delete "pottery classes" scope=SERIES`},
		{"תבטל את כל שיעורי הקרמיקה", `delete "שיעורי הקרמיקה" scope=SERIES`},
		{"cancel all meetings", "!"},
		{"תבטל את כל הפגישות", "!"},
		// What is done.
		{"hedge mowed", `done "mow hedge"`},
		{"passport renewed!", `done "renew passport"`},
		{"form signed and sent to the school", `done "send form to the school"`},
		{"the garage is sorted", `done "garage"`},
		{"הגדר נצבעה סוף סוף", `done "לצבוע הגדר"`},
		{"הטופס - בוצע", `done "הטופס"`},
		{"table booked for friday", "!"},
		{"is the party done", "search"},
		// Reminders.
		{"would you mind adding bread to the shopping list", `list-add "shopping" "bread"`},
		{"could i get a reminder to call Ruth tomorrow at 9", `task "Call Ruth" 11-22 09:00`},
		{"every sunday at 8 remind me to take the bins out", `task "Take the bins out" rec=WEEKLY SUNDAY 08:00`},
		{"every first of the month pay rent, remind me", `task "Pay rent" rec=MONTHLY 1`},
		{"i promised Ruth a book, remind me tomorrow", `task "I promised Ruth a book" 11-22`},
		{"three things for tomorrow: water the ferns, call mom, pay rent",
			`tasks "Water the ferns" 11-22 09:00~ "Call mom" 11-22 09:00~ "Pay rent" 11-22`},
		{"הבטחתי לרות ספר, תזכיר לי מחר", `task "הבטחתי לרות ספר" 11-22`},
		{"תרשמי שצריך לאסוף את דנה מחר בשבע בערב", `task "לאסוף את דנה" 11-22 19:00`},
		{"תזכיר לי עוד שעתיים שהתנור חם", `task "התנור חם" 11-21 14:00`},
		{"תזכיר לי מחרר בשש להביא תיק", "!"},
		// Lists and what is to be kept.
		{"need lemons", `list-add "shopping" "lemons"`},
		{"need help", "!"},
		{"I need a haircut", "!"},
		{"candles to the shopping list", `list-add "shopping" "candles"`},
		{"remove socks from packing", `list-remove "packing" "socks"`},
		{"swap jam for honey on the shopping list", "!"},
		{"the alarm code is 8080", `note "the alarm code is 8080"`},
		{"לגננת קוראים שרה, תרשום", `note "לגננת קוראים שרה"`},
		// Events.
		{"add chess thrusday at 5", `create "Chess" 11-26 17:00`}, //nolint:misspell // on purpose
		{"the tiler is coming on tuesday between nine and eleven", `create "Tiler" 11-24 09:00-11:00`},
		{"יוני בא מחר בשמונה", "!"},
		// Questions.
		{"tomorrow?", "schedule 11-22..11-23"},
		{"what about friday", "schedule 11-27..11-28"},
		{"is friday packed or not", "free schedule 11-27..11-28"},
		{"is the recital in the evening", `search "recital"`},
		{"what do i have to finish by thursday", "task-read 11-2"},
		{"ומה לגבי יום ראשון", "schedule 11-22..11-23"},
		{"אני פנויה רביעי בבוקר?", "free schedule 11-25 06:00"},
		{"מה היה לי רביעי שעבר", "schedule 11-18..11-19"},
		{"tell me what to do", "!"},
	} {
		if got, _ := understood(c.text, at); !strings.HasPrefix(got, c.want) {
			t.Errorf("%q: %s, want %s", c.text, got, c.want)
		}
	}
}

// What asks, forbids or sets a condition is not put into the words of a command.
func TestRewordedKeepsWhatIsNoCommand(t *testing.T) {
	at := said(t, "en")
	for _, text := range []string{
		"is the tennis moved to sunday?", "why was the tennis moved to sunday", "did the tennis move to sunday",
		"don't cancel the recital", "if it rains, the tennis moves to sunday", "was the form signed?",
		"should the parent meeting start at 18:30", "לא לבטל את הקונצרט", "האם הקונצרט עובר ליום ראשון",
		"הקונצרט עובר ליום ראשון?", "מתי הגדר נצבעה",
	} {
		if out, err := Understand(text, at); err == nil && !out.Tool.Reads() {
			t.Errorf("%q: %s", text, everyday(out))
		}
	}
}

func TestConjugated(t *testing.T) {
	for future, want := range map[string][]string{
		"תזרוק": {"תזרוק", "תזרקי", "תזרקו", "זרוק", "זרקי", "זרקו", "לזרוק"},
		"תדחה":  {"תדחה", "תדחי", "תדחו", "דחה", "דחי", "דחו", "לדחות"},
		"תבטל":  {"תבטל", "תבטלי", "תבטלו", "בטל", "בטלי", "בטלו", "לבטל"},
		"תעביר": {"תעביר", "תעבירי", "תעבירו", "העבר", "העבירי", "העבירו", "להעביר"},
		"תוסיפ": {"תוסיפ", "תוסיפי", "תוסיפו", "הוספ", "הוסיפי", "הוסיפו", "להוסיפ"},
		"תשימ":  {"תשימ", "תשימי", "תשימו", "שימ", "שימי", "שימו", "לשימ"},
	} {
		got := conjugated(future)
		for _, form := range want {
			if !slices.Contains(got, form) {
				t.Errorf("%s: %v lacks %s", future, got, form)
			}
		}
	}
}
