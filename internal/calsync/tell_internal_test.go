package calsync

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"almanac/graph/model"
)

func TestTell(t *testing.T) {
	seen := time.Date(2026, 11, 21, 10, 0, 0, 0, time.UTC)
	event := func(version string, status model.EventStatus, created time.Duration) model.Event {
		e := model.Event{Ref: model.EventRef{Connection: 2, Calendar: "עבודה@group.calendar.google.com", Event: "abc"},
			Version: version, Status: status}
		if created != 0 {
			e.CreatedAt = seen.Add(created)
		}
		return e
	}
	occurrence := func(e model.Event) model.Event {
		e.Ref.Event, e.RecurringEventID = "abc_20261121T100000Z", "abc"
		return e
	}
	before := func(operation model.Operation, version string) *model.Change {
		return &model.Change{Operation: operation, Version: version}
	}
	for name, c := range map[string]struct {
		row  model.Event
		last *model.Change
		want string // operation and version; empty for an echo
	}{
		"made since":                     {event("1", model.EventConfirmed, time.Second), nil, "CREATED 1"},
		"made in the very second":        {event("1", model.EventConfirmed, -time.Nanosecond), nil, "CREATED 1"},
		"made while the pages were read": {event("1", model.EventConfirmed, -30*time.Second), nil, "CREATED 1"},
		"made long before":               {event("1", model.EventConfirmed, -time.Hour), nil, "UPDATED 1"},
		"nobody knows when it was made":  {event("1", model.EventConfirmed, 0), nil, "UPDATED 1"},
		"tentative":                      {event("1", model.EventTentative, time.Second), nil, "CREATED 1"},
		"made since, told, and changed": {event("2", model.EventConfirmed, time.Second),
			before(model.OperationCreated, "1"), "UPDATED 2"},
		"told as created": {event("1", model.EventConfirmed, time.Second),
			before(model.OperationCreated, "1"), ""},
		"told as updated": {event("2", model.EventConfirmed, -time.Hour),
			before(model.OperationUpdated, "2"), ""},
		"without a version, as the log has it": {event("", model.EventConfirmed, -time.Hour),
			before(model.OperationUpdated, ""), "UPDATED "},
		"cancelled": {event("3", model.EventCancelled, 0), before(model.OperationUpdated, "2"),
			"DELETED "},
		"cancelled, and never heard of": {event("3", model.EventCancelled, time.Second), nil, "DELETED "},
		"cancelled with a version that was told": {event("2", model.EventCancelled, 0), before(model.OperationUpdated, "2"),
			"DELETED "},
		"told as deleted": {event("4", model.EventCancelled, 0), before(model.OperationDeleted, ""),
			""},
		"back again": {event("5", model.EventConfirmed, -time.Hour),
			before(model.OperationDeleted, ""), "CREATED 5"},
		"back again with the version it went with": {event("5", model.EventConfirmed, -time.Hour),
			before(model.OperationDeleted, "5"), "CREATED 5"},
		"an occurrence of a new series": {occurrence(event("1", model.EventConfirmed, time.Second)), nil,
			"UPDATED 1"},
		"an occurrence that was left out": {occurrence(event("", model.EventCancelled, 0)), nil, "DELETED "},
	} {
		id := c.row.Ref.ID()
		last := map[model.UUID]model.Change{{1}: {Operation: model.OperationDeleted}}
		if c.last != nil {
			last[id.UUID] = *c.last
		}
		lines, echoes := tell([]model.Event{c.row}, last, seen)
		if c.want == "" {
			if len(lines) != 0 || echoes != 1 {
				t.Errorf("%s: told %+v", name, lines)
			}
			continue
		}
		if len(lines) != 1 || echoes != 0 {
			t.Errorf("%s: told %+v, %d echoes", name, lines, echoes)
			continue
		}
		line := lines[0]
		if got := fmt.Sprintf("%s %s", line.Operation, line.Version); got != c.want || line.Type != model.ChangeEvent ||
			line.ID != id.UUID || line.Remote != id.Remote {
			t.Errorf("%s: told %q of %+v, want %q", name, got, line, c.want)
		}
	}
}

func TestDistinct(t *testing.T) {
	row := func(id, version string) model.Event {
		return model.Event{Ref: model.EventRef{Event: id}, Version: version}
	}
	got := distinct([]model.Event{row("a", "1"), row("b", "1"), row("", "1"), row("a", "2"), row("c", "1")})
	if want := []string{"a2", "b1", "c1"}; !slices.EqualFunc(got, want,
		func(e model.Event, w string) bool { return e.Ref.Event+e.Version == w }) {
		t.Errorf("got %+v, want %v", got, want)
	}
}
