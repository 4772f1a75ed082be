package storetest

import (
	"context"
	"testing"
	"time"

	"almanac/adapters/store"
	"almanac/graph/model"
	"almanac/projections/graphtext"
)

func testKnowledge(t *testing.T, open Open) {
	h := newFixture(t, open)
	t.Run("everything comes back as it was written", func(t *testing.T) { knowledgeRoundTrip(h.in(t)) })
	t.Run("the order of names", func(t *testing.T) { knowledgeNames(h.in(t)) })
	t.Run("by name and alias", func(t *testing.T) { knowledgeByName(h.in(t)) })
	t.Run("what became part of another", func(t *testing.T) { knowledgeMoved(h.in(t)) })
	t.Run("when a fact holds", func(t *testing.T) { knowledgeHolds(h.in(t)) })
	t.Run("episodes of a fact", func(t *testing.T) { knowledgeSupport(h.in(t)) })
	t.Run("a fact needs both ends", func(t *testing.T) { knowledgeEnds(h.in(t)) })
	t.Run("around an entity", func(t *testing.T) { knowledgeAround(h.in(t)) })
	t.Run("erasing an episode", func(t *testing.T) { knowledgeEpisodeErased(h.in(t)) })
	t.Run("clearing", func(t *testing.T) { knowledgeCleared(h.in(t)) })
	t.Run("the change log", func(t *testing.T) { knowledgeChanges(h.in(t)) })
	t.Run("last updated", func(t *testing.T) { knowledgeLastUpdated(h.in(t)) })
	t.Run("nothing", func(t *testing.T) { knowledgeNothing(h.in(t)) })
	t.Run("a transaction that has ended", func(t *testing.T) { knowledgeEnded(h.in(t).as("comes late")) })
}

// entity makes an entity with a name and nothing else.
func (h *fixture) entity(name string) model.Entity {
	now := h.clock.Now()
	return model.Entity{ID: entityID(h.ids.next()), Name: name, CreatedAt: now, UpdatedAt: now, Version: 1}
}

// fact makes a fact that always held, with the sentence of its parts.
func (h *fixture) fact(source model.Entity, relation string, target model.Entity) model.Fact {
	return model.Fact{
		ID: factID(h.ids.next()), Relation: relation, Sentence: graphtext.Sentence(source.Name, relation, target.Name),
		Source: source, Target: target, CreatedAt: h.clock.Now(), Version: 1,
	}
}

func (h *fixture) episode(content string) model.Episode {
	now := h.clock.Now()
	return model.Episode{ID: episodeID(h.ids.next()), Name: "told", Content: content, Source: model.EpisodeText,
		ReferenceTime: now, CreatedAt: now, State: model.EpisodeVerbatim}
}

// learn saves entities, tell facts, hear episodes.
func (h *fixture) learn(entities ...model.Entity) {
	h.Helper()
	h.write(func(ctx context.Context, tx store.Tx) error { return tx.SaveEntities(ctx, mapped(entities, entityRow)) })
}

func (h *fixture) tell(facts ...model.Fact) {
	h.Helper()
	h.write(func(ctx context.Context, tx store.Tx) error { return tx.SaveFacts(ctx, mapped(facts, factRow)) })
}

func (h *fixture) hear(episodes ...model.Episode) {
	h.Helper()
	h.write(func(ctx context.Context, tx store.Tx) error { return tx.SaveEpisodes(ctx, episodes) })
}

// mention says that an episode speaks of entities.
func (h *fixture) mention(episode model.Episode, entities ...model.Entity) {
	h.Helper()
	h.write(func(ctx context.Context, tx store.Tx) error {
		return tx.NoteMentions(ctx, episode.ID.UUID, idsOfEntities(entities))
	})
}

func (h *fixture) factsWhere(where store.FactWhere) []model.UUID {
	h.Helper()
	page := must(h, func() (store.FactPage, error) {
		return h.ListFacts(h.ctx, h.user,
			store.FactQuery{Where: where, Page: &store.Window[store.TimePlace]{Limit: 1000}, Total: true})
	})
	h.same("the total", page.Total, len(page.Facts))
	return idsOfFacts(page.Facts)
}

