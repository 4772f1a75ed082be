package postgres

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"almanac/adapters/store"
	"almanac/adapters/store/rows"
	"almanac/graph/model"
	"almanac/projections/fold"
)

var (
	// sqlInsertCalendar returns what it has numbered, and nothing where there is no room for it.
	sqlInsertCalendar = filled(`WITH i AS (
	{given}
), may AS MATERIALIZED (
	SELECT true AS free FROM i WHERE (SELECT count(*) FROM calendars WHERE user_id = $1 AND state <> 'DELETED') < {most}
		AND NOT EXISTS (SELECT FROM calendars AS c WHERE c.user_id = $1 AND c.connection = i.connection
			AND c.remote_id = i.remote_id AND c.connection > 0 AND c.state <> 'DELETED')
), n AS (
	UPDATE users SET calendar_number = calendar_number + 1, event_number = event_number + 1
	WHERE user_id = $1 AND EXISTS (SELECT FROM may) RETURNING calendar_number AS number, event_number::text AS version
), made AS (
	INSERT INTO calendars (user_id, {names}) SELECT o.user_id, {values} FROM `+ofUser+`, i, n
	RETURNING number, version
)
SELECT number, version FROM made`,
		"{given}", given(2, parametersOf(store.CalendarTable.All())), "{names}", strings.Join(calendarColumns.names(), ", "),
		"{most}", numbered(2+len(calendarColumns), 1),
		"{values}", strings.NewReplacer("i.number", "n.number", "i.version", "coalesce(nullif(i.version, ''), n.version)").
			Replace(listed("i", calendarColumns.names())))

	changedCalendarNames = store.Names(store.CalendarTable.Replaced())

	// sqlUpdateCalendar returns the calendar as it now is.
	sqlUpdateCalendar = filled(`WITH n AS (
	UPDATE users SET event_number = event_number + 1 WHERE user_id = $1
		AND EXISTS (SELECT FROM calendars WHERE user_id = $1 AND number = $2 AND state <> 'DELETED')
	RETURNING event_number::text AS version
)
UPDATE calendars AS t SET ({names}) = ROW({values}) FROM n WHERE t.user_id = $1 AND t.number = $2 RETURNING {columns}`,
		"{names}", strings.Join(changedCalendarNames, ", "), "{values}", versioned(changedCalendarNames),
		"{columns}", calendarColumns.list("t"))

	sqlDeleteCalendar = `UPDATE calendars AS t SET state = 'DELETED', updated_at = $3
WHERE t.user_id = $1 AND t.number = $2 AND t.state <> 'DELETED' RETURNING ` + calendarColumns.list("t")

	sqlSaveEvents = filled(`INSERT INTO events (user_id, {names}) SELECT $1, {values} FROM (
	{given}
) AS i ON CONFLICT (user_id, calendar, id) DO UPDATE SET {replaced}`,
		"{names}", strings.Join(eventNames, ", "), "{values}", listed("i", eventNames),
		"{given}", given(2, parametersOf(store.EventTable.All())),
		"{replaced}", excluded(store.Names(store.EventTable.Replaced())...))
)

// versioned is the values from $3 on of columns of which the version is numbered.
func versioned(names []string) string {
	places := strings.Split(numbered(3, len(names)), ", ")
	for i, name := range names {
		if name == "version" {
			places[i] = "CASE WHEN " + places[i] + "::text IS NOT NULL THEN n.version END"
		}
	}
	return strings.Join(places, ", ")
}

