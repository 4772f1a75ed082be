package emails

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"strings"

	"almanac/adapters/gmail"
	"almanac/graph/model"
)

const purposeEmails = "emails"

// mailPlace is a place in the list of a user's e-mails: how far each account was read. Gmail's pages are opaque and
// cannot be entered in the middle, so a place names the page, its size, and how much of it was used.
type mailPlace struct {
	// question stands for the filter: a page of one leads nowhere in another.
	question uint64
	boxes    []boxPlace
}

type boxPlace struct {
	// connection is the account's number.
	connection int
	page       string
	size       int
	used       int
	// done: nothing is left.
	done bool
}

// of returns how far an account was read; from the start when the place does not know it.
func (p mailPlace) of(account model.Connection, size int) boxPlace {
	for _, box := range p.boxes {
		if box.connection == account.Number {
			return box
		}
	}
	return boxPlace{connection: account.Number, size: size}
}

// questionOf returns a number for what is asked of the accounts beside the page.
func questionOf(text string, label *string, spamToo bool) uint64 {
	name := ""
	if label != nil {
		name = "+" + strings.TrimSpace(*label)
	}
	sum := sha256.Sum256(fmt.Appendf(nil, "%q %q %t", text, name, spamToo))
	return binary.BigEndian.Uint64(sum[:])
}

func (p mailPlace) pack() []byte {
	packed := binary.BigEndian.AppendUint64(nil, p.question)
	packed = binary.AppendUvarint(packed, uint64(len(p.boxes)))
	for _, box := range p.boxes {
		done := uint64(0)
		if box.done {
			done = 1
		}
		for _, n := range [...]uint64{uint64(box.connection), uint64(box.size), uint64(box.used), done,
			uint64(len(box.page))} {
			packed = binary.AppendUvarint(packed, n)
		}
		packed = append(packed, box.page...)
	}
	return packed
}

func unpackMailPlace(packed []byte) (p mailPlace, ok bool) {
	number := func() int {
		n, size := binary.Uvarint(packed)
		if size <= 0 || n > 1<<31 {
			packed, ok = nil, false
			return 0
		}
		packed = packed[size:]
		return int(n)
	}
	if len(packed) < 8 {
		return p, false
	}
	p.question, packed, ok = binary.BigEndian.Uint64(packed), packed[8:], true
	count := number()
	if count > 2*model.MaxConnections {
		return p, false
	}
	for range count {
		box := boxPlace{connection: number(), size: number(), used: number(), done: number() == 1}
		length := number()
		if !ok || length > len(packed) {
			return p, false
		}
		box.page, packed = string(packed[:length]), packed[length:]
		p.boxes = append(p.boxes, box)
	}
	return p, ok && len(packed) == 0
}

// box is one account's part of the list while a page of the whole is put together.
type box struct {
	account model.Connection
	query   gmail.Query
	place   boxPlace
	// waiting are the messages that were read and not taken, with the place after each.
	waiting []waiting
	// more reports whether there are others behind them.
	more bool
	// kept: labels are read as they are kept; age is how old they were.
	kept bool
	age  *gmail.Age
}

type waiting struct {
	email model.Email
	after boxPlace
}
