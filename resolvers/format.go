package resolvers

import (
	"context"

	"almanac/graph/model"
	"almanac/projections"
	"almanac/resolvers/core"
)

// maxFormatted is how large the data of formatOutput may be, in bytes.
const maxFormatted = 1 << 20

// maxOperationName is how long the name of an operation may be, in characters.
const maxOperationName = 200

// formatOutput answers the query of that name.
func (r *Resolver) formatOutput(ctx context.Context, operation string, given *model.JSON,
	limits *projections.CompactOptions) (*projections.FormatResult, error) {
	data := model.JSON("null")
	if given != nil && *given != "" {
		data = *given
	}
	if err := core.TooLong("operation", operation, maxOperationName); err != nil {
		return nil, err
	}
	if len(data) > maxFormatted {
		return nil, model.BadInput("data", "data has %d bytes; at most %d are formatted at once", len(data), maxFormatted)
	}
	options, err := r.CompactOptions(ctx, limits)
	if err != nil {
		return nil, err
	}
	return projections.FormatResultOf(r.Formatters.FormatOutput(ctx, operation, []byte(data), options),
		options.CollectMetrics, ""), nil
}
