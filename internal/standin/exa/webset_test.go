package exa_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"almanac/internal/standin/exa"
)

// TestWebsetFills: a webset goes from pending over running to idle by the clock alone, and its items with their
// enrichments come one after the other.
func TestWebsetFills(t *testing.T) {
	t.Parallel()
	h := open(t, exa.Options{})
	w := h.small(object{"enrichments": []object{{"description": "Contact e-mail"}, {"description": "Number of employees"}},
		"metadata": object{"a": "א"}})
	address := websets + "/" + id(w)
	h.want("status at first", w["status"], "pending")
	h.want("search at first", dig(w, "searches.0.status"), "created")
	h.want("time left at first", dig(w, "searches.0.progress.timeLeft"), nil)
	h.want("title", w["title"], "Water companies in Israel")
	h.want("kind that was found out", dig(w, "searches.0.entity"), object{"type": "company"})
	h.want("criteria that were found out", fields(objects(dig(w, "searches.0.criteria")), "description"),
		"Located in Israel Works on water technology")
	h.want("items at first", len(h.all(address+"/items")), 0)

	h.pass(time.Second)
	h.want("status after a second", h.get(address)["status"], "running")
	h.pass(5 * time.Second)
	items := h.all(address + "/items")
	h.want("items after 6 seconds", len(items), 1)
	h.want("enrichments of one just found", items[0]["enrichments"], nil)
	h.want("evaluations", fields(objects(items[0]["evaluations"]), "satisfied"), "yes yes")
	h.pass(time.Second)
	items = h.all(address + "/items")
	h.want("enrichments a second later", fields(objects(items[0]["enrichments"]), "status"), "pending pending")
	w = h.get(address)
	h.want("found", dig(w, "searches.0.progress.found"), 2)
	h.want("time left", dig(w, "searches.0.progress.timeLeft"), 8)
	h.want("percent", dig(w, "searches.0.progress.completion"), 42)
	h.pass(2 * time.Second)
	items = h.all(address + "/items")
	h.want("enrichments 3 seconds later", fields(objects(items[0]["enrichments"]), "status"), "completed pending")

	h.pass(6 * time.Second)
	w = h.get(address)
	h.want("search at the end", dig(w, "searches.0.status"), "completed")
	h.want("progress at the end", dig(w, "searches.0.progress"),
		object{"found": 10, "analyzed": 15, "completion": 100, "timeLeft": 0})
	h.want("status while enrichments go on", w["status"], "running")
	h.want("enrichments while they go on", fields(objects(w["enrichments"]), "status"), "pending pending")
	h.pass(4 * time.Second)
	w = h.get(address)
	h.want("status at the end", w["status"], "idle")
	h.want("enrichments at the end", fields(objects(w["enrichments"]), "status format"), "null null")
	h.want("formats", fields(objects(w["enrichments"]), "format"), "email number")
	items = h.all(address + "/items?limit=3")
	h.want("items at the end, over pages", len(items), 10)
	for _, one := range items {
		h.want("enrichments of each", fields(objects(one["enrichments"]), "status"), "completed completed")
	}
	want := "webset.created webset.search.created" + strings.Repeat(" webset.item.created", 2)
	if types := h.types(); !strings.HasPrefix(types, want) || !strings.HasSuffix(types,
		"webset.item.enriched webset.idle") || strings.Count(types, "webset.search.updated") != 3 ||
		strings.Count(types, "webset.item.enriched") != 10 || strings.Count(types, "webset.search.completed") != 1 ||
		strings.Count(types, "webset.idle") != 1 {
		t.Errorf("events: %s", types)
	}
}

// objects returns a list as objects.
func objects(v any) []object {
	var all []object
	list, _ := v.([]any)
	for _, one := range list {
		all = append(all, one.(object))
	}
	return all
}

// TestClockAlone: whoever asks once at the end sees the same events with the same times as who asks all the time.
func TestClockAlone(t *testing.T) {
	t.Parallel()
	seen := map[bool]string{}
	for _, often := range []bool{false, true} {
		h := open(t, exa.Options{})
		w := h.small(object{"enrichments": []object{{"description": "Where is it?"}}})
		for range 20 {
			h.pass(1500 * time.Millisecond)
			if often {
				h.get(websets + "/" + id(w))
			}
		}
		events := h.all(v0 + "/events")
		seen[often] = fields(events, "type") + fields(events, "createdAt") +
			fields(h.all(websets+"/"+id(w)+"/items"), "properties.url")
	}
	if seen[true] != seen[false] {
		t.Errorf("asking changes what happens:\n%s\n%s", seen[true], seen[false])
	}
}

// TestSearchTakes: small searches end within half a minute, large ones take about an hour, at twice the pace half of
// it.
func TestSearchTakes(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		count       int
		pace        float64
		still, done time.Duration
	}{
		{10, 0, 14 * time.Second, 15 * time.Second},
		{25, 0, 29 * time.Second, 30 * time.Second},
		{1000, 0, 58 * time.Minute, 60 * time.Minute},
		{25, 0.5, 14 * time.Second, 15 * time.Second},
	} {
		h := open(t, exa.Options{Pace: c.pace})
		w := h.post(websets, object{"search": object{"query": "companies", "count": c.count}})
		h.pass(c.still)
		h.want("before", dig(h.get(websets+"/"+id(w)), "searches.0.status"), "running")
		h.pass(c.done - c.still)
		h.want("after", dig(h.get(websets+"/"+id(w)), "searches.0.status"), "completed")
	}
}

