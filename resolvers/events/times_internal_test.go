package events

import (
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"almanac/graph"
	"almanac/graph/model"
	"almanac/projections/when"
)

// moment reads "2026-11-24T10:00" as a dateTime and "2026-11-24" as a date; empty gives nil.
func moment(t *testing.T, text string) *graph.EventTimeInput {
	t.Helper()
	if text == "" {
		return nil
	}
	if len(text) == len("2006-01-02") {
		date, err := model.ParseDate(text)
		if err != nil {
			t.Fatal(err)
		}
		return &graph.EventTimeInput{Date: &date}
	}
	at, err := model.ParseDateTimeInput(text)
	if err != nil {
		t.Fatal(err)
	}
	return &graph.EventTimeInput{DateTime: &at}
}

func zoneFor(t testing.TB, name string) *time.Location {
	t.Helper()
	zone, err := when.LoadZone(name)
	if err != nil {
		t.Fatal(err)
	}
	return zone
}

// shown is a span in the zones of its ends: "2026-11-24T10:00:00+02:00[Asia/Jerusalem]–…".
func shown(s span) string {
	one := func(t model.EventTime) string {
		if t.AllDay() {
			return t.Date.String()
		}
		return shownIn(t) + "[" + t.Zone + "]"
	}
	return one(s.Start) + "–" + one(s.End)
}

func flag(text string) *bool {
	value := text == "true"
	if text == "" {
		return nil
	}
	return &value
}

func TestNewSpan(t *testing.T) {
	for name, c := range map[string]struct {
		start, end, allDay, zone string
		want                     string // or a part of the error, after "!"
	}{
		"an hour when no end is given": {"2026-11-24T10:00", "", "", "Asia/Jerusalem",
			"2026-11-24T10:00:00+02:00[Asia/Jerusalem]–2026-11-24T11:00:00+02:00[Asia/Jerusalem]"},
		"an offset counts more than the zone": {"2026-11-24T10:00Z", "2026-11-24T12:00+01:00", "", "Asia/Jerusalem",
			"2026-11-24T12:00:00+02:00[Asia/Jerusalem]–2026-11-24T13:00:00+02:00[Asia/Jerusalem]"},
		"at midnight": {"2026-11-24T00:00", "2026-11-25T00:00", "", "Asia/Jerusalem",
			"2026-11-24T00:00:00+02:00[Asia/Jerusalem]–2026-11-25T00:00:00+02:00[Asia/Jerusalem]"},
		"the hour that spring skips moves on": {"2026-03-27T02:30", "", "", "Asia/Jerusalem",
			"2026-03-27T03:30:00+03:00[Asia/Jerusalem]–2026-03-27T04:30:00+03:00[Asia/Jerusalem]"},
		"the same in New York": {"2026-03-08T02:30", "", "", "America/New_York",
			"2026-03-08T03:30:00-04:00[America/New_York]–2026-03-08T04:30:00-04:00[America/New_York]"},
		"of the hour that autumn repeats the first": {"2026-10-25T01:30", "2026-10-25T02:30", "", "Asia/Jerusalem",
			"2026-10-25T01:30:00+03:00[Asia/Jerusalem]–2026-10-25T02:30:00+02:00[Asia/Jerusalem]"},
		"an hour over the change of autumn": {"2026-10-25T01:30", "", "", "Asia/Jerusalem",
			"2026-10-25T01:30:00+03:00[Asia/Jerusalem]–2026-10-25T01:30:00+02:00[Asia/Jerusalem]"},
		"fourteen hours ahead": {"2026-11-24T00:30", "", "", "Pacific/Kiritimati",
			"2026-11-24T00:30:00+14:00[Pacific/Kiritimati]–2026-11-24T01:30:00+14:00[Pacific/Kiritimati]"},
		"eleven hours behind": {"2026-11-24T23:30", "", "", "Pacific/Pago_Pago",
			"2026-11-24T23:30:00-11:00[Pacific/Pago_Pago]–2026-11-25T00:30:00-11:00[Pacific/Pago_Pago]"},
		"half an hour's change": {"2026-10-04T02:15", "", "", "Australia/Lord_Howe",
			"2026-10-04T02:45:00+11:00[Australia/Lord_Howe]–2026-10-04T03:45:00+11:00[Australia/Lord_Howe]"},
		"fractions of a second are cut off": {"2026-11-24T10:00:00.9", "2026-11-24T10:00:01.2", "", "UTC",
			"2026-11-24T10:00:00Z[UTC]–2026-11-24T10:00:01Z[UTC]"},
		"a day": {"2026-11-24", "", "", "Asia/Jerusalem", "2026-11-24–2026-11-25"},
		"days": {"2026-11-24", "2026-11-27", "true", "Asia/Jerusalem",
			"2026-11-24–2026-11-27"},
		"the days of instants, the last included": {"2026-11-24T10:00", "2026-11-26T09:00", "true", "Asia/Jerusalem",
			"2026-11-24–2026-11-27"},
		"days that end at midnight": {"2026-11-24T00:00", "2026-11-25T00:00", "true", "Asia/Jerusalem",
			"2026-11-24–2026-11-25"},
		"the day of an instant in its zone": {"2026-11-24T23:00Z", "", "true", "Pacific/Kiritimati",
			"2026-11-25–2026-11-26"},
		"the day of an instant in another": {"2026-11-24T05:00Z", "", "true", "Pacific/Pago_Pago",
			"2026-11-23–2026-11-24"},
		"no start": {"", "", "", "UTC", "!say when it starts"},
		"the end before the start": {"2026-11-24T10:00", "2026-11-24T09:59", "", "UTC",
			"!must be later than the start"},
		"no length": {"2026-11-24T10:00", "2026-11-24T10:00", "", "UTC",
			"!must be later than the start"},
		"no days": {"2026-11-24", "2026-11-24", "", "UTC", "!must be a later day"},
		"instants backward as days": {"2026-11-24T10:00", "2026-11-23T10:00", "true", "UTC",
			"!must be a later day"},
		"two forms":                        {"2026-11-24", "2026-11-24T10:00", "", "UTC", "!the same form"},
		"a date that is not to be all-day": {"2026-11-24", "", "false", "UTC", "!whole day"},
		"the last day of all":              {"9999-12-31", "", "", "UTC", "!after the year 9999"},
		"the last hour of all":             {"9999-12-31T23:30Z", "", "", "UTC", "!after the year 9999"},
	} {
		got, err := newSpan("input", moment(t, c.start), moment(t, c.end), flag(c.allDay), zoneFor(t, c.zone))
		told(t, name, got, err, c.want)
	}
}

