package core

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"almanac/graph"
	"almanac/graph/model"
	"almanac/projections"
	"almanac/projections/naming"
)

// Target is how a mutation names the things that it is about, of a kind whose candidates are read before anything is
// written: by an id, by texts, or by the answer to the question that was asked about the texts.
type Target struct {
	Kind   model.Kind
	Naming naming.Kind
	// Field and ID are the input's own field and its value; TargetID and Texts stand in its target.
	Field        string
	ID, TargetID *string
	Texts        []Text
	HasTarget    bool
	Confirm      *graph.ConfirmInput
	// Several lets the texts name several things; it is for erasures alone.
	Several bool
	// Strict is for what cannot be undone: it asks also where a name says more than the text in a way that may make it
	// another thing.
	Strict bool
	// Erases is for what erases for good: it is strict, and what a text names is approved first.
	Erases bool
	// Candidates reads what the text, which is clean, may mean, the likeliest first.
	Candidates func(ctx context.Context, text string) ([]Choice, error)
}

// Text is a text that names something, with its path.
type Text struct {
	Field, Text string
	// Most is how many characters it may have.
	Most int
}

// Choice is one name of a thing that a text may mean. A thing with several names is there once for each.
type Choice struct {
	ID, Name, Label string
	// Same is equal for things that a person could not tell apart, of which the first is meant; the ID when it is empty.
	Same string
}

// Meant is what a mutation is about.
type Meant struct {
	// IDs are those of the things, one unless several were named; each once, in the order in which they were named.
	IDs []string
	// Field is the path at which they were named.
	Field string
	// Missing are the texts that name nothing, where several may be named.
	Missing []string
	// Question is to be answered first; nil when all is clear.
	Question *projections.Confirmation
	// Declined: the answer was none of these.
	Declined bool

	answer model.UUID
}

// decidedTarget is what is kept of Meant for repetitions under an Idempotency-Key.
type decidedTarget struct {
	IDs     []string `json:"ids"`
	Field   string   `json:"field"`
	Missing []int    `json:"missing,omitempty"`
}

// Meant finds what a mutation is about, or asks. Whether an id names something is for the caller to see. Call it once
// in each mutation, outside of the store's transactions, and GiveBack when nothing was done.
//
// NOT_FOUND when no name shares a word with the text; of several texts those are in Missing. BAD_USER_INPUT,
// CONFIRMATION_INVALID.
func (r *Base) Meant(ctx context.Context, v *Viewer, t Target) (Meant, error) {
	if (t.ID == nil) == !t.HasTarget {
		return Meant{}, model.BadInput("input.target", "give either %s or target", strings.TrimPrefix(t.Field, "input."))
	}
	if t.ID != nil || t.TargetID != nil {
		if t.Confirm != nil {
			return Meant{}, model.BadInput("input.confirm", "nothing is asked about an id; leave confirm out")
		}
		if t.ID != nil {
			return Meant{IDs: []string{*t.ID}, Field: t.Field}, nil
		}
		return Meant{IDs: []string{*t.TargetID}, Field: "input.target.id"}, nil
	}
	if declined, err := r.Declined(ctx, v, t.Confirm); declined || err != nil {
		return Meant{Declined: declined}, err
	}
	return r.meantBy(ctx, v, t)
}

// Clear reports whether there is something to be done now.
func (m Meant) Clear() bool { return m.Question == nil && len(m.IDs) > 0 }

// meantBy finds what texts mean.
func (r *Base) meantBy(ctx context.Context, v *Viewer, t Target) (Meant, error) {
	var out Meant
	decided, _, err := DecidedAs(ctx, "target", func() (decidedTarget, error) {
		var found decidedTarget
		var q *Question
		var err error
		if t.Confirm == nil || t.Several { // what is missing is told with the answer, too
			if found, q, err = r.named(ctx, v, t); err != nil {
				return found, err
			}
		}
		out.Missing = missing(t, found)
		if t.Confirm != nil {
			found.IDs, found.Field, out.answer, err = r.answeredTarget(ctx, v, *t.Confirm)
			return found, err
		}
		if q == nil {
			return found, nil
		}
		if out.Question, err = r.Ask(ctx, v, *q); err != nil {
			return found, err
		}
		if err := r.withNodes(ctx, v, out.Question); err != nil {
			return found, err
		}
		return found, ErrAsked
	})
	if errors.Is(err, ErrAsked) {
		return out, nil
	}
	out.IDs, out.Field, out.Missing = decided.IDs, decided.Field, missing(t, decided)
	return out, err
}

