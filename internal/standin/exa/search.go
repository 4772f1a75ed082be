package exa

import (
	"fmt"
	"maps"
	"net/http"
	"time"
)

const (
	searchNew      = "created"
	searchRunning  = "running"
	searchDone     = "completed"
	searchStopped  = "canceled"
	behaveOverride = "override"
	behaveAppend   = "append"
)

// How a search passes its time, at pace 1.
const (
	searchWaits = time.Second
	// firstFound is when its first item is found, after it began to run.
	firstFound = 4 * time.Second
	// perItem is between items of a small search, and perLate between those after the first smallSearch ones.
	perItem     = time.Second
	perLate     = 3600 * time.Millisecond
	smallSearch = 25
)

// search is one that fills a webset.
type search struct {
	webset   *webset
	id       string
	status   string
	query    string
	entity   entityShape
	criteria []criterion
	// satisfied is how many of the items that were judged satisfy each criterion.
	satisfied       []int
	judged          int
	count           int
	behavior        string
	exclude, scope  []sourceShape
	recall          bool
	recalled        int
	metadata        map[string]string
	created         time.Time
	updated         time.Time
	canceled        time.Time
	reason          string
	chosen          []thing
	found, analyzed int
	// ends is when it will be complete.
	begins, ends time.Time
	// told is of how many quarters an event has told.
	told int
	// reached is how far it had come when it was canceled, in percent.
	reached int
	// lasts is how long it takes in all; 0: what is usual.
	lasts time.Duration
	// done is called when it has ended.
	done func(at time.Time)
}

// searchPlan is a search that is asked for.
type searchPlan struct {
	query          string
	count          int
	entity         entityShape
	criteria       []string
	behavior       string
	exclude, scope []sourceShape
	recall         bool
	metadata       map[string]string
	lasts          time.Duration
	done           func(at time.Time)
}

// searchPlan reads a search; on its own it must say how many it wants, and may say what becomes of the items that are
// there.
func (c *call) searchPlan(r reader, alone bool) searchPlan {
	p := searchPlan{behavior: behaveOverride}
	p.query, _ = r.text("query", true, 1, maxQuery)
	p.count = 10
	if count, given := r.whole("count", alone, 1, maxCount); given {
		p.count = count
	}
	p.criteria = readCriteria(r, 1, 1)
	kind, chosen := readEntity(r)
	if !chosen {
		kind = c.server.world.entity(p.query)
	}
	p.entity = kind
	p.exclude = c.sources(r, "exclude", false)
	p.scope = c.sources(r, "scope", true)
	p.recall, _ = r.flag("recall")
	if alone {
		if behavior, given := r.choice("behavior", c.server.options.NeedBehavior, behaveOverride, behaveAppend); given {
			p.behavior = behavior
		}
		p.metadata, _ = r.metadata(false)
	}
	if len(p.scope) > 0 {
		p.behavior = behaveOverride
	}
	return p
}

func readCriteria(r reader, least, shortest int) []string {
	all, _ := r.objects("criteria", least, maxCriteria)
	var texts []string
	for _, one := range all {
		if text, given := one.text("description", true, shortest, maxCriterion); given {
			texts = append(texts, text)
		}
	}
	return texts
}

func readEntity(r reader) (entityShape, bool) {
	e, given := r.object("entity", false)
	if !given {
		return entityShape{}, false
	}
	kind, given := e.choice("type", true, kinds()...)
	shape := entityShape{Type: kind}
	if kind == kindCustom {
		shape.Description, _ = e.text("description", true, 2, maxEntity)
	}
	return shape, given
}

// sources reads a list of imports and websets, which must be the account's own.
func (c *call) sources(r reader, name string, related bool) []sourceShape {
	all, _ := r.objects(name, 0, maxSources)
	sources := make([]sourceShape, 0, len(all))
	for _, one := range all {
		source := sourceShape{}
		source.Source, _ = one.choice("source", true, "import", "webset")
		source.ID, _ = one.text("id", true, 1, maxExternalID)
		if relation, given := one.object("relationship", false); given && related {
			source.Relationship = &relationshipShape{}
			source.Relationship.Definition, _ = relation.text("definition", true, 1, maxCriterion)
			source.Relationship.Limit, _ = relation.whole("limit", true, 1, 10)
		}
		if source.ID != "" && source.Source != "" && !c.account.has(source) {
			one.wrong("id", "names no %s of yours", source.Source)
		}
		sources = append(sources, source)
	}
	return sources
}

