package tagger

import "strconv"

// KindFeatures returns what the model looks at to tell the kind of a sentence: its words, their stems,
// beginnings and pairs, how it begins and ends, and its length.
func KindFeatures(tokens []Token) []int {
	words, feature := shapes(tokens), KindBuckets.feature
	out := make([]int, 0, 5*len(words)+5)
	out = append(out, feature("kind"), feature("kind length", strconv.Itoa(min(len(words)/3, 5))))
	before := "^"
	for i, word := range words {
		out = append(out, feature("kind word", word), feature("kind pair", before, word),
			feature("kind head", head(word, 4)))
		if tokens[i].Text == Time {
			out = append(out, feature("kind time", tokens[i].Role), feature("kind time behind", before, tokens[i].Role))
		}
		switch i {
		case 0:
			out = append(out, feature("kind first", word))
		case 1:
			out = append(out, feature("kind second", before, word))
		}
		if i == len(words)-1 {
			out = append(out, feature("kind last", word))
		}
		for _, base := range bases(word)[1:] {
			out = append(out, feature("kind word", base))
		}
		if i > 1 {
			out = append(out, feature("kind skip", words[i-2], word))
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
		out[kind] = weigh(table[:kindsSize], int(Kinds), kind, features)
	}
	Softmax(out[:])
	return out
}
