package agent

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"

	"almanac/adapters/gcal"
	"almanac/graph"
	"almanac/graph/model"
	"almanac/projections"
	"almanac/projections/fold"
	"almanac/projections/match"
	"almanac/projections/plan"
	"almanac/resolvers/core"
	"almanac/resolvers/events"
)

// agentTimeDays is how far ahead an event is looked for of which only the hour is known.
const agentTimeDays = 7

// target finds the one event that is meant, by the recipe that all mutations find theirs by. When it is not sure, or
// what a model has read needs a confirmation, it leaves the question in the answer; when there is none, the failure:
// then it gives false.
func (t *turn) target(ctx context.Context, meant plan.Target, scope model.EventScope,
	nearest bool) (events.EventTarget, bool) {
	who := events.EventReference{
		Confirm: t.confirm, Nearest: nearest, Named: true,
		Fields: (events.PayloadFields(ctx) | events.CandidateFields(ctx) | gcal.FieldAttendees) &^ gcal.FieldZone,
	}
	if scope != "" {
		who.Scope = &scope
	}
	var found events.EventTarget
	var confirmation *projections.Confirmation
	err := t.refer(ctx, meant, &who)
	if err == nil && t.planned.ByModel && t.confirm == nil {
		confirmation, err = t.approval(ctx, who)
	} else if err == nil {
		found, confirmation, err = t.events.EventTarget(ctx, t.v, who)
	}
	if model.CodeOf(err) == model.CodeNotFound && t.confirm == nil && who.Id == nil && isGeneral(meant.Title) {
		found, confirmation, err = t.byTime(ctx, meant, who)
	}
	switch asked, isQuestion := errors.AsType[*agentAsks](err); {
	case isQuestion:
		t.asks(ctx, asked.confirmation)
	case err != nil:
		t.fail(ctx, err)
		t.out.Context = projections.EventContextOf(nil, false, found.Asked)
	case confirmation != nil:
		t.asks(ctx, confirmation)
		t.out.Context = projections.EventContextOf(nil, false, found.Asked)
	default:
		return found, true
	}
	return found, false
}

// agentAsks ends a search with a question.
type agentAsks struct{ confirmation *projections.Confirmation }

func (*agentAsks) Error() string { return "asked instead of found" }

// refer says how the event is meant: by its title, or, where no title was said, by the one event at its time.
func (t *turn) refer(ctx context.Context, meant plan.Target, who *events.EventReference) error {
	if t.confirm != nil {
		who.Target = &graph.EventTargetInput{} // the answer says which
		return nil
	}
	if meant.Title == "" {
		id, err := t.atTime(ctx, meant, false)
		who.Id = &id
		return err
	}
	in := graph.EventMatchInput{Summary: meant.Title}
	if meant.Window != nil {
		in.TimeMin, in.TimeMax = instantInput(meant.Window.From), instantInput(meant.Window.To)
	}
	if meant.DayOfWeek != "" {
		in.DayOfWeek = &meant.DayOfWeek
	}
	if minutes, ok := minutesOf(meant.StartTime); ok {
		in.StartTime = &meant.StartTime
		if minutes+1 < events.MinutesOfDay {
			before := events.ClockText(minutes + 1)
			in.EndTime = &before
		}
	}
	who.Target = &graph.EventTargetInput{Match: &in}
	return nil
}

func instantInput(at time.Time) *model.DateTimeInput {
	return &model.DateTimeInput{Wall: at, HasOffset: true}
}

// minutesOf reads "15:04" as minutes of the day; false for no hour.
func minutesOf(clock string) (int, bool) {
	hour, minute, ok := strings.Cut(clock, ":")
	h, errHour := strconv.Atoi(hour)
	m, errMinute := strconv.Atoi(minute)
	return h*60 + m, ok && errHour == nil && errMinute == nil && h >= 0 && h < 24 && m >= 0 && m < 60
}

// isGeneral tells whether a title is a word for any event, which need not stand in any.
func isGeneral(title string) bool {
	switch fold.Text(title) {
	case "meeting", "meetings", "event", "events", "appointment", "appointments", "session", "thing", "slot",
		fold.Text("פגישה"), fold.Text("הפגישה"), fold.Text("פגישות"), fold.Text("הפגישות"), fold.Text("אירוע"),
		fold.Text("האירוע"), fold.Text("אירועים"), fold.Text("האירועים"), fold.Text("תור"), fold.Text("התור"):
		return true
	}
	return false
}

