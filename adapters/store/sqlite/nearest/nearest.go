// Package nearest finds the vectors nearest to a query among those of one user and one model, in memory.
//
// It promises that the similarities it returns are those of projections/vector, to the last bit; that up to ExactRows
// vectors nothing that is near is missed; and that searches run beside each other. It does no I/O: whoever holds an
// index reads the vectors and hands them over.
//
// How it works. Vectors are kept in half precision, with their signs after a random turn as a code of one bit for each
// number. A search of few vectors compares the query with all of them. A search of many first counts the bits in which
// the codes differ from the query's, which costs a few nanoseconds each; estimates the cosine of the best twentieth
// from codes and query; and compares the query with the best of these. How many are compared bounds what is missed, and
// was measured on clustered vectors and on those of the local embedder (see the tests).
package nearest

import (
	"sync"
	"sync/atomic"

	"almanac/graph/model"
	"almanac/projections/vector"
)

// ExactRows is up to how many vectors a search looks at all of them. 5,000 vectors of 256 numbers take about 0.6 ms, as
// long as a search of 100,000 by codes.
const ExactRows = 5_000

// blockRows is how many vectors lie in one block. Blocks keep an index that grows from being copied.
const blockRows = 1 << blockBits

const blockBits = 12

// Entry names a vector.
type Entry struct {
	// N is the number of the memory, and ID its id.
	N  int64
	ID model.UUID
	// Written is the number under which the vector was written: another vector of the same memory has another.
	Written int64
}

// Found is a vector that is near.
type Found struct {
	Entry
	// Similarity is vector.Cosine of the query and the vector.
	Similarity float64
}

// Index holds the vectors of one user and one model. Its methods may be called from several goroutines.
type Index struct {
	dimensions int
	rotation   *vector.Rotation
	halves     vector.Halves
	// width is how many words a code has.
	width int

	mu     sync.RWMutex
	blocks []*block
	rows   int
	// place is where a memory's vector lies: block and row in one number.
	place map[int64]int32
	// scratch is what a search by codes works with.
	scratch sync.Pool
	size    atomic.Int64
}

// block is a stretch of rows, each of whose parts lie one after another.
type block struct {
	entries []Entry
	halves  []uint16
	// scales are 1 over each vector's length, factors what vector.Encode gave.
	scales, factors []float32
	codes           []uint64
}

// New returns an empty index of vectors of a length, which must be positive. rows is how many vectors are expected.
func New(dimensions, rows int) *Index {
	rotation := vector.NewRotation(dimensions)
	x := &Index{
		dimensions: dimensions, rotation: rotation, halves: vector.NewHalves(), width: rotation.Padded() / 64,
		place: make(map[int64]int32, rows),
	}
	for ; rows > 0; rows -= blockRows {
		x.blocks = append(x.blocks, x.newBlock(min(rows, blockRows)))
	}
	x.measure()
	return x
}

func (x *Index) newBlock(rows int) *block {
	return &block{
		entries: make([]Entry, 0, rows), halves: make([]uint16, 0, rows*x.dimensions), scales: make([]float32, 0, rows),
		factors: make([]float32, 0, rows),
		codes:   make([]uint64, 0, rows*x.width),
	}
}

// RowBytes is about what one vector of a length takes in an index.
func RowBytes(dimensions int) int64 {
	padded := max(64, 2*dimensions) // a power of two lies below it
	return int64(2*dimensions+padded/8) + entryBytes + placeBytes + 8
}

const (
	// entryBytes is what an Entry takes, placeBytes about what a map takes for one key.
	entryBytes = 32
	placeBytes = 32
)

// measure notes what the index takes. mu is held, or nobody else has the index.
func (x *Index) measure() {
	size := int64(len(x.place)) * placeBytes
	for _, b := range x.blocks {
		size += int64(cap(b.entries)*entryBytes + cap(b.halves)*2 + cap(b.scales)*4 + cap(b.factors)*4 + cap(b.codes)*8)
	}
	x.size.Store(size)
}

// Bytes is what the index takes in memory.
func (x *Index) Bytes() int64 { return x.size.Load() }

// Rows is how many vectors there are.
func (x *Index) Rows() int {
	x.mu.RLock()
	defer x.mu.RUnlock()
	return x.rows
}

