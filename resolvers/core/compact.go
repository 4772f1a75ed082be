package core

import (
	"context"
	"time"

	"almanac/projections"
	"almanac/projections/compact"
)

// CompactOptions reads the options of a text for the viewer, and starts its watch.
func (r *Base) CompactOptions(ctx context.Context, given *projections.CompactOptions) (compact.Options, error) {
	v, err := ViewerFrom(ctx)
	if err != nil {
		return compact.Options{}, err
	}
	watch := &compact.Watch{Clock: r.Now, After: after}
	return given.Checked(v.Moment, watch.Start())
}

// after hears once that a time has passed.
func after(d time.Duration) (passed <-chan time.Time, stop func()) {
	timer := time.NewTimer(d)
	return timer.C, func() { timer.Stop() }
}

// compacted is what gives one of our own answers as text.
type compacted interface {
	Write(o compact.Options) compact.Result
}

// Compact writes what is neither a page nor changed by the options.
func (r *Base) Compact(ctx context.Context, given *projections.CompactOptions,
	row compacted) (*projections.FormatResult, error) {
	options, err := r.CompactOptions(ctx, given)
	if err != nil {
		return nil, err
	}
	return projections.FormatResultOf(row.Write(options), options.CollectMetrics, ""), nil
}

// PageShown is what a page of compact text needs to know of a connection.
type PageShown struct {
	Kind    compact.Kind
	HasNext bool
	Cursor  func(int) string
	// Rows makes the rows; it may look at the options.
	Rows func(compact.Options) []compact.Row
}

// CompactPage writes a page. Where rows of it are left out, or others follow, the text can be gone on with after the
// last row that it shows.
func (r *Base) CompactPage(ctx context.Context, given *projections.CompactOptions,
	page PageShown) (*projections.FormatResult, error) {
	options, err := r.CompactOptions(ctx, given)
	if err != nil {
		return nil, err
	}
	rows := page.Rows(options)
	made := compact.Page{Kind: page.Kind, Rows: rows, More: page.HasNext}.Write(options)
	next := ""
	if made.Shown > 0 && (made.Shown < len(rows) || page.HasNext) {
		next = page.Cursor(made.Shown - 1)
	}
	return projections.FormatResultOf(made, options.CollectMetrics, next), nil
}

// ShownPage is the part of a page that its rows can be made of one by one.
func ShownPage[V any, R compact.Row](kind compact.Kind, page projections.Page[V], row func(V) R) PageShown {
	return PageShown{
		Kind: kind, HasNext: page.HasNext, Cursor: page.Cursor,
		Rows: func(compact.Options) []compact.Row { return projections.Rows(page.Items, row) },
	}
}

// ShownFound is a page of entities or facts; those that were found say how well.
func ShownFound[V any](kind compact.Kind, page projections.FoundPage[V], row func(V) compact.Row,
	found func(*float64, V) compact.Row) PageShown {
	return PageShown{
		Kind: kind, HasNext: page.HasNext, Cursor: page.Cursor,
		Rows: func(compact.Options) []compact.Row {
			rows := make([]compact.Row, len(page.Items))
			for i, item := range page.Items {
				if i < len(page.Found) && page.Found[i] != nil {
					rows[i] = found(&page.Found[i].Score, item)
				} else {
					rows[i] = row(item)
				}
			}
			return rows
		},
	}
}
