package resolvers

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

// ticket is what a confirmation token holds: enough to check the answer without keeping the question anywhere.
type ticket struct {
	// Nonce makes the token work once.
	Nonce model.UUID
	// Request is the hash of the mutation's name and its input without `confirm`.
	Request [32]byte
	Expires time.Time
	// Offered are the candidates' ids, Settled those that were clear without asking.
	Offered, Settled []model.UUID
	Many             bool
}

// pack writes a ticket as few bytes, since a person's client carries it about: nonce, request, end in seconds, whether many
// may be chosen, the number of candidates, the candidates, the settled ones.
func (t ticket) pack() []byte {
	packed := slices.Concat(t.Nonce[:], t.Request[:])
	packed = binary.BigEndian.AppendUint64(packed, uint64(t.Expires.Unix()))
	many := byte(0)
	if t.Many {
		many = 1
	}
	packed = append(packed, many)
	packed = binary.BigEndian.AppendUint16(packed, uint16(len(t.Offered))) // at most 5 for each of 200 texts
	for _, id := range slices.Concat(t.Offered, t.Settled) {
		packed = append(packed, id[:]...)
	}
	return packed
}

// unpackTicket reads what pack wrote; false for anything else.
func unpackTicket(packed []byte) (t ticket, ok bool) {
	const head = 16 + 32 + 8 + 1 + 2
	if len(packed) < head || (len(packed)-head)%16 != 0 {
		return t, false
	}
	copy(t.Nonce[:], packed)
	copy(t.Request[:], packed[16:])
	t.Expires = time.Unix(int64(binary.BigEndian.Uint64(packed[48:])), 0).UTC()
	t.Many = packed[56] == 1
	offered := int(binary.BigEndian.Uint16(packed[57:]))
	ids := make([]model.UUID, (len(packed)-head)/16)
	for i := range ids {
		copy(ids[i][:], packed[head+16*i:])
	}
	if offered > len(ids) {
		return t, false
	}
	t.Offered, t.Settled = ids[:offered], ids[offered:]
	return t, true
}

// question is what a mutation asks before it does anything.
type question struct {
	kind       model.ConfirmationKind
	text       string
	candidates []projections.Candidate
	offered    []model.UUID
	settled    []model.UUID
}

// ask turns a question into a confirmation with its token.
func (r *Resolver) ask(ctx context.Context, v *viewer, q question) (*projections.Confirmation, error) {
	request, err := requestHash(ctx)
	if err != nil {
		return nil, err
	}
	many := q.kind == model.PickMany
	expires := v.Now.Add(confirmationLife).Truncate(time.Second)
	asked := ticket{Nonce: r.NewID(), Request: request, Expires: expires, Offered: q.offered, Settled: q.settled, Many: many}
	out := &projections.Confirmation{
		Kind: q.kind, Question: q.text, Candidates: q.candidates, AllowMultiple: many,
		ExpiresAt: v.DateTime(expires), Token: r.Sealer.Seal(purposeConfirmation, v.user, asked.pack()),
	}
	return out, r.withNodes(ctx, v, out)
}

// chosen checks the answer to a question and gives the ids chosen, with those that were settled, and uses the token up
// in the write's own transaction. CONFIRMATION_INVALID for a token that does not fit; BAD_USER_INPUT for a choice that
// was not offered, which leaves the token usable.
func (r *Resolver) chosen(ctx context.Context, tx store.Tx, v *viewer, kind model.Kind, confirm graph.ConfirmInput) (picked, settled []model.UUID, err error) {
	t, err := r.openTicket(ctx, v, confirm.Token)
	if err != nil {
		return nil, nil, err
	}
	if picked, err = t.pick(kind, confirm); err != nil {
		return nil, nil, err
	}
	err = tx.UseConfirmation(ctx, t.Nonce, t.Expires)
	if errors.Is(err, store.ErrConflict) {
		return nil, nil, invalidConfirmation("this confirmation has been used")
	}
	if err != nil {
		return nil, nil, err
	}
	return picked, t.Settled, nil
}

func (r *Resolver) openTicket(ctx context.Context, v *viewer, token string) (ticket, error) {
	packed, err := r.Sealer.Open(purposeConfirmation, v.user, token)
	t, whole := unpackTicket(packed)
	if err != nil || !whole {
		return t, invalidConfirmation("this is not a confirmation token of yours")
	}
	request, err := requestHash(ctx)
	if err != nil {
		return t, err
	}
	switch {
	case t.Request != request:
		return t, invalidConfirmation("this confirmation belongs to another request; repeat the mutation with the same input")
	case !v.Now.Before(t.Expires):
		return t, invalidConfirmation("this confirmation has expired; ask again without confirm")
	}
	return t, nil
}

// pick reads the choice. Nothing chosen is a mistake, not a "no": to say no, let the token expire.
func (t ticket) pick(kind model.Kind, confirm graph.ConfirmInput) ([]model.UUID, error) {
	if confirm.All != nil && *confirm.All {
		if len(confirm.Choose) > 0 {
			return nil, model.BadInput("input.confirm.all", "give choose or all, not both")
		}
		if !t.Many && len(t.Offered) > 1 {
			return nil, model.BadInput("input.confirm.all", "only one of the candidates may be chosen")
		}
		return t.Offered, nil
	}
	if len(confirm.Choose) == 0 {
		return nil, model.BadInput("input.confirm.choose", "choose at least one of the candidates")
	}
	if !t.Many && len(confirm.Choose) > 1 {
		return nil, model.BadInput("input.confirm.choose", "only one of the candidates may be chosen")
	}
	var picked []model.UUID
	for _, text := range confirm.Choose {
		id, err := model.ParseID(text)
		if err != nil || id.Kind != kind || !slices.Contains(t.Offered, id.UUID) {
			return nil, model.BadInput("input.confirm.choose", "%q is not one of the candidates", model.Clip(text))
		}
		if !slices.Contains(picked, id.UUID) {
			picked = append(picked, id.UUID)
		}
	}
	return picked, nil
}

func invalidConfirmation(sentence string) error {
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
