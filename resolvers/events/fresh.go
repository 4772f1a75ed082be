package events

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"almanac/adapters/gcal"
	"almanac/adapters/store"
	"almanac/graph"
	"almanac/graph/model"
	"almanac/internal/dryrun"
	"almanac/projections"
	"almanac/resolvers/core"
)

const (
	// freshFor is how long after a sync nobody needs another.
	freshFor = 5 * time.Second
	// checkFor is how long a query waits for the remote to say what has changed.
	checkFor = 3 * time.Second
	// overdueAfter is how long after its time a sync must have begun, where somebody syncs: longer than its lease.
	overdueAfter = 5 * time.Minute
)

// fresh has calendars synced first where that is wanted, and returns how old what is read of them afterwards is at
// most, with what the caller should know. It is for the moment before they are read. Unless tells, the answer is not
// asked for how old it is. What Google did not say in time is no error: what is kept is read then.
func (r *Resolver) fresh(ctx context.Context, v *core.Viewer, places []place, wanted graph.Freshness,
	tells bool) (projections.FreshnessContext, error) {
	out := projections.FreshnessContext{Notes: []projections.EventNote{}}
	places = slices.DeleteFunc(slices.Clone(places), func(p place) bool { return p.account.Number == 0 })
	if len(places) == 0 || !tells && wanted != graph.FreshnessChecked {
		return out, nil
	}
	failed := map[model.CalendarRef]bool{}
	if wanted == graph.FreshnessChecked && r.copies {
		for ref, note := range r.check(ctx, v, places) {
			failed[ref] = true
			out.Notes = append(out.Notes, note)
		}
	}
	kept, err := r.Store.KeptCalendars(ctx, v.User)
	if err != nil {
		return out, err
	}
	oldest := v.Now
	states := map[int][]store.SyncState{}
	for _, p := range places {
		copied, used := r.copyOf(kept, p)
		if !used {
			continue // Google is asked, and says how it is now
		}
		if copied.AsOf.Before(oldest) {
			oldest = copied.AsOf
		}
		if failed[p.ref()] {
			continue
		}
		if expired := r.Usable(v, p.account); expired != nil {
			out.Notes = append(out.Notes, oldNote(v, p, copied, expired))
			continue
		}
		if _, read := states[p.account.Number]; !read {
			if states[p.account.Number], err = r.Store.SyncStates(ctx, v.User, p.account.ID); err != nil {
				return out, err
			}
		}
		if code := aging(states[p.account.Number], p.calendar, v.Now); code != "" {
			out.Notes = append(out.Notes, oldNote(v, p, copied, model.Errorf(code, "")))
		}
	}
	asOf := v.DateTime(oldest)
	out.AsOf = &asOf
	return out, nil
}

// check syncs the calendars of which copies are kept, unless they were synced just now, and returns what is to be
// said of those that could not be.
func (r *Resolver) check(ctx context.Context, v *core.Viewer,
	places []place) map[model.CalendarRef]projections.EventNote {
	out := map[model.CalendarRef]projections.EventNote{}
	kept, err := r.Store.KeptCalendars(ctx, v.User)
	if err != nil {
		return out // what reads them next says so
	}
	var due []place
	copies := map[model.CalendarRef]model.KeptCalendar{}
	for _, p := range places {
		if r.Usable(v, p.account) != nil {
			continue // nobody can be asked, and a note says so
		}
		i := slices.IndexFunc(kept, func(c model.KeptCalendar) bool { return c.Ref() == p.ref() })
		if i >= 0 && kept[i].State == model.CalendarKept && v.Now.Sub(kept[i].AsOf) > freshFor {
			due, copies[p.ref()] = append(due, p), kept[i]
		}
	}
	ctx, cancel := context.WithTimeout(ctx, checkFor)
	defer cancel()
	_, failures := core.AskEach(due, func(p place) (struct{}, error) {
		return struct{}{}, r.follower.Refresh(ctx, p.account, p.calendar)
	})
	for i, failure := range failures {
		if model.CodeOf(failure) == model.CodeNotConnected {
			failure = r.NotConnected(v, due[i].account.Account)
		}
		if failure != nil {
			out[due[i].ref()] = oldNote(v, due[i], copies[due[i].ref()], failure)
		}
	}
	return out
}

// copyOf finds the copy of a calendar that queries read, if they read one.
func (r *Resolver) copyOf(kept []model.KeptCalendar, p place) (c model.KeptCalendar, used bool) {
	i := slices.IndexFunc(kept, func(c model.KeptCalendar) bool { return c.Ref() == p.ref() })
	if i < 0 || !r.copies {
		return c, false
	}
	c = kept[i]
	return c, gcal.Readable(c)
}

