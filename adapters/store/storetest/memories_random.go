package storetest

import (
	"encoding/binary"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"almanac/adapters/store"
	"almanac/graph/model"
	"almanac/projections/memo"
	"almanac/projections/vector"
	terms "almanac/projections/words"
)

// models are the embedding models of random memories, with their dimensions.
var models = map[string]int{"alpha": 8, "beta@5": 5, "gamma": 12}

// details are metadata of random memories, in canonical form.
var details = []string{
	"", "", "", `{"name":"Dana Levi","phone":"050-9999999"}`, `{"email":"dana@example.com","name":"דנה לוי"}`,
	`{"name":"Dana Levi"}`, `{"subject":"wifi password","value":"1234"}`,
	`{"subject":"wifi password","value":1.10}`, `{"entities":["Dana","חיפה"],"source":"text"}`, `{"entities":["חיפה"]}`,
	`{"n":1,"nested":{"deep":["x",true,null,{"y":"100%"}],"empty":{}}}`, `{"n":12345678901234567890}`,
}

// texts of random memories: some are each other's word for word, some share words only.
func randomContent(random *rand.Rand) string {
	if random.IntN(4) == 0 {
		return pick(random, "Jones - Phone: 050-9999999", "wifi password is 1234", "לקנות חלב", "the same again", "Call mom")
	}
	out := make([]string, 1+random.IntN(6))
	for i := range out {
		out[i] = pick(random, words...)
		if random.IntN(6) == 0 {
			out[i] = pick(random, "2026", "a-12-b", "3.14", "dana@example.com", "ובבית", "צה\"ל", "don't")
		}
	}
	return strings.Join(out, " ")
}

func randomTags(random *rand.Rand) []string {
	tags := slices.DeleteFunc([]string{"50%", "a b", "family", "home", "work", "בית", "שלומ"},
		func(string) bool { return random.IntN(4) > 0 })
	if len(tags) == 0 {
		return nil
	}
	return tags
}

// randomVector makes a vector of coarse numbers, so that many are alike and many similarities equal.
func randomVector(random *rand.Rand, dimensions int) []float32 {
	v := make([]float32, dimensions)
	for !vector.Unit(v) {
		for i := range v {
			v[i] = float32(random.IntN(5) - 2)
			if i > 3 && random.IntN(3) > 0 {
				v[i] = 0
			}
		}
	}
	return v
}

func randomEmbedding(random *rand.Rand) model.Embedding {
	name := pick(random, slices.Sorted(maps.Keys(models))...)
	return model.Embedding{Model: name, Dimensions: models[name], Vector: randomVector(random, models[name])}
}

// earlier returns an id that sorts before those that were given out, as one of an import does.
func (s *ids) earlier(random *rand.Rand) model.UUID {
	id := s.next()
	binary.BigEndian.PutUint64(id[:8],
		uint64(noon.Add(-time.Duration(1+random.IntN(1000))*time.Hour).UnixMilli())<<16|0x7000)
	return id
}

// randomMemory makes a memory with any combination of its parts.
func randomMemory(random *rand.Rand, h *fixture) model.Memory {
	now := h.clock.Now()
	at := func() time.Time { return now.Add(-time.Duration(random.IntN(20)) * 6 * time.Hour) }
	m := model.Memory{
		ID: h.ids.next(), Type: pick(random, model.MemoryNote, model.MemoryContact, model.MemoryKV),
		Content: randomContent(random), Summary: pick(random, "", "", "in short", "בקיצור: חלב"),
		Tags: randomTags(random), Metadata: pick(random, details...), CreatedAt: at(), UpdatedAt: at(),
		Version: 1 + random.IntN(3), Overridden: random.IntN(5) == 0,
	}
	if random.IntN(5) == 0 {
		m.ID = h.ids.earlier(random)
	}
	if random.IntN(5) == 0 {
		m.ExpiresAt = now.Add(time.Duration(random.IntN(50)-2) * time.Hour)
	}
	if random.IntN(3) > 0 {
		m.Embedding = randomEmbedding(random)
	}
	return m
}