func (a *account) has(source sourceShape) bool {
	if source.Source == "import" {
		_, there := a.imports.get(source.ID)
		return there
	}
	_, there := a.websets.get(source.ID)
	return there || a.external[source.ID] != nil
}

// spend takes from what an account may search for.
func (a *account) spend(count int) *problem {
	if most := a.server.options.Credits; most > 0 && a.spent+count > most {
		return &problem{status: http.StatusPaymentRequired, message: "You have no more credits", tag: "NO_MORE_CREDITS"}
	}
	a.spent += count
	return nil
}

func (w *webset) newSearch(p searchPlan, at time.Time) *search {
	world := w.account.server.world
	s := &search{
		webset: w, id: w.account.server.id("wss"), status: searchNew, query: p.query, entity: p.entity, count: p.count,
		behavior: p.behavior, exclude: p.exclude, scope: p.scope,
		recall: p.recall, metadata: p.metadata, created: at, updated: at, lasts: p.lasts, done: p.done,
	}
	texts := p.criteria
	if len(texts) == 0 {
		texts = world.criteria(p.query)
	}
	for _, text := range texts {
		s.criteria = append(s.criteria, world.criterion(text))
	}
	s.satisfied = make([]int, len(s.criteria))
	w.searches = append(w.searches, s)
	return s
}

// start tells of a search and has it begin.
func (w *webset) start(s *search, at time.Time) {
	w.account.happened(searchCreated, at, frozen(s.shape()))
	w.account.after(at, searchWaits, s.begin)
	w.settle(at)
}

// begin chooses what will be found. What is there already is judged anew where the search replaces it.
func (s *search) begin(at time.Time) {
	if s.status != searchNew {
		return
	}
	s.status, s.updated, s.begins = searchRunning, at, at
	w := s.webset
	w.settle(at)
	if s.behavior == behaveOverride {
		w.items.keep(func(i *item) bool { return i.judgeAnew(s, at) })
	}
	h := hunt{kind: s.entity.Type, query: s.query, without: map[string]bool{}, all: s.recall}
	world := w.account.server.world
	for _, i := range w.items.all {
		h.without[world.url(i.thing)] = true
	}
	for _, source := range append(append([]sourceShape{}, s.exclude...), w.excludes...) {
		for _, t := range w.account.things(source) {
			h.without[world.url(t)] = true
		}
	}
	for _, source := range s.scope {
		h.among = append(h.among, world.related(w.account.things(source), source.Relationship, s.entity.Type)...)
	}
	if len(s.scope) > 0 && h.among == nil {
		h.among = []thing{}
	}
	s.chosen, s.recalled = world.choose(h, s.count)
	s.ends = s.due(len(s.chosen))
	s.next(at)
}

// due is when the n-th item is found, from 1; the end comes with the last one.
func (s *search) due(n int) time.Time {
	pace := s.webset.account.server.paced
	if s.lasts > 0 { // evenly
		return s.begins.Add(time.Duration(float64(s.lasts) * float64(n) / float64(max(1, len(s.chosen)))))
	}
	late := max(0, n-smallSearch)
	return s.begins.Add(pace(firstFound + time.Duration(min(n, smallSearch))*perItem + time.Duration(late)*perLate))
}

// next plans the next item, or the end.
func (s *search) next(at time.Time) {
	if s.found < len(s.chosen) {
		s.webset.account.plan(s.due(s.found+1), s.find)
		return
	}
	if len(s.chosen) == 0 {
		s.webset.account.plan(s.due(0), s.complete)
		return
	}
	s.complete(at)
}

// find finds one item.
func (s *search) find(at time.Time) {
	if s.status != searchRunning {
		return
	}
	t := s.chosen[s.found]
	s.found++
	s.analyzed = s.found + s.found/2
	s.updated = at
	i := s.webset.newItem("search", s.id, t, at)
	i.judge(s)
	s.webset.addItem(i, at)
	if quarter := 4 * s.found / len(s.chosen); s.found < len(s.chosen) && quarter > s.told {
		s.told = quarter
		s.webset.account.happened(searchUpdated, at, frozen(s.shape()))
	}
	s.next(at)
}

func (s *search) complete(at time.Time) {
	if s.status != searchRunning {
		return
	}
	s.status, s.updated = searchDone, at
	s.chosen = nil
	s.webset.account.happened(searchCompleted, at, frozen(s.shape()))
	s.ended(at)
}

func (s *search) ended(at time.Time) {
	if s.done != nil {
		s.done(at)
	}
	s.webset.settle(at)
}

