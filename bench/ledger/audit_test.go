//go:build bench

package main

import (
	"maps"
	"slices"
	"testing"
)

// firstAction is where the actions stand in the log of consistent.
const firstAction = 8

// consistent returns the books of two writers and the database that goes with them.
func consistent() ([]*book, *truth) {
	one, other := newBook(3), newBook(3)
	one.created("task_a", "a")
	one.created("task_b", "b")
	one.completedOnce("task_a", true)
	one.deleted("task_b")
	one.listed("list_l", "l")
	one.lists["list_l"].items = []itemEntry{{"item_1", "milk", true}, {"item_2", "חלב", false}}
	one.change(kindList, "UPDATED", "list_l")
	one.change(kindList, "UPDATED", "list_l")
	one.keys = []string{"k1", "k2", "k3", "k4", "k5", "k6", "k7"}
	other.created("task_c", "c")
	other.completedOnce("task_c", false)
	other.completedOnce("task_c", false)
	other.keys = []string{"o1", "o2", "o3"}

	t := newTruth()
	t.tasks["task_a"] = &taskRow{text: "a", completed: true, completions: 1}
	t.tasks["task_c"] = &taskRow{text: "c", completions: 2}
	t.lists["list_l"] = &listRow{name: "l", items: []itemEntry{{"item_1", "milk", true}, {"item_2", "חלב", false}}}
	for i := range max(len(one.changes), len(other.changes)) { // the two wrote at the same time
		for _, b := range []*book{one, other} {
			if i < len(b.changes) {
				t.changes = append(t.changes, changeRow{int64(len(t.changes) + 1), b.changes[i]})
			}
		}
	}
	for range len(one.keys) + len(other.keys) {
		t.changes = slices.Insert(t.changes, firstAction,
			changeRow{changeEntry: changeEntry{kindAction, "CREATED", "action"}})
	}
	renumber(t)
	for _, key := range slices.Concat(one.keys, other.keys) {
		t.keys[key] = 1
	}
	return []*book{one, other}, t
}

// renumber makes the numbers of a log that was tampered with whole again, so that only the tampering is left to find.
func renumber(t *truth) {
	for i := range t.changes {
		t.changes[i].seq = int64(i + 1)
	}
	t.head = int64(len(t.changes))
}

func TestAuditFindsNothingWhereNothingIsWrong(t *testing.T) {
	t.Parallel()
	books, truth := consistent()
	var b breaches
	b.audit(books, truth)
	if b.total() != 0 {
		t.Errorf("%d breaches of a database that is right: %v", b.total(), b.examples)
	}
}

