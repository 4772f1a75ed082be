package calsync

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"
	"time"

	"almanac/adapters/gmail"
	"almanac/adapters/google"
	"almanac/graph/model"
)

// Mailbox is what the worker needs of the remote's mail; the contract is that of gmail.Client.
type Mailbox interface {
	// Profile returns the mailbox's address and its history number.
	Profile(ctx context.Context, connection model.Connection) (address, history string, err error)
	// History returns what has happened since a history number.
	History(ctx context.Context, connection model.Connection, since string) (gmail.History, error)
}

// The remote's labels that decide what is told.
const (
	labelInbox = "INBOX"
	labelDraft = "DRAFT"
)

// opens reports whether the mailbox of an account may be read: its user has granted that.
func opens(account model.Connection) bool {
	return len(google.Missing(account.Scopes, []string{google.ScopeGmailReadonly})) == 0
}

// readMail asks what has happened in a mailbox since it was left. A mailbox that is synced for the first time, or
// whose remote does not remember so far back, begins at its number of now.
func (v *visit) readMail(ctx context.Context) (found, error) {
	at := v.Now()
	if v.claimed.Token != "" {
		history, err := v.Mail.History(ctx, v.account, v.claimed.Token)
		if err != nil {
			return found{}, err
		}
		if !history.Lost {
			rows := lettersOf(v.account.Number, history)
			ids := make([]model.UUID, len(rows))
			for i, row := range rows {
				ids[i] = row.id.UUID
			}
			return found{token: history.At, at: at, ids: ids,
				tell: func(from, to int, last map[model.UUID]model.Change, _ time.Time) ([]model.Change, int) {
					return tellMail(rows[from:to], last)
				}}, nil
		}
	}
	_, number, err := v.Mail.Profile(ctx, v.account)
	if err != nil {
		return found{}, err
	}
	return found{token: number, at: at, reset: v.claimed.Token != ""}, nil
}

// letter is what a sync says of one message.
type letter struct {
	id             model.ID
	added, deleted bool
	labels         []string
}

// lettersOf returns each message of a history once. One that is named several times was changed, then deleted, or the
// like: the last word stands.
func lettersOf(connection int, history gmail.History) []letter {
	place := map[model.UUID]int{}
	var rows []letter
	add := func(message string, row letter) {
		row.id = model.EmailRef{Connection: connection, Message: message}.ID()
		if _, err := model.EmailRefOf(row.id); err != nil {
			return // nothing could be asked about it
		}
		if i, again := place[row.id.UUID]; again {
			row.added = row.added || rows[i].added
			rows[i] = row
			return
		}
		place[row.id.UUID] = len(rows)
		rows = append(rows, row)
	}
	for _, one := range history.Added {
		add(one.Message, letter{added: true, labels: one.Labels})
	}
	for _, one := range history.Labelled {
		add(one.Message, letter{labels: one.Labels})
	}
	for _, message := range history.Deleted {
		add(message, letter{deleted: true})
	}
	return rows
}

// tellMail turns what has happened in a mailbox into lines of the change log. last are the last lines about the same
// messages. What the log says already is counted and left out; what never concerned the inbox is left out.
func tellMail(rows []letter, last map[model.UUID]model.Change) (lines []model.Change, echoes int) {
	for _, row := range rows {
		before, known := last[row.id.UUID]
		there := known && before.Operation != model.OperationDeleted
		line := model.Change{Type: model.ChangeEmail, ID: row.id.UUID, Remote: row.id.Remote, Version: versionOf(row.labels)}
		inside := slices.Contains(row.labels, labelInbox)
		switch {
		case row.deleted && known && !there:
			echoes++
			continue
		case row.deleted && !known: // a draft that was written anew, most likely: nobody has heard of it
			continue
		case row.deleted:
			line.Operation, line.Version = model.OperationDeleted, ""
		case there && before.Version == line.Version:
			echoes++
			continue
		case !there && inside && row.added:
			line.Operation = model.OperationCreated
		case inside, there && wasInside(before), !known && !row.added && !slices.Contains(row.labels, labelDraft):
			line.Operation = model.OperationUpdated
		default:
			continue
		}
		lines = append(lines, line)
	}
	return lines, echoes
}

// The beginnings of a version: whether the message was in the inbox.
const (
	versionInside  = "in-"
	versionOutside = "out-"
)

// versionOf is what the log keeps of a message's labels: whether it is in the inbox, and enough to know the same labels
// again. It says nothing of the labels themselves, whose ids others have chosen.
func versionOf(labels []string) string {
	const kept = 12
	sum := sha256.Sum256([]byte(strings.Join(slices.Compact(slices.Sorted(slices.Values(labels))), "\n")))
	where := versionOutside
	if slices.Contains(labels, labelInbox) {
		where = versionInside
	}
	return where + hex.EncodeToString(sum[:kept])
}

// wasInside reports whether a message was in the inbox when it was told last. A line that does not say so, as it was
// not written by a sync, counts as yes.
func wasInside(line model.Change) bool { return !strings.HasPrefix(line.Version, versionOutside) }
