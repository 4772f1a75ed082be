package tagger

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// NameFeatures returns what the model looks at to tell whether a token of a sentence of a kind belongs to the name of
// what it is about: the token, its stems and ends, its neighbours, and what stands before and behind it.
func NameFeatures(tokens []Token, kind Kind) [][]int {
	words, feature := shapes(tokens), WordBuckets.feature
	at := func(k int) string {
		switch {
		case k < 0:
			return "^"
		case k >= len(words):
			return "$"
		}
		return words[k]
	}
	out := make([][]int, len(words))
	of := strconv.Itoa(int(kind))
	passed := "" // what has been passed: a time, a pause
	for i, word := range words {
		before, after := at(i-1), at(i+1)
		around := passed
		if slices.Contains(words[i+1:], Time) {
			around += " time follows"
		}
		place := strconv.Itoa(min(i, 3))
		out[i] = []int{
			feature("name"), feature("word", word), feature("before", before), feature("after", after),
			feature("before pair", before, word), feature("pair after", word, after),
			feature("two before", at(i-2), before), feature("two after", after, at(i+2)),
			feature("tail", tail(word, 3)), feature("head", head(word, 2)),
			feature("place", place), feature("from end", strconv.Itoa(min(len(words)-1-i, 3))),
			feature("around", around), feature("word passed", word, passed), feature("begins", at(0), strconv.Itoa(min(i, 4))),
			feature("word of", of, word), feature("before of", of, before), feature("after of", of, after),
			feature("place of", of, place), feature("around of", of, around),
			feature("pair of", of, before, word), feature("pair after of", of, word, after),
		}
		for _, said := range []struct{ as, word string }{{"word", word}, {"before", before}, {"after", after}} {
			for _, base := range bases(said.word)[1:] {
				out[i] = append(out[i], feature(said.as, base))
			}
		}
		switch {
		case word == Time && !strings.Contains(passed, Time):
			passed += Time
		case !tokens[i].IsWord() && word != Time && !strings.Contains(passed, "pause"):
			passed += "pause"
		}
	}
	return out
}

// Names returns for each token of a sentence of a kind how likely it belongs to the name of what the sentence is about;
// of a list, to the items.
func Names(tokens []Token, kind Kind) []float64 { return words(tokens, kind, NameRow) }

// Lists returns for each token of a sentence of a kind how likely it belongs to the name of a list.
func Lists(tokens []Token, kind Kind) []float64 { return words(tokens, kind, ListRow) }

func words(tokens []Token, kind Kind, row int) []float64 {
	out := make([]float64, len(tokens))
	for i, features := range NameFeatures(tokens, kind) {
		if tokens[i].Text != Time {
			out[i] = Logistic(weigh(table[kindsSize:], WordRows, row, features))
		}
	}
	return out
}

// Doubt says how well a name that was read from a sentence agrees with what the model takes for it.
type Doubt struct {
	// Least is how likely the least likely of the name's words belongs to it; 1 where the sentence has none of them.
	Least float64
	// Pieces is how many pieces of the sentence the name was put together from.
	Pieces int
	// Timed says that a time stands between words of the name.
	Timed bool
	// Whole says that the sentence has no other words but times.
	Whole bool
}

// NameDoubt compares a name with the sentence of a kind that it was read from. Words of the name which the sentence has
// not, since they were spelt otherwise, do not count.
func NameDoubt(tokens []Token, kind Kind, name string) Doubt {
	likely := Names(tokens, kind)
	taken := place(tokens, likely, slices.DeleteFunc(Tokens(name, nil), func(one Token) bool { return !one.IsWord() }))
	out := Doubt{Least: 1, Whole: true}
	inside, timed := false, false
	for i, token := range tokens {
		if !token.IsWord() {
			timed = timed || out.Pieces > 0 && token.Text == Time
			continue
		}
		if taken[i] {
			out.Least = min(out.Least, likely[i])
			if !inside {
				out.Pieces++
			}
			out.Timed = timed
		}
		inside = taken[i]
		out.Whole = out.Whole && inside
	}
	return out
}

// Missing returns for each word of a sentence of a kind that is in none of a plan's texts how likely it belongs to the
// name of what the sentence is about; 0 for all other tokens.
func Missing(tokens []Token, kind Kind, texts string) []float64 {
	there := map[string]bool{}
	for _, token := range Tokens(texts, nil) {
		there[token.Text] = true
	}
	out := Names(tokens, kind)
	for i, token := range tokens {
		if !token.IsWord() || slices.ContainsFunc(bases(token.Text), func(base string) bool { return there[base] }) {
			out[i] = 0
		}
	}
	return out
}

// bases are a word, what it is short for, and what may be left of it without what is written with it: Hebrew letters
// before it, "'s" behind.
func bases(word string) []string {
	out := []string{word}
	if rest, ok := strings.CutSuffix(word, "'s"); ok {
		out = append(out, rest)
	}
	if word == "w" {
		out = append(out, "with")
	}
	for range 2 {
		letter, size := utf8.DecodeRuneInString(word)
		if !strings.ContainsRune("ובהלמשכ", letter) || len(word)-size < 2*len("א") {
			break
		}
		word = word[size:]
		out = append(out, word)
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
func place(tokens []Token, likely []float64, words []Token) []bool {
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
			if next := cells[(i+1)*width+j+1]; tokens[i].Text == words[j].Text {
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
