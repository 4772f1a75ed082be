package knowledgetest

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"almanac/adapters/knowledge"
	"almanac/adapters/store"
	"almanac/graph/model"
)

// Harness is a base without anything in it, and what a test needs to move it.
type Harness struct {
	Base knowledge.Base
	// Users are two people whom the base has room for.
	Users [2]model.UserID
	// Now is the base's clock; Pass lets time go by on it.
	Now  func() time.Time
	Pass func(time.Duration)
	// Settle has everything read that waits for it; nil when nothing does.
	Settle func(t *testing.T)
	// In runs a write as the callers of the base do: in a transaction of the user where the base takes part in one. Nil:
	// just so.
	In func(ctx context.Context, user model.UserID, write func(ctx context.Context) error) error
	// Reads tells that the base reads the sentences "A works at B." and "A lives in B." of episodes, as facts WORKS_AT and
	// LIVES_IN, of which one holds at a time.
	Reads bool
	// Lists tells that facts that were added without an episode are listed, and not only found.
	Lists bool
}

// Run holds bases to the contract; open gives a new one each time.
func Run(t *testing.T, open func(t *testing.T) Harness) {
	for _, c := range []struct {
		name string
		test func(*harness)
	}{
		{"Facts", properties},
		{"FactsAreFoundWithTheirEnds", factsAreFound},
		{"NamesInHebrew", namesInHebrew},
		{"TheSameFactOnce", theSameFactOnce},
		{"EndsByID", endsByID},
		{"FiltersOfFacts", filtersOfFacts},
		{"Around", around},
		{"SearchesArePaged", searchesArePaged},
		{"ListsArePaged", listsArePaged},
		{"EpisodesAreKept", episodesAreKept},
		{"EpisodesAreRead", episodesAreRead},
		{"WhatHoldsNow", whatHoldsNow},
		{"OthersSeeNothing", othersSeeNothing},
		{"Erasing", erasing},
		{"Clearing", clearing},
		{"UnknownIDs", unknownIDs},
		{"Editing", editing},
		{"Status", status},
		{"ContextsEnd", contextsEnd},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			c.test(&harness{Harness: open(t), T: t})
		})
	}
}

// harness is a Harness in one test. User is the first of its people, Other the second.
type harness struct {
	Harness
	*testing.T
}

func (h *harness) user() model.UserID  { return h.Users[0] }
func (h *harness) other() model.UserID { return h.Users[1] }

// do runs a write.
func (h *harness) do(user model.UserID, write func(ctx context.Context) error) error {
	h.Helper()
	if h.In == nil {
		return write(h.Context())
	}
	return h.In(h.Context(), user, write)
}

func (h *harness) settle() {
	h.Helper()
	if h.Harness.Settle != nil {
		h.Harness.Settle(h.T)
	}
}

func (h *harness) must(err error) {
	h.Helper()
	if err != nil {
		h.Fatal(err)
	}
}

// wantCode fails unless the error is of a code.
func (h *harness) wantCode(err error, code model.ErrorCode) {
	h.Helper()
	if model.CodeOf(err) != code {
		h.Errorf("%v, want %s", err, code)
	}
}

// line is a fact to be added: "Dana WORKS_AT Acme", with names of one word.
func (h *harness) line(text string) knowledge.NewFact {
	h.Helper()
	words := strings.Fields(text)
	if len(words) != 3 {
		h.Fatalf("%q is no fact", text)
	}
	return knowledge.NewFact{
		Source: knowledge.End{Name: words[0]}, Relation: words[1], Target: knowledge.End{Name: words[2]},
		Sentence: words[0] + " " + strings.ToLower(strings.ReplaceAll(words[1], "_", " ")) + " " + words[2],
	}
}

