package icalendar

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"

	"almanac/adapters/calfiles"
	"almanac/adapters/store"
	"almanac/graph"
	"almanac/graph/model"
	"almanac/internal/dryrun"
	"almanac/projections"
	"almanac/projections/ical"
	"almanac/projections/summary"
	"almanac/resolvers/core"
)

// maxErrors is how many refusals stand in a payload's errors.
const maxErrors = 100

// maxInverse is how much is kept, in bytes, so that an import can be undone.
const maxInverse = 4 << 20

// ImportEvents brings the events of a file into an own calendar.
func (r *Resolver) ImportEvents(ctx context.Context, in graph.ImportEventsInput) (*graph.ImportEventsPayload, error) {
	v, err := core.ViewerFrom(ctx)
	if err != nil {
		return nil, err
	}
	out := &graph.ImportEventsPayload{Report: new(projections.ImportReport), Errors: []model.BulkError{},
		UserErrors: []model.UserError{}}
	calendar, err := r.calendar(ctx, v, "input.calendarId", in.CalendarID)
	if err = cmp.Or(err, writable("input.calendarId", calendar)); err != nil {
		core.AddUserError(ctx, &out.UserErrors, err)
		return out, nil
	}
	plan, err := r.Files.Plan(ctx, v.User, calendar, []byte(in.Text))
	if err != nil {
		return out, core.Refuse(&out.UserErrors, core.AtField(err, "input.text"))
	}
	if plan.Changes() {
		err = r.apply(ctx, v, plan)
	}
	if plan.Calendar.Number > 0 {
		out.Calendar = viewOf(plan.Calendar)
	}
	fill(ctx, v, out, plan)
	return out, err
}

// apply does what a plan says. A dry run keeps to the plan, which has read all that there is to know.
func (r *Resolver) apply(ctx context.Context, v *core.Viewer, plan *calfiles.Import) error {
	if plan.Calendar.Number == 0 {
		calendar, err := r.Own.Needed(ctx, v.User, v.Zone.String())
		if err != nil {
			return err
		}
		plan.Into(calendar)
	}
	keep := func(ctx context.Context, tx store.Tx, generation int64) error {
		act := core.ActFrom(ctx)
		act.Say = func() string {
			return summary.Imported(plan.Count(model.ImportCreated), plan.Count(model.ImportUpdated),
				plan.Count(model.ImportDeleted), plan.Calendar.Name, v.Locale)
		}
		done := core.Did{Changes: []model.Difference{{ID: plan.Calendar.Ref().ID(), Before: &plan.Calendar,
			After: &plan.Calendar}}}
		packed, err := json.Marshal(plan.Replaced)
		if err != nil {
			return fmt.Errorf("keep what an import replaces: %w", err)
		}
		if len(packed) <= maxInverse {
			done.System = Undoes
			done.Inverse = inverse{Calendar: plan.Calendar.Number, Generation: generation, Replaced: packed}
		}
		return act.Did(ctx, tx, done)
	}
	if dryrun.Is(ctx) {
		return r.Store.Write(ctx, v.User, func(ctx context.Context, tx store.Tx) error { return keep(ctx, tx, 0) })
	}
	return plan.Apply(ctx, keep)
}

// fill says in a payload what came of the entries.
func fill(ctx context.Context, v *core.Viewer, out *graph.ImportEventsPayload, plan *calfiles.Import) {
	for outcome, n := range map[model.ImportOutcome]*int32{model.ImportCreated: &out.Created,
		model.ImportUpdated: &out.Updated, model.ImportDeleted: &out.Deleted, model.ImportUnchanged: &out.Unchanged,
		model.ImportRefused: &out.Refused} {
		*n = int32(plan.Count(outcome))
	}
	ref, isDry := plan.Calendar.Ref(), dryrun.Is(ctx)
	out.Report.Count = len(plan.Entries)
	out.Report.Outcome = func(place int) model.ImportOutcome { return plan.Entries[place].Outcome }
	out.Report.Entry = func(place int) projections.ImportEntry {
		e, id := plan.Entries[place], ""
		if e.ID != "" && e.Outcome != model.ImportDeleted {
			id = ref.Event(e.ID).ID().String()
			if isDry && e.Outcome != model.ImportUnchanged {
				id = dryrun.Prefix + id
			}
		}
		return projections.ImportEntryOf(e.Outcome, e.Line, e.UID, e.Summary, e.Reason, id, e.Start, notes(e.Notes), v.Moment)
	}
	for n, e := range plan.Entries {
		if e.Outcome == model.ImportRefused && len(out.Errors) < maxErrors {
			out.Errors = append(out.Errors, model.BulkError{Index: n, Code: model.CodeBadUserInput,
				Message: fmt.Sprintf("the entry in line %d %s", e.Line, e.Reason)})
		}
	}
}

func notes(of []ical.Note) []string {
	out := make([]string, len(of))
	for i, note := range of {
		out[i] = fmt.Sprintf("line %d: %s", note.Line, note.Reason)
	}
	return out
}
