package storetest

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"almanac/adapters/store"
	"almanac/graph/model"
	"almanac/projections/vector"
)

func testKnowledgeErasure(t *testing.T, open Open) {
	h := newFixture(t, open)
	for what, erase := range knowledgeErasers {
		t.Run("answers that tell of it, by "+what,
			func(t *testing.T) { knowledgeErasedAnswers(h.in(t).as("erased by "+what), what, erase) })
	}
	t.Run("the answer of the deletion itself", func(t *testing.T) { knowledgeErasedOwnAnswer(h.in(t)) })
	t.Run("rolled back", func(t *testing.T) { knowledgeErasedRolledBack(h.in(t)) })
}

// smallGraph is an entity with a fact that an episode supports, and which mentions it.
type smallGraph struct {
	entity, other model.Entity
	fact          model.Fact
	episode       model.Episode
}

// grow makes a small graph; what is erased from it is said by the records' ids.
func (h *fixture) grow(what string) smallGraph {
	h.Helper()
	g := smallGraph{entity: h.entity(what), other: h.entity("other " + what), episode: h.episode("told " + what)}
	g.other.Version = 2 // changed by hand: it stays
	g.fact = h.fact(g.entity, "KNOWS", g.other)
	g.fact.Episodes = []model.ID{g.episode.ID}
	h.learn(g.entity, g.other)
	h.hear(g.episode)
	h.tell(g.fact)
	h.mention(g.episode, g.entity)
	return g
}

// eraser erases something of a small graph; gone are the ids of all that goes.
type eraser struct {
	erase func(ctx context.Context, tx store.Tx, g smallGraph) error
	gone  func(g smallGraph) []model.ID
}

var knowledgeErasers = map[string]eraser{
	"DeleteEntities": {
		erase: func(ctx context.Context, tx store.Tx, g smallGraph) error {
			_, _, err := tx.DeleteEntities(ctx, []model.UUID{g.entity.ID.UUID})
			return err
		},
		gone: func(g smallGraph) []model.ID { return []model.ID{g.entity.ID, g.fact.ID} },
	},
	"DeleteFacts": {
		erase: func(ctx context.Context, tx store.Tx, g smallGraph) error {
			_, err := tx.DeleteFacts(ctx, []model.UUID{g.fact.ID.UUID})
			return err
		},
		gone: func(g smallGraph) []model.ID { return []model.ID{g.fact.ID} },
	},
	"DeleteEpisode": {
		erase: func(ctx context.Context, tx store.Tx, g smallGraph) error {
			_, _, err := tx.DeleteEpisode(ctx, g.episode.ID.UUID)
			return err
		},
		gone: func(g smallGraph) []model.ID { return []model.ID{g.entity.ID, g.fact.ID, g.episode.ID} },
	},
	"ClearKnowledge": {
		erase: func(ctx context.Context, tx store.Tx, _ smallGraph) error {
			_, err := tx.ClearKnowledge(ctx)
			return err
		},
		gone: func(g smallGraph) []model.ID {
			return []model.ID{g.entity.ID, g.other.ID, g.fact.ID, g.episode.ID}
		},
	},
}

func knowledgeErasedAnswers(h *fixture, what string, e eraser) {
	g := h.grow(what)
	gone := map[model.ID]bool{}
	for _, id := range e.gone(g) {
		gone[id] = true
	}
	type told struct {
		key, answer string
		gone        bool
	}
	cases := []told{
		{"a task with the same id", model.ID{Kind: model.KindTask, UUID: g.fact.ID.UUID}.String(), false},
		{"empty", "", false},
	}
	for _, id := range []model.ID{g.entity.ID, g.other.ID, g.fact.ID, g.episode.ID} {
		cases = append(cases, told{"of " + string(id.Kind) + id.String(), fmt.Sprintf(`{"id":%q,"secret":true}`, id),
			gone[id]}, told{"among others" + id.String(), "\x00\xff" + strings.Repeat("x", 70_000) + id.String() + "\xff",
			gone[id]})
	}
	for _, c := range cases {
		for n, claimed := range []bool{false, true} {
			h.answered(call(fmt.Sprint(c.key, n), 1), claimed, c.answer)
		}
	}
	h.write(func(ctx context.Context, tx store.Tx) error { return e.erase(ctx, tx, g) })
	for _, c := range cases {
		want := c.answer + " replayed=true"
		if c.gone {
			want = erasedCode
		}
		for n := range 2 {
			if got := h.replays(call(fmt.Sprint(c.key, n), 1)); got != want {
				h.Errorf("%s: %.200q, want %.200q", c.key, got, want)
			}
		}
	}
}

// knowledgeErasedOwnAnswer: the call that deletes answers with ids too, and a retry of it must be told the same.
func knowledgeErasedOwnAnswer(h *fixture) {
	h = h.as("deletes by a call")
	for what, e := range knowledgeErasers {
		g := h.grow("own " + what)
		answer := fmt.Sprint(e.gone(g))
		got := h.once(call(what, 1), func(ctx context.Context) ([]byte, error) {
			err := h.Write(ctx, h.user, func(ctx context.Context, tx store.Tx) error { return e.erase(ctx, tx, g) })
			return []byte(answer), err
		})
		h.same("the call of "+what, got, answer+" replayed=false")
		h.same("a retry of "+what, h.replays(call(what, 1)), answer+" replayed=true")
	}
}