// byTime finds an event that was called by a general word when none has that word in its title: by its time, if one was
// said.
func (t *turn) byTime(ctx context.Context, meant plan.Target,
	who events.EventReference) (found events.EventTarget, confirmation *projections.Confirmation, err error) {
	if meant.StartTime == "" && meant.Window == nil {
		return found, nil, model.NotFound("input.text", "%s", eventNotFound)
	}
	id, err := t.atTime(ctx, meant, meant.StartTime == "")
	if err != nil {
		return found, nil, err
	}
	who.Id, who.Target = &id, nil
	if t.planned.ByModel {
		confirmation, err = t.approval(ctx, who)
		return found, confirmation, err
	}
	return t.events.EventTarget(ctx, t.v, who)
}

// atTime gives the id of the one event at a time. With several the error is the question which; with ask also when
// there is one. NOT_FOUND when there is none.
func (t *turn) atTime(ctx context.Context, meant plan.Target, ask bool) (string, error) {
	id, _, err := core.DecidedAs(ctx, "by time", func() (string, error) {
		found, err := t.allAtTime(ctx, meant)
		switch {
		case err != nil:
			return "", err
		case len(found.Events) == 0:
			return "", model.NotFound("input.text", "%s", eventNotFound)
		case len(found.Events) == 1 && !ask:
			return found.Events[0].Event.Ref.ID().String(), nil
		}
		var hits []match.Match[int]
		for i := range found.Events[:min(len(found.Events), match.MaxCandidates)] {
			hits = append(hits, match.Match[int]{Index: i, Score: 1})
		}
		asked, err := t.Ask(ctx, t.v, events.WhichEvent(t.v, t.text, model.PickOne, hits, found, len(hits)))
		if err != nil {
			return "", err
		}
		return "", &agentAsks{asked}
	})
	return id, err
}

// allAtTime are the events that start at the hour said, in the window said or else within a week, the nearest first.
// One that is today counts alone.
func (t *turn) allAtTime(ctx context.Context, meant plan.Target) (events.EventCandidates, error) {
	window := plan.Window{From: t.v.StartOfDay(), To: t.dayAt(agentTimeDays)}
	if meant.Window != nil {
		window = *meant.Window
	}
	places, err := t.events.Places(ctx, t.v, "", nil, nil)
	if err != nil {
		return events.EventCandidates{}, err
	}
	minutes, hasHour := minutesOf(meant.StartTime)
	found, err := t.events.Everywhere(ctx, places, gcal.Query{
		From: window.From, To: window.To, Fields: events.MatchFields | events.CandidateFields(ctx),
		Keep: func(event model.Event) bool {
			if event.Start.AllDay() && hasHour || isOther(event) {
				return false
			}
			local := t.v.Instant(event.Start).In(t.v.Zone)
			return !local.Before(window.From) && (!hasHour || local.Hour()*60+local.Minute() == minutes) &&
				(meant.DayOfWeek == "" || local.Weekday() == meant.DayOfWeek.Time())
		},
	})
	if err != nil {
		return events.EventCandidates{}, err
	}
	slices.SortStableFunc(found, func(a, b events.Placed) int { return events.Nearer(t.v, a.Event, b.Event) })
	if meant.Window == nil && len(found) > 1 {
		tomorrow := t.dayAt(1)
		today := slices.DeleteFunc(slices.Clone(found),
			func(p events.Placed) bool { return !t.v.Instant(p.Event.Start).Before(tomorrow) })
		if len(today) == 1 {
			found = today
		}
	}
	return events.EventCandidates{Events: found}, nil
}

// isOther tells whether an event is of a kind that is not changed from here: birthdays and the like.
func isOther(event model.Event) bool { return event.Type != "" && event.Type != model.EventDefault }

// approval asks whether what a model has read shall be done: nobody but a person says so. It looks for the event and
// decides on nothing.
func (t *turn) approval(ctx context.Context, who events.EventReference) (*projections.Confirmation, error) {
	var found events.EventTarget
	found.Asked.At = t.v.Moment
	var wanted *events.Sought
	if who.Target != nil && who.Target.Match != nil {
		s, err := events.SoughtOf(t.v, "input.target.match", *who.Target.Match)
		if err != nil {
			return nil, err
		}
		wanted = &s
	}
	confirmation, err := t.events.DecideTarget(ctx, t.v, who, wanted, &found)
	if err != nil || confirmation != nil {
		return confirmation, err
	}
	one := found.Event // of a series the occurrence: changes are counted from it
	return t.Ask(ctx, t.v, core.Question{
		Kind: model.Approval, Text: t.approvalText(found), Texts: []string{events.ReferenceOf(one.Ref)},
		Candidates: []projections.Candidate{{
			ID: one.Ref.ID().String(), Label: events.EventLabel(one, t.v), Score: 1, Node: projections.EventAt(one, t.v.Moment),
		}},
	})
}
