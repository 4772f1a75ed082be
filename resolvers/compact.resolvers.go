package resolvers

import (
	"almanac/graph/model"
	"almanac/projections"
	"context"
)

func (r *queryRoot) FormatOutput(ctx context.Context, operation string, data *model.JSON, options *projections.CompactOptions) (*projections.FormatResult, error) {
	return r.all.formatOutput(ctx, operation, data, options)
}

func (r *queryRoot) FormatOperations(ctx context.Context) ([]string, error) {
	return r.all.Formatters.Operations(), nil
}
