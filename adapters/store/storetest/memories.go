package storetest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"almanac/adapters/store"
	"almanac/graph/model"
	"almanac/projections/memo"
)

func testMemories(t *testing.T, open Open) {
	h := newFixture(t, open)
	t.Run("what is written comes back whole, in UTC, to the driver's precision",
		func(t *testing.T) { memoryRoundTrip(h.in(t)) })
	t.Run("random memories come back", func(t *testing.T) { memoryRandomRoundTrip(h.in(t)) })
	t.Run("a taken id is a conflict and nothing is inserted", func(t *testing.T) { memoryInsertConflict(h.in(t)) })
	t.Run("by id", func(t *testing.T) { memoriesByID(h.in(t)) })
	t.Run("an update keeps the old version", func(t *testing.T) { memoryUpdate(h.in(t)) })
	t.Run("an update of what is not there", func(t *testing.T) { memoryUpdateMissing(h.in(t)) })
	t.Run("at most so many versions", func(t *testing.T) { memoryVersionsBounded(h.in(t)) })
	t.Run("a history is replaced", func(t *testing.T) { memoryHistoryRestored(h.in(t)) })
	t.Run("delete", func(t *testing.T) { memoryDelete(h.in(t)) })
	t.Run("twins", func(t *testing.T) { memoryTwins(h.in(t)) })
	t.Run("counts", func(t *testing.T) { memoryCounts(h.in(t)) })
	t.Run("what has expired is not there", func(t *testing.T) { memoryExpired(h.in(t)) })
	t.Run("what changes say", func(t *testing.T) { memoryChanges(h.in(t)) })
	t.Run("nothing asked, nothing done", func(t *testing.T) { memoryNothing(h.in(t)) })
	t.Run("not after its transaction's end", func(t *testing.T) { memoriesEnded(h.in(t)) })
}

// memory makes a note with a text and nothing else.
func (h *fixture) memory(content string) model.Memory {
	now := h.clock.Now()
	return model.Memory{ID: h.ids.next(), Type: model.MemoryNote, Content: content, CreatedAt: now, UpdatedAt: now,
		Version: 1}
}

// remember inserts memories.
func (h *fixture) remember(memories ...model.Memory) {
	h.Helper()
	h.write(func(ctx context.Context, tx store.Tx) error { return tx.InsertMemories(ctx, memories) })
}

// forget deletes memories and returns the ids that were there.
func (h *fixture) forget(ids ...model.UUID) (deleted []model.UUID) {
	h.Helper()
	h.write(func(ctx context.Context, tx store.Tx) (err error) {
		deleted, err = tx.DeleteMemories(ctx, ids)
		return err
	})
	return deleted
}

// revise updates a memory.
func (h *fixture) revise(m model.Memory, reason model.MemoryReason) {
	h.Helper()
	h.write(func(ctx context.Context, tx store.Tx) error { return tx.UpdateMemory(ctx, m, reason) })
}

// recall reads one memory; ok is whether it is there.
func (h *fixture) recall(id model.UUID, want store.MemoryColumns) (m model.Memory, ok bool) {
	h.Helper()
	memories := must(h, func() ([]model.Memory, error) {
		return h.MemoriesByID(h.ctx, h.user, []model.UUID{id}, h.clock.Now(), want)
	})
	if len(memories) == 0 {
		return model.Memory{}, false
	}
	return tidyMemory(memories[0]), true
}

// saveVectors keeps vectors and returns how many.
func (h *fixture) saveVectors(vectors ...store.MemoryVectorOf) int {
	h.Helper()
	return must(h, func() (int, error) { return h.SaveVectors(h.ctx, h.user, vectors) })
}

