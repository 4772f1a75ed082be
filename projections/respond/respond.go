package respond

import (
	"encoding/json"
	"unicode/utf8"

	"almanac/graph/model"
	"almanac/projections"
)

// What Format takes.
const (
	// MaxBytes is how large an answer may be.
	MaxBytes = 1 << 20
	// MaxItems is how many things it may hold.
	MaxItems = 10_000
	// MaxOperation is how long the name of an operation may be, in characters.
	MaxOperation = 200
)

// Response is an adapter's answer in one shape.
type Response struct {
	// Agent is whose answer it is.
	Agent Capability
	// Operation is what was done, as it was given.
	Operation  string
	EntityType EntityType
	// Items are the things of the answer in their order; never nil.
	Items []Item
	// Metadata is what the answer says beside its items.
	Metadata Metadata
	// Categorized are the tasks in five groups; nil unless tasks are listed.
	Categorized *Categorized
	// IsEmpty says that there are no items.
	IsEmpty bool
	// Context is what holds for the whole answer.
	Context Context
	// FailedOperations is the operation when nothing of it was done; never nil.
	FailedOperations []FailedOperation
	// Kept are the paths (RFC 6901) of the first hundred keys that the answer had already where JSON would have put its
	// own. They stay as they are. Never nil.
	Kept []string

	payload payload
	put     []insertion
}

// Categorized are tasks in five groups, each in the order of the answer. Every item is in exactly one: the first that
// fits in the order recurring, noDueDate, overdue, today, upcoming.
type Categorized struct {
	Overdue, Today, Upcoming, Recurring, NoDueDate []Item
}

// Format returns an adapter's answer, one JSON value, one shape, with flags and dates as they are at a moment.
//
// Data may be wrapped ({"tasks": […]}), a bare list, one thing, the result of a bulk operation, null, or any of these
// within an adapter's envelope {success, data, error}. The operation is free text; the names of a plan ("list tasks")
// and of an adapter ("getAll") mean the same. BAD_USER_INPUT for a capability that there is not, with the field
// "capability"; for data that is no JSON value, is nested more than 10,000 deep, is larger than MaxBytes or holds more
// than MaxItems, "data"; for an operation longer than MaxOperation, "operation".
func Format(capability, operation string, data model.JSON, at *projections.Moment) (*Response, error) {
	agent, err := ParseCapability(capability)
	if err != nil {
		return nil, err
	}
	if n := utf8.RuneCountInString(operation); n > MaxOperation {
		return nil, model.BadInput("operation", "operation has %d characters; at most %d are allowed", n, MaxOperation)
	}
	if len(data) > MaxBytes {
		return nil, model.BadInput("data", "data has %d bytes; at most %d are formatted at once", len(data), MaxBytes)
	}
	if data == "" {
		data = "null"
	}
	if !json.Valid([]byte(data)) {
		return nil, model.BadInput("data", "data is not a JSON value")
	}
	p := locate(text(data), agent)
	if len(p.items) > MaxItems {
		return nil, model.BadInput("data", "data has %d items; at most %d are formatted at once", len(p.items), MaxItems)
	}
	r := &reader{payload: &p, operation: parseOperation(operation), at: at, day: at.Day()}
	r.entity = p.entityType(agent, r.operation)
	out := &Response{
		Agent: agent, Operation: operation, EntityType: r.entity, Items: make([]Item, len(p.items)), Metadata: p.metadata(),
		IsEmpty: len(p.items) == 0, payload: p,
		FailedOperations: append([]FailedOperation{}, r.failed(agent, operation)...),
	}
	for i, where := range p.items {
		out.Items[i] = r.item(where)
		out.Items[i].whole = out
	}
	out.put, out.Kept = r.enrich(out.Items)
	out.Kept = append(out.keptAtTop(agent == Database && r.listsTasks()), out.Kept...)
	out.Context = r.context(agent, out.Items)
	if agent == Database && r.listsTasks() {
		out.Categorized = categorize(out.Items)
	}
	return out, nil
}

// listsTasks reports whether tasks are listed.
func (r *reader) listsTasks() bool { return r.entity == EntityTask && r.operation.listsTasks() }

// keptAtTop names the keys of ours that the answer as a whole has already.
func (r *Response) keptAtTop(board bool) []string {
	kept := []string{}
	for _, key := range [...]string{keyMetadata, keyCategorized, keyIsEmpty} {
		if _, there := r.top()[key]; there && (board || key == keyMetadata) {
			kept = append(kept, "/"+key)
		}
	}
	return kept
}

func categorize(items []Item) *Categorized {
	out := &Categorized{Overdue: []Item{}, Today: []Item{}, Upcoming: []Item{}, Recurring: []Item{}, NoDueDate: []Item{}}
	for _, item := range items {
		switch item.bucket {
		case model.BucketRecurring:
			out.Recurring = append(out.Recurring, item)
		case model.BucketNoDueDate:
			out.NoDueDate = append(out.NoDueDate, item)
		case model.BucketOverdue:
			out.Overdue = append(out.Overdue, item)
		case model.BucketToday:
			out.Today = append(out.Today, item)
		case model.BucketUpcoming:
			out.Upcoming = append(out.Upcoming, item)
		}
	}
	return out
}
