package storetest

import (
	"context"
	"strings"
	"testing"

	"almanac/adapters/store"
	"almanac/graph/model"
)

// testMemoryTexts: what a database cannot hold is refused in front of it, and nothing is cut short. Everything else
// comes back byte for byte.
func testMemoryTexts(t *testing.T, open Open) {
	h := newFixture(t, open)
	head := h.head()
	for what, bad := range map[string]string{
		"NUL": "a\x00b", "only NUL": "\x00", "a stray byte": "a\xffb", "half a character": "שלו\xd7",
		"a surrogate": "\xed\xa0\x80", "overlong": "\xc0\xaf",
	} {
		t.Run(what, func(t *testing.T) { memoryTextRefused(h.in(t), bad) })
	}
	h.same("log", h.log(head), []string{})
	for _, good := range []string{
		" spaces kept ", "tab\tand\nline", "\u0001\u007f control", "\u200f\u202eright to left\u202c",
		"noncharacter \uffff \U0010ffff", "e\u0301 é", "שָׁלוֹם", "👩‍👩‍👧‍👦", "NULL", "'; DROP TABLE memories; --",
		"{\"json\":true}", `\x00`, "%s%d", `{a,"b",NULL}`, `back\slash "quote"`, strings.Repeat("ארוך ", 400),
	} {
		m := h.memory(good)
		m.Summary, m.Tags = good, []string{good, good + "2"}
		m.Metadata = `{"t":` + quoted(good) + `}`
		h.remember(m)
		next := m
		next.Version = 2
		h.revise(next, model.MemoryUpdated)
		got, _ := h.recall(m.ID, wholeMemory)
		want := next
		want.History = []model.MemoryVersion{{
			Memory: m.ID, Version: 1, Type: m.Type, Content: good, Summary: good, Tags: m.Tags, Metadata: m.Metadata,
			WrittenAt: noon, ReplacedAt: noon, Reason: model.MemoryUpdated,
		}}
		h.same("memory", got, want)
		page := h.memoryPage(store.MemoryWhere{TagsAll: []string{good, good + "2"}}, memoryOrders()[0],
			store.Window[store.MemoryPlace]{Limit: 10})
		h.same("by its tag", memoryIDs(page.Memories), []model.UUID{m.ID})
	}
}

// quoted writes a text as JSON does, with what is not printable as it is.
func quoted(text string) string {
	replace := strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`, "\t", `\t`, "\u0001", `\u0001`)
	return `"` + replace.Replace(text) + `"`
}

func memoryTextRefused(h *fixture, bad string) {
	refused := func(what string, err error) {
		h.Helper()
		if model.CodeOf(err) != model.CodeBadUserInput {
			h.Errorf("%s of %q: got %v, want BAD_USER_INPUT", what, bad, err)
		}
	}
	for what, spoil := range map[string]func(m *model.Memory){
		"content":  func(m *model.Memory) { m.Content = bad },
		"summary":  func(m *model.Memory) { m.Summary = bad },
		"tag":      func(m *model.Memory) { m.Tags = []string{"fine", bad} },
		"metadata": func(m *model.Memory) { m.Metadata = `{"a":"` + bad + `"}` },
		"model":    func(m *model.Memory) { m.Embedding = embedded(bad, 1, 0) },
	} {
		spoilt := h.memory("spoilt")
		spoil(&spoilt)
		refused("InsertMemories with such "+what, h.Write(h.ctx, h.user, func(ctx context.Context, tx store.Tx) error {
			return tx.InsertMemories(ctx, []model.Memory{h.memory("fine"), spoilt})
		}))
		refused("UpdateMemory with such "+what, h.Write(h.ctx, h.user, func(ctx context.Context, tx store.Tx) error {
			fine := h.memory("fine")
			if err := tx.InsertMemories(ctx, []model.Memory{fine}); err != nil {
				return err
			}
			changed := spoilt
			changed.ID, changed.Version = fine.ID, 2
			return tx.UpdateMemory(ctx, changed, model.MemoryUpdated)
		}))
		if what == "model" {
			continue
		}
		refused("RestoreHistory with such "+what, h.Write(h.ctx, h.user, func(ctx context.Context, tx store.Tx) error {
			fine := h.memory("fine")
			if err := tx.InsertMemories(ctx, []model.Memory{fine}); err != nil {
				return err
			}
			return tx.RestoreHistory(ctx, fine.ID, []model.MemoryVersion{{
				Memory: fine.ID, Version: 1, Type: spoilt.Type, Content: spoilt.Content, Summary: spoilt.Summary, Tags: spoilt.Tags,
				Metadata: spoilt.Metadata, WrittenAt: noon, ReplacedAt: noon, Reason: model.MemoryUpdated,
			}})
		}))
	}
	refused("SaveVectors", h.Write(h.ctx, h.user, func(ctx context.Context, tx store.Tx) error {
		fine := h.memory("fine")
		if err := tx.InsertMemories(ctx, []model.Memory{fine}); err != nil {
			return err
		}
		_, err := h.SaveVectors(ctx, h.user,
			[]store.MemoryVectorOf{{ID: fine.ID, Version: 1, Embedding: embedded(bad, 1, 0)}})
		return err
	}))
	for what, where := range map[string]store.MemoryWhere{
		"all tags": {TagsAll: []string{bad}}, "any tag": {TagsAny: []string{"fine", bad}},
		"no tag": {TagsNone: []string{bad}}, "a pair": {Pairs: []string{bad}},
		"nested": {And: []store.MemoryWhere{{Or: []store.MemoryWhere{{Not: &store.MemoryWhere{TagsAny: []string{bad}}}}}}},
	} {
		_, err := h.Memories(h.ctx, h.user, store.MemoryQuery{Where: where, Now: noon, Order: memoryOrders()[0], Total: true})
		refused("a filter by "+what, err)
		search := byVector("alpha", 0, 1, 0)
		search.Where, search.Now = where, noon
		_, err = h.SearchMemories(h.ctx, h.user, search)
		refused("a search by "+what, err)
	}
	for what, search := range map[string]store.MemorySearch{
		"a word": {Words: model.SearchWords{
			Terms: []model.SearchTerm{{Forms: []model.TermForm{{Term: bad, Weight: 1}}}}}},
		"a beginning": {Words: model.SearchWords{
			Terms: []model.SearchTerm{{Forms: []model.TermForm{{Term: bad, Prefix: true, Weight: 1}}}}}},
	} {
		search.Now, search.Limit, search.KeywordWeight = noon, 10, 1
		_, err := h.SearchMemories(h.ctx, h.user, search)
		refused("a search for "+what, err)
	}
	_, err := h.TwinMemories(h.ctx, h.user, store.MemoryTwin{Type: model.MemoryNote, Key: "k", Pairs: []string{bad}}, noon,
		5, 0)
	refused("a twin", err)
}
