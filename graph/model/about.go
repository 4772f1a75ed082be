package model

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"strings"
	"sync"
)

// About collects what an answer tells of, for whoever keeps answers: what is erased must be erased there too, whatever
// fields the client has selected. It collects nothing before Collect was called, and is safe for goroutines after that.
type About struct {
	collects bool

	mu      sync.Mutex
	ids     []ID
	secrets []string
}

type aboutKey struct{}

// WithAbout returns a context whose operation says what its answer tells of.
func WithAbout(ctx context.Context, about *About) context.Context {
	return context.WithValue(ctx, aboutKey{}, about)
}

// AboutFrom returns what WithAbout put there; nil when nothing was.
func AboutFrom(ctx context.Context) *About {
	about, _ := ctx.Value(aboutKey{}).(*About)
	return about
}

// Collect makes it collect from now on, from nothing. It must be called before the operation runs, each time it does.
func (a *About) Collect() {
	if a == nil {
		return
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.collects, a.ids, a.secrets = true, nil, nil
}

// Tells adds a record of Almanac that the answer tells of and that can be erased: a memory, an entity, a fact, an
// episode. What lives elsewhere is not erased here.
func (a *About) Tells(id ID) {
	if a == nil || !a.collects || id.Remote != "" {
		return
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.ids = append(a.ids, id)
}

// Hides says that a text of the answer is for this one answer alone, and must not be kept with it: a whole JSON string,
// in a place that may be null.
func (a *About) Hides(secret string) {
	if a == nil || !a.collects || secret == "" {
		return
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.secrets = append(a.secrets, secret)
}

// Kept returns an answer, a JSON value, as it may be kept: null in place of what Hides named.
func (a *About) Kept(body []byte) []byte {
	if a == nil {
		return body
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, secret := range a.secrets {
		if quoted, err := json.Marshal(secret); err == nil {
			body = bytes.ReplaceAll(body, quoted, []byte("null"))
		}
	}
	return body
}

// String returns the public ids of what was told of, each once, separated by spaces; empty for nothing.
func (a *About) String() string {
	if a == nil {
		return ""
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	slices.SortFunc(a.ids, func(x, y ID) int {
		return cmp.Or(slices.Compare(x.UUID[:], y.UUID[:]), cmp.Compare(x.Kind, y.Kind))
	})
	texts := make([]string, 0, len(a.ids))
	for _, id := range slices.Compact(a.ids) {
		texts = append(texts, id.String())
	}
	return strings.Join(texts, " ")
}