// cancel ends a search that has not ended.
func (s *search) cancel(reason string, at time.Time) {
	if s.status != searchNew && s.status != searchRunning {
		return
	}
	s.reached = s.progress(at).Completion
	s.status, s.updated, s.canceled, s.reason, s.chosen = searchStopped, at, at, reason, nil
	s.webset.account.happened(searchCanceled, at, frozen(s.shape()))
	s.ended(at)
}

// progress is how far it has come.
func (s *search) progress(now time.Time) progressShape {
	p := progressShape{Found: s.found, Analyzed: s.analyzed}
	switch s.status {
	case searchDone:
		p.Completion, p.TimeLeft = 100, new(int)
	case searchRunning:
		whole := max(1, int(s.ends.Sub(s.begins)/time.Millisecond))
		p.Completion = min(99, 100*int(max(0, now.Sub(s.begins))/time.Millisecond)/whole)
		if s.found > 0 {
			left := int((s.ends.Sub(now) + time.Second - 1) / time.Second)
			p.TimeLeft = &left
		}
	case searchStopped:
		p.Completion = s.reached
	}
	return p
}

func (s *search) shape() searchShape {
	shape := searchShape{
		ID: s.id, Object: "webset_search", Status: s.status, WebsetID: s.webset.id, Query: s.query, Entity: &s.entity,
		Criteria: []criterionShape{}, Count: s.count,
		Behavior: s.behavior, Exclude: append([]sourceShape{}, s.exclude...), Scope: append([]sourceShape{}, s.scope...),
		Progress: s.progress(s.webset.account.at),
		Metadata: map[string]string{}, CanceledAt: orNull(s.canceled), CanceledReason: textOrNull(s.reason),
		CreatedAt: stamp(s.created), UpdatedAt: stamp(s.updated),
	}
	maps.Copy(shape.Metadata, s.metadata)
	for i, c := range s.criteria {
		rate := 0
		if s.judged > 0 {
			rate = 100 * s.satisfied[i] / s.judged
		}
		shape.Criteria = append(shape.Criteria, criterionShape{Description: c.text, SuccessRate: &rate})
	}
	if s.recall && s.status == searchDone {
		recall := &recallShape{Reasoning: fmt.Sprintf("Of what was looked at, about %d fit the query.", s.recalled)}
		recall.Expected.Total, recall.Expected.Confidence = s.recalled, "high"
		recall.Expected.Bounds.Min, recall.Expected.Bounds.Max = s.recalled*9/10, s.recalled*11/10
		shape.Recall = recall
	}
	return shape
}

func (c *call) createSearch() (reply, *problem) {
	w, bad := c.webset()
	if bad != nil {
		return reply{}, bad
	}
	r := read(c.body)
	plan := c.searchPlan(r, true)
	if bad := r.problem(); bad != nil {
		return reply{}, bad
	}
	if bad := c.account.spend(plan.count); bad != nil {
		return reply{}, bad
	}
	s := w.newSearch(plan, c.now)
	w.start(s, c.now)
	return ok(s.shape()), nil
}

// search returns the one of the path.
func (c *call) search() (*search, *problem) {
	w, bad := c.webset()
	if bad != nil {
		return nil, bad
	}
	for _, s := range w.searches {
		if s.id == c.path["id"] {
			return s, nil
		}
	}
	return nil, notFound("Search", c.path["id"])
}

func (c *call) getSearch() (reply, *problem) {
	s, bad := c.search()
	if bad != nil {
		return reply{}, bad
	}
	return ok(s.shape()), nil
}

func (c *call) cancelSearch() (reply, *problem) {
	s, bad := c.search()
	if bad != nil {
		return reply{}, bad
	}
	s.cancel("", c.now)
	return ok(s.shape()), nil
}

// things are those of a source.
func (a *account) things(source sourceShape) []thing {
	var all []thing
	if source.Source == "import" {
		if i, there := a.imports.get(source.ID); there {
			all = append(all, i.things...)
		}
		return all
	}
	w, there := a.websets.get(source.ID)
	if !there {
		w = a.external[source.ID]
	}
	if w != nil {
		for _, i := range w.items.all {
			all = append(all, i.thing)
		}
	}
	return all
}

// related returns things of a kind that stand in a relation to others, so many for each; without a relation those
// themselves.
func (w *world) related(all []thing, relation *relationshipShape, kind string) []thing {
	if relation == nil {
		return all
	}
	var found []thing
	for _, t := range all {
		for i := range relation.Limit {
			found = append(found, thing{kind: kind,
				n: int(mix(t.seed("related"), mixText(relation.Definition), uint64(i)) % worldSize)})
		}
	}
	return found
}