const (
	sqlNextEvents = `UPDATE users SET event_number = event_number + 1 WHERE user_id = $1 RETURNING event_number`

	sqlEventsBefore = `SELECT t.calendar, t.id, t.kind, t.version, t.applied FROM ` + sqlByKey

	sqlSaveReading = `UPDATE calendars SET state = $3, generation = $4, page_token = $5, shape = $6, as_of = $7,
updated_at = $8, writes = $9 WHERE user_id = $1 AND number = $2 AND state <> 'DELETED'`

	sqlForgetTombstones = `WITH gone AS (
	DELETE FROM events WHERE user_id = $1 AND calendar = $2 AND kind = 'TOMBSTONE' AND updated_at < $3 RETURNING id
)
DELETE FROM event_bodies AS b USING gone WHERE b.user_id = $1 AND b.calendar = $2 AND b.id = gone.id`

	sqlSaveBodies = `INSERT INTO event_bodies (user_id, calendar, id, body, folded)
SELECT $1, i.* FROM unnest($2::integer[], $3::text[], $4::text[], $5::text[]) AS i
ON CONFLICT (user_id, calendar, id) DO UPDATE SET body = excluded.body, folded = excluded.folded`

	// sqlDeleteEvents deletes events, and exceptions of those that are series; place is that of the key, exceptions come
	// after all keys.
	sqlDeleteEvents = `WITH i AS (
	SELECT i.calendar, i.id, i.place FROM unnest($2::integer[], $3::text[]) WITH ORDINALITY AS i (calendar, id, place)
	JOIN calendars AS c ON c.user_id = $1 AND c.number = i.calendar AND c.state <> 'DELETED'
), doomed AS MATERIALIZED (
	SELECT calendar, id, place, '-infinity'::timestamptz AS at FROM i
	UNION ALL SELECT t.calendar, t.id, 1000000000 + i.place, t.original_at FROM i JOIN events AS t ON t.user_id = $1
		AND t.calendar = i.calendar AND t.series = i.id AND t.kind IN ('CHANGED', 'DROPPED')
), gone AS (
	DELETE FROM events AS t USING (SELECT calendar, id, min(place) AS place, min(at) AS at FROM doomed GROUP BY 1, 2) AS d
	WHERE t.user_id = $1 AND t.calendar = d.calendar AND t.id = d.id RETURNING t.calendar, t.id, t.kind, d.place, d.at
), bodies AS (
	DELETE FROM event_bodies AS b USING gone WHERE b.user_id = $1 AND b.calendar = gone.calendar AND b.id = gone.id
)
SELECT calendar, id, kind FROM gone ORDER BY place, at`

	// sqlEraseEvents erases up to $2 bodies, and with them or by themselves up to $2 events.
	sqlEraseEvents = `WITH doomed AS (
	SELECT number FROM calendars WHERE user_id = $1 AND state = 'DELETED'
), chosen AS MATERIALIZED (
	SELECT calendar, id FROM events WHERE user_id = $1 AND calendar IN (SELECT number FROM doomed) LIMIT $2
), bodies AS (
	DELETE FROM event_bodies AS b USING chosen WHERE b.user_id = $1 AND b.calendar = chosen.calendar AND b.id = chosen.id
), gone AS (
	DELETE FROM events AS t USING chosen WHERE t.user_id = $1 AND t.calendar = chosen.calendar AND t.id = chosen.id
	RETURNING 1
)
SELECT count(*) FROM gone`

	sqlForgetCalendars = `DELETE FROM calendars WHERE user_id = $1 AND state = 'DELETED'`

	sqlHideCalendars = `UPDATE calendars SET state = 'DELETED', updated_at = $3 WHERE user_id = $1 AND connection > 0
AND state <> 'DELETED' AND connection = (SELECT number FROM connections WHERE user_id = $1 AND id = $2)`
)

// deletedCalendars are those that wait to be erased; updated_at is when they were deleted.
var deletedCalendars = queueOf("calendars", "q.state = 'DELETED' AND q.updated_at <= $1",
	"q.updated_at, q.user_id, q.number")

// remoteChange is a change of a record with a reference, before it has its number.
func remoteChange(one model.Change) change {
	return change{kind: one.Type, operation: one.Operation, id: one.ID, remote: one.Remote, version: one.Version}
}

// InsertCalendar adds a calendar and returns it with its number.
func (t tx) InsertCalendar(ctx context.Context, calendar model.KeptCalendar) (model.KeptCalendar, error) {
	kept, err := rows.Calendar(calendar)
	if err != nil {
		return kept, err
	}
	args, err := arrays(t.user(), store.CalendarTable.All(), []model.KeptCalendar{kept})
	if err != nil {
		return kept, err
	}
	free := false
	b := newBatch()
	b.query(sqlInsertCalendar, func(r *row) { kept.Number, kept.Version, free = int(r.int32()), r.text(), true },
		append(args, int64(model.MaxKeptCalendars))...)
	err = t.write(ctx, "add a calendar", b, func() []change {
		if !free {
			return nil
		}
		return []change{remoteChange(rows.CalendarChange(kept, model.OperationCreated))}
	})
	return kept, refused(err, "add a calendar", true, free)
}

