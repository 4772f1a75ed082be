package plan

import (
	"strings"
	"testing"
)

// Facts that change what is there, reasons before a command, and instructions behind a statement.
func TestFacts(t *testing.T) {
	at := said(t, "en")
	for _, c := range []struct{ text, want string }{
		// What became of something that is there.
		{"garden party has been moved up to 9:30", `update "garden party" -> start=09:30`},
		{"the recital is delayed, it's now at 19:40", `update "recital" -> start=19:40`},
		{"the recital will be on friday instead", `update "recital" -> date=11-27`},
		{"train to Haifa leaves at 7:10 now, update it", `update "train to Haifa" -> start=07:10`},
		{"the tiler cancelled, new date is 4 december at 8:40", `update "tiler" -> date=12-04 start=08:40`},
		{"I can't make the recital at 12, put it at 1", `update "recital" -> start=13:00`},
		{"recital: make it 90 minutes", `update "recital" -> len=90m`},
		{"the recital ends at 22:00", `update "recital" -> end=22:00`},
		{"put the recital on friday instead", `update "recital" -> date=11-27`},
		{"הרסיטלים עברו ליום שישי", `update "הרסיטלים" -> date=11-27`},
		{"הרסיטל נגמר בעשר בערב", `update "הרסיטל" -> end=22:00`},
		{"הרסיטל יוצא עכשיו ב-7:10, תעדכן", `update "הרסיטל" -> start=07:10`},
		{"תוסיפי לרסיטל מיקום: היכל התרבות", `update "רסיטל" -> loc="היכל התרבות"`},
		{"the recital will be in room 4 instead", `update "recital" -> loc="room 4"`},
		// Why, and then what.
		{"my back is better, cancel the massage today", `delete "massage" in 11-21..11-22`},
		{"we have a plumber at home, cancel the recital", `delete "recital"`},
		{"we won't be there on friday, cancel the recital", `delete "recital" in 11-27..11-28`},
		{"the oven is on, remind me in 50 minutes to look at it", `task "Look at it" 11-21 12:50`},
		{"Ruth cancelled, delete the lunch with her", `delete "lunch with Ruth"`},
		{"רות ביטלה, תמחקי את הצהריים איתה", `delete "הצהריים עם רות"`},
		{"if it rains, cancel the recital", "!"},
		{"don't wait, cancel nothing", "!"},
		{"I need milk, add eggs to the shopping list", "!"},
		{"my flight is on friday, remind me to pack", "!"},
		// What is to be put down.
		{"they gave me an ultrasound for tuesday 8:20 am, put it in please", `create "Ultrasound" 11-24 08:20`},
		{"dentist friday at 10, add it to my calendar", `create "Dentist" 11-27 10:00`},
		{"סידרתי לי תור לספר, שישי בתשע בבוקר, תכניסי", `create "תור לספר" 11-27 09:00`},
		{"עד יום שלישי אני צריך לגמור את השקפים, תכניס כמשימה", `task "לגמור את השקפים" 11-24`},
		{"I keep forgetting to order salt, put it on my tasks", `task "Order salt"`},
		{"לקנות חלב, תכניס לקניות", `list-add "הקניות" "חלב"`},
		// Days and weeks.
		{"conference 2, 3 and 4 january", `create "Conference" 2027-01-02..2027-01-05`},
		{"holiday from the 3rd to the 10th of january", `create "Holiday" 2027-01-03..2027-01-11`},
		{"what do I have the week of december 13", "schedule 12-13..12-20"},
		{"what do I have the weekend of the 18th of december", "schedule 12-18..12-20"},
		{"מה יש לי בשבוע של 13 בדצמבר", "schedule 12-13..12-20"},
		{"yoga on weekday mornings at 7", `create "Yoga" 11-22 07:00`},
		{"ראשון ב-14:00 פגישת התנעה", `create "פגישת התנעה" 11-22 14:00`},
		// What would stand in a title by mistake, and several things at once.
		{"הבטחתי לדודה רבקה שנדבר היום בשש בערב, תוסיף ליומן", "!"},
		{"שבת חתן של יונתן, 12 בדצמבר, כל היום", "!"},
		{"לגבות את המחשב - עדיפות גבוהה", "!"},
		{"remind me to call the bank after work", "!"},
		{"need to wash the curtains and descale the kettle", `tasks "Wash the curtains" "Descale the kettle"`},
	} {
		if got, _ := understood(c.text, at); !strings.HasPrefix(got, c.want) {
			t.Errorf("%q: %s, want %s", c.text, got, c.want)
		}
	}
}

// A change that is put as a question is only proposed.
func TestProposals(t *testing.T) {
	at := said(t, "en")
	for _, text := range []string{
		"can we do the recital on monday instead?", "can we do the recital an hour earlier",
		"could the recital be at 17:30 instead?",
		"אפשר את הרסיטל ביום שני במקום, באותה שעה?", "אפשר לעשות את הרסיטל ב-14:00 במקום?",
	} {
		if out, err := Understand(text, at); err != nil || out.Update == nil || !out.Proposed {
			t.Errorf("%q: %+v, %v", text, out, err)
		}
	}
	for _, text := range []string{"can we do that?", "can I see the recital on monday?", "אפשר לראות את יום שני?"} {
		if out, err := Understand(text, at); err == nil && !out.Tool.Reads() {
			t.Errorf("%q: %s", text, everyday(out))
		}
	}
}

// Reminders are counted from an event, which whoever carries them out finds.
func TestBeside(t *testing.T) {
	at := said(t, "en")
	for _, c := range []struct {
		text, event, what string
		days, minutes     int
		end               bool
	}{
		{"remind me an hour before the dentist to eat", "dentist", "Eat", 0, -60, false},
		{"remind me to pack two days before the flight to Athens", "flight to Athens", "Pack", -2, 0, false},
		{"the evening before the recital remind me to print the notes", "recital", "Print the notes", -1, 0, false},
		{"when I finish physio remind me to text Ruth", "physio", "Text Ruth", 0, 0, true},
		{"remind me an hour before the dentist", "dentist", "", 0, -60, false},
		{"תזכיר לי לארוז יומיים לפני הטיסה", "הטיסה", "לארוז", -2, 0, false},
		{"חצי שעה לפני הרסיטל תזכירי לי להדפיס תווים", "הרסיטל", "להדפיס תווים", 0, -30, false},
	} {
		out, err := Understand(c.text, at)
		if err != nil || out.Task == nil || len(out.Task.New) != 1 || out.Task.New[0].Beside == nil {
			t.Errorf("%q: %+v, %v", c.text, out, err)
			continue
		}
		one := out.Task.New[0]
		if b := one.Beside; b.Event != c.event || one.Text != c.what || b.Days != c.days ||
			int(b.Length.Minutes()) != c.minutes ||
			b.End != c.end {
			t.Errorf("%q: %q %+v", c.text, one.Text, *b)
		}
	}
	if got, _ := understood("remind me 10 minutes before 4pm to dial in", at); !strings.HasPrefix(got, `task "Dial `+
		`in" 11-21 15:50`) {
		t.Error(got)
	}
}
