package exa

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"strconv"

	"almanac/adapters/remote"
	"almanac/graph/model"
)

var websetsList = listing{operation: "websets.list", path: websets("websets"), most: mostWebsets}

// CreateWebset makes a webset. CONFLICT when the externalId is taken; a lost answer is found again. An externalId that
// is too long with the owner's mark is BAD_USER_INPUT on input.externalId.
func (a *Account) CreateWebset(ctx context.Context, webset NewWebset) (model.Webset, error) {
	if err := model.AskUpstream(ctx, model.UpstreamExa); err != nil {
		return model.Webset{}, err
	}
	body, err := a.newWebset(ctx, webset)
	if err != nil {
		return model.Webset{}, err
	}
	raw, err := a.create(ctx, creation{
		operation: "websets.create", path: websets("websets"), unique: body.ExternalID != "",
		body: func(request string) (any, error) {
			marked := *body
			marked.Metadata, err = sentMetadata(webset.Metadata, a.Owner.mark(), request)
			return marked, err
		},
		find: func(ctx context.Context, request string) ([]byte, *failure) {
			if body.ExternalID == "" {
				return a.findListed(ctx, websetsList, request)
			}
			return a.findByName(ctx, body.ExternalID, request)
		},
	})
	if err != nil {
		return model.Webset{}, err
	}
	return a.madeWebset("", raw)
}

// findByName finds the webset of an externalId, if it was this request that made it.
func (a *Account) findByName(ctx context.Context, name, request string) ([]byte, *failure) {
	raw, lost := a.fetch(ctx, "websets.get", websets("websets", name)...)
	if lost != nil && lost.Kind == remote.KindMissing {
		return nil, nil
	}
	if lost != nil {
		return nil, lost
	}
	if thing, ok := named(raw); ok {
		if _, made := marksOf(thing.Metadata); made == request {
			return raw, nil
		}
	}
	return nil, nil
}

func (a *Account) newWebset(ctx context.Context, webset NewWebset) (*sentWebset, error) {
	body := &sentWebset{ExternalID: a.Owner.wireName(webset.ExternalID)}
	if len([]rune(body.ExternalID)) > model.MaxWebsetExternalID {
		most := model.MaxWebsetExternalID - (len([]rune(body.ExternalID)) - len([]rune(webset.ExternalID)))
		return nil, model.BadInput("input.externalId", "at most %d characters are possible here", most)
	}
	if webset.ExternalID != "" && !model.SoundWebsetID(body.ExternalID) {
		return nil, model.BadInput("input.externalId",
			"an externalId is made of characters that can be seen, does not begin with a dot, and has at most 400 bytes")
	}
	var lost *failure
	if body.Import, lost = a.sources(ctx, webset.Import); lost != nil {
		return nil, a.shown(lost)
	}
	if body.Exclude, lost = a.sources(ctx, webset.Exclude); lost != nil {
		return nil, a.shown(lost)
	}
	if webset.Search != nil {
		search, err := a.searchOf(ctx, *webset.Search)
		if err != nil {
			return nil, err
		}
		search.Behavior = "" // of a search in a webset that is there
		body.Search = search
	}
	for _, e := range webset.Enrichments {
		sent, err := enrichmentOf(e)
		if err != nil {
			return nil, err
		}
		body.Enrichments = append(body.Enrichments, *sent)
	}
	return body, nil
}

// Websets lists websets, in the remote's order.
func (a *Account) Websets(ctx context.Context, page Page) (List[model.Webset], error) {
	if err := model.AskUpstream(ctx, model.UpstreamExa); err != nil {
		return List[model.Webset]{}, err
	}
	return owned(ctx, a, websetsList, page, a.ownsMarked, func(raw json.RawMessage) (model.Webset, bool) {
		webset, err := read[wireWebset](raw)
		if err != nil || sound(webset.ID) == "" {
			return model.Webset{}, false
		}
		a.learn(webset.ID, webset)
		return webset.webset(a.Owner, string(raw)), true
	})
}

// Webset reads one, by the remote's id or by the user's externalId.
func (a *Account) Webset(ctx context.Context, webset string) (model.Webset, error) {
	if err := model.AskUpstream(ctx, model.UpstreamExa); err != nil {
		return model.Webset{}, err
	}
	return a.onWebset(ctx, webset, ask{operation: "websets.get", method: http.MethodGet})
}

// UpdateWebset replaces the metadata; an empty one clears it.
func (a *Account) UpdateWebset(ctx context.Context, webset string, metadata model.JSON) (model.Webset, error) {
	if err := model.AskUpstream(ctx, model.UpstreamExa); err != nil {
		return model.Webset{}, err
	}
	patch := sentPatch{}
	if err := patch.setMetadata(a.Owner, &metadata); err != nil {
		return model.Webset{}, err
	}
	return a.onWebset(ctx, webset, ask{operation: "websets.update", method: http.MethodPost, body: patch})
}

