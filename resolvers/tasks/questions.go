package tasks

import (
	"fmt"
	"math"
	"strings"

	"almanac/graph/model"
	"almanac/projections"
	"almanac/projections/naming"
	"almanac/resolvers/core"
)

// question asks which of the candidates the texts mean: one text and its decision, or several of a bulk mutation.
// settled are the ids that are clear already. Texts that only name too many tasks are to be approved.
func (c candidates) question(v *core.Viewer, texts []string, decisions []naming.Decision[model.UUID],
	settled []model.UUID) core.Question {
	q := core.Question{Kind: model.PickOne, Settled: settled}
	seen := make(map[model.UUID]bool)
	numerous := 0
	for _, decision := range decisions {
		if decision.Kind == model.PickMany || len(decisions) > 1 {
			q.Kind = model.PickMany
		}
		if decision.Outcome == naming.Many {
			numerous++
		}
		for i, hit := range decision.Matches {
			if seen[hit.ID] {
				continue
			}
			seen[hit.ID] = true
			q.Offered = append(q.Offered, hit.ID)
			if i >= naming.MaxCandidates { // of tasks that are all named; choosing all means these too
				continue
			}
			q.Candidates = append(q.Candidates, projections.Candidate{
				Key: model.ID{Kind: c.kind, UUID: hit.ID}.String(), Label: c.label(hit.Index),
				Score: math.Round(hit.Score*1e4) / 1e4,
			})
		}
	}
	if numerous == len(decisions) {
		q.Kind = model.Approval
	}
	q.Text = wording(v.Locale, c.kind, texts, decisions, q)
	return q
}

// phrases are the sentences of questions in one language; %s is what was looked for, or what is offered.
type phrases struct {
	didYouMean map[model.Kind]string
	whichOne   map[model.Kind]string
	whichOnes  map[model.Kind]string
	several    map[model.Kind]string
	delete     string // how many, and the text of the first
}

func phrasesIn(locale string) phrases {
	if locale == "he" {
		return phrases{
			didYouMean: map[model.Kind]string{model.KindTask: "האם התכוונת למשימה \"%s\"?",
				model.KindList: "האם התכוונת לרשימה \"%s\"?"},
			whichOne: map[model.Kind]string{model.KindTask: "מצאתי כמה משימות שמתאימות ל\"%s\". לאיזו מהן התכוונת?",
				model.KindList: "מצאתי כמה רשימות שמתאימות ל\"%s\". לאיזו מהן התכוונת?"},
			whichOnes: map[model.Kind]string{model.KindTask: "מצאתי כמה משימות שמתאימות ל\"%s\". לאילו מהן התכוונת?"},
			several:   map[model.Kind]string{model.KindTask: "כמה מהטקסטים לא חד-משמעיים: %s. לאילו משימות התכוונת?"},
			delete:    `למחוק %d משימות, בהן "%s"?`,
		}
	}
	return phrases{
		didYouMean: map[model.Kind]string{model.KindTask: "Did you mean the task \"%s\"?",
			model.KindList: "Did you mean the list \"%s\"?"},
		whichOne: map[model.Kind]string{model.KindTask: "Several tasks match \"%s\". Which one did you mean?",
			model.KindList: "Several lists match \"%s\". Which one did you mean?"},
		whichOnes: map[model.Kind]string{model.KindTask: "Several tasks match \"%s\". Which ones did you mean?"},
		several:   map[model.Kind]string{model.KindTask: "Some texts are not clear: %s. Which tasks did you mean?"},
		delete:    `Delete %d tasks, among them "%s"?`,
	}
}

func wording(locale string, kind model.Kind, texts []string, decisions []naming.Decision[model.UUID],
	q core.Question) string {
	say := phrasesIn(locale)
	switch {
	case q.Kind == model.Approval:
		return fmt.Sprintf(say.delete, len(q.Offered), model.Clip(q.Candidates[0].Label))
	case len(decisions) > 1:
		quoted := make([]string, len(texts))
		for i, text := range texts {
			quoted[i] = `"` + model.Clip(text) + `"`
		}
		return fmt.Sprintf(say.several[kind], strings.Join(quoted, ", "))
	case len(q.Candidates) == 1:
		return fmt.Sprintf(say.didYouMean[kind], model.Clip(q.Candidates[0].Label))
	case q.Kind == model.PickMany:
		return fmt.Sprintf(say.whichOnes[kind], model.Clip(texts[0]))
	default:
		return fmt.Sprintf(say.whichOne[kind], model.Clip(texts[0]))
	}
}
