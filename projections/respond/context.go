package respond

import (
	"almanac/graph/model"
	"almanac/projections"
)

// Context is what holds for the whole answer. Exactly one of the four is set. Of a listing it says only that it is one
// and whether it is empty, since what holds for an item stands beside it; otherwise each flag says whether any item has
// it.
type Context struct {
	Database    *projections.TaskContext
	Calendar    *EventContext
	Gmail       *EmailContext
	SecondBrain *MemoryContext
}

// EventContext is the context of an answer of a calendar.
type EventContext struct {
	IsRecurring, IsRecurringSeries, IsToday, IsTomorrowOrLater bool
	IsListing, IsFindEvent, IsBulkOperation, IsEmpty           bool
	// SearchCriteria and TimeWindow are what the answer says it was asked by; nil when it does not.
	SearchCriteria, TimeWindow *model.JSON
}

// EmailContext is the context of an answer of a mailbox.
type EmailContext struct {
	IsPreview, IsSent, IsReply, IsListing, IsEmpty bool
}

// MemoryContext is the context of an answer of a store of memories.
type MemoryContext struct {
	IsStored, IsSearch, IsOverride bool
	// MemoryType is that of the first memory that has one; nil for a listing or a search.
	MemoryType         *model.MemoryType
	IsListing, IsEmpty bool
}

// Flags are the context as JSON, under the contract's names: of a listing isListing and isEmpty, otherwise all that the
// capability has.
func (c Context) Flags() model.JSON { return model.JSON(c.json()) }

func (r *reader) context(c Capability, items []Item) Context {
	switch c {
	case Database:
		return Context{Database: r.ofTasks(items)}
	case Calendar:
		return Context{Calendar: r.ofEvents(items)}
	case Gmail:
		return Context{Gmail: r.ofEmails(items)}
	case SecondBrain:
	}
	return Context{SecondBrain: r.ofMemories(items)}
}

// listsRows reports whether tasks, or lists, are listed.
func (r *reader) listsRows() bool {
	return r.operation.listsTasks() || r.entity == EntityList && r.operation.listsLists()
}

func (r *reader) ofTasks(items []Item) *projections.TaskContext {
	all := &projections.TaskContext{IsEmpty: len(items) == 0, IsListing: r.listsRows()}
	if all.IsListing {
		return all
	}
	for _, item := range items {
		one := item.Task
		if one == nil {
			continue
		}
		all.IsReminder = all.IsReminder || one.IsReminder
		all.IsTask = all.IsTask || one.IsTask
		all.IsRecurring = all.IsRecurring || one.IsRecurring
		all.IsNudge = all.IsNudge || one.IsNudge
		all.HasDueDate = all.HasDueDate || one.HasDueDate
		all.IsToday = all.IsToday || one.IsToday
		all.IsTomorrowOrLater = all.IsTomorrowOrLater || one.IsTomorrowOrLater
		all.IsOverdue = all.IsOverdue || one.IsOverdue
	}
	return all
}

func (r *reader) ofEvents(items []Item) *EventContext {
	all := &EventContext{IsEmpty: len(items) == 0, IsListing: r.operation.listsEvents()}
	if all.IsListing {
		return all
	}
	deleted := 0.0
	if s := r.fields["deleted"]; r.isNumber(s) {
		deleted = number(r.text.at(s))
	}
	all.IsBulkOperation = r.operation.inBulk(deleted)
	all.SearchCriteria, all.TimeWindow = r.given("searchCriteria"), r.given("timeWindow")
	all.IsFindEvent = r.operation.findsEvents() || all.SearchCriteria != nil
	all.IsRecurringSeries = r.truthy(r.fields["isRecurringSeries"])
	for _, item := range items {
		one := item.Event
		if one == nil {
			continue
		}
		all.IsRecurring = all.IsRecurring || one.IsRecurring
		all.IsRecurringSeries = all.IsRecurringSeries || one.IsRecurringSeries
		all.IsToday = all.IsToday || one.IsToday
		all.IsTomorrowOrLater = all.IsTomorrowOrLater || one.IsTomorrowOrLater
	}
	return all
}

func (r *reader) ofEmails(items []Item) *EmailContext {
	all := &EmailContext{IsEmpty: len(items) == 0, IsListing: r.operation.listsEmails()}
	if all.IsListing {
		return all
	}
	for _, item := range items {
		all.IsPreview = all.IsPreview || item.Email != nil && item.Email.IsPreview
	}
	all.IsReply = r.operation.replies()
	all.IsSent = r.operation.sends() && !r.operation.has("preview") && !all.IsPreview && !all.IsEmpty
	return all
}

func (r *reader) ofMemories(items []Item) *MemoryContext {
	all := &MemoryContext{
		IsEmpty: len(items) == 0, IsListing: r.operation.listsMemories(), IsSearch: r.operation.searches(),
		IsStored: r.operation.stores() && len(items) > 0,
	}
	if all.IsListing {
		return all
	}
	for _, item := range items {
		one := item.Memory
		if one == nil {
			continue
		}
		all.IsOverride = all.IsOverride || one.IsOverride
		if all.MemoryType == nil && !all.IsSearch {
			all.MemoryType = one.MemoryType
		}
	}
	return all
}

// given is the value of a field of the body, nil when it is falsy.
func (p *payload) given(key string) *model.JSON {
	if s := p.fields[key]; p.truthy(s) {
		return p.present(key)
	}
	return nil
}

// present is the value of a field of the body, nil when there is none.
func (p *payload) present(key string) *model.JSON {
	s, there := p.fields[key]
	if !there {
		return nil
	}
	value := model.JSON(p.text.at(s))
	return &value
}
