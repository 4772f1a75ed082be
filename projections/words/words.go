// Package words finds texts by their words and numbers, in English and Hebrew.
//
// It promises that any word or number of a memory finds it, however it is written: without regard to case, niqqud,
// final letters, one-letter Hebrew prefixes, the script of a name and the writing of phone numbers, of days and of
// numbers; and that a word's beginning finds it too.
//
// Other scripts are served as well as can be without a dictionary: those with spaces by their words, those without by
// pairs of neighbours. Of a text with more different words than MaxEntries the first ones count.
package words

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"unicode/utf8"

	"almanac/graph/model"
	"almanac/projections/memo"
)

// Common is the number of memories from which a word is common: a search looks at the newest so many of them only.
const Common = 1_000

const (
	// MaxEntries is how many entries a memory has at most.
	MaxEntries = 2_000
	// maxWord is how many bytes of a word are in its entry; a longer one keeps its beginning, and a hash of the whole.
	maxWord = 64
	// longHead is how many bytes of a long word stay as they are.
	longHead = 46
)

// The marks of the kinds of entries that only this package reads. None is the mark of another: t, m and i are taken
// below.
const (
	wordMark = "w"
	// stemMark is for what a Hebrew word is without its prefixes.
	stemMark = "h"
	// soundMark is for how a word that may be a name sounds.
	soundMark = "s"
)

// Entries are what the index keeps of a memory, sorted bytewise, each once, at most MaxEntries: its words (of content,
// summary, tags and metadata), its tags, and the pairs and the identity of its metadata; each kind has a mark of its
// own before it. They are valid UTF-8 without control characters. Tags, pairs and identity are always all there; where
// there are too many words, those of summary, tags and metadata come before those of the content, and words before
// their stems.
func Entries(m model.Memory) []string {
	c := collector{seen: make(map[string]struct{}, 64)}
	for _, tag := range m.Tags {
		c.add(TagEntry(tag))
	}
	for _, pair := range memo.Pairs(m.Metadata) {
		c.add(PairEntry(pair))
	}
	for _, identity := range memo.Identity(m) {
		c.add(IdentityEntry(identity))
	}
	scan(m.Summary, c.keep)
	for _, tag := range m.Tags {
		scan(tag, c.keep)
	}
	for _, text := range memo.Texts(m.Type, m.Metadata) {
		scan(text, c.keep)
	}
	scan(m.Content, c.keep)
	for _, text := range []string{m.Summary, m.Content} {
		for name := range namesIn(text) {
			for _, s := range longSounds(name) {
				c.stems = append(c.stems, soundMark+s.Text)
			}
		}
	}
	for _, entry := range c.stems {
		if len(c.entries) >= MaxEntries {
			break
		}
		c.add(entry)
	}
	slices.Sort(c.entries)
	return c.entries
}

// TagEntry is the entry of a tag, however it is written.
func TagEntry(tag string) string { return "t" + memo.TagKey(tag) }

// PairEntry is the entry of a pair of metadata, as memo.Pairs returns it.
func PairEntry(pair string) string { return "m" + pair }

// IdentityEntry is the entry of an identity, as memo.Identity returns it.
func IdentityEntry(identity string) string { return "i" + identity }

// collector gathers entries, each once, words before stems.
type collector struct {
	seen    map[string]struct{}
	entries []string
	stems   []string
}

func (c *collector) add(entry string) {
	if _, known := c.seen[entry]; !known {
		c.seen[entry] = struct{}{}
		c.entries = append(c.entries, entry)
	}
}

func (c *collector) word(text string) {
	if len(c.entries) >= MaxEntries {
		return
	}
	c.add(entryOf(wordMark, text))
	if len(c.stems) >= MaxEntries {
		return
	}
	if isHebrew(text) {
		for _, s := range stems(text) {
			c.stems = append(c.stems, entryOf(stemMark, s.text))
		}
	}
	for _, s := range soundsOf(text) {
		c.stems = append(c.stems, soundMark+s.Text)
	}
}

// keep takes a token's entries: the whole, its other forms and its parts.
func (c *collector) keep(t token) {
	switch t.kind {
	case word:
		c.word(t.text)
	default:
		if len(c.entries) < MaxEntries {
			c.add(entryOf(wordMark, t.text))
		}
	}
	for _, form := range t.more {
		c.word(form)
	}
	for _, part := range t.parts {
		c.word(part)
	}
}

// entryOf returns the entry of a word, bounded in length: the tilde before the hash is part of no word.
func entryOf(mark, text string) string {
	if len(text) <= maxWord {
		return mark + text
	}
	end := longHead
	for !utf8.RuneStart(text[end]) {
		end--
	}
	sum := sha256.Sum256([]byte(text))
	return mark + text[:end] + "~" + hex.EncodeToString(sum[:8])
}
