package exa

import (
	"net/url"
	"slices"
	"strings"
	"time"
)

// maxResults is how many results a search gives at most.
const maxResults = 100

type findShape struct {
	RequestID          string           `json:"requestId"`
	ResolvedSearchType string           `json:"resolvedSearchType,omitempty"`
	SearchType         string           `json:"searchType,omitempty"`
	Context            string           `json:"context,omitempty"`
	Output             *groundedShape   `json:"output,omitempty"`
	Results            []findResult     `json:"results"`
	Statuses           []contentsStatus `json:"statuses,omitempty"`
	CostDollars        costShape        `json:"costDollars"`
}

type groundedShape struct {
	Content   any              `json:"content"`
	Grounding []groundingShape `json:"grounding"`
}

type groundingShape struct {
	Field      string          `json:"field"`
	Citations  []citationShape `json:"citations"`
	Confidence string          `json:"confidence"`
}

type citationShape struct {
	URL   string `json:"url"`
	Title string `json:"title"`
}

type findResult struct {
	ID              string     `json:"id"`
	URL             string     `json:"url"`
	Title           string     `json:"title"`
	Score           *float64   `json:"score,omitempty"`
	PublishedDate   *string    `json:"publishedDate"`
	Author          *string    `json:"author"`
	Image           string     `json:"image,omitempty"`
	Favicon         string     `json:"favicon,omitempty"`
	Text            *string    `json:"text,omitempty"`
	Highlights      []string   `json:"highlights,omitempty"`
	HighlightScores []float64  `json:"highlightScores,omitempty"`
	Summary         *string    `json:"summary,omitempty"`
	Extras          *extraLink `json:"extras,omitempty"`
}

type extraLink struct {
	Links []string `json:"links"`
}

type costShape struct {
	Total float64 `json:"total"`
}

type contentsStatus struct {
	ID     string         `json:"id"`
	Status string         `json:"status"`
	Error  *contentsError `json:"error,omitempty"`
}

type contentsError struct {
	Tag            string `json:"tag"`
	HTTPStatusCode int    `json:"httpStatusCode"`
}

// wantedText is what of a page's text is asked for.
type wantedText struct {
	text, context, highlights, summary bool
	// textMost and contextMost bound it in characters; 0: all of it.
	textMost, contextMost int
	perPage, links        int
	summaryQuery          string
}

// readWanted reads what of the texts is asked for.
func readWanted(r reader) wantedText {
	w := wantedText{perPage: 1}
	w.text, w.textMost = readSwitch(r, "text")
	w.context, w.contextMost = readSwitch(r, "context")
	w.highlights, _ = readSwitch(r, "highlights")
	w.summary, _ = readSwitch(r, "summary")
	if o, isObject := r.fields["highlights"].(map[string]any); isObject {
		inner := reader{problems: r.problems, path: r.at("highlights"), fields: o}
		if n, given := inner.whole("highlightsPerUrl", false, 1, maxResults); given {
			w.perPage = n
		}
	}
	if o, isObject := r.fields["summary"].(map[string]any); isObject {
		w.summaryQuery, _ = reader{problems: r.problems, path: r.at("summary"), fields: o}.text("query", false, 0, maxQuery)
	}
	if extras, given := r.object("extras", false); given {
		w.links, _ = extras.whole("links", false, 0, maxResults)
	}
	r.choice("livecrawl", false, "never", "fallback", "always", "preferred")
	r.whole("livecrawlTimeout", false, 0, 600_000)
	r.whole("subpages", false, 0, maxResults)
	return w
}

// readContents reads it from the object contents, or where there is none from the request itself, as older clients say
// it.
func readContents(r reader) wantedText {
	if contents, wants := r.object("contents", false); wants {
		return readWanted(contents)
	}
	return readWanted(r)
}

