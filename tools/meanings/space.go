package main

import (
	"math"
	"slices"
	"strings"
)

// space has the directions of English words.
type space struct {
	*vectors
	// words are those of the table, the most frequent first.
	words []string
	at    map[string][]float64
}

const (
	// mostWords is up to which rank a word is taken, and mostOthers one that WordNet and the pairs do not have.
	mostWords, mostOthers = 110_000, 40_000
	// alike is from which cosine on such a word is a form of a word of WordNet with the same first letter.
	alike = 0.62
	// common is how many of the most frequent words the main directions are found with, and tooCommon how many of these
	// directions say nothing but how frequent a word is.
	common, tooCommon = 30_000, 2
)

func newSpace(v *vectors, net *wordNet, p *pairs) *space {
	s := &space{vectors: v, at: make(map[string][]float64)}
	byLetter := make(map[byte][]string)
	var others []string
	for i, word := range v.words {
		if v.of[word] == nil || strings.Trim(word, "abcdefghijklmnopqrstuvwxyz") != "" || len(word) < 2 {
			continue
		}
		switch {
		case net.known[word] && i < mostWords || p.english[word]:
			s.words = append(s.words, word)
			s.at[word] = unit(slices.Clone(v.of[word]))
			if net.known[word] && i < mostOthers {
				byLetter[word[0]] = append(byLetter[word[0]], word)
			}
		case i < mostOthers:
			others = append(others, word)
		}
	}
	for _, word := range others {
		direction := unit(slices.Clone(v.of[word]))
		for _, other := range byLetter[word[0]] {
			if dot(direction, s.at[other]) > alike && word[:2] == other[:2] {
				s.words = append(s.words, word)
				s.at[word] = direction
				break
			}
		}
	}
	slices.SortFunc(s.words, func(a, b string) int { return v.rank[a] - v.rank[b] })
	s.center()
	return s
}

// center takes the mean and the directions away that all words share (Mu and Viswanath, 2018).
func (s *space) center() {
	mean := make([]float64, length)
	for _, word := range s.words[:min(common, len(s.words))] {
		add(mean, s.at[word], 1/float64(min(common, len(s.words))))
	}
	for _, word := range s.words {
		add(s.at[word], mean, -1)
	}
	main := s.main()
	for _, word := range s.words {
		x := s.at[word]
		for _, direction := range main[:tooCommon] {
			add(x, direction, -dot(x, direction))
		}
		unit(x)
	}
}

// main are the main directions of the common words, the first the longest.
func (s *space) main() [][]float64 {
	covariance := make([][]float64, length)
	for i := range covariance {
		covariance[i] = make([]float64, length)
	}
	for _, word := range s.words[:min(common, len(s.words))] {
		x := s.at[word]
		for i := range x {
			add(covariance[i], x, x[i])
		}
	}
	return eigenvectors(covariance)
}

// retrofit draws words towards those that WordNet and the documents have near them (Faruqui et al., 2015).
func (s *space) retrofit(net *wordNet, p *pairs) {
	const rounds, own = 10, 1.5
	fitted := make(map[string][]float64, len(s.at))
	for word, x := range s.at {
		fitted[word] = slices.Clone(x)
	}
	for range rounds {
		for _, word := range s.words {
			var near [][]float64
			others := net.near[word]
			if links := p.links[word]; len(links) <= mostLinks {
				others = slices.Concat(others, links)
			}
			for _, other := range others {
				if x := fitted[other]; x != nil {
					near = append(near, x)
				}
			}
			if len(near) == 0 {
				continue
			}
			x := make([]float64, length)
			add(x, s.at[word], own)
			for _, other := range near {
				add(x, other, 1/float64(len(near)))
			}
			fitted[word] = unit(x)
		}
	}
	s.at = fitted
}

// evened is how far the main directions are made alike in length: 0 not at all, 1 wholly.
const evened = 0.4

// reduce keeps the main directions, so many.
func (s *space) reduce(dimensions int) {
	main := s.main()[:dimensions]
	square := make([]float64, dimensions)
	for _, word := range s.words {
		short := make([]float64, dimensions)
		for i, direction := range main {
			short[i] = dot(s.at[word], direction)
			square[i] += short[i] * short[i]
		}
		s.at[word] = short
	}
	for _, x := range s.at {
		for i := range x {
			x[i] /= math.Pow(square[i], evened/2)
		}
		unit(x)
	}
}

// weight is how much a word says, 0–1, by how seldom it is said.
func (s *space) weight(word string) float64 { return weightOf(float64(s.rank[word])) }

// firstHalf is the rank of a word that says half of what one can.
const firstHalf = 200

// weightOf is how much a word of a rank says: a/(a+p), p by Zipf's law (Arora et al., 2017). rankOf is the other way.
func weightOf(rank float64) float64 { return rank / (rank + firstHalf) }
func rankOf(weight float64) float64 { return firstHalf * weight / max(1-weight, 1e-4) }

// meaning returns the direction of an expression of English, nil for none, and how much it says.
func (s *space) meaning(expression string) (direction []float64, weight float64) {
	for word := range strings.FieldsSeq(expression) {
		x := s.at[word]
		if x == nil {
			continue
		}
		if direction == nil {
			direction = make([]float64, len(x))
		}
		w := s.weight(word)
		add(direction, x, w)
		weight = max(weight, w)
	}
	if direction == nil {
		return nil, 0
	}
	return unit(direction), weight
}

func add(x, y []float64, factor float64) {
	for i := range x {
		x[i] += factor * y[i]
	}
}

func dot(x, y []float64) float64 {
	var sum float64
	for i := range x {
		sum += x[i] * y[i]
	}
	return sum
}

func unit(x []float64) []float64 {
	if l := math.Sqrt(dot(x, x)); l > 0 {
		for i := range x {
			x[i] /= l
		}
	}
	return x
}

// eigenvectors returns those of a symmetric matrix, the largest first: the method of Jacobi.
func eigenvectors(m [][]float64) [][]float64 {
	n := len(m)
	v := make([][]float64, n)
	for i := range v {
		v[i] = make([]float64, n)
		v[i][i] = 1
	}
	for range 30 {
		for p := range n {
			for q := p + 1; q < n; q++ {
				if math.Abs(m[p][q]) < 1e-12 {
					continue
				}
				theta := (m[q][q] - m[p][p]) / (2 * m[p][q])
				t := 1 / (math.Abs(theta) + math.Sqrt(theta*theta+1))
				if theta < 0 {
					t = -t
				}
				c := 1 / math.Sqrt(t*t+1)
				sin := t * c
				for k := range n {
					m[k][p], m[k][q] = c*m[k][p]-sin*m[k][q], sin*m[k][p]+c*m[k][q]
				}
				for k := range n {
					m[p][k], m[q][k] = c*m[p][k]-sin*m[q][k], sin*m[p][k]+c*m[q][k]
				}
				for k := range n {
					v[p][k], v[q][k] = c*v[p][k]-sin*v[q][k], sin*v[p][k]+c*v[q][k]
				}
			}
		}
	}
	var order []int
	for i := range n {
		order = append(order, i)
	}
	slices.SortFunc(order, func(a, b int) int {
		if m[a][a] > m[b][b] {
			return -1
		}
		return 1
	})
	sorted := make([][]float64, n)
	for i, at := range order {
		sorted[i] = v[at]
	}
	return sorted
}
