// Package meanings says what words of English and Hebrew mean, as directions in one space for both languages.
//
// It promises that the table is read where it lies in the program: nothing is parsed or copied at the start, and a
// lookup allocates nothing. tools/meanings makes the table; its README says of what.
package meanings

import (
	_ "embed"
	"encoding/binary"
	"iter"
)

//go:embed meanings.bin
var table string

// The form of the table, with numbers little-endian: the head; the keys in ascending order, 4 bytes each; for each key,
// in the same order, a row; for each where its word ends in the text that follows, 4 bytes. A row is one byte of
// weight, Dimensions signed bytes, and for each of its related words 2 bytes of place and one of likeness.
const (
	// Dimensions is the length of a direction.
	Dimensions = 80
	// Length is that of the directions, up to rounding and to coordinates that are longer than a byte can say.
	Length = 320
	// MostWeight is the weight of a word that says as much as one can.
	MostWeight = 255
	// MostRelated is how many related words a word has at most, half of them English, half Hebrew.
	MostRelated = 14

	// HeadSize is how many bytes Head returns.
	HeadSize = len(magic) + 4
	magic    = "meaning2"
	keySize  = 4
	endSize  = 4
	rowSize  = 1 + Dimensions + relatedSize*MostRelated

	relatedSize = 3
)

// Head returns the head of a table of so many words.
func Head(words int) []byte { return binary.LittleEndian.AppendUint32([]byte(magic), uint32(words)) }

// Meaning is what a word means: its weight and its direction, as bytes of the table. The zero value is no meaning.
type Meaning struct{ row string }

// Weight returns how much the word says, from 0 to MostWeight.
func (m Meaning) Weight() int64 { return int64(m.row[0]) }

// At returns a coordinate of the direction.
func (m Meaning) At(i int) int64 { return int64(int8(m.row[1+i])) }

// Direction is a direction that many others are compared with.
type Direction [Dimensions]int16

// Direction returns the direction.
func (m Meaning) Direction() (d Direction) {
	for i := range d {
		d[i] = int16(int8(m.row[1+i]))
	}
	return d
}

// Dot returns the inner product of two directions: Length² times their cosine, up to rounding.
func (d *Direction) Dot(m Meaning) int64 {
	row := m.row[1 : 1+Dimensions]
	var a, b, c, e int32 // four sums, which a processor adds up beside each other
	for i := 0; i+3 < Dimensions; i += 4 {
		a += int32(d[i]) * int32(int8(row[i]))
		b += int32(d[i+1]) * int32(int8(row[i+1]))
		c += int32(d[i+2]) * int32(int8(row[i+2]))
		e += int32(d[i+3]) * int32(int8(row[i+3]))
	}
	return int64(a + b + c + e)
}

// Related yields folded words that mean nearly the same, the nearest first in each language, and how alike they are,
// from 0 to 1.
func (m Meaning) Related() iter.Seq2[string, float64] {
	return func(yield func(string, float64) bool) {
		ends, text := words()
		for row := m.row[1+Dimensions:]; row != ""; row = row[relatedSize:] {
			place, likeness := int(row[0])|int(row[1])<<8, row[2]
			if likeness == 0 {
				continue
			}
			from := uint32(0)
			if place > 0 {
				from = keyAt(ends, place-1)
			}
			if !yield(text[from:keyAt(ends, place)], float64(likeness)/MostWeight) {
				return
			}
		}
	}
}

// Of returns the meaning of the word with a key, and reports whether the table has it.
func Of(key uint32) (Meaning, bool) {
	keys, rows := parts()
	low, high := 0, len(keys)/keySize
	for low < high {
		middle := (low + high) / 2
		switch k := keyAt(keys, middle); {
		case k == key:
			return Meaning{rows[middle*rowSize : (middle+1)*rowSize]}, true
		case k < key:
			low = middle + 1
		default:
			high = middle
		}
	}
	return Meaning{}, false
}

// Len returns how many words the table has.
func Len() int {
	keys, _ := parts()
	return len(keys) / keySize
}

// parts are the keys and the rows of the table; both empty when it is none.
func parts() (keys, rows string) {
	if len(table) < HeadSize || table[:len(magic)] != magic {
		return "", ""
	}
	n := int(keyAt(table[len(magic):], 0))
	keys = table[HeadSize:]
	return keys[:n*keySize], keys[n*keySize:][:n*rowSize]
}

// words are where the words of the table end, and their text.
func words() (ends, text string) {
	if Len() == 0 {
		return "", ""
	}
	n := Len()
	rest := table[HeadSize+n*(keySize+rowSize):]
	return rest[:n*endSize], rest[n*endSize:]
}

func keyAt(keys string, i int) uint32 {
	k := keys[i*keySize:]
	return uint32(k[0]) | uint32(k[1])<<8 | uint32(k[2])<<16 | uint32(k[3])<<24
}