// TestWebsets: reading, listing, changing and deleting, by the id or the external id.
func TestWebsets(t *testing.T) {
	t.Parallel()
	h := open(t, exa.Options{})
	first := h.small(object{"externalId": "מזהה/1", "metadata": object{"a": "1"}})
	h.refused(http.MethodPost, websets, object{"externalId": "מזהה/1"}, http.StatusConflict, "already exists")
	byOwn := websets + "/%D7%9E%D7%96%D7%94%D7%94%2F1"
	h.want("by the external id", id(h.get(byOwn)), id(first))
	second := h.post(websets, object{})
	h.want("status of an empty one", second["status"], "idle")
	h.want("title of an empty one", second["title"], nil)
	h.want("newest first", fields(h.all(websets+"?limit=1"), "id"), id(second)+" "+id(first))
	h.want("changed", h.post(byOwn, object{"metadata": object{"b": "ב"}})["metadata"], object{"b": "ב"})
	h.want("left as it is", h.post(byOwn, object{})["metadata"], object{"b": "ב"})
	h.want("emptied", h.post(byOwn, object{"metadata": nil})["metadata"], object{})
	h.pass(time.Minute)
	h.want("with items", len(h.get(byOwn + "?expand=items")["items"].([]any)), 10)
	h.want("without items", h.get(byOwn)["items"], nil)
	h.want("deleted", id(h.remove(byOwn)), id(first))
	h.refused(http.MethodGet, byOwn, nil, http.StatusNotFound, "not found")
	h.refused(http.MethodDelete, websets+"/"+id(first), nil, http.StatusNotFound, "not found")
	h.small(object{"externalId": "מזהה/1"}) // it is free again
}

// TestCancelAndDelete: what is canceled or deleted stops, and says why.
func TestCancelAndDelete(t *testing.T) {
	t.Parallel()
	h := open(t, exa.Options{})
	w := h.small(object{"enrichments": []object{{"description": "Phone"}}})
	address := websets + "/" + id(w)
	h.pass(8 * time.Second)
	w = h.post(address+"/cancel", nil)
	h.want("status", w["status"], "idle")
	h.want("search", dig(w, "searches.0.status"), "canceled")
	h.want("reason", dig(w, "searches.0.canceledReason"), "webset_canceled")
	h.want("enrichment", dig(w, "enrichments.0.status"), "canceled")
	h.pass(time.Hour)
	items := h.all(address + "/items")
	h.want("items that were there", len(items), 3)
	h.want("what was waited for", fields(objects(items[1]["enrichments"]), "status"), "canceled")
	h.want("once more", h.post(address+"/cancel", nil)["status"], "idle")

	s := h.post(address+"/searches", object{"query": "Robotics companies", "count": 5, "behavior": "append"})
	h.pass(6 * time.Second)
	h.want("canceled alone", h.post(address+"/searches/"+id(s)+"/cancel", nil)["canceledReason"], nil)
	h.want("progress that stays", dig(h.get(address+"/searches/"+id(s)), "progress.completion"), 55)
	h.want("status", h.get(address)["status"], "idle")

	h.post(address+"/searches", object{"query": "Robotics companies", "count": 5, "behavior": "append"})
	h.want("reason of the last", dig(h.remove(address), "searches.2.canceledReason"), "webset_deleted")
	types := h.types()
	if !strings.HasSuffix(types, "webset.search.created webset.search.canceled webset.deleted") {
		t.Errorf("events: %s", types)
	}
	h.pass(time.Hour)
	h.want("nothing happens after", h.types(), types)
}

// TestBehavior: append adds what is not there yet; override judges anew what is there, lets go of what satisfies
// nothing, and goes on.
func TestBehavior(t *testing.T) {
	t.Parallel()
	h := open(t, exa.Options{})
	w := h.small()
	address := websets + "/" + id(w)
	h.pass(time.Minute)
	h.post(address+"/searches", object{"query": "Water companies in Israel", "count": 10, "behavior": "append"})
	h.pass(time.Minute)
	items := h.all(address + "/items")
	there := map[string]bool{}
	for _, one := range items {
		there[dig(one, "properties.url").(string)] = true
	}
	h.want("items of both", len(items), 20)
	h.want("each once", len(there), 20)
	h.want("by source", len(h.all(address+"/items?sourceId="+dig(w, "searches.0.id").(string))), 10)

	s := h.post(address+"/searches", object{"query": "Water companies in Haifa", "count": 5,
		"criteria": []object{{"description": "Located in Haifa"}}, "recall": true})
	h.want("behaviour when none is named", s["behavior"], "override")
	h.pass(time.Minute)
	for _, one := range h.all(address + "/items") {
		h.want("criteria of each", fields(objects(one["evaluations"]), "criterion"), "Located in Haifa")
		if one["sourceId"] != id(s) {
			h.want("one that was there and stays", dig(one, "evaluations.0.satisfied"), "yes")
		}
	}
	s = h.get(address + "/searches/" + id(s))
	if total := dig(s, "recall.expected.total").(float64); total < 20 || total > 400 {
		t.Errorf("recall: %v", total)
	}
	rate := dig(s, "criteria.0.successRate").(float64)
	if rate < 50 || rate > 100 {
		t.Errorf("success rate: %v", rate)
	}

	strict := open(t, exa.Options{NeedBehavior: true})
	address = websets + "/" + id(strict.small())
	strict.refused(http.MethodPost, address+"/searches", object{"query": "x", "count": 5}, http.StatusBadRequest,
		"behavior is required")
}

