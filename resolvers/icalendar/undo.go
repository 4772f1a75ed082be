package icalendar

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"almanac/adapters/store"
	"almanac/graph/model"
	"almanac/resolvers/core"
)

// Undoes is the key of Undoer in inverses.
const Undoes = "icalendar"

// inverse is what undoing an import needs: events that it has written, and nobody since, carry its generation.
type inverse struct {
	Calendar   int
	Generation int64
	// Replaced are the events that it has changed or deleted, as they were: model.EventRow.
	Replaced json.RawMessage
}

// undoing is what undoing an import does.
type undoing struct {
	Calendar int
	// Delete are the ids of the events that it has brought.
	Delete []string
	// Restore are events as they were; Since those of them that were changed or deleted since.
	Restore, Since []model.EventRow
}

// Undoer undoes imports.
func (r *Resolver) Undoer() core.Undoer { return undoer{r} }

type undoer struct{ *Resolver }

// PlanUndo implements core.Undoer.
func (u undoer) PlanUndo(ctx context.Context, v *core.Viewer, packed json.RawMessage) (plan core.UndoPlan, err error) {
	var back inverse
	if err := json.Unmarshal(packed, &back); err != nil {
		return plan, fmt.Errorf("read the inverse of an import: %w", err)
	}
	steps := undoing{Calendar: back.Calendar}
	var replaced []model.EventRow
	if err := json.Unmarshal(back.Replaced, &replaced); err != nil {
		return plan, fmt.Errorf("read the inverse of an import: %w", err)
	}
	was := make(map[string]bool, len(replaced))
	for _, row := range replaced {
		was[row.ID] = true
	}
	now := map[string]int64{} // generations
	for after := ""; ; {
		const page = 500
		rows, err := u.Store.AllEvents(ctx, v.User, back.Calendar, after, page)
		if err != nil {
			return plan, err
		}
		for _, row := range rows {
			now[row.ID] = row.Generation
			if row.Generation == back.Generation && !was[row.ID] {
				steps.Delete = append(steps.Delete, row.ID)
			}
		}
		if len(rows) < page {
			break
		}
		after = rows[len(rows)-1].ID
	}
	calendar := model.OwnCalendar(back.Calendar)
	for _, row := range replaced {
		if generation, there := now[row.ID]; there && generation != back.Generation {
			steps.Since = append(steps.Since, row)
			plan.Since = append(plan.Since, calendar.Event(row.ID).ID().String())
			continue
		}
		steps.Restore = append(steps.Restore, row)
	}
	plan.Rest = len(steps.Delete) + len(steps.Restore)
	plan.All = plan.Rest + len(steps.Since)
	plan.Steps, err = json.Marshal(steps)
	return plan, err
}

// Undo implements core.Undoer. It is done some events at a time; what was done before a failure is kept.
func (u undoer) Undo(ctx context.Context, v *core.Viewer, plan core.UndoPlan, all bool) (undone bool, err error) {
	var steps undoing
	if err := json.Unmarshal(plan.Steps, &steps); err != nil {
		return false, fmt.Errorf("read what is to be undone: %w", err)
	}
	restore := steps.Restore
	if all {
		restore = slices.Concat(restore, steps.Since)
	}
	found, err := u.Store.KeptCalendars(ctx, v.User)
	if err != nil {
		return false, err
	}
	at := slices.IndexFunc(found, func(c model.KeptCalendar) bool { return c.Number == steps.Calendar })
	if at < 0 {
		return false, model.NotFound("input.id", "the calendar was deleted since")
	}
	keys := make([]model.EventKey, len(steps.Delete))
	for i, id := range steps.Delete {
		keys[i] = model.EventKey{Calendar: steps.Calendar, ID: id}
	}
	deleted, err := u.Files.Delete(ctx, v.User, keys)
	if err != nil {
		return deleted, err
	}
	for i := range restore {
		restore[i].Version = ""
	}
	if saved, err := u.Files.Save(ctx, v.User, restore); err != nil {
		return deleted || saved, err
	}
	return true, u.Store.Write(ctx, v.User, func(ctx context.Context, tx store.Tx) error {
		return core.ActFrom(ctx).Did(ctx, tx, core.Did{Changes: []model.Difference{{ID: found[at].Ref().ID(),
			Before: &found[at], After: &found[at]}}})
	})
}