func told(t *testing.T, name string, got span, err error, want string) {
	t.Helper()
	part, refused := strings.CutPrefix(want, "!")
	switch {
	case refused && (model.CodeOf(err) != model.CodeBadUserInput || !strings.Contains(err.Error(), part)):
		t.Errorf("%s: error %v, want one about %q", name, err, part)
	case !refused && err != nil:
		t.Errorf("%s: %v", name, err)
	case !refused && shown(got) != want:
		t.Errorf("%s:\n got %s\nwant %s", name, shown(got), want)
	}
}

// timedEvent is an event in a zone; without a zone one of days.
func eventOver(t *testing.T, start, end, zone string) model.Event {
	t.Helper()
	if zone == "" {
		from, to := moment(t, start), moment(t, end)
		return model.Event{Start: model.EventTime{Date: *from.Date}, End: model.EventTime{Date: *to.Date}}
	}
	made, err := newSpan("", moment(t, start), moment(t, end), nil, zoneFor(t, zone))
	if err != nil {
		t.Fatal(err)
	}
	return model.Event{Start: made.Start, End: made.End}
}

func TestMove(t *testing.T) {
	const jerusalem = "Asia/Jerusalem"
	for name, c := range map[string]struct {
		from, to, zone             string // the event; a zone is missing when it is all-day
		start, end, allDay, toZone string
		want                       string
	}{
		"the start alone keeps the length": {"2026-11-24T10:00", "2026-11-24T11:30", jerusalem,
			"2026-11-25T15:00", "", "", "",
			"2026-11-25T15:00:00+02:00[Asia/Jerusalem]–2026-11-25T16:30:00+02:00[Asia/Jerusalem]"},
		"elapsed time, over the change of spring": {"2026-03-26T22:00", "2026-03-27T06:00", jerusalem,
			"2026-03-27T22:00", "", "", "",
			"2026-03-27T22:00:00+03:00[Asia/Jerusalem]–2026-03-28T05:00:00+03:00[Asia/Jerusalem]"},
		"elapsed time, over the change of autumn": {"2026-10-23T22:00", "2026-10-24T06:00", jerusalem,
			"2026-10-24T22:00", "", "", "",
			"2026-10-24T22:00:00+03:00[Asia/Jerusalem]–2026-10-25T05:00:00+02:00[Asia/Jerusalem]"},
		"several days stay several": {"2026-11-24T10:00", "2026-11-27T09:00", jerusalem,
			"2026-12-01T10:00", "", "", "",
			"2026-12-01T10:00:00+02:00[Asia/Jerusalem]–2026-12-04T09:00:00+02:00[Asia/Jerusalem]"},
		"the end alone": {"2026-11-24T10:00", "2026-11-24T11:30", jerusalem, "",
			"2026-11-24T12:00", "", "", "2026-11-24T10:00:00+02:00[Asia/Jerusalem]–2026-11-24T12:00:00+02:00[Asia/Jerusalem]"},
		"the end before the start": {"2026-11-24T10:00", "2026-11-24T11:30", jerusalem, "",
			"2026-11-24T09:00", "", "", "!must be later than the start"},
		"the viewer's clock, and the event's own zone": {"2026-11-24T10:00", "2026-11-24T11:00", "America/New_York",
			"2026-11-25T20:00", "", "", "",
			"2026-11-25T13:00:00-05:00[America/New_York]–2026-11-25T14:00:00-05:00[America/New_York]"},
		"the clock of the zone named": {"2026-11-24T10:00", "2026-11-24T11:00", jerusalem,
			"2026-11-25T09:00", "", "", "Pacific/Kiritimati",
			"2026-11-25T09:00:00+14:00[Pacific/Kiritimati]–2026-11-25T10:00:00+14:00[Pacific/Kiritimati]"},
		"a zone alone does not move it": {"2026-11-24T10:00", "2026-11-24T11:00", jerusalem, "", "", "",
			"Pacific/Pago_Pago", "2026-11-23T21:00:00-11:00[Pacific/Pago_Pago]–2026-11-23T22:00:00-11:00[Pacific/Pago_Pago]"},
		"a zone that there is not": {"2026-11-24T10:00", "2026-11-24T11:00", jerusalem, "", "", "",
			"Mars/Olympus", "!IANA time zone"},
		"all-day on its day": {"2026-11-24T10:00", "2026-11-24T11:00", jerusalem, "", "", "true",
			"", "2026-11-24–2026-11-25"},
		"all-day on the days it touches": {"2026-11-24T22:00", "2026-11-25T01:00", jerusalem, "", "", "true",
			"", "2026-11-24–2026-11-26"},
		"all-day until midnight": {"2026-11-24T22:00", "2026-11-25T00:00", jerusalem, "", "", "true",
			"", "2026-11-24–2026-11-25"},
		"all-day in its own zone": {"2026-11-24T20:00", "2026-11-24T21:00", "Pacific/Pago_Pago", "", "",
			"true", "", "2026-11-24–2026-11-25"},
		"to another day, and all-day": {"2026-11-24T22:00", "2026-11-25T01:00", jerusalem, "2026-12-01", "",
			"", "", "2026-12-01–2026-12-03"},
		"all-day from an instant to an instant": {"2026-11-24T10:00", "2026-11-24T11:00", jerusalem,
			"2026-12-01T10:00", "2026-12-02T10:00", "true", "", "2026-12-01–2026-12-03"},
		"days move": {"2026-11-24", "2026-11-27", "", "2026-12-01", "", "", "",
			"2026-12-01–2026-12-04"},
		"days end": {"2026-11-24", "2026-11-27", "", "", "2026-11-25", "", "",
			"2026-11-24–2026-11-25"},
		"days end before they start": {"2026-11-24", "2026-11-27", "", "", "2026-11-24", "", "",
			"!must be a later day"},
		"days are days already": {"2026-11-24", "2026-11-27", "", "", "", "true", "",
			"2026-11-24–2026-11-27"},
		"days in a zone": {"2026-11-24", "2026-11-27", "", "", "", "", "Europe/London",
			"!no time zone"},
		"timed, an hour long": {"2026-11-24", "2026-11-27", "", "2026-11-24T10:00", "", "", "",
			"2026-11-24T10:00:00+02:00[Asia/Jerusalem]–2026-11-24T11:00:00+02:00[Asia/Jerusalem]"},
		"timed, with an end": {"2026-11-24", "2026-11-27", "", "2026-11-24T10:00",
			"2026-11-24T18:00", "false", "",
			"2026-11-24T10:00:00+02:00[Asia/Jerusalem]–2026-11-24T18:00:00+02:00[Asia/Jerusalem]"},
		"timed, but no hour": {"2026-11-24", "2026-11-27", "", "", "", "false", "",
			"!a start with an hour"},
		"timed, but a date": {"2026-11-24", "2026-11-27", "", "2026-11-25", "", "false", "",
			"!a start with an hour"},
		"an end of another form": {"2026-11-24", "2026-11-27", "", "", "2026-11-25T10:00", "", "",
			"!the form of the start"},
		"an end of another form, the other way": {"2026-11-24T10:00", "2026-11-24T11:00", jerusalem, "", "2026-11-25",
			"", "", "!the form of the start"},
		"two forms": {"2026-11-24T10:00", "2026-11-24T11:00", jerusalem, "2026-11-24",
			"2026-11-25T10:00", "", "", "!the same form"},
	} {
		m := retiming{start: moment(t, c.start), end: moment(t, c.end), allDay: flag(c.allDay)}
		if c.toZone != "" {
			m.zoneName = &c.toZone
		}
		got, err := m.apply("input.set", eventOver(t, c.from, c.to, c.zone), zoneFor(t, jerusalem))
		told(t, name, got, err, c.want)
	}
	without := eventOver(t, "2026-11-24T10:00", "2026-11-24T11:00", jerusalem)
	without.End = without.Start
	got, err := retiming{start: moment(t, "2026-11-25T10:00")}.apply("", without, time.UTC)
	told(t, "an event without length stays so", got, err,
		"2026-11-25T12:00:00+02:00[Asia/Jerusalem]–2026-11-25T12:00:00+02:00[Asia/Jerusalem]")
}

