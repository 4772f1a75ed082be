package sqlite

import (
	"context"
	"math"
	"slices"
	"strings"

	"zombiezen.com/go/sqlite"

	"almanac/adapters/store"
	"almanac/adapters/store/rows"
	"almanac/graph/model"
)

var (
	calendarColumns = wholeOf(&store.CalendarTable)
	eventColumns    = wholeOf(&store.EventTable)
	eventKeys       = wholeOf(&store.EventKeyTable)
)

// rowOf are the columns of the row itself that are wanted.
func rowOf(want store.EventColumns) selection[model.EventRow, store.Whole] {
	if want&store.EventKeys != 0 {
		return eventKeys
	}
	return eventColumns
}

// KeptCalendars: see store.EventReader.
func (r reader) KeptCalendars(ctx context.Context, user model.UserID) ([]model.KeptCalendar, error) {
	return answer(ctx, r, "kept calendars", oneStatement, func(q *session) (calendars []model.KeptCalendar, err error) {
		err = q.readSQL("SELECT "+calendarColumns.names("")+
			" FROM calendars WHERE user_id = ? AND state <> 'DELETED' ORDER BY number",
			into(&calendars, calendarColumns.readRow), userArg(user))
		return calendars, err
	})
}

// CountEvents: see store.EventReader.
func (r reader) CountEvents(ctx context.Context, user model.UserID, calendar int) (int, error) {
	return answer(ctx, r, "count events", oneStatement, func(q *session) (int, error) {
		n, _, err := q.number(`SELECT count(*) FROM events WHERE user_id = ?1 AND calendar = ?2
AND kind IN ('SINGLE', 'SERIES') AND EXISTS (
	SELECT 1 FROM calendars WHERE user_id = ?1 AND number = ?2 AND state <> 'DELETED')`, userArg(user), intArg(calendar))
		return int(n), err
	})
}

// withBodies returns the columns of events that stand as e, those of their bodies among them, and the join that has
// them.
func withBodies(want store.EventColumns) (columns, join string) {
	columns = rowOf(want).names("e")
	if want&(store.EventBodies|store.EventBriefs) != 0 {
		columns += ", b.body"
	}
	if want&store.EventFolded != 0 {
		columns += ", b.folded"
	}
	if want&^store.EventKeys != 0 {
		join = " LEFT JOIN event_bodies b ON b.user_id = e.user_id AND b.calendar = e.calendar AND b.id = e.id"
	}
	return columns, join
}

// eventReading reads what withBodies names.
type eventReading struct {
	want store.EventColumns
	// body is room for the text of one body, so that those of a page need no more than the longest of them.
	body []byte
}

// read reads an event, from a column on.
func (r *eventReading) read(stmt *sqlite.Stmt, first int, event *model.EventRow) (err error) {
	want, row := r.want, rowOf(r.want)
	if err := row.read(stmt, first, event); err != nil {
		return err
	}
	next := first + len(row)
	if want&(store.EventBodies|store.EventBriefs) != 0 {
		if !stmt.ColumnIsNull(next) {
			r.body = slices.Grow(r.body[:0], stmt.ColumnLen(next))
			event.Body, err = rows.BodyFor(want, r.body[:stmt.ColumnBytes(next, r.body[:cap(r.body)])])
		}
		next++
	}
	if want&store.EventFolded != 0 {
		event.Folded = stmt.ColumnText(next)
	}
	return err
}

// inCalendars appends the condition that the calendar of e is one of some.
func inCalendars(b *statement, alias string, calendars []int) {
	places := 1
	for places < len(calendars) {
		places *= 2
	}
	b.add(" AND " + alias + ".calendar IN (?" + strings.Repeat(",?", places-1) + ")")
	for i := range places {
		b.args = append(b.args, intArg(calendars[min(i, len(calendars)-1)]))
	}
}

const sqlExceptional = " AND e.kind IN ('CHANGED', 'DROPPED')"

