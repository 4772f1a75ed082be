package storetest

import (
	"context"
	"errors"
	"slices"
	"testing"

	"almanac/adapters/store"
	"almanac/graph/model"
)

func testKnowledgeVectors(t *testing.T, open Open) {
	t.Run("kept and dropped", func(t *testing.T) { knowledgeVectorsFate(newFixture(t, open)) })
	t.Run("saved late", func(t *testing.T) { knowledgeVectorsSaved(newFixture(t, open)) })
	t.Run("in transactions", func(t *testing.T) { knowledgeVectorsInTransactions(newFixture(t, open)) })
	t.Run("changes while walking", func(t *testing.T) { knowledgePendingMeanwhile(newFixture(t, open)) })
}

// isMeasured tells by searches under which model a row has its vector; empty for none.
func (h *fixture) isMeasured(kind model.Kind, id model.UUID) string {
	h.Helper()
	for _, name := range []string{"alpha", "beta"} {
		found := h.seekFacts(store.FactSearch{Looking: lookVector(name, -1, 1, 0)})
		if kind == model.KindEntity {
			found = h.seekEntities(store.EntitySearch{Looking: lookVector(name, -1, 1, 0)})
		}
		if slices.Contains(found, id) {
			return name
		}
	}
	return ""
}

func knowledgeVectorsFate(h *fixture) {
	e, other := h.entity("name"), h.entity("other")
	e.Embedding = embedded("alpha", 1, 0)
	h.learn(e, other)
	f := h.fact(e, "KNOWS", other)
	f.Embedding = embedded("alpha", 1, 0)
	h.tell(f)
	for _, c := range []struct {
		what   string
		change func(e *model.Entity)
		want   string
	}{
		{"the same", func(e *model.Entity) { e.UpdatedAt = noon.Add(1000) }, "alpha"},
		{"a model without a vector is none",
			func(e *model.Entity) { e.Embedding = model.Embedding{Model: "beta", Dimensions: 2} }, "alpha"},
		{"another name", func(e *model.Entity) { e.Name = "Name" }, ""},
		{"another type", func(e *model.Entity) { e.Type = "Person" }, ""},
		{"another summary", func(e *model.Entity) { e.Summary = "s" }, ""},
		{"an alias", func(e *model.Entity) { e.Aliases = []string{"a", "b"} }, ""},
		{"the aliases in another order", func(e *model.Entity) { e.Aliases = []string{"b", "a"} }, ""},
		{"no alias", func(e *model.Entity) { e.Aliases = nil }, ""},
		{"attributes", func(e *model.Entity) { e.Attributes = `{"a":1}` }, ""},
		{"another with a vector", func(e *model.Entity) { e.Name, e.Embedding = "third", embedded("beta", 0, 1) }, "beta"},
	} {
		e.Embedding = embedded("alpha", 1, 0)
		h.learn(e)
		h.same("set before "+c.what, h.isMeasured(model.KindEntity, e.ID.UUID), "alpha")
		e.Embedding = model.Embedding{}
		c.change(&e)
		e.Version++
		h.learn(e)
		h.same("an entity with "+c.what, h.isMeasured(model.KindEntity, e.ID.UUID), c.want)
	}
	for _, c := range []struct {
		what   string
		change func(f *model.Fact)
		want   string
	}{
		{"the same, closed", func(f *model.Fact) {
			f.InvalidAt, f.ExpiredAt, f.ReplacedBy, f.Confidence, f.Attributes = noon, noon, factID(h.ids.next()), new(0.5),
				`{"a":1}`
		}, "alpha"},
		{"another sentence", func(f *model.Fact) { f.Sentence += "." }, ""},
		{"another relation", func(f *model.Fact) { f.Relation = "LIKES" }, ""},
		{"another source", func(f *model.Fact) { f.Source = other }, ""},
		{"another target", func(f *model.Fact) { f.Target = e }, ""},
		{"another with a vector", func(f *model.Fact) { f.Sentence, f.Embedding = "third", embedded("beta", 0, 1) }, "beta"},
	} {
		f.Embedding = embedded("alpha", 1, 0)
		h.tell(f)
		h.same("set before "+c.what, h.isMeasured(model.KindFact, f.ID.UUID), "alpha")
		f.Embedding = model.Embedding{}
		c.change(&f)
		f.Version++
		h.tell(f)
		h.same("a fact with "+c.what, h.isMeasured(model.KindFact, f.ID.UUID), c.want)
	}
}

