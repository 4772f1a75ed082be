package exa_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"almanac/internal/standin/exa"
)

// TestAnything: whatever is asked in whatever order, every answer is one of the description, and in the end everything
// has ended.
func TestAnything(t *testing.T) {
	t.Parallel()
	for seed := range uint64(3) {
		r := &receiver{}
		h := open(t, exa.Options{Transport: r, Content: 200})
		h.post(v0+"/webhooks", object{"events": []string{"webset.idle", "webset.item.enriched", "webset.created"},
			"url": "https://me.example/"})
		random := rand.New(rand.NewPCG(seed, 1))
		for range 40 {
			h.anything(random)
			h.pass(time.Duration(random.IntN(6000)) * time.Millisecond)
		}
		h.pass(time.Hour)
		h.deliver()
		idle := map[any]string{}
		for _, one := range h.all(v0 + "/events?types=webset.idle&limit=200") {
			idle[dig(one, "data.id")] = one["createdAt"].(string)
		}
		for _, w := range h.all(websets) {
			h.want("status in the end", w["status"], "idle")
			for _, s := range objects(w["searches"]) {
				if s["status"] != "completed" && s["status"] != "canceled" {
					t.Errorf("seed %d: a search is %v", seed, s["status"])
				}
			}
			for _, e := range objects(w["enrichments"]) {
				if e["status"] == "pending" {
					t.Errorf("seed %d: an enrichment is pending", seed)
				}
			}
			for _, i := range h.all(websets + "/" + id(w) + "/items?limit=100") {
				for _, result := range objects(i["enrichments"]) {
					if result["status"] == "pending" {
						t.Errorf("seed %d: a result is pending", seed)
					}
				}
			}
		}
		if len(idle) == 0 || len(r.take()) == 0 {
			t.Errorf("seed %d: nothing happened", seed)
		}
	}
}

// TestAtOnce: requests at once, deliveries among them, are answered each as if it were alone.
func TestAtOnce(t *testing.T) {
	t.Parallel()
	r := &receiver{}
	h := open(t, exa.Options{Transport: r, Content: 200})
	h.post(v0+"/webhooks", object{"events": []string{"webset.created"}, "url": "https://me.example/"})
	var group sync.WaitGroup
	for range 4 {
		group.Go(func() {
			for range 8 {
				w := h.small()
				h.pass(time.Second)
				h.get(websets + "/" + id(w) + "?expand=items")
				if _, err := h.server.Deliver(h.Context()); err != nil {
					t.Error(err)
				}
			}
		})
	}
	group.Wait()
	h.want("websets", len(h.all(websets)), 32)
	h.deliver()
	h.want("told", len(r.take()), 32)
}

// anything does one thing to one of the websets, if there is one.
func (h *fixture) anything(random *rand.Rand) {
	h.Helper()
	all := h.all(websets)
	if len(all) == 0 || random.IntN(8) == 0 {
		h.small(object{"enrichments": []object{{"description": "Phone"}}})
		return
	}
	w := all[random.IntN(len(all))]
	address := websets + "/" + id(w)
	one := func(of any, path string, verb string) {
		if list := objects(of); len(list) > 0 {
			h.call(verb, address+fmt.Sprintf(path, id(list[random.IntN(len(list))])), nil)
		}
	}
	switch random.IntN(14) {
	case 0:
		h.post(address+"/cancel", nil)
	case 1:
		h.remove(address)
	case 2, 3:
		h.post(address+"/searches", object{"query": "Robotics companies", "count": 1 + random.IntN(5),
			"behavior": []string{"append", "override"}[random.IntN(2)]})
	case 4:
		one(w["searches"], "/searches/%s/cancel", http.MethodPost)
	case 5, 6:
		h.post(address+"/enrichments", object{"description": "Number of employees"})
	case 7:
		one(w["enrichments"], "/enrichments/%s/cancel", http.MethodPost)
	case 8:
		one(w["enrichments"], "/enrichments/%s", http.MethodDelete)
	case 9, 10:
		one(h.get(address + "/items")["data"], "/items/%s", http.MethodDelete)
	case 11:
		h.post(websets, object{"import": []object{{"source": "webset", "id": id(w)}}})
	case 12:
		h.post(v0+"/monitors", object{"websetId": id(w),
			"cadence":  object{"cron": fmt.Sprintf("%d 12 * * *", random.IntN(60))},
			"behavior": object{"type": "search", "config": object{"count": 2}}})
	default:
		h.deliver()
	}
}

