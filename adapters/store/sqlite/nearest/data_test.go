package nearest_test

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"almanac/adapters/store/sqlite/nearest"
	"almanac/graph/model"
	"almanac/projections/vector"
)

// dice is a source of chance with a fixed seed.
func dice(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 77)) }

// clustered makes unit vectors as dense embeddings lie: around some hundred centres, which have directions in common.
func clustered(d *rand.Rand, rows, dimensions int) [][]float32 {
	base := gaussian(d, dimensions)
	centres := make([][]float32, 400)
	for i := range centres {
		centres[i] = gaussian(d, dimensions)
		for j := range centres[i] {
			centres[i][j] += 0.5 * base[j]
		}
	}
	vectors := make([][]float32, rows)
	for i := range vectors {
		centre := centres[d.IntN(len(centres))]
		vectors[i] = gaussian(d, dimensions)
		for j := range vectors[i] {
			vectors[i][j] = centre[j] + 0.7*vectors[i][j]
		}
		vector.Unit(vectors[i])
	}
	return vectors
}

func gaussian(d *rand.Rand, dimensions int) []float32 {
	v := make([]float32, dimensions)
	for i := range v {
		v[i] = float32(d.NormFloat64())
	}
	return v
}

// sparse makes unit vectors as counts of hashed words are: a dozen numbers of 256, common words more often than rare
// ones.
func sparse(d *rand.Rand, rows, dimensions int) [][]float32 {
	zipf := rand.NewZipf(d, 1.1, 4, 20_000)
	vectors := make([][]float32, rows)
	for i := range vectors {
		vectors[i] = make([]float32, dimensions)
		for range 8 + d.IntN(16) {
			word := zipf.Uint64() * 0x9e3779b97f4a7c15
			weight := float32(1)
			if word>>63 == 1 {
				weight = -1
			}
			vectors[i][word>>20%uint64(dimensions)] += weight
			vectors[i][word>>40%uint64(dimensions)] -= weight
		}
		if !vector.Unit(vectors[i]) {
			vectors[i][i%dimensions] = 1
		}
	}
	return vectors
}

// entry names the i-th vector of a test.
func entry(i int) nearest.Entry {
	return nearest.Entry{N: int64(i), ID: model.UUID{byte(i >> 24), byte(i >> 16), byte(i >> 8), byte(i)},
		Written: int64(i) + 1}
}

// rowsOf packs vectors.
func rowsOf(vectors [][]float32) []nearest.Row {
	out := make([]nearest.Row, len(vectors))
	for i := range vectors {
		out[i] = nearest.Row{Entry: entry(i), Packed: vector.Pack(vectors[i])}
	}
	return out
}

// unpacked are the vectors of rows as they are kept.
func unpacked(rows []nearest.Row) [][]float32 {
	out := make([][]float32, len(rows))
	for i := range rows {
		out[i] = vector.Unpack(rows[i].Packed)
	}
	return out
}

// exactly finds the nearest by looking at all.
func exactly(rows []nearest.Row, kept [][]float32, query []float32, limit int, least float64) []nearest.Found {
	found := make([]nearest.Found, 0, len(rows))
	for i := range rows {
		similarity := vector.Cosine(query, kept[i])
		if similarity >= least {
			found = append(found, nearest.Found{Entry: rows[i].Entry, Similarity: similarity})
		}
	}
	slices.SortFunc(found, nearest.Better)
	return found[:min(limit, len(found))]
}

// recall is which share of the vectors wanted is among those found.
func recall(found, wanted []nearest.Found) float64 {
	hits := 0
	for _, w := range wanted {
		if slices.ContainsFunc(found, func(f nearest.Found) bool { return f.N == w.N }) {
			hits++
		}
	}
	return float64(hits) / float64(max(1, len(wanted)))
}

// likeOne is a vector near one of those given, as a question is near what answers it.
func likeOne(d *rand.Rand, vectors [][]float32) []float32 {
	query := slices.Clone(vectors[d.IntN(len(vectors))])
	for i, x := range gaussian(d, len(query)) {
		query[i] += 0.02 * x
	}
	vector.Unit(query)
	return query
}

// mixed is a vector between two of those given.
func mixed(d *rand.Rand, vectors [][]float32) []float32 {
	query := slices.Clone(vectors[d.IntN(len(vectors))])
	for i, x := range vectors[d.IntN(len(vectors))] {
		query[i] += 0.5 * x
	}
	vector.Unit(query)
	return query
}

func describe(found []nearest.Found) string {
	text := ""
	for _, f := range found {
		text += fmt.Sprintf(" %d:%.6f", f.N, f.Similarity)
	}
	return text
}
