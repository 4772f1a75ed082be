package graphiti_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"almanac/adapters/knowledge"
	"almanac/adapters/store"
	"almanac/graph/model"
	standin "almanac/internal/standin/graphiti"
)

// servers are the tool sets that everything is held to.
var servers = map[string]standin.Options{
	"today": {Token: secretToken}, "today as JSON": {Token: secretToken, PlainJSON: true},
	"before 1.0.0": {Token: secretToken, Old: true},
}

func onServers(t *testing.T, test func(t *testing.T, options standin.Options)) {
	t.Parallel()
	for name, options := range servers {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test(t, options)
		})
	}
}

// What is told is found, with names at both ends, by all sets of tools.
func TestTellAndFind(t *testing.T) {
	onServers(t, func(t *testing.T, options standin.Options) {
		w := newWorld(t, options)
		w.tell(w.user, "news", "Dana works at Acme. Dana lives in "+secretText+".")
		answer := w.facts(w.user,
			knowledge.FactAsk{Search: knowledge.Search{Text: "where does Dana work"}, Where: holding(w.now())})
		if got := said(answer.Hits); !strings.Contains(got, "Dana WORKS_AT Acme") ||
			!strings.Contains(got, "Dana LIVES_IN "+secretText) || answer.HasNext {
			t.Errorf("%s", got)
		}
		for _, hit := range answer.Hits {
			f := hit.Item
			if f.ID.Kind != model.KindFact || f.SourceID == "" || f.Sentence == "" || f.CreatedAt.IsZero() ||
				len(f.Episodes) != 1 || hit.Found != nil || hit.Place == nil {
				t.Errorf("%+v", f)
			}
			if f.Source.Type != "Person" || f.Source.CreatedAt.IsZero() || f.Source.ID.Kind != model.KindEntity {
				t.Errorf("source %+v", f.Source)
			}
		}
		dana := w.entity(w.user, "Dana")
		if dana.Type != "Person" || !strings.Contains(dana.Summary, "Acme") || dana.Version != 1 ||
			!dana.UpdatedAt.Equal(dana.CreatedAt) {
			t.Errorf("%+v", dana)
		}
		there, err := w.base.EntitiesByID(t.Context(), w.user, []model.ID{dana.ID}, store.EntityRow)
		if err != nil || there[dana.ID].Name != "Dana" {
			t.Errorf("%+v %v", there, err)
		}
		fact := answer.Hits[0].Item
		facts, err := w.base.FactsByID(t.Context(), w.user, []model.ID{fact.ID}, wantAll)
		if err != nil || facts[fact.ID].Sentence != fact.Sentence || facts[fact.ID].Source.Name != "Dana" {
			t.Errorf("%+v %v", facts, err)
		}
		episodes, err := w.base.FindEpisodes(t.Context(), w.user,
			knowledge.EpisodeAsk{Page: knowledge.Page{First: 10}, Total: true})
		if err != nil || len(episodes.Hits) != 1 || episodes.Total == nil || *episodes.Total != 1 {
			t.Fatalf("%+v %v", episodes, err)
		}
		episode := episodes.Hits[0].Item
		if episode.ID != fact.Episodes[0] || episode.State != model.EpisodeExtracted || episode.SourceDescription != "test" ||
			!strings.HasPrefix(episode.Content, "Dana works") {
			t.Errorf("%+v", episode)
		}
		byID, err := w.base.EpisodesByID(t.Context(), w.user, []model.ID{episode.ID}, store.EpisodeRow)
		if err != nil || byID[episode.ID].Name != "news" {
			t.Errorf("%+v %v", byID, err)
		}
	})
}

func holding(at time.Time) store.FactWhere {
	return store.FactWhere{Time: store.FactsHolding, At: at}
}

