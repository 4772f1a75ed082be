package nearest_test

import (
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"almanac/adapters/store/sqlite/nearest"
	"almanac/projections/vector"
)

// kinds are the data that the index is measured on.
var kinds = []struct {
	name string
	make func(d *rand.Rand, rows, dimensions int) [][]float32
}{{"clustered", clustered}, {"sparse", sparse}, {"local embedder", embedded}}

// TestExactUpToTheBound: whatever was put, replaced and dropped, a search of few vectors returns what looking at all
// returns, similarities and ties included.
func TestExactUpToTheBound(t *testing.T) {
	for _, dimensions := range []int{1, 3, 8, 64, 100, 256, 700} {
		d := dice(uint64(dimensions))
		x := nearest.New(dimensions, d.IntN(20))
		rows := map[int64]nearest.Row{}
		written := int64(0)
		for range 60 {
			switch kind := d.IntN(4); {
			case kind == 0 && len(rows) > 0:
				var gone []nearest.Entry
				for n, row := range rows {
					if d.IntN(3) == 0 {
						gone = append(gone, row.Entry)
						delete(rows, n)
					} else if d.IntN(3) == 0 { // one that was written since, or never: it stays
						other := row.Entry
						other.Written++
						gone = append(gone, other)
					}
				}
				x.Drop(gone)
			case kind == 1 && len(rows) > 0:
				kept := map[int64]int64{}
				for n, row := range rows {
					switch d.IntN(4) {
					case 0:
						delete(rows, n)
					case 1:
						kept[n] = row.Written + 1
						delete(rows, n)
					default:
						kept[n] = row.Written
					}
				}
				x.Keep(kept)
			default:
				var fresh []nearest.Row
				for range 1 + d.IntN(30) {
					v := make([]float32, dimensions)
					for i := range v {
						v[i] = float32(d.IntN(5) - 2) // coarse, so that many are alike
					}
					if d.IntN(10) > 0 { // now and then the zero vector, or one that is no unit vector
						vector.Unit(v)
					}
					written++
					row := nearest.Row{Entry: entry(d.IntN(200)), Packed: vector.Pack(v)}
					row.Written = written
					fresh = append(fresh, row)
					rows[row.N] = row
				}
				x.Put(fresh)
			}
			if x.Rows() != len(rows) {
				t.Fatalf("%d rows, want %d", x.Rows(), len(rows))
			}
			query := gaussian(d, dimensions)
			vector.Unit(query)
			limit, least := 1+d.IntN(20), d.Float64()*2-1
			var all []nearest.Row
			var some []int64
			var among []nearest.Row
			for n, row := range rows {
				all = append(all, row)
				if d.IntN(2) == 0 {
					some, among = append(some, n), append(among, row)
				}
				found, known := x.Query(query).Similarity(n)
				if want := vector.Cosine(query, vector.Unpack(row.Packed)); !known || found.Similarity != want ||
					found.Entry != row.Entry {
					t.Fatalf("Similarity(%d) = %v, %v, want %v", n, found, known, want)
				}
			}
			some = append(some, 1_000_000) // is not there
			q := x.Query(query)
			for i, most := range q.AtMost(some) {
				if found, known := q.Similarity(some[i]); known && (most < found.Similarity || most > found.Similarity+0.001) ||
					!known && most != 0 {
					t.Fatalf("AtMost(%d) = %v, Similarity = %v, %v", some[i], most, found.Similarity, known)
				}
			}
			if got, want := q.Nearest(limit, least), exactly(all, unpacked(all), query, limit, least); !slices.Equal(got, want) {
				t.Fatalf("%d dimensions, %d of %d: got%s, want%s", dimensions, limit, len(rows), describe(got), describe(want))
			}
			if got, want := q.Among(some, limit, least),
				exactly(among, unpacked(among), query, limit, least); !slices.Equal(got, want) {
				t.Fatalf("among %d: got%s, want%s", len(some), describe(got), describe(want))
			}
		}
	}
}

func TestVectorsOfAnotherLength(t *testing.T) {
	x := nearest.New(8, 0)
	x.Put([]nearest.Row{{Entry: entry(1), Packed: vector.Pack(make([]float32, 7))}, {Entry: entry(2), Packed: nil}})
	if x.Rows() != 0 {
		t.Errorf("%d rows", x.Rows())
	}
	if x.Query(make([]float32, 9)) != nil {
		t.Error("a query of another length")
	}
	if found := x.Query(make([]float32, 8)).Nearest(10, -1); len(found) != 0 {
		t.Errorf("found %v in an empty index", found)
	}
}

