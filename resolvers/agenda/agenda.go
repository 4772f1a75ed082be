package agenda

import (
	"context"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"

	"almanac/graph"
	"almanac/graph/model"
	"almanac/projections"
	"almanac/projections/agenda"
	"almanac/projections/when"
	"almanac/resolvers/core"
)

// Bounds of an agenda.
const (
	defaultAgenda = 100
	maxAgenda     = 200
	daysOfAgenda  = 7
	maxDays       = 92
)

// agendaQuestion is what is asked for, with everything relative resolved.
type agendaQuestion struct {
	agenda.Window
	kinds   []graph.AgendaKind
	overdue bool
	fresh   graph.Freshness
	// ages: it is asked how fresh the events are.
	ages  bool
	limit int
	after *agenda.Place
	// events, tasks and emails are what is asked below the entries.
	events, tasks, emails core.Selection
}

func (q agendaQuestion) wants(kind graph.AgendaKind) bool {
	return len(q.kinds) == 0 || slices.Contains(q.kinds, kind)
}

// section is one kind of an agenda. Count is nil when it is not known.
type section struct {
	entries []agenda.Entry
	count   *int32
	notes   []graph.AgendaNote
	asOf    *model.DateTime
}

// Agenda answers the query of that name: tasks, calendars and mailboxes are asked at the same time, each of them once.
func (r *Resolver) Agenda(ctx context.Context, from, to *model.DateTimeInput, kinds []graph.AgendaKind,
	includeOverdue bool, first *int32, after *string, freshness graph.Freshness) (*graph.Agenda, error) {
	v, err := core.ViewerFrom(ctx)
	if err != nil {
		return nil, err
	}
	q, err := r.agendaQuestionOf(ctx, v, from, to, first, after)
	if err != nil {
		return nil, err
	}
	q.kinds, q.overdue, q.fresh = kinds, includeOverdue, freshness
	var events, tasks, emails section
	var group errgroup.Group
	if q.wants(graph.AgendaKindTask) {
		group.Go(func() (err error) {
			tasks, err = r.agendaTasks(ctx, v, q)
			return err
		})
	}
	if q.wants(graph.AgendaKindEvent) || q.wants(graph.AgendaKindEmail) {
		group.Go(func() error {
			accounts, err := r.Connections(ctx, v)
			if err != nil {
				return err
			}
			var remote errgroup.Group
			if q.wants(graph.AgendaKindEvent) {
				remote.Go(func() error { events = r.agendaEvents(ctx, v, q, accounts); return nil })
			}
			if q.wants(graph.AgendaKindEmail) {
				remote.Go(func() error { emails = r.agendaEmails(ctx, v, q, accounts); return nil })
			}
			return remote.Wait()
		})
	}
	if err := group.Wait(); err != nil {
		return nil, err
	}
	all := agenda.Merge(events.entries, tasks.entries, emails.entries)
	out := &graph.Agenda{
		From:    model.DateTimeInput{Wall: q.From.In(v.Zone), HasOffset: true},
		To:      model.DateTimeInput{Wall: q.To.In(v.Zone), HasOffset: true},
		Counts:  &graph.AgendaCounts{Events: events.count, Tasks: tasks.count, Emails: emails.count},
		Notes:   slices.Concat([]graph.AgendaNote{}, events.notes, tasks.notes, emails.notes),
		IsEmpty: len(all) == 0, PageInfo: &model.PageInfo{HasPreviousPage: q.after != nil},
	}
	if at := events.asOf; at != nil {
		out.AsOf = &model.DateTimeInput{Wall: at.Time, HasOffset: true}
	}
	page := all
	if q.after != nil {
		page = agenda.After(all, *q.after)
	}
	if len(page) > q.limit {
		page, out.PageInfo.HasNextPage = page[:q.limit], true
	}
	if page, err = r.agendaMail(ctx, v, q, page); err != nil {
		return nil, err
	}
	out.Entries = make([]graph.AgendaEntry, len(page))
	for i, entry := range page {
		out.Entries[i] = r.agendaEntry(v, q, entry)
	}
	if n := len(page); n > 0 {
		out.PageInfo.StartCursor, out.PageInfo.EndCursor = &out.Entries[0].Cursor, &out.Entries[n-1].Cursor
	}
	return out, nil
}

