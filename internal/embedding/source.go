package embedding

import (
	"context"
	"errors"
	"time"

	"almanac/adapters/store"
	"almanac/graph/model"
	"almanac/projections/graphtext"
	"almanac/projections/memo"
	"almanac/projections/words"
)

// version names a row as it was at one time.
type version struct {
	user   model.UserID
	kind   model.Kind
	id     model.UUID
	number int
}

// row is something that is to have a vector: a memory, an entity, a fact.
type row struct {
	version
	// text is what the vector is made of.
	text string
	// entries are those of the index of words.
	entries []string
}

// vectorOf is a vector of a row.
type vectorOf struct {
	version
	embedding model.Embedding
	entries   []string
}

// source reads the rows that need vectors, page by page, and stores their vectors.
type source interface {
	// name is what it holds, in one word.
	name() string
	// next returns the next rows that lack a vector of a model; none at the end.
	next(ctx context.Context, name string, now time.Time) ([]row, error)
	// keep keeps vectors of one user's rows, and tells how many; those of rows that were changed meanwhile it leaves out.
	keep(ctx context.Context, user model.UserID, vectors []vectorOf) (int, error)
}

// The names of the sources, for Report.Of.
const (
	OfMemories  = "memories"
	OfKnowledge = "knowledge"
)

// sources returns those there are, at their beginnings.
func (r *Embedder) sources() []source {
	all := []source{&memorySource{store: r.Store}}
	if r.Knowledge != nil {
		all = append(all, &knowledgeSource{store: r.Knowledge})
	}
	return all
}

// memorySource is the source of memories.
type memorySource struct {
	store Store
	place store.PendingPlace
}

func (*memorySource) name() string { return OfMemories }

func (s *memorySource) next(ctx context.Context, name string, now time.Time) ([]row, error) {
	pending, place, err := s.store.PendingMemories(ctx, name, now, s.place, batch)
	if err != nil {
		return nil, err
	}
	s.place = place
	rows := make([]row, len(pending))
	for i, m := range pending {
		memory := model.Memory{ID: m.ID, Type: m.Type, Content: m.Content, Summary: m.Summary, Tags: m.Tags,
			Metadata: m.Metadata}
		rows[i] = row{version{m.User, model.KindMemory, m.ID, m.Version}, memo.Text(memory), words.Entries(memory)}
	}
	return rows, nil
}

func (s *memorySource) keep(ctx context.Context, user model.UserID, vectors []vectorOf) (int, error) {
	all := make([]store.MemoryVectorOf, len(vectors))
	for i, v := range vectors {
		all[i] = store.MemoryVectorOf{ID: v.id, Version: v.number, Embedding: v.embedding, Entries: v.entries}
	}
	return s.store.SaveVectors(ctx, user, all)
}

// knowledgeSource is the source of entities and facts.
type knowledgeSource struct {
	store store.KnowledgeVectors
	place store.KnowledgePlace
}

func (*knowledgeSource) name() string { return OfKnowledge }

func (s *knowledgeSource) next(ctx context.Context, name string, _ time.Time) ([]row, error) {
	pending, place, err := s.store.PendingKnowledge(ctx, name, s.place, batch)
	if err != nil {
		return nil, err
	}
	s.place = place
	rows := make([]row, len(pending))
	for i, k := range pending {
		switch {
		case k.Entity != nil:
			rows[i] = row{version{k.User, model.KindEntity, k.Entity.ID.UUID, k.Entity.Version}, graphtext.Entity(*k.Entity),
				graphtext.EntityEntries(*k.Entity)}
		case k.Fact != nil:
			rows[i] = row{version{k.User, model.KindFact, k.Fact.ID.UUID, k.Fact.Version}, graphtext.Fact(*k.Fact),
				graphtext.FactEntries(*k.Fact)}
		default:
			return nil, errors.New("the store gave neither an entity nor a fact")
		}
	}
	return rows, nil
}

func (s *knowledgeSource) keep(ctx context.Context, user model.UserID, vectors []vectorOf) (int, error) {
	all := make([]store.KnowledgeVectorOf, len(vectors))
	for i, v := range vectors {
		all[i] = store.KnowledgeVectorOf{Kind: v.kind, ID: v.id, Version: v.number, Embedding: v.embedding,
			Entries: v.entries}
	}
	return s.store.SaveKnowledgeVectors(ctx, user, all)
}
