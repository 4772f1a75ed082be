package embedding

import (
	"context"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"

	"almanac/adapters/openai"
	"almanac/adapters/remote"
	"almanac/adapters/store"
	"almanac/graph/model"
	"almanac/projections/fold"
	"almanac/projections/ngram"
)

// Remote is an endpoint that makes vectors; the contract is that of openai.Client.
type Remote interface {
	Embed(ctx context.Context, ask openai.Ask, texts []string) ([][]float32, error)
}

// Store is what the worker needs of one; the contract is that of store.VectorStore.
type Store interface {
	PendingMemories(ctx context.Context, name string, now time.Time, after store.PendingPlace,
		limit int) ([]store.PendingMemory, store.PendingPlace, error)
	SaveVectors(ctx context.Context, user model.UserID, vectors []store.MemoryVectorOf) (int, error)
	ExpireMemories(ctx context.Context, now time.Time, limit int) (int, error)
}

// Embedder makes vectors. Store and Now must be set; the other fields have defaults that are right for most. They are
// set before it is used; then it is safe for goroutines, and must not be copied.
type Embedder struct {
	Store Store
	// Knowledge keeps the vectors of entities and facts; nil: there are none.
	Knowledge store.KnowledgeVectors
	// InUse is the model whose vectors all memories, entities and facts are to have; the built-in one when it has no name.
	// A remote one is named as Name does.
	InUse model.EmbeddingModel
	// Remote is where models other than the built-in one are asked; nil: nowhere, and what has a vector of such a model is
	// found by its words until it has a new one.
	Remote Remote
	Now    func() time.Time
	// Jitter returns numbers in [0, 1), so that processes that failed together do not come back together; random ones when
	// nil.
	Jitter func() float64
	// Logger is told of progress and failures; nil: nobody is. No line holds what a user wrote.
	Logger *slog.Logger
	// Observe is called after each batch of the worker, and after each of its failures; nil: it is not called. It must not
	// block.
	Observe func(Report)

	once      sync.Once
	wakes     chan struct{}
	recovered chan struct{}
	// away says that the worker waits for the endpoint to come back.
	away atomic.Bool
	// queries are vectors of what was looked for. refused are earlier models that the endpoint does not have any more.
	queries *lru.Cache[cacheKey, []float32]
	refused until[string]
	// skipped are rows whose text the endpoint refuses.
	skipped until[version]
}

// How long others wait for the endpoint.
const (
	// WriteTimeout bounds Embed: a memory is written without a vector then.
	WriteTimeout = 3 * time.Second
	// QueryTimeout bounds Query: a search goes on by words then.
	QueryTimeout = 2 * time.Second
)

const (
	// maxQueries is how many query vectors are kept; of the longest kind they have 8 MB.
	maxQueries = 512
	// maxModels bounds how many models one query is asked of.
	maxModels = 8
	// refusedFor is for how long a model that the endpoint does not have is not asked again.
	refusedFor = 10 * time.Minute
)

// Model implements resolvers.Embedder.
func (r *Embedder) Model() model.EmbeddingModel {
	r.once.Do(r.prepare)
	return r.InUse
}

// Wake implements resolvers.Embedder.
func (r *Embedder) Wake() {
	r.once.Do(r.prepare)
	signal(r.wakes)
}

// prepare fills in what was left out.
func (r *Embedder) prepare() {
	if r.InUse.Name == "" {
		r.InUse = ngram.Model()
	}
	if r.Jitter == nil {
		r.Jitter = rand.Float64
	}
	if r.Logger == nil {
		r.Logger = slog.New(slog.DiscardHandler)
	}
	if r.Observe == nil {
		r.Observe = func(Report) {}
	}
	r.wakes, r.recovered = make(chan struct{}, 1), make(chan struct{}, 1)
	r.queries = remote.NewCache[cacheKey, []float32](maxQueries)
	r.refused.most, r.skipped.most = 64, 10_000
}

// signal tells once what is not yet heard.
func signal(to chan struct{}) {
	select {
	case to <- struct{}{}:
	default:
	}
}

// Embed implements resolvers.Embedder. It waits for WriteTimeout at most. A text in which there is nothing to embed,
// such as a line of dashes, has the zero value.
func (r *Embedder) Embed(ctx context.Context, texts []string) ([]model.Embedding, error) {
	r.once.Do(r.prepare)
	if len(texts) > model.MaxBulk {
		return nil, fmt.Errorf("embedding: %d texts at once", len(texts))
	}
	if !r.InUse.Local {
		if !slices.ContainsFunc(texts, isWorth) {
			return make([]model.Embedding, len(texts)), nil
		}
		if err := model.AskUpstream(ctx, model.UpstreamModels); err != nil {
			return nil, err
		}
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, WriteTimeout)
		defer cancel()
	}
	return r.embed(ctx, texts)
}

