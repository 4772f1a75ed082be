package exa_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"almanac/internal/standin/exa"
)

// TestItems: reading and deleting one, which ends what is done for it.
func TestItems(t *testing.T) {
	t.Parallel()
	h := open(t, exa.Options{})
	w := h.small(object{"enrichments": []object{{"description": "Website"}}})
	address := websets + "/" + id(w) + "/items"
	h.pass(6 * time.Second)
	one := h.all(address)[0]
	h.want("read alone", h.get(address + "/" + id(one))["properties"], one["properties"])
	h.want("deleted", id(h.remove(address+"/"+id(one))), id(one))
	h.refused(http.MethodGet, address+"/"+id(one), nil, http.StatusNotFound, "not found")
	h.refused(http.MethodGet, websets+"/nobody/items", nil, http.StatusNotFound, "Webset with id nobody not found")
	h.pass(time.Minute)
	h.want("the others", len(h.all(address)), 9)
	h.want("status", h.get(websets + "/" + id(w))["status"], "idle")
	h.want("enriched", strings.Count(h.types(), "webset.item.enriched"), 9)
}

// TestEnrichments: one that comes later is answered for all items; changing answers without a body; deleting takes its
// results along.
func TestEnrichments(t *testing.T) {
	t.Parallel()
	h := open(t, exa.Options{})
	w := h.small(object{"enrichments": []object{{"description": "Website"}}})
	address := websets + "/" + id(w)
	h.pass(time.Minute)
	e := h.post(address+"/enrichments", object{
		"description": "שלב המימון", "format": "options", "options": []object{{"label": "Seed"}, {"label": "Series A"}},
		"metadata": object{"k": "v"},
	})
	h.want("status", e["status"], "pending")
	h.want("webset", h.get(address)["status"], "running")
	h.pass(time.Second)
	h.want("results", fields(objects(h.all(address + "/items")[0]["enrichments"]), "status"), "completed pending")
	h.pass(time.Minute)
	h.want("status", h.get(address + "/enrichments/" + id(e))["status"], "completed")
	h.want("webset", h.get(address)["status"], "idle")
	for _, one := range h.all(address + "/items") {
		for _, r := range objects(one["enrichments"]) {
			if result, isList := r["result"].([]any); isList && len(result) != 1 {
				t.Errorf("a result: %v", result)
			}
		}
	}
	if status, text := h.send(http.MethodPatch, address+"/enrichments/"+id(e),
		object{"description": "Stage", "metadata": nil}); status != 200 || len(text) != 0 {
		t.Errorf("changing answers %d %q", status, text)
	}
	e = h.get(address + "/enrichments/" + id(e))
	h.want("changed", []any{e["description"], e["format"], e["metadata"]}, []any{"Stage", "options", object{}})
	h.patch(address+"/enrichments/"+id(e), object{"format": "text"})
	h.want("answered anew in another form", fields(objects(h.all(address + "/items")[0]["enrichments"]), "format"),
		"url text")
	h.patch(address+"/enrichments/"+id(e), object{"format": "options", "options": []object{{"label": "Series B"}}})
	h.want("with other options", dig(h.get(address+"/enrichments/"+id(e)), "options.0.label"), "Series B")
	h.refused(http.MethodPatch, address+"/enrichments/"+id(e), object{"format": "color"}, http.StatusBadRequest,
		"format must be one of")
	h.want("canceled when there is nothing to cancel", h.post(address+"/enrichments/"+id(e)+"/cancel", nil)["status"],
		"completed")
	h.want("deleted", id(h.remove(address+"/enrichments/"+id(e))), id(e))
	for _, one := range h.all(address + "/items") {
		h.want("results of the one that is left", len(objects(one["enrichments"])), 1)
	}
	h.refused(http.MethodGet, address+"/enrichments/"+id(e), nil, http.StatusNotFound, "Enrichment with id")

	late := h.post(address+"/enrichments", object{"description": "How many employees?"})
	h.want("format that was found out", late["format"], "number")
	h.pass(time.Second)
	h.want("canceled", h.post(address+"/enrichments/"+id(late)+"/cancel", nil)["status"], "canceled")
	h.pass(time.Minute)
	h.want("results of a canceled one", fields(objects(h.all(address + "/items")[0]["enrichments"]), "status"),
		"completed canceled")
	h.want("not resumed", h.get(address + "/enrichments/" + id(late))["status"], "canceled")
}

