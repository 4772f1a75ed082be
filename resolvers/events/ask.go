package events

import (
	"context"
	"fmt"
	"math"
	"strings"

	"almanac/adapters/gcal"
	"almanac/graph/model"
	"almanac/projections"
	"almanac/projections/match"
	"almanac/projections/when"
	"almanac/resolvers/core"
)

// eventPhrases are the sentences of questions about events in one language.
type eventPhrases struct {
	untitled       string
	didYouMean     string // title and time
	whichOne       string // what was looked for
	whichOnes      string // what was looked for, and how many there are
	repeats        string // title
	only           string // when
	onlyThese      string // how many
	following, all string
}

func eventPhrasesIn(locale string) eventPhrases {
	if locale == "he" {
		return eventPhrases{
			untitled:   "(ללא כותרת)",
			didYouMean: `האם התכוונת לאירוע "%s"?`,
			whichOne:   `מצאתי כמה אירועים שמתאימים ל"%s". לאיזה מהם התכוונת?`,
			whichOnes:  `מצאתי כמה אירועים שמתאימים ל"%[1]s" (%[2]d בסך הכול). לאילו מהם התכוונת?`,
			repeats:    `האירוע "%s" חוזר. למה התכוונת?`,
			only:       "רק %s", onlyThese: "רק %d המופעים שנמצאו",
			following: "זה וכל הבאים אחריו", all: "כל הסדרה",
		}
	}
	return eventPhrases{
		untitled:   "(no title)",
		didYouMean: `Did you mean the event "%s"?`,
		whichOne:   `Several events match "%s". Which one did you mean?`,
		whichOnes:  `Several events match "%[1]s" (%[2]d in all). Which ones did you mean?`,
		repeats:    `"%s" repeats. Which occurrences did you mean?`,
		only:       "Only %s", onlyThese: "Only the %d occurrences found",
		following: "This and the following", all: "The whole series",
	}
}

// eventTitleFor calls an event in front of a person.
func eventTitleFor(event model.Event, v *core.Viewer) string {
	if title := strings.TrimSpace(event.Summary); title != "" {
		return title
	}
	return eventPhrasesIn(v.Locale).untitled
}

// EventLabel calls an event by its title and when it is.
func EventLabel(event model.Event, v *core.Viewer) string {
	label := eventTitleFor(event, v)
	if span := when.FormatSpan(event.Start, event.End, v.Moment.Moment); span != "" {
		label += " (" + span + ")"
	}
	return label
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

// CandidateFields are what must be read of events that a question may show.
func CandidateFields(ctx context.Context) gcal.Fields {
	return EventFields(core.Answered(ctx).Under("confirmation", "Confirmation").Under("candidates",
		"Candidate").Under("node",
		"Event"))
}

// WhichEvent asks which of the events a text means.
func WhichEvent(v *core.Viewer, text string, kind model.ConfirmationKind, hits []match.Match[int],
	found EventCandidates,
	all int) core.Question {
	q := core.Question{Kind: kind}
	for _, hit := range hits {
		event := found.Events[hit.Index].Event
		q.Texts = append(q.Texts, ReferenceOf(event.Ref))
		q.Candidates = append(q.Candidates, projections.Candidate{
			ID: event.Ref.ID().String(), Label: EventLabel(event, v), Score: math.Round(hit.Score*1e4) / 1e4,
			Node: projections.EventAt(event, v.Moment),
		})
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
	q := core.Question{Kind: model.RecurringScope, Text: fmt.Sprintf(say.repeats, model.Clip(eventTitleFor(event, v))),
		Held: held}
	for _, offer := range []struct {
		scope model.EventScope
		label string
	}{{model.ScopeThis, this}, {model.ScopeFollowing, say.following}, {model.ScopeSeries, say.all}} {
		q.Texts = append(q.Texts, string(offer.scope))
		q.Candidates = append(q.Candidates, projections.Candidate{
			ID: string(offer.scope), Label: offer.label, Score: 1, Node: projections.EventAt(event, v.Moment),
		})
	}
	return q
}
