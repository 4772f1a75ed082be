package respond

import (
	"bytes"
	"encoding/json"
	"sort"
	"strings"

	"almanac/graph/model"
	"almanac/projections"
)

// JSON is the answer with what was put into it, under the contract's own names: _metadata at its beginning,
// _itemContext in every item, <key>_formatted beside every date, and, where tasks are listed, _categorized and _isEmpty
// at its end. A bare list stands under the key of what its items are, any other value that is no object under "data".
// Taking out what was put in leaves the adapter's own text.
func (r *Response) JSON() model.JSON {
	var b strings.Builder
	b.Grow(2*len(r.payload.text) + 256)
	b.WriteByte('{')
	first := true
	add := func(key, value string) {
		if _, inTheWay := r.top()[key]; !inTheWay {
			b.WriteString(comma(first) + `"` + key + `":`)
			b.WriteString(value)
			first = false
		}
	}
	add(keyMetadata, r.head())
	whole := r.payload.whole
	switch {
	case r.payload.isObject(whole):
		inner := r.spliced(span{whole.from, whole.to})
		if inner = inner[1 : len(inner)-1]; strings.TrimSpace(inner) != "" {
			b.WriteString(comma(first))
			b.WriteString(inner)
			first = false
		}
	case r.payload.isList(whole):
		add(r.EntityType.plural(), r.spliced(whole))
	default:
		add("data", r.spliced(whole))
	}
	if r.Categorized != nil {
		add(keyCategorized, r.Categorized.json())
		add(keyIsEmpty, literal(r.IsEmpty))
	}
	b.WriteByte('}')
	return model.JSON(b.String())
}

// top are the fields of the answer as a whole.
func (r *Response) top() map[string]span {
	if r.payload.envelope {
		return r.payload.outer
	}
	return r.payload.fields
}

// spliced returns a value of the text with what was put into it.
func (r *Response) spliced(s span) string {
	put := r.put
	i := sort.Search(len(put), func(i int) bool { return put[i].at > s.from })
	var b strings.Builder
	at := s.from
	for ; i < len(put) && put[i].at < s.to; i++ {
		b.WriteString(string(r.payload.text[at:put[i].at]))
		b.WriteString(put[i].text)
		at = put[i].at
	}
	if at == s.from {
		return r.payload.text.at(s)
	}
	b.WriteString(string(r.payload.text[at:s.to]))
	return b.String()
}

// json returns the groups with their tasks as they stand in the answer.
func (c *Categorized) json() string {
	var b strings.Builder
	for i, group := range [...]struct {
		name  string
		tasks []Item
	}{{"overdue", c.Overdue}, {"today", c.Today}, {"upcoming", c.Upcoming}, {"recurring", c.Recurring},
		{"noDueDate", c.NoDueDate}} {
		b.WriteString([...]string{"{", ","}[min(i, 1)] + `"` + group.name + `":[`)
		for j, task := range group.tasks {
			b.WriteString(comma(j == 0))
			b.WriteString(string(task.JSON()))
		}
		b.WriteByte(']')
	}
	return b.String() + "}"
}

// head is what _metadata holds.
func (r *Response) head() string {
	agent := string(r.Agent)
	context := object{{"capability", quote(agent)}, {agent, r.Context.json()}}
	out := object{{"agent", quote(agent)}, {"operation", quote(r.Operation)}, {"context", context.json()}}
	if len(r.FailedOperations) > 0 {
		var failed []string
		for _, f := range r.FailedOperations {
			failed = append(failed, f.json())
		}
		out = append(out, member{"failedOperations", "[" + strings.Join(failed, ",") + "]"})
	}
	return out.json()
}

func (f FailedOperation) json() string {
	return object{
		{"stepId", optional(f.StepID)}, {"capability", quote(string(f.Capability))}, {"operation", quote(f.Operation)},
		{"searchedFor", optional(f.SearchedFor)},
		{"userRequest", optional(f.UserRequest)}, {"errorMessage", quote(f.ErrorMessage)},
	}.json()
}

// json returns the flags of a listing alone, or all of them.
func (c Context) json() string {
	switch {
	case c.Database != nil:
		return ofTasks(*c.Database)
	case c.Calendar != nil:
		return ofEvents(*c.Calendar)
	case c.Gmail != nil:
		return ofEmails(*c.Gmail)
	}
	return ofMemories(*c.SecondBrain)
}

func listing(isEmpty bool) string {
	return object{{"isListing", "true"}, {"isEmpty", literal(isEmpty)}}.json()
}

