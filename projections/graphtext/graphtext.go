// Package graphtext knows the texts of the knowledge graph: the keys under which names are compared, the one form of a
// relation, what is embedded of entities and facts, and the words by which they are found.
//
// It promises that two names, relations or sentences that a person would call the same have the same key, in English
// and in Hebrew, and that every key and every text is bounded, whatever it is made of. Both stores keep the keys, so a
// change of one is a migration.
package graphtext

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"unicode"
	"unicode/utf8"

	"almanac/graph/model"
	"almanac/projections/fold"
)

const (
	// MaxKey is how long a key of a name is at most, in bytes: any index of a database can hold it, and every name that is
	// written plainly is its own key whole.
	MaxKey = 1_000
	// keyHead is how much of a longer one stays, so that it keeps its place in the order of names.
	keyHead = 960
)

// Name is the key of a name, an alias or a type: case, niqqud, accents, final letters, width, kinds of quotation marks
// and white space make no difference. It is valid UTF-8 of at most MaxKey bytes, and empty when nothing of the text can
// be seen. The key of a key is the key again. Entities are ordered by it, bytewise.
func Name(text string) string {
	key := fold.Text(text)
	if len(key) <= MaxKey {
		return key
	}
	end := keyHead
	for !utf8.RuneStart(key[end]) {
		end--
	}
	// What was cut may have ended in white space, or in what the hash would join.
	head := fold.Text(key[:end])
	sum := sha256.Sum256([]byte(key))
	return head + "~" + hex.EncodeToString(sum[:16])
}

// Same reports whether two sentences say the same: white space, case, points and the like make no difference (see
// Name), nor does punctuation at the end.
func Same(a, b string) bool { return said(a) == said(b) }

// said is a sentence as it is compared. One of nothing but punctuation is compared with it.
func said(sentence string) string {
	key := fold.Text(sentence)
	if bare := strings.TrimRightFunc(key, isEnding); bare != "" {
		return bare
	}
	return key
}

// isEnding names what may end a sentence and says nothing. Quotation marks and brackets close what is inside of the
// sentence as well, so both sides lose them alike.
func isEnding(r rune) bool {
	return r == ' ' || unicode.IsPunct(r) && r != '%' && r != '#' && r != '&' && r != '*' && r != '@'
}

// Sentence is the sentence of a fact that came without one: "Dana works at Acme" of Dana, WORKS_AT and Acme. It has at
// most model.MaxFactSentence characters.
func Sentence(source, relation, target string) string {
	parts := make([]string, 0, 3)
	for _, part := range [...]string{source, spoken(relation), target} {
		if part = strings.Join(strings.Fields(part), " "); part != "" {
			parts = append(parts, part)
		}
	}
	return strings.TrimRight(fold.Head(strings.Join(parts, " "), model.MaxFactSentence), " ")
}
