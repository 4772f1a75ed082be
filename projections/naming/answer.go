package naming

import (
	"slices"
	"strconv"
	"strings"

	"almanac/projections/fold"
)

// Option is one thing that a question offers, with its label.
type Option struct {
	Key   string `json:"k"`
	Label string `json:"l,omitempty"`
}

// declining are the answers that choose none of the options, folded.
var declining = foldedSet("none", "none of these", "none of them", "neither", "אף אחד", "אף אחת", "אף אחד מהם",
	"אף אחת מהן", "אף אחד מאלה", "שום דבר")

func foldedSet(texts ...string) set {
	all := make(set)
	for _, text := range texts {
		all[fold.Text(text)] = true
	}
	return all
}

// plainly is an answer without what stands around its words, folded.
func plainly(answer string) string {
	return fold.Text(strings.TrimRight(strings.TrimSpace(answer), ".!"))
}

// agreeing are the answers that choose the only option, folded; refusing those that do not.
var (
	agreeing = foldedSet("yes", "yes please", "yep", "yeah", "ok", "okay", "sure", "do it", "go ahead", "כן", "כן בבקשה",
		"אוקיי", "בסדר", "בטח", "סבבה", "יאללה")
	refusing = foldedSet("no", "no thanks", "nope", "don't", "לא", "לא תודה", "אל")
)

// Declines reports whether an answer in a person's words chooses none of the options; where there is only one, "no"
// does so too.
func Declines(answer string, options []Option) bool {
	_, named := optionOf(answer, options)
	return !named && (declining[plainly(answer)] || len(options) == 1 && refusing[plainly(answer)])
}

// Chosen returns the keys of the options that answers in a person's words choose: by key, by number from 1, by a label
// that no other option can be meant by, or the only one by "yes". An answer that chooses none stays as it is.
func Chosen(answers []string, options []Option) []string {
	out := slices.Clone(answers)
	for i, answer := range answers {
		if at, ok := optionOf(answer, options); ok {
			out[i] = options[at].Key
		}
	}
	return out
}

func optionOf(answer string, options []Option) (at int, ok bool) {
	if at := slices.IndexFunc(options, func(o Option) bool { return o.Key == answer }); at >= 0 {
		return at, true
	}
	if len(options) == 1 && agreeing[plainly(answer)] {
		return 0, true
	}
	key := fold.Text(answer)
	var equals []int
	labels := make([]Candidate[int], 0, len(options))
	for i, o := range options {
		if o.Label == "" {
			continue
		}
		if fold.Text(o.Label) == key {
			equals = append(equals, i)
		}
		labels = append(labels, Candidate[int]{ID: i, Name: o.Label, Same: strconv.Itoa(i)})
	}
	if len(equals) > 0 {
		return equals[0], len(equals) == 1
	}
	if refusing[plainly(answer)] { // a label may well have the word: "No hour was said"
		return 0, false
	}
	if n, err := strconv.Atoi(strings.Trim(key, "#.() ")); err == nil && n >= 1 && n <= len(options) {
		return n - 1, true
	}
	if d := Decide(New(answer, Event), labels, Rules{}); d.Outcome == Found {
		return d.Matches[0].ID, true
	}
	return 0, false
}
