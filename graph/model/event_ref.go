package model

import (
	"crypto/sha256"
	"encoding/binary"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// CalendarRef finds a calendar again: by the number of the user's connection and the remote's id.
type CalendarRef struct {
	// Connection is 0 for an own calendar.
	Connection int
	// Calendar is the remote's id; empty for the account's primary calendar, so that each calendar has one name. Of an own
	// calendar it is the number.
	Calendar string
}

// EventRef finds an event again.
type EventRef struct {
	Connection int
	// Calendar is as in CalendarRef.
	Calendar string
	// Event is the remote's id of the event, the occurrence, or the series.
	Event string
}

// CalendarRef is the calendar that the event stands in.
func (r EventRef) CalendarRef() CalendarRef {
	return CalendarRef{Connection: r.Connection, Calendar: r.Calendar}
}

// Event names an event of the calendar.
func (r CalendarRef) Event(id string) EventRef {
	return EventRef{Connection: r.Connection, Calendar: r.Calendar, Event: id}
}

// ID is the event's public id.
func (r EventRef) ID() ID { return RemoteID(KindEvent, r.pack()) }

// ID is the calendar's public id.
func (r CalendarRef) ID() ID { return RemoteID(KindCalendar, r.pack()) }

// EventRefOf returns the reference that an event's id carries. ErrMalformedID.
func EventRefOf(id ID) (EventRef, error) {
	if id.Kind != KindEvent {
		return EventRef{}, ErrMalformedID
	}
	calendar, rest, ok := unpackCalendar(id.Remote)
	if !ok {
		return EventRef{}, ErrMalformedID
	}
	event, ok := unpackEventID(rest)
	ref := calendar.Event(event)
	old := rest != "" && (rest[0] == idWithTime || rest[0] == idWithDate)
	if !ok || !calendar.isSound() || !SoundRemoteID(event) || ref.pack() != id.Remote && !old { // each event has one id
		return EventRef{}, ErrMalformedID
	}
	return ref, nil
}

// CalendarRefOf returns the reference that a calendar's id carries. ErrMalformedID.
func CalendarRefOf(id ID) (CalendarRef, error) {
	if id.Kind != KindCalendar {
		return CalendarRef{}, ErrMalformedID
	}
	ref, rest, ok := unpackCalendar(id.Remote)
	if !ok || rest != "" || !ref.isSound() || ref.pack() != id.Remote {
		return CalendarRef{}, ErrMalformedID
	}
	return ref, nil
}

func (r CalendarRef) isSound() bool {
	if r.Connection == 0 {
		_, own := r.OwnNumber()
		return own
	}
	return r.Calendar == "" || SoundRemoteID(r.Calendar)
}

// SoundRemoteID reports whether a text can be a remote's own id. Clients make ids up, and each becomes one segment of a
// request's path: "." and ".." would lead out of their collection (RFC 3986, 5.2.4), to delete a calendar instead of an
// event, also when they are what is left of an occurrence's id without its date; and what cannot be printed has no
// place in an address.
func SoundRemoteID(text string) bool {
	return text != "" && text[0] != '.' && utf8.ValidString(text) &&
		!strings.ContainsFunc(text, func(r rune) bool { return !unicode.IsPrint(r) })
}

// A reference is packed as the connection's number, the calendar's id with its length, and the event's id. Ids are kept
// short because language models pay for every character of them.

func (r CalendarRef) pack() string {
	packed := binary.AppendUvarint(nil, uint64(max(r.Connection, 0)))
	packed = binary.AppendUvarint(packed, uint64(len(r.Calendar)))
	return string(append(packed, r.Calendar...))
}

func (r EventRef) pack() string { return r.CalendarRef().pack() + packEventID(r.Event) }

func unpackCalendar(packed string) (ref CalendarRef, rest string, ok bool) {
	raw := []byte(packed)
	connection, n := binary.Uvarint(raw)
	if n <= 0 || connection > 1<<31 {
		return ref, "", false
	}
	raw = raw[n:]
	length, n := binary.Uvarint(raw)
	if n <= 0 || length > uint64(len(raw)-n) {
		return ref, "", false
	}
	raw = raw[n:]
	return CalendarRef{Connection: int(connection), Calendar: string(raw[:length])}, string(raw[length:]), true
}

// How an event's id is packed, in its first byte. New ids of occurrences are mixed: their series stands at the end, so
// all of one series ended alike, and people and models tell ids apart by their end. The older forms are still read.
const (
	idAsText     = 0 // any text
	idAsBase32   = 1 // characters 0–9 and a–v, five bits each, as Google's own are
	idWithTime   = 2 // the same, and the UTC time of an occurrence: "_20261123T080000Z"
	idWithDate   = 3 // the same, and the date of an all-day occurrence: "_20261123"
	idTimeMixed  = 4 // as idWithTime, its end mixed with what stands before it
	idDateMixed  = 5 // as idWithDate, mixed
	occurrenceAt = "20060102T150405Z"
	occurrenceOn = "20060102"
)

func packEventID(id string) string {
	series, suffix, found := strings.Cut(id, "_")
	form, layout := byte(idAsBase32), ""
	if found {
		switch len(suffix) {
		case len(occurrenceAt):
			form, layout = idTimeMixed, occurrenceAt
		case len(occurrenceOn):
			form, layout = idDateMixed, occurrenceOn
		}
	}
	bits, ok := packBase32(series)
	if ok && found {
		at, err := time.Parse(layout, suffix)
		ok = err == nil && layout != "" && formatOccurrence(at, form == idDateMixed) == suffix
		seconds := at.Unix()
		if form == idDateMixed {
			seconds /= 24 * 60 * 60
		}
		bits = mixed(append(binary.AppendVarint(nil, seconds), bits...))
	}
	if !ok {
		return string([]byte{idAsText}) + id
	}
	return string(append([]byte{form}, bits...))
}

func unpackEventID(packed string) (string, bool) {
	if packed == "" {
		return "", false
	}
	raw := []byte(packed[1:])
	suffix := ""
	switch packed[0] {
	case idAsText:
		return packed[1:], len(packed) > 1
	case idAsBase32:
	case idWithTime, idWithDate, idTimeMixed, idDateMixed:
		if packed[0] == idTimeMixed || packed[0] == idDateMixed {
			raw = mixed(raw)
		}
		seconds, n := binary.Varint(raw)
		if n <= 0 || seconds > 1<<40 || seconds < -1<<40 {
			return "", false
		}
		raw = raw[n:]
		if packed[0] == idWithDate || packed[0] == idDateMixed {
			suffix = "_" + formatOccurrence(time.Unix(seconds*24*60*60, 0).UTC(), true)
		} else {
			suffix = "_" + formatOccurrence(time.Unix(seconds, 0).UTC(), false)
		}
	default:
		return "", false
	}
	series, ok := unpackBase32(raw)
	return series + suffix, ok && series != ""
}

// mixed returns bytes whose last five are changed by all before them; done twice, it returns them as they were.
func mixed(raw []byte) []byte {
	const end = 5 // eight characters
	if len(raw) <= end {
		return raw
	}
	out := slices.Clone(raw)
	head, tail := out[:len(out)-end], out[len(out)-end:]
	for i, b := range sha256.Sum256(head) {
		if i < end {
			tail[i] ^= b
		}
	}
	return out
}

const base32Digits = "0123456789abcdefghijklmnopqrstuv"

// packBase32 packs five bits for each character, after a byte with the number of characters; false for a text with
// other characters, or a long one.
func packBase32(text string) ([]byte, bool) {
	if text == "" || len(text) > 255 {
		return nil, false
	}
	packed := []byte{byte(len(text))}
	var held uint
	var bits int
	for i := range len(text) {
		digit := strings.IndexByte(base32Digits, text[i])
		if digit < 0 {
			return nil, false
		}
		held, bits = held<<5|uint(digit), bits+5
		for bits >= 8 {
			bits -= 8
			packed = append(packed, byte(held>>bits))
		}
	}
	if bits > 0 {
		packed = append(packed, byte(held<<(8-bits)))
	}
	return packed, true
}

func unpackBase32(packed []byte) (string, bool) {
	if len(packed) == 0 {
		return "", false
	}
	length := int(packed[0])
	packed = packed[1:]
	if len(packed) != (length*5+7)/8 {
		return "", false
	}
	text := make([]byte, 0, length)
	var held uint
	var bits int
	for _, b := range packed {
		held, bits = held<<8|uint(b), bits+8
		for bits >= 5 && len(text) < length {
			bits -= 5
			text = append(text, base32Digits[held>>bits&31])
		}
	}
	return string(text), true
}