func memoryRoundTrip(h *fixture) {
	far := time.FixedZone("far", 14*3600)
	at := func(n int) time.Time { return time.Date(2126, 3, 4, 5, 6, n, 123_456_789, far) }
	written := model.Memory{
		ID: h.ids.next(), Type: model.MemoryContact, Content: "דָּנָה & \"Dana\" 🥛\nשורה שנייה\ttab", Summary: "מי זו?",
		Tags:      []string{"a b", "work", "בית"},
		Metadata:  `{"big":12345678901234567890,"name":"דנה <&>\u2028","none":null,"number":1.10,"tiny":1e-400}`,
		CreatedAt: at(1), UpdatedAt: at(2), ExpiresAt: at(3), Version: 7, Overridden: true,
		Embedding: model.Embedding{Model: "text-embedding-3-small@5", Dimensions: 5,
			Vector: []float32{0.1, -0.2, 0.3, 0, -1e-7}},
		History: []model.MemoryVersion{{Content: "not looked at"}},
	}
	h.remember(written)
	want := keptMemory(written)
	got, _ := h.recall(written.ID, wholeMemory)
	h.same("memory", got, want)

	bare := h.memory("bare")
	h.remember(bare)
	got, _ = h.recall(bare.ID, wholeMemory)
	h.same("bare memory", got, bare)
	h.same("zone", []*time.Location{got.CreatedAt.Location(), got.UpdatedAt.Location()},
		[]*time.Location{time.UTC, time.UTC})

	// The ends of what a client may write: years 1 to 9999, before 1970, and the very instant 1970 begins.
	for _, moment := range []time.Time{
		time.Date(1, 1, 2, 0, 0, 0, 1000, time.UTC), time.Date(9999, 12, 31, 23, 59, 59, 999_999_000, time.UTC),
		time.Unix(0, 0).UTC(), time.Date(1969, 12, 31, 23, 59, 59, 999_999_000, time.UTC),
	} {
		edge := h.memory("edge")
		edge.CreatedAt, edge.UpdatedAt, edge.ExpiresAt = moment, moment, moment
		h.remember(edge)
		before := moment.Add(-time.Microsecond)
		got := must(h, func() ([]model.Memory, error) {
			return h.MemoriesByID(h.ctx, h.user, []model.UUID{edge.ID}, before, store.MemoryRow)
		})
		h.same("a memory until "+moment.String(), tidyMemories(got), []model.Memory{edge})
	}
}

func memoryRandomRoundTrip(h *fixture) {
	random := dice(300)
	all := shelf{}
	for range 10 {
		var some []model.Memory
		for range 20 {
			some = append(some, randomMemory(random, h))
		}
		h.remember(some...)
		all.insert(some...)
	}
	there := all.there(h.clock.Now())
	for _, columns := range append(memoryColumns(), 0, wholeMemory, store.MemoryModel|store.MemoryVector) {
		got := must(h, func() ([]model.Memory, error) {
			return h.MemoriesByID(h.ctx, h.user, memoryIDs(there), h.clock.Now(), columns)
		})
		slices.SortFunc(got, func(a, b model.Memory) int { return compareIDs(a.ID, b.ID) })
		h.same(fmt.Sprintf("columns %b", columns), tidyMemories(got), onlyMemories(there, columns))
	}
}

func memoryInsertConflict(h *fixture) {
	there, fresh := h.memory("there"), h.memory("fresh")
	h.remember(there)
	head := h.head()
	again := there
	again.Content = "again"
	h.fails("insert of a taken id", h.Write(h.ctx, h.user, func(ctx context.Context, tx store.Tx) error {
		return tx.InsertMemories(ctx, []model.Memory{fresh, again})
	}), store.ErrConflict)
	twin := h.memory("twin")
	h.fails("twice in one call", h.Write(h.ctx, h.user, func(ctx context.Context, tx store.Tx) error {
		return tx.InsertMemories(ctx, []model.Memory{twin, twin})
	}), store.ErrConflict)
	for _, id := range []model.UUID{fresh.ID, twin.ID} {
		if _, ok := h.recall(id, 0); ok {
			h.Error("another memory of the call was inserted")
		}
	}
	// A conflict spoils neither the transaction around it nor what comes after.
	after := h.memory("after")
	h.write(func(ctx context.Context, tx store.Tx) error {
		h.fails("in a nested write", h.Write(ctx, h.user, func(ctx context.Context, tx store.Tx) error {
			return tx.InsertMemories(ctx, []model.Memory{fresh, again})
		}), store.ErrConflict)
		return tx.InsertMemories(ctx, []model.Memory{after})
	})
	got, _ := h.recall(there.ID, store.MemoryRow)
	h.same("the memory that was there", got, there)
	h.same("log", h.log(head), lines(model.OperationCreated, after.ID))
	h.same("twins", len(must(h, func() ([]model.Memory, error) {
		return h.TwinMemories(h.ctx, h.user, store.MemoryTwin{Type: model.MemoryNote, Key: memo.Key("again")}, noon, 9, 0)
	})), 0)
	// What was erased may come again, as after an import.
	h.forget(there.ID)
	h.remember(again)
	got, _ = h.recall(there.ID, wholeMemory)
	h.same("the same id again", got, again)
}

