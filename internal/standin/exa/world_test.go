package exa_test

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"almanac/internal/standin/exa"
)

// TestWorld: the same query has the same answer in every process, of things that hold what was asked, but for one in
// eight; in both languages.
func TestWorld(t *testing.T) {
	t.Parallel()
	urls := map[string]bool{}
	for range 2 {
		h := open(t, exa.Options{})
		w := h.post(websets, object{"search": object{"query": "חברות מים בישראל", "count": 24}})
		h.pass(time.Hour)
		items := h.all(websets + "/" + id(w) + "/items")
		urls[fields(items, "properties.url")] = true
		h.want("items", len(items), 24)
		none, hebrew := 0, 0
		for _, one := range items {
			evaluations := objects(one["evaluations"])
			if !strings.Contains(fields(evaluations, "satisfied"), "yes") {
				none++
			}
			if strings.ContainsRune(dig(one, "properties.description").(string), 'ב') {
				hebrew++
			}
			if !strings.HasPrefix(evaluations[0]["reasoning"].(string), "כן") &&
				!strings.HasPrefix(evaluations[0]["reasoning"].(string), "לא") &&
				!strings.HasPrefix(evaluations[0]["reasoning"].(string), "המקורות") {
				t.Errorf("reasoning in another language than the criterion: %v", evaluations[0])
			}
		}
		h.want("that satisfy nothing", none, 3)
		if hebrew < 6 || hebrew > 20 {
			t.Errorf("%d of 24 are in Hebrew", hebrew)
		}
	}
	h := open(t, exa.Options{})
	h.want("answers of two processes", len(urls), 1)
	for kind, want := range map[string]string{"company": "company", "person": "person", "article": "article",
		"research_paper": "researchPaper", "custom": "custom"} {
		entity := object{"type": kind}
		if kind == "custom" {
			entity["description"] = "פודקאסטים"
		}
		w := h.post(websets, object{"search": object{"query": "robotics", "count": 24, "entity": entity,
			"criteria": []object{{"description": "Pleasant to read"}}}})
		h.pass(time.Hour)
		items := h.all(websets + "/" + id(w) + "/items?limit=100")
		for _, one := range items {
			if dig(one, "properties."+want) == nil || dig(one, "properties.type") != kind {
				t.Errorf("of %s: %v", kind, one["properties"])
			}
		}
		seen := fields(items, "evaluations.0.satisfied")
		for _, verdict := range []string{"yes", "no", "unclear"} {
			if !strings.Contains(seen, verdict) {
				t.Errorf("no criterion of %s is %s: %s", kind, verdict, seen)
			}
		}
	}
}

// TestCriteria: what is known is judged by it.
func TestCriteria(t *testing.T) {
	t.Parallel()
	h := open(t, exa.Options{})
	for _, c := range []struct{ query, criterion, path, has string }{
		{"companies in Paris", "Based in France", "company.location", "France"},
		{"companies in Paris", "Has more than 200 employees", "company.employees", ""},
		{"חברות בחיפה", "יושבות בחיפה", "company.location", "חיפה"},
		{"engineers in Toronto", "Works as a software engineer", "person.position", "Software Engineer"},
	} {
		w := h.post(websets, object{"search": object{"query": c.query, "count": 40,
			"criteria": []object{{"description": c.criterion}}}})
		h.pass(time.Hour)
		sure := 0
		for _, one := range h.all(websets + "/" + id(w) + "/items?limit=100") {
			satisfied := dig(one, "evaluations.0.satisfied")
			value := dig(one, "properties."+c.path)
			if value == nil || satisfied == "unclear" {
				continue
			}
			holds := c.has != "" && strings.Contains(show(value), c.has) ||
				c.has == "חיפה" && strings.Contains(show(value), "Haifa")
			if employees, isNumber := value.(float64); isNumber {
				holds = employees >= 200
			}
			if sure++; (satisfied == "yes") != holds {
				t.Errorf("%q of %v: %v", c.criterion, value, satisfied)
			}
		}
		if sure < 20 {
			t.Errorf("%s: only %d are sure", c.criterion, sure)
		}
	}
}

