package exa_test

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"almanac/adapters/exa"
	"almanac/graph/model"
	standin "almanac/internal/standin/exa"
)

// thing is something in the shared account. Its owner is a user's number, or nobody's for what the operator has made
// past this server.
type thing struct {
	kind       string
	within, id string
	owner      int
}

const nobody = 2

// shared is one account of Exa with two users of this server, and an operator who uses Exa itself.
type shared struct {
	*world
	t        *testing.T
	accounts [3]*exa.Account
	things   []thing
	random   *rand.Rand
}

// touch does something to a thing, as somebody, in one of the ways that there are.
func (s *shared) touch(ctx context.Context, a *exa.Account, x thing) (string, error) {
	metadata := model.JSON(fmt.Sprintf(`{"touched":"%d"}`, s.random.Int()))
	ways := map[string]func() error{}
	switch x.kind {
	case "webset":
		ways["get"] = func() error { _, err := a.Webset(ctx, x.id); return err }
		ways["update"] = func() error { _, err := a.UpdateWebset(ctx, x.id, metadata); return err }
		ways["cancel"] = func() error { _, err := a.CancelWebset(ctx, x.id); return err }
		ways["items"] = func() error { _, err := a.Items(ctx, x.id, "", whole); return err }
		ways["monitors"] = func() error { _, err := a.Monitors(ctx, x.id, whole); return err }
		ways["clear"] = func() error { _, err := a.UpdateWebset(ctx, x.id, ""); return err }
	case "search":
		ways["get"] = func() error { _, err := a.Search(ctx, x.within, x.id); return err }
		ways["cancel"] = func() error { _, err := a.CancelSearch(ctx, x.within, x.id); return err }
	case "enrichment":
		ways["get"] = func() error { _, err := a.Enrichment(ctx, x.within, x.id); return err }
		ways["update"] = func() error {
			_, err := a.UpdateEnrichment(ctx, x.within, x.id, exa.EnrichmentPatch{Metadata: &metadata})
			return err
		}
		ways["cancel"] = func() error { _, err := a.CancelEnrichment(ctx, x.within, x.id); return err }
	case "monitor":
		ways["get"] = func() error { _, err := a.Monitor(ctx, x.id); return err }
		ways["update"] = func() error {
			_, err := a.UpdateMonitor(ctx, x.id, exa.MonitorPatch{Metadata: &metadata})
			return err
		}
		ways["runs"] = func() error { _, err := a.Runs(ctx, x.id, whole); return err }
	case "webhook":
		ways["get"] = func() error { _, err := a.Webhook(ctx, x.id); return err }
		ways["update"] = func() error {
			_, err := a.UpdateWebhook(ctx, x.id, exa.WebhookPatch{Metadata: &metadata})
			return err
		}
		ways["attempts"] = func() error { _, err := a.Attempts(ctx, x.id, exa.AttemptFilter{}, whole); return err }
	case "import":
		ways["get"] = func() error { _, err := a.Import(ctx, x.id); return err }
		ways["update"] = func() error {
			_,
				err := a.UpdateImport(ctx, x.id, exa.ImportPatch{Metadata: &metadata})
			return err
		}
	}
	names := slices.Sorted(maps.Keys(ways))
	name := names[s.random.IntN(len(names))]
	return name, ways[name]()
}

// remove deletes a thing, as somebody.
func remove(ctx context.Context, a *exa.Account, x thing) (err error) {
	switch x.kind {
	case "webset":
		_, err = a.DeleteWebset(ctx, x.id)
	case "search":
		_, err = a.CancelSearch(ctx, x.within, x.id)
	case "enrichment":
		_, err = a.DeleteEnrichment(ctx, x.within, x.id)
	case "monitor":
		_, err = a.DeleteMonitor(ctx, x.id)
	case "webhook":
		_, err = a.DeleteWebhook(ctx, x.id)
	case "import":
		_, err = a.DeleteImport(ctx, x.id)
	}
	return err
}

