package respond

import "slices"

// EntityType is what the items are.
type EntityType string

// The types of items.
const (
	EntityEvent  EntityType = "event"
	EntityTask   EntityType = "task"
	EntityList   EntityType = "list"
	EntityEmail  EntityType = "email"
	EntityMemory EntityType = "memory"
)

// payload is an answer with its parts found.
type payload struct {
	text
	// whole is everything, body what an adapter gives as its data: the same, or what is within an envelope {success,
	// data}.
	whole, body span
	// envelope reports whether there is one; its fields are then those of whole.
	envelope bool
	outer    map[string]span
	// fields are those of the body that are known; of a key that stands there twice the last.
	fields map[string]span
	// wrapper is the key that holds the items; empty when the body is the one item, the list of them, or has none.
	wrapper string
	items   []span
}

// wrappers are the keys that may hold a capability's items, in the order in which they are tried. Those after the ones
// of the contract are what adapters answer besides: events made in one go, the instances of a series, overlaps, the
// latest e-mail.
func wrappers(c Capability) []string {
	switch c {
	case Calendar:
		return []string{"events", "created", "instances", conflicts}
	case Database:
		return []string{"tasks", "lists", "created"}
	case Gmail:
		return []string{"emails", "messages", "email"}
	case SecondBrain:
		return []string{"results", "memories"}
	}
	return nil
}

// conflicts holds pairs of events, which are no events themselves.
const conflicts = "conflicts"

// identities are the keys of which one makes an object an item by itself.
var identities = [...]string{"id", "summary", "text", "messageId"}

// locate finds the parts of an answer.
func locate(t text, c Capability) payload {
	p := payload{text: t, whole: t.value(0)}
	p.body = p.whole
	p.fields = t.known(p.whole)
	p.findItems(c)
	_, said := p.fields["success"]
	if data, wrapped := p.fields["data"]; said && wrapped && p.wrapper == "" && len(p.items) == 0 {
		p.envelope, p.outer = true, p.fields
		p.body, p.fields = data, p.known(data)
		p.findItems(c)
	}
	return p
}

// known returns the fields of an object; nothing of what is no object.
func (t text) known(object span) map[string]span {
	out := map[string]span{}
	for key, value := range t.fields(object) {
		if isKnown(key) {
			out[key] = value
		}
	}
	return out
}

// isKnown reports whether a key means something at the top of an answer.
func isKnown(key string) bool {
	switch key {
	case "events", "created", "instances", conflicts, "tasks", "lists", "emails", "messages", "email", "results",
		"memories",
		"id", "summary", "text", "messageId", "preview", "content",
		"deleted", "updated", "count", "errors", "notFound", "isRecurringSeries", "summaries",
		"success", "data", "error", "stepId", "searchedFor", "userRequest", "searchCriteria", "timeWindow",
		keyMetadata, keyCategorized, keyIsEmpty:
		return true
	}
	return false
}

// findItems finds the items of the body: the elements of a list, those under a wrapper's key, the one value under it,
// or the body itself.
func (p *payload) findItems(c Capability) {
	if p.isList(p.body) {
		p.items = slices.Collect(p.elements(p.body))
		return
	}
	for _, key := range wrappers(c) {
		value := p.fields[key]
		switch {
		case !p.truthy(value):
			continue
		case p.isList(value):
			p.items = slices.Collect(p.elements(value))
		default:
			p.items = []span{value}
		}
		p.wrapper = key
		return
	}
	alone := c == Gmail && p.isTrue(p.fields["preview"]) || c == SecondBrain && p.truthy(p.fields["content"])
	for _, key := range identities {
		alone = alone || p.truthy(p.fields[key])
	}
	if alone {
		p.items = []span{p.body}
	}
}

// entityType returns what the items are. In the database the answer decides first, then the operation.
func (p *payload) entityType(c Capability, o operation) EntityType {
	switch c {
	case Calendar:
		return EntityEvent
	case Gmail:
		return EntityEmail
	case SecondBrain:
		return EntityMemory
	case Database:
	}
	switch {
	case p.wrapper == "lists":
		return EntityList
	case p.wrapper == "tasks":
		return EntityTask
	}
	for _, item := range p.items {
		for key := range p.text.fields(item) {
			switch key {
			case "is_checklist", "isChecklist", "list_name", "listName":
				return EntityList
			case "due_date", "dueDate", "reminder", "reminder_recurrence", "reminderRecurrence", "completed":
				return EntityTask
			}
		}
	}
	if o.aboutLists() {
		return EntityList
	}
	return EntityTask
}

// plural is the key under which a bare list of such items stands.
func (e EntityType) plural() string {
	switch e {
	case EntityEvent:
		return "events"
	case EntityTask:
		return "tasks"
	case EntityList:
		return "lists"
	case EntityEmail:
		return "emails"
	case EntityMemory:
	}
	return "memories"
}
