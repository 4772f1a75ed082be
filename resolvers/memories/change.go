package memories

import (
	"context"
	"fmt"
	"slices"
	"time"

	"almanac/adapters/store"
	"almanac/graph"
	"almanac/graph/model"
	"almanac/projections/memo"
	"almanac/projections/when"
	"almanac/resolvers/core"
)

// memoryChange is how a mutation changes one memory.
type memoryChange struct {
	// id and field name it.
	id    string
	field string
	// ifVersion is the version that it must have, 0 for any.
	ifVersion int
	// columns are what the change must know beyond the row.
	columns store.MemoryColumns
	// apply returns the memory as it is to be. It is pure: it may be called more than once.
	apply func(model.Memory) (model.Memory, error)
	// reason is what the history says.
	reason model.MemoryReason
}

// changeMemory changes one memory and returns it as it is afterwards, unless the change changes nothing. What is
// embedded is embedded before the transaction, as far as it can be known then.
func (r *Resolver) changeMemory(ctx context.Context, v *core.Viewer,
	change memoryChange) (result kept, shown model.Memory, err error) {
	result, again, err := core.Earlier[kept](ctx, r.Base, v)
	if err != nil {
		return result, shown, err
	}
	if again {
		shown, err = r.keptBefore(ctx, v, result)
		return result, shown, err
	}
	id, err := core.OwnID(change.field, change.id, model.KindMemory)
	if err != nil {
		return result, shown, err
	}
	before, after, err := change.plan(ctx, r.Store, v, id)
	if err != nil {
		return result, shown, err
	}
	text := memo.Text(after)
	var embedded model.Memory
	if text != memo.Text(before) {
		embedded = after
		r.embed(ctx, []*model.Memory{&embedded}, false)
	}
	result, err = core.Once(ctx, r.Base, v, func(ctx context.Context, tx store.Tx) (kept, error) {
		before, after, err := change.plan(ctx, tx, v, id)
		if err != nil {
			return kept{}, err
		}
		done := kept{id, keptUnchanged}
		shown = before
		if !sameMemory(before, after) {
			after.UpdatedAt, after.Version, after.Overridden, after.Embedding = v.Now, before.Version+1, false, model.Embedding{}
			if memo.Text(after) == text {
				after.Embedding = embedded.Embedding
			}
			if err := keepVector(ctx, tx, v.User, v.Now, before, &after); err != nil {
				return kept{}, err
			}
			if err := tx.UpdateMemory(ctx, after, change.reason); err != nil {
				return kept{}, fmt.Errorf("change a memory: %w", err)
			}
			done.As, shown = keptChanged, after
		}
		shown, err = written(ctx, tx, v, "memory", shown)
		return done, err
	})
	if err == nil && result.As == keptChanged && (embedded.Embedding.Model == "" || memo.Text(shown) != text) {
		r.wake(ctx, model.Memory{})
	}
	return result, shown, err
}

// keepVector leaves a memory that is to be changed its vector, where the change touches nothing of what is embedded: it
// may not be had anew for a while.
func keepVector(ctx context.Context, tx store.Tx, user model.UserID, now time.Time, before model.Memory,
	after *model.Memory) error {
	if after.Embedding.Model != "" || memo.Text(before) != memo.Text(*after) {
		return nil
	}
	found, err := tx.MemoriesByID(ctx, user, []model.UUID{before.ID}, now, store.MemoryModel|store.MemoryVector)
	if err == nil && len(found) == 1 {
		after.Embedding = found[0].Embedding
	}
	return err
}

// plan reads the memory and works out what is to become of it.
func (c memoryChange) plan(ctx context.Context, from store.MemoryReader, v *core.Viewer,
	id model.UUID) (before, after model.Memory, err error) {
	before, err = oneMemory(ctx, from, v, c.field, id, store.MemoryRow|c.columns)
	if err != nil {
		return before, after, err
	}
	if c.ifVersion != 0 && c.ifVersion != before.Version {
		e := model.Errorf(model.CodeConflict, "the memory has version %d, not %d; read it again", before.Version,
			c.ifVersion)
		e.Field = model.FieldPath("input.ifVersion")
		return before, after, e
	}
	after, err = c.apply(before)
	return before, after, err
}

// UpdateMemory changes a memory.
func (r *Resolver) UpdateMemory(ctx context.Context, in graph.UpdateMemoryInput) (*graph.UpdateMemoryPayload, error) {
	v, err := core.ViewerFrom(ctx)
	if err != nil {
		return nil, err
	}
	out := &graph.UpdateMemoryPayload{Context: noMemory(), UserErrors: []model.UserError{}}
	ifVersion, err := core.Version("input.ifVersion", in.IfVersion)
	if err != nil {
		core.AddUserError(ctx, &out.UserErrors, err)
		return out, nil
	}
	meant, err := r.Meant(ctx, v, r.memoryTarget(v, in.ID, in.Target, in.Confirm))
	if out.Confirmation = meant.Question; err != nil || !meant.Clear() {
		core.AddUserError(ctx, &out.UserErrors, err)
		return out, nil
	}
	result, shown, err := r.changeMemory(ctx, v, memoryChange{
		id: meant.IDs[0], field: meant.Field, ifVersion: ifVersion, reason: model.MemoryUpdated,
		apply: func(memory model.Memory) (model.Memory, error) { return patchMemory(v, memory, *in.Set) },
	})
	if err != nil {
		r.GiveBack(ctx, v, meant, err)
		core.AddUserError(ctx, &out.UserErrors, err)
		return out, nil
	}
	view := r.MemoryAt(v, shown)
	out.Memory, out.Context = &view, result.context()
	return out, nil
}

