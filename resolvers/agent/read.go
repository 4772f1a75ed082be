package agent

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"almanac/adapters/gcal"
	"almanac/graph/model"
	"almanac/projections"
	"almanac/projections/fold"
	"almanac/projections/plan"
	"almanac/projections/when"
	"almanac/resolvers/core"
)

// How many events an answer has at most.
const (
	agentReadMost     = 250
	agentScheduleMost = 500
)

// agentSearchDays is how far words are looked for when no time is said: ahead first and, where nothing is, back.
const agentSearchDays = 365

// found is the answer of a tool that has looked for events.
func (t *turn) found(summary string, events []model.Event, asked projections.EventsAsked) {
	t.answerAbout(events, plan.Window{From: asked.From, To: asked.To})
	if t.out.Answer != nil {
		summary += "\n" + *t.out.Answer
	}
	t.done(t.readBack(summary, false),
		jsonOf(agentFound{Status: agentDone, Count: len(events), Events: t.eventsOf(events)}), asked,
		events...)
	t.out.Context = (&projections.EventConnection{Asked: asked, None: len(events) == 0}).Context()
}

// list reads the events of a window in all calendars that the events query reads, by start.
func (t *turn) list(ctx context.Context, window plan.Window, words string,
	most int) ([]model.Event, projections.EventsAsked, error) {
	asked := projections.EventsAsked{Search: words != "", From: window.From, To: window.To, At: t.v.Moment}
	fields := t.fields
	if t.asksFree() {
		fields |= gcal.FieldTransparency
	}
	found, err := t.events.List(ctx, t.v, window.From, window.To, words, most, fields)
	if t.planned.Ask != nil && t.planned.Ask.What == plan.AskNext {
		found = slices.DeleteFunc(found, func(event model.Event) bool { return !t.v.Instant(event.Start).After(t.v.Now) })
		found = found[:min(len(found), 1)]
	}
	return found, asked, err
}

// asksFree reports whether free time is asked for.
func (t *turn) asksFree() bool {
	ask := t.planned.Ask
	return ask != nil && (ask.What == plan.AskFree || ask.What == plan.AskGap)
}

// read answers what is coming.
func (t *turn) read(ctx context.Context, window plan.Window) {
	events, asked, err := t.list(ctx, window, "", agentReadMost)
	if err != nil {
		t.fail(ctx, err)
		return
	}
	summary := "No events found."
	if len(events) > 0 {
		summary = fmt.Sprintf("Found %d events:", len(events)) + eventLines(events, t.atStart)
	}
	t.found(summary, events, asked)
}

// schedule answers what stands in a range of time. Who asks for free time asks for what is to come.
func (t *turn) schedule(ctx context.Context, window plan.Window) {
	if t.asksFree() && window.To.After(t.v.Now) && window.From.Before(t.v.StartOfDay()) {
		window.From = t.v.StartOfDay()
	}
	events, asked, err := t.list(ctx, window, "", agentScheduleMost)
	if err != nil {
		t.fail(ctx, err)
		return
	}
	from, to := t.clock(window.From), t.clock(lastShown(window, t.v.Zone))
	summary := fmt.Sprintf("No events found in the date range from %s to %s.", from, to)
	if len(events) > 0 {
		summary = fmt.Sprintf("Schedule from %s to %s:\nFound %d events:", from, to, len(events)) +
			eventLines(events, t.untilEnd)
	}
	t.found(summary, events, asked)
}

// lastShown is how people call the end of a window: a day ends with its last second.
func lastShown(window plan.Window, zone *time.Location) time.Time {
	if when.StartOfDate(model.DateOf(window.To.In(zone)), zone).Equal(window.To) {
		return window.To.Add(-time.Second)
	}
	return window.To
}

