package emails

import (
	"context"
	"encoding/json"
	"fmt"
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
	id, err := core.OwnID("input.id", in.ID, model.KindPreview)
	if err != nil {
		return out, core.Refuse(&out.UserErrors, err)
	}
	was, err := r.Mail.Outbox.Get(ctx, v.User, id)
	var mail model.OutgoingEmail
	if err == nil {
		mail, err = r.Mail.Outbox.Unschedule(ctx, v.User, id)
	}
	if err != nil {
		return out, core.Refuse(&out.UserErrors, core.AtField(err, "input.previewId"))
	}
	if was.State == model.OutboxScheduled {
		r.keepSchedule(ctx, v, mail, &scheduling{At: was.SendAt})
	}
	views, err := r.previewViews(ctx, v, []model.OutgoingEmail{mail})
	if err != nil {
		return nil, err
	}
	out.Preview, out.Context = &views[0], &projections.EmailContext{IsPreview: true}
	return out, nil
}

// UndoesSchedules is the key of ScheduleUndoer in inverses.
const UndoesSchedules = "outbox"

// scheduling is what undoing does to an e-mail of the outbox: it is to be sent at a time, or not at all when that is
// zero.
type scheduling struct {
	Preview string
	At      time.Time
}

// keepSchedule keeps as an action that an e-mail was sent, scheduled or taken back; what was sent has no inverse.
func (r *Resolver) keepSchedule(ctx context.Context, v *core.Viewer, mail model.OutgoingEmail, inverse *scheduling) {
	id := model.ID{Kind: model.KindPreview, UUID: mail.ID}
	did := core.Did{System: UndoesSchedules, Accounts: []model.UUID{mail.Connection},
		Changes: []model.Difference{{ID: id, After: &mail}}}
	if inverse != nil {
		inverse.Preview, did.Inverse = id.String(), inverse
		did.Until = mail.SendAt
		if !inverse.At.IsZero() {
			did.Until = inverse.At
		}
	}
	r.KeepDid(ctx, v, did)
}

// ScheduleUndoer undoes the scheduling of e-mails.
func (r *Resolver) ScheduleUndoer() core.Undoer { return scheduleUndoer{r} }

type scheduleUndoer struct{ *Resolver }

// PlanUndo implements core.Undoer. The outbox is looked at when it is done.
func (u scheduleUndoer) PlanUndo(_ context.Context, v *core.Viewer, inverse json.RawMessage) (core.UndoPlan, error) {
	var do scheduling
	if err := json.Unmarshal(inverse, &do); err != nil {
		return core.UndoPlan{}, fmt.Errorf("read the inverse of a scheduled e-mail: %w", err)
	}
	if !do.At.IsZero() && !v.Caller.May(model.ScopeMailSend) {
		return core.UndoPlan{}, model.Errorf(model.CodeForbidden, "sending mail needs a token with the scope SEND")
	}
	return core.UndoPlan{Rest: 1, All: 1, Steps: inverse}, nil
}

// Undo implements core.Undoer. An e-mail that was sent, or is being sent, is CONFLICT.
func (u scheduleUndoer) Undo(ctx context.Context, v *core.Viewer, plan core.UndoPlan, _ bool) (undone bool, err error) {
	var do scheduling
	if err := json.Unmarshal(plan.Steps, &do); err != nil {
		return false, fmt.Errorf("read what is to be undone: %w", err)
	}
	id, err := model.ParseID(do.Preview)
	if err != nil {
		return false, err
	}
	was, err := u.Mail.Outbox.Get(ctx, v.User, id.UUID)
	if err != nil {
		return false, core.AtField(err, "input.id")
	}
	if do.At.IsZero() {
		mail, err := u.Mail.Outbox.Unschedule(ctx, v.User, id.UUID)
		if err != nil {
			return false, core.AtField(err, "input.id")
		}
		u.keepSchedule(ctx, v, mail, &scheduling{At: was.SendAt})
		return true, nil
	}
	mail, err := u.Mail.Outbox.Schedule(ctx, v.User, id.UUID, was.Hash, do.At)
	if err != nil {
		return false, core.AtField(err, "input.id")
	}
	u.keepSchedule(ctx, v, mail, &scheduling{})
	return true, nil
}
