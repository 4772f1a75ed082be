package exa

import (
	"net/http"
	"strings"
	"time"
)

const (
	maxInstructions = 4096
	researchPlans   = time.Second
)

// research is a report that is written on request. What it has come to follows from the time alone.
type research struct {
	account      *account
	id           string
	seq          uint64
	model        string
	instructions string
	schema       map[string]any
	created      time.Time
	// lasts is how long it takes.
	lasts time.Duration
}

func (r *research) place() (string, uint64) { return r.id, r.seq }

type researchShape struct {
	ResearchID   string               `json:"researchId"`
	CreatedAt    int64                `json:"createdAt"`
	Model        string               `json:"model"`
	Instructions string               `json:"instructions"`
	OutputSchema map[string]any       `json:"outputSchema,omitempty"`
	Status       string               `json:"status"`
	Events       []researchEvent      `json:"events,omitempty"`
	Output       *researchOutputShape `json:"output,omitempty"`
	CostDollars  *researchCostShape   `json:"costDollars,omitempty"`
	Error        string               `json:"error,omitempty"`
	FinishedAt   int64                `json:"finishedAt,omitempty"`
}

type researchOutputShape struct {
	Content string `json:"content"`
	Parsed  any    `json:"parsed,omitempty"`
}

type researchCostShape struct {
	Total           float64 `json:"total"`
	NumSearches     int     `json:"numSearches"`
	NumPages        int     `json:"numPages"`
	ReasoningTokens int     `json:"reasoningTokens"`
}

type researchEvent struct {
	EventType    string               `json:"eventType"`
	PlanID       string               `json:"planId,omitempty"`
	TaskID       string               `json:"taskId,omitempty"`
	OperationID  string               `json:"operationId,omitempty"`
	Instructions string               `json:"instructions,omitempty"`
	Data         *researchOperation   `json:"data,omitempty"`
	Output       *researchEventOutput `json:"output,omitempty"`
	CreatedAt    int64                `json:"createdAt"`
	ResearchID   string               `json:"researchId"`
}

type researchOperation struct {
	Type    string `json:"type"`
	Content string `json:"content"`
}

type researchEventOutput struct {
	OutputType        string             `json:"outputType"`
	Reasoning         string             `json:"reasoning,omitempty"`
	TasksInstructions []string           `json:"tasksInstructions,omitempty"`
	Content           string             `json:"content,omitempty"`
	CostDollars       *researchCostShape `json:"costDollars,omitempty"`
	Error             string             `json:"error,omitempty"`
}

// retired is today's answer to all research.
func (c *call) retired() *problem {
	if !c.server.options.ResearchRetired {
		return nil
	}
	return &problem{status: http.StatusGone,
		message: "The research API has been retired; use /search with type deep-reasoning", tag: "RESEARCH_RETIRED"}
}

func (c *call) createResearch() (reply, *problem) {
	if bad := c.retired(); bad != nil {
		return reply{}, bad
	}
	r := read(c.body)
	one := &research{model: "exa-research"}
	one.instructions, _ = r.text("instructions", true, 1, maxInstructions)
	if model, given := r.choice("model", false, "exa-research-fast", "exa-research", "exa-research-pro"); given {
		one.model = model
	}
	if schema, given := r.object("outputSchema", false); given {
		one.schema = schema.fields
	}
	if bad := r.problem(); bad != nil {
		return reply{}, bad
	}
	c.account.addResearch(one, c.now)
	return reply{status: http.StatusCreated, body: one.shape(c.now, false)}, nil
}

func (a *account) addResearch(one *research, at time.Time) {
	one.account, one.id, one.seq, one.created = a, a.server.id("research"), a.research.next(), at
	takes := map[string]time.Duration{"exa-research-fast": 6 * time.Second, "exa-research": 12 * time.Second,
		"exa-research-pro": 24 * time.Second}
	one.lasts = a.server.paced(takes[one.model])
	a.research.add(one)
}

func (c *call) listResearch() (reply, *problem) {
	if bad := c.retired(); bad != nil {
		return reply{}, bad
	}
	p, bad := c.paging(10, 50)
	if bad != nil {
		return reply{}, bad
	}
	return ok(pick(c, c.account.research.all, p, true, nil, func(one *research) any { return one.shape(c.now, false) })),
		nil
}

// getResearch answers with what has happened by now, as a stream too: a stream that waited would wait for a clock that
// nobody moves.
func (c *call) getResearch() (reply, *problem) {
	if bad := c.retired(); bad != nil {
		return reply{}, bad
	}
	one, there := c.account.research.get(c.path["id"])
	if !there {
		return reply{}, notFound("Research", c.path["id"])
	}
	if c.query.Get("stream") == "true" {
		messages := []any{}
		for _, e := range one.events(c.now) {
			messages = append(messages, e)
		}
		return reply{stream: messages}, nil
	}
	return ok(one.shape(c.now, c.query.Get("events") == "true")), nil
}

func (r *research) ends() time.Time { return r.created.Add(r.lasts) }

