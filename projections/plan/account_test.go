package plan

import (
	"strings"
	"testing"
	"time"

	"almanac/graph/model"
	"almanac/projections/when"
)

// Sentences of which a part could be lost or be taken for something else. "!" is a refusal.
func TestNothingSaidIsLost(t *testing.T) {
	at := said(t, "en")
	for _, c := range []struct{ text, want string }{
		// How often, as a part of a name and not.
		{"annual checkup on 11 January 2027 at 9:30", `create "Annual checkup" 2027-01-11 09:30-10:30`},
		{"daily sync tomorrow at 9", `create "Daily sync" 11-22 09:00-10:00`},
		{"weekly review on Friday at 9", "!"},
		{"weekly review on Fridays at 9", `create "Review" 11-27 09:00-10:00 rrule=`},
		{"daily walk at 7am", `create "Walk" 11-22 07:00-08:00 rrule=`},
		{"remind me to submit the weekly report on Thursday", `task "Submit the weekly report" 11-26`},
		{"remind me to send the monthly invoice tomorrow at 10", `task "Send the monthly invoice" 11-22 10:00`},
		{"בדיקה שנתית ב-11 בינואר 2027 ב-9:30", `create "בדיקה שנתית" 2027-01-11 09:30-10:30`},
		{"ישיבת צוות שבועית ביום שני ב-8:30", "!"},
		{"ישיבת צוות שבועית בימי שני ב-8:30", `create "ישיבת צוות" 11-23 08:30-09:30 rrule=`},
		// Months, days and feasts that are names.
		{"meet April on 3 December at 5pm", `create "Meet April" 12-03 17:00-18:00`},
		{"add call June back to my tasks", `task "Call June back"`},
		{"December newsletter, tomorrow at 10", "!"},
		{"צהריים עם שקד ומאי ביום שלישי ב-13:00", `create "צהריים עם שקד ומאי" 11-24 13:00-14:00`},
		{"תזכיר לי להתקשר ליוני מחר בתשע", `task "להתקשר ליוני" 11-22 09:00`},
		{"ארוחת ראש השנה אצל סבתא מחר ב-19:00", `create "ארוחת ראש השנה אצל סבתא" 11-22 19:00-20:00`},
		{"weekend planning this Friday from 10:00 to 11:30", `create "Weekend planning" 11-27 10:00-11:30`},
		// Several days.
		{"conference December 4 and 5", `create "Conference" 12-04..12-06`},
		{"כנס ב-4 וב-5 בדצמבר", `create "כנס" 12-04..12-06`},
		{"סדנה ב-8 וב-10 בדצמבר בשעה 9:00", "!"},
		// What has no name.
		{"add an event tomorrow at 3pm", "!"}, {"put something in at 5 tomorrow", "!"}, {"תוסיף אירוע מחר ב-15:00", "!"},
		{"תכניס משהו מחר בחמש", "!"}, {"block Friday morning", `create "" 11-27 06:00-12:00`},
		// Deadlines.
		{"לסיים את המצגת לפני שישי", `task "לסיים את המצגת" 11-26`},
		{"pick up the dry cleaning by Thursday 18:00", `task "Pick up the dry cleaning" 11-26 18:00`},
		{"remind me to fill in the form no later than Wednesday", `task "Fill in the form" 11-25`},
		{"תזכיר לי למלא את הטופס לא יאוחר מיום רביעי", `task "למלא את הטופס" 11-25`},
		// Numbers, denials and words that are no times.
		{"remind me three times tomorrow to drink water", "!"},
		{"תזכיר לי שלוש פעמים מחר לשתות מים", "!"},
		{"no need to order new glasses anymore", `task-delete "order new glasses"`},
		{"remind me at some point to fix the gate", "!"},
		{"תזכיר לי אחר כך להתקשר לענת", "!"},
		{"turn the heating on by Friday, remind me", `task "Turn the heating on" 11-27`},
		{"טעימות יין לשניים ביום שלישי 1 בדצמבר בצהריים", `create "טעימות יין לשניים" 12-01 12:00-13:00`},
		{"add 45 minutes to the recital", `update "recital" -> longer=45m`},
		{"תוסיף לרסיטל עוד חצי שעה", `update "רסיטל" -> longer=30m`},
		{"weekly sync to Monday 30 November at 16:00", "!"},
	} {
		got, _ := understood(c.text, at)
		if c.want == "!" && !strings.HasPrefix(got, "!") || !strings.HasPrefix(got, c.want) {
			t.Errorf("%q: %s, want %s", c.text, got, c.want)
		}
	}
}

