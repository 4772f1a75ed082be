package calsync

import (
	"fmt"
	"slices"
	"testing"

	"almanac/adapters/gmail"
	"almanac/graph/model"
)

func TestTellMail(t *testing.T) {
	in, in2, out := []string{"INBOX", "UNREAD"}, []string{"INBOX"}, []string{"Label_1"}
	before := func(operation model.Operation, labels []string) *model.Change {
		return &model.Change{Operation: operation, Version: versionOf(labels)}
	}
	unsaid := &model.Change{Operation: model.OperationUpdated}
	added := func(labels ...string) gmail.History {
		return gmail.History{Added: []gmail.Arrived{{Message: "a1", Labels: labels}}}
	}
	labelled := func(labels ...string) gmail.History {
		return gmail.History{Labelled: []gmail.Arrived{{Message: "a1", Labels: labels}}}
	}
	deleted := gmail.History{Deleted: []string{"a1"}}
	for name, c := range map[string]struct {
		history gmail.History
		last    *model.Change
		want    string // empty for nothing
		echoes  int
	}{
		"arrived":                             {added(in...), nil, "CREATED", 0},
		"arrived, told already":               {added(in...), before(model.OperationCreated, in), "", 1},
		"arrived, told, and changed":          {added(in2...), before(model.OperationCreated, in), "UPDATED", 0},
		"arrived, told, and archived":         {added(out...), before(model.OperationCreated, in), "UPDATED", 0},
		"arrived elsewhere":                   {added(out...), nil, "", 0},
		"sent":                                {added("SENT"), nil, "", 0},
		"sent to oneself":                     {added("SENT", "INBOX", "UNREAD"), nil, "CREATED", 0},
		"there again":                         {added(in...), before(model.OperationDeleted, nil), "CREATED", 0},
		"read":                                {labelled(in2...), before(model.OperationCreated, in), "UPDATED", 0},
		"read, nobody has heard of it":        {labelled(in2...), nil, "UPDATED", 0},
		"as it was told, in another order":    {labelled("UNREAD", "INBOX"), before(model.OperationUpdated, in), "", 1},
		"archived":                            {labelled(out...), before(model.OperationUpdated, in), "UPDATED", 0},
		"archived, nobody has heard of it":    {labelled(out...), nil, "UPDATED", 0},
		"labelled elsewhere":                  {labelled("Label_2"), before(model.OperationUpdated, out), "", 0},
		"into the inbox":                      {labelled(in...), before(model.OperationUpdated, out), "UPDATED", 0},
		"elsewhere, and the log does not say": {labelled(out...), unsaid, "UPDATED", 0},
		"a draft":                             {labelled("DRAFT"), nil, "", 0},
		"all labels are gone":                 {labelled(), before(model.OperationUpdated, in2), "UPDATED", 0},
		"deleted":                             {deleted, before(model.OperationUpdated, in), "DELETED", 0},
		"deleted where it was archived":       {deleted, before(model.OperationUpdated, out), "DELETED", 0},
		"deleted, told already":               {deleted, before(model.OperationDeleted, nil), "", 1},
		"deleted, nobody has heard of it":     {deleted, nil, "", 0},
		"added and deleted, in different records": {gmail.History{Added: added(in...).Added, Deleted: []string{"a1"}},
			before(model.OperationUpdated, in), "DELETED", 0},
		"added and labelled": {
			gmail.History{Added: added(in...).Added, Labelled: labelled(in2...).Labelled}, nil, "CREATED", 0},
	} {
		t.Run(name, func(t *testing.T) {
			rows := lettersOf(2, c.history)
			id := model.EmailRef{Connection: 2, Message: "a1"}.ID()
			last := map[model.UUID]model.Change{}
			if c.last != nil {
				last[id.UUID] = *c.last
			}
			lines, echoes := tellMail(rows, last)
			var got string
			for _, line := range lines {
				got += string(line.Operation)
				if line.Type != model.ChangeEmail || line.ID != id.UUID || line.Remote != id.Remote ||
					(line.Version == "") != (line.Operation == model.OperationDeleted) {
					t.Errorf("the line %+v", line)
				}
			}
			if got != c.want || echoes != c.echoes {
				t.Errorf("told %q and %d echoes, want %q and %d", got, echoes, c.want, c.echoes)
			}
			for _, line := range lines { // the same sync again
				last[id.UUID] = line
			}
			if again, _ := tellMail(rows, last); len(again) > 0 {
				t.Errorf("told again: %+v", again)
			}
		})
	}
}

// Each message has one row, and what could not be asked about has none.
func TestLettersOf(t *testing.T) {
	h := gmail.History{Deleted: []string{"b2", ""}}
	for _, id := range []string{"a1", "b2", "a1", "", "x/y", "x?y", "x#y", "x\x00y"} {
		h.Added = append(h.Added, gmail.Arrived{Message: id, Labels: []string{"INBOX"}})
	}
	var got []string
	for _, row := range lettersOf(1, h) {
		ref, err := model.EmailRefOf(row.id)
		got = append(got, fmt.Sprint(ref.Message, " ", row.deleted, " ", err))
	}
	if want := []string{"a1 false <nil>", "b2 true <nil>"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// A version tells label sets apart, whatever their order, and holds no label.
func TestVersionOf(t *testing.T) {
	seen := map[string]string{}
	for _, labels := range [][]string{nil, {"INBOX"}, {"a", "b"}, {"ab"}, {"a"}, {"INBOX", "a"}, {"a b"}} {
		v := versionOf(labels)
		if other, twice := seen[v]; twice {
			t.Errorf("%q and %q are both %s", labels, other, v)
		}
		seen[v] = fmt.Sprint(labels)
		if len(v) > 32 || wasInside(model.Change{Version: v}) != slices.Contains(labels, "INBOX") {
			t.Errorf("%q is %s", labels, v)
		}
	}
	if versionOf([]string{"x", "INBOX", "x"}) != versionOf([]string{"INBOX", "x"}) {
		t.Error("the order counts, or a label that is named twice")
	}
}
