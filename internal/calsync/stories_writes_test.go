package calsync_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"almanac/adapters/gcal"
	"almanac/adapters/google"
	"almanac/adapters/store"
	"almanac/graph/model"
	"almanac/internal/calsync"
	standin "almanac/internal/standin/google"
)

// mortalWorker is the worker of a process that is killed.
type mortalWorker struct {
	*calsync.Worker
	store *mortal
}

// writers have each process write to the calendar while it syncs it, until it is killed or has done enough.
func (s *story) writers(c model.Connection, workers []mortalWorker) *sync.WaitGroup {
	s.Helper()
	var running sync.WaitGroup
	for _, w := range workers {
		running.Go(func() {
			for n := s.chosen(4); n > 0; n-- {
				s.writeOurs(w, c)
			}
		})
	}
	return &running
}

// chosen is a random number below n.
func (s *story) chosen(n int) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.random.IntN(n)
}

// writeOurs makes one change as a mutation does: the copy is out of use, Google is asked, and its answer is applied
// with the log.
func (s *story) writeOurs(w mortalWorker, c model.Connection) {
	s.Helper()
	change := s.changeOurs(c)
	ctx := context.WithoutCancel(s.Context())
	write, err := w.BeginWrite(ctx, c, "")
	if err != nil {
		return
	}
	within, answers := gcal.WithAnswers(ctx)
	within, changes := google.WithChanges(within)
	err = change(within)
	write.End(err == nil || changes.MayHaveChanged() || errors.Is(err, gcal.ErrUnknownOutcome), answers)
	if s.chance(2) { // somebody changes it again, and a sync has seen that, before the answer is applied
		s.step()
		_ = w.Refresh(ctx, c, "") // which may be killed
	}
	if s.chance(8) {
		return // killed
	}
	all := []gcal.KeptWrite{write}
	err = w.store.Write(ctx, c.User, func(ctx context.Context, tx store.Tx) error {
		return w.ApplyWrites(ctx, tx, all, func(map[model.UUID]bool) error { return nil })
	})
	w.FinishWrites(ctx, all, err == nil)
}

// changeOurs chooses a change, which may fail.
func (s *story) changeOurs(c model.Connection) func(ctx context.Context) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.clock.Advance(time.Second)
	kind, number := s.random.IntN(8), s.random.Int()
	faults := []standin.Fault{{LoseAnswer: true}, {Status: 429, Reason: "rateLimitExceeded"},
		{Status: 412, Reason: "conditionNotMet"}, {Status: 409, Reason: "duplicate"}, {Status: 503}}
	if s.random.IntN(3) == 0 {
		fault := faults[s.random.IntN(len(faults))]
		fault.Account, fault.Times = s.email, 1+s.random.IntN(2)
		fault.Method = "calendar.events." + []string{"insert", "patch", "delete"}[s.random.IntN(3)]
		s.server.Inject(fault)
	}
	title := fmt.Sprint("ours ", number)
	if len(s.ids) == 0 || kind < 3 {
		id := fmt.Sprintf("ours%d", number)
		start := time.Date(2026, 11, 1+number%28, 8, 0, 0, 0, time.UTC)
		made := model.Event{Summary: title, Start: model.EventTime{At: start, Zone: "UTC"},
			End: model.EventTime{At: start.Add(time.Hour), Zone: "UTC"}}
		if kind == 0 {
			made.Recurrence = []string{"RRULE:FREQ=DAILY;COUNT=5"}
		}
		s.changes[id]++
		return func(ctx context.Context) error {
			_, _, err := s.client.Insert(ctx, c, "", gcal.NewEvent{SourceID: id, Event: made})
			if err == nil {
				s.mu.Lock()
				defer s.mu.Unlock()
				if s.ids = append(s.ids, id); made.Recurrence != nil {
					s.series = append(s.series, id)
				}
			}
			return err
		}
	}
	id := s.ids[s.random.IntN(len(s.ids))]
	if len(s.series) > 0 && kind > 5 {
		of := s.series[s.random.IntN(len(s.series))]
		id = s.instanceOf(of)
		s.roots[id] = s.root(of)
	}
	s.changes[s.root(id)]++
	ref := model.EventRef{Connection: c.Number, Event: id}
	if kind%2 == 0 {
		return func(ctx context.Context) error {
			_, err := s.client.Patch(ctx, c, ref, gcal.Patch{Summary: &title}, gcal.ChangeOptions{})
			return err
		}
	}
	if kind == 7 || len(s.ids) < 3 {
		return func(ctx context.Context) error {
			_, err := s.client.Delete(ctx, c, ref, gcal.ChangeOptions{})
			return err
		}
	}
	rule := []string{fmt.Sprint("RRULE:FREQ=DAILY;COUNT=", 2+number%5)}
	return func(ctx context.Context) error {
		now, err := s.client.Event(ctx, c, ref, gcal.FieldsAll)
		if err != nil || !now.IsSeries() {
			return err
		}
		_, err = s.client.PatchSeries(ctx, c, ref, gcal.Patch{Recurrence: &rule}, gcal.ChangeOptions{})
		return err
	}
}
