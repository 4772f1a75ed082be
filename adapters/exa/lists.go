package exa

import (
	"context"
	"encoding/json"
	"errors"
	"net/url"
	"strconv"
	"strings"

	"almanac/graph/model"
)

// all returns a page of a list in which everything is the user's. A thing that cannot be made, since it has no id, is
// left out.
func all[T any](ctx context.Context, a *Account, list listing, page Page,
	decode func(raw json.RawMessage) (T, bool)) (List[T], error) {
	if err := checked(page); err != nil {
		return List[T]{}, err
	}
	got, lost := a.page(ctx, list, page)
	if lost != nil {
		return List[T]{}, a.shown(lost)
	}
	result := List[T]{Next: got.next}
	for _, raw := range got.things {
		if thing, ok := decode(raw); ok {
			result.Items = append(result.Items, thing)
		}
	}
	return result, nil
}

// owned returns a page of a list that is shared: what the user owns of as many pages of the remote as it takes, at most
// Limits.Pages. The remote is always asked for whole pages, so a place in it is a page and a thing on it.
func owned[T any](ctx context.Context, a *Account, list listing, page Page,
	owns func(context.Context, json.RawMessage) (bool, *failure),
	decode func(raw json.RawMessage) (T, bool),
) (List[T], error) {
	if !a.Owner.shares() {
		return all(ctx, a, list, page, decode)
	}
	if err := checked(page); err != nil {
		return List[T]{}, err
	}
	at, ok := readPlace(page.After)
	if !ok {
		return List[T]{}, model.BadInput("after", "this is not a place of the list")
	}
	limit := page.Limit
	if limit <= 0 || limit > list.most {
		limit = list.most
	}
	a.Client.once.Do(a.Client.prepare)
	ctx = withLooks(ctx)
	var result List[T]
	for range a.Client.Limits.Pages {
		got, lost := a.page(ctx, list, Page{Limit: list.most, After: at.cursor})
		if lost != nil {
			return List[T]{}, a.shown(lost)
		}
		for i := at.start(got.things); i < len(got.things); i++ {
			mine, lost := owns(ctx, got.things[i])
			if lost != nil && errors.Is(lost, errEnough) {
				result.Next = at.before(got.things, i).String()
				return result, nil
			}
			if lost != nil {
				return List[T]{}, a.shown(lost)
			}
			thing, ok := decode(got.things[i])
			if !mine || !ok {
				continue
			}
			if len(result.Items) == limit {
				return result, nil
			}
			result.Items = append(result.Items, thing)
			result.Next = place{cursor: at.cursor, index: i, id: idOf(got.things[i])}.String()
		}
		if got.next == "" {
			result.Next = ""
			return result, nil
		}
		at = place{cursor: got.next, index: -1}
		if len(result.Items) == limit {
			break // what follows is not looked at; it may hold nothing of the user
		}
	}
	result.Next = at.String()
	return result, nil
}

// place is where a page of a shared list ended: at a thing, by index and id, of the remote's page that a cursor names.
type place struct {
	cursor string
	// index is -1 before the page's first thing.
	index int
	id    string
}

// before is the place before a thing of the same page.
func (p place) before(things []json.RawMessage, i int) place {
	if i == 0 {
		return place{cursor: p.cursor, index: -1}
	}
	return place{cursor: p.cursor, index: i - 1, id: idOf(things[i-1])}
}

// String returns the place as it goes to callers.
func (p place) String() string {
	return strconv.Itoa(p.index+1) + ":" + url.QueryEscape(p.id) + ":" + p.cursor
}

// readPlace reads what String gave; the empty text is the start.
func readPlace(text string) (place, bool) {
	if text == "" {
		return place{index: -1}, true
	}
	count, rest, counted := strings.Cut(text, ":")
	escaped, cursor, named := strings.Cut(rest, ":")
	id, err := url.QueryUnescape(escaped)
	n, wrong := strconv.Atoi(count)
	if !counted || !named || err != nil || wrong != nil || n < 0 || n > mostOthers {
		return place{}, false
	}
	return place{cursor: cursor, index: n - 1, id: id}, true
}

// start is the index of the first thing after the place: behind the thing it names, or where that was when it is gone.
func (p place) start(things []json.RawMessage) int {
	if p.index < 0 {
		return 0
	}
	for i, raw := range things {
		if idOf(raw) == p.id {
			return i + 1
		}
	}
	return min(p.index, len(things))
}

// wireNamed is what tells things from one another, and whose they are.
type wireNamed struct {
	ID        string          `json:"id"`
	WebsetID  string          `json:"websetId"`
	MonitorID string          `json:"monitorId"`
	Object    string          `json:"object"`
	Metadata  json.RawMessage `json:"metadata"`
}

// named reads what tells a thing from others; false when it is no JSON.
func named(raw json.RawMessage) (wireNamed, bool) {
	thing, err := read[wireNamed](raw)
	return thing, err == nil
}

func idOf(raw json.RawMessage) string {
	thing, _ := named(raw)
	return thing.ID
}
