package words

import (
	"slices"
	"unicode/utf8"

	"almanac/graph/model"
	"almanac/projections/ngram"
)

// weightRelated is what a word that means nearly the same is worth, times how alike they are.
const weightRelated = 0.8

// Settle returns the query as it is answered when its terms were found so often: a term that is found nowhere is looked
// for by words that mean nearly the same. again are the places of such terms, whose forms are to be looked up; none:
// the query is as it was. Counts are as Score has them.
func Settle(query model.SearchWords, found []int) (settled model.SearchWords, again []int) {
	for i := range query.Terms {
		if i < len(found) && found[i] > 0 || query.Terms[i].Word == "" {
			continue
		}
		forms := relatedForms(query.Terms[i].Word)
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