// build makes a thing, as somebody: in one of their websets where it needs one.
func (s *shared) build(ctx context.Context, who int) {
	a := s.accounts[who]
	home := s.pick(func(x thing) bool { return x.kind == "webset" && x.owner == who })
	x := thing{owner: who}
	var err error
	switch kind := s.random.IntN(6); {
	case kind == 0 || home == nil:
		x.kind = "webset"
		name := ""
		if s.random.IntN(3) == 0 {
			name = "the same name"
		}
		made, failed := a.CreateWebset(ctx, exa.NewWebset{ExternalID: name, Metadata: `{"k":"v"}`,
			Search: &exa.Search{Query: "Companies", Count: 2}})
		if model.CodeOf(failed) == model.CodeConflict && name != "" {
			return
		}
		if failed == nil && (made.ExternalID != name || made.Metadata != `{"k":"v"}`) {
			s.t.Errorf("made as %q %q", made.ExternalID, made.Metadata)
		}
		x.id, err = made.Ref.ID, failed
	case kind == 1:
		made, failed := a.CreateSearch(ctx, home.id, exa.Search{Query: "More", Count: 1, Behavior: "append"})
		x.kind, x.within, x.id, err = "search", home.id, made.Ref.ID, failed
	case kind == 2:
		made, failed := a.CreateEnrichment(ctx, home.id, exa.Enrichment{Description: "Size", Format: "text"})
		x.kind, x.within, x.id, err = "enrichment", home.id, made.Ref.ID, failed
	case kind == 3:
		made, failed := a.CreateMonitor(ctx, exa.Monitor{Webset: home.id, Cron: "0 9 * * *"})
		x.kind, x.within, x.id, err = "monitor", home.id, made.Ref.ID, failed
	case kind == 4:
		made, failed := a.CreateWebhook(ctx, exa.Webhook{URL: "https://hooks.example", Events: []string{"webset.idle"}})
		x.kind, x.id, err = "webhook", made.Ref.ID, failed
	default:
		made, failed := a.CreateImport(ctx, exa.Import{Size: 1, Count: 1, Entity: exa.Entity{Type: "company"}})
		x.kind, x.id, err = "import", made.Ref.ID, failed
	}
	if err != nil {
		s.t.Fatalf("%d makes a %s: %v (%s)", who, x.kind, err, model.CauseOf(err))
	}
	s.things = append(s.things, x)
}

func (s *shared) pick(wanted func(thing) bool) *thing {
	for range 20 {
		if len(s.things) == 0 {
			return nil
		}
		if x := s.things[s.random.IntN(len(s.things))]; wanted(x) {
			return &x
		}
	}
	return nil
}

// drop forgets a thing that was deleted, and all that stood within it.
func (s *shared) drop(gone thing) {
	s.things = slices.DeleteFunc(s.things, func(x thing) bool {
		return x == gone && x.kind != "search" || gone.kind == "webset" && x.within == gone.id
	})
}

// all pages through a list.
func all[T any](t *testing.T, limit int, read func(exa.Page) (exa.List[T], error)) []T {
	t.Helper()
	var items []T
	for at := (exa.Page{Limit: limit}); ; {
		list, err := read(at)
		page := must(t, list, err)
		if len(page.Items) > limit {
			t.Fatalf("%d on a page of %d", len(page.Items), limit)
		}
		items = append(items, page.Items...)
		if at.After = page.Next; at.After == "" {
			return items
		}
	}
}

// lists holds what a user sees to what is theirs: neither more, nor less, and each once.
func (s *shared) lists(ctx context.Context, who int) {
	a, limit := s.accounts[who], 1+s.random.IntN(4)
	ids := map[string][]string{}
	for _, x := range all(s.t, limit, func(p exa.Page) (exa.List[model.Webset], error) { return a.Websets(ctx, p) }) {
		ids["webset"] = append(ids["webset"], x.Ref.ID)
		if strings.Contains(string(x.Metadata), "almanac") || strings.Contains(x.ExternalID, ".") {
			s.t.Errorf("a mark is shown: %s %s", x.Metadata, x.ExternalID)
		}
	}
	for _, x := range all(s.t, limit,
		func(p exa.Page) (exa.List[model.WebsetMonitor], error) { return a.Monitors(ctx, "", p) }) {
		ids["monitor"] = append(ids["monitor"], x.Ref.ID)
	}
	for _, x := range all(s.t, limit,
		func(p exa.Page) (exa.List[model.WebsetWebhook], error) { return a.Webhooks(ctx, p) }) {
		ids["webhook"] = append(ids["webhook"], x.Ref.ID)
	}
	for _, x := range all(s.t, limit,
		func(p exa.Page) (exa.List[model.WebsetImport], error) { return a.Imports(ctx, p) }) {
		ids["import"] = append(ids["import"], x.Ref.ID)
	}
	for _, kind := range []string{"webset", "monitor", "webhook", "import"} {
		var want []string
		for _, x := range s.things {
			if x.kind == kind && x.owner == who {
				want = append(want, x.id)
			}
		}
		slices.Sort(want)
		if got := slices.Sorted(slices.Values(ids[kind])); !slices.Equal(got, want) {
			s.t.Fatalf("%d sees %ss %v, and has %v", who, kind, got, want)
		}
	}
}

