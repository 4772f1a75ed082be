package events

import (
	"context"
	"slices"
	"sync"

	"golang.org/x/sync/errgroup"

	"almanac/adapters/gcal"
	"almanac/graph/model"
	"almanac/projections"
	"almanac/resolvers/core"
)

// EventsByID loads events by their ids, each by itself, several at once. What is not there, or leads nowhere, is
// missing from the answer; so is what cannot be read now, whose error is given to failed.
func (r *Resolver) EventsByID(ctx context.Context, v *core.Viewer, ids []model.ID, fields gcal.Fields,
	failed func(error)) (map[model.ID]model.Event, error) {
	found := make(map[model.ID]model.Event, len(ids))
	if len(ids) == 0 {
		return found, nil
	}
	all, err := r.Connections(ctx, v)
	if err != nil {
		return nil, err
	}
	byNumber := make(map[int]model.Connection, len(all))
	for _, c := range all {
		byNumber[c.Number] = c
	}
	var mu sync.Mutex
	var group errgroup.Group
	group.SetLimit(core.AskedAtOnce)
	for _, id := range ids {
		ref, err := model.EventRefOf(id)
		account, known := byNumber[ref.Connection]
		if err != nil || !known {
			continue
		}
		group.Go(func() error {
			event, err := r.eventOf(ctx, v, account, ref, fields)
			mu.Lock()
			defer mu.Unlock()
			switch {
			case err == nil:
				found[id] = event
			case model.CodeOf(err) != model.CodeNotFound:
				failed(err)
			}
			return nil
		})
	}
	_ = group.Wait() // failures were told one by one
	return found, nil
}

func (r *Resolver) eventOf(ctx context.Context, v *core.Viewer, account model.Connection, ref model.EventRef,
	fields gcal.Fields) (model.Event, error) {
	if err := r.Usable(v, account); err != nil {
		return model.Event{}, err
	}
	return r.reader.Event(ctx, account, ref, fields)
}

// LoadCalendars reads the calendars of the accounts that the ids lead to, each account once.
func (r *Resolver) LoadCalendars(ctx context.Context, v *core.Viewer, ids []model.ID,
	found map[model.ID]model.Node) error {
	all, err := r.Connections(ctx, v)
	if err != nil {
		return err
	}
	for _, account := range all {
		leads := func(id model.ID) bool {
			ref, err := model.CalendarRefOf(id)
			return err == nil && ref.Connection == account.Number
		}
		if !slices.ContainsFunc(ids, leads) {
			continue
		}
		if err := r.Usable(v, account); err != nil {
			core.AddError(ctx, err)
			continue
		}
		calendars, err := r.calendars.Calendars(ctx, account)
		if err != nil {
			core.AddError(ctx, err)
			continue
		}
		for _, noun := range calendars {
			if view := projections.CalendarOf(noun); slices.Contains(ids, view.ID()) {
				found[view.ID()] = view
			}
		}
	}
	return nil
}