// aging is why a copy grows old: the syncs fail, or nobody syncs. Empty when it does not.
func aging(states []store.SyncState, calendar string, now time.Time) model.ErrorCode {
	state, followed := store.StateOf(states, calendar)
	switch {
	case !followed, state.NextAt.IsZero():
		return model.CodeNotConnected
	case state.Failures > 0, now.Sub(state.NextAt) > overdueAfter:
		return model.CodeUpstreamUnavailable
	}
	return ""
}

// oldNote says that a calendar is shown as it was.
func oldNote(v *core.Viewer, p place, copied model.KeptCalendar, failure error) projections.EventNote {
	note := projections.EventNote{Code: model.CodeOf(failure), Account: core.TextOrNil(p.account.Account)}
	id := p.ref().ID().String()
	note.CalendarID = &id
	if wait := model.RetryAfterOf(failure); wait > 0 {
		ms := int32(min(wait, 24*time.Hour).Milliseconds())
		note.RetryAfterMs = &ms
	}
	name := model.Clip(copied.Name)
	text := fmt.Sprintf("Google could not be asked for changes of the calendar %s", name)
	if v.Locale == "he" {
		text = fmt.Sprintf("לא ניתן היה לברר מול Google מה השתנה ביומן %s", name)
	}
	if shown, ok := errors.AsType[*model.Error](failure); ok && shown.ConnectURL != "" {
		note.ConnectURL = &shown.ConnectURL
		text = fmt.Sprintf("the Google account %s must be linked again; open connectUrl in a browser. Its calendar is kept",
			p.account.Account)
		if v.Locale == "he" {
			text = fmt.Sprintf("יש לחבר מחדש את חשבון Google %s: פתחו את connectUrl בדפדפן. היומן שלו שמור", p.account.Account)
		}
	}
	if !copied.AsOf.IsZero() {
		at := v.DateTime(copied.AsOf).Format("2006-01-02 15:04")
		if v.Locale == "he" {
			text += "; הוא מוצג כפי שהיה ב-" + at
		} else {
			text += "; it is shown as it was at " + at
		}
	}
	note.Message = text
	return note
}

// addNotes leaves what could not be synced beside an answer that has no place for it.
func addNotes(ctx context.Context, notes []projections.EventNote) {
	for _, note := range notes {
		core.AddError(ctx, model.Errorf(note.Code, "%s", note.Message))
	}
}

// Fresh is how fresh calendars of linked accounts are that are read next, once they were synced where that is wanted.
// It is for the agenda.
func (r *Resolver) Fresh(ctx context.Context, v *core.Viewer, calendars []core.LinkedCalendar,
	wanted graph.Freshness, tells bool) (projections.FreshnessContext, error) {
	places := make([]place, len(calendars))
	for i, c := range calendars {
		places[i] = place{c.Account, c.Calendar}
	}
	return r.fresh(ctx, v, places, wanted, tells)
}

// tellsAge reports whether the field being resolved is asked how old its answer is, in a context of that type.
func tellsAge(ctx context.Context, object string) bool {
	return core.Asked(ctx, func(asked core.Selection) bool { return asked.Under("context", object).Has("asOf", "notes") })
}

// refresh syncs those of the calendars whose copies do not have what was written to them, as where the remote's answers
// do not say all that has changed. One that cannot be read now is out of use until it was; that is no failure of what
// was written. What is not read to its end yet is left to those who read it.
func (r *Resolver) refresh(ctx context.Context, places []place) {
	if r.follower == nil || dryrun.Is(ctx) {
		return
	}
	places = slices.DeleteFunc(slices.Clone(places), func(p place) bool { return p.account.Number == 0 })
	if len(places) == 0 {
		return
	}
	after, cancel := core.AfterRequest(ctx)
	defer cancel()
	kept, err := r.Store.KeptCalendars(after, places[0].account.User)
	if err != nil {
		return // they are read again by who follows
	}
	done := map[model.CalendarRef]bool{}
	for _, p := range places {
		if done[p.ref()] || !unconfirmed(kept, p) {
			continue
		}
		done[p.ref()] = true
		// What goes wrong is logged and tried again by who follows.
		_ = r.follower.Refresh(after, p.account, p.calendar)
	}
}

// unconfirmed reports whether the copy of a calendar was read to its end once, and is out of use since it was written
// to.
func unconfirmed(kept []model.KeptCalendar, p place) bool {
	return slices.ContainsFunc(kept, func(c model.KeptCalendar) bool {
		return c.Ref() == p.ref() && c.State == model.CalendarKept && c.AsOf.IsZero()
	})
}
