package events

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"maps"
	"slices"

	"golang.org/x/sync/errgroup"

	"almanac/adapters/gcal"
	"almanac/graph/model"
	"almanac/internal/dryrun"
	"almanac/projections/summary"
	"almanac/resolvers/core"
	"almanac/resolvers/events/decision"
)

// Undoes is the key of Undoer in inverses.
const Undoes = "events"

// whole is an event or an occurrence or, with the occurrences that are not as its rule has them, a series: the first of
// Events is the event itself. Nil for one that is not there.
type whole struct {
	Ref    string
	Events []model.Event
	// Unknown: it could not be read, so it cannot be put back.
	Unknown bool
}

// kept is what undoing a change needs of one event or series.
type kept struct {
	Ref string
	// Before is how it was, nil for one that was not there.
	Before []model.Event
	// Left is how the change has left it: see statesOf.
	Left map[string]string
	// SendUpdates is whom the change has told by mail; undoing it tells them too.
	SendUpdates model.SendUpdates
}

// inverse is what undoing needs.
type inverse struct{ Events []kept }

// gone is the state of an event that is not there, or cancelled.
const gone = "-"

// maybeDone reports whether the remote has done something, or may have.
func maybeDone(err error) bool {
	return err == nil || errors.Is(err, gcal.ErrUnknownOutcome) || errors.Is(err, gcal.ErrHalfDone)
}

// asTheyWere reads what the steps will change, as it is now. Under an Idempotency-Key it is noted before anything is
// done, since a repetition finds it changed. What cannot be read is left as unknown: then what is done cannot be
// undone.
func (r *Resolver) asTheyWere(ctx context.Context, d decision.Decision) (was [][]whole, err error) {
	was, _, err = core.DecidedAs(ctx, "as they were", func() ([][]whole, error) {
		was := make([][]whole, len(d.Steps))
		var group errgroup.Group
		group.SetLimit(changedAtOnce)
		for i, step := range d.Steps {
			if step.Refused != nil || step.Act == decision.Create {
				continue
			}
			group.Go(func() error {
				was[i] = r.asItWas(ctx, step)
				return nil
			})
		}
		_ = group.Wait() // each failure stands in its place
		return was, nil
	})
	return was, err
}

// asItWas reads what a step will change.
func (r *Resolver) asItWas(ctx context.Context, step decision.Step) []whole {
	ref := step.Subject().Ref
	if step.Scope == model.ScopeFollowing {
		ref = step.Event.SeriesRef()
	}
	events, err := r.series.Whole(ctx, step.Account, ref)
	all := []whole{{Ref: ref.ID().String(), Events: events, Unknown: err != nil}}
	if step.Act == decision.Change && step.Scope == model.ScopeFollowing {
		all = append(all, whole{Ref: ref.CalendarRef().Event(step.Options.NewSourceID).ID().String()})
	}
	return all
}

// statesOf says of an event, and of the occurrences of a series that are not as the rule has them, by the remote's ids,
// what restoring it would write; two events are alike when these are.
func (r *Resolver) statesOf(ref model.EventRef, events []model.Event) map[string]string {
	states := map[string]string{ref.Event: gone}
	if len(events) == 0 {
		return states
	}
	root := events[0]
	states[ref.Event] = stateOf(root)
	if states[ref.Event] == gone {
		return states
	}
	for _, e := range events[1:] {
		state := stateOf(e)
		plain, ok, err := r.series.PlainOccurrence(root, e.Ref, e.OriginalStart)
		switch {
		case err == nil && ok && state == stateOf(plain):
		case err == nil && !ok && state == gone:
		default:
			states[e.Ref.Event] = state
		}
	}
	return states
}

// stateOf is a hash of what restoring an event writes.
func stateOf(e model.Event) string {
	if e.Status == model.EventCancelled {
		return gone
	}
	type guest struct {
		Email, Name string
		Status      model.ResponseStatus
		Optional    bool
		Comment     string
	}
	var guests []guest
	for _, a := range e.Attendees {
		guests = append(guests, guest{a.Email, a.Name, a.Status, a.Optional, a.Comment})
	}
	if !e.IsSeries() { // the remote says the zone or not, and it makes no difference
		e.Start.Zone, e.End.Zone = "", ""
	}
	e.Start.At, e.End.At = e.Start.At.UTC(), e.End.At.UTC()
	text, err := json.Marshal([]any{e.Summary, e.Description, e.Location, e.Start, e.End, guests, e.Reminders.UseDefault,
		len(e.Reminders.Overrides), e.Reminders.Overrides, len(e.Recurrence), e.Recurrence, e.Transparent, e.Visibility,
		e.ColorID, e.Status == model.EventTentative})
	if err != nil {
		panic(err) // plain values
	}
	sum := sha256.Sum256(text)
	return base64.RawURLEncoding.EncodeToString(sum[:12])
}