func knowledgeVectorsSaved(h *fixture) {
	e, changed, gone := h.entity("e"), h.entity("changed"), h.entity("gone")
	h.learn(e, changed, gone)
	f := h.fact(e, "KNOWS", e)
	h.tell(f)
	changed.Version = 2
	h.learn(changed)
	h.write(func(ctx context.Context, tx store.Tx) error {
		_, _, err := tx.DeleteEntities(ctx, []model.UUID{gone.ID.UUID})
		return err
	})
	head := h.head()
	vector := func(kind model.Kind, id model.UUID, version int, name string) store.KnowledgeVectorOf {
		return store.KnowledgeVectorOf{Kind: kind, ID: id, Version: version, Embedding: embedded(name, 1, 0)}
	}
	n, err := h.SaveKnowledgeVectors(h.ctx, h.user, []store.KnowledgeVectorOf{
		vector(model.KindEntity, e.ID.UUID, 1, "alpha"), vector(model.KindEntity, changed.ID.UUID, 1, "alpha"),
		vector(model.KindEntity, gone.ID.UUID, 1, "alpha"),
		vector(model.KindFact, f.ID.UUID, 1, "beta"), vector(model.KindFact, e.ID.UUID, 1, "alpha"),
		vector(model.KindEntity, f.ID.UUID, 1, "alpha"), vector(model.KindFact, h.ids.next(), 1, "alpha"),
	})
	h.same("kept", []any{n, err}, []any{2, nil})
	h.same("which", []string{h.isMeasured(model.KindEntity, e.ID.UUID), h.isMeasured(model.KindEntity, changed.ID.UUID),
		h.isMeasured(model.KindFact, f.ID.UUID)}, []string{"alpha", "", "beta"})
	got, _ := h.entityByID(e.ID)
	h.same("nothing else of the row changes", got, e)
	n, err = h.SaveKnowledgeVectors(h.ctx, h.user,
		[]store.KnowledgeVectorOf{vector(model.KindEntity, e.ID.UUID, 1, "beta")})
	h.same("in place of another", []any{n, err, h.isMeasured(model.KindEntity, e.ID.UUID)}, []any{1, nil, "beta"})
	counts := must(h, func() (store.KnowledgeCounts, error) { return h.KnowledgeCounts(h.ctx, h.user, noon) })
	h.same("counted together", counts.Models, []model.ModelCount{{Model: "beta", Dimensions: 2, Rows: 2}})
	h.same("log", h.log(head), []string{})
}

func knowledgeVectorsInTransactions(h *fixture) {
	e := h.entity("e")
	h.learn(e)
	vectors := []store.KnowledgeVectorOf{
		{Kind: model.KindEntity, ID: e.ID.UUID, Version: 1, Embedding: embedded("alpha", 1, 0)}}
	err := h.Write(h.ctx, h.user, func(ctx context.Context, tx store.Tx) error {
		n, err := h.SaveKnowledgeVectors(ctx, h.user, vectors)
		counts := must(h, func() (store.KnowledgeCounts, error) { return tx.KnowledgeCounts(ctx, h.user, noon) })
		h.same("inside", []any{n, counts.Models}, []any{1, []model.ModelCount{{Model: "alpha", Dimensions: 2, Rows: 1}}})
		return errors.Join(err, errFailed)
	})
	h.fails("Write", err, errFailed)
	h.same("rolled back", h.isMeasured(model.KindEntity, e.ID.UUID), "")
	other := h.as("not of this transaction")
	h.write(func(ctx context.Context, _ store.Tx) error {
		_, err := h.SaveKnowledgeVectors(ctx, other.user, vectors)
		if err == nil || errors.Is(err, store.ErrNotFound) || errors.Is(err, store.ErrConflict) {
			h.Errorf("another user's vectors inside of a transaction: %v", err)
		}
		return nil
	})
}

