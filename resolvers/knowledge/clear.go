package knowledge

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"almanac/adapters/store"
	"almanac/graph"
	"almanac/graph/model"
	"almanac/projections"
	"almanac/resolvers/core"
)

// ClearKnowledge erases the whole graph, when the answer to its question is yes.
func (r *Resolver) ClearKnowledge(ctx context.Context,
	in graph.ClearKnowledgeInput) (*graph.ClearKnowledgePayload, error) {
	v, err := core.ViewerFrom(ctx)
	if err != nil {
		return nil, err
	}
	out := &graph.ClearKnowledgePayload{Context: noKnowledge(), UserErrors: []model.UserError{}}
	if declined, err := r.Declined(ctx, v, in.Confirm); declined || err != nil {
		core.AddUserError(ctx, &out.UserErrors, err)
		return out, nil
	}
	var gone erased
	switch {
	case in.Confirm == nil:
		gone, err = r.askClearing(ctx, v, out)
	case r.KnowledgeBase.Facts().Transactional:
		gone, err = r.clearOwn(ctx, v, *in.Confirm)
	default:
		gone, err = r.clearRemote(ctx, v, *in.Confirm)
	}
	if errors.Is(err, core.ErrAsked) {
		return out, nil
	}
	if err != nil {
		core.AddUserError(ctx, &out.UserErrors, err)
		return out, nil
	}
	out.Cleared = in.Confirm != nil
	out.DeletedEntities, out.DeletedFacts, out.DeletedEpisodes = number(gone.Entities), number(gone.Facts),
		number(gone.Episodes)
	out.Context.IsEmpty = !out.Cleared || gone.Entities != nil && *gone.Entities+*gone.Facts+*gone.Episodes == 0
	return out, nil
}

// askClearing asks whether everything shall be erased; then the error is errAsked. Where there is nothing, nothing is
// asked.
func (r *Resolver) askClearing(ctx context.Context, v *core.Viewer, out *graph.ClearKnowledgePayload) (erased, error) {
	status, err := r.KnowledgeBase.Status(ctx, v.User, v.Now)
	if err != nil {
		return erased{}, err
	}
	q := core.Question{Kind: model.Approval, Text: clearingIn(v.Locale, status.Counts)}
	if counts := status.Counts; counts != nil {
		if counts.Entities+counts.Facts+counts.Episodes == 0 {
			return erased{Entities: new(int), Facts: new(int), Episodes: new(int)}, nil
		}
		for _, n := range heldCounts(*counts) {
			q.Held = append(q.Held, strconv.Itoa(n))
		}
	}
	q.Candidates = []projections.Candidate{}
	if out.Confirmation, err = r.Ask(ctx, v, q); err != nil {
		return erased{}, err
	}
	return erased{}, core.ErrAsked
}

// heldCounts are what an answer must still fit.
func heldCounts(counts store.KnowledgeCounts) []int {
	return []int{counts.Entities, counts.Facts, counts.Episodes}
}

// approved reads the answer to the question.
func (r *Resolver) approved(ctx context.Context, v *core.Viewer, confirm graph.ConfirmInput) (core.Ticket, error) {
	t, err := r.OpenTicket(ctx, v, confirm.Token)
	if err != nil {
		return t, err
	}
	if len(confirm.Choose) > 0 {
		return t, model.BadInput("input.confirm.choose",
			"there is nothing to choose; to erase everything answer with all: true")
	}
	if confirm.All == nil || !*confirm.All {
		return t, model.BadInput("input.confirm.all", "to erase everything answer with all: true")
	}
	return t, nil
}

