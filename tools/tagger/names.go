package main

import (
	"slices"
	"strings"

	"almanac/projections/tagger"
)

// named returns which tokens of a sentence belong to the name of what it is about; false where that is not known.
func (s sentence) named() ([]bool, bool) {
	var names []string
	for _, name := range append([]string{s.Expect.Title, s.Expect.Query, s.Expect.Person}, s.Expect.Titles...) {
		if name != "" {
			names = append(names, name)
		}
	}
	kind, _ := s.kindOf()
	switch kind {
	case tagger.Unclear, tagger.Undoing:
		return nil, false
	case tagger.NewEvent, tagger.NewTask, tagger.NewMemory:
		names = slices.DeleteFunc(append([]string{s.Expect.Title}, s.Expect.Titles...),
			func(name string) bool { return name == "" })
		return pieces(s.tokens, names)
	case tagger.ListAdd:
		return pieces(s.tokens, s.Expect.Items)
	case tagger.ListCheck, tagger.ListTake:
		names = s.Expect.Items
	case tagger.EventReading, tagger.TaskReading, tagger.ListReading, tagger.MemoryReading, tagger.MailReading:
		if len(names) == 0 {
			return make([]bool, len(s.tokens)), true
		}
	}
	out := marked(s.tokens, names)
	return out, slices.Contains(out, true)
}

// pieces marks names that each stand in one piece.
func pieces(tokens []tagger.Token, names []string) ([]bool, bool) {
	out := make([]bool, len(tokens))
	for _, name := range names {
		words := tagger.Tokens(name, nil)
		from := within(tokens, words)
		if from < 0 {
			return nil, false
		}
		for i := range words {
			out[from+i] = true
		}
	}
	return out, len(names) > 0
}

// within returns where some tokens begin among others; -1 if nowhere.
func within(tokens, some []tagger.Token) int {
	for from := 0; from+len(some) <= len(tokens); from++ {
		if slices.EqualFunc(tokens[from:from+len(some)], some,
			func(a, b tagger.Token) bool { return a.Text == b.Text }) {
			return from
		}
	}
	return -1
}

// small are words of names that need not be said, and that stand in a name between others.
var small = strings.Fields("the a an my our of at to for on in with and את ה של לי שלי")

// marked marks the words of names wherever they stand, with Hebrew letters before them or without, and small words
// between them: what is there already may be named by a part of its name.
func marked(tokens []tagger.Token, names []string) []bool {
	out := make([]bool, len(tokens))
	var words []string
	for _, name := range names {
		for _, token := range tagger.Tokens(name, nil) {
			if token.IsWord() && !slices.Contains(small, token.Text) {
				words = append(words, token.Text)
			}
		}
	}
	first, last := -1, -1
	for i, token := range tokens {
		if !slices.ContainsFunc(bases(token.Text), func(base string) bool { return slices.Contains(words, base) }) {
			continue
		}
		out[i] = true
		if last = i; first < 0 {
			first = i
		}
	}
	for i := first + 1; i < last; i++ {
		out[i] = out[i] || slices.Contains(small, tokens[i].Text) || tokens[i].Text == "עמ"
	}
	return out
}

// bases are a word, and what may be left of it without the Hebrew letters that are written with a word.
func bases(word string) []string {
	out := []string{word}
	for _, letters := range []string{"ול", "וה", "ל", "ה", "ב", "מ", "ו", "ש"} {
		if rest, ok := strings.CutPrefix(word, letters); ok && len(rest) > len("א") {
			out = append(out, rest)
		}
	}
	return out
}
