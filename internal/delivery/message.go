package delivery

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"almanac/graph/model"
	"almanac/projections"
)

// Message is what is delivered at once.
type Message struct {
	// ID is the same in every attempt to deliver the change to the channel.
	ID string
	// At is when the change happened.
	At time.Time
	// Body is JSON.
	Body []byte
	// Test: it is about nothing.
	Test bool
	// Title is of the thing that changed, where the channel wants texts; empty for none.
	Title string
}

// The types of messages that are about no change.
const (
	// typeLost says that changes were lost to the receiver: they were pruned before they could be delivered.
	typeLost = "changes.lost"
	typeTest = "webhook.test"
)

// body is what a message says (https://www.standardwebhooks.com, "Payload structure").
type body struct {
	Type      string    `json:"type"`
	Timestamp time.Time `json:"timestamp"`
	Data      data      `json:"data"`
}

// data has no texts unless they were asked for.
type data struct {
	// Channel is the id of the webhook.
	Channel   string           `json:"channelId"`
	Change    string           `json:"changeId,omitempty"`
	Cursor    string           `json:"cursor,omitempty"`
	Type      model.ChangeType `json:"type,omitempty"`
	Operation model.Operation  `json:"operation,omitempty"`
	Node      string           `json:"nodeId,omitempty"`
	Title     string           `json:"title,omitempty"`
}

// messageID names what is delivered to a channel about a place of the log, and nothing else.
func messageID(channel model.UUID, place int64) string {
	sum := sha256.Sum256(binary.BigEndian.AppendUint64(append([]byte("almanac message\x00"), channel[:]...),
		uint64(place)))
	return "msg_" + string(model.UUID(sum[:16]).AppendText(nil))
}

// about makes the message about a change.
func (w *Worker) about(channel *model.Channel, change model.Change, title string) Message {
	of := body{Type: strings.ToLower(string(change.Type) + "." + string(change.Operation)), Timestamp: change.At.UTC(),
		Data: data{Channel: channel.RecordID().String(), Cursor: w.Cursor(channel.User, change.Seq), Type: change.Type,
			Change:    model.ChangeID(channel.User, model.FormChange, change.Seq).String(),
			Operation: change.Operation, Node: projections.ChangedID(change).String(), Title: title}}
	return Message{ID: messageID(channel.ID, change.Seq), At: change.At, Body: of.text(), Title: title}
}

// lost makes the message that changes up to a place were lost.
func (w *Worker) lost(channel *model.Channel, place int64) Message {
	of := body{Type: typeLost, Timestamp: w.Now().UTC(), Data: data{Channel: channel.RecordID().String(),
		Cursor: w.Cursor(channel.User, place)}}
	return Message{ID: messageID(channel.ID, place), At: of.Timestamp, Body: of.text()}
}

// Test makes a message that is about nothing, under an id of its own.
func Test(channel *model.Channel, id model.UUID, now time.Time) Message {
	of := body{Type: typeTest, Timestamp: now.UTC(), Data: data{Channel: channel.RecordID().String()}}
	return Message{ID: "msg_" + string(id.AppendText(nil)), At: now, Body: of.text(), Test: true}
}

func (b body) text() []byte {
	text, err := json.Marshal(b)
	if err != nil {
		panic(err) // texts and times can always be written
	}
	return text
}

// wants reports whether a change is delivered to a channel. Browsers are told of reminders, and that a webhook was
// turned off, of which the title tells.
func wants(kind model.ChannelKind, state *model.ChannelState, change model.Change) bool {
	if kind == model.ChannelPush {
		return change.Operation == model.OperationReminded ||
			change.Type == model.ChangeHook && change.Operation == model.OperationUpdated
	}
	return (len(state.Types) == 0 || slices.Contains(state.Types, change.Type)) &&
		(len(state.Operations) == 0 || slices.Contains(state.Operations, change.Operation))
}

// titles asks for the titles of what changed, where the channel wants them. Without them messages are sent all the
// same.
func (w *Worker) titles(ctx context.Context, channel *model.Channel, state *model.ChannelState,
	changes []model.Change) (map[model.UUID]string, error) {
	wanted := slices.DeleteFunc(slices.Clone(changes), func(c model.Change) bool {
		return !wants(channel.Kind, state, c) || c.Operation == model.OperationDeleted
	})
	if !state.Texts || w.Titles == nil || len(wanted) == 0 {
		return nil, nil
	}
	ctx, cancel := context.WithTimeout(ctx, storeTimeout)
	defer cancel()
	return w.Titles(ctx, channel.User, wanted)
}
