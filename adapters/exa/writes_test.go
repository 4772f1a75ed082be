package exa_test

import (
	"strings"
	"testing"
	"time"

	"almanac/adapters/exa"
	"almanac/graph/model"
	standin "almanac/internal/standin/exa"
)

func ptr[T any](value T) *T { return &value }

// A webset lives: it is made with everything that it can have, changed, cancelled and deleted.
func TestWebsetLives(t *testing.T) {
	t.Parallel()
	w := newWorld(t, standin.Options{NeedBehavior: true})
	ctx, a := t.Context(), w.account
	made, err := a.CreateWebset(ctx, exa.NewWebset{
		Search: &exa.Search{
			Query: "סטארט־אפים בישראל", Count: 12, Entity: &exa.Entity{Type: "company"},
			Criteria: []string{"חוסכים מים", "In Israel"}, Behavior: "append", Recall: true,
		},
		Enrichments: []exa.Enrichment{{Description: "Stage", Format: "options", Options: []string{"Seed", "A"},
			Metadata: `{"k":"v"}`}, {Description: "מייל", Format: "email"}},
		ExternalID: "acme", Metadata: `{"who":"אני"}`,
	})
	webset := must(t, made, err)
	if webset.ExternalID != "acme" || webset.Metadata != `{"who":"אני"}` || webset.EntityType != "company" ||
		len(webset.Enrichments) != 2 ||
		webset.Searches[0].Query != "סטארט־אפים בישראל" || len(webset.Searches[0].Criteria) != 2 ||
		webset.Enrichments[0].Metadata != `{"k":"v"}` || !w.said(webset.Raw) {
		t.Errorf("%+v", webset)
	}
	_, err = a.CreateWebset(ctx, exa.NewWebset{ExternalID: "acme"})
	w.check(err, model.CodeConflict)

	changed, err := a.UpdateWebset(ctx, "acme", `{"b":"2","a":"1"}`)
	if got := must(t, changed, err); got.Metadata != `{"a":"1","b":"2"}` || got.Ref != webset.Ref {
		t.Errorf("%+v", got)
	}
	for _, empty := range []model.JSON{"", "null", "{}"} {
		cleared, err := a.UpdateWebset(ctx, webset.Ref.ID, empty)
		if got := must(t, cleared, err); got.Metadata != "" {
			t.Errorf("%q leaves %q", empty, got.Metadata)
		}
	}
	w.pass(time.Second)
	stopped, err := a.CancelWebset(ctx, webset.Ref.ID)
	if got := must(t, stopped, err); got.Status != "idle" || got.Searches[0].Status != "canceled" {
		t.Errorf("%+v", got)
	}
	gone, err := a.DeleteWebset(ctx, "acme")
	if got := must(t, gone, err); got.Ref != webset.Ref || !w.said(got.Raw) {
		t.Errorf("%+v", got)
	}
	_, err = a.Webset(ctx, webset.Ref.ID)
	w.check(err, model.CodeNotFound)
	_, err = a.DeleteWebset(ctx, webset.Ref.ID)
	w.check(err, model.CodeNotFound)
	for _, metadata := range []model.JSON{`"text"`, `[1]`, `{"almanacOwner":"me"}`, `{"almanacRequest":"x"}`} {
		_, err = a.CreateWebset(ctx, exa.NewWebset{Metadata: metadata})
		w.check(err, model.CodeBadUserInput)
	}
	_, err = a.CreateWebset(ctx, exa.NewWebset{ExternalID: strings.Repeat("é", 301)})
	w.check(err, model.CodeBadUserInput)
}

