package agent

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"unicode"

	"almanac/adapters/gcal"
	"almanac/graph"
	"almanac/graph/model"
	"almanac/internal/dryrun"
	"almanac/projections"
	"almanac/projections/fold"
	"almanac/projections/naming"
	"almanac/projections/plan"
	"almanac/projections/when"
	"almanac/resolvers/core"
)

// Grammar plans by the grammar of this server: the same sentence at the same moment always gives the same plan, and
// nothing is sent anywhere.
type Grammar struct{}

// Plan implements Planner.
func (Grammar) Plan(_ context.Context, text string, at when.Moment) (Planned, error) {
	read, err := plan.Understand(text, at)
	return Planned{Plan: read}, err
}

// turn is one sentence on its way through the tool that it asks for.
type turn struct {
	*Resolver
	v *core.Viewer
	// text is the sentence as it was read: clean, without hidden characters.
	text    string
	planned Planned
	// confirm is the answer to the question of the tool's own recipe; nil when nothing was answered.
	confirm *graph.ConfirmInput
	// fields are wanted of every event of the answer.
	fields gcal.Fields
	// dryRun: nothing is to be done, only said.
	dryRun bool
	// hebrew: the sentence is in Hebrew, and so is what follows the contract's own lines.
	hebrew bool
	// nodes are the records that the answer shows; undoes is the action that a question about undoing was about.
	nodes  []model.ID
	undoes string
	// approve: what is to be changed was found out rather than said, so that it is asked first.
	approve bool
	// among: it is one of several things, which are shown together before they are done.
	among bool
	// before is the event that is changed as it was; nil when it is not known.
	before *model.Event
	// takenBack: an answer was taken back, since the question is more likely about another matter.
	takenBack bool
	// labels say what each of several things would do.
	labels []string
	// failure is why the tool has failed; nil where it has not, or has only found nothing.
	failure error
	out     *graph.AgentChatPayload
}

// notDone begins the summary of what a dry run would have done.
const notDone = "Dry run, nothing was done; otherwise: "

// agentFields are what the contract's results show of events.
const agentFields = gcal.FieldSummary | gcal.FieldTimes | gcal.FieldDescription | gcal.FieldLink | gcal.FieldLocation

func emptyAnswer() *graph.AgentChatPayload {
	return &graph.AgentChatPayload{
		Tool: graph.AgentToolRead, Events: []projections.Event{}, UserErrors: []model.UserError{},
		Nodes: []model.Node{}, Actions: []projections.Action{},
		Context: projections.EventContextOf(nil, false, projections.EventsAsked{}),
	}
}

// AgentChat reads a sentence and does what it asks of the calendar.
func (r *Resolver) AgentChat(ctx context.Context, in graph.AgentChatInput) (*graph.AgentChatPayload, error) {
	v, err := core.ViewerFrom(ctx)
	if err != nil {
		return nil, err
	}
	t := &turn{Resolver: r, v: v, dryRun: dryrun.Is(ctx), out: emptyAnswer()}
	limits, err := boundsOf(in)
	if err != nil {
		t.out.Summary = "Error: " + clientSentence(err)
		core.AddUserError(ctx, &t.out.UserErrors, err)
		return t.out, nil
	}
	if t.text, err = sentenceOf(in.Text); err != nil {
		t.out.Summary = "Error: " + clientSentence(err)
		core.AddUserError(ctx, &t.out.UserErrors, err)
		return t.out, nil
	}
	err = t.understand(ctx, in.Confirm)
	if err == nil && limits.after != "" && !isReading(graph.AgentTool(t.planned.Tool)) {
		err = model.BadInput("input.after", "only what is read goes on; this text asks for a change")
	}
	if t.hebrew = isHebrew(t.text); t.hebrew {
		ctx, t.v = core.InLanguage(ctx, t.v, "he")
	} else {
		ctx, t.v = core.InLanguage(ctx, t.v, "en")
	}
	if err != nil {
		t.refuse(ctx, err)
	} else if other, ok := t.wholeRequests(ctx, limits); ok {
		t = other
	} else {
		t.do(ctx)
	}
	t.ofAnotherMatter()
	if other, ok := t.severalReading(ctx, limits); ok {
		t, err = other, nil
	} else if other, ok := t.secondReading(ctx, limits); ok {
		t, err = other, nil
	}
	if err != nil {
		return t.out, t.fit(bounds{tokens: limits.tokens})
	}
	if t.dryRun && t.out.Success && !isReading(t.out.Tool) {
		t.out.Summary = notDone + t.out.Summary
	}
	if err := t.fit(limits); err != nil {
		t.refuse(ctx, err)
		return t.out, nil
	}
	return t.out, t.showNodes(ctx)
}

// do carries the plan out, or says that nothing was done where the answer to its question was no.
func (t *turn) do(ctx context.Context) {
	t.out.Tool, t.out.Plan = graph.AgentTool(t.planned.Tool), t.shownPlan()
	switch declined, err := t.Declined(ctx, t.v, t.confirm); {
	case err != nil:
		t.fail(ctx, err)
	case declined:
		t.done(t.nothingDone(), nil, projections.EventsAsked{})
	default:
		t.fields = agentFields | t.events.Fields(core.Answered(ctx).Under("events", "Event"))
		t.run(ctx)
	}
}

