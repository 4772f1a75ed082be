package projections

import (
	"crypto/sha256"
	"encoding/base32"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"almanac/graph/model"
)

// Version is different after each change of the task that a user makes; what reminders keep of it does not count. It is
// 13 characters.
func (t Task) Version() string { return TaskVersion(*t.record) }

// TaskVersion is the version of a task that was read with its row, or is about to be written: instants count in
// microseconds, as the stores keep them, and in any zone. What is hashed is a JSON object; it is put together by hand,
// since reflection would cost more than the rest of a row.
func TaskVersion(task model.Task) string {
	var room [512]byte
	b := appendJSON(append(room[:0], `{"Text":`...), task.Text)
	b = appendJSON(append(b, `,"Category":`...), task.Category)
	for _, number := range [...]struct {
		name  string
		value int64
	}{
		{`,"Due":`, micros(task.DueAt)}, {`,"Completed":`, micros(task.CompletedAt)},
		{`,"Updated":`, micros(task.UpdatedAt)}, {`,"Reminder":`, int64(task.Reminder)},
	} {
		b = strconv.AppendInt(append(b, number.name...), number.value, 10)
	}
	b = append(b, `,"Recurrence":`...)
	var until int64
	if task.Recurrence == nil {
		b = append(b, `{"type":""}`...)
	} else {
		until = micros(task.Recurrence.Until)
		rule := *task.Recurrence
		rule.Until = time.Time{}
		b = append(b, plainJSON(rule)...)
	}
	b = append(strconv.AppendInt(append(b, `,"Until":`...), until, 10), '}')
	sum := sha256.Sum256(b)
	var text [versionLength]byte
	versionText.Encode(text[:], sum[:versionBytes])
	return string(text[:])
}

// A version is the beginning of a hash, as text.
const (
	versionBytes  = 8
	versionLength = 13
)

var versionText = base32.HexEncoding.WithPadding(base32.NoPadding)

// appendJSON appends a text as encoding/json writes it.
func appendJSON(b []byte, text string) []byte {
	for i := range len(text) {
		switch c := text[i]; {
		case c < ' ', c == '"', c == '\\', c == '<', c == '>', c == '&':
			return append(b, plainJSON(text)...)
		}
	}
	if !utf8.ValidString(text) || strings.ContainsAny(text, "\u2028\u2029") {
		return append(b, plainJSON(text)...)
	}
	return append(append(append(b, '"'), text...), '"')
}

func plainJSON(value any) []byte {
	text, err := json.Marshal(value)
	if err != nil {
		panic(fmt.Sprintf("the version of a task: %v", err)) // all of it are plain values
	}
	return text
}

func micros(at time.Time) int64 {
	if at.IsZero() {
		return 0
	}
	return at.UnixMicro()
}
