package agent

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/99designs/gqlgen/graphql"

	"almanac/graph"
	"almanac/graph/model"
	"almanac/internal/dryrun"
	"almanac/projections"
	"almanac/projections/plan"
	"almanac/resolvers/core"
)

// agentSeveral is the result of several things in one sentence.
type agentSeveral struct {
	Status string      `json:"status"`
	Count  int         `json:"count"`
	Parts  []agentPart `json:"parts"`
}

// division is how a sentence was divided, and what each part would do.
type division struct {
	Parts  []plan.Part
	Labels []string
}

// agentPart is what came of one of them.
type agentPart struct {
	Tool    graph.AgentTool `json:"tool"`
	Success bool            `json:"success"`
	Summary string          `json:"summary"`
	Result  *model.JSON     `json:"result"`
}

// severalReading tries whether a sentence whose first reading has led nowhere asks for several things. Each is run dry:
// a division of the sentence counts only where every part of it would be done as it stands. It returns a turn that has
// shown them and asked, or false, and then nothing was done.
func (t *turn) severalReading(ctx context.Context, limits bounds) (*turn, bool) {
	if t.confirm != nil || t.planned.ByModel || limits.after != "" || !t.ledNowhere() {
		return nil, false
	}
	return t.shownTogether(ctx, "several", func() [][]plan.Part { return plan.Several(t.text, t.v.Moment.Moment) })
}

// wholeRequests tries whether a sentence of which something would be made asks for several things, each a whole request
// with a verb of its own, which the first reading has taken for a part of one name. It returns a turn that has shown
// them and asked, or false, and then nothing was done.
func (t *turn) wholeRequests(ctx context.Context, limits bounds) (*turn, bool) {
	if t.confirm != nil || t.planned.ByModel || limits.after != "" {
		return nil, false
	}
	switch p := t.planned; {
	case p.Create != nil, p.Tool == plan.ToolCreateTask && len(p.Task.New) == 1, p.Tool == plan.ToolUpdateList,
		p.Tool == plan.ToolStoreMemory:
		return t.shownTogether(ctx, "whole requests", func() [][]plan.Part {
			if parts := plan.Requests(t.text, t.v.Moment.Moment); parts != nil {
				return [][]plan.Part{parts}
			}
			return nil
		})
	}
	return nil, false
}

// shownTogether shows the first division of a sentence of which all parts would be done as they stand, and asks; the
// decision is kept under a name.
func (t *turn) shownTogether(ctx context.Context, name string, divisions func() [][]plan.Part) (*turn, bool) {
	divided, _, err := core.DecidedAs(ctx, name, func() (division, error) {
		for _, parts := range divisions() {
			if labels := t.wouldDo(ctx, parts); labels != nil {
				return division{parts, labels}, nil
			}
		}
		return division{}, nil
	})
	if err != nil || len(divided.Parts) == 0 {
		return nil, false
	}
	other := &turn{Resolver: t.Resolver, v: t.v, text: t.text, dryRun: t.dryRun, hebrew: t.hebrew, out: emptyAnswer(),
		labels:  divided.Labels,
		planned: Planned{Plan: plan.Plan{Tool: plan.ToolSeveral, Parts: divided.Parts, Hebrew: t.hebrew}}}
	other.do(ctx)
	return other, true
}

// wouldDo returns what each part would do; nil where one would not be done as it stands, and where two are the same.
func (t *turn) wouldDo(ctx context.Context, parts []plan.Part) []string {
	var labels []string
	ctx = graphql.WithFreshResponseContext(dryrun.With(ctx)) // what fails here is no failure of the request
	for i, part := range parts {
		one := t.runPart(ctx, i, part)
		label := one.partLine()
		if !one.out.Success || one.out.Confirmation != nil || slices.Contains(labels, label) {
			return nil
		}
		labels = append(labels, label)
	}
	return labels
}

// runPart does one of several things, in a field of its own below the mutation's: it has its own action, and what an
// Idempotency-Key keeps of it is its own. Errors stand at the mutation's field, as clients know no other.
func (t *turn) runPart(ctx context.Context, index int, part plan.Part) *turn {
	one := &turn{Resolver: t.Resolver, v: t.v, text: part.Text, planned: Planned{Plan: part.Plan}, hebrew: t.hebrew,
		dryRun: dryrun.Is(ctx), among: true, out: emptyAnswer()}
	field := *graphql.GetFieldContext(ctx)
	field.Parent, field.Index = graphql.GetFieldContext(ctx), &index
	at := graphql.WithPathContext(ctx, &graphql.PathContext{})
	_, err := t.Mutate(graphql.WithFieldContext(at, &field), func(inside context.Context) (any, error) {
		one.do(inside)
		return one.out, nil
	})
	if err != nil {
		one.fail(ctx, err)
	}
	return one
}

