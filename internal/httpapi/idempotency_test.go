package httpapi_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"almanac/graph/model"
	"almanac/internal/httpapi"
)

// ledger is an Idempotency in memory: one transaction after the other, in which a counter may be charged.
type ledger struct {
	mu      sync.Mutex
	kept    map[string]model.IdempotentCall
	answers map[string][]byte
	claims  map[string]*held
	// balance is what the transactions have come to; open is that of the running one.
	balance int
	// commit, when set, fails instead of committing.
	commit error
	// claim, note, settle and release, when set, may fail instead, or look on.
	claim, note, settle, release func(ctx context.Context) error
}

type transactionKey struct{}

func (l *ledger) Once(ctx context.Context, user model.UserID, call model.IdempotentCall,
	fn func(ctx context.Context) ([]byte, error)) ([]byte, bool, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	id := user.String() + call.Key
	if before, ok := l.kept[id]; ok {
		if before.Fingerprint != call.Fingerprint {
			return nil, false, model.Errorf(model.CodeIdempotencyConflict, "The key was used for another request.")
		}
		return l.answers[id], true, nil
	}
	balance := l.balance
	answer, err := fn(context.WithValue(ctx, transactionKey{}, &balance))
	if err != nil {
		return nil, false, fmt.Errorf("rolled back: %w", err)
	}
	if l.commit != nil {
		return nil, false, l.commit
	}
	l.balance, l.kept[id], l.answers[id] = balance, call, answer
	return answer, false, nil
}

func newLedgerFront(t *testing.T) (front, *ledger) {
	l := &ledger{kept: map[string]model.IdempotentCall{}, answers: map[string][]byte{}, claims: map[string]*held{}}
	d := newFront(t, func(cfg *httpapi.Config) { cfg.Idempotency = l })
	d.resolver.Charge = func(ctx context.Context) error {
		balance, ok := ctx.Value(transactionKey{}).(*int)
		if !ok {
			return errors.New("no transaction")
		}
		*balance++
		return nil
	}
	return d, l
}

func mutation(query, variables string) string {
	if variables == "" {
		variables = "null"
	}
	return `{"query":"` + query + `","variables":` + variables + `}`
}

func TestAKeyGivesAMutationOneEffect(t *testing.T) {
	d, l := newLedgerFront(t)
	send := func(key, token, body string) (string, string, int) {
		w := d.do(call{body: body, header: map[string]string{"Idempotency-Key": key, "Authorization": "Bearer " + token}})
		read(t, w)
		return w.Body.String(), w.Result().Header.Get("Idempotency-Replayed"), w.Code
	}
	const query = "mutation M($by:Int!){increment(by:$by)}"
	one := mutation(query, `{"by":5}`)
	const five = `{"data":{"increment":5}}`
	if body, replayed, _ := send("k", "ruth", one); body != five || replayed != "" {
		t.Errorf("first: %s %q", body, replayed)
	}
	for range 3 {
		if body, replayed, code := send("k", "ruth", one); body != five || replayed != "true" || code != 200 {
			t.Errorf("again: %s %q", body, replayed)
		}
	}
	if l.balance != 1 || d.resolver.Counter.Load() != 5 {
		t.Errorf("balance %d, counter %d", l.balance, d.resolver.Counter.Load())
	}
	if body, _, code := send("k", "ruth", mutation(query, `{"by":6}`)); code != 200 ||
		!strings.Contains(body, "IDEMPOTENCY_CONFLICT") || strings.Contains(body, "data") {
		t.Errorf("other variables: %d %s", code, body)
	}
	if body, replayed, _ := send("k", "naomi", one); body != `{"data":{"increment":10}}` || replayed != "" {
		t.Errorf("another user's key: %s", body)
	}
	if body, _, _ := send("k2", "ruth", one); body != `{"data":{"increment":15}}` {
		t.Errorf("another key: %s", body)
	}
	w := d.do(call{body: mutation(query, `{"by":7}`), header: map[string]string{"Idempotency-Key": "k",
		"Authorization": "Bearer ruth", "Accept": "application/graphql-response+json"}})
	if w.Code != 422 {
		t.Errorf("conflict: %d", w.Code)
	}
}

func TestFingerprintIgnoresTheOrderOfKeysAndNothingElse(t *testing.T) {
	d, l := newLedgerFront(t)
	bodies := []string{
		`{"query":"mutation M($by:Int!){increment(by:$by)}","variables":{"by":1,"x":{"a":1,"b":[1,2]}},"operationName":"M"}`,
		`{"query":"mutation M($by:Int!){increment(by:$by)}","variables":{"by":1,"x":{"a":1,"b":[2,1]}},"operationName":"M"}`,
		`{"query":"mutation M($by:Int!){increment(by:$by)}","variables":{"by":1},"operationName":"M"}`,
		`{"query":"mutation M($by:Int!){increment(by:$by)}","variables":{"by":1.0},"operationName":"M"}`,
		`{"query":"mutation M($by:Int!){increment(by:$by)}","variables":{"by":1}}`,
		`{"query":"mutation M($by:Int!) {increment(by:$by)}","variables":{"by":1}}`,
		`{"query":"mutation{increment}"}`,
	}
	same := map[string]string{
		bodies[0]: `{"operationName":"M","variables":{"x":{"b":[1,2],"a":1},"by":1},"query":"mutation ` +
			`M($by:Int!){increment(by:$by)}"}`,
		bodies[6]: `{"variables":{},"query":"mutation{increment}","operationName":null,"extensions":{}}`,
	}
	seen := map[[32]byte]string{}
	fingerprintOf := func(body string) [32]byte {
		clear(l.kept)
		w := d.do(call{body: body, header: map[string]string{"Idempotency-Key": "k"}})
		for _, kept := range l.kept {
			return kept.Fingerprint
		}
		t.Fatalf("%s: %s", body, w.Body)
		return [32]byte{}
	}
	for _, body := range bodies {
		print := fingerprintOf(body)
		if other, twice := seen[print]; twice {
			t.Errorf("one fingerprint:\n%s\n%s", body, other)
		}
		seen[print] = body
		if twin, ok := same[body]; ok && fingerprintOf(twin) != print {
			t.Errorf("two fingerprints:\n%s\n%s", body, twin)
		}
	}
}

