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

// table holds the weights, made by tools/tagger: for each bucket a signed byte for each row, a sixteenth of a unit.
//
//go:embed table.bin
var table string

// Buckets is how many weights each question to the model has; features share them by their hash.
const Buckets = 1 << 15

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

// The rows of the table: one for each kind, one for words of names, and one for words of names of lists.
const (
	NameRow = int(Kinds) + iota
	ListRow
	Rows
)

// Feature returns the bucket of a feature: a hash (FNV-1a) of its name and its parts.
func Feature(name string, parts ...string) int {
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
	return int((hash ^ hash>>15) % Buckets)
}

// weigh returns the sum of a row's weights of features.
func weigh(row int, features []int) float64 {
	sum := 0
	for _, feature := range features {
		sum += int(int8(table[feature*Rows+row]))
	}
	return float64(sum) / Scale
}

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