// isHebrew reports whether a sentence is in Hebrew: it begins with a Hebrew letter, as what is asked for stands first
// in both languages ("בטל את Stand-up"), or most of its letters are Hebrew.
func isHebrew(text string) bool {
	hebrew, other := 0, 0
	for _, r := range text {
		switch {
		case unicode.Is(unicode.Hebrew, r):
			if hebrew++; other == 0 {
				return true
			}
		case unicode.IsLetter(r):
			other++
		}
	}
	return hebrew > other
}

// run calls the tool's recipe.
func (t *turn) run(ctx context.Context) {
	switch p := t.planned; {
	case len(p.Parts) > 0:
		t.several(ctx, p.Parts)
	case p.Create != nil:
		t.create(ctx, *p.Create)
	case p.Read != nil:
		t.read(ctx, *p.Read)
	case p.Schedule != nil:
		t.schedule(ctx, *p.Schedule)
	case p.Search != nil:
		t.search(ctx, *p.Search)
	case p.Update != nil:
		t.update(ctx, *p.Update)
	case p.Delete != nil && p.Delete.Target.All:
		t.clear(ctx, p.Delete.Target)
	case p.Delete != nil:
		t.delete(ctx, *p.Delete)
	default:
		t.runOther(ctx)
	}
}

// sentenceOf reads a sentence: 1 to MaxSentence characters when all that nobody sees is taken from it. BAD_USER_INPUT
// otherwise.
func sentenceOf(text string) (string, error) {
	const field = "input.text"
	clean := strings.TrimSpace(strings.Map(seen, fold.Clean(text)))
	if clean == "" {
		return "", model.BadInput(field, "text is required")
	}
	return clean, core.TooLong(field, clean, MaxSentence)
}

// seen drops what a person does not see and a program might obey: marks of direction, tags, zero widths. Joiners stay:
// scripts and emoji are spelt with them.
func seen(r rune) rune {
	switch {
	case r == '\u200d', r == '\u200c':
		return r
	case unicode.Is(unicode.Cf, r), unicode.Is(unicode.Co, r), unicode.Is(unicode.Other_Default_Ignorable_Code_Point, r):
		return -1
	}
	return r
}

// understand finds what the sentence asks for: from the question that is being answered, or else by planning. Under an
// Idempotency-Key a repetition does what the first try has understood, whatever time it is.
func (t *turn) understand(ctx context.Context, confirm *graph.ConfirmInput) (err error) {
	if confirm != nil {
		return t.resume(*confirm)
	}
	planner := t.Planner
	if planner == nil {
		planner = Grammar{}
	}
	t.planned, _, err = core.DecidedAs(ctx, "plan", func() (Planned, error) {
		planned, err := planner.Plan(ctx, t.text, t.v.Moment.Moment)
		planned.Spans = nil
		return planned, err
	})
	return err
}

const purposeAgent = "agent"

// agentTicket is what a confirmation token of agentChat holds: the token of the recipe that asks, which is bound to the
// sentence, and how the sentence was understood when it asked. So what is confirmed is what was shown, although the day
// or the model's mind may have changed meanwhile.
type agentTicket struct {
	Token   string  `json:"token"`
	Planned Planned `json:"planned"`
	// Options are what was offered: an answer may name one by its number or its label.
	Options []naming.Option `json:"options,omitempty"`
	// Undoes is the action that is to be undone.
	Undoes string `json:"undoes,omitempty"`
}

// asks puts a recipe's question into the answer.
func (t *turn) asks(ctx context.Context, confirmation *projections.Confirmation) {
	options := make([]naming.Option, len(confirmation.Candidates))
	for i, candidate := range confirmation.Candidates {
		options[i] = naming.Option{Key: candidate.Key, Label: candidate.Label}
	}
	inside, err := json.Marshal(agentTicket{Token: confirmation.Token, Planned: t.planned, Options: options,
		Undoes: t.undoes})
	if err != nil {
		t.fail(ctx, fmt.Errorf("write a question down: %w", err))
		return
	}
	asked := *confirmation
	asked.Token = t.Sealer.Seal(purposeAgent, t.v.User, inside)
	t.out.Confirmation = &asked
	t.unsure(asked)
}

// resume goes on where a question was asked.
func (t *turn) resume(confirm graph.ConfirmInput) error {
	inside, err := t.Sealer.Open(purposeAgent, t.v.User, confirm.Token)
	var ticket agentTicket
	if err != nil || json.Unmarshal(inside, &ticket) != nil {
		return core.InvalidConfirmation("this is not a confirmation token of yours")
	}
	t.planned, t.undoes = ticket.Planned, ticket.Undoes
	t.confirm = &graph.ConfirmInput{
		Token: ticket.Token, Choose: naming.Chosen(confirm.Choose, ticket.Options), All: confirm.All, None: confirm.None,
	}
	if len(confirm.Choose) == 1 && naming.Declines(confirm.Choose[0], ticket.Options) {
		none := true
		t.confirm.Choose, t.confirm.None = nil, &none
	}
	return nil
}
