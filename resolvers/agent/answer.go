package agent

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"almanac/graph"
	"almanac/graph/model"
	"almanac/internal/dryrun"
	"almanac/projections"
	"almanac/projections/compact"
	"almanac/projections/plan"
	"almanac/resolvers/core"
)

// The titles of events that have none, as the contract calls them.
const (
	titleOfNew     = "New Event"
	titleOfRead    = "No title"
	titleOfDeleted = "Untitled event"
)

// agentWords are how the contract speaks of a tool that fails: "Failed to create event: …", "Error creating event: …".
type agentWords struct{ do, doing string }

func wordsOf(tool graph.AgentTool) agentWords {
	switch tool {
	case graph.AgentToolCreate:
		return agentWords{"create event", "creating event"}
	case graph.AgentToolSearch:
		return agentWords{"search events", "searching events"}
	case graph.AgentToolUpdate:
		return agentWords{"update event", "updating event"}
	case graph.AgentToolDelete:
		return agentWords{"delete event", "deleting event"}
	case graph.AgentToolSchedule:
		return agentWords{"retrieve schedule", "retrieving schedule"}
	case graph.AgentToolRead:
		return agentWords{"read events", "reading events"}
	default:
		return otherWords[tool]
	}
}

// otherWords are those of the other tools.
var otherWords = map[graph.AgentTool]agentWords{
	graph.AgentToolCreateTask: {"create task", "creating task"}, graph.AgentToolReadTasks: {"read tasks", "reading tasks"},
	graph.AgentToolUpdateTask:     {"update task", "updating task"},
	graph.AgentToolCompleteTask:   {"complete task", "completing task"},
	graph.AgentToolDeleteTask:     {"delete task", "deleting task"},
	graph.AgentToolCreateList:     {"create list", "creating list"},
	graph.AgentToolReadLists:      {"read lists", "reading lists"},
	graph.AgentToolUpdateList:     {"update list", "updating list"},
	graph.AgentToolDeleteList:     {"delete list", "deleting list"},
	graph.AgentToolStoreMemory:    {"store memory", "storing memory"},
	graph.AgentToolSearchMemories: {"search memories", "searching memories"},
	graph.AgentToolDeleteMemory:   {"delete memory", "deleting memory"},
	graph.AgentToolReadMail:       {"read mail", "reading mail"}, graph.AgentToolUndo: {"undo", "undoing"},
}

// nothingDone is the answer to "none of these".
func (t *turn) nothingDone() string {
	if isCalendar(t.out.Tool) {
		return "Nothing was done."
	}
	return t.say("Nothing was done.", "לא נעשה דבר.")
}

// The results of the contract's last chapter. Their keys are its own, in its order.
type (
	agentWritten struct {
		Status  string `json:"status"`
		EventID string `json:"event_id"`
		Summary string `json:"summary"`
		Start   string `json:"start"`
		End     string `json:"end"`
		Link    string `json:"link,omitempty"`
	}
	agentFound struct {
		Status string       `json:"status"`
		Count  int          `json:"count"`
		Events []agentEvent `json:"events"`
	}
	agentEvent struct {
		EventID     string `json:"event_id"`
		Summary     string `json:"summary"`
		Start       string `json:"start"`
		End         string `json:"end"`
		Description string `json:"description"`
	}
	agentDeleted struct {
		Status  string `json:"status"`
		EventID string `json:"event_id"`
		Summary string `json:"summary"`
		Message string `json:"message"`
	}
	agentCleared struct {
		Status  string       `json:"status"`
		Count   int          `json:"count"`
		Events  []agentEvent `json:"events"`
		Message string       `json:"message"`
	}
	agentError struct {
		Status       string         `json:"status"`
		Error        string         `json:"error,omitempty"`
		Confirmation *agentQuestion `json:"confirmation,omitempty"`
	}
	// agentQuestion is a question for clients that see the contract's four keys alone.
	agentQuestion struct {
		Kind       string        `json:"kind"`
		Question   string        `json:"question"`
		Candidates []agentChoice `json:"candidates"`
		Multiple   bool          `json:"allow_multiple"`
		ExpiresAt  string        `json:"expires_at"`
		Token      string        `json:"token"`
	}
	agentChoice struct {
		ID    string `json:"id"`
		Label string `json:"label"`
	}
)

