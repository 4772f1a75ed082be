package exa

import (
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"
)

const (
	websetIdling  = "idle"
	websetPending = "pending"
	websetRunning = "running"
)

// Limits of the published description.
const (
	maxQuery      = 5000
	maxCriteria   = 5
	maxCriterion  = 1000
	maxExternalID = 300
	maxSources    = 100
	maxEnrichings = 100
	maxCount      = 1_000_000
	mostExpanded  = 1000
)

// webset is a set of things that fills itself.
type webset struct {
	account  *account
	id       string
	seq      uint64
	external string
	title    string
	metadata map[string]string
	excludes []sourceShape
	created  time.Time
	updated  time.Time
	gone     bool

	searches    []*search
	enrichments []*enrichment
	imports     []*importing
	items       shelf[*item]
	// status is what was last told of it.
	status string
	// open is how many items wait for an enrichment.
	open int
}

func (w *webset) place() (string, uint64) { return w.id, w.seq }

func (w *webset) shape() websetShape {
	s := websetShape{
		ID: w.id, Object: "webset", Status: w.state(), ExternalID: textOrNull(w.external), Title: textOrNull(w.title),
		Searches: []searchShape{}, Imports: []importShape{},
		Enrichments: []enrichmentShape{}, Monitors: []monitorShape{}, Excludes: append([]sourceShape{}, w.excludes...),
		Metadata:     maps.Clone(w.metadata),
		DashboardURL: "https://websets.exa.ai/websets/" + w.id, CreatedAt: stamp(w.created), UpdatedAt: stamp(w.updated),
	}
	for _, one := range w.searches {
		s.Searches = append(s.Searches, one.shape())
	}
	for _, one := range w.imports {
		if !one.gone {
			s.Imports = append(s.Imports, one.shape())
		}
	}
	for _, one := range w.enrichments {
		s.Enrichments = append(s.Enrichments, one.shape())
	}
	for _, one := range w.account.monitors.all {
		if one.webset == w {
			s.Monitors = append(s.Monitors, one.shape())
		}
	}
	return s
}

// state is what it is doing: nothing, waiting to begin, or working.
func (w *webset) state() string {
	state := websetIdling
	if w.open > 0 {
		state = websetRunning
	}
	for _, s := range w.searches {
		switch s.status {
		case searchRunning:
			return websetRunning
		case searchNew:
			if state == websetIdling {
				state = websetPending
			}
		}
	}
	for _, i := range w.imports {
		if i.status == importProcessing && !i.gone {
			return websetRunning
		}
	}
	return state
}

// settle notes when it has become idle.
func (w *webset) settle(at time.Time) {
	before := w.status
	w.status = w.state()
	if before == w.status {
		return
	}
	w.updated = at
	if w.status == websetIdling && !w.gone {
		w.account.happened(websetIdle, at, frozen(w.shape()))
	}
}

// webset returns the one of the path, by its id or its external id.
func (c *call) webset() (*webset, *problem) {
	id := c.path["webset"]
	if w, there := c.account.websets.get(id); there {
		return w, nil
	}
	if w, there := c.account.external[id]; there {
		return w, nil
	}
	return nil, notFound("Webset", id)
}

func (c *call) createWebset() (reply, *problem) {
	r := read(c.body)
	plan := websetPlan{}
	plan.external, _ = r.text("externalId", false, 1, maxExternalID)
	plan.title, _ = r.text("title", false, 0, maxQuery)
	plan.metadata, _ = r.metadata(false)
	plan.excludes = c.sources(r, "exclude", false)
	plan.imports = c.sources(r, "import", false)
	if s, given := r.object("search", false); given {
		search := c.searchPlan(s, false)
		plan.search = &search
	}
	if all, given := r.objects("enrichments", 0, maxEnrichings); given {
		for _, e := range all {
			plan.enrichments = append(plan.enrichments, c.enrichmentPlan(e))
		}
	}
	if bad := r.problem(); bad != nil {
		return reply{}, bad
	}
	if c.account.external[plan.external] != nil && plan.external != "" {
		return reply{}, conflict("Webset with externalId %s already exists", plan.external)
	}
	if plan.search != nil {
		for _, scope := range plan.search.scope {
			if slices.ContainsFunc(plan.imports, func(i sourceShape) bool { return i.ID == scope.ID }) {
				return reply{}, invalid("The same source cannot be both imported and the scope of the search")
			}
		}
		if bad := c.account.spend(plan.search.count); bad != nil {
			return reply{}, bad
		}
	}
	return reply{status: http.StatusCreated, body: c.account.addWebset(plan, c.now).shape()}, nil
}

// websetPlan is a webset that is asked for.
type websetPlan struct {
	external, title   string
	metadata          map[string]string
	excludes, imports []sourceShape
	search            *searchPlan
	enrichments       []enrichmentPlan
}

