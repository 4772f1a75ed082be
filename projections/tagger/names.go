package tagger

import (
	"slices"
	"strconv"
	"strings"
)

// NameFeatures returns what the model looks at to tell whether a token of a sentence belongs to the name of what is to
// be made: the token, its ends, its neighbours, and what stood before it.
func NameFeatures(tokens []string, i int) []int {
	at := func(k int) string {
		switch {
		case k < 0:
			return "^"
		case k >= len(tokens):
			return "$"
		}
		return shape(tokens[k])
	}
	word, before, after := at(i), at(i-1), at(i+1)
	numbers, pauses := "", ""
	for _, token := range tokens[:i] {
		if strings.ContainsAny(token, "0123456789") {
			numbers = "number"
		}
		if token == "," || token == "." || token == "!" || token == "-" || token == "–" {
			pauses = "pause"
		}
	}
	return []int{
		Feature("name"), Feature("word", word), Feature("before", before), Feature("after", after),
		Feature("before pair", before, word), Feature("pair after", word, after),
		Feature("two before", at(i-2), before), Feature("two after", after, at(i+2)),
		Feature("tail", tail(word, 3)), Feature("head", head(word, 2)),
		Feature("place", strconv.Itoa(min(i, 3))), Feature("from end", strconv.Itoa(min(len(tokens)-1-i, 2))),
		Feature("so far", numbers, pauses), Feature("word so far", word, numbers), Feature("word after pause", word, pauses),
	}
}

// Names returns for each token how likely it belongs to the name of what the sentence is about.
func Names(tokens []string) []float64 {
	out := make([]float64, len(tokens))
	for i := range tokens {
		out[i] = logistic(weigh(int(Kinds), NameFeatures(tokens, i)))
	}
	return out
}

// Doubt says how well a name that was read from a sentence agrees with what the model takes for it.
type Doubt struct {
	// Least is how likely the least likely of the name's words belongs to it; 1 where the sentence has none of them.
	Least float64
	// Pieces is how many pieces of the sentence the name was put together from.
	Pieces int
}

// NameDoubt compares a name with the sentence that it was read from. Words of the name which the sentence has not,
// since they were spelt otherwise, do not count.
func NameDoubt(text, name string) Doubt {
	tokens := Tokens(text)
	likely := Names(tokens)
	taken := place(tokens, likely, slices.DeleteFunc(Tokens(name), func(token string) bool { return !isWord(token) }))
	out := Doubt{Least: 1}
	inside := false
	for i, token := range tokens {
		if !isWord(token) {
			continue
		}
		if taken[i] {
			out.Least = min(out.Least, likely[i])
			if !inside {
				out.Pieces++
			}
		}
		inside = taken[i]
	}
	return out
}

// step is what is best done with a token and a word of a name: the token is not of the name, the word is not in the
// sentence, or the token is the word.
type step int

const (
	passToken step = iota
	passWord
	takeBoth
)

// place finds the words of a name among tokens, in their order: of all ways that find the most of them the one whose
// tokens most likely belong to it. It returns which tokens were taken.
func place(tokens []string, likely []float64, words []string) []bool {
	type cell struct {
		found int
		sum   float64
		step  step
	}
	width := len(words) + 1
	cells := make([]cell, (len(tokens)+1)*width) // the best for the tokens from i and the words from j on
	for i := len(tokens) - 1; i >= 0; i-- {
		for j := len(words) - 1; j >= 0; j-- {
			best := cells[(i+1)*width+j]
			best.step = passToken
			offer := func(found int, sum float64, how step) {
				if found > best.found || found == best.found && sum > best.sum {
					best = cell{found, sum, how}
				}
			}
			offer(cells[i*width+j+1].found, cells[i*width+j+1].sum, passWord)
			if next := cells[(i+1)*width+j+1]; tokens[i] == words[j] {
				offer(next.found+1, next.sum+likely[i], takeBoth)
			}
			cells[i*width+j] = best
		}
	}
	taken := make([]bool, len(tokens))
	for i, j := 0, 0; i < len(tokens) && j < len(words); {
		switch cells[i*width+j].step {
		case takeBoth:
			taken[i] = true
			i, j = i+1, j+1
		case passWord:
			j++
		default:
			i++
		}
	}
	return taken
}
