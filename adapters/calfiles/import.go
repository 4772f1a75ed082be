package calfiles

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"almanac/adapters/store"
	"almanac/graph/model"
	"almanac/projections/ical"
	"almanac/projections/occur"
	"almanac/projections/rrule"
)

// Files brings calendars and files together. It keeps nothing between calls but parsed rules, and is safe for
// goroutines.
type Files struct {
	Store store.Store
	Rules *occur.Rules
	// Now is the time at which events are said to be created and changed, where a file does not say.
	Now func() time.Time
	// NewID makes the ids of new events.
	NewID func() model.UUID
}

// MaxImported is how many events one file may bring.
const MaxImported = 10_000

// perWrite is how many events one transaction writes at most; 200 held the lock for 75 ms.
const perWrite = 40

// perRead is how many entries are decided on together when nothing is written.
const perRead = 1_000

// Import is a file that is to be brought into a calendar.
type Import struct {
	Calendar model.KeptCalendar
	// Entries are all of the file's, in its order, series before their changed occurrences.
	Entries []Entry
	// Replaced are the events that the file changes or deletes, as they were.
	Replaced []model.EventRow

	files  *Files
	user   model.UserID
	of     calendarOf
	events []ical.Event
	// at are the places of the events in Entries.
	at []int
}

// Entry is what one entry of a file comes to.
type Entry struct {
	Outcome model.ImportOutcome
	// Line is where it begins in the file, from 1.
	Line         int
	UID, Summary string
	Start        model.EventTime
	// Reason is a part of a sentence, why nothing was done; empty where something is.
	Reason string
	// Notes are what was left out of it, or understood in another way than it is written.
	Notes []ical.Note
	// ID is the event's; empty for what was refused.
	ID string
}

// Plan reads a file and says what importing it into a calendar would do. It writes nothing. BAD_USER_INPUT, without a
// field, for a text that is no iCalendar file.
func (f *Files) Plan(ctx context.Context, user model.UserID, calendar model.KeptCalendar,
	text []byte) (*Import, error) {
	i := &Import{Calendar: calendar, files: f, user: user, of: withZone(calendar)}
	document, err := ical.Open(text, ical.Options{Zone: i.of.zone})
	if err != nil {
		return nil, model.BadInput("", "%s", err)
	}
	i.take(document)
	planned := map[string]model.EventRow{}
	for from := 0; from < len(i.events); from += perRead {
		some, err := i.decide(ctx, f.Store, from, min(from+perRead, len(i.events)), 0, planned)
		if err != nil {
			return nil, err
		}
		for k, d := range some {
			i.note(from+k, d)
			i.Replaced = append(i.Replaced, d.before...)
		}
	}
	return i, nil
}

// take takes the events of a file in.
func (i *Import) take(document *ical.Document) {
	i.Entries = make([]Entry, 0, document.Entries)
	for e, problem := range document.Events() {
		if problem == nil && len(i.events) == MaxImported {
			problem = &ical.Problem{Line: e.Line, UID: e.ICalUID, Summary: e.Summary,
				Reason: fmt.Sprintf("comes after the first %d events, which is as many as one import takes", MaxImported)}
		}
		if problem != nil {
			i.Entries = append(i.Entries, Entry{Outcome: model.ImportRefused, Line: problem.Line, UID: problem.UID,
				Summary: problem.Summary, Reason: problem.Reason})
			continue
		}
		i.at = append(i.at, len(i.Entries))
		i.events = append(i.events, e)
		i.Entries = append(i.Entries, Entry{Line: e.Line, UID: e.ICalUID, Summary: e.Summary, Start: e.Start, Notes: e.Notes})
	}
}

// note says in its entry what was decided of an event.
func (i *Import) note(event int, d decision) {
	entry := &i.Entries[i.at[event]]
	entry.Outcome, entry.Reason, entry.ID = d.outcome, d.reason, d.id
}

// Count returns how many entries have an outcome.
func (i *Import) Count(outcome model.ImportOutcome) (n int) {
	for _, entry := range i.Entries {
		if entry.Outcome == outcome {
			n++
		}
	}
	return n
}

// Changes reports whether the import writes anything.
func (i *Import) Changes() bool {
	return slices.ContainsFunc(i.Entries, func(e Entry) bool {
		return e.Outcome != model.ImportRefused && e.Outcome != model.ImportUnchanged
	})
}