// The statuses of results.
const (
	agentDone   = "success"
	agentFailed = "error"
)

// jsonOf writes a result.
func jsonOf(result any) *model.JSON {
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	if encoder.Encode(result) != nil {
		return nil // texts and numbers can always be written
	}
	out := model.JSON(bytes.TrimSuffix(text.Bytes(), []byte("\n")))
	return &out
}

// timeOf writes a start or an end as the contract does: a date, or the viewer's clock without an offset; empty for
// none.
func (t *turn) timeOf(at model.EventTime) string {
	switch {
	case at.IsZero():
		return ""
	case at.AllDay():
		return at.Date.String()
	}
	return t.clock(at.At)
}

func (t *turn) clock(at time.Time) string { return at.In(t.v.Zone).Format("2006-01-02T15:04:05") }

// titleOf is an event's title on one line.
func titleOf(event model.Event, otherwise string) string {
	return cmp.Or(strings.TrimSpace(core.OneLine(event.Summary)), otherwise)
}

func (t *turn) eventOf(event model.Event) agentEvent {
	return agentEvent{
		EventID: event.Ref.ID().String(), Summary: titleOf(event, titleOfRead), Start: t.timeOf(event.Start),
		End:         t.timeOf(event.End),
		Description: event.Description,
	}
}

func (t *turn) eventsOf(events []model.Event) []agentEvent {
	out := make([]agentEvent, len(events))
	for i, event := range events {
		out[i] = t.eventOf(event)
	}
	return out
}

func (t *turn) written(event model.Event, title string) *model.JSON {
	return jsonOf(agentWritten{
		Status: agentDone, EventID: t.changedID(event), Summary: title, Start: t.timeOf(event.Start),
		End: t.timeOf(event.End), Link: event.HTMLLink,
	})
}

// changedID is the id of an event that was made, changed or deleted, or would be.
func (t *turn) changedID(event model.Event) string {
	if t.dryRun {
		return dryrun.Prefix + event.Ref.ID().String()
	}
	return event.Ref.ID().String()
}

// eventLines lists events below a sentence: "- T at S", one a line.
func eventLines(events []model.Event, line func(model.Event) string) string {
	var b strings.Builder
	for _, event := range events {
		b.WriteString("\n- " + line(event))
	}
	return b.String()
}

func (t *turn) atStart(event model.Event) string {
	return titleOf(event, titleOfRead) + " at " + t.timeOf(event.Start)
}

func (t *turn) untilEnd(event model.Event) string {
	return t.atStart(event) + " (until " + t.timeOf(event.End) + ")"
}

// done is the answer of a tool that has done its work on events.
func (t *turn) done(summary string, result *model.JSON, asked projections.EventsAsked, events ...model.Event) {
	t.out.Success, t.out.Summary, t.out.Result = true, summary, result
	t.out.Events = projections.EventsAt(events, t.v.Moment)
	t.out.Context = projections.EventContextOf(t.out.Events, false, asked)
}

// clientSentence is what a client may read of an error.
func clientSentence(err error) string {
	shown, ok := errors.AsType[*model.Error](err)
	switch {
	case ok && shown.Code == model.CodeUpstreamRejected:
		return remoteWords(shown.Message)
	case ok && shown.Code != model.CodeInternal:
		return shown.Message
	case errors.Is(err, context.DeadlineExceeded):
		return "it took too long"
	}
	return "something went wrong on our side"
}

// remoteWords leaves of a refusal what the remote itself says, as the contract has it, where that is known.
func remoteWords(message string) string {
	_, said, ok := strings.Cut(message, "It says: “")
	if !ok {
		return message
	}
	return strings.TrimSuffix(said, "”")
}

// eventNotFound is how the contract says that there is no such event.
const eventNotFound = "Event not found"

