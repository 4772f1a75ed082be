package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"almanac/projections/tagger"
)

// sentence is one of a set with what is expected of it; bench/sentences/testdata/README.md says what the fields mean.
type sentence struct {
	Class, Text string
	Expect      struct {
		Domain, Effect, Title string
	}
	file string
}

// readSentences reads all sets of a checkout, in the order of their names.
func readSentences(root string) ([]sentence, error) {
	var out []sentence
	for _, folder := range []string{"testdata", "dev"} {
		paths, err := filepath.Glob(filepath.Join(root, "bench", "sentences", folder, "*.jsonl"))
		if err != nil {
			return nil, err
		}
		for _, path := range paths {
			some, err := readFile(path)
			if err != nil {
				return nil, err
			}
			out = append(out, some...)
		}
	}
	return out, nil
}

func readFile(path string) (out []sentence, err error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	decoder := json.NewDecoder(bufio.NewReader(file))
	for {
		one := sentence{file: filepath.Base(path)}
		switch err := decoder.Decode(&one); {
		case errors.Is(err, io.EOF):
			return out, nil
		case err != nil:
			return nil, err
		}
		out = append(out, one)
	}
}

// kindOf returns the kind that is expected of a sentence; false for one that the model does not tell.
func (s sentence) kindOf() (tagger.Kind, bool) {
	domain, effect := s.Expect.Domain, s.Expect.Effect
	switch {
	case effect == "read":
		return tagger.Reading, true
	case effect == "ask" || effect == "refuse":
		return tagger.Unclear, true
	case domain == "lists":
		return tagger.ListChange, true
	case domain == "memories" && effect == "create":
		return tagger.NewMemory, true
	case domain == "tasks" && effect == "create":
		return tagger.NewTask, true
	case domain == "tasks":
		return tagger.TaskChange, true
	case domain != "calendar":
		return 0, false
	}
	kind, ok := map[string]tagger.Kind{"create": tagger.NewEvent, "update": tagger.EventChange,
		"delete": tagger.EventEnd}[effect]
	return kind, ok
}

// kindExample is a sentence as the model sees it, with its kind.
type kindExample struct {
	features []int
	kind     tagger.Kind
}

// oneQuestionIn is which part of the questions is learned from: they are made of few frames, and there are many.
const oneQuestionIn = 3

func kindExamples(sentences []sentence) []kindExample {
	var out []kindExample
	questions := 0
	for _, one := range sentences {
		kind, ok := one.kindOf()
		if !ok {
			continue
		}
		if strings.HasPrefix(one.Class, "question") {
			if questions++; questions%oneQuestionIn != 0 {
				continue
			}
		}
		out = append(out, kindExample{tagger.KindFeatures(tagger.Tokens(one.Text)), kind})
	}
	return out
}

// nameExample is a word of a sentence as the model sees it, and whether it belongs to the name of what is made.
type nameExample struct {
	features []int
	named    bool
}

// nameExamples are the words of the sentences that make an event or a task, where its name stands in one piece.
func nameExamples(sentences []sentence) []nameExample {
	var out []nameExample
	for _, one := range sentences {
		e := one.Expect
		if e.Effect != "create" || e.Title == "" || e.Domain != "calendar" && e.Domain != "tasks" {
			continue
		}
		tokens, name := tagger.Tokens(one.Text), tagger.Tokens(e.Title)
		from := within(tokens, name)
		if from < 0 {
			continue
		}
		for i := range tokens {
			out = append(out, nameExample{tagger.NameFeatures(tokens, i), from <= i && i < from+len(name)})
		}
	}
	return out
}

// within returns where some tokens begin among others; -1 if nowhere.
func within(tokens, some []string) int {
	for from := 0; from+len(some) <= len(tokens); from++ {
		if slices.Equal(tokens[from:from+len(some)], some) {
			return from
		}
	}
	return -1
}
