package resolvers

import (
	"context"

	"github.com/99designs/gqlgen/graphql"

	"almanac/graph/model"
	"almanac/projections"
)

// emailArrivals answers the emailReceived subscription. An e-mail that cannot be read at the moment comes without
// itself: that it has arrived is known, and a listener must not be stopped by a tired remote.
func (r *Resolver) emailArrivals(ctx context.Context, after *string) (<-chan *projections.EmailArrival, error) {
	asked := answered(ctx).under("email", "Email")
	arrived := func(line model.Change) bool { return line.Operation == model.OperationCreated }
	return followKinds(ctx, r, []model.ChangeType{model.ChangeEmail}, arrived, after,
		func(ctx context.Context, events []event) ([]*projections.EmailArrival, error) {
			now := map[model.ID]model.Node{}
			if len(asked.fields) > 0 {
				if err := r.loadEmails(quietly(ctx), events[0].v, changedIDs(linesOf(events), model.ChangeEmail), asked,
					now); err != nil {
					return nil, err
				}
			}
			out := make([]*projections.EmailArrival, len(events))
			for i, e := range events {
				out[i] = &projections.EmailArrival{Change: projections.ChangeAt(e.line, nil, e.cursor, e.v.Moment)}
				if email, there := now[projections.ChangedID(e.line)].(projections.Email); there {
					out[i].Email = &email
				}
			}
			return out, nil
		})
}

// quietly takes what would be told beside the answer away: an answer of a stream has nothing beside it.
func quietly(ctx context.Context) context.Context { return graphql.WithFreshResponseContext(ctx) }
