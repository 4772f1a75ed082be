package exa

import (
	"context"
	"net/http"

	"almanac/adapters/remote"
	"almanac/graph/model"
)

// behaviorOverride is the remote's default, which it wants to be told nevertheless.
const behaviorOverride = "override"

// CreateSearch begins a search in a webset. A lost answer is found again.
func (a *Account) CreateSearch(ctx context.Context, webset string, search Search) (model.WebsetSearch, error) {
	if err := model.AskUpstream(ctx, model.UpstreamExa); err != nil {
		return model.WebsetSearch{}, err
	}
	id, lost := a.resolve(ctx, webset)
	if lost != nil {
		return model.WebsetSearch{}, a.shown(lost)
	}
	body, err := a.searchOf(ctx, search)
	if err != nil {
		return model.WebsetSearch{}, err
	}
	body.Behavior = orElse(body.Behavior, behaviorOverride)
	if body.Count <= 0 {
		body.Count = model.DefaultWebsetSearchCount
	}
	raw, err := a.create(ctx, creation{
		operation: "searches.create", path: websets("websets", id, "searches"),
		body: func(request string) (any, error) {
			marked := *body
			marked.Metadata, err = sentMetadata(search.Metadata, a.Owner.mark(), request)
			return marked, err
		},
		find: func(ctx context.Context, request string) ([]byte, *failure) {
			return a.findWithin(ctx, id, "searches", request)
		},
	})
	if err != nil {
		return model.WebsetSearch{}, err
	}
	return readSearch(id, raw)
}

// Search reads one.
func (a *Account) Search(ctx context.Context, webset, search string) (model.WebsetSearch, error) {
	return a.onSearch(ctx, webset, search, ask{operation: "searches.get", method: http.MethodGet})
}

// CancelSearch ends one.
func (a *Account) CancelSearch(ctx context.Context, webset, search string) (model.WebsetSearch, error) {
	return a.onSearch(ctx, webset, search, ask{operation: "searches.cancel", method: http.MethodPost}, "cancel")
}

func (a *Account) onSearch(ctx context.Context, webset, search string, one ask,
	more ...string) (model.WebsetSearch, error) {
	if err := model.AskUpstream(ctx, model.UpstreamExa); err != nil {
		return model.WebsetSearch{}, err
	}
	id, raw, lost := a.within(ctx, webset, "searches", search, one, more...)
	if lost != nil && isCancelled(one, lost) {
		id, raw, lost = a.within(ctx, webset, "searches", search, ask{operation: "searches.get", method: http.MethodGet})
	}
	if lost != nil {
		return model.WebsetSearch{}, a.shown(lost)
	}
	return readSearch(id, raw)
}

// isCancelled reports whether a cancellation may be refused since an earlier attempt of it, whose answer was lost, has
// done it.
func isCancelled(one ask, lost *failure) bool {
	return one.method == http.MethodPost && lost.Doubted &&
		(lost.Kind == remote.KindConflict || lost.Kind == remote.KindRejected)
}

func readSearch(webset string, raw []byte) (model.WebsetSearch, error) {
	told, err := read[wireSearch](raw)
	if err != nil || sound(told.ID) == "" {
		return model.WebsetSearch{}, shown(unreadable())
	}
	return told.search(webset, string(raw)), nil
}