func TestWindowTimes(t *testing.T) {
	const jerusalem = "Asia/Jerusalem"
	for name, c := range map[string]struct {
		from, to, zone string
		patch          windowPatch
		want           string
	}{
		"the hour": {"2026-11-24T10:00", "2026-11-24T11:30", jerusalem, windowPatch{from: 15 * 60,
			to: -1}, "2026-11-24T15:00:00+02:00[Asia/Jerusalem]–2026-11-24T16:30:00+02:00[Asia/Jerusalem]"},
		"both hours": {"2026-11-24T10:00", "2026-11-24T11:30", jerusalem, windowPatch{from: 15 * 60,
			to: 15*60 + 30}, "2026-11-24T15:00:00+02:00[Asia/Jerusalem]–2026-11-24T15:30:00+02:00[Asia/Jerusalem]"},
		"over midnight": {"2026-11-24T10:00", "2026-11-24T11:30", jerusalem, windowPatch{from: 22 * 60,
			to: 60}, "2026-11-24T22:00:00+02:00[Asia/Jerusalem]–2026-11-25T01:00:00+02:00[Asia/Jerusalem]"},
		"the end alone": {"2026-11-24T10:00", "2026-11-24T11:30", jerusalem, windowPatch{from: -1,
			to: 12 * 60}, "2026-11-24T10:00:00+02:00[Asia/Jerusalem]–2026-11-24T12:00:00+02:00[Asia/Jerusalem]"},
		"the end alone, the next day": {"2026-11-24T10:00", "2026-11-24T11:30", jerusalem, windowPatch{from: -1,
			to: 9 * 60}, "2026-11-24T10:00:00+02:00[Asia/Jerusalem]–2026-11-25T09:00:00+02:00[Asia/Jerusalem]"},
		"the viewer's hour and day": {"2026-11-24T20:00", "2026-11-24T21:00", "America/New_York",
			windowPatch{from: 8 * 60, to: -1},
			"2026-11-25T01:00:00-05:00[America/New_York]–2026-11-25T02:00:00-05:00[America/New_York]"},
		"the hour that spring skips": {"2026-03-27T10:00", "2026-03-27T11:00", jerusalem,
			windowPatch{from: 2*60 + 30, to: -1},
			"2026-03-27T03:30:00+03:00[Asia/Jerusalem]–2026-03-27T04:30:00+03:00[Asia/Jerusalem]"},
		"nothing left between skipped hours": {"2026-03-27T10:00", "2026-03-27T11:00", jerusalem,
			windowPatch{from: 2*60 + 30, to: 3 * 60},
			"2026-03-27T03:30:00+03:00[Asia/Jerusalem]–2026-03-27T04:00:00+03:00[Asia/Jerusalem]"},
		"minutes of time over autumn's change": {"2026-10-25T01:30", "2026-10-25T02:30", jerusalem, windowPatch{from: -1,
			to: -1, shift: 60}, "2026-10-25T01:30:00+02:00[Asia/Jerusalem]–2026-10-25T03:30:00+02:00[Asia/Jerusalem]"},
		"earlier": {"2026-11-24T00:10", "2026-11-24T01:00", jerusalem, windowPatch{from: -1,
			to: -1, shift: -15}, "2026-11-23T23:55:00+02:00[Asia/Jerusalem]–2026-11-24T00:45:00+02:00[Asia/Jerusalem]"},
		"days by days": {"2026-11-24", "2026-11-26", "", windowPatch{from: -1, to: -1, shift: -2880},
			"2026-11-22–2026-11-24"},
		"days by hours": {"2026-11-24", "2026-11-26", "", windowPatch{from: -1, to: -1, shift: 60},
			"!whole days"},
		"days to an hour": {"2026-11-24", "2026-11-26", "", windowPatch{from: 60, to: -1}, "!no hour"},
	} {
		event := eventOver(t, c.from, c.to, c.zone)
		got, err := c.patch.times(span{event.Start, event.End}, zoneFor(t, jerusalem))
		told(t, name, got, err, c.want)
	}
}