// Apply does what was planned, some events in each transaction; what has changed since the plan is looked at anew.
// first runs in the first of them, before anything is written, with the number that all rows will carry in Generation.
// What was written before an error stays, and importing again completes it.
func (i *Import) Apply(ctx context.Context,
	first func(ctx context.Context, tx store.Tx, generation int64) error) error {
	var generation int64
	planned := map[string]model.EventRow{}
	for from := 0; from < len(i.events); from += perWrite {
		to := min(from+perWrite, len(i.events))
		if generation > 0 && !slices.ContainsFunc(i.at[from:to], i.writes) {
			continue
		}
		err := i.files.Store.Write(ctx, i.user, func(ctx context.Context, tx store.Tx) error {
			if generation == 0 {
				number, err := i.begin(ctx, tx)
				if err != nil {
					return err
				}
				if err := first(ctx, tx, number); err != nil {
					return err
				}
				generation = number
			}
			some, err := i.decide(ctx, tx, from, to, generation, planned)
			if err != nil {
				return err
			}
			for k, d := range some {
				i.note(from+k, d)
			}
			return apply(ctx, tx, some)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// Into says which calendar the events go to, where there was none when it was planned.
func (i *Import) Into(calendar model.KeptCalendar) {
	i.Calendar, i.of.KeptCalendar = calendar, calendar
}

// writes reports whether an entry writes anything.
func (i *Import) writes(entry int) bool {
	outcome := i.Entries[entry].Outcome
	return outcome != model.ImportUnchanged && outcome != model.ImportRefused
}

// begin counts the calendar's generation up.
func (i *Import) begin(ctx context.Context, tx store.Tx) (int64, error) {
	calendar, err := kept(ctx, tx, i.user, i.Calendar.Number)
	if err != nil {
		return 0, err
	}
	calendar.Generation++
	calendar.Version, err = tx.UpdateCalendar(ctx, calendar)
	i.Calendar = calendar
	return calendar.Generation, err
}

// kept finds a calendar. NOT_FOUND.
func kept(ctx context.Context, reader store.EventReader, user model.UserID, number int) (model.KeptCalendar, error) {
	all, err := reader.KeptCalendars(ctx, user)
	if err != nil {
		return model.KeptCalendar{}, err
	}
	for _, calendar := range all {
		if calendar.Number == number {
			return calendar, nil
		}
	}
	return model.KeptCalendar{}, model.NotFound("", "you have no such calendar")
}

// decision is what is to be done with one event of a file.
type decision struct {
	outcome model.ImportOutcome
	reason  string
	id      string
	save    []model.EventRow
	remove  []model.EventKey
	// before are the rows that it changes or removes, as they are.
	before []model.EventRow
}

func apply(ctx context.Context, tx store.Tx, some []decision) error {
	var remove []model.EventKey
	var save []model.EventRow
	for _, d := range some {
		remove, save = append(remove, d.remove...), append(save, d.save...)
	}
	if len(remove) > 0 {
		if _, err := tx.DeleteEvents(ctx, remove); err != nil {
			return err
		}
	}
	if len(save) == 0 {
		return nil
	}
	_, err := tx.SaveEvents(ctx, save)
	return err
}

// there is what a calendar has of one UID.
type there struct {
	// root is the event or series itself; without an id when there is none.
	root model.EventRow
	// exceptions are changed and dropped occurrences, and occurrences of a series that is not there, by original start.
	exceptions map[time.Time]model.EventRow
}

// decide looks at some of the events. planned are the series that the import brings, by UID.
func (i *Import) decide(ctx context.Context, reader store.EventReader, from, to int, generation int64,
	planned map[string]model.EventRow) ([]decision, error) {
	var uids []string
	for n := from; n < to; n++ {
		if uid := i.events[n].ICalUID; !slices.Contains(uids[max(0, len(uids)-1):], uid) {
			uids = append(uids, uid)
		}
	}
	rows, err := reader.EventsByUID(ctx, i.user, uids, store.EventBodies)
	if err != nil {
		return nil, err
	}
	known := map[string]there{}
	for _, row := range rows {
		if row.Calendar != i.of.Number || row.Kind == model.EventTombstone {
			continue
		}
		of, found := known[row.UID]
		if !found {
			of.exceptions = map[time.Time]model.EventRow{}
		}
		if row.OriginalAt.IsZero() {
			of.root = row
		} else {
			of.exceptions[row.OriginalAt.UTC()] = row
		}
		known[row.UID] = of
	}
	out := make([]decision, 0, to-from)
	for n := from; n < to; n++ {
		e := &i.events[n]
		row, of := i.of.row(e), known[e.ICalUID]
		var d decision
		if e.OriginalStart.IsZero() {
			d = i.whole(e, row, of)
		} else {
			d = i.occurrence(e, row, of, planned)
		}
		for k := range d.save {
			saved := &d.save[k]
			saved.Generation = generation
			if saved.UpdatedAt.IsZero() {
				saved.UpdatedAt = i.files.Now()
			}
			if saved.Body.CreatedAt.IsZero() {
				saved.Body.CreatedAt = i.files.Now()
			}
			if saved.Kind == model.EventSeries {
				planned[e.ICalUID] = *saved
			}
		}
		out = append(out, d)
	}
	return out, nil
}

func refuse(format string, args ...any) decision {
	return decision{outcome: model.ImportRefused, reason: fmt.Sprintf(format, args...)}
}

// whole decides on a single event or a series.
func (i *Import) whole(e *ical.Event, row model.EventRow, of there) decision {
	exists := of.root.ID != ""
	switch {
	case e.Status == model.EventCancelled && !exists:
		return refuse("is cancelled, and the calendar does not have it")
	case exists && i.of.same(of.root, row):
		return decision{outcome: model.ImportUnchanged, id: of.root.ID}
	case exists && !newer(e, of.root):
		return decision{outcome: model.ImportUnchanged, id: of.root.ID, reason: kepts(e, of.root)}
	case e.Status == model.EventCancelled:
		d := decision{outcome: model.ImportDeleted, id: of.root.ID, remove: []model.EventKey{of.root.Key()},
			before: []model.EventRow{of.root}}
		for _, exception := range of.exceptions {
			d.before = append(d.before, exception)
		}
		return d
	}
	d := decision{outcome: model.ImportCreated}
	row.ID = model.OwnEventID(i.files.NewID())
	var occurs *rrule.Set
	if row.Kind == model.EventSeries {
		var err error
		if row.LastsUntil, err = i.files.Rules.LastsUntil(row, i.of.zone); err == nil {
			occurs, err = i.files.Rules.Set(&row, i.of.zone)
		}
		if err != nil {
			return refuse("recurs in a way that is not supported: %s", sentence(err))
		}
	}
	if exists {
		d.outcome, d.before, row.ID = model.ImportUpdated, []model.EventRow{of.root}, of.root.ID
		row.Body.ColorID, row.Body.HTMLLink = of.root.Body.ColorID, of.root.Body.HTMLLink
	}
	for at, exception := range of.exceptions {
		switch {
		case exception.Series == "" && occurs != nil: // an occurrence that was there before its series
			moved := exception
			moved.Kind, moved.Series, moved.ID = model.EventChanged, row.ID, model.OccurrenceID(row.ID, at, row.AllDay)
			moved.Version, moved.Overrides = "", overridden(exception, row)
			d.save = append(d.save, moved)
		case exception.Series == "" || occurs != nil && occurs.Contains(at):
			continue
		}
		d.remove, d.before = append(d.remove, exception.Key()), append(d.before, exception)
	}
	d.id, d.save = row.ID, append([]model.EventRow{row}, d.save...)
	return d
}

// occurrence decides on a changed or cancelled occurrence.
func (i *Import) occurrence(e *ical.Event, row model.EventRow, of there,
	planned map[string]model.EventRow) decision {
	series, brought := planned[e.ICalUID]
	if !brought {
		series = of.root
	}
	d := decision{outcome: model.ImportCreated}
	switch {
	case series.Kind == model.EventSeries && series.AllDay != row.OriginalIsDay:
		return refuse("names an occurrence that its series cannot have: one of them is of days and the other of times")
	case series.Kind == model.EventSeries:
		row = i.of.exception(e, row, series)
	case series.ID != "":
		return refuse("changes an occurrence of an event that does not recur")
	case e.Status == model.EventCancelled:
		return refuse("cancels an occurrence of a series that is neither in the file nor in the calendar")
	}
	existing, exists := of.exceptions[row.OriginalAt.UTC()]
	switch {
	case exists && i.of.same(existing, row):
		return decision{outcome: model.ImportUnchanged, id: existing.ID}
	case exists && !newer(e, existing):
		return decision{outcome: model.ImportUnchanged, id: existing.ID, reason: kepts(e, existing)}
	case exists:
		d.outcome, d.before = model.ImportUpdated, []model.EventRow{existing}
		row.Body.ColorID, row.Body.HTMLLink = existing.Body.ColorID, existing.Body.HTMLLink
		switch {
		case row.Series == "":
			row.ID = existing.ID
		case row.ID != existing.ID:
			d.remove = []model.EventKey{existing.Key()}
		}
	}
	if row.ID == "" {
		row.ID = model.OwnEventID(i.files.NewID())
	}
	d.id, d.save = row.ID, []model.EventRow{row}
	return d
}

// newer reports whether a file's state of an event is later than the calendar's.
func newer(e *ical.Event, row model.EventRow) bool {
	body := row.Body
	if body == nil {
		return true
	}
	switch {
	case e.Sequence != body.Sequence:
		return e.Sequence > body.Sequence
	case row.Generation == 0: // made or changed here
		return e.Stamp.After(row.UpdatedAt)
	}
	return !e.Stamp.Before(body.Stamp)
}

// kepts is why an event was left as it is.
func kepts(e *ical.Event, row model.EventRow) string {
	if row.Generation == 0 {
		return "was changed in the calendar after the file's state of it"
	}
	return fmt.Sprintf("is older in the file (SEQUENCE %d) than in the calendar (%d)", e.Sequence, row.Body.Sequence)
}

// sentence is an error's message without its code.
func sentence(err error) string {
	if shown, ok := errors.AsType[*model.Error](err); ok {
		return shown.Message
	}
	return err.Error()
}

// same reports whether two rows of the calendar say the same of an event.
func (c calendarOf) same(a, b model.EventRow) bool {
	if !a.AllDay && !a.Floating && !b.AllDay && !b.Floating {
		a.Zone, b.Zone = cmp.Or(a.Zone, c.Zone), cmp.Or(b.Zone, c.Zone)
	}
	return same(a, b)
}