// fail is the answer of a tool that has come to nothing: what the calendar or the input is to blame for is a failure,
// anything else an error, which also stands beside the answer.
func (t *turn) fail(ctx context.Context, err error) {
	t.failure = err
	words := wordsOf(t.out.Tool)
	sentence := clientSentence(err)
	shown, mendable := model.Mendable(err)
	switch {
	case mendable:
		t.out.UserErrors = append(t.out.UserErrors, agentUserError(shown))
	default:
		core.AddError(ctx, err)
	}
	if code := model.CodeOf(err); mendable || code == model.CodeUpstreamRejected || code == model.CodeForbidden {
		if code == model.CodeNotFound && (t.out.Tool == graph.AgentToolUpdate || t.out.Tool == graph.AgentToolDelete) {
			sentence = eventNotFound
		}
		if !isCalendar(t.out.Tool) {
			t.failed(sentence, sentence)
			return
		}
		t.failed("Failed to "+words.do+": "+sentence, sentence)
		return
	}
	t.out.Success, t.out.Summary, t.out.Result = false, "Error "+words.doing+": "+sentence, nil
}

// failed is the answer of a tool that has done nothing. Of all tools the contract gives the result of a failure to
// create alone.
func (t *turn) failed(summary, sentence string) {
	t.out.Success, t.out.Summary, t.out.Result = false, summary, nil
	if t.out.Tool == graph.AgentToolCreate {
		t.out.Result = jsonOf(agentError{Status: agentFailed, Error: sentence})
	}
}

// agentUserError names the inputs that there are: recipes speak of inputs of their own.
func agentUserError(shown *model.Error) model.UserError {
	out := shown.UserError()
	if path := strings.Join(out.Field, "."); !strings.HasPrefix(path, "input.confirm") {
		out.Field = model.FieldPath("input.text")
	}
	return out
}

// refuse is the answer to a sentence that is no plan.
func (t *turn) refuse(ctx context.Context, err error) {
	t.failure = err
	refusal, ok := errors.AsType[*plan.Refusal](err)
	switch {
	case model.CodeOf(err) == model.CodeConfirmationInvalid: // of no tool that is known
		core.AddUserError(ctx, &t.out.UserErrors, err)
		t.failed("Error: "+clientSentence(err), "")
		return
	case !ok:
		t.fail(ctx, err)
		return
	}
	t.out.Tool = toolOf(refusal, t.text)
	t.out.UserErrors = append(t.out.UserErrors, agentUserError(model.BadInput("input.text", "%s", refusal.Message)))
	sentence := missingSentence(t.out.Tool, refusal)
	switch {
	case sentence == "":
		t.failed("Error: "+refusal.Message, refusal.Message)
	case t.out.Tool == graph.AgentToolCreate:
		t.failed("Failed to create event: "+sentence+". Parsed: start_time=None, end_time=None", sentence)
	default:
		t.failed("Error: "+sentence, sentence)
	}
}

// missingSentence is how the contract says what a tool cannot do without; empty when it has no words for it.
func missingSentence(tool graph.AgentTool, refusal *plan.Refusal) string {
	if refusal.Kind != plan.Missing {
		return ""
	}
	const times = "start_time and end_time are required"
	switch slot := refusal.Slot; {
	case tool == graph.AgentToolCreate && (slot == plan.SlotStart || slot == plan.SlotDate || slot == plan.SlotEnd):
		return times
	case tool == graph.AgentToolSchedule:
		return times + " for schedule retrieval"
	case tool == graph.AgentToolSearch:
		return "query is required for search"
	case tool == graph.AgentToolUpdate && slot == plan.SlotTarget:
		return "event_id is required for update"
	case tool == graph.AgentToolDelete && slot == plan.SlotTarget:
		return "event_id is required for delete"
	}
	return ""
}

