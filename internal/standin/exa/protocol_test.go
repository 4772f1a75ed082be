package exa_test

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"almanac/internal/standin/exa"
)

// raw asks with headers of one's own.
func (h *fixture) raw(method, path, body string, header http.Header) (*http.Response, string) {
	h.Helper()
	request, err := http.NewRequestWithContext(h.Context(), method, "https://api.exa.ai"+path, strings.NewReader(body))
	if err != nil {
		h.Fatal(err)
	}
	request.Header = header
	answer, err := h.client.Do(request)
	if err != nil {
		h.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		h.Fatal(err)
	}
	return answer, string(text)
}

// TestKeys: a key in either header; without one, or with one that nobody knows, 401; an open stand-in knows every key.
// No account sees another's.
func TestKeys(t *testing.T) {
	t.Parallel()
	h := open(t, exa.Options{Keys: []string{"one", "two"}})
	for _, c := range []struct {
		header http.Header
		status int
	}{
		{http.Header{"X-Api-Key": {"one"}}, 200},
		{http.Header{"Authorization": {"Bearer one"}}, 200},
		{http.Header{"Authorization": {"Basic one"}}, 401},
		{http.Header{"X-Api-Key": {"three"}}, 401},
		{http.Header{}, 401},
	} {
		answer, text := h.raw(http.MethodGet, websets, "", c.header)
		h.want("status", answer.StatusCode, c.status)
		if c.status == 401 && (!strings.Contains(text, "INVALID_API_KEY") || strings.Contains(text, "three")) {
			t.Errorf("refused with %s", text)
		}
	}
	h.key = "one"
	w := h.small(object{"externalId": "mine"})
	i := h.post(v0+"/imports", object{"format": "csv", "size": 10, "count": 1, "entity": object{"type": "person"}})
	m := h.post(v0+"/monitors", object{"websetId": id(w), "cadence": object{"cron": "0 8 * * *"},
		"behavior": object{"type": "search", "config": object{"count": 1}}})
	hook := h.post(v0+"/webhooks", object{"events": []string{"webset.idle"}, "url": "https://me.example/"})
	r := h.post("/research/v1", object{"instructions": "x"})
	event := h.all(v0 + "/events")[0]
	h.key = "two"
	for _, path := range []string{
		websets + "/" + id(w), websets + "/mine", websets + "/mine/items", v0 + "/imports/" + id(i),
		v0 + "/monitors/" + id(m), v0 + "/webhooks/" + id(hook),
		v0 + "/webhooks/" + id(hook) + "/attempts", v0 + "/events/" + id(event), "/research/v1/" + r["researchId"].(string),
	} {
		h.refused(http.MethodGet, path, nil, http.StatusNotFound, "not found")
	}
	for _, path := range []string{websets, v0 + "/imports", v0 + "/monitors", v0 + "/webhooks", v0 + "/events",
		"/research/v1", v0 + "/monitors/" + id(m) + "/runs"} {
		h.want(path, len(h.all(path)), 0)
	}
	h.refused(http.MethodPost, websets, object{"import": []object{{"source": "webset", "id": id(w)}}},
		http.StatusBadRequest, "names no webset of yours")
	h.refused(http.MethodPost, v0+"/monitors", object{"websetId": id(w), "cadence": object{"cron": "0 8 * * *"},
		"behavior": object{"type": "search", "config": object{"count": 1}}}, http.StatusNotFound, "Webset")
	h.small(object{"externalId": "mine"}) // the names of others are free

	anybody := open(t, exa.Options{Open: true})
	anybody.key = "whatever"
	anybody.small()
	anybody.key = "somebody else"
	anybody.want("of another", len(anybody.all(websets)), 0)
	anybody.key = ""
	anybody.refused(http.MethodGet, websets, nil, http.StatusUnauthorized, "INVALID_API_KEY")
}

