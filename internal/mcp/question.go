package mcp

import (
	"bytes"
	"compress/flate"
	"context"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"almanac/graph/model"
	"almanac/internal/dryrun"
	"almanac/internal/seal"
	"almanac/projections/compact"
	"almanac/projections/naming"
)

// questionLife is how long a question of ours waits for its answer, as long as one of the API.
const questionLife = 5 * time.Minute

// column is what tokens of questions are sealed for.
const column = "mcp question"

// maxToken is how long the token of a question may be, in characters: a model has to copy it.
const maxToken = 40_000

// maxPending bounds what a token may unfold to, in bytes.
const maxPending = 4 << 20

// slot is where the answer to a question goes.
type slot string

const (
	// slotNone: the answer is yes or no.
	slotNone slot = ""
	// slotIDs: what is chosen becomes input.ids.
	slotIDs slot = "ids"
	// slotID: the one that is chosen becomes input.id.
	slotID slot = "id"
	// slotTarget: the one that is chosen becomes input.id in place of input.target.
	slotTarget slot = "target"
	// slotScope: the one that is chosen becomes input.scope.
	slotScope slot = "scope"
	// slotConfirm: the question is the API's own; the answer becomes input.confirm.
	slotConfirm slot = "confirm"
)

// step is one mutation with its input.
type step struct {
	Mutation string         `json:"m"`
	Input    map[string]any `json:"i,omitempty"`
	// Document is the name of a published document, instead of a mutation; Input are its variables.
	Document string `json:"d,omitempty"`
}

// pending is what a token holds: exactly what was asked about. Nobody but this server can make or change one, and it
// opens for its user alone.
type pending struct {
	// Nonce makes that it has one effect.
	Nonce   string   `json:"n"`
	Steps   []step   `json:"s"`
	Slot    slot     `json:"p,omitempty"`
	Offered []string `json:"o,omitempty"`
	Many    bool     `json:"a,omitempty"`
	// Labels are those of what is offered, in the same order, where they are few: an answer may name one by it.
	Labels []string `json:"l,omitempty"`
	// Token is the API's own, for slotConfirm.
	Token   string `json:"t,omitempty"`
	Expires int64  `json:"e"`
	// DryRun: it was asked in a dry run, and its answer does nothing either.
	DryRun bool `json:"y,omitempty"`
}

// candidate is one thing that can be chosen.
type candidate struct {
	Key   string `json:"key"`
	Label string `json:"label"`
}

// confirmation is a question as programs see it.
type confirmation struct {
	Kind          model.ConfirmationKind `json:"kind"`
	Question      string                 `json:"question"`
	Candidates    []candidate            `json:"candidates,omitempty"`
	AllowMultiple bool                   `json:"allowMultiple"`
	ExpiresAt     string                 `json:"expiresAt"`
	Token         string                 `json:"token,omitempty"`
}

// question is what has to be answered before anything is done.
type question struct {
	confirmation
	// detail is what the user should see besides, such as the text of an e-mail; about are the labels of what it is about,
	// when nothing has to be chosen.
	detail string
	about  []string
	plan   pending
}

// seal returns the token of a plan. BAD_USER_INPUT when it would be too long to be handed about.
func (s *Server) sealPlan(user model.UserID, plan pending) (string, error) {
	packed, err := json.Marshal(plan)
	if err != nil {
		return "", fmt.Errorf("pack a question: %w", err)
	}
	var small bytes.Buffer
	w, err := flate.NewWriter(&small, flate.BestCompression)
	if err != nil {
		return "", fmt.Errorf("pack a question: %w", err)
	}
	_, _ = w.Write(packed) // to memory
	if err := w.Close(); err != nil {
		return "", fmt.Errorf("pack a question: %w", err)
	}
	token := s.cfg.Box.SealText(seal.Place{User: user, Column: column}, small.Bytes())
	if len(token) > maxToken {
		return "", model.Errorf(model.CodeBadUserInput, "this is too much to be asked about at once; split it")
	}
	return token, nil
}

