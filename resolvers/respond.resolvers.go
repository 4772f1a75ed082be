package resolvers

import (
	"almanac/graph"
	"almanac/graph/model"
	"context"
)

func (r *queryRoot) FormatResponse(ctx context.Context, capability string, operation string, data *model.JSON) (*graph.FormattedResponse, error) {
	return r.all.formatResponse(ctx, capability, operation, data)
}
