package core

import (
	"cmp"
	"context"
	"fmt"
	"reflect"
	"time"

	"github.com/99designs/gqlgen/graphql"

	"almanac/adapters/store"
	"almanac/adapters/store/record"
	"almanac/graph/model"
	"almanac/internal/dryrun"
	"almanac/internal/httpapi/edge"
	"almanac/projections"
	"almanac/projections/fold"
	"almanac/projections/summary"
)

// ActionTimes are how long actions can be undone and how long they are kept.
type ActionTimes struct{ UndoFor, Keep time.Duration }

// Act is what one field of a mutation does.
type Act struct {
	base *Base
	v    *Viewer
	kind string
	// note is what the id is noted by, under an Idempotency-Key.
	note string
	// action is nil until something was done.
	action *model.Action
	id     model.UUID
	// recalled: an earlier try of the request has given the action its id.
	recalled bool

	// Undoes is the action that is being undone, if any; Say then says what is done.
	Undoes model.UUID
	Say    func() string
	// Then runs after the action was kept, in the same transaction; nil for nothing.
	Then func(ctx context.Context, tx store.Tx) error
	// also follows the summary.
	also string
	// until ends the time in which it can be undone, when that is sooner than usual; zero for the usual time.
	until time.Time
	// partly: of what Then and Say are about only a part was done.
	partly bool
}

type actKey struct{}

// ActFrom returns what the mutation field being resolved does; nil outside of a mutation.
func ActFrom(ctx context.Context) *Act {
	act, _ := ctx.Value(actKey{}).(*Act)
	return act
}

// Mutate runs a field and, when it is one of a mutation, keeps what it does as an action, in the transaction of the
// change, and shows it in the payload's fields Action and Actions. The engine runs every field by it, so no mutation
// can forget.
func (r *Base) Mutate(ctx context.Context, next graphql.Resolver) (any, error) {
	field := graphql.GetFieldContext(ctx)
	if field == nil || field.Object != "Mutation" {
		return next(ctx)
	}
	v, err := ViewerFrom(ctx)
	if err != nil {
		return nil, err
	}
	if ahead := edge.AheadFrom(ctx); ahead != nil {
		ahead.Fields++
	}
	act := &Act{base: r, v: v, kind: field.Field.Name}
	if err := act.recall(ctx, field); err != nil {
		return nil, err
	}
	ctx = context.WithValue(ctx, actKey{}, act)
	payload, err := next(store.WithRecorder(ctx, &record.Recorder{
		User: v.User, Now: v.Now, Users: r.Store, Finish: act.finish}))
	if err != nil {
		if !act.IsDone() && ctx.Err() == nil && !r.Store.InTransaction(ctx) {
			// What failed is worth an entry, and no entry is worth another failure.
			_ = r.Audit(ctx, v, r.NewID(), act.kind, string(cmp.Or(model.CodeOf(err), model.CodeInternal)))
		}
		return payload, err
	}
	if dryrun.Is(ctx) {
		hideDeleted(payload)
	}
	return payload, act.show(ctx, payload)
}

// hideDeleted marks the ids by which caches drop records as those of a dry run, which has deleted nothing.
func hideDeleted(payload any) {
	v := reflect.Indirect(reflect.ValueOf(payload))
	if v.Kind() != reflect.Struct {
		return
	}
	if id, ok := fieldOf(v, "DeletedID").(*string); ok && id != nil {
		hidden := dryrun.Prefix + *id
		v.FieldByName("DeletedID").Set(reflect.ValueOf(&hidden))
	}
	if ids, ok := fieldOf(v, "DeletedIds").([]string); ok {
		hidden := make([]string, len(ids))
		for i, id := range ids {
			hidden[i] = dryrun.Prefix + id
		}
		v.FieldByName("DeletedIds").Set(reflect.ValueOf(hidden))
	}
}

// fieldOf is the value of a struct's field, nil when it has none of that name.
func fieldOf(v reflect.Value, name string) any {
	field := v.FieldByName(name)
	if !field.IsValid() {
		return nil
	}
	return field.Interface()
}

// recall takes the id that an earlier try of the same request has given to its action.
func (a *Act) recall(ctx context.Context, field *graphql.FieldContext) error {
	notes, keyed := model.NotesFrom(ctx)
	if !keyed {
		return nil
	}
	a.note = field.Path().String() + " action"
	noted, known := notes.Recall(a.note)
	if !known {
		return nil
	}
	a.recalled = true
	if copy(a.id[:], noted) != len(a.id) {
		return fmt.Errorf("the id of an action has %d bytes", len(noted))
	}
	return nil
}