// windowSQL writes the statement of a window, with a branch for each of the indexes that begin with a window. Its rows
// begin with whether they stand in the branch that the limit bounds.
func windowSQL(user model.UserID, window store.EventWindow) *statement {
	b := &statement{}
	columns, join := withBodies(window.Want)
	from, to := instantArg(window.From), intArg(ceilMicros(window.To))
	// What is no longer than a long event and still goes on at From began after this.
	before := instantArg(window.From.Add(-model.LongEvent))
	branch := func(starting, index string) {
		b.add("SELECT "+starting+" AS starting, e.user_id, "+eventColumns.names("e")+" FROM events e INDEXED BY "+index+
			" WHERE e.user_id = ?", userArg(user))
		inCalendars(b, "e", window.Calendars)
	}
	b.add("SELECT e.starting, " + columns + " FROM (SELECT * FROM (")
	branch("1", "events_start")
	b.add(" AND e.kind IN ('SINGLE', 'CHANGED') AND e.long = 0 AND e.starts_at >= ? AND e.starts_at < ?"+
		" AND (e.ends_at > ? OR e.starts_at >= ?)", before, to, from, from)
	if window.Limit > 0 {
		b.add(" ORDER BY e.starts_at, e.id LIMIT ?", intArg(window.Limit))
	}
	b.add(") UNION ALL ")
	branch("0", "events_long")
	b.add(" AND e.kind IN ('SINGLE', 'CHANGED') AND e.long = 1 AND e.ends_at > ? AND e.starts_at < ?", from, to)
	b.add(" UNION ALL ")
	branch("0", "events_living")
	b.add(" AND e.kind = 'SERIES' AND e.lasts_until > ? AND e.starts_at < ?", from, to)
	b.add(" UNION ALL ")
	branch("0", "events_original")
	b.add(sqlExceptional+" AND e.original_at >= ? AND e.original_at < ?", before, to)
	b.add(" UNION ALL SELECT 0, e.user_id, "+eventColumns.names("e")+
		" FROM events s INDEXED BY events_living CROSS JOIN events e INDEXED BY events_exceptions"+
		" ON e.user_id = s.user_id AND e.calendar = s.calendar AND e.series = s.id WHERE s.user_id = ?", userArg(user))
	inCalendars(b, "s", window.Calendars)
	b.add(" AND s.kind = 'SERIES' AND s.long = 1 AND s.lasts_until > ? AND s.starts_at < ?"+sqlExceptional+
		" AND e.original_at < ?", from, to, before)
	b.add(") e" + join)
	return b
}

// EventsBetween: see store.EventReader.
func (r reader) EventsBetween(ctx context.Context, user model.UserID,
	window store.EventWindow) (store.EventsBetween, error) {
	if len(window.Calendars) == 0 {
		return store.EventsBetween{}, nil
	}
	return answer(ctx, r, "events of a window", oneStatement, func(q *session) (found store.EventsBetween, err error) {
		var gathered rows.EventWindow
		b := windowSQL(user, window)
		reading := eventReading{want: window.Want}
		err = q.read(b, func(stmt *sqlite.Stmt) error {
			if err := reading.read(stmt, 1, gathered.Row()); err != nil {
				return err
			}
			gathered.Add(stmt.ColumnBool(0))
			return nil
		})
		found.Events, found.Cut = gathered.Done(window.Limit)
		return found, err
	})
}

// eventsWhere reads events by a condition on e, once for each set of values.
func (r reader) eventsWhere(ctx context.Context, what string, want store.EventColumns, index, where string,
	each [][]arg) ([]model.EventRow, error) {
	return answer(ctx, r, what, oneTransaction, func(q *session) (events []model.EventRow, err error) {
		columns, join := withBodies(want)
		sql := "SELECT " + columns + " FROM events e" + index + join + " WHERE " + where
		reading := eventReading{want: want}
		for _, args := range each {
			if err := q.readSQL(sql, into(&events, func(stmt *sqlite.Stmt, event *model.EventRow) error {
				return reading.read(stmt, 0, event)
			}), args...); err != nil {
				return nil, err
			}
		}
		return events, nil
	})
}

// keyArgs are the values by which keys are looked for, each once.
func keyArgs(user model.UserID, keys []model.EventKey) [][]arg {
	each := make([][]arg, 0, len(keys))
	for _, key := range rows.DistinctOf(keys) {
		each = append(each, []arg{userArg(user), intArg(key.Calendar), textArg(key.ID)})
	}
	return each
}

// sqlVisible is that the calendar of e was not deleted.
const sqlVisible = ` AND EXISTS (SELECT 1 FROM calendars c WHERE c.user_id = e.user_id AND c.number = e.calendar
AND c.state <> 'DELETED')`