// TestMonitors: a monitor runs by its cron in its zone, by the last search where it says nothing else; an unknown one
// has no runs, and is no error.
func TestMonitors(t *testing.T) {
	t.Parallel()
	h := open(t, exa.Options{})
	w := h.small()
	m := h.post(v0+"/monitors", object{
		"websetId": id(w), "cadence": object{"cron": "30 9 * * *", "timezone": "Asia/Jerusalem"},
		"behavior": object{"type": "search", "config": object{"count": 2}}, "metadata": object{"a": "b"},
	})
	h.want("next run", m["nextRunAt"], "2026-11-22T07:30:00.000Z")
	h.want("last run", m["lastRun"], nil)
	h.want("behaviour", dig(m, "behavior.config.behavior"), "append")
	h.pass(19*time.Hour + 30*time.Minute)
	m = h.get(v0 + "/monitors/" + id(m))
	h.want("run that begins", dig(m, "lastRun.status"), "created")
	h.want("next run", m["nextRunAt"], "2026-11-23T07:30:00.000Z")
	h.pass(time.Second)
	h.want("run", dig(h.get(v0+"/monitors/"+id(m)), "lastRun.status"), "running")
	h.want("webset", h.get(websets + "/" + id(w))["status"], "running")
	h.pass(time.Minute)
	h.want("items", len(h.all(websets+"/"+id(w)+"/items")), 12)
	h.pass(48 * time.Hour)
	runs := h.all(v0 + "/monitors/" + id(m) + "/runs?limit=2")
	h.want("runs, newest first", fields(runs, "createdAt"),
		"2026-11-24T07:30:00.000Z 2026-11-23T07:30:00.000Z 2026-11-22T07:30:00.000Z")
	h.want("their outcome", fields(runs, "status"), "completed completed completed")
	h.want("one of them", id(h.get(v0+"/monitors/"+id(m)+"/runs/"+id(runs[1]))), id(runs[1]))
	h.want("in the webset", dig(h.get(websets+"/"+id(w)), "monitors.0.lastRun.id"), id(runs[0]))
	h.want("of the webset", len(h.all(v0+"/monitors?websetId="+id(w))), 1)
	h.want("of another", len(h.all(v0+"/monitors?websetId=other")), 0)

	h.want("disabled", h.patch(v0+"/monitors/"+id(m), object{"status": "disabled"})["nextRunAt"], nil)
	h.pass(72 * time.Hour)
	h.want("runs of a disabled one", len(h.all(v0+"/monitors/"+id(m)+"/runs")), 3)
	m = h.patch(v0+"/monitors/"+id(m), object{"status": "enabled", "cadence": object{"cron": "0 0 1 JAN *"}})
	h.want("another cadence", m["nextRunAt"], "2027-01-01T00:00:00.000Z")
	h.want("unknown one", len(h.all(v0+"/monitors/nobody/runs")), 0)
	h.want("deleted", id(h.remove(v0+"/monitors/"+id(m))), id(m))
	h.refused(http.MethodGet, v0+"/monitors/"+id(m), nil, http.StatusNotFound, "Monitor with id")
	for _, kind := range []string{"monitor.created", "monitor.updated", "monitor.deleted", "monitor.run.created",
		"monitor.run.completed"} {
		if !strings.Contains(h.types(), kind) {
			t.Errorf("no event %s", kind)
		}
	}
	empty := h.post(v0+"/monitors", object{"websetId": id(h.post(websets, object{})),
		"cadence": object{"cron": "0 0 * * *"}, "behavior": object{"type": "search", "config": object{"count": 1}}})
	h.pass(24 * time.Hour)
	h.want("of a webset that never searched", dig(h.get(v0+"/monitors/"+id(empty)), "lastRun.status"), "failed")
	h.remove(v0 + "/monitors/" + id(empty))
	again := h.post(v0+"/monitors", object{"websetId": id(w), "cadence": object{"cron": "0 0 * * MON"},
		"behavior": object{"type": "search", "config": object{"count": 1}}})
	h.pass(5 * 365 * 24 * time.Hour)
	if n := len(h.all(v0 + "/monitors/" + id(again) + "/runs?limit=200")); n < 8 || n > 9 {
		t.Errorf("after five years of silence: %d runs", n)
	}
}

