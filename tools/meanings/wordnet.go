package main

import (
	"bufio"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// wordNet is what is taken of WordNet: which words it has, and which of them are near each other.
type wordNet struct {
	// known are its words, in lower case. Names of people are not among them: a name means nobody else.
	known map[string]bool
	// common are those that are not always written with a capital letter.
	common map[string]bool
	// near are the words of a word's first senses, and of what these are kinds of.
	near map[string][]string
	// glosses are its definitions, in the order of its files.
	glosses []gloss
}

// gloss is what a set of words means, without examples.
type gloss struct {
	text  string
	words []string
}

// people is the number of WordNet's file of nouns for people; capital words in it are their names.
const people = "18"

// senses is how many senses of a word count, the most common first.
const senses = 2

type synset struct {
	words []string
	// expressions are the words, and what is of several words.
	expressions []string
	parents     []string
}

func readWordNet(dir string) (*wordNet, error) {
	net := &wordNet{known: make(map[string]bool), common: make(map[string]bool), near: make(map[string][]string)}
	for _, part := range []string{"noun", "verb", "adj", "adv"} {
		sets := make(map[string]synset)
		err := lines(filepath.Join(dir, wordNetDir, "data."+part), func(fields []string) {
			set := net.synset(fields, part)
			sets[fields[0]] = set
			if at := slices.Index(fields, "|"); at >= 0 {
				text, _, _ := strings.Cut(strings.Join(fields[at+1:], " "), "; \"")
				net.glosses = append(net.glosses, gloss{text, set.words})
			}
		})
		if err != nil {
			return nil, err
		}
		err = lines(filepath.Join(dir, wordNetDir, "index."+part), func(fields []string) {
			// lemma, part, number of sets, number of kinds of pointers, those, senses, tagged senses, the sets
			pointers, _ := strconv.Atoi(fields[3])
			if strings.Contains(fields[0], "_") || len(fields) < 6+pointers {
				return
			}
			for i, id := range fields[6+pointers:] {
				if i >= senses {
					break
				}
				net.link(fields[0], sets[id].words)
				for _, parent := range sets[id].parents {
					if i == 0 && part == "noun" {
						net.link(fields[0], sets[parent].words)
					}
				}
			}
		})
		if err != nil {
			return nil, err
		}
	}
	return net, nil
}

// synset reads a line of a data file: its number, its file, its kind, the count of its words in base 16, the words each
// with a number, the count of its pointers, and these: symbol, set, part, places.
func (n *wordNet) synset(fields []string, part string) synset {
	var s synset
	count, _ := strconv.ParseInt(fields[3], 16, 32)
	for i := range int(count) {
		word, _, _ := strings.Cut(fields[4+2*i], "(")
		lower := strings.ToLower(word)
		if lower == word || part != "noun" || fields[1] != people {
			s.expressions = append(s.expressions, strings.ReplaceAll(lower, "_", " "))
		}
		if strings.ContainsAny(word, "_0123456789.") || lower != word && part == "noun" && fields[1] == people {
			continue
		}
		n.known[lower] = true
		n.common[lower] = n.common[lower] || lower == word
		s.words = append(s.words, lower)
	}
	rest := fields[5+2*int(count):]
	for ; len(rest) > 3 && rest[0] != "|"; rest = rest[4:] {
		if rest[0] == "@" && rest[2] == part[:1] {
			s.parents = append(s.parents, rest[1])
		}
	}
	return s
}

func (n *wordNet) link(word string, others []string) {
	for _, other := range others {
		if other != word && !slices.Contains(n.near[word], other) {
			n.near[word] = append(n.near[word], other)
		}
	}
}

// lines calls do with the fields of each line that is no comment.
func lines(path string, do func(fields []string)) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }()
	scanner := bufio.NewScanner(f)
	scanner.Buffer(nil, 1<<20)
	for scanner.Scan() {
		if line := scanner.Text(); !strings.HasPrefix(line, "  ") {
			do(strings.Fields(line))
		}
	}
	return scanner.Err()
}
