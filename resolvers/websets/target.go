package websets

import (
	"context"

	"almanac/adapters/exa"
	"almanac/graph"
	"almanac/graph/model"
	"almanac/projections/naming"
	"almanac/resolvers/core"
)

const (
	// maxTarget is how many characters a text may have that names a webset.
	maxTarget = 2_000
	// maxNamed is among how many websets a text is looked for.
	maxNamed = 2_000
)

// websetMeant finds the webset that a mutation is about, or asks; the rest of the target says how.
func (r *Resolver) websetMeant(ctx context.Context, id *string, target *graph.WebsetTargetInput,
	confirm *graph.ConfirmInput, t core.Target) (core.Meant, error) {
	v, err := core.ViewerFrom(ctx)
	if err != nil {
		return core.Meant{}, err
	}
	t.Kind, t.Naming, t.Field, t.ID, t.HasTarget, t.Confirm = model.KindWebset, naming.Webset, "input.id", id,
		target != nil, confirm
	t.Candidates = func(ctx context.Context, _ string) ([]core.Choice, error) { return r.websetNames(ctx, v) }
	if target != nil {
		if t.TargetID = target.ID; target.Match != nil {
			t.Texts = []core.Text{{Field: "input.target.match.text", Text: target.Match.Text, Most: maxTarget}}
		}
	}
	return r.Meant(ctx, v, t)
}

// websetNames reads what all websets are called. BAD_USER_INPUT when there are too many to be sure that one is meant.
func (r *Resolver) websetNames(ctx context.Context, v *core.Viewer) ([]core.Choice, error) {
	account, err := r.exaOf(ctx, v)
	if err != nil {
		return nil, err
	}
	var all []core.Choice
	for read, page := 0, (exa.Page{Limit: exaOthers}); ; {
		list, err := account.Websets(ctx, page)
		if err != nil {
			return nil, err
		}
		for _, webset := range list.Items {
			all = append(all, choicesOf(webset)...)
		}
		if read += len(list.Items); list.Next == "" || len(list.Items) == 0 {
			return all, nil
		}
		if page.After = list.Next; read >= maxNamed {
			return nil, model.BadInput("input.target.match", "you have more than %d websets; name one by its id", maxNamed)
		}
	}
}

// choicesOf are the texts by which a webset may be named.
func choicesOf(webset model.Webset) []core.Choice {
	id := webset.Ref.PublicID().String()
	names := []string{webset.Title, webset.ExternalID}
	for _, search := range webset.Searches {
		names = append(names, search.Query)
	}
	label := ""
	var out []core.Choice
	for _, name := range names {
		if name == "" {
			continue
		}
		if label == "" {
			label = model.Clip(name)
		}
		out = append(out, core.Choice{ID: id, Name: name, Label: label})
	}
	return out
}

// giveBack makes the answer to a question usable again, when nothing was done.
func (r *Resolver) giveBack(ctx context.Context, meant core.Meant, refusal error) {
	if v, err := core.ViewerFrom(ctx); err == nil {
		r.GiveBack(ctx, v, meant, refusal)
	}
}
