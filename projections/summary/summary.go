// Package summary says in one sentence what a mutation has done to what: "Completed Buy milk", "Moved Dentist from Tue
// 24 Nov 16:00 to Wed 25 Nov 09:00", "Deleted 3 tasks: …".
//
// It promises that the sentence is made of the records before and after alone, that it stays true (days are named,
// never "tomorrow"), and that it is short. What each kind of record says stands in a file of its own, the words in
// words.go.
package summary

import (
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"almanac/graph/model"
	"almanac/projections/when"
)

// phrase is what became of one record, or of a part of it.
type phrase struct {
	// verb is the key of its words.
	verb string
	// name is what the thing is called; rest is what else the words need.
	name string
	rest []string
	// at is when, as what the words need besides; it is written only where it is said.
	at time.Time
}

// named is how many names a sentence about many things has, and nameLength how long each is at most, in characters.
const (
	named      = 3
	nameLength = 60
)

// Of says what was done, in the moment's language and zone: to records that were changed, and to some that were erased,
// of which nothing but the number is said. It has at most model.MaxActionSummary characters.
func Of(changes []model.Difference, erased []model.ID, m when.Moment) string {
	words := wordsIn(m.Locale)
	phrases := make([]phrase, 0, len(changes))
	for _, change := range changes {
		phrases = append(phrases, of(change, m, words)...)
	}
	var sentences []string
	for len(phrases) > 0 {
		verb := phrases[0].verb
		sentences = append(sentences, words.say(slices.DeleteFunc(slices.Clone(phrases), func(p phrase) bool {
			return p.verb != verb
		}), m))
		phrases = slices.DeleteFunc(phrases, func(p phrase) bool { return p.verb == verb })
	}
	counts := map[model.Kind]int{}
	var kinds []model.Kind
	for _, id := range erased {
		if counts[id.Kind]++; counts[id.Kind] == 1 {
			kinds = append(kinds, id.Kind)
		}
	}
	for _, kind := range kinds {
		sentences = append(sentences, words.erased(kind, counts[kind]))
	}
	return clip(strings.Join(sentences, "; "), model.MaxActionSummary)
}

// With adds a sentence to what was done; an empty one adds nothing.
func With(summary, also string) string {
	if also == "" {
		return summary
	}
	return clip(summary, model.MaxActionSummary-utf8.RuneCountInString(also)-2) + "; " + also
}

// Undone says that something was undone; summary is what had been done, empty when that was erased.
func Undone(summary string, m when.Moment) string {
	words := wordsIn(m.Locale)
	if summary == "" {
		return words.undoneErased
	}
	return clip(fmt.Sprintf(words.undone, summary), model.MaxActionSummary)
}

// Redone says that something was done again.
func Redone(summary string, m when.Moment) string {
	words := wordsIn(m.Locale)
	if summary == "" {
		return words.redoneErased
	}
	return clip(fmt.Sprintf(words.redone, summary), model.MaxActionSummary)
}

// Erased says that what an action had to say was erased.
func Erased(locale string) string { return wordsIn(locale).erasedSince }

// of says what became of one record.
func of(change model.Difference, m when.Moment, words vocabulary) []phrase {
	switch after := change.After.(type) {
	case *model.Task:
		before, _ := change.Before.(*model.Task)
		return ofTask(before, after, m)
	case *model.List:
		before, _ := change.Before.(*model.List)
		return ofList(before, after, words)
	case *model.Memory:
		before, _ := change.Before.(*model.Memory)
		return ofMemory(before, after)
	case *model.Entity:
		before, _ := change.Before.(*model.Entity)
		return ofEntity(before, after)
	case *model.Fact:
		before, _ := change.Before.(*model.Fact)
		return ofFact(before, after, m)
	case *model.Episode:
		before, _ := change.Before.(*model.Episode)
		return ofEpisode(before, after)
	case *model.Settings:
		before, _ := change.Before.(*model.Settings)
		return ofSettings(before, after)
	case *model.Event:
		before, _ := change.Before.(*model.Event)
		return ofEvent(before, after, m)
	case *model.Email:
		before, _ := change.Before.(*model.Email)
		return ofLabels(before, after)
	case *model.OutgoingEmail:
		return ofOutgoing(after, m)
	case *model.Connection:
		return []phrase{{verb: "account linked", name: after.Account}}
	case *model.KeptCalendar:
		if change.Before != nil {
			return []phrase{{verb: "calendar changed", name: after.Name}}
		}
		return []phrase{{verb: "calendar made", name: after.Name}}
	default:
		if kind, name := ofExa(after); kind != "" {
			return []phrase{{verb: kind + exaVerb(change), name: name}}
		}
	}
	switch before := change.Before.(type) {
	case *model.Task:
		return []phrase{{verb: "task deleted", name: before.Text}}
	case *model.List:
		return []phrase{{verb: "list deleted", name: before.Name}}
	case *model.Memory:
		return []phrase{{verb: "memory taken back", name: memoryName(before)}}
	case *model.Entity:
		return []phrase{{verb: "entity merged", name: before.Name}}
	case *model.Fact:
		return []phrase{{verb: "fact joined", name: before.Sentence}}
	case *model.Episode:
		return []phrase{{verb: "episode taken back", name: episodeName(before)}}
	case *model.Event:
		return eventDeleted(before, m)
	case *model.OutgoingEmail:
		return []phrase{{verb: "preview discarded", name: subject(before)}}
	case *model.Connection:
		return []phrase{{verb: "account unlinked", name: before.Account}}
	case *model.KeptCalendar:
		return []phrase{{verb: "calendar deleted", name: before.Name}}
	default:
		if kind, name := ofExa(before); kind != "" {
			return []phrase{{verb: kind + exaVerb(change), name: name}}
		}
	}
	return nil
}

// say makes a sentence of phrases with one verb.
func (w vocabulary) say(phrases []phrase, m when.Moment) string {
	forms := w.of(phrases[0].verb)
	if len(phrases) == 1 {
		args := []any{short(phrases[0].name)}
		for _, more := range phrases[0].rest {
			args = append(args, short(more))
		}
		if !phrases[0].at.IsZero() {
			args = append(args, short(when.FormatShort(phrases[0].at, m)))
		}
		return fmt.Sprintf(forms.one, args...)
	}
	names := make([]string, 0, named)
	for _, p := range phrases[:min(named, len(phrases))] {
		names = append(names, short(p.name))
	}
	all := strings.Join(names, ", ")
	if more := len(phrases) - len(names); more > 0 {
		all += fmt.Sprintf(w.more, more)
	}
	return fmt.Sprintf(forms.many, len(phrases), all)
}

// short is a name in one line, cut.
func short(name string) string {
	if isShort(name) {
		return name
	}
	return clip(strings.Join(strings.Fields(name), " "), nameLength)
}

// isShort reports whether a name is short as it is, as most are.
func isShort(name string) bool {
	space := true
	for i := range len(name) {
		if name[i] < ' ' || name[i] >= utf8.RuneSelf || space && name[i] == ' ' {
			return false
		}
		space = name[i] == ' '
	}
	return !space && len(name) <= nameLength
}

// clip cuts a text to a number of characters.
func clip(text string, most int) string {
	if utf8.RuneCountInString(text) <= most {
		return text
	}
	return strings.TrimRight(string([]rune(text)[:most-1]), " ,;:") + "…"
}