// openPlan returns the plan of a token. CONFIRMATION_INVALID when it is not one of this user's, or too old.
func (s *Server) openPlan(user model.UserID, token string) (plan pending, err error) {
	small, err := s.cfg.Box.OpenText(seal.Place{User: user, Column: column}, token)
	if err != nil {
		return plan, invalidToken("this is not the token of a question that you were asked")
	}
	packed, err := io.ReadAll(io.LimitReader(flate.NewReader(bytes.NewReader(small)), maxPending))
	if err != nil {
		return plan, invalidToken("this is not the token of a question that you were asked")
	}
	decoder := json.NewDecoder(bytes.NewReader(packed))
	decoder.UseNumber() // what was asked about has to come back to the digit
	if err := decoder.Decode(&plan); err != nil {
		return plan, invalidToken("this is not the token of a question that you were asked")
	}
	if s.cfg.Now().Unix() >= plan.Expires {
		return plan, invalidToken("this question has expired; ask for the change again")
	}
	return plan, nil
}

func invalidToken(sentence string) error {
	e := model.Errorf(model.CodeConfirmationInvalid, "%s", sentence)
	e.Field = []string{"token"}
	return e
}

// asking completes a question: its nonce, its end, its token.
func (s *Server) asking(user model.UserID, q question) (question, error) {
	var nonce [12]byte
	_, _ = rand.Read(nonce[:]) // never fails, by its contract
	q.plan.Nonce = hex.EncodeToString(nonce[:])
	q.plan.Many = q.AllowMultiple
	if q.plan.Expires == 0 {
		expires := s.cfg.Now().Add(questionLife).Truncate(time.Second)
		q.plan.Expires, q.ExpiresAt = expires.Unix(), expires.UTC().Format(time.RFC3339)
	}
	q.plan.Offered, q.plan.Labels = nil, nil
	for _, one := range q.Candidates {
		q.plan.Offered = append(q.plan.Offered, one.Key)
		if len(q.Candidates) <= maxNamed {
			q.plan.Labels = append(q.plan.Labels, model.Clip(one.Label))
		}
	}
	var err error
	q.Token, err = s.sealPlan(user, q.plan)
	return q, err
}

// maxLabel is how much of a candidate is shown, and maxQuestion of a sentence, in characters.
const (
	maxLabel    = 120
	maxQuestion = 500
)

// maxNamed is how many candidates a token holds the labels of: a model has to copy it.
const maxNamed = 10

// options are what is offered, as an answer in words may name it.
func (p pending) options() []naming.Option {
	out := make([]naming.Option, len(p.Offered))
	for i, key := range p.Offered {
		out[i].Key = key
		if i < len(p.Labels) {
			out[i].Label = p.Labels[i]
		}
	}
	return out
}

// declined reports whether an answer chooses none of what is offered.
func (p pending) declined(by chosen) bool {
	return len(by.Choose) == 1 && !by.All && len(p.Offered) > 0 && naming.Declines(by.Choose[0], p.options())
}

// shown says a question to a person: the sentence, what it is about, and what can be chosen. A sentence of the API
// names titles, which others may have written, so it stands inside the fence.
func (q question) shown() string {
	var lines, inside []string
	if q.plan.Slot == slotConfirm {
		lines, inside = []string{"the question below."}, []string{compact.Line(q.Question, maxQuestion)}
	} else {
		lines = []string{q.Question}
	}
	if len(q.Candidates)+len(q.about)+len(inside) > 0 || q.detail != "" {
		if q.detail != "" {
			inside = append(inside, q.detail)
		}
		for _, label := range q.about {
			inside = append(inside, "- "+compact.Line(label, maxLabel))
		}
		for _, one := range q.Candidates {
			inside = append(inside, "- "+compact.Line(one.Label, maxLabel)+" ["+one.Key+"]")
		}
		lines = append(lines, fence(inside))
	}
	return strings.Join(lines, "\n")
}

// plain says a question to a person in a form, without marks and ids.
func (q question) plain() string {
	lines := []string{q.Question}
	if q.detail != "" {
		lines = append(lines, q.detail)
	}
	for _, label := range q.about {
		lines = append(lines, "- "+compact.Line(label, maxLabel))
	}
	return strings.Join(lines, "\n")
}