// UpdateCalendar replaces a calendar and returns its version.
func (t tx) UpdateCalendar(ctx context.Context, calendar model.KeptCalendar) (string, error) {
	kept, err := rows.Calendar(calendar)
	if err != nil {
		return "", err
	}
	args, err := values(t.user(), store.CalendarTable.Replaced(), kept)
	if err != nil {
		return "", err
	}
	return t.changedCalendar(ctx, "change a calendar", model.OperationUpdated, sqlUpdateCalendar,
		append([]any{args[0], int32(kept.Number)}, args[1:]...)...)
}

// DeleteCalendar takes a calendar with all its events out of sight.
func (t tx) DeleteCalendar(ctx context.Context, number int, at time.Time) error {
	_, err := t.changedCalendar(ctx, "delete a calendar", model.OperationDeleted, sqlDeleteCalendar, t.user(),
		int32(number), instantArg(at))
	return err
}

// changedCalendar runs a statement that changes and returns one calendar, erases what actions tell of one that is
// deleted, and logs the change. ErrNotFound when it changes none.
func (t tx) changedCalendar(ctx context.Context, what string, operation model.Operation, sql string,
	args ...any) (version string, err error) {
	var now model.KeptCalendar
	found := false
	b := newBatch()
	b.query(sql, func(r *row) { found = true; calendarColumns.read(r, &now) }, args...)
	err = t.write(ctx, what, b, func() []change {
		if !found {
			return nil
		}
		if operation == model.OperationDeleted {
			now.Version = ""
		}
		return []change{remoteChange(rows.CalendarChange(now, operation))}
	})
	if err = refused(err, what, found, true); err != nil {
		return now.Version, err
	}
	b = newBatch()
	if operation == model.OperationDeleted {
		b.exec(sqlForgetReminders, nil, t.user(), int32(now.Number))
		b.exec(sqlDeleteLinks, nil, t.user(), int32(now.Number))
		b.exec(sqlEraseActionsOf, nil, t.user(), uuidArgs([]model.UUID{now.Ref().ID().UUID}))
	} else {
		t.lookForReminders(b, int32(now.Number))
	}
	return now.Version, t.write(ctx, what, b, nil)
}

// SaveEvents inserts or replaces events by key.
func (t tx) SaveEvents(ctx context.Context, events []model.EventRow) (int64, error) {
	done, err := t.saveEvents(ctx, "save events", events, nil)
	return done.Number, err
}

// ApplyEvents inserts or replaces what a remote said of events.
func (t tx) ApplyEvents(ctx context.Context, events []model.EventRow, ticket int64) (store.AppliedEvents, error) {
	return t.saveEvents(ctx, "apply events", events, &ticket)
}