// EventsByKey: see store.EventReader.
func (r reader) EventsByKey(ctx context.Context, user model.UserID, keys []model.EventKey,
	want store.EventColumns) ([]model.EventRow, error) {
	byCalendar := map[int][]string{}
	for _, key := range rows.DistinctOf(keys) {
		byCalendar[key.Calendar] = append(byCalendar[key.Calendar], key.ID)
	}
	return answer(ctx, r, "events by key", oneTransaction, func(q *session) ([]model.EventRow, error) {
		events := make([]model.EventRow, 0, len(keys))
		columns, join := withBodies(want)
		reading := eventReading{want: want}
		for calendar, ids := range byCalendar {
			for some := range slices.Chunk(ids, maxIDs) {
				b := &statement{}
				b.add("SELECT "+columns+" FROM events e"+join+" WHERE e.user_id = ? AND e.calendar = ? AND ", userArg(user),
					intArg(calendar))
				b.inTexts("e.id", some)
				b.add(sqlVisible)
				if err := q.read(b, into(&events, func(stmt *sqlite.Stmt, event *model.EventRow) error {
					return reading.read(stmt, 0, event)
				})); err != nil {
					return nil, err
				}
			}
		}
		return events, nil
	})
}

// ExceptionsOf: see store.EventReader.
func (r reader) ExceptionsOf(ctx context.Context, user model.UserID, series []model.EventKey,
	want store.EventColumns) ([]model.EventRow, error) {
	return r.eventsWhere(ctx, "exceptions", want, " INDEXED BY events_exceptions",
		"e.user_id = ? AND e.calendar = ? AND e.series = ?"+sqlExceptional+sqlVisible, keyArgs(user, series))
}

// EventsByUID: see store.EventReader.
func (r reader) EventsByUID(ctx context.Context, user model.UserID, uids []string,
	want store.EventColumns) ([]model.EventRow, error) {
	each := make([][]arg, 0, len(uids))
	for _, uid := range rows.DistinctOf(uids) {
		each = append(each, []arg{userArg(user), textArg(uid)})
	}
	return r.eventsWhere(ctx, "events by UID", want, " INDEXED BY events_uid",
		"e.user_id = ? AND e.uid = ? AND e.kind <> 'TOMBSTONE'"+sqlVisible, each)
}

// AllEvents: see store.EventReader.
func (r reader) AllEvents(ctx context.Context, user model.UserID, calendar int, after string,
	limit int) ([]model.EventRow, error) {
	return r.eventsWhere(ctx, "all events", store.EventBodies, "",
		"e.user_id = ? AND e.calendar = ? AND e.id > ? AND e.kind <> 'TOMBSTONE'"+sqlVisible+" ORDER BY e.id LIMIT ?",
		[][]arg{{userArg(user), intArg(calendar), textArg(after), intArg(min(max(limit, 0), math.MaxInt32))}})
}

// EventNumber: see store.EventReader.
func (r reader) EventNumber(ctx context.Context, user model.UserID) (int64, error) {
	return answer(ctx, r, "event number", oneStatement, func(q *session) (int64, error) {
		n, _, err := q.number(`SELECT event_number FROM users WHERE user_id = ?`, userArg(user))
		return n, err
	})
}

// UnseenEvents: see store.EventReader.
func (r reader) UnseenEvents(ctx context.Context, user model.UserID, calendar int, generation int64,
	limit int) ([]model.EventKey, error) {
	return answer(ctx, r, "unseen events", oneStatement, func(q *session) (keys []model.EventKey, err error) {
		err = q.readSQL(`SELECT e.id FROM events e WHERE e.user_id = ? AND e.calendar = ? AND e.generation < ?
AND e.kind <> 'TOMBSTONE'`+sqlVisible+` ORDER BY e.id LIMIT ?`, func(stmt *sqlite.Stmt) error {
			keys = append(keys, model.EventKey{Calendar: calendar, ID: stmt.ColumnText(0)})
			return nil
		}, userArg(user), intArg(calendar), intArg(generation), intArg(max(limit, 0)))
		return keys, err
	})
}

// deletedUsers reads whose deleted calendars are not erased yet.
func deletedUsers(q *session, limit int) (users []model.UserID, err error) {
	err = q.readSQL(`SELECT user_id FROM calendars INDEXED BY calendars_deleted WHERE state = 'DELETED' AND updated_at > 0
ORDER BY updated_at, user_id, number LIMIT ?`, func(stmt *sqlite.Stmt) error {
		if user := model.UserID(columnID(stmt, 0)); !slices.Contains(users, user) {
			users = append(users, user)
		}
		return nil
	}, intArg(max(limit, 0)))
	return users, err
}
