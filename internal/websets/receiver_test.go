package websets_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"almanac/adapters/exa"
	"almanac/adapters/store"
	"almanac/graph/model"
	standin "almanac/internal/standin/exa"
	"almanac/internal/websets"
)

func post(t testing.TB, to http.Handler, method, path, signature string, body []byte) int {
	t.Helper()
	request := httptest.NewRequestWithContext(t.Context(), method, path, bytes.NewReader(body))
	if signature != "" {
		request.Header.Set(exa.HeaderSignature, signature)
	}
	answer := httptest.NewRecorder()
	to.ServeHTTP(answer, request)
	if answer.Body.Len() > 0 {
		t.Errorf("%s %s is answered with a body: %q", method, path, answer.Body)
	}
	if answer.Code == http.StatusMethodNotAllowed && answer.Header().Get("Allow") != "POST" {
		t.Errorf("%s: what is allowed is not said", method)
	}
	return answer.Code
}

func eventOf(id, kind, object, subject, webset string, at time.Time) []byte {
	return fmt.Appendf(nil,
		`{"id":%q,"object":"event","type":%q,"createdAt":%q,"data":{"id":%q,"object":%q,"websetId":%q,"monitorId":"mon_1"}}`,
		id, kind, at.UTC().Format("2006-01-02T15:04:05.000Z"), subject, object, webset)
}

