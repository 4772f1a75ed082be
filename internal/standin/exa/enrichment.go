package exa

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"
)

const (
	enrichmentPending  = "pending"
	enrichmentDone     = "completed"
	enrichmentCanceled = "canceled"
)

// The forms of an enrichment's answer.
const (
	formatText    = "text"
	formatDate    = "date"
	formatNumber  = "number"
	formatOptions = "options"
	formatEmail   = "email"
	formatPhone   = "phone"
	formatURL     = "url"
)

const (
	maxDescription = 5000
	maxOptions     = 150
)

// How an enrichment passes its time, at pace 1: it begins some time after the item was found, and each takes longer
// than the one before.
const (
	enrichBegins = time.Second
	enrichTakes  = 2 * time.Second
	enrichMore   = time.Second
)

// enrichment is a question that is answered for each item.
type enrichment struct {
	webset      *webset
	id          string
	description string
	format      string
	options     []string
	metadata    map[string]string
	created     time.Time
	updated     time.Time
	canceled    time.Time
	gone        bool
	// waits is how many items wait for it.
	waits int
}

// enrichmentPlan is an enrichment that is asked for.
type enrichmentPlan struct {
	description, format string
	options             []string
	metadata            map[string]string
}

func (c *call) enrichmentPlan(r reader) enrichmentPlan {
	p := enrichmentPlan{}
	p.description, _ = r.text("description", true, 1, maxDescription)
	p.format, _ = readFormat(r)
	p.options, _ = readOptions(r)
	p.metadata, _ = r.metadata(false)
	if p.format == formatOptions && len(p.options) == 0 {
		r.wrong("options", "is required where the format is options")
	}
	if p.format == "" {
		p.format = c.server.world.format(p.description, len(p.options))
	}
	return p
}

func readFormat(r reader) (string, bool) {
	return r.choice("format", false, formatText, formatDate, formatNumber, formatOptions, formatEmail, formatPhone,
		formatURL)
}

func readOptions(r reader) ([]string, bool) {
	all, given := r.objects("options", 1, maxOptions)
	var labels []string
	for _, one := range all {
		if label, ok := one.text("label", true, 1, maxCriterion); ok {
			labels = append(labels, label)
		}
	}
	return labels, given
}

func (w *webset) newEnrichment(p enrichmentPlan, at time.Time) *enrichment {
	return &enrichment{
		webset: w, id: w.account.server.id("we"), description: p.description, format: p.format, options: p.options,
		metadata: p.metadata, created: at, updated: at,
	}
}

// enrich has an item's enrichments begin and end, each in its time.
func (w *webset) enrich(i *item, due []*enrichment, at time.Time) {
	if len(due) == 0 {
		return
	}
	if len(i.pending) == 0 {
		w.open++
	}
	i.pending = append(i.pending, due...)
	for _, e := range due {
		e.waits++
	}
	w.account.after(at, enrichBegins, func(at time.Time) {
		for _, e := range due {
			if slices.Contains(i.pending, e) {
				i.results, i.updated = append(i.results, result{enrichment: e, status: enrichmentPending}), at
			}
		}
	})
	for n, e := range due {
		w.account.after(at, enrichBegins+enrichTakes+time.Duration(n)*enrichMore,
			func(at time.Time) { i.finish(e, enrichmentDone, at) })
	}
}

// finish ends an enrichment of an item that waits for it.
func (i *item) finish(e *enrichment, status string, at time.Time) {
	n := slices.Index(i.pending, e)
	if n < 0 {
		return
	}
	i.pending = slices.Delete(i.pending, n, n+1)
	e.waits--
	for n := range i.results {
		if i.results[n].enrichment == e {
			i.results[n].status = status
		}
	}
	i.updated, e.updated = at, at
	if len(i.pending) == 0 {
		i.webset.open--
		if status == enrichmentDone {
			i.webset.account.happened(itemEnriched, at, i.frozen())
		}
	}
	i.webset.settle(at)
}

// cancel ends an enrichment for good: what waits for it waits no more.
func (e *enrichment) cancel(at time.Time) {
	if !e.canceled.IsZero() {
		return
	}
	e.canceled, e.updated = at, at
	for _, i := range e.webset.items.all {
		i.finish(e, enrichmentCanceled, at)
	}
}

func (e *enrichment) shape() enrichmentShape {
	title, instructions := titleOf(e.description), "Find out: "+e.description
	if isHebrew(e.description) {
		instructions = "לברר: " + e.description
	}
	s := enrichmentShape{
		ID: e.id, Object: "webset_enrichment", Status: enrichmentDone, WebsetID: e.webset.id, Title: &title,
		Description: e.description, Format: &e.format,
		Instructions: &instructions, Metadata: map[string]string{}, CreatedAt: stamp(e.created), UpdatedAt: stamp(e.updated),
	}
	maps.Copy(s.Metadata, e.metadata)
	for _, label := range e.options {
		s.Options = append(s.Options, optionShape{label})
	}
	switch {
	case !e.canceled.IsZero():
		s.Status = enrichmentCanceled
	case e.waits > 0 || e.webset.searching():
		s.Status = enrichmentPending
	}
	return s
}

// searching reports whether a search goes on.
func (w *webset) searching() bool {
	return slices.ContainsFunc(w.searches,
		func(s *search) bool { return s.status == searchNew || s.status == searchRunning })
}

