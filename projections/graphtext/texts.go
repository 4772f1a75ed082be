package graphtext

import (
	"strings"
	"unicode/utf8"

	"almanac/graph/model"
	"almanac/projections/fold"
	"almanac/projections/memo"
	"almanac/projections/words"
)

// MaxText is how long Entity and Fact may be, in characters: what the models of the OpenAI interface read, in Hebrew
// too (see memo.MaxText).
const MaxText = memo.MaxText

// maxTold is how much of it attributes may take.
const maxTold = 1_000

// Entity is what is embedded of an entity, at most MaxText characters, one thing to a line: its name with its type, its
// aliases, its summary, and what its attributes say. It looks at Name, Type, Summary, Aliases and Attributes alone;
// entities that have these in common have the same text.
func Entity(e model.Entity) string {
	lines := make([]string, 0, 4)
	add := func(line string) {
		if line != "" {
			lines = append(lines, line)
		}
	}
	add(called(e))
	add(strings.Join(e.Aliases, ", "))
	add(e.Summary)
	add(fold.Head(strings.Join(told(e.Attributes), "\n"), maxTold))
	return fold.Head(strings.Join(lines, "\n"), MaxText)
}

// called is an entity's name with its type.
func called(e model.Entity) string {
	if e.Type == "" {
		return e.Name
	}
	return e.Name + " (" + e.Type + ")"
}

// Fact is what is embedded of a fact, at most MaxText characters: its sentence, and its ends with the relation in words
// where the sentence does not say the same. It looks at Sentence, Relation and the names of the ends alone; facts that
// have these in common have the same text.
func Fact(f model.Fact) string {
	plain := Sentence(f.Source.Name, f.Relation, f.Target.Name)
	switch {
	case f.Sentence == "":
		return fold.Head(plain, MaxText)
	case Same(f.Sentence, plain):
		return fold.Head(f.Sentence, MaxText)
	}
	// The sentence comes from outside and may be of any length; the ends stay whatever it is.
	return strings.TrimSuffix(fold.Head(f.Sentence, MaxText-utf8.RuneCountInString(plain)-1)+"\n"+plain, "\n")
}

// EntityEntries are the entries of the index of words of an entity, as words.Entries returns those of a memory: sorted
// bytewise, each once, at most words.MaxEntries, of its name, aliases, type, summary and what its attributes say. Where
// there are too many, the names' come first.
func EntityEntries(e model.Entity) []string {
	names := append([]string{e.Name, e.Type}, e.Aliases...)
	return entries(names, append([]string{e.Summary}, told(e.Attributes)...))
}

// FactEntries are the entries of the index of words of a fact: of its sentence, its relation in words, and the names of
// its ends, so that either name finds it. Whoever renames an entity saves its facts again.
func FactEntries(f model.Fact) []string {
	return entries([]string{f.Source.Name, spoken(f.Relation), f.Target.Name}, []string{f.Sentence})
}

// wall keeps the words and numbers of two texts apart: it is no part of any.
const wall = " | "

// entries are the words of texts, the first ones before the others when there are too many. A memory without a type and
// tags is nothing but its words.
func entries(first, others []string) []string {
	return words.Entries(model.Memory{Summary: strings.Join(first, wall), Content: strings.Join(others, wall)})
}

// told is what attributes say: the texts and numbers in them, and their keys.
func told(attributes string) []string { return memo.Texts("", attributes) }