func knowledgeErasedRolledBack(h *fixture) {
	h = h.as("erases nothing in the end")
	for what, e := range knowledgeErasers {
		g := h.grow("kept " + what)
		answer := fmt.Sprint(e.gone(g))
		h.answered(call("kept "+what, 1), false, answer)
		err := h.Write(h.ctx, h.user, func(ctx context.Context, tx store.Tx) error {
			return errors.Join(e.erase(ctx, tx, g), errFailed)
		})
		h.fails("Write", err, errFailed)
		h.same("the answer after "+what, h.replays(call("kept "+what, 1)), answer+" replayed=true")
		got, _ := h.factByID(g.fact.ID)
		h.same("the fact after "+what, got, g.fact)
	}
}

// erasedKnowledge proves that nothing of what was erased from the graph is left in the database; see Erased.
func erasedKnowledge(h *fixture, places func(t *testing.T, needle []byte) []string) {
	h.Helper()
	random := dice(590)
	needles := map[string][]byte{}
	grow := func(n int) smallGraph {
		name := func(what string) string {
			text := fmt.Sprintf("%s%dx", what, n)
			needles[text] = []byte(text)
			return text
		}
		g := smallGraph{entity: h.entity(name("quagga")), other: h.entity(fmt.Sprint("kept ", n)),
			episode: h.episode(name("okapi"))}
		g.other.Version = 2
		g.entity.Type, g.entity.Summary, g.entity.Aliases, g.entity.Attributes = name("numbat"), name("לוויתנ"),
			[]string{name("tarsier"), name("צבי")}, fmt.Sprintf(`{%q:%q}`, name("aardvark"), name("pangolin"))
		g.entity.Embedding = model.Embedding{Model: "alpha", Dimensions: 64, Vector: make64(random)}
		g.fact = h.fact(g.entity, strings.ToUpper(name("gerenuk")), g.other)
		needles[g.fact.Relation] = []byte(g.fact.Relation)
		delete(needles, fmt.Sprintf("gerenuk%dx", n))
		g.fact.Sentence, g.fact.Attributes, g.fact.Episodes = name("kinkajou"), fmt.Sprintf(`{"a":%q}`, name("dikdik")),
			[]model.ID{g.episode.ID}
		g.fact.Embedding = model.Embedding{Model: "alpha", Dimensions: 64, Vector: make64(random)}
		g.episode.Name, g.episode.SourceDescription, g.episode.Problem = name("fossa"), name("margay"), name("serval")
		needles[fmt.Sprint("vector of the entity ", n)] = vector.Pack(g.entity.Embedding.Vector)[:32]
		needles[fmt.Sprint("vector of the fact ", n)] = vector.Pack(g.fact.Embedding.Vector)[:32]
		h.learn(g.entity, g.other)
		h.hear(g.episode)
		h.tell(g.fact)
		h.mention(g.episode, g.entity)
		answer := fmt.Sprintf(`{"ids":%q,"name":%q,"fact":%q,"content":%q}`, []model.ID{g.entity.ID, g.fact.ID, g.episode.ID},
			g.entity.Name, g.fact.Sentence, g.episode.Content)
		h.answered(call(fmt.Sprint("erasure of knowledge ", n), 1), n%2 == 0, answer)
		return g
	}
	look := func(what string, wanted bool) {
		h.Helper()
		for name, needle := range needles {
			switch where := places(h.T, needle); {
			case wanted && len(where) == 0:
				h.Errorf("%s is nowhere before %s: the search sees nothing", name, what)
			case !wanted && len(where) > 0:
				h.Errorf("%s is still in %v after %s", name, where, what)
			}
		}
	}
	for n, what := range []string{"deleting one after another", "ClearKnowledge", "replacing and merging"} {
		clear(needles)
		beside := h.entity("something else entirely")
		h.learn(beside)
		g := grow(n)
		// Rows that come and go move others about: what they leave behind counts too.
		for i := range 10 {
			e := h.entity("filling")
			e.Summary = strings.Repeat("filling ", 20*i+1)
			h.learn(e)
			h.write(func(ctx context.Context, tx store.Tx) error {
				_, _, err := tx.DeleteEntities(ctx, []model.UUID{e.ID.UUID})
				return err
			})
		}
		look(what, true)
		switch n {
		case 0:
			h.write(func(ctx context.Context, tx store.Tx) error {
				_, err := tx.DeleteFacts(ctx, []model.UUID{g.fact.ID.UUID})
				_, _, second := tx.DeleteEntities(ctx, []model.UUID{g.entity.ID.UUID})
				_, _, third := tx.DeleteEpisode(ctx, g.episode.ID.UUID)
				return errors.Join(err, second, third)
			})
		case 1:
			h.write(func(ctx context.Context, tx store.Tx) error { _, err := tx.ClearKnowledge(ctx); return err })
			h.learn(beside)
		default:
			// Everything is written over with something else, the fact goes to the other, and the entity becomes part of it.
			e, f, told := g.entity, g.fact, g.episode
			e.Name, e.Type, e.Summary, e.Aliases, e.Attributes, e.Embedding, e.Version = "plain", "", "", nil, "",
				model.Embedding{}, 2
			f.Source, f.Relation, f.Sentence, f.Attributes, f.Embedding, f.Version = g.other, "KNOWS", "plain", "",
				model.Embedding{}, 2
			told.Name, told.Content, told.SourceDescription, told.Problem = "plain", "plain", "", ""
			h.learn(e)
			h.tell(f)
			h.hear(told)
			if err := h.move(e, g.other); err != nil {
				h.Fatal(err)
			}
			// An answer that tells of what only changed stays as it was recorded.
			for _, kept := range []string{g.entity.Name, g.fact.Sentence, g.episode.Content} {
				delete(needles, kept)
			}
		}
		look(what, false)
		if where := places(h.T, []byte("something else entirely")); len(where) == 0 {
			h.Errorf("what was not erased is gone too after %s", what)
		}
	}
}
