package main

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"almanac/projections/ngram"
)

// document is one thing as the two languages name it. What is said first of it, its name, counts more.
type document struct {
	hebrew, english map[string]float64
	// short is whether the words of its expressions are not said of it one by one.
	short bool
}

// What a name and any other word of a document count, and what a word counts that is only said in an expression.
const (
	asName = 2.0
	asWord = 1.0
	within = 0.3
)

// pairs is what English says for the Hebrew of the documents, with how much the two belong together.
type pairs struct {
	english map[string]bool
	said    map[string]map[string]float64
	// whole are the Hebrew expressions that are said by themselves, not only as a word of a longer one.
	whole map[string]bool
	// links are the English words that are said of the same things as a word.
	links map[string][]string
	// forms are other forms of Hebrew words.
	forms *lemmas
	// matters are what people say of everyday matters.
	matters []matter
}

// mostLinked is of how many English words a document may be for them to be near each other, and mostLinks how many
// words a word may have near it so.
const mostLinked, mostLinks = 12, 30

func (p *pairs) link(d document) {
	words := make(map[string]bool)
	for expression := range d.english {
		if d.short && strings.Contains(expression, " ") {
			continue
		}
		for word := range strings.FieldsSeq(expression) {
			words[strings.Trim(word, "'\"-.")] = true
		}
	}
	if len(words) > mostLinked {
		return
	}
	for _, word := range slices.Sorted(maps.Keys(words)) {
		for _, other := range slices.Sorted(maps.Keys(words)) {
			if other != word && !slices.Contains(p.links[word], other) {
				p.links[word] = append(p.links[word], other)
			}
		}
	}
}

// readPairs counts how often a Hebrew and an English expression are said of the same thing, and weighs that by how
// often each is said at all (the coefficient of Dice).
func readPairs(dir string) (*pairs, error) {
	var all []document
	forms := &lemmas{forms: make(map[string][]string)}
	matters := readEveryday(forms)
	for _, m := range matters {
		all = append(all, m.lines...)
	}
	some, err := hebrewNetDocuments(dir, forms)
	if err != nil {
		return nil, err
	}
	all = append(all, some...)
	for _, read := range []func(string) ([]document, error){lexiconDocuments, schemaDocuments, annotationDocuments,
		nameDocuments} {
		some, err := read(dir)
		if err != nil {
			return nil, err
		}
		all = append(all, some...)
	}
	p := &pairs{english: make(map[string]bool), said: make(map[string]map[string]float64), whole: make(map[string]bool),
		links: make(map[string][]string), forms: forms, matters: matters}
	hebrew, english := make(map[string]float64), make(map[string]float64)
	for _, d := range all {
		p.link(d)
		for h, weight := range d.hebrew {
			hebrew[h] += weight
			p.whole[h] = p.whole[h] || weight > within
			if p.said[h] == nil {
				p.said[h] = make(map[string]float64)
			}
			for e, other := range d.english {
				p.said[h][e] += weight * other
			}
		}
		for e, weight := range d.english {
			english[e] += weight
			for word := range strings.FieldsSeq(e) {
				p.english[word] = true
			}
		}
	}
	for h, said := range p.said {
		for e, both := range said {
			said[e] = 2 * both / (hebrew[h] + english[e])
		}
	}
	return p, nil
}

func newDocument() document {
	return document{hebrew: make(map[string]float64), english: make(map[string]float64)}
}

var (
	aside = regexp.MustCompile(`\([^)]*\)`)
	apart = regexp.MustCompile(`[/,;:|]| - `)
)

// add takes what is said of the document. Languages are told apart by their letters.
func (d *document) add(text string, weight float64) {
	for expression := range slices.Values(apart.Split(aside.ReplaceAllString(text, " "), -1)) {
		expression = strings.ToLower(strings.Join(strings.Fields(expression), " "))
		if expression == "" || strings.ContainsAny(expression, "{}<>_=0123456789") {
			continue
		}
		if !strings.ContainsFunc(expression, isHebrew) {
			d.english[expression] = max(d.english[expression], weight)
			continue
		}
		d.hebrew[expression] = max(d.hebrew[expression], weight)
		if words := strings.Fields(expression); len(words) > 1 {
			for _, word := range words {
				d.hebrew[word] = max(d.hebrew[word], within)
			}
		}
	}
}

func isHebrew(r rune) bool { return 'א' <= r && r <= 'ת' }

// lexiconDocuments are the concepts of the project's own lexicon.
func lexiconDocuments(string) ([]document, error) {
	var all []document
	for expressions := range ngram.Concepts() {
		d := newDocument()
		for _, expression := range expressions {
			d.add(expression, 2*asName)
		}
		all = append(all, d)
	}
	return all, nil
}

