package storetest

import (
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"almanac/adapters/store"
	"almanac/graph/model"
)

func testKnowledgeQueue(t *testing.T, open Open) {
	t.Run("the longest due first", func(t *testing.T) { queueOrder(newFixture(t, open)) })
	t.Run("two that claim at once", func(t *testing.T) { queueParallel(newFixture(t, open), open) })
}

func queueOrder(h *fixture) {
	users := []*fixture{h.as("first"), h.as("second")}
	of := map[model.UUID]model.Episode{}
	var due []model.UUID
	for n := range 12 {
		e := h.episode(numbered("episode ", n))
		e.Name, e.SourceDescription, e.ReferenceTime = "n", "chat", noon.Add(-time.Hour)
		e.State, e.NextAt, e.Attempts = model.EpisodeQueued, noon.Add(-time.Duration(n)*time.Minute), n%3
		switch n {
		case 3:
			e.State = model.EpisodeVerbatim
		case 4:
			e.State = model.EpisodeExtracted
		case 5:
			e.State, e.Problem = model.EpisodeFailed, "no"
		case 6:
			e.NextAt = noon.Add(time.Microsecond) // not yet
		case 7:
			e.NextAt = time.Time{} // at once
		}
		users[n%2].hear(e)
		of[e.ID.UUID] = e
		if e.State == model.EpisodeQueued && !e.NextAt.After(noon) {
			due = append(due, e.ID.UUID)
		}
	}
	slices.SortFunc(due, func(a, b model.UUID) int { return of[a].NextAt.Compare(of[b].NextAt) })
	until := noon.Add(10 * time.Minute)
	heads := []int64{users[0].head(), users[1].head()}
	claim := func(now, until time.Time, limit int) []store.QueuedEpisode {
		h.Helper()
		return must(h, func() ([]store.QueuedEpisode, error) { return h.ClaimEpisodes(h.ctx, now, until, limit) })
	}
	h.same("no limit, nothing", len(claim(noon, until, 0)), 0)
	h.same("nothing due", len(claim(noon.Add(-time.Hour), until, 10)), 1) // but what is due at once
	e := of[due[0]]
	e.Attempts, e.NextAt = e.Attempts+1, noon.Add(-time.Hour)
	users[1].hear(e) // due first again
	of[due[0]] = e
	var got []model.UUID
	for _, limit := range []int{3, 100} {
		for _, q := range claim(noon, until, limit) {
			want := of[q.Episode.ID.UUID]
			want.Attempts, want.NextAt = want.Attempts+1, until
			h.same("what is claimed is whole, with its new values", q, store.QueuedEpisode{User: q.User, Episode: want})
			kept := must(h, func() ([]model.Episode, error) {
				return h.EpisodesByID(h.ctx, q.User, []model.UUID{want.ID.UUID}, store.EpisodeRow)
			})
			h.same("and so it is kept", kept, []model.Episode{want})
			got = append(got, want.ID.UUID)
		}
		if limit == 3 {
			h.same("at most so many", len(got), 3)
		}
	}
	h.same("the longest due first", got, due)
	// the one that was not due yet
	h.same("all are taken", len(claim(until.Add(-time.Microsecond), until.Add(time.Hour), 100)), 1)
	h.same("until then", len(claim(until, until.Add(time.Hour), 100)), len(due))
	done := of[due[0]]
	done.State, done.NextAt = model.EpisodeExtracted, time.Time{}
	users[1].hear(done)
	heads[1]++
	h.same("what is done is not claimed", len(claim(until.Add(2*time.Hour), until.Add(3*time.Hour), 100)), len(due))
	h.same("no change of its own", []int64{users[0].head(), users[1].head()}, []int64{heads[0], heads[1] + 1})
}

// queueParallel: several readers in two processes never get the same episode, and together get all.
func queueParallel(h *fixture, open Open) {
	beside := open(h.T, Options{Now: h.clock.Now, Beside: h.Store})
	const n = 60
	for u := range 3 {
		h.as(fmt.Sprint("user ", u)).hear(many(n/3, func(i int) model.Episode {
			e := h.episode(numbered("episode ", i))
			e.State, e.NextAt = model.EpisodeQueued, noon
			return e
		})...)
	}
	var mu sync.Mutex
	var busy sync.WaitGroup
	seen := map[model.UUID]int{}
	for _, in := range []store.Store{h.Store, beside, h.Store, beside} {
		busy.Go(func() {
			for range n {
				got, err := in.ClaimEpisodes(h.ctx, noon, noon.Add(time.Hour), 4)
				if err != nil || len(got) > 4 {
					h.Errorf("ClaimEpisodes: %d, %v", len(got), err)
					return
				}
				mu.Lock()
				for _, q := range got {
					seen[q.Episode.ID.UUID]++
					if q.Episode.Attempts != 1 {
						h.Errorf("an episode with %d attempts", q.Episode.Attempts)
					}
				}
				mu.Unlock()
			}
		})
	}
	busy.Wait()
	for _, times := range seen {
		h.same("times an episode was claimed", times, 1)
	}
	h.same("all are claimed", len(seen), n)
}
