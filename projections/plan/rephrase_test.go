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
		{"choir at 20:30 instead of 19:00", `update "choir" -> start=20:30`},
		{"the recital begins at 16:30", `update "recital" -> start=16:30`},
		{"the panel will run until 12:30", `update "panel" -> end=12:30`},
		{"surgery now at 10:15", `update "surgery" -> start=10:15`},
		{"the tram to Acre goes at 11:20 on 4 December", `create "Tram to Acre"`},
		{"move the ferry to Haifa to 9:05", `update "ferry to Haifa" -> start=09:05`},
		{"pick me down for judo tomorrow at 17:00", "!"},
		{"remind me 10 minutes before 4pm to dial in", `task "Dial in" 11-21 15:50`},
		{"log the receipts ✔", `done "log the receipts"`},
		{"book sauna with Gadi for sun 20:00", `create "Sauna with Gadi" 11-22 20:00`},
		{"המקהלה ב-20:30 במקום ב-19:00", `update "המקהלה" -> start=20:30`},
		{"הרסיטל בשישי עובר ל-12:00", `update "הרסיטל"`},
		{"לכסות את הגלגלים מחר", `task "לכסות את הגלגלים"`},
		{"המסגר הבריז, תמחקי", `delete "המסגר"`},
		{"bring the plumber forward to 3 pm", `update "plumber" -> start=15:00`},
		{"remind me of... no wait, book the vet for Rex on 13 December at 17:00", `create "Vet for Rex" 12-13 17:00`},
		{"the library books can wait until Sunday", `task-move "library books" 11-22`},
		{"give 'Order new glasses' a deadline of December 20", `task-move "Order new glasses" 12-20`},
		{"call mom tonight", `task "Call mom"`},
		{"call mom at 17:00 tomorrow", `create "Call mom"`},
		{"water polo tomorrow at 6pm", `create "Water polo"`},
		{"submit the report by end of day", `task "Submit the report"`},
		{"bring back what you deleted", "undo"},
		{"what's late?", "task-read OVERDUE"},
		{"what do we still need to buy?", `list-read "shopping"`},
		{"book a slot at 9 yesterday", "!"},
		{"remind me the day before", "!"},
		{"מחר בשמונה בבוקר להתקשר למרפאה", `task "להתקשר למרפאה" 11-22 08:00`},
		{"תעבירו את החזרה לשבת הבאה ב-16:00", `update "החזרה"`},
		{"קדרות בימי חמישי בשבע בערב, שישה מפגשים", `create "קדרות" 11-26 19:00`},
		{"להחזיר ספרים לספרייה יכול לחכות לשלישי", `task-move "להחזיר ספרים לספרייה" 11-24`},
		{"אני צריך לשלם שכירות בכל אחד לחודש", `task "לשלם שכירות" rec=MONTHLY 1`},
		{"קבעתי עם דנה קפה מחר ב-11:00", `create "קפה עם דנה"`},
		{"תחזיר את מה שמחקת", "undo"},
		{"חסר לנו שמן זית", `list-add "הקניות" "שמן זית"`},
		{"ביקורת מס, חמישי 26 בנובמבר, 8:00 עד 12:00", `create "ביקורת מס" 11-26 08:00-12:00`},
		{"a root canal on the twenty third of december at 8am", `create "Root canal" 12-23 08:00`},
		{"todo list pls", "task-read"},
		{"set a reminder for 5", "!"},
		{"who wrote to me yesterday", "mail"},
		{"im having drinks with the neighbours on 26 november at 21:00", `create "Drinks with the neighbours" 11-26 21:00`},
		{"put the electrician down for 29 november between 2 and 4 pm", `create "Electrician" 11-29 14:00-16:00`},
		{"monthly board games, last saturday of the month, 9pm", `create "Board games" 11-28 21:00`},
		{"choir practice tuesdays 20:15 til new years",
			`create "Choir practice" 11-24 20:15-21:15 rrule=FREQ=WEEKLY;UNTIL=20261231`},
		{"add salmon to shopping and a sleeping bag to packing", "!"},
		{"when could i fit in an hour tomorrow", "gap"},
		{`create an event "Sync" tomorrow at 13:00, location Bank Leumi, Rothschild 9`,
			`create "Sync" 11-22 13:00-14:00 loc="Bank Leumi, Rothschild 9"`},
		{`תפתחי אירוע בשם "חתימה" ב-21.12.2026 בשעה 13:00 בבנק לאומי רוטשילד 9`, "!"},
		{"hey can u stick a haircut in for 24 november 5.30pm", `create "Haircut" 11-24 17:30`},
		{"padel w/ nir sat 8am", `create "Padel with nir" 11-28 08:00`},
		{"ultrasound nov 24 0930", `create "Ultrasound" 11-24 09:30`},
		{"pt session 24 november 0700-0800", `create "Pt session" 11-24 07:00-08:00`},
		{"remember that the code of the gate is 0930", `note "the code of the gate is 0930"`},
		{"in 45 min tell me to check the oven", `task "Check the oven" 11-21 12:45`},
		{"tell me what I have tomorrow", "schedule"},
		{"task for 24 november: collect the dress", `task "Collect the dress" 11-24`},
		{"paid the electric bill", `done "pay the electric bill"`},
		{"any unread", "mail"},
		{"any gaps tomorrow", "gap"},
		{"that was a mistake, revert", "undo"},
		{"the plumber cancelled", `delete "plumber"`},
		{"מספר הדרכון שלי 31220984 תשמרי", `note "מספר הדרכון שלי 31220984"`},
		{"יאללה תוסיף לי לצבוע את הגדר", `task "לצבוע את הגדר"`},
		{"תזרקי לקניות חלב ודבש", `list-add "הקניות" "חלב" "דבש"`},
		{"תוסיף לקניות", "!"},
		{"תזכיר לי לפני הפגישה עם דנה להביא מסמכים", "!"},
		{"remind me before the meeting to print the plan", "!"},
		{"remind me to call before noon tomorrow", "task"},
		{"תוסיף חלב לקניות", `list-add "הקניות" "חלב"`},
		{"remind me on the twenty second to call the bank", `task "Call the bank" 11-22`},
		{"dinner for the twenty first birthday of Noa tomorrow at 19:00", "create"},
		{"תוריד דבש מהקניות", `list-remove "הקניות" "דבש"`},
	} {
		if got, _ := understood(c.text, at); !strings.HasPrefix(got, c.want) {
			t.Errorf("%q: %s, want %s", c.text, got, c.want)
		}
	}
}

// A time that is told by something else, of which no hour is known, makes no event, and neither does a statement about
// one that is there, which may change that one.
func TestNoEventOfStatements(t *testing.T) {
	at := said(t, "en")
	for _, text := range []string{
		"drinks with the team after work on thursday", "breakfast at work today at 9", "new year's eve party at 21:00",
		"מעכשיו הפגישה עם גיל ב-15:00", "החל מ-8 בדצמבר שיעור הפסנתר ב-16:30",
		"תמר מעדיפה את הצהריים מחר בשתיים",
	} {
		if out, err := Understand(text, at); err == nil && !out.Tool.Reads() && out.Update == nil {
			t.Errorf("%q: %s", text, short(out))
		}
	}
}
