package exa

import (
	"bytes"
	"encoding/json"
	"errors"
	"math"
	"time"

	"almanac/graph/model"
)

// read reads a JSON value as far as it goes: what is missing, and what is of another type than it should be, is left
// zero, so that a field that has changed never costs the rest. An error when it is no JSON at all.
func read[T any](raw []byte) (T, error) {
	var value T
	err := json.Unmarshal(raw, &value)
	if _, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		err = nil
	}
	return value, err
}

// wireTime reads a time, in RFC 3339 or in milliseconds since 1970, and nothing where there is something else.
type wireTime struct{ time.Time }

// UnmarshalJSON implements json.Unmarshaler.
func (t *wireTime) UnmarshalJSON(raw []byte) error {
	var text string
	if json.Unmarshal(raw, &text) == nil {
		const most = 64
		if len(text) > most {
			return nil
		}
		for _, layout := range []string{time.RFC3339Nano, "2006-01-02T15:04:05.999999999", time.DateOnly} {
			if at, err := time.Parse(layout, text); err == nil {
				t.set(at)
				return nil
			}
		}
		return nil
	}
	var millis float64
	const most = 1e15
	if json.Unmarshal(raw, &millis) == nil && math.Abs(millis) < most {
		t.set(time.UnixMilli(int64(millis)))
	}
	return nil
}

func (t *wireTime) set(at time.Time) {
	const last = 9999
	if at = at.UTC().Truncate(time.Microsecond); at.Year() >= 1 && at.Year() <= last {
		t.Time = at
	}
}

// whole makes an integer of a JSON number; 0 of one that no count can be.
func whole(n float64) int {
	const most = 1 << 53
	if math.IsNaN(n) || math.Abs(n) > most {
		return 0
	}
	return int(n)
}

// object returns a JSON object in the model's form, keys in order; empty for anything else, and for an object without
// entries.
func object(raw json.RawMessage) model.JSON {
	return model.JSON(objectOf(entries(raw)))
}

// entries reads an object with its numbers as they are; nil for anything else.
func entries(raw json.RawMessage) map[string]any {
	if raw = bytes.TrimSpace(raw); len(raw) == 0 || raw[0] != '{' {
		return nil
	}
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.UseNumber()
	var all map[string]any
	if decoder.Decode(&all) != nil {
		return nil
	}
	return all
}

func objectOf(all map[string]any) string {
	if len(all) == 0 {
		return ""
	}
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	if encoder.Encode(all) != nil {
		return ""
	}
	return string(bytes.TrimSuffix(text.Bytes(), []byte("\n")))
}

// maybe reads a text or a number that may be missing: nil then, and where there is something else.
type maybe[T string | float64] struct{ value *T }

// UnmarshalJSON implements json.Unmarshaler.
func (m *maybe[T]) UnmarshalJSON(raw []byte) error {
	var value *T
	if json.Unmarshal(raw, &value) == nil {
		m.value = value
	}
	return nil
}

// first returns the first text that is there, and the last resort when none is.
func first(otherwise string, texts ...maybe[string]) string {
	for _, text := range texts {
		if text.value != nil {
			return *text.value
		}
	}
	return otherwise
}

func orElse(text, otherwise string) string {
	if text == "" {
		return otherwise
	}
	return text
}
