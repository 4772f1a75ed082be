package graphiti

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"almanac/adapters/knowledge"
	"almanac/graph/model"
)

// place names an item of a page: in a search how many came before it, in a list its key.
type place struct {
	Offset int    `json:"o,omitempty"`
	Name   string `json:"n,omitempty"`
	At     int64  `json:"t,omitempty"`
	UUID   string `json:"u,omitempty"`
}

func (p place) bytes() []byte {
	raw, err := json.Marshal(p)
	if err != nil {
		panic(err) // texts and numbers can be written
	}
	return raw
}

// readPlace reads the place after which a page begins; nil for the start.
func readPlace(after []byte) (*place, error) {
	if after == nil {
		return nil, nil //nolint:nilnil // nil is the start
	}
	var p place
	if json.Unmarshal(after, &p) != nil || p.Offset < 0 {
		return nil, model.BadInput("after", "this cursor is not of this list")
	}
	return &p, nil
}

// found cuts a page out of what a search gave, best first.
func found[T any](all []T, page knowledge.Page, after *place) knowledge.Answer[T] {
	begin := 0
	if after != nil {
		begin = min(after.Offset, len(all))
	}
	end := min(begin+page.First, len(all))
	answer := knowledge.Answer[T]{HasNext: end < len(all) && end < model.MaxSearchDepth}
	for i := begin; i < end; i++ {
		answer.Hits = append(answer.Hits, knowledge.Hit[T]{Item: all[i], Place: place{Offset: i + 1}.bytes()})
	}
	return answer
}

// needed is how many hits a page and the question for another one take.
func needed(page knowledge.Page, after *place) int {
	need := page.First + 1
	if after != nil {
		need += after.Offset
	}
	return min(need, model.MaxSearchDepth)
}

// listed orders a list and cuts a page out of it.
func listed[T any](all []T, page knowledge.Page, after *place, key func(*T) place,
	compare func(a, b place) int) knowledge.Answer[T] {
	slices.SortFunc(all, func(a, b T) int { return compare(key(&a), key(&b)) })
	begin := 0
	if after != nil {
		begin, _ = slices.BinarySearchFunc(all, *after, func(one T, p place) int {
			if compare(key(&one), p) <= 0 {
				return -1
			}
			return 1
		})
	}
	end := min(begin+page.First, len(all))
	answer := knowledge.Answer[T]{HasNext: end < len(all)}
	for i := begin; i < end; i++ {
		answer.Hits = append(answer.Hits, knowledge.Hit[T]{Item: all[i], Place: key(&all[i]).bytes()})
	}
	return answer
}

// byName is the order of lists of entities.
func byName(a, b place) int {
	return cmp.Or(strings.Compare(a.Name, b.Name), strings.Compare(a.UUID, b.UUID))
}

// latestFirst is the order of lists of facts and episodes.
func latestFirst(a, b place) int {
	return cmp.Or(cmp.Compare(b.At, a.At), strings.Compare(b.UUID, a.UUID))
}

func entityPlace(e *model.Entity) place { return place{Name: folded(e.Name), UUID: e.SourceID} }
func factPlace(f *model.Fact) place     { return place{At: micros(f.CreatedAt), UUID: f.SourceID} }
func episodePlace(e *model.Episode) place {
	return place{At: micros(e.ReferenceTime), UUID: e.SourceID}
}

// micros is a time as a number; the year 1 for none.
func micros(at time.Time) int64 { return at.UnixMicro() }
