package events

import (
	"strings"
	"time"

	"almanac/adapters/gcal"
	"almanac/graph"
	"almanac/graph/model"
	"almanac/projections/rrule"
	"almanac/projections/when"
	"almanac/resolvers/core"
)

// newEvent is an event that is to be added, read and checked.
type newEvent struct {
	place  place
	insert gcal.NewEvent
	policy graph.EventDuplicatePolicy
	// calendar and account are where it is to stand, before its place was looked for.
	calendar, account *string
	// path is that of its input, for messages.
	path string
}

// span is when it is.
func (e newEvent) span() span { return span{e.insert.Event.Start, e.insert.Event.End} }

// readNew reads an event to add; path is that of its input.
func readNew(v *core.Viewer, in graph.CreateEventInput, path string) (newEvent, error) {
	title, zone, err := headOf(v, path, in.Summary, in.TimeZone)
	if err != nil {
		return newEvent{}, err
	}
	start, err := timeInWords(v, core.Under(path, "start"), in.Start, zone)
	if err != nil {
		return newEvent{}, err
	}
	end, err := timeInWords(v, core.Under(path, "end"), in.End, zone)
	if err != nil {
		return newEvent{}, err
	}
	at, err := newSpan(path, start, end, in.AllDay, zone)
	if err != nil {
		return newEvent{}, err
	}
	event := model.Event{Summary: title, Start: at.Start, End: at.End}
	if len(in.Recurrence) > 0 {
		if event.Recurrence, err = recurrenceLines(core.Under(path, "recurrence"), in.Recurrence,
			ruleStart(at.Start, zone)); err != nil {
			return newEvent{}, err
		}
	}
	if in.Transparent != nil {
		event.Transparent = *in.Transparent
	}
	if in.Visibility != nil {
		event.Visibility = *in.Visibility
	}
	if in.ColorID != nil {
		if event.ColorID, err = eventColor(core.Under(path, "colorId"), *in.ColorID); err != nil {
			return newEvent{}, err
		}
	}
	out, err := common{
		path: path, description: in.Description, location: in.Location, attendees: in.Attendees,
		reminders: in.Reminders, minutesBefore: in.ReminderMinutesBefore, account: in.Account, calendar: in.CalendarID,
		sendUpdates: in.SendUpdates, onDuplicate: in.OnDuplicate,
	}.complete(event)
	out.insert.Meeting = in.Meeting != nil && *in.Meeting
	return out, err
}

// headOf reads what comes first of every new event.
func headOf(v *core.Viewer, path, summary string, named *string) (title string, zone *time.Location, err error) {
	if title, err = eventTitle(core.Under(path, "summary"), summary); err != nil {
		return "", nil, err
	}
	zone, err = core.ZoneNamed(core.Under(path, "timeZone"), named, v.Zone)
	return title, zone, err
}

// common is what single events and series say alike.
type common struct {
	path                  string
	description, location *string
	attendees             []graph.EventAttendeeInput
	reminders             *graph.EventRemindersInput
	minutesBefore         *int32
	account, calendar     *string
	sendUpdates           *model.SendUpdates
	onDuplicate           *graph.EventDuplicatePolicy
}

// complete reads the common parts into an event to add.
func (in common) complete(event model.Event) (newEvent, error) {
	out := newEvent{path: in.path, calendar: in.calendar, account: in.account, policy: graph.EventDuplicatePolicyReport}
	texts, err := eventTexts(in.path, in.description, in.location)
	if err != nil {
		return out, err
	}
	event.Description, event.Location = texts.description, texts.location
	if event.Attendees, err = attendees(core.Under(in.path, "attendees"), in.attendees); err != nil {
		return out, err
	}
	if event.Reminders, out.insert.SetReminders, err = eventReminders(in.path, in.reminders,
		in.minutesBefore); err != nil {
		return out, err
	}
	out.insert.Event, out.insert.SendUpdates = event, sendUpdates(in.sendUpdates)
	if in.onDuplicate != nil {
		out.policy = *in.onDuplicate
	}
	return out, nil
}

func sendUpdates(in *model.SendUpdates) model.SendUpdates {
	if in == nil {
		return model.SendUpdatesNone
	}
	return *in
}

// newSeries is a series that is to be added, with what the payload says of its rule.
type newSeries struct {
	newEvent
	rule seriesRule
}

// seriesRule is how a series repeats, as people choose it.
type seriesRule struct {
	frequency graph.EventFrequency
	days      []model.Weekday
	// from and to are minutes of the day; -1 when all-day.
	from, to int
}

// Bounds of a series.
const (
	maxSeriesInterval = 100
	maxSeriesCount    = 730
)