// status is what it has come to. Instructions without a word come to nothing.
func (r *research) status(now time.Time) string {
	switch {
	case now.Before(r.created.Add(r.account.server.paced(researchPlans))):
		return "pending"
	case now.Before(r.ends()):
		return "running"
	case !detectable(r.instructions):
		return "failed"
	default:
		return "completed"
	}
}

func (r *research) shape(now time.Time, events bool) researchShape {
	s := researchShape{
		ResearchID: r.id, CreatedAt: r.created.UnixMilli(), Model: r.model, Instructions: r.instructions,
		OutputSchema: r.schema, Status: r.status(now),
	}
	if events {
		s.Events = r.events(now)
	}
	switch s.Status {
	case "completed":
		s.Output, s.CostDollars, s.FinishedAt = r.output(), r.cost(), r.ends().UnixMilli()
	case "failed":
		s.Error, s.FinishedAt = "The instructions ask for nothing", r.ends().UnixMilli()
	}
	return s
}

func (r *research) cost() *researchCostShape {
	h := mixText(r.instructions)
	cost := &researchCostShape{NumSearches: 2 + int(h%6), NumPages: 5 + int(h>>8%20),
		ReasoningTokens: 1000 + int(h>>16%9000)}
	cost.Total = float64(cost.NumSearches*5+cost.NumPages*5+cost.ReasoningTokens/200) / 1000
	return cost
}

// output is a report of some paragraphs about what the world has on the subject.
func (r *research) output() *researchOutputShape {
	world := r.account.server.world
	kind := world.entity(r.instructions).Type
	things, _ := world.choose(hunt{kind: kind, query: r.instructions}, 4)
	var b strings.Builder
	b.WriteString("# " + titleOf(r.instructions) + "\n")
	for _, t := range things {
		b.WriteString("\n## " + world.name(t) + "\n\n" + world.content(t, 600) + " ([source](" + world.url(t) + "))\n")
	}
	s := &researchOutputShape{Content: b.String()}
	if r.schema != nil {
		s.Parsed = sample(r.schema, world, things, 0)
	}
	return s
}

// sample makes a value of a JSON schema: objects, lists, texts, numbers and choices.
func sample(schema map[string]any, world *world, things []thing, depth int) any {
	const deepest = 8
	if choices, given := schema["enum"].([]any); given && len(choices) > 0 {
		return choices[0]
	}
	kind, _ := schema["type"].(string) // a type that is no text is none that is known
	switch kind {
	case "object":
		value := map[string]any{}
		properties, _ := schema["properties"].(map[string]any) // without properties there are none
		for name, one := range properties {
			if inner, fits := one.(map[string]any); fits && depth < deepest {
				value[name] = sample(inner, world, things, depth+1)
			}
		}
		return value
	case "array":
		list := []any{}
		if inner, fits := schema["items"].(map[string]any); fits && depth < deepest {
			for i := range things {
				list = append(list, sample(inner, world, things[i:i+1], depth+1))
			}
		}
		return list
	case "number", "integer":
		if len(things) > 0 {
			return world.facts(things[0]).employees
		}
		return 0
	case "boolean":
		return len(things) > 0
	default:
		if len(things) > 0 {
			return world.name(things[0])
		}
		return ""
	}
}

// events are what has happened by now.
func (r *research) events(now time.Time) []researchEvent {
	step := r.lasts / 8
	task := "Find sources for: " + titleOf(r.instructions)
	all := []researchEvent{
		{EventType: "research-definition", Instructions: r.instructions},
		{EventType: "plan-definition", PlanID: r.id + "_p1"},
		{EventType: "plan-operation", PlanID: r.id + "_p1", OperationID: r.id + "_o1",
			Data: &researchOperation{Type: "think", Content: "What is asked, and who would know it?"}},
		{EventType: "plan-output", PlanID: r.id + "_p1", Output: &researchEventOutput{OutputType: "tasks",
			Reasoning: "One search is enough.", TasksInstructions: []string{task}}},
		{EventType: "task-definition", PlanID: r.id + "_p1", TaskID: r.id + "_t1", Instructions: task},
		{EventType: "task-operation", PlanID: r.id + "_p1", TaskID: r.id + "_t1", OperationID: r.id + "_o2",
			Data: &researchOperation{Type: "think", Content: "These sources agree."}},
		{EventType: "task-output", PlanID: r.id + "_p1", TaskID: r.id + "_t1",
			Output: &researchEventOutput{OutputType: "completed", Content: "Sources found."}},
	}
	for i := range all {
		all[i].CreatedAt = r.created.Add(time.Duration(i) * step).UnixMilli()
	}
	last := researchEvent{EventType: "research-output", CreatedAt: r.ends().UnixMilli()}
	if r.status(r.ends()) == "failed" {
		last.Output = &researchEventOutput{OutputType: "failed", Error: "The instructions ask for nothing"}
	} else {
		last.Output = &researchEventOutput{OutputType: "completed", Content: r.output().Content, CostDollars: r.cost()}
	}
	happened := []researchEvent{}
	for _, e := range append(all, last) {
		if e.CreatedAt <= now.UnixMilli() {
			e.ResearchID = r.id
			happened = append(happened, e)
		}
	}
	return happened
}
