package agent

import (
	"context"
	"fmt"
	"strings"
	"time"

	"almanac/graph"
	"almanac/graph/model"
	"almanac/projections"
	"almanac/projections/plan"
	"almanac/projections/when"
	"almanac/resolvers/core"
)

// mostShown is how many things an answer of the other tools shows.
const mostShown = 20

// isCalendar reports whether a tool is one of the contract's six.
func isCalendar(tool graph.AgentTool) bool {
	switch tool {
	case graph.AgentToolCreate, graph.AgentToolRead, graph.AgentToolSearch, graph.AgentToolUpdate, graph.AgentToolDelete,
		graph.AgentToolSchedule:
		return true
	}
	return false
}

// say chooses between two forms by the language of the sentence.
func (t *turn) say(en, he string, args ...any) string {
	if t.hebrew {
		en = he
	}
	return fmt.Sprintf(en, args...)
}

// dated says an instant for people.
func (t *turn) dated(at time.Time) string { return when.FormatShort(at, t.v.Moment.Moment) }

// eventTime says when an event begins or ends.
func (t *turn) eventTime(at model.EventTime) string {
	if at.AllDay() {
		return when.FormatShortDate(at.Date, t.v.Moment.Moment)
	}
	return t.dated(at.At)
}

// quote puts what a user wrote between quotation marks, on one line.
func quote(text string) string { return "“" + model.Clip(core.OneLine(text)) + "”" }

// told is the answer of a tool of other matters that has done its work.
func (t *turn) told(summary string, result any, nodes ...model.ID) {
	t.out.Success, t.out.Summary, t.out.Result = true, summary, jsonOf(result)
	t.nodes = nodes
}

// readBack adds what the sentence left open to a summary: readings, hours that were filled in, and how to undo.
func (t *turn) readBack(summary string, writes bool) string {
	lines := []string{summary}
	for _, doubt := range t.planned.Ambiguous {
		if len(doubt.Readings) > 1 {
			lines = append(lines, t.say("“%s” was read as %s; it could also be %s.", "„%s” הובן כ-%s; אפשר להבין גם %s.",
				core.OneLine(t.part(doubt.Span)), doubt.Readings[0], strings.Join(doubt.Readings[1:], ", ")))
		}
	}
	if t.planned.Told {
		lines = append(lines, t.say("The sentence states a fact, and the event that it tells of was added.",
			"המשפט מספר עובדה, והאירוע שהוא מספר עליו נוסף."))
	}
	if writes && !t.dryRun {
		lines = append(lines, t.undoThat())
	}
	return strings.Join(lines, "\n")
}

// undoThat says how what was done is taken back.
func (t *turn) undoThat() string {
	return t.say("Say “undo that” to take it back.", "אפשר לומר „בטל את הפעולה האחרונה”.")
}

// settled reports whether a mutation of another domain has come to a question or a failure, which it puts into the
// answer. missing is the sentence for something that is not there.
func (t *turn) settled(ctx context.Context, userErrors []model.UserError, confirmation *projections.Confirmation,
	err error, missing string) bool {
	switch {
	case err != nil:
		t.fail(ctx, err)
	case len(userErrors) > 0:
		first := userErrors[0]
		sentence := first.Message
		if first.Code == model.CodeNotFound && missing != "" {
			sentence = missing
		}
		t.out.UserErrors = append(t.out.UserErrors, asOfText(first))
		t.failed(sentence, sentence)
	case confirmation != nil:
		t.asks(ctx, confirmation)
	default:
		return false
	}
	return true
}

// asOfText names the inputs that there are: the sentence, and the answer to a question.
func asOfText(e model.UserError) model.UserError {
	if !strings.HasPrefix(strings.Join(e.Field, "."), "input.confirm") {
		e.Field = model.FieldPath("input.text")
	}
	return e
}

// runOther runs a tool that is none of the calendar.
func (t *turn) runOther(ctx context.Context) {
	if !t.meansIt(ctx) {
		return
	}
	switch p := t.planned; p.Tool {
	case plan.ToolCreateTask:
		t.createTasks(ctx, *p.Task)
	case plan.ToolReadTasks:
		t.readTasks(ctx, *p.Task)
	case plan.ToolUpdateTask:
		t.updateTask(ctx, *p.Task)
	case plan.ToolCompleteTask:
		t.completeTask(ctx, *p.Task)
	case plan.ToolDeleteTask:
		t.deleteTask(ctx, *p.Task)
	case plan.ToolCreateList:
		t.createList(ctx, *p.List)
	case plan.ToolReadLists:
		t.readLists(ctx, *p.List)
	case plan.ToolUpdateList:
		t.updateList(ctx, *p.List)
	case plan.ToolDeleteList:
		t.deleteList(ctx, *p.List)
	case plan.ToolStoreMemory:
		t.storeMemory(ctx, *p.Memory)
	case plan.ToolSearchMemories:
		t.searchMemories(ctx, *p.Memory)
	case plan.ToolDeleteMemory:
		t.deleteMemory(ctx, *p.Memory)
	case plan.ToolReadMail:
		t.readMail(ctx, *p.Mail)
	case plan.ToolUndo:
		t.undo(ctx)
	}
}

// showNodes reads what the answer is about as it is now, as far as the client asks for it.
func (t *turn) showNodes(ctx context.Context) error {
	asked := core.Answered(ctx)
	if len(t.nodes) == 0 || !asked.Has("nodes") {
		return nil
	}
	found, err := t.Nodes(ctx, t.v, t.nodes[:min(len(t.nodes), model.DefaultPageSize)],
		func(object string) core.Selection { return asked.Under("nodes", object) })
	for _, node := range found {
		if node != nil {
			t.out.Nodes = append(t.out.Nodes, node)
		}
	}
	return err
}
