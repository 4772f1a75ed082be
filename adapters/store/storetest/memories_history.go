package storetest

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
	"time"

	"almanac/adapters/store"
	"almanac/graph/model"
	"almanac/projections/memo"
)

// testMemoryHistories lives through random histories of two users at once, who have much in common, and compares
// everything that can be asked with what the oracle says, after each step: for each user, inside of transactions, and
// through another handle on the same database.
func testMemoryHistories(t *testing.T, open Open) {
	for seed := range uint64(3) {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			h := newFixture(t, open)
			beside := open(t, Options{Now: h.clock.Now, Beside: h.Store})
			random := dice(310 + seed)
			lives := []*life{
				{fixture: h.as("one"), random: random, shelf: shelf{}, beside: beside},
				{fixture: h.as("two"), random: random, shelf: shelf{}, beside: beside},
			}
			for step := range 40 {
				l := lives[step%2]
				l.step()
				for _, l := range lives {
					l.check(l.ctx, l.Store, l.shelf)
					l.checkSearches(l.Store, 3)
				}
				if step%5 == 0 {
					l.checkSearches(beside, 4)
				}
				if step%10 == 9 {
					checkPending(h, lives)
					expire(h, lives)
				}
				if t.Failed() {
					t.Fatalf("at step %d", step)
				}
			}
			for _, l := range lives {
				l.same("the whole log", l.log(0), l.lines)
			}
		})
	}
}

// life is one user's history.
type life struct {
	*fixture
	random *rand.Rand
	shelf  shelf
	// lines are what the change log must say.
	lines  []string
	beside store.Store
	// numbers are given to versions of histories that are restored.
	numbers int
}

// some picks a memory that has not expired.
func (l *life) some(of shelf) (model.Memory, bool) {
	there := of.there(l.clock.Now())
	if len(there) == 0 {
		return model.Memory{}, false
	}
	return there[l.random.IntN(len(there))], true
}

// step lets a little time pass and runs one transaction, which may fail.
func (l *life) step() {
	l.Helper()
	l.clock.advance(time.Duration(l.random.IntN(300)) * time.Minute)
	draft, lines := maps.Clone(l.shelf), []string{}
	failing := l.random.IntN(5) == 0
	err := l.Write(l.ctx, l.user, func(ctx context.Context, tx store.Tx) error {
		for range 1 + l.random.IntN(4) {
			lines = append(lines, l.act(ctx, tx, draft)...)
		}
		if l.random.IntN(3) == 0 {
			inner, innerLines, innerFails := maps.Clone(draft), []string{}, l.random.IntN(2) == 0
			err := l.Write(ctx, l.user, func(ctx context.Context, tx store.Tx) error {
				for range 1 + l.random.IntN(3) {
					innerLines = append(innerLines, l.act(ctx, tx, inner)...)
				}
				if innerFails {
					return errFailed
				}
				return nil
			})
			if innerFails {
				l.fails("a nested write", err, errFailed)
			} else if err == nil {
				draft, lines = inner, append(lines, innerLines...)
			} else {
				return err
			}
			lines = append(lines, l.act(ctx, tx, draft)...)
		}
		if l.random.IntN(2) == 0 {
			l.check(ctx, tx, draft)
			// A search takes no part: it sees what is committed.
			l.checkSearches(l.Store, 1)
		}
		if failing {
			return errFailed
		}
		return nil
	})
	if failing {
		l.fails("a transaction", err, errFailed)
		return
	}
	if err != nil {
		l.Fatalf("Write: %v", err)
	}
	l.shelf, l.lines = draft, append(l.lines, lines...)
}

