package storetest

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"almanac/adapters/store"
	"almanac/graph/model"
	"almanac/projections/memo"
)

func memoryDelete(h *fixture) {
	memories := []model.Memory{h.memory("one"), h.memory("two"), h.memory("three"), h.memory("four")}
	for i := range memories {
		memories[i].Tags, memories[i].Embedding = []string{"deleted"}, embedded("two", 1, 0)
	}
	h.remember(memories...)
	memories[0].Version, memories[0].Content = 2, "one and a half"
	h.revise(memories[0], model.MemoryUpdated)
	head, unknown := h.head(), h.ids.next()
	got := h.forget(memories[2].ID, unknown, memories[0].ID, memories[2].ID)
	h.same("those that were there, in the order given", got, []model.UUID{memories[2].ID, memories[0].ID})
	h.same("log", h.log(head), lines(model.OperationDeleted, memories[2].ID, memories[0].ID))
	h.same("again", len(h.forget(memories[2].ID, memories[0].ID)), 0)
	left := must(h, func() ([]model.Memory, error) {
		return h.MemoriesByID(h.ctx, h.user, memoryIDs(memories), noon, 0)
	})
	h.same("left", sorted(memoryIDs(left)), []model.UUID{memories[1].ID, memories[3].ID})
	// The id comes again without what it had.
	fresh := h.memory("fresh")
	fresh.ID = memories[0].ID
	h.remember(fresh)
	whole, _ := h.recall(fresh.ID, wholeMemory)
	h.same("the same id again", whole, fresh)
	page := must(h, func() (store.MemoryPage, error) {
		return h.Memories(h.ctx, h.user, store.MemoryQuery{Where: store.MemoryWhere{TagsAny: []string{"deleted"}}, Now: noon,
			Order: memoryOrders()[0], Page: &store.Window[store.MemoryPlace]{Limit: 100}, Total: true})
	})
	h.same("by their tag", memoryIDs(page.Memories), []model.UUID{memories[1].ID, memories[3].ID})
	h.same("in all", page.Total, 2)
}

func memoryTwins(h *fixture) {
	h = h.as("has twins")
	contact := func(content, metadata string) model.Memory {
		m := h.memory(content)
		m.Type, m.Metadata = model.MemoryContact, metadata
		return m
	}
	jones := `{"name":"Jones","phone":"050-9999999"}`
	one, two, three := contact("Jones is the plumber", jones), contact("Jones", jones),
		contact("Somebody else", `{"name":"Jones"}`)
	note, other, gone := h.memory("Jones"), contact("Cohen", `{"name":"Cohen"}`), contact("Jones", jones)
	gone.ExpiresAt = noon
	long := contact(strings.Repeat("ארוך מאוד ", 1_900)+"1", "")
	almost := contact(strings.Repeat("ארוך מאוד ", 1_900)+"2", "")
	h.remember(one, two, three, note, other, gone, long, almost)
	twins := func(twin store.MemoryTwin, limit int) []model.UUID {
		h.Helper()
		return memoryIDs(must(h, func() ([]model.Memory, error) {
			return h.TwinMemories(h.ctx, h.user, twin, noon, limit, store.MemoryRow)
		}))
	}
	key := memo.Key("  jones ")
	h.same("by the key", twins(store.MemoryTwin{Type: model.MemoryContact, Key: key}, 10), []model.UUID{two.ID})
	h.same("of another type", twins(store.MemoryTwin{Type: model.MemoryNote, Key: key}, 10), []model.UUID{note.ID})
	h.same("of a third", twins(store.MemoryTwin{Type: model.MemoryKV, Key: key}, 10), []model.UUID{})
	h.same("a long text", twins(store.MemoryTwin{Type: model.MemoryContact, Key: memo.Key(long.Content)}, 10),
		[]model.UUID{long.ID})
	h.same("nothing asked", twins(store.MemoryTwin{Type: model.MemoryContact}, 10), []model.UUID{})
	identity := memo.Identity(one)
	if len(identity) == 0 {
		h.Fatal("a contact with a name has no identity")
	}
	h.same("the key first, then the newest", twins(store.MemoryTwin{Type: model.MemoryContact, Key: memo.Key(one.Content),
		Pairs: identity}, 10), []model.UUID{one.ID, three.ID, two.ID})
	h.same("two of them", twins(store.MemoryTwin{Type: model.MemoryContact, Key: memo.Key(one.Content), Pairs: identity},
		2), []model.UUID{one.ID, three.ID})
	h.same("none of them", twins(store.MemoryTwin{Type: model.MemoryContact, Key: memo.Key(one.Content), Pairs: identity},
		0), []model.UUID{})
	h.same("unknown", twins(store.MemoryTwin{Type: model.MemoryContact, Key: "nobody's", Pairs: []string{"nobody's"}}, 10),
		[]model.UUID{})
	// A name in the content is no identity of what has none; what a filter finds is not an identity either.
	h.same("entries of the metadata are not identities",
		twins(store.MemoryTwin{Type: model.MemoryContact, Pairs: memo.Pairs(`{"zz":"Jones"}`)}, 10), []model.UUID{})
	changed := two
	changed.Content, changed.Metadata, changed.Version = "Smith", `{"name":"Smith"}`, 2
	h.revise(changed, model.MemoryUpdated)
	h.same("what it was does not count", twins(store.MemoryTwin{Type: model.MemoryContact, Key: key, Pairs: identity}, 10),
		[]model.UUID{three.ID, one.ID})
}

