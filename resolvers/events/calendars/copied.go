package calendars

import (
	"context"
	"errors"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"

	"almanac/adapters/gcal"
	"almanac/adapters/google"
	"almanac/adapters/mirror"
	"almanac/adapters/store"
	"almanac/graph/model"
	"almanac/internal/dryrun"
)

// copied are linked calendars of which queries read the copies, where there are some. Everything else asks the remote:
// who changes something decides by what is there. Before each write the copy is out of use, so that whatever becomes of
// it, no query reads what was before.
type copied struct {
	Linked
	// copies may be nil: then no query reads them.
	copies   Copies
	follower Follower
	kept     Kept
}

// Kept says which calendars are kept; the contract is that of store.Store.
type Kept interface {
	KeptCalendars(ctx context.Context, user model.UserID) ([]model.KeptCalendar, error)
	SyncStates(ctx context.Context, user model.UserID, connection model.UUID) ([]store.SyncState, error)
	Write(ctx context.Context, user model.UserID, fn func(ctx context.Context, tx store.Tx) error) error
}

// Copied are linked calendars of which follower keeps copies, which queries read unless copies is nil.
func Copied(linked Linked, copies Copies, follower Follower, kept Kept) Calendars {
	return copied{linked, copies, follower, kept}
}

// reads reports whether copies are read, as where the operation only reads.
func (c copied) reads(ctx context.Context) bool {
	return c.copies != nil && graphql.HasOperationContext(ctx) && graphql.GetOperationContext(ctx).Operation != nil &&
		graphql.GetOperationContext(ctx).Operation.Operation == ast.Query
}

// elsewhere reports whether the remote must be asked after a copy has answered with an error.
func elsewhere(err error) bool { return errors.Is(err, gcal.ErrNotKept) }

// Events implements Reader.
func (c copied) Events(ctx context.Context, account model.Connection, calendar string,
	query gcal.Query) (gcal.Listing, error) {
	if c.reads(ctx) {
		if listing, err := c.copies.Events(ctx, account, calendar, query); !elsewhere(err) {
			return listing, err
		}
	}
	return c.Linked.Events(ctx, account, calendar, query)
}

// Event implements Reader.
func (c copied) Event(ctx context.Context, account model.Connection, ref model.EventRef,
	fields gcal.Fields) (model.Event, error) {
	if c.reads(ctx) {
		if event, err := c.copies.Event(ctx, account, ref, fields); !elsewhere(err) {
			return event, err
		}
	}
	return c.Linked.Event(ctx, account, ref, fields)
}

// Instances implements Reader.
func (c copied) Instances(ctx context.Context, account model.Connection, ref model.EventRef,
	query gcal.Query) (gcal.Listing, error) {
	if c.reads(ctx) {
		if listing, err := c.copies.Instances(ctx, account, ref, query); !elsewhere(err) {
			return listing, err
		}
	}
	return c.Linked.Instances(ctx, account, ref, query)
}

// Calendars implements CalendarReader: the list that is kept, or else what the remote says, and how far each is kept.
func (c copied) Calendars(ctx context.Context, account model.Connection) ([]model.Calendar, error) {
	all, err := c.listed(ctx, account)
	if elsewhere(err) {
		all, err = c.Linked.Calendars(ctx, account)
	}
	if err != nil {
		return nil, err
	}
	kept, err := c.kept.KeptCalendars(ctx, account.User)
	if err != nil {
		return nil, err
	}
	for i := range all {
		for _, k := range kept {
			if k.Ref() == all[i].Ref {
				all[i].Followed, all[i].State, all[i].AsOf = k.Followed, k.State, k.AsOf
			}
		}
	}
	return all, nil
}

// listed is the kept list of an account's calendars; gcal.ErrNotKept where there is none.
func (c copied) listed(ctx context.Context, account model.Connection) ([]model.Calendar, error) {
	if !c.reads(ctx) {
		return nil, gcal.ErrNotKept
	}
	states, err := c.kept.SyncStates(ctx, account.User, account.ID)
	if err != nil {
		return nil, err
	}
	state, followed := store.StateOf(states, model.CalendarListFeed)
	if !followed || state.List == "" {
		return nil, gcal.ErrNotKept
	}
	return mirror.ListOf(state.List)
}

// FreeBusy implements CalendarReader. Calendars that are not kept, those of colleagues too, the remote is asked about.
func (c copied) FreeBusy(ctx context.Context, account model.Connection, calendars []string, from,
	to time.Time) (map[string][]model.BusyPeriod, map[string]error, error) {
	kept := map[string][]model.BusyPeriod{}
	var rest []string
	for _, calendar := range calendars {
		periods, err := []model.BusyPeriod(nil), gcal.ErrNotKept
		if c.reads(ctx) {
			periods, err = c.copies.FreeBusy(ctx, account, calendar, from, to)
		}
		switch {
		case err == nil:
			kept[calendar] = periods
		case elsewhere(err) || model.CodeOf(err) == model.CodeBadUserInput: // its window holds too much for us
			rest = append(rest, calendar)
		default:
			return nil, nil, err
		}
	}
	if len(rest) == 0 {
		return kept, nil, nil
	}
	busy, problems, err := c.Linked.FreeBusy(ctx, account, rest, from, to)
	if err != nil && len(kept) == 0 {
		return busy, problems, err
	}
	if problems == nil {
		problems = map[string]error{}
	}
	for _, calendar := range rest {
		if periods, known := busy[calendar]; known {
			kept[calendar] = periods
		} else if err != nil {
			problems[calendar] = err
		}
	}
	return kept, problems, nil
}