func missing(t Target, found decidedTarget) (texts []string) {
	for _, i := range found.Missing {
		texts = append(texts, t.Texts[i].Text)
	}
	return texts
}

// GiveBack makes the answer to the question usable again, when the mutation was refused and so did nothing.
func (r *Base) GiveBack(ctx context.Context, v *Viewer, m Meant, refusal error) {
	if _, mendable := model.Mendable(refusal); mendable && m.answer != (model.UUID{}) {
		r.Unless(ctx, new(bool), v, &Ticket{Nonce: m.answer})
	}
}

// answeredTarget reads what was chosen, and uses the answer up.
func (r *Base) answeredTarget(ctx context.Context, v *Viewer, confirm graph.ConfirmInput) (ids []string, field string,
	answer model.UUID, err error) {
	t, err := r.OpenTicket(ctx, v, confirm.Token)
	if err != nil {
		return nil, "", answer, err
	}
	ids, err = choice(confirm, t.Many, t.Texts, func(text string) (string, bool) { return text, true })
	if err != nil {
		return nil, "", answer, err
	}
	return ids, "input.confirm.choose", t.Nonce, r.Spend(ctx, v, t)
}

// named decides on each text, and words the question that is to be asked first, if there is one: about all of the texts
// when what they name is to be erased, or one of them is not clear.
func (r *Base) named(ctx context.Context, v *Viewer, t Target) (found decidedTarget, q *Question, err error) {
	all := asking{target: t}
	for i, one := range t.Texts {
		text, err := CleanText(one.Field, one.Text, one.Most)
		if err != nil {
			return found, nil, err
		}
		found.Field = one.Field
		choices, err := t.Candidates(ctx, text)
		if err != nil {
			return found, nil, err
		}
		list := make([]naming.Candidate[int], len(choices))
		for j, c := range choices {
			list[j] = naming.Candidate[int]{ID: j, Name: c.Name, Same: cmp.Or(c.Same, c.ID)}
		}
		decision := naming.Decide(naming.New(text, t.Naming), list,
			naming.Rules{Strict: t.Strict || t.Erases, Distinct: true, Spend: v.Matching(ctx)})
		if err := v.MatchingError(ctx, one.Field); err != nil {
			return found, nil, err
		}
		switch decision.Outcome {
		case naming.None:
			if !t.Several {
				return found, nil, model.NotFound(one.Field, "you have no %s called %q", KindNames[t.Kind], model.Clip(text))
			}
			found.Missing = append(found.Missing, i)
			continue
		case naming.Found, naming.Many:
			decision.Matches = decision.Matches[:1]
			if id := choices[decision.Matches[0].Index].ID; !slices.Contains(found.IDs, id) {
				found.IDs = append(found.IDs, id)
			}
		default:
			all.unclear = append(all.unclear, text)
		}
		all.offer(choices, decision.Matches)
	}
	if len(all.candidates) == 0 || !t.Erases && len(all.unclear) == 0 {
		return found, nil, nil
	}
	return found, all.question(v), nil
}

// asking gathers what a question offers.
type asking struct {
	target     Target
	unclear    []string
	texts      []string
	candidates []projections.Candidate
}

func (a *asking) offer(choices []Choice, matches []naming.Match[int]) {
	for _, m := range matches {
		c := choices[m.Index]
		if slices.Contains(a.texts, c.ID) {
			continue
		}
		a.texts = append(a.texts, c.ID)
		a.candidates = append(a.candidates, projections.Candidate{Key: c.ID, Label: c.Label,
			Score: math.Round(m.Score*1e4) / 1e4})
	}
}