// act does one thing, to the store and to the oracle, and returns the lines that the log must get.
func (l *life) act(ctx context.Context, tx store.Tx, of shelf) []string {
	l.Helper()
	switch l.random.IntN(10) {
	case 0, 1, 2:
		memories := make([]model.Memory, 1+l.random.IntN(4))
		for i := range memories {
			memories[i] = randomMemory(l.random, l.fixture)
		}
		l.does("InsertMemories", tx.InsertMemories(ctx, memories))
		of.insert(memories...)
		return lines(model.OperationCreated, memoryIDs(memories)...)
	case 3, 4, 5:
		return l.actUpdate(ctx, tx, of)
	case 6:
		var ids []model.UUID
		for range 1 + l.random.IntN(4) {
			ids = append(ids, l.ids.next())
			if m, ok := l.some(of); ok {
				ids = append(ids, m.ID, m.ID)
			}
		}
		deleted, err := tx.DeleteMemories(ctx, ids)
		l.does("DeleteMemories", err)
		want := of.remove(ids)
		l.same("deleted", append([]model.UUID{}, deleted...), want)
		return lines(model.OperationDeleted, want...)
	case 7:
		if m, ok := l.some(of); ok {
			versions := slices.Clone(m.History)
			for range l.random.IntN(3) {
				l.numbers++
				versions = append(versions, model.MemoryVersion{
					Memory: m.ID, Version: 1000 + l.numbers, Type: m.Type, Content: randomContent(l.random),
					Tags: randomTags(l.random), WrittenAt: noon, ReplacedAt: noon, Reason: model.MemoryUpdated,
				})
			}
			l.random.Shuffle(len(versions), func(i, j int) { versions[i], versions[j] = versions[j], versions[i] })
			l.does("RestoreHistory", tx.RestoreHistory(ctx, m.ID, versions))
			of.restore(m.ID, versions)
		}
		return nil
	default:
		var vectors []store.MemoryVectorOf
		chosen := map[model.UUID]bool{}
		for range 1 + l.random.IntN(4) {
			v := store.MemoryVectorOf{ID: l.ids.next(), Version: 1, Embedding: randomEmbedding(l.random)}
			if m, ok := l.some(of); ok && !chosen[m.ID] {
				v.ID, v.Version = m.ID, m.Version+pick(l.random, 0, 0, 0, 1, -1)
				chosen[m.ID] = true
			}
			vectors = append(vectors, v)
		}
		kept, err := l.SaveVectors(ctx, l.user, vectors)
		l.does("SaveVectors", err)
		l.same("vectors kept", kept, of.save(vectors))
		return nil
	}
}

func (l *life) actUpdate(ctx context.Context, tx store.Tx, of shelf) []string {
	old, ok := l.some(of)
	if !ok {
		return nil
	}
	m := randomMemory(l.random, l.fixture)
	m.ID, m.Version = old.ID, old.Version+1
	switch l.random.IntN(4) {
	case 0:
		m.Content = old.Content
	case 1: // nothing that is embedded changes
		m.Type, m.Content, m.Summary, m.Tags, m.Metadata = old.Type, old.Content, old.Summary, old.Tags, old.Metadata
	}
	if l.random.IntN(2) == 0 {
		m.Embedding = model.Embedding{}
	}
	reason := pick(l.random, model.MemoryUpdated, model.MemoryOverridden, model.MemoryRestored)
	l.does("UpdateMemory", tx.UpdateMemory(ctx, m, reason))
	of.update(m, reason)
	return lines(model.OperationUpdated, m.ID)
}

// does ends the test when something that must work does not.
func (l *life) does(what string, err error) {
	l.Helper()
	if err != nil {
		l.Fatalf("%s: %v", what, err)
	}
}

// check asks everything but searches once, in a random way.
func (l *life) check(ctx context.Context, reader store.MemoryReader, of shelf) {
	l.Helper()
	now := l.clock.Now()
	there := of.there(now)
	order, columns := pick(l.random, memoryOrders()...), randomMemoryColumns(l.random)
	where := randomMemoryWhere(l.random, there, 3)
	want := of.answer(where, order, now)
	query := store.MemoryQuery{Where: where, Now: now, Order: order, Columns: columns, Total: true}
	query.Page = randomWindow(l.random, want, order)
	page := must(l.fixture, func() (store.MemoryPage, error) { return reader.Memories(ctx, l.user, query) })
	l.samePage(fmt.Sprintf("%v %+v", order, where), page, query, want)

	ids := append(memoryIDs(there), l.ids.next())
	got := must(l.fixture, func() ([]model.Memory, error) { return reader.MemoriesByID(ctx, l.user, ids, now, columns) })
	slices.SortFunc(got, func(a, b model.Memory) int { return compareIDs(a.ID, b.ID) })
	l.same("by id", tidyMemories(got), onlyMemories(there, columns))

	counts := must(l.fixture, func() (model.MemoryCounts, error) { return reader.MemoryCounts(ctx, l.user, now) })
	wanted := of.counts(now)
	l.same("counts by type", nonzero(counts.ByType), wanted.ByType)
	l.same("counts by model", append([]model.ModelCount(nil), counts.Models...), wanted.Models)

	twin := store.MemoryTwin{Type: pick(l.random, model.MemoryNote, model.MemoryContact, model.MemoryKV),
		Key: memo.Key(randomContent(l.random))}
	if m, ok := l.some(of); ok {
		twin.Type, twin.Pairs = m.Type, memo.Identity(m)
		if l.random.IntN(2) == 0 {
			twin.Key = memo.Key(m.Content)
		}
	}
	limit := pick(l.random, 1, 2, 100)
	twins := must(l.fixture, func() ([]model.Memory, error) {
		return reader.TwinMemories(ctx, l.user, twin, now, limit, columns)
	})
	wantTwins := of.twins(twin, now)
	l.same(fmt.Sprintf("%d twins %+v", limit, twin), tidyMemories(twins),
		onlyMemories(wantTwins[:min(limit, len(wantTwins))], columns))
}

