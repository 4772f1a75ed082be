package websets

import (
	"context"

	"almanac/graph/model"
	"almanac/resolvers/core"
)

// exaAccount returns the viewer and the account of Exa that serves them. NOT_CONFIGURED when there is none.
func (r *Resolver) exaAccount(ctx context.Context) (*core.Viewer, ExaAccount, error) {
	v, err := core.ViewerFrom(ctx)
	if err != nil {
		return nil, nil, err
	}
	account, err := r.exaOf(ctx, v)
	return v, account, err
}

func (r *Resolver) exaOf(ctx context.Context, v *core.Viewer) (ExaAccount, error) {
	if r.Exa == nil {
		return nil, model.Errorf(model.CodeNotConfigured,
			"this server has not been set up for Exa; its operator sets ALMANAC_EXA_API_KEY")
	}
	return r.Exa.For(ctx, v.User)
}

// WebsetRef reads the id of a record of Exa's. BAD_USER_INPUT when the text is no id, or one of another kind.
func WebsetRef(field, text string, kind model.Kind) (model.WebsetRef, error) {
	id, err := core.RemoteID(field, text, kind)
	if err != nil {
		return model.WebsetRef{}, err
	}
	ref, err := model.WebsetRefOf(id)
	if err != nil {
		return ref, model.BadInput(field, "%q is not the id of %s", model.Clip(text), core.WithArticle(kind))
	}
	return ref, nil
}

// exaName reads what names a record either by its id, of one of the kinds, or as Exa does itself.
func exaName(field, text string, kinds ...model.Kind) (string, error) {
	if id, err := model.ParseID(text); err == nil {
		for _, kind := range kinds {
			if ref, err := model.WebsetRefOf(id); err == nil && id.Kind == kind {
				return ref.ID, nil
			}
		}
		return "", model.BadInput(field, "%s is the id of a %s; the id of %s is needed", model.Clip(text),
			core.KindNames[id.Kind],
			core.WithArticle(kinds[0]))
	}
	if !model.SoundWebsetID(text) {
		return "", model.BadInput(field, "%q cannot be an id of Exa's", model.Clip(text))
	}
	return text, nil
}

// noneOf says of NOT_FOUND in our own words what is not there; other errors stay as they are.
func noneOf(err error, field string, ref model.WebsetRef) error {
	if model.CodeOf(err) != model.CodeNotFound {
		return err
	}
	return model.NotFound(field, "you have no %s %s", core.KindNames[ref.Kind], ref.PublicID())
}

// within is the record that another stands in: the webset of a search, an item or an enrichment, the monitor of a run.
func within(ref model.WebsetRef) model.WebsetRef {
	if ref.Kind == model.KindMonitorRun {
		return model.WebsetRef{Kind: model.KindMonitor, ID: ref.Within}
	}
	return model.WebsetRef{Kind: model.KindWebset, ID: ref.Within}
}