// FuzzCron: whatever stands in a cadence, the answer is one of the description, and a next run is on a minute that was
// named, within nine years.
func FuzzCron(f *testing.F) {
	for _, seed := range []string{"0 8 * * *", "59 23 31 12 7", "0 0 29 2 *", "1 2 1-5/2,*/9 JAN-MAR MON,FRI", "* * * * *",
		"0 8 * * 8", "0 0 8 * * *", "٣ 8 * * *", "0 8 *-* * *", "0 8 1,,2 * *"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, cron string) {
		h := open(t, exa.Options{})
		w := h.post(websets, object{})
		status, text := h.send(http.MethodPost, v0+"/monitors", object{"websetId": id(w), "cadence": object{"cron": cron},
			"behavior": object{"type": "search", "config": object{"count": 1}}})
		if status == http.StatusBadRequest {
			return
		}
		var m object
		if err := json.Unmarshal(text, &m); err != nil || status != http.StatusCreated {
			t.Fatalf("%q: %d %s", cron, status, text)
		}
		next, set := m["nextRunAt"].(string)
		if !set {
			return
		}
		at, err := time.Parse(time.RFC3339, next)
		if err != nil || !at.After(h.now()) || at.Sub(h.now()) > 10*366*24*time.Hour || at.Second() != 0 {
			t.Errorf("%q: next run at %s", cron, next)
		}
		var minute, hour int
		if _, err := fmt.Sscanf(cron, "%d %d ", &minute, &hour); err == nil && (at.Minute() != minute || at.Hour() != hour) {
			t.Errorf("%q: next run at %s", cron, next)
		}
	})
}

// FuzzBodies: whatever is sent, nothing breaks, and what the description refuses is refused.
func FuzzBodies(f *testing.F) {
	for _, seed := range []string{
		`{}`,
		`{"search":{"query":"חברות","count":3,"criteria":[{"description":"c"}],` +
			`"entity":{"type":"custom","description":"xx"}},"enrichments":[{"description":"d","format":"options",` +
			`"options":[{"label":"l"}]}],"metadata":{"a":"b"}}`,
		`{"search":{"query":null}}`, `{"metadata":{"a":null}}`, `{"externalId":"\ud800"}`,
		`{"search":{"query":"x","count":1e300}}`, `[1]`, `"x"`,
		`{"search":{"query":"x","scope":[{"source":"webset","id":"x"}]}}`, `{"import":[{}]}`,
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, body string) {
		h := open(t, exa.Options{})
		for _, path := range []string{websets, websets + "/preview?search=true", v0 + "/imports", v0 + "/webhooks", "/search",
			"/research/v1"} {
			if status, text := h.send(http.MethodPost, path, body); status >= 500 {
				t.Errorf("%s: %d %s", path, status, text)
			}
		}
		h.pass(2 * time.Second)
		h.all(websets)
	})
}

// FuzzTomorrow: an answer of tomorrow has all the fields of today's.
func FuzzTomorrow(f *testing.F) {
	for _, seed := range []string{"plain", "quoted \"text\"", "שלום\u2028", "\\", "{}", "<html>&"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, value string) {
		answers := map[bool]any{}
		for _, strange := range []bool{false, true} {
			h := open(t, exa.Options{UnknownFields: strange})
			h.strange = true
			status, text := h.send(http.MethodPost, websets, object{"metadata": object{"value": value}})
			if status == http.StatusBadRequest {
				return
			}
			var answer any
			if err := json.Unmarshal(text, &answer); err != nil {
				t.Fatal(err)
			}
			answers[strange] = without(answer, "fromTomorrow")
			if strange != strings.Contains(string(text), "fromTomorrow") {
				t.Errorf("fields of tomorrow: %s", text)
			}
		}
		if show(answers[true]) != show(answers[false]) {
			t.Errorf("%s is not %s", show(answers[true]), show(answers[false]))
		}
	})
}

// without takes a field out of all objects.
func without(v any, name string) any {
	switch v := v.(type) {
	case object:
		delete(v, name)
		for field := range v {
			v[field] = without(v[field], name)
		}
	case []any:
		for i := range v {
			v[i] = without(v[i], name)
		}
	}
	return v
}
