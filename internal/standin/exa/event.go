package exa

import (
	"encoding/json"
	"slices"
	"time"
)

// The types of events.
const (
	websetCreated     = "webset.created"
	websetDeleted     = "webset.deleted"
	websetPaused      = "webset.paused"
	websetIdle        = "webset.idle"
	searchCreated     = "webset.search.created"
	searchCanceled    = "webset.search.canceled"
	searchCompleted   = "webset.search.completed"
	searchUpdated     = "webset.search.updated"
	importCreated     = "import.created"
	importCompleted   = "import.completed"
	itemCreated       = "webset.item.created"
	itemEnriched      = "webset.item.enriched"
	monitorCreated    = "monitor.created"
	monitorUpdated    = "monitor.updated"
	monitorDeleted    = "monitor.deleted"
	monitorRunCreated = "monitor.run.created"
	monitorRunDone    = "monitor.run.completed"
	exportCreated     = "webset.export.created"
	exportCompleted   = "webset.export.completed"
)

// eventTypes are all that there are, those included that never happen here.
func eventTypes() []string {
	return []string{
		websetCreated, websetDeleted, websetPaused, websetIdle, searchCreated, searchCanceled, searchCompleted, searchUpdated,
		importCreated, importCompleted,
		itemCreated, itemEnriched, monitorCreated, monitorUpdated, monitorDeleted, monitorRunCreated, monitorRunDone,
		exportCreated, exportCompleted,
	}
}

const (
	// keptEvents is how long events are kept.
	keptEvents = 60 * 24 * time.Hour
	// mostEvents is how many of an account are kept at most, so that memory has a bound.
	mostEvents = 100_000
)

// event is something that happened.
type event struct {
	id   string
	seq  uint64
	kind string
	at   time.Time
	// data tells what it happened to, as it was then.
	data func() any
}

func (e *event) place() (string, uint64) { return e.id, e.seq }

func (e *event) shape() eventShape {
	return eventShape{ID: e.id, Object: "event", Type: e.kind, Data: e.data(), CreatedAt: stamp(e.at)}
}

// happened writes an event down and has the webhooks told that want to hear of it.
func (a *account) happened(kind string, at time.Time, data func() any) {
	e := &event{id: a.server.id("event"), seq: a.events.next(), kind: kind, at: at, data: data}
	a.events.add(e)
	for _, hook := range a.webhooks.all {
		if hook.status == webhookActive && slices.Contains(hook.events, kind) {
			a.deliver(hook, e, at)
		}
	}
}

// frozen returns what a thing is now, whatever becomes of it.
func frozen(shape any) func() any {
	text, err := json.Marshal(shape)
	if err != nil {
		panic(err) // shapes are texts, numbers and lists
	}
	return func() any { return json.RawMessage(text) }
}

// forget lets go of events that are too old, or too many.
func (a *account) forget(now time.Time) {
	oldest := now.Add(-keptEvents)
	all := a.events.all
	if len(all) <= mostEvents && (len(all) == 0 || !all[0].at.Before(oldest)) {
		return
	}
	over := 0
	if len(all) > mostEvents {
		over = len(all) - mostEvents*9/10 // many at once, since each time costs as much as all of them
	}
	a.events.keep(func(e *event) bool {
		over--
		return over < 0 && !e.at.Before(oldest)
	})
}

func (c *call) listEvents() (reply, *problem) {
	p, bad := c.paging(25, 200)
	if bad != nil {
		return reply{}, bad
	}
	types := append(slices.Clone(c.query["types"]), c.query["types[]"]...)
	for _, kind := range types {
		if !slices.Contains(eventTypes(), kind) {
			return reply{}, invalid("Validation failed: types has %q, which is no type of event", kind)
		}
	}
	from, bad := c.time("createdAfter")
	if bad != nil {
		return reply{}, bad
	}
	to, bad := c.time("createdBefore")
	if bad != nil {
		return reply{}, bad
	}
	wanted := func(e *event) bool {
		return (len(types) == 0 || slices.Contains(types, e.kind)) && (from.IsZero() || !e.at.Before(from)) &&
			(to.IsZero() || !e.at.After(to))
	}
	return ok(pick(c, c.account.events.all, p, true, wanted, func(e *event) any { return e.shape() })), nil
}

func (c *call) getEvent() (reply, *problem) {
	e, there := c.account.events.get(c.path["id"])
	if !there {
		return reply{}, notFound("Event", c.path["id"])
	}
	return ok(e.shape()), nil
}

// time reads a time of the query; zero when it is not given.
func (c *call) time(name string) (time.Time, *problem) {
	text := c.query.Get(name)
	if text == "" {
		return time.Time{}, nil
	}
	at, err := time.Parse(time.RFC3339Nano, text)
	if err != nil {
		return time.Time{}, invalid("Validation failed: %s must be a time of ISO 8601", name)
	}
	return at, nil
}
