package main

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"almanac/projections/tagger"
)

// weights are those of one question to the model, by bucket.
type weights []float64

func (w weights) sum(features []int) float64 {
	sum := 0.0
	for _, feature := range features {
		sum += w[feature]
	}
	return sum
}

func (w weights) add(features []int, by float64) {
	for _, feature := range features {
		w[feature] += by - decay*math.Abs(by)*w[feature]
	}
}

// The course of the training, by stochastic gradient descent. Decay pulls weights towards zero with each step; rates
// fall by slowing after each round over all examples; errors below least teach nothing. Found with -without.
const (
	rounds   = 8
	rate     = 0.15
	slowing  = 0.8
	decay    = 0.003
	least    = 0.01
	sequence = 20261130
)

// train fits the model to sentences.
func train(sentences []sentence) trained {
	from := examplesOf(sentences, false)
	fmt.Printf("%d sentences, %d words of sentences with a name, %d of sentences about lists\n", len(from.kinds),
		len(from.names), len(from.lists))
	return trained{
		kinds: fit(append(from.kinds, from.things...), int(tagger.Kinds), tagger.KindBuckets),
		words: fitted{fit(from.names, 1, tagger.WordBuckets)[0], fit(from.lists, 1, tagger.WordBuckets)[0]},
	}
}

// fit makes a row of weights for each answer, or one for yes (multinomial and plain logistic regression).
func fit(examples []example, answers int, buckets tagger.Buckets) fitted {
	rows := make(fitted, answers)
	for answer := range rows {
		rows[answer] = make(weights, buckets)
	}
	random := rand.New(rand.NewPCG(sequence, 0)) //nolint:gosec // the order of examples, the same each time
	step := rate
	for range rounds {
		for _, n := range random.Perm(len(examples)) {
			one := examples[n]
			for answer, chance := range rows.chances(one.features) {
				target := 0.0
				if answers == 1 {
					target = float64(one.right)
				} else if answer == one.right {
					target = 1
				}
				if math.Abs(target-chance) > least {
					rows[answer].add(one.features, step*(target-chance))
				}
			}
		}
		step *= slowing
	}
	return rows
}

// fitted is what was trained: a row for each answer to a question.
type fitted []weights

// chances returns how likely each answer is; of a single row, how likely yes.
func (m fitted) chances(features []int) []float64 {
	out := make([]float64, len(m))
	for answer, row := range m {
		out[answer] = row.sum(features)
	}
	if len(out) == 1 {
		out[0] = tagger.Logistic(out[0])
	} else {
		tagger.Softmax(out)
	}
	return out
}

// trained is what was fitted: for kinds, and for words of names and of names of lists.
type trained struct{ kinds, words fitted }

// table returns the weights in the form of the package.
func (m trained) table() []byte { return m.words.appendTo(m.kinds.appendTo(nil)) }

// appendTo appends weights, those of a bucket beside each other.
func (m fitted) appendTo(out []byte) []byte {
	for bucket := range m[0] {
		for _, row := range m {
			out = append(out, byte(int8(max(-127, min(127, math.Round(row[bucket]*tagger.Scale))))))
		}
	}
	return out
}

// score is how many of a number are right.
type score struct{ right, all int }

func (s *score) add(right bool) {
	s.all++
	if right {
		s.right++
	}
}

func (s score) share() float64 { return float64(s.right) / float64(max(s.all, 1)) }

// scores are those of kinds and of the words of names.
type scores struct{ kinds, things, words score }

// judge says how the model reads sentences that it has not seen.
func (m trained) judge(held []sentence) (out scores) {
	from := examplesOf(held, true)
	kind := func(one example) bool {
		got := m.kinds.chances(one.features)
		return slices.Index(got, slices.Max(got)) == one.right
	}
	for _, one := range from.kinds {
		out.kinds.add(kind(one))
	}
	for _, one := range from.things {
		out.things.add(kind(one))
	}
	for _, one := range from.names {
		out.words.add((m.words[tagger.NameRow].sum(one.features) > 0) == (one.right == 1))
	}
	return out
}