func TestAnswersThatARetryMayMendAreUndone(t *testing.T) {
	d, l := newLedgerFront(t)
	send := func(body string) string {
		w := d.do(call{body: body, header: map[string]string{"Idempotency-Key": "k"}})
		read(t, w)
		if w.Code != 200 {
			t.Errorf("%s: %d", body, w.Code)
		}
		return w.Body.String()
	}
	for how, code := range map[string]string{"PLAIN": "INTERNAL", "PANIC": "INTERNAL", "DEADLINE": "TIMEOUT",
		"UPSTREAM": "UPSTREAM_UNAVAILABLE"} {
		body := send(mutation("mutation{increment incrementAndFail(how:"+how+")}", ""))
		if !strings.Contains(body, `"code":"`+code+`"`) || !strings.Contains(body, `"data":null`) {
			t.Errorf("%s: %s", how, body)
		}
		if l.balance != 0 || len(l.kept) != 0 {
			t.Errorf("%s: balance %d, %d kept", how, l.balance, len(l.kept))
		}
	}
	// What the caller did wrong stays wrong, so that answer is kept.
	if body := send(mutation("mutation{increment incrementAndFail(how:NOT_FOUND)}", "")); !strings.Contains(body,
		"NOT_FOUND") || l.balance != 2 || len(l.kept) != 1 {
		t.Errorf("%s, balance %d", body, l.balance)
	}
	l.commit = errors.New("disk full at /secret/path")
	clear(l.kept)
	w := d.do(call{body: mutation("mutation{increment}", ""), header: map[string]string{"Idempotency-Key": "k"}})
	if answer := read(t, w); w.Code != 500 || answer.code() != "INTERNAL" || strings.Contains(w.Body.String(), "disk") ||
		l.balance != 2 {
		t.Errorf("a failed commit: %d %s", w.Code, w.Body)
	}
}

func TestIdempotencyKeysAreChecked(t *testing.T) {
	d, l := newLedgerFront(t)
	for key, ok := range map[string]bool{
		"k": true, strings.Repeat("~", 255): true, `"8e03978e-40d5-43dd-bc93-6894a57f9324"`: true,
		strings.Repeat("~", 256): false, "a b": false, "מפתח": false, "a\tb": false, "k1\nk2": false,
	} {
		w := d.do(call{body: mutation("mutation{increment}", ""), header: map[string]string{"Idempotency-Key": key}})
		if answer := read(t, w); (w.Code == 200) != ok || !ok && (w.Code != 400 || answer.code() != "BAD_USER_INPUT") {
			t.Errorf("%q: %d %s", key, w.Code, w.Body)
		}
	}
	r := call{body: mutation("mutation{increment}", "")}.request()
	r.Header["Idempotency-Key"] = []string{""}
	w := newRecorder(d, r)
	if w.Code != 400 {
		t.Errorf("an empty key: %d", w.Code)
	}
	if len(l.kept) != 3 {
		t.Errorf("%d kept", len(l.kept))
	}
	if w := d.do(call{body: mutation("{hello}", ""), header: map[string]string{"Idempotency-Key": "a b"}}); w.Code != 200 {
		t.Errorf("a query has no use for a key: %d", w.Code)
	}
	if w := newFront(t, nil).do(call{body: mutation("mutation{increment}", ""),
		header: map[string]string{"Idempotency-Key": "k"}}); w.Code != 501 || read(t, w).code() != "NOT_CONFIGURED" {
		t.Errorf("without a ledger: %d", w.Code)
	}
}

func TestAKeyIsNotIgnoredByStreams(t *testing.T) {
	s := &streams{}
	d := newFront(t, func(cfg *httpapi.Config) { cfg.Streams = s })
	for query, refused := range map[string]bool{"mutation{increment}": true, "{hello}": false,
		"subscription{ticks{number}}": false, "{nothing}": false} {
		w := d.do(call{body: mutation(query, ""),
			header: map[string]string{"Idempotency-Key": "k", "Accept": "text/event-stream"}})
		if (w.Code == 400) != refused || refused && read(t, w).code() != "BAD_USER_INPUT" {
			t.Errorf("%s: %d %s", query, w.Code, w.Body)
		}
	}
}
