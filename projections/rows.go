package projections

import (
	"encoding/json"

	"almanac/graph/model"
	"almanac/projections/compact"
	"almanac/projections/mail"
)

// The methods below return views as the formatter of compact text sees them. What was not read is empty there.

// Row is the task for compact text.
func (t Task) Row() compact.Task {
	row := compact.Task{
		ID: t.ID().String(), Text: t.record.Text, Category: t.Category(), DueDate: rowTime(t.DueDate()),
		Reminder: rowDuration(t.Reminder()), Completed: t.Completed(),
		Subtasks:    make([]compact.Subtask, len(t.record.Subtasks)),
		ItemContext: compact.TaskFlags{IsOverdue: t.ItemContext().IsOverdue && !t.Completed()},
	}
	for i, step := range t.record.Subtasks {
		row.Subtasks[i].Completed = step.Completed
	}
	if rule := t.Recurrence(); rule != nil {
		row.Recurrence = &compact.Recurrence{
			Type: rule.Type(), Time: rule.Time(), Days: rule.Days(), DayOfMonth: rule.DayOfMonth(),
			Interval: rowDuration(rule.Interval()), Until: rowTime(rule.Until()),
		}
	}
	return row
}

// Row is the step for compact text.
func (s Subtask) Row() compact.Item {
	return compact.Item{ListItem: compact.ListItem{ID: s.ID().String(), Text: s.record.Text, Checked: s.record.Completed}}
}

// Row is the board for compact text.
func (b TaskBoard) Row() compact.Board {
	rows := func(bucket model.TaskBucket) []compact.Task {
		tasks := make([]compact.Task, len(b.rows[bucket]))
		for i, record := range b.rows[bucket] {
			tasks[i] = TaskAt(record, b.at).Row()
		}
		return tasks
	}
	return compact.Board{
		Overdue: rows(model.BucketOverdue), Today: rows(model.BucketToday), Upcoming: rows(model.BucketUpcoming),
		Recurring: rows(model.BucketRecurring), NoDueDate: rows(model.BucketNoDueDate),
		Counts: compact.Counts(b.Counts()),
	}
}

// Row is the list for compact text.
func (l List) Row() compact.List {
	row := compact.List{ID: l.ID().String(), Name: l.record.Name, IsChecklist: l.record.IsChecklist,
		Items: make([]compact.ListItem, len(l.record.Items))}
	for i, item := range l.record.Items {
		row.Items[i] = ItemAt(item, l.at).Row().ListItem
	}
	return row
}

// Row is the item for compact text.
func (i ListItem) Row() compact.Item {
	return compact.Item{ListItem: compact.ListItem{ID: i.ID().String(), Text: i.record.Text, Checked: i.record.Checked}}
}

// Row is the event for compact text.
func (e Event) Row() compact.Event {
	row := compact.Event{
		ID: e.ID().String(), Summary: e.record.Summary, Location: e.Location(), Start: rowEventTime(e.Start()),
		End:       rowEventTime(e.End()),
		Attendees: make([]compact.Attendee, len(e.record.Attendees)), Status: e.record.Status,
		Recurrence: e.record.Recurrence,
	}
	for i, a := range e.record.Attendees {
		row.Attendees[i] = compact.Attendee{Email: a.Email, DisplayName: optional(a.Name), ResponseStatus: a.Status,
			Self: a.Self}
	}
	if series := e.RecurringEventID(); series != nil {
		row.RecurringEventID = optional(series.String())
	}
	return row
}

func rowEventTime(t *EventTime) *compact.EventTime {
	if t == nil {
		return nil
	}
	out := &compact.EventTime{DateTime: rowTime(t.DateTime), TimeZone: t.TimeZone}
	if t.Date != nil {
		out.Date = optional(t.Date.String())
	}
	return out
}

// Row is the memory for compact text.
func (m Memory) Row() compact.Memory {
	row := compact.Memory{
		ID: m.ID().String(), Type: m.record.Type, Content: m.record.Content, Summary: m.Summary(), Tags: m.Tags(),
		UpdatedAt: rowTime(m.at.OptionalDateTime(m.record.UpdatedAt)), ExpiresAt: rowTime(m.ExpiresAt()),
	}
	if m.record.Metadata != "" {
		row.Metadata = json.RawMessage(m.record.Metadata)
	}
	return row
}

// Row is the hit for compact text.
func (f MemoryFound) Row() compact.FoundMemory {
	return compact.FoundMemory{Similarity: f.Similarity, KeywordScore: &f.KeywordScore, Score: &f.Score,
		Node: f.Memory.Row()}
}