func memoryCounts(h *fixture) {
	h = h.as("counted")
	counts := func() model.MemoryCounts {
		h.Helper()
		return must(h, func() (model.MemoryCounts, error) { return h.MemoryCounts(h.ctx, h.user, h.clock.Now()) })
	}
	empty := counts()
	h.same("nothing", []int{len(empty.ByType), len(empty.Models)}, []int{0, 0})
	random, all := dice(301), shelf{}
	for range 60 {
		m := randomMemory(random, h)
		h.remember(m)
		all.insert(m)
	}
	h.same("counts", counts(), all.counts(noon))
	for id := range all {
		if len(all) > 20 {
			h.forget(id)
			delete(all, id)
		}
	}
	h.same("after deleting", counts(), all.counts(noon))
	for _, m := range all.there(noon) {
		m.Version, m.Content, m.Embedding = m.Version+1, m.Content+" changed", model.Embedding{}
		h.revise(m, model.MemoryUpdated)
		all.update(m, model.MemoryUpdated)
	}
	h.same("without vectors", counts(), all.counts(noon))
}

func memoryExpired(h *fixture) {
	h = h.as("expires")
	m := h.memory("soon gone")
	m.Type, m.Tags, m.Metadata, m.ExpiresAt = model.MemoryContact, []string{"t"}, `{"name":"Dana"}`, noon.Add(time.Hour)
	m.Embedding = embedded("alpha", 1, 0)
	h.remember(m)
	for _, c := range []struct {
		now   time.Time
		there int
	}{{noon, 1}, {m.ExpiresAt.Add(-time.Microsecond), 1}, {m.ExpiresAt, 0}, {m.ExpiresAt.Add(time.Hour), 0}} {
		found := func(reader store.MemoryReader, ctx context.Context) []int {
			byID := must(h, func() ([]model.Memory, error) {
				return reader.MemoriesByID(ctx, h.user, []model.UUID{m.ID}, c.now, 0)
			})
			page := must(h, func() (store.MemoryPage, error) {
				return reader.Memories(ctx, h.user, store.MemoryQuery{Now: c.now, Order: memoryOrders()[0],
					Page: &store.Window[store.MemoryPlace]{Limit: 10}, Total: true})
			})
			counts := must(h, func() (model.MemoryCounts, error) { return reader.MemoryCounts(ctx, h.user, c.now) })
			vectors := 0
			for _, of := range counts.Models {
				vectors += of.Rows
			}
			twins := must(h, func() ([]model.Memory, error) {
				return reader.TwinMemories(ctx, h.user,
					store.MemoryTwin{Type: m.Type, Key: memo.Key(m.Content), Pairs: memo.Identity(m)}, c.now, 10, 0)
			})
			hits := must(h, func() (store.MemoryHits, error) {
				return reader.SearchMemories(ctx, h.user, store.MemorySearch{Now: c.now,
					Vectors: []store.QueryVector{{Model: "alpha", Vector: []float32{1, 0}}}, SimilarityWeight: 1, Limit: 10})
			})
			return []int{len(byID), len(page.Memories), page.Total, counts.ByType[m.Type], vectors, len(twins), len(hits.Hits)}
		}
		want := []int{c.there, c.there, c.there, c.there, c.there, c.there, c.there}
		h.same("found at "+c.now.String(), found(h.Store, h.ctx), want)
		h.write(func(ctx context.Context, tx store.Tx) error {
			h.same("found inside of a transaction at "+c.now.String(), found(tx, ctx), want)
			return nil
		})
		pending, _, err := h.PendingMemories(h.ctx, "another", c.now, store.PendingPlace{}, 100_000)
		pending = slices.DeleteFunc(pending, func(p store.PendingMemory) bool { return p.User != h.user })
		if err != nil || len(pending) != c.there {
			h.Errorf("pending at %v: %v, %v", c.now, pending, err)
		}
	}
}

