package match

import (
	"cmp"
	"slices"

	"almanac/graph/model"
	"almanac/projections/fold"
)

// The thresholds of decisions.
const (
	// FuzzyMatchMin is the least score of something that may be meant.
	FuzzyMatchMin = 0.6
	// LowConfidenceMin is the least score of something worth asking "did you mean …?" about.
	LowConfidenceMin = 0.1
	// DisambiguationGap is by how much the best must beat the next to be taken without asking.
	DisambiguationGap = 0.15
	// MaxCandidates is how many candidates a question shows.
	MaxCandidates = 5
)

// Candidate is something that may be meant.
type Candidate[ID comparable] struct {
	ID ID
	// Fields are what is searched, the name first: a task's text and category, a list's name.
	Fields []string
	// Same is the sameness key: candidates with equal keys are so alike that a person could not choose between them.
	// For tasks: text, recurrence type, category and whether it is due.
	Same string
}

// Match is a candidate with its score.
type Match[ID comparable] struct {
	ID ID
	// Index is the candidate's place among those given.
	Index int
	// Score is 1 for an equal name.
	Score float64
}

// Options are the rules of a decision. Tasks and Lists give whole ones.
type Options struct {
	// MinScore, LowScore and Gap are the thresholds, see the constants.
	MinScore, LowScore, Gap float64
	// MaxCandidates is how many candidates are shown at most.
	MaxCandidates int
	// Several lets the person choose more than one (for deleting); a question is PICK_MANY then and not PICK_ONE.
	Several bool
	// Distinct shows only the first of those that are the same in a question.
	Distinct bool
	// Prefixes are words that a person may put before the name, folded; see Forms.
	Prefixes []string
}

// Outcome is what a decision comes to.
type Outcome int

// The outcomes.
const (
	// None: nothing is like the query.
	None Outcome = iota
	// Found: Matches holds the one that is meant.
	Found
	// Many: Matches holds several that are the same to a person; whatever is to be done may be done to all, or to the
	// first.
	Many
	// Ask: Matches holds the candidates among which a person must choose.
	Ask
	// Confirm: Matches holds the one that is somewhat like the query; a person must say that it is meant.
	Confirm
)

// Decision is an outcome with its matches, best first, the earlier candidate first among equals.
type Decision[ID comparable] struct {
	Outcome Outcome
	Matches []Match[ID]
	// Kind is what the question is, for Ask and Confirm; empty otherwise.
	Kind model.ConfirmationKind
}

// Decide says which of the candidates a query means.
//
// A name equal to the query, folded (see fold.Text), beats all that are merely like it; failing that, one equal to the
// query without a prefix word. Failing that, all candidates of at least MinScore compete, by the best score of any of
// the query's forms. One alone is Found. Several are Many when all are the same; when the best beats the best of those
// that are not the same as it by Gap, it is Found, or Many with its like; otherwise the best MaxCandidates are asked
// about. When none reaches MinScore, the best of at least LowScore is to be confirmed. A blank query means nothing.
//
// Scores are those of Pattern on texts without accents, points and hidden characters (fold.Unmarked), so niqqud does
// not hide a task from one who types without.
func Decide[ID comparable](query string, candidates []Candidate[ID], o Options) Decision[ID] {
	forms := Forms(query, o.Prefixes)
	for _, form := range forms.Whole {
		if equal := equalTo(form, candidates); len(equal) > 0 {
			return among(equal, candidates, o)
		}
	}
	likely, unlikely := rankForms(forms.all(), candidates, o)
	switch {
	case len(likely) > 0:
		return among(likely, candidates, o)
	case len(unlikely) > 0:
		return Decision[ID]{Outcome: Confirm, Matches: unlikely[:1], Kind: model.PickOne}
	}
	return Decision[ID]{}
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

// rankForms ranks the candidates by their best form, once among those of MinScore and once among those of LowScore; the
// second is complete only when the first is empty.
func rankForms[ID comparable](forms []string, candidates []Candidate[ID], o Options) (likely, unlikely []Match[ID]) {
	patterns := make([]*Pattern, len(forms))
	for i, form := range forms {
		patterns[i] = NewPattern(fold.Unmarked(form), o.MinScore)
	}
	var texts []text
	var compared comparison
	for i, candidate := range candidates {
		texts = texts[:0]
		for _, field := range candidate.Fields {
			if t, ok := newText(fold.Unmarked(field)); ok {
				texts = append(texts, t)
			}
		}
		high, isHigh := 0.0, false
		low, isLow := 0.0, false
		for _, pattern := range patterns {
			compared = compared[:0]
			for _, t := range texts {
				compared = append(compared, pattern.measure(t))
			}
			if score, ok := compared.score(o.MinScore); ok {
				high, isHigh = max(high, score), true
			} else if score, ok := compared.score(o.LowScore); ok {
				low, isLow = max(low, score), true
			}
		}
		switch {
		case isHigh:
			likely = append(likely, Match[ID]{ID: candidate.ID, Index: i, Score: high})
		case isLow && len(likely) == 0:
			unlikely = append(unlikely, Match[ID]{ID: candidate.ID, Index: i, Score: low})
		}
	}
	sortMatches(likely)
	sortMatches(unlikely)
	return likely, unlikely
}

func equalTo[ID comparable](name string, candidates []Candidate[ID]) []Match[ID] {
	key := fold.Text(name)
	var equal []Match[ID]
	for i, candidate := range candidates {
		if len(candidate.Fields) > 0 && fold.Text(candidate.Fields[0]) == key {
			equal = append(equal, Match[ID]{ID: candidate.ID, Index: i, Score: 1})
		}
	}
	return equal
}

// among decides between matches, of which there is at least one, best first.
func among[ID comparable](matches []Match[ID], candidates []Candidate[ID], o Options) Decision[ID] {
	best := candidates[matches[0].Index].Same
	var like []Match[ID]
	rival, contested := 0.0, false
	for _, m := range matches {
		if candidates[m.Index].Same == best {
			like = append(like, m)
		} else if !contested {
			rival, contested = m.Score, true
		}
	}
	switch {
	case contested && matches[0].Score-rival < o.Gap:
		kind := model.PickOne
		if o.Several {
			kind = model.PickMany
		}
		if o.Distinct {
			matches = distinct(matches, candidates)
		}
		return Decision[ID]{Outcome: Ask, Matches: matches[:min(len(matches), o.MaxCandidates)], Kind: kind}
	case len(like) > 1:
		return Decision[ID]{Outcome: Many, Matches: like}
	}
	return Decision[ID]{Outcome: Found, Matches: like}
}

// distinct leaves the first of those that are the same.
func distinct[ID comparable](matches []Match[ID], candidates []Candidate[ID]) []Match[ID] {
	seen := make(map[string]bool, len(matches))
	var first []Match[ID]
	for _, m := range matches {
		if same := candidates[m.Index].Same; !seen[same] {
			seen[same] = true
			first = append(first, m)
		}
	}
	return first
}
