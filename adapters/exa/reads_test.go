package exa_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"almanac/adapters/exa"
	"almanac/graph/model"
	standin "almanac/internal/standin/exa"
)

var whole = exa.Page{Limit: 200}

// Everything that a full account holds can be read, one by one and in lists, with the same bytes that Exa sent.
func TestReads(t *testing.T) {
	t.Parallel()
	w := newWorld(t, standin.Options{})
	if err := w.standin.Seed(secretKey); err != nil {
		t.Fatal(err)
	}
	w.pass(time.Minute)
	ctx, a := t.Context(), w.account
	raw := func(what, raw string, id string) {
		t.Helper()
		if raw == "" || !w.said(raw) || !strings.Contains(raw, id) || !json.Valid([]byte(raw)) {
			t.Errorf("%s: raw is not what was sent: %.80q", what, raw)
		}
	}

	list, err := a.Websets(ctx, exa.Page{})
	websets := must(t, list, err)
	if len(websets.Items) != 2 || websets.Next != "" {
		t.Fatalf("%d websets, next %q", len(websets.Items), websets.Next)
	}
	var finished model.Webset
	for _, s := range websets.Items {
		raw("webset", s.Raw, s.Ref.ID)
		got, err := a.Webset(ctx, s.Ref.ID)
		if one := must(t, got, err); one.Ref != s.Ref || one.ExternalID != s.ExternalID ||
			len(one.Searches) != len(s.Searches) {
			t.Errorf("one by one it is %+v, in the list %+v", one, s)
		}
		if s.ExternalID == "water-and-food" {
			finished = s
		}
	}
	if finished.Status != "idle" || finished.EntityType != "company" || finished.Title == "" ||
		string(finished.Metadata) != `{"owner":"demo"}` {
		t.Errorf("the finished webset: %+v", finished)
	}
	byName, err := a.Webset(ctx, "water-and-food")
	if must(t, byName, err).Ref != finished.Ref {
		t.Error("by its externalId it is another")
	}

	id := finished.Ref.ID
	search := finished.Searches[0]
	if search.Raw != "" || search.Ref.Within != id || len(search.Criteria) != 3 || search.Progress == nil ||
		search.Progress.Completion != 100 || search.Progress.Found == 0 {
		t.Errorf("its search: %+v", search)
	}
	one, err := a.Search(ctx, id, search.Ref.ID)
	if s := must(t, one, err); s.Query != search.Query || s.Ref != search.Ref {
		t.Errorf("one by one: %+v", s)
	} else {
		raw("search", s.Raw, s.Ref.ID)
	}

	items, err := a.Items(ctx, id, "", whole)
	page := must(t, items, err)
	if len(page.Items) < 20 || page.Next != "" {
		t.Fatalf("%d items", len(page.Items))
	}
	names := map[string]string{}
	for _, e := range finished.Enrichments {
		names[e.Ref.ID] = e.Description
	}
	unjudged := 0
	for _, i := range page.Items {
		raw("item", i.Raw, i.Ref.ID)
		if i.Name == "" || i.Name == model.UnknownWebsetText || i.URL == "" || i.EntityType != "company" ||
			i.Ref.Within != id {
			t.Errorf("an item: %+v", i)
		}
		if len(i.Evaluations) == 0 {
			unjudged++
		}
		for _, e := range i.Enrichments {
			if e.Description == "" || e.Description != names[e.Enrichment] {
				t.Errorf("an enrichment without its description: %+v", e)
			}
		}
		if len(i.Enrichments) != len(finished.Enrichments) {
			t.Errorf("%d enrichments", len(i.Enrichments))
		}
	}
	if unjudged == len(page.Items) {
		t.Error("nothing was judged")
	}
	item := page.Items[0]
	again, err := a.Item(ctx, id, item.Ref.ID)
	if got := must(t, again, err); got.Raw != item.Raw || got.Enrichments[0].Description == "" {
		t.Errorf("one by one: %+v", got)
	}
	only, err := a.Items(ctx, id, search.Ref.ID, whole)
	if n := len(must(t, only, err).Items); n == 0 || n > len(page.Items) {
		t.Errorf("%d items of the search", n)
	}

	enrichment, err := a.Enrichment(ctx, id, finished.Enrichments[0].Ref.ID)
	if e := must(t, enrichment, err); e.Description != finished.Enrichments[0].Description || e.Format == "" {
		t.Errorf("%+v", e)
	} else {
		raw("enrichment", e.Raw, e.Ref.ID)
	}

	monitors, err := a.Monitors(ctx, id, exa.Page{})
	monitor := must(t, monitors, err).Items[0]
	raw("monitor", monitor.Raw, monitor.Ref.ID)
	if monitor.Status != "enabled" || monitor.Webset != id || monitor.NextRunAt.IsZero() || monitor.LastRun == nil ||
		monitor.LastRun.Ref.Within != monitor.Ref.ID {
		t.Errorf("%+v", monitor)
	}
	everywhere, err := a.Monitors(ctx, "", exa.Page{})
	if len(must(t, everywhere, err).Items) != 1 {
		t.Error("the monitors of all websets are others")
	}
	oneMonitor, err := a.Monitor(ctx, monitor.Ref.ID)
	if must(t, oneMonitor, err).Ref != monitor.Ref {
		t.Error("another monitor")
	}
	runs, err := a.Runs(ctx, monitor.Ref.ID, whole)
	run := must(t, runs, err).Items[0]
	raw("run", run.Raw, run.Ref.ID)
	oneRun, err := a.Run(ctx, monitor.Ref.ID, run.Ref.ID)
	if got := must(t, oneRun, err); got.Ref != run.Ref || got.Status != "completed" || got.CompletedAt.IsZero() ||
		got.Type == "" {
		t.Errorf("%+v", got)
	}

	hooks, err := a.Webhooks(ctx, whole)
	hook := must(t, hooks, err).Items[0]
	raw("webhook", hook.Raw, hook.Ref.ID)
	oneHook, err := a.Webhook(ctx, hook.Ref.ID)
	if got := must(t, oneHook, err); got.Secret != "" || hook.Secret != "" || len(got.Events) != 4 || got.URL == "" {
		t.Errorf("%+v", got)
	}
	attempts, err := a.Attempts(ctx, hook.Ref.ID, exa.AttemptFilter{}, whole)
	tries := must(t, attempts, err).Items
	if len(tries) < 2 || tries[0].AttemptedAt.Before(tries[len(tries)-1].AttemptedAt) {
		t.Errorf("%+v", tries)
	}
	yes := true
	good, err := a.Attempts(ctx, hook.Ref.ID, exa.AttemptFilter{Successful: &yes, EventType: tries[0].EventType}, whole)
	for _, try := range must(t, good, err).Items {
		raw("attempt", try.Raw, "attempt")
		if !try.Successful || try.EventType != tries[0].EventType || try.ResponseStatusCode != 200 {
			t.Errorf("%+v", try)
		}
	}

	imports, err := a.Imports(ctx, whole)
	in := must(t, imports, err).Items[0]
	raw("import", in.Raw, in.Ref.ID)
	oneImport, err := a.Import(ctx, in.Ref.ID)
	if got := must(t, oneImport, err); got.Status != "completed" || got.Count == nil || *got.Count != 3 ||
		got.UploadURL != "" {
		t.Errorf("%+v", got)
	}

	events, err := a.Events(ctx, exa.EventFilter{}, whole)
	all := must(t, events, err).Items
	if len(all) < 50 {
		t.Fatalf("%d events", len(all))
	}
	for _, e := range all {
		raw("event", e.Raw, e.Ref.ID)
		if e.Subject.IsZero() || e.CreatedAt.IsZero() ||
			e.Webset == "" && !strings.HasPrefix(e.Type, "import.") && !strings.HasPrefix(e.Type, "monitor.run.") {
			t.Errorf("%+v", e)
		}
		if _, err := model.WebsetRefOf(e.Ref.PublicID()); err != nil {
			t.Errorf("%v", err)
		}
	}
	oneEvent, err := a.Event(ctx, all[0].Ref.ID)
	if must(t, oneEvent, err).Raw != all[0].Raw {
		t.Error("another event")
	}
	some, err := a.Events(ctx, exa.EventFilter{Types: []string{"webset.idle", "import.completed"},
		CreatedAfter: noon.Add(-100 * time.Hour), CreatedBefore: noon}, whole)
	kinds := map[string]int{}
	for _, e := range must(t, some, err).Items {
		kinds[e.Type]++
	}
	if len(kinds) != 2 || kinds["import.completed"] != 1 {
		t.Errorf("%v", kinds)
	}

	researches, err := a.Researches(ctx, exa.Page{Limit: 200})
	research := must(t, researches, err).Items[0]
	raw("research", research.Raw, research.Ref.ID)
	oneResearch, err := a.Research(ctx, research.Ref.ID)
	if got := must(t, oneResearch, err); got.Status != "completed" || !strings.Contains(string(got.Output), `"content"`) ||
		got.Cost == nil || got.Model == "" {
		t.Errorf("%+v", got)
	}
	w.private()
}