// Two users over one key, with an operator beside them, never see, count or change anything of each other, whatever
// they do in whatever order.
func TestTenancy(t *testing.T) {
	t.Parallel()
	for seed := range uint64(2) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			s := &shared{world: newWorld(t, standin.Options{Content: 1}), t: t, random: rand.New(rand.NewPCG(seed, 1))}
			s.accounts = [3]*exa.Account{s.sharing(alice), s.sharing(bob), s.account}
			ctx := t.Context()
			everOwned := [3]map[string]bool{{}, {}, {}}
			for step := range 100 {
				who := s.random.IntN(3)
				before := len(s.things)
				switch x := s.pick(func(thing) bool { return true }); {
				case x == nil || s.random.IntN(3) == 0:
					s.build(ctx, who)
					if len(s.things) > before {
						made := s.things[len(s.things)-1]
						everOwned[who][made.id] = true
					}
				case who == nobody: // the operator sees everything, and leaves it alone
				case s.random.IntN(4) == 0:
					err := remove(ctx, s.accounts[who], *x)
					if x.owner == who && err != nil || x.owner != who && model.CodeOf(err) != model.CodeNotFound {
						t.Fatalf("step %d: %d removes %+v: %v", step, who, *x, err)
					}
					if err == nil {
						s.drop(*x)
					}
				default:
					way, err := s.touch(ctx, s.accounts[who], *x)
					if x.owner == who && err != nil || x.owner != who && model.CodeOf(err) != model.CodeNotFound {
						t.Fatalf("step %d: %d does %s to %+v: %v", step, who, way, *x, err)
					}
				}
				s.pass(3 * time.Second)
				if step%25 == 0 {
					s.lists(ctx, 0)
					s.lists(ctx, 1)
				}
			}
			for who := range 2 {
				s.lists(ctx, who)
				a := s.accounts[who]
				read := func(p exa.Page) (exa.List[model.WebsetEvent], error) { return a.Events(ctx, exa.EventFilter{}, p) }
				events := all(t, 7, read)
				if len(events) == 0 {
					t.Errorf("%d sees no events", who)
				}
				for _, e := range events {
					about := e.Webset
					if about == "" {
						about = e.Subject.ID
						if e.Subject.Kind == model.KindMonitorRun {
							about = e.Subject.Within
						}
					}
					if !everOwned[who][about] {
						t.Errorf("%d sees %s of %s", who, e.Type, e.Subject.ID)
					}
					one, err := s.accounts[1-who].Event(ctx, e.Ref.ID)
					if model.CodeOf(err) != model.CodeNotFound {
						t.Errorf("%d reads an event of %d: %+v, %v", 1-who, who, one, err)
					}
				}
			}
			s.private()
		})
	}
}