// The older server has no tool for lists of what is known, and says so; today's lists by way of the episodes.
func TestListing(t *testing.T) {
	onServers(t, func(t *testing.T, options standin.Options) {
		w := newWorld(t, options)
		w.tell(w.user, "one", "Dana works at Acme.")
		w.pass(time.Minute)
		w.tell(w.user, "two", "Noam knows Dana. Noam lives in חיפה.")
		if options.Old {
			_, err := w.base.FindFacts(t.Context(), w.user, knowledge.FactAsk{Page: knowledge.Page{First: 10}})
			w.check(err, model.CodeNotConfigured)
			return
		}
		answer := w.entities(w.user, knowledge.EntityAsk{})
		if got := namesOf(answer.Hits); got != "Acme, Dana, Noam, חיפה" {
			t.Errorf("%s", got)
		}
		first := w.entities(w.user, knowledge.EntityAsk{Page: knowledge.Page{First: 3}})
		rest := w.entities(w.user, knowledge.EntityAsk{Page: knowledge.Page{First: 3, After: first.Hits[2].Place}})
		if !first.HasNext || rest.HasNext || namesOf(first.Hits) != "Acme, Dana, Noam" || namesOf(rest.Hits) != "חיפה" {
			t.Errorf("%s and %s", namesOf(first.Hits), namesOf(rest.Hits))
		}
		facts := w.facts(w.user, knowledge.FactAsk{})
		if len(facts.Hits) != 3 || facts.Hits[2].Item.Relation != "WORKS_AT" {
			t.Errorf("%s", said(facts.Hits))
		}
		page := w.facts(w.user, knowledge.FactAsk{Page: knowledge.Page{First: 2}})
		next := w.facts(w.user, knowledge.FactAsk{Page: knowledge.Page{First: 2, After: page.Hits[1].Place}})
		if got := said(slices.Concat(page.Hits, next.Hits)); got != said(facts.Hits) || !page.HasNext || next.HasNext {
			t.Errorf("%s, want %s", got, said(facts.Hits))
		}
		named := w.entities(w.user, knowledge.EntityAsk{Where: store.EntityWhere{Name: "dana"}})
		if got := namesOf(named.Hits); got != "Dana" {
			t.Errorf("by name: %s", got)
		}
		people := w.entities(w.user, knowledge.EntityAsk{Search: knowledge.Search{Text: "Dana Noam Acme"},
			Where: store.EntityWhere{Types: []string{"person"}}})
		if len(people.Hits) != 2 {
			t.Errorf("people: %s", namesOf(people.Hits))
		}
	})
}

// Names of many facts cost one call for their episodes, and then none: never one for each.
func TestNamesAreJoinedAtOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t, standin.Options{Token: secretToken})
	for i := range 12 {
		w.tell(w.user, fmt.Sprint("n", i), fmt.Sprintf("Person%d works at Acme.", i))
	}
	ask := knowledge.FactAsk{Search: knowledge.Search{Text: "works at Acme"},
		Want: store.FactWant{Fact: store.FactRow, Ends: store.EntityName | store.EntityType}}
	if got := w.facts(w.user, ask); len(got.Hits) != 12 ||
		got.Hits[3].Item.Source.Name == got.Hits[3].Item.Source.SourceID {
		t.Errorf("%s", said(got.Hits))
	}
	if w.calls("get_episode_entities") != 1 || w.calls("search_nodes") != 0 {
		t.Errorf("%d and %d calls for names", w.calls("get_episode_entities"), w.calls("search_nodes"))
	}
	w.facts(w.user, ask)
	if w.calls("get_episode_entities") != 1 || w.calls("search_memory_facts") != 2 {
		t.Errorf("names that are known were asked for: %d calls", w.calls("get_episode_entities"))
	}
	w.pass(time.Hour)
	w.facts(w.user, ask)
	if w.calls("get_episode_entities") != 2 {
		t.Error("names are believed for too long")
	}
}

// What was added without an episode gets its names by searching around.
func TestNamesOfFactsWithoutEpisodes(t *testing.T) {
	t.Parallel()
	w := newWorld(t, standin.Options{Token: secretToken})
	added, err := w.base.AddFacts(t.Context(), w.user, knowledge.NewFacts{Now: w.now(), Facts: []knowledge.NewFact{
		{Source: knowledge.End{Name: "Dana"}, Relation: "WORKS_AT", Target: knowledge.End{Name: "Acme"},
			Sentence: "Dana works at Acme"},
	}})
	if err != nil || added.Created != 1 || added.EntitiesMade != 2 {
		t.Fatalf("%+v %v", added, err)
	}
	w.pass(time.Hour) // so that what is known of names is not believed any more
	if got := said(w.facts(w.user,
		knowledge.FactAsk{Search: knowledge.Search{Text: "Dana"}}).Hits); got != "Dana WORKS_AT Acme" {
		t.Errorf("%s", got)
	}
	if w.calls("search_nodes") != 1 || w.calls("get_episode_entities") != 0 {
		t.Errorf("%d searches", w.calls("search_nodes"))
	}
}

