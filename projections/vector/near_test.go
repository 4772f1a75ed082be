package vector_test

import (
	"math"
	"math/bits"
	"math/rand/v2"
	"testing"

	"almanac/projections/vector"
)

func unitAtRandom(random *rand.Rand, dimensions int) []float32 {
	v := make([]float32, dimensions)
	for i := range v {
		v[i] = float32(random.NormFloat64())
	}
	vector.Unit(v)
	return v
}

func dot(a, b []float32) (sum float64) {
	for i := range a {
		sum += float64(a[i]) * float64(b[i])
	}
	return sum
}

// TestTurnKeepsAngles: lengths and angles are after the turn what they were before, whatever the length; and a vector
// with one number is spread over all.
func TestTurnKeepsAngles(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for _, dimensions := range []int{1, 2, 3, 63, 64, 65, 100, 128, 256, 300, 512, 1000, 1536, 4000} {
		r := vector.NewRotation(dimensions)
		padded := r.Padded()
		if padded < 64 || bits.OnesCount(uint(padded)) != 1 || padded < dimensions || padded > max(64, 2*dimensions) {
			t.Fatalf("%d is padded to %d", dimensions, padded)
		}
		a, b := unitAtRandom(random, dimensions), unitAtRandom(random, dimensions)
		x, y, again := make([]float32, padded), make([]float32, padded), make([]float32, padded)
		r.Turn(a, x)
		r.Turn(b, y)
		vector.NewRotation(dimensions).Turn(a, again)
		if math.Abs(dot(x, x)-1) > 1e-5 || math.Abs(dot(x, y)-dot(a, b)) > 1e-5 {
			t.Errorf("%d dimensions: length %v, product %v, want %v", dimensions, dot(x, x), dot(x, y), dot(a, b))
		}
		for i := range x {
			if x[i] != again[i] {
				t.Fatalf("%d dimensions: another turn the second time", dimensions)
			}
		}
		if dimensions < 64 {
			continue
		}
		one := make([]float32, dimensions)
		one[random.IntN(dimensions)] = 1
		r.Turn(one, x)
		largest := 0.0
		for _, number := range x {
			largest = max(largest, math.Abs(float64(number)))
		}
		if largest > 0.75 {
			t.Errorf("%d dimensions: one number stays %v", dimensions, largest)
		}
	}
}

// TestEstimate: the estimate is right on average, and near.
func TestEstimate(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for _, dimensions := range []int{256, 1000} {
		r := vector.NewRotation(dimensions)
		width := r.Padded() / 64
		turned, code := make([]float32, r.Padded()), make([]uint64, width)
		var off, square float64
		const rounds = 400
		for range rounds {
			query, kept := unitAtRandom(random, dimensions), unitAtRandom(random, dimensions)
			for i := range kept { // so that cosines of all sizes come
				kept[i] += query[i] * float32(random.NormFloat64())
			}
			cosine := dot(query, kept) / math.Sqrt(dot(kept, kept))
			r.Turn(query, turned)
			sketch := vector.NewSketch(turned)
			r.Turn(kept, turned)
			factor := vector.Encode(turned, code)
			estimate := float64(sketch.Estimate(code, factor))
			off += estimate - cosine
			square += (estimate - cosine) * (estimate - cosine)

			distances, histogram := make([]uint16, 1), make([]int32, 64*width+1)
			sketch.Distances(code, distances, histogram)
			differ := 0
			for word := range code {
				differ += bits.OnesCount64(code[word] ^ sketch.Code[word])
			}
			if int(distances[0]) != differ || histogram[differ] != 1 {
				t.Fatalf("distance %d, want %d", distances[0], differ)
			}
		}
		if mean, spread := off/rounds,
			math.Sqrt(square/rounds); math.Abs(mean) > 0.01 || spread > 1.2/math.Sqrt(float64(dimensions)) {
			t.Errorf("%d dimensions: off by %v on average, %v in general", dimensions, mean, spread)
		}
	}
	zero := make([]float32, 64)
	if factor := vector.Encode(zero, make([]uint64, 1)); factor != 0 {
		t.Errorf("the zero vector has factor %v", factor)
	}
	if estimate := vector.NewSketch(zero).Estimate([]uint64{5}, 1); estimate != 0 {
		t.Errorf("a zero query is estimated as %v", estimate)
	}
}

// TestHalvesAgree: what is kept is read as Unpack reads it, and the fast cosine is within the slack of the exact one.
func TestHalvesAgree(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	halves := vector.NewHalves()
	for _, dimensions := range []int{1, 3, 4, 5, 64, 255, 256, 1536, 4000} {
		for range 20 {
			query, v := unitAtRandom(random, dimensions), unitAtRandom(random, dimensions)
			if random.IntN(3) == 0 { // much alike, so that sums are large
				copy(v, query)
			}
			packed := vector.Pack(v)
			kept, scale := halves.Read(packed, nil)
			want := vector.Unpack(packed)
			got := make([]float32, dimensions)
			halves.Floats(kept, got)
			for i := range want {
				if got[i] != want[i] {
					t.Fatalf("number %d is %v, want %v", i, got[i], want[i])
				}
			}
			fast, exact := float64(halves.Dot(query, kept)*scale), vector.Cosine(query, want)
			if math.Abs(fast-exact) > float64(vector.Slack(dimensions)) {
				t.Errorf("%d dimensions: %v, exactly %v, slack %v", dimensions, fast, exact, vector.Slack(dimensions))
			}
		}
	}
	query := unitAtRandom(random, 100)
	for _, count := range []int{0, 1, 7, 8, 9, 40} {
		kept, dots := make([][]uint16, count), make([]float32, count)
		for i := range kept {
			kept[i], _ = halves.Read(vector.Pack(unitAtRandom(random, 100)), nil)
		}
		halves.Dots(query, kept, dots)
		for i, dot := range dots {
			if want := halves.Dot(query, kept[i]); dot != want {
				t.Errorf("vector %d of %d: %v, by itself %v", i, count, dot, want)
			}
		}
	}
	if _, scale := halves.Read(vector.Pack(make([]float32, 8)), nil); scale != 0 {
		t.Errorf("the zero vector has scale %v", scale)
	}
}