// TestSources: what is excluded is not found, what is the scope is all that is found, and a relation leads on from
// there.
func TestSources(t *testing.T) {
	t.Parallel()
	h := open(t, exa.Options{})
	first := h.small()
	h.pass(time.Minute)
	known := map[any]bool{}
	for _, one := range h.all(websets + "/" + id(first) + "/items") {
		known[dig(one, "properties.url")] = true
	}
	source := []object{{"source": "webset", "id": id(first)}}
	ask := func(search object, more ...object) []object {
		t.Helper()
		search["query"], search["count"] = "Water companies in Israel", 10
		w := h.small(append(more, object{"search": search})...)
		h.pass(2 * time.Minute)
		return h.all(websets + "/" + id(w) + "/items")
	}
	for name, items := range map[string][]object{"of the search": ask(object{"exclude": source}),
		"of the webset": ask(object{}, object{"exclude": source})} {
		h.want("items "+name, len(items), 10)
		for _, one := range items {
			if known[dig(one, "properties.url")] {
				t.Errorf("excluded %s, and found: %v", name, dig(one, "properties.url"))
			}
		}
	}
	items := ask(object{"scope": source})
	if len(items) == 0 {
		t.Error("nothing was found in the scope")
	}
	for _, one := range items {
		if !known[dig(one, "properties.url")] {
			t.Errorf("not of the scope: %v", dig(one, "properties.url"))
		}
	}
	related := ask(object{"query": "people", "entity": object{"type": "person"}, "scope": []object{
		{"source": "webset", "id": id(first), "relationship": object{"definition": "employees of", "limit": 3}}}})
	for _, one := range related {
		h.want("kind of the related", dig(one, "properties.type"), "person")
	}
	empty := h.post(websets, object{"search": object{"query": "Water companies",
		"scope": []object{{"source": "webset", "id": id(h.post(websets, object{}))}}}})
	h.pass(time.Minute)
	h.want("in a scope of nothing", dig(h.get(websets+"/"+id(empty)), "searches.0.progress"),
		object{"found": 0, "analyzed": 0, "completion": 100, "timeLeft": 0})
	h.refused(http.MethodPost, websets, object{"search": object{"query": "x",
		"exclude": []object{{"source": "import", "id": "nobody"}}}}, http.StatusBadRequest, "names no import of yours")
	h.refused(http.MethodPost, websets, object{"search": object{"query": "x", "scope": source}, "import": source},
		http.StatusBadRequest, "both imported and the scope")
}

// TestPreview: what a query is understood as, in both languages, and what it would find.
func TestPreview(t *testing.T) {
	t.Parallel()
	h := open(t, exa.Options{})
	for _, c := range []struct{ query, kind, criteria string }{
		{"Fintech startups in Berlin or Munich with more than 50 employees, founded after 2010", "company",
			"Located in Berlin or Munich Works on financial technology Has at least 50 employees"},
		{"סטארטאפים ישראליים בתחום האנרגיה", "company", "המקום: ישראל התחום: אקלים ואנרגיה"},
		{"מהנדסות תוכנה בתל אביב", "person", "המקום: תל אביב התפקיד: הנדסת תוכנה"},
		{"Research papers about desalination", "research_paper", "Works on water technology"},
		{"כתבות על חינוך בירושלים", "article", "המקום: ירושלים התחום: חינוך"},
		{"Podcasts about space", "custom", "Works on space"},
	} {
		p := h.post(websets+"/preview", object{"search": object{"query": c.query}})
		h.want(c.query, dig(p, "search.entity.type"), c.kind)
		h.want(c.query, fields(objects(dig(p, "search.criteria")), "description"), c.criteria)
		h.want("items that nobody asked for", len(p["items"].([]any)), 0)
	}
	p := h.post(websets+"/preview?search=true",
		object{"search": object{"query": "Marketing agencies; get e-mail and website", "count": 3}})
	h.want("items", len(p["items"].([]any)), 3)
	h.want("enrichments", fields(objects(p["enrichments"]), "format"), "email url")
	h.refused(http.MethodPost, websets+"/preview", object{"search": object{"query": "?? 123"}},
		http.StatusUnprocessableEntity, "Nothing can be searched for")
	h.refused(http.MethodPost, websets+"/preview", object{"search": object{"query": "x", "count": 11}},
		http.StatusBadRequest, "search.count must be at most 10")
}