// Row is the e-mail for compact text: with at most so many characters of its body where that was read, or with its
// snippet.
func (e Email) Row(body int) compact.Email {
	row := compact.Email{
		ID: e.ID().String(), Subject: e.Subject(), Date: rowTime(e.at.OptionalDateTime(e.record.Date)), Snippet: e.Snippet(),
		Unread: e.Unread(), Attachments: []compact.Attachment{},
	}
	if from := e.From(); from != nil {
		address := compact.Address(*from)
		row.From = &address
	}
	if e.record.Root == nil || body <= 0 {
		return row
	}
	for _, file := range mail.Attachments(e.record.Root) {
		switch {
		case file.Inline:
		case file.Filename == "":
			row.Attachments = append(row.Attachments, compact.Attachment{Filename: file.MIMEType})
		default:
			row.Attachments = append(row.Attachments, compact.Attachment{Filename: file.Filename})
		}
	}
	if text, _, _ := mail.Body(e.record.Root, model.BodyClean, min(body, model.MaxBodyChars)); text != "" {
		row.Body = &compact.Body{Text: text}
	}
	return row
}

// Row is the preview for compact text.
func (p EmailPreview) Row() compact.Preview {
	return compact.Preview{
		ID: p.ID().String(), Hash: p.Hash(), State: string(p.record.State), To: rowAddresses(p.To()),
		Cc:      rowAddresses(p.Cc()),
		Bcc:     rowAddresses(p.Bcc()),
		Subject: p.Subject(), Body: p.Body(), SendAt: rowTime(p.SendAt()),
		ExpiresAt: rowTime(p.at.OptionalDateTime(p.record.ExpiresAt)),
		Problem:   p.Problem(),
	}
}

func rowAddresses(views []EmailAddress) []compact.Address {
	out := make([]compact.Address, len(views))
	for i, view := range views {
		out[i] = compact.Address(view)
	}
	return out
}

// Row is the entity for compact text.
func (e Entity) Row() compact.Entity {
	return compact.Entity{ID: e.ID().String(), Name: e.record.Name, Type: e.Type(), Summary: e.Summary()}
}

// Row is the fact for compact text.
func (f Fact) Row() compact.Fact {
	return compact.Fact{
		ID: f.ID().String(), Relation: f.record.Relation, Fact: f.record.Sentence,
		Source: compact.Named{Name: f.record.Source.Name}, Target: compact.Named{Name: f.record.Target.Name},
		ValidAt: rowTime(f.ValidAt()), InvalidAt: rowTime(f.InvalidAt()), Confidence: f.record.Confidence,
	}
}

// Row is the episode for compact text.
func (e Episode) Row() compact.Episode {
	return compact.Episode{
		ID: e.ID().String(), Name: e.record.Name, Content: e.record.Content, Source: e.record.Source,
		SourceDescription: e.SourceDescription(),
		ReferenceTime:     rowTime(e.at.OptionalDateTime(e.record.ReferenceTime)), State: e.record.State,
		Problem: e.Problem(),
	}
}

// Row is the status for compact text.
func (s KnowledgeStatus) Row() compact.Status {
	return compact.Status{
		Backend: s.Backend, Status: s.Status(), Message: s.Message, EntityCount: s.EntityCount, FactCount: s.FactCount,
		CurrentFactCount: s.CurrentFactCount,
		EpisodeCount:     s.EpisodeCount, LastUpdated: rowTime(s.LastUpdated), ExtractionModel: s.ExtractionModel,
		Queued: s.Queued, Failed: s.Failed,
	}
}

// Row is the line of the change log for compact text.
func (c Change) Row() compact.Change {
	return compact.Change{Type: c.record.Type, Operation: c.record.Operation, ID: c.ID().String(),
		At: rowTime(c.at.OptionalDateTime(c.record.At))}
}

// Row is the action for compact text.
func (a Action) Row() compact.Action {
	return compact.Action{ID: a.ID().String(), Kind: a.record.Kind, Summary: a.Summary(),
		At:       rowTime(a.at.OptionalDateTime(a.record.At)),
		Undoable: a.Undoable(), Undone: a.Undone()}
}

// Row is the question for compact text; foreign says that others may have written what it names.
func (c *Confirmation) Row(foreign bool) *compact.Confirmation {
	if c == nil {
		return nil
	}
	out := &compact.Confirmation{
		Kind: c.Kind, Question: c.Question, AllowMultiple: c.AllowMultiple, ExpiresAt: compact.Time{Time: c.ExpiresAt.Time},
		Token: c.Token, Foreign: foreign,
		Candidates: make([]compact.Candidate, len(c.Candidates)),
	}
	for i, candidate := range c.Candidates {
		out.Candidates[i] = compact.Candidate{ID: candidate.ID, Label: candidate.Label, Score: candidate.Score}
	}
	return out
}

// Rows returns views for compact text.
func Rows[V any, R compact.Row](views []V, row func(V) R) []compact.Row {
	out := make([]compact.Row, len(views))
	for i, view := range views {
		out[i] = row(view)
	}
	return out
}

// rowTime is an instant for compact text, as the viewer's clock shows it; none for nil.
func rowTime(t *model.DateTime) compact.Time {
	if t == nil {
		return compact.Time{}
	}
	return compact.Time{Time: t.Time}
}

func rowDuration(d *model.Duration) *string {
	if d == nil {
		return nil
	}
	text := d.ISO()
	return &text
}
