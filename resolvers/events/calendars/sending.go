package calendars

import (
	"context"

	"almanac/adapters/gcal"
	"almanac/graph/model"
)

// Sending lets only those tell guests by mail whose token allows it.
func Sending(all Calendars) interface {
	Writer
	SeriesWriter
} {
	return sending{Writer: all, SeriesWriter: all}
}

// sending lets only those tell guests by mail whose token allows it: an assistant that may change a
// calendar may not write to strangers by it. It stands before the writers, so that no mutation can forget to ask.
type sending struct {
	Writer
	SeriesWriter
}

// MaySend is FORBIDDEN when guests would be told and the caller's token has not the scope CALENDAR_INVITE.
func MaySend(ctx context.Context, updates model.SendUpdates) error {
	if updates == "" || updates == model.SendUpdatesNone {
		return nil
	}
	// A token that may send to some addresses only tells no guests, since Google tells all of them.
	if caller, ok := model.CallerFrom(ctx); ok && caller.May(model.ScopeCalendarInvite) && len(caller.Recipients) == 0 {
		return nil
	}
	return model.Errorf(model.CodeForbidden,
		"telling guests by mail (sendUpdates: %s) needs a token with the scope CALENDAR_INVITE, which SEND includes; "+
			"nothing was done", updates)
}

// Insert implements Writer.
func (s sending) Insert(ctx context.Context, account model.Connection, calendar string,
	event gcal.NewEvent) (made model.Event, existed bool, err error) {
	if err := MaySend(ctx, event.SendUpdates); err != nil {
		return model.Event{}, false, err
	}
	return s.Writer.Insert(ctx, account, calendar, event)
}

// Patch implements Writer.
func (s sending) Patch(ctx context.Context, account model.Connection, ref model.EventRef, patch gcal.Patch,
	options gcal.ChangeOptions) (model.Event, error) {
	if err := MaySend(ctx, options.SendUpdates); err != nil {
		return model.Event{}, err
	}
	return s.Writer.Patch(ctx, account, ref, patch, options)
}

// Delete implements Writer.
func (s sending) Delete(ctx context.Context, account model.Connection, ref model.EventRef,
	options gcal.ChangeOptions) (already bool, err error) {
	if err := MaySend(ctx, options.SendUpdates); err != nil {
		return false, err
	}
	return s.Writer.Delete(ctx, account, ref, options)
}

// Truncate implements SeriesWriter.
func (s sending) Truncate(ctx context.Context, account model.Connection, series model.EventRef, cut model.EventTime,
	options gcal.ChangeOptions) (gcal.Following, error) {
	if err := MaySend(ctx, options.SendUpdates); err != nil {
		return gcal.Following{}, err
	}
	return s.SeriesWriter.Truncate(ctx, account, series, cut, options)
}

// PatchFollowing implements SeriesWriter.
func (s sending) PatchFollowing(ctx context.Context, account model.Connection, occurrence model.EventRef,
	patch gcal.Patch, options gcal.ChangeOptions) (gcal.Following, error) {
	if err := MaySend(ctx, options.SendUpdates); err != nil {
		return gcal.Following{}, err
	}
	return s.SeriesWriter.PatchFollowing(ctx, account, occurrence, patch, options)
}

// Restore implements Restorer.
func (s sending) Restore(ctx context.Context, account model.Connection, was, now model.Event,
	updates model.SendUpdates) (model.Event, error) {
	if err := MaySend(ctx, updates); err != nil {
		return model.Event{}, err
	}
	return s.SeriesWriter.Restore(ctx, account, was, now, updates)
}

// PatchSeries implements SeriesWriter.
func (s sending) PatchSeries(ctx context.Context, account model.Connection, series model.EventRef, patch gcal.Patch,
	options gcal.ChangeOptions) (gcal.Following, error) {
	if err := MaySend(ctx, options.SendUpdates); err != nil {
		return gcal.Following{}, err
	}
	return s.SeriesWriter.PatchSeries(ctx, account, series, patch, options)
}
