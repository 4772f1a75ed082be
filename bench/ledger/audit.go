//go:build bench

package main

import (
	"fmt"
	"slices"
)

// breaches counts what must be 0, by the promise that was broken, with an example of each.
type breaches struct {
	lost, doubled, gaps, misheard, other int
	examples                             []string
}

func (b *breaches) note(count *int, format string, args ...any) {
	*count++
	if len(b.examples) < maxFaults {
		b.examples = append(b.examples, fmt.Sprintf(format, args...))
	}
}

func (b *breaches) total() int { return b.lost + b.doubled + b.gaps + b.misheard + b.other }

// audit compares the books of a user's writers with what the database holds of that user.
func (b *breaches) audit(books []*book, t *truth) {
	b.gapless(t)
	wanted := newWanted(books)
	for _, one := range books {
		b.audited(one, t)
		b.sequence(one, t, wanted)
	}
	// What nobody was told of is a write that was done once more than it was acknowledged.
	for id, row := range t.tasks {
		if !wanted.things[id] {
			b.note(&b.doubled, "user %d has the task %s (%q), which no writer was told of", books[0].user, id, row.text)
		}
	}
	for id, row := range t.lists {
		if !wanted.things[id] {
			b.note(&b.doubled, "user %d has the list %s (%q), which no writer was told of", books[0].user, id, row.name)
		}
	}
	for key, n := range t.keys {
		if !wanted.keys[key] {
			b.note(&b.other, "the key %s is recorded, and nobody was answered under it", key)
		} else if n > 1 {
			b.note(&b.doubled, "the key %s is recorded %d times", key, n)
		}
	}
	actions := 0
	for _, row := range t.changes {
		switch {
		case row.kind == kindAction:
			actions++
		case !wanted.things[row.id]:
			b.note(&b.doubled, "change %d (%s %s) is about a thing that no writer was told of: %s", row.seq, row.kind,
				row.operation, row.id)
		}
	}
	// Each write makes one action, by which it can be undone.
	if writes := len(wanted.keys); actions > writes {
		b.note(&b.doubled, "user %d has %d actions of %d acknowledged writes", books[0].user, actions, writes)
	} else if actions < writes {
		b.note(&b.lost, "user %d has %d actions of %d acknowledged writes", books[0].user, actions, writes)
	}
}

// wanted is what all writers of a user together were told of.
type wanted struct{ things, keys map[string]bool }

func newWanted(books []*book) wanted {
	w := wanted{map[string]bool{}, map[string]bool{}}
	for _, one := range books {
		for id := range one.tasks {
			w.things[id] = true
		}
		for id := range one.lists {
			w.things[id] = true
		}
		for _, key := range one.keys {
			w.keys[key] = true
		}
	}
	return w
}

// gapless wants the numbers 1, 2, 3, … and the last of them in the user's row.
func (b *breaches) gapless(t *truth) {
	for i, row := range t.changes {
		if row.seq != int64(i+1) {
			b.note(&b.gaps, "the change at place %d has the number %d", i+1, row.seq)
			return
		}
	}
	if t.head != int64(len(t.changes)) {
		b.note(&b.gaps, "the last change is %d, the user's row says %d", len(t.changes), t.head)
	}
}

// audited compares one writer's book with the state.
func (b *breaches) audited(one *book, t *truth) {
	for _, key := range one.keys {
		if t.keys[key] == 0 {
			b.note(&b.lost, "the key %s was acknowledged and is not recorded", key)
		}
	}
	for _, key := range one.open {
		b.note(&b.other, "%s was never answered", key)
	}
	for id, entry := range one.tasks {
		row := t.tasks[id]
		switch {
		case entry.deleted && row != nil:
			b.note(&b.lost, "the deletion of %s was acknowledged, and it is there", id)
		case entry.deleted:
		case row == nil || row.text != entry.text:
			b.note(&b.lost, "%s (%q) was acknowledged and is not there", id, entry.text)
		case row.completions < entry.completions || entry.completed && !row.completed:
			b.note(&b.lost, "%s was completed %d times and has %d completions", id, entry.completions, row.completions)
		case row.completions > entry.completions || row.completed != entry.completed:
			b.note(&b.doubled, "%s was completed %d times and has %d completions", id, entry.completions, row.completions)
		}
	}
	for id, entry := range one.lists {
		row := t.lists[id]
		switch {
		case row == nil || row.name != entry.name:
			b.note(&b.lost, "the list %s (%q) was acknowledged and is not there", id, entry.name)
		case len(row.items) > len(entry.items):
			b.note(&b.doubled, "the list %s has %d items, %d were acknowledged", id, len(row.items), len(entry.items))
		case !slices.Equal(row.items, entry.items):
			b.note(&b.lost, "the items of %s are not what was acknowledged: %d there, %d wanted", id, len(row.items),
				len(entry.items))
		}
	}
}

// sequence wants in the log, of this writer's things, exactly the changes that were acknowledged to it, in the order in
// which they were.
func (b *breaches) sequence(one *book, t *truth, all wanted) {
	own := newWanted([]*book{one}).things
	at := 0
	for _, row := range t.changes {
		if !own[row.id] || !all.things[row.id] {
			continue
		}
		if at < len(one.changes) && one.changes[at] == row.changeEntry {
			at++
			continue
		}
		if slices.Contains(one.changes[:at], row.changeEntry) {
			b.note(&b.doubled, "change %d (%s %s) stands in the log once more than it was acknowledged", row.seq, row.operation,
				row.id)
		} else {
			b.note(&b.gaps, "change %d (%s %s) is not the next that was acknowledged", row.seq, row.operation, row.id)
		}
		return
	}
	if at < len(one.changes) {
		b.note(&b.lost, "%d acknowledged changes are not in the log, first %v", len(one.changes)-at, one.changes[at])
	}
}

// auditListener wants a listener to have heard what the API's log says, which in turn is what the database's log says
// of that kind.
func (b *breaches) auditListener(name string, all, log []heard) {
	if slices.Equal(all, log) {
		return
	}
	for i := range min(len(all), len(log)) {
		if all[i] != log[i] {
			b.note(&b.misheard, "%s: change %d of %d heard is %s %s, the log has %s %s", name, i, len(all), all[i].Operation,
				all[i].ID, log[i].Operation, log[i].ID)
			return
		}
	}
	b.note(&b.misheard, "%s heard %d changes of %d", name, len(all), len(log))
}

// auditLog compares the log as the API tells it with the database's.
func (b *breaches) auditLog(user int, kind string, log []heard, t *truth) {
	at := 0
	for _, row := range t.changes {
		if row.kind != kind {
			continue
		}
		if at >= len(log) || log[at].ID != row.id || log[at].Operation != row.operation {
			b.note(&b.gaps, "user %d: `changes` of %s differs from the database at change %d", user, kind, row.seq)
			return
		}
		at++
	}
	if at != len(log) {
		b.note(&b.gaps, "user %d: `changes` of %s has %d lines more than the database", user, kind, len(log)-at)
	}
}
