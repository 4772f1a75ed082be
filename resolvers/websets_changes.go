package resolvers

import (
	"context"

	"almanac/graph/model"
	"almanac/projections"
)

// aboutWebset tells whether a change is one of a webset or of an item of it. Those of monitors and imports do not say
// to which webset they belong.
func aboutWebset(line model.Change, webset string) bool {
	ref, err := model.WebsetRefOf(projections.ChangedID(line))
	return err == nil && (ref.Kind == model.KindWebset && ref.ID == webset || ref.Within == webset)
}

// websetChanges answers the websetChanged subscription. What cannot be read at the moment comes without itself.
func (r *Resolver) websetChanges(ctx context.Context, id, after *string) (<-chan *projections.WebsetChange, error) {
	wanted := everyChange
	if id != nil {
		ref, err := websetRef("id", *id, model.KindWebset)
		if err != nil {
			return nil, err
		}
		wanted = func(line model.Change) bool { return aboutWebset(line, ref.ID) }
	}
	asked := answered(ctx)
	return followKinds(ctx, r, websetChangeTypes(), wanted, after,
		func(ctx context.Context, events []event) ([]*projections.WebsetChange, error) {
			var now map[model.UUID]model.Node
			if asked.has("node") {
				var err error
				if now, err = r.changedWebsets(ctx, events[0].v, linesOf(events), func(error) {}); err != nil {
					return nil, err
				}
			}
			out := make([]*projections.WebsetChange, len(events))
			for i, e := range events {
				out[i] = &projections.WebsetChange{Change: projections.ChangeAt(e.line, now[e.line.ID], e.cursor, e.v.Moment)}
			}
			return out, nil
		})
}
