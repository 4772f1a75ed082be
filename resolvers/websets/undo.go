package websets

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"almanac/adapters/exa"
	"almanac/graph/model"
	"almanac/internal/dryrun"
	"almanac/resolvers/core"
)

// Undoes is the key of Undoer in inverses.
const Undoes = "websets"

// inverse is what undoing needs. Without Before the record was made, and undoing takes it away.
type inverse struct {
	ID string
	// Before and Left are the changed fields, as they were and as the change has left them.
	Before, Left fields
}

// fields are JSON values by the remote's names of the fields; null for one that is not there.
type fields map[string]json.RawMessage

// changeable is a record of Exa's that a mutation may make or change.
type changeable interface{ State() model.WebsetState }

// way is how records of one kind are put back.
type way struct {
	// fields are those that a change may change, beside the metadata.
	fields []string
	read   func(ctx context.Context, a ExaAccount, ref model.WebsetRef) (changeable, error)
	// write puts fields back, with the metadata unless it is nil; nil where nothing can be changed.
	write func(ctx context.Context, a ExaAccount, ref model.WebsetRef, back fields, metadata *model.JSON) error
	// remove takes away what was made, for good.
	remove func(ctx context.Context, a ExaAccount, ref model.WebsetRef) error
	// over are the states in which there is nothing to take away any more.
	over []string
}

// ways are the kinds of records that can be put back. What has been deleted at Exa, items and searches that are over
// cannot: Exa makes nothing under an id of old.
var ways = map[model.Kind]way{
	model.KindWebset: {
		read: func(ctx context.Context, a ExaAccount, ref model.WebsetRef) (changeable, error) {
			return a.Webset(ctx, ref.ID)
		},
		write: func(ctx context.Context, a ExaAccount, ref model.WebsetRef, _ fields, metadata *model.JSON) error {
			_, err := a.UpdateWebset(ctx, ref.ID, *metadata)
			return err
		},
		remove: func(ctx context.Context, a ExaAccount, ref model.WebsetRef) error {
			_, err := a.DeleteWebset(ctx, ref.ID)
			return err
		},
	},
	model.KindWebsetSearch: {
		over: []string{"completed", "canceled"},
		read: func(ctx context.Context, a ExaAccount, ref model.WebsetRef) (changeable, error) {
			return a.Search(ctx, ref.Within, ref.ID)
		},
		remove: func(ctx context.Context, a ExaAccount, ref model.WebsetRef) error {
			_, err := a.CancelSearch(ctx, ref.Within, ref.ID)
			return err
		},
	},
	model.KindEnrichment: {
		fields: []string{"description", "format", "options"},
		read: func(ctx context.Context, a ExaAccount, ref model.WebsetRef) (changeable, error) {
			return a.Enrichment(ctx, ref.Within, ref.ID)
		},
		write: func(ctx context.Context, a ExaAccount, ref model.WebsetRef, back fields, metadata *model.JSON) error {
			_, err := a.UpdateEnrichment(ctx, ref.Within, ref.ID, exa.EnrichmentPatch{Back: back, Metadata: metadata})
			return err
		},
		remove: func(ctx context.Context, a ExaAccount, ref model.WebsetRef) error {
			_, err := a.DeleteEnrichment(ctx, ref.Within, ref.ID)
			return err
		},
	},
	model.KindMonitor: {
		fields: []string{"status", "cadence", "behavior"},
		read: func(ctx context.Context, a ExaAccount, ref model.WebsetRef) (changeable, error) {
			return a.Monitor(ctx, ref.ID)
		},
		write: func(ctx context.Context, a ExaAccount, ref model.WebsetRef, back fields, metadata *model.JSON) error {
			_, err := a.UpdateMonitor(ctx, ref.ID, exa.MonitorPatch{Back: back, Metadata: metadata})
			return err
		},
		remove: func(ctx context.Context, a ExaAccount, ref model.WebsetRef) error {
			_, err := a.DeleteMonitor(ctx, ref.ID)
			return err
		},
	},
	model.KindWebhook: {
		fields: []string{"url", "events"},
		read: func(ctx context.Context, a ExaAccount, ref model.WebsetRef) (changeable, error) {
			return a.Webhook(ctx, ref.ID)
		},
		write: func(ctx context.Context, a ExaAccount, ref model.WebsetRef, back fields, metadata *model.JSON) error {
			_, err := a.UpdateWebhook(ctx, ref.ID, exa.WebhookPatch{Back: back, Metadata: metadata})
			return err
		},
		remove: func(ctx context.Context, a ExaAccount, ref model.WebsetRef) error {
			_, err := a.DeleteWebhook(ctx, ref.ID)
			return err
		},
	},
	model.KindWebsetImport: {
		fields: []string{"title"},
		read: func(ctx context.Context, a ExaAccount, ref model.WebsetRef) (changeable, error) {
			return a.Import(ctx, ref.ID)
		},
		write: func(ctx context.Context, a ExaAccount, ref model.WebsetRef, back fields, metadata *model.JSON) error {
			_, err := a.UpdateImport(ctx, ref.ID, exa.ImportPatch{Back: back, Metadata: metadata})
			return err
		},
		remove: func(ctx context.Context, a ExaAccount, ref model.WebsetRef) error {
			_, err := a.DeleteImport(ctx, ref.ID)
			return err
		},
	},
}