// embed returns the vectors of texts by the model in use.
func (r *Embedder) embed(ctx context.Context, texts []string) ([]model.Embedding, error) {
	vectors, err := r.vectors(ctx, r.InUse.Name, texts)
	if err != nil {
		return nil, err
	}
	all := make([]model.Embedding, len(texts))
	for i, v := range vectors {
		if v != nil {
			all[i] = model.Embedding{Model: r.InUse.Name, Dimensions: len(v), Vector: v}
		}
	}
	return all, nil
}

// isWorth reports whether there is anything in a text that a model could see.
func isWorth(text string) bool { return fold.Text(text) != "" }

// vectors asks one model, the built-in one or the endpoint's. Its errors are fit for clients. A text with nothing in it
// has nil.
func (r *Embedder) vectors(ctx context.Context, name string, texts []string) ([][]float32, error) {
	if name == ngram.Model().Name {
		all := make([][]float32, len(texts))
		for i, text := range texts {
			if ctx.Err() != nil {
				return nil, &model.Error{Code: model.CodeUpstreamUnavailable, Message: "The time for making vectors ended.",
					Cause: ctx.Err()}
			}
			all[i] = ngram.Embed(text)
		}
		return all, nil
	}
	if r.Remote == nil || isBuiltIn(name) {
		return nil, &model.Error{Code: model.CodeUpstreamRejected, Message: "This server cannot ask the model any more.",
			Reason: "model_not_found"}
	}
	worth := make([]string, len(texts))
	for i, text := range texts {
		if isWorth(text) {
			worth[i] = text // others stay empty, and are not sent
		}
	}
	ask := askFor(name)
	if name == r.InUse.Name {
		ask.Expect = r.InUse.Dimensions
	}
	vectors, err := r.Remote.Embed(ctx, ask, worth)
	if err != nil {
		return nil, openai.Classify(err)
	}
	if r.away.Load() && name == r.InUse.Name {
		signal(r.recovered)
	}
	return vectors, nil
}

// Query implements resolvers.Embedder. It waits for QueryTimeout at most, whatever the number of models. What was
// looked for lately is not asked again.
//
// A model that the endpoint refuses, other than the one in use, is taken for one that cannot be asked any more: it is
// left out without an error, and not asked for some minutes.
func (r *Embedder) Query(ctx context.Context, text string, models []string) ([]store.QueryVector, error) {
	r.once.Do(r.prepare)
	if !isWorth(text) {
		return nil, nil
	}
	names := r.ordered(models)
	found := make([][]float32, len(names))
	failed := make([]error, len(names))
	var questions []int
	for i, name := range names {
		switch {
		case name == ngram.Model().Name:
			found[i] = ngram.Embed(text)
		case r.Remote == nil || isBuiltIn(name):
		default:
			if found[i], _ = r.queries.Get(keyOf(name, text)); found[i] == nil && !r.refused.has(name, r.Now()) {
				questions = append(questions, i)
			}
		}
	}
	if len(questions) > 0 {
		if err := model.AskUpstream(ctx, model.UpstreamModels); err != nil {
			return gathered(names, found), err
		}
		within, cancel := context.WithTimeout(ctx, QueryTimeout)
		defer cancel()
		var asked sync.WaitGroup
		for _, i := range questions {
			asked.Go(func() { found[i], failed[i] = r.ask(within, names[i], text) })
		}
		asked.Wait()
	}
	for _, err := range failed {
		if err != nil {
			return gathered(names, found), err
		}
	}
	return gathered(names, found), nil
}

// ordered returns the models to ask, each once, the one in use first.
func (r *Embedder) ordered(models []string) []string {
	names := make([]string, 0, len(models))
	if slices.Contains(models, r.InUse.Name) {
		names = append(names, r.InUse.Name)
	}
	for _, name := range models {
		if name != "" && len(names) < maxModels && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// ask asks for one text's vector by one model of the endpoint.
func (r *Embedder) ask(ctx context.Context, name, text string) ([]float32, error) {
	vectors, err := r.vectors(ctx, name, []string{text})
	switch {
	case err == nil && vectors[0] != nil:
		r.queries.Add(keyOf(name, text), vectors[0])
		return vectors[0], nil
	case err == nil:
		return nil, nil
	case name != r.InUse.Name && model.CodeOf(err) == model.CodeUpstreamRejected:
		r.refused.remember(name, r.Now().Add(refusedFor))
		r.Logger.WarnContext(ctx,
			"an earlier embedding model cannot be asked; what has its vectors is found by words until it has new ones",
			"model", name, "cause", model.CauseOf(err))
		return nil, nil
	}
	return nil, err
}

// gathered pairs the vectors that there are with their models.
func gathered(names []string, found [][]float32) []store.QueryVector {
	var all []store.QueryVector
	for i, v := range found {
		if v != nil {
			all = append(all, store.QueryVector{Model: names[i], Vector: v})
		}
	}
	return all
}
