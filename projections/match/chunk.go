package match

import "unicode/utf16"

// chunkSize is the longest piece of a query that is searched at once, in UTF-16 code units.
const chunkSize = 32

// chunk is a piece of a query with, for each code unit, a bit for each place at which it stands in the piece.
type chunk struct {
	length int
	ascii  [0x80]uint64
	hebrew [0x80]uint64 // U+0580 to U+05FF
	others []place
}

type place struct {
	unit rune
	bits uint64
}

// chunksOf splits a query into pieces of chunkSize. The last piece is the query's last chunkSize units, so it overlaps
// the one before; none when the query is too long to be searched.
func chunksOf(query string) []*chunk {
	units := utf16.Encode([]rune(query))
	if len(units) > MaxQuery {
		return nil
	}
	if len(units) <= chunkSize {
		return []*chunk{newChunk(units)}
	}
	var all []*chunk
	for start := 0; start < len(units); start += chunkSize {
		start := min(start, len(units)-chunkSize)
		all = append(all, newChunk(units[start:start+chunkSize]))
	}
	return all
}

func newChunk(units []uint16) *chunk {
	c := &chunk{length: len(units)}
	for i, unit := range units {
		*c.at(rune(unit)) |= 1 << i
	}
	return c
}

// at returns the place for a unit's bits.
func (c *chunk) at(unit rune) *uint64 {
	switch {
	case unit < 0x80:
		return &c.ascii[unit]
	case unit >= 0x580 && unit < 0x600:
		return &c.hebrew[unit-0x580]
	}
	for i := range c.others {
		if c.others[i].unit == unit {
			return &c.others[i].bits
		}
	}
	c.others = append(c.others, place{unit: unit})
	return &c.others[len(c.others)-1].bits
}

// places returns the bits of a unit; 0 when it does not occur.
func (c *chunk) places(unit rune) uint64 {
	switch {
	case unit < 0x80:
		return c.ascii[unit]
	case unit >= 0x580 && unit < 0x600:
		return c.hebrew[unit-0x580]
	}
	for _, p := range c.others {
		if p.unit == unit {
			return p.bits
		}
	}
	return 0
}

// search returns the least number of edits that turn the piece into any part of the text, and whether two neighbouring
// units of the text occur in the piece.
//
// It is Sellers' approximate search, a column of whose matrix is kept as the bits of two words and advanced in a dozen
// operations (Myers, "A fast bit-vector algorithm for approximate string matching based on dynamic programming", 1999,
// in Hyyrö's form): the differences of vertical neighbours are +1 where up has a bit, -1 where down has one.
func (c *chunk) search(text string) (edits int, neighbours bool) {
	s := search{up: ^uint64(0), edits: c.length, least: c.length, last: 1 << (c.length - 1)}
	for _, r := range text {
		if r < 0x10000 {
			s.step(c.places(r))
		} else {
			high, low := utf16.EncodeRune(r)
			s.step(c.places(high))
			s.step(c.places(low))
		}
		if s.least == 0 && s.neighbours {
			break
		}
	}
	return s.least, s.neighbours
}

type search struct {
	up, down     uint64
	last         uint64 // the bit of the piece's last unit
	edits, least int    // at this unit of the text, and so far
	previous     bool   // the unit before occurs in the piece
	neighbours   bool
}

func (s *search) step(places uint64) {
	occurs := places != 0
	s.neighbours = s.neighbours || occurs && s.previous
	s.previous = occurs

	diagonal := places | s.down
	same := (places&s.up + s.up) ^ s.up | places
	right, left := s.down|^(same|s.up), s.up&same
	if right&s.last != 0 {
		s.edits++
	} else if left&s.last != 0 {
		s.edits--
		s.least = min(s.least, s.edits)
	}
	right <<= 1 // a match may begin anywhere, so the top row is zero: no bit comes in
	left <<= 1
	s.up = left | ^(diagonal | right)
	s.down = right & diagonal
}
