package calsync

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"almanac/adapters/store"
	"almanac/graph/model"
)

// lookAgain bounds how often Refresh looks, where others are looking at the same time.
const lookAgain = 3

// Doubt takes copies of an account's calendars out of use until a look that begins later has read them: it is for the
// moment before something is written to the remote. Calendars that are not kept are passed over.
func (w *Worker) Doubt(ctx context.Context, account model.Connection, calendars []string) error {
	err := w.Store.Write(ctx, account.User, func(ctx context.Context, tx store.Tx) error {
		all, err := tx.KeptCalendars(ctx, account.User)
		if err != nil {
			return err
		}
		for _, c := range all {
			ref := c.Ref()
			if c.Source != model.CalendarGoogle || ref.Connection != account.Number || c.AsOf.IsZero() ||
				!slices.Contains(calendars, ref.Calendar) {
				continue
			}
			c.AsOf = time.Time{}
			if err := tx.SaveReading(ctx, c.Number, store.ReadingOf(c)); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("calsync: doubt copies: %w", err)
	}
	return nil
}

// Refresh looks at a calendar at once, and returns whether its copy is in use again afterwards. When the remote does
// not answer, the copy is in doubt until a later look. It is for the moment after something was written.
func (w *Worker) Refresh(ctx context.Context, account model.Connection, calendar string) (fresh bool, err error) {
	w.once.Do(w.prepare)
	for range lookAgain {
		var claimed store.SyncState
		err := w.change(ctx, account.User, account.ID, calendar,
			func(_ context.Context, _ store.Tx, state *store.SyncState) error {
				if !state.NextAt.IsZero() {
					state.NextAt = w.Now().Add(lease)
				}
				claimed = *state
				return nil
			})
		if errors.Is(err, errGone) || err == nil && claimed.NextAt.IsZero() {
			return false, nil // it is not followed, or rests
		}
		if err != nil {
			return false, fmt.Errorf("calsync: refresh a copy: %w", err)
		}
		report := w.look(ctx, claimed)
		w.Observe(report)
		switch report.Outcome {
		case OutcomeRead, OutcomeReset, OutcomeBegun:
			return true, nil
		case OutcomeOvertaken:
		default:
			return false, w.Doubt(context.WithoutCancel(ctx), account, []string{calendar})
		}
	}
	return false, w.Doubt(context.WithoutCancel(ctx), account, []string{calendar})
}
