package exa

import (
	"errors"
	"maps"
	"net/http"
	"time"

	"almanac/projections/when"
)

const (
	monitorEnabled  = "enabled"
	monitorDisabled = "disabled"
)

// A monitor keeps so many of its runs, and after a long silence makes up for no more than this.
const (
	mostRuns  = 200
	mostSince = keptEvents
)

// monitor searches again and again for a webset.
type monitor struct {
	webset   *webset
	id       string
	seq      uint64
	status   string
	cadence  cadenceShape
	cron     cron
	behavior behaviorShape
	metadata map[string]string
	created  time.Time
	updated  time.Time
	nextRun  time.Time
	// round counts the changes of its cadence, so that a run that was planned before comes to nothing.
	round int
	runs  shelf[*run]
	gone  bool
}

// run is one time that a monitor searched.
type run struct {
	monitor  *monitor
	id       string
	seq      uint64
	status   string
	done     time.Time
	canceled time.Time
	failed   time.Time
	created  time.Time
	updated  time.Time
}

func (m *monitor) place() (string, uint64) { return m.id, m.seq }
func (r *run) place() (string, uint64)     { return r.id, r.seq }

func (r *run) shape() runShape {
	s := runShape{
		ID: r.id, Object: "monitor_run", Status: r.status, MonitorID: r.monitor.id, Type: "search",
		CompletedAt: orNull(r.done), CanceledAt: orNull(r.canceled),
		FailedAt: orNull(r.failed), CreatedAt: stamp(r.created), UpdatedAt: stamp(r.updated),
	}
	if s.FailedAt != nil {
		s.FailedReason = textOrNull("there is nothing to search for")
	}
	return s
}

func (m *monitor) shape() monitorShape {
	s := monitorShape{
		ID: m.id, Object: "monitor", Status: m.status, WebsetID: m.webset.id, Cadence: m.cadence, Behavior: m.behavior,
		NextRunAt: orNull(m.nextRun),
		Metadata:  map[string]string{}, CreatedAt: stamp(m.created), UpdatedAt: stamp(m.updated),
	}
	maps.Copy(s.Metadata, m.metadata)
	if n := len(m.runs.all); n > 0 {
		last := m.runs.all[n-1].shape()
		s.LastRun = &last
	}
	return s
}

// plan finds out when it runs next.
func (m *monitor) plan(from time.Time) {
	m.round++
	m.nextRun = time.Time{}
	if m.status != monitorEnabled || m.gone {
		return
	}
	at, ever := m.cron.next(from)
	if !ever {
		return
	}
	m.nextRun = at
	round := m.round
	m.webset.account.plan(at, func(at time.Time) {
		if m.gone || m.round != round {
			return
		}
		if long := m.webset.account.server.now().Add(-mostSince); at.Before(long) {
			m.plan(long) // nobody asked for months
			return
		}
		m.run(at)
		m.plan(at)
	})
}

// run searches once, as the monitor says, or as the webset's last search did.
func (m *monitor) run(at time.Time) {
	a, w := m.webset.account, m.webset
	r := &run{monitor: m, id: a.server.id("monitor_run"), seq: m.runs.next(), status: "created", created: at, updated: at}
	m.runs.add(r)
	if over := len(m.runs.all) - mostRuns; over > 0 {
		oldest := m.runs.all[over].seq
		m.runs.keep(func(one *run) bool { return one.seq >= oldest })
	}
	a.happened(monitorRunCreated, at, frozen(r.shape()))
	config := m.behavior.Config
	plan := searchPlan{query: config.Query, count: config.Count, behavior: config.Behavior,
		metadata: map[string]string{"monitorId": m.id}}
	for _, c := range config.Criteria {
		plan.criteria = append(plan.criteria, c.Description)
	}
	if config.Entity != nil {
		plan.entity = *config.Entity
	}
	if n := len(w.searches); n > 0 {
		last := w.searches[n-1]
		if plan.query == "" {
			plan.query = last.query
		}
		if plan.entity.Type == "" {
			plan.entity = last.entity
		}
		if len(plan.criteria) == 0 {
			for _, c := range last.criteria {
				plan.criteria = append(plan.criteria, c.text)
			}
		}
	}
	if plan.query == "" {
		r.status, r.failed = "failed", at
		return
	}
	if plan.entity.Type == "" {
		plan.entity = a.server.world.entity(plan.query)
	}
	var s *search
	plan.done = func(at time.Time) {
		r.updated = at
		if s.status == searchStopped {
			r.status, r.canceled = "canceled", at
			return
		}
		r.status, r.done = "completed", at
		a.happened(monitorRunDone, at, frozen(r.shape()))
	}
	s = w.newSearch(plan, at)
	a.after(at, searchWaits, func(at time.Time) {
		if r.status == "created" {
			r.status, r.updated = "running", at
		}
	})
	w.start(s, at)
}

func (c *call) createMonitor() (reply, *problem) {
	r := read(c.body)
	id, _ := r.text("websetId", true, 1, maxExternalID)
	m := &monitor{status: monitorEnabled, created: c.now, updated: c.now}
	m.cadence, m.cron, _ = readCadence(r, true)
	m.behavior, _ = c.readBehavior(r, true)
	m.metadata, _ = r.metadata(false)
	if bad := r.problem(); bad != nil {
		return reply{}, bad
	}
	c.path["webset"] = id
	w, bad := c.webset()
	if bad != nil {
		return reply{}, bad
	}
	c.account.addMonitor(w, m, c.now)
	return reply{status: http.StatusCreated, body: m.shape()}, nil
}

