package memories

import (
	"context"
	"slices"

	"almanac/adapters/store"
	"almanac/graph/model"
	"almanac/projections/memo"
	"almanac/projections/words"
	"almanac/resolvers/core"
)

const (
	// maxTwins bounds how many memories with the same text, or the same name, are looked at.
	maxTwins = 50
	// maxNear is how many memories of nearly the same text may be in question, maxSameSubject how many key-values of
	// nearly the same subject.
	maxNear        = 3
	maxSameSubject = 5
	// maxRivals is how many a question offers.
	maxRivals = 5
)

// What a rival's score is when it is not a similarity.
const (
	scoreSameText = 1
	scoreSameName = 0.95
)

// rival is a memory that may be about the same as one that is to be kept.
type rival struct {
	memory model.Memory
	// score says how surely it is, 0–1.
	score float64
}

// nearMemory is a memory whose text is nearly that of one to be kept.
type nearMemory struct {
	id         model.UUID
	similarity float64
	// words: they share one, too.
	words bool
}

// nearMemories looks for what is nearly the same as a contact or a key-value. It sees what is committed; its finds are
// looked at again within the transaction that decides. Without a vector there is no telling.
func (r *Resolver) nearMemories(ctx context.Context, v *core.Viewer, memory model.Memory) ([]nearMemory, error) {
	if memory.Type == model.MemoryNote || len(memory.Embedding.Vector) == 0 {
		return nil, nil
	}
	found, err := r.Store.SearchMemories(ctx, v.User, store.MemorySearch{
		Where: store.MemoryWhere{Types: []model.MemoryType{memory.Type}}, Now: v.Now,
		Vectors: []store.QueryVector{{Model: memory.Embedding.Model, Vector: memory.Embedding.Vector}},
		Words:   words.Query(memory.Content), MinSimilarity: r.Embedder.Model().Near, SimilarityWeight: 1,
		Limit: 2 * maxSameSubject,
	})
	if err != nil {
		return nil, err
	}
	var near []nearMemory
	for _, hit := range found.Hits {
		if hit.ByVector {
			near = append(near, nearMemory{id: hit.Memory.ID, similarity: hit.Similarity, words: hit.ByKeyword})
		}
	}
	return near, nil
}

// twinsOfMemory are the memories of the same type that have the same text, or name the same.
func twinsOfMemory(ctx context.Context, tx store.Tx, v *core.Viewer, memory model.Memory,
	columns store.MemoryColumns) ([]model.Memory, error) {
	twin := store.MemoryTwin{Type: memory.Type, Key: memo.Key(memory.Content)}
	if memory.Type != model.MemoryNote {
		twin.Pairs = memo.Identity(memory)
	}
	return tx.TwinMemories(ctx, v.User, twin, v.Now, maxTwins, columns)
}

// rivalsOf are the memories that a new one may be about, the likeliest first: those of the same text, those that name
// the same, and those of nearly the same text. columns are what else is wanted of them.
func rivalsOf(ctx context.Context, tx store.Tx, v *core.Viewer, memory model.Memory, twins []model.Memory,
	near []nearMemory,
	columns store.MemoryColumns) ([]rival, error) {
	var out []rival
	key := memo.Key(memory.Content)
	for _, twin := range twins {
		score := scoreSameName
		if memo.Key(twin.Content) == key {
			score = scoreSameText
		}
		out = append(out, rival{twin, score})
	}
	var ids []model.UUID
	for _, one := range near {
		if !slices.ContainsFunc(twins, func(m model.Memory) bool { return m.ID == one.id }) {
			ids = append(ids, one.id)
		}
	}
	found, err := memoriesBy(ctx, tx, v, ids, store.MemoryRow|columns)
	if err != nil {
		return nil, err
	}
	alike, sameSubject := 0, 0
	for _, one := range near {
		other, there := found[one.id]
		if !there || other.Type != memory.Type {
			continue
		}
		switch subject := subjectsOf(memory, other); {
		case subject == otherSubject:
		case subject == nearlySameSubject && sameSubject < maxSameSubject:
			sameSubject++
			out = append(out, rival{other, one.similarity})
		case one.words && alike < maxNear:
			alike++
			out = append(out, rival{other, one.similarity})
		}
	}
	slices.SortStableFunc(out, func(a, b rival) int {
		switch {
		case a.score > b.score:
			return -1
		case a.score < b.score:
			return 1
		}
		return 0
	})
	return out[:min(len(out), maxRivals)], nil
}

// subjects is what the subjects of two key-values have to do with each other.
type subjects int

const (
	unknownSubject subjects = iota
	nearlySameSubject
	otherSubject
)

// subjectsOf compares subjects. Where both have one, it says more than how alike the texts are: the code of the gate is
// not that of the door.
func subjectsOf(a, b model.Memory) subjects {
	if a.Type != model.MemoryKV {
		return unknownSubject
	}
	if memo.SameSubject(memo.Subject(a), memo.Subject(b)) {
		return nearlySameSubject
	}
	first, _ := memo.KeyValue(a.Metadata)
	second, _ := memo.KeyValue(b.Metadata)
	if first.Subject == "" || second.Subject == "" { // what a content says it is of may be said in many ways
		return unknownSubject
	}
	return otherSubject
}
