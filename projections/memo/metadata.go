package memo

import (
	"slices"
	"strconv"
	"strings"

	"almanac/graph/model"
)

// NoteFields are the known fields of a note's metadata.
type NoteFields struct {
	Source   string
	Entities []string
}

// ContactFields are the known fields of a contact's metadata.
type ContactFields struct {
	Name, Phone, Email, Description string
}

// KeyValueFields are the known fields of a key-value's metadata. Value is JSON.
type KeyValueFields struct {
	Subject, Value string
}

const (
	// MaxPairs is how many entries metadata may have, as Pairs counts them: the index has one row for each.
	MaxPairs = 1_000
	// slack is how much longer than its canonical text metadata may come: characters may be written as escapes, six bytes
	// for one.
	slack = 8
)

// Metadata checks metadata by the rules of the schema (StoreMemoryInput.metadata) and returns its canonical text:
// compact, keys in bytewise order, numbers with the digits they came with. It is empty for none, for null and for an
// object without entries.
//
// BAD_USER_INPUT, with the path of what is wrong within the metadata, when it is no object, has a key twice, is longer
// than model.MaxMemoryMetadata bytes (as canonical text), is nested deeper than model.MaxMetadataDepth (the object
// itself is the first), has more than MaxPairs entries, when a known field of the type has another shape, or when it
// holds the character NUL, which is the one that databases cannot keep as JSON. Nothing is ever changed silently: texts
// stay as they are, character by character. A known field may also be null.
func Metadata(t model.MemoryType, value model.JSON) (string, error) {
	if value == "" {
		return "", nil
	}
	if len(value) > slack*model.MaxMemoryMetadata {
		return "", tooLong()
	}
	n, err := parse(string(value), model.MaxMetadataDepth)
	if err != nil {
		return "", err
	}
	return metadataOf(t, n)
}

func tooLong() error {
	return at(nil, "metadata may have at most %d bytes", model.MaxMemoryMetadata)
}

// metadataOf is Metadata for what was read. Read as part of something else, its depth is still to be checked.
func metadataOf(t model.MemoryType, n node) (string, error) {
	if depthOf(n) > model.MaxMetadataDepth {
		return "", tooDeep(nil, model.MaxMetadataDepth)
	}
	if n.form == null || n.form == object && len(n.keys) == 0 {
		return "", nil
	}
	if n.form != object {
		return "", at(nil, `metadata must be a JSON object, such as { "source": "text" }`)
	}
	if err := noNUL(n, nil); err != nil {
		return "", err
	}
	if err := checkKnown(t, n); err != nil {
		return "", err
	}
	out := canonical(n)
	if len(out) > model.MaxMemoryMetadata {
		return "", tooLong()
	}
	if len(pairsOf(n, true)) > MaxPairs {
		return "", at(nil, "metadata may have at most %d different entries", MaxPairs)
	}
	return out, nil
}

// depthOf counts how many objects and lists stand in each other.
func depthOf(n node) int {
	deepest := 0
	for _, item := range n.items {
		deepest = max(deepest, depthOf(item))
	}
	if n.form == object || n.form == list {
		deepest++
	}
	return deepest
}

func tooDeep(path []string, most int) error {
	return at(path, "objects and lists may be nested at most %d deep", most)
}

// noNUL refuses the character NUL anywhere.
func noNUL(n node, path []string) error {
	if strings.IndexByte(n.text, 0) >= 0 {
		return at(path, "a text cannot hold the character NUL")
	}
	for i, item := range n.items {
		step := strconv.Itoa(i)
		if n.form == object {
			step = n.keys[i]
			if strings.IndexByte(step, 0) >= 0 {
				return at(path, "a key cannot hold the character NUL")
			}
		}
		if err := noNUL(item, append(path, step)); err != nil {
			return err
		}
	}
	return nil
}

// textFields are the known fields of a type that are texts.
func textFields(t model.MemoryType) []string {
	switch t {
	case model.MemoryNote:
		return []string{"source"}
	case model.MemoryContact:
		return []string{"name", "phone", "email", "description"}
	case model.MemoryKV:
		return []string{"subject"}
	}
	return nil
}

// checkKnown holds the known fields of a type to their shapes.
func checkKnown(t model.MemoryType, n node) error {
	for _, key := range textFields(t) {
		if value, _ := n.get(key); value.form != null && value.form != text {
			return at([]string{key}, "%s must be a text", key)
		}
	}
	if t != model.MemoryNote {
		return nil
	}
	entities, _ := n.get("entities")
	if entities.form != null && entities.form != list {
		return at([]string{"entities"}, "entities must be a list of texts")
	}
	for i, item := range entities.items {
		if item.form != text {
			return at([]string{"entities", strconv.Itoa(i)}, "entities must be a list of texts")
		}
	}
	return nil
}

// read reads metadata that is kept; an object without entries when there is none.
func read(metadata string) node {
	if metadata == "" {
		return node{form: object}
	}
	n, err := parse(metadata, maxRead)
	if err != nil || n.form != object {
		return node{form: object}
	}
	return n
}

// maxRead bounds the depth at which what is kept is read; a filter may be deeper than what can be kept, and finds
// nothing.
const maxRead = 64

// known takes texts out of metadata: those fields that are one. The rest keeps a field of another shape, but not one
// that is null, which the typed field says as well.
func known(n node, keys ...string) (texts []string, rest node) {
	taken := make([]string, 0, len(keys)+1)
	texts = make([]string, len(keys))
	for i, key := range keys {
		value, _ := n.get(key)
		if value.form == text {
			texts[i] = value.text
		}
		if value.form == text || value.form == null {
			taken = append(taken, key)
		}
	}
	return texts, n.without(taken...)
}

// remainder is the text of what is left; empty for nothing.
func remainder(n node) string {
	if len(n.keys) == 0 {
		return ""
	}
	return canonical(n)
}

// Note reads a note's metadata; other is the rest, empty for nothing. A field of another shape is in the rest.
func Note(metadata string) (fields NoteFields, other string) {
	texts, rest := known(read(metadata), "source")
	fields.Source = texts[0]
	entities, _ := rest.get("entities")
	if entities.form == null || entities.form == list &&
		!slices.ContainsFunc(entities.items, func(n node) bool { return n.form != text }) {
		for _, item := range entities.items {
			fields.Entities = append(fields.Entities, item.text)
		}
		rest = rest.without("entities")
	}
	return fields, remainder(rest)
}

// Contact reads a contact's metadata; other is the rest, empty for nothing. A field of another shape is in the rest.
func Contact(metadata string) (fields ContactFields, other string) {
	texts, rest := known(read(metadata), "name", "phone", "email", "description")
	return ContactFields{Name: texts[0], Phone: texts[1], Email: texts[2], Description: texts[3]}, remainder(rest)
}

// KeyValue reads a key-value's metadata; other is the rest, empty for nothing. A subject of another shape is in the
// rest.
func KeyValue(metadata string) (fields KeyValueFields, other string) {
	texts, rest := known(read(metadata), "subject")
	fields.Subject = texts[0]
	if value, found := rest.get("value"); found {
		fields.Value = canonical(value)
		rest = rest.without("value")
	}
	return fields, remainder(rest)
}