// readNewSeries reads a series to add, whose first occurrence is looked for from a moment on.
func readNewSeries(v *core.Viewer, now time.Time, in graph.CreateRecurringEventInput, path string) (newSeries, error) {
	var out newSeries
	title, zone, err := headOf(v, path, in.Summary, in.TimeZone)
	if err != nil {
		return out, err
	}
	plan, err := readSeries(path, in)
	if err != nil {
		return out, err
	}
	at, line, err := plan.first(path, now, zone)
	if err != nil {
		return out, err
	}
	out.rule = plan.seriesRule
	out.newEvent, err = common{
		path: path, description: in.Description, location: in.Location, attendees: in.Attendees,
		reminders: in.Reminders, minutesBefore: in.ReminderMinutesBefore, account: in.Account, calendar: in.CalendarID,
		sendUpdates: in.SendUpdates, onDuplicate: in.OnDuplicate,
	}.complete(model.Event{Summary: title, Start: at.Start, End: at.End, Recurrence: []string{line}})
	return out, err
}

// seriesPlan is a series before it is known when it begins.
type seriesPlan struct {
	seriesRule
	dayOfMonth, interval, count int
	// earliest is the first day that may hold an occurrence, zero for today; until the last, zero for none.
	earliest, until model.Date
}

func readSeries(path string, in graph.CreateRecurringEventInput) (seriesPlan, error) {
	p := seriesPlan{seriesRule: seriesRule{from: -1, to: -1}, interval: 1}
	var err error
	if err = p.readClock(path, in.StartTime, in.EndTime); err != nil {
		return p, err
	}
	if err = p.readFrequency(path, in); err != nil {
		return p, err
	}
	if in.Interval != nil {
		if p.interval = int(*in.Interval); p.interval < 1 || p.interval > maxSeriesInterval {
			return p, model.BadInput(core.Under(path, "interval"), "the interval is from 1 to %d, not %d", maxSeriesInterval,
				p.interval)
		}
	}
	if in.Count != nil {
		if p.count = int(*in.Count); p.count < 1 || p.count > maxSeriesCount {
			return p, model.BadInput(core.Under(path, "count"), "the count is from 1 to %d, not %d", maxSeriesCount, p.count)
		}
		if in.Until != nil {
			return p, model.BadInput(core.Under(path, "count"), "give count or until, not both")
		}
	}
	if in.From != nil {
		p.earliest = *in.From
	}
	if in.Until != nil {
		p.until = *in.Until
	}
	return p, nil
}

func (p *seriesPlan) readClock(path string, start, end *string) (err error) {
	switch {
	case start == nil && end == nil:
		return nil
	case start == nil:
		return model.BadInput(core.Under(path, "startTime"), "give startTime too, or neither for an all-day series")
	}
	if p.from, err = when.ParseClock(core.Under(path, "startTime"), *start); err != nil {
		return err
	}
	p.to = (p.from + 60) % when.MinutesOfDay
	if end == nil {
		return nil
	}
	if p.to, err = when.ParseClock(core.Under(path, "endTime"), *end); err != nil {
		return err
	}
	if p.to == p.from {
		return model.BadInput(core.Under(path, "endTime"),
			"it ends when it starts, at %s; give a later hour, or an earlier one for the next day", when.FormatClock(p.from))
	}
	return nil
}

func (p *seriesPlan) readFrequency(path string, in graph.CreateRecurringEventInput) error {
	for _, day := range weekdays() {
		for _, given := range in.Days {
			if given == day {
				p.days = append(p.days, day)
				break
			}
		}
	}
	switch {
	case in.Frequency != nil:
		p.frequency = *in.Frequency
	case len(p.days) > 0:
		p.frequency = graph.EventFrequencyWeekly
	case in.DayOfMonth != nil:
		p.frequency = graph.EventFrequencyMonthly
	default:
		p.frequency = graph.EventFrequencyDaily
	}
	if len(p.days) > 0 && p.frequency != graph.EventFrequencyWeekly {
		return model.BadInput(core.Under(path, "days"), "only a WEEKLY series has days, not a %s one", p.frequency)
	}
	if in.DayOfMonth == nil {
		return nil
	}
	if p.frequency != graph.EventFrequencyMonthly {
		return model.BadInput(core.Under(path, "dayOfMonth"), "only a MONTHLY series has a day of the month, not a %s one",
			p.frequency)
	}
	if p.dayOfMonth = int(*in.DayOfMonth); p.dayOfMonth < 1 || p.dayOfMonth > 31 {
		return model.BadInput(core.Under(path, "dayOfMonth"), "the day of the month is from 1 to 31, not %d", p.dayOfMonth)
	}
	return nil
}

// weekdays are the days of the week, Sunday first.
func weekdays() []model.Weekday {
	out := make([]model.Weekday, 7)
	for day := range out {
		out[day] = model.WeekdayOf(time.Weekday(day))
	}
	return out
}

// maxLookAhead is how many days are tried for a first occurrence: a day of the month, and an hour that clocks do not
// skip, come sooner.
const maxLookAhead = 800

