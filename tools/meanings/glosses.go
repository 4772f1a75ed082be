package main

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
)

// definition is what WordNet says of a meaning: the words of the definition, and the words that are defined, as
// numbers.
type definition struct {
	by, of []int32
}

const (
	// together is how many definitions are told apart from each other at once, and pace how far each step goes.
	together, pace = 256, 0.05
	// sharpness is by what the cosine of a definition and its word is divided.
	sharpness = 0.1
	// unsaid is how many of the most frequent words say nothing in a definition.
	unsaid = 100
)

// learn moves words so that a definition, the sum of its words, is nearer to the words that it defines than to those
// that others define: one pass over WordNet's definitions, with the cross-entropy within each batch (van den Oord et
// al., 2018).
func (s *space) learn(net *wordNet) {
	number := make(map[string]int32, len(s.words))
	l := learner{at: make([][]float32, len(s.words))}
	for i, word := range s.words {
		if i >= unsaid {
			number[word] = int32(i)
		}
		l.at[i] = make([]float32, length)
		for j, x := range s.at[word] {
			l.at[i][j] = float32(x * s.weight(word))
		}
	}
	all := net.definitions(number)
	order := rand.New(rand.NewPCG(0, 7)).Perm(len(all)) //nolint:gosec // the same order each time
	for batch := range slices.Chunk(order, together) {
		some := make([]definition, len(batch))
		for i, at := range batch {
			some[i] = all[at]
		}
		l.step(some)
	}
	for i, word := range s.words {
		for j, x := range l.at[i] {
			s.at[word][j] = float64(x)
		}
		unit(s.at[word])
	}
}

// definitions are those whose words are all numbered that count.
func (n *wordNet) definitions(number map[string]int32) []definition {
	var all []definition
	for _, g := range n.glosses {
		var d definition
		for _, word := range g.words {
			if at, ok := number[word]; ok && !slices.Contains(d.of, at) {
				d.of = append(d.of, at)
			}
		}
		for word := range strings.FieldsFuncSeq(strings.ToLower(g.text), func(r rune) bool { return r < 'a' || r > 'z' }) {
			if at, ok := number[word]; ok && !slices.Contains(d.by, at) && !slices.Contains(d.of, at) {
				d.by = append(d.by, at)
			}
		}
		if len(d.by) > 0 && len(d.of) > 0 {
			all = append(all, d)
		}
	}
	return all
}

// learner has the directions of words, as long as they say something.
type learner struct {
	at [][]float32
}

// side is one side of a batch: the sums of words as directions, how long they were, and where they should move.
type side struct {
	directions, gradients [][]float32
	lengths               []float32
}

func (l *learner) sums(some []definition, words func(d definition) []int32) side {
	s := side{make([][]float32, len(some)), make([][]float32, len(some)), make([]float32, len(some))}
	for i, d := range some {
		sum := make([]float32, length)
		for _, word := range words(d) {
			for j, x := range l.at[word] {
				sum[j] += x
			}
		}
		s.lengths[i] = float32(math.Sqrt(float64(likenessOf(sum, sum)))) + 1e-6
		for j := range sum {
			sum[j] /= s.lengths[i]
		}
		s.directions[i], s.gradients[i] = sum, make([]float32, length)
	}
	return s
}

func defines(d definition) []int32 { return d.by }
func defined(d definition) []int32 { return d.of }

// step learns one batch.
func (l *learner) step(some []definition) {
	by, of := l.sums(some, defines), l.sums(some, defined)
	wrong := make([][]float32, len(some)) // how far each share of the softmax is from what it should be
	halves(len(some), func(i int) {
		row := make([]float32, len(some))
		most, sum := float32(math.Inf(-1)), float32(0)
		for j := range row {
			row[j] = likenessOf(by.directions[i], of.directions[j]) / sharpness
			most = max(most, row[j])
		}
		for j := range row {
			row[j] = float32(math.Exp(float64(row[j] - most)))
			sum += row[j]
		}
		for j := range row {
			row[j] /= sum
		}
		row[i]--
		wrong[i] = row
		for j, share := range row {
			move(by.gradients[i], of.directions[j], share)
		}
	})
	halves(len(some), func(j int) {
		for i := range wrong {
			move(of.gradients[j], by.directions[i], wrong[i][j])
		}
	})
	for i, d := range some {
		l.apply(d.by, by.directions[i], by.gradients[i], by.lengths[i])
		l.apply(d.of, of.directions[i], of.gradients[i], of.lengths[i])
	}
}

// move adds a share of a direction to a gradient, if it matters.
func move(gradient, direction []float32, share float32) {
	if share > -1e-4 && share < 1e-4 {
		return
	}
	for k, x := range direction {
		gradient[k] += share * x
	}
}

// apply moves words against a gradient, by the part of it that changes the direction of their sum.
func (l *learner) apply(words []int32, direction, gradient []float32, long float32) {
	along := likenessOf(gradient, direction)
	for _, word := range words {
		for k := range gradient {
			l.at[word][k] -= pace * (gradient[k] - along*direction[k]) / long
		}
	}
}

// halves calls do for each number below n, on two processors.
func halves(n int, do func(i int)) {
	var work sync.WaitGroup
	for part := range 2 {
		work.Go(func() {
			for i := part; i < n; i += 2 {
				do(i)
			}
		})
	}
	work.Wait()
}
