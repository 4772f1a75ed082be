package memories

import (
	"context"
	"slices"
	"sync"
	"time"

	"almanac/graph/model"
	"almanac/resolvers/core"
)

// modelsLife is how long it is remembered by which models a user's memories have their vectors. Beside the model in use
// there are others only while the model is being changed, which takes longer.
const modelsLife = time.Minute

// maxModelUsers bounds how many users are remembered.
const maxModelUsers = 10_000

// userModels remembers by which models users' memories have their vectors, so that a search need not ask.
type userModels struct {
	mu    sync.Mutex
	users map[model.UserID]knownModels
}

type knownModels struct {
	names []string
	until time.Time
}

func newUserModels() *userModels { return &userModels{users: make(map[model.UserID]knownModels)} }

// note remembers what was counted.
func (m *userModels) note(v *core.Viewer, counts []model.ModelCount) []string {
	names := make([]string, 0, len(counts))
	for _, count := range counts {
		if count.Rows > 0 {
			names = append(names, count.Model)
		}
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if _, known := m.users[v.User]; !known && len(m.users) >= maxModelUsers {
		clear(m.users) // rarer than once in so many users, and each costs one small question
	}
	m.users[v.User] = knownModels{names: names, until: v.Now.Add(modelsLife)}
	return names
}

func (m *userModels) recall(v *core.Viewer) ([]string, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	known, ok := m.users[v.User]
	return known.names, ok && v.Now.Before(known.until)
}

// modelsOf are the models under which a search of the viewer's memories must be asked, the one in use first.
func (r *Resolver) modelsOf(ctx context.Context, v *core.Viewer) ([]string, error) {
	names, known := r.models.recall(v)
	if !known {
		counts, err := r.Store.MemoryCounts(ctx, v.User, v.Now)
		if err != nil {
			return nil, err
		}
		names = r.models.note(v, counts.Models)
	}
	current := r.Embedder.Model().Name
	out := []string{current}
	for _, name := range names {
		if !slices.Contains(out, name) {
			out = append(out, name)
		}
	}
	return out, nil
}
