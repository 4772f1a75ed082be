package agent

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/99designs/gqlgen/graphql"

	"almanac/graph"
	"almanac/graph/model"
	"almanac/projections/fold"
	"almanac/projections/plan"
	"almanac/projections/when"
	"almanac/resolvers/core"
)

// badChange refuses a change that does not fit the event which it is about.
func badChange(format string, args ...any) error {
	return model.BadInput("input.text", format, args...)
}

// patchOf works out what a change means for the event that is meant: the clock readings are the viewer's.
func (t *turn) patchOf(event model.Event, c plan.Change) (*graph.EventPatch, error) {
	set := &graph.EventPatch{}
	t.before = &event
	if err := t.settleDay(event, &c); err != nil {
		return nil, err
	}
	if err := t.settleHours(event, &c); err != nil {
		return nil, err
	}
	if c.Title != "" {
		set.Summary = graphql.OmittableOf(&c.Title)
	}
	if c.Location != "" {
		set.Location = graphql.OmittableOf(&c.Location)
	}
	if c.Note != "" {
		note := strings.TrimSpace(event.Description + "\n" + c.Note)
		set.Description = graphql.OmittableOf(&note)
	}
	if err := guestPatch(set, event, c); err != nil {
		return nil, err
	}
	if !changesTime(c) {
		return set, nil
	}
	if event.Start.AllDay() && c.Start == nil || c.AllDay {
		return set, t.dayPatch(set, event, c)
	}
	if err := t.clockPatch(set, event, c); err != nil {
		return nil, err
	}
	if start := set.Start.Value(); start != nil && start.DateTime != nil && !start.DateTime.HasOffset &&
		c.ShiftDays == 0 && changesStartOnly(c) && c.Title == "" && c.Location == "" && c.Note == "" &&
		len(c.AddPeople)+len(c.RemovePeople) == 0 &&
		when.Instant(start.DateTime.Wall, t.v.Zone).Equal(t.v.Instant(event.Start)) { // "to 3", of one at three
		return nil, badChange("%s", t.say("It is at %s already. Which day or hour is meant?",
			"הוא כבר ב-%s. לאיזה יום או שעה הכוונה?", event.Start.At.In(t.v.Zone).Format("15:04")))
	}
	return set, nil
}

// aheadStill refuses a new start that has passed of an event that has not: nobody plans for yesterday.
func (t *turn) aheadStill(event model.Event, to time.Time) error {
	if to.Before(t.v.Now) && t.v.Instant(event.Start).After(t.v.Now) {
		return badChange("%s", t.say("%s has passed already. Which day or hour is meant?",
			"%s כבר עבר. לאיזה יום או שעה הכוונה?", t.dated(to)))
	}
	return nil
}

// settleDay settles which week a day of the week means for an event behind the coming one: what is put off is so to the
// first such day after it; else it is asked whether the coming day or that of the event's own week is meant.
func (t *turn) settleDay(event model.Event, c *plan.Change) error {
	if !c.Weekday || !c.EndDate.IsZero() || event.Start.IsZero() {
		return nil
	}
	old, _ := when.DaysOf(event.Start, event.End, t.v.Zone)
	if c.Later && c.Date == old && c.Start == nil { // "put it off to Monday", of one on that Monday
		c.Date = c.Date.AddDays(7)
	}
	if !c.Date.Before(old) {
		return nil
	}
	if c.Date.DaysUntil(old)%7 == 0 && c.Start != nil { // "push it to Thursday at 5", of one on a Thursday
		c.Date = old
		return nil
	}
	if c.Later {
		c.Date = c.Date.AddDays(7 * (c.Date.DaysUntil(old)/7 + 1))
		return nil
	}
	inWeek := func(date model.Date) int {
		return (int(date.Midnight().Weekday()) - int(t.v.WeekStart.Time()) + 7) % 7
	}
	own := old.AddDays(inWeek(c.Date) - inWeek(old))
	if own == c.Date {
		return nil
	}
	return badChange("%s", t.say("%s or %s? It is on %s now.", "%s או %s? כרגע הוא ב-%s.", c.Date, own, old))
}

// farAway is how far a new hour may be from the old one for the nearer of two readings to count.
const farAway = 5 * 60

// nearBy is how near a new hour is to the old one where no other reading is in question: "7:30" of one at 8.
const nearBy = 60

