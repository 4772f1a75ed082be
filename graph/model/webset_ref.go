package model

import (
	"encoding/binary"
	"unicode/utf8"
)

// The kinds of Exa's records.
const (
	KindWebset        Kind = "webset"
	KindWebsetSearch  Kind = "websetsearch"
	KindWebsetItem    Kind = "websetitem"
	KindEnrichment    Kind = "enrichment"
	KindMonitor       Kind = "monitor"
	KindMonitorRun    Kind = "monitorrun"
	KindWebhook       Kind = "webhook"
	KindWebsetImport  Kind = "import"
	KindWebsetEvent   Kind = "websetevent"
	KindResearch      Kind = "research"
	maxWebsetRefBytes      = 400
)

// WebsetRef finds a record of Exa again.
type WebsetRef struct {
	// Kind is which record it is.
	Kind Kind
	// Within is the remote's id of what it stands in: the webset of a search, an item or an enrichment, the monitor of a
	// run; empty for all others.
	Within string
	// ID is the remote's own id, 1–400 bytes. Of a webset it may be the caller's externalId, which the remote takes in its
	// place.
	ID string
}

// IsZero reports whether it names nothing.
func (r WebsetRef) IsZero() bool { return r == WebsetRef{} }

// PublicID is the record's id.
func (r WebsetRef) PublicID() ID {
	if r.ID == "" {
		return ID{}
	}
	if packed, ok := r.pack(); ok {
		return RemoteID(r.Kind, packed)
	}
	return RemoteID(r.Kind, r.packText())
}

// packText is the reference with its ids as they are.
func (r WebsetRef) packText() string {
	packed := binary.AppendUvarint(nil, uint64(len(r.Within)))
	packed = append(packed, r.Within...)
	return string(append(packed, r.ID...))
}

// isNested reports whether records of a kind stand in another one.
func isNested(kind Kind) (nested, known bool) {
	switch kind {
	case KindWebsetSearch, KindWebsetItem, KindEnrichment, KindMonitorRun:
		return true, true
	case KindWebset, KindMonitor, KindWebhook, KindWebsetImport, KindWebsetEvent, KindResearch:
		return false, true
	default:
		return false, false
	}
}

// WebsetRefOf returns the reference that an id carries. ErrMalformedID for any other.
func WebsetRefOf(id ID) (WebsetRef, error) {
	nested, known := isNested(id.Kind)
	if !known {
		return WebsetRef{}, ErrMalformedID
	}
	ref, ok := unpackWebset(id.Kind, id.Remote)
	if !ok {
		raw := []byte(id.Remote)
		length, n := binary.Uvarint(raw)
		if n <= 0 || length > uint64(len(raw)-n) {
			return WebsetRef{}, ErrMalformedID
		}
		raw = raw[n:]
		ref = WebsetRef{Kind: id.Kind, Within: string(raw[:length]), ID: string(raw[length:])}
	}
	if nested != (ref.Within != "") || (nested && !SoundWebsetID(ref.Within)) || !SoundWebsetID(ref.ID) ||
		ref.PublicID() != id && ref.packText() != id.Remote { // an older id has its ids as texts
		return WebsetRef{}, ErrMalformedID
	}
	return ref, nil
}

// SoundWebsetID reports whether a text can be an id of the remote's, or an externalId: see SoundRemoteID for why it is
// looked at.
func SoundWebsetID(text string) bool {
	return len(text) <= maxWebsetRefBytes && utf8.ValidString(text) && SoundRemoteID(text)
}
