package model

import (
	"crypto/sha256"
	"encoding/base32"
	"encoding/binary"
	"errors"
	"io"
	"strings"
)

// UUID is a UUIDv7 in its 16 bytes; bytewise order is time order. The stores keep exactly these bytes.
type UUID [16]byte

// UserID names a user inside Almanac. It is derived from the issuer's subject, see UserIDOf.
type UserID UUID

// Kind is the prefix of an id and the name of what it names.
type Kind string

// The kinds of the records Almanac owns.
const (
	KindUser     Kind = "user"
	KindTask     Kind = "task"
	KindSubtask  Kind = "subtask"
	KindList     Kind = "list"
	KindListItem Kind = "item"
	KindMemory   Kind = "memory"
	// KindConnection is a linked account.
	KindConnection Kind = "connection"
	// KindPreview is an e-mail of the outbox.
	KindPreview Kind = "preview"
	// KindAction is what a mutation has done.
	KindAction Kind = "action"
	// KindChange is a change in the log (see ChangeID).
	KindChange Kind = "change"
	// KindHook is a webhook of Almanac's own, KindPush a browser that is told by Web Push.
	KindHook Kind = "hook"
	KindPush Kind = "push"
)

// The kinds of the knowledge graph: records of Almanac, or those of a Graphiti server, which carry its uuid (see
// KnowledgeRef).
const (
	KindEntity  Kind = "entity"
	KindFact    Kind = "fact"
	KindEpisode Kind = "episode"
)

// The kinds of records that live elsewhere; their ids carry where.
const (
	KindEvent    Kind = "event"
	KindCalendar Kind = "calendar"
	KindEmail    Kind = "email"
	KindThread   Kind = "thread"
)

// MaxRemote is how long a remote record's reference may be, in bytes.
const MaxRemote = 1_200

// ID is the public name of a record of Almanac: the kind, an underscore, and the UUID in lower-case Crockford
// base32 (26 characters), as in task_01h455vb4pex5vsknk084sn02q. This is the TypeID form,
// https://github.com/jetify-com/typeid/tree/main/spec.
//
// The id of a remote record is the kind, an underscore, and a reference of any length in the same alphabet: whatever is
// needed to find it again. It is opaque to clients and proves nothing: the reference is looked up among the caller's
// own connections.
type ID struct {
	Kind Kind
	// UUID names a record of Almanac. Of a remote record it is derived from the reference, so that rows have one size.
	UUID UUID
	// Remote is the reference of a remote record; empty for own ones.
	Remote string
}

// RemoteID makes the id of a remote record.
func RemoteID(kind Kind, reference string) ID {
	sum := sha256.Sum256([]byte("almanac " + string(kind) + "\x00" + reference))
	return ID{Kind: kind, UUID: derived(sum), Remote: reference}
}

// derived makes a UUID of a hash: version 8, by a rule of our own (RFC 9562, 5.8).
func derived(sum [sha256.Size]byte) (id UUID) {
	copy(id[:], sum[:16])
	id[6] = id[6]&0x0f | 0x80
	id[8] = id[8]&0x3f | 0x80
	return id
}

// ErrMalformedID says that a text is not an id of a record of Almanac.
var ErrMalformedID = errors.New("malformed id")

var crockford = base32.NewEncoding(crockfordDigits).WithPadding(base32.NoPadding)

// crockfordValues are the values of the digits, and one more; 0 is no digit.
var crockfordValues = func() (values [256]uint8) {
	for value, digit := range []byte(crockfordDigits) {
		values[digit] = uint8(value) + 1
	}
	return values
}()

// suffixLen is the length of a UUID in base32: 130 bits, of which the first two are always zero.
const suffixLen = 26

// UserIDOf derives the user's id from the subject of the token, so that no table has to map one to the other.
func UserIDOf(subject string) UserID {
	return UserID(derived(sha256.Sum256([]byte("almanac user\x00" + subject))))
}

// ID is the user's public id.
func (u UserID) ID() ID { return ID{Kind: KindUser, UUID: UUID(u)} }

// String returns the public id, "user_…".
func (u UserID) String() string { return u.ID().String() }

// String returns the public form.
func (id ID) String() string {
	return string(id.AppendText(make([]byte, 0, len(id.Kind)+1+max(suffixLen, crockford.EncodedLen(len(id.Remote))))))
}

// AppendText appends the public form to b.
func (id ID) AppendText(b []byte) []byte {
	b = append(b, id.Kind...)
	b = append(b, '_')
	if id.Remote != "" {
		return crockford.AppendEncode(b, []byte(id.Remote))
	}
	return id.UUID.AppendText(b)
}

// AppendText appends the 26 characters of the UUID to b.
func (u UUID) AppendText(b []byte) []byte {
	high, low := binary.BigEndian.Uint64(u[:8]), binary.BigEndian.Uint64(u[8:])
	var text [suffixLen]byte
	for i := suffixLen - 1; i >= 0; i-- {
		text[i] = crockfordDigits[low&31]
		low = low>>5 | high<<59
		high >>= 5
	}
	return append(b, text[:]...)
}

