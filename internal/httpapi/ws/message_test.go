package ws

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func FuzzParseMessage(f *testing.F) {
	for _, seed := range []string{
		`{"type":"connection_init","payload":{"authorization":"Bearer x"}}`,
		`{"type":"ping","payload":{"a":[1.0,null]}}`, `{"type":"pong"}`,
		`{"id":"1","type":"subscribe","payload":{"query":"{a}","operationName":null,"variables":{},"extensions":null}}`,
		`{"id":"1","type":"subscribe","payload":{"query":""}}`,
		`{"id":"1","type":"subscribe","payload":{"query":"","variables":1}}`,
		`{"id":"א","type":"complete"}`, `{"type":"next"}`, `[]`, `"\ud800"`, "",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		m, err := parseMessage([]byte(text))
		if err != nil {
			reason := clip("Invalid message: " + err.Error())
			if len(reason) > maxReason || !utf8.ValidString(reason) {
				t.Fatalf("the reason cannot be sent: %q", reason)
			}
			return
		}
		switch m.kind {
		case typeInit, typePing, typePong:
			if _, err := messageFrame(typePong, m.payload); err != nil {
				t.Fatalf("the payload cannot be sent back: %v", err)
			}
		case typeSubscribe:
			if m.id == "" || len(m.id) > MaxID || (m.request.Query == "") != (m.refused != nil) {
				t.Fatalf("a subscribe of the wrong form: %+v", m)
			}
		case typeComplete:
			if m.id == "" {
				t.Fatal("a complete without an id")
			}
		default:
			t.Fatalf("a client may not send %q", m.kind)
		}
		frame, err := appendHead(nil, m.id, typeNext)
		if err != nil || !utf8.Valid(frame) {
			t.Fatalf("the id cannot be sent back: %v, %q", err, frame)
		}
	})
}

func TestClip(t *testing.T) {
	for text, want := range map[string]int{
		"short":                         5,
		strings.Repeat("x", maxReason):  maxReason,
		strings.Repeat("x", 200):        maxReason,
		strings.Repeat("א", 100):        maxReason - 1,
		"x" + strings.Repeat("א", 100):  maxReason,
		strings.Repeat("😀", 100):        120,
		strings.Repeat("x", 122) + "😀y": 122,
	} {
		got := clip(text)
		if len(got) != want || !utf8.ValidString(got) || !strings.HasPrefix(text, got) {
			t.Errorf("clip(%q) = %q", text, got)
		}
	}
}