// readSwitch reads what is true, false, or an object of details.
func readSwitch(r reader, name string) (on bool, most int) {
	switch v := r.fields[name].(type) {
	case nil:
		return false, 0
	case bool:
		return v, 0
	case map[string]any:
		most, _ = reader{problems: r.problems, path: r.at(name), fields: v}.whole("maxCharacters", false, 1, 10_000_000)
		return true, most
	default:
		r.wrong(name, "must be true, false or an object")
		return false, 0
	}
}

// filter is what results must be like.
type filter struct {
	count            int
	include, exclude []string
	from, to         time.Time
	has, hasNot      []string
}

func readFilter(r reader) filter {
	f := filter{count: 10}
	if n, given := r.whole("numResults", false, 1, maxResults); given {
		f.count = n
	}
	f.include, _ = r.texts("includeDomains", false, 0, 1200)
	f.exclude, _ = r.texts("excludeDomains", false, 0, 1200)
	f.from, f.to = readDate(r, "startPublishedDate"), readDate(r, "endPublishedDate")
	readDate(r, "startCrawlDate")
	readDate(r, "endCrawlDate")
	f.has, _ = r.texts("includeText", false, 0, 1)
	f.hasNot, _ = r.texts("excludeText", false, 0, 1)
	for _, text := range slices.Concat(f.has, f.hasNot) {
		if len(strings.Fields(text)) > 5 {
			r.wrong("includeText", "may have at most 5 words")
		}
	}
	return f
}

func readDate(r reader, name string) time.Time {
	text, given := r.text(name, false, 1, 40)
	if !given {
		return time.Time{}
	}
	for _, layout := range []string{time.RFC3339Nano, time.DateOnly} {
		if at, err := time.Parse(layout, text); err == nil {
			return at
		}
	}
	r.wrong(name, "must be a date of ISO 8601")
	return time.Time{}
}

// passes reports whether a thing is like that.
func (f filter) passes(w *world, t thing, size int) bool {
	u, err := url.Parse(w.url(t))
	if err != nil {
		return false
	}
	of := func(domain string) bool { return u.Host == domain || strings.HasSuffix(u.Host, "."+domain) }
	if len(f.include) > 0 && !slices.ContainsFunc(f.include, of) || slices.ContainsFunc(f.exclude, of) {
		return false
	}
	if !f.from.IsZero() || !f.to.IsZero() {
		at, err := time.Parse(time.RFC3339, w.published(t))
		if err != nil || !f.from.IsZero() && at.Before(f.from) || !f.to.IsZero() && at.After(f.to) {
			return false
		}
	}
	if len(f.has)+len(f.hasNot) == 0 {
		return true
	}
	text := padded(w.name(t) + " " + w.content(t, size))
	for _, one := range f.has {
		if !saysOne(text, strings.TrimSpace(padded(one))) {
			return false
		}
	}
	for _, one := range f.hasNot {
		if saysOne(text, strings.TrimSpace(padded(one))) {
			return false
		}
	}
	return true
}

// categories are those of a search, and the kinds of things that they find.
func categories() map[string]string {
	return map[string]string{
		"company": kindCompany, "people": kindPerson, "linkedin profile": kindPerson, "research paper": kindPaper,
		"news": kindArticle, "tweet": kindArticle,
		"personal site": kindCustom, "github": kindCustom, "pdf": kindPaper, "financial report": kindArticle,
	}
}

