package exa

import (
	"context"
	"encoding/json"
	"errors"
	"maps"

	"almanac/adapters/remote"
	"almanac/graph/model"
)

// notThere is the failure of what is another user's: it tells no more than that of what is not there.
func notThere() *failure { return &failure{Remote: remoteName, Kind: remote.KindMissing, Unsent: true} }

// resolve returns a webset's id on the wire, for a webset that is the user's. The name given may be the remote's id or
// the user's externalId.
func (a *Account) resolve(ctx context.Context, webset string) (string, *failure) {
	if !model.SoundWebsetID(webset) {
		return "", notThere()
	}
	if !a.Owner.shares() {
		return webset, nil
	}
	w, lost := a.whose(ctx, webset)
	if lost == nil && a.Owner.owns(w.mark) {
		return w.id, nil
	}
	if lost != nil && lost.Kind != remote.KindMissing {
		return "", lost
	}
	w, lost = a.whose(ctx, a.Owner.wireName(webset))
	switch {
	case lost != nil:
		return "", lost
	case !a.Owner.owns(w.mark):
		return "", notThere()
	default:
		return w.id, nil
	}
}

// ownsMarked reports whether a thing with metadata is the user's: by its mark.
func (a *Account) ownsMarked(_ context.Context, raw json.RawMessage) (bool, *failure) {
	thing, ok := named(raw)
	if !ok {
		return false, nil
	}
	mark, _ := marksOf(thing.Metadata)
	return a.Owner.owns(mark), nil
}

// ownsWithin reports whether a thing of a webset is the user's: by its own mark, or without one by the webset's. What
// cannot be found out is not.
func (a *Account) ownsWithin(ctx context.Context, raw json.RawMessage) (bool, *failure) {
	thing, ok := named(raw)
	if !ok {
		return false, nil
	}
	if mark, _ := marksOf(thing.Metadata); mark != "" {
		return a.Owner.owns(mark), nil
	}
	return a.ownsWebset(ctx, thing.WebsetID)
}

// ownsWebset reports whether a webset is the user's, by the remote's id as the remote has told it. One that is not
// there is nobody's; both is believed for a while.
func (a *Account) ownsWebset(ctx context.Context, id string) (bool, *failure) {
	if sound(id) == "" {
		return false, nil
	}
	k := a.Client.key(a.Key)
	if w, ok := k.owners.Get(id); ok && (w.mark != "" || a.isFresh(w.at)) {
		return !w.gone && a.Owner.owns(w.mark), nil
	}
	if !mayLook(ctx) {
		return false, &failure{Remote: remoteName, Kind: remote.KindLimited, Unsent: true, Err: errEnough}
	}
	w, lost := a.whose(ctx, id)
	switch {
	case lost != nil && lost.Kind == remote.KindMissing:
		k.keepOwner(id, whose{id: id, gone: true, at: a.Client.Now()})
		return false, nil
	case lost != nil:
		return false, lost
	default:
		return a.Owner.owns(w.mark), nil
	}
}

// A list looks up whose some of its things are; how often is bounded, so that one page never takes more than some
// seconds of the budget.

type looksKey struct{}

// mostLooks is how many things one list looks up.
const mostLooks = 20

// errEnough says that a list has looked up as much as it may: it ends there, and can be gone on with.
var errEnough = errors.New("enough was looked up for one list")

func withLooks(ctx context.Context) context.Context {
	left := mostLooks
	return context.WithValue(ctx, looksKey{}, &left)
}

// mayLook counts a look; true outside of lists.
func mayLook(ctx context.Context) bool {
	left, ok := ctx.Value(looksKey{}).(*int)
	if !ok {
		return true
	}
	*left--
	return *left >= 0
}

// mine reads a thing that stands by itself, and returns it when it is the user's.
func (a *Account) mine(ctx context.Context, operation, collection, id string,
	owns func(context.Context, json.RawMessage) (bool, *failure)) ([]byte, *failure) {
	if !model.SoundWebsetID(id) {
		return nil, notThere()
	}
	raw, lost := a.fetch(ctx, operation, websets(collection, id)...)
	if lost != nil || !a.Owner.shares() {
		return raw, lost
	}
	ok, lost := owns(ctx, raw)
	if lost != nil {
		return nil, lost
	}
	if !ok {
		return nil, notThere()
	}
	return raw, nil
}

// check makes sure that a thing is the user's before it is changed. Where nobody shares there is nothing to ask.
func (a *Account) check(ctx context.Context, operation, collection, id string,
	owns func(context.Context, json.RawMessage) (bool, *failure)) *failure {
	if !model.SoundWebsetID(id) {
		return notThere()
	}
	if !a.Owner.shares() {
		return nil
	}
	_, lost := a.mine(ctx, operation, collection, id, owns)
	return lost
}

// keepMark puts the mark that a thing has into a change of its metadata, where the owner of the whole account changes
// what another may have made.
func (a *Account) keepMark(ctx context.Context, operation string, patch any, path ...string) *failure {
	change, ok := patch.(sentPatch)
	metadata, changed := change["metadata"]
	if !ok || !changed || !a.Owner.All {
		return nil
	}
	raw, lost := a.fetch(ctx, operation, path...)
	if lost != nil {
		return lost
	}
	thing, _ := named(raw)
	mark, _ := marksOf(thing.Metadata)
	if mark == "" {
		return nil
	}
	kept := map[string]any{entryOwner: mark}
	if sent, ok := metadata.(map[string]any); ok {
		maps.Copy(kept, sent)
	}
	change["metadata"] = kept
	return nil
}

// sources makes sure that the lists which a search goes by are the user's, and returns them as the remote takes them.
func (a *Account) sources(ctx context.Context, list []Source) ([]wireSource, *failure) {
	var sent []wireSource
	for _, s := range list {
		id := s.ID
		switch s.Source {
		case sourceWebset:
			resolved, lost := a.resolve(ctx, id)
			if lost != nil {
				return nil, lost
			}
			id = resolved
		default:
			if lost := a.check(ctx, "imports.get", "imports", id, a.ownsMarked); lost != nil {
				return nil, lost
			}
		}
		one := wireSource{Source: s.Source, ID: id}
		if s.Relationship != "" {
			one.Relationship = &wireRelationship{Definition: s.Relationship, Limit: s.Limit}
		}
		sent = append(sent, one)
	}
	return sent, nil
}