// A webset that fills is told of as it fills: every event once, in order, by lines that name what changed.
func TestWhatFillsIsTold(t *testing.T) {
	eachPlug(t, func(t *testing.T, s store.Store) {
		h := newScene(t, s)
		h.listen(dana)
		h.search(dana, 5)
		h.pass(40, 5*time.Second)
		want := told(h.events(dana))
		if got := h.log(dana); !slices.Equal(got, want) || len(got) < 12 {
			t.Errorf("the log has\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
		if len(h.log(noam)) != 0 {
			t.Error("another user was told")
		}
		for _, outcome := range h.came {
			if outcome != websets.DeliveryTold {
				t.Errorf("a delivery was %s", outcome)
			}
		}
	})
}

// Whatever befalls deliveries, an event is told once or not at all, and the worker makes up for those that were not.
func TestWhateverBefallsDeliveries(t *testing.T) {
	for name, c := range map[string]struct {
		how standin.Misdelivery
		// inOrder: the log has the events' own order. told: all are told without the worker.
		inOrder, told bool
		outcome       websets.DeliveryOutcome
	}{
		"twice":           {standin.Misdelivery{Duplicate: true}, true, true, websets.DeliveryKnown},
		"from the end":    {standin.Misdelivery{Reverse: true}, false, true, websets.DeliveryTold},
		"late":            {standin.Misdelivery{Late: 4 * time.Minute}, true, true, websets.DeliveryTold},
		"much too late":   {standin.Misdelivery{Late: 6 * time.Minute}, true, false, websets.DeliveryUnsigned},
		"from the future": {standin.Misdelivery{Late: -6 * time.Minute}, true, false, websets.DeliveryUnsigned},
		"with two secrets": {standin.Misdelivery{Others: []string{"whsec_of_before", "whsec_of_later"}}, true, true,
			websets.DeliveryTold},
		"by another":    {standin.Misdelivery{WrongSecret: true}, true, false, websets.DeliveryUnsigned},
		"unsigned":      {standin.Misdelivery{Unsigned: true}, true, false, websets.DeliveryUnsigned},
		"tampered with": {standin.Misdelivery{Tampered: true}, true, false, websets.DeliveryUnsigned},
		"never":         {standin.Misdelivery{Drop: true}, true, false, ""},
	} {
		t.Run(name, func(t *testing.T) {
			h := newScene(t, sqliteStore(t))
			h.listen(dana)
			h.remote.Misdeliver(c.how)
			h.search(dana, 4)
			h.pass(2, time.Minute)
			before := h.log(dana)
			if got := len(before) > 0; got != c.told {
				t.Errorf("told without the worker: %v, want %v", got, c.told)
			}
			if c.outcome != "" && !slices.Contains(h.came, c.outcome) || c.outcome == "" && len(h.came) > 0 {
				t.Errorf("deliveries came as %v, want some %q", h.came, c.outcome)
			}
			want := told(h.events(dana))
			looks := h.look(1)
			got := h.log(dana)
			if c.told && (looks[0].Changes != 0 || looks[0].Known != len(want)) || !c.told && looks[0].Changes != len(want) {
				t.Errorf("the worker told %d and knew %d, of %d", looks[0].Changes, looks[0].Known, len(want))
			}
			if !c.inOrder {
				if records := recordsOf(want); !slices.Equal(recordsOf(got), records) {
					t.Errorf("told of %v, want %v", recordsOf(got), records)
				}
				// of what is known already it is no news
				isCreation := func(line string) bool { return strings.Contains(line, "CREATED") }
				want, got = slices.DeleteFunc(want, isCreation), slices.DeleteFunc(got, isCreation)
				slices.Sort(want)
				slices.Sort(got)
			}
			if !slices.Equal(got, want) {
				t.Errorf("the log has\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
			}
			lines := len(h.log(dana))
			h.clock.Advance(5 * time.Minute)
			if again := h.look(1)[0]; again.Changes != 0 || len(h.log(dana)) != lines {
				t.Errorf("looking again told %d", again.Changes)
			}
		})
	}
}

// An event that comes after a later one makes nothing new and brings nothing back.
func TestLateEvents(t *testing.T) {
	h := newScene(t, sqliteStore(t))
	hook := h.listen(dana)
	path, secret, at := h.pathOf(hook), h.secret(hook), h.clock.Now()
	send := func(id, kind, object, subject string, after time.Duration) {
		t.Helper()
		body := eventOf(id, kind, object, subject, "ws_1", at.Add(after))
		if got := h.post(path, standin.Sign(h.clock.Now(), body, secret), body); got != http.StatusNoContent {
			t.Fatalf("%s: %d", id, got)
		}
	}
	send("e1", "webset.item.enriched", "webset_item", "item_1", 3*time.Second)
	send("e2", "webset.item.created", "webset_item", "item_1", time.Second)
	send("e3", "webset.deleted", "webset", "ws_1", 9*time.Second)
	send("e4", "webset.search.completed", "webset_search", "search_1", 4*time.Second)
	send("e5", "webset.created", "webset", "ws_1", 0)
	send("e6", "webset.created", "webset", "ws_1", 10*time.Second) // by the same externalId, say
	send("e7", "webset.created", "webset", "ws_1", 10*time.Second) // another event of the same
	send("e8", "monitor.run.completed", "monitor_run", "run_1", time.Second)
	send("e9", "webset.export.created", "webset_export", "export_1", time.Second)
	send("e10", "webset.search.failed", "webset_search", "search_1", 12*time.Second) // of a type that nobody knows yet
	send("e11", "import.archived", "import", "import_1", 12*time.Second)
	want := []string{
		"WEBSET_ITEM UPDATED item_1", "WEBSET DELETED ws_1", "WEBSET CREATED ws_1",
		"WEBSET_MONITOR UPDATED mon_1", "WEBSET UPDATED ws_1", "WEBSET_IMPORT UPDATED import_1",
	}
	if got := h.log(dana); !slices.Equal(got, want) {
		t.Errorf("the log has\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// recordsOf are the things that lines are about, each once, sorted.
func recordsOf(lines []string) []string {
	var records []string
	for _, line := range lines {
		records = append(records, line[strings.LastIndex(line, " ")+1:])
	}
	slices.Sort(records)
	return slices.Compact(records)
}

// What was done through this server is in the log already, without a version: that it was made or deleted is not told
// again, and nothing of before its end.
func TestOwnDoings(t *testing.T) {
	h := newScene(t, sqliteStore(t))
	hook := h.listen(dana)
	id := model.WebsetRef{Kind: model.KindWebset, ID: "ws_1"}.PublicID()
	own := func(operation model.Operation) {
		t.Helper()
		err := h.store.Write(t.Context(), dana, func(ctx context.Context, tx store.Tx) error {
			return tx.LogRemote(ctx,
				[]model.Change{{Type: model.ChangeWebset, ID: id.UUID, Remote: id.Remote, Operation: operation}})
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	h.clock.Set(time.Now().UTC()) // the log's times are the store's
	sent := 0
	send := func(kind string, after time.Duration) {
		t.Helper()
		sent++
		body := eventOf(fmt.Sprint("e", sent), kind, "webset", "ws_1", "", h.clock.Now().Add(after))
		if got := h.post(h.pathOf(hook), standin.Sign(h.clock.Now(), body, h.secret(hook)),
			body); got != http.StatusNoContent {
			t.Fatal(got)
		}
	}
	own(model.OperationCreated)
	send("webset.created", 0)
	send("webset.idle", 0)
	own(model.OperationDeleted)
	send("webset.idle", -time.Minute)
	send("webset.created", -time.Minute)
	send("webset.deleted", time.Minute)
	want := []string{"WEBSET CREATED ws_1", "WEBSET UPDATED ws_1", "WEBSET DELETED ws_1"}
	if got := h.log(dana); !slices.Equal(got, want) {
		t.Errorf("the log has %v, want %v", got, want)
	}
}

// What is answered to whom, and that nothing but a signed event has any effect.
func TestAnswers(t *testing.T) {
	h := newScene(t, sqliteStore(t))
	hook, others := h.listen(dana), h.listen(noam)
	unanswered := store.WebsetHook{User: dana, ID: h.ids.New(), Receives: true, CreatedAt: h.clock.Now()}
	elsewhere := store.WebsetHook{User: dana, ID: h.ids.New(), Secret: hook.Secret, CreatedAt: h.clock.Now()}
	gone := store.WebsetHook{User: dana, ID: h.ids.New()}
	lost := store.WebsetHook{User: dana, ID: h.ids.New(), Receives: true, Secret: []byte("sealed with a key that is gone"),
		CreatedAt: h.clock.Now()}
	for _, one := range []store.WebsetHook{unanswered, elsewhere, lost} {
		h.save(one)
	}
	now := h.clock.Now()
	event := eventOf("e1", "webset.idle", "webset", "ws_1", "", now)
	secret := h.secret(hook)
	signed := standin.Sign(now, event, secret)
	foreign := standin.Sign(now, event, h.secret(others))
	strange := newScene(t, h.store)
	strange.hooks.Box = newBox(t, 2)
	long := bytes.Repeat([]byte(" "), websets.MaxBody-len(event)+1)
	path := h.pathOf(hook)
	for name, c := range map[string]struct {
		method, path, signature string
		body                    []byte
		want                    int
	}{
		"no signature":                 {"POST", path, "", event, 401},
		"another's signature":          {"POST", path, foreign, event, 401},
		"of another body":              {"POST", path, standin.Sign(now, append(event, ' '), secret), event, 401},
		"of another time":              {"POST", path, standin.Sign(now.Add(-6*time.Minute), event, secret), event, 401},
		"a broken header":              {"POST", path, "t=,v1=", event, 401},
		"nothing":                      {"POST", path, "", nil, 401},
		"another method":               {"GET", path, signed, event, 405},
		"and another":                  {"PUT", path, signed, event, 405},
		"no name":                      {"POST", websets.PathHooks, signed, event, 404},
		"the folder":                   {"POST", strings.TrimSuffix(websets.PathHooks, "/"), signed, event, 404},
		"a guess":                      {"POST", websets.PathHooks + strings.Repeat("A", 94), signed, event, 404},
		"a name with something behind": {"POST", path + "/x", signed, event, 404},
		"a name that was altered":      {"POST", path[:len(path)-1] + "-", signed, event, 404},
		"a name of another server":     {"POST", strange.pathOf(hook), signed, event, 404},
		"a webhook that is gone":       {"POST", h.pathOf(gone), signed, event, 404},
		"one that is told elsewhere":   {"POST", h.pathOf(elsewhere), signed, event, 404},
		"another user's, by this id":   {"POST", h.pathOf(store.WebsetHook{User: noam, ID: hook.ID}), signed, event, 404},
		"one that is being made":       {"POST", h.pathOf(unanswered), signed, event, 503},
		"one whose key is gone":        {"POST", h.pathOf(lost), signed, event, 503},
		"too long": {"POST", path, standin.Sign(now, append(event, long...), secret),
			append(slices.Clone(event), long...), 413},
		"no event": {"POST", path, standin.Sign(now, []byte(`{"id":1}`), secret), []byte(`{"id":1}`),
			400},
		"no JSON": {"POST", path, standin.Sign(now, []byte(`<html>`), secret), []byte(`<html>`), 400},
	} {
		if got := post(t, h.receiver, c.method, c.path, c.signature, c.body); got != c.want {
			t.Errorf("%s: %d, want %d", name, got, c.want)
		}
	}
	if got := h.log(dana); len(got) != 0 {
		t.Fatalf("something was told: %v", got)
	}
	for range 3 {
		if got := h.post(path, signed, event); got != http.StatusNoContent {
			t.Errorf("the event itself: %d", got)
		}
	}
	whole := append(slices.Clone(long), eventOf("e2", "webset.idle", "webset", "ws_2", "", now)...)[1:]
	if got := h.post(path, standin.Sign(now, whole, secret), whole); got != http.StatusNoContent {
		t.Errorf("the longest body: %d", got)
	}
	if got, want := h.log(dana), []string{"WEBSET UPDATED ws_1", "WEBSET UPDATED ws_2"}; !slices.Equal(got, want) {
		t.Errorf("told %v, want %v", got, want)
	}
}

// A body that is cut off, or whose length is a lie, is not taken.
func TestBodiesThatEnd(t *testing.T) {
	h := newScene(t, sqliteStore(t))
	path := h.pathOf(h.listen(dana))
	for name, c := range map[string]struct {
		body   io.Reader
		length int64
		want   int
	}{
		"cut off":           {io.MultiReader(strings.NewReader(`{"id"`), failing{}), -1, 400},
		"endless":           {zeros{}, -1, 413},
		"says it is longer": {strings.NewReader("x"), websets.MaxBody + 1, 413},
	} {
		request := httptest.NewRequestWithContext(t.Context(), http.MethodPost, path, c.body)
		request.ContentLength = c.length
		answer := httptest.NewRecorder()
		h.receiver.ServeHTTP(answer, request)
		if answer.Code != c.want {
			t.Errorf("%s: %d, want %d", name, answer.Code, c.want)
		}
	}
}

type failing struct{}

func (failing) Read([]byte) (int, error) { return 0, errors.New("the connection was cut") }

// An unknown address costs neither a look into the store nor a byte of the body.
func TestAnUnknownAddressCostsNothing(t *testing.T) {
	h := newScene(t, nil)
	receiver := &websets.Receiver{Hooks: h.hooks, Now: h.clock.Now} // a look into its store would be a panic
	for _, name := range []string{"", "x", strings.Repeat("A", 94), strings.Repeat("A", 93), strings.Repeat("é", 47),
		strings.Repeat("A", 10_000), "../../graphql"} {
		request := httptest.NewRequestWithContext(t.Context(), http.MethodPost, websets.PathHooks, failing{})
		request.URL.Path += name
		answer := httptest.NewRecorder()
		receiver.ServeHTTP(answer, request)
		if answer.Code != http.StatusNotFound {
			t.Errorf("%q: %d", name, answer.Code)
		}
	}
}

// A store that does not answer makes the remote come again.
func TestAStoreThatIsAway(t *testing.T) {
	h := newScene(t, sqliteStore(t))
	hook := h.listen(dana)
	body := eventOf("e1", "webset.idle", "webset", "ws_1", "", h.clock.Now())
	for name, away := range map[string]*awayStore{"for reading": {Store: h.store, reading: true},
		"for writing": {Store: h.store}} {
		receiver := &websets.Receiver{Hooks: h.hooks, Store: away, Now: h.clock.Now}
		request := httptest.NewRequestWithContext(t.Context(), http.MethodPost, h.pathOf(hook), bytes.NewReader(body))
		request.Header.Set(exa.HeaderSignature, standin.Sign(h.clock.Now(), body, h.secret(hook)))
		answer := httptest.NewRecorder()
		receiver.ServeHTTP(answer, request)
		if answer.Code != http.StatusServiceUnavailable || answer.Header().Get("Retry-After") == "" {
			t.Errorf("%s: %d %v", name, answer.Code, answer.Header())
		}
	}
	if got := h.post(h.pathOf(hook), standin.Sign(h.clock.Now(), body, h.secret(hook)),
		body); got != http.StatusNoContent || len(h.log(dana)) != 1 {
		t.Errorf("afterwards: %d, %v", got, h.log(dana))
	}
}

type awayStore struct {
	store.Store
	reading bool
}

func (s *awayStore) WebsetHook(ctx context.Context, user model.UserID, id model.UUID) (store.WebsetHook, error) {
	if s.reading {
		return store.WebsetHook{}, store.ErrUnavailable
	}
	return s.Store.WebsetHook(ctx, user, id)
}

func (s *awayStore) Write(context.Context, model.UserID, func(context.Context, store.Tx) error) error {
	return store.ErrUnavailable
}

// A secret under an older key of the server is read, and put under the newer one with the next event.
func TestSecretsFollowTheServersKeys(t *testing.T) {
	h := newScene(t, sqliteStore(t))
	hook := h.listen(dana)
	path, secret := h.pathOf(hook), h.secret(hook)
	h.hooks.Box = newBox(t, 9, 1)
	body := eventOf("e1", "webset.idle", "webset", "ws_1", "", h.clock.Now())
	if got := h.post(path, standin.Sign(h.clock.Now(), body, secret), body); got != http.StatusNoContent {
		t.Fatal(got)
	}
	kept, err := h.store.WebsetHook(t.Context(), dana, hook.ID)
	if err != nil {
		t.Fatal(err)
	}
	if bytes.Equal(kept.Secret, hook.Secret) || h.hooks.Box.Stale(kept.Secret) || h.secret(kept) != secret {
		t.Error("the secret is not under the new key")
	}
}

// Only so many bodies are read at once; the rest is told to come again.
func TestOnlySoManyAtOnce(t *testing.T) {
	h := newScene(t, sqliteStore(t))
	path := h.pathOf(h.listen(dana))
	h.receiver.Observe = nil // it would be called by many at once
	const many = 40
	held, begun := make(chan struct{}), make(chan struct{}, many)
	codes := make(chan int, many)
	for range many {
		go func() {
			request := httptest.NewRequestWithContext(t.Context(), http.MethodPost, path, &waiting{begun: begun, held: held})
			answer := httptest.NewRecorder()
			h.receiver.ServeHTTP(answer, request)
			codes <- answer.Code
		}()
	}
	counts := map[int]int{}
	for range 8 {
		counts[<-codes]++
	}
	for range many - 8 {
		<-begun
	}
	close(held)
	for range many - 8 {
		counts[<-codes]++
	}
	if counts[http.StatusServiceUnavailable] != 8 || counts[http.StatusUnauthorized] != many-8 {
		t.Errorf("answered %v", counts)
	}
}

// waiting is a body that begins when it is read and ends when it may.
type waiting struct{ begun, held chan struct{} }

func (w *waiting) Read([]byte) (int, error) {
	if w.begun != nil {
		w.begun <- struct{}{}
		w.begun = nil
	}
	<-w.held
	return 0, io.EOF
}
