package emails

import (
	"context"

	"github.com/99designs/gqlgen/graphql"

	"almanac/graph/model"
	"almanac/projections"
	"almanac/resolvers/core"
)

// EmailArrivals answers the emailReceived subscription. An e-mail that cannot be read at the moment comes without
// itself: that it has arrived is known, and a listener must not be stopped by a remote that does not answer.
func (r *Resolver) EmailArrivals(ctx context.Context, after *string) (<-chan *projections.EmailArrival, error) {
	arrived := func(line model.Change) bool { return line.Operation == model.OperationCreated }
	return core.FollowKinds(ctx, r.Base, []model.ChangeType{model.ChangeEmail}, arrived, after,
		r.LoadArrivals(core.Answered(ctx)))
}

// LoadArrivals returns what loads changes that are arrivals of e-mails, with what is selected of them.
func (r *Resolver) LoadArrivals(selected core.Selection) core.LoadChanges[*projections.EmailArrival] {
	asked := selected.Under("email", "Email")
	return func(ctx context.Context, events []core.Event) ([]*projections.EmailArrival, error) {
		now := map[model.ID]model.Node{}
		if len(asked.Fields) > 0 {
			if err := r.LoadEmails(quietly(ctx), events[0].V, core.ChangedIDs(core.LinesOf(events), model.ChangeEmail), asked,
				now); err != nil {
				return nil, err
			}
		}
		out := make([]*projections.EmailArrival, len(events))
		for i, e := range events {
			out[i] = &projections.EmailArrival{Change: e.Change(nil)}
			if email, there := now[projections.ChangedID(e.Line)].(projections.Email); there {
				out[i].Email = &email
			}
		}
		return out, nil
	}
}

// quietly takes what would be told beside the answer away: an answer of a stream has nothing beside it.
func quietly(ctx context.Context) context.Context { return graphql.WithFreshResponseContext(ctx) }
