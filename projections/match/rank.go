package match

import (
	"cmp"
	"slices"
)

// Candidate is something that a query may be like.
type Candidate[ID comparable] struct {
	ID ID
	// Fields are what is searched.
	Fields []string
}

// Match is a candidate with its score.
type Match[ID comparable] struct {
	ID ID
	// Index is the candidate's place among those given.
	Index int
	// Score is 1 for an equal text.
	Score float64
}

// Rank returns the candidates with a score of at least least, best first; equals keep their order. Fields are scored as
// they are.
func Rank[ID comparable](query string, candidates []Candidate[ID], least float64) []Match[ID] {
	pattern := NewPattern(query, least)
	var ranked []Match[ID]
	for i, candidate := range candidates {
		if score, ok := pattern.Score(candidate.Fields...); ok {
			ranked = append(ranked, Match[ID]{ID: candidate.ID, Index: i, Score: score})
		}
	}
	sortMatches(ranked)
	return ranked
}

func sortMatches[ID comparable](matches []Match[ID]) {
	slices.SortStableFunc(matches, func(a, b Match[ID]) int { return cmp.Compare(b.Score, a.Score) })
}
