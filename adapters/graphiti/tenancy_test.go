package graphiti_test

import (
	"regexp"
	"strings"
	"testing"
	"time"

	"almanac/adapters/graphiti"
	"almanac/adapters/knowledge"
	"almanac/adapters/store"
	"almanac/graph/model"
	standin "almanac/internal/standin/graphiti"
)

// A group is one user's, fits Graphiti's rule, and tells nothing of the user.
func TestGroups(t *testing.T) {
	t.Parallel()
	form := regexp.MustCompile(`^[a-zA-Z0-9_-]+$`)
	seen := map[string]bool{}
	for _, subject := range []string{"", "dana", "Dana", "דנה", strings.Repeat("x", 500)} {
		user := model.UserIDOf(subject)
		group := graphiti.GroupOf(user)
		if !form.MatchString(group) || seen[group] || group != graphiti.GroupOf(user) ||
			strings.Contains(group, strings.TrimPrefix(user.String(), "user_")) {
			t.Errorf("%q has %q", subject, group)
		}
		seen[group] = true
	}
}

// A server that gives what is another group's, whatever was asked, gives nothing here.
func TestForeignGroupsAreDropped(t *testing.T) {
	onServers(t, func(t *testing.T, options standin.Options) {
		w := newWorld(t, options)
		w.tell(w.other, "theirs", "Noam works at Globex.")
		w.tell(w.user, "mine", "Dana works at Acme.")
		theirs := w.facts(w.other, knowledge.FactAsk{Search: knowledge.Search{Text: "Noam"}}).Hits[0].Item
		w.standin.Inject(standin.Fault{Foreign: true})
		if got := said(w.facts(w.user,
			knowledge.FactAsk{Search: knowledge.Search{Text: "works at"}}).Hits); got != "Dana WORKS_AT Acme" {
			t.Errorf("facts: %s", got)
		}
		if got := namesOf(w.entities(w.user, knowledge.EntityAsk{Search: knowledge.Search{
			Text: "works at"}}).Hits); strings.Contains(got, "Noam") || !strings.Contains(got, "Dana") {
			t.Errorf("entities: %s", got)
		}
		episodes, err := w.base.FindEpisodes(t.Context(), w.user,
			knowledge.EpisodeAsk{Page: knowledge.Page{First: 10}, Total: true})
		if err != nil || len(episodes.Hits) != 1 || *episodes.Total != 1 {
			t.Errorf("%+v %v", episodes, err)
		}
		// By uuid the server tells everybody.
		facts, err := w.base.FactsByID(t.Context(), w.user, []model.ID{theirs.ID}, wantAll)
		if err != nil || len(facts) != 0 {
			t.Errorf("%+v %v", facts, err)
		}
		entities, err := w.base.EntitiesByID(t.Context(), w.user, []model.ID{theirs.Source.ID}, store.EntityRow)
		if err != nil || len(entities) != 0 {
			t.Errorf("%+v %v", entities, err)
		}
		for _, id := range []model.ID{theirs.ID, theirs.Episodes[0]} {
			_, err := w.base.Delete(t.Context(), w.user, id)
			w.check(err, model.CodeNotFound)
		}
		if w.calls("delete_entity_edge")+w.calls("delete_episode") != 0 {
			t.Error("something of another group was deleted")
		}
	})
}

// Every call that takes a group names the user's, and no other.
func TestEveryCallNamesTheGroup(t *testing.T) {
	onServers(t, func(t *testing.T, options standin.Options) {
		w := newWorld(t, options)
		w.tell(w.user, "mine", "Dana works at Acme.")
		fact := w.facts(w.user, knowledge.FactAsk{Search: knowledge.Search{Text: "Dana"}}).Hits[0].Item
		_, _, err := w.base.FactsAround(t.Context(), w.user,
			knowledge.Around{Entities: []model.ID{fact.Source.ID}, PerEntity: 5, Limit: 5, Want: wantAll})
		if err != nil {
			t.Fatal(err)
		}
		w.entity(w.user, "Dana")
		if _, err := w.base.Delete(t.Context(), w.user, fact.Episodes[0]); err != nil {
			t.Error(err)
		}
		if !options.Old {
			if _, err := w.base.Clear(t.Context(), w.user); err != nil {
				t.Error(err)
			}
		}
		group := graphiti.GroupOf(w.user)
		for _, call := range w.standin.Calls() {
			switch call.Tool {
			case "get_episode_entities", "get_entity_edge", "delete_episode", "delete_entity_edge":
				continue // they take none
			}
			if !strings.Contains(call.Arguments, `"`+group+`"`) {
				t.Errorf("%s was called with %s", call.Tool, call.Arguments)
			}
		}
	})
}