// TestPaging: limits of each list, cursors that belong to it, no row twice and none left out, also while rows come.
func TestPaging(t *testing.T) {
	t.Parallel()
	h := open(t, exa.Options{})
	w := h.small()
	for path, most := range map[string]string{
		websets: "100", websets + "/" + id(w) + "/items": "100", v0 + "/monitors": "200", v0 + "/webhooks": "200",
		v0 + "/events": "200", v0 + "/imports": "200", "/research/v1": "50",
	} {
		h.get(path + "?limit=" + most)
		for _, bad := range []string{"0", most + "1", "-1", "x", "1.5"} {
			h.refused(http.MethodGet, path+"?limit="+bad, nil, http.StatusBadRequest, "limit must be a number from 1 to "+most)
		}
		for _, bad := range []string{"", "x", "AAAA", "OnNwbGl0"} {
			h.refused(http.MethodGet, path+"?cursor="+bad, nil, http.StatusBadRequest, "cursor")
		}
	}
	for range 30 {
		h.post(websets, object{})
	}
	first := h.get(websets)
	h.want("rows when nobody says", len(first["data"].([]any)), 25)
	h.refused(http.MethodGet, v0+"/events?cursor="+first["nextCursor"].(string), nil, http.StatusBadRequest,
		"cursor is not one of this list")
	h.post(websets, object{}) // it is newer than what is being read
	h.want("rows of the second page", len(h.get(websets + "?cursor=" + first["nextCursor"].(string))["data"].([]any)), 6)
	h.pass(15 * time.Second)
	items := websets + "/" + id(w) + "/items"
	h.want("items when nobody says", len(h.get(items)["data"].([]any)), 10)
	page := h.get(items + "?limit=10")
	h.want("a page that is full and the last", []any{page["hasMore"], page["nextCursor"]}, []any{false, nil})
	page = h.get(items + "?limit=4")
	h.remove(items + "/" + dig(page, "data.3.id").(string))
	h.want("after the row where it stopped was deleted",
		len(h.get(items + "?cursor=" + page["nextCursor"].(string))["data"].([]any)), 6)
}

