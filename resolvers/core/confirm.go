package core

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/99designs/gqlgen/graphql"

	"almanac/adapters/store"
	"almanac/graph"
	"almanac/graph/model"
	"almanac/projections"
)

// confirmationLife is how long a question waits for its answer.
const confirmationLife = 5 * time.Minute

const purposeConfirmation = "confirmation"

// Ticket is what a confirmation token holds: enough to check the answer without keeping the question anywhere.
type Ticket struct {
	// Nonce makes the token work once.
	Nonce model.UUID
	// Request is the hash of the mutation's name and its input without `confirm`.
	Request [32]byte
	Expires time.Time
	// Offered are the candidates' ids, Settled those that were clear without asking.
	Offered, Settled []model.UUID
	// Texts are the candidates that are no own records, or not alone: references of remote ones, or words; Held are the
	// references that were clear without asking, or chosen at the question before, or whatever else the answer must still
	// fit.
	Texts, Held []string
	// Many: more than one may be chosen. Words: Texts are handed back as they are: those of a RECURRING_SCOPE, a
	// MEMORY_OVERRIDE or an UNDO_CHANGED.
	Many, Words bool
}

// The bits of a ticket's flags.
const (
	ticketMany  = 1
	ticketWords = 2
)

// Pack writes a ticket as few bytes, since a person's client carries it about: nonce, request, end in seconds, flags,
// the numbers of candidates and settled ones, the candidates, the settled ones; then the texts and those held, each
// list with its number and each text with its length.
func (t Ticket) Pack() []byte {
	packed := slices.Concat(t.Nonce[:], t.Request[:])
	packed = binary.BigEndian.AppendUint64(packed, uint64(t.Expires.Unix()))
	flags := byte(0)
	if t.Many {
		flags |= ticketMany
	}
	if t.Words {
		flags |= ticketWords
	}
	packed = append(packed, flags)
	packed = binary.BigEndian.AppendUint16(packed, uint16(len(t.Offered))) // at most 5 for each of 200 texts
	packed = binary.BigEndian.AppendUint16(packed, uint16(len(t.Settled)))
	for _, id := range slices.Concat(t.Offered, t.Settled) {
		packed = append(packed, id[:]...)
	}
	for _, texts := range [][]string{t.Texts, t.Held} {
		packed = binary.AppendUvarint(packed, uint64(len(texts)))
		for _, text := range texts {
			packed = binary.AppendUvarint(packed, uint64(len(text)))
			packed = append(packed, text...)
		}
	}
	return packed
}

// UnpackTicket reads what pack wrote; false for anything else.
func UnpackTicket(packed []byte) (t Ticket, ok bool) {
	const head = 16 + 32 + 8 + 1 + 2 + 2
	if len(packed) < head {
		return t, false
	}
	copy(t.Nonce[:], packed)
	copy(t.Request[:], packed[16:])
	t.Expires = time.Unix(int64(binary.BigEndian.Uint64(packed[48:])), 0).UTC()
	t.Many, t.Words = packed[56]&ticketMany != 0, packed[56]&ticketWords != 0
	offered, settled := int(binary.BigEndian.Uint16(packed[57:])), int(binary.BigEndian.Uint16(packed[59:]))
	packed = packed[head:]
	if len(packed) < 16*(offered+settled) {
		return t, false
	}
	ids := make([]model.UUID, offered+settled)
	for i := range ids {
		copy(ids[i][:], packed[16*i:])
	}
	t.Offered, t.Settled = ids[:offered], ids[offered:]
	packed = packed[16*len(ids):]
	if t.Texts, packed, ok = unpackTexts(packed); !ok {
		return t, false
	}
	t.Held, packed, ok = unpackTexts(packed)
	return t, ok && len(packed) == 0
}

func unpackTexts(packed []byte) (texts []string, rest []byte, ok bool) {
	count, n := binary.Uvarint(packed)
	if n <= 0 || count > uint64(len(packed)) { // each text takes at least the byte of its length
		return nil, nil, false
	}
	packed = packed[n:]
	for range count {
		length, n := binary.Uvarint(packed)
		if n <= 0 || length > uint64(len(packed)-n) {
			return nil, nil, false
		}
		texts = append(texts, string(packed[n:n+int(length)]))
		packed = packed[n+int(length):]
	}
	return texts, packed, true
}

// Question is what a mutation asks before it does anything.
type Question struct {
	Kind       model.ConfirmationKind
	Text       string
	Candidates []projections.Candidate
	Offered    []model.UUID
	Settled    []model.UUID
	// Texts and held are as in ticket. A question with texts brings its candidates' nodes itself. Words says that the
	// texts are words, whatever the kind.
	Texts, Held []string
	Words       bool
}

