package resolvers

import (
	"context"
	"strings"

	"almanac/graph"
	"almanac/graph/model"
	"almanac/projections"
	"almanac/projections/respond"
	"almanac/resolvers/core"
)

// formatResponse answers the query of that name.
func (r *Resolver) formatResponse(ctx context.Context, capability, operation string,
	data *model.JSON) (*graph.FormattedResponse, error) {
	v, err := core.ViewerFrom(ctx)
	if err != nil {
		return nil, err
	}
	value := model.JSON("null")
	if data != nil {
		value = *data
	}
	made, err := respond.Format(capability, operation, value, v.Moment)
	if err != nil {
		return nil, err
	}
	out := &graph.FormattedResponse{
		Agent: string(made.Agent), Operation: made.Operation,
		EntityType: graph.FormattedEntityType(strings.ToUpper(string(made.EntityType))),
		Metadata:   formattedMetadata(made.Metadata), IsEmpty: made.IsEmpty, Kept: made.Kept,
		Context:          &graph.FormattedContext{Capability: string(made.Agent), Flags: made.Context.Flags()},
		FailedOperations: make([]graph.FormattedFailure, len(made.FailedOperations)),
	}
	for i, f := range made.FailedOperations {
		out.FailedOperations[i] = graph.FormattedFailure{StepID: f.StepID, SearchedFor: f.SearchedFor,
			UserRequest: f.UserRequest, ErrorMessage: f.ErrorMessage}
	}
	asked := core.Answered(ctx)
	if asked.Has("items") {
		out.Items = formattedItems(made.Items)
	}
	if c := made.Categorized; c != nil && asked.Has("categorized") {
		out.Categorized = &graph.FormattedBuckets{
			Overdue: formattedItems(c.Overdue), Today: formattedItems(c.Today), Upcoming: formattedItems(c.Upcoming),
			Recurring: formattedItems(c.Recurring), NoDueDate: formattedItems(c.NoDueDate),
		}
	}
	if asked.Has("json") {
		out.JSON = made.JSON()
	}
	return out, nil
}

func formattedMetadata(m respond.Metadata) *graph.FormattedMetadata {
	return &graph.FormattedMetadata{
		Deleted: respond.Number(m.Deleted), Updated: respond.Number(m.Updated), Count: respond.Number(m.Count),
		Errors: m.Errors, NotFound: m.NotFound, IsRecurringSeries: m.IsRecurringSeries, Summaries: m.Summaries,
	}
}

func formattedItems(items []respond.Item) []graph.FormattedItem {
	out := make([]graph.FormattedItem, len(items))
	for i, item := range items {
		out[i] = graph.FormattedItem{
			Key: core.TextOrNil(item.ID()), Label: core.TextOrNil(item.Label()), ItemContext: formattedItemContext(item),
			Data:  item.Raw,
			Dates: make([]graph.FormattedDate, len(item.Dates)),
		}
		for j, d := range item.Dates {
			out[i].Dates[j] = graph.FormattedDate{Key: d.Key, Path: d.Path, Value: d.Value, Formatted: d.Text}
		}
	}
	return out
}

func formattedItemContext(item respond.Item) *graph.FormattedItemContext {
	out := &graph.FormattedItemContext{}
	switch {
	case item.Task != nil:
		f := item.Task
		out.IsReminder, out.IsTask, out.IsRecurring, out.IsNudge = &f.IsReminder, &f.IsTask, &f.IsRecurring, &f.IsNudge
		out.IsOverdue, out.IsToday, out.IsTomorrowOrLater, out.HasDueDate = &f.IsOverdue, &f.IsToday, &f.IsTomorrowOrLater,
			&f.HasDueDate
	case item.Event != nil:
		f := item.Event
		out.IsRecurring, out.IsRecurringSeries = &f.IsRecurring, &f.IsRecurringSeries
		out.IsToday, out.IsTomorrowOrLater, out.IsPast = &f.IsToday, &f.IsTomorrowOrLater, &f.IsPast
	case item.Email != nil:
		out.IsPreview = &item.Email.IsPreview
	case item.Memory != nil:
		f := item.Memory
		out.IsNew, out.IsOverride, out.HasMetadata = &f.IsNew, &f.IsOverride, &f.HasMetadata
		if f.MemoryType != nil {
			out.MemoryType = core.TextOrNil(strings.ToLower(string(*f.MemoryType)))
		}
	}
	return out
}

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