// TestCron: five fields, at most once a day, names, ranges and steps; a month that never has the day never comes.
func TestCron(t *testing.T) {
	t.Parallel()
	h := open(t, exa.Options{})
	w := h.small()
	ask := func(cron, zone string) object {
		return object{"websetId": id(w), "cadence": object{"cron": cron, "timezone": zone},
			"behavior": object{"type": "search", "config": object{"count": 1}}}
	}
	for _, c := range []struct{ cron, zone, next string }{
		{"0 12 * * *", "Etc/UTC", "2026-11-22T12:00:00.000Z"}, // now is 12:00 sharp, on a Saturday
		{"1 12 * * *", "Etc/UTC", "2026-11-21T12:01:00.000Z"},
		{"0 8 * * MON-FRI", "America/New_York", "2026-11-23T13:00:00.000Z"},
		{"0 8 * * 7", "Etc/UTC", "2026-11-22T08:00:00.000Z"},
		{"0 8 1,15 * *", "Etc/UTC", "2026-12-01T08:00:00.000Z"},
		{"0 8 */10 * *", "Etc/UTC", "2026-12-01T08:00:00.000Z"},
		{"0 8 13 * FRI", "Etc/UTC", "2026-11-27T08:00:00.000Z"},
		{"0 8 29 2 *", "Etc/UTC", "2028-02-29T08:00:00.000Z"},
		{"30 2 * MAR *", "Asia/Jerusalem", "2027-03-01T00:30:00.000Z"},
		{"0 8 30 2 *", "Etc/UTC", "null"},
	} {
		h.want(c.cron, h.post(v0+"/monitors", ask(c.cron, c.zone))["nextRunAt"],
			map[bool]any{true: nil, false: c.next}[c.next == "null"])
	}
	for cron, says := range map[string]string{
		"* * * * *": "more than once a day", "0 */6 * * *": "more than once a day", "0,30 8 * * *": "more than once a day",
		"0 8-9 * * *": "more than once a day",
		"0 8 * *":     "5 fields", "0 0 8 * * *": "5 fields", "@daily": "5 fields", "60 8 * * *": "between 0 and 59",
		"0 24 * * *": "between 0 and 23", "0 8 0 * *": "between 1 and 31",
		"0 8 * 13 *": "between 1 and 12", "0 8 * * 8": "between 0 and 7", "0 8 5-2 * *": "between 1 and 31",
		"0 8 */0 * *": "a step", "0 8 x * *": "between 1 and 31", "0 8 +1 * *": "between 1 and 31",
	} {
		h.refused(http.MethodPost, v0+"/monitors", ask(cron, "Etc/UTC"), http.StatusBadRequest, says)
	}
	h.refused(http.MethodPost, v0+"/monitors", ask("0 8 * * *", "Mars/Base"), http.StatusBadRequest,
		"timezone is not known")
	h.refused(http.MethodPost, v0+"/monitors", object{"websetId": "nobody", "cadence": object{"cron": "0 8 * * *"},
		"behavior": object{"type": "search", "config": object{"count": 1}}}, http.StatusNotFound, "Webset with id nobody")
}

// upload puts a file where an import wants it.
func (h *fixture) upload(address, file string, more ...string) int {
	h.Helper()
	request, err := http.NewRequestWithContext(h.Context(), http.MethodPut, address, strings.NewReader(file))
	if err != nil {
		h.Fatal(err)
	}
	for i := 0; i+1 < len(more); i += 2 {
		request.Header.Set(more[i], more[i+1])
	}
	answer, err := h.client.Do(request)
	if err != nil {
		h.Fatal(err)
	}
	_ = answer.Body.Close()
	return answer.StatusCode
}