// patchMemory applies a patch.
func patchMemory(v *core.Viewer, memory model.Memory, set graph.MemoryPatch) (model.Memory, error) {
	if core.EmptyPatch(&set) {
		return memory, model.BadInput("input.set", "set is empty; say what to change")
	}
	var err error
	if content, given := set.Content.ValueOK(); given {
		if content == nil {
			return memory, model.BadInput("input.set.content", "a memory must have content; leave content out to keep it")
		}
		if memory.Content, err = core.CleanText("input.set.content", *content, model.MaxMemoryContent); err != nil {
			return memory, err
		}
	}
	if summary, given := set.Summary.ValueOK(); given {
		memory.Summary = ""
		if summary != nil {
			if memory.Summary, err = core.CleanLabel("input.set.summary", *summary, model.MaxMemorySummary); err != nil {
				return memory, err
			}
		}
	}
	if tags, given := set.Tags.ValueOK(); given {
		if memory.Tags, err = memoryTags("input.set.tags", tags); err != nil {
			return memory, err
		}
	}
	if expires, given := set.ExpiresAt.ValueOK(); given {
		memory.ExpiresAt = time.Time{}
		if expires != nil {
			if memory.ExpiresAt = when.Resolve(*expires, v.Zone); !memory.ExpiresAt.After(v.Now) {
				return memory, model.BadInput("input.set.expiresAt",
					"expiresAt must lie ahead; to erase the memory use deleteMemories")
			}
		}
	}
	return patchTyped(memory, set)
}

// patchTyped applies what a patch says of type and metadata. Metadata that stays must fit a new type too.
func patchTyped(memory model.Memory, set graph.MemoryPatch) (model.Memory, error) {
	t, retyped := set.Type.ValueOK()
	if retyped {
		if t == nil {
			return memory, model.BadInput("input.set.type", "a memory must have a type; leave type out to keep it")
		}
		memory.Type = *t
	}
	metadata, given := set.Metadata.ValueOK()
	if given {
		memory.Metadata = ""
	} else if kept := model.JSON(memory.Metadata); kept != "" {
		metadata = &kept
	}
	if metadata != nil && (given || retyped) {
		var err error
		if memory.Metadata, err = memoryMetadata("input.set.metadata", memory.Type, *metadata); err != nil {
			return memory, err
		}
	}
	return memory, nil
}

// RestoreMemory makes an earlier version the current one.
func (r *Resolver) RestoreMemory(ctx context.Context,
	in graph.RestoreMemoryInput) (*graph.RestoreMemoryPayload, error) {
	v, err := core.ViewerFrom(ctx)
	if err != nil {
		return nil, err
	}
	out := &graph.RestoreMemoryPayload{Context: noMemory(), UserErrors: []model.UserError{}}
	ifVersion, err := core.Version("input.ifVersion", in.IfVersion)
	if err != nil {
		core.AddUserError(ctx, &out.UserErrors, err)
		return out, nil
	}
	version, err := core.Version("input.version", &in.Version)
	if err != nil {
		core.AddUserError(ctx, &out.UserErrors, err)
		return out, nil
	}
	meant, err := r.Meant(ctx, v, r.memoryTarget(v, in.ID, in.Target, in.Confirm))
	if out.Confirmation = meant.Question; err != nil || !meant.Clear() {
		core.AddUserError(ctx, &out.UserErrors, err)
		return out, nil
	}
	result, shown, err := r.changeMemory(ctx, v, memoryChange{
		id: meant.IDs[0], field: meant.Field, ifVersion: ifVersion, reason: model.MemoryRestored,
		columns: store.MemoryHistory,
		apply:   func(memory model.Memory) (model.Memory, error) { return restored(v, memory, version) },
	})
	if err != nil {
		r.GiveBack(ctx, v, meant, err)
		core.AddUserError(ctx, &out.UserErrors, err)
		return out, nil
	}
	view := r.MemoryAt(v, shown)
	out.Memory, out.Context = &view, result.context()
	return out, nil
}

// restored returns a memory as its version was; the current version is no change. An expiry that has passed meanwhile
// is left out, since the memory would be gone at once.
func restored(v *core.Viewer, memory model.Memory, version int) (model.Memory, error) {
	if version == memory.Version {
		return memory, nil
	}
	at := slices.IndexFunc(memory.History, func(m model.MemoryVersion) bool { return m.Version == version })
	if at < 0 {
		return memory, noVersion(memory, version)
	}
	was := memory.History[at]
	memory.Type, memory.Content, memory.Summary, memory.Tags, memory.Metadata = was.Type, was.Content, was.Summary,
		was.Tags, was.Metadata
	memory.ExpiresAt = was.ExpiresAt
	if !memory.ExpiresAt.After(v.Now) {
		memory.ExpiresAt = time.Time{}
	}
	return memory, nil
}

// noVersion says which versions there are.
func noVersion(memory model.Memory, version int) error {
	const field = "input.version"
	switch n := len(memory.History); n {
	case 0:
		return model.NotFound(field, "there is no version %d: the memory has no earlier versions", version)
	default:
		return model.NotFound(field, "there is no version %d; the earlier versions that are kept are %d to %d", version,
			memory.History[n-1].Version, memory.History[0].Version)
	}
}