// result is what an enrichment found out, as the API tells it.
func (w *world) result(r result, t thing) resultShape {
	e := r.enrichment
	s := resultShape{Object: "enrichment_result", Status: r.status, Format: e.format, References: []referenceShape{},
		EnrichmentID: e.id}
	if r.status != enrichmentDone {
		return s
	}
	h := mix(t.seed("enrich"), mixText(e.description))
	f := w.facts(t)
	s.References = w.references(t, e.description)
	reasoning := w.sentence(t, f, int(h%1000))
	if h%15 == 0 {
		if reasoning = "No source tells."; isHebrew(e.description) {
			reasoning = "אין מקור שמספר על כך."
		}
		s.References = []referenceShape{}
	} else {
		s.Result = w.answer(e, t, f, h)
	}
	s.Reasoning = &reasoning
	return s
}

// answer is always a list of texts, whatever the form.
func (w *world) answer(e *enrichment, t thing, f facts, h uint64) []string {
	key := padded(e.description)
	switch e.format {
	case formatEmail:
		return []string{"office@" + strings.ReplaceAll(strings.ToLower(w.companyName(t.n, false)), " ", "-") + ".example"}
	case formatPhone:
		return []string{fmt.Sprintf("+1-555-01%02d", h%100)} // reserved for fiction
	case formatURL:
		return []string{w.url(t)}
	case formatDate:
		return []string{strings.TrimSuffix(w.published(t), "T00:00:00.000Z")}
	case formatNumber:
		if strings.Contains(key, "year") || strings.Contains(key, "שנת") {
			return []string{strconv.Itoa(f.founded)}
		}
		return []string{strconv.Itoa(f.employees)}
	case formatOptions:
		for _, label := range e.options {
			if w.met(w.understand(label), t, &f) > 0 {
				return []string{label}
			}
		}
		return []string{e.options[h%uint64(len(e.options))]}
	}
	switch {
	case says(key, foldAll([]string{"city", "location", "where", "headquarters", "עיר", "מיקום", "איפה"})):
		return []string{w.location(f)}
	case says(key, foldAll([]string{"customers", "partners", "competitors", "לקוחות", "שותפים", "מתחרים"})):
		return []string{w.companyName(int(h>>8%worldSize), f.hebrew), w.companyName(int(h>>24%worldSize), f.hebrew)}
	default:
		return []string{w.sentence(t, f, int(h>>10%1000))}
	}
}

func (c *call) createEnrichment() (reply, *problem) {
	w, bad := c.webset()
	if bad != nil {
		return reply{}, bad
	}
	r := read(c.body)
	plan := c.enrichmentPlan(r)
	if bad := r.problem(); bad != nil {
		return reply{}, bad
	}
	e := w.newEnrichment(plan, c.now)
	w.enrichments = append(w.enrichments, e)
	w.updated = c.now
	for n, i := range w.items.all {
		// A few at a time.
		const atOnce = 10
		w.enrich(i, []*enrichment{e}, c.now.Add(time.Duration(n/atOnce)*time.Second))
	}
	w.settle(c.now)
	return ok(e.shape()), nil
}

// enrichment returns the one of the path.
func (c *call) enrichment() (*enrichment, *problem) {
	w, bad := c.webset()
	if bad != nil {
		return nil, bad
	}
	for _, e := range w.enrichments {
		if e.id == c.path["id"] {
			return e, nil
		}
	}
	return nil, notFound("Enrichment", c.path["id"])
}

func (c *call) getEnrichment() (reply, *problem) {
	e, bad := c.enrichment()
	if bad != nil {
		return reply{}, bad
	}
	return ok(e.shape()), nil
}

// updateEnrichment answers without a body, as Exa does.
func (c *call) updateEnrichment() (reply, *problem) {
	e, bad := c.enrichment()
	if bad != nil {
		return reply{}, bad
	}
	r := read(c.body)
	description, described := r.text("description", false, 1, maxDescription)
	format, formatted := readFormat(r)
	options, chosen := readOptions(r)
	metadata, given := r.metadata(true)
	if formatted && format == formatOptions && len(options) == 0 && len(e.options) == 0 {
		r.wrong("options", "is required where the format is options")
	}
	if bad := r.problem(); bad != nil {
		return reply{}, bad
	}
	if described {
		e.description = description
	}
	if chosen {
		e.options = options
	}
	if formatted {
		e.format = format
	}
	if given {
		e.metadata = metadata
	}
	e.updated = c.now
	return reply{}, nil
}

func (c *call) deleteEnrichment() (reply, *problem) {
	e, bad := c.enrichment()
	if bad != nil {
		return reply{}, bad
	}
	shape := e.shape()
	e.gone = true
	e.cancel(c.now)
	e.webset.enrichments = slices.DeleteFunc(e.webset.enrichments, func(one *enrichment) bool { return one == e })
	e.webset.settle(c.now)
	return ok(shape), nil
}

func (c *call) cancelEnrichment() (reply, *problem) {
	e, bad := c.enrichment()
	if bad != nil {
		return reply{}, bad
	}
	if e.shape().Status == enrichmentPending {
		e.cancel(c.now)
	}
	return ok(e.shape()), nil
}