// saveEvents is SaveEvents and, with a ticket, ApplyEvents.
func (t tx) saveEvents(ctx context.Context, what string, events []model.EventRow,
	ticket *int64) (done store.AppliedEvents, err error) {
	keys := make([]model.EventKey, len(events))
	for i, event := range events {
		keys[i] = event.Key()
		if err := rows.Text(event.ID, event.Series); err != nil {
			return done, fmt.Errorf("postgres: %s: %w", what, err)
		}
	}
	calendars := map[int]model.KeptCalendar{}
	before := map[model.EventKey]*rows.EventBefore{}
	b := newBatch()
	b.query(sqlKeptCalendars, func(r *row) {
		var calendar model.KeptCalendar
		calendarColumns.read(r, &calendar)
		calendars[calendar.Number] = calendar
	}, t.user())
	known := keys
	for _, event := range events {
		if event.Kind.IsException() {
			known = append(known, rows.SeriesKey(event))
		}
	}
	numbers, ids := keyArgs(known)
	b.query(sqlEventsBefore, func(r *row) {
		key := model.EventKey{Calendar: int(r.int32()), ID: r.text()}
		before[key] = &rows.EventBefore{Kind: model.EventKind(r.text()), Version: r.text(), Applied: r.int64()}
	}, t.user(), numbers, ids)
	if err := t.run(ctx, what, b); err != nil {
		return done, err
	}
	for _, key := range keys {
		if _, there := calendars[key.Calendar]; !there {
			return done, refused(nil, what, false, true)
		}
	}
	// All are checked before the number is taken, so that a refusal changes nothing.
	checked := make([]model.EventRow, len(events))
	for i, event := range events {
		if checked[i], err = rows.Event(event); err != nil {
			return done, fmt.Errorf("postgres: %s: %w", what, err)
		}
	}
	bodies, err := bodiesOf(checked)
	if err != nil {
		return done, fmt.Errorf("postgres: %s: %w", what, err)
	}
	b = newBatch()
	b.query(sqlNextEvents, func(r *row) { done.Number = r.int64() }, t.user())
	if err := t.write(ctx, what, b, nil); err != nil {
		return done, err
	}
	var log []change
	saved := make([]model.EventRow, 0, len(checked))
	var changes []model.Change
	for _, event := range checked {
		key := event.Key()
		if event.Version == "" {
			event.Version = strconv.FormatInt(done.Number, 10)
		}
		if ticket != nil && before[key].Uncertain(event, *ticket) && before[key].Applied != done.Number {
			done.Uncertain = append(done.Uncertain, key)
			bodies.leaveOut(key)
			continue
		}
		event.Applied = done.Number
		saved = append(saved, event)
		calendar := calendars[event.Calendar]
		ofSeries := rows.OfSeries(event, before[rows.SeriesKey(event)], checked)
		operation, tell := rows.EventOperation(before[key], event, ofSeries)
		before[key] = &rows.EventBefore{Kind: event.Kind, Version: event.Version, Applied: done.Number}
		if tell && calendar.State == model.CalendarKept {
			changes = append(changes, rows.EventChange(calendar, event.ID, operation, event.Version))
		}
	}
	last := map[model.UUID]model.Change{}
	if ticket != nil && len(changes) > 0 {
		if last, err = t.LastRemote(ctx, changedIDs(changes)); err != nil {
			return done, err
		}
	}
	for _, one := range changes {
		if before, known := last[one.ID]; known && rows.SaysAlready(before, one) {
			done.Echoes++
			continue
		}
		log = append(log, remoteChange(one))
	}
	done.Told = len(log)
	args, err := arrays(t.user(), store.EventTable.All(), lastByKey(saved))
	if err != nil {
		return done, err
	}
	b = newBatch()
	if len(saved) > 0 {
		b.exec(sqlSaveEvents, nil, args...)
		t.lookForReminders(b, numbers...)
	}
	if len(bodies.ids) > 0 {
		b.exec(sqlSaveBodies, nil, t.user(), bodies.calendars, bodies.ids, bodies.bodies, bodies.folded)
	}
	return done, t.write(ctx, what, b, func() []change { return log })
}

func changedIDs(changes []model.Change) []model.UUID {
	ids := make([]model.UUID, len(changes))
	for i, one := range changes {
		ids[i] = one.ID
	}
	return ids
}

// SaveReading notes how far a copy has been read.
func (t tx) SaveReading(ctx context.Context, calendar int, reading store.CalendarReading) error {
	const what = "save a reading"
	if err := refuseTexts(what, []string{reading.PageToken}); err != nil {
		return err
	}
	b := newBatch()
	b.exec(sqlSaveReading, all(1, store.ErrNotFound), t.user(), int32(calendar), string(reading.State), reading.Generation,
		reading.PageToken, int32(reading.Shape), timeArg(reading.AsOf), instantArg(reading.UpdatedAt),
		reading.Writes)
	return t.write(ctx, what, b, nil)
}

// ForgetTombstones erases the tombstones of a calendar that were written before a time.
func (t tx) ForgetTombstones(ctx context.Context, calendar int, before time.Time) error {
	b := newBatch()
	b.exec(sqlForgetTombstones, nil, t.user(), int32(calendar), instantArg(before))
	return t.write(ctx, "forget tombstones", b, nil)
}