// agendaQuestionOf reads the window, the page, and what is asked of the entries.
func (r *Resolver) agendaQuestionOf(ctx context.Context, v *core.Viewer, from, to *model.DateTimeInput, size *int32,
	after *string) (agendaQuestion, error) {
	q := agendaQuestion{limit: defaultAgenda}
	q.From = v.StartOfDay()
	if from != nil {
		q.From = when.Resolve(*from, v.Zone)
	}
	day := model.DateOf(q.From.In(v.Zone))
	q.To = when.StartOfDate(day.AddDays(daysOfAgenda), v.Zone)
	if to != nil {
		q.To = when.Resolve(*to, v.Zone)
	}
	last := q.From.Add(maxDays*24*time.Hour + time.Hour) // the hour of a day on which clocks are set back
	switch {
	case !q.To.After(q.From):
		return q, model.BadInput("to", "to must be later than from (%s)", q.From.In(v.Zone).Format(time.RFC3339))
	case q.To.After(last):
		return q, model.BadInput("to", "to is more than %d days after from (%s)", maxDays,
			q.From.In(v.Zone).Format(time.RFC3339))
	}
	if size != nil {
		if *size < 1 || *size > maxAgenda {
			return q, model.BadInput("first", "first is %d; it must be from 1 to %d", *size, maxAgenda)
		}
		q.limit = int(*size)
	}
	var err error
	if q.after, err = core.OpenCursor(r.Base, v, "after", q.purpose(), after, decodeAgendaPlace); err != nil {
		return q, err
	}
	asked := core.Answered(ctx)
	q.ages = asked.Has("asOf", "notes", "compact")
	entries := asked.Under("entries", "AgendaEntry")
	q.events, q.tasks, q.emails = entries.Under("node", "Event"), entries.Under("node", "Task"),
		entries.Under("node", "Email")
	return q, nil
}

// purpose names the order: a cursor belongs to one window.
func (q agendaQuestion) purpose() string {
	return "agenda " + q.From.UTC().Format(time.RFC3339Nano) + " " + q.To.UTC().Format(time.RFC3339Nano)
}

// A place is packed as its time and, as a text, whether it stands before the window, its rank and its id.
func packAgendaPlace(p agenda.Place) []byte {
	head := []byte{'0', byte('0' + p.Rank)}
	if p.Before {
		head[0] = '1'
	}
	return core.EncodePlace(model.UUID{}, p.At, string(head)+p.ID)
}

func decodeAgendaPlace(payload []byte) (agenda.Place, bool) {
	_, at, text, err := core.DecodePlace(payload)
	if err != nil || len(text) < 2 {
		return agenda.Place{}, false
	}
	return agenda.Place{Before: text[0] == '1', At: at, Rank: int(text[1] - '0'), ID: text[2:]}, true
}

// maxAgendaTasks is how many tasks, and as many repeating ones, an agenda holds.
const maxAgendaTasks = 1_000

// agendaTasks reads the tasks that are due, those that are overdue, and those that repeat. A failure of the own store
// is one of the whole.
func (r *Resolver) agendaTasks(ctx context.Context, v *core.Viewer, q agendaQuestion) (section, error) {
	var overdue time.Time
	if q.overdue {
		overdue = q.Overdue(v.Now)
	}
	due, more, err := r.tasks.Due(ctx, v, q.From, q.To, overdue, maxAgendaTasks, q.tasks)
	if err != nil {
		return section{}, err
	}
	out := section{entries: q.Tasks(due, q.overdue, v.Moment)}
	if more {
		out.notes = []graph.AgendaNote{notAll(graph.AgendaKindTask, "",
			"there are more than 1,000 such tasks; the rest of them is not here: ask for a shorter window, or for "+
				"tasks(filter:)")}
		return out, nil
	}
	out.count = entryCount(out.entries)
	return out, nil
}

func entryCount(entries []agenda.Entry) *int32 {
	n := int32(len(entries))
	return &n
}

// agendaEntry is the view of an entry.
func (r *Resolver) agendaEntry(v *core.Viewer, q agendaQuestion, entry agenda.Entry) graph.AgendaEntry {
	out := graph.AgendaEntry{
		Cursor: r.Sealer.Seal(q.purpose(), v.User, packAgendaPlace(entry.Place())),
		Kind:   agendaKinds[entry.Kind], At: projections.EventTimeAt(entry.Start, v.Moment),
		End:   projections.EventTimeAt(entry.End, v.Moment),
		Title: entry.Title, AtFormatted: when.FormatSpan(entry.Start, model.EventTime{}, v.Moment.Moment),
		IsAllDay: entry.AllDay(), IsOverdue: entry.Overdue, Node: entry.Node,
	}
	return out
}

var agendaKinds = map[agenda.Kind]graph.AgendaKind{
	agenda.KindEvent: graph.AgendaKindEvent, agenda.KindTask: graph.AgendaKindTask,
	agenda.KindEmail: graph.AgendaKindEmail,
}
