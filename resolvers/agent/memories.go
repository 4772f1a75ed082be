package agent

import (
	"context"

	"almanac/graph"
	"almanac/graph/model"
	"almanac/projections/plan"
	"almanac/resolvers/core"
)

// The results of memories, e-mails and undoing.
type (
	agentMemories struct {
		Status   string        `json:"status"`
		Count    int           `json:"count"`
		Memories []agentMemory `json:"memories"`
	}
	agentMemory struct {
		MemoryID string `json:"memory_id"`
		Content  string `json:"content"`
	}
	agentEmails struct {
		Status string       `json:"status"`
		Count  int          `json:"count"`
		Emails []agentEmail `json:"emails"`
	}
	agentEmail struct {
		EmailID string `json:"email_id"`
		From    string `json:"from"`
		Subject string `json:"subject"`
		Date    string `json:"date"`
		Snippet string `json:"snippet"`
	}
	agentUndone struct {
		Status string `json:"status"`
		Undone string `json:"undone"`
	}
)

// mostMemories is how many memories answer a question.
const mostMemories = 5

// storeMemory keeps what the sentence says, or asks when it contradicts what is known.
func (t *turn) storeMemory(ctx context.Context, meant plan.Memory) {
	if !t.agreed(ctx, t.say("Keep this as a note?", "לשמור את זה כפתק?"), core.OneLine(meant.Content)) {
		return
	}
	done, err := t.domains.Memories.StoreMemory(ctx, graph.StoreMemoryInput{
		Type: model.MemoryNote, Content: meant.Content, OnConflict: model.OnConflictAsk, Confirm: t.confirm,
	})
	if err != nil || t.settled(ctx, done.UserErrors, done.Confirmation, err, "") {
		if err != nil {
			t.fail(ctx, err)
		}
		return
	}
	id := done.Memory.ID()
	t.told(t.readBack(t.say("Remembered: %s", "נשמר: %s", core.OneLine(done.Memory.Content())), true), agentMemories{
		Status: agentDone, Count: 1, Memories: []agentMemory{{t.ownID(id), done.Memory.Content()}}}, id)
}

// searchMemories answers what is known.
func (t *turn) searchMemories(ctx context.Context, meant plan.Memory) {
	found, err := t.domains.Memories.Find(ctx, t.v, meant.Query, mostMemories)
	if err != nil {
		t.fail(ctx, err)
		return
	}
	t.tellMemories(meant.Query, found)
}

// tellMemories answers with memories that a query has found.
func (t *turn) tellMemories(query string, found []model.Memory) {
	result := agentMemories{Status: agentDone, Count: len(found), Memories: []agentMemory{}}
	var ids []model.ID
	summary := t.say("Nothing is known about %s.", "לא ידוע דבר על %s.", quote(query))
	if len(found) > 0 {
		summary = t.say("Found %d memories:", "נמצאו %d פתקים:", len(found))
	}
	for _, memory := range found {
		id := model.ID{Kind: model.KindMemory, UUID: memory.ID}
		ids = append(ids, id)
		result.Memories = append(result.Memories, agentMemory{id.String(), memory.Content})
		summary += "\n- " + core.OneLine(memory.Content)
	}
	t.told(summary, result, ids...)
}

// deleteMemory erases a memory, which is always asked about.
func (t *turn) deleteMemory(ctx context.Context, meant plan.Memory) {
	done, err := t.domains.Memories.DeleteMemories(ctx,
		graph.DeleteMemoriesInput{Texts: []string{meant.Query}, Confirm: t.confirm})
	if err != nil || t.settled(ctx, done.UserErrors, done.Confirmation, err, "") {
		if err != nil {
			t.fail(ctx, err)
		}
		return
	}
	if done.Deleted == 0 {
		sentence := t.say("Nothing is known about %s.", "לא ידוע דבר על %s.", quote(meant.Query))
		t.out.UserErrors = append(t.out.UserErrors, model.NotFound("input.text", "%s", sentence).UserError())
		t.failed(sentence, sentence)
		return
	}
	t.told(t.say("Erased %d memories; this cannot be undone.", "נמחקו %d פתקים; אי אפשר לבטל זאת.", done.Deleted),
		agentMemories{Status: agentDone, Count: int(done.Deleted), Memories: []agentMemory{}})
}

// undo takes back what was done last.
func (t *turn) undo(ctx context.Context) {
	in := graph.UndoActionInput{Confirm: t.confirm}
	last, _, err := core.DecidedAs(ctx, "undo", func() (string, error) {
		action, there, err := t.domains.Actions.Last(ctx, t.v)
		if err != nil || !there {
			return "", err
		}
		return model.ID{Kind: model.KindAction, UUID: action.ID}.String(), nil
	})
	if t.undoes != "" { // what the question was about
		last = t.undoes
	}
	switch {
	case err != nil:
		t.fail(ctx, err)
		return
	case last == "":
		sentence := t.say("There is nothing to undo.", "אין מה לבטל.")
		t.out.UserErrors = append(t.out.UserErrors, model.NotFound("input.text", "%s", sentence).UserError())
		t.failed(sentence, sentence)
		return
	}
	t.undoes, in.ID = last, last
	done, err := t.domains.Actions.UndoAction(ctx, in)
	if err != nil || t.settled(ctx, done.UserErrors, done.Confirmation, err, "") {
		if err != nil {
			t.fail(ctx, err)
		}
		return
	}
	said := ""
	if done.Undone != nil {
		said = core.OneLine(done.Undone.Summary())
	}
	t.told(t.say("Undone: %s", "בוטל: %s", said), agentUndone{Status: agentDone, Undone: said})
}