// factByID reads one fact whole; ok is whether it is there.
func (h *fixture) factByID(id model.ID) (f model.Fact, ok bool) {
	h.Helper()
	got := must(h, func() ([]model.Fact, error) { return h.FactsByID(h.ctx, h.user, []model.UUID{id.UUID}, wholeFact) })
	if len(got) != 1 {
		return model.Fact{}, false
	}
	return tidyFact(got[0]), true
}

// entityByID reads one entity whole, or what it became part of.
func (h *fixture) entityByID(id model.ID) (e model.Entity, ok bool) {
	h.Helper()
	got := must(h, func() (map[model.UUID]model.Entity, error) {
		return h.EntitiesByID(h.ctx, h.user, []model.UUID{id.UUID}, store.EntityRow)
	})
	e, ok = got[id.UUID]
	return tidyEntity(e), ok
}

func (h *fixture) move(from, into model.Entity) error {
	return h.Write(h.ctx, h.user, func(ctx context.Context,
		tx store.Tx) error {
		return tx.MoveEntity(ctx, from.ID.UUID, into.ID.UUID)
	})
}

// logged returns the changes after a place with their types.
func (h *fixture) logged(after int64) []string {
	h.Helper()
	changes := must(h, func() ([]model.Change, error) { return h.Changes(h.ctx, h.user, after, nil, 10_000) })
	return mapped(changes, func(c model.Change) string { return wire(c.Type, c.Operation, c.ID) })
}

func knowledgeRoundTrip(h *fixture) {
	h = h.as("keeps")
	dana, acme := h.entity("Dana"), h.entity("אקמה")
	acme.Type, acme.Summary, acme.Aliases, acme.Attributes = "Company", "Makes anvils; עושה סדנים",
		[]string{"Zeta", "Acme", "Ａcme"}, `{"city":"חיפה","n":1.10}`
	acme.CreatedAt, acme.UpdatedAt, acme.Version = noon.Add(-time.Hour+time.Microsecond), noon.Add(time.Microsecond), 7
	h.learn(dana, acme)
	e, _ := h.entityByID(acme.ID)
	h.same("an entity", e, acme)
	again := acme
	again.CreatedAt, again.UpdatedAt, again.Aliases, again.Attributes, again.Summary, again.Version = noon.Add(time.Hour),
		noon.Add(time.Hour), nil, "", "", 8
	h.learn(again)
	again.CreatedAt = acme.CreatedAt
	e, _ = h.entityByID(acme.ID)
	h.same("replaced: created when it was", e, again)

	told := h.episode("  Dana works at Acme.\n\tדנה \u200fעובדת ")
	told.Source, told.SourceDescription, told.State = model.EpisodeJSON, "mail", model.EpisodeQueued
	told.ReferenceTime = noon.Add(-time.Microsecond)
	told.Problem, told.Attempts, told.NextAt = "not yet", 3, noon.Add(time.Minute)
	h.hear(told)
	episodes := must(h, func() ([]model.Episode, error) {
		return h.EpisodesByID(h.ctx, h.user, []model.UUID{told.ID.UUID}, store.EpisodeRow)
	})
	h.same("an episode", episodes, []model.Episode{told})
	told.State, told.Problem, told.NextAt, told.Name = model.EpisodeExtracted, "", time.Time{}, "renamed"
	h.hear(told)
	episodes = must(h, func() ([]model.Episode, error) {
		return h.EpisodesByID(h.ctx, h.user, []model.UUID{told.ID.UUID}, store.EpisodeRow)
	})
	h.same("an episode replaced", episodes, []model.Episode{told})

	f := h.fact(dana, "עובדת_ב", again)
	f.ValidAt, f.InvalidAt, f.ExpiredAt, f.Confidence, f.Attributes, f.Episodes, f.ReplacedBy, f.Version = noon.Add(
		-time.Hour), noon.Add(time.Microsecond), noon, new(0.1), `{"a":1}`, []model.ID{told.ID}, factID(h.ids.next()), 4
	plain := h.fact(dana, "KNOWS", dana)
	plain.Confidence = new(0.0)
	h.tell(f, plain)
	for _, want := range []model.Fact{f, plain} {
		got, _ := h.factByID(want.ID)
		h.same("a fact", got, want)
	}
	f.ValidAt, f.InvalidAt, f.ExpiredAt, f.Confidence, f.Attributes, f.ReplacedBy, f.Version, f.Target = time.Time{},
		time.Time{}, time.Time{}, nil, "", model.ID{}, 5, dana
	h.tell(f)
	got, _ := h.factByID(f.ID)
	h.same("a fact replaced", got, f)
	// A fact shows its ends as they are now.
	dana.Name, dana.Version = "Dana Levi", 2
	h.learn(dana)
	got, _ = h.factByID(plain.ID)
	h.same("ends as they are", []string{got.Source.Name, got.Target.Name}, []string{"Dana Levi", "Dana Levi"})
}

