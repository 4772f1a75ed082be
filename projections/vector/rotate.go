package vector

import (
	"math"
	"math/bits"
)

// Rotation turns vectors of one length so that what each of them says is spread over all its numbers. Lengths and
// angles stay what they were.
//
// Signs of numbers are a good likeness of a vector only when no few of them hold it all, as they do in vectors that
// count words. The turn is that of fast random projections: signs at random, then the Hadamard transform (Ailon and
// Chazelle, "The Fast Johnson-Lindenstrauss Transform", 2009), done twice, so that vectors with two or three numbers
// are spread too. It is the same on every machine.
type Rotation struct {
	dimensions int
	// signs are 1 or -1, once for each round, scaled so that lengths stay.
	signs [2][]float32
}

// NewRotation returns the rotation for vectors of a length, which must be positive.
func NewRotation(dimensions int) *Rotation {
	r := &Rotation{dimensions: dimensions}
	padded := r.Padded()
	scale := float32(1 / math.Sqrt(float64(padded)))
	state := uint64(dimensions)
	for round := range r.signs {
		r.signs[round] = make([]float32, padded)
		for i := range r.signs[round] {
			r.signs[round][i] = scale
			if splitMix(&state)&1 == 1 {
				r.signs[round][i] = -scale
			}
		}
	}
	return r
}

// splitMix is the generator SplitMix64 (Steele, Lea and Flood, 2014).
func splitMix(state *uint64) uint64 {
	*state += 0x9e3779b97f4a7c15
	z := *state
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// Padded is the length of what comes out: a power of two, at least 64.
func (r *Rotation) Padded() int { return max(64, 1<<bits.Len(uint(r.dimensions-1))) }

// Turn writes the turned vector into out, which has the padded length.
func (r *Rotation) Turn(v, out []float32) {
	n := copy(out, v[:min(len(v), r.dimensions)])
	clear(out[n:])
	for round := range r.signs {
		for i, sign := range r.signs[round] {
			out[i] *= sign
		}
		hadamard(out)
	}
}

// hadamard is the fast Walsh-Hadamard transform in place. Two steps are done in one pass over the numbers.
func hadamard(v []float32) {
	half := 1
	if bits.Len(uint(len(v)))%2 == 0 { // an odd number of steps
		for i := 0; i+1 < len(v); i += 2 {
			v[i], v[i+1] = v[i]+v[i+1], v[i]-v[i+1]
		}
		half = 2
	}
	for ; half < len(v); half *= 4 {
		for start := 0; start < len(v); start += 4 * half {
			a, b := v[start:start+half], v[start+half:start+2*half]
			c, d := v[start+2*half:start+3*half], v[start+3*half:start+4*half]
			b, c, d = b[:len(a)], c[:len(a)], d[:len(a)]
			for i := range a {
				sum, difference := a[i]+b[i], a[i]-b[i]
				sum2, difference2 := c[i]+d[i], c[i]-d[i]
				a[i], b[i], c[i], d[i] = sum+sum2, difference+difference2, sum-sum2, difference-difference2
			}
		}
	}
}
