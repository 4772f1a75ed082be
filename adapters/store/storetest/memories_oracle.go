package storetest

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"time"

	"almanac/adapters/store"
	"almanac/graph/model"
	"almanac/projections/memo"
	"almanac/projections/vector"
	terms "almanac/projections/words"
)

// shelf is the oracle of memories: what one user has, each with its vector as it is kept and its history. It does and
// answers what the contract says, by looking at everything. The memories in it are never changed in place.
type shelf map[model.UUID]remembered

// remembered is a memory with what the pure packages say of it, which is costly to ask again and again.
type remembered struct {
	model.Memory
	key                      string
	entries, pairs, identity []string
}

func remember(m model.Memory) remembered {
	return remembered{Memory: m, key: memo.Key(m.Content), entries: terms.Entries(m), pairs: memo.Pairs(m.Metadata),
		identity: memo.Identity(m)}
}

// keptMemory is how a memory comes back that was written: times and vector as they are kept, nothing for what is empty.
func keptMemory(m model.Memory) model.Memory {
	m.CreatedAt, m.UpdatedAt, m.ExpiresAt = keptTime(m.CreatedAt), keptTime(m.UpdatedAt), keptTime(m.ExpiresAt)
	m.Embedding = keptEmbedding(m.Embedding)
	m.History = nil
	return tidyMemory(m)
}

func keptTime(t time.Time) time.Time {
	if t.IsZero() {
		return time.Time{}
	}
	return t.UTC().Truncate(time.Microsecond)
}

func keptEmbedding(e model.Embedding) model.Embedding {
	if len(e.Vector) == 0 {
		return model.Embedding{}
	}
	return model.Embedding{Model: e.Model, Dimensions: len(e.Vector), Vector: vector.Unpack(vector.Pack(e.Vector))}
}

// tidyMemory makes nil of what is empty.
func tidyMemory(m model.Memory) model.Memory {
	m.Tags = slices.Clip(m.Tags)
	if len(m.Tags) == 0 {
		m.Tags = nil
	}
	if len(m.Embedding.Vector) == 0 {
		m.Embedding.Vector = nil
	}
	history := make([]model.MemoryVersion, len(m.History))
	for i, version := range m.History {
		if len(version.Tags) == 0 {
			version.Tags = nil
		}
		history[i] = version
	}
	m.History = history
	if len(history) == 0 {
		m.History = nil
	}
	return m
}

func tidyMemories(memories []model.Memory) []model.Memory {
	out := make([]model.Memory, len(memories))
	for i, m := range memories {
		out[i] = tidyMemory(m)
	}
	return out
}

func (s shelf) insert(memories ...model.Memory) {
	for _, m := range memories {
		s[m.ID] = remember(keptMemory(m))
	}
}

// update reports whether the memory was there.
func (s shelf) update(m model.Memory, reason model.MemoryReason) bool {
	old, ok := s[m.ID]
	if !ok {
		return false
	}
	fresh := keptMemory(m)
	fresh.CreatedAt = old.CreatedAt
	if len(m.Embedding.Vector) == 0 && m.Type == old.Type && m.Content == old.Content && m.Summary == old.Summary &&
		slices.Equal(m.Tags, old.Tags) && m.Metadata == old.Metadata {
		fresh.Embedding = old.Embedding
	}
	version := model.MemoryVersion{
		Memory: old.ID, Version: old.Version, Type: old.Type, Content: old.Content, Summary: old.Summary, Tags: old.Tags,
		Metadata: old.Metadata, ExpiresAt: old.ExpiresAt,
		Overridden: old.Overridden, WrittenAt: old.UpdatedAt, ReplacedAt: fresh.UpdatedAt, Reason: reason,
	}
	history := slices.DeleteFunc(slices.Clone(old.History),
		func(v model.MemoryVersion) bool { return v.Version == version.Version })
	fresh.History = keptHistory(append(history, version))
	s[m.ID] = remember(fresh)
	return true
}

// keptHistory brings versions into their order and drops the oldest beyond the bound.
func keptHistory(versions []model.MemoryVersion) []model.MemoryVersion {
	slices.SortFunc(versions, func(a, b model.MemoryVersion) int { return cmp.Compare(b.Version, a.Version) })
	return versions[:min(len(versions), model.MaxMemoryVersions)]
}

// remove returns the ids that were there, in the order given.
func (s shelf) remove(ids []model.UUID) []model.UUID {
	out := []model.UUID{}
	for _, id := range ids {
		if _, ok := s[id]; ok {
			delete(s, id)
			out = append(out, id)
		}
	}
	return out
}

