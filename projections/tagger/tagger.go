// Package tagger reads a sentence for the assistant by statistics: which kind of request it is, and which of its words
// name the thing.
//
// It is a linear model over hashed features, trained by tools/tagger on written sentences. It knows nothing of the
// grammar of projections/plan and does not replace it: two readers that were made in different ways seldom make the
// same mistake, so where they disagree the user is asked.
//
// Reading is pure, allocates little and takes some 20 µs a sentence.
package tagger

import (
	_ "embed"
	"math"
)

// table holds the weights, made by tools/tagger: for each kind, and then for names, Buckets signed bytes, each a
// sixteenth of a unit.
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
	// NewEvent adds an event.
	NewEvent Kind = iota
	// EventChange changes an event that is there.
	EventChange
	// EventEnd deletes events.
	EventEnd
	// NewTask adds a task or a reminder.
	NewTask
	// TaskChange changes, completes or deletes a task.
	TaskChange
	// ListChange adds to a list, makes one, or takes from it.
	ListChange
	// NewMemory keeps a note.
	NewMemory
	// Reading changes nothing.
	Reading
	// Unclear lacks something, or asks for what is not done here.
	Unclear
	// Kinds is how many there are.
	Kinds
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
		sum += int(int8(table[row*Buckets+feature]))
	}
	return float64(sum) / Scale
}

// logistic turns a sum of weights into a probability.
func logistic(sum float64) float64 { return 1 / (1 + math.Exp(-sum)) }
