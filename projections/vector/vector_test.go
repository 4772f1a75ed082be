package vector_test

import (
	"bytes"
	"encoding/binary"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"almanac/projections/vector"
)

// valueOf is what a half stands for, by the definition (IEEE 754-2019, 3.4): sign, 5 bits of exponent, 10 bits of
// fraction.
func valueOf(h uint16) float64 {
	fraction, exponent := float64(h&0x3ff), int(h>>10&0x1f)
	value := math.Ldexp(1+fraction/1024, exponent-15)
	switch {
	case exponent == 0:
		value = math.Ldexp(fraction, -24)
	case exponent == 31 && fraction == 0:
		value = math.Inf(1)
	case exponent == 31:
		return math.NaN()
	}
	if h&0x8000 != 0 {
		value = -value
	}
	return value
}

// finite are all halves that are not negative, infinite or not a number, in the order of their values.
const finite = 0x7c00

func TestEveryHalf(t *testing.T) {
	for bits := range 1 << 16 {
		h := uint16(bits)
		got, want := vector.Float(h), valueOf(h)
		if math.IsNaN(want) {
			if !math.IsNaN(float64(got)) {
				t.Errorf("Float(%#04x) = %v, want not a number", h, got)
			}
			if back := vector.Half(got); back&0x7c00 != 0x7c00 || back&0x3ff == 0 {
				t.Errorf("Half of not a number = %#04x", back)
			}
			continue
		}
		if float64(got) != want || math.Signbit(float64(got)) != math.Signbit(want) {
			t.Errorf("Float(%#04x) = %v, want %v", h, got, want)
		}
		if back := vector.Half(got); back != h {
			t.Errorf("Half(Float(%#04x)) = %#04x", h, back)
		}
	}
}

// TestRounding looks at every number halfway between two neighbouring halves, which a float32 holds exactly, and at the
// two float32 beside it.
func TestRounding(t *testing.T) {
	check := func(x float32, want uint16) {
		t.Helper()
		if got := vector.Half(x); got != want {
			t.Errorf("Half(%v) = %#04x, want %#04x", x, got, want)
		}
		if got := vector.Half(-x); got != want|0x8000 {
			t.Errorf("Half(%v) = %#04x, want %#04x", -x, got, want|0x8000)
		}
	}
	for low := range uint16(finite) {
		high := low + 1
		above := valueOf(high)
		if high == finite {
			above = 65536 // where the next half would be, had it one
		}
		tie := float32((valueOf(low) + above) / 2)
		even := low
		if low&1 == 1 {
			even = high
		}
		check(tie, even)
		check(math.Nextafter32(tie, 0), low)
		check(math.Nextafter32(tie, float32(math.Inf(1))), high)
	}
}

func TestRoundingFarOut(t *testing.T) {
	for _, c := range []struct {
		x    float32
		want uint16
	}{
		{0, 0}, {float32(math.Copysign(0, -1)), 0x8000},
		{1, 0x3c00}, {-2, 0xc000}, {65504, 0x7bff}, {65519.996, 0x7bff}, {65520, 0x7c00}, {-65520, 0xfc00}, {1e30, 0x7c00},
		{math.MaxFloat32, 0x7c00},
		{float32(math.Inf(1)), 0x7c00}, {float32(math.Inf(-1)), 0xfc00},
		{math.SmallestNonzeroFloat32, 0}, {-math.SmallestNonzeroFloat32, 0x8000}, {0x1p-26, 0}, {0x1p-25, 0},
		{0x1.000002p-25, 1}, {0x1.8p-25, 1}, {0x1p-24, 1},
		{0x1.ff8p-15, 0x3ff}, {0x1p-14, 0x400},
	} {
		if got := vector.Half(c.x); got != c.want {
			t.Errorf("Half(%v) = %#04x, want %#04x", c.x, got, c.want)
		}
	}
}

