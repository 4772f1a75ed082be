package postgres

import (
	"context"
	"fmt"
	"math"

	"almanac/adapters/store"
	"almanac/adapters/store/rows"
	"almanac/graph/model"
)

var (
	calendarColumns = wholeOf(&store.CalendarTable)
	eventColumns    = wholeOf(&store.EventTable)
	eventNames      = eventColumns.names()
	eventKeys       = wholeOf(&store.EventKeyTable)

	sqlKeptCalendars = `SELECT ` + calendarColumns.list("t") + `
FROM calendars AS t WHERE t.user_id = $1 AND t.state <> 'DELETED' ORDER BY t.number`

	// sqlWindow has a branch for each of the indexes that begin with a window; $2 are the calendars, $3 and $4 the window,
	// $5 from when on what is not long begins that still goes on at $3. Its rows begin with whether they stand in the
	// branch that the limit bounds.
	sqlWindow = filled(`SELECT t.starting, {wanted} FROM (
	(SELECT true AS starting, e.user_id, {columns} FROM events AS e WHERE e.user_id = $1 AND e.calendar = ANY($2)
		AND e.kind IN ('SINGLE', 'CHANGED') AND NOT e.long AND e.starts_at >= $5 AND e.starts_at < $4
		AND (e.ends_at > $3 OR e.starts_at >= $3) ORDER BY e.starts_at, e.id LIMIT $6)
	UNION ALL SELECT false, e.user_id, {columns} FROM events AS e WHERE e.user_id = $1 AND e.calendar = ANY($2)
		AND e.kind IN ('SINGLE', 'CHANGED') AND e.long AND e.ends_at > $3 AND e.starts_at < $4
	UNION ALL SELECT false, e.user_id, {columns} FROM events AS e WHERE e.user_id = $1 AND e.calendar = ANY($2)
		AND e.kind = 'SERIES' AND e.lasts_until > $3 AND e.starts_at < $4
	UNION ALL SELECT false, e.user_id, {columns} FROM events AS e WHERE e.user_id = $1 AND e.calendar = ANY($2)
		AND e.kind IN ('CHANGED', 'DROPPED') AND e.original_at >= $5 AND e.original_at < $4
	UNION ALL SELECT false, e.user_id, {columns} FROM (
		SELECT s.calendar, s.id FROM events AS s WHERE s.user_id = $1 AND s.calendar = ANY($2)
			AND s.kind = 'SERIES' AND s.long AND s.lasts_until > $3 AND s.starts_at < $4 OFFSET 0
	) AS s CROSS JOIN LATERAL (
		SELECT * FROM events AS e WHERE e.user_id = $1 AND e.calendar = s.calendar AND e.series = s.id
			AND e.kind IN ('CHANGED', 'DROPPED') AND e.original_at < $5 OFFSET 0
	) AS e
) AS t`, "{columns}", eventColumns.list("e"))
)

// rowOf are the columns of the row itself that are wanted.
func rowOf(want store.EventColumns) shape[model.EventRow, store.Whole] {
	if want&store.EventKeys != 0 {
		return eventKeys
	}
	return eventColumns
}

// withBodies returns the columns of events that stand as t, those of their bodies among them, and the join that has
// them.
func withBodies(want store.EventColumns) (columns, join string) {
	columns = rowOf(want).list("t")
	if want&(store.EventBodies|store.EventBriefs) != 0 {
		columns += ", b.body"
	}
	if want&store.EventFolded != 0 {
		columns += ", b.folded"
	}
	if want&^store.EventKeys != 0 {
		// Citus finds the shard of each table by the user; of t it may not see that it is $1's.
		join = " LEFT JOIN event_bodies AS b ON b.user_id = $1 AND b.calendar = t.calendar AND b.id = t.id"
	}
	return columns, join
}

// event reads what withBodies names.
func (r *row) event(want store.EventColumns, event *model.EventRow) {
	rowOf(want).read(r, event)
	if want&(store.EventBodies|store.EventBriefs) != 0 {
		if r.isNull() {
			r.skip(1)
		} else {
			body, err := rows.BodyFor(want, r.raw())
			if event.Body = body; err != nil && r.err == nil {
				r.err = err
			}
		}
	}
	if want&store.EventFolded != 0 {
		event.Folded = r.text()
	}
}

