package exa_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"reflect"
	"strings"
	"testing"
	"time"

	"almanac/adapters/exa"
	"almanac/adapters/remote"
	"almanac/graph/model"
)

// told is an account whose remote answers everything with one body.
func told(body string) *exa.Account {
	return &exa.Account{Key: secretKey,
		Client: &exa.Client{Limits: exa.Limits{Limits: remote.Limits{Attempts: 1}, Websets: 1e6},
			Base: transport(func(*http.Request) (*http.Response, error) {
				return respond(200, body), nil
			})}}
}

// Names come from the first source that has one; types and texts that are missing are said to be unknown, or are empty.
func TestItemNames(t *testing.T) {
	t.Parallel()
	for properties, want := range map[string][4]string{
		`{"type":"company","url":"u","description":"d","company":{"name":"C"},"person":{"name":"P"}}`: {"C", "u",
			"company", "d"},
		`{"type":"person","person":{"name":"P"},"article":{"title":"A"}}`: {"P", "",
			"person", ""},
		`{"type":"article","article":{"title":"A"},"researchPaper":{"title":"R"}}`: {"A", "",
			"article", ""},
		`{"type":"research_paper","article":{"title":null},"researchPaper":{"title":"R"},"custom":{"title":"X"}}`: {"R", "",
			"research_paper", ""},
		`{"type":"custom","custom":{"title":"X"},"description":"d"}`: {"X", "",
			"custom", "d"},
		`{"type":"custom","custom":{"title":null},"description":"תיאור"}`: {"תיאור",
			"", "custom", "תיאור"},
		`{}`:     {"unknown", "", "unknown", ""},
		`null`:   {"unknown", "", "unknown", ""},
		`"text"`: {"unknown", "", "unknown", ""},
		`{"type":7,"url":[],"description":{},"company":"C"}`:  {"unknown", "", "unknown", ""},
		`{"company":{"name":5},"person":{"name":"P"}}`:        {"P", "", "unknown", ""},
		`{"type":"gadget","url":"u","gadget":{"name":"new"}}`: {"unknown", "u", "gadget", ""},
	} {
		body := `{"data":[{"id":"i","properties":` + properties + `}],"hasMore":false}`
		list, err := told(body).Items(t.Context(), "ws", "", exa.Page{})
		items := must(t, list, err).Items
		if len(items) != 1 {
			t.Fatalf("%s: %d items", properties, len(items))
		}
		i := items[0]
		if got := [4]string{i.Name, i.URL, i.EntityType, i.Description}; got != want {
			t.Errorf("%s: %q, want %q", properties, got, want)
		}
		if i.Raw != `{"id":"i","properties":`+properties+`}` || i.Evaluations != nil || i.Enrichments != nil ||
			i.Ref.Within != "ws" {
			t.Errorf("%+v", i)
		}
	}
	list, err := told(
		`{"data":[{"properties":{"type":"company"}},"text",7,null,{"id":""},{"id":"\u0000"},{"id":"ok"}]}`).Items(t.Context(),
		"ws", "", exa.Page{})
	if got := must(t, list, err).Items; len(got) != 1 || got[0].Ref.ID != "ok" {
		t.Errorf("%+v", got)
	}
}

// Fields of the wrong type cost themselves and nothing else.
func TestTolerance(t *testing.T) {
	t.Parallel()
	raw := ` {"id":"ws","status":["odd"],"title":null,"externalId":9,"metadata":["no"],
		"searches":[{"id":"s","query":"q","progress":{"found":"3","analyzed":4.0,"completion":50.5,"timeLeft":null},"criteria":[{"description":"c","successRate":"x"},7],"entity":null},"text",{"id":null}],
		"enrichments":{"not":"a list"},"monitors":[{"id":"m","nextRunAt":"soon","lastRun":{"id":"r","completedAt":1795348800000}}],"imports":[{"id":"i","count":null},{"id":"j","count":1e300}],
		"createdAt":"2026-11-22T12:00:00Z"} `
	got, err := told(raw).Webset(t.Context(), "ws")
	webset := must(t, got, err)
	if webset.Raw != raw {
		t.Error("raw is not what was sent")
	}
	webset.Raw = ""
	want := model.Webset{
		Ref: model.WebsetRef{Kind: model.KindWebset, ID: "ws"},
		Searches: []model.WebsetSearch{{
			Ref: model.WebsetRef{Kind: model.KindWebsetSearch, Within: "ws", ID: "s"}, Query: "q",
			Progress: &model.WebsetProgress{Analyzed: 4, Completion: 50.5},
			Criteria: []model.WebsetCriterion{{Description: "c"}, {}},
		}},
		Monitors: []model.WebsetMonitor{{
			Ref: model.WebsetRef{Kind: model.KindMonitor, ID: "m"}, Webset: "ws",
			LastRun: &model.WebsetMonitorRun{Ref: model.WebsetRef{Kind: model.KindMonitorRun, Within: "m", ID: "r"},
				CompletedAt: time.UnixMilli(1795348800000).UTC()},
		}},
		Imports: []model.WebsetImport{
			{Ref: model.WebsetRef{Kind: model.KindWebsetImport, ID: "i"}},
			{Ref: model.WebsetRef{Kind: model.KindWebsetImport, ID: "j"}, Count: ptr(0)},
		},
	}
	if !reflect.DeepEqual(webset, want) {
		t.Errorf("%+v\nwant %+v", webset, want)
	}
	for _, body := range []string{``, `null`, `[]`, `7`, `{"id":`, `{"id":7}`, `{}`, `{"id":"a"} x`,
		strings.Repeat(`{"a":`, 20000)} {
		if _, err := told(body).Webset(t.Context(), "ws"); model.CodeOf(err) != model.CodeUpstreamUnavailable {
			t.Errorf("%.20q: %v", body, err)
		}
		if body == `{"id":7}` || body == `{}` {
			continue
		}
	}
	for _, body := range []string{`{}`, `{"data":null}x`, `{"data"`, `[]`, `<html>`} {
		if list, err := told(body).Websets(t.Context(), exa.Page{}); model.CodeOf(err) != model.CodeUpstreamUnavailable {
			t.Errorf("%q: %+v, %v", body, list, err)
		}
	}
}

