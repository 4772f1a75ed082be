package tagger

import (
	"math"
	"strconv"
)

// KindFeatures returns what the model looks at to tell the kind of a sentence: its words, their beginnings and pairs,
// how it begins and ends, and its length.
func KindFeatures(tokens []string) []int {
	out := make([]int, 0, 3*len(tokens)+5)
	out = append(out, Feature("kind"), Feature("kind length", strconv.Itoa(min(len(tokens)/3, 5))))
	before := "^"
	for i, token := range tokens {
		token = shape(token)
		out = append(out, Feature("kind word", token), Feature("kind pair", before, token),
			Feature("kind head", head(token, 4)))
		if i == 0 {
			out = append(out, Feature("kind first", token))
		}
		if i == len(tokens)-1 {
			out = append(out, Feature("kind last", token))
		}
		before = token
	}
	return out
}

// KindOf returns how likely each kind is; the sum is 1.
func KindOf(text string) [Kinds]float64 {
	var out [Kinds]float64
	features := KindFeatures(Tokens(text))
	most := math.Inf(-1)
	for kind := range out {
		out[kind] = weigh(kind, features)
		most = max(most, out[kind])
	}
	sum := 0.0
	for kind := range out {
		out[kind] = math.Exp(out[kind] - most)
		sum += out[kind]
	}
	for kind := range out {
		out[kind] /= sum
	}
	return out
}
