package demo

import (
	"strings"
	"testing"
	"time"

	"almanac/graph/model"
	"almanac/projections/memo"
)

// The sample's memories are of all types and both languages, whole, and right by the rules of those that users keep.
func TestMemoriesAreRight(t *testing.T) {
	data, moment := sample(t, time.Date(2026, 11, 22, 10, 0, 0, 0, time.UTC), "Asia/Jerusalem")
	types, hebrew, versions := map[model.MemoryType]int{}, 0, 0
	seen := map[string]bool{}
	for i, memory := range data.Memories {
		written := thoughts()[i]
		types[memory.Type]++
		if strings.ContainsAny(memory.Content, "אבגדהוזחטיכלמנסעפצקרשת") {
			hebrew++
		}
		if len(memory.Tags) != len(written.tags) || (written.metadata == "") != (memory.Metadata == "") {
			t.Errorf("%s: tags %v, metadata %q", memory.Content, memory.Tags, memory.Metadata)
		}
		if key := memo.Key(memory.Content); seen[key] || memory.Content != written.content {
			t.Errorf("%s is there twice, or changed", memory.Content)
		} else {
			seen[key] = true
		}
		if memory.Embedding.Model == "" || len(memory.Embedding.Vector) != memory.Embedding.Dimensions {
			t.Errorf("%s has no vector", memory.Content)
		}
		if !memory.CreatedAt.Before(moment.Now) || memory.UpdatedAt.Before(memory.CreatedAt) ||
			memory.UpdatedAt.After(moment.Now) {
			t.Errorf("%s was written at %v", memory.Content, memory.UpdatedAt)
		}
		if memory.Version != len(memory.History)+1 {
			t.Errorf("%s: version %d after %d", memory.Content, memory.Version, len(memory.History))
		}
		for _, was := range memory.History {
			versions++
			if was.Memory != memory.ID || was.Content == memory.Content || was.Metadata == memory.Metadata ||
				!was.WrittenAt.Before(was.ReplacedAt) || !was.ReplacedAt.Equal(memory.UpdatedAt) {
				t.Errorf("%s: %+v", memory.Content, was)
			}
		}
	}
	if types[model.MemoryNote] < 5 || types[model.MemoryContact] < 3 || types[model.MemoryKV] < 3 || hebrew < 5 ||
		versions < 2 {
		t.Errorf("%v, %d in Hebrew, %d versions", types, hebrew, versions)
	}
}
