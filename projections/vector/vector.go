// Package vector does the arithmetic of embeddings.
//
// It promises that similarities are the same whichever store keeps the vectors: both keep half precision, and both
// compute what is shown with the functions here, in the same order of operations.
package vector

import (
	"encoding/binary"
	"math"
)

// Unit scales a vector to length 1, in place, and reports whether it could: the zero vector and one that is not finite
// have no direction.
func Unit(v []float32) bool {
	var sum float64
	for _, x := range v {
		sum += float64(x) * float64(x)
	}
	if sum == 0 || math.IsInf(sum, 0) || math.IsNaN(sum) {
		return false
	}
	scale := 1 / math.Sqrt(sum)
	for i, x := range v {
		v[i] = float32(float64(x) * scale)
	}
	return true
}

// Pack writes a vector in half precision (IEEE 754 binary16), two bytes a number, little endian.
func Pack(v []float32) []byte {
	packed := make([]byte, 0, 2*len(v))
	for _, x := range v {
		packed = binary.LittleEndian.AppendUint16(packed, Half(x))
	}
	return packed
}

// Unpack reads what Pack wrote.
func Unpack(packed []byte) []float32 {
	v := make([]float32, len(packed)/2)
	for i := range v {
		v[i] = Float(binary.LittleEndian.Uint16(packed[2*i:]))
	}
	return v
}

// Cosine is the cosine similarity of a query of unit length and a kept vector, which half precision has moved off unit
// length a little. It is 0 when the lengths differ.
func Cosine(query, kept []float32) float64 {
	if len(query) != len(kept) {
		return 0
	}
	var dot, length float64
	for i, x := range query {
		y := float64(kept[i])
		dot += float64(x) * y
		length += y * y
	}
	if length == 0 {
		return 0
	}
	return max(-1, min(1, dot/math.Sqrt(length)))
}

// Half rounds a number to half precision, to the nearest, ties to even; what is too large becomes infinite.
func Half(x float32) uint16 {
	bits := math.Float32bits(x)
	sign := uint16(bits >> 16 & 0x8000)
	exponent := int(bits>>23&0xff) - 127
	fraction := bits & 0x7fffff
	switch {
	case exponent == 128: // infinite or not a number
		if fraction != 0 {
			return sign | 0x7e00
		}
		return sign | 0x7c00
	case exponent > 15:
		return sign | 0x7c00
	case exponent >= -14:
		return sign | rounded(uint32(exponent+15)<<23|fraction, 13)
	case exponent >= -25: // subnormal
		return sign | rounded(fraction|0x800000, uint(-exponent-1))
	}
	return sign
}

// rounded drops the last bits, to the nearest, ties to even. A carry out of the fraction rightly raises the exponent.
func rounded(bits uint32, drop uint) uint16 {
	rest := bits & (1<<drop - 1)
	half := uint32(1) << (drop - 1)
	bits >>= drop
	if rest > half || rest == half && bits&1 == 1 {
		bits++
	}
	return uint16(bits)
}

// Float returns the number that a half stands for.
func Float(h uint16) float32 {
	sign := uint32(h&0x8000) << 16
	exponent, fraction := uint32(h>>10&0x1f), uint32(h&0x3ff)
	switch exponent {
	case 0:
		value := float32(fraction) / (1 << 24)
		return math.Float32frombits(math.Float32bits(value) | sign)
	case 0x1f:
		return math.Float32frombits(sign | 0xff<<23 | fraction<<13)
	}
	return math.Float32frombits(sign | (exponent+112)<<23 | fraction<<13)
}