// eventBodies are bodies as parameters.
type eventBodies struct {
	calendars           []int32
	ids, bodies, folded []string
}

// leaveOut takes the body of an event out.
func (e *eventBodies) leaveOut(key model.EventKey) {
	for i, id := range e.ids {
		if id == key.ID && e.calendars[i] == int32(key.Calendar) {
			e.calendars, e.ids = slices.Delete(e.calendars, i, i+1), slices.Delete(e.ids, i, i+1)
			e.bodies, e.folded = slices.Delete(e.bodies, i, i+1), slices.Delete(e.folded, i, i+1)
			return
		}
	}
}

func bodiesOf(events []model.EventRow) (out eventBodies, err error) {
	for _, event := range lastByKey(events) {
		if event.Body == nil {
			continue
		}
		body, text, err := rows.Body(event)
		if err != nil {
			return out, err
		}
		out.calendars, out.ids = append(out.calendars, int32(event.Calendar)), append(out.ids, event.ID)
		out.bodies, out.folded = append(out.bodies, body), append(out.folded, fold.Text(text))
	}
	return out, nil
}

// lastByKey returns events each once, as it was given last: a statement writes a row once.
func lastByKey(events []model.EventRow) []model.EventRow {
	at := make(map[model.EventKey]int, len(events))
	out := make([]model.EventRow, 0, len(events))
	for _, event := range events {
		if i, again := at[event.Key()]; again {
			if event.Body == nil {
				event.Body = out[i].Body
			}
			out[i] = event
			continue
		}
		at[event.Key()] = len(out)
		out = append(out, event)
	}
	return out
}

// DeleteEvents deletes events, series with their exceptions.
func (t tx) DeleteEvents(ctx context.Context, keys []model.EventKey) ([]model.EventKey, error) {
	const what = "delete events"
	numbers, ids := keyArgs(keys)
	if err := refuseTexts(what, ids); err != nil || len(ids) == 0 {
		return nil, err
	}
	calendars := map[int]model.KeptCalendar{}
	var deleted []model.EventKey
	var kinds []model.EventKind
	b := newBatch()
	b.query(sqlKeptCalendars, func(r *row) {
		var calendar model.KeptCalendar
		calendarColumns.read(r, &calendar)
		calendars[calendar.Number] = calendar
	}, t.user())
	b.query(sqlDeleteEvents, func(r *row) {
		deleted = append(deleted, model.EventKey{Calendar: int(r.int32()), ID: r.text()})
		kinds = append(kinds, model.EventKind(r.text()))
	}, t.user(), numbers, ids)
	err := t.write(ctx, what, b, func() (log []change) {
		for i, key := range deleted {
			calendar := calendars[key.Calendar]
			if kinds[i] != model.EventDropped && kinds[i] != model.EventTombstone && calendar.State == model.CalendarKept {
				log = append(log, remoteChange(rows.EventChange(calendar, key.ID, model.OperationDeleted, "")))
			}
		}
		return log
	})
	return deleted, err
}

// EraseEvents erases some events of deleted calendars, and then the calendars.
func (s *Store) EraseEvents(ctx context.Context, user model.UserID, limit int) (more bool, err error) {
	limit = max(limit, 1)
	erased := 0
	b := newBatch()
	b.query(sqlEraseEvents, func(r *row) { erased = int(r.int64()) }, userArg(user), int64(limit))
	if err := s.write(ctx, b); err != nil {
		return false, fmt.Errorf("postgres: erase events: %w", err)
	}
	if erased == limit {
		return true, nil
	}
	b = newBatch()
	b.exec(sqlForgetCalendars, nil, userArg(user))
	if err := s.write(ctx, b); err != nil {
		return false, fmt.Errorf("postgres: erase calendars: %w", err)
	}
	return false, nil
}

// DeletedCalendars returns users who have calendars that EraseEvents has not done with.
func (s *Store) DeletedCalendars(ctx context.Context, limit int) ([]model.UserID, error) {
	users, err := s.dueUsers(ctx, deletedCalendars, ever, limit)
	if err != nil {
		return nil, fmt.Errorf("postgres: read deleted calendars: %w", err)
	}
	return rows.DistinctOf(users), nil
}