// A list that leads to itself ends, and so does one that says so.
func TestPlaces(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]string{
		`{"data":[],"hasMore":true,"nextCursor":"b"}`:                                 "b",
		`{"data":[],"hasMore":false,"nextCursor":"b"}`:                                "",
		`{"data":[],"nextCursor":"b"}`:                                                "b",
		`{"data":[],"hasMore":true,"nextCursor":null}`:                                "",
		`{"data":[],"hasMore":true,"nextCursor":"a"}`:                                 "",
		`{"data":[],"hasMore":true}`:                                                  "",
		`{"data":[],"hasMore":true,"nextCursor":"` + strings.Repeat("x", 5000) + `"}`: "",
	} {
		list, err := told(body).Events(t.Context(), exa.EventFilter{}, exa.Page{After: "a"})
		if got := must(t, list, err).Next; got != want {
			t.Errorf("%.60s: next %q, want %q", body, got, want)
		}
	}
}

// Lists never ask for more than the remote gives, and say what they are asked to.
func TestListQueries(t *testing.T) {
	t.Parallel()
	var asked string
	a := &exa.Account{Key: secretKey, Client: &exa.Client{Limits: exa.Limits{Websets: 1e6},
		Base: transport(func(r *http.Request) (*http.Response, error) {
			asked = r.URL.Path + "?" + r.URL.RawQuery
			return respond(200, emptyList), nil
		})}}
	page := exa.Page{Limit: 1000, After: "c&d"}
	no := false
	for want, ask := range map[string]func() error{
		"/websets/v0/websets?cursor=c%26d&limit=100": func() error {
			_,
				err := a.Websets(t.Context(), page)
			return err
		},
		"/websets/v0/websets/w/items?cursor=c%26d&limit=50&sourceId=s%26t": func() error {
			_,
				err := a.Items(t.Context(), "w", "s&t", page)
			return err
		},
		"/websets/v0/monitors?cursor=c%26d&limit=200&websetId=w": func() error {
			_,
				err := a.Monitors(t.Context(), "w", page)
			return err
		},
		"/websets/v0/monitors/m/runs?cursor=c%26d&limit=200": func() error {
			_,
				err := a.Runs(t.Context(), "m", page)
			return err
		},
		"/websets/v0/webhooks?cursor=c%26d&limit=200": func() error {
			_,
				err := a.Webhooks(t.Context(), page)
			return err
		},
		"/websets/v0/imports?": func() error {
			_,
				err := a.Imports(t.Context(), exa.Page{})
			return err
		},
		"/research/v1?cursor=c%26d&limit=50": func() error {
			_,
				err := a.Researches(t.Context(), page)
			return err
		},
		"/websets/v0/webhooks/h/attempts?eventType=webset.idle&limit=1&successful=false": func() error {
			_, err := a.Attempts(t.Context(), "h", exa.AttemptFilter{EventType: "webset.idle", Successful: &no},
				exa.Page{Limit: 1})
			return err
		},
		"/websets/v0/events?createdAfter=2026-11-22T10%3A00%3A00.123Z&createdBefore=2026-11-22T12%3A00%3A00.000Z&" +
			"types=webset.idle&types=webset.created": func() error {
			after := time.Date(2026, 11, 22, 12, 0, 0, 123_456_000, time.FixedZone("", 2*60*60))
			_, err := a.Events(t.Context(), exa.EventFilter{Types: []string{"webset.idle", "webset.created"},
				CreatedAfter: after, CreatedBefore: noon}, exa.Page{})
			return err
		},
	} {
		if err := ask(); err != nil || asked != want {
			t.Errorf("%s, %v; want %s", asked, err, want)
		}
	}
}

