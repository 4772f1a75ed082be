//go:build bench

package main

import (
	"fmt"
	"slices"

	"almanac/projections/fold"
)

// verdict is what came of a sentence.
type verdict int

const (
	// right: what is wanted was done or answered; asked, or refused, where that is what is wanted.
	right verdict = iota
	// asked: there was a question, or a refusal that says what is missing, and nothing was written.
	asked
	// refused: it was said that nothing was done, and nothing was.
	refused
	// wrong: something else was done, or an answer is false or not about what was asked, and nobody was told.
	wrong
	verdicts
)

// String is the verdict's name.
func (v verdict) String() string { return [verdicts]string{"right", "asked", "refused", "wrong"}[v] }

// judgement is a verdict with its reason.
type judgement struct {
	verdict verdict
	// accepted: it was asked where another effect would be the best, and the set takes the question for right too.
	accepted bool
	// wrote: a sentence that only reads has changed something.
	wrote bool
	why   string
}

// trial is a sentence with what came of it.
type trial struct {
	*sentence
	world *world
	// primer is the title of the event that was made before, for sentences that undo.
	primer string
	before *state
	did    *difference
	said   *answer
}

// judge decides on a sentence, by what it has changed before all else.
func (t *trial) judge() judgement {
	e := &t.Expect
	switch nothing := t.did.none(); {
	case e.Effect == "read" && !nothing:
		return judgement{verdict: wrong, wrote: true, why: "a sentence that reads has written"}
	case !nothing:
		why := t.effect()
		if why == "" {
			return judgement{verdict: right}
		}
		return judgement{verdict: wrong, why: why}
	case t.said.asks(e) && e.Effect == "ask":
		return judgement{verdict: right}
	case t.said.asks(e):
		return judgement{verdict: asked, accepted: slices.Contains(e.Accept, "ask") && t.asksOfIt(), why: "it was asked"}
	case !t.said.Success && slices.Contains(e.accepts(), "refuse"):
		return judgement{verdict: right}
	case !t.said.Success:
		return judgement{verdict: refused, why: "it was refused"}
	case e.Effect == "read":
		if why := t.answer(); why != "" {
			return judgement{verdict: wrong, why: why}
		}
		return judgement{verdict: right}
	}
	return judgement{verdict: wrong, why: "nothing was done, and the answer does not say so"}
}

// asksOfIt reports whether a question is about what is meant, where that is something of the world.
func (t *trial) asksOfIt() bool {
	if !slices.Contains([]string{"update", "delete", "complete"}, t.Expect.Effect) {
		return true
	}
	wanted := t.Expect.wanted()
	return len(wanted) == 0 || t.Expect.Domain == "memories" || slices.ContainsFunc(wanted, t.names)
}

// effect says why what was done is not what is wanted; empty when it is.
func (t *trial) effect() (why string) {
	for _, effect := range t.Expect.accepts() {
		for _, domain := range t.Expect.domains() {
			reason := t.done(effect, domain)
			if reason == "" {
				return ""
			}
			if why == "" {
				why = reason
			}
		}
	}
	return why
}

// done says why what was done is not this effect in this domain.
func (t *trial) done(effect, domain string) string {
	if effect == "ask" || effect == "refuse" {
		return "it was done, where it should be asked or refused"
	}
	rest := *t.did // all that is not of the domain
	switch domain {
	case "tasks":
		rest.tasks = change[task]{}
	case "lists":
		rest.lists = change[list]{}
	case "memories":
		rest.memories = change[memory]{}
	case "calendar", "undo":
		rest.events, rest.series = change[event]{}, nil
	}
	if !rest.none() {
		return "something of another kind was changed"
	}
	switch domain {
	case "tasks":
		return t.tasks(effect)
	case "lists":
		return t.lists(effect)
	case "memories":
		return t.memories(effect)
	case "calendar":
		return t.calendar(effect)
	case "undo":
		if c := t.did.events; len(c.gone) != 1 || c.gone[0].Summary != t.primer || len(c.made)+len(c.was) > 0 {
			return "the last thing done was not undone, or more was"
		}
		return ""
	}
	return "there is nothing to do in " + domain
}

// tasks judges what was done to tasks.
func (t *trial) tasks(effect string) string {
	e, c := &t.Expect, t.did.tasks
	if why := onlyThis(effect, c); why != "" {
		return why
	}
	switch effect {
	case "create":
		return each(c.made, e.made(), func(i int, want string, got task) string {
			switch {
			case want != "" && !sameTitle(got.Text, want, "", false):
				return fmt.Sprintf("title %q, not %q", got.Text, want)
			case !e.at(i).fitsTime(got.due(), true):
				return "due at another time: " + got.due()
			case !e.fitsRule(got.Recurrence.rule(), got.due()):
				return "another repetition: " + got.Recurrence.rule()
			case e.Category != "" && fold.Text(got.Category) != fold.Text(e.Category):
				return "another category: " + got.Category
			}
			return ""
		})
	case "delete":
		return each(c.gone, e.wanted(), func(_ int, want string, got task) string { return sameName(got.Text, want) })
	case "complete":
		return each(pairs(c), e.wanted(), func(_ int, want string, got pair[task]) string {
			if !got.is.Completed && len(got.is.Completions) <= len(got.was.Completions) {
				return "not completed: " + got.is.Text
			}
			return sameName(got.was.Text, want)
		})
	}
	return each(pairs(c), e.wanted(), func(_ int, want string, got pair[task]) string {
		switch {
		case sameName(got.was.Text, want) != "":
			return sameName(got.was.Text, want)
		case got.is.Completed != got.was.Completed:
			return "completed, or opened again"
		case e.NewTitle == "" && got.is.Text != got.was.Text,
			e.NewTitle != "" && !sameTitle(got.is.Text, e.NewTitle, "", false):
			return "another title: " + got.is.Text
		case e.When == nil && len(e.WhenRange) == 0 && got.is.due() != got.was.due(),
			!e.fitsTime(got.is.due(), true):
			return "due at another time: " + got.is.due()
		}
		return ""
	})
}