// randomMemoryWhere makes a filter whose bounds often fall exactly on a memory's times.
func randomMemoryWhere(random *rand.Rand, all []model.Memory, deep int) store.MemoryWhere {
	var where store.MemoryWhere
	one := func() model.Memory {
		if len(all) == 0 {
			return model.Memory{CreatedAt: noon, UpdatedAt: noon}
		}
		return all[random.IntN(len(all))]
	}
	some := func() []string {
		return slices.Clip(append(randomTags(random), pick(random, "home", "no such tag"))[:1])
	}
	switch random.IntN(10) {
	case 0:
		where.Types = pick(random, []model.MemoryType{model.MemoryKV}, []model.MemoryType{model.MemoryNote,
			model.MemoryContact}, []model.MemoryType{model.MemoryNote, model.MemoryNote})
	case 1:
		where.TagsAll = append(some(), pick(random, "home", "work"))
	case 2:
		where.TagsAny = append(some(), "בית")
	case 3:
		where.TagsNone = some()
	case 4:
		where.Pairs = memo.Pairs(pick(random, one().Metadata, pick(random, details...), `{"no":"such"}`))
	case 5:
		where.HasMetadata = new(random.IntN(2) == 0)
	case 6:
		where.CreatedFrom, where.UpdatedTo = one().CreatedAt, one().UpdatedAt
	case 7:
		where.CreatedTo, where.UpdatedFrom = one().CreatedAt, one().UpdatedAt
	case 8:
		where.TagsAny, where.TagsNone, where.Types = some(), some(), []model.MemoryType{one().Type}
	}
	if deep > 0 && random.IntN(2) == 0 {
		inner := func() store.MemoryWhere { return randomMemoryWhere(random, all, deep-1) }
		switch random.IntN(4) {
		case 0:
			where.And = []store.MemoryWhere{inner(), inner()}
		case 1:
			where.Or = []store.MemoryWhere{inner(), inner(), inner()}
		case 2:
			where.Not = new(inner())
		default:
			where.Or, where.Not = []store.MemoryWhere{inner()}, new(inner())
		}
	}
	return where
}

// randomWords makes a query by words: as it is read from a text, or of entries that are there and beginnings of them.
func randomWords(random *rand.Rand, all []model.Memory) model.SearchWords {
	if len(all) == 0 || random.IntN(3) == 0 {
		return terms.Query(randomContent(random))
	}
	var query model.SearchWords
	for range 1 + random.IntN(4) {
		var term model.SearchTerm
		for form := range 1 + random.IntN(3) {
			entries := terms.Entries(all[random.IntN(len(all))])
			if len(entries) == 0 {
				continue
			}
			entry := entries[random.IntN(len(entries))]
			prefix := random.IntN(2) == 0
			for cut := random.IntN(4); prefix && cut > 0 && utf8.RuneCountInString(entry) > 2; cut-- {
				_, size := utf8.DecodeLastRuneInString(entry)
				entry = entry[:len(entry)-size]
			}
			term.Forms = append(term.Forms, model.TermForm{Term: entry, Prefix: prefix, Weight: []float64{1, 0.8, 0.3}[form]})
		}
		if len(term.Forms) > 0 {
			query.Terms = append(query.Terms, term)
		}
	}
	return query
}

// randomSearch makes a search with any combination of legs, weights, bounds and filters.
func randomSearch(random *rand.Rand, now time.Time, all []model.Memory) store.MemorySearch {
	search := store.MemorySearch{
		Now: now, MinSimilarity: pick(random, -1, 0, 0.25, 0.25, 0.9, 1), Offset: pick(random, 0, 0, 0, 1, 7, len(all)),
		Limit:   pick(random, 1, 2, 5, 10, 100),
		Columns: randomMemoryColumns(random), SimilarityWeight: 0.7, KeywordWeight: 0.3,
	}
	if random.IntN(2) == 0 {
		search.SimilarityWeight, search.KeywordWeight = pick(random, 0, 1, 0.5), pick(random, 0, 1, 0.01)
	}
	if random.IntN(2) == 0 {
		search.Where = randomMemoryWhere(random, all, 2)
	}
	if random.IntN(4) > 0 {
		search.Words = randomWords(random, all)
	}
	for _, name := range slices.Sorted(maps.Keys(models)) {
		if random.IntN(2) == 0 {
			search.Vectors = append(search.Vectors, store.QueryVector{Model: name, Vector: randomVector(random, models[name])})
		}
	}
	if random.IntN(6) == 0 {
		search.Vectors = append(search.Vectors, store.QueryVector{Model: "of nobody", Vector: randomVector(random, 4)})
	}
	// A bound that a memory meets exactly.
	if len(search.Vectors) > 0 && len(all) > 0 && random.IntN(3) == 0 {
		if m := all[random.IntN(len(all))]; m.Embedding.Model == search.Vectors[0].Model {
			search.MinSimilarity = vector.Cosine(search.Vectors[0].Vector, m.Embedding.Vector)
		}
	}
	return search
}

func randomMemoryColumns(random *rand.Rand) store.MemoryColumns {
	return pick(random, 0, wholeMemory, store.MemoryRow, store.MemoryContent|store.MemoryModel,
		store.MemoryColumns(random.Uint32())&wholeMemory)
}
