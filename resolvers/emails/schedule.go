package emails

import (
	"context"
	"time"

	"almanac/graph"
	"almanac/graph/model"
	"almanac/projections"
	"almanac/projections/when"
	"almanac/resolvers/core"
)

// sendTime returns when an e-mail is to be sent; zero for now.
func sendTime(v *core.Viewer, sendAt *model.DateTimeInput, undoSendFor int32) (time.Time, error) {
	most := int32(model.MaxUndoSend / time.Second)
	switch {
	case undoSendFor < 0 || undoSendFor > most:
		return time.Time{}, model.BadInput("input.undoSendFor", "give 0 to %d seconds, not %d", most, undoSendFor)
	case sendAt == nil && undoSendFor == 0:
		return time.Time{}, nil
	case sendAt == nil:
		return v.Now.Add(time.Duration(undoSendFor) * time.Second), nil
	case undoSendFor > 0:
		return time.Time{}, model.BadInput("input.undoSendFor", "give sendAt or undoSendFor, not both")
	}
	at := when.Resolve(*sendAt, v.Zone)
	switch {
	case !at.After(v.Now):
		return at, model.BadInput("input.sendAt", "this is not after now, which is %s", v.Now.In(v.Zone).Format(time.RFC3339))
	case at.After(v.Now.Add(model.MaxSendAhead)):
		return at, model.BadInput("input.sendAt", "this is more than %d days ahead", int(model.MaxSendAhead.Hours()/24))
	}
	return at, nil
}

// UnscheduleEmail takes a scheduled e-mail back.
func (r *Resolver) UnscheduleEmail(ctx context.Context,
	in graph.UnscheduleEmailInput) (*graph.UnscheduleEmailPayload, error) {
	v, err := core.ViewerFrom(ctx)
	if err != nil {
		return nil, err
	}
	out := &graph.UnscheduleEmailPayload{Context: noEmail(), UserErrors: []model.UserError{}}
	id, err := core.OwnID("input.previewId", in.PreviewID, model.KindPreview)
	if err != nil {
		return out, core.Refuse(&out.UserErrors, err)
	}
	mail, err := r.Mail.Outbox.Unschedule(ctx, v.User, id)
	if err != nil {
		return out, core.Refuse(&out.UserErrors, core.AtField(err, "input.previewId"))
	}
	views, err := r.previewViews(ctx, v, []model.OutgoingEmail{mail})
	if err != nil {
		return nil, err
	}
	out.Preview, out.Context = &views[0], &projections.EmailContext{IsPreview: true}
	return out, nil
}