// A contradicted fact is suppressed, held at its time, and found when everything is asked for.
func TestTime(t *testing.T) {
	onServers(t, func(t *testing.T, options standin.Options) {
		w := newWorld(t, options)
		w.tell(w.user, "old", "Dana works at Acme.")
		w.pass(48 * time.Hour)
		w.tell(w.user, "new", "Dana works at Globex.")
		text := knowledge.Search{Text: "Dana works"}
		now := w.facts(w.user, knowledge.FactAsk{Search: text, Where: holding(w.now()), Suppressed: true})
		if said(now.Hits) != "Dana WORKS_AT Globex" || now.Suppressed != 1 {
			t.Errorf("now: %s, %d suppressed", said(now.Hits), now.Suppressed)
		}
		all := w.facts(w.user, knowledge.FactAsk{Search: text})
		if len(all.Hits) != 2 {
			t.Errorf("all: %s", said(all.Hits))
		}
		past := w.facts(w.user,
			knowledge.FactAsk{Search: text, Where: store.FactWhere{Time: store.FactsNotHolding, At: w.now()}})
		if said(past.Hits) != "Dana WORKS_AT Acme" || past.Hits[0].Item.ExpiredAt.IsZero() ||
			past.Hits[0].Item.InvalidAt.IsZero() {
			t.Errorf("past: %+v", past.Hits)
		}
		if options.Old {
			return // it does not take the time of what it is told
		}
		then := w.facts(w.user, knowledge.FactAsk{Search: text, Where: holding(w.now().Add(-50 * time.Hour))})
		if said(then.Hits) != "Dana WORKS_AT Acme" {
			t.Errorf("then: %s", said(then.Hits))
		}
		since := w.facts(w.user,
			knowledge.FactAsk{Search: text, Where: store.FactWhere{ValidFrom: w.now().Add(-25 * time.Hour)}})
		if said(since.Hits) != "Dana WORKS_AT Globex" {
			t.Errorf("since: %s", said(since.Hits))
		}
	})
}

// Filters that the server does not know are applied to what it finds.
func TestFactFilters(t *testing.T) {
	onServers(t, func(t *testing.T, options standin.Options) {
		w := newWorld(t, options)
		w.tell(w.user, "all", "Dana works at Acme. Dana knows Noam. Noam works at Acme. Noam knows Tal. Tal lives in Rome.")
		dana, noam := w.entity(w.user, "Dana"), w.entity(w.user, "Noam")
		for name, c := range map[string]struct {
			ask  knowledge.FactAsk
			want string
		}{
			"entity":  {knowledge.FactAsk{Entity: dana.ID}, "Dana KNOWS Noam; Dana WORKS_AT Acme"},
			"between": {knowledge.FactAsk{Between: []model.ID{noam.ID, dana.ID}}, "Dana KNOWS Noam"},
			"entity and word": {knowledge.FactAsk{Search: knowledge.Search{Text: "Acme"}, Entity: noam.ID},
				"Noam WORKS_AT Acme"},
			"relation": {knowledge.FactAsk{Search: knowledge.Search{Text: "Noam"},
				Where: store.FactWhere{Relations: []string{"KNOWS"}}},
				"Dana KNOWS Noam; Noam KNOWS Tal"},
			"created": {knowledge.FactAsk{Search: knowledge.Search{Text: "Noam"},
				Where: store.FactWhere{CreatedTo: w.now().Add(-time.Hour)}}, ""},
			"own id":   {knowledge.FactAsk{Entity: model.ID{Kind: model.KindEntity, UUID: model.UUID{1}}}, ""},
			"one end":  {knowledge.FactAsk{Between: []model.ID{dana.ID, dana.ID}}, ""},
			"nameless": {knowledge.FactAsk{Entity: model.KnowledgeRef{UUID: "nobody-knows"}.ID(model.KindEntity)}, ""},
		} {
			got := strings.Split(said(w.facts(w.user, c.ask).Hits), "; ")
			slices.Sort(got)
			if text := strings.Join(got, "; "); text != c.want {
				t.Errorf("%s: %s, want %s", name, text, c.want)
			}
		}
		around, more, err := w.base.FactsAround(t.Context(), w.user,
			knowledge.Around{Entities: []model.ID{dana.ID, noam.ID}, PerEntity: 2, Limit: 10, Want: wantAll})
		if err != nil || !more || len(around) < 2 || len(around) > 4 {
			t.Errorf("%d facts, more %v, %v", len(around), more, err)
		}
		around, more, err = w.base.FactsAround(t.Context(), w.user,
			knowledge.Around{Entities: []model.ID{dana.ID, noam.ID}, PerEntity: 9, Limit: 10, Want: wantAll})
		if err != nil || more || len(around) != 4 {
			t.Errorf("%d facts, more %v, %v", len(around), more, err)
		}
	})
}