// text says a question to a model that has to hand it to its user.
func (q question) text() string {
	how := `{"token": "` + q.Token + `"`
	switch {
	case len(q.Candidates) == 0:
	case q.AllowMultiple:
		how += `, "choose": ["…"]`
	default:
		how += `, "choose": ["one id"]`
	}
	return "Nothing was done yet. Ask the user: " + q.shown() + "\nOnly when they agree, call confirm with " + how +
		"}. To leave it, do nothing."
}

// chosen is what was answered.
type chosen struct {
	Choose []string
	All    bool
}

// resolve returns the steps with the answer in its place. BAD_USER_INPUT for what was not offered, which leaves the
// token usable.
func (p pending) resolve(by chosen) ([]step, error) {
	if p.Slot == slotNone {
		return p.Steps, nil
	}
	picked := naming.Chosen(by.Choose, p.options())
	if by.All && p.Many || len(picked) == 0 && len(p.Offered) == 1 {
		picked = p.Offered
	}
	everything := p.Slot == slotConfirm && by.All
	switch {
	case len(picked) == 0 && !everything:
		return nil, model.BadInput("choose", "choose one of: %s", model.Clip(strings.Join(p.Offered, ", ")))
	case len(picked) > 1 && !p.Many:
		return nil, model.BadInput("choose", "only one may be chosen")
	}
	for _, one := range picked {
		if !slices.Contains(p.Offered, one) {
			return nil, model.BadInput("choose", "%q is not one of the candidates", model.Clip(one))
		}
	}
	if len(p.Steps) != 1 {
		return nil, invalidToken("this question cannot be answered by a choice")
	}
	one := p.Steps[0]
	input := cloned(one.Input)
	switch p.Slot {
	case slotIDs:
		input["ids"] = picked
	case slotID:
		input["id"] = picked[0]
	case slotTarget:
		delete(input, "target")
		input["id"] = picked[0]
	case slotScope:
		input["scope"] = picked[0]
	case slotConfirm:
		confirm := map[string]any{"token": p.Token}
		if everything {
			confirm["all"] = true
		} else {
			confirm["choose"] = picked
		}
		input["confirm"] = confirm
	case slotNone:
	}
	one.Input = input
	return []step{one}, nil
}

// carryOut does what was asked about, and nothing else. A token has one effect, however often it is used: its nonce is
// the key under which the API keeps the answer.
func (s *Server) carryOut(ctx context.Context, c *call, plan pending, by chosen) (outcome, error) {
	if plan.declined(by) {
		return s.decline(ctx, c, plan)
	}
	steps, err := plan.resolve(by)
	if err != nil {
		return outcome{}, err
	}
	if plan.DryRun {
		ctx = dryrun.With(ctx)
	}
	var all outcome
	all.DryRun = dryrun.Is(ctx)
	for i, one := range steps {
		done, err := s.perform(ctx, c, one, fmt.Sprintf("mcp-%s-%d", plan.Nonce, i))
		if err != nil {
			return outcome{}, err
		}
		if done.ask != nil {
			return done, nil // the API has a question of its own
		}
		all.text = strings.TrimPrefix(all.text+"\n"+done.text, "\n")
		all.IDs = append(all.IDs, done.IDs...)
		all.Problems = append(all.Problems, done.Problems...)
		all.Actions = append(all.Actions, done.Actions...)
		all.failed = all.failed || done.failed
		if len(steps) == 1 {
			return done, nil
		}
	}
	return all, nil
}

// decline does nothing; where the question is the API's own, its token is used up.
func (s *Server) decline(ctx context.Context, c *call, plan pending) (outcome, error) {
	if plan.Slot == slotConfirm && len(plan.Steps) == 1 {
		one := plan.Steps[0]
		one.Input = cloned(one.Input)
		one.Input["confirm"] = map[string]any{"token": plan.Token, "none": true}
		if done, err := s.perform(ctx, c, one, "mcp-"+plan.Nonce+"-none"); err != nil || done.failed {
			return done, err
		}
	}
	return outcome{text: "Nothing was done.", content: content{Declined: true}}, nil
}
