package record

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"almanac/graph/model"
)

// Parts are the parts of a record: its fields by name, and the elements of its lists as "field/key".
type Parts map[string]json.RawMessage

// layout says which parts a record has.
type layout struct {
	// lists are fields whose elements are parts of their own, and what tells the elements of each apart.
	lists map[string]string
	// loose are fields that the server itself changes: what has become of them since stands in nobody's way, and they are
	// put back with the others.
	loose []string
	// fixed are fields that are put back only with the whole record.
	fixed []string
	// left are fields that are no part.
	left []string
}

// part returns the field that a part belongs to.
func field(part string) string {
	name, _, _ := strings.Cut(part, "/")
	return name
}

// split takes a record apart.
func split(record any, by layout) (Parts, error) {
	text, err := json.Marshal(record)
	if err != nil {
		return nil, fmt.Errorf("take a record apart: %w", err)
	}
	parts := partsOf(text)
	for _, name := range by.left {
		delete(parts, name)
	}
	for name, key := range by.lists {
		list := parts[name]
		delete(parts, name)
		if isEmptyList(list) {
			continue
		}
		var elements []map[string]json.RawMessage
		if err := json.Unmarshal(list, &elements); err != nil {
			return nil, fmt.Errorf("take the list %s apart: %w", name, err)
		}
		same := map[string]int{}
		for _, element := range elements {
			at := string(element[key])
			same[at]++
			whole, err := json.Marshal(element)
			if err != nil {
				return nil, fmt.Errorf("take the list %s apart: %w", name, err)
			}
			parts[fmt.Sprintf("%s/%s#%04d", name, at, same[at])] = whole
		}
	}
	return parts, nil
}

// partsOf returns the members of an object as parts.
func partsOf(object []byte) Parts {
	parts := make(Parts, 16)
	for _, one := range members(nil, object) {
		parts[string(one.name)] = one.value
	}
	return parts
}

// member is one of an object.
type member struct{ name, value []byte }

// members appends the members of an object as json.Marshal has written it: without white space, and with names of Go's
// fields, which have nothing that is escaped. Decoding the object, which checks it again, is most of what an action
// costs.
func members(to []member, object []byte) []member {
	for at := len("{"); at < len(object)-1; {
		name := at + len(`"`)
		colon := name + bytes.IndexByte(object[name:], ':')
		end := colon + 1 + valueLength(object[colon+1:])
		to = append(to, member{object[name : colon-1], object[colon+1 : end : end]})
		at = end + len(",")
	}
	return to
}

func isEmptyList(text []byte) bool { return len(text) <= len("[]") || string(text) == "null" }

// valueLength is how long the value is at the beginning of text, which a comma or a closing bracket follows.
func valueLength(text []byte) int {
	depth := 0
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '"':
			for i++; text[i] != '"'; i++ {
				if text[i] == '\\' {
					i++
				}
			}
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth < 0 {
				return i
			}
		case ',':
			if depth == 0 {
				return i
			}
		}
	}
	return len(text)
}

// joined makes a record of its parts. The elements of lists come in the order of their keys.
func joined[R any](parts Parts) (*R, error) {
	whole := map[string]json.RawMessage{}
	lists := map[string][]json.RawMessage{}
	for _, name := range slices.Sorted(maps.Keys(parts)) {
		if of := field(name); of != name {
			lists[of] = append(lists[of], parts[name])
			continue
		}
		whole[name] = parts[name]
	}
	for name, elements := range lists {
		text, err := json.Marshal(elements)
		if err != nil {
			return nil, fmt.Errorf("put a record together: %w", err)
		}
		whole[name] = text
	}
	text, err := json.Marshal(whole)
	if err != nil {
		return nil, fmt.Errorf("put a record together: %w", err)
	}
	record := new(R)
	if err := json.Unmarshal(text, record); err != nil {
		return nil, fmt.Errorf("put a record together: %w", err)
	}
	return record, nil
}

// compared reports whether a change of a part since the action stands in the way of undoing it.
func (by layout) compared(part string) bool {
	name := field(part)
	return !slices.Contains(by.loose, name) && !slices.Contains(by.fixed, name)
}

