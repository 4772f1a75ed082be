package openai

import (
	"hash/fnv"
	"math"
	"math/rand/v2"
	"strings"
	"unicode"

	"almanac/projections/fold"
)

// light is how much a word without a meaning of its own counts, against 1.
const light = 0.05

// lexicon finds the meaning of a word.
type lexicon struct {
	meaning map[string]string
	light   map[string]bool
}

func newLexicon(m meanings) lexicon {
	l := lexicon{meaning: map[string]string{}, light: map[string]bool{}}
	for _, group := range m.Groups {
		for _, word := range group {
			l.meaning[fold.Text(word)] = "meaning of " + group[0]
		}
	}
	for _, word := range m.Light {
		l.light[fold.Text(word)] = true
	}
	return l
}

// words splits a text. A hyphen inside of a word stays: some words of the lexicon have one.
func words(text string) []string {
	return strings.FieldsFunc(fold.Text(text),
		func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '-' })
}

// prefixes are the one-letter words that Hebrew writes together with the next one.
const prefixes = "והבלמכש"

// of returns a word's meaning, also behind one or two prefixes, or the word itself where the lexicon does not know it.
func (l lexicon) of(word string) string {
	letters := []rune(word)
	for n := 0; n <= 2 && len(letters)-n >= 2; n++ {
		if n > 0 && !strings.ContainsRune(prefixes, letters[n-1]) {
			break
		}
		if meaning, ok := l.meaning[string(letters[n:])]; ok {
			return meaning
		}
	}
	return word
}

// vector is the sum of the directions of a text's meanings, in unit length. Directions of different meanings are nearly
// at right angles to each other, the more so the more dimensions there are. A text without words has the direction of
// its characters.
func (l lexicon) vector(model, text string, dimensions int) []float64 {
	v := make([]float64, dimensions)
	all := words(text)
	if len(all) == 0 {
		all = []string{text}
	}
	for _, word := range all {
		weight := 1.0
		if l.light[word] {
			weight = light
		}
		add(v, model+"\x00"+l.of(word), weight)
	}
	return unit(v)
}

// add adds a direction that depends on the name alone.
func add(v []float64, name string, weight float64) {
	hash := fnv.New128a()
	_, _ = hash.Write([]byte(name))
	var seed [32]byte
	copy(seed[:], hash.Sum(nil))
	source := rand.New(rand.NewChaCha8(seed)) //nolint:gosec // it is to repeat
	scale := weight / math.Sqrt(float64(len(v)))
	for i := range v {
		v[i] += scale * source.NormFloat64()
	}
}

func unit(v []float64) []float64 {
	var sum float64
	for _, x := range v {
		sum += x * x
	}
	for i := range v {
		v[i] /= math.Sqrt(sum)
	}
	return v
}

// tokens is how many tokens a text counts as here: one for each four bytes begun.
func tokens(text string) int { return (len(text) + 3) / 4 }