// addFacts adds facts, all of which must be taken.
func (h *harness) addFacts(user model.UserID, facts ...knowledge.NewFact) knowledge.FactsAdded {
	h.Helper()
	var added knowledge.FactsAdded
	h.must(h.do(user, func(ctx context.Context) (err error) {
		added, err = h.Base.AddFacts(ctx, user, knowledge.NewFacts{Facts: facts, Now: h.Now()})
		return err
	}))
	if len(added.Ids) != len(facts) || len(added.Problems) != len(facts) {
		h.Fatalf("%d ids and %d problems for %d facts", len(added.Ids), len(added.Problems), len(facts))
	}
	for i, problem := range added.Problems {
		if problem != nil {
			h.Fatalf("fact %d: %v", i, problem)
		}
	}
	return added
}

func (h *harness) addLines(user model.UserID, lines ...string) knowledge.FactsAdded {
	h.Helper()
	facts := make([]knowledge.NewFact, len(lines))
	for i, text := range lines {
		facts[i] = h.line(text)
	}
	return h.addFacts(user, facts...)
}

// tell adds an episode and has it read.
func (h *harness) tell(user model.UserID, name, content string) knowledge.Added {
	h.Helper()
	var added knowledge.Added
	h.must(h.do(user, func(ctx context.Context) (err error) {
		added, err = h.Base.AddEpisode(ctx, user, knowledge.NewEpisode{Now: h.Now(), Episode: model.Episode{
			Name: name, Content: content, Source: model.EpisodeText, SourceDescription: "a test", ReferenceTime: h.Now(),
			State: model.EpisodeQueued,
		}})
		return err
	}))
	h.settle()
	return added
}

// looking is a search with the usual weights.
func looking(text string) knowledge.Search {
	const meaning, words = 0.7, 0.3
	return knowledge.Search{Text: text, SimilarityWeight: meaning, KeywordWeight: words}
}

var wantFact = store.FactWant{Fact: store.FactRow | store.FactEpisodes, Ends: store.EntityRow}

const most = 100

func (h *harness) findFacts(user model.UserID, ask knowledge.FactAsk) knowledge.Answer[model.Fact] {
	h.Helper()
	if ask.Page.First == 0 {
		ask.Page.First = most
	}
	ask.Want = wantFact
	answer, err := h.Base.FindFacts(h.Context(), user, ask)
	h.must(err)
	return answer
}

func (h *harness) findEntities(user model.UserID, ask knowledge.EntityAsk) knowledge.Answer[model.Entity] {
	h.Helper()
	if ask.Page.First == 0 {
		ask.Page.First = most
	}
	ask.Want = store.EntityRow
	answer, err := h.Base.FindEntities(h.Context(), user, ask)
	h.must(err)
	return answer
}

// entity returns the one entity of a name.
func (h *harness) entity(user model.UserID, name string) model.Entity {
	h.Helper()
	for _, hit := range h.findEntities(user, knowledge.EntityAsk{Search: looking(name)}).Hits {
		if hit.Item.Name == name {
			return hit.Item
		}
	}
	h.Fatalf("nobody is called %s", name)
	return model.Entity{}
}

func (h *harness) episodes(user model.UserID) []model.Episode {
	h.Helper()
	answer, err := h.Base.FindEpisodes(h.Context(), user,
		knowledge.EpisodeAsk{Page: knowledge.Page{First: most}, Want: store.EpisodeRow})
	h.must(err)
	return items(answer.Hits)
}

func items[T any](hits []knowledge.Hit[T]) []T {
	all := make([]T, len(hits))
	for i := range hits {
		all[i] = hits[i].Item
	}
	return all
}

// lines writes facts as they are told to line, sorted.
func lines(facts []model.Fact) string {
	all := make([]string, len(facts))
	for i := range facts {
		all[i] = facts[i].Source.Name + " " + facts[i].Relation + " " + facts[i].Target.Name
	}
	slices.Sort(all)
	return strings.Join(all, "; ")
}

// check compares what facts say, in any order.
func (h *harness) check(what string, facts []model.Fact, want ...string) {
	h.Helper()
	slices.Sort(want)
	if got := lines(facts); got != strings.Join(want, "; ") {
		h.Errorf("%s: %s, want %s", what, got, strings.Join(want, "; "))
	}
}