// TestImports: a file is put to the address that was given, once, within the hour, without a key; then it is read.
func TestImports(t *testing.T) {
	t.Parallel()
	h := open(t, exa.Options{})
	ask := object{"format": "csv", "size": 200, "count": 2, "entity": object{"type": "company"}, "title": "חברות"}
	i := h.post(v0+"/imports", ask)
	address := i["uploadUrl"].(string)
	h.want("status", i["status"], "pending")
	h.want("valid until", i["uploadValidUntil"], "2026-11-21T13:00:00.000Z")
	file := "name,website\nאחת,https://one.example/\nBluearc Labs,https://bluearc-labs.example/\n"
	h.want("with a key", h.upload(address, file, "x-api-key", key), http.StatusBadRequest)
	h.want("with a token", h.upload(address, file, "Authorization", "Bearer "+key), http.StatusBadRequest)
	h.want("too long", h.upload(address, strings.Repeat("x", 201)), http.StatusBadRequest)
	h.want("elsewhere", h.upload(address+"x", file), http.StatusForbidden)
	h.want("uploaded", h.upload(address, file), http.StatusOK)
	h.want("twice", h.upload(address, file), http.StatusForbidden)
	h.want("status", h.get(v0 + "/imports/" + id(i))["status"], "processing")
	w := h.post(websets, object{"import": []object{{"source": "import", "id": id(i)}},
		"enrichments": []object{{"description": "City"}}})
	h.want("webset that waits for it", w["status"], "running")
	h.pass(3 * time.Second)
	done := h.get(v0 + "/imports/" + id(i))
	h.want("done", []any{done["status"], done["count"], done["uploadUrl"]}, []any{"completed", 2, nil})
	h.pass(time.Minute)
	items := h.all(websets + "/" + id(w) + "/items")
	h.want("items", fields(items, "properties.company.name"), "one.example Bluearc Labs")
	h.want("where they come from", fields(items, "source"), "import import")
	h.want("judged by nobody", fields(items, "evaluations"), "[] []")
	h.want("enriched", fields(items, "enrichments.0.status"), "completed completed")

	copied := h.post(websets, object{"import": []object{{"source": "webset", "id": id(w)}}})
	h.want("import of a webset", dig(copied, "imports.0.format"), "webset")
	h.pass(time.Minute)
	h.want("items that were copied", len(h.all(websets+"/"+id(copied)+"/items")), 2)
	h.want("changed", h.patch(v0+"/imports/"+id(i), object{"title": "x", "metadata": object{"a": "b"}})["title"], "x")
	h.want("listed", len(h.all(v0+"/imports?limit=1")), 2)
	late := h.post(v0+"/imports", ask)["uploadUrl"].(string)
	h.pass(61 * time.Minute)
	h.want("after the hour", h.upload(late, file), http.StatusForbidden)
	h.want("deleted", id(h.remove(v0+"/imports/"+id(i))), id(i))
	h.refused(http.MethodGet, v0+"/imports/"+id(i), nil, http.StatusNotFound, "Import with id")
}

// TestBadFiles: why a file could not be read.
func TestBadFiles(t *testing.T) {
	t.Parallel()
	h := open(t, exa.Options{})
	for _, c := range []struct {
		name, file string
		column     any
		reason     any
	}{
		{"good", "name\nx\n", nil, nil},
		{"a column that is named", "a,b\nx,y\n", 1, nil},
		{"a quotation that does not end", "name\n\"x\n", nil, "invalid_format"},
		{"lines of different lengths", "name,b\nx\n", nil, "invalid_format"},
		{"no text", "name\n\xff\xfe\n", nil, "invalid_format"},
		{"no line", "name\n", nil, "invalid_file_content"},
		{"nothing", "", nil, "invalid_file_content"},
		{"no column that tells", "a,b\nx,y\n", nil, "missing_identifier"},
		{"a column that is not there", "a,b\nx,y\n", 2, "missing_identifier"},
		{"more lines than are read", "name\n" + strings.Repeat("x\n", 100_001), nil, "invalid_file_content"},
		{"a line without a name", "name,b\n ,y\n", nil, "missing_identifier"},
	} {
		ask := object{"format": "csv", "size": 1_000_000, "count": 2, "entity": object{"type": "person"}}
		if c.column != nil {
			ask["csv"] = object{"identifier": c.column}
		}
		i := h.post(v0+"/imports", ask)
		h.want(c.name, h.upload(i["uploadUrl"].(string), c.file), http.StatusOK)
		h.pass(time.Minute)
		h.want(c.name, h.get(v0 + "/imports/" + id(i))["failedReason"], c.reason)
	}
	h.want("events of those that were read", strings.Count(h.types(), "import.completed"), 2)
}