// Ask turns a question into a confirmation with its token.
func (r *Base) Ask(ctx context.Context, v *Viewer, q Question) (*projections.Confirmation, error) {
	request, err := requestHash(ctx)
	if err != nil {
		return nil, err
	}
	many := q.Kind == model.PickMany || q.Kind == model.Approval
	expires := v.Now.Add(confirmationLife).Truncate(time.Second)
	asked := Ticket{
		Nonce: r.NewID(), Request: request, Expires: expires, Offered: q.Offered, Settled: q.Settled,
		Texts: q.Texts, Held: q.Held, Many: many,
		Words: q.Words || slices.Contains([]model.ConfirmationKind{
			model.RecurringScope, model.MonthDays, model.MemoryOverride, model.UndoChanged,
		}, q.Kind),
	}
	out := &projections.Confirmation{
		Kind: q.Kind, Question: q.Text, Candidates: q.Candidates, AllowMultiple: many,
		ExpiresAt: v.DateTime(expires), Token: r.Sealer.Seal(purposeConfirmation, v.User, asked.Pack()),
	}
	if len(q.Texts) > 0 {
		return out, nil
	}
	return out, r.withNodes(ctx, v, out)
}

// Chosen checks the answer to a question and returns the ids chosen, with those that were settled, and uses the token
// up in the write's own transaction. CONFIRMATION_INVALID for a token that does not fit; BAD_USER_INPUT for a choice
// that was not offered, which leaves the token usable.
func (r *Base) Chosen(ctx context.Context, tx store.Tx, v *Viewer, kind model.Kind,
	confirm graph.ConfirmInput) (picked, settled []model.UUID, err error) {
	t, err := r.OpenTicket(ctx, v, confirm.Token)
	if err != nil {
		return nil, nil, err
	}
	if picked, err = t.Pick(kind, confirm); err != nil {
		return nil, nil, err
	}
	if err = Use(ctx, tx, t); err != nil {
		return nil, nil, err
	}
	return picked, t.Settled, nil
}

// Use takes a ticket's one use.
func Use(ctx context.Context, tx store.Tx, t Ticket) error {
	err := tx.UseConfirmation(ctx, t.Nonce, t.Expires)
	if errors.Is(err, store.ErrConflict) {
		return InvalidConfirmation("this confirmation has been used")
	}
	return err
}

// OpenTicket opens a confirmation token of the viewer for the mutation being resolved. CONFIRMATION_INVALID when it is
// not theirs, has expired, or was given for another mutation or input.
func (r *Base) OpenTicket(ctx context.Context, v *Viewer, token string) (Ticket, error) {
	packed, err := r.Sealer.Open(purposeConfirmation, v.User, token)
	t, whole := UnpackTicket(packed)
	if err != nil || !whole {
		return t, InvalidConfirmation("this is not a confirmation token of yours")
	}
	request, err := requestHash(ctx)
	if err != nil {
		return t, err
	}
	switch {
	case t.Request != request:
		return t, InvalidConfirmation("this confirmation belongs to another request; repeat the mutation with the same input")
	case !v.Now.Before(t.Expires):
		return t, InvalidConfirmation("this confirmation has expired; ask again without confirm")
	}
	return t, nil
}

// Declined reports whether the answer to a question is "none of these", and then uses it up: there is nothing left to
// do. CONFIRMATION_INVALID for a token that does not fit; BAD_USER_INPUT when something is chosen beside it.
func (r *Base) Declined(ctx context.Context, v *Viewer, confirm *graph.ConfirmInput) (bool, error) {
	if confirm == nil || confirm.None == nil || !*confirm.None {
		return false, nil
	}
	if len(confirm.Choose) > 0 || confirm.All != nil && *confirm.All {
		return false, model.BadInput("input.confirm.none", "give exactly one of choose, all and none")
	}
	_, _, err := DecidedAs(ctx, "none", func() (bool, error) {
		t, err := r.OpenTicket(ctx, v, confirm.Token)
		if err != nil {
			return false, err
		}
		return true, r.Spend(ctx, v, t)
	})
	return err == nil, err
}

// Pick reads the choice among own records of a kind.
func (t Ticket) Pick(kind model.Kind, confirm graph.ConfirmInput) ([]model.UUID, error) {
	return choice(confirm, t.Many, t.Offered, func(text string) (model.UUID, bool) {
		id, err := model.ParseID(text)
		return id.UUID, err == nil && id.Kind == kind
	})
}