// FuzzHalf holds any float32 to the nearest of the halves around it, found by search in the definition and not by the
// bits of the number.
func FuzzHalf(f *testing.F) {
	for _, x := range []float32{0, 1, -1, 0.1, 65519, 65520, 6.1e-5, 5.96e-8, 2.98e-8, 3.0e-8, 1e-40,
		float32(math.Inf(-1))} {
		f.Add(math.Float32bits(x))
	}
	f.Add(uint32(0x7fc00000))
	f.Fuzz(func(t *testing.T, bits uint32) {
		x := math.Float32frombits(bits)
		got := vector.Half(x)
		if math.IsNaN(float64(x)) {
			if !math.IsNaN(valueOf(got)) {
				t.Errorf("Half of not a number = %#04x", got)
			}
			return
		}
		if math.Signbit(float64(x)) != (got&0x8000 != 0) {
			t.Errorf("Half(%v) = %#04x has another sign", x, got)
		}
		if want := nearest(math.Abs(float64(x))); got&0x7fff != want {
			t.Errorf("Half(%v) = %#04x, want %#04x", x, got, want)
		}
	})
}

// nearest returns the half nearest to a number that is not negative, ties to even.
func nearest(x float64) uint16 {
	low, high := uint16(0), uint16(finite) // low is never above x, high always unless it is the last
	for high-low > 1 {
		if middle := low + (high-low)/2; valueOf(middle) <= x {
			low = middle
		} else {
			high = middle
		}
	}
	above := valueOf(high)
	if high == finite {
		above = 65536
	}
	if below, rest := x-valueOf(low), above-x; rest < below || rest == below && high&1 == 0 {
		return high
	}
	return low
}

func randomVector(random *rand.Rand, n int) []float32 {
	v := make([]float32, n)
	for i := range v {
		v[i] = float32(random.NormFloat64())
	}
	return v
}

func TestPack(t *testing.T) {
	got := vector.Pack([]float32{1, -2, 0x1p-24})
	if want := []byte{0x00, 0x3c, 0x00, 0xc0, 0x01, 0x00}; !bytes.Equal(got, want) {
		t.Errorf("Pack = %x, want %x", got, want)
	}
	random := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{0, 1, 2, 255, 256, 1536, 4000} {
		v := randomVector(random, n)
		packed := vector.Pack(v)
		back := vector.Unpack(packed)
		if len(packed) != 2*n || len(back) != n || !bytes.Equal(vector.Pack(back), packed) {
			t.Fatalf("%d numbers became %d bytes and %d numbers again", n, len(packed), len(back))
		}
		for i, x := range v {
			if back[i] != vector.Float(vector.Half(x)) || binary.LittleEndian.Uint16(packed[2*i:]) != vector.Half(x) {
				t.Errorf("number %d of %d: %v became %v", i, n, x, back[i])
			}
			// 11 bits of a number that is not subnormal.
			if math.Abs(float64(back[i]-x)) > math.Max(math.Abs(float64(x))/2048, 0x1p-25) {
				t.Errorf("%v is kept as %v", x, back[i])
			}
		}
	}
	if odd := vector.Unpack([]byte{0, 0x3c, 7}); !slices.Equal(odd, []float32{1}) {
		t.Errorf("a byte too many: %v", odd)
	}
}

func TestUnit(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for _, scale := range []float32{1e-38, 1e-20, 1, 1e20, 1e36} {
		for _, n := range []int{1, 2, 256, 4000} {
			v := randomVector(random, n)
			for i := range v {
				v[i] *= scale
			}
			original := slices.Clone(v)
			if !vector.Unit(v) {
				t.Fatalf("a vector of %d numbers about %v has no direction", n, scale)
			}
			var length float64
			for i, x := range v {
				length += float64(x) * float64(x)
				if math.Signbit(float64(x)) != math.Signbit(float64(original[i])) {
					t.Fatalf("number %d has changed its sign", i)
				}
			}
			if math.Abs(math.Sqrt(length)-1) > 1e-6 {
				t.Errorf("%d numbers about %v: the length is %v", n, scale, math.Sqrt(length))
			}
			if got := vector.Cosine(v, original); math.Abs(got-1) > 1e-6 {
				t.Errorf("%d numbers about %v: the direction has changed, cosine %v", n, scale, got)
			}
		}
	}
	for _, v := range [][]float32{nil, {}, {0, 0}, {float32(math.NaN()), 1}, {float32(math.Inf(1)), 1},
		{1, float32(math.Inf(-1))}} {
		before := slices.Clone(v)
		if vector.Unit(v) {
			t.Errorf("Unit(%v) found a direction", before)
		}
		for i, x := range v {
			if math.Float32bits(x) != math.Float32bits(before[i]) {
				t.Errorf("Unit has changed %v to %v", before, v)
			}
		}
	}
	// The smallest and the largest numbers there are.
	for _, x := range []float32{math.SmallestNonzeroFloat32, math.MaxFloat32} {
		if v := []float32{x, -x}; !vector.Unit(v) || math.Abs(float64(v[0])-math.Sqrt2/2) > 1e-7 || v[1] != -v[0] {
			t.Errorf("two of %v became %v", x, v)
		}
	}
}