// find is POST /search.
func (c *call) find() (reply, *problem) {
	r := read(c.body)
	query, _ := r.text("query", true, 1, 0)
	kind, given := r.choice("type", false, "auto", "neural", "keyword", "fast", "deep", "deep-reasoning", "instant",
		"hybrid")
	if !given {
		kind = "auto"
	}
	var names []string
	for name := range categories() {
		names = append(names, name)
	}
	slices.Sort(names)
	category, _ := r.choice("category", false, names...)
	f, w := readFilter(r), readContents(r)
	schema, structured := r.object("outputSchema", false)
	if bad := r.problem(); bad != nil {
		return reply{}, bad
	}
	what := categories()[category]
	if what == "" {
		what = c.server.world.entity(query).Type
	}
	things := c.matching(hunt{kind: what, query: query}, f)
	shape := c.results(things, w)
	resolved := kind
	if kind == "auto" || kind == "fast" || kind == "instant" || kind == "hybrid" {
		resolved = "neural"
	}
	shape.ResolvedSearchType, shape.SearchType = resolved, resolved
	if kind == "deep-reasoning" || structured {
		shape.Output = c.grounded(query, schema, structured, things)
	}
	return ok(shape), nil
}

// grounded is an answer with what it rests on.
func (c *call) grounded(query string, schema reader, structured bool, things []thing) *groundedShape {
	world := c.server.world
	output := &groundedShape{Content: world.summary(query, things), Grounding: []groundingShape{}}
	if structured {
		output.Content = sample(schema.fields, world, things, 0)
	}
	cited := []citationShape{}
	for _, t := range things[:min(3, len(things))] {
		cited = append(cited, citationShape{URL: world.url(t), Title: world.name(t)})
	}
	output.Grounding = append(output.Grounding, groundingShape{Field: "content", Citations: cited, Confidence: "high"})
	return output
}

// matching finds things that pass a filter.
func (c *call) matching(h hunt, f filter) []thing {
	const many = 500 // a filter that few pass is looked through so far
	all, _ := c.server.world.choose(h, many)
	var found []thing
	for _, t := range all {
		if len(found) == f.count {
			break
		}
		if f.passes(c.server.world, t, c.server.options.Content) {
			found = append(found, t)
		}
	}
	return found
}

// results tells of things as a search does.
func (c *call) results(things []thing, w wantedText) findShape {
	shape := findShape{RequestID: c.id, Results: []findResult{},
		CostDollars: costShape{Total: 0.005 + float64(len(things))/1000}}
	var context strings.Builder
	for i, t := range things {
		score := 0.9 - float64(i)*0.004
		result := c.result(t, w)
		result.Score = &score
		shape.Results = append(shape.Results, result)
		if w.context {
			context.WriteString("Title: " + result.Title + "\nURL: " + result.URL + "\n\n" +
				c.server.world.content(t, c.server.options.Content) + "\n\n")
		}
	}
	shape.Context = cut(context.String(), w.contextMost)
	return shape
}

func (c *call) result(t thing, w wantedText) findResult {
	world := c.server.world
	published, address := world.published(t), world.url(t)
	result := findResult{ID: address, URL: address, Title: world.name(t), PublishedDate: &published,
		Author: textOrNull(world.author(t)), Favicon: faviconOf(address)}
	if w.text {
		text := cut(world.content(t, c.server.options.Content), w.textMost)
		result.Text = &text
	}
	if w.highlights {
		for i := range w.perPage {
			result.Highlights = append(result.Highlights, world.sentence(t, world.facts(t), i))
			result.HighlightScores = append(result.HighlightScores, 0.5-float64(i)/1000)
		}
	}
	if w.summary {
		summary := world.description(t)
		if w.summaryQuery != "" {
			summary = w.summaryQuery + ": " + summary
		}
		result.Summary = &summary
	}
	if w.links > 0 {
		result.Extras = &extraLink{}
		for i := range w.links {
			result.Extras.Links = append(result.Extras.Links,
				world.url(thing{kind: kindArticle, n: int(mix(t.seed("links"), uint64(i)) % worldSize)}))
		}
	}
	return result
}

func faviconOf(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	return "https://" + u.Host + "/favicon.ico"
}

// cut returns the first characters of a text; most 0: all of it.
func cut(text string, most int) string {
	if most == 0 || len(text) <= most {
		return text
	}
	runes := []rune(text)
	return string(runes[:min(most, len(runes))])
}

