package ngram

import (
	"math"

	"almanac/projections/ngram/meanings"
)

const (
	dimensions = 256
	// places is how many numbers of the vector a feature is spread over. One would do; with four, two features that fall
	// on the same number spoil a quarter of themselves only.
	places = 4
	// hashed is how many numbers, behind those of the meanings, the features are spread over.
	hashed = dimensions - meanings.Dimensions
)

// sum adds features up, in whole numbers, so that neither the order nor the machine makes a difference.
type sum struct {
	at [dimensions]int64
}

// add counts a feature with a weight.
func (s *sum) add(feature uint64, weight int64) {
	bits := mix(feature)
	for range places {
		at, sign := meanings.Dimensions+(bits&0x7fff)*hashed>>15, int64(bits>>15&1)<<1-1
		s.at[at] += sign * weight
		bits >>= 16
	}
}

// mean counts what a word means with a weight. It adds the length that a feature of this weight has.
func (s *sum) mean(m meanings.Meaning, weight int64) {
	for i := range meanings.Dimensions {
		s.at[i] += m.At(i) * weight * lengthOfOne / meanings.Length
	}
}

// lengthOfOne is the length that add gives a feature of weight 1: √places.
const lengthOfOne = 2

// unit returns the vector of length 1; nil when nothing was added. Each step is rounded on its own, which forbids a
// compiler to fuse two of them.
func (s *sum) unit() []float32 {
	var square float64
	for _, x := range &s.at {
		square += float64(float64(x) * float64(x))
	}
	if square == 0 {
		return nil
	}
	length := math.Sqrt(square)
	v := make([]float32, dimensions)
	for i, x := range &s.at {
		v[i] = float32(float64(x) / length)
	}
	return v
}

// family keeps features of different kinds apart: the same letters as a word and as a part of one are two features.
type family uint64

const (
	familyStem family = iota + 1
	familyPart
	familySound
	familyConcept
	familyDomain
	familyNumber
	familyTail
	familyDay
)

// start is the hash of nothing in a family.
func (f family) start() uint64 { return 0xcbf29ce484222325 ^ uint64(f)*0x9e3779b97f4a7c15 }

// extend hashes a byte more: FNV-1a, 64 bits (RFC 9923).
func extend(h uint64, c byte) uint64 { return (h ^ uint64(c)) * 0x100000001b3 }

// hash is the hash of a text in a family.
func (f family) hash(text string) uint64 {
	h := f.start()
	for i := range len(text) {
		h = extend(h, text[i])
	}
	return h
}

// with is the hash of a number in a family.
func (f family) with(n uint64) uint64 { return mix(f.start() ^ n) }

// mix spreads a hash over all of its bits: the finisher of SplitMix64 (Steele, Lea and Flood, 2014).
func mix(h uint64) uint64 {
	h += 0x9e3779b97f4a7c15
	h = (h ^ h>>30) * 0xbf58476d1ce4e5b9
	h = (h ^ h>>27) * 0x94d049bb133111eb
	return h ^ h>>31
}