// An older server would clear everybody's graph, so it is not asked to, but for the owner of a group that was set.
func TestClearOnAnOlderServer(t *testing.T) {
	t.Parallel()
	w := newWorld(t, standin.Options{Token: secretToken, Old: true})
	w.tell(w.user, "mine", "Dana works at Acme.")
	_, err := w.base.Clear(t.Context(), w.user)
	shown := w.check(err, model.CodeNotConfigured)
	if !strings.Contains(shown.Message, "0.4.0") || w.calls("clear_graph") != 0 {
		t.Errorf("%q, %d calls", shown.Message, w.calls("clear_graph"))
	}
	fixed := newWorld(t, standin.Options{Token: secretToken, Old: true},
		func(b *graphiti.Base) { b.Group, b.GroupOwner = "main", model.UserIDOf("dana") })
	_, err = fixed.base.Clear(t.Context(), fixed.other)
	fixed.check(err, model.CodeNotConfigured)
	if _, err := fixed.base.Clear(t.Context(), fixed.user); err != nil || fixed.calls("clear_graph") != 1 {
		t.Errorf("%v, %d calls", err, fixed.calls("clear_graph"))
	}
}

// A group that was set is its owner's alone; what others have is apart from it.
func TestAGroupThatWasSet(t *testing.T) {
	t.Parallel()
	w := newWorld(t, standin.Options{Token: secretToken},
		func(b *graphiti.Base) { b.Group, b.GroupOwner = standin.DefaultGroup, model.UserIDOf("dana") })
	w.tell(w.user, "mine", "Dana works at Acme.")
	w.tell(w.other, "theirs", "Noam works at Globex.")
	search := knowledge.FactAsk{Search: knowledge.Search{Text: "works"}}
	if got := said(w.facts(w.user, search).Hits); got != "Dana WORKS_AT Acme" {
		t.Errorf("the owner sees %s", got)
	}
	if got := said(w.facts(w.other, search).Hits); got != "Noam WORKS_AT Globex" {
		t.Errorf("the other sees %s", got)
	}
	if !strings.Contains(w.standin.Calls()[0].Arguments, `"main"`) {
		t.Errorf("%+v", w.standin.Calls()[0])
	}
}

// An entity of another user is no end of a fact, though the server would take it.
func TestForeignEnds(t *testing.T) {
	t.Parallel()
	w := newWorld(t, standin.Options{Token: secretToken})
	w.tell(w.other, "theirs", "Noam works at Globex.")
	noam := w.entity(w.other, "Noam")
	added, err := w.base.AddFacts(t.Context(), w.user, knowledge.NewFacts{Now: w.now(), Facts: []knowledge.NewFact{
		{Source: knowledge.End{ID: noam.ID}, Relation: "KNOWS", Target: knowledge.End{Name: "Dana"},
			Sentence: "Noam knows Dana"},
	}})
	if err != nil || added.Created != 0 || w.calls("add_triplet") != 0 {
		t.Errorf("%+v %v", added, err)
	}
	w.check(added.Problems[0], model.CodeNotFound)
}

// What is kept of names is each group's own, and bounded.
func TestNamesAreApart(t *testing.T) {
	t.Parallel()
	w := newWorld(t, standin.Options{Token: secretToken})
	w.tell(w.user, "mine", "Dana works at Acme.")
	dana := w.entity(w.user, "Dana")
	w.pass(time.Second)
	nameless := model.KnowledgeRef{UUID: dana.SourceID}.ID(model.KindEntity)
	mine, err := w.base.EntitiesByID(t.Context(), w.user, []model.ID{nameless}, store.EntityRow)
	if err != nil || mine[nameless].Name != "Dana" {
		t.Errorf("%+v %v", mine, err)
	}
	before := len(w.standin.Calls())
	theirs, err := w.base.EntitiesByID(t.Context(), w.other, []model.ID{nameless}, store.EntityRow)
	if err != nil || len(theirs) != 0 || len(w.standin.Calls()) != before {
		t.Errorf("%+v %v", theirs, err)
	}
}