// unsure is the answer of a tool that asks first.
func (t *turn) unsure(asked projections.Confirmation) {
	var sentence strings.Builder
	t.out.Success = false
	question := &agentQuestion{
		Kind: string(asked.Kind), Question: asked.Question, Candidates: []agentChoice{}, Multiple: asked.AllowMultiple,
		ExpiresAt: asked.ExpiresAt.Format(time.RFC3339), Token: asked.Token,
	}
	sentence.WriteString(unsureWords(asked))
	for _, candidate := range asked.Candidates {
		question.Candidates = append(question.Candidates, agentChoice{candidate.Key, candidate.Label})
		if event, ok := candidate.Node.(projections.Event); ok && asked.Kind != model.RecurringScope &&
			asked.Kind != model.MonthDays {
			sentence.WriteString("\n- " + t.atStart(event.Record()))
			continue
		}
		sentence.WriteString("\n- " + core.OneLine(candidate.Label))
	}
	if !isCalendar(t.out.Tool) { // the contract has no words for them: the question as it is
		lines := []string{asked.Question}
		for i, candidate := range asked.Candidates {
			lines = append(lines, fmt.Sprintf("%d. %s", i+1, core.OneLine(candidate.Label)))
		}
		t.out.Result = jsonOf(agentError{Status: agentFailed, Error: asked.Question, Confirmation: question})
		t.out.Summary = strings.Join(lines, "\n")
		return
	}
	first, _, _ := strings.Cut(sentence.String(), "\n")
	t.out.Result = jsonOf(agentError{Status: agentFailed, Error: strings.TrimSuffix(first, ":"), Confirmation: question})
	t.out.Summary = "Failed to " + wordsOf(t.out.Tool).do + ": " + sentence.String()
}

// unsureWords are the first line of what is asked; the candidates stand below it.
func unsureWords(asked projections.Confirmation) string {
	switch {
	case asked.Kind == model.RecurringScope:
		title := titleOfRead
		if len(asked.Candidates) > 0 {
			if event, ok := asked.Candidates[0].Node.(projections.Event); ok {
				title = titleOf(event.Record(), titleOfRead)
			}
		}
		return fmt.Sprintf("'%s' repeats; say which occurrences are meant:", title)
	case asked.Kind == model.MonthDays:
		return asked.Question
	case asked.Kind == model.Approval:
		return "Nothing was done yet; this needs a confirmation:"
	case len(asked.Candidates) == 1:
		return "Only this event is similar; is it meant?"
	default:
		return "Several events match; which one is meant?"
	}
}

// AgentCompact is the answer as compact text: a page of events where they were looked for, else what was done.
func (r *Resolver) AgentCompact(ctx context.Context, options *projections.CompactOptions,
	p *graph.AgentChatPayload) (*projections.FormatResult, error) {
	if isReading(p.Tool) && p.Success && isCalendar(p.Tool) {
		found := projections.Page[projections.Event]{Items: p.Events, Cursor: func(int) string { return "" }}
		return r.CompactPage(ctx, options, core.ShownPage(compact.KindEvents, found, projections.Event.Row))
	}
	text := agentChatText(p)
	if text.DryRun = dryrun.Is(ctx); text.DryRun {
		text.Rows = compact.DryRun(text.Rows)
	}
	return r.Compact(ctx, options, text)
}

// isReading reports whether a tool changes nothing.
func isReading(tool graph.AgentTool) bool {
	return plan.Tool(tool).Reads()
}

// agentChatText is the answer as text for language models.
func agentChatText(p *graph.AgentChatPayload) compact.Payload {
	out := compact.Payload{
		Rows: projections.Rows(p.Events, projections.Event.Row), Confirmation: p.Confirmation.Row(true),
		UserErrors: projections.CompactUserErrors(p.UserErrors),
	}
	if !isCalendar(p.Tool) && p.Success {
		out.Said = strings.Split(p.Summary, "\n")
		out.Rows = nil // they are told
	} else if p.Success {
		out.Counts = []compact.Count{{Name: agentCount(p.Tool), N: len(p.Events)}}
	} else if p.Confirmation == nil && len(p.UserErrors) == 0 {
		out.Message = p.Summary
	}
	return out
}

// agentCount is what was done to the events of an answer by a tool that writes.
func agentCount(tool graph.AgentTool) string {
	switch tool {
	case graph.AgentToolCreate:
		return "created"
	case graph.AgentToolUpdate:
		return "updated"
	default:
		return "deleted"
	}
}