// settleHours settles which half of the day a new hour means, by the event's own: the nearer reading counts. It refuses
// one that is far away from both.
func (t *turn) settleHours(event model.Event, c *plan.Change) error {
	if event.Start.AllDay() || event.Start.IsZero() {
		return nil
	}
	start, end := event.Start.At.In(t.v.Zone), event.End.At.In(t.v.Zone)
	for _, one := range []struct {
		clock **plan.Clock
		old   time.Time
	}{{&c.Start, start}, {&c.End, end}} {
		said := *one.clock
		if said == nil || !said.Vague {
			continue
		}
		first := said.Hour*60 + said.Minute
		other := (first + 12*60) % (24 * 60)
		old := one.old.Hour()*60 + one.old.Minute()
		if one.clock == &c.End && c.Start == nil { // an end is after its start
			begins := start.Hour()*60 + start.Minute()
			if first <= begins && other > begins {
				first, other = other, first
			} else if first > begins && other > begins && abs(other-old) < abs(first-old) {
				first, other = other, first
			}
		} else {
			if abs(other-old) < abs(first-old) {
				first, other = other, first
			}
			// to another hour of the working day, on another day or not: "to 4" of one at ten is asked about, "to Sunday at 4"
			// is not, for of a new day the old hour says little
			awake := inDaytime(old) && inDaytime(first) != inDaytime(other) &&
				abs(other-old) > nearBy && abs(first-old) > nearBy
			if awake && inDaytime(other) {
				first, other = other, first
			}
			if abs(first-old) > farAway && (c.Date.IsZero() || !awake) ||
				awake && c.Date.IsZero() && abs(other-old) < abs(first-old) {
				return badChange("%s", t.say("%s or %s? It is at %s now.", "%s או %s? כרגע השעה היא %s.", when.FormatClock(first),
					when.FormatClock(other), when.FormatClock(old)))
			}
		}
		*one.clock = &plan.Clock{Hour: first / 60, Minute: first % 60}
		for i, doubt := range t.planned.Ambiguous {
			if doubt.What == plan.DoubtHalfOfDay {
				t.planned.Ambiguous[i].Readings = []string{when.FormatClock(first), when.FormatClock(other)}
			}
		}
	}
	return nil
}

// inDaytime reports whether minutes of a day are of its working hours, in which most of what people plan lies: what is
// there and is moved within them is hardly moved out of them.
func inDaytime(minutes int) bool { return minutes >= 8*60 && minutes < 20*60 }

func abs(n int) int { return max(n, -n) }

func changesTime(c plan.Change) bool {
	return !c.Date.IsZero() || c.Start != nil || !c.EndDate.IsZero() || c.End != nil || c.Duration != 0 ||
		c.Lengthen != 0 || c.ShiftDays != 0 || c.Shift != 0 || c.AllDay
}

// dayPatch is the part of times for an event that is made of days afterwards.
func (t *turn) dayPatch(set *graph.EventPatch, event model.Event, c plan.Change) error {
	const day = 24 * time.Hour
	if c.Start != nil || c.End != nil || c.Shift%day != 0 || c.Duration%day != 0 || c.Lengthen%day != 0 {
		return badChange("an all-day event has no hours; say the hour it is to start at")
	}
	from, after := when.DaysOf(event.Start, event.End, t.v.Zone)
	first := from.AddDays(c.ShiftDays + int(c.Shift/day))
	if !c.Date.IsZero() {
		first = c.Date
	}
	days := from.DaysUntil(after) + int(c.Lengthen/day)
	if c.Duration != 0 {
		days = int(c.Duration / day)
	}
	end := first.AddDays(days)
	if !c.EndDate.IsZero() {
		end = c.EndDate
	}
	set.Start = graphql.OmittableOf(&graph.EventTimeInput{Date: &first})
	set.End = graphql.OmittableOf(&graph.EventTimeInput{Date: &end})
	return nil
}

// clockPatch is the part of times for an event that has hours afterwards. A day that is moved keeps its hour by the
// clock, also where clocks are changed between; lengths are of time.
func (t *turn) clockPatch(set *graph.EventPatch, event model.Event, c plan.Change) error {
	if event.Start.AllDay() && c.Start != nil && c.Date.IsZero() && c.Start.Minute == 0 &&
		!strings.Contains(t.text, ":") &&
		strings.Contains(t.text, strconv.Itoa(c.Start.Hour)) { // "the trip to 17", of one that is all day
		return badChange("%s", t.say("It is all day. Is %d a day or an hour?",
			"זה כל היום. %d הוא יום או שעה?", c.Start.Hour))
	}
	if !c.EndDate.IsZero() {
		return badChange("an event on several days is an all-day event; say that it is to be all day")
	}
	length := model.EventLength
	day := event.Start.Date
	start := readingOn(day, c.Start)
	if !event.Start.AllDay() {
		length = event.End.At.Sub(event.Start.At)
		local := event.Start.At.In(t.v.Zone)
		day = model.DateOf(local)
		start = time.Date(local.Year(), local.Month(), local.Day(), local.Hour(), local.Minute(), local.Second(), 0, time.UTC)
		if c.Start != nil {
			start = readingOn(day, c.Start)
		}
	}
	if !c.Date.IsZero() {
		start = start.AddDate(0, 0, day.DaysUntil(c.Date))
	}
	start = start.AddDate(0, 0, c.ShiftDays)
	begins := model.DateTimeInput{Wall: start}
	if c.Shift != 0 { // by time, not by the clock
		begins = model.DateTimeInput{Wall: when.Instant(start, t.v.Zone).Add(c.Shift), HasOffset: true}
	}
	if c.Start != nil || !c.Date.IsZero() || c.ShiftDays != 0 || c.Shift != 0 {
		set.Start = graphql.OmittableOf(&graph.EventTimeInput{DateTime: &begins})
	}
	from := begins.Wall
	if !begins.HasOffset {
		from = when.Instant(start, t.v.Zone)
	}
	if err := t.aheadStill(event, from); err != nil {
		return err
	}
	if !changesStartOnly(c) {
		to, err := t.endOf(from, length, c)
		if err != nil {
			return err
		}
		set.End = graphql.OmittableOf(&graph.EventTimeInput{DateTime: &model.DateTimeInput{Wall: to, HasOffset: true}})
	}
	return nil
}