// first returns the first occurrence and the rule, complete with what the first day says of it. An hour that clocks
// skip on a day cannot begin a series, which would keep the wrong hour for ever: the next day that has the hour does.
func (p *seriesPlan) first(path string, now time.Time, zone *time.Location) (span, string, error) {
	today := model.DateOf(now.In(zone))
	date := p.earliest
	if date.IsZero() {
		date = today
	}
	if p.frequency == graph.EventFrequencyWeekly && len(p.days) == 0 {
		p.days = []model.Weekday{model.WeekdayOf(date.Midnight().Weekday())}
	}
	if p.frequency == graph.EventFrequencyMonthly && p.dayOfMonth == 0 {
		p.dayOfMonth = date.Day
	}
	for range maxLookAhead {
		at := p.on(date, zone)
		passed := p.earliest.IsZero() && !at.Start.AllDay() && !at.Start.At.After(now)
		if p.falls(date) && !passed && p.has(at, zone) {
			line, err := p.line(path, date, zone)
			return at, line, err
		}
		date = date.AddDays(1)
	}
	return span{}, "", model.BadInput(path, "this series has no occurrence")
}

// falls reports whether the rule may have an occurrence on a day.
func (p *seriesPlan) falls(date model.Date) bool {
	switch p.frequency {
	case graph.EventFrequencyWeekly:
		for _, day := range p.days {
			if day.Time() == date.Midnight().Weekday() {
				return true
			}
		}
		return false
	case graph.EventFrequencyMonthly:
		return date.Day == p.dayOfMonth
	default:
		return true
	}
}

// on is the occurrence of a day.
func (p *seriesPlan) on(date model.Date, zone *time.Location) span {
	if p.from < 0 {
		return span{model.EventTime{Date: date}, model.EventTime{Date: date.AddDays(1)}}
	}
	length := (p.to - p.from + when.MinutesOfDay) % when.MinutesOfDay
	return clockSpan(date, p.from, length, zone)
}

// clockSpan is what begins at an hour of a day and lasts so many minutes by the clock. Where clocks are changed
// meanwhile so that nothing is left of it, it lasts as many minutes of time.
func clockSpan(date model.Date, from, length int, zone *time.Location) span {
	begin := date.Midnight().Add(time.Duration(from) * time.Minute)
	out := span{timed(when.Instant(begin, zone), zone),
		timed(when.Instant(begin.Add(time.Duration(length)*time.Minute), zone), zone)}
	if !out.End.At.After(out.Start.At) {
		out.End = timed(out.Start.At.Add(time.Duration(length)*time.Minute), zone)
	}
	return out
}

// has reports whether the day has the hour.
func (p *seriesPlan) has(at span, zone *time.Location) bool {
	if at.Start.AllDay() {
		return true
	}
	local := at.Start.At.In(zone)
	return local.Hour()*60+local.Minute() == p.from
}

// line writes the rule of a series that begins on a day.
func (p *seriesPlan) line(path string, first model.Date, zone *time.Location) (string, error) {
	rule := rrule.Rule{
		Frequency: rrule.Frequency(p.frequency), Interval: p.interval, Days: p.days, DayOfMonth: p.dayOfMonth,
		Count: p.count, AllDay: p.from < 0, Zone: zone,
	}
	if !p.until.IsZero() {
		if p.until.Before(first) {
			return "", model.BadInput(core.Under(path, "until"), "the first occurrence is on %s, after until (%s)", first,
				p.until)
		}
		rule.Until = p.until.Midnight()
		if !rule.AllDay {
			rule.Until = when.StartOfDate(p.until.AddDays(1), zone).Add(-time.Second)
		}
	}
	line, err := rrule.Build(rule)
	if err != nil {
		return "", core.Below(err, path)
	}
	return line, nil
}

// recurringDefaults fills in what is said once for several series.
func recurringDefaults(one graph.CreateRecurringEventInput,
	all graph.CreateRecurringEventsInput) graph.CreateRecurringEventInput {
	if len(one.Days) == 0 && one.DayOfMonth == nil && one.Frequency == nil {
		one.Days = all.Days
	}
	if one.Until == nil && one.Count == nil {
		one.Until = all.Until
	}
	if one.Description == nil {
		one.Description = all.Description
	}
	if one.Location == nil {
		one.Location = all.Location
	}
	if one.Reminders == nil && one.ReminderMinutesBefore == nil {
		one.ReminderMinutesBefore = all.ReminderMinutesBefore
	}
	return one
}

// isOwn reports whether an event is the one that would be added, made by an earlier attempt, or an occurrence of it.
func (e newEvent) isOwn(other model.Event) bool {
	id := other.Ref.Event
	return id == e.insert.SourceID || strings.HasPrefix(id, e.insert.SourceID+"_")
}
