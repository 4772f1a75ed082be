package exa

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"net/http"

	"almanac/adapters/remote"
	"almanac/graph/model"
)

// creation is something to be made once. What is made carries a mark of the request in its metadata, so that it is
// found again when an answer was lost, and when a request is repeated under its Idempotency-Key: two creations that are
// alike under one seed are one, and who wants two derives a seed for each.
type creation struct {
	operation string
	path      []string
	// body returns the request's body with a mark in its metadata; the body for an empty mark tells one creation from
	// another.
	body func(request string) (any, error)
	// find looks for what carries the mark; nil bytes when nothing does.
	find func(ctx context.Context, request string) ([]byte, *failure)
	// unique: the remote refuses a second one by its name, so it may be asked again though it may have done it.
	unique bool
	// undo erases what was found, when only the answer to a creation tells all of it: then it is made anew.
	undo func(ctx context.Context, found []byte) *failure
}

// create makes a thing, or finds the one that this request has made before.
func (a *Account) create(ctx context.Context, c creation) ([]byte, error) {
	request, tried, err := c.mark(ctx)
	if err != nil {
		return nil, err
	}
	body, err := c.body(request)
	if err != nil {
		return nil, err
	}
	if tried {
		found, lost := a.again(ctx, c, request)
		if lost != nil || found != nil {
			return found, a.shown(lost)
		}
	}
	post := ask{operation: c.operation, method: http.MethodPost, path: c.path, body: body}
	for attempt := 1; ; attempt++ {
		answer, lost := a.send(ctx, post)
		switch {
		case lost == nil:
			return answer, nil
		case lost.Kind == remote.KindConflict && c.unique && (tried || attempt > 1):
			if found, _ := c.find(ctx, request); found != nil {
				return found, nil
			}
			return nil, a.shown(lost)
		case !lost.Unknown():
			return nil, a.shown(lost)
		case ctx.Err() != nil:
			return nil, doubtful(lost)
		}
		found, sure := a.recover(ctx, c, request, lost)
		if found != nil {
			return found, nil
		}
		if !sure || attempt >= a.Client.Limits.Attempts {
			return nil, doubtful(lost)
		}
	}
}

// recover looks for a thing whose answer was lost: at once, and again after a while, since the remote may have been at
// work still. It is sure that a thing may be made anew when it was not found, and the remote had not been silent for
// long; or when the remote lets nothing be made twice.
func (a *Account) recover(ctx context.Context, c creation, request string, lost *failure) (found []byte, sure bool) {
	for look := 1; look <= 2; look++ {
		found, missing := a.again(ctx, c, request)
		if missing != nil || found != nil {
			return found, false
		}
		wait := a.Client.caller.BackoffAfter(look + 1)
		if !a.Client.caller.Fits(ctx, wait) || a.Client.caller.Wait(ctx, wait) != nil {
			return nil, false
		}
	}
	return nil, c.unique || !isSlow(lost)
}

// again finds what an earlier try has made. What only the answer to a creation tells is erased instead, so that nothing
// is found.
func (a *Account) again(ctx context.Context, c creation, request string) ([]byte, *failure) {
	found, lost := c.find(ctx, request)
	if lost != nil || found == nil || c.undo == nil {
		return found, lost
	}
	return nil, c.undo(ctx, found)
}

// mark makes the request's mark, and reports whether the request may have been tried before. Before the first try that
// is noted, where notes are kept.
func (c creation) mark(ctx context.Context) (request string, tried bool, err error) {
	seed, keyed := model.SeedFrom(ctx)
	if !keyed {
		return rand.Text(), false, nil
	}
	plain, err := c.body("")
	if err != nil {
		return "", false, err
	}
	text, err := json.Marshal(plain)
	if err != nil {
		return "", false, err
	}
	hash := sha256.New()
	_, _ = hash.Write([]byte("almanac exa request\x00" + c.operation + "\x00"))
	for _, part := range c.path {
		_, _ = hash.Write([]byte(part + "\x00"))
	}
	_, _ = hash.Write(seed[:])
	_, _ = hash.Write(text)
	const bytes = 18
	request = base64.RawURLEncoding.EncodeToString(hash.Sum(nil)[:bytes])
	notes, noted := model.NotesFrom(ctx)
	if !noted {
		return request, true, nil
	}
	name := c.operation + " " + request
	if _, tried := notes.Recall(name); tried {
		return request, true, nil
	}
	return request, false, notes.Note(ctx, name, []byte{1})
}

// findListed looks through the first pages of a list, which begins with the newest, for what carries a mark.
func (a *Account) findListed(ctx context.Context, list listing, request string) ([]byte, *failure) {
	const pages = 3
	at := Page{Limit: list.most}
	for range pages {
		got, lost := a.page(ctx, list, at)
		if lost != nil {
			return nil, lost
		}
		for _, raw := range got.things {
			if thing, ok := named(raw); ok {
				if _, made := marksOf(thing.Metadata); made == request {
					return raw, nil
				}
			}
		}
		if at.After = got.next; at.After == "" {
			break
		}
	}
	return nil, nil
}

// findWithin looks among the things of one kind that stand within a webset.
func (a *Account) findWithin(ctx context.Context, webset, field, request string) ([]byte, *failure) {
	raw, lost := a.fetch(ctx, "websets.get", websets("websets", webset)...)
	if lost != nil {
		return nil, lost
	}
	fields, err := read[map[string]json.RawMessage](raw)
	if err != nil {
		return nil, unreadable()
	}
	within, err := read[[]json.RawMessage](fields[field])
	if err != nil {
		return nil, nil //nolint:nilerr // what has no such list has nothing of it
	}
	for _, one := range within {
		if thing, ok := named(one); ok {
			if _, made := marksOf(thing.Metadata); made == request {
				return one, nil
			}
		}
	}
	return nil, nil
}
