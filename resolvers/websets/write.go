package websets

import (
	"context"
	"strconv"

	"almanac/adapters/exa"
	"almanac/graph"
	"almanac/graph/model"
	"almanac/projections"
	"almanac/resolvers/core"
)

// newWebset reads a webset to be made.
func newWebset(in graph.CreateWebsetInput) (out exa.NewWebset, err error) {
	if out.Search, err = searchOf("input.search", in.Search, model.MaxWebsetQuery); err != nil {
		return out, err
	}
	if out.Import, err = sourcesOf("input.import", in.Import); err != nil {
		return out, err
	}
	if out.Exclude, err = sourcesOf("input.exclude", in.Exclude); err != nil {
		return out, err
	}
	if len(in.Enrichments) > maxWebsetEnrichments {
		return out, model.BadInput("input.enrichments", "give at most %d enrichments, not %d", maxWebsetEnrichments,
			len(in.Enrichments))
	}
	for i := range in.Enrichments {
		one, err := enrichmentOf("input.enrichments."+strconv.Itoa(i), &in.Enrichments[i])
		if err != nil {
			return out, err
		}
		out.Enrichments = append(out.Enrichments, one)
	}
	if out.ExternalID, err = externalIDOf("input.externalId", in.ExternalID); err != nil {
		return out, err
	}
	out.Metadata, err = exaMetadata("input.metadata", in.Metadata)
	return out, err
}

// CreateWebset makes a webset. One that has the externalId already is given with CONFLICT.
func (r *Resolver) CreateWebset(ctx context.Context, in graph.CreateWebsetInput) (*graph.CreateWebsetPayload, error) {
	out := &graph.CreateWebsetPayload{Context: aboutOne(false), UserErrors: []model.UserError{}}
	wanted, err := newWebset(in)
	if err != nil {
		core.AddUserError(ctx, &out.UserErrors, err)
		return out, nil
	}
	v, account, err := r.exaAccount(ctx)
	if err != nil {
		core.AddUserError(ctx, &out.UserErrors, err)
		return out, nil
	}
	made, err := account.CreateWebset(fieldSeed(ctx), wanted)
	switch {
	case model.CodeOf(err) == model.CodeConflict && wanted.ExternalID != "":
		there, unread := account.Webset(ctx, wanted.ExternalID)
		if unread != nil {
			core.AddUserError(ctx, &out.UserErrors, core.AtField(err, "input.externalId"))
			return out, nil //nolint:nilerr // that it is taken stands beside; which webset has it could not be read
		}
		taken := model.Errorf(model.CodeConflict,
			"the webset %s has this externalId already; it is given here, and nothing was made", there.Ref.PublicID())
		taken.Field = model.FieldPath("input.externalId")
		core.AddUserError(ctx, &out.UserErrors, taken)
		view := projections.WebsetAt(there, v.Moment)
		out.Webset, out.Context = &view, aboutOne(true)
		return out, nil
	case err != nil:
		core.AddUserError(ctx, &out.UserErrors, err)
		return out, nil
	}
	r.logExa(ctx, v, model.OperationCreated, made.Ref, madeOf(&made))
	view := projections.WebsetAt(made, v.Moment)
	out.Webset, out.Context = &view, aboutOne(true)
	return out, nil
}

// UpdateWebset replaces what is noted with a webset.
func (r *Resolver) UpdateWebset(ctx context.Context, in graph.UpdateWebsetInput) (*graph.UpdateWebsetPayload, error) {
	out := &graph.UpdateWebsetPayload{Context: aboutOne(false), UserErrors: []model.UserError{}}
	value, given := in.Metadata.ValueOK()
	if !given {
		core.AddUserError(ctx, &out.UserErrors,
			model.BadInput("input.metadata", "say what to note with the webset; null clears it"))
		return out, nil
	}
	metadata, err := exaMetadata("input.metadata", value)
	if err != nil {
		core.AddUserError(ctx, &out.UserErrors, err)
		return out, nil
	}
	meant, err := r.websetMeant(ctx, in.ID, in.Target, in.Confirm, core.Target{})
	if out.Confirmation = meant.Question; err != nil || !meant.Clear() {
		core.AddUserError(ctx, &out.UserErrors, err)
		return out, nil
	}
	out.Webset, err = change(ctx, r, named{meant.Field, meant.IDs[0], model.KindWebset}, projections.WebsetAt,
		func(ctx context.Context, a ExaAccount, ref model.WebsetRef) (model.Webset, error) {
			return a.UpdateWebset(ctx, ref.ID, metadata)
		})
	if err != nil {
		r.giveBack(ctx, meant, err)
		core.AddUserError(ctx, &out.UserErrors, err)
		return out, nil
	}
	out.Context = aboutOne(true)
	return out, nil
}

