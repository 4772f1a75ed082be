package core

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/99designs/gqlgen/graphql"

	"almanac/adapters/store"
	"almanac/graph/model"
)

// NotLogged leaves out what the log says of the same things last: that they were made, deleted, or changed to this
// version.
func NotLogged(ctx context.Context, tx store.Tx, changes []model.Change) ([]model.Change, error) {
	ids := make([]model.UUID, len(changes))
	for i, change := range changes {
		ids[i] = change.ID
	}
	last, err := tx.LastRemote(ctx, ids)
	if err != nil {
		return nil, err
	}
	var fresh []model.Change
	for _, change := range changes {
		known, told := last[change.ID]
		if !told || !saysAlready(known, change) {
			fresh = append(fresh, change)
		}
	}
	return fresh, nil
}

// saysAlready reports whether the last line about a thing says what a new one would.
func saysAlready(last, line model.Change) bool {
	switch line.Operation {
	case model.OperationCreated: // whatever became of it since
		return true
	case model.OperationDeleted:
		return last.Operation == model.OperationDeleted
	default:
		return line.Version != "" && last.Version == line.Version
	}
}

// afterRequest is how long what must still be written may take when the request's own time is over.
const afterRequest = 5 * time.Second

// AfterRequest is the context for what must be written though the client has gone: the remote has done its work.
func AfterRequest(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeout(context.WithoutCancel(ctx), afterRequest)
}

// Decided returns what an earlier try of this mutation field has decided, or decides now and notes it before anything
// is done. again tells which. Without an Idempotency-Key it just decides. It is for mutations of remote systems, once
// in each field and outside of the store's transactions: a note that is rolled back binds nobody.
//
// T must round trip through encoding/json: no fields that are not exported, and []byte for a text that may be anything
// but UTF-8. What the first try gets has made that trip too, so that it acts on the same as those after it.
//
// The errors are decide's, with nothing noted; those of model.Notes; and of notes that do not fit T, which another
// version may have left. With an error the mutation must not act.
func Decided[T any](ctx context.Context, decide func() (T, error)) (what T, again bool, err error) {
	return DecidedAs(ctx, "", decide)
}

// DecidedAs is Decided for a mutation field that decides on several things, each under a name of its own.
func DecidedAs[T any](ctx context.Context, about string, decide func() (T, error)) (what T, again bool, err error) {
	var none T
	notes, keyed := model.NotesFrom(ctx)
	if !keyed {
		what, err = decide()
		return what, false, err
	}
	name := graphql.GetFieldContext(ctx).Path().String()
	if about != "" {
		name += " " + about
	}
	noted, again := notes.Recall(name)
	if !again {
		if what, err = decide(); err != nil {
			return what, false, err
		}
		if noted, err = json.Marshal(what); err != nil {
			return none, false, fmt.Errorf("write down what was decided: %w", err)
		}
		if err = notes.Note(ctx, name, noted); err != nil {
			return none, false, err
		}
	}
	what = none
	read := json.NewDecoder(bytes.NewReader(noted))
	read.DisallowUnknownFields() // what another version has decided is done whole or not at all
	if err = read.Decode(&what); err != nil {
		return none, again, fmt.Errorf("read what was decided: %w", err)
	}
	return what, again, nil
}
