package words

import (
	"slices"
	"unicode/utf8"

	"almanac/graph/model"
	"almanac/projections/ngram"
)

// weightRelated is what a word that means nearly the same is worth, times how alike they are.
const weightRelated = 0.8

// minSlipped is how many letters a word has at least that is looked for by its beginning when it is nowhere, and
// weightSlipped what such a beginning is worth, times the share of the word that it is.
const (
	minSlipped    = 6
	weightSlipped = 0.5
)

// Settle returns the query as it is answered when its terms were found so often: a term that is found nowhere is looked
// for by words that mean nearly the same, or by its beginning when none are known. again are the places of such terms,
// whose forms are to be looked up; none: the query is as it was. Counts are as Score has them.
func Settle(query model.SearchWords, found []int) (settled model.SearchWords, again []int) {
	for i := range query.Terms {
		if i < len(found) && found[i] > 0 || query.Terms[i].Word == "" {
			continue
		}
		forms := relatedForms(query.Terms[i].Word)
		if len(forms) == 0 {
			forms = slipForms(query.Terms[i].Word)
		}
		if len(forms) == 0 {
			continue
		}
		if again == nil {
			query.Terms = slices.Clone(query.Terms)
		}
		query.Terms[i] = model.SearchTerm{Forms: forms}
		again = append(again, i)
	}
	return query, again
}

// relatedForms are the forms of words that mean nearly the same, the best first.
func relatedForms(word string) []model.TermForm {
	var forms []model.TermForm
	for other, likeness := range ngram.Related(word) {
		weight := weightRelated * likeness
		forms = append(forms, exactForm(other, weight))
		switch {
		case isHebrew(other):
			forms = append(forms, model.TermForm{Term: stemMark + other, Weight: weight * weightPrefixed})
		case utf8.RuneCountInString(other) > minBeginning:
			forms = append(forms, beginning(wordMark, other, weight))
		default:
			forms = append(forms, exactForm(other+"s", weight*weightPlural))
		}
	}
	return best(forms)
}

// slipForms are the forms of a word that may be misspelled behind its beginning.
func slipForms(word string) []model.TermForm {
	letters := []rune(word)
	if len(letters) < minSlipped {
		return nil
	}
	head := string(letters[:len(letters)/2+1])
	forms := []model.TermForm{beginning(wordMark, head, weightSlipped)}
	if isHebrew(word) {
		forms = append(forms, beginning(stemMark, head, weightSlipped))
	}
	return forms
}
