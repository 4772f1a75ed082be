package memories

import (
	"context"
	"slices"

	"almanac/graph"
	"almanac/graph/model"
	"almanac/internal/dryrun"
	"almanac/projections/memo"
	"almanac/projections/when"
	"almanac/resolvers/core"
)

// newMemory reads a memory to keep; field is the dotted path of the input, for messages.
func (r *Resolver) newMemory(v *core.Viewer, in graph.MemoryInput, field string) (model.Memory, error) {
	memory := model.Memory{Type: in.Type, CreatedAt: v.Now, UpdatedAt: v.Now, Version: 1}
	var err error
	if memory.Content, err = core.CleanText(field+".content", in.Content, model.MaxMemoryContent); err != nil {
		return memory, err
	}
	if in.Summary != nil {
		if memory.Summary, err = core.CleanLabel(field+".summary", *in.Summary, model.MaxMemorySummary); err != nil {
			return memory, err
		}
	}
	if memory.Tags, err = memoryTags(field+".tags", in.Tags); err != nil {
		return memory, err
	}
	if in.Metadata != nil {
		if memory.Metadata, err = memoryMetadata(field+".metadata", in.Type, *in.Metadata); err != nil {
			return memory, err
		}
	}
	if in.ExpiresAt != nil {
		memory.ExpiresAt = when.Resolve(*in.ExpiresAt, v.Zone)
		if !memory.ExpiresAt.After(v.Now) {
			return memory, model.BadInput(field+".expiresAt", "expiresAt must lie ahead")
		}
	}
	memory.ID = r.NewID()
	return memory, nil
}

// memoryTags reads labels.
func memoryTags(field string, tags []string) ([]string, error) {
	clean, err := memo.Tags(tags)
	if err != nil {
		return nil, core.AtField(err, field)
	}
	return clean, nil
}

// memoryMetadata reads metadata of a type of memory.
func memoryMetadata(field string, t model.MemoryType, value model.JSON) (string, error) {
	text, err := memo.Metadata(t, value)
	if err != nil {
		return "", core.Below(err, field)
	}
	return text, nil
}

// sameMemory reports whether two memories say the same in everything, letter by letter: a password in other letters is
// another one.
func sameMemory(a, b model.Memory) bool {
	return a.Type == b.Type && a.Content == b.Content && a.Summary == b.Summary && slices.Equal(a.Tags, b.Tags) &&
		a.Metadata == b.Metadata && a.ExpiresAt.Equal(b.ExpiresAt)
}

// embed sets the vectors of memories. Where the model cannot be asked they have none: they are kept, found by their
// words, and embedded later, so that is no error of a write. It must not be called within a transaction.
//
// A dry run keeps no vectors, so a model elsewhere is asked only for what decides about the answer: compared says that
// contacts and key-values are compared with those that are there.
func (r *Resolver) embed(ctx context.Context, memories []*model.Memory, compared bool) {
	if dryrun.Is(ctx) && !r.Embedder.Model().Local {
		memories = slices.DeleteFunc(slices.Clone(memories),
			func(m *model.Memory) bool { return !compared || m.Type == model.MemoryNote })
	}
	if len(memories) == 0 {
		return
	}
	texts := make([]string, len(memories))
	for i, memory := range memories {
		texts[i] = memo.Text(*memory)
	}
	vectors, err := r.Embedder.Embed(ctx, texts)
	if err != nil || len(vectors) != len(memories) {
		return
	}
	for i, memory := range memories {
		memory.Embedding = vectors[i]
	}
}

// wake has those embedded that were kept without a vector. Call it when they are committed.
func (r *Resolver) wake(ctx context.Context, memories ...model.Memory) {
	if !dryrun.Is(ctx) && slices.ContainsFunc(memories, func(m model.Memory) bool { return m.Embedding.Model == "" }) {
		r.Embedder.Wake()
	}
}