// said is the part of the tagging schema's translations that is read: names, and what else they are found by.
type said struct {
	Name    string          `json:"name"`
	Label   string          `json:"label"`
	Aliases json.RawMessage `json:"aliases"`
	Terms   json.RawMessage `json:"terms"`
	Options map[string]any  `json:"options"`
}

func (s said) into(d *document) {
	d.add(s.Name, asName)
	d.add(s.Label, asName)
	for _, raw := range []json.RawMessage{s.Aliases, s.Terms} {
		var many []string
		var one string
		if json.Unmarshal(raw, &many) == nil {
			for _, text := range many {
				d.add(text, asWord)
			}
		} else if json.Unmarshal(raw, &one) == nil {
			for text := range strings.SplitSeq(one, "\n") {
				d.add(text, asWord)
			}
		}
	}
}

// schemaDocuments are the things and their properties that OpenStreetMap's tagging schema names.
func schemaDocuments(dir string) ([]document, error) {
	var both [2]struct {
		presets, fields map[string]said
	}
	for i, language := range []string{"he", "en"} {
		var file map[string]struct {
			Presets struct {
				Presets map[string]said `json:"presets"`
				Fields  map[string]said `json:"fields"`
			} `json:"presets"`
		}
		if err := readJSON(filepath.Join(dir, schemaDir, language+".json"), &file); err != nil {
			return nil, err
		}
		both[i].presets, both[i].fields = file[language].Presets.Presets, file[language].Presets.Fields
	}
	var all []document
	for _, part := range [][2]map[string]said{{both[0].presets, both[1].presets}, {both[0].fields, both[1].fields}} {
		for _, key := range slices.Sorted(maps.Keys(part[0])) {
			hebrew, english := part[0][key], part[1][key]
			d := newDocument()
			hebrew.into(&d)
			english.into(&d)
			all = append(all, d)
			for _, option := range slices.Sorted(maps.Keys(hebrew.Options)) {
				d := newDocument()
				d.add(titleOf(hebrew.Options[option]), asName)
				d.add(titleOf(english.Options[option]), asName)
				all = append(all, d)
			}
		}
	}
	return all, nil
}

// titleOf is the text of an option, which is a text or an object that has it as its title.
func titleOf(option any) string {
	switch option := option.(type) {
	case string:
		return option
	case map[string]any:
		title, _ := option["title"].(string)
		return title
	}
	return ""
}

// annotation is what CLDR says of a character.
type annotation struct {
	Default []string `json:"default"`
	Name    []string `json:"tts"`
}

// annotationDocuments are the pictures that CLDR describes.
func annotationDocuments(dir string) ([]document, error) {
	var all []document
	for _, part := range []struct{ dir, key string }{{plainDir, "annotations"}, {derivedDir, "annotationsDerived"}} {
		var both [2]map[string]annotation
		for i, language := range []string{"he", "en"} {
			var file map[string]struct {
				Annotations map[string]annotation `json:"annotations"`
			}
			if err := readJSON(filepath.Join(dir, part.dir, language, "annotations.json"), &file); err != nil {
				return nil, err
			}
			both[i] = file[part.key].Annotations
		}
		for _, picture := range slices.Sorted(maps.Keys(both[0])) {
			d := newDocument()
			for _, of := range both {
				for _, text := range of[picture].Default {
					d.add(text, asWord)
				}
				for _, text := range of[picture].Name {
					d.add(text, asName)
				}
			}
			all = append(all, d)
		}
	}
	return all, nil
}

// nameDocuments are countries and languages.
func nameDocuments(dir string) ([]document, error) {
	var all []document
	for _, part := range []string{"territories", "languages"} {
		var both [2]map[string]string
		for i, language := range []string{"he", "en"} {
			var file struct {
				Main map[string]struct {
					Names map[string]json.RawMessage `json:"localeDisplayNames"`
				} `json:"main"`
			}
			if err := readJSON(filepath.Join(dir, namesDir, language, part+".json"), &file); err != nil {
				return nil, err
			}
			if err := json.Unmarshal(file.Main[language].Names[part], &both[i]); err != nil {
				return nil, err
			}
		}
		for _, code := range slices.Sorted(maps.Keys(both[0])) {
			if both[0][code] == code {
				continue
			}
			d := newDocument()
			d.add(both[0][code], asName)
			d.add(both[1][code], asName)
			all = append(all, d)
		}
	}
	return all, nil
}

func readJSON(path string, into any) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	return json.Unmarshal(text, into)
}