// Nobody takes what another has as a source, or names it by guessing how it is called on the wire.
func TestForeignSources(t *testing.T) {
	t.Parallel()
	w := newWorld(t, standin.Options{})
	ctx, a, b := t.Context(), w.sharing(alice), w.sharing(bob)
	hers, err := a.CreateWebset(ctx, exa.NewWebset{ExternalID: "plans", Metadata: `{"a":"1"}`})
	must(t, hers, err)
	her, err := a.CreateImport(ctx, exa.Import{Size: 1, Count: 1, Entity: exa.Entity{Type: "company"}})
	must(t, her, err)
	his, err := b.CreateWebset(ctx, exa.NewWebset{ExternalID: "plans"})
	if must(t, his, err).Ref == hers.Ref {
		t.Fatal("both have one webset")
	}
	var onWire string
	for _, r := range w.standin.Requests() {
		if _, after, ok := strings.Cut(r.Body, `"externalId":"`); ok && onWire == "" {
			onWire, _, _ = strings.Cut(after, `"`)
		}
	}
	if !strings.HasSuffix(onWire, ".plans") || strings.Contains(onWire, alice.String()) {
		t.Errorf("on the wire it is called %q", onWire)
	}
	for _, foreign := range []exa.Source{{Source: "webset", ID: hers.Ref.ID}, {Source: "webset", ID: onWire},
		{Source: "import", ID: her.Ref.ID}, {Source: "webset", ID: "no such"}} {
		_, err = b.CreateWebset(ctx, exa.NewWebset{Import: []exa.Source{foreign}})
		w.check(err, model.CodeNotFound)
		_, err = b.CreateWebset(ctx, exa.NewWebset{Exclude: []exa.Source{foreign}})
		w.check(err, model.CodeNotFound)
		_, err = b.CreateSearch(ctx, his.Ref.ID, exa.Search{Query: "x", Scope: []exa.Source{foreign}})
		w.check(err, model.CodeNotFound)
		_, err = b.CreateSearch(ctx, his.Ref.ID, exa.Search{Query: "x", Exclude: []exa.Source{foreign}})
		w.check(err, model.CodeNotFound)
	}
	_, err = a.CreateSearch(ctx, "plans", exa.Search{Query: "x",
		Exclude: []exa.Source{{Source: "webset", ID: "plans"}, {Source: "import", ID: her.Ref.ID}}})
	if err != nil {
		t.Error(err)
	}
	for _, id := range []string{hers.Ref.ID, onWire} {
		_, err = b.Webset(ctx, id)
		w.check(err, model.CodeNotFound)
		_, err = b.CreateMonitor(ctx, exa.Monitor{Webset: id, Cron: "0 9 * * *"})
		w.check(err, model.CodeNotFound)
		_, err = b.CreateSearch(ctx, id, exa.Search{Query: "x"})
		w.check(err, model.CodeNotFound)
		_, err = b.CreateEnrichment(ctx, id, exa.Enrichment{Description: "x"})
		w.check(err, model.CodeNotFound)
		_, err = b.Items(ctx, id, "", whole)
		w.check(err, model.CodeNotFound)
	}
	// A name that looks like hers, of something that nobody has marked, is not hers.
	mark, _, _ := strings.Cut(onWire, ".")
	odd, err := w.account.CreateWebset(ctx, exa.NewWebset{ExternalID: mark + ".odd"})
	must(t, odd, err)
	_, err = a.Webset(ctx, "odd")
	w.check(err, model.CodeNotFound)
	// Another's search within one's own webset is not there either.
	search, err := a.CreateSearch(ctx, hers.Ref.ID, exa.Search{Query: "y"})
	must(t, search, err)
	_, err = b.Search(ctx, his.Ref.ID, search.Ref.ID)
	w.check(err, model.CodeNotFound)
	mine, err := a.Webset(ctx, "plans")
	if got := must(t, mine, err); got.ExternalID != "plans" || got.Metadata != `{"a":"1"}` {
		t.Errorf("%+v", got)
	}

	// A name that is free again names what it is given to next.
	_, err = a.DeleteWebset(ctx, "plans")
	must(t, 0, err)
	newer, err := a.CreateWebset(ctx, exa.NewWebset{ExternalID: "plans"})
	must(t, newer, err)
	again, err := a.Webset(ctx, "plans")
	if must(t, again, err).Ref != newer.Ref {
		t.Error("the name names what was deleted")
	}

	// Research cannot be kept apart.
	_, err = a.CreateResearch(ctx, exa.Question{Instructions: "x"})
	w.check(err, model.CodeNotConfigured)
	_, err = a.Researches(ctx, exa.Page{})
	w.check(err, model.CodeNotConfigured)
	_, err = a.Research(ctx, "r")
	w.check(err, model.CodeNotConfigured)
	if _, err := a.Websets(ctx, exa.Page{After: "elsewhere"}); model.CodeOf(err) != model.CodeBadUserInput {
		t.Error(err)
	}
}

