package words

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"almanac/graph/model"
)

// MaxTerms is how many terms a query has at most.
const MaxTerms = 32

// What a form is worth beside the word itself, which is worth 1. The order matters more than the numbers: what was
// written as it was asked for comes first, then what differs by a prefix, then by an ending, then what only begins so,
// and what may be another word last.
const (
	weightPrefixed  = 0.9  // the text has a prefix before the word
	weightBare      = 0.85 // the query has a prefix before the word
	weightBoth      = 0.8  // both have
	weightDeeper    = 0.05 // less for each further letter taken off
	weightEnding    = 0.65
	weightPlural    = 0.8  // English, of one word
	weightShort     = 0.4  // two letters are left
	weightBeginning = 0.75 // times the share of the word that was asked for
	weightLocal     = 0.8  // a telephone number without its area
	weightDay       = 0.5  // a date, and the same day without the year or of another year
	weightNearly    = 0.9
	// A name that sounds like it, and one of which so little is heard that many sound like it.
	weightSound      = 0.9
	weightShortSound = 0.6
)

// The least number of characters that a word's beginning has. Two letters say much in Hebrew, which is written without
// most vowels.
const (
	minBeginning       = 3
	minHebrewBeginning = 2
)

// Query reads what is looked for. Its forms are entries, the best first, each at most once in a term. No terms when the
// text has no word and no number.
//
// Words that only hold a sentence together (what, is, של) are looked for when there are no others. Of more than
// MaxTerms words the longest stay, for they are the rarest, in the order of the text.
func Query(text string) model.SearchWords {
	var all, function []model.SearchTerm
	seen := make(map[string]struct{})
	add := func(asked string, forms []model.TermForm) {
		name := isName(text, asked)
		if name && isKnown(asked) {
			forms = append(forms, nameForms(asked)...)
		}
		forms = best(forms)
		term := model.SearchTerm{Forms: forms}
		if strings.Trim(asked, "0123456789@-.") != "" && !name {
			term.Word = asked
		}
		if _, known := seen[forms[0].Term]; known {
			return
		}
		seen[forms[0].Term] = struct{}{}
		if isFunction(asked) {
			function = append(function, term)
		} else {
			all = append(all, term)
		}
	}
	scan(text, func(t token) { ask(t, add) })
	if len(all) == 0 {
		all = function
	}
	return model.SearchWords{Terms: longest(all)}
}

// isName reports whether a folded word is written with a capital where only names are, so that no other word can stand
// for it: within a query, or as all of it.
func isName(text, word string) bool {
	if word[0] < 'a' || word[0] > 'z' {
		return false
	}
	at := strings.Index(text, string(word[0]-'a'+'A')+word[1:])
	return at > 0 || at == 0 && len(strings.TrimSpace(text)) == len(word)
}

// longest keeps the MaxTerms terms whose best form is longest, in their order.
func longest(terms []model.SearchTerm) []model.SearchTerm {
	if len(terms) <= MaxTerms {
		return terms
	}
	order := make([]int, len(terms))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Compare(utf8.RuneCountInString(terms[b].Forms[0].Term), utf8.RuneCountInString(terms[a].Forms[0].Term))
	})
	order = order[:MaxTerms]
	slices.Sort(order)
	kept := make([]model.SearchTerm, MaxTerms)
	for i, at := range order {
		kept[i] = terms[at]
	}
	return kept
}

// best puts forms in order of weight, each once.
func best(forms []model.TermForm) []model.TermForm {
	slices.SortStableFunc(forms, func(a, b model.TermForm) int { return cmp.Compare(b.Weight, a.Weight) })
	type form struct {
		term   string
		prefix bool
	}
	seen := make(map[form]struct{}, len(forms))
	return slices.DeleteFunc(forms, func(f model.TermForm) bool {
		_, known := seen[form{f.Term, f.Prefix}]
		seen[form{f.Term, f.Prefix}] = struct{}{}
		return known
	})
}

