//go:build bench

package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"
)

// world is what a user has before each sentence.
type world struct {
	Lang, Now, Zone string
	Events          []worldEvent
	Tasks           []worldTask
	Lists           map[string][]string
	Memories        []string
	Mail            []worldMail
}

type worldEvent struct {
	Title, Start, End, Location, Recurrence string
	AllDay                                  bool
}

type worldTask struct {
	Title, Recurrence string
	// Due is a day; empty for none.
	Due string
}

type worldMail struct {
	From, Subject, Date string
	Unread              bool
}

// sentence is one of a set with what is expected of it; testdata/README.md says what the fields mean.
type sentence struct {
	ID, Lang, Class, Text string
	Expect                expect
	// file is the set that it is of.
	file string
}

type expect struct {
	Domain       string
	DomainAccept []string
	Effect       string
	Accept       []string
	Title        string
	Titles       []string
	// When is nil where nothing is said of it, and the empty text where there must be none.
	When, End                          *string
	WhenAccept, WhenRange, Whens       []string
	Part                               string
	Recurrence                         string
	RecurrenceAccept                   []string
	Scope                              string
	ScopeAccept                        []string
	Until, Time                        string
	List                               string
	Items                              []string
	Person, Query, Location, Place     string
	NewTitle, Note, Category, Priority string
	// text is all of it as it is written.
	text json.RawMessage
}

// UnmarshalJSON keeps apart a `when` that is null and one that is not there.
func (e *expect) UnmarshalJSON(text []byte) error {
	type plain expect
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields() // what is not known would not be judged
	if err := decoder.Decode((*plain)(e)); err != nil {
		return err
	}
	var there map[string]json.RawMessage
	if err := json.Unmarshal(text, &there); err != nil {
		return err
	}
	if bytes.Equal(there["when"], []byte("null")) {
		e.When = new(string)
	}
	e.text = bytes.Clone(text)
	return nil
}

// accepts returns all effects that are right, the best first.
func (e *expect) accepts() []string {
	return append([]string{e.Effect}, slices.DeleteFunc(slices.Clone(e.Accept),
		func(effect string) bool { return effect == e.Effect })...)
}

// domains returns all domains that are right, the best first.
func (e *expect) domains() []string {
	return append([]string{e.Domain}, slices.DeleteFunc(slices.Clone(e.DomainAccept),
		func(domain string) bool { return domain == e.Domain })...)
}

// wanted are the titles that are expected.
func (e *expect) wanted() []string {
	if len(e.Titles) > 0 {
		return e.Titles
	}
	if e.Title == "" {
		return nil
	}
	return []string{e.Title}
}

// made are the titles of what is to be made. Where the set gives none, one thing is, by whatever name; of a memory the
// hint says what it must be about.
func (e *expect) made() []string {
	if wanted := e.wanted(); len(wanted) > 0 {
		return wanted
	}
	return []string{""}
}

// readSets reads the sentences of all files of a folder that fit the pattern, at most limit of each file; 0: all.
func readSets(dir, pattern string, limit int) ([]sentence, error) {
	files, err := filepath.Glob(filepath.Join(dir, pattern))
	if err != nil {
		return nil, err
	}
	var all []sentence
	for _, path := range files {
		set, err := readSet(path)
		if err != nil {
			return nil, err
		}
		if limit > 0 && limit < len(set) {
			set = set[:limit]
		}
		all = append(all, set...)
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("%s has no sentences in %s", dir, pattern)
	}
	return all, nil
}

func readSet(path string) ([]sentence, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }() // it was only read
	var set []sentence
	lines := bufio.NewScanner(file)
	for number := 1; lines.Scan(); number++ {
		one := sentence{file: filepath.Base(path)}
		if err := json.Unmarshal(lines.Bytes(), &one); err != nil {
			return nil, fmt.Errorf("%s:%d: %w", path, number, err)
		}
		set = append(set, one)
	}
	return set, lines.Err()
}

// readWorld reads the world of a language.
func readWorld(dir, lang string) (*world, error) {
	text, err := os.ReadFile(filepath.Join(dir, "world."+lang+".json"))
	if err != nil {
		return nil, err
	}
	var w world
	return &w, json.Unmarshal(text, &w)
}

// localForm is how the sets write an hour of the user's zone.
const localForm = "2006-01-02T15:04"

// clock returns the zone and the moment at which its sentences are said.
func (w *world) clock() (*time.Location, time.Time, error) {
	zone, err := time.LoadLocation(w.Zone)
	if err != nil {
		return nil, time.Time{}, err
	}
	now, err := time.ParseInLocation(localForm, w.Now, zone)
	return zone, now, err
}
