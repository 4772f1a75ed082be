package exa_test

import (
	"context"
	"errors"
	"sync"
	"testing"

	"almanac/adapters/exa"
	"almanac/graph/model"
	standin "almanac/internal/standin/exa"
)

// notebook keeps notes of a request, as the front door does.
type notebook struct {
	mu    sync.Mutex
	noted map[string][]byte
	fails error
}

// Recall implements model.Notes.
func (n *notebook) Recall(name string) ([]byte, bool) {
	n.mu.Lock()
	defer n.mu.Unlock()
	what, ok := n.noted[name]
	return what, ok
}

// Note implements model.Notes.
func (n *notebook) Note(_ context.Context, name string, what []byte) error {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.fails != nil {
		return n.fails
	}
	if n.noted == nil {
		n.noted = map[string][]byte{}
	}
	n.noted[name] = what
	return nil
}

// kinds are all creations, each of a thing that can be counted afterwards.
type creating struct {
	name, path string
	make       func(ctx context.Context, a *exa.Account, webset string) (model.WebsetRef, error)
	count      func(ctx context.Context, a *exa.Account, webset string) (int, error)
}

func creatings() []creating {
	counted := func(n int, _ string, err error) (int, error) { return n, err }
	return []creating{
		{
			"webset", "/websets/v0/websets",
			func(ctx context.Context, a *exa.Account, _ string) (model.WebsetRef, error) {
				made, err := a.CreateWebset(ctx, exa.NewWebset{Metadata: `{"m":"1"}`})
				return made.Ref, err
			},
			func(ctx context.Context, a *exa.Account, _ string) (int, error) {
				list, err := a.Websets(ctx, whole)
				return counted(len(list.Items)-1, "", err)
			},
		},
		{
			"named webset", "/websets/v0/websets",
			func(ctx context.Context, a *exa.Account, _ string) (model.WebsetRef, error) {
				made, err := a.CreateWebset(ctx, exa.NewWebset{ExternalID: "שם"})
				return made.Ref, err
			},
			func(ctx context.Context, a *exa.Account, _ string) (int, error) {
				list, err := a.Websets(ctx, whole)
				return counted(len(list.Items)-1, "", err)
			},
		},
		{
			"search", "/websets/v0/websets/*/searches",
			func(ctx context.Context, a *exa.Account, webset string) (model.WebsetRef, error) {
				made, err := a.CreateSearch(ctx, webset, exa.Search{Query: "Farms"})
				return made.Ref, err
			},
			func(ctx context.Context, a *exa.Account, webset string) (int, error) {
				got, err := a.Webset(ctx, webset)
				return counted(len(got.Searches)-1, "", err)
			},
		},
		{
			"enrichment", "/websets/v0/websets/*/enrichments",
			func(ctx context.Context, a *exa.Account, webset string) (model.WebsetRef, error) {
				made, err := a.CreateEnrichment(ctx, webset, exa.Enrichment{Description: "Size"})
				return made.Ref, err
			},
			func(ctx context.Context, a *exa.Account, webset string) (int, error) {
				got, err := a.Webset(ctx, webset)
				return counted(len(got.Enrichments), "", err)
			},
		},
		{
			"monitor", "/websets/v0/monitors",
			func(ctx context.Context, a *exa.Account, webset string) (model.WebsetRef, error) {
				made, err := a.CreateMonitor(ctx, exa.Monitor{Webset: webset, Cron: "0 9 * * *"})
				return made.Ref, err
			},
			func(ctx context.Context, a *exa.Account, _ string) (int, error) {
				list, err := a.Monitors(ctx, "", whole)
				return counted(len(list.Items), "", err)
			},
		},
		{
			"webhook", "/websets/v0/webhooks",
			func(ctx context.Context, a *exa.Account, _ string) (model.WebsetRef, error) {
				made, err := a.CreateWebhook(ctx, exa.Webhook{URL: "https://hooks.example/x", Events: []string{"webset.idle"}})
				if err == nil && made.Secret == "" {
					err = errors.New("the webhook has no secret")
				}
				return made.Ref, err
			},
			func(ctx context.Context, a *exa.Account, _ string) (int, error) {
				list, err := a.Webhooks(ctx, whole)
				return counted(len(list.Items), "", err)
			},
		},
		{
			"import", "/websets/v0/imports",
			func(ctx context.Context, a *exa.Account, _ string) (model.WebsetRef, error) {
				made, err := a.CreateImport(ctx, exa.Import{Size: 10, Count: 1, Entity: exa.Entity{Type: "company"}})
				if err == nil && made.UploadURL == "" {
					err = errors.New("the import has no address to upload to")
				}
				return made.Ref, err
			},
			func(ctx context.Context, a *exa.Account, _ string) (int, error) {
				list, err := a.Imports(ctx, whole)
				return counted(len(list.Items), "", err)
			},
		},
	}
}

