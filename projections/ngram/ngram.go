// Package ngram makes vectors of texts without a model: of the letters they are written with, and of a small
// dictionary.
//
// It promises that the same text has the same vector, bit for bit, on every machine and in every version of this model;
// that texts that share words, or parts of words, are near each other, in English and Hebrew; and that everyday words
// that mean the same are near each other, across the two languages as well.
package ngram

import (
	"unicode/utf8"

	"almanac/graph/model"
	"almanac/projections/fold"
)

// maxText is how much of a text is read, in bytes after folding.
const maxText = 64 << 10

// Model names what Embed does. A change of Embed, or of the lexicon, is a new name.
//
// Floor and Near are held by the tests of bench/recall: at least 99 % of the memories that have nothing to do with a
// query are below Floor, and at least 85 % of those that answer it are not; of the contacts and key-values that are as
// near as Near to a new one, at least 95 % are the same one with another number.
func Model() model.EmbeddingModel {
	return model.EmbeddingModel{Name: "local-ngram-6", Dimensions: dimensions, Floor: 0.36, Near: 0.81,
		Local: true}
}

// Embed returns the vector of a text, of unit length; nil when there is nothing to see in it: no letter, no digit, no
// emoji.
func Embed(text string) []float32 {
	key := fold.Text(clip(text, 2*maxText))
	r := reader{lexicon: dictionary(), said: make([]said, 0, 32)}
	r.read(clip(key, maxText))
	return r.sum.unit()
}

// clip cuts a text to at most n bytes, between two characters.
func clip(text string, n int) string {
	if len(text) <= n {
		return text
	}
	for n > 0 && !utf8.RuneStart(text[n]) {
		n--
	}
	return text[:n]
}
