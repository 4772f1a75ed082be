package main

import (
	_ "embed"
	"slices"
	"strings"
)

//go:embed everyday.txt
var everydayText string

// lemmas are Hebrew words with their forms.
type lemmas struct {
	// forms are the other forms and spellings of a word, in the order in which they came.
	forms map[string][]string
	words []string
	// nouns are words that are bent as nouns are, after all others have their forms.
	nouns []string
}

func (l *lemmas) alias(word string, others ...string) {
	if _, known := l.forms[word]; !known {
		l.words = append(l.words, word)
	}
	for _, other := range others {
		if other != word && !slices.Contains(l.forms[word], other) {
			l.forms[word] = append(l.forms[word], other)
		}
	}
}

// matter is a part of everyday life with what is said of it, one document a line; mixed is one that is only a list.
type matter struct {
	lines []document
	mixed bool
}

// readEveryday reads everyday.txt.
func readEveryday(l *lemmas) []matter {
	var all []matter
	for line := range strings.Lines(everydayText) {
		line = strings.TrimSpace(line)
		switch {
		case line == "" || strings.HasPrefix(line, "#"):
		case strings.HasPrefix(line, "= "), strings.HasPrefix(line, "~ "):
			all = append(all, matter{mixed: line[0] == '~'})
		default:
			d := newDocument()
			d.short = true
			for expression := range strings.FieldsFuncSeq(line, func(r rune) bool { return r == ',' || r == '|' }) {
				expression = strings.TrimSpace(expression)
				if past, isVerb := strings.CutPrefix(expression, "!"); isVerb {
					expression = l.verb(past)
				} else if strings.ContainsFunc(expression, isHebrew) && !strings.Contains(expression, " ") {
					l.nouns = append(l.nouns, expression)
				}
				d.add(strings.ReplaceAll(expression, "-", " "), 2*asName)
			}
			last := &all[len(all)-1]
			last.lines = append(last.lines, d)
		}
	}
	return all
}

// verb keeps the forms of a verb as everyday.txt has it, and returns the word.
func (l *lemmas) verb(text string) string {
	parts := strings.Split(text, "/")
	v := verbOf(parts[0])
	if strings.Contains(parts[0], " ") {
		return parts[0]
	}
	if len(parts) == 4 {
		v = verb{parts[0], parts[1], parts[2], parts[3], nil}
	}
	l.alias(parts[0], v.inflect()...)
	return parts[0]
}
