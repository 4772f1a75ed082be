package agent

import (
	"slices"
	"strings"

	"almanac/graph"
	"almanac/graph/model"
	"almanac/projections"
	"almanac/projections/fold"
	"almanac/projections/plan"
	"almanac/resolvers/core"
)

// shownPlan is how the sentence was understood, as the answer tells it.
func (t *turn) shownPlan() *graph.AgentPlan {
	out := &graph.AgentPlan{Planner: graph.AgentPlannerGrammar, People: []string{}, Recurrence: []string{},
		Ambiguous: []graph.AgentAmbiguity{}}
	if t.planned.ByModel {
		out.Planner = graph.AgentPlannerModel
	}
	for _, doubt := range t.planned.Ambiguous {
		shown := graph.AgentAmbiguity{Text: t.part(doubt.Span), Others: []string{}}
		if len(doubt.Readings) > 0 {
			shown.Reading, shown.Others = doubt.Readings[0], append(shown.Others, doubt.Readings[1:]...)
		}
		out.Ambiguous = append(out.Ambiguous, shown)
	}
	switch p := t.planned; {
	case p.Create != nil:
		out.Title, out.Location, out.People = core.TextOrNil(p.Create.Title), core.TextOrNil(p.Create.Location),
			peopleOf(p.Create.People)
		t.showTimes(out, p.Create.Start, p.Create.End)
		if p.Create.Recurrence != "" {
			out.Recurrence = []string{p.Create.Recurrence}
		}
	case p.Read != nil:
		t.showWindow(out, p.Read)
	case p.Schedule != nil:
		t.showWindow(out, p.Schedule)
	case p.Search != nil:
		out.Title = core.TextOrNil(p.Search.Query)
		t.showWindow(out, p.Search.Window)
	case p.Update != nil:
		out.Title, out.Location = core.TextOrNil(p.Update.Target.Title), core.TextOrNil(p.Update.Change.Location)
		out.People = peopleOf(slices.Concat(p.Update.Change.AddPeople, p.Update.Change.RemovePeople))
		t.showWindow(out, p.Update.Target.Window)
	case p.Delete != nil:
		out.Title = core.TextOrNil(p.Delete.Target.Title)
		t.showWindow(out, p.Delete.Target.Window)
	}
	return out
}

// part returns the bytes of the sentence that a span names.
func (t *turn) part(span plan.Span) string {
	if span.From < 0 || span.To > len(t.text) || span.From > span.To {
		return ""
	}
	return strings.ToValidUTF8(t.text[span.From:span.To], "")
}

func (t *turn) showWindow(out *graph.AgentPlan, window *plan.Window) {
	if window != nil {
		t.showTimes(out, model.EventTime{At: window.From}, model.EventTime{At: window.To})
	}
}

func (t *turn) showTimes(out *graph.AgentPlan, start, end model.EventTime) {
	view := projections.EventAt(model.Event{Start: start, End: end}, t.v.Moment)
	out.Start, out.End = view.Start(), view.End()
}

func peopleOf(people []plan.Person) []string {
	out := make([]string, len(people))
	for i, person := range people {
		switch {
		case person.Email == "":
			out[i] = person.Name
		case person.Name == "":
			out[i] = person.Email
		default:
			out[i] = person.Name + " <" + person.Email + ">"
		}
	}
	return out
}

// toolOf is the tool that a refused sentence asked for, as far as it can be told; read when it cannot, as the contract
// has it.
func toolOf(refusal *plan.Refusal, text string) graph.AgentTool {
	if refusal.Tool != "" {
		return graph.AgentTool(refusal.Tool)
	}
	switch refusal.Slot {
	case plan.SlotStart, plan.SlotDate, plan.SlotEnd, plan.SlotRecurrence, plan.SlotTimeZone:
		if refusal.Kind == plan.Missing || refusal.Kind == plan.Contradiction && !asksToDelete(text) {
			return graph.AgentToolCreate
		}
	case plan.SlotQuery:
		return graph.AgentToolSearch
	case plan.SlotWindow:
		if refusal.Kind == plan.Missing && !asksToDelete(text) {
			return graph.AgentToolSchedule
		}
	case plan.SlotChange:
		return graph.AgentToolUpdate
	}
	switch {
	case asksToDelete(text):
		return graph.AgentToolDelete
	case refusal.Slot == plan.SlotTarget:
		return graph.AgentToolUpdate
	}
	return graph.AgentToolRead
}

// asksToDelete reports whether a word of the sentence's beginning is one for deleting.
func asksToDelete(text string) bool {
	words := strings.Fields(fold.Text(text))
	for _, word := range words[:min(len(words), 6)] {
		switch strings.Trim(word, ".,!?:;\"'") {
		case "delete", "cancel", "remove", "clear", "drop", "erase", "scrap",
			fold.Text("מחק"), fold.Text("תמחק"), fold.Text("תמחקי"), fold.Text("מחקי"), fold.Text("למחוק"), fold.Text("בטל"),
			fold.Text("תבטל"), fold.Text("תבטלי"), fold.Text("בטלי"), fold.Text("לבטל"), fold.Text("הסר"), fold.Text("נקה"):
			return true
		}
	}
	return false
}