// ID returns the id that the action has, or will have when something is done.
func (a *Act) ID(ctx context.Context) (model.UUID, error) {
	if a.id != (model.UUID{}) {
		return a.id, nil
	}
	a.id = a.base.NewID()
	if notes, keyed := model.NotesFrom(ctx); keyed {
		return a.id, notes.Note(ctx, a.note, a.id[:])
	}
	return a.id, nil
}

// IsDone reports whether something was done, or in a dry run would be.
func (a *Act) IsDone() bool { return a.action != nil }

// finish keeps the action, in the transaction of the change.
func (a *Act) finish(ctx context.Context, tx store.Tx, done record.Done) error {
	id, err := a.ID(ctx)
	if err != nil {
		return err
	}
	source := model.SourceFrom(ctx)
	if a.kind == "agentChat" && source == model.SourceGraphQL {
		source = model.SourceAgent
	}
	times := a.base.Actions
	action := model.Action{
		ID: id, At: a.v.Now, Kind: a.kind, Source: source, Token: a.v.Caller.Token,
		Client: fold.Head(fold.Clean(a.v.Hints.Client), model.MaxClientName),
		Undoes: a.Undoes, ForgetAt: a.v.Now.Add(times.Keep), Inverse: done.Inverse,
		Address: a.v.Hints.Address, AuditUntil: a.v.Now.Add(cmp.Or(a.base.KeepAudit, model.AuditKept)),
	}
	if done.Inverse != nil {
		action.UndoUntil = a.v.Now.Add(times.UndoFor)
		if !a.until.IsZero() && a.until.Before(action.UndoUntil) {
			action.UndoUntil = a.until
		}
	}
	if a.Say != nil && !a.partly {
		action.Summary = a.Say()
	} else {
		action.Summary = summary.With(summary.Of(done.Changes, done.Erased, a.v.Moment.Moment), a.also)
	}
	for _, change := range done.Changes {
		action.Touched = append(action.Touched, change.ID.String())
	}
	for _, id := range done.Erased {
		action.Touched = append(action.Touched, id.String())
	}
	action.Touched = action.Touched[:min(len(action.Touched), model.MaxTouched)]
	about := done.About
	for _, id := range about {
		a.v.About.Tells(id)
	}
	save := tx.AddAction
	if a.recalled || a.action != nil { // an earlier try, or an earlier part of a bulk, may have kept it
		save = tx.SaveAction
	}
	if err := save(ctx, action, about); err != nil {
		return err
	}
	a.action = &action
	if a.Then != nil && !a.partly {
		return a.Then(ctx, tx)
	}
	return nil
}

// show puts the action into the payload.
func (a *Act) show(ctx context.Context, payload any) error {
	if a.action == nil && a.id != (model.UUID{}) { // an earlier try of the request has done it
		kept, err := a.base.Store.ActionsByID(ctx, a.v.User, []model.UUID{a.id}, 0)
		if err != nil || len(kept) == 0 {
			return err
		}
		a.action = &kept[0]
	}
	if a.action == nil {
		return nil
	}
	to := reflect.ValueOf(payload)
	if to.Kind() != reflect.Pointer || to.IsNil() {
		return nil
	}
	view := projections.ActionAt(*a.action, a.v.Moment)
	if field := to.Elem().FieldByName("Action"); field.IsValid() {
		field.Set(reflect.ValueOf(&view))
	}
	if field := to.Elem().FieldByName("Actions"); field.IsValid() {
		field.Set(reflect.ValueOf([]projections.Action{view}))
	}
	return nil
}

// Audit adds to the audit log what the viewer's request did or was refused. It joins the transaction of the context, if
// there is one.
func (r *Base) Audit(ctx context.Context, v *Viewer, id model.UUID, kind, outcome string) error {
	if dryrun.Is(ctx) {
		return nil
	}
	source := model.SourceFrom(ctx)
	if kind == "agentChat" && source == model.SourceGraphQL {
		source = model.SourceAgent
	}
	return r.Store.AddAudit(ctx, model.AuditEntry{UserID: v.User, ID: id, At: v.Now, Kind: kind, Outcome: outcome,
		Source: source, Token: v.Caller.Token, Address: v.Hints.Address,
		Client:   fold.Head(fold.Clean(v.Hints.Client), model.MaxClientName),
		ForgetAt: v.Now.Add(cmp.Or(r.KeepAudit, model.AuditKept))})
}
