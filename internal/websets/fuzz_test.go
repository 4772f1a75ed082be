package websets_test

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"almanac/adapters/exa"
	standin "almanac/internal/standin/exa"
)

// Whatever is posted, nothing but what was signed is taken, and nothing panics.
func FuzzReceiver(f *testing.F) {
	h := newScene(f, sqliteStore(f))
	hook := h.listen(dana)
	path, secret := h.pathOf(hook), h.secret(hook)
	now := h.clock.Now()
	event := eventOf("e1", "webset.item.created", "webset_item", "item_1", "ws_1", now)
	f.Add(http.MethodPost, "", standin.Sign(now, event, secret), event, false)
	f.Add(http.MethodPost, "", standin.Sign(now.Add(time.Hour), event, secret), event, false)
	f.Add(http.MethodPost, "", "t=1,v1=00", event, true)
	f.Add(http.MethodPost, "x", "", []byte(nil), true)
	f.Add(http.MethodGet, "", "", []byte(nil), false)
	f.Add(http.MethodPost, "", "", eventOf("e2", "webset.created", "webset", "ws\xff\x00", "", now), true)
	f.Add(http.MethodPost, "", "", []byte(
		`{"id":"e3","type":"webset.search.created","data":{"id":"s","object":"webset_search"}}`), true)
	f.Add(http.MethodPost, "", "",
		[]byte(`{"id":"אירוע","type":"monitor.run.created","createdAt":"tomorrow","data":{"id":"r","monitorId":"m"}}`), true)
	f.Fuzz(func(t *testing.T, method, behind, signature string, body []byte, sign bool) {
		if sign {
			signature = standin.Sign(now, body, secret)
		}
		within := *h
		within.TB = t
		h := &within
		before := len(h.log(dana))
		request, err := http.NewRequestWithContext(t.Context(), method, "http://almanac.example.com/", bytes.NewReader(body))
		if err != nil {
			return // that is no method
		}
		request.URL.Path = path + behind
		request.Header.Set(exa.HeaderSignature, signature)
		answer := httptest.NewRecorder()
		h.receiver.ServeHTTP(answer, request)
		code := answer.Code
		told := len(h.log(dana)) - before
		signed := method == http.MethodPost && behind == "" && exa.Verify(secret, signature, body, now, exa.Tolerance) == nil
		if !signed && (code < 400 || told != 0) {
			t.Errorf("%d, and %d lines, for what was not signed", code, told)
		}
		if told < 0 || told > 1 || told == 1 && code != http.StatusNoContent {
			t.Errorf("%d lines for one event, answered with %d", told, code)
		}
		if code >= 500 {
			t.Errorf("answered with %d", code)
		}
	})
}