// write makes a change of a calendar whose copy is out of use meanwhile. What it has left, as the remote answers, is
// collected with the writes of the context, whose owner applies it.
func (c copied) write(ctx context.Context, account model.Connection, ref model.EventRef,
	change func(ctx context.Context) error) error {
	if dryrun.Is(ctx) {
		return change(ctx)
	}
	write, err := c.follower.BeginWrite(ctx, account, ref.Calendar)
	if err != nil {
		return err
	}
	var answers *gcal.Answers
	defer func() { // also if it panics
		if all := writesOf(ctx); all != nil {
			all.add(write)
		} else {
			c.applyAlone(ctx, account.User, write)
		}
	}()
	within, changes := google.WithChanges(ctx)
	if write.Kept() {
		within, answers = gcal.WithAnswers(within)
	}
	err = change(within)
	if model.CodeOf(err) == model.CodeConflict && answers != nil && ref.Event != "" {
		// Somebody has changed it, so the copy is old: what is there now belongs to what the caller is told.
		if now, unread := c.Linked.Event(ctx, account, ref, gcal.FieldsAll&^gcal.FieldZone); unread == nil {
			answers.Saw(now)
		}
	}
	write.End(err == nil || changes.MayHaveChanged() || errors.Is(err, gcal.ErrUnknownOutcome) ||
		errors.Is(err, gcal.ErrHalfDone), answers)
	return err
}

// applyAlone applies a write that belongs to no others.
func (c copied) applyAlone(ctx context.Context, user model.UserID, write gcal.KeptWrite) {
	all := []gcal.KeptWrite{write}
	err := c.kept.Write(context.WithoutCancel(ctx), user, func(ctx context.Context, tx store.Tx) error {
		return c.follower.ApplyWrites(ctx, tx, all, func(map[model.UUID]bool) error { return nil })
	})
	c.follower.FinishWrites(ctx, all, err == nil)
}

// Insert implements Writer.
func (c copied) Insert(ctx context.Context, account model.Connection, calendar string,
	event gcal.NewEvent) (made model.Event, existed bool, err error) {
	to := model.EventRef{Connection: account.Number, Calendar: calendar}
	err = c.write(ctx, account, to, func(ctx context.Context) (err error) {
		made, existed, err = c.Linked.Insert(ctx, account, calendar, event)
		return err
	})
	return made, existed, err
}

// Patch implements Writer.
func (c copied) Patch(ctx context.Context, account model.Connection, ref model.EventRef, patch gcal.Patch,
	options gcal.ChangeOptions) (after model.Event, err error) {
	err = c.write(ctx, account, ref, func(ctx context.Context) (err error) {
		after, err = c.Linked.Patch(ctx, account, ref, patch, options)
		return err
	})
	return after, err
}

// Delete implements Writer.
func (c copied) Delete(ctx context.Context, account model.Connection, ref model.EventRef,
	options gcal.ChangeOptions) (already bool, err error) {
	err = c.write(ctx, account, ref, func(ctx context.Context) (err error) {
		already, err = c.Linked.Delete(ctx, account, ref, options)
		return err
	})
	return already, err
}

// Truncate implements SeriesWriter.
func (c copied) Truncate(ctx context.Context, account model.Connection, series model.EventRef, cut model.EventTime,
	options gcal.ChangeOptions) (following gcal.Following, err error) {
	err = c.write(ctx, account, series, func(ctx context.Context) (err error) {
		following, err = c.Linked.Truncate(ctx, account, series, cut, options)
		return err
	})
	return following, err
}

// PatchFollowing implements SeriesWriter.
func (c copied) PatchFollowing(ctx context.Context, account model.Connection, occurrence model.EventRef,
	patch gcal.Patch, options gcal.ChangeOptions) (following gcal.Following, err error) {
	err = c.write(ctx, account, occurrence, func(ctx context.Context) (err error) {
		following, err = c.Linked.PatchFollowing(ctx, account, occurrence, patch, options)
		return err
	})
	return following, err
}

// PatchSeries implements SeriesWriter.
func (c copied) PatchSeries(ctx context.Context, account model.Connection, series model.EventRef, patch gcal.Patch,
	options gcal.ChangeOptions) (following gcal.Following, err error) {
	err = c.write(ctx, account, series, func(ctx context.Context) (err error) {
		following, err = c.Linked.PatchSeries(ctx, account, series, patch, options)
		return err
	})
	return following, err
}

// Restore implements Restorer.
func (c copied) Restore(ctx context.Context, account model.Connection, was, now model.Event,
	updates model.SendUpdates) (restored model.Event, err error) {
	err = c.write(ctx, account, was.Ref, func(ctx context.Context) (err error) {
		restored, err = c.Linked.Restore(ctx, account, was, now, updates)
		return err
	})
	return restored, err
}