// Searches and enrichments of a webset that is there.
func TestWithinWebset(t *testing.T) {
	t.Parallel()
	w := newWorld(t, standin.Options{NeedBehavior: true})
	ctx, a := t.Context(), w.account
	id, other := w.finished(8), w.finished(3)
	made, err := a.CreateSearch(ctx, id, exa.Search{
		Query: "Farms", Criteria: []string{"open"}, Metadata: `{"n":"1"}`,
		Exclude: []exa.Source{{Source: "webset", ID: other}},
		Scope:   []exa.Source{{Source: "webset", ID: other, Relationship: "customers of", Limit: 3}},
	})
	search := must(t, made, err)
	if search.Query != "Farms" || search.Metadata != `{"n":"1"}` || search.Ref.Within != id || search.Status != "created" {
		t.Errorf("%+v", search)
	}
	stopped, err := a.CancelSearch(ctx, id, search.Ref.ID)
	if got := must(t, stopped, err); got.Status != "canceled" {
		t.Errorf("%+v", got)
	}

	enriched, err := a.CreateEnrichment(ctx, id, exa.Enrichment{Description: "Founded", Format: "date"})
	enrichment := must(t, enriched, err)
	renamed, err := a.UpdateEnrichment(ctx, id, enrichment.Ref.ID, exa.EnrichmentPatch{Description: ptr("Size"),
		Format: ptr("options"), Options: []string{"S", "L"}, Metadata: ptr(model.JSON(`{"x":"y"}`))})
	if got := must(t, renamed, err); got.Description != "Size" || got.Format != "options" || got.Metadata != `{"x":"y"}` ||
		got.Ref != enrichment.Ref {
		t.Errorf("%+v", got)
	}
	list, err := a.Items(ctx, id, "", whole)
	for _, i := range must(t, list, err).Items {
		for _, e := range i.Enrichments {
			if e.Description != "Size" {
				t.Errorf("an old description: %+v", e)
			}
		}
	}
	cancelled, err := a.CancelEnrichment(ctx, id, enrichment.Ref.ID)
	if got := must(t, cancelled, err); got.Status != "canceled" {
		t.Errorf("%+v", got)
	}
	erased, err := a.DeleteEnrichment(ctx, id, enrichment.Ref.ID)
	if got := must(t, erased, err); got.Ref != enrichment.Ref || got.Description != "Size" {
		t.Errorf("%+v", got)
	}
	_, err = a.Enrichment(ctx, id, enrichment.Ref.ID)
	w.check(err, model.CodeNotFound)

	item := list.Items[0]
	removed, err := a.DeleteItem(ctx, id, item.Ref.ID)
	if got := must(t, removed, err); got.Ref != item.Ref || got.Name != item.Name {
		t.Errorf("%+v", got)
	}
	_, err = a.Item(ctx, id, item.Ref.ID)
	w.check(err, model.CodeNotFound)

	preview, err := a.PreviewWebset(ctx, exa.Search{Query: "Companies in Israel that save water", Count: 4}, true)
	if got := must(t, preview, err); got.EntityType != "company" || len(got.Criteria) == 0 || len(got.Items) != 4 ||
		got.Items[0].Name == "" {
		t.Errorf("%+v", got)
	}
	bare, err := a.PreviewWebset(ctx, exa.Search{Query: "Companies in Israel"}, false)
	if got := must(t, bare, err); got.EntityType != "company" || len(got.Items) != 0 {
		t.Errorf("%+v", got)
	}
}

