package agent

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"almanac/graph/model"
	"almanac/projections/plan"
	"almanac/projections/when"
)

// The hours of a day in which a free time is looked for where none are said.
const (
	dayBegins = 8
	dayEnds   = 20
)

// answerAbout takes the answer of a question from the events that were found.
func (t *turn) answerAbout(events []model.Event, window plan.Window) {
	if t.planned.Ask == nil {
		return
	}
	switch t.planned.Ask.What {
	case plan.AskCount:
		t.answer(strconv.Itoa(len(events)))
	case plan.AskMissed:
		t.answer(t.say("%d events have passed.", "%d אירועים כבר עברו.", len(events)))
	case plan.AskFree:
		t.answer(t.isFree(events))
	case plan.AskGap:
		t.answer(t.firstGap(events, window, t.planned.Ask.Length))
	case plan.AskWho:
		titles := make([]string, len(events))
		for i, event := range events {
			titles[i] = titleOf(event, titleOfRead)
		}
		t.answer(strings.Join(titles, ", "))
	default:
		t.answerOne(events)
	}
}

// answerOne answers what is asked about one event: the first that is not over yet, else the last that is.
func (t *turn) answerOne(events []model.Event) {
	if len(events) == 0 {
		return
	}
	one := events[len(events)-1]
	for _, event := range events {
		if t.v.Instant(event.End).After(t.v.Now) {
			one = event
			break
		}
	}
	title := titleOf(one, titleOfRead)
	switch t.planned.Ask.What {
	case plan.AskUntil:
		t.answer(t.say("%s ends %s", "%s עד %s", title, t.eventTime(one.End)))
	case plan.AskWhere:
		if one.Location == "" {
			t.answer(t.say("%s has no place.", "ל-%s אין מקום.", title))
			return
		}
		t.answer(t.say("%s: %s", "%s: %s", title, one.Location))
	default:
		t.answer(title + " – " + t.spanOf(one))
	}
}

// isFree answers whether nothing stands in the time that was asked about. What is marked as free does
// not count.
func (t *turn) isFree(events []model.Event) string {
	var busy []string
	for _, event := range events {
		if !event.Transparent {
			busy = append(busy, titleOf(event, titleOfRead)+" ("+t.spanOf(event)+")")
		}
	}
	if len(busy) > 0 {
		return t.say("Not free: %s", "לא פנוי: %s", strings.Join(busy, ", "))
	}
	return t.say("Free.", "פנוי.")
}

// firstGap answers when there is first a free time of a length: between dayBegins and dayEnds where whole days are
// asked about.
func (t *turn) firstGap(events []model.Event, window plan.Window, length time.Duration) string {
	zone := t.v.Zone
	hours := window.To.Sub(window.From) < 24*time.Hour
	for date := model.DateOf(window.From.In(zone)); when.StartOfDate(date,
		zone).Before(window.To); date = date.AddDays(1) {
		midnight := when.StartOfDate(date, zone).In(zone)
		from := time.Date(midnight.Year(), midnight.Month(), midnight.Day(), dayBegins, 0, 0, 0, zone)
		to := time.Date(midnight.Year(), midnight.Month(), midnight.Day(), dayEnds, 0, 0, 0, zone)
		if hours {
			from, to = window.From, window.To
		}
		if now := t.v.Now.Truncate(time.Minute); from.Before(now) {
			from = now
		}
		if at, ok := gapIn(events, from, to, length); ok {
			return t.say("Free from %s", "פנוי מ-%s", t.dated(at)) + " (" + strconv.Itoa(int(length.Minutes())) +
				t.say(" minutes)", " דקות)")
		}
		if hours {
			break
		}
	}
	return t.say("No free time of %d minutes was found.", "לא נמצא זמן פנוי של %d דקות.", int(length.Minutes()))
}

// gapIn finds the first time of a length between two instants that no timed event touches.
func gapIn(events []model.Event, from, to time.Time, length time.Duration) (time.Time, bool) {
	timed := slices.DeleteFunc(slices.Clone(events),
		func(e model.Event) bool { return e.Start.AllDay() || e.Start.IsZero() || e.Transparent })
	slices.SortFunc(timed, func(a, b model.Event) int { return a.Start.At.Compare(b.Start.At) })
	for _, event := range timed {
		if !event.Start.At.Before(from.Add(length)) {
			break
		}
		if event.End.At.After(from) {
			from = event.End.At
		}
	}
	return from, !from.Add(length).After(to)
}