// Research: both names of its id, its output when it is done, its cost when it is told.
func TestResearchShapes(t *testing.T) {
	t.Parallel()
	cost := 0.25
	for body, want := range map[string]model.Research{
		`{"researchId":"r","status":"running","model":"exa-research","output":{"content":"half"}}`: {Status: "running",
			Model: "exa-research"},
		`{"id":"r","status":"completed","output":{"parsed":{"b":1,"a":2},"content":"<c>"},"costDollars":{"total":0.25}}`: {
			Status: "completed", Output: `{"content":"<c>","parsed":{"a":2,"b":1}}`, Cost: &cost,
		},
		`{"researchId":"r","status":"completed","output":"text","costDollars":{}}`:   {Status: "completed"},
		`{"researchId":"r","status":"failed","error":"no money","costDollars":null}`: {Status: "failed", Problem: "no money"},
		`{"researchId":"r","status":"dreaming"}`:                                     {Status: "dreaming"},
	} {
		got, err := told(body).Research(t.Context(), "r")
		want.Raw, want.Ref = body, model.WebsetRef{Kind: model.KindResearch, ID: "r"}
		if !reflect.DeepEqual(must(t, got, err), want) {
			t.Errorf("%+v, want %+v", got, want)
		}
	}
}

// An event says what it is about, by its data's own word or else by its type.
func TestReadEvent(t *testing.T) {
	t.Parallel()
	ref := func(kind model.Kind, within, id string) model.WebsetRef {
		return model.WebsetRef{Kind: kind, Within: within, ID: id}
	}
	for _, c := range []struct {
		kind, data string
		subject    model.WebsetRef
		webset     string
	}{
		{"webset.created", `{"object":"webset","id":"w"}`, ref(model.KindWebset, "", "w"), "w"},
		{"webset.idle", `{"id":"w"}`, ref(model.KindWebset, "", "w"), "w"},
		{"webset.search.completed", `{"id":"s","websetId":"w"}`, ref(model.KindWebsetSearch, "w", "s"), "w"},
		{"webset.item.enriched", `{"object":"webset_item","id":"i","websetId":"w"}`, ref(model.KindWebsetItem, "w", "i"),
			"w"},
		{"monitor.updated", `{"object":"monitor","id":"m","websetId":"w"}`, ref(model.KindMonitor, "", "m"), "w"},
		{"monitor.run.created", `{"id":"r","monitorId":"m"}`, ref(model.KindMonitorRun, "m", "r"), ""},
		{"import.completed", `{"id":"i"}`, ref(model.KindWebsetImport, "", "i"), ""},
		{"webset.export.created", `{"id":"x","websetId":"w"}`, model.WebsetRef{}, "w"},
		{"brand.new", `{"object":"gadget","id":"g","websetId":"w"}`, model.WebsetRef{}, "w"},
		{"webset.item.created", `{"id":"i"}`, model.WebsetRef{}, ""},
		{"webset.item.created", `"text"`, model.WebsetRef{}, ""},
		{"webset.created", `null`, model.WebsetRef{}, ""},
	} {
		body := fmt.Sprintf(`{"id":"e","object":"event","type":%q,"data":%s,"createdAt":"2026-11-22T12:00:00.000Z"}`, c.kind,
			c.data)
		got, err := exa.ReadEvent([]byte(body))
		want := model.WebsetEvent{Ref: ref(model.KindWebsetEvent, "", "e"), Type: c.kind, CreatedAt: noon, Subject: c.subject,
			Webset: c.webset, Raw: body}
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%+v, %v; want %+v", got, err, want)
		}
	}
	for _, body := range []string{``, `{`, `[]`, `null`, `{"type":"x"}`, `{"id":"e"}`, `{"id":7,"type":"x"}`,
		`{"id":"\u0001","type":"x"}`} {
		if got, err := exa.ReadEvent([]byte(body)); err == nil {
			t.Errorf("%s is %+v", body, got)
		}
	}
}

// No body ends the process, and what an event names can be named.
func FuzzReadEvent(f *testing.F) {
	f.Add(
		[]byte(
			`{"id":"e","type":"webset.item.created","data":{"object":"webset_item","id":"i","websetId":"w","metadata":{"almanacOwner":"x"}},"createdAt":1795348800000}`))
	f.Add([]byte(`{"id":"e","type":"monitor.run.created","data":{"id":"r","monitorId":"../x"},"createdAt":"9999-99-99"}`))
	f.Add([]byte(`{"id":"` + strings.Repeat("x", 401) + `","type":"x"}`))
	f.Add([]byte(`{"id":"e","type":"x","data":[[[[]]]],"createdAt":1e308}`))
	f.Fuzz(func(t *testing.T, body []byte) {
		event, err := exa.ReadEvent(body)
		if err != nil {
			return
		}
		if !json.Valid(body) || event.Raw != string(body) || event.Type == "" {
			t.Errorf("%q is %+v", body, event)
		}
		for _, ref := range []model.WebsetRef{event.Ref, event.Subject} {
			if back, err := model.WebsetRefOf(ref.PublicID()); !ref.IsZero() && (err != nil || back != ref) {
				t.Errorf("%+v comes back as %+v, %v", ref, back, err)
			}
		}
		if event.Ref.IsZero() || event.Webset != "" && !model.SoundWebsetID(event.Webset) {
			t.Errorf("%+v", event)
		}
	})
}