// changedWhole is an event or a series before and after a change.
type changedWhole struct {
	whole
	account     model.Connection
	after       []model.Event
	sendUpdates model.SendUpdates
}

// changedBy is what a step has changed. What it has left is read, unless the step's own answer says it.
func (r *Resolver) changedBy(ctx context.Context, step decision.Step, was []whole,
	done decision.Done) (out []changedWhole) {
	if !maybeDone(done.Err) && done.Event == nil && done.Before == nil {
		return nil
	}
	if step.Act == decision.Create {
		if done.Event == nil {
			return nil
		}
		return []changedWhole{{whole: whole{Ref: done.Event.Ref.ID().String()}, account: step.Account,
			after: []model.Event{*done.Event}, sendUpdates: step.New.SendUpdates}}
	}
	if dryrun.Is(ctx) {
		return wouldChange(step, was, done)
	}
	for _, one := range was {
		changed := changedWhole{whole: one, account: step.Account, sendUpdates: step.Options.SendUpdates}
		single := step.Scope == model.ScopeThis && step.Series == nil
		switch {
		case single && done.Err == nil && step.Act == decision.Change:
			changed.after = []model.Event{*done.Event}
		case single && done.Err == nil && step.Act == decision.Delete:
		default:
			if changed.after, changed.Unknown = r.wholeNow(ctx, step.Account, one); changed.Unknown {
				continue // what was done cannot be said
			}
			changed.Unknown = one.Unknown
		}
		out = append(out, changed)
	}
	return out
}

// wouldChange is what a step of a dry run would change, by its own answer: there is nothing to read.
func wouldChange(step decision.Step, was []whole, done decision.Done) (out []changedWhole) {
	if done.Err != nil {
		return nil
	}
	left := []*model.Event{done.Event, nil} // of what was there, and of the series that is started beside it
	if step.Act == decision.Delete {
		left[0] = done.Before
	} else if done.Before != nil {
		left = []*model.Event{done.Before, done.Event}
	}
	for i, one := range was {
		changed := changedWhole{whole: one, account: step.Account, sendUpdates: step.Options.SendUpdates}
		if left[i] != nil {
			changed.after = []model.Event{*left[i]}
		}
		out = append(out, changed)
	}
	return out
}

// wholeNow reads an event or a series; nil when there is none.
func (r *Resolver) wholeNow(ctx context.Context, account model.Connection, one whole) (now []model.Event,
	unknown bool) {
	ref, err := refOf(one.Ref)
	if err != nil {
		return nil, true
	}
	now, err = r.series.Whole(ctx, account, ref)
	if err != nil {
		return nil, model.CodeOf(err) != model.CodeNotFound
	}
	return now, false
}

func refOf(text string) (model.EventRef, error) {
	id, err := model.ParseID(text)
	if err != nil {
		return model.EventRef{}, err
	}
	return model.EventRefOf(id)
}

// did says what was done; what is as it was before is left out.
func (r *Resolver) did(v *core.Viewer, all []changedWhole) (core.Did, error) {
	did := core.Did{System: Undoes}
	back, whole := inverse{}, true
	for _, one := range all {
		ref, err := refOf(one.Ref)
		if err != nil {
			return did, err
		}
		before, after := r.statesOf(ref, one.Events), r.statesOf(ref, one.after)
		if one.Unknown {
			whole = false
		} else if maps.Equal(before, after) {
			continue
		}
		back.Events = append(back.Events, kept{one.Ref, one.Events, after, one.sendUpdates})
		difference := model.Difference{ID: ref.ID()}
		if before[ref.Event] != gone {
			difference.Before = &one.Events[0]
		}
		if after[ref.Event] != gone {
			difference.After = &one.after[0]
		}
		if difference.Before == nil && difference.After == nil {
			continue // it could not be read
		}
		did.Changes = append(did.Changes, difference)
		if calendar := ref.CalendarRef().ID(); one.account.Number == 0 {
			if !slices.Contains(did.About, calendar) {
				did.About = append(did.About, calendar)
			}
		} else if !slices.Contains(did.Accounts, one.account.ID) {
			did.Accounts = append(did.Accounts, one.account.ID)
		}
		if tells(one.sendUpdates, one.Events, one.after) {
			did.Also = summary.GuestsTold(v.Locale)
		}
	}
	if whole {
		did.Inverse = back
	}
	return did, nil
}

// tells reports whether a change writes to guests.
func tells(updates model.SendUpdates, states ...[]model.Event) bool {
	if updates == "" || updates == model.SendUpdatesNone {
		return false
	}
	return slices.ContainsFunc(slices.Concat(states...), func(e model.Event) bool { return len(e.Attendees) > 0 })
}
