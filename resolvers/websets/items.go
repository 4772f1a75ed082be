package websets

import (
	"context"
	"strconv"

	"almanac/adapters/exa"
	"almanac/graph"
	"almanac/graph/model"
	"almanac/projections"
)

// ItemsAsked is what is asked of the items of a webset.
type ItemsAsked struct {
	First       *int32
	After       *string
	Source      *string
	Unsatisfied bool
}

// itemsList is the list of a webset's items; source is Exa's id of a search or an import, empty for all.
func itemsList(account ExaAccount, webset, source string, includeUnsatisfied bool) exaList[model.WebsetItem] {
	list := exaList[model.WebsetItem]{
		purpose: "webset items " + strconv.FormatBool(includeUnsatisfied) + " " + strconv.Quote(webset) + " " +
			strconv.Quote(source), most: exaItems,
		fetch: func(ctx context.Context, page exa.Page) (exa.List[model.WebsetItem], error) {
			return account.Items(ctx, webset, source, page)
		},
		key: func(i model.WebsetItem) string { return i.Ref.ID },
	}
	if !includeUnsatisfied {
		list.keep = func(i model.WebsetItem) bool { return i.IsSatisfied() }
	}
	return list
}

// sourceOf reads the argument that names a search or an import.
func sourceOf(text *string) (string, error) {
	if text == nil {
		return "", nil
	}
	return exaName("sourceId", *text, model.KindWebsetSearch, model.KindWebsetImport)
}

// WebsetItems answers websetItems and Webset.items.
func (r *Resolver) WebsetItems(ctx context.Context, ref model.WebsetRef, field string,
	asked ItemsAsked) (*projections.WebsetItemConnection, error) {
	source, err := sourceOf(asked.Source)
	if err != nil {
		return nil, err
	}
	v, account, err := r.exaAccount(ctx)
	if err != nil {
		return nil, err
	}
	list := itemsList(account, ref.ID, source, asked.Unsatisfied)
	page, excluded, err := exaPage(ctx, r, v, list, asked.First, asked.After, defaultWebsetItems,
		func(i model.WebsetItem) projections.WebsetItem {
			return projections.WebsetItemAt(i, v.Moment)
		})
	if err != nil {
		return nil, noneOf(err, field, ref)
	}
	return &projections.WebsetItemConnection{RemotePage: page, Excluded: excluded}, nil
}

// AllWebsetItems answers allWebsetItems.
func (r *Resolver) AllWebsetItems(ctx context.Context, text string, most int32, sourceID *string,
	includeUnsatisfied bool) (*graph.WebsetItemSet, error) {
	ref, err := WebsetRef("websetId", text, model.KindWebset)
	if err != nil {
		return nil, err
	}
	if most < 1 || most > model.MaxWebsetItemsAtOnce {
		return nil, model.BadInput("maxItems", "maxItems is %d; it must be from 1 to %d", most, model.MaxWebsetItemsAtOnce)
	}
	source, err := sourceOf(sourceID)
	if err != nil {
		return nil, err
	}
	v, account, err := r.exaAccount(ctx)
	if err != nil {
		return nil, err
	}
	list := itemsList(account, ref.ID, source, true)
	out := &graph.WebsetItemSet{Nodes: []projections.WebsetItem{}}
	at, more := exaPlace{}, true
	for read := 0; more && read < int(most); {
		got, err := list.read(ctx, at, int(most)-read)
		if err != nil {
			return nil, noneOf(err, "websetId", ref)
		}
		for _, item := range got.items {
			if !item.IsSatisfied() {
				out.Excluded++
				if !includeUnsatisfied {
					continue
				}
			}
			out.Nodes = append(out.Nodes, projections.WebsetItemAt(item, v.Moment))
		}
		read += len(got.items)
		at, more = got.end, got.hasNext && len(got.items) > 0
		out.Total, out.Truncated = int32(read), got.hasNext
	}
	out.Included = int32(len(out.Nodes))
	out.Context = &projections.WebsetContext{IsListing: true, IsEmpty: len(out.Nodes) == 0}
	return out, nil
}