// metadataField is the name of the field whose value comes without the marks that this server puts there.
const metadataField = "metadata"

// fieldsOf reads the fields of a record that a change may change.
func (w way) fieldsOf(is model.WebsetState) (fields, error) {
	all := fields{}
	if err := json.Unmarshal([]byte(is.Raw), &all); err != nil {
		return nil, fmt.Errorf("read a record of Exa's: %w", err)
	}
	all[metadataField] = json.RawMessage(is.Metadata)
	if is.Metadata == "" {
		all[metadataField] = json.RawMessage("{}")
	}
	out := fields{}
	for _, name := range append([]string{metadataField}, w.fields...) {
		value, there := all[name]
		if !there {
			value = json.RawMessage("null")
		}
		var err error
		if out[name], err = inOrder(value); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// inOrder writes a JSON value without spaces and with the names of objects in order.
func inOrder(value json.RawMessage) (json.RawMessage, error) {
	read := json.NewDecoder(bytes.NewReader(value))
	read.UseNumber()
	var is any
	if err := read.Decode(&is); err != nil {
		return nil, fmt.Errorf("read a value of Exa's: %w", err)
	}
	return json.Marshal(is)
}

// madeOf is the creation of a record; after is it, as projections/summary reads it.
func madeOf[N changeable](after *N) core.Did {
	id := (*after).State().Ref.PublicID()
	return core.Did{System: Undoes, Inverse: inverse{ID: id.String()}, Changes: []model.Difference{{ID: id, After: after}}}
}

// stopped is what was going on and was stopped, for good.
func stopped[N changeable](after *N) core.Did {
	id := (*after).State().Ref.PublicID()
	return core.Did{Changes: []model.Difference{{ID: id, Before: after, After: after, Stopped: true}}}
}

// deleted is what was deleted at Exa, for good. was is nil where an earlier try has deleted it.
func deleted[N any](ref model.WebsetRef, was *N) core.Did {
	if was == nil {
		was = new(N)
	}
	return core.Did{Changes: []model.Difference{{ID: ref.PublicID(), Before: was}}}
}

// changed is the change of a record from what it was to what it is. One that could not be read before cannot be undone.
func changed[N changeable](was fields, after *N) core.Did {
	is := (*after).State()
	id := is.Ref.PublicID()
	did := core.Did{System: Undoes, Changes: []model.Difference{{ID: id, Before: after, After: after}}}
	now, err := ways[is.Ref.Kind].fieldsOf(is)
	if was == nil || err != nil {
		return did
	}
	back := inverse{ID: id.String(), Before: fields{}, Left: fields{}}
	for name, value := range now {
		if !bytes.Equal(value, was[name]) {
			back.Before[name], back.Left[name] = was[name], value
		}
	}
	if len(back.Before) == 0 {
		return core.Did{} // nothing was changed
	}
	did.Inverse = back
	return did
}

// before reads what a mutation is about to change. Under an Idempotency-Key it is noted first, since a repetition finds
// it changed. It is nil when it cannot be read; the change then says why.
func (r *Resolver) before(ctx context.Context, text string, kind model.Kind) (fields, error) {
	was, _, err := core.DecidedAs(ctx, "as it was", func() (fields, error) {
		ref, err := WebsetRef("", text, kind)
		if err != nil {
			return nil, nil //nolint:nilerr // the change says so
		}
		_, account, err := r.exaAccount(ctx)
		if err != nil {
			return nil, nil //nolint:nilerr // the change says so
		}
		is, err := ways[kind].read(ctx, account, ref)
		if err != nil {
			return nil, nil //nolint:nilerr // the change says so, or cannot be undone
		}
		return ways[kind].fieldsOf(is.State())
	})
	return was, err
}

// Undoer undoes what was done at Exa.
func (r *Resolver) Undoer() core.Undoer { return undoer{r} }

type undoer struct{ *Resolver }

// undoing is what a plan does: Rest is put back, and Since too when all is; Now is what both are before that. Where the
// inverse has nothing to put back, the record is taken away.
type undoing struct {
	Inverse          inverse
	Rest, Since, Now fields
}

func (i inverse) ref() (ref model.WebsetRef, of way, err error) {
	id, err := model.ParseID(i.ID)
	if err != nil {
		return ref, of, err
	}
	if ref, err = model.WebsetRefOf(id); err != nil {
		return ref, of, err
	}
	of, known := ways[ref.Kind]
	if !known {
		err = fmt.Errorf("nothing of the kind %s can be put back", ref.Kind)
	}
	return ref, of, err
}

// PlanUndo implements core.Undoer.
func (u undoer) PlanUndo(ctx context.Context, v *core.Viewer, packed json.RawMessage) (plan core.UndoPlan, err error) {
	var steps undoing
	if err := json.Unmarshal(packed, &steps.Inverse); err != nil {
		return plan, fmt.Errorf("read the inverse of what was done at Exa: %w", err)
	}
	ref, of, err := steps.Inverse.ref()
	if err != nil {
		return plan, err
	}
	account, err := u.exaOf(ctx, v)
	if err != nil {
		return plan, err
	}
	is, err := of.read(ctx, account, ref)
	if err != nil {
		return plan, noneOf(err, "input.id", ref)
	}
	if steps.Inverse.Before == nil {
		if !slices.Contains(of.over, is.State().Status) {
			plan.Rest, plan.All = 1, 1
		}
	} else {
		now, err := of.fieldsOf(is.State())
		if err != nil {
			return plan, err
		}
		steps.Rest, steps.Since, steps.Now = fields{}, fields{}, fields{}
		for name, was := range steps.Inverse.Before {
			steps.Now[name] = now[name]
			switch {
			case bytes.Equal(now[name], was):
			case bytes.Equal(now[name], steps.Inverse.Left[name]):
				steps.Rest[name], plan.Rest, plan.All = was, 1, 1
			default:
				steps.Since[name], plan.All = was, 1
				plan.Since = []string{ref.PublicID().String()}
			}
		}
	}
	plan.Steps, err = json.Marshal(steps)
	return plan, err
}

// Undo implements core.Undoer.
func (u undoer) Undo(ctx context.Context, v *core.Viewer, plan core.UndoPlan, all bool) (undone bool, err error) {
	var steps undoing
	if err := json.Unmarshal(plan.Steps, &steps); err != nil {
		return false, fmt.Errorf("read what is to be undone: %w", err)
	}
	ref, of, err := steps.Inverse.ref()
	if err != nil {
		return false, err
	}
	account, err := u.exaOf(ctx, v)
	if err != nil {
		return false, err
	}
	did := core.Did{System: Undoes, Changes: []model.Difference{{ID: ref.PublicID()}}}
	operation := model.OperationUpdated
	if steps.Inverse.Before == nil {
		operation = model.OperationDeleted
		err = u.takeAway(ctx, v, account, of, ref)
	} else {
		back := maps.Clone(steps.Rest)
		if all {
			maps.Copy(back, steps.Since)
		}
		again := inverse{ID: steps.Inverse.ID, Before: fields{}, Left: back}
		for name := range back {
			again.Before[name] = steps.Now[name]
		}
		did.Inverse, err = again, putBack(ctx, account, of, ref, back)
	}
	if err != nil {
		return false, core.AtField(err, "input.id")
	}
	u.logExa(ctx, v, operation, ref, did)
	return true, nil
}

// takeAway takes away what was made. What is gone already was taken away by an earlier try.
func (u undoer) takeAway(ctx context.Context, v *core.Viewer, account ExaAccount, of way,
	ref model.WebsetRef) error {
	if dryrun.Is(ctx) {
		return nil
	}
	if err := of.remove(ctx, account, ref); err != nil && model.CodeOf(err) != model.CodeNotFound {
		return err
	}
	if ref.Kind != model.KindWebhook {
		return nil
	}
	row, kept, err := u.rowOfHook(ctx, v, ref.ID)
	if err != nil || !kept {
		return err
	}
	return u.eraseHook(ctx, v, row.ID)
}

// putBack writes fields.
func putBack(ctx context.Context, account ExaAccount, of way, ref model.WebsetRef, back fields) error {
	if dryrun.Is(ctx) {
		return nil
	}
	var metadata *model.JSON
	if text, given := back[metadataField]; given {
		value := model.JSON(text)
		metadata = &value
	}
	others := maps.Clone(back)
	delete(others, metadataField)
	maps.DeleteFunc(others, func(_ string, value json.RawMessage) bool {
		return string(value) == "null" // Exa takes none; what goes with another field goes with it
	})
	return of.write(ctx, account, ref, others, metadata)
}
