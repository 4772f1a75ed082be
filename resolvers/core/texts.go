package core

import (
	"context"
	"reflect"
	"strings"
	"sync/atomic"
	"time"
	"unicode/utf8"

	"almanac/graph/model"
	"almanac/projections/fold"
	"almanac/projections/when"
)

// OneLine returns a clean text with spaces for its line breaks and tabs.
func OneLine(text string) string {
	return strings.Map(func(r rune) rune {
		if r == '\n' || r == '\t' {
			return ' '
		}
		return r
	}, text)
}

// ZoneNamed returns the zone of an input's timeZone, or the other one when none is given.
func ZoneNamed(field string, name *string, otherwise *time.Location) (*time.Location, error) {
	if name == nil {
		return otherwise, nil
	}
	zone, err := when.LoadZone(*name)
	if err != nil {
		return nil, Below(err, field)
	}
	return zone, nil
}

// EmptyPatch reports whether a patch sets no field; a field that is set to null is set.
func EmptyPatch[P any](patch *P) bool { return patch == nil || reflect.ValueOf(patch).Elem().IsZero() }

// NoTimeBetween reports whether both bounds are there and leave no moment between them.
func NoTimeBetween(from, to time.Time) bool {
	return !from.IsZero() && !to.IsZero() && !from.Before(to)
}

// TextOrNil returns nil for the empty text.
func TextOrNil(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}

// MaxSearch bounds a search text, in characters.
const MaxSearch = 200

// SearchText reads what a filter searches for; nothing but marks and spaces asks nothing.
func SearchText(text string) (string, error) {
	return CleanLabel("filter.search", text, MaxSearch)
}

// CleanText reads a text that must not be empty. BAD_USER_INPUT when nothing is left of it, or it is too long.
func CleanText(field, text string, most int) (string, error) {
	clean := fold.Clean(text)
	if fold.IsBlank(clean) {
		return "", model.BadInput(field, "the text is empty")
	}
	return clean, TooLong(field, clean, most)
}

// MaxMatching bounds the work of all matching of one operation, in steps of naming.Rules, of which a processor does
// about a thousand million a second. A person with thousands of tasks comes nowhere near it.
const MaxMatching = 500_000_000

// Of so many steps, which take about a millisecond, the cost is MatchingCost: what a page of objects costs that takes
// as long.
const (
	matchingUnit = 1_000_000
	MatchingCost = 200
)

// MaxMatchingInside bounds it within a transaction, where others wait: about ten milliseconds.
const MaxMatchingInside = 10_000_000

// insideKey is in contexts in which texts are matched within a transaction.
type insideKey struct{}

// MatchingInside returns a context in which texts are matched within a transaction, by less work.
func MatchingInside(ctx context.Context) context.Context {
	return context.WithValue(ctx, insideKey{}, true)
}

// bound is how many steps the operation may take in a context, and how many it has taken.
func (v *Viewer) bound(ctx context.Context) (most int64, taken *atomic.Int64) {
	if ctx.Value(insideKey{}) != nil {
		return MaxMatchingInside, &v.matchedInside
	}
	return MaxMatching, &v.matched
}

// Matching returns the bound of matching for naming.Rules: what is left for the viewer's operation, until the context
// ends.
func (v *Viewer) Matching(ctx context.Context) func(steps int) bool {
	most, taken := v.bound(ctx)
	return func(steps int) bool {
		all := taken.Add(int64(steps))
		if units := all/matchingUnit - (all-int64(steps))/matchingUnit; units > 0 && v.worked != nil {
			v.worked(v.User, units*MatchingCost)
		}
		return all <= most && ctx.Err() == nil
	}
}

// MatchingError says why matching stopped before its end: BAD_USER_INPUT at field where it was too much work, or the
// context's end; nil when it did not.
func (v *Viewer) MatchingError(ctx context.Context, field string) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	switch most, taken := v.bound(ctx); {
	case taken.Load() <= most:
		return nil
	case most == MaxMatchingInside:
		return model.BadInput(field,
			"matching these texts after other fields of one request with an Idempotency-Key would keep others waiting; send "+
				"this field by itself, or name things by id")
	}
	return model.BadInput(field,
		"matching these texts with all that they may name is too much work for one request; name things by id, or use "+
			"fewer and shorter texts")
}

// CleanLabel reads a text that may be empty.
func CleanLabel(field, text string, most int) (string, error) {
	clean := fold.Clean(text)
	return clean, TooLong(field, clean, most)
}

// TooLong is BAD_USER_INPUT at field for a text of more than most characters.
func TooLong(field, text string, most int) error {
	if n := utf8.RuneCountInString(text); n > most {
		return model.BadInput(field, "the text has %d characters; at most %d are allowed", n, most)
	}
	return nil
}