func nonzero(counts map[model.MemoryType]int) map[model.MemoryType]int {
	out := map[model.MemoryType]int{}
	for t, n := range counts {
		if n != 0 {
			out[t] = n
		}
	}
	return out
}

// randomWindow makes a window between places of the set, or beside them.
func randomWindow(random *rand.Rand, all []model.Memory, order model.MemoryOrder) *store.Window[store.MemoryPlace] {
	window := &store.Window[store.MemoryPlace]{Limit: pick(random, 0, 1, 3, 1000), Backward: random.IntN(2) == 0}
	place := func() *store.MemoryPlace {
		if len(all) == 0 || random.IntN(2) == 0 {
			return nil
		}
		at := placeOf(all[random.IntN(len(all))], order)
		return &at
	}
	window.After, window.Before = place(), place()
	return window
}

// samePage compares a page with the window's part of the whole ordered set.
func (l *life) samePage(what string, page store.MemoryPage, query store.MemoryQuery, all []model.Memory) {
	l.Helper()
	place := func(m model.Memory) store.MemoryPlace { return placeOf(m, query.Order) }
	compare := func(a, b store.MemoryPlace) int {
		if query.Order.Direction == model.Descending {
			a, b = b, a
		}
		return cmp.Or(a.At.Compare(b.At), compareIDs(a.ID, b.ID))
	}
	w := query.Page
	inner := slices.DeleteFunc(slices.Clone(all), func(m model.Memory) bool {
		return w.After != nil && compare(place(m), *w.After) <= 0 || w.Before != nil && compare(place(m), *w.Before) >= 0
	})
	want := inner[:min(w.Limit, len(inner))]
	next, previous := len(inner) > w.Limit || w.Before != nil, w.After != nil
	if w.Backward {
		want = inner[len(inner)-min(w.Limit, len(inner)):]
		next, previous = w.Before != nil, len(inner) > w.Limit || w.After != nil
	}
	places := make([]store.MemoryPlace, len(want))
	for i, m := range want {
		places[i] = place(m)
	}
	l.same(what+": memories", tidyMemories(page.Memories), onlyMemories(want, query.Columns))
	l.same(what+": places", append([]store.MemoryPlace{}, page.Places...), places)
	l.same(what+": next, previous, total", []any{page.HasNext, page.HasPrevious, page.Total},
		[]any{next, previous, len(all)})
}

// checkSearches compares searches with what is committed.
func (l *life) checkSearches(in store.Store, times int) {
	l.Helper()
	for range times {
		search := randomSearch(l.random, l.clock.Now(), l.shelf.there(l.clock.Now()))
		hits := must(l.fixture, func() (store.MemoryHits, error) { return in.SearchMemories(l.ctx, l.user, search) })
		l.sameHits(hits, search, l.shelf.search(search))
	}
}

// sameHits compares hits with the whole ranking: exactly the same memories, similarities and scores.
func (h *fixture) sameHits(got store.MemoryHits, search store.MemorySearch, all []store.MemoryHit) {
	h.Helper()
	want := all[min(search.Offset, len(all)):min(search.Offset+search.Limit, len(all))]
	hits := make([]store.MemoryHit, len(got.Hits))
	for i, hit := range got.Hits {
		hit.Memory = tidyMemory(hit.Memory)
		hits[i] = hit
	}
	if len(hits) != len(want) || got.HasNext != (len(all) > search.Offset+search.Limit) {
		h.Errorf("%s: %d hits, next %v; want %d of %d in all\n got %s\nwant %s", show(search), len(hits), got.HasNext,
			len(want), len(all), briefly(hits), briefly(want))
		return
	}
	for i := range hits {
		if !reflect.DeepEqual(hits[i], want[i]) {
			h.Errorf("%s: hit %d\n got %s\nwant %s\nall got %s\nall want %s", show(search), i, show(hits[i]), show(want[i]),
				briefly(hits), briefly(want))
			return
		}
	}
}

