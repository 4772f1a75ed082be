package nearest_test

import (
	"fmt"
	"testing"

	"almanac/adapters/store/sqlite/nearest"
)

// BenchmarkNearest measures one search of 100,000 vectors of 256 numbers, and says its recall@10.
func BenchmarkNearest(b *testing.B) {
	for _, data := range kinds {
		b.Run(data.name, func(b *testing.B) {
			d := dice(1)
			vectors := data.make(d, 100_000, 256)
			rows := rowsOf(vectors)
			x, kept := nearest.New(256, len(rows)), unpacked(rows)
			x.Put(rows)
			queries := make([][]float32, 50)
			total := 0.0
			for i := range queries {
				queries[i] = likeOne(d, vectors)
				switch {
				case data.name == "local embedder":
					queries[i] = question(d)
				case i%2 == 0:
					queries[i] = mixed(d, vectors)
				}
				total += recall(x.Query(queries[i]).Nearest(10, -1), exactly(rows, kept, queries[i], 10, -1))
			}
			for i := 0; b.Loop(); i++ {
				x.Query(queries[i%len(queries)]).Nearest(10, -1)
			}
			b.ReportMetric(total/float64(len(queries)), "recall")
		})
	}
}

// BenchmarkPut measures how long it takes to fill an index.
func BenchmarkPut(b *testing.B) {
	for _, dimensions := range []int{256, 1536} {
		b.Run(fmt.Sprint(dimensions), func(b *testing.B) {
			rows := rowsOf(clustered(dice(2), 10_000, dimensions))
			for b.Loop() {
				x := nearest.New(dimensions, len(rows))
				x.Put(rows)
			}
			b.ReportMetric(float64(b.Elapsed().Milliseconds())/float64(b.N)*10, "ms/100k")
		})
	}
}