// KeptCalendars returns all kept calendars but those that were deleted, by number.
func (d reader) KeptCalendars(ctx context.Context, user model.UserID) ([]model.KeptCalendar, error) {
	q := newQuery(userArg(user))
	q.add(sqlKeptCalendars)
	return records(ctx, d, "read kept calendars", q, 0, calendarColumns.read)
}

const sqlCountEvents = `SELECT count(*) FROM events WHERE user_id = $1 AND calendar = $2
AND kind IN ('SINGLE', 'SERIES') AND EXISTS (
	SELECT FROM calendars WHERE user_id = $1 AND number = $2 AND state <> 'DELETED')`

// CountEvents counts the single events and series of one calendar.
func (d reader) CountEvents(ctx context.Context, user model.UserID, calendar int) (n int, err error) {
	b := newBatch()
	b.query(sqlCountEvents, func(r *row) { n = int(r.int64()) }, userArg(user), int32(calendar))
	return n, d.run(ctx, "count events", b)
}

// EventsBetween answers a window in one statement.
func (d reader) EventsBetween(ctx context.Context, user model.UserID,
	window store.EventWindow) (store.EventsBetween, error) {
	if len(window.Calendars) == 0 {
		return store.EventsBetween{}, nil
	}
	var gathered rows.EventWindow
	b := eventsWindow(user, window, &gathered)
	if err := d.run(ctx, "read the events of a window", b); err != nil {
		return store.EventsBetween{}, err
	}
	var found store.EventsBetween
	found.Events, found.Cut = gathered.Done(window.Limit)
	return found, nil
}

// eventsWindow is the statement of a window.
func eventsWindow(user model.UserID, window store.EventWindow, gathered *rows.EventWindow) *batch {
	columns, join := withBodies(window.Want)
	limit := int64(math.MaxInt64)
	if window.Limit > 0 {
		limit = int64(window.Limit)
	}
	b := newBatch()
	b.query(filled(sqlWindow, "{wanted}", columns)+join, func(r *row) {
		starting := r.bool()
		r.event(window.Want, gathered.Row())
		gathered.Add(starting)
	}, userArg(user), numbersArg(window.Calendars), instantArg(window.From), instantArg(window.To),
		instantArg(window.From.Add(-model.LongEvent)), limit)
	return b
}

func numbersArg(numbers []int) []int32 {
	out := make([]int32, len(numbers))
	for i, n := range numbers {
		out[i] = int32(n)
	}
	return out
}

// keyArgs are keys as two parameters, each key once.
func keyArgs(keys []model.EventKey) (calendars []int32, ids []string) {
	for _, key := range rows.DistinctOf(keys) {
		calendars, ids = append(calendars, int32(key.Calendar)), append(ids, key.ID)
	}
	return calendars, ids
}

// events reads events that stand as t by what follows the columns.
func (d reader) events(ctx context.Context, what string, user model.UserID, want store.EventColumns, from string,
	where string, args ...any) ([]model.EventRow, error) {
	columns, join := withBodies(want)
	q := newQuery(userArg(user))
	q.args = append(q.args, args...)
	q.add("SELECT ", columns, " FROM ", from, join, " WHERE ", where)
	return records(ctx, d, what, q, 0, func(r *row, event *model.EventRow) { r.event(want, event) })
}

// sqlVisible is that the calendar of t was not deleted.
const sqlVisible = ` AND EXISTS (SELECT FROM calendars AS c WHERE c.user_id = $1 AND c.number = t.calendar
AND c.state <> 'DELETED')`

// refuseTexts is the error of texts that are looked for and can be nowhere.
func refuseTexts(what string, texts []string) error {
	if err := rows.Text(texts...); err != nil {
		return fmt.Errorf("postgres: %s: %w", what, err)
	}
	return nil
}

