// Package meanings says what words of English and Hebrew mean, as directions in one space for both languages.
//
// It promises that the table is read where it lies in the program: nothing is parsed or copied at the start, and a
// lookup allocates nothing. tools/meanings makes the table; its README says of what.
package meanings

import (
	_ "embed"
	"encoding/binary"
	"iter"
	"slices"
)

//go:embed meanings.bin
var table string

// The form of the table, with numbers little-endian: the head; the keys of words in ascending order, 4 bytes each;
// those of other forms of words, likewise; for each form, in the same order, the place of its word, 2 bytes; the rows
// of the words; for each how long its tail is, 1 byte; where the tail of each TailsTogether-th begins in what follows,
// 4 bytes; the tails. A row is one byte of weight, Dimensions signed bytes, and how many related words there are; a
// tail is for each of these 2 bytes of place and one of likeness, then the word's text if it is said for others.
const (
	// Dimensions is the length of a direction.
	Dimensions = 80
	// Length is that of the directions, up to rounding and to coordinates that are longer than a byte can say.
	Length = 320
	// MostWeight is the weight of a word that says as much as one can.
	MostWeight = 255
	// MostRelated is how many related words a word has at most, half of them English, half Hebrew.
	MostRelated = 14

	// TailsTogether is of how many tails the table says once where they begin.
	TailsTogether = 32

	// HeadSize is how many bytes Head returns.
	HeadSize  = len(magic) + 8
	magic     = "meaning5"
	keySize   = 4
	placeSize = 2
	startSize = 4
	rowSize   = 1 + Dimensions + 1

	relatedSize = 3
)

// Head returns the head of a table of so many words and forms.
func Head(words, forms int) []byte {
	return binary.LittleEndian.AppendUint32(binary.LittleEndian.AppendUint32([]byte(magic), uint32(words)), uint32(forms))
}

// Meaning is what a word means: its weight and its direction, as bytes of the table. The zero value is no meaning.
type Meaning struct {
	row   string
	place uint16
	form  bool
}

// Form reports whether the word asked for is only known as a form of the word.
func (m Meaning) Form() bool { return m.form }

// Same reports whether two meanings are those of forms of one word.
func (m Meaning) Same(other Meaning) bool {
	return m.row != "" && other.row != "" && m.place == other.place
}

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
		p := parts()
		for all := m.related(&p); all != ""; all = all[relatedSize:] {
			place, likeness := placeAt(all), all[2]
			if !yield(p.tail(place)[relatedSize*p.relatedTo(place):], float64(likeness)/MostWeight) {
				return
			}
		}
	}
}

func (m Meaning) related(p *divided) string {
	return p.tail(int(m.place))[:relatedSize*p.relatedTo(int(m.place))]
}

// Translations are the words that are as good as the word in the other language, by their places.
type Translations struct {
	places [MostRelated / 2]uint16
	count  int
}

// surely is the likeness from which on a word of the other language is a translation.
const surely = MostWeight * 9 / 10

// Translations returns the related words that are translations; also those of its own language, which do no harm.
func (m Meaning) Translations() (t Translations) {
	p := parts()
	for all := m.related(&p); all != "" && t.count < len(t.places); all = all[relatedSize:] {
		if all[2] >= surely {
			t.places[t.count], t.count = uint16(placeAt(all)), t.count+1
		}
	}
	return t
}

// Has reports whether a meaning is one of them.
func (t *Translations) Has(m Meaning) bool {
	return m.row != "" && slices.Contains(t.places[:t.count], m.place)
}

// Of returns the meaning of the word with a key, and reports whether the table has it.
func Of(key uint32) (Meaning, bool) {
	p := parts()
	if at, found := search(p.keys, key); found {
		return p.meaning(at, false), true
	}
	if at, found := search(p.forms, key); found {
		return p.meaning(placeAt(p.places[at*placeSize:]), true), true
	}
	return Meaning{}, false
}

// search finds a key among keys.
func search(keys string, key uint32) (at int, found bool) {
	low, high := 0, len(keys)/keySize
	for low < high {
		middle := (low + high) / 2
		switch k := keyAt(keys, middle); {
		case k == key:
			return middle, true
		case k < key:
			low = middle + 1
		default:
			high = middle
		}
	}
	return 0, false
}

// Len returns how many words the table has, and how many other forms of these.
func Len() (words, forms int) {
	p := parts()
	return len(p.keys) / keySize, len(p.forms) / keySize
}

// divided are the parts of the table; all empty when it is none.
type divided struct{ keys, forms, places, rows, lengths, starts, tails string }

func (p *divided) meaning(place int, form bool) Meaning {
	return Meaning{p.rows[place*rowSize : (place+1)*rowSize], uint16(place), form}
}

// relatedTo is how many related words the word at a place has.
func (p *divided) relatedTo(place int) int { return int(p.rows[(place+1)*rowSize-1]) }

func (p *divided) tail(place int) string {
	first := place - place%TailsTogether
	from := int(keyAt(p.starts, place/TailsTogether))
	for i := first; i < place; i++ {
		from += int(p.lengths[i])
	}
	return p.tails[from : from+int(p.lengths[place])]
}

func placeAt(places string) int { return int(places[0]) | int(places[1])<<8 }

func parts() (d divided) {
	if len(table) < HeadSize || table[:len(magic)] != magic {
		return divided{}
	}
	words, forms := int(keyAt(table[len(magic):], 0)), int(keyAt(table[len(magic):], 1))
	rest := table[HeadSize:]
	d.keys, rest = rest[:words*keySize], rest[words*keySize:]
	d.forms, rest = rest[:forms*keySize], rest[forms*keySize:]
	d.places, rest = rest[:forms*placeSize], rest[forms*placeSize:]
	d.rows, rest = rest[:words*rowSize], rest[words*rowSize:]
	d.lengths, rest = rest[:words], rest[words:]
	starts := (words + TailsTogether - 1) / TailsTogether * startSize
	d.starts, d.tails = rest[:starts], rest[starts:]
	return d
}

func keyAt(keys string, i int) uint32 {
	k := keys[i*keySize:]
	return uint32(k[0]) | uint32(k[1])<<8 | uint32(k[2])<<16 | uint32(k[3])<<24
}