// briefly shows the ranking alone.
func briefly(hits []store.MemoryHit) string {
	var out string
	for _, hit := range hits {
		out += fmt.Sprintf("\n  %x…%x score %v similarity %v (%v) keyword %v (%v)", hit.Memory.ID[:6], hit.Memory.ID[14:],
			hit.Score, hit.Similarity, hit.ByVector, hit.Keyword, hit.ByKeyword)
	}
	return out
}

// pendingOf walks all that is pending.
func (h *fixture) pendingOf(name string, limit int, between func(seen []store.PendingMemory)) []store.PendingMemory {
	h.Helper()
	var out []store.PendingMemory
	var after store.PendingPlace
	for range 10_000 {
		some, next, err := h.PendingMemories(h.ctx, name, h.clock.Now(), after, limit)
		if err != nil {
			h.Fatalf("PendingMemories: %v", err)
		}
		if len(some) > limit {
			h.Fatalf("%d pending memories instead of at most %d", len(some), limit)
		}
		if len(some) == 0 {
			return out
		}
		out, after = append(out, some...), next
		if between != nil {
			between(some)
		}
	}
	h.Fatal("the walk does not end")
	return nil
}

// checkPending compares a walk over all users with what they have.
func checkPending(h *fixture, lives []*life) {
	h.Helper()
	random := lives[0].random
	name := pick(random, "alpha", "beta@5", "gamma", "a new model")
	got := h.pendingOf(name, pick(random, 1, 3, 100), nil)
	want := map[model.UserID][]store.PendingMemory{}
	stale := map[store.PendingPlace]bool{}
	for _, l := range lives {
		for _, m := range l.shelf.pending(name, h.clock.Now()) {
			want[l.user] = append(want[l.user], store.PendingMemory{User: l.user, ID: m.ID, Type: m.Type, Content: m.Content,
				Summary: m.Summary, Tags: m.Tags, Metadata: m.Metadata, Version: m.Version})
			stale[store.PendingPlace{User: l.user, ID: m.ID}] = m.Embedding.Model != ""
		}
	}
	found, phase := map[model.UserID][]store.PendingMemory{}, false
	for _, p := range got {
		if len(p.Tags) == 0 {
			p.Tags = nil
		}
		found[p.User] = append(found[p.User], p)
		if of := stale[store.PendingPlace{User: p.User, ID: p.ID}]; phase && !of {
			h.Errorf("a memory without a vector comes after one with a stale vector")
		} else {
			phase = of
		}
	}
	for _, of := range found {
		slices.SortFunc(of, func(a, b store.PendingMemory) int { return compareIDs(a.ID, b.ID) })
	}
	h.same("pending for "+name, found, want)
}

// expire erases what has expired, some at a time.
func expire(h *fixture, lives []*life) {
	h.Helper()
	now, total := h.clock.Now(), 0
	gone := make([][]model.UUID, len(lives))
	for i, l := range lives {
		for id, m := range l.shelf {
			if !m.ExpiresAt.IsZero() && !now.Before(m.ExpiresAt) {
				gone[i] = append(gone[i], id)
				total++
			}
		}
	}
	for range total + 1 {
		n, err := h.ExpireMemories(h.ctx, now, 2)
		if err != nil || n > 2 || n < min(total, 1) {
			h.Fatalf("ExpireMemories with %d left: %d, %v", total, n, err)
		}
		if total -= n; n == 0 {
			break
		}
	}
	h.same("expired memories that are left", total, 0)
	for i, l := range lives {
		l.shelf.remove(gone[i])
		// In which order they go is the driver's choice.
		told := l.log(int64(len(l.lines)))
		slices.Sort(told)
		want := lines(model.OperationDeleted, gone[i]...)
		slices.Sort(want)
		l.same("log of what expired", told, want)
		l.lines = l.log(0)
	}
}
