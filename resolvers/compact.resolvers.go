package resolvers

import (
	"almanac/graph/model"
	"almanac/projections"
	"context"
)

func (r *queryResolver) FormatOutput(ctx context.Context, operation string, data model.JSON, options *projections.CompactOptions) (*projections.FormatResult, error) {
	return r.formatOutput(ctx, operation, data, options)
}

func (r *queryResolver) FormatOperations(ctx context.Context) ([]string, error) {
	return r.Formatters.Operations(), nil
}
