package model

import (
	"bytes"
	"encoding/json"
	"io"
)

// JSON is any JSON value in its text: compact, the keys of objects in alphabetical order, numbers with the digits they
// came with. The zero value is no value at all, which is not null.
type JSON string

// MarshalGQL writes the value as it is; null when there is none.
func (j JSON) MarshalGQL(w io.Writer) { _, _ = w.Write(j.AppendGQL(nil)) }

// AppendGQL appends the value as it is; null when there is none.
func (j JSON) AppendGQL(b []byte) []byte {
	if j == "" {
		return append(b, "null"...)
	}
	return append(b, j...)
}

// UnmarshalGQL reads a value that a document or its variables hold.
func (j *JSON) UnmarshalGQL(v any) error {
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(withEmptyLists(v)); err != nil {
		return BadInput("", "this is not a JSON value")
	}
	*j = JSON(bytes.TrimSuffix(text.Bytes(), []byte("\n")))
	return nil
}

// withEmptyLists puts an empty list where a document has one: it is read as nil there, which would be written as null.
func withEmptyLists(v any) any {
	switch value := v.(type) {
	case []any:
		list := make([]any, len(value))
		for i, item := range value {
			list[i] = withEmptyLists(item)
		}
		return list
	case map[string]any:
		object := make(map[string]any, len(value))
		for key, item := range value {
			object[key] = withEmptyLists(item)
		}
		return object
	default:
		return v
	}
}
