package httpapi

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"sync"
	"time"

	"almanac/adapters/store"
	"almanac/graph/model"
)

// noteTimeout bounds how long a mutation waits for what it notes to be stored.
const noteTimeout = 10 * time.Second

var (
	errUnreadableNotes = errors.New("what an earlier try of the mutation has noted cannot be read")
	errNotedTwice      = errors.New("a mutation notes twice under one name")
)

// claimNotes are the notes of a mutation that holds a claim. Several goroutines may use them.
type claimNotes struct {
	to    store.Claimer
	user  model.UserID
	claim store.Claim

	mu sync.Mutex
	// packed is what the store has: that of earlier tries, and then what this one has noted.
	packed []byte
	// noted is what packed holds, by name.
	noted map[string][]byte
}

var _ model.Notes = (*claimNotes)(nil)

// notesOf returns the notes of a claim that was taken. An error when those of earlier tries cannot be read: to take
// them for none would be to decide anew.
func notesOf(to store.Claimer, user model.UserID, claim store.Claim) (*claimNotes, error) {
	noted, err := unpackNotes(claim.Notes)
	if err != nil {
		return nil, err
	}
	return &claimNotes{to: to, user: user, claim: claim, packed: claim.Notes, noted: noted}, nil
}

// Recall: see model.Notes.
func (n *claimNotes) Recall(name string) ([]byte, bool) {
	n.mu.Lock()
	defer n.mu.Unlock()
	what, ok := n.noted[name]
	return bytes.Clone(what), ok
}

// Note stores what is noted; see model.Notes. Unless it returns nil, the mutation must not act: BAD_USER_INPUT beyond
// model.MaxNotes, with the names; CONFLICT when another call has the key by now, whose decisions count; or the store's
// fault, after which a later try may find the note nevertheless, and does what it says.
func (n *claimNotes) Note(ctx context.Context, name string, what []byte) error {
	n.mu.Lock()
	defer n.mu.Unlock()
	if _, twice := n.noted[name]; twice {
		return errNotedTwice
	}
	packed := packNote(n.packed, name, what)
	if len(packed) > model.MaxNotes {
		return model.Errorf(model.CodeBadUserInput, "With an %s, one request cannot change this much; split it into several.",
			headerIdempotencyKey)
	}
	ctx, cancel := context.WithTimeout(ctx, noteTimeout)
	defer cancel()
	err := n.to.Note(ctx, n.user, n.claim, packed)
	if errors.Is(err, store.ErrNotFound) {
		return &model.Error{Code: model.CodeConflict,
			Message: "Another try of this request is under way; repeat it with the same Idempotency-Key.", Cause: err}
	}
	if err != nil {
		return fmt.Errorf("note what a mutation has decided: %w", err)
	}
	n.packed, n.noted[name] = packed, bytes.Clone(what)
	return nil
}

// notesVersion is the first byte of packed notes. Notes of another version are refused.
const notesVersion = 1

// packNote appends a note to packed ones, which it leaves as they are: the version, then name and note of each, with
// their lengths.
func packNote(packed []byte, name string, what []byte) []byte {
	out := make([]byte, 0, 1+len(packed)+2*binary.MaxVarintLen64+len(name)+len(what))
	if len(packed) == 0 {
		out = append(out, notesVersion)
	}
	out = append(out, packed...)
	out = binary.AppendUvarint(out, uint64(len(name)))
	out = append(out, name...)
	out = binary.AppendUvarint(out, uint64(len(what)))
	return append(out, what...)
}

// unpackNotes reads what packNote wrote; nothing stands for no notes.
func unpackNotes(packed []byte) (map[string][]byte, error) {
	noted := map[string][]byte{}
	if len(packed) == 0 {
		return noted, nil
	}
	if packed[0] != notesVersion {
		return nil, errUnreadableNotes
	}
	for rest := packed[1:]; len(rest) > 0; {
		var name, what []byte
		var ok bool
		if name, rest, ok = cutPart(rest); ok {
			what, rest, ok = cutPart(rest)
		}
		if _, twice := noted[string(name)]; !ok || twice {
			return nil, errUnreadableNotes
		}
		noted[string(name)] = what
	}
	return noted, nil
}

// cutPart takes a length, and as many bytes, from the front; false when they are not there.
func cutPart(packed []byte) (part, rest []byte, ok bool) {
	length, n := binary.Uvarint(packed)
	if n <= 0 || length > uint64(len(packed)-n) {
		return nil, nil, false
	}
	end := n + int(length)
	return packed[n:end:end], packed[end:], true
}
