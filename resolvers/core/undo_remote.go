package core

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"almanac/adapters/store"
	"almanac/adapters/store/record"
	"almanac/graph/model"
)

// Did is what a mutation has done at a remote system.
type Did struct {
	// Changes say of each record how it was and how it is: *model.Event, *model.Email (Before with the labels that were
	// taken off, After with those that were put on), *model.OutgoingEmail, *model.Connection or a record of Exa's.
	Changes []model.Difference
	// Accounts are the connections by which it was done; erasing one erases what the action tells.
	Accounts []model.UUID
	// About are other records whose erasing erases what the action tells.
	About []model.ID
	// System is the key of the Undoer, Inverse what that needs; Inverse is nil when nothing can be undone.
	System  string
	Inverse any
	// Until is when it cannot be undone any more, when that is before the usual time; zero for the usual time.
	Until time.Time
	// Partly: of an undoing only this was done, so what it undoes can be undone again, and the summary says what was done.
	Partly bool
	// Also follows the summary: what else was done, in the viewer's language.
	Also string
}

// Undoer undoes what was done at one remote system. A remote system has no transaction, so what is to be done is
// decided first, from what is there, and then done; doing it twice is doing it once.
type Undoer interface {
	// PlanUndo says what undoing would do. It changes nothing. FORBIDDEN when the caller's token does not allow it.
	PlanUndo(ctx context.Context, v *Viewer, inverse json.RawMessage) (UndoPlan, error)
	// Undo does what was planned, without what was changed since or with it, and has Act.Did keep it, partly beside an
	// error. undone reports whether anything was done, or may have been.
	Undo(ctx context.Context, v *Viewer, plan UndoPlan, all bool) (undone bool, err error)
}

// UndoPlan is what undoing would do at a remote system. It round trips through encoding/json.
type UndoPlan struct {
	// Since are the ids of the records that were changed since by something else, which undoing all would overwrite.
	Since []string
	// Rest and All are how many records undoing would change without them and with them.
	Rest, All int
	// Mails: guests would be told by mail.
	Mails bool
	// Steps are the Undoer's own.
	Steps json.RawMessage
}

// remoteInverse is the inverse of what was done at a remote system. It has no version of package record's form, so none
// of both is taken for the other.
type remoteInverse struct {
	System string          `json:"system"`
	Data   json.RawMessage `json:"data"`
}

// RemoteInverse reads an inverse; ok is false for one of the own store's.
func RemoteInverse(packed []byte) (system string, data json.RawMessage, ok bool) {
	var read remoteInverse
	if err := json.Unmarshal(packed, &read); err != nil || read.System == "" {
		return "", nil, false
	}
	return read.System, read.Data, true
}

// Did keeps what was done at a remote system as an action. Call it in the transaction that logs it, once in a mutation
// field. A nil Act keeps nothing.
func (a *Act) Did(ctx context.Context, tx store.Tx, did Did) error {
	if a == nil || len(did.Changes) == 0 {
		return nil
	}
	done := record.Done{Changes: did.Changes, About: did.About}
	for _, change := range did.Changes {
		done.About = append(done.About, change.ID)
	}
	for _, account := range did.Accounts {
		done.About = append(done.About, model.ID{Kind: model.KindConnection, UUID: account})
	}
	if did.Inverse != nil {
		data, err := json.Marshal(did.Inverse)
		if err != nil {
			return fmt.Errorf("write an inverse: %w", err)
		}
		if done.Inverse, err = json.Marshal(remoteInverse{did.System, data}); err != nil {
			return fmt.Errorf("write an inverse: %w", err)
		}
	}
	a.also, a.until, a.partly = did.Also, did.Until, did.Partly
	return a.finish(ctx, tx, done)
}

// KeepDid is Did in a transaction of its own, also when the client has gone. That it cannot be written stands beside
// the answer: the remote has done its work.
func (r *Base) KeepDid(ctx context.Context, v *Viewer, did Did) {
	act := ActFrom(ctx)
	if act == nil || len(did.Changes) == 0 {
		return
	}
	after, cancel := AfterRequest(ctx)
	defer cancel()
	err := r.Store.Write(after, v.User, func(ctx context.Context, tx store.Tx) error { return act.Did(ctx, tx, did) })
	if err != nil {
		AddError(ctx, &model.Error{
			Code:    model.CodeUpstreamUnavailable,
			Message: "This was done, but it could not be noted as an action, so it cannot be undone from here.",
			Cause:   fmt.Errorf("keeping an action: %w", err),
		})
	}
}
