package graphiti

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"almanac/projections/fold"
)

// tokens are a text's words, folded.
func tokens(text string) []string {
	return strings.FieldsFunc(fold.Text(strings.ReplaceAll(text, "_", " ")), func(r rune) bool {
		return strings.ContainsRune(" \t\n.,;:!?\"'()[]{}<>/|", r)
	})
}

// score counts the words of a query that a text has, whole or as part of a word: meaning is not looked for.
func score(query []string, text string) int {
	have := tokens(text)
	n := 0
	for _, word := range query {
		if slices.ContainsFunc(have, func(h string) bool {
			const part = 3
			return h == word || len([]rune(word)) >= part && strings.Contains(h, word) ||
				len([]rune(h)) >= part && strings.Contains(word, h)
		}) {
			n++
		}
	}
	return n
}

// ranked is something with its score.
type ranked[T any] struct {
	item    T
	score   int
	near    bool
	created time.Time
	uuid    string
}

// best orders by score, what is near the centre first where there is one, then the newest.
func best[T any](all []ranked[T], most int) []T {
	slices.SortFunc(all, func(a, b ranked[T]) int {
		if a.near != b.near {
			if a.near {
				return -1
			}
			return 1
		}
		return cmp.Or(b.score-a.score, b.created.Compare(a.created), strings.Compare(a.uuid, b.uuid))
	})
	var out []T
	for i, one := range all {
		if i >= most {
			break
		}
		out = append(out, one.item)
	}
	return out
}

// findNodes searches entities. The lock is held.
func (s *Server) findNodes(query string, in func(group string) bool, labels []string, center string, most int) []*node {
	words := tokens(query)
	var all []ranked[*node]
	for _, n := range s.graph.nodes {
		if !in(n.group) || len(labels) > 0 && !slices.Contains(labels, n.label) {
			continue
		}
		if points := score(words, n.name+" "+n.summary); points > 0 {
			all = append(all, ranked[*node]{n, points + score(words, n.name), center == n.uuid, n.created, n.uuid})
		}
	}
	return best(all, min(most, MostNodes))
}

// factFilter is what search_memory_facts filters by. A fact without the date is in no range of it.
type factFilter struct {
	names                                                []string
	validAfter, validBefore, invalidAfter, invalidBefore time.Time
}

func (f factFilter) fits(e *edge) bool {
	return (len(f.names) == 0 || slices.Contains(f.names, e.name)) &&
		within(e.valid, f.validAfter, f.validBefore) && within(e.invalid, f.invalidAfter, f.invalidBefore)
}

func within(at, after, before time.Time) bool {
	if after.IsZero() && before.IsZero() {
		return true
	}
	return !at.IsZero() && (after.IsZero() || !at.Before(after)) && (before.IsZero() || !at.After(before))
}

// findEdges searches facts. The lock is held.
func (s *Server) findEdges(query string, in func(group string) bool, filter factFilter, center string,
	most int) []*edge {
	words := tokens(query)
	var all []ranked[*edge]
	for _, e := range s.graph.edges {
		if !in(e.group) || !filter.fits(e) {
			continue
		}
		if points := score(words, e.fact+" "+e.name); points > 0 {
			near := center != "" && (e.source == center || e.target == center)
			all = append(all, ranked[*edge]{e, points, near, e.created, e.uuid})
		}
	}
	return best(all, most)
}
