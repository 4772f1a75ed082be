package agent

import (
	"context"
	"slices"
	"strings"

	"almanac/graph"
	"almanac/graph/model"
	"almanac/projections/fold"
	"almanac/projections/naming"
	"almanac/projections/plan"
	"almanac/projections/when"
)

// knownDays is how far ahead an event is looked for that a sentence without a verb may be about.
const knownDays = 60

// alreadyThere asks whether an event that is there is meant, where a sentence without a verb of making, or a statement,
// names one of the same day, or of any where no day was said, beyond doubt: "the meeting with Gil will be at three
// today" is hardly a second one. What is named with its article is there on whatever day: "the lunch with Tamar on
// Sunday at one". It reports whether it has answered.
func (t *turn) alreadyThere(ctx context.Context, c plan.Create) bool {
	if !t.planned.Told && !t.planned.Verbless && !t.planned.Definite && !isHebrewWord(c.Title) ||
		t.confirm != nil || c.Title == "" || isGeneral(c.Title) || c.Start.IsZero() {
		return false
	}
	if c.Recurrence != "" {
		return t.seriesThere(ctx, c)
	}
	one, events, ok := t.comingCalled(ctx, c.Title)
	if !ok {
		return false
	}
	day := t.dayOf(c.Start)
	for _, event := range events {
		if event.Summary == one.Summary && t.dayOf(event.Start) == day {
			one = event
			break
		}
	}
	from, said := t.dayOf(one.Start), !slices.Contains(t.planned.Defaulted, plan.SlotDate)
	definite := t.planned.Definite || withArticle(c.Title, one.Summary) || withGeneral(c.Title)
	if day != from && said && !definite || !definite && !t.planned.Told && !t.planned.Verbless {
		return false // another day was said: lunch on Friday is another lunch
	}
	window := plan.Window{From: when.StartOfDate(from, t.v.Zone), To: when.StartOfDate(from.AddDays(1), t.v.Zone)}
	change := plan.Change{Location: c.Location}
	if day != from && said {
		change.Date = day
	}
	if c.Start.AllDay() {
		change.AllDay = !one.Start.AllDay()
	} else {
		at := c.Start.At.In(t.v.Zone)
		vague := slices.ContainsFunc(t.planned.Ambiguous,
			func(doubt plan.Ambiguity) bool { return doubt.What == plan.DoubtHalfOfDay })
		change.Start = &plan.Clock{Hour: at.Hour(), Minute: at.Minute(), Vague: vague}
	}
	t.planned.Plan = plan.Plan{Tool: plan.ToolUpdate, Hebrew: t.planned.Hebrew, Defaulted: t.planned.Defaulted,
		Ambiguous: t.planned.Ambiguous, Update: &plan.Update{Change: change, Scope: model.ScopeThis,
			Target: plan.Target{Title: one.Summary, Window: &window}}}
	t.out.Tool, t.approve = graph.AgentToolUpdate, true
	t.update(ctx, *t.planned.Update)
	t.out.Summary += "\n" + t.say("To add another one, say “add” before it.",
		"להוספת אירוע נוסף אפשר לומר „תוסיף” בהתחלה.")
	return true
}

// seriesThere asks what is meant where a sentence without a verb of making says when something repeats that repeats
// already: "from next week piano is on Thursdays at 16:00". It reports whether it has answered.
func (t *turn) seriesThere(ctx context.Context, c plan.Create) bool {
	if !t.planned.Told && !t.planned.Verbless {
		return false
	}
	event, _, ok := t.comingCalled(ctx, c.Title)
	if !ok || !event.IsOccurrence() {
		return false
	}
	t.unclear(t.say("%s repeats already. Is that to change? Say “move all occurrences of” with its name, or “add” before "+
		"it to have another one.", "%s כבר חוזר. לשנות אותו? אפשר לומר „תזיז את כל המופעים של” ושמו, או „תוסיף” בהתחלה "+
		"כדי להוסיף עוד אחד.", event.Summary+" – "+t.spanOf(event)))
	return true
}

// unclear refuses with a question that the next sentence answers.
func (t *turn) unclear(sentence string) {
	t.out.UserErrors = append(t.out.UserErrors, agentUserError(model.BadInput("input.text", "%s", sentence)))
	t.failed(sentence, sentence)
}

// comingCalled finds the one event of the days to come, of a series the first, that a name means beyond doubt, and
// returns all of these days with it. What cannot be read is not known to be there.
func (t *turn) comingCalled(ctx context.Context, name string) (one model.Event, all []model.Event, ok bool) {
	all, err := t.events.List(ctx, t.v, t.v.StartOfDay(), t.dayAt(knownDays), "", agentReadMost, t.fields)
	if err != nil {
		return one, nil, false
	}
	var candidates []naming.Candidate[int]
	seen := map[string]bool{}
	for i, event := range all {
		if !seen[event.Summary] {
			candidates = append(candidates, naming.Candidate[int]{ID: i, Name: event.Summary, Same: event.Summary})
		}
		seen[event.Summary] = true
	}
	decided := naming.Decide(naming.New(name, naming.Event), candidates, naming.Rules{})
	if decided.Outcome != naming.Found && withGeneral(name) { // "התור לרופא" of "רופא"
		decided = naming.Decide(naming.New(strings.Join(searchWords(name), " "), naming.Event), candidates, naming.Rules{})
	}
	if decided.Outcome != naming.Found {
		return one, all, false
	}
	return all[decided.Matches[0].ID], all, true
}

// eventAltered finds the event that a need to change something is about: "I need to postpone yoga", where there is
// yoga.
// What it is to become was not said, so that it is asked, and no task is made of it.
func (t *turn) eventAltered(ctx context.Context, one plan.NewTask) (model.Event, bool) {
	if one.Alters == "" || t.confirm != nil || isGeneral(one.Alters) {
		return model.Event{}, false
	}
	event, _, ok := t.comingCalled(ctx, one.Alters)
	return event, ok
}

// withGeneral reports whether a Hebrew name begins with a general word and its article, before the name itself.
func withGeneral(name string) bool {
	first, rest, _ := strings.Cut(fold.Text(name), " ")
	return rest != "" && strings.HasPrefix(first, "ה") && isGeneral(first)
}

// withArticle reports whether a Hebrew name begins with the article before a word of a title, as that of what is there
// does: "הקפה עם עומר" of "קפה עם עומר".
func withArticle(name, title string) bool {
	first, _, _ := strings.Cut(fold.Text(name), " ")
	bare, ok := strings.CutPrefix(first, "ה")
	return ok && slices.Contains(strings.Fields(fold.Text(title)), bare)
}

// dayOf is the day on which a time lies, in the viewer's zone.
func (t *turn) dayOf(at model.EventTime) model.Date {
	if at.AllDay() {
		return at.Date
	}
	return model.DateOf(at.At.In(t.v.Zone))
}