func memoriesByID(h *fixture) {
	one, two := h.memory("one"), h.memory("two")
	h.remember(one, two)
	got := must(h, func() ([]model.Memory, error) {
		return h.MemoriesByID(h.ctx, h.user, []model.UUID{two.ID, one.ID, two.ID, h.ids.next(), one.ID}, noon, 0)
	})
	h.same("each once", sorted(memoryIDs(got)), []model.UUID{one.ID, two.ID})
	h.write(func(ctx context.Context, tx store.Tx) error {
		three := h.memory("three")
		err := tx.InsertMemories(ctx, []model.Memory{three})
		inside := must(h, func() ([]model.Memory, error) {
			return tx.MemoriesByID(ctx, h.user, []model.UUID{three.ID}, noon, store.MemoryRow)
		})
		h.same("a transaction's own", tidyMemories(inside), []model.Memory{three})
		outside := must(h, func() ([]model.Memory, error) {
			return h.MemoriesByID(h.ctx, h.user, []model.UUID{three.ID}, noon, store.MemoryRow)
		})
		h.same("not for others", len(outside), 0)
		return err
	})
}

func memoryUpdate(h *fixture) {
	old := h.memory("the old text")
	old.Summary, old.Tags, old.Metadata, old.ExpiresAt = "short", []string{"home", "בית"}, `{"name":"Dana"}`,
		noon.AddDate(1, 0, 0)
	h.remember(old)
	head := h.head()
	fresh := old
	fresh.Type, fresh.Content, fresh.Summary, fresh.Tags, fresh.Metadata, fresh.ExpiresAt = model.MemoryContact,
		"the new text", "", []string{"work"}, "", time.Time{}
	fresh.Version, fresh.Overridden, fresh.UpdatedAt, fresh.CreatedAt = 2, true, noon.Add(time.Hour+123*time.Microsecond),
		noon.AddDate(-1, 0, 0)
	h.revise(fresh, model.MemoryOverridden)
	first := model.MemoryVersion{
		Memory: old.ID, Version: 1, Type: old.Type, Content: old.Content, Summary: old.Summary, Tags: old.Tags,
		Metadata: old.Metadata, ExpiresAt: old.ExpiresAt,
		WrittenAt: old.UpdatedAt, ReplacedAt: fresh.UpdatedAt, Reason: model.MemoryOverridden,
	}
	want := fresh
	want.CreatedAt, want.History = old.CreatedAt, []model.MemoryVersion{first}
	got, _ := h.recall(old.ID, wholeMemory)
	h.same("after the first update", got, want)
	third := want
	third.Version, third.Overridden, third.Content, third.UpdatedAt = 3, false, "the old text", noon.Add(2*time.Hour)
	h.revise(third, model.MemoryRestored)
	third.History = []model.MemoryVersion{{
		Memory: old.ID, Version: 2, Type: fresh.Type, Content: fresh.Content, Tags: fresh.Tags, Overridden: true,
		WrittenAt: fresh.UpdatedAt, ReplacedAt: third.UpdatedAt, Reason: model.MemoryRestored,
	}, first}
	got, _ = h.recall(old.ID, wholeMemory)
	h.same("after the second", got, third)
	h.same("log", h.log(head), lines(model.OperationUpdated, old.ID, old.ID))
	// Filters, twins and words follow: what it was does not find it any more.
	ids := func(where store.MemoryWhere) []model.UUID {
		page := must(h, func() (store.MemoryPage, error) {
			return h.Memories(h.ctx, h.user, store.MemoryQuery{Where: where, Now: noon, Order: memoryOrders()[0],
				Page: &store.Window[store.MemoryPlace]{Limit: 100}})
		})
		return slices.DeleteFunc(memoryIDs(page.Memories), func(id model.UUID) bool { return id != old.ID })
	}
	h.same("by the new tag", ids(store.MemoryWhere{TagsAll: []string{"work"}}), []model.UUID{old.ID})
	h.same("by the old tag", ids(store.MemoryWhere{TagsAny: []string{"home", "בית"}}), []model.UUID{})
	h.same("by the old metadata", ids(store.MemoryWhere{HasMetadata: new(true)}), []model.UUID{})
	h.same("by the old type", ids(store.MemoryWhere{Types: []model.MemoryType{model.MemoryNote}}), []model.UUID{})
	// A number that the history has already: the newer version under it stays.
	again := third
	again.Content, again.UpdatedAt, again.Version = "back to two", noon.Add(3*time.Hour), 2
	h.revise(again, model.MemoryUpdated)
	last := again
	last.Content, last.UpdatedAt, last.Version = "four", noon.Add(4*time.Hour), 4
	h.revise(last, model.MemoryUpdated)
	got, _ = h.recall(old.ID, wholeMemory)
	var history []string
	for _, version := range got.History {
		history = append(history, fmt.Sprint(version.Version, " ", version.Content))
	}
	h.same("history", history, []string{"3 the old text", "2 back to two", "1 the old text"})
}