// Whatever goes wrong once, each creation makes one thing: alone, and in an account that is shared.
func TestCreatedOnce(t *testing.T) {
	t.Parallel()
	faults := map[string]standin.Fault{
		"nothing":             {},
		"lost answer":         {LoseAnswer: true, Times: 1},
		"half an answer":      {Half: true, Times: 1},
		"a page":              {Garbage: true, Times: 1},
		"half of the JSON":    {BadJSON: true, Times: 1},
		"an empty answer":     {Empty: true, Times: 1},
		"no connection":       {Reset: true, Times: 1},
		"500":                 {Status: 500, Times: 1},
		"502":                 {Status: 502, Times: 1, Body: "<html>"},
		"503":                 {Status: 503, General: true, Times: 1},
		"429":                 {Status: 429, Plain: true, Times: 2},
		"two lost answers":    {LoseAnswer: true, Times: 2},
		"lost after a refuse": {LoseAnswer: true, Times: 1, After: 1},
	}
	for _, c := range creatings() {
		for name, fault := range faults {
			t.Run(c.name+"/"+name, func(t *testing.T) {
				t.Parallel()
				w := newWorld(t, standin.Options{})
				for _, a := range []*exa.Account{w.account, w.sharing(alice)} {
					seed := must(t, ref(a.CreateWebset(t.Context(), exa.NewWebset{Search: &exa.Search{Query: "Companies", Count: 1}})),
						nil)
					before, err := c.count(t.Context(), a, seed.ID)
					must(t, before, err)
					fault.Method, fault.Path = "POST", c.path
					if fault.After > 0 {
						w.standin.Inject(standin.Fault{Method: "POST", Path: c.path, Status: 503, Times: 1})
					}
					if name != "nothing" {
						w.standin.Inject(fault)
					}
					made, err := c.make(t.Context(), a, seed.ID)
					must(t, made, err)
					w.standin.Clear()
					after, err := c.count(t.Context(), a, seed.ID)
					if must(t, after, err) != before+1 {
						t.Errorf("there are %d more", after-before)
					}
					if found := made.PublicID(); found.Remote == "" {
						t.Errorf("it is %+v", made)
					}
					_, err = a.DeleteWebset(t.Context(), seed.ID)
					must(t, 0, err)
					if c.name == "webset" || c.name == "named webset" {
						_, err = a.DeleteWebset(t.Context(), made.ID)
						must(t, 0, err)
					}
				}
				w.private()
			})
		}
	}
}

func ref(webset model.Webset, err error) model.WebsetRef {
	if err != nil {
		panic(err)
	}
	return webset.Ref
}

// When it cannot be known, nothing is made again, and the error says so; the same request, repeated with its seed,
// finds what was made, or makes it.
func TestRepeatedRequests(t *testing.T) {
	t.Parallel()
	for _, c := range creatings() {
		for _, done := range []bool{true, false} {
			for _, noted := range []bool{true, false} {
				t.Run(c.name, func(t *testing.T) {
					t.Parallel()
					w := newWorld(t, standin.Options{})
					id := w.finished(1)
					ctx := model.WithSeed(t.Context(), model.UUID{1})
					if noted {
						ctx = model.WithNotes(ctx, &notebook{})
					}
					if done {
						w.standin.Inject(standin.Fault{Method: "POST", Path: c.path, LoseAnswer: true, Times: 1})
					} else {
						w.standin.Inject(standin.Fault{Method: "POST", Path: c.path, Reset: true})
					}
					w.standin.Inject(standin.Fault{Method: "GET", Status: 500}) // nothing can be looked for
					if !noted {
						w.standin.Clear()
						w.standin.Inject(standin.Fault{Method: "POST", Path: c.path, LoseAnswer: done, Reset: !done, Times: 1})
						w.standin.Inject(standin.Fault{Method: "GET", Status: 500, After: 1})
					}
					_, err := c.make(ctx, w.account, id)
					w.check(err, model.CodeUpstreamUnavailable)
					w.standin.Clear()
					// another process
					*w.client = exa.Client{Base: w.client.Base, Now: w.clock, Wait: w.client.Wait, Limits: w.client.Limits}
					for range 3 {
						made, err := c.make(ctx, w.account, id)
						must(t, made, err)
						after, err := c.count(t.Context(), w.account, id)
						if must(t, after, err) != 1 {
							t.Errorf("there are %d", after)
						}
					}
					another, err := c.make(model.WithSeed(t.Context(), model.UUID{2}), w.account, id)
					if c.name == "named webset" {
						w.check(err, model.CodeConflict)
						return
					}
					must(t, another, err)
					after, err := c.count(t.Context(), w.account, id)
					if must(t, after, err) != 2 {
						t.Errorf("another request: there are %d", after)
					}
				})
			}
		}
	}
}

// What cannot be noted is not done.
func TestNotNoted(t *testing.T) {
	t.Parallel()
	w := newWorld(t, standin.Options{})
	ctx := model.WithNotes(model.WithSeed(t.Context(), model.UUID{1}),
		&notebook{fails: model.Errorf(model.CodeConflict, "another try")})
	_, err := w.account.CreateWebset(ctx, exa.NewWebset{})
	w.check(err, model.CodeConflict)
	if n := len(w.standin.Requests()); n != 0 {
		t.Errorf("%d requests", n)
	}
}