// Whatever is moved to its own start is where it was; and what is moved there and back, too.
func TestMovingThereAndBackChangesNothing(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	zones := []string{"Asia/Jerusalem", "America/New_York", "Australia/Lord_Howe", "Pacific/Kiritimati",
		"Pacific/Pago_Pago", "Europe/Copenhagen", "UTC"}
	for range 2000 {
		zone := zoneFor(t, zones[random.IntN(len(zones))])
		viewers := zoneFor(t, zones[random.IntN(len(zones))])
		at := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC).Add(time.Duration(random.IntN(2*365*24*4)) * 15 * time.Minute)
		length := time.Duration(1+random.IntN(300)) * 15 * time.Minute
		event := model.Event{Start: timed(at, zone), End: timed(at.Add(length), zone)}
		if random.IntN(3) == 0 {
			day := model.DateOf(at)
			event = model.Event{Start: model.EventTime{Date: day}, End: model.EventTime{Date: day.AddDays(1 + random.IntN(5))}}
		}
		there := event
		for _, by := range []int{0, random.IntN(4000) - 2000} {
			moved := retiming{start: inputAt(there.Start, by)}
			got, err := moved.apply("", there, viewers)
			if err != nil {
				t.Fatal(err)
			}
			if by == 0 && got != (span{event.Start, event.End}) {
				t.Fatalf("moved to where it is: %s, was %s", shown(got), shown(span{event.Start, event.End}))
			}
			there.Start, there.End = got.Start, got.End
		}
		back, err := retiming{start: inputAt(event.Start, 0)}.apply("", there, viewers)
		if err != nil || back != (span{event.Start, event.End}) {
			t.Fatalf("there and back: %s, was %s (%v)", shown(back), shown(span{event.Start, event.End}), err)
		}
	}
}

// inputAt is a start as a client says it, so many quarters of an hour, or days, later.
func inputAt(t model.EventTime, by int) *graph.EventTimeInput {
	if t.AllDay() {
		date := t.Date.AddDays(by)
		return &graph.EventTimeInput{Date: &date}
	}
	return &graph.EventTimeInput{DateTime: &model.DateTimeInput{Wall: t.At.Add(time.Duration(by) * 15 * time.Minute),
		HasOffset: true}}
}