func (s shelf) restore(id model.UUID, versions []model.MemoryVersion) bool {
	m, ok := s[id]
	if !ok {
		return false
	}
	kept := make([]model.MemoryVersion, len(versions))
	for i, v := range versions {
		v.Memory = id
		v.WrittenAt, v.ReplacedAt, v.ExpiresAt = keptTime(v.WrittenAt), keptTime(v.ReplacedAt), keptTime(v.ExpiresAt)
		kept[i] = v
	}
	m.History = keptHistory(kept)
	m.Memory = tidyMemory(m.Memory)
	s[id] = m
	return true
}

// save keeps vectors and returns how many.
func (s shelf) save(vectors []store.MemoryVectorOf) (kept int) {
	for _, v := range vectors {
		if m, ok := s[v.ID]; ok && m.Version == v.Version {
			m.Embedding = keptEmbedding(v.Embedding)
			s[v.ID] = m
			kept++
		}
	}
	return kept
}

// there are the memories that have not expired, by id.
func (s shelf) there(now time.Time) []model.Memory {
	var out []model.Memory
	for _, id := range slices.SortedFunc(maps.Keys(s), compareIDs) {
		if m := s[id]; m.ExpiresAt.IsZero() || now.Before(m.ExpiresAt) {
			out = append(out, m.Memory)
		}
	}
	return out
}

// remembers reports whether a memory belongs to the filtered set.
func remembers(m remembered, where store.MemoryWhere) bool {
	hasTag := func(tag string) bool { return slices.Contains(m.Tags, tag) }
	switch {
	case len(where.Types) > 0 && !slices.Contains(where.Types, m.Type),
		slices.ContainsFunc(where.TagsAll, func(tag string) bool { return !hasTag(tag) }),
		len(where.TagsAny) > 0 && !slices.ContainsFunc(where.TagsAny, hasTag),
		slices.ContainsFunc(where.TagsNone, hasTag),
		slices.ContainsFunc(where.Pairs, func(pair string) bool { return !slices.Contains(m.pairs, pair) }),
		where.HasMetadata != nil && (m.Metadata != "") != *where.HasMetadata,
		!where.CreatedFrom.IsZero() && m.CreatedAt.Before(where.CreatedFrom),
		!where.CreatedTo.IsZero() && !m.CreatedAt.Before(where.CreatedTo),
		!where.UpdatedFrom.IsZero() && m.UpdatedAt.Before(where.UpdatedFrom),
		!where.UpdatedTo.IsZero() && !m.UpdatedAt.Before(where.UpdatedTo),
		slices.ContainsFunc(where.And, func(part store.MemoryWhere) bool { return !remembers(m, part) }),
		len(where.Or) > 0 && !slices.ContainsFunc(where.Or, func(part store.MemoryWhere) bool { return remembers(m, part) }),
		where.Not != nil && remembers(m, *where.Not):
		return false
	}
	return true
}

// answer returns the filtered, ordered set.
func (s shelf) answer(where store.MemoryWhere, order model.MemoryOrder, now time.Time) []model.Memory {
	out := slices.DeleteFunc(s.there(now), func(m model.Memory) bool { return !remembers(s[m.ID], where) })
	slices.SortFunc(out, func(a, b model.Memory) int {
		if order.Direction == model.Descending {
			a, b = b, a
		}
		return cmp.Or(placeOf(a, order).At.Compare(placeOf(b, order).At), compareIDs(a.ID, b.ID))
	})
	return out
}

func placeOf(m model.Memory, order model.MemoryOrder) store.MemoryPlace {
	if order.Field == model.MemoryOrderUpdatedAt {
		return store.MemoryPlace{ID: m.ID, At: m.UpdatedAt}
	}
	return store.MemoryPlace{ID: m.ID, At: m.CreatedAt}
}

func (s shelf) counts(now time.Time) model.MemoryCounts {
	counts := model.MemoryCounts{ByType: map[model.MemoryType]int{}}
	models := map[string]model.ModelCount{}
	for _, m := range s.there(now) {
		counts.ByType[m.Type]++
		if name := m.Embedding.Model; name != "" {
			models[name] = model.ModelCount{Model: name, Dimensions: m.Embedding.Dimensions, Rows: models[name].Rows + 1}
		}
	}
	counts.Models = slices.SortedFunc(maps.Values(models), func(a, b model.ModelCount) int {
		return cmp.Or(cmp.Compare(b.Rows, a.Rows), cmp.Compare(a.Model, b.Model))
	})
	return counts
}

// twins returns all memories that have the key or one of the pairs.
func (s shelf) twins(twin store.MemoryTwin, now time.Time) []model.Memory {
	same := func(m model.Memory) bool { return twin.Key != "" && s[m.ID].key == twin.Key }
	out := slices.DeleteFunc(s.there(now), func(m model.Memory) bool {
		identity := s[m.ID].identity
		named := slices.ContainsFunc(twin.Pairs, func(pair string) bool { return slices.Contains(identity, pair) })
		return m.Type != twin.Type || !same(m) && !named
	})
	slices.SortFunc(out, func(a, b model.Memory) int {
		if first := same(a); first != same(b) {
			if first {
				return -1
			}
			return 1
		}
		return compareIDs(b.ID, a.ID)
	})
	return out
}

