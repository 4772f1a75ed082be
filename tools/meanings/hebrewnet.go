package main

import (
	"bufio"
	"os"
	"path/filepath"
	"strings"
)

// partsOfSpeech are the letters of the files of WordNet.
var partsOfSpeech = map[string]string{"noun": "n", "verb": "v", "adj": "a", "adv": "r"}

// readHebrewNet returns the words of Hebrew WordNet for meanings of WordNet 3.0, by the names that it has for these:
// 00001740-n.
func readHebrewNet(dir string) (map[string][]string, error) {
	f, err := os.Open(filepath.Join(dir, hebrewNetFile))
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	all := make(map[string][]string)
	scanner := bufio.NewScanner(f)
	scanner.Buffer(nil, 1<<20)
	for scanner.Scan() {
		fields := strings.Split(scanner.Text(), "\t")
		if strings.HasPrefix(fields[0], "#") || len(fields) < 3 {
			continue
		}
		text := strings.TrimSpace(fields[len(fields)-1])
		if fields[1] == "heb:lemma" && !strings.Contains(text, "GAP") {
			all[fields[0]] = append(all[fields[0]], strings.Trim(text, "!? "))
		}
	}
	return all, scanner.Err()
}

// hebrewNetDocuments are the meanings that Hebrew WordNet has words for, with their words in WordNet 3.0.
func hebrewNetDocuments(dir string, l *lemmas) ([]document, error) {
	hebrew, err := readHebrewNet(dir)
	if err != nil {
		return nil, err
	}
	net := &wordNet{known: make(map[string]bool), common: make(map[string]bool)}
	var all []document
	for _, part := range []string{"noun", "verb", "adj", "adv"} {
		err := lines(filepath.Join(dir, oldNetDir, "data."+part), func(fields []string) {
			lemmas := hebrew[fields[0]+"-"+partsOfSpeech[part]]
			if lemmas == nil {
				return
			}
			d := newDocument()
			for _, word := range net.synset(fields, part).expressions {
				d.add(word, asName)
			}
			for _, lemma := range lemmas {
				ways := spellings(lemma)
				d.add(ways[0], asName)
				l.alias(ways[0], ways[1:]...)
				if part == "verb" {
					l.alias(ways[0], verbOf(ways[0]).inflect()...)
				} else if part == "noun" {
					l.nouns = append(l.nouns, ways[0])
				}
			}
			if len(d.english) > 0 && len(d.hebrew) > 0 {
				all = append(all, d)
			}
		})
		if err != nil {
			return nil, err
		}
	}
	return all, nil
}
