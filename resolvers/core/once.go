package core

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/99designs/gqlgen/graphql"

	"almanac/adapters/store"
	"almanac/graph/model"
)

// Some mutations ask a remote system first and then write here, once. Under an Idempotency-Key they are claimed like
// those of remote systems, and what they do is done in one transaction with a mark that it is done and a note of what
// came of it: a repetition, after a crash at any point, finds both or neither.

// errDone rolls a write back that has nothing to do, because an earlier try of the same request has done it.
var errDone = errors.New("done by an earlier try")

// errNotDone rolls back a look for what an earlier try has done.
var errNotDone = errors.New("not done by an earlier try")

// markLife is how long a mark is kept: far longer than a key is remembered.
const markLife = 7 * 24 * time.Hour

// Earlier returns what came of this mutation field when an earlier try of the same request has done it. Without an
// Idempotency-Key nothing has. Ask before anything that looks at the present: it may refuse now what was right then.
func Earlier[T any](ctx context.Context, r *Base, v *Viewer) (outcome T, done bool, err error) {
	notes, keyed := model.NotesFrom(ctx)
	if !keyed {
		return outcome, false, nil
	}
	noted, _ := lastNote(notes, fieldName(ctx))
	if noted == nil {
		return outcome, false, nil
	}
	// A note alone proves nothing: it may have been written down with that of another field after its own transaction was
	// rolled back.
	err = r.Store.Write(ctx, v.User, func(ctx context.Context, tx store.Tx) error {
		if err := markDone(ctx, tx, v); err != nil {
			return err
		}
		return errNotDone
	})
	switch {
	case errors.Is(err, errNotDone):
		return outcome, false, nil
	case !errors.Is(err, errDone):
		return outcome, false, err
	}
	read := json.NewDecoder(bytes.NewReader(noted))
	read.DisallowUnknownFields()
	if err := read.Decode(&outcome); err != nil {
		return outcome, true, fmt.Errorf("read what came of an earlier try: %w", err)
	}
	return outcome, true, nil
}

// Once runs work in one transaction and returns what came of it; under an Idempotency-Key it leaves there what earlier
// finds. T must round trip through encoding/json and hold no text of the user's: notes outlive what is erased. CONFLICT
// when another try has done it in this very moment.
func Once[T any](ctx context.Context, r *Base, v *Viewer,
	work func(ctx context.Context, tx store.Tx) (T, error)) (outcome T, err error) {
	notes, keyed := model.NotesFrom(ctx)
	err = r.Store.Write(ctx, v.User, func(ctx context.Context, tx store.Tx) error {
		if keyed {
			if err := markDone(ctx, tx, v); err != nil {
				return err
			}
		}
		var err error
		if outcome, err = work(ctx, tx); err != nil || !keyed {
			return err
		}
		what, err := json.Marshal(outcome)
		if err != nil {
			return fmt.Errorf("write down what was done: %w", err)
		}
		_, free := lastNote(notes, fieldName(ctx))
		return notes.Note(ctx, free, what)
	})
	if errors.Is(err, errDone) {
		err = model.Errorf(model.CodeConflict,
			"another try of this request has just done it; repeat it with the same Idempotency-Key for its answer")
	}
	return outcome, err
}

// markDone marks this mutation field of the request as done; errDone when it is.
func markDone(ctx context.Context, tx store.Tx, v *Viewer) error {
	seed, ok := model.SeedFrom(ctx)
	if !ok {
		return errors.New("a request with notes has no seed")
	}
	sum := sha256.Sum256(append(append([]byte("almanac once\x00"), seed[:]...), fieldName(ctx)...))
	var mark model.UUID
	copy(mark[:], sum[:])
	err := tx.UseConfirmation(ctx, mark, v.Now.Add(markLife))
	if errors.Is(err, store.ErrConflict) {
		return errDone
	}
	return err
}

// fieldName is the field's place in the answer.
func fieldName(ctx context.Context) string {
	return graphql.GetFieldContext(ctx).Path().String()
}

// lastNote returns the last note of a name, nil for none, and the name of the next one. There is more than one only
// after a transaction was rolled back and another field's note was written down together with that of the first.
func lastNote(notes model.Notes, name string) (noted []byte, free string) {
	for free = name + " done"; ; free += "'" {
		what, ok := notes.Recall(free)
		if !ok {
			return noted, free
		}
		noted = what
	}
}