// several shows all things that a sentence asks for, and does those that are chosen, in the order of the sentence.
func (t *turn) several(ctx context.Context, parts []plan.Part) {
	labels := t.labels
	if len(labels) != len(parts) { // what is confirmed was shown before
		labels = make([]string, len(parts))
	}
	chosen, ok := t.chosen(ctx, "several chosen", model.PickMany,
		t.say("Do these %d things?", "לעשות את %d הדברים האלה?", len(parts)), labels...)
	if !ok {
		return
	}
	t.confirm = nil
	result := agentSeveral{Status: agentFailed, Parts: []agentPart{}}
	var lines, failures []string
	for i, part := range parts {
		if !chosen[i] {
			continue
		}
		one := t.runPart(ctx, i, part)
		result.Parts = append(result.Parts,
			agentPart{Tool: one.out.Tool, Success: one.out.Success, Summary: one.out.Summary, Result: one.out.Result})
		t.out.UserErrors = append(t.out.UserErrors, one.out.UserErrors...)
		if !one.out.Success {
			failures = append(failures, t.say("Not done: %s. %s", "לא נעשה: %s. %s", part.Text, firstLine(one.out.Summary)))
			continue
		}
		result.Status, result.Count = agentDone, result.Count+1
		t.out.Events, t.nodes = append(t.out.Events, one.out.Events...), append(t.nodes, one.nodes...)
		if one.out.Action != nil {
			t.out.Action, t.out.Actions = one.out.Action, append(t.out.Actions, *one.out.Action)
		}
		lines = append(lines, one.partLine())
	}
	t.tellSeveral(result, lines, failures)
}

// tellSeveral is the answer about several things of which some were done.
func (t *turn) tellSeveral(result agentSeveral, lines, failures []string) {
	summary := t.say("Done: %d", "נעשו: %d", len(lines))
	for _, line := range lines {
		summary += "\n- " + line
	}
	for _, failure := range failures {
		summary += "\n" + failure
	}
	if len(lines) == 1 && !t.dryRun {
		summary += "\n" + t.undoThat()
	} else if len(lines) > 1 && !t.dryRun {
		summary += "\n" + t.say("Say “undo that” to take back the last of them, and again for the one before.",
			"אפשר לומר „בטל את הפעולה האחרונה” כדי לבטל את האחרונה שבהן, ושוב לזו שלפניה.")
	}
	t.out.Success, t.out.Summary, t.out.Result = len(lines) > 0, summary, jsonOf(result)
	t.out.Context = projections.EventContextOf(t.out.Events, false, projections.EventsAsked{})
}

// partVerbs say what would be done, or was, with one of several things; of lists their own answers say it.
var partVerbs = map[graph.AgentTool][2]string{
	graph.AgentToolCreate: {"New event", "אירוע חדש"}, graph.AgentToolUpdate: {"Change", "שינוי"},
	graph.AgentToolDelete: {"Delete", "מחיקה"}, graph.AgentToolCreateTask: {"New task", "משימה חדשה"},
	graph.AgentToolUpdateTask: {"Change the task", "שינוי המשימה"}, graph.AgentToolCompleteTask: {"Complete", "השלמה"},
	graph.AgentToolDeleteTask: {"Delete the task", "מחיקת המשימה"}, graph.AgentToolCreateList: {"New list", "רשימה חדשה"},
	graph.AgentToolDeleteList: {"Delete the list", "מחיקת הרשימה"}, graph.AgentToolStoreMemory: {"Remember", "לזכור"},
}

// listVerbs make of what was done with items what is to be done.
var listVerbs = strings.NewReplacer("Added to", "Add to", "Checked on", "Check on", "Unchecked on", "Uncheck on",
	"Removed from", "Remove from", "נוספו ל", "להוסיף ל", "סומנו ב", "לסמן ב", "הוסרו מ", "להסיר מ")

// partLine says on one line what a part does: "Delete: Dentist · Tue 24 Nov 10:00–11:00".
func (t *turn) partLine() string {
	undoing := t.undoThat()
	lines := slices.DeleteFunc(strings.Split(strings.TrimPrefix(t.out.Summary, notDone), "\n"),
		func(line string) bool { return line == "" || line == undoing })
	if len(lines) == 0 {
		return t.text
	}
	verb, ok := partVerbs[t.out.Tool]
	switch _, about, cut := strings.Cut(lines[0], ": "); {
	case t.planned.Create != nil && len(lines) > 1: // the second line says when
		lines = lines[1:]
		lines[0] = core.OneLine(cmp.Or(t.planned.Create.Title, titleOfNew)) + " · " + lines[0]
	case !ok:
		lines[0] = listVerbs.Replace(lines[0])
	case cut:
		lines[0] = about
	}
	line := strings.Join(lines, " · ")
	if ok {
		line = t.say(verb[0], verb[1]) + ": " + line
	}
	return line
}

func firstLine(text string) string {
	first, _, _ := strings.Cut(text, "\n")
	return first
}
