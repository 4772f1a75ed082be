package events

import (
	"context"

	"almanac/adapters/gcal"
	"almanac/graph/model"
)

// sending lets only those tell guests by mail whose token allows what leaves the house: an assistant that may change a
// calendar may not write to strangers by it. It stands before the writers, so that no mutation can forget to ask.
type sending struct {
	EventWriter
	SeriesWriter
}

// maySend is FORBIDDEN when guests would be told and the caller's token has not the scope SEND.
func maySend(ctx context.Context, updates model.SendUpdates) error {
	if updates == "" || updates == model.SendUpdatesNone {
		return nil
	}
	if caller, ok := model.CallerFrom(ctx); ok && caller.May(model.ScopeSend) {
		return nil
	}
	return model.Errorf(model.CodeForbidden,
		"telling guests by mail (sendUpdates: %s) needs a token with the scope SEND; nothing was done", updates)
}

// Insert implements EventWriter.
func (s sending) Insert(ctx context.Context, account model.Connection, calendar string,
	event gcal.NewEvent) (made model.Event, existed bool, err error) {
	if err := maySend(ctx, event.SendUpdates); err != nil {
		return model.Event{}, false, err
	}
	return s.EventWriter.Insert(ctx, account, calendar, event)
}

// Patch implements EventWriter.
func (s sending) Patch(ctx context.Context, account model.Connection, ref model.EventRef, patch gcal.Patch,
	options gcal.ChangeOptions) (model.Event, error) {
	if err := maySend(ctx, options.SendUpdates); err != nil {
		return model.Event{}, err
	}
	return s.EventWriter.Patch(ctx, account, ref, patch, options)
}

// Delete implements EventWriter.
func (s sending) Delete(ctx context.Context, account model.Connection, ref model.EventRef,
	options gcal.ChangeOptions) (already bool, err error) {
	if err := maySend(ctx, options.SendUpdates); err != nil {
		return false, err
	}
	return s.EventWriter.Delete(ctx, account, ref, options)
}

// Truncate implements SeriesWriter.
func (s sending) Truncate(ctx context.Context, account model.Connection, series model.EventRef, cut model.EventTime,
	options gcal.ChangeOptions) (gcal.Following, error) {
	if err := maySend(ctx, options.SendUpdates); err != nil {
		return gcal.Following{}, err
	}
	return s.SeriesWriter.Truncate(ctx, account, series, cut, options)
}

// PatchFollowing implements SeriesWriter.
func (s sending) PatchFollowing(ctx context.Context, account model.Connection, occurrence model.EventRef,
	patch gcal.Patch, options gcal.ChangeOptions) (gcal.Following, error) {
	if err := maySend(ctx, options.SendUpdates); err != nil {
		return gcal.Following{}, err
	}
	return s.SeriesWriter.PatchFollowing(ctx, account, occurrence, patch, options)
}
