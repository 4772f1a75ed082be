package projections

import (
	"almanac/graph/model"
	"almanac/projections/compact"
)

// The methods Row of views return them as the formatter of compact text sees them. What was not read is empty there.

// Rows returns views for compact text.
func Rows[V any, R compact.Row](views []V, row func(V) R) []compact.Row {
	out := make([]compact.Row, len(views))
	for i, view := range views {
		out[i] = row(view)
	}
	return out
}

// rowTime is an instant for compact text, as the viewer's clock shows it; none for nil.
func rowTime(t model.OptionalDateTime) compact.Time { return compact.Time{Time: t.Time} }

func rowDuration(d *model.Duration) *string {
	if d == nil {
		return nil
	}
	text := d.ISO()
	return &text
}
