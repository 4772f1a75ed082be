package respond

import (
	"slices"
	"strings"

	"almanac/graph/model"
	"almanac/projections"
	"almanac/projections/when"
)

// Item is one thing of an answer.
type Item struct {
	// Raw is what the adapter gave, byte for byte.
	Raw model.JSON
	// Task are the flags of a task; of a list, which is none, all are false. It and the next three are nil for other
	// capabilities, and for what is no object.
	Task *projections.TaskItemContext
	// Event are the flags of an event; also nil for a pair of events that overlap.
	Event *projections.EventItemContext
	// Email are the flags of an e-mail.
	Email *projections.EmailItemContext
	// Memory are the flags of a memory.
	Memory *MemoryItemContext
	// Dates are the dates of it in words, in the order in which they stand there. The same are in JSON but where a key was
	// in the way.
	Dates []FormattedDate

	where  span
	bucket model.TaskBucket
	whole  *Response
}

// JSON is the item with its flags and the dates in words beside what the adapter gave.
func (i Item) JSON() model.JSON { return model.JSON(i.whole.spliced(i.where)) }

// ID is what names the item to its adapter, empty when it has no id.
func (i Item) ID() string { return i.first("id", "messageId") }

// Label is what names the item to people, empty when nothing does. Whoever made the item wrote it.
func (i Item) Label() string {
	return i.first("summary", "text", "subject", "list_name", "name", "title", "content")
}

// first returns the first of these keys that is a string, or a number, and not empty.
func (i Item) first(keys ...string) string {
	t := i.whole.payload.text
	best, rank := span{}, len(keys)
	for key, value := range t.fields(i.where) {
		if at := slices.Index(keys, key); at >= 0 && at <= rank && t.truthy(value) &&
			(t[value.from] == '"' || t.isNumber(value)) {
			best, rank = value, at
		}
	}
	if text, ok := t.string(best); ok {
		return text
	}
	return t.at(best)
}

// FormattedDate is a date of an item in words.
type FormattedDate struct {
	// Path is where the date stands within the item (RFC 6901): "/due_date", "/subtasks/0/created_at".
	Path string
	// Key is the last part of it.
	Key string
	// Value is the date as it was given; JSON where it is an object.
	Value string
	// Text is the date in words.
	Text string
}

// MemoryItemContext are the flags of a memory as an adapter gave it.
type MemoryItemContext struct {
	IsNew      bool
	IsOverride bool
	// MemoryType is nil when the memory has none of the three.
	MemoryType  *model.MemoryType
	HasMetadata bool
}

// reader reads what items say.
type reader struct {
	*payload
	entity    EntityType
	operation operation
	at        *projections.Moment
	day       when.Day
}

// item reads one item.
func (r *reader) item(where span) Item {
	out := Item{Raw: model.JSON(r.text.at(where)), where: where}
	if !r.isObject(where) {
		if r.entity == EntityTask {
			out.bucket = r.day.Bucket(date{}.at, false)
		}
		return out
	}
	switch {
	case r.wrapper == conflicts && r.entity == EntityEvent:
	case r.entity == EntityEvent:
		out.Event = r.event(where)
	case r.entity == EntityTask:
		out.Task, out.bucket = r.task(where)
	case r.entity == EntityList:
		out.Task = &projections.TaskItemContext{}
	case r.entity == EntityEmail:
		out.Email = r.email(where)
	case r.entity == EntityMemory:
		out.Memory = r.memory(where)
	}
	return out
}

// firstTrue returns the first of the values that is truthy; nothing when none is.
func (t text) firstTrue(values ...span) span {
	for _, value := range values {
		if t.truthy(value) {
			return value
		}
	}
	return span{}
}

// task returns a task's flags and its place on the board. A due date that cannot be read is one all the same, but
// neither past, nor today, nor later; the board has it, as the contract does, in the last place: upcoming.
func (r *reader) task(where span) (*projections.TaskItemContext, model.TaskBucket) {
	var due, dueCamel, rule, ruleCamel, ruleOwn span
	for key, value := range r.text.fields(where) {
		switch key {
		case "due_date":
			due = value
		case "dueDate":
			dueCamel = value
		case "reminder_recurrence":
			rule = value
		case "reminderRecurrence":
			ruleCamel = value
		case "recurrence":
			ruleOwn = value
		}
	}
	due, rule = r.firstTrue(due, dueCamel), r.firstTrue(rule, ruleCamel, ruleOwn)
	task := model.Task{}
	dated := due != span{}
	if dated {
		task.DueAt = r.readDate(due, r.at.Zone).due(r.at.Zone)
	}
	if r.truthy(rule) {
		task.Recurrence = &model.Recurrence{Type: r.recurrenceType(rule)}
	}
	flags := projections.TaskFlags(&task, r.at)
	bucket := r.day.Bucket(task.DueAt, flags.IsRecurring)
	if dated && bucket == model.BucketNoDueDate {
		bucket = model.BucketUpcoming
	}
	flags.HasDueDate, flags.IsReminder, flags.IsTask = dated, dated, !dated
	return &flags, bucket
}

// recurrenceType reads how a task repeats.
func (r *reader) recurrenceType(rule span) model.RecurrenceType {
	for key, value := range r.text.fields(rule) {
		if name, _ := r.string(value); key == "type" && strings.EqualFold(name, string(model.Nudge)) {
			return model.Nudge
		}
	}
	return ""
}

// event returns an event's flags.
func (r *reader) event(where span) *projections.EventItemContext {
	var event model.Event
	repeats, series := false, false
	for key, value := range r.text.fields(where) {
		switch key {
		case "start":
			event.Start = r.readDate(value, r.at.Zone).eventTime()
		case "end":
			event.End = r.readDate(value, r.at.Zone).eventTime()
		case "recurrence", "days", "recurringEventId":
			repeats = repeats || r.filled(value)
		case "isRecurringSeries":
			series = r.truthy(value)
		}
	}
	flags := projections.EventFlags(event, r.at)
	flags.IsRecurring, flags.IsRecurringSeries = repeats, series
	return &flags
}

// email returns an e-mail's flags.
func (r *reader) email(where span) *projections.EmailItemContext {
	flags := projections.EmailItemContext{}
	for key, value := range r.text.fields(where) {
		if key == "preview" {
			flags.IsPreview = r.isTrue(value)
		}
	}
	return &flags
}

// memory returns a memory's flags.
func (r *reader) memory(where span) *MemoryItemContext {
	flags := MemoryItemContext{IsNew: r.operation.stores()}
	for key, value := range r.text.fields(where) {
		switch key {
		case "overridden":
			flags.IsOverride = r.isTrue(value)
		case "type":
			flags.MemoryType = r.memoryType(value)
		case "metadata":
			flags.HasMetadata = r.truthy(value)
		}
	}
	return &flags
}

func (r *reader) memoryType(value span) *model.MemoryType {
	name, _ := r.string(value)
	for _, known := range [...]model.MemoryType{model.MemoryNote, model.MemoryContact, model.MemoryKV} {
		if strings.EqualFold(name, string(known)) {
			return &known
		}
	}
	return nil
}