// An answer that stays away for long is looked for, and not asked for again when nothing is found: Exa may be at work.
func TestSlowCreation(t *testing.T) {
	t.Parallel()
	w := newWorld(t, standin.Options{})
	w.standin.Inject(standin.Fault{Method: "POST", Path: "/websets/v0/websets", Status: 504, Times: 1})
	_, err := w.account.CreateWebset(t.Context(), exa.NewWebset{})
	w.check(err, model.CodeUpstreamUnavailable)
	if n := posts(w); n != 1 {
		t.Errorf("asked %d times", n)
	}
	// With a name it is safe.
	w.standin.Inject(standin.Fault{Method: "POST", Path: "/websets/v0/websets", Status: 504, Times: 1})
	made, err := w.account.CreateWebset(t.Context(), exa.NewWebset{ExternalID: "once"})
	if must(t, made, err).ExternalID != "once" || posts(w) != 3 {
		t.Errorf("asked %d times", posts(w))
	}
	// Research is never asked for twice.
	w.standin.Inject(standin.Fault{Method: "POST", Path: "/research/v1", LoseAnswer: true, Times: 1})
	_, err = w.account.CreateResearch(t.Context(), exa.Question{Instructions: "x"})
	w.check(err, model.CodeUpstreamUnavailable)
	list, err := w.account.Researches(t.Context(), exa.Page{})
	if len(must(t, list, err).Items) != 1 {
		t.Errorf("%d researches", len(list.Items))
	}
}

func posts(w *world) int {
	n := 0
	for _, r := range w.standin.Requests() {
		if r.Method == "POST" {
			n++
		}
	}
	return n
}

// Changes and deletions are repeated when their answers are lost, and do the same.
func TestRepeatedChanges(t *testing.T) {
	t.Parallel()
	for _, fault := range []standin.Fault{{LoseAnswer: true, Times: 1}, {Half: true, Times: 1}, {Status: 500, Times: 2},
		{Reset: true, Times: 1}} {
		w := newWorld(t, standin.Options{})
		ctx, a := t.Context(), w.account
		id := w.finished(4)
		change := func(method string, do func() error) {
			t.Helper()
			fault.Method = method
			w.standin.Inject(fault)
			if err := do(); err != nil {
				t.Errorf("%+v: %v (%s)", fault, err, model.CauseOf(err))
			}
			w.standin.Clear()
		}
		change("POST", func() error { _, err := a.UpdateWebset(ctx, id, `{"x":"1"}`); return err })
		search, err := a.CreateSearch(ctx, id, exa.Search{Query: "x"})
		must(t, search, err)
		change("POST", func() error { _, err := a.CancelSearch(ctx, id, search.Ref.ID); return err })
		enrichment, err := a.CreateEnrichment(ctx, id, exa.Enrichment{Description: "x"})
		must(t, enrichment, err)
		change("PATCH", func() error {
			_, err := a.UpdateEnrichment(ctx, id, enrichment.Ref.ID, exa.EnrichmentPatch{Description: ptr("y")})
			return err
		})
		change("POST", func() error { _, err := a.CancelEnrichment(ctx, id, enrichment.Ref.ID); return err })
		change("DELETE", func() error { _, err := a.DeleteEnrichment(ctx, id, enrichment.Ref.ID); return err })
		list, err := a.Items(ctx, id, "", whole)
		must(t, list, err)
		change("DELETE", func() error { _, err := a.DeleteItem(ctx, id, list.Items[0].Ref.ID); return err })
		monitor, err := a.CreateMonitor(ctx, exa.Monitor{Webset: id, Cron: "0 9 * * *"})
		must(t, monitor, err)
		change("PATCH", func() error {
			_, err := a.UpdateMonitor(ctx, monitor.Ref.ID, exa.MonitorPatch{Status: ptr("disabled")})
			return err
		})
		change("DELETE", func() error { _, err := a.DeleteMonitor(ctx, monitor.Ref.ID); return err })
		hook, err := a.CreateWebhook(ctx, exa.Webhook{URL: "https://hooks.example", Events: []string{"webset.idle"}})
		must(t, hook, err)
		change("DELETE", func() error { _, err := a.DeleteWebhook(ctx, hook.Ref.ID); return err })
		in, err := a.CreateImport(ctx, exa.Import{Size: 1, Count: 1, Entity: exa.Entity{Type: "company"}})
		must(t, in, err)
		change("DELETE", func() error { _, err := a.DeleteImport(ctx, in.Ref.ID); return err })
		change("POST", func() error { _, err := a.CancelWebset(ctx, id); return err })
		change("DELETE", func() error {
			gone, err := a.DeleteWebset(ctx, id)
			if gone.Ref.ID != id {
				t.Errorf("deleted: %+v", gone)
			}
			return err
		})
	}
}