// TestSizes: an item has 2 to 5 KB without its content, mostly 5 to 55 with it, seldom up to 200, or as much as an
// option says; ten thousand items are found and read page by page.
func TestSizes(t *testing.T) {
	t.Parallel()
	h := open(t, exa.Options{Content: -1})
	w := h.post(websets, object{"search": object{"query": "companies", "count": 50, "criteria": []object{
		{"description": "a sound company"}, {"description": "kind to people"}, {"description": "grows"}}},
		"enrichments": []object{{"description": "Phone"}, {"description": "What they sell"}, {"description": "E-mail"}}})
	h.pass(time.Hour)
	var without, with []int
	for _, one := range h.all(websets + "/" + id(w) + "/items?limit=50") {
		full, err := json.Marshal(one)
		if err != nil {
			t.Fatal(err)
		}
		delete(one["properties"].(object), "content")
		bare, err := json.Marshal(one)
		if err != nil {
			t.Fatal(err)
		}
		without, with = append(without, len(bare)), append(with, len(full))
	}
	slices.Sort(without)
	slices.Sort(with)
	if without[5] < 2000 || without[25] > 6000 || with[10] < 5000 || with[44] > 60_000 || with[49] < 30_000 ||
		with[49] > 210_000 {
		t.Errorf("without content %d to %d, median %d; with it %d to %d, median %d", without[0], without[49], without[25],
			with[0], with[49], with[25])
	}

	h = open(t, exa.Options{Content: 200_000})
	large, err := h.server.Fill(key, "companies", 1)
	if err != nil {
		t.Fatal(err)
	}
	_, text := h.send(http.MethodGet, websets+"/"+large+"/items", nil)
	if n := len(text); n < 199_000 || n > 206_000 {
		t.Errorf("an item of 200 KB has %d bytes", n)
	}

	h = open(t, exa.Options{Content: 100})
	many, err := h.server.Fill(key, "companies", 10_000)
	if err != nil {
		t.Fatal(err)
	}
	h.want("found", dig(h.get(websets+"/"+many), "searches.0.progress.found"), 10_000)
	seen := map[string]bool{}
	cursor := ""
	for range 3 {
		page := h.get(websets + "/" + many + "/items?limit=20" + cursor)
		for _, one := range objects(page["data"]) {
			seen[id(one)] = true
		}
		cursor = "&cursor=" + page["nextCursor"].(string)
	}
	h.want("read", len(seen), 60)
	if _, err := h.server.Fill("nobody", "companies", 1); err == nil {
		t.Error("filled an account that is not there")
	}
}

// TestTomorrow: an answer of a later API has fields and values that nobody knows, and is otherwise the same.
func TestTomorrow(t *testing.T) {
	t.Parallel()
	h := open(t, exa.Options{UnknownFields: true, UnknownValues: map[string]string{
		"webset.status": "hibernating", "webset_item.source": "dream", "evaluations.satisfied": "perhaps",
		"entity.type": "planet", "properties.type": "planet", "webset_search.status": "musing",
	}})
	h.strange = true
	w := h.small(object{"metadata": object{"a": "b"}})
	h.want("webset", []any{w["status"], dig(w, "searches.0.status"), dig(w, "searches.0.entity.type")},
		[]any{"hibernating", "musing", "planet"})
	h.want("fields", []any{dig(w, "fromTomorrow.words"), dig(w, "searches.0.progress.fromTomorrow.level")},
		[]any{[]string{"חדש"}, 7})
	h.want("metadata stays what it is", w["metadata"], object{"a": "b"})
	h.pass(time.Minute)
	one := h.all(websets + "/" + id(w) + "/items")[0]
	h.want("item", []any{one["source"], dig(one, "evaluations.0.satisfied"), dig(one, "properties.type")},
		[]any{"dream", "perhaps", "planet"})
}

// TestSeed: a seeded account has a finished webset, one that fills in two minutes, a monitor that has run, an import,
// attempts and research.
func TestSeed(t *testing.T) {
	t.Parallel()
	r := &receiver{}
	h := open(t, exa.Options{Transport: r, WebhookURL: "https://me.example/hook"})
	if err := h.server.Seed(key); err != nil {
		t.Fatal(err)
	}
	if h.server.Seed(key) == nil || h.server.Seed("nobody") == nil {
		t.Error("seeded what is not empty, or not there")
	}
	all := h.all(websets)
	h.want("websets", fields(all, "externalId")+" "+fields(all, "status"), "ai-people water-and-food pending idle")
	finished := all[1]
	h.want("of the finished one", []any{len(objects(dig(finished, "searches.0.criteria"))),
		len(objects(finished["enrichments"])), len(objects(finished["imports"]))}, []any{3, 4, 0})
	items := h.all(websets + "/water-and-food/items")
	none := 0
	for _, one := range items {
		if !strings.Contains(fields(objects(one["evaluations"]), "satisfied"), "yes") {
			none++
		}
		h.want("enriched", fields(objects(one["enrichments"]), "status"), "completed completed completed completed")
	}
	if len(items) < 24 || len(items) > 26 || none < 2 || none > 4 {
		t.Errorf("%d items, of which %d satisfy nothing", len(items), none)
	}
	h.want("runs", fields(h.all(v0+"/monitors/"+dig(finished, "monitors.0.id").(string)+"/runs"), "status"),
		"completed completed completed")
	h.want("import", fields(h.all(v0+"/imports"), "status")+fields(h.all(v0+"/imports"), "count"), "completed3")
	h.want("research", fields(h.all("/research/v1"), "status"), "completed")
	hook := h.all(v0 + "/webhooks")[0]
	h.want("webhook", hook["status"], "active")
	attempts := h.all(v0 + "/webhooks/" + id(hook) + "/attempts")
	h.want("attempts", fields(attempts, "successful"), "true true false")
	h.want("nothing of the past is told", h.deliver(), 0)
	events := h.all(v0 + "/events?limit=200")
	if !slices.IsSortedFunc(events, func(x,
		y object) int {
		return strings.Compare(y["createdAt"].(string), x["createdAt"].(string))
	}) {
		t.Error("events are not in the order of their times")
	}

	for _, c := range []struct{ after, found int }{{1, 0}, {61, 15}, {121, 30}} {
		h.at = time.Date(2026, 11, 21, 12, 0, c.after, 0, time.UTC)
		h.want("found after a while", dig(h.get(websets+"/ai-people"), "searches.0.progress.found"), c.found)
	}
	h.pass(10 * time.Second)
	h.want("at the end", h.get(websets + "/ai-people")["status"], "idle")
	if h.deliver() == 0 || len(r.take()) == 0 {
		t.Error("nothing was told of what happened since")
	}
	quiet := open(t, exa.Options{})
	if err := quiet.server.Seed(key); err != nil {
		t.Fatal(err)
	}
	quiet.want("a webhook without a receiver", quiet.all(v0 + "/webhooks")[0]["status"], "inactive")
}

