package memories

import (
	"context"
	"errors"
	"slices"
	"strconv"

	"almanac/adapters/store"
	"almanac/graph"
	"almanac/graph/model"
	"almanac/projections"
	"almanac/projections/memo"
	"almanac/resolvers/core"
)

// keptMany is what came of a write of several memories.
type keptMany struct {
	// Items are those that were kept, or are known, in input order.
	Items  []kept            `json:"items"`
	Errors []model.BulkError `json:"errors"`
}

// count counts those of a fate.
func (k keptMany) count(as keptAs) int32 {
	n := int32(0)
	for _, one := range k.Items {
		if one.As == as {
			n++
		}
	}
	return n
}

// context is the response context of them.
func (k keptMany) context() *projections.MemoryContext {
	return &projections.MemoryContext{IsEmpty: len(k.Items) == 0, IsNew: k.count(keptNew) > 0,
		IsOverride: k.count(keptInstead) > 0}
}

// StoreMemories keeps several things, each for itself.
func (r *Resolver) StoreMemories(ctx context.Context,
	in graph.StoreMemoriesInput) (*graph.StoreMemoriesPayload, error) {
	v, err := core.ViewerFrom(ctx)
	if err != nil {
		return nil, err
	}
	out := &graph.StoreMemoriesPayload{Memories: []projections.Memory{}, Errors: []model.BulkError{}, Context: noMemory(),
		UserErrors: []model.UserError{}}
	result, again, err := core.Earlier[keptMany](ctx, r.Base, v)
	switch {
	case err == nil && again:
		out.Memories, err = r.keptViews(ctx, r.Store, v, result)
	case err == nil:
		result, out.Memories, err = r.keepMany(ctx, v, in)
	}
	if err != nil {
		core.AddUserError(ctx, &out.UserErrors, err)
		return out, nil
	}
	out.Created, out.Overridden, out.Unchanged = result.count(keptNew), result.count(keptInstead),
		result.count(keptUnchanged)
	out.Errors, out.Context = append(out.Errors, result.Errors...), result.context()
	return out, nil
}

// keptViews are the memories of a result as they are now, in its order; those that are new say so.
func (r *Resolver) keptViews(ctx context.Context, from store.MemoryReader, v *core.Viewer,
	result keptMany) ([]projections.Memory, error) {
	views := []projections.Memory{}
	asked := core.Answered(ctx).Under("memories", "Memory")
	if len(asked.Fields) == 0 && !asked.Compact {
		return views, nil
	}
	var ids []model.UUID
	for _, one := range result.Items {
		if !slices.Contains(ids, one.ID) {
			ids = append(ids, one.ID)
		}
	}
	found, err := memoriesBy(ctx, from, v, ids, MemoryColumns(asked))
	if err != nil {
		return nil, err
	}
	for _, one := range result.Items {
		memory, there := found[one.ID]
		if !there { // erased since, by somebody else
			continue
		}
		view := r.MemoryAt(v, memory)
		if one.As == keptNew {
			view = view.AsNew()
		}
		views = append(views, view)
	}
	return views, nil
}

// wantedMemory is a memory to keep, of one place in a request.
type wantedMemory struct {
	place  int
	memory model.Memory
	near   []nearMemory
}

// keepMany does what storeMemories says at the first try, and shows what it has kept.
func (r *Resolver) keepMany(ctx context.Context, v *core.Viewer,
	in graph.StoreMemoriesInput) (result keptMany, shown []projections.Memory, err error) {
	shown = []projections.Memory{}
	if err := core.AtMost("input.memories", len(in.Memories)); err != nil {
		return keptMany{}, shown, err
	}
	bulk := core.BulkErrors{Atomic: in.Atomic}
	wanted, err := r.wantedMemories(v, in.Memories, &bulk)
	if err != nil {
		return keptMany{}, shown, err
	}
	if bulk.Undone() || len(wanted) == 0 {
		return keptMany{Errors: bulk.List()}, shown, nil
	}
	memories := make([]*model.Memory, len(wanted))
	for i := range wanted {
		memories[i] = &wanted[i].memory
	}
	compared := in.OnConflict != graph.OnMemoriesConflictKeepBoth
	r.embed(ctx, memories, compared)
	if compared {
		if err := r.nearEach(ctx, v, wanted); err != nil {
			return keptMany{}, shown, err
		}
	}
	result, err = core.Once(ctx, r.Base, v, func(ctx context.Context, tx store.Tx) (keptMany, error) {
		writer := memoriesWriter{tx: tx, v: v, policy: in.OnConflict, bulk: &bulk, pending: make(map[string]bool)}
		for _, one := range wanted {
			if err := writer.take(ctx, one); err != nil {
				return keptMany{}, err
			}
		}
		if err := bulk.Verdict(); err != nil {
			return keptMany{}, err
		}
		if err := writer.flush(ctx); err != nil {
			return keptMany{}, err
		}
		kept := keptMany{Items: writer.items, Errors: bulk.List()}
		var err error
		shown, err = r.keptViews(ctx, tx, v, kept)
		return kept, err
	})
	if errors.Is(err, core.ErrUndone) {
		return keptMany{Errors: bulk.List()}, shown, nil
	}
	if err == nil {
		for _, one := range wanted {
			r.wake(ctx, one.memory)
		}
	}
	return result, shown, err
}

