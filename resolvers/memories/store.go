package memories

import (
	"context"
	"errors"
	"fmt"

	"almanac/adapters/store"
	"almanac/graph"
	"almanac/graph/model"
	"almanac/projections"
	"almanac/resolvers/core"
)

// keptAs is what became of something that was to be kept.
type keptAs string

const (
	keptNew       keptAs = "new"
	keptInstead   keptAs = "override"
	keptChanged   keptAs = "changed"
	keptUnchanged keptAs = "unchanged"
)

// kept is what came of a write of one memory.
type kept struct {
	ID model.UUID `json:"id"`
	As keptAs     `json:"as"`
}

// context is the response context of it.
func (k kept) context() *projections.MemoryContext {
	return &projections.MemoryContext{IsNew: k.As == keptNew, IsOverride: k.As == keptInstead}
}

// StoreMemory keeps something, unless it is known, or asks about what may be known differently.
func (r *Resolver) StoreMemory(ctx context.Context, in graph.StoreMemoryInput) (*graph.StoreMemoryPayload, error) {
	v, err := core.ViewerFrom(ctx)
	if err != nil {
		return nil, err
	}
	out := &graph.StoreMemoryPayload{Context: noMemory(), UserErrors: []model.UserError{}}
	if declined, err := r.Declined(ctx, v, in.Confirm); declined || err != nil {
		return out, core.Refuse(&out.UserErrors, err)
	}
	var shown model.Memory
	result, again, err := core.Earlier[kept](ctx, r.Base, v)
	switch {
	case again && err == nil:
		shown, err = r.keptBefore(ctx, v, result)
	case err == nil:
		result, shown, err = r.keepOne(ctx, v, in, out)
	}
	if errors.Is(err, core.ErrAsked) {
		return out, nil
	}
	if err != nil {
		core.AddUserError(ctx, &out.UserErrors, err)
		return out, nil
	}
	view := r.MemoryAt(v, shown)
	if result.As == keptNew {
		view = view.AsNew()
	}
	out.Memory, out.Overridden, out.Context = &view, result.As == keptInstead, result.context()
	return out, nil
}

// keptBefore reads what an earlier try of the request has kept, as it is now.
func (r *Resolver) keptBefore(ctx context.Context, v *core.Viewer, result kept) (model.Memory, error) {
	memory, err := oneMemory(ctx, r.Store, v, "", result.ID,
		store.MemoryRow|MemoryColumns(core.Answered(ctx).Under("memory", "Memory")))
	if model.CodeOf(err) == model.CodeNotFound {
		return memory,
			model.NotFound("input", "this request was carried out before; the memory %s has been erased since, or has expired",
				memoryID(result.ID))
	}
	return memory, err
}

// keepOne does what storeMemory says at the first try. errAsked leaves the question in out, and nothing is done.
func (r *Resolver) keepOne(ctx context.Context, v *core.Viewer, in graph.StoreMemoryInput,
	out *graph.StoreMemoryPayload) (result kept, shown model.Memory, err error) {
	fresh, err := r.newMemory(v, graph.MemoryInput{
		Type: in.Type, Content: in.Content, Summary: in.Summary, Tags: in.Tags, Metadata: in.Metadata,
		ExpiresAt: in.ExpiresAt,
	}, "input")
	if err != nil {
		return result, shown, err
	}
	compared := in.Confirm == nil && in.OnConflict != model.OnConflictKeepBoth
	r.embed(ctx, []*model.Memory{&fresh}, compared)
	var near []nearMemory
	if compared {
		if near, err = r.nearMemories(ctx, v, fresh); err != nil {
			return result, shown, err
		}
	}
	result, err = core.Once(ctx, r.Base, v, func(ctx context.Context, tx store.Tx) (kept, error) {
		columns := memoryCandidateColumns(ctx)
		twins, err := twinsOfMemory(ctx, tx, v, fresh, store.MemoryRow|columns)
		if err != nil {
			return kept{}, err
		}
		var done kept
		if known, ok := knownAlready(twins, fresh); ok {
			done, shown = kept{known.ID, keptUnchanged}, known
		} else {
			target, err := r.toReplace(ctx, tx, v, in, fresh, twins, near, out)
			if err != nil {
				return kept{}, err
			}
			if done, shown, err = keep(ctx, tx, fresh, target); err != nil {
				return kept{}, err
			}
		}
		shown, err = written(ctx, tx, v, "memory", shown)
		return done, err
	})
	if err == nil && result.As != keptUnchanged {
		r.wake(ctx, fresh)
	}
	return result, shown, err
}

// knownAlready finds the memory that is the same in everything.
func knownAlready(twins []model.Memory, memory model.Memory) (model.Memory, bool) {
	for _, twin := range twins {
		if sameMemory(twin, memory) {
			return twin, true
		}
	}
	return model.Memory{}, false
}

// toReplace returns the memory that the new one should replace, nil for none, or errAsked with the question in out.
func (r *Resolver) toReplace(ctx context.Context, tx store.Tx, v *core.Viewer, in graph.StoreMemoryInput,
	fresh model.Memory,
	twins []model.Memory, near []nearMemory, out *graph.StoreMemoryPayload) (*model.Memory, error) {
	switch {
	case in.Confirm != nil:
		return r.answeredOverride(ctx, tx, v, *in.Confirm)
	case in.OnConflict == model.OnConflictKeepBoth:
		return nil, nil
	}
	rivals, err := rivalsOf(ctx, tx, v, fresh, twins, near, memoryCandidateColumns(ctx))
	if err != nil || len(rivals) == 0 {
		return nil, err
	}
	if in.OnConflict == model.OnConflictOverride {
		return &rivals[0].memory, nil
	}
	if out.Confirmation, err = r.askOverride(ctx, v, rivals); err != nil {
		return nil, err
	}
	return nil, core.ErrAsked
}

// keep writes a memory: as a new one, or in the place of another, whose id and beginning it takes.
func keep(ctx context.Context, tx store.Tx, fresh model.Memory, target *model.Memory) (kept, model.Memory, error) {
	if target == nil {
		return kept{fresh.ID, keptNew}, fresh, tx.InsertMemories(ctx, []model.Memory{fresh})
	}
	fresh.ID, fresh.CreatedAt, fresh.Version, fresh.Overridden = target.ID, target.CreatedAt, target.Version+1, true
	if err := tx.UpdateMemory(ctx, fresh, model.MemoryOverridden); err != nil {
		return kept{}, fresh, fmt.Errorf("override a memory: %w", err)
	}
	return kept{fresh.ID, keptInstead}, fresh, nil
}
