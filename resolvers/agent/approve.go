package agent

import (
	"cmp"
	"context"
	"slices"
	"strconv"

	"almanac/graph/model"
	"almanac/projections"
	"almanac/projections/fold"
	"almanac/projections/plan"
	"almanac/projections/rrule"
	"almanac/resolvers/core"
)

// chosen asks which of several things shall be done, or returns, where that was answered, which of them were chosen;
// the decision is kept under a name for a repetition of the request. False when it has asked or failed, and the answer
// says so.
func (t *turn) chosen(ctx context.Context, name string, kind model.ConfirmationKind, question string,
	labels ...string) ([]bool, bool) {
	if t.confirm == nil {
		q := core.Question{Kind: kind, Words: true, Text: question}
		for i, label := range labels {
			key := strconv.Itoa(i + 1)
			q.Texts = append(q.Texts, key)
			q.Candidates = append(q.Candidates, projections.Candidate{Key: key, Label: label, Score: 1})
		}
		asked, err := t.Ask(ctx, t.v, q)
		if err != nil {
			t.fail(ctx, err)
			return nil, false
		}
		t.asks(ctx, asked)
		return nil, false
	}
	picked, _, err := core.DecidedAs(ctx, name, func() ([]string, error) {
		ticket, err := t.OpenTicket(ctx, t.v, t.confirm.Token)
		if err != nil {
			return nil, err
		}
		picked, err := ticket.PickTexts(model.KindTask, *t.confirm)
		if err != nil {
			return nil, err
		}
		return picked, t.Spend(ctx, t.v, ticket)
	})
	if err != nil {
		t.fail(ctx, err)
		return nil, false
	}
	out := make([]bool, len(labels))
	for i := range labels {
		out[i] = slices.Contains(picked, strconv.Itoa(i+1))
	}
	return out, true
}

// longestShown is how many characters are shown of what would be made.
const longestShown = 300

// agreed reports whether what the sentence would make may be made: at once where nothing doubts the reading, and
// otherwise when the user has been shown it and has agreed. False when it has asked or failed.
func (t *turn) agreed(ctx context.Context, question, label string) bool {
	if !t.planned.Doubted {
		return true
	}
	if _, ok := t.chosen(ctx, "agreed", model.Approval, question, fold.Head(label, longestShown)); !ok {
		return false
	}
	t.planned.Doubted, t.confirm = false, nil // what is asked from here on is another question
	return true
}

// meansIt reports whether a change of a task or a list that is there is meant: at once where nothing doubts the
// reading, and otherwise when the user has been shown what would be done and has agreed. What would not be done as it
// stands needs no such question, as it is refused or asked about anyway. False when it has asked or failed. Changes of
// events are asked about where the event is decided on.
func (t *turn) meansIt(ctx context.Context) bool {
	if p := t.planned; !p.Doubted || !changes(p.Plan) || p.Update != nil || p.Delete != nil {
		return true
	}
	label := ""
	if t.confirm == nil {
		sure := t.planned.Plan
		sure.Doubted = false
		shown, _, err := core.DecidedAs(ctx, "means", func() ([]string, error) {
			return t.wouldDo(ctx, []plan.Part{{Text: t.text, Plan: sure}}), nil
		})
		if err != nil {
			t.fail(ctx, err)
			return false
		}
		if len(shown) == 0 {
			t.planned.Doubted = false
			return true
		}
		label = shown[0]
	}
	return t.agreed(ctx, t.say("Is this meant?", "לזה הכוונה?"), label)
}

// newEventLine says what event would be made.
func (t *turn) newEventLine(title string, c plan.Create) string {
	event := model.Event{Start: c.Start, End: c.End, Location: c.Location}
	line := core.OneLine(title) + " – " + t.spanOf(event)
	if c.Recurrence != "" {
		said := rrule.Describe([]string{c.Recurrence}, projections.SeriesStart(event, t.v.Zone), t.v.Locale)
		line += " · " + cmp.Or(said, c.Recurrence)
	}
	return line
}

// newTaskLine says what task would be made.
func (t *turn) newTaskLine(one plan.NewTask) string {
	return t.taskLine(model.Task{Text: one.Text, DueAt: one.Due, Category: one.Category})
}
