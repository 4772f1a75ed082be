package resolvers

import (
	"context"
	"sync"

	"golang.org/x/sync/errgroup"

	"almanac/adapters/gcal"
	"almanac/graph/model"
	"almanac/projections"
)

// eventsByID loads events by their ids, each by itself, several at once. What is not there, or leads nowhere, is
// missing from the answer; so is what cannot be read now, whose error is given to failed.
func (r *Resolver) eventsByID(ctx context.Context, v *viewer, ids []model.ID, fields gcal.Fields,
	failed func(error)) (map[model.ID]model.Event, error) {
	found := make(map[model.ID]model.Event, len(ids))
	if len(ids) == 0 {
		return found, nil
	}
	all, err := r.connections(ctx, v)
	if err != nil {
		return nil, err
	}
	byNumber := make(map[int]model.Connection, len(all))
	for _, c := range all {
		byNumber[c.Number] = c
	}
	var mu sync.Mutex
	var group errgroup.Group
	group.SetLimit(askedAtOnce)
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

func (r *Resolver) eventOf(ctx context.Context, v *viewer, account model.Connection, ref model.EventRef,
	fields gcal.Fields) (model.Event, error) {
	if err := r.usable(v, account); err != nil {
		return model.Event{}, err
	}
	return r.Reader.Event(ctx, account, ref, fields)
}

// changedIDs are the ids of one kind among the lines, each once, without such as were deleted since.
func changedIDs(lines []model.Change, kind model.ChangeType) []model.ID {
	last := make(map[model.ID]model.Operation)
	var order []model.ID
	for _, line := range lines {
		if line.Type != kind {
			continue
		}
		id := projections.ChangedID(line)
		if _, again := last[id]; !again {
			order = append(order, id)
		}
		last[id] = line.Operation
	}
	var out []model.ID
	for _, id := range order {
		if last[id] != model.OperationDeleted {
			out = append(out, id)
		}
	}
	return out
}

// eventChanges answers the eventChanged subscription. An event that cannot be read at the moment comes without itself:
// that it changed is known, and a listener must not be stopped by a tired remote.
func (r *Resolver) eventChanges(ctx context.Context, after *string) (<-chan *projections.EventChange, error) {
	asked := answered(ctx).under("event", "Event")
	return follow(ctx, r, model.ChangeEvent, after,
		func(ctx context.Context, events []event) ([]*projections.EventChange, error) {
			now := make(map[model.ID]model.Event)
			if len(asked.fields) > 0 {
				var err error
				ids := changedIDs(linesOf(events), model.ChangeEvent)
				if now, err = r.eventsByID(ctx, events[0].v, ids, asked.eventFields(), func(error) {}); err != nil {
					return nil, err
				}
			}
			out := make([]*projections.EventChange, len(events))
			for i, e := range events {
				out[i] = &projections.EventChange{Change: projections.ChangeAt(e.line, nil, e.cursor, e.v.Moment)}
				if noun, there := now[projections.ChangedID(e.line)]; there {
					view := projections.EventAt(noun, e.v.Moment)
					out[i].Event = &view
				}
			}
			return out, nil
		})
}
