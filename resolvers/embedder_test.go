package resolvers_test

import (
	"context"
	"hash/fnv"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"almanac/adapters/store"
	"almanac/graph/model"
	"almanac/projections/fold"
	vectors "almanac/projections/vector"
)

// trigrams is a model that never changes, so that scripts need not be written anew whenever the local one is tuned:
// texts that share parts of words are near each other. Nothing to see has no vector.
func trigrams(text string) []float32 {
	vector := make([]float32, 256)
	for word := range strings.FieldsSeq(fold.Text(text)) {
		letters := []rune("^" + strings.Trim(word, ".,!?-:\"'") + "$")
		for i := 0; len(letters) > 2 && i+3 <= len(letters); i++ {
			hash := fnv.New32a()
			_, _ = hash.Write([]byte(string(letters[i : i+3])))
			vector[hash.Sum32()%256]++
		}
	}
	if !vectors.Unit(vector) {
		return nil
	}
	return vector
}

// testEmbedder embeds by trigrams; it can be sent away, and renamed as if it were another model.
type testEmbedder struct {
	away  atomic.Bool
	woken atomic.Int64
	// embedded counts texts.
	embedded atomic.Int64

	mu sync.Mutex
	// named is the model's name; "trigrams" when empty. lost are models that cannot be asked any more.
	named string
	lost  []string
}

func (e *testEmbedder) Model() model.EmbeddingModel {
	e.mu.Lock()
	defer e.mu.Unlock()
	m := model.EmbeddingModel{Name: "trigrams", Dimensions: 256, Floor: 0.35, Near: 0.85, Local: true}
	if e.named != "" {
		m.Name = e.named
	}
	return m
}

func (e *testEmbedder) rename(name string, lost ...string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.named, e.lost = name, lost
}

func (e *testEmbedder) fault() error {
	if e.away.Load() {
		return model.Errorf(model.CodeUpstreamUnavailable, "The embedding model cannot be reached at the moment.")
	}
	return nil
}

func (e *testEmbedder) Embed(_ context.Context, texts []string) ([]model.Embedding, error) {
	if err := e.fault(); err != nil {
		return nil, err
	}
	out := make([]model.Embedding, len(texts))
	for i, text := range texts {
		e.embedded.Add(1)
		if vector := trigrams(text); vector != nil {
			out[i] = model.Embedding{Model: e.Model().Name, Dimensions: len(vector), Vector: vector}
		}
	}
	return out, nil
}

func (e *testEmbedder) Query(_ context.Context, text string, models []string) ([]store.QueryVector, error) {
	if err := e.fault(); err != nil {
		return nil, err
	}
	vector := trigrams(text)
	if vector == nil {
		return nil, nil
	}
	var out []store.QueryVector
	for _, name := range models {
		if !slices.Contains(e.lost, name) {
			out = append(out, store.QueryVector{Model: name, Vector: vector})
		}
	}
	return out, nil
}

func (e *testEmbedder) Wake() { e.woken.Add(1) }

// embedAll does what the worker does: it embeds what has no vector of the model in use.
func (e *testEmbedder) embedAll(ctx context.Context, h *harness) (int, error) {
	count := 0
	var place store.PendingPlace
	for {
		pending, next, err := h.store.PendingMemories(ctx, e.Model().Name, h.clock.Now(), place, 100)
		if err != nil || len(pending) == 0 {
			return count, err
		}
		for _, one := range pending {
			vector := trigrams(one.Content)
			if vector == nil {
				continue
			}
			n, err := h.store.SaveVectors(ctx, one.User, []store.MemoryVectorOf{{
				ID: one.ID, Version: one.Version,
				Embedding: model.Embedding{Model: e.Model().Name, Dimensions: len(vector), Vector: vector},
			}})
			if err != nil {
				return count, err
			}
			count += n
		}
		place = next
	}
}