// TestBodies: what the published description refuses is refused, and says where; what it does not name is passed over.
func TestBodies(t *testing.T) {
	t.Parallel()
	h := open(t, exa.Options{})
	w := id(h.small())
	long := strings.Repeat("א", 1001)
	many := func(n int, one object) []object {
		var all []object
		for range n {
			all = append(all, one)
		}
		return all
	}
	search := func(more ...object) object {
		s := object{"query": "x", "count": 5, "behavior": "append"}
		for _, one := range more {
			for name, value := range one {
				s[name] = value
			}
		}
		return s
	}
	criterion, option := object{"description": "c"}, object{"label": "o"}
	monitor := func(config object, more ...object) object {
		m := object{"websetId": w, "cadence": object{"cron": "0 8 * * *"},
			"behavior": object{"type": "search", "config": config}}
		for _, one := range more {
			for name, value := range one {
				m[name] = value
			}
		}
		return m
	}
	file := func(more object) object {
		f := object{"format": "csv", "size": 10, "count": 1, "entity": object{"type": "company"}}
		for name, value := range more {
			f[name] = value
		}
		return f
	}
	searches, enrichments := websets+"/"+w+"/searches", websets+"/"+w+"/enrichments"
	for _, c := range []struct {
		path string
		body any
		says string // empty: it is taken
	}{
		{websets, object{"color": "blue"}, ""},
		{websets, object{"externalId": strings.Repeat("x", 301)}, "externalId must have at most 300 characters"},
		{websets, object{"externalId": strings.Repeat("א", 300)}, ""},
		{websets, object{"metadata": object{"a": long}}, "metadata.a must have at most 1000 characters"},
		{websets, object{"metadata": object{"a": long[2:]}}, ""},
		{websets, object{"metadata": object{"a": 1}}, "metadata.a must be a string"},
		{websets, object{"metadata": []string{}}, "metadata must be an object"},
		{websets, object{"search": object{}}, "search.query is required"},
		{websets, object{"search": object{"query": ""}}, "search.query must have at least 1"},
		{websets, object{"search": object{"query": strings.Repeat("x", 5001)}}, "search.query must have at most 5000"},
		{websets, object{"search": object{"query": 7}}, "search.query must be a string"},
		{websets, object{"search": object{"query": "x", "count": 0}}, "search.count must be at least 1"},
		{websets, object{"search": object{"query": "x", "count": 1.5}}, "search.count must be a whole number"},
		{websets, object{"search": object{"query": "x", "count": "ten"}}, "search.count must be a number"},
		{websets, object{"search": object{"query": "x", "entity": object{"type": "planet"}}},
			"search.entity.type must be one of company, person"},
		{websets, object{"search": object{"query": "x", "entity": object{"type": "custom"}}},
			"search.entity.description is required"},
		{websets, object{"search": object{"query": "x", "entity": object{"type": "custom", "description": "x"}}},
			"at least 2"},
		{websets, object{"search": object{"query": "x",
			"entity": object{"type": "custom", "description": strings.Repeat("x", 200)}}}, ""},
		{websets, object{"search": "x"}, "search must be an object"},
		{websets, object{"search": nil}, "search must not be null"},
		{websets, object{"enrichments": []string{"x"}}, "enrichments [0] must be an object"},
		{websets, object{"import": []object{{"source": "file", "id": "x"}}},
			"import[0].source must be one of import, webset"},
		{websets, "[]", "not a JSON object"},
		{websets, `{"search":`, "not a JSON object"},
		{websets, `{} {}`, "not a JSON object"},
		{searches, object{"query": "x"}, "count is required"},
		{searches, search(object{"criteria": []object{}}), "criteria must have at least 1"},
		{searches, search(object{"criteria": many(6, criterion)}), "criteria must have at most 5"},
		{searches, search(object{"criteria": many(5, criterion)}), ""},
		{searches, search(object{"criteria": []object{{"description": long}}}),
			"criteria[0].description must have at most 1000"},
		{searches, search(object{"behavior": "replace"}), "behavior must be one of override, append"},
		{searches, search(object{"recall": "yes"}), "recall must be true or false"},
		{searches, search(object{"scope": []object{{"source": "webset", "id": w,
			"relationship": object{"definition": "x", "limit": 11}}}}), "relationship.limit must be at most 10"},
		{enrichments, object{}, "description is required"},
		{enrichments, object{"description": strings.Repeat("x", 5001)}, "description must have at most 5000"},
		{enrichments, object{"description": "x", "format": "color"}, "format must be one of text, date"},
		{enrichments, object{"description": "x", "options": []object{}}, "options must have at least 1"},
		{enrichments, object{"description": "x", "options": many(151, option)}, "options must have at most 150"},
		{enrichments, object{"description": "x", "options": many(150, option)}, ""},
		{enrichments, object{"description": "x", "format": "options"}, "options is required"},
		{v0 + "/monitors", monitor(object{}), "behavior.config.count is required"},
		{v0 + "/monitors", monitor(object{"count": 1, "query": "x"}), "query must have at least 2"},
		{v0 + "/monitors", monitor(object{"count": 1, "criteria": many(6, object{"description": "cc"})}),
			"criteria must have at most 5"},
		{v0 + "/monitors", monitor(object{"count": 1, "criteria": []object{criterion}}), "description must have at least 2"},
		{v0 + "/monitors", monitor(object{"count": 1}, object{"cadence": object{}}), "cadence.cron is required"},
		{v0 + "/monitors", monitor(object{"count": 1}, object{
			"behavior": object{"type": "refresh", "config": object{"count": 1}}}), "behavior.type must be one of search"},
		{v0 + "/webhooks", object{"url": "https://a.example"}, "events is required"},
		{v0 + "/webhooks", object{"url": "https://a.example", "events": []string{}}, "events must have at least 1"},
		{v0 + "/webhooks", object{"url": "https://a.example",
			"events": strings.Split(strings.Repeat("webset.idle ", 20), " ")[:20]}, "events must have at most 19"},
		{v0 + "/webhooks", object{"url": "https://a.example", "events": []string{"webset.bored"}}, "events [0]"},
		{v0 + "/webhooks", object{"url": "a.example", "events": []string{"webset.idle"}}, "url must be a URL"},
		{v0 + "/webhooks", object{"url": "ftp://a.example", "events": []string{"webset.idle"}}, "url must be a URL"},
		{v0 + "/imports", file(object{"size": 50_000_001}), "size must be at most 50000000"},
		{v0 + "/imports", file(object{"size": 50_000_000}), ""},
		{v0 + "/imports", file(object{"format": "xlsx"}), "format must be one of csv"},
		{v0 + "/imports", file(object{"csv": object{"identifier": -1}}), "csv.identifier must be at least 0"},
		{v0 + "/imports", object{}, "entity is required"},
		{"/search", object{}, "query is required"},
		{"/search", object{"query": "x", "numResults": 101}, "numResults must be at most 100"},
		{"/search", object{"query": "x", "type": "slow"}, "type must be one of"},
		{"/search", object{"query": "x", "category": "poems"}, "category must be one of"},
		{"/search", object{"query": "x", "startPublishedDate": "May"}, "startPublishedDate must be a date"},
		{"/search", object{"query": "x", "contents": object{"text": 7}}, "contents.text must be true, false or an object"},
		{"/search", object{"query": "x", "includeText": []string{"a b c d e f"}}, "at most 5 words"},
		{"/contents", object{}, "urls is required"},
		{"/findSimilar", object{"url": "x"}, "url must be a URL"},
		{"/answer", object{"query": ""}, "query must have at least 1"},
	} {
		status, text := h.send(http.MethodPost, c.path, c.body)
		if c.says == "" && status >= 300 || c.says != "" && (status != 400 || !strings.Contains(string(text), c.says)) {
			t.Errorf("%s %v: %d %s, want %q", c.path, c.body, status, text, c.says)
		}
	}
	answer, text := h.raw(http.MethodPost, websets, strings.Repeat(" ", 5<<20),
		http.Header{"X-Api-Key": {key}, "Content-Type": {"application/json"}})
	h.want("too long", answer.StatusCode, http.StatusRequestEntityTooLarge)
	h.want("in the form of Websets", strings.Contains(text, `"statusCode":413`), true)
	_, text = h.raw(http.MethodPost, websets, `{"externalId":"x"}`,
		http.Header{"X-Api-Key": {key}, "Content-Type": {"text/plain"}})
	h.want("a body of another type is not read", strings.Contains(text, `"externalId":null`), true)
}