func (a *account) addMonitor(w *webset, m *monitor, at time.Time) {
	m.webset, m.id, m.seq = w, a.server.id("monitor"), a.monitors.next()
	a.monitors.add(m)
	m.plan(at)
	a.happened(monitorCreated, at, frozen(m.shape()))
}

// readCadence reads when a monitor runs.
func readCadence(r reader, required bool) (cadenceShape, cron, bool) {
	o, given := r.object("cadence", required)
	if !given {
		return cadenceShape{}, cron{}, false
	}
	shape := cadenceShape{Timezone: "Etc/UTC"}
	if name, named := o.text("timezone", false, 1, 100); named {
		shape.Timezone = name
	}
	text, given := o.text("cron", true, 1, 200)
	if !given {
		return shape, cron{}, false
	}
	shape.Cron = text
	parsed, err := cronOf(shape)
	switch {
	case errors.Is(err, errZone):
		o.wrong("timezone", "is not known")
	case err != nil:
		o.wrong("cron", "%s", err.Error())
	}
	return shape, parsed, err == nil
}

var errZone = errors.New("the time zone is not known")

// cronOf reads a cadence.
func cronOf(shape cadenceShape) (cron, error) {
	zone, err := when.LoadZone(shape.Timezone)
	if err != nil {
		return cron{}, errZone
	}
	return parseCron(shape.Cron, zone)
}

// readBehavior reads what a monitor does.
func (c *call) readBehavior(r reader, required bool) (behaviorShape, bool) {
	o, given := r.object("behavior", required)
	if !given {
		return behaviorShape{}, false
	}
	shape := behaviorShape{}
	shape.Type, _ = o.choice("type", true, "search")
	config, given := o.object("config", true)
	if !given {
		return shape, false
	}
	shape.Config.Behavior = behaveAppend
	if behavior, ok := config.choice("behavior", false, behaveOverride, behaveAppend); ok {
		shape.Config.Behavior = behavior
	}
	shape.Config.Query, _ = config.text("query", false, 2, 10_000)
	for _, text := range readCriteria(config, 0, 2) {
		shape.Config.Criteria = append(shape.Config.Criteria, criterionShape{Description: text})
	}
	if kind, chosen := readEntity(config); chosen {
		shape.Config.Entity = &kind
	}
	shape.Config.Count, _ = config.whole("count", true, 1, maxCount)
	return shape, true
}

func (c *call) listMonitors() (reply, *problem) {
	p, bad := c.paging(25, 200)
	if bad != nil {
		return reply{}, bad
	}
	of := c.query.Get("websetId")
	wanted := func(m *monitor) bool { return of == "" || m.webset.id == of || m.webset.external == of }
	return ok(pick(c, c.account.monitors.all, p, true, wanted, func(m *monitor) any { return m.shape() })), nil
}

// monitor returns the one of the path.
func (c *call) monitor() (*monitor, *problem) {
	m, there := c.account.monitors.get(c.path["id"])
	if !there {
		return nil, notFound("Monitor", c.path["id"])
	}
	return m, nil
}

func (c *call) getMonitor() (reply, *problem) {
	m, bad := c.monitor()
	if bad != nil {
		return reply{}, bad
	}
	return ok(m.shape()), nil
}

func (c *call) updateMonitor() (reply, *problem) {
	m, bad := c.monitor()
	if bad != nil {
		return reply{}, bad
	}
	r := read(c.body)
	status, switched := r.choice("status", false, monitorEnabled, monitorDisabled)
	cadence, parsed, timed := readCadence(r, false)
	behavior, behaves := c.readBehavior(r, false)
	metadata, given := r.metadata(true)
	if bad := r.problem(); bad != nil {
		return reply{}, bad
	}
	if switched {
		m.status = status
	}
	if timed {
		m.cadence, m.cron = cadence, parsed
	}
	if behaves {
		m.behavior = behavior
	}
	if given {
		m.metadata = metadata
	}
	if switched || timed {
		m.plan(c.now)
	}
	m.updated = c.now
	c.account.happened(monitorUpdated, c.now, frozen(m.shape()))
	return ok(m.shape()), nil
}

func (c *call) deleteMonitor() (reply, *problem) {
	m, bad := c.monitor()
	if bad != nil {
		return reply{}, bad
	}
	m.gone = true
	c.account.monitors.remove(m.id)
	c.account.happened(monitorDeleted, c.now, frozen(m.shape()))
	return ok(m.shape()), nil
}

// listRuns answers an empty list for a monitor that is not there, as the real API was seen to.
func (c *call) listRuns() (reply, *problem) {
	p, bad := c.paging(25, 200)
	if bad != nil {
		return reply{}, bad
	}
	var all []*run
	if m, there := c.account.monitors.get(c.path["id"]); there {
		all = m.runs.all
	}
	return ok(pick(c, all, p, true, nil, func(r *run) any { return r.shape() })), nil
}

func (c *call) getRun() (reply, *problem) {
	m, bad := c.monitor()
	if bad != nil {
		return reply{}, bad
	}
	r, there := m.runs.get(c.path["run"])
	if !there {
		return reply{}, notFound("Monitor run", c.path["run"])
	}
	return ok(r.shape()), nil
}