// PickTexts reads the choice among texts: words, or references of remote records of a kind.
func (t Ticket) PickTexts(kind model.Kind, confirm graph.ConfirmInput) ([]string, error) {
	return choice(confirm, t.Many, t.Texts, func(text string) (string, bool) {
		if t.Words {
			return text, true
		}
		id, err := model.ParseID(text)
		return id.Remote, err == nil && id.Kind == kind
	})
}

// choice reads the choice. Nothing chosen is a mistake, not a "no", which Declined has read. read returns what an id
// stands for.
func choice[T comparable](confirm graph.ConfirmInput, many bool, offered []T,
	read func(string) (T, bool)) ([]T, error) {
	if confirm.All != nil && *confirm.All {
		if len(confirm.Choose) > 0 {
			return nil, model.BadInput("input.confirm.all", "give choose or all, not both")
		}
		if !many && len(offered) > 1 {
			return nil, model.BadInput("input.confirm.all", "only one of the candidates may be chosen")
		}
		return offered, nil
	}
	if len(confirm.Choose) == 0 {
		return nil, model.BadInput("input.confirm.choose", "choose at least one of the candidates")
	}
	if !many && len(confirm.Choose) > 1 {
		return nil, model.BadInput("input.confirm.choose", "only one of the candidates may be chosen")
	}
	var picked []T
	for _, text := range confirm.Choose {
		one, ok := read(text)
		if !ok || !slices.Contains(offered, one) {
			return nil, model.BadInput("input.confirm.choose", "%q is not one of the candidates", model.Clip(text))
		}
		if !slices.Contains(picked, one) {
			picked = append(picked, one)
		}
	}
	return picked, nil
}

// InvalidConfirmation is CONFIRMATION_INVALID at input.confirm.token, with a sentence that says why.
func InvalidConfirmation(sentence string) error {
	e := model.Errorf(model.CodeConfirmationInvalid, "%s", sentence)
	e.Field = model.FieldPath("input.confirm.token")
	return e
}

// requestHash is the hash of the mutation being resolved: its name and its input without `confirm`, as they were sent,
// so that the answer must come with the very question.
func requestHash(ctx context.Context) ([32]byte, error) {
	field := graphql.GetFieldContext(ctx).Field
	arguments := field.ArgumentMap(graphql.GetOperationContext(ctx).Variables)
	input, _ := arguments["input"].(map[string]any)
	asked := make(map[string]any, len(input))
	for name, value := range input {
		if name != "confirm" {
			asked[name] = value
		}
	}
	text, err := json.Marshal([]any{field.Name, asked})
	if err != nil {
		return [32]byte{}, fmt.Errorf("hash of the request: %w", err)
	}
	return sha256.Sum256(text), nil
}

// Spend uses an answer up. CONFIRMATION_INVALID when it has been used.
func (r *Base) Spend(ctx context.Context, v *Viewer, t Ticket) error {
	return r.Store.Write(ctx, v.User, func(ctx context.Context, tx store.Tx) error { return Use(ctx, tx, t) })
}

// Unless returns an answer back unless something was done with it, or may have been; nil was never used. Call it when
// all is over.
func (r *Base) Unless(ctx context.Context, done *bool, v *Viewer, t *Ticket) {
	if t == nil || *done {
		return
	}
	after, cancel := AfterRequest(ctx)
	defer cancel()
	err := r.Store.Write(after, v.User,
		func(ctx context.Context, tx store.Tx) error { return tx.ReturnConfirmation(ctx, t.Nonce) })
	if err != nil {
		AddError(ctx, fmt.Errorf("giving a confirmation back: %w", err)) // it must be asked anew
	}
}

// withNodes loads the candidates' own nodes when the client selects them.
func (r *Base) withNodes(ctx context.Context, v *Viewer, confirmed *projections.Confirmation) error {
	asked := Answered(ctx).Under("confirmation", "Confirmation").Under("candidates", "Candidate")
	if !asked.Has("node") {
		return nil
	}
	ids := make([]model.ID, len(confirmed.Candidates))
	for i, candidate := range confirmed.Candidates {
		id, err := model.ParseID(candidate.Key)
		if err != nil {
			return fmt.Errorf("candidate %q: %w", candidate.Key, err)
		}
		ids[i] = id
	}
	nodes, err := r.Nodes(ctx, v, ids, func(object string) Selection { return asked.Under("node", object) })
	if err != nil {
		return err
	}
	for i := range confirmed.Candidates {
		confirmed.Candidates[i].Node = nodes[i]
	}
	return nil
}