// findSimilar is POST /findSimilar.
func (c *call) findSimilar() (reply, *problem) {
	r := read(c.body)
	address, _ := r.address("url", true)
	f, w := readFilter(r), readContents(r)
	sourceToo, given := r.flag("excludeSourceDomain")
	if bad := r.problem(); bad != nil {
		return reply{}, bad
	}
	world := c.server.world
	t, known := world.find(address)
	if !known {
		t = thing{kind: kindArticle, n: int(mixText(address) % worldSize)}
	}
	if u, err := url.Parse(address); given && sourceToo && err == nil {
		f.exclude = append(f.exclude, u.Host)
	}
	h := hunt{kind: t.kind, query: world.Topics[world.facts(t).topic].En, without: map[string]bool{world.url(t): true}}
	return ok(c.results(c.matching(h, f), w)), nil
}

// contents is POST /contents.
func (c *call) contents() (reply, *problem) {
	r := read(c.body)
	addresses, given := r.texts("urls", false, 1, maxResults)
	if !given {
		addresses, given = r.texts("ids", false, 1, maxResults)
	}
	if !given {
		r.wrong("urls", "is required")
	}
	w := readWanted(r)
	if r.fields["text"] == nil && !w.highlights && !w.summary {
		w.text = true
	}
	if bad := r.problem(); bad != nil {
		return reply{}, bad
	}
	var things []thing
	statuses := []contentsStatus{}
	for _, address := range addresses {
		t, known := c.server.world.find(address)
		if !known {
			statuses = append(statuses, contentsStatus{ID: address, Status: "error",
				Error: &contentsError{Tag: "CRAWL_NOT_FOUND", HTTPStatusCode: 404}})
			continue
		}
		things = append(things, t)
		statuses = append(statuses, contentsStatus{ID: address, Status: "success"})
	}
	shape := c.results(things, w)
	for i := range shape.Results {
		shape.Results[i].Score = nil
	}
	shape.Statuses = statuses
	return ok(shape), nil
}

type answerShape struct {
	RequestID   string       `json:"requestId"`
	Answer      string       `json:"answer"`
	Citations   []findResult `json:"citations"`
	CostDollars costShape    `json:"costDollars"`
}

type answerChunk struct {
	Choices   []answerChoice `json:"choices,omitempty"`
	Citations []findResult   `json:"citations,omitempty"`
}

type answerChoice struct {
	Delta struct {
		Content string `json:"content"`
	} `json:"delta"`
}

// answer is POST /answer.
func (c *call) answer() (reply, *problem) {
	r := read(c.body)
	query, _ := r.text("query", true, 1, 0)
	stream, _ := r.flag("stream")
	text, _ := r.flag("text")
	if bad := r.problem(); bad != nil {
		return reply{}, bad
	}
	world := c.server.world
	things := c.matching(hunt{kind: world.entity(query).Type, query: query}, filter{count: 4})
	shape := answerShape{RequestID: c.id, Answer: world.summary(query, things),
		Citations: c.results(things, wantedText{text: text}).Results, CostDollars: costShape{Total: 0.005}}
	for i := range shape.Citations {
		shape.Citations[i].Score = nil
	}
	if !stream {
		return ok(shape), nil
	}
	var chunks []any
	for word := range strings.SplitAfterSeq(shape.Answer, " ") {
		choice := answerChoice{}
		choice.Delta.Content = word
		chunks = append(chunks, answerChunk{Choices: []answerChoice{choice}})
	}
	return reply{stream: append(chunks, answerChunk{Citations: shape.Citations})}, nil
}

// summary is a short text about what was found.
func (w *world) summary(query string, things []thing) string {
	if len(things) == 0 {
		if isHebrew(query) {
			return "לא נמצא דבר."
		}
		return "Nothing was found."
	}
	var sentences []string
	for _, t := range things[:min(3, len(things))] {
		sentences = append(sentences, w.description(t))
	}
	return strings.Join(sentences, " ")
}