// clearOwn clears the own store's graph. CONFIRMATION_INVALID when there is more than the question said.
func (r *Resolver) clearOwn(ctx context.Context, v *core.Viewer, confirm graph.ConfirmInput) (erased, error) {
	out, again, err := core.Earlier[erased](ctx, r.Base, v)
	if err != nil || again {
		return out, err
	}
	t, err := r.approved(ctx, v, confirm)
	if err != nil {
		return erased{}, err
	}
	return core.Once(ctx, r.Base, v, func(ctx context.Context, tx store.Tx) (erased, error) {
		if err := core.Use(ctx, tx, t); err != nil {
			return erased{}, err
		}
		gone, err := r.KnowledgeBase.Clear(ctx, v.User)
		if err != nil {
			return erased{}, err
		}
		if gone.Counts != nil && !holdsCounts(t, heldCounts(*gone.Counts)) {
			// which undoes it
			return erased{}, core.InvalidConfirmation("there is more than the question said; ask again without confirm")
		}
		return erasedOf(gone), nil
	})
}

// holdsCounts reports whether a question was about as much as that, or more.
func holdsCounts(t core.Ticket, counts []int) bool {
	if len(t.Held) != len(counts) {
		return false
	}
	for i, n := range counts {
		if held, err := strconv.Atoi(t.Held[i]); err != nil || n > held {
			return false
		}
	}
	return true
}

// clearRemote clears a remote graph. The answer is used up before the remote is asked, and given back when it has
// refused.
func (r *Resolver) clearRemote(ctx context.Context, v *core.Viewer, confirm graph.ConfirmInput) (erased, error) {
	_, _, err := core.Decided(ctx, func() (string, error) {
		t, err := r.approved(ctx, v, confirm)
		if err != nil {
			return "", err
		}
		return "clear", r.Spend(ctx, v, t)
	})
	if err != nil {
		return erased{}, err
	}
	gone, err := r.KnowledgeBase.Clear(ctx, v.User)
	if err != nil {
		return erased{}, r.giveBack(ctx, v, confirm, err)
	}
	r.logKnowledge(ctx, v, []model.Change{clearedChange(v, r.KnowledgeBase.Facts().Backend)})
	return erasedOf(gone), nil
}

// giveBack makes an answer usable again when the remote has refused, or was not reached; not when it may have done its
// work.
func (r *Resolver) giveBack(ctx context.Context, v *core.Viewer, confirm graph.ConfirmInput, refusal error) error {
	switch model.CodeOf(refusal) {
	case model.CodeUpstreamRejected, model.CodeUpstreamRateLimited, model.CodeNotConfigured, model.CodeBadUserInput:
		if t, err := r.OpenTicket(ctx, v, confirm.Token); err == nil {
			done := false
			r.Unless(ctx, &done, v, &t)
		}
	default:
	}
	return refusal
}

// clearingIn is the question in the viewer's language, with how much there is where that is counted.
func clearingIn(locale string, counts *store.KnowledgeCounts) string {
	type forms struct{ one, many string }
	sentence, bare, and := "Erase the whole knowledge graph for good: %s, %s%s? It cannot be restored.",
		"Erase the whole knowledge graph for good? It cannot be restored.", " and "
	nouns := []forms{{"1 entity", "%d entities"}, {"1 fact", "%d facts"}, {"1 episode", "%d episodes"}}
	if locale == "he" {
		sentence, bare, and = "למחוק לצמיתות את כל גרף הידע: %s, %s%s? אי אפשר לשחזר.",
			"למחוק לצמיתות את כל גרף הידע? אי אפשר לשחזר.", " ו"
		nouns = []forms{{"ישות אחת", "%d ישויות"}, {"עובדה אחת", "%d עובדות"}, {"רשומה אחת", "%d רשומות"}}
	}
	if counts == nil {
		return bare
	}
	said := make([]string, len(nouns))
	for i, n := range heldCounts(*counts) {
		if said[i] = nouns[i].one; n != 1 {
			said[i] = fmt.Sprintf(nouns[i].many, n)
		}
	}
	if locale == "he" && counts.Episodes != 1 {
		and = " ו-" // before a numeral
	}
	return fmt.Sprintf(sentence, said[0], said[1], and+said[2])
}
