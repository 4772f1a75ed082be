package plan

import (
	"strings"
	"testing"
)

// Wishes with asides, facts of what is there, ends of series and further ways of English.
func TestEnglishWays(t *testing.T) {
	at := said(t, "en")
	for _, c := range []struct{ text, want string }{
		// What is said around a wish.
		{"cancel the recital, my back hurts", `delete "recital"`},
		{"dinner on friday at 8, she's bringing wine", `create "Dinner" 11-27 20:00`},
		{"move the recital to friday because the hall is taken", `update "recital" -> date=11-27`},
		{"Swapped with Ruth, so I'm working the evening shift on Friday from 3pm to 11pm",
			`create "Evening shift" 11-27 15:00-23:00`},
		{"would it be possible to move the recital to friday? My son is driving me.", `update "recital" -> date=11-27`},
		{"recital tomorrow at 8, it got cancelled", `delete "recital" in 11-22..11-23 at=08:00`},
		{"cancel the recital, the hall is cold, and book the choir", "!"},
		{"cancel the recital, book the choir for friday at 9", "!"},
		{"recital tomorrow at 8, if Ruth can come", "!"},
		{"remind me to uh water the ferns tomorrow at 9", `task "Water the ferns" 11-22 09:00`},
		// A month that is gone through is over at its end; "until" may mean its beginning.
		{"choir each tuesday at 20:15 through february",
			`create "Choir" 11-24 20:15-21:15 rrule=FREQ=WEEKLY;UNTIL=20270228T215959Z`},
		// Facts of what is there.
		{"the recital is in room 4", `update "recital"`},
		{"the board meeting got shorter, we finish at 12", `update "board meeting" -> end=12:00`},
		{"the athens flight is delayed by forty minutes", `update "athens flight" -> shift=40m`},
		{"the interview is in room 5 now, not room 2", `update "interview" -> loc="room 5"`},
		{"the party will be at Hadar's place", `update "party" -> loc="Hadar's place"`},
		{"physio's at one now, not 12:30", `update "physio" -> start=13:00`},
		{"recital starts at 15:30 now instead of 15:00", `update "recital" -> start=15:30`},
		{"the plumber says he'll only get here at 5", `update "plumber" -> start=17:00`},
		{"extend the offsite until december 18", `update "offsite" -> enddate=12-19`},
		{"guitar lesson this sunday only: 18:00", `update "guitar lesson" in 11-22..11-23 -> start=18:00 scope=THIS`},
		{"the keys are at mom's", "!"},
		{"Dana is in the office", "!"},
		{"the flight is on time", "!"},
		{"plumber says he needs the key", "!"},
		// Ends of series.
		{"Piano lessons stop after Dec 29", `delete "Piano lessons" in 12-30..2027-04-01 scope=FOLLOWING`},
		{"no more book club from january", `delete "book club" in 2027-01-01..2027-04-03 scope=FOLLOWING`},
		{"swimming: from january at nine instead of eight", `update "swimming" in 2027-01-01..2027-04-03 -> start=09:00`},
		{"remove the vet from sunday", `delete "vet" in 11-22..11-23`},
		{"no more coffee", "!"},
		// New events.
		{"reserve duty from the 6th to the 8th", `create "Reserve duty" 12-06..12-09`},
		{"on call from friday 22:00 till saturday 6:00", `create "On call" 11-27 22:00-11-28 06:00`},
		{"shift at the cafe this saturday 15:00 till 23:00", `create "Shift" 11-21 15:00-23:00`},
		{"set up onboarding for Sunday, nine to noon", `create "Onboarding" 11-22 09:00-12:00`},
		{"lunch at grandma's on friday at 1", `create "Lunch" 11-27 13:00`},
		{"wine tasting on the last thursday of december at 8 pm", `create "Wine tasting" 12-31 20:00`},
		{"session with Gali on the 15th at 4, sorry, 4:30 pm", `create "Session with Gali" 12-15 16:30`},
		{"block off the whole of Tuesday for moving house", `create "Moving house" 11-24..11-25`},
		{"annual leave 29-30 december", `create "Annual leave" 12-29..12-31`},
		{"electrician tomorrow at 4:30 pm, he'll need an hour", `create "Electrician" 11-22 16:30-17:30`},
		{"vacation from Sunday the 20th until Thursday the 24th of december", `create "Vacation" 12-20..12-25`},
		{"book padel on monday or tuesday at 7", "!"},
		{"a haircut would be good some day", "!"},
		// Questions.
		{"give me december in short", "schedule 12-01..2027-01-01"},
		{"how many times do I have pilates in december", `count search "pilates" 12-01..2027-01-01`},
		{"what do I have before lunch tomorrow", "schedule 11-22 06:00"},
		{"list all the events with doctor in the name", `search "doctor"`},
	} {
		got, _ := understood(c.text, at)
		if c.want == "!" && !strings.HasPrefix(got, "!") || !strings.HasPrefix(got, c.want) {
			t.Errorf("%q\n got %s\nwant %s", c.text, got, c.want)
		}
	}
}

// A series that is to end is asked about first, and so is a change that is put as a question.
func TestEnglishProposals(t *testing.T) {
	at := said(t, "en")
	for _, text := range []string{"Piano lessons stop after Dec 29", "can the board meeting end at 11:30?",
		"I don't need the eye doctor appointment any more"} {
		if out, err := Understand(text, at); err != nil || !out.Proposed {
			t.Errorf("%q: %+v, %v", text, out, err)
		}
	}
	for _, text := range []string{"could I squeeze in a haircut on Thursday at 2", "can I get a haircut on Thursday at 2?",
		"should we do a call tomorrow at 3?", "is the dentist at Dizengoff 50?", "do the kids have swimming on friday"} {
		if out, err := Understand(text, at); err == nil && !out.Tool.Reads() {
			t.Errorf("%q: %s", text, everyday(out))
		}
	}
}