// What somebody says of one time of a series, or does at a time, is no part of a name.
func TestWordsAroundANameAreNoPartOfIt(t *testing.T) {
	at := said(t, "en")
	for _, c := range []struct{ text, want string }{
		{"Piano class this Tuesday only: 17:00", `update "Piano class" in 11-24..11-25 -> start=17:00 scope=THIS`},
		{"שיעור נגינה בשלישי ב-17:00, רק הפעם", "!"},
		{"הופעה של להקה, שבת הקרובה, 21:00", `create "הופעה של להקה"`},
		{"concert on the 12th of December, we leave at 6pm", "!"},
		{"I'm doing a swim with Noa on Sunday at 8 am, put it in", `create "Swim with Noa" 11-22 08:00-09:00`},
		{"I have to see the notary next week, schedule it", "!"},
		{"Remind me a month before 20 January to renew the lease", "!"},
		{"תזכיר לי שבוע לפני ה-20 בינואר לחדש את החוזה", "!"},
		{"משימה: להחזיר ספרים לספרייה, רביעי", "!"},
		{"חוג שחייה רביעי ושבת כל שבוע ב-7 בבוקר", "!"},
		{"Members only party on Friday at 21:00", `create "Members only party"`},
		{"remind me a week from Tuesday to renew the lease", `task "Renew the lease" 12-01`},
	} {
		got, _ := understood(c.text, at)
		if c.want == "!" && !strings.HasPrefix(got, "!") || !strings.HasPrefix(got, c.want) {
			t.Errorf("%q\n got %s\nwant %s", c.text, got, c.want)
		}
	}
}

// Where a series begins, and weeks that are said with their days, on a Wednesday.
func TestWeeksThatAreSaid(t *testing.T) {
	at := said(t, "en")
	at.Now = at.Now.AddDate(0, 0, 4)
	for _, c := range []struct{ text, want string }{
		{"pottery every Wednesday at 18:00, starting next week", `create "Pottery" 12-02 18:00-19:00 rrule=`},
		{"choir every Thursday at 7pm from next week", `create "Choir" 12-03 19:00-20:00 rrule=`},
		{"from next week, choir every Thursday at 7pm", `create "Choir" 12-03 19:00-20:00 rrule=`},
		{"pottery every Thursday at 18:00 as of next month", `create "Pottery" 12-03 18:00-19:00 rrule=`},
		{"breakfast every Monday at 8:30 beginning in January", `create "Breakfast" 2027-01-04 08:30-09:30 rrule=`},
		{"מקהלה בכל חמישי ב-19:30 מהשבוע הבא", `create "מקהלה" 12-03 19:30-20:30 rrule=`},
		{"מהשבוע הבא מקהלה כל יום חמישי ב-19:30", `create "מקהלה" 12-03 19:30-20:30 rrule=`},
		{"קדרות כל יום רביעי ב-18:00 החל משבוע הבא", `create "קדרות" 12-02 18:00-19:00 rrule=`},
		{"גרמנית בימי חמישי ב-17:00 החל מחודש הבא", `create "גרמנית" 12-03 17:00-18:00 rrule=`},
		{"next week on Thursday dentist at 10", `create "Dentist" 12-03 10:00-11:00`},
		{"move the recital next week on Thursday to 10:00", `update "recital" in 12-03..12-04 -> start=10:00`},
		{"guitar on Sunday starts at 18:00 this week", "!"},
		{"בשבוע הבא ביום חמישי בעשר פגישה", `create "פגישה" 12-03 10:00-11:00`},
	} {
		got, _ := understood(c.text, at)
		if !strings.HasPrefix(got, c.want) {
			t.Errorf("%q: %s, want %s", c.text, got, c.want)
		}
	}
}

