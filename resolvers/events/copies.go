package events

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"

	"almanac/adapters/gcal"
	"almanac/adapters/owncal"
	"almanac/graph/model"
	"almanac/internal/dryrun"
	"almanac/resolvers/core"
)

// copied are linked calendars of which queries read the copies, where there are some. Everything else asks the remote:
// who changes something decides by what is there. Before each write the copy is out of use, so that whatever becomes of
// it, no query reads what was before.
type copied struct {
	linked
	// copies may be nil: then no query reads them.
	copies   Copies
	follower Follower
}

// reads reports whether copies are read, as where the operation only reads.
func (c copied) reads(ctx context.Context) bool {
	return c.copies != nil && graphql.HasOperationContext(ctx) && graphql.GetOperationContext(ctx).Operation != nil &&
		graphql.GetOperationContext(ctx).Operation.Operation == ast.Query
}

// elsewhere reports whether the remote must be asked after a copy has answered with an error.
func elsewhere(err error) bool { return errors.Is(err, owncal.ErrNotKept) }

// Events implements Reader.
func (c copied) Events(ctx context.Context, account model.Connection, calendar string,
	query gcal.Query) (gcal.Listing, error) {
	if c.reads(ctx) {
		if listing, err := c.copies.Events(ctx, account, calendar, query); !elsewhere(err) {
			return listing, err
		}
	}
	return c.linked.Events(ctx, account, calendar, query)
}

// Event implements Reader.
func (c copied) Event(ctx context.Context, account model.Connection, ref model.EventRef,
	fields gcal.Fields) (model.Event, error) {
	if c.reads(ctx) {
		if event, err := c.copies.Event(ctx, account, ref, fields); !elsewhere(err) {
			return event, err
		}
	}
	return c.linked.Event(ctx, account, ref, fields)
}

// Instances implements Reader.
func (c copied) Instances(ctx context.Context, account model.Connection, ref model.EventRef,
	query gcal.Query) (gcal.Listing, error) {
	if c.reads(ctx) {
		if listing, err := c.copies.Instances(ctx, account, ref, query); !elsewhere(err) {
			return listing, err
		}
	}
	return c.linked.Instances(ctx, account, ref, query)
}

// FreeBusy implements CalendarReader. Calendars that are not kept, those of colleagues too, the remote is asked about.
func (c copied) FreeBusy(ctx context.Context, account model.Connection, calendars []string, from,
	to time.Time) (map[string][]model.BusyPeriod, map[string]error, error) {
	kept := map[string][]model.BusyPeriod{}
	var rest []string
	for _, calendar := range calendars {
		periods, err := []model.BusyPeriod(nil), owncal.ErrNotKept
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
	busy, problems, err := c.linked.FreeBusy(ctx, account, rest, from, to)
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

// doubt takes the copy of a calendar out of use, unless nothing will be written.
func (c copied) doubt(ctx context.Context, account model.Connection, calendar string) error {
	if dryrun.Is(ctx) {
		return nil
	}
	return c.follower.Doubt(ctx, account, []string{calendar})
}

// Insert implements Writer.
func (c copied) Insert(ctx context.Context, account model.Connection, calendar string,
	event gcal.NewEvent) (made model.Event, existed bool, err error) {
	if err := c.doubt(ctx, account, calendar); err != nil {
		return made, false, err
	}
	return c.linked.Insert(ctx, account, calendar, event)
}

// Patch implements Writer.
func (c copied) Patch(ctx context.Context, account model.Connection, ref model.EventRef, patch gcal.Patch,
	options gcal.ChangeOptions) (model.Event, error) {
	if err := c.doubt(ctx, account, ref.Calendar); err != nil {
		return model.Event{}, err
	}
	return c.linked.Patch(ctx, account, ref, patch, options)
}

// Delete implements Writer.
func (c copied) Delete(ctx context.Context, account model.Connection, ref model.EventRef,
	options gcal.ChangeOptions) (already bool, err error) {
	if err := c.doubt(ctx, account, ref.Calendar); err != nil {
		return false, err
	}
	return c.linked.Delete(ctx, account, ref, options)
}

// Truncate implements SeriesWriter.
func (c copied) Truncate(ctx context.Context, account model.Connection, series model.EventRef, cut model.EventTime,
	options gcal.ChangeOptions) (gcal.Following, error) {
	if err := c.doubt(ctx, account, series.Calendar); err != nil {
		return gcal.Following{}, err
	}
	return c.linked.Truncate(ctx, account, series, cut, options)
}

// PatchFollowing implements SeriesWriter.
func (c copied) PatchFollowing(ctx context.Context, account model.Connection, occurrence model.EventRef,
	patch gcal.Patch, options gcal.ChangeOptions) (gcal.Following, error) {
	if err := c.doubt(ctx, account, occurrence.Calendar); err != nil {
		return gcal.Following{}, err
	}
	return c.linked.PatchFollowing(ctx, account, occurrence, patch, options)
}

// PatchSeries implements SeriesWriter.
func (c copied) PatchSeries(ctx context.Context, account model.Connection, series model.EventRef, patch gcal.Patch,
	options gcal.ChangeOptions) (gcal.Following, error) {
	if err := c.doubt(ctx, account, series.Calendar); err != nil {
		return gcal.Following{}, err
	}
	return c.linked.PatchSeries(ctx, account, series, patch, options)
}

// Restore implements Restorer.
func (c copied) Restore(ctx context.Context, account model.Connection, was, now model.Event,
	updates model.SendUpdates) (model.Event, error) {
	if err := c.doubt(ctx, account, was.Ref.Calendar); err != nil {
		return model.Event{}, err
	}
	return c.linked.Restore(ctx, account, was, now, updates)
}

// refresh brings the copies of calendars up to what was written to them. One that cannot be read now is out of use
// until it was; that is no failure of what was written. What is not read to its end yet is left to those who read it.
func (r *Resolver) refresh(ctx context.Context, places []place) {
	if r.follower == nil || dryrun.Is(ctx) {
		return
	}
	after, cancel := core.AfterRequest(ctx)
	defer cancel()
	done := map[model.CalendarRef]bool{}
	for _, p := range places {
		if p.account.Number == 0 || done[p.ref()] {
			continue
		}
		done[p.ref()] = true
		if !r.keeps(after, p) {
			continue
		}
		// What goes wrong is logged and tried again by who follows.
		_ = r.follower.Refresh(after, p.account, p.calendar)
	}
}

// keeps reports whether a calendar was read to its end once.
func (r *Resolver) keeps(ctx context.Context, p place) bool {
	all, err := r.Store.KeptCalendars(ctx, p.account.User)
	return err == nil && slices.ContainsFunc(all, func(c model.KeptCalendar) bool {
		return c.Ref() == p.ref() && c.State == model.CalendarKept
	})
}
