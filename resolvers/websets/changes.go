package websets

import (
	"context"

	"almanac/graph/model"
	"almanac/projections"
	"almanac/resolvers/core"
)

// aboutWebset reports whether a change is one of a webset or of an item of it. Those of monitors and imports do not say
// to which webset they belong.
func aboutWebset(line model.Change, webset string) bool {
	ref, err := model.WebsetRefOf(projections.ChangedID(line))
	return err == nil && (ref.Kind == model.KindWebset && ref.ID == webset || ref.Within == webset)
}

// WebsetChanges answers the websetChanged subscription. What cannot be read at the moment comes without itself.
func (r *Resolver) WebsetChanges(ctx context.Context, id, after *string) (<-chan *projections.WebsetChange, error) {
	wanted := core.EveryChange
	if id != nil {
		ref, err := WebsetRef("id", *id, model.KindWebset)
		if err != nil {
			return nil, err
		}
		wanted = func(line model.Change) bool { return aboutWebset(line, ref.ID) }
	}
	return core.FollowKinds(ctx, r.Base, ChangeTypes(), wanted, after, r.LoadWebsetChanges(core.Answered(ctx)))
}

// LoadWebsetChanges returns what loads changes of websets, with what is selected of them.
func (r *Resolver) LoadWebsetChanges(asked core.Selection) core.LoadChanges[*projections.WebsetChange] {
	return func(ctx context.Context, events []core.Event) ([]*projections.WebsetChange, error) {
		var now map[model.UUID]model.Node
		if asked.Has("node") {
			var err error
			if now, err = r.ChangedWebsets(ctx, events[0].V, core.LinesOf(events), func(error) {}); err != nil {
				return nil, err
			}
		}
		out := make([]*projections.WebsetChange, len(events))
		for i, e := range events {
			out[i] = &projections.WebsetChange{Change: e.Change(now[e.Line.ID])}
		}
		return out, nil
	}
}
