package resolvers

import (
	"almanac/graph"
	"almanac/graph/model"
	"context"
)

func (r *queryResolver) Node(ctx context.Context, id string) (model.Node, error) {
	return r.node(ctx, id)
}

func (r *queryResolver) Nodes(ctx context.Context, ids []string) ([]model.Node, error) {
	return r.nodeList(ctx, ids)
}

func (r *Resolver) Mutation() graph.MutationResolver { return &mutationResolver{r} }

func (r *Resolver) Query() graph.QueryResolver { return &queryResolver{r} }

func (r *Resolver) Subscription() graph.SubscriptionResolver { return &subscriptionResolver{r} }

type (
	mutationResolver     struct{ *Resolver }
	queryResolver        struct{ *Resolver }
	subscriptionResolver struct{ *Resolver }
)