// An item that is being filled: not enriched at all, then waiting, then done; and its enrichments are known though they
// are newer than what was read of the webset.
func TestItemsFill(t *testing.T) {
	t.Parallel()
	w := newWorld(t, standin.Options{})
	id := w.finished(10)
	stages := map[string]bool{}
	look := func() {
		list, err := w.account.Items(t.Context(), id, "", whole)
		for _, i := range must(t, list, err).Items {
			switch {
			case i.Enrichments == nil:
				stages["none"] = true
			case i.Enrichments[0].Result == nil:
				stages["waiting"] = true
			default:
				stages["done"] = true
			}
			for _, e := range i.Enrichments {
				if e.Description != "Revenue" {
					t.Errorf("%+v", e)
				}
			}
		}
	}
	look()
	_, err := w.account.CreateEnrichment(t.Context(), id, exa.Enrichment{Description: "Revenue", Format: "number"})
	if err != nil {
		t.Fatal(err)
	}
	for range 60 {
		w.pass(time.Second)
		look()
	}
	if len(stages) != 3 {
		t.Errorf("seen: %v", stages)
	}
}

// Descriptions are read once in a while, not with each page, and not again and again for an enrichment that is gone.
func TestDescriptionsAreCached(t *testing.T) {
	t.Parallel()
	w := newWorld(t, standin.Options{})
	if err := w.standin.Seed(secretKey); err != nil {
		t.Fatal(err)
	}
	asked := func() (reads, descriptions int) {
		for _, r := range w.standin.Requests() {
			if strings.HasSuffix(r.Path, "/items") {
				reads++
			} else if strings.HasSuffix(r.Path, "/websets/water-and-food") {
				descriptions++
			}
		}
		return reads, descriptions
	}
	for range 5 {
		list, err := w.account.Items(t.Context(), "water-and-food", "", exa.Page{Limit: 3})
		must(t, list, err)
	}
	if reads, descriptions := asked(); reads != 5 || descriptions != 1 {
		t.Errorf("%d pages, and the webset %d times", reads, descriptions)
	}
	w.pass(2 * time.Minute)
	list, err := w.account.Items(t.Context(), "water-and-food", "", exa.Page{Limit: 3})
	must(t, list, err)
	if _, descriptions := asked(); descriptions != 2 {
		t.Errorf("the webset %d times", descriptions)
	}
	// A webset that cannot be read leaves descriptions out, and nothing else.
	w.pass(2 * time.Minute)
	w.standin.Inject(standin.Fault{Path: "/websets/v0/websets/*", Status: 500})
	list, err = w.account.Items(t.Context(), "water-and-food", "", exa.Page{Limit: 3})
	if page := must(t, list, err); len(page.Items) != 3 {
		t.Errorf("%d items", len(page.Items))
	}
}

