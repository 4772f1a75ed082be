package events

import (
	"cmp"
	"context"
	"slices"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"almanac/adapters/gcal"
	"almanac/graph"
	"almanac/graph/model"
	"almanac/projections"
	"almanac/projections/naming"
	"almanac/projections/occur"
	"almanac/projections/when"
	"almanac/resolvers/core"
	"almanac/resolvers/events/decision"
)

// sought is what an event is looked for by.
type sought struct {
	// text is the title, clean; field is its path, path that of the input that it stands in.
	text, field, path string
	from, to          time.Time
	day               *model.Weekday
	// after and before are minutes of the day; -1 for none.
	after, before int
	places        []place
}

// asked is what the answer's context says.
func (s sought) asked(v *core.Viewer) projections.EventsAsked {
	return projections.EventsAsked{Summary: s.text, From: s.from, To: s.to, At: v.Moment}
}

// soughtOf reads what is known of an event; the calendars are looked up by search, which knows whether it must look at
// all.
func soughtOf(v *core.Viewer, path string, in graph.EventMatchInput) (sought, error) {
	out := sought{path: path, field: core.Under(path, "summary"), day: in.DayOfWeek, after: -1, before: -1}
	var err error
	if out.text, err = core.CleanText(out.field, in.Summary, model.MaxEventSummary); err != nil {
		return out, err
	}
	if out.from, out.to, err = targetWindow(v, path, in.TimeMin, in.TimeMax); err != nil {
		return out, err
	}
	if in.StartTime != nil {
		if out.after, err = when.ParseClock(core.Under(path, "startTime"), *in.StartTime); err != nil {
			return out, err
		}
	}
	if in.EndTime != nil {
		if out.before, err = when.ParseClock(core.Under(path, "endTime"), *in.EndTime); err != nil {
			return out, err
		}
	}
	if out.after >= 0 && out.before >= 0 && out.before <= out.after {
		return out, model.BadInput(core.Under(path, "endTime"), "endTime must be later than startTime")
	}
	return out, nil
}

// targetWindow is the window in which a text is looked for.
func targetWindow(v *core.Viewer, path string, timeMin, timeMax *model.DateTimeInput) (from, to time.Time, err error) {
	from = v.Yesterday()
	if timeMin != nil {
		from = when.Resolve(*timeMin, v.Zone)
	}
	to = v.Now.In(v.Zone).AddDate(0, 0, decision.DaysAhead)
	if timeMax != nil {
		to = when.Resolve(*timeMax, v.Zone)
	}
	if to.After(lastMoment) {
		to = lastMoment
	}
	if !to.After(from) {
		return from, to, model.BadInput(core.Under(path, "timeMax"), "timeMax (%s) must be later than timeMin (%s)",
			v.DateTime(to).Format(time.RFC3339), v.DateTime(from).Format(time.RFC3339))
	}
	return from, to, nil
}

// holds reports whether everything but the title fits. What is all-day goes on at every hour.
func (s sought) holds(v *core.Viewer, event model.Event) bool {
	if event.Start.IsZero() {
		return false
	}
	date := event.Start.Date
	if !event.Start.AllDay() {
		date = model.DateOf(event.Start.At.In(v.Zone))
	}
	if s.day != nil && date.Midnight().Weekday() != s.day.Time() {
		return false
	}
	if event.Start.AllDay() {
		return true
	}
	hour := func(minutes int) time.Time {
		return when.Instant(date.Midnight().Add(time.Duration(minutes)*time.Minute), v.Zone)
	}
	return (s.after < 0 || event.End.At.After(hour(s.after))) && (s.before < 0 || event.Start.At.Before(hour(s.before)))
}