// knowledgePendingMeanwhile walks while what was found gets its vectors, others are deleted, changed and added: as the
// worker does that embeds.
func knowledgePendingMeanwhile(h *fixture) {
	random := dice(541)
	users := []*fixture{h.as("first"), h.as("second"), h.as("third")}
	byUser, left := map[model.UserID]*fixture{}, map[model.UUID]bool{}
	var spare []func()
	for _, u := range users {
		byUser[u.user] = u
		entities := many(30, func(i int) model.Entity {
			e := u.entity(numbered("entity ", i))
			if i%2 == 0 {
				e.Embedding = embedded(pick(random, "older", "oldest"), 1, 0)
			}
			return e
		})
		u.learn(entities...)
		facts := many(30, func(i int) model.Fact {
			f := u.fact(entities[0], "KNOWS", entities[4])
			if i%2 == 0 {
				f.Embedding = embedded("older", 1, 0)
			}
			return f
		})
		u.tell(facts...)
		for i := range entities {
			if i%4 < 2 {
				left[entities[i].ID.UUID], left[facts[i].ID.UUID] = true, true
				continue
			}
			spare = append(spare, func() { // changed by others meanwhile
				switch random.IntN(3) {
				case 0:
					u.write(func(ctx context.Context, tx store.Tx) error {
						_, _, err := tx.DeleteEntities(ctx, []model.UUID{entities[i].ID.UUID})
						_, more := tx.DeleteFacts(ctx, []model.UUID{facts[i].ID.UUID})
						return errors.Join(err, more)
					})
				case 1:
					e, f := entities[i], facts[i]
					e.Version, e.Name, e.Embedding = 2, e.Name+" changed", model.Embedding{}
					f.Version, f.Sentence, f.Embedding = 2, f.Sentence+" changed", model.Embedding{}
					u.learn(e)
					u.tell(f)
				default:
					u.learn(u.entity("came meanwhile"))
				}
			})
		}
	}
	seen := map[model.UUID]int{}
	embed := func(some []store.PendingKnowledge) {
		for _, p := range some {
			v := store.KnowledgeVectorOf{Kind: model.KindFact, Embedding: embedded("wanted", 0, 1)}
			if p.Entity != nil {
				v.Kind, v.ID, v.Version = model.KindEntity, p.Entity.ID.UUID, p.Entity.Version
			} else {
				v.ID, v.Version = p.Fact.ID.UUID, p.Fact.Version
			}
			seen[v.ID]++
			if _, err := h.SaveKnowledgeVectors(h.ctx, p.User, []store.KnowledgeVectorOf{v}); err != nil {
				h.Fatalf("SaveKnowledgeVectors: %v", err)
			}
		}
	}
	h.pendingKnowledgeOf("wanted", 7, func(some []store.PendingKnowledge) {
		embed(some)
		for range min(3, len(spare)) {
			spare[len(spare)-1]()
			spare = spare[:len(spare)-1]
		}
	})
	for id := range left {
		if seen[id] != 1 {
			h.Errorf("what was pending came %d times", seen[id])
		}
	}
	// What the walk has missed, the next ones find; then nothing is left.
	for range 3 {
		h.pendingKnowledgeOf("wanted", 100, embed)
	}
	h.same("in the end", len(h.pendingKnowledgeOf("wanted", 10, nil)), 0)
	none, _, err := h.PendingKnowledge(h.ctx, "another", store.KnowledgePlace{}, 0)
	h.same("no limit, nothing", []any{len(none), err}, []any{0, nil})
}
