//go:build bench

// Package set makes memories and queries with judged answers, in English and Hebrew, for measuring how well memories
// are found.
//
// It promises that the same size returns the same set on every machine, that everything a person reads in it was
// written by a person (texts, templates and the values of their slots), and that it shares no list of words with what
// is measured.
package set

import (
	"cmp"
	"slices"
	"time"

	"almanac/graph/model"
)

// Kind says what makes a query hard.
type Kind string

// The kinds of queries.
const (
	// Exact: in words of the memory.
	Exact Kind = "exact"
	// Synonym: in other words of the same language.
	Synonym Kind = "synonym"
	// Cross: in the other language.
	Cross Kind = "cross"
	// Inflected: in other forms of the memory's words; in Hebrew with prefixes.
	Inflected Kind = "inflected"
	// Typo: misspelled.
	Typo Kind = "typo"
	// Number: a number of it, mostly in another form.
	Number Kind = "number"
	// Question: as a person asks.
	Question Kind = "question"
	// Date: by a day that is written in it, mostly in another form.
	Date Kind = "date"
	// Script: by a name in the other script.
	Script Kind = "script"
	// Rare: by a word that many memories have, and another that few have.
	Rare Kind = "rare"
)

// Kinds returns all kinds.
func Kinds() []Kind {
	return []Kind{Exact, Synonym, Cross, Inflected, Typo, Number, Question, Date, Script, Rare}
}

// Language is what a text is written in.
type Language string

// The languages. A mixed text is Hebrew with English in it.
const (
	English Language = "en"
	Hebrew  Language = "he"
	Mixed   Language = "mixed"
)

// Query is something looked for, and what should be found.
type Query struct {
	Text     string
	Kind     Kind
	Language Language
	// Test says that it is of the half that nothing was tuned with.
	Test bool
	// Made says that it was made from a template.
	Made bool
	// Answers are the right memories, as places in Set.Memories, ascending, at least one.
	Answers []int
}

// Set is memories and queries over them.
type Set struct {
	// Memories are in the order of their ids and of CreatedAt. They have no vectors.
	Memories []model.Memory
	Queries  []Query
}

// Size is the number of memories of the set that is reported on.
const Size = 2_400

// perQuery is how many queries are made of each line of a template.
const perQuery = 4

// Make returns a set of so many memories, at least all those written by hand.
func Make(size int) (Set, error) {
	w, err := readCore(coreText)
	if err != nil {
		return Set{}, err
	}
	m, err := newMaker()
	if err != nil {
		return Set{}, err
	}
	made := m.memories(max(0, size-len(w)))
	// The written ones stand among the made ones, so that neither age nor order tells them apart.
	s := Set{Memories: make([]model.Memory, 0, len(w)+len(made))}
	where := make([]int, len(made))
	next := 0
	for i := range made {
		for next < len(w) && next*len(made) <= i*len(w) {
			s.addWritten(w[next], next)
			next++
		}
		where[i] = s.add(made[i].memory)
	}
	for ; next < len(w); next++ {
		s.addWritten(w[next], next)
	}
	s.Queries = append(s.Queries, m.queries(made, where)...)
	slices.SortStableFunc(s.Queries, func(a, b Query) int { return cmp.Compare(place(a.Made), place(b.Made)) })
	return s, nil
}

func place(made bool) int {
	if made {
		return 1
	}
	return 0
}

func (s *Set) addWritten(w written, number int) {
	at := s.add(w.memory)
	for _, q := range w.queries {
		q.Answers, q.Test = []int{at}, number%2 == 1
		s.Queries = append(s.Queries, q)
	}
}

// add returns a memory its id and its time, and its place.
func (s *Set) add(m model.Memory) int {
	at := len(s.Memories)
	m.CreatedAt = time.Date(2024, 1, 1, 8, 0, 0, 0, time.UTC).Add(time.Duration(at) * 7 * time.Minute)
	m.UpdatedAt = m.CreatedAt
	m.ID = idOf(m.CreatedAt, at)
	m.Version = 1
	s.Memories = append(s.Memories, m)
	return at
}

// idOf makes a UUIDv7 (RFC 9562, 5.7) without chance.
func idOf(at time.Time, number int) (id model.UUID) {
	ms := uint64(at.UnixMilli())
	for i := range 6 {
		id[i] = byte(ms >> (40 - 8*i))
	}
	random := newRandom(uint64(number))
	for i := 6; i < 16; i++ {
		id[i] = byte(random.next())
	}
	id[6] = id[6]&0x0f | 0x70
	id[8] = id[8]&0x3f | 0x80
	return id
}