func memoryUpdateMissing(h *fixture) {
	head := h.head()
	gone := h.memory("gone")
	h.remember(gone)
	h.forget(gone.ID)
	for what, id := range map[string]model.UUID{"unknown": h.ids.next(), "deleted": gone.ID} {
		m := h.memory("x")
		m.ID = id
		h.fails("update of an "+what+" one", h.Write(h.ctx, h.user, func(ctx context.Context,
			tx store.Tx) error {
			return tx.UpdateMemory(ctx, m, model.MemoryUpdated)
		}), store.ErrNotFound)
		h.fails("history of an "+what+" one", h.Write(h.ctx, h.user, func(ctx context.Context, tx store.Tx) error {
			return tx.RestoreHistory(ctx, id, []model.MemoryVersion{{Memory: id, Version: 1, Type: model.MemoryNote,
				Content: "x", WrittenAt: noon, ReplacedAt: noon, Reason: model.MemoryUpdated}})
		}), store.ErrNotFound)
	}
	h.same("log", h.log(head), []string{line(model.OperationCreated, gone.ID), line(model.OperationDeleted, gone.ID)})
}

func memoryVersionsBounded(h *fixture) {
	m := h.memory("version 1")
	h.remember(m)
	update := func() {
		m.Version++
		m.Content, m.UpdatedAt = fmt.Sprint("version ", m.Version), m.UpdatedAt.Add(time.Second)
		h.revise(m, model.MemoryUpdated)
	}
	for range model.MaxMemoryVersions {
		update()
	}
	numbers := func() (out []int) {
		got, _ := h.recall(m.ID, store.MemoryHistory)
		for _, version := range got.History {
			out = append(out, version.Version)
			if version.Content != fmt.Sprint("version ", version.Version) {
				h.Errorf("version %d is %q", version.Version, version.Content)
			}
		}
		return out
	}
	down := func(from, to int) (out []int) {
		for n := from; n >= to; n-- {
			out = append(out, n)
		}
		return out
	}
	h.same("as many as there may be", numbers(), down(model.MaxMemoryVersions, 1))
	update()
	h.same("the oldest went", numbers(), down(model.MaxMemoryVersions+1, 2))
	update()
	update()
	h.same("and the next", numbers(), down(model.MaxMemoryVersions+3, 4))
}

func memoryHistoryRestored(h *fixture) {
	m, other := h.memory("now"), h.memory("other")
	h.remember(m, other)
	m.Version, m.Content = 2, "now two"
	h.revise(m, model.MemoryUpdated)
	other.Version, other.Content = 2, "other two"
	h.revise(other, model.MemoryUpdated)
	head := h.head()
	version := func(n int) model.MemoryVersion {
		at := noon.Add(time.Duration(n) * time.Hour)
		return model.MemoryVersion{
			Memory: m.ID, Version: n, Type: model.MemoryKV, Content: fmt.Sprint("גרסה ", n), Summary: "s",
			Tags: []string{"a", "ב"}, Metadata: `{"subject":"x"}`, ExpiresAt: at.AddDate(1, 0, 0),
			Overridden: n%2 == 0, WrittenAt: at, ReplacedAt: at.Add(time.Minute),
			Reason: pick(dice(uint64(n)), model.MemoryUpdated, model.MemoryOverridden, model.MemoryRestored),
		}
	}
	restore := func(what string, versions, want []model.MemoryVersion) {
		h.Helper()
		h.write(func(ctx context.Context, tx store.Tx) error { return tx.RestoreHistory(ctx, m.ID, versions) })
		got, _ := h.recall(m.ID, store.MemoryHistory)
		h.same(what, got.History, want)
	}
	bare := model.MemoryVersion{Memory: m.ID, Version: 3, Type: model.MemoryNote, Content: "bare", WrittenAt: noon,
		ReplacedAt: noon, Reason: model.MemoryUpdated}
	restore("in any order", []model.MemoryVersion{version(1), version(7), bare},
		[]model.MemoryVersion{version(7), bare, version(1)})
	var many []model.MemoryVersion
	for n := range model.MaxMemoryVersions + 5 {
		many = append(many, version(n+1))
	}
	want := slices.Clone(many[5:])
	slices.Reverse(want)
	restore("too many", many, want)
	restore("none", nil, nil)
	h.same("log", h.log(head), []string{})
	now, _ := h.recall(m.ID, store.MemoryRow)
	h.same("the memory itself", now, m)
	got, _ := h.recall(other.ID, store.MemoryHistory)
	h.same("another's history", len(got.History), 1)
	err := h.Write(h.ctx, h.user, func(ctx context.Context, tx store.Tx) error {
		return errors.Join(tx.RestoreHistory(ctx, m.ID, many), errFailed)
	})
	h.fails("rolled back", err, errFailed)
	got, _ = h.recall(m.ID, store.MemoryHistory)
	h.same("history", got.History, []model.MemoryVersion(nil))
}