// pending are the memories without a vector of the model.
func (s shelf) pending(name string, now time.Time) []model.Memory {
	return slices.DeleteFunc(s.there(now), func(m model.Memory) bool { return m.Embedding.Model == name })
}

// settled returns a query as rows with these entries answer it, and how many entries each of its terms finds.
func settled(query model.SearchWords, all [][]string) (model.SearchWords, []int) {
	count := func() []int {
		found := make([]int, len(query.Terms))
		for i, term := range query.Terms {
			for _, entries := range all {
				for _, entry := range entries {
					if has(term, entry) {
						found[i]++
					}
				}
			}
			found[i] = min(found[i], terms.Common)
		}
		return found
	}
	query, _ = terms.Settle(query, count())
	return query, count()
}

// search returns all hits, ranked.
func (s shelf) search(search store.MemorySearch) []store.MemoryHit {
	var all [][]string
	for _, m := range s {
		all = append(all, m.entries)
	}
	var found []int
	search.Words, found = settled(search.Words, all)
	hits := []store.MemoryHit{}
	for _, m := range s.there(search.Now) {
		var hit store.MemoryHit
		for _, query := range search.Vectors {
			if m.Embedding.Model == query.Model {
				hit.Similarity = vector.Cosine(query.Vector, m.Embedding.Vector)
				hit.ByVector = hit.Similarity >= search.MinSimilarity
			}
		}
		if len(search.Words.Terms) > 0 {
			best := terms.Match(search.Words, s[m.ID].entries)
			hit.ByKeyword = slices.ContainsFunc(best, func(weight float64) bool { return weight > 0 })
			if hit.ByKeyword {
				hit.Keyword = terms.Score(search.Words, found, best)
			}
		}
		hit.Score = search.SimilarityWeight*max(hit.Similarity, 0) + search.KeywordWeight*hit.Keyword
		if (hit.ByVector || hit.ByKeyword) && remembers(s[m.ID], search.Where) {
			hit.Memory = onlyMemory(m, search.Columns)
			hits = append(hits, hit)
		}
	}
	slices.SortFunc(hits, func(a, b store.MemoryHit) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(b.Similarity, a.Similarity),
			compareIDs(b.Memory.ID, a.Memory.ID))
	})
	return hits
}

// has reports whether an entry is one that a form of the term finds.
func has(term model.SearchTerm, entry string) bool {
	for _, form := range term.Forms {
		if entry == form.Term || form.Prefix && strings.HasPrefix(entry, form.Term) {
			return true
		}
	}
	return false
}

// memoryColumns are all columns there are, one by one.
func memoryColumns() []store.MemoryColumns {
	var all []store.MemoryColumns
	for _, column := range store.MemoryTable.Columns {
		if column.Want != 0 {
			all = append(all, column.Want)
		}
	}
	return all
}

// wholeMemory is everything there is of a memory.
const wholeMemory = store.MemoryRow | store.MemoryModel | store.MemoryVector | store.MemoryHistory

// onlyMemory returns the memory with the columns not asked for zeroed.
func onlyMemory(m model.Memory, want store.MemoryColumns) model.Memory {
	embedding := m.Embedding
	m = trimmed(&store.MemoryTable, m, want)
	m.Embedding = model.Embedding{}
	if want.Has(store.MemoryModel) {
		m.Embedding.Model, m.Embedding.Dimensions = embedding.Model, embedding.Dimensions
	}
	if want.Has(store.MemoryVector) {
		m.Embedding.Vector = embedding.Vector
	}
	return m
}

func onlyMemories(memories []model.Memory, want store.MemoryColumns) []model.Memory {
	out := make([]model.Memory, len(memories))
	for i, m := range memories {
		out[i] = onlyMemory(m, want)
	}
	return out
}

// memoryOrders are all orders there are.
func memoryOrders() []model.MemoryOrder {
	var out []model.MemoryOrder
	for _, field := range []model.MemoryOrderField{model.MemoryOrderCreatedAt, model.MemoryOrderUpdatedAt} {
		for _, direction := range []model.Direction{model.Ascending, model.Descending} {
			out = append(out, model.MemoryOrder{Field: field, Direction: direction})
		}
	}
	return out
}

func memoryIDs(memories []model.Memory) []model.UUID {
	out := make([]model.UUID, len(memories))
	for i, m := range memories {
		out[i] = m.ID
	}
	return out
}