// onlyThis says why a change is not of the effect's kind alone.
func onlyThis[T any](effect string, c change[T]) string {
	made, gone, changed := len(c.made) > 0, len(c.gone) > 0, len(c.was) > 0
	switch effect {
	case "create":
		changed = changed || gone
	case "delete":
		changed = changed || made
		made = gone
	default:
		made, changed = changed, made || gone
	}
	if changed || !made {
		return "not what " + effect + " does"
	}
	return ""
}

// at is what is expected of the i-th of several.
func (e *expect) at(i int) *expect {
	if i >= len(e.Whens) {
		return e
	}
	one := *e
	one.When, one.WhenAccept, one.WhenRange = &e.Whens[i], nil, nil
	return &one
}

type pair[T any] struct{ was, is T }

func pairs[T any](c change[T]) []pair[T] {
	out := make([]pair[T], len(c.was))
	for i := range c.was {
		out[i] = pair[T]{c.was[i], c.is[i]}
	}
	return out
}

// each holds as many records as there are titles against them, in any order, and returns what is wrong with the first
// title that none fits.
func each[T any](got []T, titles []string, fits func(i int, want string, got T) string) string {
	if len(got) != len(titles) {
		return fmt.Sprintf("%d were concerned, not %d", len(got), len(titles))
	}
	left := slices.Clone(got)
	for i, title := range titles {
		why, found := "", -1
		for at, one := range left {
			reason := fits(i, title, one)
			if reason == "" {
				found = at
				break
			}
			why = reason
		}
		if found < 0 {
			return why
		}
		left = slices.Delete(left, found, found+1)
	}
	return ""
}

// sameName says why a name is not that of the record that is meant, which is written out in the set.
func sameName(got, want string) string {
	if fold.Text(got) != fold.Text(want) {
		return fmt.Sprintf("%q was concerned, not %q", got, want)
	}
	return ""
}

// lists judges what was done to lists.
func (t *trial) lists(effect string) string {
	e, c := &t.Expect, t.did.lists
	if len(c.made)+len(c.gone)+len(c.was) != 1 {
		return "more than one list was changed"
	}
	var was, is list
	switch {
	case len(c.made) == 1:
		is = c.made[0]
	case len(c.gone) == 1:
		was = c.gone[0]
	default:
		was, is = c.was[0], c.is[0]
	}
	if !covers(was.Name+" "+is.Name, e.List) {
		return "another list: " + was.Name + is.Name
	}
	before, after := byID(was.Items, itemID), byID(is.Items, itemID)
	items := changed(before, after)
	switch effect {
	case "create":
		if len(items.gone)+len(items.was) > 0 || len(c.gone) > 0 {
			return "items were changed"
		}
		return each(items.made, e.Items, sameItem)
	case "complete":
		if len(items.made)+len(items.gone) > 0 {
			return "items were added or removed"
		}
		return each(items.is, e.Items, func(i int, want string, got item) string {
			if !got.Checked {
				return "not checked: " + got.Text
			}
			return sameItem(i, want, got)
		})
	case "delete":
		if len(e.Items) == 0 {
			if len(is.Items) > 0 {
				return "there are items left"
			}
			return ""
		}
		if len(items.made)+len(items.was)+len(c.gone) > 0 {
			return "more than items of the list was changed"
		}
		return each(items.gone, e.Items, sameItem)
	}
	// one item takes the place of another
	if len(after) != len(before) || len(items.made) != len(items.gone) {
		return "items were added or removed"
	}
	return each(append(items.made, items.is...), e.Items, sameItem)
}

func itemID(i item) string { return i.ID }

func sameItem(_ int, want string, got item) string {
	if !sameTitle(got.Text, want, "", false) {
		return fmt.Sprintf("item %q, not %q", got.Text, want)
	}
	return ""
}

// memories judges what was done to memories. What they say is compared loosely: a memory may hold more of the sentence.
func (t *trial) memories(effect string) string {
	e, c := &t.Expect, t.did.memories
	says := func(m memory, want string) string {
		if !holds(written(m), want) {
			return fmt.Sprintf("%q does not say %q", m.Content, want)
		}
		return ""
	}
	if effect == "update" && len(c.made) == 1 && len(c.gone) == 1 {
		c = change[memory]{was: c.gone, is: c.made}
	}
	if why := onlyThis(effect, c); why != "" {
		return why
	}
	switch effect {
	case "create":
		return each(c.made, e.made(), func(_ int, want string, got memory) string {
			if want == "" && 2*shared(written(got), e.Query) < len(normal(e.Query, true)) {
				return fmt.Sprintf("%q is not about %q", got.Content, e.Query)
			}
			return says(got, want)
		})
	case "delete":
		return each(c.gone, e.wanted(), func(_ int, want string, got memory) string { return says(got, want) })
	}
	return each(pairs(c), e.wanted(), func(_ int, want string, got pair[memory]) string {
		if why := says(got.was, e.Person); why != "" {
			return why
		}
		return says(got.is, want)
	})
}
