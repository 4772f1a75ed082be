package exa

import (
	"encoding/base64"
	"slices"
	"strconv"
	"strings"
	"time"
)

// page is one page of a list.
type page struct {
	Data       []any   `json:"data"`
	HasMore    bool    `json:"hasMore"`
	NextCursor *string `json:"nextCursor"`
}

// paging is what a list asks for.
type paging struct {
	limit int
	// from is the number of the last thing of the page before; 0: from the beginning.
	from uint64
}

// paging reads limit and cursor.
func (c *call) paging(usual, most int) (paging, *problem) {
	p := paging{limit: usual}
	if c.query.Has("limit") {
		n, err := strconv.Atoi(c.query.Get("limit"))
		if err != nil || n < 1 || n > most {
			return p, invalid("Validation failed: limit must be a number from 1 to %d", most)
		}
		p.limit = n
	}
	if c.query.Has("cursor") {
		raw, err := base64.RawURLEncoding.DecodeString(c.query.Get("cursor"))
		kind, number, ok := strings.Cut(string(raw), ":")
		if err != nil || !ok || kind != c.kind() {
			return p, invalid("Validation failed: cursor is not one of this list")
		}
		if p.from, err = strconv.ParseUint(number, 10, 64); err != nil || p.from == 0 {
			return p, invalid("Validation failed: cursor is not one of this list")
		}
	}
	return p, nil
}

// kind is what a cursor belongs to: the path, without what it says of the account.
func (c *call) kind() string { return c.route.name }

// pick returns a page of the things that are wanted; newest first, or oldest first.
func pick[T placed](c *call, all []T, p paging, newestFirst bool, wanted func(T) bool, render func(T) any) page {
	answer := page{Data: []any{}}
	var last uint64
	sequence := slices.All(all)
	if newestFirst {
		sequence = slices.Backward(all)
	}
	for _, one := range sequence {
		_, seq := one.place()
		if p.from > 0 && (newestFirst && seq >= p.from || !newestFirst && seq <= p.from) {
			continue
		}
		if wanted != nil && !wanted(one) {
			continue
		}
		if len(answer.Data) == p.limit {
			answer.HasMore = true
			cursor := base64.RawURLEncoding.EncodeToString([]byte(c.kind() + ":" + strconv.FormatUint(last, 10)))
			answer.NextCursor = &cursor
			break
		}
		answer.Data = append(answer.Data, render(one))
		last = seq
	}
	return answer
}

// stampLayout is how Exa writes a time.
const stampLayout = "2006-01-02T15:04:05.000Z"

// stamp writes a time; orNull a time that may be zero, for null.
func stamp(t time.Time) string { return t.UTC().Format(stampLayout) }

func orNull(t time.Time) *string {
	if t.IsZero() {
		return nil
	}
	text := stamp(t)
	return &text
}

// textOrNull is a text, or null for an empty one.
func textOrNull(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}