func TestCosine(t *testing.T) {
	for _, c := range []struct {
		query, kept []float32
		want        float64
	}{
		{[]float32{1, 0}, []float32{1, 0}, 1},
		{[]float32{1, 0}, []float32{0.5, 0}, 1}, // the kept one's length makes no difference
		{[]float32{1, 0}, []float32{0, 3}, 0},
		{[]float32{1, 0}, []float32{-2, 0}, -1},
		{[]float32{0.6, 0.8}, []float32{1, 0}, float64(float32(0.6))},
		{[]float32{1, 0}, []float32{1}, 0},
		{[]float32{1}, []float32{1, 0}, 0},
		{nil, nil, 0},
		{[]float32{1, 0}, []float32{0, 0}, 0},
		{[]float32{1, 0}, nil, 0},
	} {
		if got := vector.Cosine(c.query, c.kept); got != c.want {
			t.Errorf("Cosine(%v, %v) = %v, want %v", c.query, c.kept, got, c.want)
		}
	}
}

func TestCosineProperties(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	for range 500 {
		n := 2 + random.IntN(600)
		query, other := randomVector(random, n), randomVector(random, n)
		vector.Unit(query)
		vector.Unit(other)
		kept := vector.Unpack(vector.Pack(other))
		got := vector.Cosine(query, kept)
		if again := vector.Cosine(slices.Clone(query), slices.Clone(kept)); again != got {
			t.Fatalf("the same vectors have %v and %v", got, again)
		}
		if got < -1 || got > 1 || math.IsNaN(got) {
			t.Fatalf("Cosine = %v", got)
		}
		// Half precision moves it by no more than the halves' own error.
		if exact := vector.Cosine(query, other); math.Abs(exact-got) > 1.0/1024 {
			t.Errorf("%d numbers: %v is kept as %v", n, exact, got)
		}
		negative := make([]float32, n)
		for i, x := range kept {
			negative[i] = -x
		}
		if opposite := vector.Cosine(query, negative); opposite != -got {
			t.Errorf("the opposite of %v has %v", got, opposite)
		}
		// A power of two changes no digit.
		for i, x := range kept {
			negative[i] = x * 8
		}
		if scaled := vector.Cosine(query, negative); math.Abs(scaled-got) > 1e-15 {
			t.Errorf("eight times as long: %v instead of %v", scaled, got)
		}
		self := vector.Unpack(vector.Pack(query))
		if near := vector.Cosine(query, self); near < 0.9999 || near > 1 {
			t.Errorf("a vector and what is kept of it have %v", near)
		}
	}
}

// TestOneOrderOfOperations: similarities are sums from the first number to the last, so that they are the same to the
// last bit everywhere.
func TestOneOrderOfOperations(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 8))
	for _, n := range []int{3, 64, 100, 256, 1536} {
		query, kept := randomVector(random, n), vector.Unpack(vector.Pack(randomVector(random, n)))
		vector.Unit(query)
		var dot, length float64
		for i := range n {
			dot += float64(float64(query[i]) * float64(kept[i]))
			length += float64(float64(kept[i]) * float64(kept[i]))
		}
		if got, want := vector.Cosine(query, kept), dot/math.Sqrt(length); got != want {
			t.Errorf("%d numbers: %v, in order %v", n, got, want)
		}
	}
}
