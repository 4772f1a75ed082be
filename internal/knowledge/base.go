// Package knowledge is the knowledge graph of the own store: it decides what becomes of what is told, and leaves
// keeping, ranking and counting to the store.
//
// It promises that the same facts leave the same graph, in any order and in any number of calls, as far as they do not
// contradict each other: entities of the same names, the same facts with the same times. What depends on who comes
// first is said where it is decided (see AddFacts). Facts that are contradicted stay as history, and nothing is closed
// that nobody asked to close. Every write is one transaction, or part of its context's, takes a bounded number of store
// calls whatever the number of facts, and asks nothing remote: vectors of a local model are made at once, those of a
// remote one by the worker.
package knowledge

import (
	"cmp"
	"context"
	"sync"
	"time"

	"almanac/adapters/knowledge"
	"almanac/adapters/store"
	"almanac/graph/model"
	"almanac/internal/dryrun"
)

// Embedder makes vectors; the contract is that of resolvers.Embedder. embedding.Embedder is one.
type Embedder interface {
	Model() model.EmbeddingModel
	Embed(ctx context.Context, texts []string) ([]model.Embedding, error)
	Query(ctx context.Context, text string, models []string) ([]store.QueryVector, error)
	Wake()
}

// Base is the knowledge base of the own store; it implements knowledge.Base, and knowledge.Extracted is written by its
// AddExtracted. Store, Embedder, NewID and Now must be set. It is safe for goroutines, and must not be copied after its
// first use.
type Base struct {
	Store    store.Store
	Embedder Embedder
	// NewID makes ids in time order.
	NewID func() model.UUID
	// Now tells how long something is remembered; what is kept gets its times from the caller.
	Now func() time.Time
	// Extraction is what reads episodes.
	Extraction Extraction

	models modelsOfUsers
	// step is how many facts of an entity are read and saved at once where all of them have to be; 0 for factsAStep.
	step int
}

// factsAStep bounds what a merge or a new name holds in memory.
const factsAStep = 500

func (b *Base) factsAStep() int { return cmp.Or(b.step, factsAStep) }

// Extraction is what reads episodes.
type Extraction struct {
	// Model is its name; empty when none is configured: then episodes stay as they are.
	Model string
	// Wake says that an episode that waits to be read has been committed; nil: nobody is told, and it is found by looking
	// now and then.
	Wake func()
}

var _ knowledge.Base = (*Base)(nil)

// Facts implements knowledge.Base.
func (b *Base) Facts() knowledge.Facts {
	return knowledge.Facts{
		Backend: model.KnowledgeOwn, Transactional: true, Edits: true, MostFacts: model.MaxFactsAtOnce,
		Extracts: b.Extraction.Model != "", ExtractionModel: b.Extraction.Model,
	}
}

// Committed has the workers look for what was left to them: vectors of a remote model, episodes to be read. Each write
// does so when its own transaction has ended; whoever makes a write part of a transaction calls it again after the
// commit, for only then can they see it. It is harmless at any time.
func (b *Base) Committed() {
	if !b.Embedder.Model().Local {
		b.Embedder.Wake()
	}
	if b.Extraction.Model != "" && b.Extraction.Wake != nil {
		b.Extraction.Wake()
	}
}

// write runs a write of the user, and has the workers look afterwards.
func (b *Base) write(ctx context.Context, user model.UserID, fn func(ctx context.Context, tx store.Tx) error) error {
	if err := b.Store.Write(ctx, user, fn); err != nil {
		return err
	}
	if !dryrun.Is(ctx) {
		b.Committed()
	}
	return nil
}

// Status implements knowledge.Reader.
func (b *Base) Status(ctx context.Context, user model.UserID, now time.Time) (knowledge.Status, error) {
	counts, err := b.Store.KnowledgeCounts(ctx, user, now)
	if err != nil {
		return knowledge.Status{}, err
	}
	b.models.note(user, counts.Models, b.Now())
	return knowledge.Status{Healthy: true, Counts: &counts}, nil
}

const (
	// modelsLife is how long it is remembered by which models a user's vectors were made. Beside the one in use there are
	// others only while the model is being changed, which takes longer.
	modelsLife = time.Minute
	// maxModelUsers bounds how many users are remembered.
	maxModelUsers = 10_000
)

// modelsOfUsers remembers by which models vectors of users were made, so that a search need not count them.
type modelsOfUsers struct {
	mu    sync.Mutex
	users map[model.UserID]rememberedModels
}

type rememberedModels struct {
	names []string
	until time.Time
}

func (m *modelsOfUsers) note(user model.UserID, counts []model.ModelCount, now time.Time) []string {
	names := make([]string, 0, len(counts))
	for _, count := range counts {
		if count.Rows > 0 {
			names = append(names, count.Model)
		}
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if _, remembered := m.users[user]; m.users == nil || !remembered && len(m.users) >= maxModelUsers {
		m.users = map[model.UserID]rememberedModels{} // rarer than once in so many users, and each costs one question
	}
	m.users[user] = rememberedModels{names, now.Add(modelsLife)}
	return names
}

func (m *modelsOfUsers) recall(user model.UserID, now time.Time) ([]string, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	remembered, ok := m.users[user]
	return remembered.names, ok && now.Before(remembered.until)
}
