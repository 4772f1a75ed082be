package match

import (
	"fmt"
	"strings"
	"testing"
)

func items(texts ...string) []Candidate[string] {
	candidates := make([]Candidate[string], len(texts))
	for i, text := range texts {
		candidates[i] = Candidate[string]{ID: fmt.Sprint(i), Fields: []string{text}}
	}
	return candidates
}

func TestRankKeepsTheOrderOfEquals(t *testing.T) {
	t.Parallel()
	ranked := Rank("milk", items("milk a", "milk", "milk b", "silk", "zzz"), 0.6)
	var ids []string
	for _, m := range ranked {
		ids = append(ids, m.ID)
	}
	if strings.Join(ids, " ") != "1 0 2 3" {
		t.Errorf("%+v", ranked)
	}
}

func TestALongQueryMatchesOnlyItsEqual(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("a long text ", 100)
	if got := Rank(long, items(long+"!", strings.ToUpper(long)), 0.6); len(got) != 1 || got[0].ID != "1" {
		t.Errorf("%+v", got)
	}
	limit := strings.Repeat("x", MaxQuery)
	if got := Rank(limit, items(limit+"!"), 0.6); len(got) != 1 {
		t.Errorf("at the limit: %+v", got)
	}
	if got := Rank(limit+"x", items(limit+"x!"), 0.6); len(got) != 0 {
		t.Errorf("beyond the limit: %+v", got)
	}
}