// EventsByKey returns the events that exist among keys.
func (d reader) EventsByKey(ctx context.Context, user model.UserID, keys []model.EventKey,
	want store.EventColumns) ([]model.EventRow, error) {
	const what = "read events by key"
	calendars, ids := keyArgs(keys)
	if err := refuseTexts(what, ids); err != nil || len(ids) == 0 {
		return nil, err
	}
	return d.events(ctx, what, user, want, sqlByKey, "true"+sqlVisible, calendars, ids)
}

// EventNumber returns how often events of the user were written.
func (d reader) EventNumber(ctx context.Context, user model.UserID) (number int64, err error) {
	b := newBatch()
	b.query(`SELECT event_number FROM users WHERE user_id = $1`, func(r *row) { number = r.int64() }, userArg(user))
	return number, d.run(ctx, "read the event number", b)
}

// UnseenEvents returns the keys of events that no reading from a generation on has seen.
func (d reader) UnseenEvents(ctx context.Context, user model.UserID, calendar int, generation int64,
	limit int) (keys []model.EventKey, err error) {
	b := newBatch()
	b.query(`SELECT t.id FROM events AS t WHERE t.user_id = $1 AND t.calendar = $2 AND t.generation < $3
AND t.kind <> 'TOMBSTONE'`+sqlVisible+` ORDER BY t.id LIMIT $4`, func(r *row) {
		keys = append(keys, model.EventKey{Calendar: calendar, ID: r.text()})
	}, userArg(user), int32(calendar), generation, int64(max(limit, 0)))
	return keys, d.run(ctx, "read unseen events", b)
}

// sqlByKey looks for each key by itself: of a table without statistics the server may otherwise read all events of the
// user to join them.
const sqlByKey = `unnest($2::integer[], $3::text[]) AS i (calendar, id) CROSS JOIN LATERAL (SELECT e.* FROM events AS e
WHERE e.user_id = $1 AND e.calendar = i.calendar AND e.id = i.id OFFSET 0) AS t`

// ExceptionsOf returns all exceptions to some series.
func (d reader) ExceptionsOf(ctx context.Context, user model.UserID, series []model.EventKey,
	want store.EventColumns) ([]model.EventRow, error) {
	const what = "read exceptions"
	calendars, ids := keyArgs(series)
	if err := refuseTexts(what, ids); err != nil || len(ids) == 0 {
		return nil, err
	}
	return d.events(ctx, what, user, want, `unnest($2::integer[], $3::text[]) AS i (calendar, id)
JOIN events AS t ON t.user_id = $1 AND t.calendar = i.calendar AND t.series = i.id
AND t.kind IN ('CHANGED', 'DROPPED')`, "true"+sqlVisible, calendars, ids)
}

// EventsByUID returns the events of some UIDs.
func (d reader) EventsByUID(ctx context.Context, user model.UserID, uids []string,
	want store.EventColumns) ([]model.EventRow, error) {
	const what = "read events by UID"
	if err := refuseTexts(what, uids); err != nil || len(uids) == 0 {
		return nil, err
	}
	return d.events(ctx, what, user, want, sqlByUID, "true"+sqlVisible, rows.DistinctOf(uids))
}

// sqlByUID looks for each UID by itself. OFFSET keeps the calendar out of it: of a table without statistics the server
// takes the primary key with a calendar for as good as the index of UIDs, and would read the whole calendar.
const sqlByUID = `unnest($2::text[]) AS i (uid) CROSS JOIN LATERAL (SELECT e.* FROM events AS e
WHERE e.user_id = $1 AND e.uid = i.uid AND e.kind <> 'TOMBSTONE' OFFSET 0) AS t`

// AllEvents returns the events of one calendar by id, those after an id.
func (d reader) AllEvents(ctx context.Context, user model.UserID, calendar int, after string,
	limit int) ([]model.EventRow, error) {
	const what = "read all events"
	if err := refuseTexts(what, []string{after}); err != nil {
		return nil, err
	}
	return d.events(ctx, what, user, store.EventBodies, `events AS t`,
		"t.user_id = $1 AND t.calendar = $2 AND t.id > $3 AND t.kind <> 'TOMBSTONE'"+sqlVisible+
			" ORDER BY t.id LIMIT $4", int32(calendar), after, int64(max(limit, 0)))
}