func ofTasks(c projections.TaskContext) string {
	if c.IsListing {
		return listing(c.IsEmpty)
	}
	return object{
		{"isReminder", literal(c.IsReminder)}, {"isTask", literal(c.IsTask)}, {"isNudge", literal(c.IsNudge)},
		{"isRecurring", literal(c.IsRecurring)}, {"hasDueDate", literal(c.HasDueDate)},
		{"isToday", literal(c.IsToday)}, {"isTomorrowOrLater", literal(c.IsTomorrowOrLater)},
		{"isOverdue", literal(c.IsOverdue)}, {"isListing", "false"}, {"isEmpty", literal(c.IsEmpty)},
	}.json()
}

func ofEvents(c EventContext) string {
	if c.IsListing {
		return listing(c.IsEmpty)
	}
	out := object{
		{"isRecurring", literal(c.IsRecurring)}, {"isRecurringSeries", literal(c.IsRecurringSeries)},
		{"isToday", literal(c.IsToday)}, {"isTomorrowOrLater", literal(c.IsTomorrowOrLater)},
		{"isListing", "false"}, {"isFindEvent", literal(c.IsFindEvent)}, {"isBulkOperation", literal(c.IsBulkOperation)},
		{"isEmpty", literal(c.IsEmpty)},
	}
	if c.SearchCriteria != nil {
		out = append(out, member{"searchCriteria", string(*c.SearchCriteria)})
	}
	if c.TimeWindow != nil {
		out = append(out, member{"timeWindow", string(*c.TimeWindow)})
	}
	return out.json()
}

func ofEmails(c EmailContext) string {
	if c.IsListing {
		return listing(c.IsEmpty)
	}
	return object{
		{"isPreview", literal(c.IsPreview)}, {"isSent", literal(c.IsSent)}, {"isReply", literal(c.IsReply)},
		{"isListing", "false"}, {"isEmpty", literal(c.IsEmpty)},
	}.json()
}

func ofMemories(c MemoryContext) string {
	if c.IsListing {
		return listing(c.IsEmpty)
	}
	return object{
		{"isStored", literal(c.IsStored)}, {"isSearch", literal(c.IsSearch)}, {"isOverride", literal(c.IsOverride)},
		{"memoryType", memoryType(c.MemoryType)}, {"isEmpty", literal(c.IsEmpty)},
	}.json()
}

// flags are an item's flags as JSON, with the contract's names and no others; empty for an item that has none.
func (i Item) flags() string {
	switch {
	case i.Task != nil:
		f := i.Task
		return object{
			{"isReminder", literal(f.IsReminder)}, {"isTask", literal(f.IsTask)}, {"isRecurring", literal(f.IsRecurring)},
			{"isNudge", literal(f.IsNudge)},
			{"isOverdue", literal(f.IsOverdue)}, {"isToday", literal(f.IsToday)},
			{"isTomorrowOrLater", literal(f.IsTomorrowOrLater)}, {"hasDueDate", literal(f.HasDueDate)},
		}.json()
	case i.Event != nil:
		f := i.Event
		return object{
			{"isRecurring", literal(f.IsRecurring)}, {"isRecurringSeries", literal(f.IsRecurringSeries)},
			{"isToday", literal(f.IsToday)}, {"isTomorrowOrLater", literal(f.IsTomorrowOrLater)},
			{"isPast", literal(f.IsPast)},
		}.json()
	case i.Email != nil:
		return object{{"isPreview", literal(i.Email.IsPreview)}}.json()
	case i.Memory != nil:
		f := i.Memory
		return object{
			{"isNew", literal(f.IsNew)}, {"isOverride", literal(f.IsOverride)}, {"memoryType", memoryType(f.MemoryType)},
			{"hasMetadata", literal(f.HasMetadata)},
		}.json()
	}
	return ""
}

func memoryType(t *model.MemoryType) string {
	if t == nil {
		return "null"
	}
	return quote(strings.ToLower(string(*t)))
}

// object is a JSON object in the making; its keys need no escapes, its values are JSON.
type object []member

type member struct{ key, value string }

func (o object) json() string {
	var b strings.Builder
	b.WriteByte('{')
	for i, m := range o {
		b.WriteString(comma(i == 0) + `"` + m.key + `":` + m.value)
	}
	b.WriteByte('}')
	return b.String()
}

func literal(value bool) string {
	if value {
		return "true"
	}
	return "false"
}

func optional(value *string) string {
	if value == nil {
		return "null"
	}
	return quote(*value)
}

// quote returns a text as JSON. Bytes that are no text become the replacement character.
func quote(value string) string {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		return `""` // a string can always be encoded
	}
	return strings.TrimSuffix(b.String(), "\n")
}
