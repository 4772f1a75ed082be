package calsync_test

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strconv"
	"time"

	"almanac/adapters/store"
	"almanac/adapters/store/rows"
	"almanac/graph/model"
)

// What the worker needs of a store to keep copies, in memory.

func (m *memoryStore) KeptCalendars(ctx context.Context, user model.UserID) (all []model.KeptCalendar, err error) {
	if err := m.called(ctx, "KeptCalendars"); err != nil {
		return nil, err
	}
	err = m.in(ctx, user, func(rows *userRows) error {
		all = slices.Clone(rows.calendars)
		return nil
	})
	return all, err
}

func (m *memoryStore) EventNumber(ctx context.Context, user model.UserID) (n int64, err error) {
	if err := m.called(ctx, "EventNumber"); err != nil {
		return 0, err
	}
	err = m.in(ctx, user, func(rows *userRows) error {
		n = rows.number
		return nil
	})
	return n, err
}

func (t *memoryTx) EventNumber(context.Context, model.UserID) (int64, error) {
	return t.rows.number, nil
}

func (m *memoryStore) UnseenEvents(ctx context.Context, user model.UserID, calendar int, generation int64,
	limit int) (keys []model.EventKey, err error) {
	if err := m.called(ctx, "UnseenEvents"); err != nil {
		return nil, err
	}
	err = m.in(ctx, user, func(rows *userRows) error {
		for key, row := range rows.events {
			if key.Calendar == calendar && row.Generation < generation && row.Kind != model.EventTombstone {
				keys = append(keys, key)
			}
		}
		return nil
	})
	slices.SortFunc(keys, func(a, b model.EventKey) int { return cmp.Compare(a.ID, b.ID) })
	return keys[:min(len(keys), limit)], err
}

func (m *memoryStore) EraseEvents(ctx context.Context, _ model.UserID, _ int) (bool, error) {
	return false, m.called(ctx, "EraseEvents")
}

func (m *memoryStore) ForgetSyncState(ctx context.Context, user model.UserID, connection model.UUID,
	calendar string) error {
	if err := m.called(ctx, "ForgetSyncState"); err != nil {
		return err
	}
	return m.in(ctx, user, func(rows *userRows) error {
		delete(rows.states, stateKey{connection, calendar})
		return nil
	})
}

func (t *memoryTx) KeptCalendars(ctx context.Context, user model.UserID) ([]model.KeptCalendar, error) {
	return t.store.KeptCalendars(ctx, user)
}

func (t *memoryTx) InsertCalendar(ctx context.Context, calendar model.KeptCalendar) (model.KeptCalendar, error) {
	if err := t.store.called(ctx, "InsertCalendar"); err != nil {
		return calendar, err
	}
	calendar.Number = len(t.rows.calendars) + 1
	t.rows.calendars = append(t.rows.calendars, calendar)
	t.log(rows.CalendarChange(calendar, model.OperationCreated))
	return calendar, nil
}

func (t *memoryTx) replace(calendar int, fn func(c *model.KeptCalendar)) error {
	i := slices.IndexFunc(t.rows.calendars, func(c model.KeptCalendar) bool { return c.Number == calendar })
	if i < 0 {
		return store.ErrNotFound
	}
	fn(&t.rows.calendars[i])
	return nil
}

func (t *memoryTx) UpdateCalendar(ctx context.Context, calendar model.KeptCalendar) (string, error) {
	if err := t.store.called(ctx, "UpdateCalendar"); err != nil {
		return "", err
	}
	t.log(rows.CalendarChange(calendar, model.OperationUpdated))
	return "", t.replace(calendar.Number, func(c *model.KeptCalendar) { *c = calendar })
}

