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
	"time"

	"almanac/graph/model"
	"almanac/projections/plan"
	"almanac/projections/tagger"
	"almanac/projections/when"
)

// sentence is one of a set with what is expected of it; bench/sentences/testdata/README.md says what the fields mean.
type sentence struct {
	Class, Text string
	Expect      struct {
		Domain, Effect, Title, Query, Person, List, Priority string
		Titles, Items, Accept                                []string
	}
	file   string
	tokens []tagger.Token
}

// heldBack are the ends of the names of the sets that nothing is learned from: the last blind sets, so that their
// figures stay those of a model that has not seen them.
func heldBack(path string) bool {
	return strings.HasSuffix(path, ".L.jsonl") || strings.HasSuffix(path, ".M.jsonl") ||
		strings.HasSuffix(path, ".N.jsonl")
}

// readSentences reads all sets of a checkout but those that are held back, in the order of their names.
func readSentences(root string) ([]sentence, error) {
	var out []sentence
	for _, folder := range []string{"testdata", "dev"} {
		paths, err := filepath.Glob(filepath.Join(root, "bench", "sentences", folder, "*.jsonl"))
		if err != nil {
			return nil, err
		}
		for _, path := range paths {
			if heldBack(path) {
				continue
			}
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
		one.tokens = tagger.Tokens(one.Text, plan.TimeSpans(one.Text, spoken))
		out = append(out, one)
	}
}

// spoken is when the sentences are said, by testdata/README.md. Which words say a time hardly depends on it.
var spoken = when.Moment{Now: time.Date(2026, 11, 25, 8, 0, 0, 0, time.UTC), Zone: time.UTC, Locale: "en",
	WeekStart: model.Sunday}

// kinds are those of what is expected, by domain and effect. What sets a priority is unclear, as tasks have none.
var kinds = map[string]tagger.Kind{
	"calendar create": tagger.NewEvent, "calendar update": tagger.EventChange, "calendar delete": tagger.EventEnd,
	"calendar read": tagger.EventReading,
	"tasks create":  tagger.NewTask, "tasks update": tagger.TaskChange, "tasks complete": tagger.TaskDone,
	"tasks delete": tagger.TaskEnd, "tasks read": tagger.TaskReading,
	"lists create": tagger.ListAdd, "lists update": tagger.ListAdd, "lists complete": tagger.ListCheck,
	"lists delete": tagger.ListTake, "lists read": tagger.ListReading,
	"memories create": tagger.NewMemory, "memories update": tagger.NewMemory, "memories delete": tagger.MemoryEnd,
	"memories read": tagger.MemoryReading, "mail read": tagger.MailReading, "undo undo": tagger.Undoing,
}

// kindOf returns the kind that is expected of a sentence; false where that is not known: whether a change of an event
// is asked about depends on what is there, not on the words, so another effect that is accepted counts.
func (s sentence) kindOf() (tagger.Kind, bool) {
	if s.Expect.Effect == "ask" && s.Expect.Domain != "none" {
		for _, effect := range s.Expect.Accept {
			if kind, ok := kinds[s.Expect.Domain+" "+effect]; ok {
				return kind, true
			}
		}
		return tagger.Unclear, s.Expect.Domain != "calendar"
	}
	kind, ok := kinds[s.Expect.Domain+" "+s.Expect.Effect]
	if !ok || kind == tagger.TaskChange && s.Expect.Priority != "" {
		return tagger.Unclear, true
	}
	return kind, true
}

// example is a sentence, or a word of one, as the model sees it, with what is right: a kind, or 1 for a word of a name.
type example struct {
	features []int
	right    int
}

// Of the questions that are made of frames one in so many is learned from: there are few frames, and many questions.
const (
	framed      = "questions.jsonl"
	oneFramedIn = 3
)

// examples are those for the kinds, for words of names, for words of names of lists, and for kinds of sentences whose
// name is only known to be one of something.
type examples struct{ kinds, names, lists, things []example }

// examplesOf makes examples of sentences; of all that are made of frames, or of a part.
func examplesOf(sentences []sentence, all bool) (out examples) {
	often := oftenNoName(sentences)
	questions := 0
	for _, one := range sentences {
		if one.file == framed && !all {
			if questions++; questions%oneFramedIn != 0 {
				continue
			}
		}
		kind, ok := one.kindOf()
		if !ok {
			continue
		}
		out.kinds = append(out.kinds, example{tagger.KindFeatures(one.tokens), int(kind)})
		features := tagger.NameFeatures(one.tokens, kind)
		if named, ok := one.named(); ok {
			if from, to, whole := inOnePiece(one.tokens, named); whole && !kind.OfLists() {
				out.things = append(out.things, example{
					tagger.KindFeatures(tagger.WithThing(one.tokens, from, to)), int(kind)})
			}
			teaches := everyWord
			if kind.Reads() && !all && !slices.Contains(named, true) {
				teaches = often
			}
			out.names = appendWords(out.names, one.tokens, features, named, teaches)
		}
		if kind.OfLists() {
			out.lists = appendWords(out.lists, one.tokens, features, marked(one.tokens, []string{one.Expect.List}),
				everyWord)
		}
	}
	return out
}

// everyWord is for sentences of which every word teaches something.
func everyWord(string) bool { return true }

// leastAsked is in how many questions a word must be no part of a name before it teaches that where no name is
// expected: the day alone is expected of "do I have tennis tomorrow" too.
const leastAsked = 15

// oftenNoName returns a function that reports whether a word is no part of a name in many sentences that read.
func oftenNoName(sentences []sentence) func(string) bool {
	counts := map[string]int{}
	for _, one := range sentences {
		kind, ok := one.kindOf()
		named, marked := one.named()
		if !ok || !marked || !kind.Reads() {
			continue
		}
		seen := map[string]bool{}
		for i, token := range one.tokens {
			if !named[i] && !seen[token.Text] {
				seen[token.Text] = true
				counts[token.Text]++
			}
		}
	}
	return func(word string) bool { return counts[word] >= leastAsked }
}

// inOnePiece returns the bytes of a name that stands in one piece.
func inOnePiece(tokens []tagger.Token, named []bool) (from, to int, ok bool) {
	first, last := slices.Index(named, true), len(named)-1
	for last > first && !named[last] {
		last--
	}
	if first < 0 || slices.Contains(named[first:last], false) {
		return 0, 0, false
	}
	return tokens[first].From, tokens[last].To, true
}

// appendWords appends an example for each word that teaches something.
func appendWords(out []example, tokens []tagger.Token, features [][]int, named []bool,
	teaches func(string) bool) []example {
	for i, token := range tokens {
		if token.Text != tagger.Time && teaches(token.Text) {
			right := 0
			if named[i] {
				right = 1
			}
			out = append(out, example{features[i], right})
		}
	}
	return out
}