// CancelWebset stops what goes on in a webset.
func (r *Resolver) CancelWebset(ctx context.Context, in graph.CancelWebsetInput) (*graph.CancelWebsetPayload, error) {
	out := &graph.CancelWebsetPayload{Context: aboutOne(false), UserErrors: []model.UserError{}}
	meant, err := r.websetMeant(ctx, in.ID, in.Target, in.Confirm, core.Target{Strict: true})
	if out.Confirmation = meant.Question; err != nil || !meant.Clear() {
		core.AddUserError(ctx, &out.UserErrors, err)
		return out, nil
	}
	out.Webset, err = act(ctx, r, named{meant.Field, meant.IDs[0], model.KindWebset}, model.OperationUpdated, stopped,
		projections.WebsetAt, func(ctx context.Context, a ExaAccount, ref model.WebsetRef) (model.Webset, error) {
			return a.CancelWebset(ctx, ref.ID)
		})
	if err != nil {
		r.giveBack(ctx, meant, err)
		core.AddUserError(ctx, &out.UserErrors, err)
		return out, nil
	}
	out.Context = aboutOne(true)
	return out, nil
}

// DeleteWebset deletes a webset.
func (r *Resolver) DeleteWebset(ctx context.Context, in graph.DeleteWebsetInput) (*graph.DeleteWebsetPayload, error) {
	out := &graph.DeleteWebsetPayload{Context: aboutOne(false), UserErrors: []model.UserError{}}
	meant, err := r.websetMeant(ctx, in.ID, in.Target, in.Confirm, core.Target{Erases: true})
	if out.Confirmation = meant.Question; err != nil || !meant.Clear() {
		core.AddUserError(ctx, &out.UserErrors, err)
		return out, nil
	}
	out.Webset, err = remove(ctx, r, named{meant.Field, meant.IDs[0], model.KindWebset}, projections.WebsetAt,
		func(ctx context.Context, a ExaAccount, ref model.WebsetRef) (model.Webset, error) {
			return a.DeleteWebset(ctx, ref.ID)
		})
	if err != nil {
		r.giveBack(ctx, meant, err)
		core.AddUserError(ctx, &out.UserErrors, err)
		return out, nil
	}
	out.Deleted, out.DeletedID, out.Context = 1, &meant.IDs[0], aboutOne(true)
	return out, nil
}

// PreviewWebset tells what a query would be understood as.
func (r *Resolver) PreviewWebset(ctx context.Context,
	in graph.PreviewWebsetInput) (*graph.PreviewWebsetPayload, error) {
	out := &graph.PreviewWebsetPayload{Context: aboutOne(false), UserErrors: []model.UserError{}}
	if in.Count < 1 || in.Count > model.MaxWebsetPreview {
		core.AddUserError(ctx, &out.UserErrors,
			model.BadInput("input.count", "count is %d; it must be from 1 to %d", in.Count,
				model.MaxWebsetPreview))
		return out, nil
	}
	search, err := searchOf("input", &graph.WebsetSearchInput{Query: in.Query, Count: in.Count, Entity: in.Entity},
		model.MaxWebsetQuery)
	if err != nil {
		core.AddUserError(ctx, &out.UserErrors, err)
		return out, nil
	}
	_, account, err := r.exaAccount(ctx)
	if err != nil {
		core.AddUserError(ctx, &out.UserErrors, err)
		return out, nil
	}
	seen, err := account.PreviewWebset(ctx, *search, in.WithItems)
	if err != nil {
		core.AddUserError(ctx, &out.UserErrors, core.AtField(err, "input.query"))
		return out, nil
	}
	out.Preview, out.Context = webPreviewOf(seen), aboutOne(true)
	return out, nil
}