func knowledgeNames(h *fixture) {
	h = h.as("orders names")
	in := []string{"b", "A", "a", "Ä", "zebra", "Zoo", "תל אביב", "אבא", "אם", "בית", "a b", "a-b", "10", "9", "%", "a_b",
		"é", "Ω"}
	for _, name := range in {
		h.learn(h.entity(name))
	}
	page := must(h, func() (store.EntityPage, error) {
		return h.ListEntities(h.ctx, h.user,
			store.EntityQuery{Columns: store.EntityName, Page: &store.Window[store.EntityPlace]{Limit: 100}})
	})
	got := mapped(page.Entities, func(e model.Entity) string { return e.Name })
	// Bytewise by the folded name: A, a and Ä have one key, and go by their ids.
	h.same("order", got, []string{"%", "10", "9", "A", "a", "Ä", "a b", "a-b", "a_b", "b", "é", "zebra", "Zoo", "Ω", "אבא",
		"אם", "בית", "תל אביב"})
}

func knowledgeByName(h *fixture) {
	h = h.as("asks by name")
	one, two, three := h.entity("Dana Lévi"), h.entity("Somebody"), h.entity("dana  levi")
	one.Type, two.Type, two.Aliases, three.Aliases = "Person", "PERSON", []string{"DANA LEVI", "דָּנָה"},
		[]string{"Dana Levi", "dana levi"}
	h.learn(one, two, three)
	find := func(names ...string) map[string][]model.UUID {
		h.Helper()
		out := map[string][]model.UUID{}
		for name, all := range must(h,
			func() (map[string][]model.Entity, error) { return h.EntitiesByName(h.ctx, h.user, names, 0) }) {
			out[name] = idsOfEntities(all)
		}
		return out
	}
	all := []model.UUID{one.ID.UUID, two.ID.UUID, three.ID.UUID}
	h.same("by name and alias, oldest id first", find("dana levi", "דנה", "somebody", "nobody"),
		map[string][]model.UUID{"dana levi": all, "דנה": {two.ID.UUID}, "somebody": {two.ID.UUID}})
	h.same("a name that is not folded is nobody's", find("Dana Levi"), map[string][]model.UUID{})
	h.same("no name", find(), map[string][]model.UUID{})
	list := func(where store.EntityWhere) []model.UUID {
		h.Helper()
		page := must(h, func() (store.EntityPage, error) {
			return h.ListEntities(h.ctx, h.user,
				store.EntityQuery{Where: where, Page: &store.Window[store.EntityPlace]{Limit: 100}, Total: true})
		})
		h.same("total", page.Total, len(page.Entities))
		return idsOfEntities(page.Entities)
	}
	h.same("the filter", list(store.EntityWhere{Name: "dana levi"}), []model.UUID{one.ID.UUID, three.ID.UUID, two.ID.UUID})
	h.same("types are folded", list(store.EntityWhere{Types: []string{"person"}}), []model.UUID{one.ID.UUID, two.ID.UUID})
	h.same("without a type", list(store.EntityWhere{Types: []string{""}}), []model.UUID{three.ID.UUID})
	two.Aliases, two.Version = nil, 2
	h.learn(two)
	h.same("an alias that was taken away", find("dana levi", "דנה"),
		map[string][]model.UUID{"dana levi": {one.ID.UUID, three.ID.UUID}})
	// As many names as there may be, in one go.
	names := many(2*model.MaxFactsAtOnce, func(i int) string { return numbered("name ", i) })
	names[7], names[1_999] = "dana levi", "somebody"
	batches := h.trace.during(func() {
		h.same("of 2,000 names", find(names...),
			map[string][]model.UUID{"dana levi": {one.ID.UUID, three.ID.UUID}, "somebody": {two.ID.UUID}})
	})
	h.same("batches for 2,000 names", len(batches), 1)
}