// A search is paged by asking for more, without a gap and without a double.
func TestPagesOfASearch(t *testing.T) {
	t.Parallel()
	w := newWorld(t, standin.Options{Token: secretToken})
	for i := range 25 {
		w.tell(w.user, fmt.Sprint("e", i), fmt.Sprintf("Person%d likes Tea.", i))
		w.pass(time.Second)
	}
	var seen []string
	ask := knowledge.FactAsk{Search: knowledge.Search{Text: "Tea"}, Where: holding(w.now()),
		Page: knowledge.Page{First: 10}, Want: wantAll}
	for range 4 {
		answer := w.facts(w.user, ask)
		for _, hit := range answer.Hits {
			seen = append(seen, hit.Item.SourceID)
		}
		if !answer.HasNext {
			break
		}
		ask.Page.After = answer.Hits[len(answer.Hits)-1].Place
	}
	slices.Sort(seen)
	if len(seen) != 25 || len(slices.Compact(seen)) != 25 {
		t.Errorf("%d facts", len(seen))
	}
	_, err := w.base.FindFacts(t.Context(), w.user, knowledge.FactAsk{Page: knowledge.Page{First: 1, After: []byte("x")}})
	w.check(err, model.CodeBadUserInput)
	if got := w.entities(w.user, knowledge.EntityAsk{Search: knowledge.Search{Text: "Tea likes"}}); len(
		got.Hits) != standin.MostNodes || got.HasNext {
		t.Errorf("%d entities, which is more than the server gives", len(got.Hits))
	}
}

// What was read from an episode is told where the server tells it.
func TestContents(t *testing.T) {
	onServers(t, func(t *testing.T, options standin.Options) {
		w := newWorld(t, options)
		w.tell(w.user, "all", "Dana works at Acme. Dana knows Noam.")
		w.tell(w.user, "empty", "Nothing of interest.")
		w.tell(w.other, "theirs", "Tal works at Globex.")
		episodes := func(user model.UserID) map[string]model.ID {
			answer, err := w.base.FindEpisodes(t.Context(), user, knowledge.EpisodeAsk{Page: knowledge.Page{First: 10}})
			if err != nil {
				t.Fatal(err)
			}
			ids := map[string]model.ID{}
			for _, hit := range answer.Hits {
				ids[hit.Item.Name] = hit.Item.ID
			}
			return ids
		}
		contents, err := w.base.Contents(t.Context(), w.user, episodes(w.user)["all"], 10, store.EntityRow, wantAll)
		if options.Old {
			if contents != nil || err != nil {
				t.Errorf("%+v %v", contents, err)
			}
		} else if err != nil || len(contents.Entities) != 3 || contents.Entities[0].Name != "Acme" ||
			len(contents.Facts) != 2 || contents.Facts[0].Source.Name != "Dana" ||
			contents.Facts[0].Episodes[0] != episodes(w.user)["all"] {
			t.Errorf("%+v %v", contents, err)
		}
		contents, err = w.base.Contents(t.Context(), w.user, episodes(w.user)["empty"], 10, store.EntityRow, wantAll)
		if err != nil || !options.Old && len(contents.Entities)+len(contents.Facts) != 0 {
			t.Errorf("%+v %v", contents, err)
		}
		_, err = w.base.Contents(t.Context(), w.user, episodes(w.other)["theirs"], 10, store.EntityRow, wantAll)
		w.check(err, model.CodeNotFound)
	})
}

// The status is the tool's, or the resource's of the older server; trouble is told, and is no failure.
func TestStatus(t *testing.T) {
	onServers(t, func(t *testing.T, options standin.Options) {
		w := newWorld(t, options)
		status, err := w.base.Status(t.Context(), w.user, w.now())
		if err != nil || !status.Healthy || !strings.Contains(status.Message, "connected") || status.Counts != nil {
			t.Errorf("%+v %v", status, err)
		}
		w.standin.Inject(standin.Fault{Tool: "get_status",
			Unhealthy: "redis://user:" + secretToken + "@10.1.2.3:6379 refused", Times: 1})
		status, err = w.base.Status(t.Context(), w.user, w.now())
		if err != nil || status.Healthy || strings.Contains(status.Message, secretToken) ||
			strings.Contains(status.Message, "10.1.2.3") || !strings.Contains(status.Message, "failed") {
			t.Errorf("%+v %v", status, err)
		}
		w.standin.Inject(standin.Fault{Status: 503})
		status, err = w.base.Status(t.Context(), w.user, w.now())
		if err != nil || status.Healthy || status.Message == "" {
			t.Errorf("%+v %v", status, err)
		}
	})
}