// TestErrors: the two bodies, each where it belongs; a path or a verb that is not there; credits; too many in a second.
func TestErrors(t *testing.T) {
	t.Parallel()
	h := open(t, exa.Options{Credits: 25, PerSecond: 5})
	status, text := h.send(http.MethodGet, v0+"/events/nobody", nil)
	var body object
	if err := json.Unmarshal(text, &body); err != nil || status != 404 {
		t.Fatalf("%d %s", status, text)
	}
	h.want("body of Websets", []any{body["statusCode"], body["error"], body["path"], body["timestamp"]},
		[]any{404, "Not Found", v0 + "/events/nobody", "2026-11-21T12:00:00.000Z"})
	h.refused(http.MethodGet, "/research/v1/nobody", nil, 404, `"tag":"NOT_FOUND"`)
	h.refused(http.MethodGet, "/websets/v0/nothing", nil, 404, "Cannot GET /websets/v0/nothing")
	h.refused(http.MethodPut, websets, nil, 404, "Cannot PUT /websets/v0/websets")
	h.refused(http.MethodGet, "/search", nil, 404, `"tag":"NOT_FOUND"`)
	h.refused(http.MethodGet, websets, nil, 429, `{"error":"rate limit exceeded"}`)
	h.pass(999 * time.Millisecond)
	h.refused(http.MethodGet, websets, nil, 429, "rate limit exceeded")
	h.pass(time.Millisecond)
	w := h.small()
	h.small()
	h.refused(http.MethodPost, websets, object{"search": object{"query": "x"}}, 402, `"tag":"NO_MORE_CREDITS"`)
	h.refused(http.MethodPost, websets+"/"+id(w)+"/searches", object{"query": "x", "count": 6, "behavior": "append"}, 402,
		"NO_MORE_CREDITS")
	h.post(websets+"/"+id(w)+"/searches", object{"query": "x", "count": 5, "behavior": "append"})
	ids := map[string]bool{}
	h.pass(time.Minute)
	for range 5 {
		answer, _ := h.raw(http.MethodGet, websets, "", http.Header{"X-Api-Key": {key}})
		ids[answer.Header.Get("X-Request-Id")] = true
	}
	h.want("ids of requests", len(ids), 5)
}

