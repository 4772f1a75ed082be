package resolvers_test

import (
	"encoding/json"
	"slices"
	"testing"
	"time"

	"almanac/adapters/exa"
	"almanac/graph/model"
)

// An item with the fields that the seed keeps is a few hundred bytes where Exa's own is tens of thousands: of an
// ordinary webset (a search with its criteria) and of a rich one (three criteria, four enrichments, half of it in
// Hebrew). It has our id, which holds the webset's beside the item's own.
func TestProjectedItemsAreSmall(t *testing.T) {
	t.Parallel()
	h := harnesses()[0].build(t, time.Date(2026, 11, 22, 8, 0, 0, 0, time.UTC))
	key := exa.StandInKey(model.UserIDOf("alice"))
	if err := h.exa.server.Seed(key); err != nil {
		t.Fatal(err)
	}
	if _, err := h.exa.server.Fill(key, "companies in Israel that work on water", 100); err != nil {
		t.Fatal(err)
	}
	const projected = `id name url entityType description evaluations { criterion satisfied } enrichments { description format result }`
	rich, ordinary := "rich", "ordinary"
	small, large := websetItems(t, h, projected), websetItems(t, h, "raw")
	sizes := map[string][]int{}
	for webset, items := range small {
		kind := ordinary
		if len(items) < 50 {
			kind = rich
		}
		sum, whole := 0, 0
		for i, item := range items {
			var of struct{ Raw string }
			if err := json.Unmarshal(large[webset][i], &of); err != nil || !json.Valid([]byte(of.Raw)) {
				t.Fatal(err)
			}
			sizes[kind] = append(sizes[kind], len(item))
			sum, whole = sum+len(item), whole+len(of.Raw)
		}
		if len(items) > 0 && whole < 10*sum {
			t.Errorf("%s: %d bytes of %d are less than ten times smaller", kind, sum, whole)
		}
		t.Logf("%s: %d items, %d bytes of %d", kind, len(items), sum, whole)
	}
	for kind, all := range sizes {
		slices.Sort(all)
		median, p95 := all[len(all)/2], all[len(all)*95/100]
		t.Logf("%s: median %d bytes, 95%% at most %d", kind, median, p95)
		if p95 > 1_024 || kind == ordinary && median > 500 {
			t.Errorf("%s: median %d bytes, 95%% at most %d; wanted are 500 and 1,024", kind, median, p95)
		}
	}
}

// TestItemsWithTwoOfEachAreSmall bounds an item with two criteria and two enrichments, its id included. Of the bytes,
// 250 are the names of fields, and at most 64 the id.
func TestItemsWithTwoOfEachAreSmall(t *testing.T) {
	t.Parallel()
	h := harnesses()[0].build(t, time.Date(2026, 11, 22, 8, 0, 0, 0, time.UTC))
	var made struct {
		CreateWebset struct{ Webset struct{ ID string } }
	}
	h.ask(t, `mutation { createWebset(input: { search: { query: "companies in Israel that work on water", count: 25,
		entity: { type: "company" }, criteria: ["Headquartered in Israel", "Works on water"] }, enrichments: [
		{ description: "Number of employees", format: "number" }, { description: "Stage", options: ["Seed", "Later"] }] }) {
		webset { id } } }`, &made)
	h.clock.Advance(2 * time.Hour)
	type item struct {
		ID                       string
		Evaluations, Enrichments []struct{ Satisfied, Description string }
	}
	var found struct {
		WebsetItems struct{ Nodes []json.RawMessage }
	}
	h.ask(t, `{ websetItems(websetId: "`+made.CreateWebset.Webset.ID+`", first: 100, includeUnsatisfied: true) { nodes {
		id name url entityType description evaluations { criterion satisfied }
		enrichments { description format result } } } }`, &found)
	var sizes []int
	for _, text := range found.WebsetItems.Nodes {
		var one item
		if err := json.Unmarshal(text, &one); err != nil || len(one.Evaluations) != 2 || len(one.Enrichments) != 2 ||
			len(one.ID) > 64 {
			t.Fatalf("%s: %v", text, err)
		}
		sizes = append(sizes, len(text))
	}
	slices.Sort(sizes)
	if len(sizes) < 5 || sizes[len(sizes)/2] > 600 {
		t.Errorf("%d items; their sizes are %v, and the median is to be at most 600 bytes", len(sizes), sizes)
	}
	t.Logf("%d items, median %d bytes", len(sizes), sizes[len(sizes)/2])
}

// websetItems gives the items of each of alice's websets, with the fields asked for.
func websetItems(t *testing.T, h *harness, fields string) map[string][]json.RawMessage {
	t.Helper()
	type page struct{ Nodes []json.RawMessage }
	var all struct {
		Websets struct{ Nodes []struct{ ID string } }
	}
	h.ask(t, `{ websets(first: 10) { nodes { id } } }`, &all)
	if len(all.Websets.Nodes) != 3 {
		t.Fatalf("%d websets", len(all.Websets.Nodes))
	}
	out := map[string][]json.RawMessage{}
	for _, webset := range all.Websets.Nodes {
		var one struct{ WebsetItems page }
		h.ask(t, `{ websetItems(websetId: "`+webset.ID+`", first: 100, includeUnsatisfied: true) { nodes { `+fields+` } } }`,
			&one)
		out[webset.ID] = one.WebsetItems.Nodes
	}
	return out
}

// ask puts a question of alice's and reads the data of its answer.
func (h *harness) ask(t *testing.T, query string, into any) {
	t.Helper()
	body, err := json.Marshal(map[string]string{"query": query})
	if err != nil {
		t.Fatal(err)
	}
	answer := struct {
		Data   any
		Errors json.RawMessage
	}{Data: into}
	text := h.post(t, "alice", nil, nil, body)
	if err := json.Unmarshal(text, &answer); err != nil || answer.Errors != nil {
		t.Fatalf("%v: %.300s", err, text)
	}
}