// Row is a vector to be put into an index, packed by vector.Pack.
type Row struct {
	Entry
	Packed []byte
}

// prepared is a row with all that is computed of it.
type prepared struct {
	entry         Entry
	halves        []uint16
	scale, factor float32
	code          []uint64
}

// Put adds vectors, each in place of the one that the memory had. A vector of another length is left out. What is
// costly is computed before searches are kept waiting.
func (x *Index) Put(rows []Row) {
	ready := make([]prepared, 0, len(rows))
	halves := make([]uint16, 0, len(rows)*x.dimensions)
	codes := make([]uint64, len(rows)*x.width)
	plain, turned := make([]float32, x.dimensions), make([]float32, x.rotation.Padded())
	for i := range rows {
		if len(rows[i].Packed) != 2*x.dimensions {
			continue
		}
		p := prepared{entry: rows[i].Entry, code: codes[i*x.width : (i+1)*x.width]}
		at := len(halves)
		halves, p.scale = x.halves.Read(rows[i].Packed, halves)
		p.halves = halves[at:]
		x.halves.Floats(p.halves, plain)
		x.rotation.Turn(plain, turned)
		p.factor = vector.Encode(turned, p.code)
		ready = append(ready, p)
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	for i := range ready {
		x.put(&ready[i])
	}
	x.measure()
}

// put writes a row over the one of the same memory, or behind the last. mu is held.
func (x *Index) put(p *prepared) {
	at, known := x.place[p.entry.N]
	if !known {
		at = int32(x.rows)
		if x.rows>>blockBits == len(x.blocks) {
			x.blocks = append(x.blocks, x.newBlock(0))
		}
		b := x.blocks[x.rows>>blockBits]
		b.entries = append(b.entries, Entry{})
		b.halves = append(b.halves, p.halves...)
		b.scales = append(b.scales, 0)
		b.factors = append(b.factors, 0)
		b.codes = append(b.codes, p.code...)
		x.place[p.entry.N] = at
		x.rows++
	}
	b, row := x.at(at)
	b.entries[row], b.scales[row], b.factors[row] = p.entry, p.scale, p.factor
	copy(b.halves[row*x.dimensions:], p.halves)
	copy(b.codes[row*x.width:(row+1)*x.width], p.code)
}

// at returns the block of a place and the row in it.
func (x *Index) at(place int32) (b *block, row int) {
	return x.blocks[place>>blockBits], int(place & (blockRows - 1))
}

// Drop takes vectors out, if they are still those that were written under these numbers.
func (x *Index) Drop(entries []Entry) {
	x.mu.Lock()
	defer x.mu.Unlock()
	for _, entry := range entries {
		if at, known := x.place[entry.N]; known {
			if b, row := x.at(at); b.entries[row].Written == entry.Written {
				x.drop(entry.N, at)
			}
		}
	}
	x.measure()
}

// Keep takes out all vectors but those named; by the memory's number, each with the number under which its vector was
// written.
func (x *Index) Keep(written map[int64]int64) {
	x.mu.Lock()
	defer x.mu.Unlock()
	for n, at := range x.place {
		b, row := x.at(at)
		if kept, ok := written[n]; !ok || kept != b.entries[row].Written {
			x.drop(n, at)
		}
	}
	x.measure()
}

// drop puts the last row in place of one. mu is held.
func (x *Index) drop(n int64, at int32) {
	x.rows--
	last, lastRow := x.at(int32(x.rows))
	b, row := x.at(at)
	b.entries[row], b.scales[row], b.factors[row] = last.entries[lastRow], last.scales[lastRow], last.factors[lastRow]
	copy(b.halves[row*x.dimensions:(row+1)*x.dimensions], last.halves[lastRow*x.dimensions:])
	copy(b.codes[row*x.width:(row+1)*x.width], last.codes[lastRow*x.width:])
	x.place[b.entries[row].N] = at
	delete(x.place, n)
	last.entries, last.scales, last.factors = last.entries[:lastRow], last.scales[:lastRow], last.factors[:lastRow]
	last.halves, last.codes = last.halves[:lastRow*x.dimensions], last.codes[:lastRow*x.width]
	if lastRow == 0 {
		x.blocks = x.blocks[:x.rows>>blockBits]
	}
}
