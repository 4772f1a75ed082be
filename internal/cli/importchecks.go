package cli

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"almanac/graph/model"
	"almanac/projections/when"
)

// importee is a record that is read later.
type importee = json.RawMessage

// decode reads a record; what it does not know is refused, since it would be lost.
func decode(data []byte, into any) error {
	from := json.NewDecoder(bytes.NewReader(data))
	from.DisallowUnknownFields()
	if err := from.Decode(into); err != nil {
		return fmt.Errorf("it cannot be read: %w", err)
	}
	return nil
}

// decodeLoosely reads one object of a line, and takes fields that it does not know.
func decodeLoosely(text []byte, into any) error {
	from := json.NewDecoder(bytes.NewReader(text))
	if err := from.Decode(into); err != nil {
		return fmt.Errorf("not a JSON object: %w", err)
	}
	if _, err := from.Token(); !errors.Is(err, io.EOF) {
		return errors.New("there is more than one JSON object")
	}
	return nil
}

// checks gathers what is wrong with a record: the first thing is told.
type checks struct{ err error }

func (c *checks) refuse(field, format string, args ...any) {
	if c.err == nil {
		c.err = fmt.Errorf("%s: %s", field, fmt.Sprintf(format, args...))
	}
}

// text checks a text that must be there, label one that may be empty; most counts characters.
func (c *checks) text(field, text string, most int) {
	if strings.TrimSpace(text) == "" {
		c.refuse(field, "it is empty")
	}
	c.label(field, text, most)
}

func (c *checks) label(field, text string, most int) {
	if n := utf8.RuneCountInString(text); n > most {
		c.refuse(field, "it has %d characters; at most %d are allowed", n, most)
	}
	if strings.ContainsRune(text, 0) {
		c.refuse(field, "it has a NUL character")
	}
}

// position checks a place in the order made by hand.
func (c *checks) position(field, text string) {
	if !model.IsPosition(text) {
		c.refuse(field, "it is no position: digits 0–9 and a–f, at most %d, the last one not 0", model.MaxPosition)
	}
}

// at checks a time that must be there; each also one that may be missing.
func (c *checks) at(field string, at time.Time) {
	if !soundTime(at) {
		c.refuse(field, "it is no time, or none of the years that can be kept")
	}
}

func (c *checks) maybeAt(field string, at time.Time) {
	if !at.IsZero() {
		c.at(field, at)
	}
}

func (c *checks) most(field string, n, most int) {
	if n < 0 || n > most {
		c.refuse(field, "there are %d; at most %d are allowed", n, most)
	}
}

func oneOf[T ~string](c *checks, field string, value T, allowed ...T) {
	if !slices.Contains(allowed, value) {
		c.refuse(field, "%q is none of %v", model.Clip(string(value)), allowed)
	}
}

func (c *checks) id(kind model.Kind, field, text string) model.UUID {
	id, err := model.ParseID(text)
	if err != nil || id.Kind != kind || id.Remote != "" {
		c.refuse(field, "%q is no id of this kind: %s_…", model.Clip(text), kind)
	}
	return id.UUID
}

func (c *checks) ids(kind model.Kind, field string, texts []string) (ids []model.UUID) {
	for _, text := range texts {
		ids = append(ids, c.id(kind, field, text))
	}
	return ids
}

// duration reads one; zero for none.
func (c *checks) duration(field, text string) time.Duration {
	if text == "" {
		return 0
	}
	d, err := model.ParseDuration(text)
	if err != nil {
		c.refuse(field, "%v", err)
	}
	return d.Duration
}

// zone checks a time zone; empty is none.
func (c *checks) zone(field, name string) {
	if name == "" {
		return
	}
	if _, err := when.LoadZone(name); err != nil {
		c.refuse(field, "%q is not a time zone", model.Clip(name))
	}
}