// TestFaults: each fault does what it says, to what it is meant for, as often as it is to.
func TestFaults(t *testing.T) {
	t.Parallel()
	header := http.Header{"X-Api-Key": {key}}
	for name, c := range map[string]struct {
		fault  exa.Fault
		status int
		says   string
	}{
		"status":        {exa.Fault{Status: 503}, 503, `"statusCode":503`},
		"general form":  {exa.Fault{Status: 503, General: true}, 503, `"tag":"SERVICE_OVERLOADED"`},
		"tag":           {exa.Fault{Status: 402, Tag: "API_KEY_BUDGET_EXCEEDED"}, 402, `"tag":"API_KEY_BUDGET_EXCEEDED"`},
		"plain":         {exa.Fault{Status: 429, Plain: true}, 429, `{"error":"Made to fail"}`},
		"a body":        {exa.Fault{Status: 502, Body: "<html>"}, 502, "<html>"},
		"garbage":       {exa.Fault{Garbage: true}, 200, "<!doctype html>"},
		"half a JSON":   {exa.Fault{BadJSON: true}, 200, `{"data":[`},
		"empty":         {exa.Fault{Empty: true}, 200, ""},
		"padded":        {exa.Fault{Pad: 5000}, 200, strings.Repeat(" ", 5000)},
		"a header":      {exa.Fault{Header: http.Header{"Content-Type": {"text/plain"}}}, 200, `"data"`},
		"of this path":  {exa.Fault{Path: "/websets/v0/*", Status: 500}, 500, "Made to fail"},
		"another path":  {exa.Fault{Path: "/websets/v0/*/x", Status: 500}, 200, `"data"`},
		"another verb":  {exa.Fault{Method: http.MethodPost, Status: 500}, 200, `"data"`},
		"not yet":       {exa.Fault{After: 1, Status: 500}, 200, `"data"`},
		"unknown value": {exa.Fault{UnknownValues: map[string]string{"webset.status": "asleep"}}, 200, `"status":"asleep"`},
	} {
		h := open(t, exa.Options{})
		h.small()
		h.strange = true
		h.server.Inject(c.fault)
		answer, text := h.raw(http.MethodGet, websets, "", header)
		if answer.StatusCode != c.status || !strings.Contains(text, c.says) || c.says == "" && text != "" {
			t.Errorf("%s: %d %.200s", name, answer.StatusCode, text)
		}
	}
	h := open(t, exa.Options{})
	h.strange = true
	h.server.Inject(exa.Fault{Status: 429, RetryAfter: 1500 * time.Millisecond, Times: 2})
	answer, _ := h.raw(http.MethodGet, websets, "", header)
	h.want("Retry-After", answer.Header.Get("Retry-After"), "2")
	h.refused(http.MethodGet, websets, nil, 429, "")
	h.want("over", len(h.all(websets)), 0)
	h.server.Inject(exa.Fault{Status: 500})
	h.server.Clear()
	h.want("cleared", len(h.all(websets)), 0)

	ask := func(fault exa.Fault) error {
		h.server.Inject(fault)
		defer h.server.Clear()
		request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "https://api.exa.ai"+websets,
			strings.NewReader("{}"))
		if err != nil {
			return err
		}
		request.Header = http.Header{"X-Api-Key": {key}, "Content-Type": {"application/json"}}
		answer, err := h.client.Do(request)
		if err != nil {
			return err
		}
		_, err = io.ReadAll(answer.Body)
		return err
	}
	for name, c := range map[string]struct {
		fault exa.Fault
		made  int
	}{"before": {exa.Fault{Reset: true}, 0}, "after": {exa.Fault{LoseAnswer: true}, 1},
		"within": {exa.Fault{Half: true}, 1}} {
		before := len(h.all(websets))
		if ask(c.fault) == nil {
			t.Errorf("cut %s: an answer came", name)
		}
		h.want("made when it is cut "+name, len(h.all(websets))-before, c.made)
	}
	for _, r := range h.server.Requests()[:1] {
		h.want("remembered", []any{r.Method, r.Path, r.Key, r.Status}, []any{"GET", websets, key, 429})
	}
}

// TestSlow: a delay passes by the clock of the machine, or until the client gives up, which is all that a hanging one
// waits for.
func TestSlow(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := exa.New(exa.Options{Now: time.Now, Keys: []string{key}})
		client := &http.Client{Transport: s.Transport()}
		ask := func(fault exa.Fault, patience time.Duration) (time.Duration, error) {
			s.Inject(fault)
			defer s.Clear()
			ctx, cancel := context.WithTimeout(t.Context(), patience)
			defer cancel()
			request, err := http.NewRequestWithContext(ctx, http.MethodGet, "https://api.exa.ai"+websets, nil)
			if err != nil {
				t.Fatal(err)
			}
			request.Header.Set("X-Api-Key", key)
			from := time.Now()
			answer, err := client.Do(request)
			if err == nil {
				_ = answer.Body.Close()
			}
			return time.Since(from), err
		}
		if took, err := ask(exa.Fault{Latency: 3 * time.Second}, time.Minute); took != 3*time.Second || err != nil {
			t.Errorf("a delay took %v: %v", took, err)
		}
		if took, err := ask(exa.Fault{Latency: time.Hour}, time.Second); took != time.Second || err == nil {
			t.Errorf("a delay that is too long took %v: %v", took, err)
		}
		if took, err := ask(exa.Fault{Hang: true}, time.Minute); took != time.Minute || err == nil {
			t.Errorf("hanging took %v: %v", took, err)
		}
	})
}
