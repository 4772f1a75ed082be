package vector

import (
	"math"
	"math/bits"
)

// A code is the signs of a turned vector, one bit for each number, 64 in a word, the first in the lowest bit.

// Encode writes the signs of a turned vector into code, and returns what Sketch.Estimate needs beside it: how far the
// signs alone are from the vector.
//
// With o the vector at unit length and s its signs at unit length, the estimate of a cosine <q, o> is <q, s> / <s, o>,
// which is right on average for a random turn (Gao and Long, "RaBitQ", SIGMOD 2024, theorem 3.2).
func Encode(turned []float32, code []uint64) (factor float32) {
	var sum, square float32
	for word := range code {
		var signs uint64
		for i, x := range turned[word*64 : word*64+64] {
			pattern := math.Float32bits(x)
			signs |= uint64(^pattern>>31) << i
			sum += math.Float32frombits(pattern &^ (1 << 31))
			square += x * x
		}
		code[word] = signs
	}
	if sum == 0 {
		return 0
	}
	return float32(math.Sqrt(float64(square))) / sum
}

// planes is to how many bits a sketch rounds each number of a query.
const planes = 4

// Sketch is a turned query made ready to be compared with codes.
type Sketch struct {
	// Code are the signs of the query.
	Code []uint64
	// planes hold, for each word of a code, the bits of the query's numbers rounded: the lowest bits of all, then the next
	// ones.
	planes [][planes]uint64
	// A number is low plus step times its bits; total is the sum of all.
	low, step, total float32
}

// NewSketch prepares a turned query.
func NewSketch(turned []float32) *Sketch {
	s := &Sketch{Code: make([]uint64, len(turned)/64), planes: make([][planes]uint64, len(turned)/64)}
	Encode(turned, s.Code)
	low, high := turned[0], turned[0]
	for _, x := range turned {
		low, high = min(low, x), max(high, x)
	}
	s.low, s.step = low, (high-low)/(1<<planes-1)
	for i, x := range turned {
		level := uint64(0)
		if s.step > 0 {
			level = min(uint64((x-low)/s.step+0.5), 1<<planes-1)
		}
		for plane := range planes {
			s.planes[i/64][plane] |= level >> plane & 1 << (i % 64)
		}
		s.total += low + s.step*float32(level)
	}
	return s
}

// Estimate is about the cosine of the query and the vector behind a code; factor is what Encode gave.
func (s *Sketch) Estimate(code []uint64, factor float32) float32 {
	ones, weighted := 0, 0
	words := s.planes[:len(code)]
	for i, signs := range code {
		p := &words[i]
		ones += bits.OnesCount64(signs)
		weighted += bits.OnesCount64(signs&p[0]) + 2*bits.OnesCount64(signs&p[1]) + 4*bits.OnesCount64(signs&p[2]) +
			8*bits.OnesCount64(signs&p[3])
	}
	// The sum of the query's numbers, each with its sign: those with a one twice, less all.
	return factor * (2*(s.low*float32(ones)+s.step*float32(weighted)) - s.total)
}

// Distances writes to how many bits the sketch's code differs from each of the codes, which lie one after another, and
// counts in histogram how often each distance comes. out is as long as there are codes; histogram is longer than a code
// has bits.
func (s *Sketch) Distances(codes []uint64, out []uint16, histogram []int32) {
	if len(s.Code) == 4 { // the local embedder's, and the one case in which the loop is worth writing out
		q := [4]uint64(s.Code)
		for i := range out {
			code := codes[4*i : 4*i+4 : 4*i+4]
			distance := bits.OnesCount64(q[0]^code[0]) + bits.OnesCount64(q[1]^code[1]) + bits.OnesCount64(q[2]^code[2]) +
				bits.OnesCount64(q[3]^code[3])
			out[i] = uint16(distance)
			histogram[distance]++
		}
		return
	}
	width := len(s.Code)
	for i := range out {
		distance := 0
		code := codes[width*i : width*i+width : width*i+width]
		for word, q := range s.Code {
			distance += bits.OnesCount64(q ^ code[word])
		}
		out[i] = uint16(distance)
		histogram[distance]++
	}
}