// A list goes on past what is not the user's, for so many pages, and then says where it goes on.
func TestSparseLists(t *testing.T) {
	t.Parallel()
	w := newWorld(t, standin.Options{})
	w.client.Limits.Pages = 3
	ctx, a, b := t.Context(), w.sharing(alice), w.sharing(bob)
	make := func(who *exa.Account) string {
		made, err := who.CreateWebset(ctx, exa.NewWebset{})
		return must(t, made, err).Ref.ID
	}
	var want []string
	for i := range 450 {
		if i == 3 || i == 449 {
			want = append([]string{make(a)}, want...)
			continue
		}
		make(b)
	}
	list, err := a.Websets(ctx, exa.Page{Limit: 10})
	page := must(t, list, err)
	if len(page.Items) != 1 || page.Next == "" || page.Items[0].Ref.ID != want[0] {
		t.Fatalf("%d websets, next %q", len(page.Items), page.Next)
	}
	rest, err := a.Websets(ctx, exa.Page{Limit: 10, After: page.Next})
	if got := must(t, rest, err); len(got.Items) != 1 || got.Next != "" || got.Items[0].Ref.ID != want[1] {
		t.Errorf("%d websets, next %q", len(got.Items), got.Next)
	}
	one, err := b.Websets(ctx, exa.Page{Limit: 1})
	if got := must(t, one, err); len(got.Items) != 1 || got.Next == "" {
		t.Errorf("%d websets, next %q", len(got.Items), got.Next)
	}
	// What is deleted between two pages neither hides nor repeats anything.
	_, err = b.DeleteWebset(ctx, one.Items[0].Ref.ID)
	must(t, 0, err)
	two, err := b.Websets(ctx, exa.Page{Limit: 2, After: one.Next})
	three, err2 := b.Websets(ctx, exa.Page{Limit: 2})
	if must(t, two, err); must(t, three, err2).Items[0].Ref != two.Items[0].Ref || three.Items[1].Ref != two.Items[1].Ref {
		t.Errorf("%+v, %+v", two.Items, three.Items)
	}
}

// A list asks about few of the things that carry no mark, and remembers what it has heard.
func TestLooksAreBounded(t *testing.T) {
	t.Parallel()
	w := newWorld(t, standin.Options{Content: 1})
	ctx, a := t.Context(), w.sharing(alice)
	mine, err := a.CreateWebset(ctx, exa.NewWebset{Search: &exa.Search{Query: "Companies", Count: 1}})
	must(t, mine, err)
	const others = 50
	for range others {
		made, err := w.account.CreateWebset(ctx, exa.NewWebset{Search: &exa.Search{Query: "Companies", Count: 1}})
		must(t, made, err)
	}
	w.pass(time.Minute)
	looks := func() int {
		n := 0
		for _, r := range w.standin.Requests() {
			if r.Method == "GET" && strings.HasPrefix(r.Path, "/websets/v0/websets/") {
				n++
			}
		}
		return n
	}
	walk := func() (events, pages int) {
		for at := (exa.Page{Limit: 200}); ; pages++ {
			before := looks()
			list, err := a.Events(ctx, exa.EventFilter{}, at)
			page := must(t, list, err)
			if asked := looks() - before; asked > 20 {
				t.Errorf("one list asks about %d websets", asked)
			}
			for _, e := range page.Items {
				if events++; e.Webset != mine.Ref.ID {
					t.Errorf("%+v", e)
				}
			}
			if at.After = page.Next; at.After == "" {
				return events, pages
			}
		}
	}
	events, pages := walk()
	if events < 4 || pages < 2 || looks() < others || looks() > others+1 {
		t.Errorf("%d events on %d pages after %d looks", events, pages, looks())
	}
	before := looks()
	if again, _ := walk(); again != events || looks() != before {
		t.Errorf("%d events, %d looks more", again, looks()-before)
	}
}
