package agent

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"time"
	"unicode/utf8"

	"almanac/adapters/openai"
	"almanac/graph/model"
	"almanac/projections/plan"
	"almanac/projections/when"
)

var (
	// errUnsure: the model says that it does not understand.
	errUnsure = errors.New("agent: the model is not certain")
	// errUnfit: its answer does not fit the sentence, or is none.
	errUnfit = errors.New("agent: the answer does not fit the sentence")
)

// Bounds of what is taken from an answer.
const (
	maxPeople = 20
	maxYears  = 10
	// defaultDays is how far ahead is read when no time is said.
	defaultDays = 7
)

// arguments are those of all tools. Nothing of them is trusted.
type arguments struct {
	Certain     bool     `json:"certain"`
	Title       *string  `json:"title"`
	Start       *string  `json:"start"`
	End         *string  `json:"end"`
	Location    *string  `json:"location"`
	People      []string `json:"people"`
	From        *string  `json:"from"`
	To          *string  `json:"to"`
	Query       *string  `json:"query"`
	NewTitle    *string  `json:"new_title"`
	NewStart    *string  `json:"new_start"`
	NewEnd      *string  `json:"new_end"`
	NewLocation *string  `json:"new_location"`
	Everything  bool     `json:"everything"`
}

// check is one answer that is held against its sentence.
type check struct {
	arguments
	sentence
	at when.Moment
	// bad: something in it does not fit.
	bad bool
}

// planOf makes a plan of the calls in an answer: of one call of a tool that there is, with arguments that the sentence
// gives.
func planOf(calls []openai.Call, text string, at when.Moment) (plan.Plan, error) {
	if len(calls) != 1 {
		return plan.Plan{}, errUnfit
	}
	c := &check{sentence: sentenceOf(text), at: at}
	decoder := json.NewDecoder(bytes.NewReader(calls[0].Arguments))
	decoder.DisallowUnknownFields()
	if decoder.Decode(&c.arguments) != nil {
		return plan.Plan{}, errUnfit
	}
	if !c.Certain {
		return plan.Plan{}, errUnsure
	}
	out := plan.Plan{Tool: plan.Tool(calls[0].Name)}
	switch out.Tool {
	case plan.ToolCreate:
		out.Create = c.create()
	case plan.ToolRead:
		out.Read = c.window(false)
		if out.Read == nil {
			out.Read = &plan.Window{From: at.Now, To: at.Now.In(at.Zone).AddDate(0, 0, defaultDays)}
		}
	case plan.ToolSchedule:
		out.Schedule = c.window(true)
	case plan.ToolSearch:
		out.Search = &plan.Search{Query: c.words(c.Query), Window: c.window(false)}
		c.bad = c.bad || out.Search.Query == ""
	case plan.ToolUpdate:
		out.Update = c.update()
	case plan.ToolDelete:
		out.Delete = c.delete()
	default:
		return plan.Plan{}, errUnfit
	}
	if c.bad {
		return plan.Plan{}, errUnfit
	}
	return out, nil
}

// words returns a text that must stand in the sentence; empty for none.
func (c *check) words(text *string) string {
	if text == nil {
		return ""
	}
	clean := strings.Join(strings.Fields(*text), " ")
	if clean == "" {
		return ""
	}
	if utf8.RuneCountInString(clean) > model.MaxEventSummary || !c.gives(clean) {
		c.bad = true
	}
	return clean
}

// time reads a day or an instant of the person's clock, with an hour that the sentence gives. Zero for none.
func (c *check) time(text *string, end bool) model.EventTime {
	if text == nil || strings.TrimSpace(*text) == "" {
		return model.EventTime{}
	}
	said := strings.TrimSpace(*text)
	var out model.EventTime
	var date model.Date
	if date.UnmarshalGQL(said) == nil {
		out.Date = date
	} else if in, err := model.ParseDateTimeInput(said); err == nil {
		out.At = when.Resolve(in, c.at.Zone).Truncate(time.Second)
		local := out.At.In(c.at.Zone)
		c.bad = c.bad || !c.hasHour(local.Hour(), local.Minute(), end)
		out.At = local
	} else {
		c.bad = true
		return out
	}
	year := out.At.Year()
	if out.AllDay() {
		year = out.Date.Year
	}
	if now := c.at.Now.In(c.at.Zone).Year(); year < now-maxYears || year > now+maxYears {
		c.bad = true
	}
	return out
}