// hashLength is how long a hash is.
const hashLength = 16

// hash is that of one part; empty for none.
func hash(part json.RawMessage) string {
	if part == nil {
		return ""
	}
	var room [hashLength]byte
	return string(appendHash(room[:0], part))
}

func appendSum(to, part []byte) []byte {
	sum := sha256.Sum256(part)
	return base64.RawURLEncoding.AppendEncode(to, sum[:12])
}

// whole is the hash of all parts of a record that are compared.
func (by layout) whole(parts Parts) string {
	names := slices.AppendSeq(make([]string, 0, len(parts)), maps.Keys(parts))
	slices.Sort(names)
	all := make([]byte, 0, 32*len(names))
	for _, name := range names {
		if by.compared(name) {
			all = appendHash(append(append(all, name...), 0), parts[name])
		}
	}
	return hash(all)
}

// Inverse is what undoing an action needs.
type Inverse struct {
	Version int     `json:"version"`
	Records []Entry `json:"records"`
}

// Entry is one record in an inverse.
type Entry struct {
	// ID is the public one.
	ID string `json:"id"`
	// Before are the parts as they were; nil when the record was not there.
	Before Parts `json:"before,omitempty"`
	// After are the hashes of the parts that are different from Before, as the action has left them; an empty hash for one
	// that it took away. Of a record that was not there it is the one of the whole, under the empty name. Nil when the
	// action has left no record.
	After map[string]string `json:"after,omitempty"`

	// made is After of a record that was not there, while the inverse is made.
	made string
}

// inverseVersion is that of the form; inverses of another one cannot be read.
const inverseVersion = 1

// pack writes the inverse as JSON. An id and a hash need no escapes.
func (i Inverse) pack() ([]byte, error) {
	text := make([]byte, 0, 64+96*len(i.Records))
	text = append(strconv.AppendInt(append(text, `{"version":`...), int64(i.Version), 10), `,"records":[`...)
	for at := range i.Records {
		one := &i.Records[at]
		if at > 0 {
			text = append(text, ',')
		}
		if one.made != "" {
			text = append(append(append(text, `{"id":"`...), one.ID...), `","after":{"":"`...)
			text = append(append(text, one.made...), `"}}`...)
			continue
		}
		entry, err := json.Marshal(one)
		if err != nil {
			return nil, fmt.Errorf("write an inverse: %w", err)
		}
		text = append(text, entry...)
	}
	return append(text, "]}"...), nil
}

func unpackInverse(text []byte) (i Inverse, err error) {
	if err = json.Unmarshal(text, &i); err == nil && i.Version != inverseVersion {
		err = fmt.Errorf("version %d", i.Version)
	}
	if err != nil {
		return i, fmt.Errorf("read an inverse: %w", err)
	}
	return i, nil
}

// entryOf compares a record with how it was; changed is false when nothing that counts is different.
func entryOf(id model.ID, of domain, before, after any) (entry Entry, changed bool, err error) {
	entry.ID = id.String()
	by := of.layout()
	if before == nil && after != nil {
		var is bool
		if entry.made, is, err = by.wholeOf(after); err != nil || is {
			return entry, true, err
		}
	}
	var left Parts
	if before != nil {
		if entry.Before, err = split(before, by); err != nil {
			return entry, false, err
		}
	}
	if after != nil {
		if left, err = split(after, by); err != nil {
			return entry, false, err
		}
	}
	switch {
	case before == nil && after == nil:
		return entry, false, nil
	case before == nil:
		entry.made = by.whole(left)
		return entry, true, nil
	case after == nil:
		return entry, true, nil
	}
	entry.After = map[string]string{}
	for name, part := range entry.Before {
		if now := hash(left[name]); now != hash(part) {
			entry.After[name] = now
		}
	}
	for name, part := range left {
		if entry.Before[name] == nil {
			entry.After[name] = hash(part)
		}
	}
	for name := range entry.After {
		changed = changed || !slices.Contains(by.fixed, field(name))
	}
	return entry, changed, nil
}