func knowledgeMoved(h *fixture) {
	h = h.as("merges")
	a, b, c, d := h.entity("a"), h.entity("b"), h.entity("c"), h.entity("d")
	told := h.episode("of a")
	h.learn(a, b, c, d)
	h.hear(told)
	h.mention(told, a, b)
	f := h.fact(a, "KNOWS", d)
	h.tell(f)
	h.fails("one that has facts", h.move(a, b), store.ErrConflict)
	h.fails("the other end too", h.move(d, b), store.ErrConflict)
	h.fails("into what is not there", h.move(b, h.entity("x")), store.ErrNotFound)
	h.fails("what is not there", h.move(h.entity("x"), b), store.ErrNotFound)
	h.fails("into itself", h.move(b, b), store.ErrConflict)
	f.Source, f.Version = b, 2
	h.tell(f)
	head := h.head()
	if err := h.move(a, b); err != nil {
		h.Fatal(err)
	}
	h.same("log", h.logged(head), []string{wire(model.ChangeEntity, model.OperationDeleted, a.ID.UUID)})
	h.fails("what became part of another", h.move(a, c), store.ErrNotFound)
	h.fails("into what became part of another", h.move(c, a), store.ErrNotFound)
	mentioned := must(h, func() ([]model.Entity, error) { return h.MentionedIn(h.ctx, h.user, told.ID.UUID, 10, 0) })
	h.same("mentions follow, each once", idsOfEntities(mentioned), []model.UUID{b.ID.UUID})
	f.Source, f.Version = c, 3
	h.tell(f)
	if err := h.move(b, c); err != nil {
		h.Fatal(err)
	}
	f.Source, f.Target, f.Version = d, d, 4
	h.tell(f)
	if err := h.move(c, d); err != nil {
		h.Fatal(err)
	}
	ids := []model.UUID{a.ID.UUID, b.ID.UUID, c.ID.UUID, d.ID.UUID, a.ID.UUID, h.ids.next()}
	got := must(h, func() (map[model.UUID]model.Entity, error) {
		return h.EntitiesByID(h.ctx, h.user, ids, store.EntityName)
	})
	want := map[model.UUID]model.Entity{}
	for _, id := range ids[:4] {
		want[id] = model.Entity{ID: d.ID, Name: "d"}
	}
	h.same("each leads to the last", got, want)
	for _, id := range ids[:3] {
		h.same("facts are asked by the entity that is there", h.factsWhere(store.FactWhere{Entity: id}), []model.UUID{})
	}
	h.write(func(ctx context.Context, tx store.Tx) error {
		deleted, facts, err := tx.DeleteEntities(ctx, ids)
		h.same("erased, with its fact", []any{deleted, facts}, []any{[]model.UUID{d.ID.UUID}, 1})
		return err
	})
	got = must(h, func() (map[model.UUID]model.Entity, error) { return h.EntitiesByID(h.ctx, h.user, ids, 0) })
	h.same("nothing leads to it any more", len(got), 0)
}