// Each way to break a promise is found, and counted under the promise that it breaks.
func TestAuditFindsEachBreach(t *testing.T) {
	t.Parallel()
	lost := func(b breaches) int { return b.lost }
	doubled := func(b breaches) int { return b.doubled }
	gaps := func(b breaches) int { return b.gaps }
	other := func(b breaches) int { return b.other }
	for name, test := range map[string]struct {
		tamper func(books []*book, t *truth)
		count  func(breaches) int
	}{
		"a task is gone":          {func(_ []*book, t *truth) { delete(t.tasks, "task_a") }, lost},
		"a task has another text": {func(_ []*book, t *truth) { t.tasks["task_a"].text = "x" }, lost},
		"a completion is gone":    {func(_ []*book, t *truth) { t.tasks["task_c"].completions = 1 }, lost},
		"a task is open again":    {func(_ []*book, t *truth) { t.tasks["task_a"].completed = false }, lost},
		"a deleted task is back":  {func(_ []*book, t *truth) { t.tasks["task_b"] = &taskRow{text: "b"} }, lost},
		"a list is gone":          {func(_ []*book, t *truth) { delete(t.lists, "list_l") }, lost},
		"an item is gone": {func(_ []*book, t *truth) {
			t.lists["list_l"].items = t.lists["list_l"].items[:1]
		}, lost},
		"a tick is gone": {func(_ []*book, t *truth) { t.lists["list_l"].items[0].checked = false },
			lost},
		"items have changed places": {func(_ []*book, t *truth) { slices.Reverse(t.lists["list_l"].items) }, lost},
		"a key is not recorded":     {func(_ []*book, t *truth) { delete(t.keys, "o2") }, lost},
		"the last change is gone": {func(_ []*book, t *truth) {
			t.changes = t.changes[:len(t.changes)-1]
			renumber(t)
		}, lost},
		"a task is there twice": {func(_ []*book, t *truth) { t.tasks["task_z"] = &taskRow{text: "a"} },
			doubled},
		"a list is there twice": {func(_ []*book, t *truth) { t.lists["list_z"] = &listRow{name: "l"} },
			doubled},
		"an item is there twice": {func(_ []*book, t *truth) {
			l := t.lists["list_l"]
			l.items = append(l.items, l.items[0])
		}, doubled},
		"a task was completed once more": {func(_ []*book, t *truth) { t.tasks["task_c"].completions = 3 }, doubled},
		"a key is recorded twice":        {func(_ []*book, t *truth) { t.keys["k1"] = 2 }, doubled},
		"a change is there twice": {func(_ []*book, t *truth) {
			t.changes = append(t.changes, t.changes[len(t.changes)-1])
			renumber(t)
		}, doubled},
		"an action is there twice": {func(_ []*book, t *truth) {
			t.changes = slices.Insert(t.changes, firstAction, t.changes[firstAction])
			renumber(t)
		}, doubled},
		"an action is gone": {func(_ []*book, t *truth) {
			t.changes = slices.Delete(t.changes, firstAction, firstAction+1)
			renumber(t)
		}, lost},
		"a change of a thing nobody made":    {func(_ []*book, t *truth) { t.changes[0].id = "task_z" }, doubled},
		"a number is left out":               {func(_ []*book, t *truth) { t.changes[4].seq++ }, gaps},
		"the log does not begin at 1":        {func(_ []*book, t *truth) { t.changes = t.changes[1:] }, gaps},
		"the user's row is ahead of the log": {func(_ []*book, t *truth) { t.head++ }, gaps},
		"changes have changed places": {func(_ []*book, t *truth) {
			t.changes[0], t.changes[2] = t.changes[2], t.changes[0]
			renumber(t)
		}, gaps},
		"a key that nobody was answered under": {func(_ []*book, t *truth) { t.keys["z"] = 1 }, other},
		"a write that was never answered":      {func(b []*book, _ *truth) { b[0].open = []string{"k8"} }, other},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			books, truth := consistent()
			test.tamper(books, truth)
			var b breaches
			b.audit(books, truth)
			if test.count(b) == 0 {
				t.Errorf("not found, or under another promise: %+v", b)
			}
			if len(b.examples) == 0 {
				t.Error("no example says where")
			}
		})
	}
}

func TestAuditListener(t *testing.T) {
	t.Parallel()
	log := []heard{{"1", "CREATED", "a"}, {"2", "UPDATED", "a"}, {"3", "DELETED", "a"}}
	for name, all := range map[string][]heard{
		"missed the last": log[:2], "missed one": {log[0], log[2]}, "heard one twice": {log[0], log[1], log[1], log[2]},
		"heard the last twice": {log[0], log[1], log[2], log[2]}, "out of order": {log[1], log[0], log[2]}, "nothing": nil,
	} {
		var b breaches
		b.auditListener(name, all, log)
		if b.misheard != 1 {
			t.Errorf("%s: %+v", name, b)
		}
	}
	var b breaches
	b.auditListener("right", slices.Clone(log), log)
	if b.total() != 0 {
		t.Errorf("a listener that heard everything: %+v", b)
	}
}

func TestAuditLog(t *testing.T) {
	t.Parallel()
	_, truth := consistent()
	var log []heard
	for _, row := range truth.changes {
		if row.kind == kindTask {
			log = append(log, heard{"", row.operation, row.id})
		}
	}
	for name, told := range map[string][]heard{"whole": log, "one short": log[:len(log)-1],
		"one more": append(slices.Clone(log), log[0]), "none": nil} {
		var b breaches
		b.auditLog(3, kindTask, told, truth)
		if want := map[bool]int{true: 0, false: 1}[name == "whole"]; b.gaps != want {
			t.Errorf("%s: %d gaps, want %d", name, b.gaps, want)
		}
	}
}

func TestExamplesAreBounded(t *testing.T) {
	t.Parallel()
	books, truth := consistent()
	for i := range 1000 {
		truth.tasks[string(rune('a'+i))] = &taskRow{}
	}
	var b breaches
	b.audit(books, truth)
	if b.doubled != 1000 || len(b.examples) != maxFaults {
		t.Errorf("%d doubled, %d examples", b.doubled, len(b.examples))
	}
	if maps.Equal(map[string]int{}, truth.keys) {
		t.Error("the fixture has no keys")
	}
}
