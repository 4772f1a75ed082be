// Package tagger reads a sentence for the assistant by statistics: which kind of request it is, and which of its words
// name the thing, or the list, that it is about.
//
// It is a linear model over hashed features, trained by tools/tagger on written sentences. It knows nothing of the
// grammar of projections/plan and does not replace it: two readers that were made in different ways seldom make the
// same mistake, so where they disagree the user is asked; and what the grammar cannot read may be put into its words.
//
// Reading is pure and allocates little; bench_test.go has what it takes.
package tagger

import (
	_ "embed"
	"math"
)

// table holds the weights, made by tools/tagger, in signed bytes, sixteenths of a unit: for each bucket of kinds one
// for each kind, then for each bucket of words one for each row of words.
//
//go:embed table.bin
var table string

// Buckets is how many weights each answer to a question has; features share them by their hash.
type Buckets int

// The buckets of the questions which kind a sentence is and whether a word belongs to a name. With a quarter as many
// for words, what the model has not learned of unseen ones is a quarter more (decision 81).
const (
	KindBuckets Buckets = 1 << 16
	WordBuckets Buckets = 1 << 17
)

// Scale is what one unit of a weight is in the table.
const Scale = 16

// Kind is a kind of request.
type Kind int

// The kinds that the model tells apart.
const (
	// NewEvent adds an event, EventChange changes one that is there, EventEnd deletes events.
	NewEvent Kind = iota
	EventChange
	EventEnd
	// EventReading asks about the calendar.
	EventReading
	// NewTask adds a task or a reminder, TaskDone completes one, TaskEnd deletes it.
	NewTask
	TaskChange
	TaskDone
	TaskEnd
	TaskReading
	// ListAdd adds to a list or makes one, ListCheck checks items off, ListTake takes them or the list away.
	ListAdd
	ListCheck
	ListTake
	ListReading
	// NewMemory keeps a note.
	NewMemory
	MemoryEnd
	MemoryReading
	MailReading
	// Undoing takes back what was done last.
	Undoing
	// Unclear lacks something, or asks for what is not done here.
	Unclear
	// Kinds is how many there are.
	Kinds
)

// Reads reports whether a kind changes nothing.
func (k Kind) Reads() bool {
	switch k {
	case EventReading, TaskReading, ListReading, MemoryReading, MailReading:
		return true
	}
	return false
}

// OfTasks reports whether a kind is about tasks.
func (k Kind) OfTasks() bool { return NewTask <= k && k <= TaskReading }

// OfLists reports whether a kind is about lists.
func (k Kind) OfLists() bool { return ListAdd <= k && k <= ListReading }

// The rows of words: of names, and of names of lists.
const (
	NameRow = iota
	ListRow
	WordRows
)

// feature returns the bucket of a feature: a hash (FNV-1a) of its name and its parts.
func (b Buckets) feature(name string, parts ...string) int {
	const offset, prime = 2166136261, 16777619
	hash := uint32(offset)
	add := func(text string) {
		for i := range len(text) {
			hash = (hash ^ uint32(text[i])) * prime
		}
		hash = (hash ^ 0xff) * prime
	}
	add(name)
	for _, part := range parts {
		add(part)
	}
	return int((hash ^ hash>>15) % uint32(b))
}

// weigh returns the sum of a row's weights of features; rows are as many as each bucket of a part of the table has.
func weigh(part string, rows, row int, features []int) float64 {
	sum := 0
	for _, feature := range features {
		sum += int(int8(part[feature*rows+row]))
	}
	return float64(sum) / Scale
}

// kindsSize is where the part of the table for words begins.
const kindsSize = int(KindBuckets) * int(Kinds)

// Logistic turns a sum of weights into a probability.
func Logistic(sum float64) float64 { return 1 / (1 + math.Exp(-sum)) }

// Softmax turns sums of weights into probabilities, in place; their sum is 1.
func Softmax(sums []float64) {
	most, sum := math.Inf(-1), 0.0
	for _, one := range sums {
		most = max(most, one)
	}
	for i, one := range sums {
		sums[i] = math.Exp(one - most)
		sum += sums[i]
	}
	for i := range sums {
		sums[i] /= sum
	}
}
