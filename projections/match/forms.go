package match

import (
	"slices"
	"strings"
	"unicode/utf8"

	"almanac/projections/fold"
)

// Tasks are the rules for naming a task by its text. several is for what may be done to more than one, such as
// deleting.
func Tasks(several bool) Options {
	return rules(several, "המשימה", "התזכורת", "משימת", "תזכורת", "למשימה", "במשימה")
}

// Lists are the rules for naming a list by its name.
func Lists(several bool) Options {
	return rules(several, "רשימת", "הרשימה", "רשימה", "לרשימת", "ברשימת")
}

// Events are the rules for naming an event by its title. Of occurrences of one series, and whatever else is the same, a
// question shows one.
func Events(several bool) Options {
	o := rules(several, "האירוע", "אירוע", "לאירוע", "באירוע")
	o.Distinct = true
	return o
}

func rules(several bool, prefixes ...string) Options {
	for i, prefix := range prefixes {
		prefixes[i] = fold.Text(prefix)
	}
	return Options{
		MinScore: FuzzyMatchMin, LowScore: LowConfidenceMin, Gap: DisambiguationGap, MaxCandidates: MaxCandidates,
		Several: several, Prefixes: prefixes,
	}
}

// QueryForms are the readings of a query.
type QueryForms struct {
	// Whole are the readings that may be the whole name: the query, and the query without its prefix word. Empty for a
	// blank query.
	Whole []string
	// Bare is the shorter of them without the Hebrew article; empty when it has none. It may be the name, or the
	// first letter was part of the word, so it counts as like the name only.
	Bare string
}

// Forms returns the readings of a query in which Hebrew may have put something before the name: one word of prefixes
// ("המשימה לקנות חלב" names "לקנות חלב"), then the article ה.
func Forms(query string, prefixes []string) QueryForms {
	query = fold.Clean(query)
	if fold.Text(query) == "" {
		return QueryForms{}
	}
	forms := QueryForms{Whole: []string{query}}
	if first, rest := cutWord(query); rest != "" && slices.Contains(prefixes, fold.Text(first)) {
		query = rest
		forms.Whole = append(forms.Whole, rest)
	}
	if bare, found := strings.CutPrefix(fold.Unmarked(query), "ה"); found && utf8.RuneCountInString(bare) > 1 {
		forms.Bare = bare
	}
	return forms
}

func (f QueryForms) all() []string {
	if f.Bare == "" {
		return f.Whole
	}
	return append(slices.Clone(f.Whole), f.Bare)
}

// cutWord cuts a clean text after its first word.
func cutWord(text string) (first, rest string) {
	end := strings.IndexAny(text, " \t\n")
	if end < 0 {
		return text, ""
	}
	return text[:end], strings.TrimSpace(text[end:])
}