func (a *asking) question(v *Viewer) *Question {
	q := &Question{Kind: model.PickOne, Texts: a.texts, Candidates: a.candidates}
	switch {
	case len(a.unclear) == 0:
		q.Kind = model.Approval
	case a.target.Several && len(a.candidates) > 1:
		q.Kind = model.PickMany
	}
	q.Text = a.wording(v.Locale, q.Kind)
	return q
}

// targetPhrases are the sentences of questions about targets in one language.
type targetPhrases struct {
	didYouMean, whichOne                                     string
	eraseOne, eraseLike, eraseWhich, eraseSome, eraseUnclear string
	plurals                                                  map[model.Kind]string
}

func targetPhrasesIn(locale string) targetPhrases {
	if locale == "he" {
		return targetPhrases{
			didYouMean:   `האם התכוונת אל "%[1]s"?`,
			whichOne:     `מצאתי כמה %[2]s לפי "%[1]s". למה התכוונת?`,
			eraseOne:     `למחוק לצמיתות את "%[1]s"? אי אפשר לשחזר.`,
			eraseLike:    `האם התכוונת אל "%[1]s"? המחיקה לצמיתות, ואי אפשר לשחזר.`,
			eraseWhich:   `מצאתי כמה %[2]s לפי "%[1]s". מה למחוק לצמיתות? אי אפשר לשחזר.`,
			eraseSome:    `למחוק לצמיתות %[1]d %[2]s? אי אפשר לשחזר.`,
			eraseUnclear: `לא ברור למה התכוונת: %[1]s. אילו %[2]s למחוק לצמיתות? אי אפשר לשחזר.`,
			plurals: map[model.Kind]string{model.KindTask: "משימות", model.KindSubtask: "תתי-משימות",
				model.KindMemory: "פריטים", model.KindEntity: "ישויות", model.KindFact: "עובדות",
				model.KindEmail: "הודעות", model.KindWebset: "אוספים"},
		}
	}
	return targetPhrases{
		didYouMean:   `Did you mean "%[1]s"?`,
		whichOne:     `Several %[2]s match "%[1]s". Which one did you mean?`,
		eraseOne:     `Erase "%[1]s" for good? It cannot be restored.`,
		eraseLike:    `Did you mean "%[1]s"? It would be erased for good and cannot be restored.`,
		eraseWhich:   `Several %[2]s match "%[1]s". Which one is to be erased for good? It cannot be restored.`,
		eraseSome:    `Erase %[1]d %[2]s for good? They cannot be restored.`,
		eraseUnclear: `Some texts are not clear: %[1]s. Which %[2]s are to be erased for good? They cannot be restored.`,
		plurals: map[model.Kind]string{model.KindTask: "tasks", model.KindSubtask: "subtasks",
			model.KindMemory: "memories", model.KindEntity: "entities", model.KindFact: "facts",
			model.KindEmail: "e-mails", model.KindWebset: "websets"},
	}
}

func (a *asking) wording(locale string, kind model.ConfirmationKind) string {
	say := targetPhrasesIn(locale)
	plural := say.plurals[a.target.Kind]
	if len(a.candidates) == 1 {
		sentence := say.didYouMean
		switch {
		case kind == model.Approval:
			sentence = say.eraseOne
		case a.target.Erases:
			sentence = say.eraseLike
		}
		return fmt.Sprintf(sentence, model.Clip(a.candidates[0].Label))
	}
	quoted := make([]string, len(a.unclear))
	for i, text := range a.unclear {
		quoted[i] = `"` + model.Clip(text) + `"`
	}
	switch {
	case kind == model.Approval:
		return fmt.Sprintf(say.eraseSome, len(a.candidates), plural)
	case kind == model.PickMany:
		return fmt.Sprintf(say.eraseUnclear, strings.Join(quoted, ", "), plural)
	case a.target.Erases:
		return fmt.Sprintf(say.eraseWhich, model.Clip(a.unclear[0]), plural)
	default:
		return fmt.Sprintf(say.whichOne, model.Clip(a.unclear[0]), plural)
	}
}