// everywhere reads a window of several calendars at once, and what several of them have once. One that fails fails all:
// what a text means cannot be said when a part of what it may mean is out of sight.
func (r *Resolver) everywhere(ctx context.Context, places []place, query gcal.Query) ([]decision.Placed, error) {
	if len(places) > 1 {
		query.Fields |= gcal.FieldICalUID // to know copies by
	}
	listings := make([]gcal.Listing, len(places))
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(core.AskedAtOnce)
	for i, p := range places {
		group.Go(func() (err error) {
			listings[i], err = r.reader.Events(ctx, p.account, p.calendar, query)
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return nil, err
	}
	return occur.Once(placedOf(places, listings), func(one decision.Placed) (*model.Event, int) {
		return &one.Event, occur.Standing(one.Account.Number, one.Role)
	}), nil
}

// atCalendars says of an error that a calendar is not there which input named it.
func atCalendars(err error, path string) error {
	if model.CodeOf(err) != model.CodeNotFound {
		return err
	}
	return core.AtField(err, core.Under(path, "calendarIds"))
}

func placedOf(places []place, listings []gcal.Listing) []decision.Placed {
	var out []decision.Placed
	for i, listing := range listings {
		for _, event := range listing.Events {
			out = append(out, decision.Placed{Account: places[i].account, Event: event, Role: listing.Role})
		}
	}
	return out
}

// matchFields are what matching and its questions look at.
const matchFields = gcal.FieldSummary | gcal.FieldTimes | gcal.FieldZone

// candidates are the events that a text may mean, the nearest first.
type candidates struct {
	found []decision.Placed
	list  []naming.Candidate[int]
}

// search reads everything that the text may mean. same is equal for events among which nobody is asked to choose.
func (r *Resolver) search(ctx context.Context, v *core.Viewer, s sought, fields gcal.Fields,
	want func(model.Event) bool,
	same func(model.Event) string) (candidates, error) {
	found, err := r.everywhere(ctx, s.places, gcal.Query{
		From: s.from, To: s.to, Fields: fields | matchFields,
		Keep: func(event model.Event) bool { return s.holds(v, event) && want(event) },
	})
	if err != nil {
		return candidates{}, atCalendars(err, s.path)
	}
	slices.SortStableFunc(found, func(a, b decision.Placed) int { return nearer(v, a.Event, b.Event) })
	out := candidates{found: found, list: make([]naming.Candidate[int], len(found))}
	for i, one := range found {
		out.list[i] = naming.Candidate[int]{ID: i, Name: one.Event.Summary, Same: same(one.Event)}
	}
	return out, nil
}

// nearer orders events as one would mean them: what has not ended before what has, then what starts nearest to now.
func nearer(v *core.Viewer, a, b model.Event) int {
	distance := func(event model.Event) (past int, apart time.Duration) {
		start, end := v.Instant(event.Start), v.Instant(event.End)
		if !end.After(v.Now) && start.Before(v.Now) {
			past = 1
		}
		return past, start.Sub(v.Now).Abs()
	}
	pastA, apartA := distance(a)
	pastB, apartB := distance(b)
	return cmp.Or(cmp.Compare(pastA, pastB), cmp.Compare(apartA, apartB))
}

// referenceOf is how a ticket holds an event.
func referenceOf(ref model.EventRef) string { return ref.ID().Remote }

// held reads what referenceOf wrote.
func held(reference string) (model.EventRef, error) {
	return model.EventRefOf(model.RemoteID(model.KindEvent, reference))
}

// eventRef reads an event's id and finds the account that it leads to.
func (r *Resolver) eventRef(ctx context.Context, v *core.Viewer, field,
	text string) (account model.Connection, ref model.EventRef, err error) {
	id, err := model.ParseID(text)
	switch {
	case err != nil:
		return account, ref,
			model.BadInput(field, "%q is not the id of an event, which begins with event_", model.Clip(text))
	case id.Kind != model.KindEvent:
		return account, ref, model.BadInput(field, "%s is the id of a %s; the id of an event is needed", model.Clip(text),
			core.KindNames[id.Kind])
	}
	if ref, err = model.EventRefOf(id); err != nil {
		return account, ref, model.BadInput(field, "%q is not the id of an event", model.Clip(text))
	}
	account, err = r.AccountOf(ctx, v, field, ref.CalendarRef(), id)
	return account, ref, err
}

// heldEvent finds the account of an event that a ticket holds.
func (r *Resolver) heldEvent(ctx context.Context, v *core.Viewer,
	reference string) (model.Connection, model.EventRef, error) {
	ref, err := held(reference)
	if err != nil {
		return model.Connection{}, ref, core.InvalidConfirmation("this confirmation names no event")
	}
	account, err := r.AccountOf(ctx, v, "input.confirm.choose", ref.CalendarRef(), ref.ID())
	return account, ref, err
}

// namedOne reads the event whose id is given, and says which field names it.
func (r *Resolver) namedOne(ctx context.Context, v *core.Viewer, who decision.One) (decision.Placed, string, error) {
	text, field := who.ID, "input.id"
	if text == nil {
		text, field = who.Target.ID, "input.target.id"
	}
	if text == nil {
		return decision.Placed{}, field, model.BadInput("input.target", "give either id or match")
	}
	account, ref, err := r.eventRef(ctx, v, field, *text)
	if err != nil {
		return decision.Placed{}, field, err
	}
	return r.readOne(ctx, account, ref, who.Fields, field)
}

// readOne reads an event with what a change looks at, beside the fields. It passes on the field, which its error names.
func (r *Resolver) readOne(ctx context.Context, account model.Connection, ref model.EventRef, fields gcal.Fields,
	field string) (decision.Placed, string, error) {
	event, err := r.reader.Event(ctx, account, ref, fields|targetFields)
	return decision.Placed{Account: account, Event: event}, field, core.AtField(err, field)
}

// readAll reads a window of several calendars, by start.
func (r *Resolver) readAll(ctx context.Context, v *core.Viewer, places []place,
	query gcal.Query) ([]decision.Placed, error) {
	listings, failures := core.AskEach(places, func(p place) (gcal.Listing, error) {
		return r.reader.Events(ctx, p.account, p.calendar, query)
	})
	failed := slices.DeleteFunc(slices.Clone(failures), func(err error) bool { return err == nil })
	for _, err := range failed {
		if _, mendable := model.Mendable(err); mendable || len(failed) == len(places) {
			return nil, atCalendars(err, "input") // a name that is wrong stops everything: the caller meant another calendar
		}
	}
	for _, err := range failed {
		core.AddError(ctx, err)
	}
	return inOrder(v, placedOf(places, listings)), nil
}

// inOrder sorts by start, then by id.
func inOrder(v *core.Viewer, found []decision.Placed) []decision.Placed {
	slices.SortStableFunc(found, func(a, b decision.Placed) int {
		return sortedOf(a.Event, v.Zone).compare(sortedOf(b.Event, v.Zone).place())
	})
	return found
}

// wantedTitles reports of an event whether its title is meant: a text names it, and it has none of the excluded parts.
func wantedTitles(summary *string, without []string) (wants func(model.Event) bool, title string, err error) {
	excluded, err := excludedTitles("input.excludeSummaries", without)
	if err != nil {
		return nil, "", err
	}
	var named *naming.Query
	if summary != nil {
		if title, err = core.CleanText("input.summary", *summary, model.MaxEventSummary); err != nil {
			return nil, "", err
		}
		named = naming.New(title, naming.Event)
	}
	search := eventSearch{excluded: excluded}
	return func(event model.Event) bool {
		return search.wants(event) && (named == nil || named.Names(event.Summary))
	}, title, nil
}

// EventsByID loads events by their ids, each by itself, several at once. What is not there, or leads nowhere, is
// missing from the answer; so is what cannot be read now, whose error is given to failed.
func (r *Resolver) EventsByID(ctx context.Context, v *core.Viewer, ids []model.ID, fields gcal.Fields,
	failed func(error)) (map[model.ID]model.Event, error) {
	found := make(map[model.ID]model.Event, len(ids))
	if len(ids) == 0 {
		return found, nil
	}
	all, err := r.Connections(ctx, v)
	if err != nil {
		return nil, err
	}
	byNumber := make(map[int]model.Connection, len(all))
	for _, c := range all {
		byNumber[c.Number] = c
	}
	var mu sync.Mutex
	var group errgroup.Group
	group.SetLimit(core.AskedAtOnce)
	for _, id := range ids {
		ref, err := model.EventRefOf(id)
		account, known := byNumber[ref.Connection]
		if _, own := ref.CalendarRef().OwnNumber(); own {
			account, known = ownConnection(v), true
		}
		if err != nil || !known {
			continue
		}
		group.Go(func() error {
			event, err := r.eventOf(ctx, v, account, ref, fields)
			mu.Lock()
			defer mu.Unlock()
			switch {
			case err == nil:
				found[id] = event
			case model.CodeOf(err) != model.CodeNotFound:
				failed(err)
			}
			return nil
		})
	}
	_ = group.Wait() // failures were told one by one
	return found, nil
}

func (r *Resolver) eventOf(ctx context.Context, v *core.Viewer, account model.Connection, ref model.EventRef,
	fields gcal.Fields) (model.Event, error) {
	if account.Number > 0 {
		if err := r.toRead(ctx, v, place{account, ref.Calendar}, r.Usable(v, account)); err != nil {
			return model.Event{}, err
		}
	}
	return r.reader.Event(ctx, account, ref, fields)
}

// LoadCalendars reads the calendars that the ids lead to, of each account at once.
func (r *Resolver) LoadCalendars(ctx context.Context, v *core.Viewer, ids []model.ID,
	found map[model.ID]model.Node) error {
	all, err := r.Connections(ctx, v)
	if err != nil {
		return err
	}
	for _, account := range append(all, ownConnection(v)) {
		leads := func(id model.ID) bool {
			ref, err := model.CalendarRefOf(id)
			return err == nil && ref.Connection == account.Number
		}
		if !slices.ContainsFunc(ids, leads) {
			continue
		}
		if account.Number > 0 {
			if err := r.Usable(v, account); err != nil {
				core.AddError(ctx, err)
				continue
			}
		}
		calendars, err := r.calendars.Calendars(ctx, account)
		if err != nil {
			core.AddError(ctx, err)
			continue
		}
		for _, record := range calendars {
			if view := projections.CalendarOf(record); slices.Contains(ids, view.ID()) {
				found[view.ID()] = view
			}
		}
	}
	return nil
}