func (a *account) addWebset(plan websetPlan, at time.Time) *webset {
	w := &webset{
		account: a, id: a.server.id("ws"), seq: a.websets.next(), external: plan.external, title: plan.title,
		metadata: plan.metadata, excludes: plan.excludes,
		created: at, updated: at, status: websetIdling,
	}
	if w.metadata == nil {
		w.metadata = map[string]string{}
	}
	a.websets.add(w)
	if w.external != "" {
		a.external[w.external] = w
	}
	for _, e := range plan.enrichments {
		w.enrichments = append(w.enrichments, w.newEnrichment(e, at))
	}
	var begin []func()
	if plan.search != nil {
		s := w.newSearch(*plan.search, at)
		begin = append(begin, func() { w.start(s, at) })
		if w.title == "" {
			w.title = titleOf(plan.search.query)
		}
	}
	for _, source := range plan.imports {
		w.attach(source, at)
	}
	a.happened(websetCreated, at, frozen(w.shape()))
	for _, start := range begin {
		start()
	}
	w.settle(at)
	return w
}

// titleOf makes a title of a query: its first words.
func titleOf(query string) string {
	const most = 60
	runes := []rune(strings.Join(strings.Fields(query), " "))
	if len(runes) <= most {
		return string(runes)
	}
	cut := string(runes[:most])
	if i := strings.LastIndexByte(cut, ' '); i > 0 {
		cut = cut[:i]
	}
	return cut + "…"
}

func (c *call) listWebsets() (reply, *problem) {
	p, bad := c.paging(25, 100)
	if bad != nil {
		return reply{}, bad
	}
	return ok(pick(c, c.account.websets.all, p, true, nil, func(w *webset) any { return w.shape() })), nil
}

func (c *call) getWebset() (reply, *problem) {
	w, bad := c.webset()
	if bad != nil {
		return reply{}, bad
	}
	shape := w.shape()
	for _, expand := range append(slices.Clone(c.query["expand"]), c.query["expand[]"]...) {
		if expand != "items" {
			return reply{}, invalid("Validation failed: expand must be items")
		}
		shape.Items = []itemShape{}
	}
	if shape.Items != nil {
		for _, i := range w.items.all[:min(len(w.items.all), mostExpanded)] {
			shape.Items = append(shape.Items, i.shape())
		}
	}
	return ok(shape), nil
}

func (c *call) updateWebset() (reply, *problem) {
	w, bad := c.webset()
	if bad != nil {
		return reply{}, bad
	}
	r := read(c.body)
	metadata, given := r.metadata(true)
	title, renamed := r.text("title", false, 1, maxQuery)
	if bad := r.problem(); bad != nil {
		return reply{}, bad
	}
	if given {
		w.metadata = metadata
	}
	if renamed {
		w.title = title
	}
	w.updated = c.now
	return ok(w.shape()), nil
}

func (c *call) deleteWebset() (reply, *problem) {
	w, bad := c.webset()
	if bad != nil {
		return reply{}, bad
	}
	w.gone = true
	w.cancel("webset_deleted", c.now)
	shape := w.shape()
	c.account.monitors.keep(func(m *monitor) bool {
		if m.webset != w {
			return true
		}
		m.gone = true
		c.account.happened(monitorDeleted, c.now, frozen(m.shape()))
		return false
	})
	c.account.websets.remove(w.id)
	if c.account.external[w.external] == w {
		delete(c.account.external, w.external)
	}
	c.account.happened(websetDeleted, c.now, frozen(shape))
	return ok(shape), nil
}

func (c *call) cancelWebset() (reply, *problem) {
	w, bad := c.webset()
	if bad != nil {
		return reply{}, bad
	}
	w.cancel("webset_canceled", c.now)
	return ok(w.shape()), nil
}

// cancel ends everything that it does.
func (w *webset) cancel(reason string, at time.Time) {
	for _, s := range w.searches {
		s.cancel(reason, at)
	}
	for _, e := range w.enrichments {
		if e.shape().Status == enrichmentPending {
			e.cancel(at)
		}
	}
	w.settle(at)
}

func (c *call) preview() (reply, *problem) {
	r := read(c.body)
	s, _ := r.object("search", true)
	if bad := r.problem(); bad != nil {
		return reply{}, bad
	}
	query, _ := s.text("query", true, 1, maxQuery)
	count, given := s.whole("count", false, 1, 10)
	if !given {
		count = 10
	}
	kind, chosen := readEntity(s)
	if bad := r.problem(); bad != nil {
		return reply{}, bad
	}
	if !detectable(query) {
		return reply{}, undetectable("Nothing can be searched for with this query")
	}
	world := c.server.world
	if !chosen {
		kind = world.entity(query)
	}
	shape := previewShape{Search: previewSearchShape{Entity: kind, Criteria: []criterionShape{}},
		Enrichments: world.asked(query), Items: []previewItemShape{}}
	for _, text := range world.criteria(query) {
		shape.Search.Criteria = append(shape.Search.Criteria, criterionShape{Description: text})
	}
	if c.query.Get("search") == "true" {
		things, _ := world.choose(hunt{kind: kind.Type, query: query}, count)
		for _, t := range things {
			shape.Items = append(shape.Items, previewItemShape{ID: c.server.id("wi"),
				Properties: world.properties(t, c.server.options.Content), CreatedAt: stamp(c.now)})
		}
	}
	return ok(shape), nil
}
