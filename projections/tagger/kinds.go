package tagger

import "strconv"

// KindFeatures returns what the model looks at to tell the kind of a sentence: its words, their beginnings and pairs,
// how it begins and ends, and its length.
func KindFeatures(tokens []Token) []int {
	words := shapes(tokens)
	out := make([]int, 0, 3*len(words)+5)
	out = append(out, Feature("kind"), Feature("kind length", strconv.Itoa(min(len(words)/3, 5))))
	before := "^"
	for i, word := range words {
		out = append(out, Feature("kind word", word), Feature("kind pair", before, word),
			Feature("kind head", head(word, 4)))
		if tokens[i].Text == Time {
			out = append(out, Feature("kind time", tokens[i].Role), Feature("kind time behind", before, tokens[i].Role))
		}
		switch i {
		case 0:
			out = append(out, Feature("kind first", word))
		case 1:
			out = append(out, Feature("kind second", before, word))
		}
		if i == len(words)-1 {
			out = append(out, Feature("kind last", word))
		}
		before = word
	}
	return out
}

// Chances are how likely each kind is; the sum is 1.
type Chances [Kinds]float64

// Reads returns how likely a sentence changes nothing.
func (c Chances) Reads() (sum float64) {
	for kind, chance := range c {
		if Kind(kind).Reads() {
			sum += chance
		}
	}
	return sum
}

// KindOf returns how likely each kind is.
func KindOf(tokens []Token) Chances {
	var out Chances
	features := KindFeatures(tokens)
	for kind := range out {
		out[kind] = weigh(kind, features)
	}
	Softmax(out[:])
	return out
}
