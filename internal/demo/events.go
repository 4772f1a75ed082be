package demo

import (
	"time"

	"almanac/graph/model"
	"almanac/projections/when"
)

// happening is one event of the sample, written as a person would say it.
type happening struct {
	title, description, location string
	// on counts days from today; days is how many an all-day event takes, and then there is no clock.
	on, days int
	// from is the wall-clock hour and minute, lasting how long it takes; ahead counts from now instead, for what must lie
	// ahead at any hour.
	from    string
	lasting time.Duration
	ahead   time.Duration
	repeats string
	guests  []model.Attendee
	minutes []int
	free    bool
}

func guest(email, name string, status model.ResponseStatus) model.Attendee {
	return model.Attendee{Email: email, Name: name, Status: status}
}

// happenings are the events: a working week with a clash, titles that are easily confused, series, whole days, and both
// languages.
func happenings() []happening {
	dana := guest("dana@example.com", "Dana Levi", model.Accepted)
	noa := guest("noa@example.com", "Noa Bar", model.NeedsAction)
	return []happening{
		{title: "Stand-up", on: -14, from: "09:15", lasting: 15 * time.Minute, repeats: "FREQ=WEEKLY;BYDAY=SU,MO,TU,WE,TH",
			minutes: []int{0}},
		{title: "Training", on: -21, from: "18:30", lasting: 90 * time.Minute, repeats: "FREQ=WEEKLY;BYDAY=MO,TH",
			location: "Yarkon Park"},
		{title: "Strength training", on: 2, from: "07:00", lasting: time.Hour, location: "The gym"},
		{title: "אימון איגרוף", on: 4, from: "20:00", lasting: time.Hour, location: "מועדון האגרוף, תל אביב"},
		{title: "One-on-one with Dana", on: -7, from: "14:00", lasting: 30 * time.Minute, repeats: "FREQ=WEEKLY;COUNT=12",
			guests: []model.Attendee{dana}},
		{title: "Coffee with Amit", ahead: 90 * time.Minute, lasting: 45 * time.Minute, location: "Café Xoho",
			minutes: []int{15}},
		{title: "Team meeting", on: 1, from: "10:00", lasting: time.Hour, guests: []model.Attendee{dana, noa},
			description: "The plan for the quarter. Bring numbers."},
		{title: "Team meeting with Dana", on: 1, from: "10:30", lasting: time.Hour, guests: []model.Attendee{dana}},
		{title: "פגישה עם רואה החשבון", on: 1, from: "12:30", lasting: 45 * time.Minute, location: "רחוב הרצל 12, רמת גן",
			minutes: []int{60, 10}},
		{title: "Dentist", on: 1, from: "16:00", lasting: 40 * time.Minute, minutes: []int{120},
			location: "Dr. Cohen, Dizengoff 99"},
		{title: "Review", on: 2, from: "10:00", lasting: time.Hour, guests: []model.Attendee{noa}},
		{title: "Review", on: 9, from: "10:00", lasting: time.Hour, guests: []model.Attendee{noa}},
		{title: "ארוחת ערב אצל סבתא", on: 3, from: "19:00", lasting: 3 * time.Hour},
		{title: "Night flight to Berlin", on: 19, from: "22:40", lasting: 4*time.Hour + 20*time.Minute,
			description: "Booking KX7F2Q"},
		{title: "Berlin", on: 20, days: 4, free: true},
		{title: "יום הולדת לאיתי", on: 8, days: 1, free: true, repeats: "FREQ=YEARLY"},
		{title: "Pay the rent", on: -25, from: "09:00", lasting: 15 * time.Minute, repeats: "FREQ=MONTHLY;BYMONTHDAY=1",
			free: true},
	}
}

// family are the events of the calendar that no account has.
func family() []happening {
	return []happening{
		{title: "Swimming lesson", on: -14, from: "17:00", lasting: 45 * time.Minute, repeats: "FREQ=WEEKLY;BYDAY=TU",
			location: "Country club pool", minutes: []int{30}},
		{title: "ארוחת שישי", on: -14, from: "19:00", lasting: 150 * time.Minute, repeats: "FREQ=WEEKLY;BYDAY=FR"},
		{title: "ספרייה עם הילדים", on: 2, from: "15:30", lasting: time.Hour, location: "בית אריאלה"},
		{title: "Parents' evening", on: 6, from: "18:00", lasting: time.Hour, location: "School hall"},
		{title: "חופשה מבית הספר", on: 12, days: 5, free: true},
	}
}

// Events is the sample calendar of the linked account around a moment, in the moment's zone. A series starts on the
// first day that its rule fits.
func Events(moment when.Moment) []model.Event { return eventsOf(happenings(), moment) }

// FamilyName is the name of the sample calendar that no account has.
const FamilyName = "Family"

// Family is the sample calendar that no account has, like Events.
func Family(moment when.Moment) []model.Event { return eventsOf(family(), moment) }

func eventsOf(happenings []happening, moment when.Moment) []model.Event {
	today := model.DateOf(moment.StartOfDay().In(moment.Zone))
	var events []model.Event
	for _, h := range happenings {
		event := model.Event{
			Summary: h.title, Description: h.description, Location: h.location, Attendees: h.guests, Transparent: h.free,
			Reminders: model.Reminders{UseDefault: len(h.minutes) == 0},
		}
		for _, minutes := range h.minutes {
			event.Reminders.Overrides = append(event.Reminders.Overrides,
				model.Reminder{Method: model.RemindByPopup, Minutes: minutes})
		}
		date := today.AddDays(h.on)
		if h.repeats != "" {
			event.Recurrence = []string{"RRULE:" + h.repeats}
			date = firstOf(h.repeats, date)
		}
		event.Start, event.End = h.times(moment, date)
		events = append(events, event)
	}
	return events
}

func (h happening) times(moment when.Moment, date model.Date) (start, end model.EventTime) {
	zone := moment.Zone.String()
	if h.days > 0 {
		return model.EventTime{Date: date}, model.EventTime{Date: date.AddDays(h.days)}
	}
	at := moment.Now.Add(h.ahead).Truncate(15 * time.Minute)
	if h.ahead == 0 {
		clock, _ := time.Parse("15:04", h.from) // the sample's own, tested
		at = when.Instant(date.Midnight().Add(time.Duration(clock.Hour())*time.Hour+
			time.Duration(clock.Minute())*time.Minute), moment.Zone)
	}
	return model.EventTime{At: at, Zone: zone}, model.EventTime{At: at.Add(h.lasting), Zone: zone}
}

// firstOf returns the first day, from a date on, that the sample's rules fit: a day of the week, or of the month.
func firstOf(rule string, date model.Date) model.Date {
	days := map[string][]time.Weekday{
		"FREQ=WEEKLY;BYDAY=SU,MO,TU,WE,TH": {time.Sunday, time.Monday, time.Tuesday, time.Wednesday, time.Thursday},
		"FREQ=WEEKLY;BYDAY=MO,TH":          {time.Monday, time.Thursday},
		"FREQ=WEEKLY;BYDAY=TU":             {time.Tuesday},
		"FREQ=WEEKLY;BYDAY=FR":             {time.Friday},
	}
	fits := func(d model.Date) bool {
		for _, day := range days[rule] {
			if d.Midnight().Weekday() == day {
				return true
			}
		}
		return days[rule] == nil && (rule != "FREQ=MONTHLY;BYMONTHDAY=1" || d.Day == 1)
	}
	for !fits(date) {
		date = date.AddDays(1)
	}
	return date
}