// Values and fields that are newer than this program go through.
func TestTomorrowsAnswers(t *testing.T) {
	t.Parallel()
	values := map[string]string{"webset.status": "dreaming", "evaluations.satisfied": "perhaps",
		"monitor.status": "snoozed", "event.type": "webset.item.admired"}
	w := newWorld(t, standin.Options{UnknownFields: true, UnknownValues: values})
	if err := w.standin.Seed(secretKey); err != nil {
		t.Fatal(err)
	}
	ctx, a := t.Context(), w.account
	websets, err := a.Websets(ctx, whole)
	for _, s := range must(t, websets, err).Items {
		if s.Status != "dreaming" || s.EntityType == "" || !w.said(s.Raw) {
			t.Errorf("%+v", s)
		}
	}
	items, err := a.Items(ctx, "water-and-food", "", whole)
	for _, i := range must(t, items, err).Items {
		if i.Name == model.UnknownWebsetText || i.URL == "" {
			t.Errorf("%+v", i)
		}
		for _, e := range i.Evaluations {
			if e.Satisfied != "perhaps" {
				t.Errorf("%+v", e)
			}
		}
	}
	monitors, err := a.Monitors(ctx, "", whole)
	if m := must(t, monitors, err).Items[0]; m.Status != "snoozed" {
		t.Errorf("%+v", m)
	}
	events, err := a.Events(ctx, exa.EventFilter{}, whole)
	for _, e := range must(t, events, err).Items {
		if e.Type != "webset.item.admired" || e.Subject.IsZero() {
			t.Errorf("%+v", e)
		}
	}
}