func (t *memoryTx) DeleteCalendar(ctx context.Context, number int, _ time.Time) error {
	if err := t.store.called(ctx, "DeleteCalendar"); err != nil {
		return err
	}
	i := slices.IndexFunc(t.rows.calendars, func(c model.KeptCalendar) bool { return c.Number == number })
	if i < 0 {
		return store.ErrNotFound
	}
	t.log(rows.CalendarChange(t.rows.calendars[i], model.OperationDeleted))
	t.rows.calendars = slices.Delete(t.rows.calendars, i, i+1)
	maps.DeleteFunc(t.rows.events, func(key model.EventKey, _ model.EventRow) bool { return key.Calendar == number })
	return nil
}

func (t *memoryTx) SaveReading(ctx context.Context, calendar int, r store.CalendarReading) error {
	if err := t.store.called(ctx, "SaveReading"); err != nil {
		return err
	}
	return t.replace(calendar, func(c *model.KeptCalendar) {
		c.State, c.Generation, c.PageToken, c.Shape = r.State, r.Generation, r.PageToken, r.Shape
		c.AsOf, c.UpdatedAt, c.Writes = r.AsOf, r.UpdatedAt, r.Writes
	})
}

func (t *memoryTx) ForgetTombstones(ctx context.Context, calendar int, before time.Time) error {
	if err := t.store.called(ctx, "ForgetTombstones"); err != nil {
		return err
	}
	maps.DeleteFunc(t.rows.events, func(key model.EventKey, row model.EventRow) bool {
		return key.Calendar == calendar && row.Kind == model.EventTombstone && row.UpdatedAt.Before(before)
	})
	return nil
}

func (t *memoryTx) EventsByKey(ctx context.Context, _ model.UserID, keys []model.EventKey,
	_ store.EventColumns) (found []model.EventRow, err error) {
	if err := t.store.called(ctx, "EventsByKey"); err != nil {
		return nil, err
	}
	for _, key := range keys {
		if row, there := t.rows.events[key]; there {
			found = append(found, row)
		}
	}
	return found, nil
}

func (t *memoryTx) ExceptionsOf(ctx context.Context, _ model.UserID, series []model.EventKey,
	_ store.EventColumns) (found []model.EventRow, err error) {
	if err := t.store.called(ctx, "ExceptionsOf"); err != nil {
		return nil, err
	}
	for _, row := range t.rows.events {
		of := model.EventKey{Calendar: row.Calendar, ID: row.Series}
		if row.Kind.IsException() && slices.Contains(series, of) {
			found = append(found, row)
		}
	}
	return found, nil
}

func (t *memoryTx) ApplyEvents(ctx context.Context, events []model.EventRow,
	ticket int64) (done store.AppliedEvents, err error) {
	if err := t.store.called(ctx, "ApplyEvents"); err != nil {
		return done, err
	}
	t.rows.number++
	done.Number = t.rows.number
	for _, event := range events {
		var before *rows.EventBefore
		if was, there := t.rows.events[event.Key()]; there {
			before = &rows.EventBefore{Kind: was.Kind, Version: was.Version, Applied: was.Applied}
		}
		if event.Version == "" {
			event.Version = strconv.FormatInt(done.Number, 10)
		}
		if before.Uncertain(event, ticket) && before.Applied != done.Number {
			done.Uncertain = append(done.Uncertain, event.Key())
			continue
		}
		event.Applied = done.Number
		t.rows.events[event.Key()] = event
		i := slices.IndexFunc(t.rows.calendars, func(c model.KeptCalendar) bool { return c.Number == event.Calendar })
		var series *rows.EventBefore
		if of, there := t.rows.events[rows.SeriesKey(event)]; there {
			series = &rows.EventBefore{Kind: of.Kind}
		}
		operation, tell := rows.EventOperation(before, event, rows.OfSeries(event, series, events))
		if !tell || t.rows.calendars[i].State != model.CalendarKept {
			continue
		}
		change := rows.EventChange(t.rows.calendars[i], event.ID, operation, event.Version)
		last, err := t.LastRemote(ctx, []model.UUID{change.ID})
		if err != nil {
			return done, err
		}
		if before, known := last[change.ID]; known && rows.SaysAlready(before, change) {
			done.Echoes++
			continue
		}
		done.Told++
		t.log(change)
	}
	return done, nil
}
