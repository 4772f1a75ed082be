// Package rows is what both drivers of the store do alike and no database does for them: how a record's parts become
// columns and come back, and what the record of an idempotency key means to the next call.
//
// It promises that what it encodes it decodes to the same value, that times are UTC and exact to the microsecond, and
// that a text that one of the databases cannot hold is refused in front of both. It knows no SQL and does no I/O.
package rows

import (
	"errors"
	"strings"
	"time"
	"unicode/utf8"

	"almanac/graph/model"
)

// Time returns the instant as it is kept: in UTC, cut to the microsecond. The zero time, "none", stays itself.
func Time(t time.Time) time.Time {
	if t.IsZero() {
		return time.Time{}
	}
	return t.UTC().Truncate(time.Microsecond)
}

// Micros returns microseconds since 1970 in UTC, rounded down. The zero time must be told apart before.
func Micros(t time.Time) int64 { return t.UnixMicro() }

// TimeOf returns the instant that Micros came from.
func TimeOf(micros int64) time.Time { return time.UnixMicro(micros).UTC() }

// Text refuses what PostgreSQL cannot hold and SQLite would cut short: a NUL character, and bytes that are not UTF-8.
// The edge cleans what users write (fold.Clean), so this error means that somebody forgot to. BAD_USER_INPUT.
func Text(texts ...string) error {
	for _, text := range texts {
		if strings.IndexByte(text, 0) >= 0 || !utf8.ValidString(text) {
			return model.BadInput("", "a text has a NUL character or is not UTF-8; it cannot be stored or searched for")
		}
	}
	return nil
}

// Scopes writes a token's scopes as their names with a space between; ScopesOf reads them.
func Scopes(scopes []model.Scope) string {
	names := make([]string, len(scopes))
	for i, scope := range scopes {
		names[i] = string(scope)
	}
	return strings.Join(names, " ")
}

// ScopesOf reads what Scopes wrote; nil for none.
func ScopesOf(text string) []model.Scope {
	names := strings.Fields(text)
	if len(names) == 0 {
		return nil
	}
	scopes := make([]model.Scope, len(names))
	for i, name := range names {
		scopes[i] = model.Scope(name)
	}
	return scopes
}

// Words writes words as one text, with a space between; WordsOf reads them. BAD_USER_INPUT for a word that is empty or
// has a space in it, which would come back as another list (a scope of OAuth never has: RFC 6749, 3.3), and for what
// Text refuses.
func Words(words []string) (string, error) {
	for _, word := range words {
		if fields := strings.Fields(word); len(fields) != 1 || fields[0] != word {
			return "", model.BadInput("", "%q is not one word", model.Clip(word))
		}
	}
	return strings.Join(words, " "), Text(words...)
}

// WordsOf reads what Words wrote; nil for none.
func WordsOf(text string) []string {
	if words := strings.Fields(text); len(words) > 0 {
		return words
	}
	return nil
}

// Lines writes lines as one text, with a line feed between; LinesOf reads them. BAD_USER_INPUT for a line that is empty
// or holds a line feed, which would come back as another list, and for what Text refuses.
func Lines(lines []string) (string, error) {
	for _, line := range lines {
		if line == "" || strings.Contains(line, "\n") {
			return "", model.BadInput("", "%q is not one line", model.Clip(line))
		}
	}
	return strings.Join(lines, "\n"), Text(lines...)
}

// LinesOf reads what Lines wrote; nil for none.
func LinesOf(text string) []string {
	if text == "" {
		return nil
	}
	return strings.Split(text, "\n")
}

// Remote refuses a change that names no remote record, which only a mistake of the program can be, and a version that
// Text refuses.
func Remote(changes []model.Change) error {
	for i := range changes {
		if changes[i].Remote == "" {
			return errors.New("a change of a remote record has no reference")
		}
		if err := Text(changes[i].Version); err != nil {
			return err
		}
	}
	return nil
}

// Distinct returns the ids in the order of their first appearance, each once.
func Distinct(ids []model.UUID) []model.UUID { return DistinctOf(ids) }

// DistinctOf returns values in the order of their first appearance, each once.
func DistinctOf[V comparable](values []V) []V {
	if len(values) < 2 {
		return values
	}
	seen := make(map[V]struct{}, len(values))
	out := make([]V, 0, len(values))
	for _, value := range values {
		if _, again := seen[value]; !again {
			seen[value] = struct{}{}
			out = append(out, value)
		}
	}
	return out
}