// wantedMemories reads the memories to keep; those that cannot be read are refused in bulk.
func (r *Resolver) wantedMemories(v *core.Viewer, in []graph.MemoryInput,
	bulk *core.BulkErrors) ([]wantedMemory, error) {
	wanted := make([]wantedMemory, 0, len(in))
	for i, one := range in {
		memory, err := r.newMemory(v, one, "input.memories."+strconv.Itoa(i))
		if err != nil {
			if err = bulk.Add(i, nil, core.NamingField(err, "input", "memories", strconv.Itoa(i))); err != nil {
				return nil, err
			}
			continue
		}
		wanted = append(wanted, wantedMemory{place: i, memory: memory})
	}
	return wanted, nil
}

// nearEach looks for what is nearly the same as each of them. Those of one request are not compared with each other but
// by text and name.
func (r *Resolver) nearEach(ctx context.Context, v *core.Viewer, wanted []wantedMemory) error {
	found, failures := core.AskEach(wanted,
		func(one wantedMemory) ([]nearMemory, error) { return r.nearMemories(ctx, v, one.memory) })
	for i := range wanted {
		if failures[i] != nil {
			return failures[i]
		}
		wanted[i].near = found[i]
	}
	return nil
}

// memoriesWriter keeps memories one after another, each seeing those before it, with as few writes as that allows.
type memoriesWriter struct {
	tx     store.Tx
	v      *core.Viewer
	policy graph.OnMemoriesConflict
	bulk   *core.BulkErrors
	items  []kept
	// inserts are not written yet; pending has their texts and names.
	inserts []model.Memory
	pending map[string]bool
}

// namesOf are the text and the names by which a memory finds its twins.
func namesOf(memory model.Memory) []string {
	names := []string{string(memory.Type) + "\x00=" + memo.Key(memory.Content)}
	if memory.Type == model.MemoryNote {
		return names
	}
	for _, identity := range memo.Identity(memory) {
		names = append(names, string(memory.Type)+"\x00"+identity)
	}
	return names
}

// take keeps one memory, or notes why not.
func (w *memoriesWriter) take(ctx context.Context, one wantedMemory) error {
	names := namesOf(one.memory)
	if slices.ContainsFunc(names, func(name string) bool { return w.pending[name] }) {
		if err := w.flush(ctx); err != nil { // its twin must be seen
			return err
		}
	}
	twins, err := twinsOfMemory(ctx, w.tx, w.v, one.memory, store.MemoryRow)
	if err != nil {
		return err
	}
	if known, ok := knownAlready(twins, one.memory); ok {
		w.items = append(w.items, kept{known.ID, keptUnchanged})
		return nil
	}
	var rivals []rival
	if w.policy != graph.OnMemoriesConflictKeepBoth {
		if rivals, err = rivalsOf(ctx, w.tx, w.v, one.memory, twins, one.near, 0); err != nil {
			return err
		}
	}
	if len(rivals) == 0 {
		w.items = append(w.items, kept{one.memory.ID, keptNew})
		w.inserts = append(w.inserts, one.memory)
		for _, name := range names {
			w.pending[name] = true
		}
		return nil
	}
	if w.policy == graph.OnMemoriesConflictReport {
		id := memoryID(rivals[0].memory.ID)
		return w.bulk.Add(one.place, &id, model.Errorf(model.CodeConflict,
			"this may be known differently already: %s; set onConflict to OVERRIDE or KEEP_BOTH", id))
	}
	done, _, err := keep(ctx, w.tx, one.memory, &rivals[0].memory)
	w.items = append(w.items, done)
	return err
}

// flush writes what is not written yet.
func (w *memoriesWriter) flush(ctx context.Context) error {
	if len(w.inserts) == 0 {
		return nil
	}
	err := w.tx.InsertMemories(ctx, w.inserts)
	w.inserts, w.pending = nil, make(map[string]bool)
	return err
}
