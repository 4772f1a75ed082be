package match

import "almanac/projections/fold"

// Like returns all candidates that a query may mean, best first, the earlier one first among equals: those whose name
// equals the query, folded; failing that, those of at least MinScore by the best of the query's forms.
func Like[ID comparable](query string, candidates []Candidate[ID], o Options) []Match[ID] {
	forms := Forms(query, o.Prefixes)
	for _, form := range forms.Whole {
		if equal := equalTo(form, candidates); len(equal) > 0 {
			return equal
		}
	}
	likely, _ := rankForms(forms.all(), candidates, o)
	return likely
}

// Title returns a function that reports whether a title is like a text. It may be used from several goroutines.
type Title struct {
	key      string
	patterns []*Pattern
}

// NewTitle makes a text ready for being compared with titles; least is the lowest score that is like it.
func NewTitle(text string, prefixes []string, least float64) Title {
	t := Title{key: fold.Text(text)}
	for _, form := range Forms(text, prefixes).all() {
		t.patterns = append(t.patterns, NewPattern(fold.Unmarked(form), least))
	}
	return t
}

// Like reports whether a title is like the text: equal when folded, or of at least the least score by the best of the
// text's forms. Nothing is like a blank text.
func (t Title) Like(title string) bool {
	if t.key == "" {
		return false
	}
	if fold.Text(title) == t.key {
		return true
	}
	plain := fold.Unmarked(title)
	for _, p := range t.patterns {
		if _, ok := p.Score(plain); ok {
			return true
		}
	}
	return false
}