func memoryChanges(h *fixture) {
	h = h.as("tells")
	m, other := h.memory("m"), h.memory("other")
	h.clock.advance(time.Minute)
	at := h.clock.Now()
	h.remember(other, m)
	m.Version = 2
	h.revise(m, model.MemoryUpdated)
	h.saveVectors(store.MemoryVectorOf{ID: m.ID, Version: 2,
		Embedding: model.Embedding{Model: "alpha", Dimensions: 1, Vector: []float32{1}}})
	h.forget(m.ID)
	got := must(h, func() ([]model.Change, error) {
		return h.Changes(h.ctx, h.user, 0, []model.ChangeType{model.ChangeMemory}, 100)
	})
	h.same("changes", got, []model.Change{
		{Seq: 1, Type: model.ChangeMemory, ID: other.ID, Operation: model.OperationCreated, At: at},
		{Seq: 2, Type: model.ChangeMemory, ID: m.ID, Operation: model.OperationCreated, At: at},
		{Seq: 3, Type: model.ChangeMemory, ID: m.ID, Operation: model.OperationUpdated, At: at},
		{Seq: 4, Type: model.ChangeMemory, ID: m.ID, Operation: model.OperationDeleted, At: at},
	})
	h.same("of another type", len(must(h, func() ([]model.Change, error) {
		return h.Changes(h.ctx, h.user, 0, []model.ChangeType{model.ChangeTask}, 100)
	})), 0)
}

func memoryNothing(h *fixture) {
	head := h.head()
	h.write(func(ctx context.Context, tx store.Tx) error {
		deleted, err := tx.DeleteMemories(ctx, nil)
		h.same("deleted", len(deleted), 0)
		return errors.Join(err, tx.InsertMemories(ctx, nil))
	})
	h.same("vectors", h.saveVectors(), 0)
	got := must(h, func() ([]model.Memory, error) { return h.MemoriesByID(h.ctx, h.user, nil, noon, wholeMemory) })
	h.same("by no id", len(got), 0)
	hits := must(h, func() (store.MemoryHits, error) {
		return h.SearchMemories(h.ctx, h.user,
			store.MemorySearch{Now: noon, MinSimilarity: -1, SimilarityWeight: 1, KeywordWeight: 1, Limit: 10})
	})
	h.same("a search for nothing", []any{len(hits.Hits), hits.HasNext}, []any{0, false})
	h.same("log", h.log(head), []string{})
	stranger := h.in(h.T)
	stranger.user = model.UserIDOf("never seen, who remembers nothing")
	page := must(h, func() (store.MemoryPage, error) {
		return h.Memories(h.ctx, stranger.user, store.MemoryQuery{Now: noon, Order: memoryOrders()[0],
			Page: &store.Window[store.MemoryPlace]{Limit: 10}, Total: true})
	})
	h.same("a stranger's", []any{len(page.Memories), page.Total, page.HasNext, page.HasPrevious},
		[]any{0, 0, false, false})
	h.same("a stranger's vectors", stranger.saveVectors(store.MemoryVectorOf{ID: h.ids.next(), Version: 1,
		Embedding: model.Embedding{Model: "alpha", Dimensions: 1, Vector: []float32{1}}}), 0)
}

// memoriesEnded keeps a transaction beyond its end: it returns an error and does nothing.
func memoriesEnded(h *fixture) {
	m := h.memory("there")
	h.remember(m)
	var late store.Tx
	var ended context.Context
	h.write(func(ctx context.Context, tx store.Tx) error { late, ended = tx, ctx; return nil })
	head := h.head()
	changed := m
	changed.Content, changed.Version = "late", 2
	embedding := model.Embedding{Model: "alpha", Dimensions: 1, Vector: []float32{1}}
	for what, call := range map[string]func() error{
		"InsertMemories": func() error { return late.InsertMemories(ended, []model.Memory{h.memory("late")}) },
		"UpdateMemory":   func() error { return late.UpdateMemory(ended, changed, model.MemoryUpdated) },
		"DeleteMemories": func() error { _, err := late.DeleteMemories(ended, []model.UUID{m.ID}); return err },
		"RestoreHistory": func() error { return late.RestoreHistory(ended, m.ID, nil) },
		"Memories": func() error {
			_, err := late.Memories(ended, h.user, store.MemoryQuery{Order: memoryOrders()[0], Total: true})
			return err
		},
		"MemoriesByID": func() error { _, err := h.MemoriesByID(ended, h.user, []model.UUID{m.ID}, noon, 0); return err },
		"MemoryCounts": func() error { _, err := late.MemoryCounts(ended, h.user, noon); return err },
		"TwinMemories": func() error {
			_, err := late.TwinMemories(ended, h.user, store.MemoryTwin{Type: m.Type, Key: memo.Key(m.Content)}, noon, 5, 0)
			return err
		},
		"SaveVectors": func() error {
			_, err := h.SaveVectors(ended, h.user, []store.MemoryVectorOf{{ID: m.ID, Version: 1, Embedding: embedding}})
			return err
		},
	} {
		if err := call(); err == nil {
			h.Errorf("%s after the end of its transaction gave no error", what)
		}
	}
	got, _ := h.recall(m.ID, wholeMemory)
	h.same("the memory", got, m)
	h.same("log", h.log(head), []string{})
}
