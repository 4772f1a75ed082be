package resolvers_test

import (
	"fmt"
	"testing"
	"time"

	"almanac/adapters/exa"
	"almanac/graph/model"
)

// Page by page, whatever the size of a page, a filtered list gives each of its items once, and counts those left out
// once.
func TestItemsOfAWebsetPageThrough(t *testing.T) {
	t.Parallel()
	h := harnesses()[0].build(t, time.Date(2026, 11, 22, 8, 0, 0, 0, time.UTC))
	if _, err := h.exa.server.Fill(exa.StandInKey(model.UserIDOf("alice")), "companies in Israel that work on water",
		600); err != nil {
		t.Fatal(err)
	}
	whole, left := pageThrough(t, h, 100, true)
	many := len(whole)
	if many < 400 || left != 0 {
		t.Fatalf("%d items, %d left out", many, left)
	}
	satisfied := 0
	for _, yes := range whole {
		if yes {
			satisfied++
		}
	}
	for _, first := range []int{7, 100} {
		some, left := pageThrough(t, h, first, false)
		if len(some) != satisfied || left != many-satisfied || left == 0 {
			t.Errorf("by %d: %d items of %d, %d left out of %d", first, len(some), satisfied, left, many)
		}
		for id := range some {
			if !whole[id] {
				t.Errorf("by %d: %s satisfies nothing", first, id)
			}
		}
	}
}

// pageThrough gives the items of alice's one webset by their ids, with whether they satisfy a criterion, and how many
// were left out.
func pageThrough(t *testing.T, h *harness, first int, includeUnsatisfied bool) (items map[string]bool, left int) {
	t.Helper()
	items = map[string]bool{}
	var all struct {
		Websets struct{ Nodes []struct{ ID string } }
	}
	h.ask(t, `{ websets(first: 1) { nodes { id } } }`, &all)
	after := ""
	for range 200 {
		var answer struct {
			WebsetItems struct {
				Excluded int
				PageInfo struct {
					HasNextPage bool
					EndCursor   string
				}
				Nodes []struct {
					ID          string
					Evaluations []struct{ Satisfied string }
				}
			}
		}
		h.ask(t,
			fmt.Sprintf(
				`{ websetItems(websetId: %q, first: %d, includeUnsatisfied: %t%s) { excluded pageInfo { hasNextPage endCursor } nodes { id evaluations { satisfied } } } }`,
				all.Websets.Nodes[0].ID, first, includeUnsatisfied, after), &answer)
		page := answer.WebsetItems
		left += page.Excluded
		for _, item := range page.Nodes {
			if _, twice := items[item.ID]; twice {
				t.Errorf("%s came twice", item.ID)
			}
			items[item.ID] = len(item.Evaluations) == 0
			for _, e := range item.Evaluations {
				items[item.ID] = items[item.ID] || e.Satisfied == "yes"
			}
		}
		if !page.PageInfo.HasNextPage {
			return items, left
		}
		after = fmt.Sprintf(", after: %q", page.PageInfo.EndCursor)
	}
	t.Fatal("it has no end")
	return nil, 0
}
