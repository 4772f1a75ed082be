package events

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"almanac/graph/model"
	"almanac/projections"
	"almanac/projections/naming"
	"almanac/projections/when"
	"almanac/resolvers/core"
	"almanac/resolvers/events/decision"
)

// eventPhrases are the sentences of questions about events in one language.
type eventPhrases struct {
	didYouMean     string // title and time
	whichOne       string // what was looked for
	whichOnes      string // what was looked for, and how many there are
	change, delete string // how many, and the first titles
	repeats        string // title
	only           string // when
	onlyThese      string // how many
	following, all string
	fromNow        string
	// about months without the day that a series moves to: title and day
	shortMonths    string
	everyLast      string
	lastOf, skip   string // day
	lastOfFebruary string
	leapYears      string
}

func eventPhrasesIn(locale string) eventPhrases {
	if locale == "he" {
		return eventPhrases{
			didYouMean: `האם התכוונת לאירוע "%s"?`,
			whichOne:   `מצאתי כמה אירועים שמתאימים ל"%s". לאיזה מהם התכוונת?`,
			whichOnes:  `מצאתי כמה אירועים שמתאימים ל"%[1]s" (%[2]d בסך הכול). לאילו מהם התכוונת?`,
			change:     `לשנות %d אירועים, בהם %s?`,
			delete:     `למחוק %d אירועים, בהם %s?`,
			repeats:    `האירוע "%s" חוזר. למה התכוונת?`,
			only:       "רק %s", onlyThese: "רק %d המופעים שנמצאו",
			following: "זה וכל הבאים אחריו", all: "כל הסדרה, גם מה שכבר היה", fromNow: "מעכשיו והלאה",
			shortMonths: `האירוע "%s" יעבור ל-%d בחודש, ולא בכל חודש יש יום כזה. למה התכוונת?`,
			everyLast:   "ביום האחרון של כל חודש", lastOf: "ב-%d בחודש, ובחודש קצר יותר ביום האחרון שלו",
			skip: "ב-%d בחודש, ולא בחודשים אחרים", lastOfFebruary: "ביום האחרון של פברואר", leapYears: "רק בשנים מעוברות",
		}
	}
	return eventPhrases{
		didYouMean: `Did you mean the event "%s"?`,
		whichOne:   `Several events match "%s". Which one did you mean?`,
		whichOnes:  `Several events match "%[1]s" (%[2]d in all). Which ones did you mean?`,
		change:     `Change %d events, among them %s?`,
		delete:     `Delete %d events, among them %s?`,
		repeats:    `"%s" repeats. Which occurrences did you mean?`,
		only:       "Only %s", onlyThese: "Only the %d occurrences found",
		following: "This and the following", all: "The whole series, past ones too", fromNow: "From now on",
		shortMonths: `"%s" would move to day %d of the month, which not every month has. What did you mean?`,
		everyLast:   "On the last day of every month", lastOf: "On day %d, and in a shorter month on its last day",
		skip: "On day %d, and not in other months", lastOfFebruary: "On the last day of February",
		leapYears: "In leap years only",
	}
}

// startLabel says when an event starts, within a sentence.
func startLabel(event model.Event, v *core.Viewer) string {
	end := model.EventTime{}
	if event.Start.AllDay() {
		end.Date = event.Start.Date.AddDays(1)
	}
	text := when.FormatSpan(event.Start, end, v.Moment.Moment)
	if v.Locale != "he" {
		for _, word := range []string{"Today", "Tomorrow", "Yesterday"} {
			if strings.HasPrefix(text, word) {
				text = strings.ToLower(text[:1]) + text[1:]
			}
		}
	}
	return text
}

// whichEvent asks which of the events a text means.
func whichEvent(v *core.Viewer, text string, kind model.ConfirmationKind, hits []naming.Match[int],
	found []decision.Placed, all int) core.Question {
	q := core.Question{Kind: kind}
	for _, hit := range hits {
		event := found[hit.Index].Event
		q.Texts = append(q.Texts, referenceOf(event.Ref))
		q.Candidates = append(q.Candidates, candidateOf(v, event, math.Round(hit.Score*1e4)/1e4))
	}
	say := eventPhrasesIn(v.Locale)
	switch {
	case len(hits) == 1:
		q.Text = fmt.Sprintf(say.didYouMean, model.Clip(q.Candidates[0].Label))
	case kind == model.PickMany:
		q.Text = fmt.Sprintf(say.whichOnes, model.Clip(text), all)
	default:
		q.Text = fmt.Sprintf(say.whichOne, model.Clip(text))
	}
	return q
}

// whichOccurrences asks what of a series is meant. event is the occurrence in question; several is how many occurrences
// THIS means when it is more than that one. held are the events that the answer is about.
func whichOccurrences(v *core.Viewer, event model.Event, several int, held []string) core.Question {
	say := eventPhrasesIn(v.Locale)
	this := fmt.Sprintf(say.only, startLabel(event, v))
	if several > 1 {
		this = fmt.Sprintf(say.onlyThese, several)
	}
	q := core.Question{Kind: model.RecurringScope,
		Text: fmt.Sprintf(say.repeats, model.Clip(projections.EventTitle(event, v.Moment))),
		Held: held}
	for _, offer := range []struct {
		scope model.EventScope
		label string
	}{{model.ScopeFromNow, say.fromNow}, {model.ScopeThis, this}, {model.ScopeFollowing, say.following},
		{model.ScopeSeries, say.all}} {
		offerWord(v, &q, event, string(offer.scope), offer.label)
	}
	return q
}

// offerWord offers a word as an answer of a question about an event.
func offerWord(v *core.Viewer, q *core.Question, event model.Event, word, label string) {
	q.Texts = append(q.Texts, word)
	q.Candidates = append(q.Candidates, projections.Candidate{
		Key: word, Label: label, Score: 1, Node: projections.EventAt(event, v.Moment),
	})
}

// approvalShown is how many of the events to be approved a question shows; the others it counts.
const approvalShown = 20

// approval asks in words of the caller's whether something shall be done to these events.
func approval(v *core.Viewer, text string, found []decision.Placed) core.Question {
	q := core.Question{Kind: model.Approval, Text: text}
	for i, one := range found {
		if i >= approvalShown {
			q.Held = append(q.Held, referenceOf(one.Event.Ref))
			continue
		}
		q.Texts = append(q.Texts, referenceOf(one.Event.Ref))
		q.Candidates = append(q.Candidates, candidateOf(v, one.Event, 1))
	}
	return q
}

// manyText asks whether so many events shall be changed or deleted, with the titles of the first.
func manyText(v *core.Viewer, found []decision.Placed, deletes bool) string {
	const titles = 3
	text := eventPhrasesIn(v.Locale).change
	if deletes {
		text = eventPhrasesIn(v.Locale).delete
	}
	var first []string
	for _, one := range found {
		title := `"` + model.Clip(projections.EventTitle(one.Event, v.Moment)) + `"`
		if len(first) < titles && !slices.Contains(first, title) {
			first = append(first, title)
		}
	}
	return fmt.Sprintf(text, len(found), strings.Join(first, ", "))
}

func candidateOf(v *core.Viewer, event model.Event, score float64) projections.Candidate {
	return projections.Candidate{
		Key: event.Ref.ID().String(), Label: projections.EventLabel(event, v.Moment), Score: score,
		Node: projections.EventAt(event, v.Moment),
	}
}