// search answers which events have words.
func (t *turn) search(ctx context.Context, s plan.Search) {
	window := plan.Window{From: t.v.StartOfDay(), To: t.dayAt(agentSearchDays)}
	if s.Window != nil {
		window = *s.Window
	}
	events, asked, err := t.list(ctx, window, s.Query, agentReadMost)
	if err == nil && len(events) == 0 && s.Window == nil {
		window.From, window.To = t.dayAt(-agentSearchDays), window.From
		events, asked, err = t.list(ctx, window, s.Query, agentReadMost)
		asked.To = t.dayAt(agentSearchDays)
	}
	if err != nil {
		t.fail(ctx, err)
		return
	}
	query := core.OneLine(s.Query)
	if len(events) == 0 {
		var all bool
		if events, all, err = t.similar(ctx, window, s); err != nil {
			t.fail(ctx, err)
			return
		}
		if (len(events) == 0 || !all) && t.planned.Asks && !t.planned.MayTell && (t.otherMatters(ctx, s.Query, true) ||
			len(events) == 0 && t.otherMatters(ctx, s.Query, false)) {
			return
		}
		if len(events) == 0 && t.planned.MayTell {
			sentence := t.say("I find no event called '%s'. Shall it be added? Then say “add” before it.",
				"לא מצאתי אירוע בשם '%s'. להוסיף אותו? אפשר לומר זאת עם „תוסיף” בהתחלה.", query)
			t.failed(sentence, sentence)
			return
		}
		if len(events) == 0 && s.Window != nil && t.planned.Asks && t.planned.Ask == nil {
			if next := t.otherwise(ctx, s.Query); len(next) > 0 {
				sentence := t.say("No event called '%s' is then. The next one: %s, %s.",
					"אין אז אירוע בשם '%s'. הבא: %s, %s.", query,
					titleOf(next[0], titleOfRead), t.spanOf(next[0]))
				if s.Any || s.Doubtful {
					t.failed(sentence, sentence)
				} else {
					t.found(sentence, nil, asked)
				}
				return
			}
		}
		if len(events) == 0 && (s.Any || s.Doubtful || t.planned.Ask != nil && t.planned.Ask.Doing) {
			sentence := t.say("I find no event called '%s'.", "לא מצאתי אירוע בשם '%s'.", query)
			t.failed(sentence, sentence)
			return
		}
		if len(events) > 0 && !all {
			sentence := t.say("I find no event called '%s'. These are similar:", "לא מצאתי אירוע בשם '%s'. אלה דומים:", query)
			if !t.planned.Asks {
				t.failed(sentence+eventLines(events, t.atStart), sentence)
				return
			}
			t.found(sentence+eventLines(events, t.atStart), events, asked)
			return
		}
	}
	summary := fmt.Sprintf("No events found matching '%s'", query)
	if len(events) > 0 {
		summary = fmt.Sprintf("Found %d events matching '%s':", len(events), query) + eventLines(events, t.atStart)
	}
	t.found(summary, events, asked)
}

// otherwise returns the next event with all words of a search, where none is in the time that was asked about; none
// where there is no such event.
func (t *turn) otherwise(ctx context.Context, query string) []model.Event {
	words := searchWords(query)
	found, err := t.events.List(ctx, t.v, t.v.StartOfDay(), t.dayAt(agentSearchDays), "", agentReadMost, t.fields)
	if err != nil || len(words) == 0 {
		return nil
	}
	for _, event := range found {
		if wordsIn(words, searchWords(event.Summary)) == len(words) && t.v.Instant(event.End).After(t.v.Now) {
			return []model.Event{event}
		}
	}
	return nil
}

// similarMost is how many events are named that have only some of the words that were looked for.
const similarMost = 5