// Monitors, webhooks and imports.
func TestStandAlone(t *testing.T) {
	t.Parallel()
	w := newWorld(t, standin.Options{})
	ctx, a := t.Context(), w.account
	id := w.finished(3)
	made, err := a.CreateMonitor(ctx, exa.Monitor{
		Webset: id, Cron: "0 9 * * 1", TimeZone: "Asia/Jerusalem",
		Search: &exa.Search{Query: "New farms", Count: 2, Behavior: "append"}, Metadata: `{"m":"1"}`,
	})
	monitor := must(t, made, err)
	if monitor.Status != "enabled" || monitor.Metadata != `{"m":"1"}` || monitor.Webset != id ||
		monitor.NextRunAt.UTC().Hour() != 7 {
		t.Errorf("%+v", monitor)
	}
	plain, err := a.CreateMonitor(ctx, exa.Monitor{Webset: id, Cron: "0 9 * * *"})
	must(t, plain, err)
	changed, err := a.UpdateMonitor(ctx, monitor.Ref.ID, exa.MonitorPatch{Status: ptr("disabled"), Cron: ptr("30 6 * * *"),
		TimeZone: ptr("Etc/UTC"), Search: &exa.Search{Count: 5}, Metadata: ptr(model.JSON(""))})
	if got := must(t, changed, err); got.Status != "disabled" || got.Metadata != "" {
		t.Errorf("%+v", got)
	}
	gone, err := a.DeleteMonitor(ctx, monitor.Ref.ID)
	if got := must(t, gone, err); got.Ref != monitor.Ref {
		t.Errorf("%+v", got)
	}
	_, err = a.Monitor(ctx, monitor.Ref.ID)
	w.check(err, model.CodeNotFound)

	hooked, err := a.CreateWebhook(ctx, exa.Webhook{URL: "https://hooks.example/" + secretText,
		Events: []string{"webset.idle"}, Metadata: `{"h":"1"}`})
	hook := must(t, hooked, err)
	if hook.Secret == "" || hook.Status != "active" || hook.Metadata != `{"h":"1"}` {
		t.Errorf("%+v", hook)
	}
	moved, err := a.UpdateWebhook(ctx, hook.Ref.ID, exa.WebhookPatch{URL: ptr("https://hooks.example/b"),
		Events: []string{"webset.created", "webset.idle"}, Metadata: ptr(model.JSON(`{"h":"2"}`))})
	if got := must(t, moved, err); got.URL != "https://hooks.example/b" || len(got.Events) != 2 ||
		got.Metadata != `{"h":"2"}` || got.Secret != "" {
		t.Errorf("%+v", got)
	}
	unhooked, err := a.DeleteWebhook(ctx, hook.Ref.ID)
	if got := must(t, unhooked, err); got.Ref != hook.Ref || got.Secret != "" {
		t.Errorf("%+v", got)
	}

	const file = "name,site\nAleph,https://aleph.example\n" + secretText + ",https://z.example\n"
	brought, err := a.CreateImport(ctx, exa.Import{Size: len(file), Count: 2, Entity: exa.Entity{Type: "company"},
		Title: "Two", Identifier: ptr(1), Metadata: `{"i":"1"}`})
	in := must(t, brought, err)
	if in.UploadURL == "" || !in.UploadValidUntil.After(noon) || in.Status != "pending" || in.Title != "Two" ||
		in.Metadata != `{"i":"1"}` {
		t.Errorf("%+v", in)
	}
	if err := a.Upload(ctx, exa.Upload{URL: in.UploadURL, Body: strings.NewReader(file), Size: len(file)}); err != nil {
		t.Fatal(err)
	}
	w.pass(time.Minute)
	read, err := a.Import(ctx, in.Ref.ID)
	if got := must(t, read, err); got.Status != "completed" || *got.Count != 2 {
		t.Errorf("%+v", got)
	}
	titled, err := a.UpdateImport(ctx, in.Ref.ID, exa.ImportPatch{Title: ptr("שתיים"), Metadata: ptr(model.JSON("null"))})
	if got := must(t, titled, err); got.Title != "שתיים" || got.Metadata != "" {
		t.Errorf("%+v", got)
	}
	dropped, err := a.DeleteImport(ctx, in.Ref.ID)
	if got := must(t, dropped, err); got.Ref != in.Ref {
		t.Errorf("%+v", got)
	}
	_, err = a.Import(ctx, in.Ref.ID)
	w.check(err, model.CodeNotFound)

	asked, err := a.CreateResearch(ctx, exa.Question{Instructions: "Who saves water?", Model: "exa-research",
		OutputSchema: `{"type":"object","properties":{}}`})
	research := must(t, asked, err)
	if research.Status == "" || research.Output != "" {
		t.Errorf("%+v", research)
	}
	w.pass(time.Hour)
	done, err := a.Research(ctx, research.Ref.ID)
	if got := must(t, done, err); got.Status != "completed" || got.Output == "" || got.Cost == nil {
		t.Errorf("%+v", got)
	}
	w.private()
}

// What Exa refuses comes back with its words, without our own.
func TestRefusals(t *testing.T) {
	t.Parallel()
	w := newWorld(t, standin.Options{ResearchRetired: true})
	ctx, a := t.Context(), w.account
	_, err := a.CreateResearch(ctx, exa.Question{Instructions: "x"})
	if shown := w.check(err, model.CodeUpstreamRejected); shown.Reason != "RESEARCH_RETIRED" {
		t.Errorf("%+v", shown)
	}
	_, err = a.CreateMonitor(ctx, exa.Monitor{Webset: w.finished(1), Cron: "* * * * *"})
	if shown := w.check(err, model.CodeUpstreamRejected); shown.Reason == "" || !strings.Contains(shown.Message, "cron") {
		t.Errorf("%+v", shown)
	}
	_, err = a.CreateEnrichment(ctx, "nowhere", exa.Enrichment{Description: "x"})
	w.check(err, model.CodeNotFound)
	if _, err := a.Websets(ctx, exa.Page{After: strings.Repeat("x", 5000)}); model.CodeOf(err) != model.CodeBadUserInput {
		t.Error(err)
	}
	_, err = a.Websets(ctx, exa.Page{After: "nonsense"})
	w.check(err, model.CodeUpstreamRejected)
}
