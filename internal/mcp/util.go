package mcp

import (
	"errors"
	"maps"
	"regexp"
	"slices"
	"strings"

	"almanac/graph/model"
	"almanac/projections/compact"
)

func asShown(err error, shown **model.Error) bool { return errors.As(err, shown) }

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

// dayForm is a day without a time.
var dayForm = regexp.MustCompile(`^\d{4}-\d{2}-\d{2}$`)

// moment returns a date-time as the API reads it; a day alone means its beginning. Nil for nothing.
func moment(text string) any {
	switch {
	case text == "":
		return nil
	case dayForm.MatchString(text):
		return text + "T00:00"
	default:
		return text
	}
}

// eventTime returns EventTimeInput: a day, or an instant.
func eventTime(text string) map[string]any {
	if dayForm.MatchString(text) {
		return map[string]any{"date": text}
	}
	return map[string]any{"dateTime": text}
}

// given leaves out what is nil.
func given(values map[string]any) map[string]any {
	maps.DeleteFunc(values, func(_ string, v any) bool { return v == nil })
	return values
}

// orNil returns nil for the zero value.
func orNil[T comparable](v T) any {
	var zero T
	if v == zero {
		return nil
	}
	return v
}

// listOrNil returns nil for an empty list.
func listOrNil[T any](v []T) any {
	if len(v) == 0 {
		return nil
	}
	return v
}

// fit writes a text that must not have more tokens than the limit, though parts of it, cursors among them, are only
// known when it is written: what was too much is taken from the tokens of the next try.
func fit(limit int, write func(budget int) (string, error)) error {
	budget := limit - 40
	for range 4 {
		text, err := write(max(budget, minShare))
		if err != nil || compact.Tokens(text) <= limit {
			return err
		}
		budget -= compact.Tokens(text) - limit + 4
	}
	return model.BadInput("maxTokens", "%d tokens are too few for this answer; give more, or ask for fewer kinds", limit)
}

// minShare is the fewest tokens that compact text is asked for.
const minShare = 50

// joinLines joins lines.
func joinLines(lines []string) string { return strings.Join(lines, "\n") }

// paragraphs joins the parts that are not empty.
func paragraphs(parts ...string) string {
	return strings.Join(slices.DeleteFunc(parts, func(s string) bool { return s == "" }), "\n\n")
}

// cleaned is what others wrote, as one short line without what is not seen.
func cleaned(text string) string { return compact.Line(text, maxLabel) }