// similar returns the events that have the words of a search in another form: with a Hebrew prefix or another ending,
// or without a general word beside them ("dentist appointment"). Where there is none and one event is asked about, it
// returns those that have any of the words, and false.
func (t *turn) similar(ctx context.Context, window plan.Window, s plan.Search) ([]model.Event, bool, error) {
	words := searchWords(s.Query)
	if len(words) == 0 {
		return nil, true, nil
	}
	if s.Window == nil {
		window = plan.Window{From: t.v.StartOfDay(), To: t.dayAt(agentSearchDays)}
	}
	found, err := t.events.List(ctx, t.v, window.From, window.To, "", agentReadMost, t.fields)
	if err != nil {
		return nil, false, err
	}
	next := t.planned.Ask != nil && t.planned.Ask.What == plan.AskNext
	var all, some []model.Event
	for _, event := range found {
		if next && !t.v.Instant(event.Start).After(t.v.Now) {
			continue
		}
		switch n := wordsIn(words, searchWords(event.Summary+" "+event.Location)); {
		case n == len(words):
			all = append(all, event)
		case 2*n > len(words), n > 0 && !s.Any:
			some = append(some, event)
		}
	}
	if next {
		all = all[:min(len(all), 1)]
	}
	if len(all) > 0 || !s.Any && (t.planned.Ask == nil || t.planned.Ask.What == plan.AskCount) {
		return all, true, nil
	}
	return mostAlike(words, some), false, nil
}

// mostAlike are those of some events that have the most of the words, of a series the first alone.
func mostAlike(words []string, some []model.Event) []model.Event {
	slices.SortStableFunc(some, func(a, b model.Event) int {
		return wordsIn(words, searchWords(b.Summary)) - wordsIn(words, searchWords(a.Summary))
	})
	var out []model.Event
	for _, event := range some {
		if len(out) < similarMost && !slices.ContainsFunc(out,
			func(o model.Event) bool { return o.Summary == event.Summary }) {
			out = append(out, event)
		}
	}
	return out
}

// searchWords are the words of a text that say what it is about, folded; of one that has only general words, those.
func searchWords(text string) []string {
	var words, general []string
	for _, word := range strings.FieldsFunc(fold.Text(text),
		func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		switch {
		case utf8.RuneCountInString(word) < 2 || word == "with" || word == "the" || word == "to" || word == "עמ" ||
			word == "של":
		case isGeneral(word):
			general = append(general, word)
		default:
			words = append(words, word)
		}
	}
	if len(words) == 0 {
		return general
	}
	return words
}

// wordsIn counts the words that stand in a title, in any form.
func wordsIn(words, title []string) int {
	n := 0
	for _, word := range words {
		if slices.ContainsFunc(title, func(other string) bool { return sameWord(word, other) }) {
			n++
		}
	}
	return n
}

// single is a Hebrew word without its article, and with one ו where it has two behind it.
func single(word string) string {
	if rest, ok := strings.CutPrefix(word, "הוו"); ok {
		return "ו" + rest
	}
	return word
}

// sameWord reports whether two words are forms of one: alike without the Hebrew letters before them, one the beginning
// of the other with at most two letters more, or one name in the two scripts.
func sameWord(a, b string) bool {
	bare := func(word string) []rune {
		letters := []rune(word)
		if len(letters) > 3 && strings.ContainsRune("הבלמו", letters[0]) {
			letters = letters[1:]
		}
		return letters
	}
	// "הווטרינר" is "וטרינר" with its article: a Hebrew ו behind a prefix is written twice
	if a != "" && b != "" && (single(a) == b || single(b) == a) {
		return true
	}
	if soundsAlike(a, b) {
		return true
	}
	for _, x := range [][]rune{[]rune(a), bare(a)} {
		for _, y := range [][]rune{[]rune(b), bare(b)} {
			short, long := x, y
			if len(short) > len(long) {
				short, long = long, short
			}
			if slices.Equal(x, y) ||
				len(short) >= 4 && len(long)-len(short) <= 2 && slices.Equal(short, long[:len(short)]) ||
				len(short) >= 4 && len(long)-len(short) <= 2 && (short[0] > unicode.MaxLatin1 || len(short) > 4) &&
					slices.Equal(short[:len(short)-1], long[:len(short)-1]) {
				return true
			}
		}
	}
	return false
}

// dayAt is the start of a day, so many days from today.
func (t *turn) dayAt(days int) time.Time {
	return when.StartOfDate(model.DateOf(t.v.Now.In(t.v.Zone)).AddDays(days), t.v.Zone)
}
