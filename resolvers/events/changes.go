package events

import (
	"context"
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
	return r.Reader.Event(ctx, account, ref, fields)
}

// EventChanges answers the eventChanged subscription. An event that cannot be read at the moment comes without itself:
// that it changed is known, and a listener must not be stopped by a tired remote.
func (r *Resolver) EventChanges(ctx context.Context, after *string) (<-chan *projections.EventChange, error) {
	asked := core.Answered(ctx).Under("event", "Event")
	return core.Follow(ctx, r.Base, model.ChangeEvent, after,
		func(ctx context.Context, events []core.Event) ([]*projections.EventChange, error) {
			now := make(map[model.ID]model.Event)
			if len(asked.Fields) > 0 {
				var err error
				ids := core.ChangedIDs(core.LinesOf(events), model.ChangeEvent)
				if now, err = r.EventsByID(ctx, events[0].V, ids, EventFields(asked), func(error) {}); err != nil {
					return nil, err
				}
			}
			out := make([]*projections.EventChange, len(events))
			for i, e := range events {
				out[i] = &projections.EventChange{Change: projections.ChangeAt(e.Line, nil, e.Cursor, e.V.Moment)}
				if noun, there := now[projections.ChangedID(e.Line)]; there {
					view := projections.EventAt(noun, e.V.Moment)
					out[i].Event = &view
				}
			}
			return out, nil
		})
}