// ParseUUID reads the 26 characters that AppendText writes. It accepts lower case only, so every UUID has one text.
func ParseUUID(text string) (UUID, error) {
	if len(text) != suffixLen || text[0] > '7' {
		return UUID{}, ErrMalformedID
	}
	var high, low uint64
	for i := range suffixLen {
		value := crockfordValues[text[i]]
		if value == 0 {
			return UUID{}, ErrMalformedID
		}
		high = high<<5 | low>>59
		low = low<<5 | uint64(value-1)
	}
	var u UUID
	binary.BigEndian.PutUint64(u[:8], high)
	binary.BigEndian.PutUint64(u[8:], low)
	return u, nil
}

// ParseID reads the public form of an id of any own kind. ErrMalformedID when it is none.
func ParseID(text string) (ID, error) {
	kind, suffix, found := strings.Cut(text, "_")
	if !found {
		return ID{}, ErrMalformedID
	}
	switch Kind(kind) {
	case KindUser, KindTask, KindSubtask, KindList, KindListItem, KindMemory, KindConnection, KindPreview, KindAction,
		KindChange, KindHook, KindPush:
	case KindEvent, KindCalendar, KindEmail, KindThread,
		KindWebset, KindWebsetSearch, KindWebsetItem, KindEnrichment, KindMonitor, KindMonitorRun, KindWebhook,
		KindWebsetImport, KindWebsetEvent, KindResearch:
		return parseRemote(Kind(kind), suffix)
	case KindEntity, KindFact, KindEpisode:
		if len(suffix) != suffixLen {
			return parseRemote(Kind(kind), suffix)
		}
	default:
		return ID{}, ErrMalformedID
	}
	uuid, err := ParseUUID(suffix)
	if err != nil {
		return ID{}, err
	}
	return ID{Kind: Kind(kind), UUID: uuid}, nil
}

// parseRemote reads the reference of a remote record. Each reference has one text, but for older forms of it, so what
// does not come out again as it went in is refused; and so is what is no reference at all.
func parseRemote(kind Kind, suffix string) (ID, error) {
	if suffix == "" || len(suffix) > crockford.EncodedLen(MaxRemote) {
		return ID{}, ErrMalformedID
	}
	reference, err := crockford.DecodeString(suffix)
	if err != nil || crockford.EncodeToString(reference) != suffix {
		return ID{}, ErrMalformedID
	}
	id := RemoteID(kind, string(reference))
	switch kind {
	case KindEvent:
		var ref EventRef
		ref, err = EventRefOf(id)
		id = ref.ID() // an older form of the id is the same event
	case KindEmail:
		_, err = EmailRefOf(id)
	case KindThread:
		_, err = ThreadRefOf(id)
	case KindEntity, KindFact, KindEpisode:
		_, err = KnowledgeRefOf(id)
	case KindCalendar:
		_, err = CalendarRefOf(id)
	default:
		var ref WebsetRef
		ref, err = WebsetRefOf(id)
		id = ref.PublicID()
	}
	if err != nil {
		return ID{}, ErrMalformedID
	}
	return id, nil
}

// MarshalGQL writes the id as a JSON string.
func (id ID) MarshalGQL(w io.Writer) {
	var buf [48]byte
	_, _ = w.Write(id.AppendGQL(buf[:0]))
}

// AppendGQL appends the id as a JSON string.
func (id ID) AppendGQL(b []byte) []byte { return append(id.AppendText(append(b, '"')), '"') }

// UnmarshalGQL reads an id from a variable or literal.
func (id *ID) UnmarshalGQL(v any) error {
	text, ok := v.(string)
	if !ok {
		return BadInput("", "an id is a string")
	}
	parsed, err := ParseID(text)
	if err != nil {
		return BadInput("", "%q is not an id", Clip(text))
	}
	*id = parsed
	return nil
}

// clipped is how many characters of a caller's text a message repeats.
const clipped = 60

// Clip shortens a text of the caller for a message.
func Clip(text string) string {
	runes := []rune(text)
	if len(runes) <= clipped {
		return text
	}
	return string(runes[:clipped-1]) + "…"
}

// shortLen is how many characters of an id a short one has: the last 40 bits.
const shortLen = 8

// ShortID returns the characters of a short id: the last eight of one, behind three dots or not. False when the text is
// none.
func ShortID(text string) (short string, ok bool) {
	text = strings.TrimPrefix(strings.TrimPrefix(text, "..."), "…")
	_, ok = ShortEnd(text)
	return text, ok
}

// ShortEnd returns the last bytes of the ids that end in the characters of a short id; false when it is none.
func ShortEnd(short string) (end [5]byte, ok bool) {
	if len(short) != shortLen {
		return end, false
	}
	n, err := crockford.Decode(end[:], []byte(short))
	return end, err == nil && n == len(end)
}
