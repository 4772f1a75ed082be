package exa

import (
	"context"
	"errors"
	"net/http"
	"net/url"

	"almanac/adapters/remote"
	"almanac/graph/model"
)

// Items lists a webset's items, satisfied or not, in the remote's order. source is the remote's id of the search or
// import that they came by; empty for all. A page whose items are very long is asked for again with fewer of them, so
// it may be shorter than wanted while more follows.
func (a *Account) Items(ctx context.Context, webset, source string, page Page) (List[model.WebsetItem], error) {
	if err := model.AskUpstream(ctx, model.UpstreamExa); err != nil {
		return List[model.WebsetItem]{}, err
	}
	if err := checked(page); err != nil {
		return List[model.WebsetItem]{}, err
	}
	id, lost := a.resolve(ctx, webset)
	if lost != nil {
		return List[model.WebsetItem]{}, a.shown(lost)
	}
	list := listing{operation: "items.list", path: websets("websets", id, "items"), most: mostItems}
	if source != "" {
		list.query = url.Values{"sourceId": {source}}
	}
	got, lost := a.page(ctx, list, page)
	for limit := mostItems / 5; lost != nil && isTooLarge(lost) && limit > 0; limit /= 5 {
		if page.Limit <= 0 || page.Limit > limit {
			page.Limit = limit
			got, lost = a.page(ctx, list, page)
		}
	}
	if lost != nil {
		return List[model.WebsetItem]{}, a.shown(lost)
	}
	items, raws := make([]wireItem, 0, len(got.things)), make([]string, 0, len(got.things))
	for _, raw := range got.things {
		if item, err := read[wireItem](raw); err == nil && sound(item.ID) != "" {
			items, raws = append(items, item), append(raws, string(raw))
		}
	}
	descriptions := a.descriptions(ctx, id, items...)
	result := List[model.WebsetItem]{Next: got.next}
	for i, item := range items {
		result.Items = append(result.Items, item.item(id, raws[i], descriptions))
	}
	return result, nil
}

func isTooLarge(lost *failure) bool { return errors.Is(lost.Err, remote.ErrTooLarge) }

// Item reads one.
func (a *Account) Item(ctx context.Context, webset, item string) (model.WebsetItem, error) {
	return a.onItem(ctx, webset, item, ask{operation: "items.get", method: http.MethodGet})
}

// DeleteItem deletes one, and returns it as it was; see DeleteWebset.
func (a *Account) DeleteItem(ctx context.Context, webset, item string) (model.WebsetItem, error) {
	return a.onItem(ctx, webset, item, ask{operation: "items.delete", method: http.MethodDelete})
}

func (a *Account) onItem(ctx context.Context, webset, item string, one ask) (model.WebsetItem, error) {
	if err := model.AskUpstream(ctx, model.UpstreamExa); err != nil {
		return model.WebsetItem{}, err
	}
	id, raw, lost := a.within(ctx, webset, "items", item, one)
	if isGone(one, lost) {
		return model.WebsetItem{
			Ref: nested(model.KindWebsetItem, "", id, item), Name: model.UnknownWebsetText, EntityType: model.UnknownWebsetText,
		}, nil
	}
	if lost != nil {
		return model.WebsetItem{}, a.shown(lost)
	}
	told, err := read[wireItem](raw)
	if err != nil || sound(told.ID) == "" {
		return model.WebsetItem{}, shown(unreadable())
	}
	return told.item(id, string(raw), a.descriptions(ctx, id, told)), nil
}

// within does something that may be done twice to a thing in a webset of the user's, and returns the webset's id and
// the answer.
func (a *Account) within(ctx context.Context, webset, collection, id string, one ask,
	more ...string) (within string, raw []byte, lost *failure) {
	within, lost = a.resolve(ctx, webset)
	if lost != nil {
		return "", nil, lost
	}
	if !model.SoundWebsetID(id) {
		return within, nil, notThere()
	}
	one.path, one.again = websets(append([]string{"websets", within, collection, id}, more...)...), true
	raw, lost = a.send(ctx, one)
	if lost != nil {
		return within, nil, lost
	}
	// The path says in which webset to look. Should the remote look elsewhere, the answer says where it was found.
	if told, ok := named(raw); ok && a.Owner.shares() && told.WebsetID != "" && told.WebsetID != within {
		return within, nil, notThere()
	}
	return within, raw, nil
}