// TestRecall: a search by codes finds nearly all that is nearest, on vectors as embeddings are and on such as word
// counts are.
func TestRecall(t *testing.T) {
	for _, data := range kinds {
		for _, c := range []struct {
			rows, dimensions, limit int
			least                   float64
		}{{12_000, 256, 10, 0.98}, {6_000, 100, 10, 0.97}, {6_000, 256, 100, 0.97}} {
			d := dice(3)
			vectors := data.make(d, c.rows, c.dimensions)
			if len(vectors[0]) != c.dimensions {
				continue // the embedder has one length
			}
			rows := rowsOf(vectors)
			kept := unpacked(rows)
			x := nearest.New(c.dimensions, 0)
			for part := range slices.Chunk(rows, 1000) {
				x.Put(part)
			}
			sum, queries := 0.0, 16
			for i := range queries {
				query := likeOne(d, vectors)
				switch {
				case i%2 == 1:
				case data.name == "local embedder":
					query = question(d)
				default:
					query = mixed(d, vectors)
				}
				found, want := x.Query(query).Nearest(c.limit, -1), exactly(rows, kept, query, c.limit, -1)
				sum += recall(found, want)
				if !slices.IsSortedFunc(found, nearest.Better) || len(found) != c.limit {
					t.Fatalf("%d found, in another order than they should be", len(found))
				}
				if found[0] != want[0] && i%2 == 1 {
					t.Errorf("%s: the nearest was missed:%s, want%s", data.name, describe(found[:1]), describe(want[:1]))
				}
			}
			got := sum / float64(queries)
			t.Logf("%s, %d of %d x %d: recall %.4f", data.name, c.limit, c.rows, c.dimensions, got)
			if got < c.least {
				t.Errorf("%s, %d of %d x %d: recall %.4f, want %.2f", data.name, c.limit, c.rows, c.dimensions, got, c.least)
			}
		}
	}
}

// TestLargeIndexShrinks: rows of a large index that were dropped are never found, the others are.
func TestLargeIndexShrinks(t *testing.T) {
	d := dice(4)
	vectors := clustered(d, 9_000, 32)
	rows := rowsOf(vectors)
	x := nearest.New(32, len(rows))
	x.Put(rows)
	full := x.Bytes()
	var gone []nearest.Entry
	for i := range rows {
		if i%3 != 0 {
			gone = append(gone, rows[i].Entry)
		}
	}
	x.Drop(gone)
	if x.Rows() != 3_000 || x.Bytes() > full/2 {
		t.Errorf("%d rows in %d bytes, before %d", x.Rows(), x.Bytes(), full)
	}
	for i := range 20 {
		query := vectors[i*17]
		for _, f := range x.Query(query).Nearest(50, -1) {
			if f.N%3 != 0 || f.Similarity != vector.Cosine(query, vector.Unpack(rows[f.N].Packed)) {
				t.Fatalf("found %v", f)
			}
		}
	}
	x.Put(rows)
	if x.Rows() != 9_000 {
		t.Errorf("%d rows", x.Rows())
	}
}

// TestRowBytes: what is said to be needed for a row is not less than it takes.
func TestRowBytes(t *testing.T) {
	for _, dimensions := range []int{1, 64, 65, 256, 1536, 4000} {
		rows := rowsOf(clustered(dice(5), 5_000/(1+dimensions/300), dimensions))
		x := nearest.New(dimensions, len(rows))
		x.Put(rows)
		if said := int64(len(rows)) * nearest.RowBytes(dimensions); x.Bytes() > said {
			t.Errorf("%d rows of %d take %d bytes, more than %d", len(rows), dimensions, x.Bytes(), said)
		}
	}
}

// TestSearchesBesideWrites: searches find only what was put, whole, while others put and drop.
func TestSearchesBesideWrites(t *testing.T) {
	d := dice(6)
	vectors := clustered(d, 6_500, 16)
	rows := rowsOf(vectors)
	x := nearest.New(16, 0)
	x.Put(rows[:5_200])
	var busy sync.WaitGroup
	done := make(chan struct{})
	for s := range 3 {
		busy.Go(func() {
			d := dice(uint64(s))
			for {
				query := vectors[d.IntN(len(vectors))]
				for _, f := range x.Query(query).Nearest(10, -1) {
					if f.Similarity != vector.Cosine(query, vector.Unpack(rows[f.N].Packed)) {
						t.Errorf("%v is not what was put", f)
						return
					}
				}
				select {
				case <-done:
					return
				default:
				}
			}
		})
	}
	for i := 5_200; i+50 <= len(rows); i += 50 {
		x.Put(rows[i : i+50])
		x.Drop([]nearest.Entry{rows[i-5_000].Entry})
	}
	close(done)
	busy.Wait()
}
