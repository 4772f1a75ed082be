// Package rows is what both plugs of the store do alike and no database does for them: how a noun's parts become columns
// and come back.
//
// It promises that what it encodes it decodes to the same value, that times are UTC and exact to the microsecond, and that
// a text that one of the databases cannot hold is refused in front of both. It knows no SQL and does no I/O.
package rows

import (
	"strings"
	"time"
	"unicode/utf8"

	"almanac/graph/model"
)

// Time gives the instant as it is kept: in UTC, cut to the microsecond. The zero time, "none", stays itself.
func Time(t time.Time) time.Time {
	if t.IsZero() {
		return time.Time{}
	}
	return t.UTC().Truncate(time.Microsecond)
}

// Micros gives microseconds since 1970 in UTC, rounded down. The zero time must be told apart before.
func Micros(t time.Time) int64 { return t.UnixMicro() }

// TimeOf gives the instant that Micros came from.
func TimeOf(micros int64) time.Time { return time.UnixMicro(micros).UTC() }

// Text refuses what PostgreSQL cannot hold and SQLite would cut short: a NUL character, and bytes that are not UTF-8. The edge
// cleans what users write (fold.Clean), so this error means that somebody forgot to. BAD_USER_INPUT.
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

// Distinct gives the ids in the order of their first appearance, each once.
func Distinct(ids []model.UUID) []model.UUID {
	if len(ids) < 2 {
		return ids
	}
	seen := make(map[model.UUID]struct{}, len(ids))
	out := make([]model.UUID, 0, len(ids))
	for _, id := range ids {
		if _, again := seen[id]; !again {
			seen[id] = struct{}{}
			out = append(out, id)
		}
	}
	return out
}
