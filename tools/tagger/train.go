package main

import (
	"fmt"
	"math"
	"math/rand/v2"

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
// fall by slowing after each round over all examples. Found with -without.
const (
	rounds   = 8
	rate     = 0.15
	slowing  = 0.8
	decay    = 0.003
	sequence = 20261130
)

// train fits the model to sentences.
func train(sentences []sentence) model {
	kinds, names := kindExamples(sentences), nameExamples(sentences)
	fmt.Printf("%d sentences with a kind, %d words of sentences with a name\n", len(kinds), len(names))
	return model{kinds: trainKinds(kinds), names: trainNames(names)}
}

// trainKinds fits one row of weights for each kind (multinomial logistic regression).
func trainKinds(examples []kindExample) []weights {
	rows := make([]weights, tagger.Kinds)
	for kind := range rows {
		rows[kind] = make(weights, tagger.Buckets)
	}
	inTurn(len(examples), func(n int, rate float64) {
		one := examples[n]
		for kind, chance := range chances(rows, one.features) {
			target := 0.0
			if tagger.Kind(kind) == one.kind {
				target = 1
			}
			rows[kind].add(one.features, rate*(target-chance))
		}
	})
	return rows
}

// trainNames fits the row of weights for words of names (logistic regression).
func trainNames(examples []nameExample) weights {
	row := make(weights, tagger.Buckets)
	inTurn(len(examples), func(n int, rate float64) {
		one := examples[n]
		target := 0.0
		if one.named {
			target = 1
		}
		row.add(one.features, rate*(target-1/(1+math.Exp(-row.sum(one.features)))))
	})
	return row
}

// inTurn calls a function for each example in each round, in an order that only depends on their number.
func inTurn(examples int, learn func(n int, rate float64)) {
	random := rand.New(rand.NewPCG(sequence, 0)) //nolint:gosec // the order of examples, the same each time
	step := rate
	for range rounds {
		for _, n := range random.Perm(examples) {
			learn(n, step)
		}
		step *= slowing
	}
}

func chances(rows []weights, features []int) []float64 {
	out := make([]float64, len(rows))
	most := math.Inf(-1)
	for kind, row := range rows {
		out[kind] = row.sum(features)
		most = max(most, out[kind])
	}
	sum := 0.0
	for kind := range out {
		out[kind] = math.Exp(out[kind] - most)
		sum += out[kind]
	}
	for kind := range out {
		out[kind] /= sum
	}
	return out
}

// model is what was trained.
type model struct {
	kinds []weights
	names weights
}

// table returns the weights in the form of the package.
func (m model) table() []byte {
	var out []byte
	for _, row := range append(m.kinds, m.names) {
		for _, weight := range row {
			out = append(out, byte(int8(max(-127, min(127, math.Round(weight*tagger.Scale))))))
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
type scores struct{ kinds, words score }

// judge says how the model reads sentences that it has not seen.
func (m model) judge(held []sentence) (out scores) {
	for _, one := range kindExamples(held) {
		got := chances(m.kinds, one.features)
		best := 0
		for kind, chance := range got {
			if chance > got[best] {
				best = kind
			}
		}
		out.kinds.add(tagger.Kind(best) == one.kind)
	}
	for _, one := range nameExamples(held) {
		out.words.add((m.names.sum(one.features) > 0) == one.named)
	}
	return out
}