// The web is searched and read.
func TestWeb(t *testing.T) {
	t.Parallel()
	w := newWorld(t, standin.Options{})
	ctx, a := t.Context(), w.account
	found, err := a.SearchWeb(ctx, exa.WebSearch{Query: "water " + secretText, Type: "auto", Count: 5, MaxCharacters: 300})
	pages := must(t, found, err)
	if len(pages) != 5 {
		t.Fatalf("%d pages", len(pages))
	}
	for _, p := range pages {
		if p.URL == "" || p.Title == "" || p.Text == "" || len([]rune(p.Text)) > 300 {
			t.Errorf("%+v", p)
		}
	}
	similar, err := a.FindSimilar(ctx, exa.WebSearch{Query: pages[0].URL, Count: 3})
	if len(must(t, similar, err)) != 3 {
		t.Errorf("%+v", similar)
	}
	urls := []string{pages[1].URL, "https://nowhere.invalid/" + secretText, pages[0].URL}
	contents, err := a.Contents(ctx, urls, 200)
	read := must(t, contents, err)
	if len(read) != 3 || read[0].URL != pages[1].URL || read[0].Problem != "" || read[1].URL != urls[1] ||
		read[1].Problem == "" || read[2].URL != pages[0].URL {
		t.Errorf("%+v", read)
	}
	answer, err := a.Answer(ctx, "Who saves water?")
	if got := must(t, answer, err); got.Answer == "" || len(got.Citations) == 0 || got.Citations[0].URL == "" {
		t.Errorf("%+v", got)
	}
	if _, err := a.Contents(ctx, make([]string, 101), 0); model.CodeOf(err) != model.CodeBadUserInput {
		t.Errorf("101 pages: %v", err)
	}
	if none, err := a.Contents(ctx, nil, 0); err != nil || none != nil {
		t.Errorf("no pages: %v, %v", none, err)
	}
	w.private()
}

// What can be no id is not asked for, and paths keep what they name in one part.
func TestIDsInPaths(t *testing.T) {
	t.Parallel()
	w := newWorld(t, standin.Options{})
	ctx, a := t.Context(), w.account
	for _, id := range []string{"", ".", "..", "../webhooks", "a\nb", "a\x00", strings.Repeat("x", 401), "\xff",
		"\u202e"} {
		_, err := a.Webset(ctx, id)
		w.check(err, model.CodeNotFound)
		_, err = a.Item(ctx, "ws", id)
		w.check(err, model.CodeNotFound)
		_, err = a.Monitor(ctx, id)
		w.check(err, model.CodeNotFound)
		_, err = a.Run(ctx, "m", id)
		w.check(err, model.CodeNotFound)
		_, err = a.Event(ctx, id)
		w.check(err, model.CodeNotFound)
		_, err = a.Research(ctx, id)
		w.check(err, model.CodeNotFound)
	}
	if n := len(w.standin.Requests()); n != 0 {
		t.Fatalf("%d requests", n)
	}
	for _, name := range []string{"a/b", "x?y=z#q", "שלום עולם", "50%", "a/../webhooks", "+ +"} {
		made, err := a.CreateWebset(ctx, exa.NewWebset{ExternalID: name})
		webset := must(t, made, err)
		got, err := a.Webset(ctx, name)
		if found := must(t, got, err); found.Ref != webset.Ref || found.ExternalID != name {
			t.Errorf("%q names %+v", name, found)
		}
	}
}