// ask returns the terms of a token.
func ask(t token, add func(asked string, forms []model.TermForm)) {
	if t.silent {
		return
	}
	whole := exactForm(t.text, 1)
	switch t.kind {
	case word:
		forms := wordForms(t.text)
		for _, other := range t.more {
			forms = append(forms, exactForm(other, weightNearly))
		}
		add(t.text, append(forms, soundForms(t.text)...))
	case compound:
		for _, part := range t.parts {
			add(part, append(append(wordForms(part), whole), soundForms(part)...))
		}
	case code:
		add(t.text, wordForms(t.text))
		for _, part := range t.parts {
			if utf8.RuneCountInString(part) > 1 {
				add(part, wordForms(part))
			}
		}
	case exact:
		add(t.text, exactForms(t))
	case address:
		add(t.text, append([]model.TermForm{whole}, startOf(t.text)...))
	case phone:
		forms := []model.TermForm{whole, exactForm(t.parts[0], 1), beginning(wordMark, t.text, weightBeginning)}
		for _, local := range t.more {
			forms = append(forms, exactForm(local, weightLocal))
		}
		add(t.text, forms)
	case date:
		add(t.text, []model.TermForm{whole, exactForm(t.more[0], weightDay)})
	case pair:
		forms := []model.TermForm{whole}
		if utf8.RuneCountInString(t.text) == 1 {
			forms = append(forms, beginning(wordMark, t.text, weightBeginning))
		}
		add(t.text, forms)
	}
}

// exactForms are those of a decimal, which may be a day, or of a time.
func exactForms(t token) []model.TermForm {
	forms := []model.TermForm{exactForm(t.text, 1)}
	for _, day := range t.more {
		forms = append(forms, exactForm(day, weightDay), beginning(wordMark, day+"-", weightDay))
	}
	return forms
}

// startOf returns what begins like a word, when it is long enough to mean something and not cut in the index.
func startOf(text string) []model.TermForm {
	if len(text) > longHead {
		return nil
	}
	return []model.TermForm{beginning(wordMark, text, weightBeginning)}
}

// wordForms are the forms in which texts have a word or a number.
func wordForms(text string) []model.TermForm {
	forms := append(make([]model.TermForm, 0, 12), exactForm(text, 1))
	letters := utf8.RuneCountInString(text)
	if len(text) > longHead {
		return forms
	}
	if isHebrew(text) {
		return hebrewForms(forms, text, letters)
	}
	if letters >= minBeginning {
		forms = append(forms, beginning(wordMark, text, weightBeginning))
	}
	// the beginning of a phone number
	if rest := strings.TrimLeft(text, "0"); rest != text && len(rest) >= minBeginning && allDigits(text) {
		forms = append(forms, beginning(wordMark, rest, weightBeginning-weightDeeper))
	}
	if single, found := strings.CutSuffix(text, "s"); found && len(single) >= minBeginning && isASCII(single) &&
		!strings.HasSuffix(single, "s") {
		forms = append(forms, exactForm(single, weightPlural))
		if stem, found := strings.CutSuffix(single, "ie"); found && len(stem) > 1 {
			forms = append(forms, exactForm(stem+"y", weightPlural))
		} else if stem, found := strings.CutSuffix(single, "e"); found && len(stem) >= minBeginning {
			forms = append(forms, exactForm(stem, weightEnding))
		}
	}
	return forms
}

func hebrewForms(forms []model.TermForm, text string, letters int) []model.TermForm {
	prefixed := model.TermForm{Term: stemMark + text, Weight: weightPrefixed}
	if letters < minStem {
		prefixed.Weight = weightShort
	}
	if letters > 1 {
		forms = append(forms, prefixed)
	}
	if letters >= minHebrewBeginning {
		forms = append(forms, beginning(wordMark, text, weightBeginning))
	}
	if letters >= minBeginning {
		forms = append(forms, beginning(stemMark, text, weightBeginning*weightPrefixed))
	}
	for _, s := range stems(text) {
		if s.short {
			forms = append(forms, exactForm(s.text, weightShort))
			continue
		}
		less := weightDeeper * float64(s.off-1)
		forms = append(forms, exactForm(s.text, weightBare-less),
			model.TermForm{Term: stemMark + s.text, Weight: weightBoth - less})
	}
	for _, other := range endings(text) {
		if len(other) >= minStem*letterSize {
			forms = append(forms, exactForm(other, weightEnding),
				model.TermForm{Term: stemMark + other, Weight: weightEnding * weightPrefixed})
		}
	}
	return forms
}

func exactForm(text string, weight float64) model.TermForm {
	return model.TermForm{Term: entryOf(wordMark, text), Weight: weight}
}

func beginning(mark, text string, weight float64) model.TermForm {
	return model.TermForm{Term: mark + text, Prefix: true, Weight: weight}
}

func allDigits(text string) bool { return strings.Trim(text, "0123456789") == "" }

func isASCII(text string) bool {
	for i := range len(text) {
		if text[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}
