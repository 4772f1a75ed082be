package postgres

import (
	"encoding/binary"
	"errors"
	"math"
	"time"

	"almanac/graph/model"
)

// row reads the columns of one row in order, out of the server's binary formats
// (https://www.postgresql.org/docs/current/protocol-overview.html; the formats are those of each type's send function).
// What it returns is copied: the buffer is the connection's. The first error stays; later columns are then zero.
type row struct {
	values [][]byte
	next   int
	err    error
	// arrays and inner are kept from row to row, for records that stand as arrays; see together.
	arrays []array
	inner  *row
	kept   texts
}

var (
	errWidth   = errors.New("a value has not the width of its type")
	errArray   = errors.New("an array is not as its header says")
	errColumns = errors.New("a row has another number of columns than were asked for")
)

func (r *row) begin(values [][]byte) { r.values, r.next, r.err = values, 0, nil }

// end returns the first error, or says that columns were left over.
func (r *row) end() error {
	if r.err == nil && r.next != len(r.values) {
		r.err = errColumns
	}
	return r.err
}

// raw returns the bytes of the next column, nil for NULL. They are valid until the next row.
func (r *row) raw() []byte {
	if r.err != nil {
		return nil
	}
	if r.next >= len(r.values) {
		r.err = errColumns
		return nil
	}
	value := r.values[r.next]
	r.next++
	return value
}

// fixed returns the next column if it has the width given; nil for NULL and after an error.
func (r *row) fixed(width int) []byte {
	value := r.raw()
	if value != nil && len(value) != width {
		r.err = errWidth
		return nil
	}
	return value
}

// isNull reports whether the next column is NULL, without going past it.
func (r *row) isNull() bool { return r.next < len(r.values) && r.values[r.next] == nil }

// skip goes past columns.
func (r *row) skip(columns int) { r.next += columns }

func (r *row) text() string { return r.kept.keep(r.raw()) }

func (r *row) bytes() []byte { return append([]byte(nil), r.raw()...) }

func (r *row) uuid() (id model.UUID) {
	copy(id[:], r.fixed(16))
	return id
}

func (r *row) bool() bool { return isTrue(r.fixed(1)) }

func isTrue(value []byte) bool { return len(value) == 1 && value[0] != 0 }

func (r *row) int16() int16 {
	if value := r.fixed(2); value != nil {
		return int16(binary.BigEndian.Uint16(value))
	}
	return 0
}

func (r *row) float64() float64 {
	if value := r.fixed(8); value != nil {
		return math.Float64frombits(binary.BigEndian.Uint64(value))
	}
	return 0
}

func (r *row) int32() int32 {
	if value := r.fixed(4); value != nil {
		return int32(binary.BigEndian.Uint32(value))
	}
	return 0
}

func (r *row) int64() int64 {
	if value := r.fixed(8); value != nil {
		return int64(binary.BigEndian.Uint64(value))
	}
	return 0
}

// time reads a timestamptz; NULL and infinity are the zero time.
func (r *row) time() time.Time { return timeOf(r.fixed(8)) }

// epoch is 2000-01-01T00:00:00Z, from which PostgreSQL counts microseconds, in those of Unix.
const epoch = 946_684_800_000_000

func timeOf(value []byte) time.Time {
	if len(value) != 8 {
		return time.Time{}
	}
	micros := int64(binary.BigEndian.Uint64(value))
	if micros == math.MaxInt64 || micros == math.MinInt64 {
		return time.Time{}
	}
	return time.UnixMicro(micros + epoch).UTC()
}

// array walks over the elements of a one-dimensional array; NULL is one without elements.
type array struct {
	r    *row
	data []byte
	left int
}

// array reads the header of the next column, an array: dimensions, a flag, the element's type, and for the one
// dimension its length and lower bound, four bytes each.
func (r *row) array() array {
	value := r.raw()
	if value == nil {
		return array{}
	}
	if len(value) < 12 {
		r.err = errArray
		return array{}
	}
	switch binary.BigEndian.Uint32(value) {
	case 0:
		return array{}
	case 1:
	default:
		r.err = errArray
		return array{}
	}
	if len(value) < 20 {
		r.err = errArray
		return array{}
	}
	count := int(binary.BigEndian.Uint32(value[12:]))
	if count > (len(value)-20)/4 {
		r.err = errArray
		return array{}
	}
	return array{r: r, data: value[20:], left: count}
}

// element returns the next element, nil for NULL.
func (a *array) element() []byte {
	if a.left == 0 || len(a.data) < 4 {
		return a.fail()
	}
	a.left--
	size := int32(binary.BigEndian.Uint32(a.data))
	a.data = a.data[4:]
	if size < 0 {
		return nil
	}
	if int(size) > len(a.data) {
		return a.fail()
	}
	value := a.data[:size:size]
	a.data = a.data[size:]
	return value
}

func (a *array) fail() []byte {
	if a.r != nil && a.r.err == nil {
		a.r.err = errArray
	}
	a.left, a.data = 0, nil
	return nil
}

func uuidOf(value []byte) (id model.UUID) {
	copy(id[:], value)
	return id
}

func int32Of(value []byte) int32 {
	if len(value) != 4 {
		return 0
	}
	return int32(binary.BigEndian.Uint32(value))
}

// microseconds returns a length of time that is kept as their number.
func microseconds(n int64) time.Duration { return time.Duration(n) * time.Microsecond }