func webPreviewOf(seen exa.Preview) *graph.WebsetPreview {
	out := &graph.WebsetPreview{Criteria: seen.Criteria, Enrichments: []graph.WebsetPreviewEnrichment{},
		Items: []graph.WebsetPreviewItem{}}
	if seen.EntityType != "" {
		out.EntityType = &seen.EntityType
	}
	if out.Criteria == nil {
		out.Criteria = []string{}
	}
	for _, e := range seen.Enrichments {
		one := graph.WebsetPreviewEnrichment{Description: e.Description, Options: e.Options}
		if e.Format != "" {
			one.Format = &e.Format
		}
		if one.Options == nil {
			one.Options = []string{}
		}
		out.Enrichments = append(out.Enrichments, one)
	}
	for _, i := range seen.Items {
		out.Items = append(out.Items, graph.WebsetPreviewItem{Name: i.Name, URL: i.URL, EntityType: i.EntityType,
			Description: i.Description})
	}
	return out
}

// CreateWebsetSearch searches for more in a webset.
func (r *Resolver) CreateWebsetSearch(ctx context.Context,
	in graph.CreateWebsetSearchInput) (*graph.CreateWebsetSearchPayload, error) {
	out := &graph.CreateWebsetSearchPayload{UserErrors: []model.UserError{}}
	search, err := searchOf("input.search", in.Search, model.MaxWebsetQuery)
	if err == nil {
		err = oneOfWords("input.behavior", in.Behavior, "behavior", model.WebsetBehaviors())
	}
	if err == nil {
		search.Behavior = in.Behavior
		search.Metadata, err = exaMetadata("input.metadata", in.Metadata)
	}
	if err == nil {
		out.Search, err = act(ctx, r, named{"input.websetId", in.WebsetID, model.KindWebset}, model.OperationCreated,
			madeOf, projections.WebsetSearchAt,
			func(ctx context.Context, a ExaAccount, ref model.WebsetRef) (model.WebsetSearch, error) {
				return a.CreateSearch(ctx, ref.ID, *search)
			})
	}
	core.AddUserError(ctx, &out.UserErrors, err)
	out.Context = aboutOne(out.Search != nil)
	return out, nil
}

// CancelWebsetSearch stops a search.
func (r *Resolver) CancelWebsetSearch(ctx context.Context,
	in graph.CancelWebsetSearchInput) (*graph.CancelWebsetSearchPayload, error) {
	out := &graph.CancelWebsetSearchPayload{UserErrors: []model.UserError{}}
	var err error
	out.Search, err = act(ctx, r, named{"input.id", in.ID, model.KindWebsetSearch}, model.OperationUpdated, stopped,
		projections.WebsetSearchAt,
		func(ctx context.Context, a ExaAccount, ref model.WebsetRef) (model.WebsetSearch, error) {
			return a.CancelSearch(ctx, ref.Within, ref.ID)
		})
	core.AddUserError(ctx, &out.UserErrors, err)
	out.Context = aboutOne(out.Search != nil)
	return out, nil
}

// DeleteWebsetItem takes an item out of its webset.
func (r *Resolver) DeleteWebsetItem(ctx context.Context,
	in graph.DeleteWebsetItemInput) (*graph.DeleteWebsetItemPayload, error) {
	out := &graph.DeleteWebsetItemPayload{Context: aboutOne(false), UserErrors: []model.UserError{}}
	var err error
	if out.Item, err = remove(ctx, r, named{"input.id", in.ID, model.KindWebsetItem}, projections.WebsetItemAt,
		func(ctx context.Context, a ExaAccount, ref model.WebsetRef) (model.WebsetItem, error) {
			return a.DeleteItem(ctx, ref.Within, ref.ID)
		}); err != nil {
		core.AddUserError(ctx, &out.UserErrors, err)
		return out, nil
	}
	out.Deleted, out.DeletedID, out.Context = 1, &in.ID, aboutOne(true)
	return out, nil
}

// LinkExa links a key of the viewer's own. BAD_USER_INPUT at input.apiKey for what is no key or is refused by Exa.
func (r *Resolver) LinkExa(ctx context.Context, v *core.Viewer, key string) error {
	var err error
	switch {
	case r.Exa == nil:
		_, err = r.exaOf(ctx, v)
	case key == "" || len(key) > maxExaKey || !visibleASCII(key):
		err = model.BadInput("input.apiKey", "a key has 1–%d visible ASCII characters, and no spaces", maxExaKey)
	default:
		_, err = r.Exa.Connect(ctx, v.User, key)
	}
	return core.AtField(err, "input.apiKey")
}

func visibleASCII(text string) bool {
	for i := range len(text) {
		if text[i] <= ' ' || text[i] > '~' {
			return false
		}
	}
	return true
}
