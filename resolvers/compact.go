package resolvers

import (
	"context"
	"time"

	"almanac/graph"
	"almanac/graph/model"
	"almanac/projections"
	"almanac/projections/compact"
)

// maxFormatted is how large the data of formatOutput may be, in bytes.
const maxFormatted = 1 << 20

// maxOperationName is how long the name of an operation may be, in characters.
const maxOperationName = 200

// formatOutput answers the query of that name.
func (r *Resolver) formatOutput(ctx context.Context, operation string, data model.JSON,
	given *projections.CompactOptions) (*projections.FormatResult, error) {
	if err := tooLong("operation", operation, maxOperationName); err != nil {
		return nil, err
	}
	if len(data) > maxFormatted {
		return nil, model.BadInput("data", "data has %d bytes; at most %d are formatted at once", len(data), maxFormatted)
	}
	options, err := r.compactOptions(ctx, given)
	if err != nil {
		return nil, err
	}
	if data == "" {
		data = "null"
	}
	return projections.FormatResultOf(r.Formatters.FormatOutput(ctx, operation, []byte(data), options),
		options.CollectMetrics, ""), nil
}

// compactOptions reads the options of a text for the viewer, and starts its watch.
func (r *Resolver) compactOptions(ctx context.Context, given *projections.CompactOptions) (compact.Options, error) {
	v, err := viewerFrom(ctx)
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

// compact writes what is neither a page nor changed by the options.
func (r *Resolver) compact(ctx context.Context, given *projections.CompactOptions,
	row compacted) (*projections.FormatResult, error) {
	options, err := r.compactOptions(ctx, given)
	if err != nil {
		return nil, err
	}
	return projections.FormatResultOf(row.Write(options), options.CollectMetrics, ""), nil
}

// pageShown is what a page of compact text needs to know of a connection.
type pageShown struct {
	kind    compact.Kind
	hasNext bool
	cursor  func(int) string
	// rows makes the rows; it may look at the options.
	rows func(compact.Options) []compact.Row
}

// compactPage writes a page. Where rows of it are left out, or others follow, the text can be gone on with after the
// last row that it shows.
func (r *Resolver) compactPage(ctx context.Context, given *projections.CompactOptions,
	page pageShown) (*projections.FormatResult, error) {
	options, err := r.compactOptions(ctx, given)
	if err != nil {
		return nil, err
	}
	rows := page.rows(options)
	made := compact.Page{Kind: page.kind, Rows: rows, More: page.hasNext}.Write(options)
	next := ""
	if made.Shown > 0 && (made.Shown < len(rows) || page.hasNext) {
		next = page.cursor(made.Shown - 1)
	}
	return projections.FormatResultOf(made, options.CollectMetrics, next), nil
}

// shownPage is the part of a page that its rows can be made of one by one.
func shownPage[V any, R compact.Row](kind compact.Kind, page projections.Page[V], row func(V) R) pageShown {
	return pageShown{
		kind: kind, hasNext: page.HasNext, cursor: page.Cursor,
		rows: func(compact.Options) []compact.Row { return projections.Rows(page.Items, row) },
	}
}

// shownFound is a page of entities or facts; those that were found say how well.
func shownFound[V any](kind compact.Kind, page projections.FoundPage[V], row func(V) compact.Row,
	found func(*float64, V) compact.Row) pageShown {
	return pageShown{
		kind: kind, hasNext: page.HasNext, cursor: page.Cursor,
		rows: func(compact.Options) []compact.Row {
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

func entityPage(page projections.FoundPage[projections.Entity]) pageShown {
	return shownFound(compact.KindEntities, page,
		func(e projections.Entity) compact.Row { return e.Row() },
		func(score *float64, e projections.Entity) compact.Row {
			return compact.FoundEntity{Score: score, Node: e.Row()}
		})
}

func factPage(page projections.FoundPage[projections.Fact]) pageShown {
	return shownFound(compact.KindFacts, page,
		func(f projections.Fact) compact.Row { return f.Row() },
		func(score *float64, f projections.Fact) compact.Row {
			return compact.FoundFact{Score: score, Node: f.Row()}
		})
}

// emailRows are e-mails with as much of their bodies as a text may show, read while there is time.
func emailRows(emails []projections.Email) func(compact.Options) []compact.Row {
	return func(o compact.Options) []compact.Row {
		rows := make([]compact.Row, len(emails))
		for i, email := range emails {
			body := 0
			if !o.Watch.Over() {
				body = max(o.MaxLines, compact.DefaultLines) * max(o.MaxLineLength, compact.DefaultLineLength)
			}
			rows[i] = email.Row(body)
		}
		return rows
	}
}

// threadPage is a conversation, which has no cursors.
func threadPage(thread *projections.EmailThread) pageShown {
	return pageShown{kind: compact.KindEmails, rows: emailRows(thread.Items), cursor: func(int) string { return "" }}
}

// emailPage is a page of e-mails.
func emailPage(page projections.Page[projections.Email]) pageShown {
	return pageShown{kind: compact.KindEmails, hasNext: page.HasNext, cursor: page.Cursor, rows: emailRows(page.Items)}
}

// The pieces of payloads.

// tally is how many things something was done to.
func tally[N ~int | ~int32](name string, n N) compact.Count {
	return compact.Count{Name: name, N: int(n)}
}

// maybeTally is tally for a number that may be unknown.
func maybeTally(name string, n *int32) compact.Count {
	if n == nil {
		return tally(name, 0)
	}
	return tally(name, *n)
}

// tallyOne counts something that is there or not.
func tallyOne[V any](name string, view *V) compact.Count {
	if view == nil {
		return tally(name, 0)
	}
	return tally(name, 1)
}

// tallyIf counts what was done or not.
func tallyIf(name string, done bool) compact.Count {
	if done {
		return tally(name, 1)
	}
	return tally(name, 0)
}

// rowOf is the row of a view that may be missing.
func rowOf[V any, R compact.Row](view *V, row func(V) R) []compact.Row {
	if view == nil {
		return nil
	}
	return []compact.Row{row(*view)}
}

// refs are ids as rows of their own.
func refs(ids []string) []compact.Row {
	rows := make([]compact.Row, len(ids))
	for i, id := range ids {
		rows[i] = compact.Ref{ID: id}
	}
	return rows
}

// refIf is the id of what something was done to, none when nothing was.
func refIf(done bool, id *string) []compact.Row {
	if !done || id == nil {
		return nil
	}
	return refs([]string{*id})
}

func problemsOf(errors []model.BulkError) []compact.Problem {
	out := make([]compact.Problem, len(errors))
	for i, e := range errors {
		out[i] = compact.Problem{ID: e.ID, Index: e.Index, Code: e.Code, Message: e.Message}
	}
	return out
}

func userErrorsOf(errors []model.UserError) []compact.UserError {
	out := make([]compact.UserError, len(errors))
	for i, e := range errors {
		out[i] = compact.UserError(e)
	}
	return out
}

// itemSteps are what came of the steps of updateListItems: items that were changed, and why others were not.
func itemSteps(p *graph.UpdateListItemsPayload) (done int, problems []compact.Problem) {
	for _, outcome := range p.Outcomes {
		if outcome.Status == model.ItemDone {
			done++
		}
		if outcome.Code == nil {
			continue
		}
		problem := compact.Problem{Index: outcome.Index, Code: *outcome.Code}
		if outcome.Message != nil {
			problem.Message = *outcome.Message
		}
		problems = append(problems, problem)
	}
	return done, problems
}
