package exa

import (
	"context"
	"encoding/json"
	"net/http"

	"almanac/graph/model"
)

var importsList = listing{operation: "imports.list", path: websets("imports"), most: mostOthers}

// CreateImport makes one; the answer says where its file goes, and nothing else ever does. One whose answer was lost is
// deleted, and made anew.
func (a *Account) CreateImport(ctx context.Context, in Import) (model.WebsetImport, error) {
	if err := model.AskUpstream(ctx, model.UpstreamExa); err != nil {
		return model.WebsetImport{}, err
	}
	raw, err := a.create(ctx, creation{
		operation: "imports.create", path: websets("imports"),
		body: func(request string) (any, error) {
			metadata, err := sentMetadata(in.Metadata, a.Owner.mark(), request)
			body := sentImport{Format: formatCSV, Size: in.Size, Count: in.Count, Entity: *entityOf(&in.Entity), Title: in.Title,
				Metadata: metadata}
			if in.Identifier != nil {
				body.CSV = &sentCSV{*in.Identifier}
			}
			return body, err
		},
		find: func(ctx context.Context, request string) ([]byte, *failure) {
			return a.findListed(ctx, importsList, request)
		},
		undo: a.undo("imports"),
	})
	if err != nil {
		return model.WebsetImport{}, err
	}
	return readImport(raw)
}

// Imports lists them.
func (a *Account) Imports(ctx context.Context, page Page) (List[model.WebsetImport], error) {
	if err := model.AskUpstream(ctx, model.UpstreamExa); err != nil {
		return List[model.WebsetImport]{}, err
	}
	return owned(ctx, a, importsList, page, a.ownsMarked, func(raw json.RawMessage) (model.WebsetImport, bool) {
		in, err := read[wireImport](raw)
		return in.imported(string(raw)), err == nil && sound(in.ID) != ""
	})
}

// Import reads one.
func (a *Account) Import(ctx context.Context, id string) (model.WebsetImport, error) {
	if err := model.AskUpstream(ctx, model.UpstreamExa); err != nil {
		return model.WebsetImport{}, err
	}
	raw, lost := a.mine(ctx, "imports.get", "imports", id, a.ownsMarked)
	if lost != nil {
		return model.WebsetImport{}, a.shown(lost)
	}
	return readImport(raw)
}

// UpdateImport changes one.
func (a *Account) UpdateImport(ctx context.Context, id string, patch ImportPatch) (model.WebsetImport, error) {
	body := sentPatch{}
	for name, value := range patch.Back {
		body[name] = value
	}
	if patch.Title != nil {
		body["title"] = *patch.Title
	}
	if err := body.setMetadata(a.Owner, patch.Metadata); err != nil {
		return model.WebsetImport{}, err
	}
	return a.onImport(ctx, id, ask{operation: "imports.update", method: http.MethodPatch, body: body})
}

// DeleteImport deletes one, and returns it as it was; see DeleteWebset.
func (a *Account) DeleteImport(ctx context.Context, id string) (model.WebsetImport, error) {
	return a.onImport(ctx, id, ask{operation: "imports.delete", method: http.MethodDelete})
}

func (a *Account) onImport(ctx context.Context, id string, one ask) (model.WebsetImport, error) {
	if err := model.AskUpstream(ctx, model.UpstreamExa); err != nil {
		return model.WebsetImport{}, err
	}
	raw, lost := a.change(ctx, "imports", id, a.ownsMarked, one)
	if isGone(one, lost) {
		return model.WebsetImport{Ref: plain(model.KindWebsetImport, id)}, nil
	}
	if lost != nil {
		return model.WebsetImport{}, a.shown(lost)
	}
	return readImport(raw)
}

func readImport(raw []byte) (model.WebsetImport, error) {
	told, err := read[wireImport](raw)
	if err != nil || sound(told.ID) == "" {
		return model.WebsetImport{}, shown(unreadable())
	}
	return told.imported(string(raw)), nil
}