// TestEvents: newest first, by type and by time, both ends inclusive, for sixty days.
func TestEvents(t *testing.T) {
	t.Parallel()
	h := open(t, exa.Options{})
	w := h.small()
	h.pass(time.Minute)
	all := h.all(v0 + "/events?limit=3")
	h.want("newest", all[0]["type"], "webset.idle")
	h.want("oldest", all[len(all)-1]["type"], "webset.created")
	h.want("of two types", fields(h.all(v0+"/events?types=webset.idle&types=webset.search.completed"), "type"),
		"webset.idle webset.search.completed")
	h.want("in the other spelling", fields(h.all(v0+"/events?types[]=webset.idle"), "type"), "webset.idle")
	at := all[1]["createdAt"].(string)
	for _, one := range h.all(v0 + "/events?createdAfter=" + at + "&createdBefore=" + at) {
		h.want("at that time", one["createdAt"], at)
	}
	one := h.get(v0 + "/events/" + id(all[0]))
	h.want("what it tells of", dig(one, "data.id"), id(w))
	created := h.all(v0 + "/events?types=webset.item.created")
	h.want("an item as it was then", dig(created[0], "data.enrichments"), nil)
	h.refused(http.MethodGet, v0+"/events?types=webset.bored", nil, http.StatusBadRequest, "webset.bored")
	h.refused(http.MethodGet, v0+"/events?createdAfter=yesterday", nil, http.StatusBadRequest, "createdAfter")
	h.refused(http.MethodGet, v0+"/events/nobody", nil, http.StatusNotFound, "Event with id")
	h.remove(websets + "/" + id(w))
	h.want("a webset as it was before it was deleted", dig(h.get(v0+"/events/"+id(all[0])), "data.status"), "idle")
	h.pass(60*24*time.Hour + time.Minute)
	h.want("after sixty days", len(h.all(v0+"/events")), 0)
}

// TestResearch: research passes through its states, has events, and fails or is retired when it is to.
func TestResearch(t *testing.T) {
	t.Parallel()
	h := open(t, exa.Options{})
	r := h.post("/research/v1", object{"instructions": "Startups in Haifa", "outputSchema": object{
		"type": "object", "properties": object{"names": object{"type": "array", "items": object{"type": "string"}},
			"n": object{"type": "integer"}},
	}})
	path := "/research/v1/" + r["researchId"].(string)
	h.want("at first", []any{r["status"], r["model"]}, []any{"pending", "exa-research"})
	h.pass(2 * time.Second)
	h.want("then", h.get(path)["status"], "running")
	h.pass(10 * time.Second)
	r = h.get(path + "?events=true")
	h.want("at the end", r["status"], "completed")
	h.want("first and last event", []any{dig(r, "events.0.eventType"), dig(r, "events.7.eventType")},
		[]any{"research-definition", "research-output"})
	if content := dig(r, "output.content").(string); !strings.Contains(content, "# Startups in Haifa") {
		t.Errorf("content: %s", content)
	}
	h.want("by the schema", len(dig(r, "output.parsed.names").([]any)), 4)
	h.want("took", r["finishedAt"].(float64)-r["createdAt"].(float64), 12000)
	status, stream := h.send(http.MethodGet, path+"?stream=true", nil)
	if status != 200 || strings.Count(string(stream), "data: {") != 8 {
		t.Errorf("stream: %d %s", status, stream)
	}
	fails := h.post("/research/v1", object{"instructions": "??", "model": "exa-research-fast"})
	h.pass(time.Minute)
	h.want("failed", h.get("/research/v1/" + fails["researchId"].(string))["status"], "failed")
	h.want("listed", fields(h.all("/research/v1?limit=1"), "status"), "failed completed")
	h.refused(http.MethodPost, "/research/v1", object{"instructions": strings.Repeat("x", 4097)}, http.StatusBadRequest,
		"INVALID_REQUEST_BODY")
	h.refused(http.MethodGet, "/research/v1/nobody", nil, http.StatusNotFound, "NOT_FOUND")
	retired := open(t, exa.Options{ResearchRetired: true})
	retired.refused(http.MethodPost, "/research/v1", object{"instructions": "x"}, http.StatusGone, "RESEARCH_RETIRED")
	retired.refused(http.MethodGet, "/research/v1", nil, http.StatusGone, "RESEARCH_RETIRED")
}
