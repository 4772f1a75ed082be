package memories

import (
	"context"
	"strconv"

	"almanac/adapters/store"
	"almanac/graph"
	"almanac/graph/model"
	"almanac/projections/memo"
	"almanac/projections/naming"
	"almanac/resolvers/core"
)

const (
	// maxTarget is how many characters a text may have that names a memory.
	maxTarget = 2_000
	// maxTexts is how many texts one request may name memories by: each is compared with all of them.
	maxTexts = 20
	// pageOfNames is how many memories are read at once when texts are looked for among all of them.
	pageOfNames = 1_000
)

// memoryTarget is how a mutation names a memory.
func (r *Resolver) memoryTarget(v *core.Viewer, id *string, target *graph.MemoryTargetInput,
	confirm *graph.ConfirmInput) core.Target {
	out := core.Target{
		Kind: model.KindMemory, Naming: naming.Memory, Field: "input.id", ID: id, HasTarget: target != nil,
		Confirm: confirm, Candidates: r.memoryNames(v),
	}
	if target == nil {
		return out
	}
	if out.TargetID = target.ID; target.Match != nil {
		out.Texts = []core.Text{{Field: "input.target.match.text", Text: target.Match.Text, Most: maxTarget}}
	}
	return out
}

// memoryNames returns a function that reads the names of all memories, newest first, once.
func (r *Resolver) memoryNames(v *core.Viewer) func(context.Context, string) ([]core.Choice, error) {
	var all []core.Choice
	read := false
	return func(ctx context.Context, _ string) ([]core.Choice, error) {
		if read {
			return all, nil
		}
		query := store.MemoryQuery{
			Now: v.Now, Order: model.MemoryOrder{Field: model.MemoryOrderCreatedAt, Direction: model.Descending},
			Columns: store.MemoryType | store.MemoryContent | store.MemorySummary | store.MemoryMetadata |
				store.MemoryUpdatedAt,
			Page: &store.Window[store.MemoryPlace]{Limit: pageOfNames},
		}
		for {
			page, err := r.Store.Memories(ctx, v.User, query)
			if err != nil {
				return nil, err
			}
			for _, memory := range page.Memories {
				all = append(all, choicesOf(memory, v)...)
			}
			n := len(page.Memories)
			if read = true; !page.HasNext || n == 0 {
				return all, nil
			}
			query.Page = &store.Window[store.MemoryPlace]{Limit: pageOfNames, After: &page.Places[n-1]}
		}
	}
}

// choicesOf are the texts by which a memory may be named: its summary, its content, and what a contact or a key-value
// is called.
func choicesOf(memory model.Memory, v *core.Viewer) []core.Choice {
	id, label := memoryID(memory.ID), memoryLabel(memory, v)
	names := []string{memory.Content, memory.Summary}
	switch memory.Type {
	case model.MemoryContact:
		contact, _ := memo.Contact(memory.Metadata)
		names = append(names, contact.Name)
	case model.MemoryKV:
		names = append(names, memo.Subject(memory))
	}
	var out []core.Choice
	for _, name := range names {
		if name != "" {
			out = append(out, core.Choice{ID: id, Name: name, Label: label})
		}
	}
	return out
}

// eraseTexts erases what texts name, when the answer to the question about it is yes.
func (r *Resolver) eraseTexts(ctx context.Context, v *core.Viewer, in graph.DeleteMemoriesInput,
	out *graph.DeleteMemoriesPayload) error {
	if n := len(in.Texts); n == 0 || n > maxTexts {
		return model.BadInput("input.texts", "one request takes 1 to %d texts, not %d", maxTexts, n)
	}
	t := core.Target{
		Kind: model.KindMemory, Naming: naming.Memory, HasTarget: true, Confirm: in.Confirm, Several: true, Erases: true,
		Candidates: r.memoryNames(v),
	}
	for i, text := range in.Texts {
		t.Texts = append(t.Texts, core.Text{Field: "input.texts." + strconv.Itoa(i), Text: text, Most: maxTarget})
	}
	meant, err := r.Meant(ctx, v, t)
	if err != nil || meant.Declined {
		return err
	}
	if out.Confirmation = meant.Question; meant.Clear() {
		if err := r.eraseNamed(ctx, v, meant.IDs, out); err != nil {
			r.GiveBack(ctx, v, meant, err)
			return err
		}
		out.Context.IsEmpty = out.Deleted == 0
	}
	out.NotFound = append(out.NotFound, meant.Missing...)
	if meant.Question == nil {
		out.Total += int32(len(meant.Missing))
	}
	for i, text := range in.Texts {
		for _, missing := range meant.Missing {
			if text == missing {
				out.Errors = append(out.Errors, core.BulkErrorOf(i, nil, model.NotFound("", "you have no memory called %q",
					model.Clip(text))))
				break
			}
		}
	}
	return nil
}