// CancelWebset ends all that is under way in a webset.
func (a *Account) CancelWebset(ctx context.Context, webset string) (model.Webset, error) {
	if err := model.AskUpstream(ctx, model.UpstreamExa); err != nil {
		return model.Webset{}, err
	}
	return a.onWebset(ctx, webset, ask{operation: "websets.cancel", method: http.MethodPost}, "cancel")
}

// DeleteWebset deletes a webset with all that is in it, and returns it as it was. Of one that an earlier attempt of the
// same call has deleted, only the reference is known.
func (a *Account) DeleteWebset(ctx context.Context, webset string) (model.Webset, error) {
	if err := model.AskUpstream(ctx, model.UpstreamExa); err != nil {
		return model.Webset{}, err
	}
	gone, err := a.onWebset(ctx, webset, ask{operation: "websets.delete", method: http.MethodDelete})
	if err == nil {
		a.Client.key(a.Key).forget(webset, gone.Ref.ID, a.Owner.wireName(webset))
	}
	return gone, err
}

// onWebset does something to a webset that may be done twice, and returns the webset that the remote answers.
func (a *Account) onWebset(ctx context.Context, webset string, one ask, more ...string) (model.Webset, error) {
	id, lost := a.resolve(ctx, webset)
	if lost == nil {
		lost = a.keepMark(ctx, "websets.get", one.body, websets("websets", id)...)
	}
	if lost != nil {
		return model.Webset{}, a.shown(lost)
	}
	one.path, one.again = websets(append([]string{"websets", id}, more...)...), true
	raw, lost := a.send(ctx, one)
	if isGone(one, lost) {
		return model.Webset{Ref: plain(model.KindWebset, id)}, nil
	}
	if lost != nil {
		return model.Webset{}, a.shown(lost)
	}
	return a.madeWebset(id, raw)
}

// isGone reports whether a deletion finds nothing since an earlier attempt of it, whose answer was lost, has done it.
func isGone(one ask, lost *failure) bool {
	return lost != nil && one.method == http.MethodDelete && lost.Kind == remote.KindMissing && lost.Doubted
}

// madeWebset reads the remote's answer about one webset, which was asked for by an id, and learns from it. What another
// owner has is not there: what is known of an id may be older than the answer.
func (a *Account) madeWebset(id string, raw []byte) (model.Webset, error) {
	webset, err := read[wireWebset](raw)
	if err != nil || sound(webset.ID) == "" {
		return model.Webset{}, shown(unreadable())
	}
	ref := orElse(id, webset.ID)
	if w := a.learn(ref, webset); !a.Owner.owns(w.mark) {
		return model.Webset{}, shown(notThere())
	}
	return webset.webset(a.Owner, string(raw)), nil
}

// PreviewWebset tells what a query would be understood as, and with items a few that it would find.
func (a *Account) PreviewWebset(ctx context.Context, search Search, items bool) (Preview, error) {
	if err := model.AskUpstream(ctx, model.UpstreamExa); err != nil {
		return Preview{}, err
	}
	type body struct {
		Search sentSearch `json:"search"`
	}
	sent := body{sentSearch{Query: search.Query, Entity: entityOf(search.Entity), Count: search.Count}}
	raw, lost := a.send(ctx, ask{
		operation: "websets.preview", method: http.MethodPost, path: websets("websets", "preview"),
		query: url.Values{"search": {strconv.FormatBool(items)}},
		body:  sent, again: true, finds: true,
	})
	if lost != nil {
		return Preview{}, a.shown(lost)
	}
	return readPreview(raw)
}

type wirePreview struct {
	Search struct {
		Entity   wireEntity `json:"entity"`
		Criteria []struct {
			Description string `json:"description"`
		} `json:"criteria"`
	} `json:"search"`
	Enrichments []struct {
		Description string `json:"description"`
		Format      string `json:"format"`
		Options     []struct {
			Label string `json:"label"`
		} `json:"options"`
	} `json:"enrichments"`
	Items []json.RawMessage `json:"items"`
}

func readPreview(raw []byte) (Preview, error) {
	told, err := read[wirePreview](raw)
	if err != nil {
		return Preview{}, shown(unreadable())
	}
	p := Preview{EntityType: told.Search.Entity.Type}
	for _, c := range told.Search.Criteria {
		p.Criteria = append(p.Criteria, c.Description)
	}
	for _, e := range told.Enrichments {
		one := PreviewEnrichment{Description: e.Description, Format: e.Format}
		for _, o := range e.Options {
			one.Options = append(one.Options, o.Label)
		}
		p.Enrichments = append(p.Enrichments, one)
	}
	for _, raw := range told.Items {
		if item, err := read[wireItem](raw); err == nil {
			// They are in no webset, so nothing finds them again.
			p.Items = append(p.Items, item.item("", string(raw), nil))
		}
	}
	return p, nil
}