// TestFind: searches, similar pages, contents and answers, of the same world.
func TestFind(t *testing.T) {
	t.Parallel()
	h := open(t, exa.Options{})
	r := h.post("/search", object{"query": "Robotics companies in Berlin", "numResults": 5,
		"contents": object{"text": object{"maxCharacters": 100}, "highlights": true, "summary": object{"query": "Why?"},
			"context": true, "extras": object{"links": 2}}})
	results := objects(r["results"])
	h.want("results", len(results), 5)
	h.want("type", r["resolvedSearchType"], "neural")
	for _, one := range results {
		if n := len([]rune(one["text"].(string))); n > 100 || one["summary"] == nil || len(one["highlights"].([]any)) != 1 ||
			len(dig(one, "extras.links").([]any)) != 2 {
			t.Errorf("a result: %v", one)
		}
	}
	address := results[0]["url"].(string)
	domain := strings.TrimSuffix(strings.TrimPrefix(address, "https://"), "/")
	h.want("of one domain", fields(objects(h.post("/search", object{"query": "Robotics companies in Berlin",
		"includeDomains": []string{domain}})["results"]), "url"), address)
	for _, one := range objects(h.post("/search",
		object{"query": "Robotics companies in Berlin", "excludeDomains": []string{domain},
			"startPublishedDate": "2024-01-01", "endPublishedDate": "2025-12-31"})["results"]) {
		if year := one["publishedDate"].(string)[:4]; one["url"] == address || year != "2024" && year != "2025" {
			t.Errorf("filtered, and found: %v", one)
		}
	}
	for _, one := range objects(h.post("/search", object{"query": "news about water", "numResults": 3,
		"includeText": []string{"pilot"}, "contents": object{"text": true}})["results"]) {
		if !strings.Contains(one["text"].(string), "pilot") {
			t.Errorf("without the text: %v", one["url"])
		}
	}
	r = h.post("/search", object{"query": "כתבות על חינוך", "category": "news", "type": "deep-reasoning"})
	h.want("grounded", []any{r["searchType"], dig(r, "output.grounding.0.confidence")}, []any{"deep-reasoning", "high"})
	r = h.post("/search", object{"query": "x", "type": "deep",
		"outputSchema": object{"type": "object", "properties": object{"n": object{"type": "number"}}}})
	if _, isNumber := dig(r, "output.content.n").(float64); !isNumber {
		t.Errorf("structured: %v", r["output"])
	}
	similar := objects(h.post("/findSimilar",
		object{"url": address, "excludeSourceDomain": true, "numResults": 4})["results"])
	h.want("similar", len(similar), 4)
	if strings.Contains(fields(similar, "url"), address) {
		t.Error("a page is similar to itself")
	}
	person := objects(h.post("/search", object{"query": "engineers", "category": "people"})["results"])[0]["url"].(string)
	r = h.post("/contents", object{"urls": []string{address, "https://nowhere.invalid/", person}})
	h.want("contents", fields(objects(r["results"]), "url"), address+" "+person)
	h.want("statuses", fields(objects(r["statuses"]), "status"), "success error success")
	h.want("why", dig(r, "statuses.1.error.tag"), "CRAWL_NOT_FOUND")
	a := h.post("/answer", object{"query": "מי עוסק ברובוטיקה בברלין?", "text": true})
	h.want("citations", len(objects(a["citations"])), 4)
	_, stream := h.send(http.MethodPost, "/answer", object{"query": "Who works on robotics in Berlin?", "stream": true})
	var said strings.Builder
	for line := range strings.SplitSeq(string(stream), "\n\n") {
		var chunk object
		if text, isData := strings.CutPrefix(line, "data: "); isData && json.Unmarshal([]byte(text), &chunk) == nil {
			content, _ := dig(chunk, "choices.0.delta.content").(string)
			said.WriteString(content)
		}
	}
	h.want("streamed", said.String(), h.post("/answer", object{"query": "Who works on robotics in Berlin?"})["answer"])
}