// When a task is due, goods that are ordered, and free time that is looked for.
func TestDueDatesGoodsAndFreeTime(t *testing.T) {
	at := said(t, "en")
	for _, c := range []struct{ text, want string }{
		{"set the due date of renew passport to 10 December", `task-move "renew passport" 12-10`},
		{"put a due date of 4 December on clean the garage", `task-move "clean the garage" 12-04`},
		{"set December 9 as the deadline for order new glasses", `task-move "order new glasses" 12-09`},
		{"make the expense report due on 2 December", `task-move "expense report" 12-02`},
		{"the deadline for the expense report is Thursday", `task-move "expense report" 11-26`},
		{"שים תאריך יעד 10 בדצמבר למשימה לסדר את המחסן", `task-move "לסדר את המחסן" 12-10`},
		{"תן למשימה לעדכן קורות חיים דדליין ל-6 בדצמבר", `task-move "לעדכן קורות חיים" 12-06`},
		{"המועד האחרון של להגיש דוח הוא 2 בדצמבר", `task-move "להגיש דוח" 12-02`},
		{"תוסיף משימה לשלם ארנונה, תאריך יעד 10 בדצמבר", `task "לשלם ארנונה" 12-10`},
		{"please set up a deadline on Sunday at 17:30", `create "Deadline" 11-22 17:30`},
		{"תזמין לי סושי לתשע", "!"}, {"תזמין מונית לשבע", "!"}, {"order me a pizza for eight", "!"},
		{"תזמין תור לתספורת מחר ב-9", `create "תור לתספורת" 11-22 09:00`},
		{"find a slot for lunch with Adi on Tuesday", "gap 60m schedule 11-24..11-25"},
		{"find two hours for studying on Sunday", "gap 120m schedule 11-22..11-23"},
		{"I need to find a time to see Gil next week", "gap 60m schedule 11-22..11-29"},
		{"find the time of the concert", `search "concert"`},
		{"תמצא לי זמן לצהריים עם עדי ביום שלישי", "gap 60m schedule 11-24..11-25"},
		{"צריך למצוא חצי שעה עם רון מחר", "gap 30m schedule 11-22..11-23"},
	} {
		got, _ := understood(c.text, at)
		if c.want == "!" && !strings.HasPrefix(got, "!") || !strings.HasPrefix(got, c.want) {
			t.Errorf("%q: %s, want %s", c.text, got, c.want)
		}
	}
	for text, want := range map[string]string{"I need to postpone yoga": "yoga", "צריך לדחות את היוגה": "היוגה",
		"we have to reschedule the vet appointment": "vet appointment", "I need to buy a sofa": ""} {
		out, err := Understand(text, at)
		if err != nil || out.Task == nil || out.Task.New[0].Alters != want {
			t.Errorf("%q: %+v, %v, want to alter %q", text, out.Task, err, want)
		}
	}
	for _, text := range []string{"I won't make it to the board meeting", "אני לא הולך להופעה"} {
		if out, err := Understand(text, at); err != nil || out.Delete == nil || !out.Proposed {
			t.Errorf("%q: %+v, %v, want a proposal", text, out, err)
		}
	}
}

// A plan keeps the name and the time of its sentence, whatever the name is and wherever the time stands, or it is
// refused: names that look like times, verbs and numbers in many frames.
func TestFramesKeepTheirParts(t *testing.T) {
	zone, err := when.LoadZone("Asia/Jerusalem")
	if err != nil {
		t.Fatal(err)
	}
	at := when.Moment{Now: time.Date(2026, 11, 25, 10, 0, 0, 0, zone), Zone: zone, WeekStart: model.Sunday, Locale: "en"}
	for _, language := range partsInFrames {
		for i, frame := range language.frames {
			for k, name := range language.names {
				for n, time := range language.times {
					if (7*i+3*k+n)%5 == 0 {
						keepsParts(t, at, strings.NewReplacer("{T}", name, "{W}", time[0]).Replace(frame), name, time)
					}
				}
			}
		}
	}
}