func (c *check) create() *plan.Create {
	out := &plan.Create{
		Title: c.words(c.Title), Location: c.words(c.Location),
		Start: c.time(c.Start, false), End: c.time(c.End, true),
	}
	switch {
	case out.Start.IsZero(), len(c.People) > maxPeople:
		c.bad = true
		return out
	case out.End.IsZero() && out.Start.AllDay():
		out.End.Date = out.Start.Date.AddDays(1)
	case out.End.IsZero():
		out.End.At = out.Start.At.Add(time.Hour)
	}
	if out.Start.AllDay() != out.End.AllDay() || out.Start.AllDay() && !out.Start.Date.Before(out.End.Date) ||
		!out.Start.AllDay() && !out.End.At.After(out.Start.At) {
		c.bad = true
	}
	for _, one := range c.People {
		name := c.words(&one)
		switch {
		case name == "":
		case strings.Contains(name, "@"):
			out.People = append(out.People, plan.Person{Email: name})
		default:
			out.People = append(out.People, plan.Person{Name: name})
		}
	}
	return out
}

// window is the range of an answer; nil for none. Its bounds need no hour of the sentence: "this afternoon" has none,
// and nothing is changed by looking.
func (c *check) window(required bool) *plan.Window {
	from, to := c.bound(c.From), c.bound(c.To)
	switch {
	case from.IsZero() && to.IsZero() && !required:
		return nil
	case from.IsZero() || to.IsZero() || !to.After(from):
		c.bad = true
		return nil
	}
	return &plan.Window{From: from, To: to}
}

func (c *check) bound(text *string) time.Time {
	if text == nil || strings.TrimSpace(*text) == "" {
		return time.Time{}
	}
	said := strings.TrimSpace(*text)
	var date model.Date
	if date.UnmarshalGQL(said) == nil {
		return when.StartOfDate(date, c.at.Zone)
	}
	in, err := model.ParseDateTimeInput(said)
	if err != nil {
		c.bad = true
		return time.Time{}
	}
	return when.Resolve(in, c.at.Zone).In(c.at.Zone)
}

func (c *check) update() *plan.Update {
	out := &plan.Update{Target: plan.Target{Title: c.words(c.Title), Window: c.window(false)}}
	out.Change.Title, out.Change.Location = c.words(c.NewTitle), c.words(c.NewLocation)
	start, end := c.time(c.NewStart, false), c.time(c.NewEnd, true)
	if !start.IsZero() {
		out.Change.Date = start.Date
		if !start.AllDay() {
			out.Change.Date = model.DateOf(start.At)
			out.Change.Start = clockOf(start.At)
		}
	}
	switch {
	case end.IsZero():
	case end.AllDay():
		c.bad = true // a last day needs no hours, which the sentence may mean to keep
	case !start.IsZero() && (start.AllDay() || !end.At.After(start.At)):
		c.bad = true
	default:
		out.Change.End = clockOf(end.At)
	}
	if out.Target.Title == "" || out.Change.Title == "" && out.Change.Location == "" && start.IsZero() && end.IsZero() {
		c.bad = true
	}
	return out
}

func clockOf(at time.Time) *plan.Clock { return &plan.Clock{Hour: at.Hour(), Minute: at.Minute()} }

func (c *check) delete() *plan.Delete {
	out := &plan.Delete{Target: plan.Target{Title: c.words(c.Title), Window: c.window(false), All: c.Everything}}
	if out.Target.All && out.Target.Window == nil || !out.Target.All && out.Target.Title == "" {
		c.bad = true
	}
	return out
}
