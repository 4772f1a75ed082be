package vector

import (
	"encoding/binary"
	"math"
	"runtime"
	"sync"
)

// Halves compares queries with vectors that are kept in half precision, fast. Its similarities are for choosing
// candidates: they differ from Cosine by less than Slack.
type Halves struct {
	// floats is Float of every half: to look a number up costs less than to compute it.
	floats *[1 << 16]float32
}

// NewHalves returns the comparer; the first call makes its table, of 256 KiB.
func NewHalves() Halves { return Halves{floats: halfTable()} }

var halfTable = sync.OnceValue(func() *[1 << 16]float32 {
	table := new([1 << 16]float32)
	for h := range table {
		table[h] = Float(uint16(h))
	}
	return table
})

// Read appends the halves of a packed vector to kept and returns 1 over the vector's length, with which a dot product
// becomes a cosine; 0 for the zero vector.
func (h Halves) Read(packed []byte, kept []uint16) (halves []uint16, scale float32) {
	var square float64
	for at := 0; at+1 < len(packed); at += 2 {
		half := binary.LittleEndian.Uint16(packed[at:])
		x := float64(h.floats[half])
		square += x * x
		kept = append(kept, half)
	}
	if square == 0 {
		return kept, 0
	}
	return kept, float32(1 / math.Sqrt(square))
}

// Floats writes the numbers of a vector into out, which is as long.
func (h Halves) Floats(kept []uint16, out []float32) {
	for i, half := range kept {
		out[i] = h.floats[half]
	}
}

// Dot is the dot product, in single precision.
func (h Halves) Dot(query []float32, kept []uint16) float32 {
	kept = kept[:len(query)]
	var a, b, c, d float32
	i := 0
	for ; i+4 <= len(query); i += 4 {
		x, y := query[i:i+4:i+4], kept[i:i+4:i+4]
		a += x[0] * h.floats[y[0]]
		b += x[1] * h.floats[y[1]]
		c += x[2] * h.floats[y[2]]
		d += x[3] * h.floats[y[3]]
	}
	for ; i < len(query); i++ {
		a += query[i] * h.floats[kept[i]]
	}
	return a + b + (c + d)
}

// together is how many vectors Dots asks the memory for at once.
const together = 8

// Dots computes Dot for each of several vectors. Vectors that lie far apart in memory take a third of the time that
// they take one by one: the memory is asked for those of a few together, instead of waiting for one after another.
func (h Halves) Dots(query []float32, kept [][]uint16, out []float32) {
	const line = 32 // halves in the 64 bytes that the memory hands over at once
	var asked uint16
	for len(kept) > 0 {
		some := kept[:min(len(kept), together)]
		for _, one := range some {
			for i := 0; i < len(one); i += line {
				asked += one[i]
			}
		}
		for i, one := range some {
			out[i] = h.Dot(query, one)
		}
		kept, out = kept[len(some):], out[len(some):]
	}
	runtime.KeepAlive(asked) // or it would not be read
}

// Slack is more than Dot times the scale can differ from Cosine, for a query of unit length: each of the additions and
// products rounds by 2^-24 of numbers that come to at most 1 in all.
func Slack(dimensions int) float32 { return float32(dimensions/4+16) / (1 << 22) }