func changesStartOnly(c plan.Change) bool { return c.End == nil && c.Duration == 0 && c.Lengthen == 0 }

// longestNight is how long an event lasts at most whose new end is an hour of the next day: "until 1" of a party at
// 20:00.
const longestNight = 12 * time.Hour

// endOf is when an event ends that begins at an instant and had a length.
func (t *turn) endOf(from time.Time, length time.Duration, c plan.Change) (time.Time, error) {
	switch {
	case c.End != nil:
		day := model.DateOf(from.In(t.v.Zone))
		to := when.Instant(readingOn(day, c.End), t.v.Zone)
		if !to.After(from) {
			to = when.Instant(readingOn(day.AddDays(1), c.End), t.v.Zone)
			if to.Sub(from) > longestNight && to.Sub(from) > length {
				return from, badChange("%s", t.say("it would end before it begins", "הסיום יהיה לפני ההתחלה"))
			}
		}
		return to, nil
	case c.Duration > 0:
		return from.Add(c.Duration), nil
	}
	if length += c.Lengthen; length <= 0 {
		return from, badChange("nothing would be left of the event")
	}
	return from.Add(length), nil
}

// readingOn is a clock reading on a day, as DateTimeInput holds those without an offset.
func readingOn(day model.Date, at *plan.Clock) time.Time {
	if at == nil {
		return day.Midnight()
	}
	return day.Midnight().Add(time.Duration(at.Hour)*time.Hour + time.Duration(at.Minute)*time.Minute)
}

// guestPatch is the part of people: those who are added need an address, those who are removed are found by address or
// by name.
func guestPatch(set *graph.EventPatch, event model.Event, c plan.Change) error {
	if len(c.AddPeople)+len(c.RemovePeople) == 0 {
		return nil
	}
	if event.AttendeesOmitted {
		return badChange("the list of guests of this event is not shown in full, so it cannot be changed")
	}
	guests := make([]graph.EventAttendeeInput, 0, len(event.Attendees)+len(c.AddPeople))
	for _, guest := range event.Attendees {
		optional := guest.Optional
		guests = append(guests, graph.EventAttendeeInput{Email: guest.Email, DisplayName: core.TextOrNil(guest.Name),
			Optional: &optional})
	}
	for _, person := range c.RemovePeople {
		i, err := guestIndex(guests, person)
		if err != nil {
			return err
		}
		guests = slices.Delete(guests, i, i+1)
	}
	for _, person := range c.AddPeople {
		if person.Email == "" {
			return badChange("no e-mail address of %s is known; say the address", model.Clip(person.Name))
		}
		guests = append(guests, guestsOf([]plan.Person{person})...)
	}
	set.Attendees = graphql.OmittableOf(guests)
	return nil
}

// guestIndex finds the one guest that is meant.
func guestIndex(guests []graph.EventAttendeeInput, person plan.Person) (int, error) {
	found := -1
	for i, guest := range guests {
		if !isGuest(guest, person) {
			continue
		}
		if found >= 0 {
			return 0, badChange("several guests are called %s; say the address", model.Clip(person.Name))
		}
		found = i
	}
	if found < 0 {
		return 0, badChange("there is no guest %s", model.Clip(strings.Join(peopleOf([]plan.Person{person}), "")))
	}
	return found, nil
}

func isGuest(guest graph.EventAttendeeInput, person plan.Person) bool {
	if person.Email != "" {
		return strings.EqualFold(guest.Email, person.Email)
	}
	wanted := fold.Text(person.Name)
	local, _, _ := strings.Cut(guest.Email, "@")
	if wanted == "" {
		return false
	}
	if wanted == fold.Text(local) {
		return true
	}
	if guest.DisplayName == nil {
		return false
	}
	name := fold.Text(*guest.DisplayName)
	return name == wanted || slices.Contains(strings.Fields(name), wanted)
}

// signed writes a length with its sign: +30m.
func signed(d time.Duration) string {
	text := strings.TrimSuffix(d.String(), "0s")
	if strings.HasSuffix(text, "h0m") {
		text = strings.TrimSuffix(text, "0m")
	}
	if d > 0 {
		return "+" + text
	}
	return text
}

func signedNumber(n int) string { return fmt.Sprintf("%+d", n) }
