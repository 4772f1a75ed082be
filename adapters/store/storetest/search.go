package storetest

import (
	"testing"

	"almanac/adapters/store"
	"almanac/graph/model"
)

// testSearch: the search is for the folded text as it stands, in English and in Hebrew; no character of it is a
// wildcard.
func testSearch(t *testing.T, open Open) {
	h := newFixture(t, open)
	texts := []string{
		"Buy MILK and bread", "100% sure", "1000 sure", "snake_case", "snakeXcase", `back\slash`, "it's \"quoted\"",
		"[a-z]*?",
		"שָׁלוֹם לְכֻלָּם", "שלום", "קניות לסוף שבוע", "לקנות שמן", "Café au lait", "ΣΊΣΥΦΟΣ", "ﬁnal ﬁle", "İstanbul",
		"two\nlines", "emoji 🥛 glass",
	}
	tasks := make([]model.Task, len(texts))
	for i, text := range texts {
		tasks[i] = h.task(text)
	}
	tasks[0].Category = "בַּיִת"
	tasks[1].Category = "50% off"
	h.add(tasks...)
	for search, want := range map[string][]int{
		"milk": {0}, "MILK AND": {0}, "milk  and": {0}, "k and b": {0}, "%": {1}, "100%": {1}, "00% o": {}, "50%": {1},
		"_": {3}, "e_c": {3}, "snake": {3, 4},
		`\`: {5}, `k\s`: {5}, "'": {6}, `"quoted"`: {6}, "[a-z]": {7}, "*?": {7},
		"שלום": {8, 9}, "שָׁלוֹם": {8, 9}, "שלומ": {8, 9}, "לכולם": {}, "לכלם": {8}, "שמן": {11}, "שמנ": {11}, "קני": {10},
		"קנ":  {10, 11},
		"בית": {0}, "בַּית": {0}, "cafe": {12}, "CAFÉ": {12}, "σίσυφος": {13}, "file": {14}, "FI": {14}, "🥛": {17},
		"two lines": {16}, "nothing like it": {}, "' OR 1=1 --": {}, "\u200f": nil, "   ": nil, "": nil,
	} {
		ids := []model.UUID{}
		for _, i := range want {
			ids = append(ids, tasks[i].ID)
		}
		if want == nil { // it folds to nothing, and so asks nothing
			ids = taskIDs(tasks)
		}
		h.same("search "+search, h.find(store.TaskWhere{Search: search}), ids)
	}
	for i, name := range []string{"Groceries 100%", "Groceries 1000", "קְנִיּוֹת", "a_b", "aXb"} {
		_ = i
		h.addList(h.list(name))
	}
	for search, want := range map[string]int{"groceries": 2, "GROCERIES 100%": 1, "%": 1, "_": 1, "קניות": 1, "": 5,
		"none": 0} {
		page := must(h, func() (store.ListPage, error) {
			return h.Lists(h.ctx, h.user, store.ListQuery{
				Search: search, Order: model.ListOrder{Field: model.ListOrderName, Direction: model.Ascending}, Total: true,
				Page: &store.Window[store.ListPlace]{Limit: 10},
			})
		})
		h.same("lists found by "+search, []int{len(page.Lists), page.Total}, []int{want, want})
	}
}
