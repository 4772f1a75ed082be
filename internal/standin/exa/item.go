package exa

import (
	"slices"
	"time"
)

// item is one of a webset.
type item struct {
	webset   *webset
	id       string
	seq      uint64
	source   string
	sourceID string
	thing    thing
	// criteria are those it was judged by, verdicts what came of it; none for what nobody judged.
	criteria []criterion
	verdicts []verdict
	// results are nil until its enrichments begin; pending are those that are still to end.
	results []result
	pending []*enrichment
	created time.Time
	updated time.Time
	gone    bool
}

// result is what an enrichment found out about an item.
type result struct {
	enrichment *enrichment
	status     string
}

func (i *item) place() (string, uint64) { return i.id, i.seq }

func (w *webset) newItem(source, sourceID string, t thing, at time.Time) *item {
	return &item{webset: w, id: w.account.server.id("wi"), seq: w.items.next(), source: source, sourceID: sourceID,
		thing: t, created: at, updated: at}
}

// judge holds an item against the criteria of the search that found it.
func (i *item) judge(s *search) {
	world := i.webset.account.server.world
	i.criteria, i.verdicts = s.criteria, make([]verdict, len(s.criteria))
	s.judged++
	for n, c := range s.criteria {
		i.verdicts[n] = world.judge(c, i.thing)
		if i.verdicts[n] == yes {
			s.satisfied[n]++
		}
	}
}

// judgeAnew holds an item against the criteria of a search that replaces those before; what satisfies none goes.
func (i *item) judgeAnew(s *search, at time.Time) bool {
	judged, satisfied := s.judged, slices.Clone(s.satisfied)
	i.judge(s)
	if slices.Contains(i.verdicts, yes) {
		i.updated = at
		return true
	}
	s.judged, s.satisfied = judged, satisfied
	i.drop()
	return false
}

// drop ends what is done for an item that goes.
func (i *item) drop() {
	i.gone = true
	if len(i.pending) == 0 {
		return
	}
	for _, e := range i.pending {
		e.waits--
	}
	i.pending = nil
	i.webset.open--
}

// addItem puts an item into its webset, and has it enriched.
func (w *webset) addItem(i *item, at time.Time) {
	w.items.add(i)
	w.updated = at
	w.account.happened(itemCreated, at, i.frozen())
	var due []*enrichment
	for _, e := range w.enrichments {
		if e.canceled.IsZero() {
			due = append(due, e)
		}
	}
	w.enrich(i, due, at)
	w.settle(at)
}

// frozen is what an item is now, whatever becomes of it. The text is made when it is asked for: an item may have
// content of 200 KB.
func (i *item) frozen() func() any {
	then := *i
	then.results, then.pending = slices.Clone(i.results), nil
	return func() any { return then.shape() }
}

func (i *item) shape() itemShape {
	world := i.webset.account.server.world
	s := itemShape{
		ID: i.id, Object: "webset_item", Source: i.source, SourceID: i.sourceID, WebsetID: i.webset.id,
		Properties: world.properties(i.thing, i.webset.account.server.options.Content), Evaluations: []evaluationShape{},
		CreatedAt: stamp(i.created), UpdatedAt: stamp(i.updated),
	}
	for n, c := range i.criteria {
		s.Evaluations = append(s.Evaluations, world.evaluation(c, i.thing, i.verdicts[n]))
	}
	if i.results == nil {
		return s
	}
	s.Enrichments = []resultShape{}
	for _, r := range i.results {
		if !r.enrichment.gone {
			s.Enrichments = append(s.Enrichments, world.result(r, i.thing))
		}
	}
	return s
}

func (c *call) listItems() (reply, *problem) {
	p, bad := c.paging(20, 100)
	if bad != nil {
		return reply{}, bad
	}
	w, bad := c.webset()
	if bad != nil {
		return reply{}, bad
	}
	source := c.query.Get("sourceId")
	wanted := func(i *item) bool { return source == "" || i.sourceID == source }
	return ok(pick(c, w.items.all, p, false, wanted, func(i *item) any { return i.shape() })), nil
}

// item returns the one of the path.
func (c *call) item() (*item, *problem) {
	w, bad := c.webset()
	if bad != nil {
		return nil, bad
	}
	i, there := w.items.get(c.path["id"])
	if !there {
		return nil, notFound("Item", c.path["id"])
	}
	return i, nil
}

func (c *call) getItem() (reply, *problem) {
	i, bad := c.item()
	if bad != nil {
		return reply{}, bad
	}
	return ok(i.shape()), nil
}

func (c *call) deleteItem() (reply, *problem) {
	i, bad := c.item()
	if bad != nil {
		return reply{}, bad
	}
	shape := i.shape()
	i.drop()
	i.webset.items.remove(i.id)
	i.webset.updated = c.now
	i.webset.settle(c.now)
	return ok(shape), nil
}