// keepsParts holds the event that a sentence makes against its parts: the time, and whether it repeats.
func keepsParts(t *testing.T, at when.Moment, text, name string, when [3]string) {
	t.Helper()
	out, err := Understand(text, at)
	if err != nil || out.Tool.Reads() {
		return
	}
	if out.Create == nil {
		t.Errorf("%q: %s", text, out.Tool)
		return
	}
	c := out.Create
	if got := c.Start.At.Format("01-02 15:04"); !strings.EqualFold(c.Title, name) || got != when[1] ||
		(c.Recurrence != "") != (when[2] != "") {
		t.Errorf("%q: %q at %s %s", text, c.Title, got, c.Recurrence)
	}
}

// partsInFrames are names, times with the start of an event and whether it repeats, and the frames that they are put
// into.
var partsInFrames = []struct {
	names  []string
	times  [][3]string
	frames []string
}{
	{strings.Split("annual checkup|lunch with Shaked and May|call with April|coffee with June|talk on time management|"+
		"monthly report review|drop off the car|change of tyres|window cleaner|10k run|1:1 with Gil|Q4 planning|"+
		"second opinion with Dana|half marathon|first aid course|moving day|wine tasting for two|return flight|tax call|"+
		"sync with Will|August Wilson play|x-ray|board game club|new year's lunch|carpool to daycare", "|"),
		[][3]string{{"tomorrow at 9:30", "11-26 09:30"}, {"on Sunday at 17:30", "11-29 17:30"},
			{"next week on Thursday at 10:00", "12-03 10:00"}, {"on Thursday next week at 10:00", "12-03 10:00"},
			{"on Tuesday 1 December at noon", "12-01 12:00"}, {"on the 20th at 7pm", "12-20 19:00"},
			{"at 15:00 on 9 December", "12-09 15:00"}, {"every Monday at 9:00", "11-30 09:00", "weekly"},
			{"every Thursday at 19:00 starting next week", "12-03 19:00", "weekly"}},
		[]string{"{T} {W}", "add {T} {W}", "{W} {T}", "{W}: {T}", "{T}, {W}", "please set up {T} {W}", "I have {T} {W}",
			"can you add {T} {W}?"}},
	{strings.Split("בדיקה שנתית|צהריים עם שקד ומאי|שיחה עם יוני|הרצאה על ניהול זמן|סקירת דוח חודשי|טעימות יין לשניים|"+
		"ריצת 10 קילומטר|יום מעבר דירה|קורס עזרה ראשונה|חוות דעת שנייה|חצי מרתון|מסיבת סוף שנה|תכנון סוף השבוע|שיחת מס|"+
		"שחייה|החלפת צמיגים|קבוצת קריאה|שיעור ניסיון|ועד בית|הרמת כוסית|מסיבת פרידה ממאיה", "|"),
		[][3]string{{"מחר ב-9:30", "11-26 09:30"}, {"ביום ראשון ב-17:30", "11-29 17:30"},
			{"בשבוע הבא ביום חמישי ב-10:00", "12-03 10:00"}, {"ביום חמישי בשבוע הבא ב-10:00", "12-03 10:00"},
			{"ביום שלישי 1 בדצמבר בצהריים", "12-01 12:00"}, {"ב-20 לחודש ב-19:00", "12-20 19:00"},
			{"ב-15:00 ב-9 בדצמבר", "12-09 15:00"}, {"כל יום שני ב-9:00", "11-30 09:00", "weekly"},
			{"כל יום חמישי ב-19:00 החל מהשבוע הבא", "12-03 19:00", "weekly"}},
		[]string{"{T} {W}", "תוסיף {T} {W}", "{W} {T}", "{W}: {T}", "{T}, {W}", "תרשום לי {T} {W}", "תכניס ליומן {T} {W}",
			"אפשר להוסיף {T} {W}?"}},
}
